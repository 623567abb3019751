import Testing

@testable import Text

/// Unicode's own tests of UAX #14 and UAX #29.
@Suite(UnicodeData.isUsable) struct SegmentationTests {
  private func failures(
    _ path: String, except isTailored: (UnicodeData.Boundaries) -> Bool = { _ in false },
    boundaries: (Span<UInt16>) -> Set<Int>
  ) throws -> [Substring] {
    let cases = try UnicodeData.boundaries(path)
    #expect(cases.count > 500)
    let failures = cases.filter { boundaries($0.units.span) != $0.expected }
    let others = failures.filter { !isTailored($0) }
    print("\(path): \(cases.count - failures.count) of \(cases.count) cases, \(failures.count - others.count) tailored")
    return others.map(\.source)
  }

  /// B1: without what CSS and browsers add, not one case differs.
  @Test func `B1 LineBreakTest: opportunities of each line`() throws {
    let analyzer = TextAnalyzer()
    let failures = try failures("auxiliary/LineBreakTest.txt") { units in
      var breaks = [UInt8](repeating: 0, count: units.count)
      var span = breaks.mutableSpan
      analyzer.lineBreaks(units, tailoring: .plain, into: &span)
      return Set(breaks.indices.filter { breaks[$0] != 0 } + [units.count])
    }
    #expect(failures.isEmpty, "\(failures.prefix(8).joined(separator: "\n"))")
  }

  /// L8.
  @Test func `Grapheme boundaries are those of the Unicode test`() throws {
    let failures = try failures("auxiliary/GraphemeBreakTest.txt") { units in
      var found: Set = [units.count]
      GraphemeClusters.forEachBoundary(in: units) { found.insert($0) }
      return found
    }
    #expect(failures.isEmpty, "\(failures.prefix(8).joined(separator: "\n"))")
  }

  @Test func `Word boundaries are those of the Unicode test`() throws {
    let analyzer = TextAnalyzer()
    // Tailored: ICU follows CLDR, where a colon does not join letters.
    let failures = try failures("auxiliary/WordBreakTest.txt", except: { $0.units.contains(0x3A) }) { units in
      var found: Set = [0]
      analyzer.forEachWord(in: units) { range, _ in found.insert(range.upperBound) }
      return found
    }
    #expect(failures.isEmpty, "\(failures.prefix(8).joined(separator: "\n"))")
  }
}
