/// Words and sentences by UAX #29, over ICU. Opens an iterator for each kind when it is first used; belongs to one thread.
package final class TextBoundaries {
  private let analyzer = TextAnalyzer()

  package init() {}

  /// Calls `body` with each segment between word boundaries, and whether it holds letters, numbers, kana or ideographs.
  package func forEachWord(in units: [UInt16], _ range: Range<Int>, _ body: (Range<Int>, Bool) -> Void) {
    analyzer.forEachWord(in: units.span.extracting(range)) {
      body(range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound, $1)
    }
  }

  /// Sentences with the spaces behind them.
  package func sentences(in units: [UInt16], _ range: Range<Int>, language: String) -> [Range<Int>] {
    guard !range.isEmpty, range.count < Int(Int32.max) else { return range.isEmpty ? [] : [range] }
    var found: [Range<Int>] = []
    var start = range.lowerBound
    let isTaken = BreakIterator(.sentences, language: language)?.forEachBoundary(in: units.span.extracting(range)) {
      end, _ in
      found.append(start..<range.lowerBound + end)
      start = range.lowerBound + end
    }
    return isTaken == true ? found : [range]
  }

  /// Offsets in a range where a caret may stand, both ends included.
  package static func carets(in units: [UInt16], _ range: Range<Int>) -> [Int] {
    var found: [Int] = []
    GraphemeClusters.forEachBoundary(in: units.span.extracting(range)) { found.append(range.lowerBound + $0) }
    if found.last != range.upperBound { found.append(range.upperBound) }
    return found
  }
}
