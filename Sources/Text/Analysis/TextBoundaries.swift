import CUnicode

/// Words and sentences by UAX #29, over ICU. Opens an iterator for each kind when it is first used; belongs to one thread.
package final class TextBoundaries {
  private let analyzer = TextAnalyzer()

  package init() {}

  /// Calls `body` with each segment between word boundaries, and whether it holds letters, numbers, kana or ideographs.
  package func forEachWord(in units: [UInt16], _ range: Range<Int>, _ body: (Range<Int>, Bool) -> Void) {
    unsafe units.withUnsafeBufferPointer { all in
      unsafe analyzer.forEachWord(in: UnsafeBufferPointer(rebasing: all[range])) {
        body(range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound, $1)
      }
    }
  }

  /// Sentences with the spaces behind them.
  package func sentences(in units: [UInt16], _ range: Range<Int>, language: String) -> [Range<Int>] {
    guard !range.isEmpty, range.count < Int(Int32.max),
      let breaker = unsafe cu_breaker_open(Int32(CU_BREAK_SENTENCES), language)
    else { return range.isEmpty ? [] : [range] }
    defer { unsafe cu_breaker_close(breaker) }
    return unsafe units.withUnsafeBufferPointer { all in
      let part = unsafe UnsafeBufferPointer(rebasing: all[range])
      guard unsafe cu_breaker_set_text(breaker, part.baseAddress, Int32(part.count)) != 0 else { return [range] }
      var found: [Range<Int>] = []
      var start = 0
      while true {
        let end = unsafe Int(cu_breaker_next(breaker))
        guard end > start else { break }
        found.append(range.lowerBound + start..<range.lowerBound + end)
        start = end
      }
      return found
    }
  }

  /// Offsets in a range where a caret may stand, both ends included.
  package static func carets(in units: [UInt16], _ range: Range<Int>) -> [Int] {
    var found: [Int] = []
    unsafe units.withUnsafeBufferPointer { all in
      unsafe GraphemeClusters.forEachBoundary(in: UnsafeBufferPointer(rebasing: all[range])) {
        found.append(range.lowerBound + $0)
      }
    }
    if found.last != range.upperBound { found.append(range.upperBound) }
    return found
  }
}
