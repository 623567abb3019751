import Primitives

/// The hyphenation patterns of one level, as the trie of Liang's thesis ("Word Hy-phen-a-tion by Com-put-er", 1983).
///
/// A pattern is a string of letters with a number in each gap between them, "hen5at" or ".un1i"; full stops stand for
/// the ends of the word. Patterns that occur in a word raise the numbers of its gaps to their own, and gaps that end up
/// odd may divide.
///
/// Liang packs the families of the trie into one array. Here a node has a bit for each letter that goes on from it, and its
/// children lie side by side in the order of their letters: whether a step can be taken is known without a look at where it
/// leads, and what most words meet is near the root, in few lines of the cache. Letters are digits of 6 bits, the frequent ones
/// one and others more (`PatternAlphabet`). What only one pattern goes on with is no chain of nodes, but a tail of digits.
///
/// The tables are those of a `PatternIndex`.
final class PatternTrie: Sendable {
  /// The spelling that a break inside some letters of a pattern brings about: Schiffahrt, Schiff-fahrt.
  struct Replacement: Sendable, Equatable {
    /// Letters from the first replaced one to the pattern's end.
    var distanceFromEnd: Int
    /// The number of letters that are replaced.
    var length: Int
    /// Letters before the hyphen in their stead; nil when the pattern does not say.
    var beforeHyphen: [UInt16]?
  }

  /// A break inside letters that it replaces (nonstandard hyphenation).
  struct NonstandardHyphenation {
    /// The first replaced letter, in the word.
    var start: Int
    var replacement: Replacement
  }

  struct Node: BitwiseCopyable {
    /// The digits that go on from here, a bit for each; none where a pattern ends or only one goes on.
    var digits: UInt64 = 0
    /// The first child. Without children the digits that follow before the pattern ends: where they are in `tails`, shifted
    /// by 8, and how many.
    var next: UInt32 = 0
    /// The position of the pattern's numbers in `numbers`; 0 where none ends.
    var pattern: UInt32 = 0
  }

  /// Has the tables.
  private let index: PatternIndex
  /// The root is the first.
  private let nodes: PatternIndex.Table<Node>
  private let tails: PatternIndex.Table<UInt8>
  /// Each pattern's count of numbers and then these, which end with the number after the last letter.
  private let numbers: PatternIndex.Table<UInt8>
  /// Those of the alphabet.
  private let pages: PatternIndex.Table<UInt8>
  private let places: PatternIndex.Table<UInt16>
  /// The letters that patterns begin with: most words have none of those of a level of marks.
  private let firstLetters: LetterSet
  /// The replacements of patterns, by their place in `numbers`.
  private let replacements: [UInt32: Replacement]

  /// The trie whose tables come next in an index, as `PatternTrieBuilder.write(to:)` wrote them.
  init(_ reader: inout PatternIndexReader) {
    index = reader.index
    firstLetters = LetterSet(bits: reader.array(UInt64.self)[0])
    pages = reader.table(UInt8.self)
    places = reader.table(UInt16.self)
    nodes = reader.table(Node.self)
    tails = reader.table(UInt8.self)
    numbers = reader.table(UInt8.self)
    let records = reader.array(PatternIndex.Replacement.self)
    var letters = reader.array(UInt16.self)[...]
    var replacements: [UInt32: Replacement] = [:]
    for record in records {
      let own = letters.prefix(Swift.max(0, Int(record.letterCount)))
      letters = letters.dropFirst(own.count)
      replacements[record.pattern] = Replacement(
        distanceFromEnd: Int(record.distanceFromEnd), length: Int(record.length),
        beforeHyphen: record.letterCount < 0 ? nil : Array(own))
    }
    self.replacements = replacements
  }

  /// Letters of a pattern; longer ones are passed over.
  static let longestPattern = 120
  /// Set in the count of a pattern's numbers where it has a replacement.
  static let isReplacing: UInt8 = 0x80

  // MARK: Words

  /// Calls the closure with the numbers of a word's gaps: element i is the one after letter i; nothing is said of the ends.
  ///
  /// Of the patterns that overlap the letters up to some gap, only the longest that begins there counts, finished or
  /// not: the walk that first reaches a letter owns it. Files in the format are prepared for it, each pattern holding
  /// the numbers of the shorter ones that it contains.
  ///
  /// - Parameter nonstandard: Receives the odd gaps that change the spelling, by the letter before them.
  func withNumbers(
    of word: Span<UInt16>, nonstandard: inout [Int: NonstandardHyphenation], _ body: (Span<UInt8>) -> Void
  ) {
    // By gap: the one before the first full stop is 0.
    withScratch(repeating: UInt8(0), count: word.count + 3) { gaps in
      if firstLetters.mayContain(0x2E) || word.indices.contains(where: { firstLetters.mayContain(word[$0]) }) {
        let room = (word.count + 2) * PatternAlphabet.longestLetter
        withScratch(repeating: UInt8(0), count: room) { digits in
          withScratch(repeating: UInt8(0), count: room) { letters in
            let count = write(word, digits: &digits, letters: &letters)
            let text = Text(
              digits: digits.span.extracting(first: count), letters: letters.span, letterCount: word.count + 2)
            raise(&gaps, of: text, nonstandard: &nonstandard)
          }
        }
      }
      body(gaps.span.extracting(2..<word.count + 2))
    }
  }

  /// Writes the digits of a word's letters between full stops, with the number of the letter that each is part of; the
  /// result is how many they are.
  private func write(
    _ word: Span<UInt16>, digits: inout MutableSpan<UInt8>, letters: inout MutableSpan<UInt8>
  ) -> Int {
    let index = index
    let alphabet = PatternAlphabet(pages: index.span(of: pages), places: index.span(of: places))
    var count = 0
    for letter in 0..<word.count + 2 {
      let isInside = letter > 0 && letter <= word.count
      let end = count + alphabet.write(isInside ? word[letter - 1] : 0x2E, to: &digits, at: count)
      while count < end {
        letters[count] = UInt8(truncatingIfNeeded: letter)
        count += 1
      }
    }
    return count
  }

  /// The digits of a word's letters between full stops, with the number of the letter that each is part of.
  private struct Text: ~Escapable {
    let digits: Span<UInt8>
    let letters: Span<UInt8>
    let letterCount: Int
    var count: Int { digits.count }

    @_lifetime(copy digits, copy letters)
    init(digits: Span<UInt8>, letters: Span<UInt8>, letterCount: Int) {
      self.digits = digits
      self.letters = letters
      self.letterCount = letterCount
    }

    /// The letters that end before a digit.
    @inline(__always)
    func letterCount(before digit: Int) -> Int { digit < count ? Int(letters[digit]) : letterCount }
  }

  /// Raises the gaps of a word to the numbers of the patterns that occur in it.
  private func raise(
    _ gaps: inout MutableSpan<UInt8>, of text: borrowing Text, nonstandard: inout [Int: NonstandardHyphenation]
  ) {
    var changes: [Change] = []
    var reached = 0
    let index = index
    let nodes = index.span(of: nodes)
    let tails = index.span(of: tails)
    let numbers = index.span(of: numbers)
    let isPlain = replacements.isEmpty
    let root = nodes[0]
    var start = 0
    while start < text.count {
      defer { start += 1 }
      // The later digits of a letter begin no pattern.
      guard Self.goesOn(root, with: text.digits[start]),
        start == 0 || text.letters[start] != text.letters[start - 1]
      else { continue }
      var node = root
      var end = start
      var isWhole = true
      while isWhole, end < text.count, Self.goesOn(node, with: text.digits[end]) {
        let below = node.digits & (1 &<< UInt64(text.digits[end]) &- 1)
        node = nodes[Int(node.next) &+ below.nonzeroBitCount]
        end &+= 1
        if node.digits == 0 {
          var tail = Int(node.next >> 8)
          let tailEnd = tail + Int(node.next & 0xFF)
          while tail < tailEnd, end < text.count, text.digits[end] == tails[tail] {
            tail += 1
            end += 1
          }
          isWhole = tail == tailEnd
        }
        let letters = text.letterCount(before: end)
        guard letters > reached else { continue }
        reached = letters
        guard isWhole, node.pattern != 0 else { continue }
        if isPlain {
          Self.raise(&gaps, by: numbers, at: Int(node.pattern), end: letters)
        } else {
          raise(&gaps, by: numbers, pattern: node.pattern, end: letters, changes: &changes)
        }
      }
    }
    if !changes.isEmpty { Self.collect(changes, into: &nonstandard) }
  }

  @inline(__always)
  private static func goesOn(_ node: Node, with digit: UInt8) -> Bool {
    digit < 64 && node.digits &>> UInt64(digit) & 1 != 0
  }

  /// Replacements by patterns at one place of the text.
  private struct Change {
    /// Letters replaced from here on, and the gap among them that divides.
    var length = 0
    var gap: Int?
    /// The replacement of the pattern that gave the gap at this place its number.
    var replacement: Replacement?
  }

  /// - Parameter position: Of the count of the pattern's numbers, before these.
  @inline(__always)
  private static func raise(
    _ gaps: inout MutableSpan<UInt8>, by numbers: Span<UInt8>, at position: Int, end: Int
  ) {
    let count = Int(numbers[position])
    let start = end &- count
    var index = 1
    while index <= count {
      gaps[start &+ index] = max(gaps[start &+ index], numbers[position &+ index])
      index &+= 1
    }
  }

  private func raise(
    _ gaps: inout MutableSpan<UInt8>, by numbers: Span<UInt8>, pattern: UInt32, end: Int, changes: inout [Change]
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

  private static func collect(_ changes: [Change], into nonstandard: inout [Int: NonstandardHyphenation]) {
    var start = 1
    while start < changes.count - 2 {
      if let gap = changes[start].gap, let replacement = changes[gap].replacement {
        if gap >= 2 { nonstandard[gap - 2] = NonstandardHyphenation(start: start - 1, replacement: replacement) }
        start += max(1, changes[start].length)
      } else {
        start += 1
      }
    }
  }
}
