import BookOutput
import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct CrossReferenceTests {
  private let book: TestBook
  init() throws { book = try TestBook() }

  private static let style = """
    @page { @bottom-center { content: counter(page) ' of ' counter(pages) } }
    body { counter-reset: chapter } h1 { counter-increment: section }
    a.page::after { content: ' on ' target-counter(attr(href), page) }
    a.all::after { content: ' (' target-counters(attr(href), item, '.', lower-roman) ')' }
    a.text::after { content: ' as ' target-text(attr(href)) }
    p.total::after { content: counter(pages) }
    ol { counter-reset: item; list-style: none } li { counter-increment: item }
    """
  private static let filler = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 200) + "</p>"

  /// The text of a line with the text that styles generate, which is not in the line's own.
  private struct Line: Decodable {
    struct Run: Decodable { let text: String }
    let runs: [Run]
    var shown: String { runs.map(\.text).joined().trimmingCharacters(in: .whitespaces) }
  }
  private struct Record: Decodable { let lines: [Line]? }

  private func text(_ chapters: [String], jobs: Int = 1, _ change: (inout RunOptions) -> Void = { _ in }) throws
    -> (lines: [String], result: RunResult)
  {
    var options = RunOptions(input: try book.epub(chapters, style: Self.style))
    options.layout = .file(book.path("layout-\(jobs).jsonl"))
    options.jobs = jobs
    change(&options)
    let result = BookRun(options).run()
    let records = try String(contentsOfFile: book.path("layout-\(jobs).jsonl"), encoding: .utf8)
    let lines = try records.split(separator: "\n").flatMap { record in
      try JSONDecoder().decode(Record.self, from: Data(record.utf8)).lines ?? []
    }
    return (lines.map(\.shown), result)
  }

  @Test func `A target's page is shown before and behind it, in any chapter`() throws {
    let chapters = [
      "<p><a class=\"page\" href=\"c1.xhtml#x\">X</a></p><p><a class=\"page\" href=\"c2.xhtml\">Y</a></p>"
        + Self.filler,
      Self.filler + "<h1 id=\"x\">Title</h1>" + Self.filler,
      "<p><a class=\"page\" href=\"c0.xhtml\">Z</a></p>",
    ]
    let (lines, result) = try text(chapters)
    #expect(result.error == nil)
    let last = result.pages
    #expect(lines.contains("Y on \(last)"), "\(lines)")
    #expect(lines.contains("Z on 1"))
    let middle = lines.first { $0.hasPrefix("X on ") }.flatMap { Int($0.dropFirst(5)) } ?? 0
    #expect(middle > 1 && middle < last)
    #expect(try text(chapters, jobs: 4).lines == lines)
  }

  @Test func `Counters and text of a target are those at its element`() throws {
    let (lines, _) = try text([
      "<p><a class=\"all\" href=\"c1.xhtml#i\">A</a></p><p><a class=\"text\" href=\"c1.xhtml#i\">B</a></p>",
      "<ol><li>One</li><li>Two<ol><li id=\"i\">Inner  one</li></ol></li></ol>",
    ])
    #expect(lines.contains("A (ii.i)"), "\(lines)")
    #expect(lines.contains("B as Inner one"))
  }

  @Test func `The number of pages can stand in the text`() throws {
    let (lines, result) = try text(["<p class=\"total\">All: </p>" + Self.filler, Self.filler])
    #expect(lines.contains("All: \(result.pages)"), "\(lines)")
  }

  @Test func `A reference that leads nowhere shows nothing, and is told`() throws {
    let (lines, result) = try text(["<p><a class=\"page\" href=\"#no\">No</a></p>"])
    #expect(lines.contains("No on"), "\(lines)")
    #expect(result.diagnostics.diagnostics.contains { $0.code == "missing-target" })
  }

  @Test func `The counter of pages is that of the page where its box falls`() throws {
    let style = """
      @page { counter-increment: page sheet 2; @top-left { content: string(mark) } }
      p::before { content: counter(page) ': ' } p::after { content: ' - ' counter(page, lower-roman) '/' counter(pages) }
      h1 { string-set: mark 'at ' counter(page) } h1::after { content: ' sheet ' counter(sheet) }
      h2 { counter-reset: page 50 } li::before { content: counters(page, '.') ' ' } a::after { content: target-counter(attr(href), pages) }
      """
    let chapters = [
      "<p>first</p>", "<h1>head</h1>" + Self.filler + "<ol><li>item</li></ol>",
      "<h2>reset</h2><p>last</p><p><a href=\"c0.xhtml\">of </a></p>",
    ]
    let (lines, result) = try text(chapters) { $0.settings.userStyleSheet = style }
    #expect(result.error == nil)
    let total = result.pages
    #expect(total > 4 && lines.contains("1: first - i/\(total)"), "\(lines)")
    #expect(lines.contains("head sheet 4") && lines.contains { $0.hasPrefix("2: Lorem") })
    let item = try #require(lines.first { $0.hasSuffix("item") }?.split(separator: " ").first.flatMap { Int($0) })
    #expect(item == total - 1 && lines.contains("50: last - l/\(total)"), "\(lines)")
    #expect(lines.contains { $0.hasSuffix("of \(total) - l/\(total)") })
    // The paragraph that begins on page 2 ends on the page of the item or on the one before it.
    let roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]
    let ends = [item - 1, item].filter { $0 > 2 && $0 <= roman.count }.map { "\(roman[$0 - 1])/\(total)" }
    #expect(lines.contains { line in ends.contains { line.hasSuffix($0) } }, "\(lines)")
    #expect(try text(chapters, jobs: 4) { $0.settings.userStyleSheet = style }.lines == lines)
  }

  @Test func `An anchor's name is a target`() throws {
    let (lines, result) = try text([
      "<p><a class=\"page\" href=\"c1.xhtml#n\">A</a></p>", Self.filler + "<p><a name=\"n\"></a>here</p>",
    ])
    #expect(lines.contains("A on \(result.pages)"), "\(lines)")
    #expect(!result.diagnostics.diagnostics.contains { $0.code == "missing-target" })
  }

  @Test func `Numbers that move their own page settle or are told`() throws {
    // A number of two digits makes the line too long, which moves its target back to a page of one digit.
    let many = String(repeating: "<p style=\"break-after: page\">Text</p>", count: 8)
    let result = try text(
      [many + "<p style=\"display: block; width: 0\"><a class=\"page\" href=\"#x\">X</a></p><p id=\"x\">Here</p>"]
    ).result
    #expect(result.error == nil)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Pages of the library show what a run shows`() async throws {
    let chapters = ["<p><a class=\"page\" href=\"c1.xhtml#x\">X</a></p>", Self.filler + "<h1 id=\"x\">T</h1>"]
    let result = try text(chapters) { $0.pages = book.path("pages") }.result
    #expect(result.error == nil)
    let typesetter = Typesetter(book: try await Book(contentsOf: book.path("book")))
    let page = try await typesetter.page(0, of: 0)
    #expect(Data(page.png()) == (try Data(contentsOf: URL(fileURLWithPath: book.path("pages/page-0001.png")))))
  }
}
