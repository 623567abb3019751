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
/// The tables are those of a `PatternIndex`.
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

  struct State: BitwiseCopyable {
    /// Letters that follow before the pattern ends: where they are in `tails`, shifted by 7, and how many. No edge
    /// leaves a state with a tail.
    var tail: UInt32 = 0
    /// The position of the pattern's numbers in `numbers`; 0 where none ends.
    var pattern: UInt32 = 0
  }

  struct Edge: BitwiseCopyable {
    /// 24 bits of the state it leaves, 16 of the letter, 24 of the state it reaches; 0 for an empty slot.
    var path: UInt64 = 0
    var state = State()
  }

  /// A power of two of them, not all in use.
  private let edges: UnsafeBufferPointer<Edge>
  private let tails: UnsafeBufferPointer<UInt16>
  /// Each pattern's count of numbers and then these, which end with the number after the last letter.
  private let numbers: UnsafeBufferPointer<UInt8>
  /// The letters that patterns begin with: most words have none of those of a level of marks.
  private let firstLetters: LetterSet
  /// The replacements of patterns, by their place in `numbers`.
  private var replacements: [UInt32: Replacement] = [:]
  /// Keeps the tables.
  private let index: PatternIndex

  /// The trie whose tables come next in an index, as `PatternTrieBuilder.write(to:)` wrote them.
  init(_ index: PatternIndex) {
    self.index = index
    unsafe firstLetters = LetterSet(bits: index.next(UInt64.self)[0])
    unsafe edges = index.next(Edge.self)
    unsafe tails = index.next(UInt16.self)
    unsafe numbers = index.next(UInt8.self)
    let records = unsafe Array(index.next(PatternIndex.Replacement.self))
    var letters = unsafe index.next(UInt16.self)[...]
    for record in records {
      let own = unsafe letters.prefix(Swift.max(0, Int(record.letterCount)))
      unsafe letters = letters.dropFirst(own.count)
      replacements[record.pattern] = Replacement(
        distanceFromEnd: Int(record.distanceFromEnd), length: Int(record.length),
        beforeHyphen: record.letterCount < 0 ? nil : unsafe Array(own))
    }
  }

  /// Letters of a pattern; longer ones are passed over.
  static let longestPattern = 120
  /// Set in the count of a pattern's numbers where it has a replacement.
  static let isReplacing: UInt8 = 0x80

  /// The slot of the edge with this state and letter, or the empty one where it would be.
  @inline(__always)
  static func slot(of key: UInt64, in edges: UnsafeBufferPointer<Edge>) -> Int {
    // States that follow each other keep near each other, and letters are scattered.
    let hash = (key &>> 15) &+ (key & 0xFFFF) &* 0x9E37_79B1
    var slot = Int(truncatingIfNeeded: hash) & (edges.count &- 1)
    while unsafe edges[slot].path != 0, unsafe edges[slot].path &>> 24 != key {
      slot = (slot &+ 1) & (edges.count &- 1)
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
        let edge = unsafe edges[Self.slot(of: key | UInt64(text[end]), in: edges)]
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
