import CSS

/// Finds boundaries and levels in text. Holds ICU's iterators, opened once for each kind, and scratch memory; belongs to
/// one thread.
package final class TextAnalyzer {
  private var bidi = BidiResolver()
  private lazy var dictionary = BreakIterator(.lines)
  private lazy var words = BreakIterator(.words)
  /// The number of stretches of text that a dictionary divided.
  package private(set) var dictionaryRuns = 0

  package init() {}

  /// Fills the embedding level of each unit (UAX #9, rules P1 to L1).
  ///
  /// - Parameter controls: The places of controls that stand for boxes, in order: what they open goes on in the paragraphs that
  ///   follow.
  /// - Returns: The first paragraph's level, 0 or 1.
  package func bidiLevels(
    _ units: Span<UInt16>, direction: BidiDirection, controls: [Int] = [], into levels: inout MutableSpan<UInt8>
  ) -> UInt8 {
    bidi.resolve(units, direction: direction, controls: controls, into: &levels)
  }

  /// Fills what may happen before each unit, a `BreakKind`.
  package func lineBreaks(
    _ units: Span<UInt16>, tailoring: LineBreakTailoring, into breaks: inout MutableSpan<UInt8>
  ) {
    guard !units.isEmpty else { return }
    var breaker = LineBreaker(units, tailoring: tailoring)
    breaker.run(into: &breaks)
    if breaker.needsDictionary, !tailoring.isPlain, tailoring.wordBreak != .breakAll {
      divideByDictionary(units, breaks: &breaks)
    }
    if tailoring.strictness == .anywhere {
      GraphemeClusters.forEachBoundary(in: units) {
        if $0 > 0, breaks[$0] == BreakKind.none { breaks[$0] = BreakKind.allowed }
      }
    }
  }

  /// Word boundaries in stretches of scripts that write no spaces (LB1, class SA).
  private func divideByDictionary(_ units: Span<UInt16>, breaks: inout MutableSpan<UInt8>) {
    guard let dictionary else { return }
    var index = 0
    while index < units.count {
      guard CharacterProperties(UInt32(units[index])).lineBreak == .sa else {
        index += 1
        continue
      }
      let start = index
      while index < units.count, index - start < Self.longestDictionaryRun {
        let (scalar, length) = UTF16Text.scalar(units, at: index)
        let properties = CharacterProperties(scalar)
        guard properties.lineBreak == .sa || properties.category.isMark else { break }
        index += length
      }
      dictionaryRuns += 1
      let run = units.extracting(start..<index)
      dictionary.forEachBoundary(in: run) { boundary, _ in
        if boundary < run.count, !Self.closesSyllable(at: boundary, in: run) {
          breaks[start + boundary] = BreakKind.allowed
        }
      }
      index = Swift.max(index, start + 1)
    }
  }

  /// The text goes on with a Burmese consonant that ends the syllable before it: one with a killer, or above another
  /// one. Words that the dictionary lacks are cut before them.
  private static func closesSyllable(at start: Int, in text: Span<UInt16>) -> Bool {
    guard 0x1000...0x1021 ~= text[start] else { return false }
    // The dot below is typed before the killer or after it.
    let mark = start + 1 < text.count && text[start + 1] == 0x1037 ? start + 2 : start + 1
    return mark < text.count && (text[mark] == 0x103A || text[mark] == 0x1039)
  }

  /// Dictionary search is bounded to stretches of this many units.
  private static let longestDictionaryRun = 16384

  /// Calls `body` with each segment between word boundaries (UAX #29, section 4) and whether it holds letters, numbers,
  /// kana or ideographs.
  package func forEachWord(in units: Span<UInt16>, _ body: (Range<Int>, Bool) -> Void) {
    var start = 0
    words?.forEachBoundary(in: units) { end, status in
      // ICU's statuses below 100 are spaces and punctuation.
      body(start..<end, status >= 100)
      start = end
    }
  }
}
