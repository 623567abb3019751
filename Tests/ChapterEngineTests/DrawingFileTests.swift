import BookOutput
import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

/// Drawings in files of their own.
@Suite(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
struct DrawingFileTests {
  /// A page that shows a drawing of 12 by 8 px at its corner, a letter for each pixel.
  private func rows(_ drawing: String) async throws -> [String] {
    let source = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"12\" height=\"8\">\(drawing)</svg>"
    let book = try TestBook()
    _ = try book.write(source, to: "a.svg")
    let page = try book.page("<img src='a.svg' style='display:block'/>", style: "* { margin: 0 }")
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(12), height: LayoutUnit(8))
    (settings.marginTop, settings.marginRight) = (.zero, .zero)
    (settings.marginBottom, settings.marginLeft) = (.zero, .zero)
    let typesetter = Typesetter(book: try await Book(contentsOf: page), settings: settings)
    for try await page in typesetter.pages(of: 0) { return PixelArt.rows(ofFile: Array(page.png(scale: 1))) }
    return []
  }

  @Test func `Their own style sheets are read as any`() async throws {
    let rows = try await rows(
      "<style>:root{--c:#f00} :is(rect){fill:var(--c)} @media screen{path{fill:color-mix(in srgb, blue 100%, lime)}}</style>"
        + "<rect width='4' height='8'/><path d='M8 0h4v4h-4z'/>")
    #expect(rows.first == "RRRR....BBBB" && rows.last == "RRRR........", "\(rows)")
  }

  @Test func `HTML in them is set, with its own styles and theirs`() async throws {
    let rows = try await rows(
      "<style>@layer a { p { background: blue } }</style><foreignObject x='2' y='2' width='8' height='4'>"
        + "<p xmlns='http://www.w3.org/1999/xhtml' style='height:2px;width:50%'/></foreignObject>")
    #expect(
      rows == [
        "............", "............", "..BBBB......", "..BBBB......", "............", "............", "............",
        "............",
      ], "\(rows)")
  }

  @Test func `Their text is in records`() throws {
    let book = try TestBook()
    _ = try book.write(
      """
      <svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><path id='p' d='M0 20H60'/><text><textPath
      href='#p'>along</textPath></text><foreignObject width='60' height='20'><p
      xmlns='http://www.w3.org/1999/xhtml'>LABEL</p></foreignObject></svg>
      """, to: "a.svg")
    let lines = try book.lines(of: book.page("<p><img src='a.svg'/></p>")).compactMap { $0["text"] as? String }
    #expect(lines.contains { $0.contains("along") } && lines.contains { $0.contains("LABEL") }, "\(lines)")
  }

  @Test func `Their text is set anew when the fonts are others`() async throws {
    let book = try TestBook()
    _ = try book.write(
      "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='20'><text y='15' font-size='16'>HHH</text></svg>",
      to: "a.svg")
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(60), height: LayoutUnit(20))
    (settings.marginTop, settings.marginRight) = (.zero, .zero)
    (settings.marginBottom, settings.marginLeft) = (.zero, .zero)
    let page = try book.page("<img src='a.svg' style='display:block'/>", style: "* { margin: 0 }")
    let typesetter = Typesetter(book: try await Book(contentsOf: page), settings: settings)
    for serif in [nil, "monospace"] {
      settings.serif = serif
      typesetter.apply(settings)
      let rows = PixelArt.rows(ofFile: Array(try await typesetter.page(0, of: 0).png(scale: 1)))
      #expect(rows.contains { $0.contains { $0 != "." } }, "\(rows)")
    }
  }
}
