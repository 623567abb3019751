import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

/// Items of the reading order other than chapters of text.
@Suite struct SpineTests {
  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `A drawing in the spine takes its sheets and keeps its text`() async throws {
    let test = try TestBook()
    let path = try test.epub(["<p>Other</p>"])
    let drawing = """
      <?xml version="1.0"?>
      <!-- <?xml-stylesheet href="none.css"?> -->
      <?xml-stylesheet type="text/css" href="art&amp;.css"?>
      <?xml-stylesheet type="text/xsl" href="other.css"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><title>Green</title><rect class="a" width="100" height="100"/>
      <text x="5" y="50">Words of the drawing</text></svg>
      """
    _ = try test.write(drawing, to: "book/a.svg")
    _ = try test.write(".a { fill: #00ff00 }", to: "book/art&.css")
    _ = try test.write(".a { fill: #ff0000 }", to: "book/other.css")
    let package = try String(contentsOfFile: path + "/package.opf", encoding: .utf8)
    _ = try test.write(
      package.replacing("<manifest>", with: "<manifest><item id='a' href='a.svg' media-type='image/svg+xml'/>")
        .replacing("<spine>", with: "<spine><itemref idref='a'/>"), to: "book/package.opf")
    #expect(try test.text(of: path).hasPrefix("Words of the drawing\n"))
    let images = try test.records(of: path).dropFirst().flatMap { $0["images"] as? [[String: Any]] ?? [] }
    #expect(images.map { $0["href"] as? String } == ["a.svg"] && images.map { $0["alt"] as? String } == ["Green"])
    let typesetter = Typesetter(book: try await Book(contentsOf: path))
    var found: [SearchResult] = []
    for await result in typesetter.search("words of the drawing") { found.append(result) }
    #expect(found.map(\.match) == ["Words of the drawing"] && found.first?.range.lowerBound.chapter == 0)
    let page = try await typesetter.page(0, of: 0)
    let picture = try #require(page.pictures.first)
    #expect(picture.rect.width == picture.rect.height && picture.rect.width > LayoutUnit(300))
    // Matches are shown where the drawing stands.
    #expect(page.rectangles(of: try #require(found.first).range) == [picture.rect])
    // As with the colour in the drawing itself, and not as without.
    let styled = page.png()
    for (attribute, isSame) in [("fill='#00ff00'", true), ("", false)] {
      _ = try test.write(
        drawing.replacing("class=\"a\"", with: attribute).replacing("art&amp;.css", with: "none.css"), to: "book/a.svg")
      let other = try await Typesetter(book: try await Book(contentsOf: path)).page(0, of: 0)
      #expect((other.png() == styled) == isSame)
    }
  }
  @Test func `A picture that cannot be drawn is replaced by its fallback`() throws {
    let test = try TestBook()
    let path = try test.epub(["<p><img src='a.psd' alt='not shown'/></p>"])
    _ = try test.write("8BPS", to: "book/a.psd")
    _ = try test.write(
      "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'><rect width='9' height='9'/></svg>",
      to: "book/b.svg")
    let package = try String(contentsOfFile: path + "/package.opf", encoding: .utf8)
    _ = try test.write(
      package.replacing(
        "<manifest>",
        with: """
          <manifest><item id='a' href='a.psd' media-type='image/vnd.adobe.photoshop' fallback='m'/>
          <item id='m' href='m.tiff' media-type='image/tiff' fallback='b'/><item id='b' href='b.svg' media-type='image/svg+xml'/>
          """), to: "book/package.opf")
    let pages = try test.records(of: path).dropFirst()
    let images = pages.flatMap { $0["images"] as? [[String: Any]] ?? [] }
    #expect(images.compactMap { $0["href"] as? String } == ["b.svg"])
    #expect(images.first.flatMap { $0["box"] as? [Double] }?.suffix(2) == [40, 30])
    #expect(try test.text(of: path) == "")
  }
}
