import Primitives

/// Divides the words of one language by its patterns, the reader's list of words and `hyphenate-limit-chars` (CSS Text 4,
/// section 5.4.3). Keeps the words that it has divided; belongs to one thread.
package final class WordDivider {
  private let language: Hyphenator.Language
  /// Letters have another lower case in the language than in most.
  private let hasOwnLetters: Bool
  private let dividesCapitals: Bool
  /// Units of the shortest word.
  private let minimum: Int
  /// Units at least before and after a point: those that are said, and those of the patterns where none are.
  private let said: (before: Int, after: Int)
  private let least: (before: Int, after: Int)
  private var words = DividedWords()

  /// The units of the longest word that is divided.
  package static let longestWord = 96

  init(_ language: Hyphenator.Language, limits: SIMD3<UInt8>, dividesCapitals: Bool) {
    self.language = language
    self.dividesCapitals = dividesCapitals
    hasOwnLetters = CaseMapping.hasOwnLatinRules(language.tag)
    minimum = limits.x == 0 ? 5 : Int(limits.x)
    said = (Int(limits.y), Int(limits.z))
    least = (
      limits.y == 0 ? language.dictionary.minimumBefore : Int(limits.y),
      limits.z == 0 ? language.dictionary.minimumAfter : Int(limits.z)
    )
  }

  /// The offsets in the word, in units, before which it may be divided.
  package func points(in word: Span<UInt16>) -> HyphenationPoints {
    guard word.count >= minimum, word.count <= Self.longestWord else { return HyphenationPoints() }
    return words.points(in: word) { divide($0) }
  }

  /// The offsets in a short word.
  @inline(__always)
  package func points(in word: ShortWord) -> HyphenationPoints {
    guard word.count >= minimum else { return HyphenationPoints() }
    return words.points(in: word) { divide(word) }
  }

  @inline(never)
  private func divide(_ word: ShortWord) -> HyphenationPoints {
    withScratch(repeating: UInt16(0), count: ShortWord.capacity) { units in
      word.write(to: &units)
      return divide(units.span.extracting(first: word.count))
    }
  }

  private func divide(_ word: Span<UInt16>) -> HyphenationPoints {
    guard dividesCapitals || !isAllCapitals(word) else { return HyphenationPoints() }
    return withScratch(repeating: UInt16(0), count: word.count) { lower in
      if !hasOwnLetters, CaseMapping.mapLatin(word, to: .lower, into: &lower) {
        return points(in: word.count, lower: lower.span)
      }
      var mapped: [UInt16] = []
      CaseMapping.map(word, to: .lower, language: language.tag, into: &mapped)
      return points(in: word.count, lower: mapped.span)
    }
  }

  /// The points of a word of so many units by its letters in lower case.
  private func points(in count: Int, lower: Span<UInt16>) -> HyphenationPoints {
    if !language.exceptions.isEmpty, let places = language.exceptions[Array(lower)] {
      var points = HyphenationPoints()
      for place in places where place >= said.before && place + said.after <= count { points.insert(place) }
      return points
    }
    guard lower.count == count else { return HyphenationPoints() }
    return language.dictionary.points(in: lower, minimumBefore: least.before, minimumAfter: least.after)
  }

  /// Every letter is a capital: an acronym, which is not divided.
  private func isAllCapitals(_ word: Span<UInt16>) -> Bool {
    var index = 0
    while index < word.count {
      let (scalar, length) = UTF16Text.scalar(word, at: index)
      let category = CharacterProperties(scalar).category
      if category.isLetter, category != .uppercaseLetter { return false }
      index += length
    }
    return true
  }
}
