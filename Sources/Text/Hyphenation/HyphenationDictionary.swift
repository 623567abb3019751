import Platform
import Primitives
import Synchronization

/// The patterns of one language and how they divide its words: by Liang's method, with the levels, minima and new
/// spellings that libhyphen's file format adds to it.
final class HyphenationDictionary: Sendable {
  /// The patterns' own minima before and after a break; at least 2.
  let minimumBefore: Int
  let minimumAfter: Int
  private let leftMinimum: Int
  private let rightMinimum: Int
  private let compoundLeftMinimum: Int
  private let compoundRightMinimum: Int
  private let undivided: [[UInt16]]
  /// Their first letters.
  private let undividedStarts: LetterSet
  private let levels: [PatternTrie]
  private let encoding: HyphenationEncoding
  /// Has the tables of the levels.
  private let index: PatternIndex

  /// The dictionary of a file's bytes.
  convenience init(bytes: [UInt8]) { self.init(index: PatternIndex(HyphenationFile(bytes: bytes).index())) }

  /// The dictionary of what `HyphenationFile.index()` wrote.
  init(index: PatternIndex) {
    self.index = index
    var reader = PatternIndexReader(index)
    let numbers = reader.array(Int.self)
    leftMinimum = numbers[0]
    rightMinimum = numbers[1]
    minimumBefore = max(2, leftMinimum)
    minimumAfter = max(2, rightMinimum)
    compoundLeftMinimum = numbers[2]
    compoundRightMinimum = numbers[3]
    encoding = HyphenationEncoding(upperHalf: reader.array(UInt16.self))
    let lengths = reader.array(Int.self)
    var letters = reader.array(UInt16.self)[...]
    undivided = lengths.map { length in
      defer { letters = letters.dropFirst(length) }
      return Array(letters.prefix(length))
    }
    undividedStarts = undivided.reduce(into: LetterSet()) { if let first = $1.first { $0.insert(first) } }
    levels = (0..<numbers[4]).map { _ in PatternTrie(&reader) }
  }

  // MARK: Files

  /// The files read last, the one used last at the end: each is read when a word of its language is first met, and shared by
  /// all of the process.
  private static let known = Lock<[(path: String, dictionary: HyphenationDictionary)]>([])
  /// Bytes that dictionaries may take together which no text is being set with: those of a dozen languages.
  static let capacity = 8 << 20

  /// Bytes of the dictionaries that are kept.
  static var keptBytes: Int { known.withLock { $0.reduce(0) { $0 + $1.dictionary.byteCount } } }

  /// About the memory it takes, in bytes.
  private var byteCount: Int { index.byteCount }

  /// The dictionary in a file, shared by all threads; nil when the file cannot be read.
  static func shared(path: String) -> HyphenationDictionary? {
    // The dictionaries of a language's countries mostly are links to one file.
    guard let path = FilePath.resolved(path) else { return nil }
    return known.withLock { known in
      if let place = known.firstIndex(where: { $0.path == path }) {
        let found = known.remove(at: place)
        known.append(found)
        return found.dictionary
      }
      guard let dictionary = opened(path) else { return nil }
      known.append((path, dictionary))
      var total = known.reduce(0) { $0 + $1.dictionary.byteCount }
      while total > capacity, known.count > 1 { total -= known.removeFirst().dictionary.byteCount }
      return dictionary
    }
  }

  /// The dictionary in a file, by the index that was made of it, or by one that is made now and kept.
  private static func opened(_ path: String) -> HyphenationDictionary? {
    guard let stamp = FileStamp(of: path) else { return nil }
    // A change of the file, or of this module's code, makes another index.
    var hasher = StableHasher()
    hasher.combine(EngineBuild.digest)
    hasher.combine(path)
    stamp.hash(into: &hasher)
    let cache = CachedFile(kind: "hyphenation", key: hasher)
    if let kept = cache.path.flatMap({ PatternIndex(path: $0) }) { return HyphenationDictionary(index: kept) }
    guard let bytes = try? SystemFile.contents(of: path) else { return nil }
    let index = HyphenationFile(bytes: bytes).index()
    cache.save(index, madeFrom: [stamp])
    return HyphenationDictionary(index: PatternIndex(index))
  }

  // MARK: Words

  /// The gap between a letter and the next.
  private enum Gap: UInt8 {
    case closed
    case open
    /// The word may be divided, but then is spelt in another way, which a plain break cannot show.
    case nonstandard
  }

  /// The places before which the lower-case word may be divided, which has at most 127 units.
  func points(in word: Span<UInt16>, minimumBefore: Int, minimumAfter: Int) -> HyphenationPoints {
    var points = HyphenationPoints()
    guard !word.isEmpty, encoding.isUTF8 || word.indices.allSatisfy({ encoding.contains(word[$0]) }) else {
      return points
    }
    withGaps(of: word, level: 0, startsWord: true, endsWord: true) { gaps in
      Self.closeGaps(&gaps, of: word, before: max(minimumBefore, leftMinimum))
      Self.closeGaps(&gaps, of: word, after: max(minimumAfter, rightMinimum))
      for start in word.indices where undividedStarts.mayContain(word[start]) {
        for letters in undivided where Self.occurs(letters, in: word, at: start) {
          gaps[start + letters.count - 1] = .closed
          if start > 0 { gaps[start - 1] = .closed }
        }
      }
      for index in 0..<word.count - 1 where gaps[index] == .open { points.insert(index + 1) }
    }
    return points
  }

  @inline(__always)
  private static func occurs(_ letters: [UInt16], in word: Span<UInt16>, at start: Int) -> Bool {
    guard start + letters.count <= word.count else { return false }
    var index = 0
    while index < letters.count, word[start + index] == letters[index] { index += 1 }
    return index == letters.count
  }

  private typealias Gaps = MutableSpan<Gap>

  /// Calls the closure with the gaps after the letters of a word, or of a part of a compound. A compound is parted by the
  /// patterns of its level, and each part again; what is none is divided by those of the next level.
  private func withGaps(
    of word: Span<UInt16>, level: Int, startsWord: Bool, endsWord: Bool, _ body: (inout Gaps) -> Void
  ) {
    withScratch(repeating: Gap.closed, count: word.count) { gaps in
      var nonstandard: [Int: PatternTrie.NonstandardHyphenation] = [:]
      levels[level].withNumbers(of: word, nonstandard: &nonstandard) { numbers in
        for index in 0..<word.count - 1 where numbers[index] & 1 == 1 { gaps[index] = .open }
      }
      for index in nonstandard.keys where index < gaps.count && gaps[index] == .open {
        gaps[index] = .nonstandard
      }
      if level + 1 < levels.count,
        !divideParts(of: word, &gaps, nonstandard, level: level, startsWord: startsWord, endsWord: endsWord)
      {
        withGaps(of: word, level: level + 1, startsWord: startsWord, endsWord: endsWord) { inner in
          if !startsWord { Self.closeGaps(&inner, of: word, before: compoundLeftMinimum) }
          if !endsWord { Self.closeGaps(&inner, of: word, after: compoundRightMinimum) }
          body(&inner)
        }
      } else {
        body(&gaps)
      }
    }
  }

  /// Divides the parts of a compound; false where the word is none.
  private func divideParts(
    of word: Span<UInt16>, _ gaps: inout Gaps, _ nonstandard: [Int: PatternTrie.NonstandardHyphenation], level: Int,
    startsWord: Bool, endsWord: Bool
  ) -> Bool {
    var start = 0
    for end in word.indices where gaps[end] != .closed || start > 0 && end + 1 == word.count {
      if end > start {
        var part = Array(word.extracting(start...end))
        if gaps[end] == .nonstandard, let change = nonstandard[end], change.start >= start,
          let letters = change.replacement.beforeHyphen
        {
          let spelt = Array(word.extracting(start..<change.start)) + letters
          if spelt.count < word.count { part = spelt }
        }
        let isLast = endsWord && gaps[end] == .closed
        withGaps(of: part.span, level: level, startsWord: startsWord && start == 0, endsWord: isLast) { inner in
          // The last letter of a part never stands alone, whatever the minima.
          for index in 0..<min(end - start - 1, inner.count) { gaps[start + index] = inner[index] }
        }
      }
      start = end + 1
    }
    return start > 0
  }

  /// Closes the gaps with less than so many characters before them.
  private static func closeGaps(_ gaps: inout Gaps, of word: Span<UInt16>, before minimum: Int) {
    var characters = 0
    for index in word.indices {
      if word[index] & 0xFC00 != 0xDC00 { characters += 1 }
      guard characters < minimum else { return }
      gaps[index] = .closed
    }
  }

  /// Closes the gaps with less than so many characters after them.
  private static func closeGaps(_ gaps: inout Gaps, of word: Span<UInt16>, after minimum: Int) {
    var characters = 0
    for index in word.indices.reversed() {
      guard characters < minimum else { return }
      gaps[index] = .closed
      if word[index] & 0xFC00 != 0xDC00 { characters += 1 }
    }
  }
}
