import BookOutput
import Foundation
import TestSupport
import Testing
import Typesetting

/// The cost of a chapter, counted and not timed: the same on every machine.
@Suite struct CounterTests {
  private static let paragraphs = 4000

  /// The counters of a run that lays a page out.
  private func counters(
    _ body: String, records: Bool = false, micro: Typesetting.ReaderChoice = .auto,
    media: TypesettingSettings.Media = .screen
  ) throws -> [String: Double] {
    let book = try TestBook()
    var options = RunOptions(input: try book.page(body))
    options.settings.micro = micro
    options.settings.media = media
    if records { options.layout = .file(book.path("layout")) }
    options.statistics = .file(book.path("stats"))
    #expect(BookRun(options).run().error == nil)
    let data = try Data(contentsOf: URL(fileURLWithPath: book.path("stats")))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Double])
  }

  private func expectFewProbes(_ body: String) throws {
    let counters = try counters(body)
    let paragraphs = try #require(counters["paragraphs"])
    #expect(paragraphs >= Double(Self.paragraphs))
    #expect(counters["attributes.probes"] ?? .infinity <= 1.1 * paragraphs)
    #expect(counters["attributes.longestProbe"] ?? .infinity <= 8)
  }

  @Test(arguments: [
    "float: left; width: 90%", "display: inline-block", "display: flow-root", "break-inside: avoid", "display: grid",
    "columns: 2",
  ])
  func `Chapters of one box are not laid out again for each of their pages`(style: String) throws {
    #expect(try linesSet(in: "<div style='\(style)'>", "</div>") <= 2.5)
  }

  /// Items are measured twice, and the columns around them are balanced.
  @Test(arguments: ["flex", "grid"])
  func `Items of many columns are not laid out again for each of them`(display: String) throws {
    #expect(
      try linesSet(in: "<div style='columns: 2'><div style='display: \(display)'><div>", "</div></div></div>") <= 6)
  }

  @Test func `Cells whose rows name no height are laid out once, and so are those of tables in them`() throws {
    let row = "<tr><td>one<td>two"
    let inner = "<table style='display: inline-table'>\(row)\(row)</table>"
    let table = "<table>\(row)<tr><td>\(inner)<td>\(inner)\(row)</table>"
    let counters = try counters(String(repeating: "<p>Text</p>\(table)", count: 100))
    let lines = try #require(counters["lines"])
    #expect(lines >= 1500)
    // Some tables are laid out again where a page ends, more since a line alone above a table stays with it.
    #expect(try #require(counters["lines.set"]) <= 1.5 * lines)
  }

  @Test func `Floats that wait for later pages are not placed again with each page`() throws {
    let floats = (0..<2000).map { "<div style='float: left; width: 60px; height: 30px'>\($0)</div>" }.joined()
    let counters = try counters(floats)
    #expect(counters["pages"] ?? 0 > 10)
    #expect(try #require(counters["floats.placed"]) <= 2.2 * 2000)
  }

  @Test func `Positioned boxes that wait for later pages are not met again with each page`() throws {
    let boxes = (0..<1000).map { "<p>Text<div style='position: absolute; left: 99px; top: \($0 * 20)px'>\($0)</div>" }
    let counters = try counters("<div style='position: relative'>" + boxes.joined() + "</div>")
    #expect(counters["pages"] ?? 0 > 20)
    #expect(try #require(counters["positioned.resumed"]) <= 4 * 1000)
  }

  /// Where a page ends with a hyphen its lines are chosen once more, and so are those of the next page.
  @Test func `The lines of a paragraph of many pages are not chosen anew with each of them`() throws {
    let words = String(
      repeating: "under&shy;stand&shy;able reser&shy;va&shy;tions of neigh&shy;bour&shy;hoods ", count: 2000)
    let counters = try counters("<p style='width: 200px; text-align: justify; text-wrap: pretty'>\(words)</p>")
    #expect(counters["pages"] ?? 0 > 30)
    // As many for each of its 18,000 places to break at.
    #expect(try #require(counters["lines.considered"]) <= 14 * 18_000)
  }

  @Test func `Cells of a long table are measured once and set once`() throws {
    let rows = (0..<1000).map { "<tr><td>\($0)<td>one<td>two<td>three" }.joined()
    let counters = try counters("<table>\(rows)</table>")
    #expect(counters["pages"] ?? 0 > 20)
    #expect(try #require(counters["lines.set"]) <= 2.1 * 4000)
  }

  /// Lines set for each line of a chapter of some twenty pages or more.
  private func linesSet(in start: String, _ end: String) throws -> Double {
    let text = String(repeating: "understandable reservations ", count: 10)
    let counters = try counters(start + String(repeating: "<p>\(text)</p>", count: 500) + end)
    let lines = try #require(counters["lines"])
    #expect(counters["pages"] ?? 0 > 20 && lines > 500)
    return try #require(counters["lines.set"]) / lines
  }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `B5 Lines with gaps three times as wide as a space are counted`() throws {
    let text = String(repeating: "understandable reservations uncomfortable extraordinary neighbourhood ", count: 20)
    func loose(_ hyphens: String, _ media: TypesettingSettings.Media) throws -> Double {
      let style = "width: 22em; text-align: justify; hyphens: \(hyphens)"
      let counters = try counters("<p style='\(style)'>\(text)</p>", media: media)
      #expect(counters["lines"] ?? 0 > 20)
      return try #require(counters["lines.loose"])
    }
    // As browsers print; for readers such a line is left ragged.
    let whole = try loose("none", .print)
    #expect(whole > 10)
    #expect(try loose("auto", .print) < whole / 3)
    #expect(try loose("none", .screen) == 0)
  }

  @Test func `B10 Three lines that begin or end with the same word are counted`() throws {
    func stacks(_ lines: [String]) throws -> Double {
      try #require(try counters("<p>" + lines.joined(separator: "<br/>") + "</p>")["lines.stacked"])
    }
    #expect(try stacks(["and one,", "and two,", "and three", "or four"]) == 1)
    #expect(try stacks(["one of them,", "two of them", "three of them.", "four of them"]) == 2)
    #expect(try stacks(["and one", "and two", "or three", "and four"]) == 0)
  }

  @Test func `B10 Word spaces one below the other in more than four lines are a river`() throws {
    func rivers(_ lines: [String]) throws -> Double? {
      let style = "font: 16px Liberation Mono; white-space: pre"
      return try counters("<p style='\(style)'>\(lines.joined(separator: "\n"))</p>", records: true)["lines.rivers"]
    }
    let line = "abcd efgh ijklm"
    #expect(try rivers([String](repeating: line, count: 5)) == 2)
    #expect(try rivers([String](repeating: line, count: 4)) == 0)
    #expect(try rivers([line, line, "abcdxef ghijklm", line, line]) == 0)
    #expect(try counters("<p>\(line)</p>")["lines.rivers"] == nil)
  }

  @Test func `B14 Lines are broken so that fewer words and spaces stand one below the other`() throws {
    let text = String(repeating: "abcd efgh ijklm nop ", count: 30)
    let body = stride(from: 200, to: 420, by: 7).map {
      "<p style='width: \($0)px; font: 16px Liberation Serif; text-align: justify; text-wrap: pretty'>\(text)</p>"
    }.joined()
    let plain = try counters(body, records: true, micro: .off)
    let fitted = try counters(body, records: true, micro: .on)
    for name in ["lines.rivers", "lines.stacked"] {
      let (before, after) = (try #require(plain[name]), try #require(fitted[name]))
      #expect(before > 50 && after < 0.8 * before, "\(name): \(after) of \(before)")
    }
  }

  @Test func `Paragraphs alike share their attributes`() throws {
    let body = (0..<Self.paragraphs).map { "<p>Paragraph \($0)</p>" }.joined()
    try expectFewProbes(body)
    let counters = try counters(body)
    #expect(counters["attributes.unique"] == 1)
    #expect(counters["styles.sharedHits"] ?? 0 >= Double(Self.paragraphs - 1))
  }

  @Test func `Paragraphs that all differ cost about one probe each`() throws {
    try expectFewProbes(
      (0..<Self.paragraphs).map { "<p style='color: #\(String($0 + 0x100000, radix: 16))'>Paragraph \($0)</p>" }
        .joined())
  }

  /// Values whose sum and exclusive or are the same, and that differ in their highest bits only: what a weak hash takes for equal.
  @Test func `Attributes made to collide do not`() throws {
    let body = (0..<Self.paragraphs).map { number in
      let first = number % 64
      return
        "<p style='letter-spacing: \(first)px; word-spacing: \(64 - first)px; color: rgb(\(number / 64 * 4), 0, 0)'>"
        + "Paragraph \(number)</p>"
    }
    try expectFewProbes(body.joined())
  }

  @Test func `Words are shaped once`() throws {
    let counters = try counters(
      String(repeating: "<p>The same words in every paragraph, and no others.</p>", count: Self.paragraphs))
    #expect(counters["shaping.calls"] ?? .infinity < 40)
  }
}
