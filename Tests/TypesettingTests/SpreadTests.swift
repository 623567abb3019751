import BookOutput
import Foundation
import Graphics
import Primitives
import TestSupport
import Testing

@testable import Typesetting

@Suite struct SpreadTests {
  private static let paragraph = "<p>" + String(repeating: "Words in a row. ", count: 100) + "</p>"

  /// A book with a spine of so many items, each with the properties given; fixed pages have one colour each.
  private func book(_ test: TestBook, _ items: [String], isFixed: Bool, direction: String = "ltr") throws -> Book {
    let path = try test.epub(
      items.indices.map {
        isFixed
          ? "<div style='width: 200px; height: 400px; background: #00\($0)0ff'></div>"
          : String(repeating: Self.paragraph, count: $0 + 1)
      })
    let manifest = items.indices.map {
      "<item id=\"c\($0)\" href=\"c\($0).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }.joined()
    let spine = items.enumerated().map { "<itemref idref=\"c\($0.offset)\" properties=\"\($0.element)\"/>" }.joined()
    let layout =
      isFixed
      ? "<meta property=\"rendition:layout\">pre-paginated</meta><meta property=\"rendition:viewport\">width=200, height=400</meta>"
      : ""
    _ = try test.write(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">test</dc:identifier><dc:title>T</dc:title>
      <dc:language>en</dc:language>\(layout)</metadata><manifest>\(manifest)</manifest>
      <spine page-progression-direction="\(direction)">\(spine)</spine></package>
      """, to: "book/package.opf")
    return try Book(contentsOf: path)
  }

  /// Chapters of the spreads of a book of fixed pages, left and right.
  private func spreads(_ items: [String], _ direction: String = "ltr") async throws -> [String] {
    let test = try TestBook()
    let typesetter = Typesetter(book: try book(test, items, isFixed: true, direction: direction))
    var found: [String] = []
    var spread: Spread? = try await typesetter.spread(showing: 0, of: 0)
    var backwards: [String] = []
    var last: Spread?
    while let current = spread, found.count < 20 {
      found.append(text(current))
      last = current
      spread = try await typesetter.spread(after: current)
    }
    while let current = last, backwards.count < 20 {
      backwards.insert(text(current), at: 0)
      last = try await typesetter.spread(before: current)
    }
    #expect(backwards == found)
    return found
  }

  private func text(_ spread: Spread) -> String {
    let sides = [spread.left, spread.right].map { $0.map { "\($0.chapter)" } ?? "-" }
    return spread.isCentered ? "(\(sides.first { $0 != "-" } ?? ""))" : sides.joined(separator: "|")
  }

  @Test func `Pages of fixed design`() async throws {
    #expect(try await spreads(["", "", "", "", ""]) == ["-|0", "1|2", "3|4"])
    #expect(try await spreads(["", "", "", "", ""], "rtl") == ["0|-", "2|1", "4|3"])
    #expect(try await spreads(["page-spread-center", "", "", ""]) == ["(0)", "1|2", "3|-"])
    #expect(
      try await spreads([
        "", "page-spread-right", "page-spread-left", "rendition:page-spread-center", "", "page-spread-right",
      ])
        == ["-|0", "-|1", "2|-", "(3)", "4|5"])
    #expect(
      try await spreads(["page-spread-left", "page-spread-left", "page-spread-right"], "rtl") == ["0|-", "1|-", "-|2"])
  }

  @Test func `Pages of fixed design meet in the middle`() async throws {
    let test = try TestBook()
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(300), height: LayoutUnit(400))
    let typesetter = Typesetter(book: try book(test, ["", "", ""], isFixed: true), settings: settings)
    let spread = try await typesetter.spread(showing: 0, of: 2)
    #expect(spread.size == Size(width: LayoutUnit(600), height: LayoutUnit(400)))
    // Pages of 200 px in 300 px have 50 px at both sides; in the spread those at the fold are gone.
    #expect(spread.origin(of: .left).x == LayoutUnit(50) && spread.origin(of: .right).x == LayoutUnit(250))
    #expect(spread.pages.map(\.chapter) == [1, 2] && spread.side(of: spread.pages[1]) == .right)
    #expect(!spread.png().isEmpty)
  }

  @Test func `Pages of text face each other chapter by chapter`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(book: try book(test, ["", "page-spread-right", ""], isFixed: false))
    func places(_ spread: Spread?) -> [[Int]] {
      [spread?.left, spread?.right].map { $0.map { [$0.chapter, $0.index] } ?? [] }
    }
    let count = try await typesetter.layout(of: 2).pageCount
    try #require(count >= 2)
    #expect(try await places(typesetter.spread(showing: 0, of: 0)).first == [0, 0])
    #expect(try await places(typesetter.spread(showing: 0, of: 1)) == [[], [1, 0]])
    #expect(try await places(typesetter.spread(showing: 1, of: 2)) == [[2, 0], [2, 1]])
    let place = try await typesetter.page(1, of: 2).start
    #expect(try await places(typesetter.spread(containing: place)) == [[2, 0], [2, 1]])
    await #expect(throws: PageError.noSuchPage) { try await typesetter.spread(showing: 99, of: 0) }
  }

  @Test func `Columns on a page`() async throws {
    let test = try TestBook()
    var settings = TypesettingSettings()
    settings.columns = 2
    let typesetter = Typesetter(book: try book(test, ["", ""], isFixed: false), settings: settings)
    let page = try await typesetter.page(0, of: 1)
    let starts = Set(page.lines.map(\.rect.x))
    #expect(starts.count == 2 && page.lines.allSatisfy { $0.rect.width < LayoutUnit(300) })
    // The second column comes after the first one.
    #expect(page.lines.map(\.range.lowerBound) == page.lines.map(\.range.lowerBound).sorted())
    settings.columns = 1
    typesetter.apply(settings)
    #expect(Set(try await typesetter.page(0, of: 1).lines.map(\.rect.x)).count == 1)
  }

  @Test(arguments: [
    // Language, style of the text, whether pages follow each other from right to left.
    ("ar", "", true), ("he", "", true), ("en", "", false), ("ja", "", false),
    ("ja", "html { writing-mode: vertical-rl }", true), ("zh-Hant", "body { -epub-writing-mode: vertical-rl }", true),
    ("ja", "body { writing-mode: vertical-lr }", false), ("ja", "p { writing-mode: vertical-rl }", false),
  ])
  func `Pages of a book that says nothing follow its lines`(_ language: String, _ css: String, _ isRightToLeft: Bool)
    async throws
  {
    let test = try TestBook()
    let path = try test.epub(["<p>1</p>", "<p>2 and more text than in the other</p>"], style: css)
    let package = try String(contentsOfFile: path + "/package.opf", encoding: .utf8)
    _ = try test.write(package.replacing(">en<", with: ">\(language)<"), to: "book/package.opf")
    let book = try await Book(contentsOf: path)
    #expect(book.metadata.isRightToLeft == isRightToLeft)
    let spread = try await Typesetter(book: book).spread(showing: 0, of: 1)
    #expect(spread.isRightToLeft == isRightToLeft && (spread.right == nil) == !isRightToLeft)
    // The command turns its pages the same way: the first page of a chapter stands on the side that is read first.
    var options = RunOptions(input: path)
    options.text = .file(test.path("text"))
    #expect(BookRun(options).run().error == nil)
  }

  @Test(arguments: [
    ("width=200, height=400, width=1000, height=1000", 0.5), ("width=400,height=800", 1.0),
    ("height=400 width=200 height=8", 0.5),
  ])
  func `Of a viewport's repeated keys the first counts`(_ viewport: String, _ shape: Double) async throws {
    let test = try TestBook()
    let book = try book(test, [""], isFixed: true)
    _ = try test.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title/><meta name="viewport" content="\(viewport)"/></head>
      <body style="margin: 0"><p style="margin: 0; font-size: 20px">A</p></body></html>
      """, to: "book/c0.xhtml")
    let page = try await Typesetter(book: book).page(0, of: 0)
    // A page of 200 px is shown three times as large on one of 600 by 800, of which height allows twice.
    let size = try #require(page.lines.first).rect.height.pixels
    #expect(abs(size / 20 - (shape == 0.5 ? 2 : 1)) < 0.6, "\(size)")
  }
}
