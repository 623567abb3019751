import ChapterEngine
import Graphics
import Layout
import Platform
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// Marks, boxes and backgrounds around the content of pages on paper.
@Suite struct PrintedPagesTests {
  /// The pages of a document as they are drawn, and the lines of each.
  private func pages(_ body: String, style: String, reader: String? = nil) async throws -> [(
    list: DisplayList, lines: Int
  )] {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([body], style: style))
    var settings = TypesettingSettings()
    settings.media = .print
    settings.userStyleSheet = reader
    let resources = BookResources(publication: book.publication, settings: settings)
    return await Worker.perform {
      var paged = PagedChapter(StyledChapter(resources, index: 0))
      var pages: [(DisplayList, Int)] = []
      while let page = paged.nextPage() { pages.append((paged.drawing.paint(page), page.layout.lines.count)) }
      return pages
    }
  }

  @Test func `Crop marks go on with the page's edges, and crosses stand in the middle of the sides`() async throws {
    let page = try #require(
      try await pages(
        "<p>Text</p>", style: "@page { size: 300px 400px; margin: 40px; bleed: 8px; marks: crop cross }"
      ).first?.list)
    #expect(page.size == Size(width: LayoutUnit(364), height: LayoutUnit(464)))
    var lines: Set<[Int]> = []
    for case .strokeLine(let from, let to, _, _, .black) in page.items {
      lines.insert([from.x, from.y, to.x, to.y].map { Int($0.pixels) })
    }
    // The page lies from 32 to 332 and from 32 to 432; marks end 4 before the bleed, which begins 8 before the page.
    for x in [32, 332] { #expect(lines.contains([x, 0, x, 20]) && lines.contains([x, 444, x, 464])) }
    for y in [32, 432] { #expect(lines.contains([0, y, 20, y]) && lines.contains([344, y, 364, y])) }
    // Crosses with arms of 10 in the middle of the 24 left by the bleed.
    for (x, y) in [(182, 12), (182, 452), (12, 232), (352, 232)] {
      #expect(lines.contains([x - 10, y, x + 10, y]) && lines.contains([x, y - 10, x, y + 10]))
    }
    #expect(lines.count == 16)
  }

  @Test(arguments: [("upright", 300, 400), ("rotate-right", 400, 300), ("rotate-left", 400, 300)])
  func `A page that is turned is laid out upright and shown on its side`(_ value: String, _ width: Int, _ height: Int)
    async throws
  {
    let style =
      "@page { size: 300px 400px; margin: 0; page-orientation: \(value) } body { margin: 0 } div { height: 10px; background: #f00 }"
    let page = try #require(try await pages("<div></div>", style: style).first?.list)
    #expect(page.size == Size(width: LayoutUnit(width), height: LayoutUnit(height)))
    #expect(
      page.items.contains(
        .fillRect(Rect(width: LayoutUnit(300), height: LayoutUnit(10)), Color(red: 255, green: 0, blue: 0))))
    let transforms = page.items.compactMap { if case .saveTransform(let transform) = $0 { transform } else { nil } }
    switch value {
    // The top left corner comes to lie at the top right, or at the bottom left.
    case "rotate-right": #expect(transforms == [AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 400, ty: 0)])
    case "rotate-left": #expect(transforms == [AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 300)])
    default: #expect(transforms.isEmpty)
    }
  }

  @Test func `Running elements stand in margin boxes in place of the text`() async throws {
    let style = """
      @page { size: 300px 200px; margin: 40px; @top-left { content: element(head) } @bottom-left { content: element(head, start) } }
      .head { position: running(head); width: 20px; height: 10px } .a { background: #f00 } .b { background: #00f }
      p { margin: 0; height: 100px; break-after: page }
      """
    let found = try await pages(
      "<div class=\"head a\"><b>One</b></div><p>A</p><p>B</p><div class=\"head b\">Two</div><p>C</p>", style: style)
    #expect(found.map(\.lines) == [1, 1, 1])
    func heads(_ color: Color) -> [Int] {
      found.map { page in
        page.list.items.count { if case .fillRect(_, let own) = $0 { own == color } else { false } }
      }
    }
    // It stays until the next one; the page that begins with that has it in both boxes.
    #expect(heads(Color(red: 255, green: 0, blue: 0)) == [2, 2, 0])
    #expect(heads(Color(red: 0, green: 0, blue: 255)) == [0, 0, 2])
  }

  @Test(arguments: [("portrait", 200, 300), ("landscape", 300, 200), ("auto", 300, 200), ("100px", 100, 100)])
  func `Rules of the book turn the sheet that the reader's rules name`(_ size: String, _ width: Int, _ height: Int)
    async throws
  {
    let page = try #require(
      try await pages(
        "<p>Text</p>", style: "@page { size: \(size) }", reader: "@page { size: 300px 200px; margin: 20px }"
      ).first?.list)
    #expect(page.size == Size(width: LayoutUnit(width), height: LayoutUnit(height)))
  }

  @Test func `The body keeps its margin on paper that rules lay out`() async throws {
    let style = "@page { size: 200px 100px; margin: 20px } div { height: 10px; background: #f00 }"
    let page = try #require(try await pages("<div></div>", style: style).first?.list)
    let rect = Rect(x: LayoutUnit(28), y: LayoutUnit(28), width: LayoutUnit(144), height: LayoutUnit(10))
    #expect(page.items.contains(.fillRect(rect, Color(red: 255, green: 0, blue: 0))))
  }

  @Test func `A margin box between two of given sizes fills the rest`() async throws {
    let style = """
      @page { size: 300px 200px; margin: 40px; @top-left { content: ""; width: 25px } @top-right { content: ""; width: 30px }
        @top-center { content: ""; background: #f00; position: relative; left: 9px; rotate: 45deg } }
      """
    let page = try #require(try await pages("<p>Text</p>", style: style).first?.list)
    let rect = Rect(x: LayoutUnit(70), width: LayoutUnit(160), height: LayoutUnit(40))
    #expect(page.items.contains(.fillRect(rect, Color(red: 255, green: 0, blue: 0))))
  }
}
