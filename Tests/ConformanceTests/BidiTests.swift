import Testing

@testable import Text

/// Unicode's own tests of UAX #9 (X1).
@Suite(UnicodeData.isUsable) struct BidiTests {
  /// Levels agree with those of the files, where characters that X9 removes have none.
  private func agrees(
    _ analyzer: TextAnalyzer, _ units: [UInt16], _ direction: BidiDirection, base: UInt8?, levels expected: [UInt8?]
  ) -> Bool {
    var levels = [UInt8](repeating: 0, count: units.count)
    var span = levels.mutableSpan
    let found = analyzer.bidiLevels(units.span, direction: direction, into: &span)
    if let base, base != found { return false }
    for index in expected.indices { if let level = expected[index], level != levels[index] { return false } }
    return true
  }

  /// The order that follows from levels is that of the files, where removed characters have no place.
  private func agrees(_ order: [Int], levels: [UInt8?]) -> Bool {
    let kept = levels.indices.filter { levels[$0] != nil }
    return Bidi.visualOrder(levels: kept.compactMap { levels[$0] }).map { kept[$0] } == order
  }

  private func levels(_ field: Substring) -> [UInt8?] { field.split(separator: " ").map { UInt8($0) } }

  @Test func `X1 BidiCharacterTest: levels and order of each line`() throws {
    let analyzer = TextAnalyzer()
    var failures: [Substring] = []
    for line in try UnicodeData.lines("BidiCharacterTest.txt") {
      let fields = line.split(separator: ";", omittingEmptySubsequences: false)
      try #require(fields.count == 5)
      let scalars = fields[0].split(separator: " ").compactMap { UInt32($0, radix: 16) }
      try #require(scalars.allSatisfy { $0 < 0x10000 })
      let direction: BidiDirection = fields[1] == "0" ? .ltr : fields[1] == "1" ? .rtl : .firstStrong
      let expected = levels(fields[3])
      if !agrees(analyzer, scalars.map(UInt16.init), direction, base: UInt8(fields[2]), levels: expected)
        || !agrees(fields[4].split(separator: " ").compactMap { Int($0) }, levels: expected)
      {
        failures.append(line)
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5).joined(separator: "\n"))")
  }

  /// A character of each class.
  private static let samples: [Substring: UInt16] = [
    "L": 0x61, "R": 0x5D0, "EN": 0x31, "ES": 0x2B, "ET": 0x25, "AN": 0x661, "CS": 0x2C, "B": 0x2029, "S": 0x09,
    "WS": 0x20, "ON": 0x21, "LRE": 0x202A, "LRO": 0x202D, "AL": 0x627, "RLE": 0x202B, "RLO": 0x202E, "PDF": 0x202C,
    "NSM": 0x300, "BN": 0xAD, "FSI": 0x2068, "LRI": 0x2066, "RLI": 0x2067, "PDI": 0x2069,
  ]

  @Test func `X1 BidiTest: levels and order of each line`() throws {
    let analyzer = TextAnalyzer()
    var expected: [UInt8?] = []
    var count = 0
    var failures: [Substring] = []
    for line in try UnicodeData.lines("BidiTest.txt") {
      if line.hasPrefix("@Levels:") {
        expected = levels(line.dropFirst(9))
      } else if line.hasPrefix("@Reorder:") {
        let order = line.dropFirst(9).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        if !agrees(order, levels: expected) { failures.append(line) }
      } else if let fields = Optional(line.split(separator: ";")), fields.count == 2,
        let directions = UInt8(fields[1].filter { $0 != " " }, radix: 16)
      {
        let units = fields[0].split(separator: " ").compactMap { Self.samples[$0] }
        for (bit, direction) in [BidiDirection.firstStrong, .ltr, .rtl].enumerated()
        where directions & 1 << UInt8(bit) != 0 {
          count += 1
          if !agrees(analyzer, units, direction, base: nil, levels: expected) { failures.append(line) }
        }
      }
    }
    #expect(count > 500_000)
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5).joined(separator: "\n"))")
  }
}
