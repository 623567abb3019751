import ChapterEngine
import Graphics
import Platform
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// A change of settings does again what it must, and comes to the same as setting the book anew.
@Suite struct SettingsChangeTests {
  private static let body =
    "<h1>Title</h1>"
    + String(repeating: "<p>" + String(repeating: "Words in a row, fifteen of them. ", count: 30) + "</p>", count: 4)
    + "<pre>code</pre><p class='a'>absolute</p>"

  /// Pages after a change, and what was kept.
  private func change(
    css: String = "", from first: (inout TypesettingSettings) -> Void = { _ in },
    _ change: (inout TypesettingSettings) -> Void
  ) async throws -> StyledChapter.Kept {
    let test = try TestBook()
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(500))
    first(&settings)
    let style = "p { margin: 0; line-height: 1.3 } .a { font-size: 12px; line-height: 20px } " + css
    let book = try await Book(contentsOf: test.epub([Self.body], style: style))
    let typesetter = Typesetter(book: book, settings: settings)
    let old = BookResources(publication: book.publication, settings: settings)
    _ = try await typesetter.layout(of: 0)
    change(&settings)
    typesetter.apply(settings)
    let fresh = Typesetter(book: book, settings: settings)
    let count = try await fresh.layout(of: 0).pageCount
    #expect(try await typesetter.layout(of: 0).pageCount == count)
    for index in 0..<count {
      let page = try await typesetter.page(index, of: 0)
      let expected = try await fresh.page(index, of: 0)
      #expect(page.size == expected.size)
      #expect(page.displayList.glyphs == expected.displayList.glyphs)
      #expect(page.lines.map(\.text) == expected.lines.map(\.text))
    }
    let new = BookResources(old, settings: settings)
    return await Worker.perform { StyledChapter(old, index: 0).kept(under: new) }
  }

  @Test func `Page, margins, font size and line height keep the boxes`() async throws {
    #expect(try await change { $0.pageSize.width = LayoutUnit(300) } == .boxes)
    #expect(try await change { $0.marginLeft = LayoutUnit(20) } == .boxes)
    #expect(try await change { $0.fontSize = 21 } == .boxes)
    #expect(try await change { $0.lineHeight = 1.7 } == .boxes)
    #expect(try await change(from: { $0.lineHeight = 1.7 }) { $0.lineHeight = nil } == .boxes)
  }

  @Test func `The scale of pictures and the colours keep the pages`() async throws {
    #expect(try await change { $0.scale = 2 } == .pages)
    #expect(try await change { $0.theme = .dark } == .pages)
  }

  @Test func `What styles speak of is styled anew`() async throws {
    #expect(try await change { $0.fontFamily = ["DejaVu Sans"] } == .document)
    #expect(try await change { $0.justify = .off } == .document)
    #expect(
      try await change(css: "@media (max-width: 350px) { p { color: red } }") { $0.pageSize.width = LayoutUnit(300) }
        == .document)
    #expect(
      try await change(css: "@media (max-width: 50px) { p { color: red } }") { $0.pageSize.width = LayoutUnit(300) }
        == .boxes)
    #expect(try await change(css: "h1 { font-size: 10vw }") { $0.pageSize.width = LayoutUnit(300) } == .document)
    #expect(try await change(css: "h1 { font-size: max(30px, 1.5rem) }") { $0.fontSize = 24 } == .document)
  }
}
