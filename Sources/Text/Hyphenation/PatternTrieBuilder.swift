import Platform
import Primitives

/// Makes the tables of a `PatternTrie` from the patterns of a file.
struct PatternTrieBuilder {
  private struct Pattern {
    /// Places in `letters`.
    var letters: Range<Int>
    /// The position of its numbers; 0 where it has none, and only ends longer ones.
    var numbers: UInt32
  }

  private var letters: [UInt16] = []
  private var patterns: [Pattern] = []
  /// Each pattern's count of numbers and then these.
  private var numbers: [UInt8] = [0]
  private var replacements: [UInt32: PatternTrie.Replacement] = [:]

  /// Letters of a pattern, whose digits are fewer than 256; longer ones are passed over.
  private static let longestPattern = 80
  /// Letters of all patterns together, whose digits have places of 24 bits.
  private static let mostLetters = 5 << 20

  /// Adds a pattern, or gives a known one other numbers.
  ///
  /// - Parameter values: The number before each letter and the one after the last.
  mutating func insert(
    letters: [UInt16], values: [UInt8],
    replacement: PatternTrie.Replacement? = nil
  ) {
    guard !letters.isEmpty, letters.count <= Self.longestPattern,
      self.letters.count + letters.count <= Self.mostLetters
    else { return }
    let start = self.letters.count
    self.letters.append(contentsOf: letters)
    let values = values.drop { $0 == 0 }
    let position = UInt32(numbers.count)
    let count = values.count
    patterns.append(Pattern(letters: start..<self.letters.count, numbers: count > 0 ? position : 0))
    guard count > 0 else { return }
    numbers.append(UInt8(count) | (replacement == nil ? 0 : PatternTrie.isReplacing))
    numbers.append(contentsOf: values)
    if let replacement { replacements[position] = replacement }
  }

  // MARK: Tables

  /// Appends the tables to an index, in the order in which the trie reads them.
  func write(to index: inout PatternIndexWriter) {
    index.append([patterns.reduce(into: LetterSet()) { $0.insert(letters[$1.letters.lowerBound]) }.bits])
    let places = writeAlphabet(to: &index)
    let (nodes, tails) = tables(places)
    index.append(nodes)
    index.append(tails)
    index.append(numbers)
    let sorted = replacements.sorted { $0.key < $1.key }
    index.append(
      sorted.map { pattern, replacement in
        PatternIndex.Replacement(
          pattern: pattern, distanceFromEnd: Int32(replacement.distanceFromEnd), length: Int32(replacement.length),
          letterCount: replacement.beforeHyphen.map { Int32($0.count) } ?? -1)
      })
    index.append(sorted.flatMap { $0.value.beforeHyphen ?? [] })
  }

  /// Writes the letters; the result is their places, from 1, by letter.
  private func writeAlphabet(to index: inout PatternIndexWriter) -> [UInt16] {
    var counts = [Int](repeating: 0, count: 0x10000)
    for letter in letters { counts[Int(letter)] += 1 }
    let frequent = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $1) > (counts[$1], $0) }
    // Files are in the order of their letters, and sorted in no time where digits are in that order too.
    let order = frequent.prefix(PatternAlphabet.singles).sorted() + frequent.dropFirst(PatternAlphabet.singles)
    var places = [UInt16](repeating: 0, count: 0x10000)
    var pages = [UInt8](repeating: 0, count: 256)
    var entries: [UInt16] = []
    for (place, letter) in order.prefix(PatternAlphabet.capacity).enumerated() {
      if pages[letter >> 8] == 0 {
        // A byte numbers as many pages as there are but one.
        guard entries.count < 255 << 8 else { continue }
        entries.append(contentsOf: repeatElement(0, count: 256))
        pages[letter >> 8] = UInt8(entries.count >> 8)
      }
      places[letter] = UInt16(place + 1)
      entries[Int(pages[letter >> 8] - 1) << 8 + letter & 0xFF] = places[letter]
    }
    index.append(pages)
    index.append(entries)
    return places
  }

  /// The digits of a pattern, as a stretch of those of all.
  private struct Digits {
    var start: UInt32
    var count: UInt32
    var pattern: UInt32
  }

  /// Writes the digits of the patterns' letters one behind the other, and where each pattern has its own.
  private func write(_ places: [UInt16], to digits: inout MutableSpan<UInt8>) -> [Digits] {
    var strings: [Digits] = []
    strings.reserveCapacity(patterns.count)
    var end = 0
    let (letters, places) = (letters.span, places.span)
    for (index, pattern) in patterns.enumerated() {
      let start = end
      var isWhole = true
      for letter in pattern.letters {
        let place = Int(places[Int(letters[letter])])
        // A pattern with a letter that has no digits occurs in no word.
        isWhole = isWhole && place > 0
        if place > 0 { end += PatternAlphabet.write(place - 1, to: &digits, at: end) }
      }
      if isWhole {
        strings.append(Digits(start: UInt32(start), count: UInt32(end - start), pattern: UInt32(index)))
      }
    }
    return strings
  }

  /// The nodes, those of a depth one behind the other, and the tails.
  private func tables(_ places: [UInt16]) -> ([PatternTrie.Node], [UInt8]) {
    withScratch(repeating: UInt8(0), count: letters.count * PatternAlphabet.longestLetter + 1) { digits in
      var strings = write(places, to: &digits)
      let digits = digits.span
      // Each before those that it begins, and equal ones as they came: the last of them counts.
      strings.sort { a, b in
        var (first, second) = (Int(a.start), Int(b.start))
        let end = first + Int(min(a.count, b.count))
        while first < end, digits[first] == digits[second] {
          first += 1
          second += 1
        }
        return first < end ? digits[first] < digits[second] : (a.count, a.pattern) < (b.count, b.pattern)
      }
      return tables(strings, digits)
    }
  }

  private func tables(_ strings: [Digits], _ digits: Span<UInt8>) -> ([PatternTrie.Node], [UInt8]) {
    let strings = strings.span
    var nodes = [PatternTrie.Node()]
    var tails: [UInt8] = []
    /// For each node the patterns that begin with its digits, and how many digits these are.
    var open: [(start: UInt32, end: UInt32, depth: UInt32)] = [(0, UInt32(strings.count), 0)]
    var next = 0
    while next < open.count {
      let depth = Int(open[next].depth)
      var start = Int(open[next].start)
      let end = Int(open[next].end)
      var node = PatternTrie.Node()
      if next > 0, end - start == 1 {
        let own = strings[start]
        let rest = Int(own.count) - depth
        node.next = UInt32(tails.count << 8 | rest)
        node.pattern = patterns[Int(own.pattern)].numbers
        for digit in 0..<rest { tails.append(digits[Int(own.start) + depth + digit]) }
        start = end
      }
      while start < end, Int(strings[start].count) == depth {
        node.pattern = patterns[Int(strings[start].pattern)].numbers
        start += 1
      }
      if start < end { node.next = UInt32(nodes.count) }
      while start < end {
        let digit = digits[Int(strings[start].start) + depth]
        var last = start + 1
        while last < end, digits[Int(strings[last].start) + depth] == digit { last += 1 }
        node.digits |= 1 << UInt64(digit)
        nodes.append(PatternTrie.Node())
        open.append((UInt32(start), UInt32(last), UInt32(depth + 1)))
        start = last
      }
      nodes[next] = node
      next += 1
    }
    return (nodes, tails)
  }
}
