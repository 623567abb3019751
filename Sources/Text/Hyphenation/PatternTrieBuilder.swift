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
    letters: UnsafeBufferPointer<UInt16>, values: UnsafeBufferPointer<UInt8>,
    replacement: PatternTrie.Replacement? = nil
  ) {
    guard !letters.isEmpty, letters.count <= Self.longestPattern,
      self.letters.count + letters.count <= Self.mostLetters
    else { return }
    let start = self.letters.count
    unsafe self.letters.append(contentsOf: letters)
    var zeros = 0
    while zeros < values.count, unsafe values[zeros] == 0 { zeros += 1 }
    let position = UInt32(numbers.count)
    let count = values.count - zeros
    patterns.append(Pattern(letters: start..<self.letters.count, numbers: count > 0 ? position : 0))
    guard count > 0 else { return }
    numbers.append(UInt8(count) | (replacement == nil ? 0 : PatternTrie.isReplacing))
    unsafe numbers.append(contentsOf: UnsafeBufferPointer(rebasing: values[zeros...]))
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

  /// The digits of the patterns' letters, one behind the other, and where each pattern has its own.
  private func digits(_ places: [UInt16]) -> (digits: [UInt8], ranges: [Range<Int>]) {
    var digits: [UInt8] = []
    digits.reserveCapacity(letters.count)
    var letter = [UInt8](repeating: 0, count: PatternAlphabet.longestLetter)
    let ranges = patterns.map { pattern in
      let start = digits.count
      for place in pattern.letters.lazy.map({ places[Int(letters[$0])] }) {
        // A pattern with a letter that has no digits occurs in no word.
        guard place > 0 else {
          digits.removeLast(digits.count - start)
          break
        }
        let count = unsafe letter.withUnsafeMutableBufferPointer {
          unsafe PatternAlphabet.write(Int(place) - 1, to: $0.baseAddress.unsafelyUnwrapped)
        }
        digits += letter[..<count]
      }
      return start..<digits.count
    }
    return (digits, ranges)
  }

  /// The nodes, those of a depth one behind the other, and the tails.
  private func tables(_ places: [UInt16]) -> ([PatternTrie.Node], [UInt8]) {
    let (digits, ranges) = digits(places)
    // Each before those that it begins, and equal ones as they came: the last of them counts.
    let order = unsafe digits.withUnsafeBufferPointer { digits in
      ranges.indices.filter { !ranges[$0].isEmpty }.sorted {
        unsafe digits[ranges[$0]].lexicographicallyPrecedes(digits[ranges[$1]])
      }
    }
    var nodes = [PatternTrie.Node()]
    var tails: [UInt8] = []
    /// For each node the patterns that begin with its digits, as a range of `order`, and how many digits these are.
    var open = [(patterns: order.indices, depth: 0)]
    var next = 0
    while next < open.count {
      let depth = open[next].depth
      var rest = open[next].patterns
      if next > 0, rest.count == 1 {
        let own = ranges[order[rest.lowerBound]].dropFirst(depth)
        nodes[next].next = UInt32(tails.count << 8 | own.count)
        nodes[next].pattern = patterns[order[rest.lowerBound]].numbers
        tails += digits[own]
        rest = rest.dropFirst()
      }
      while let first = rest.first, ranges[order[first]].count == depth {
        nodes[next].pattern = patterns[order[first]].numbers
        rest = rest.dropFirst()
      }
      if !rest.isEmpty { nodes[next].next = UInt32(nodes.count) }
      while let first = rest.first {
        let digit = digits[ranges[order[first]].lowerBound + depth]
        let own = rest.prefix { digits[ranges[order[$0]].lowerBound + depth] == digit }
        nodes[next].digits |= 1 << UInt64(digit)
        nodes.append(PatternTrie.Node())
        open.append((own, depth + 1))
        rest = rest.dropFirst(own.count)
      }
      next += 1
    }
    return (nodes, tails)
  }
}
