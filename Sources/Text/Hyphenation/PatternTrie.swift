/// The hyphenation patterns of one level, as the trie of Liang's thesis ("Word Hy-phen-a-tion by Com-put-er", 1983).
///
/// A pattern is a string of letters with a number in each gap between them, "hen5at" or ".un1i"; full stops stand for
/// the ends of the word. Patterns that occur in a word raise the numbers of its gaps to their own, and gaps that end up
/// odd may divide.
///
/// Where Liang packs the families of the trie into one array, this one hashes its edges, (state, letter) to state,
/// into an open-addressing table of 8 bytes an edge; and what only one pattern goes on with is no chain of states, but
/// a tail of letters.
struct PatternTrie: Sendable {
  /// The spelling that a break inside some letters of a pattern brings about: Schiffahrt, Schiff-fahrt.
  struct Replacement: Sendable, Equatable {
    /// Letters from the first replaced one to the pattern's end.
    var distanceFromEnd: Int
    /// How many letters are replaced.
    var length: Int
    /// What stands before the hyphen instead of them; nil when the pattern does not say.
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
    /// Where the numbers of the pattern are, in `numbers`; 0 where none ends.
    var pattern: UInt32 = 0
  }

  /// Edges, 0 where there is none: 24 bits of the state it leaves, 16 of the letter, 24 of the state it reaches.
  private var edges: [UInt64]
  /// The root is the first.
  private var states = [State()]
  private var tails: [UInt16] = []
  /// Each pattern's count of numbers and then these, which end with the number after the last letter.
  private var numbers: [UInt8] = [0]
  /// The replacements of patterns, by their place in `numbers`.
  private var replacements: [UInt32: Replacement] = [:]

  /// The states on the way to the pattern added last, from the root, and the letters between them: files are sorted, so
  /// that the next pattern mostly begins as it did.
  private var path = [UInt64](repeating: 0, count: longestPattern + 1)
  private var pathLetters = [UInt16](repeating: 0, count: longestPattern)
  private var pathLength = 0

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    edges.capacity * 8 + states.capacity * MemoryLayout<State>.stride + tails.capacity * 2 + numbers.capacity
      + replacements.count * 128
  }

  private static let longestPattern = 120
  private static let isReplacing: UInt8 = 0x80

  /// - Parameter size: About how many letters and numbers the patterns have.
  init(size: Int = 0) {
    // Patterns take ten characters for each state or more.
    edges = Array(repeating: 0, count: 1 << max(6, Int.bitWidth - (size / 8).leadingZeroBitCount))
    numbers.reserveCapacity(size / 2)
    states.reserveCapacity(size / 8)
  }

  /// Adds a pattern, or gives a known one other numbers.
  ///
  /// - Parameter values: The number before each letter and the one after the last.
  mutating func insert(
    letters: UnsafeBufferPointer<UInt16>, values: UnsafeBufferPointer<UInt8>, replacement: Replacement? = nil
  ) {
    guard !letters.isEmpty, letters.count <= Self.longestPattern else { return }
    let state = state(of: letters)
    var zeros = 0
    while zeros < values.count, values[zeros] == 0 { zeros += 1 }
    guard zeros < values.count else {
      states[state].pattern = 0
      return
    }
    let pattern = UInt32(numbers.count)
    states[state].pattern = pattern
    numbers.append(UInt8(values.count - zeros) | (replacement == nil ? 0 : Self.isReplacing))
    numbers.append(contentsOf: UnsafeBufferPointer(rebasing: values[zeros...]))
    if let replacement { replacements[pattern] = replacement }
  }

  /// The state that stands for these letters, made if need be.
  private mutating func state(of letters: UnsafeBufferPointer<UInt16>) -> Int {
    var index = 0
    let shared = min(letters.count, pathLength)
    while index < shared, letters[index] == pathLetters[index] { index += 1 }
    var state = path[index]
    while true {
      pathLength = index
      let tail = states[Int(state)].tail
      if tail & 0x7F != 0 {
        // Another pattern comes this way: the tail's first letter becomes an edge.
        let next = State(tail: tail + (1 << 7) - 1, pattern: states[Int(state)].pattern)
        states[Int(state)] = State()
        let key = state << 16 | UInt64(tails[Int(tail >> 7)])
        addEdge(key, to: next, in: slot(of: key))
      }
      guard index < letters.count else { return Int(state) }
      let key = state << 16 | UInt64(letters[index])
      pathLetters[index] = letters[index]
      index += 1
      let slot = slot(of: key)
      let edge = edges[slot]
      guard edge == 0 else {
        state = edge & 0xFF_FFFF
        path[index] = state
        continue
      }
      addEdge(key, to: State(tail: UInt32(tails.count << 7 | (letters.count - index))), in: slot)
      tails.append(contentsOf: UnsafeBufferPointer(rebasing: letters[index...]))
      path[index] = UInt64(states.count - 1)
      pathLength = index
      return states.count - 1
    }
  }

  private func slot(of key: UInt64) -> Int { edges.withUnsafeBufferPointer { Self.slot(of: key, in: $0) } }

  /// - Parameter slot: That of the key, which is empty.
  private mutating func addEdge(_ key: UInt64, to next: State, in slot: Int) {
    edges[slot] = key << 24 | UInt64(states.count)
    states.append(next)
    guard states.count > edges.count / 4 * 3 else { return }
    let old = edges
    edges = [UInt64](repeating: 0, count: old.count * 2)
    for edge in old where edge != 0 { edges[self.slot(of: edge >> 24)] = edge }
  }

  /// The slot of the edge with this state and letter, or the empty one where it would be.
  @inline(__always)
  private static func slot(of key: UInt64, in edges: UnsafeBufferPointer<UInt64>) -> Int {
    // States that follow each other keep near each other, and letters are scattered.
    let hash = (key &>> 15) &+ (key & 0xFFFF) &* 0x9E37_79B1
    var slot = Int(truncatingIfNeeded: hash) & (edges.count &- 1)
    while edges[slot] != 0, edges[slot] &>> 24 != key { slot = (slot &+ 1) & (edges.count &- 1) }
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
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count + 2) { text in
      let stop = UInt16(UInt8(ascii: "."))
      text[0] = stop
      for index in 0..<count { text[index + 1] = word[index] }
      text[count + 1] = stop
      // By gap: the one before the first full stop is 0.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 3) { gaps in
        gaps.initialize(repeating: 0)
        raise(gaps, of: UnsafeBufferPointer(text), respellings: &respellings)
        body(UnsafeBufferPointer(rebasing: gaps[2..<count + 2]))
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
    edges.withUnsafeBufferPointer { edges in
      states.withUnsafeBufferPointer { states in
        tails.withUnsafeBufferPointer { tails in
          for start in text.indices {
            var state = State()
            var end = start
            var key: UInt64 = 0
            while end < text.count, state.tail & 0x7F == 0 {
              let edge = edges[Self.slot(of: key | UInt64(text[end]), in: edges)]
              guard edge != 0 else { break }
              state = states[Int(edge & 0xFF_FFFF)]
              key = (edge & 0xFF_FFFF) << 16
              end += 1
              while state.tail & 0x7F != 0, end < text.count, text[end] == tails[Int(state.tail >> 7)] {
                state.tail += (1 << 7) - 1
                end += 1
              }
              guard end > reached else { continue }
              reached = end
              if state.tail & 0x7F == 0, state.pattern != 0 {
                raise(gaps, pattern: state.pattern, end: end, changes: &changes)
              }
            }
          }
        }
      }
    }
    if !changes.isEmpty { Self.collect(changes, into: &respellings) }
  }

  /// What the patterns with replacements say of one place of the text.
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
    let header = numbers[Int(pattern)]
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
      let value = numbers[Int(pattern) + 1 + index]
      let gap = end - count + 1 + index
      guard value > gaps[gap] else { continue }
      gaps[gap] = value
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
