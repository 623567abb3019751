/// The hyphenation patterns of one level, as the trie of Liang's thesis ("Word Hy-phen-a-tion by Com-put-er", 1983).
///
/// A pattern is a string of letters with a number in each gap between them, "hen5at" or ".un1i"; full stops stand for
/// the ends of the word. Patterns that occur in a word raise the numbers of its gaps to their own, and gaps that end up
/// odd may divide.
///
/// Liang packs the families of the trie into one array; this one hashes its edges, (state, letter) to state, into an
/// open-addressing table, where what is known of a state stands beside the edge that reaches it: a step costs one look
/// into memory. What only one pattern goes on with is no chain of states, but a tail of letters.
///
/// Files have tens of thousands of patterns, and a book's first page waits for them: the tables have room for all that a
/// file can ask for from the start (memory that nothing is written to is never given by the system). A trie is shared
/// between threads once all patterns are in it.
@safe final class PatternTrie: @unchecked Sendable {
  /// The spelling that a break inside some letters of a pattern brings about: Schiffahrt, Schiff-fahrt.
  struct Replacement: Sendable, Equatable {
    /// Letters from the first replaced one to the pattern's end.
    var distanceFromEnd: Int
    /// The number of letters that are replaced.
    var length: Int
    /// Letters before the hyphen in their stead; nil when the pattern does not say.
    var beforeHyphen: [UInt16]?
  }

  /// A break inside letters that it replaces.
  struct Respelling {
    /// The first replaced letter, in the word.
    var start: Int
    var replacement: Replacement
  }

  private struct State {
    /// Letters that follow before the pattern ends: where they are in `tails`, shifted by 7, and how many. No edge
    /// leaves a state with a tail.
    var tail: UInt32 = 0
    /// The position of the pattern's numbers in `numbers`; 0 where none ends.
    var pattern: UInt32 = 0
  }

  private struct Edge {
    /// 24 bits of the state it leaves, 16 of the letter, 24 of the state it reaches; 0 for an empty slot.
    var path: UInt64 = 0
    var state = State()
  }

  private var edges: UnsafeMutableBufferPointer<Edge>
  /// The slots of the edges that reach states, by state. The root is the first, which none reaches.
  private let slots: UnsafeMutableBufferPointer<UInt32>
  private var stateCount = 1
  private let tails: UnsafeMutableBufferPointer<UInt16>
  private var tailCount = 0
  /// Each pattern's count of numbers and then these, which end with the number after the last letter.
  private let numbers: UnsafeMutableBufferPointer<UInt8>
  private var numberCount = 1
  /// The letters that patterns begin with: most words have none of those of a level of marks.
  private var firstLetters = LetterSet()
  /// The replacements of patterns, by their place in `numbers`.
  private var replacements: [UInt32: Replacement] = [:]

  /// The states on the way to the pattern added last, from the root, and the letters between them: files are sorted, so
  /// that the next pattern mostly begins as it did.
  private let path: UnsafeMutableBufferPointer<UInt64>
  private let pathLetters: UnsafeMutableBufferPointer<UInt16>
  private var pathLength = 0

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    unsafe edges.count * MemoryLayout<Edge>.stride + stateCount * 4 + tailCount * 2 + numberCount
      + replacements.count * 128
  }

  /// Letters of a pattern; longer ones are passed over.
  private static let longestPattern = 120
  private static let isReplacing: UInt8 = 0x80

  /// - Parameter size: How many letters and numbers the patterns have at most, and an end of line for each of them.
  init(size: Int) {
    // Patterns take ten characters for each state or more.
    unsafe edges = Self.emptyEdges(1 << max(6, Int.bitWidth - (size / 8).leadingZeroBitCount))
    // Each letter makes one state at most; a pattern with a number has one for each letter, another and their count.
    unsafe slots = .allocate(capacity: size + 1)
    unsafe slots[0] = 0
    unsafe tails = .allocate(capacity: size)
    unsafe numbers = .allocate(capacity: size + 1)
    unsafe numbers[0] = 0
    unsafe path = .allocate(capacity: Self.longestPattern + 1)
    unsafe path[0] = 0
    unsafe pathLetters = .allocate(capacity: Self.longestPattern)
  }

  deinit {
    unsafe edges.deallocate()
    unsafe slots.deallocate()
    unsafe tails.deallocate()
    unsafe numbers.deallocate()
    unsafe path.deallocate()
    unsafe pathLetters.deallocate()
  }

  private static func emptyEdges(_ count: Int) -> UnsafeMutableBufferPointer<Edge> {
    let edges = UnsafeMutableBufferPointer<Edge>.allocate(capacity: count)
    unsafe edges.initialize(repeating: Edge())
    return unsafe edges
  }

  /// Adds a pattern, or gives a known one other numbers. There is no room for more than the trie was made for.
  ///
  /// - Parameter values: The number before each letter and the one after the last.
  func insert(
    letters: UnsafeBufferPointer<UInt16>, values: UnsafeBufferPointer<UInt8>, replacement: Replacement? = nil
  ) {
    guard !letters.isEmpty, letters.count <= Self.longestPattern, unsafe tailCount + letters.count <= tails.count,
      unsafe stateCount + letters.count <= slots.count
    else { return }
    unsafe firstLetters.insert(letters[0])
    let state = unsafe state(of: letters)
    var zeros = 0
    while zeros < values.count, unsafe values[zeros] == 0 { zeros += 1 }
    let count = values.count - zeros
    guard count > 0, unsafe numberCount + 1 + count <= numbers.count else {
      unsafe edges[Int(slots[state])].state.pattern = 0
      return
    }
    let pattern = numberCount
    unsafe edges[Int(slots[state])].state.pattern = UInt32(pattern)
    unsafe numbers[pattern] = UInt8(count) | (replacement == nil ? 0 : Self.isReplacing)
    for index in 0..<count { unsafe numbers[pattern + 1 + index] = values[zeros + index] }
    numberCount += 1 + count
    if let replacement { replacements[UInt32(pattern)] = replacement }
  }

  /// The state that stands for these letters, made if need be.
  private func state(of letters: UnsafeBufferPointer<UInt16>) -> Int {
    var index = 0
    let shared = min(letters.count, pathLength)
    while index < shared, unsafe letters[index] == pathLetters[index] { index += 1 }
    var state = unsafe path[index]
    while true {
      pathLength = index
      let known = state == 0 ? State() : unsafe edges[Int(slots[Int(state)])].state
      let tail = known.tail
      if tail & 0x7F != 0 {
        // Another pattern comes this way: the tail's first letter becomes an edge.
        let next = State(tail: tail + (1 << 7) - 1, pattern: known.pattern)
        unsafe edges[Int(slots[Int(state)])].state = State()
        let key = unsafe state << 16 | UInt64(tails[Int(tail >> 7)])
        addEdge(key, to: next, in: slot(of: key))
      }
      guard index < letters.count else { return Int(state) }
      let key = unsafe state << 16 | UInt64(letters[index])
      unsafe pathLetters[index] = letters[index]
      index += 1
      let slot = slot(of: key)
      let edge = unsafe edges[slot].path
      guard edge == 0 else {
        state = edge & 0xFF_FFFF
        unsafe path[index] = state
        continue
      }
      let rest = letters.count - index
      addEdge(key, to: State(tail: UInt32(tailCount << 7 | rest)), in: slot)
      for letter in 0..<rest { unsafe tails[tailCount + letter] = letters[index + letter] }
      tailCount += rest
      unsafe path[index] = UInt64(stateCount - 1)
      pathLength = index
      return stateCount - 1
    }
  }

  /// - Parameter slot: That of the key, which is empty.
  private func addEdge(_ key: UInt64, to next: State, in slot: Int) {
    unsafe edges[slot] = Edge(path: key << 24 | UInt64(stateCount), state: next)
    unsafe slots[stateCount] = UInt32(slot)
    stateCount += 1
    guard unsafe stateCount > edges.count / 4 * 3 else { return }
    let old = unsafe edges
    unsafe edges = Self.emptyEdges(old.count * 2)
    for index in old.indices where unsafe old[index].path != 0 {
      let slot = unsafe self.slot(of: old[index].path >> 24)
      unsafe edges[slot] = old[index]
      unsafe slots[Int(old[index].path & 0xFF_FFFF)] = UInt32(slot)
    }
    unsafe old.deallocate()
  }

  /// The slot of the edge with this state and letter, or the empty one where it would be.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    // States that follow each other keep near each other, and letters are scattered.
    let hash = (key &>> 15) &+ (key & 0xFFFF) &* 0x9E37_79B1
    var slot = unsafe Int(truncatingIfNeeded: hash) & (edges.count &- 1)
    while unsafe edges[slot].path != 0, unsafe edges[slot].path &>> 24 != key {
      slot = unsafe (slot &+ 1) & (edges.count &- 1)
    }
    return slot
  }

  // MARK: Words

  /// Calls the closure with the numbers of a word's gaps: element i is the one after letter i; nothing is said of the ends.
  ///
  /// Of the patterns that overlap the letters up to some gap, only the longest that begins there counts, finished or
  /// not: the walk that first reaches a letter owns it. Files in the format are prepared for it, each pattern holding
  /// the numbers of the shorter ones that it contains.
  ///
  /// - Parameter respellings: Receives the odd gaps that change the spelling, by the letter before them.
  func withNumbers(
    of word: UnsafeBufferPointer<UInt16>, respellings: inout [Int: Respelling],
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let count = word.count
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count + 2) { text in
      let stop = UInt16(UInt8(ascii: "."))
      unsafe text[0] = stop
      for index in 0..<count { unsafe text[index + 1] = word[index] }
      unsafe text[count + 1] = stop
      // By gap: the one before the first full stop is 0.
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 3) { gaps in
        unsafe gaps.initialize(repeating: 0)
        unsafe raise(gaps, of: UnsafeBufferPointer(text), respellings: &respellings)
        unsafe body(UnsafeBufferPointer(rebasing: gaps[2..<count + 2]))
      }
    }
  }

  /// Raises the gaps of a word between full stops to the numbers of the patterns that occur in it.
  private func raise(
    _ gaps: UnsafeMutableBufferPointer<UInt8>, of text: UnsafeBufferPointer<UInt16>,
    respellings: inout [Int: Respelling]
  ) {
    var changes: [Change] = []
    var reached = 0
    for start in text.indices where unsafe firstLetters.mayContain(text[start]) {
      var state = State()
      var end = start
      var key: UInt64 = 0
      while end < text.count, state.tail & 0x7F == 0 {
        let edge = unsafe edges[slot(of: key | UInt64(text[end]))]
        guard edge.path != 0 else { break }
        state = edge.state
        key = (edge.path & 0xFF_FFFF) &<< 16
        end += 1
        while state.tail & 0x7F != 0, end < text.count, unsafe text[end] == tails[Int(state.tail >> 7)] {
          state.tail += (1 << 7) - 1
          end += 1
        }
        guard end > reached else { continue }
        reached = end
        if state.tail & 0x7F == 0, state.pattern != 0 {
          unsafe raise(gaps, pattern: state.pattern, end: end, changes: &changes)
        }
      }
    }
    if !changes.isEmpty { Self.collect(changes, into: &respellings) }
  }

  /// Replacements by patterns at one place of the text.
  private struct Change {
    /// Letters replaced from here on, and the gap among them that divides.
    var length = 0
    var gap: Int?
    /// The replacement of the pattern that gave the gap at this place its number.
    var replacement: Replacement?
  }

  private func raise(
    _ gaps: UnsafeMutableBufferPointer<UInt8>, pattern: UInt32, end: Int, changes: inout [Change]
  ) {
    let header = unsafe numbers[Int(pattern)]
    let count = Int(header & ~Self.isReplacing)
    var replacement: Replacement?
    var start = 0
    if header & Self.isReplacing != 0, let found = replacements[pattern] {
      if changes.isEmpty { changes = Array(repeating: Change(), count: gaps.count) }
      replacement = found
      start = end - found.distanceFromEnd
      if changes.indices.contains(start) { changes[start].length = found.length }
    }
    for index in 0..<count {
      let value = unsafe numbers[Int(pattern) + 1 + index]
      let gap = end - count + 1 + index
      guard unsafe value > gaps[gap] else { continue }
      unsafe gaps[gap] = value
      guard value & 1 == 1, !changes.isEmpty else { continue }
      changes[gap].replacement = replacement
      if let replacement, start >= 1, start <= gap, gap <= start + replacement.length { changes[start].gap = gap }
    }
  }

  private static func collect(_ changes: [Change], into respellings: inout [Int: Respelling]) {
    var start = 1
    while start < changes.count - 2 {
      if let gap = changes[start].gap, let replacement = changes[gap].replacement {
        if gap >= 2 { respellings[gap - 2] = Respelling(start: start - 1, replacement: replacement) }
        start += max(1, changes[start].length)
      } else {
        start += 1
      }
    }
  }
}

/// A set of letters, hashed to a bit each: what is not in it is told in no time, and nearly always.
struct LetterSet: Sendable {
  private var bits: UInt64 = 0

  mutating func insert(_ letter: UInt16) { bits |= Self.bit(of: letter) }

  @inline(__always)
  func mayContain(_ letter: UInt16) -> Bool { bits & Self.bit(of: letter) != 0 }

  @inline(__always)
  private static func bit(of letter: UInt16) -> UInt64 { 1 &<< ((UInt64(letter) &* 0x9E37_79B9_7F4A_7C15) &>> 58) }
}
