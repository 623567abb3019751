import Platform
import Primitives
import Publications
import Synchronization
import Text

/// Differences that a search ignores, and where it finds. Soft hyphens, and the ways to write one character, never
/// make a difference; white space of any kind and length is one space.
public struct SearchOptions: OptionSet, Hashable, Sendable, Codable {
  /// A bit for each option.
  public let rawValue: UInt32
  /// The options of some bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Upper and lower case.
  public static let ignoringCase = SearchOptions(rawValue: 1 << 0)
  /// Full and half width, letters joined into one, and other forms of the same characters: ﬁ and fi, œ and oe, ① and 1.
  public static let ignoringWidth = SearchOptions(rawValue: 1 << 1)
  /// Accents and strokes, and marks of vowels in Hebrew and Arabic.
  public static let ignoringDiacritics = SearchOptions(rawValue: 1 << 2)
  /// Hiragana and katakana.
  public static let ignoringKana = SearchOptions(rawValue: 1 << 3)
  /// Hyphens inside words, and dashes where their forms do not count.
  public static let ignoringHyphens = SearchOptions(rawValue: 1 << 4)
  /// Forms of apostrophes, quotation marks and dashes: ’ and ', “ and ", – and -.
  public static let ignoringPunctuationForms = SearchOptions(rawValue: 1 << 5)
  /// Traditional and simplified Chinese characters: 寶玉 and 宝玉. Characters that are simplified to the same one are the
  /// same, also in Japanese: 國 and 国. Counts where ICU is not installed.
  public static let ignoringChineseForms = SearchOptions(rawValue: 1 << 6)
  /// What is found begins and ends where words do (UAX #29). Scripts that are written without spaces between words,
  /// as Chinese, Japanese and Thai, may be found anywhere.
  public static let wholeWords = SearchOptions(rawValue: 1 << 7)
  /// The options that readers expect: no difference counts, and parts of words are found.
  public static let standard: SearchOptions = [
    .ignoringCase, .ignoringWidth, .ignoringDiacritics, .ignoringKana, .ignoringHyphens, .ignoringPunctuationForms,
    .ignoringChineseForms,
  ]
}

/// A place where a phrase was found.
public struct SearchResult: Hashable, Sendable {
  /// The range of the match.
  public var range: Range<Locator>
  /// The text before it in its paragraph, some forty characters at the most.
  public var before: String
  /// The text that was found, as the book writes it.
  public var match: String
  /// The text behind it in its paragraph, as long as `before`.
  public var after: String
}

extension Typesetter {
  /// Finds a phrase in the book's text, in reading order. A phrase is found inside paragraphs, across lines, pages and markup;
  /// nothing is laid out for it.
  ///
  /// Results come as they are found; who stops asking stops the work.
  ///
  /// - Parameters:
  ///   - phrase: The text to look for; each stretch of white space in it stands for any other.
  ///   - options: The differences that do not count.
  ///   - chapters: Where to look; nil for the whole book.
  public func search(
    _ phrase: String, options: SearchOptions = .standard, in chapters: Range<Int>? = nil
  ) -> AsyncStream<SearchResult> {
    let wanted = chapters?.clamped(to: book.chapters.indices) ?? book.chapters.indices
    return ChapterStream.make(of: Array(wanted)) { try? await self.results(of: phrase, options: options, in: $0) }
  }

  /// What a search finds in one chapter.
  ///
  /// - Throws: ``PageError/noSuchPage`` where the book has no such chapter.
  public func results(
    of phrase: String, options: SearchOptions = .standard, in chapter: Int
  ) async throws(PageError) -> [SearchResult] {
    guard book.publication.spine.indices.contains(chapter), let text = try await chapterText(of: chapter) else {
      throw .noSuchPage
    }
    return await Worker.perform { TextSearch(phrase, options).results(in: text) }
  }

  /// The formatted text of a chapter: of the one kept warm, or else made for this time only.
  func chapterText(of chapter: Int) async throws(PageError) -> ChapterText? {
    let (warm, request) = state.withLock { state in
      (state.sessions.first { $0.chapter == chapter }, SessionRequest(state.resources, pool: pool))
    }
    let session = warm ?? ChapterSession(chapter: chapter, resources: request.resources)
    return try await made(request) { session.chapterText(request) }
  }
}

/// The search for one phrase.
struct TextSearch {
  private var folding: Folding
  private let pattern: [UInt16]
  /// Units of context on each side.
  private static let context = 40

  init(_ phrase: String, _ options: SearchOptions) {
    folding = Folding(options)
    var pattern = Self.pattern(phrase, &folding)
    if pattern.isEmpty, options.contains(.ignoringHyphens) {
      // A phrase of nothing but hyphens means them.
      folding = Folding(options.subtracting(.ignoringHyphens))
      pattern = Self.pattern(phrase, &folding)
    }
    self.pattern = pattern
  }

  private static func pattern(_ phrase: String, _ folding: inout Folding) -> [UInt16] {
    var folded = FoldedText()
    let units = Array(phrase.utf16)
    folded.fold(units, 0..<units.count, with: &folding) { _ in false }
    var pattern = folded.units
    while pattern.last == 0x20 { pattern.removeLast() }
    while pattern.first == 0x20 { pattern.removeFirst() }
    return pattern
  }

  func results(in text: ChapterText) -> [SearchResult] {
    guard !pattern.isEmpty else { return [] }
    var folding = folding
    var folded = FoldedText()
    var results: [SearchResult] = []
    for index in text.paragraphs.indices {
      let paragraph = text.paragraphs[index]
      let generated = text.generatedUnits(of: index)
      folded.fold(text.units, paragraph.units, with: &folding) { unit in generated.contains { $0.contains(unit) } }
      let places = folded.places(of: pattern)
      let edges =
        places.isEmpty || !folding.options.contains(.wholeWords) ? nil : WordEdges(text.units, paragraph.units)
      for place in places {
        let start = Int(folded.origins[place.lowerBound])
        var end = Int(folded.origins[place.upperBound - 1]) + 1
        // A letter with a mark that counts is another letter.
        if place.upperBound < folded.units.count, Folding.isMark(folded.units[place.upperBound]) { continue }
        // The rest of the last character, and marks that were left out.
        while end < paragraph.units.upperBound,
          UTF16.isTrailSurrogate(text.units[end]) || Folding.isMark(text.units[end])
        {
          end += 1
        }
        if let edges, !edges.contains(start) || !edges.contains(end) { continue }
        let before = Swift.max(paragraph.units.lowerBound, start - Self.context)..<start
        let after = end..<Swift.min(paragraph.units.upperBound, end + Self.context)
        results.append(
          SearchResult(
            range: text.locators(start..<end, of: index), before: text.string(text.whole(before), of: index),
            match: text.string(start..<end, of: index), after: text.string(text.whole(after), of: index)))
      }
    }
    return results
  }
}

/// The places of a paragraph where words begin and end.
private struct WordEdges {
  private let units: [UInt16]
  private let range: Range<Int>
  private var edges: Set<Int>

  init(_ units: [UInt16], _ range: Range<Int>) {
    (self.units, self.range) = (units, range)
    var edges: Set<Int> = [range.lowerBound, range.upperBound]
    TextBoundaries().forEachWord(in: units, range) { word, _ in edges.insert(word.upperBound) }
    self.edges = edges
  }

  func contains(_ place: Int) -> Bool { edges.contains(place) || isWithoutSpaces(place - 1) || isWithoutSpaces(place) }

  /// The character is of a script that has no spaces between words: an ideograph, a kana, or one whose lines are
  /// broken by dictionaries (UAX #14, class SA).
  private func isWithoutSpaces(_ index: Int) -> Bool {
    guard range.contains(index) else { return false }
    // All that lies behind the Basic Multilingual Plane in pairs that begin so is ideographs.
    if UTF16.isSurrogate(units[index]) { return (0xD840...0xD88D).contains(units[index]) }
    let properties = CharacterProperties(UInt32(units[index]))
    return properties.lineBreak == .sa || properties.lineBreak == .id
      || (0x3040...0x30FF).contains(units[index])
  }
}

extension ChapterText {
  /// The units of a paragraph that style sheets add.
  func generatedUnits(of paragraph: Int) -> [Range<Int>] {
    let value = paragraphs[paragraph]
    var found: [Range<Int>] = []
    for index in value.spans where spans[index].kind == .generated {
      let end = index + 1 < value.spans.upperBound ? Int(spans[index + 1].start) : value.units.upperBound
      found.append(Int(spans[index].start)..<end)
    }
    return found
  }

  /// A range without halves of surrogate pairs at its ends.
  func whole(_ range: Range<Int>) -> Range<Int> {
    var range = range
    if let first = range.first, UTF16.isTrailSurrogate(units[first]) { range = first + 1..<range.upperBound }
    if let last = range.last, UTF16.isLeadSurrogate(units[last]) { range = range.lowerBound..<last }
    return range
  }
}
