import Fonts
package import Graphics
import Images
import Primitives
import RasterRendering
package import Typesetting

/// A page of HTML drawn small, as letters: one for each pixel, by its colour.
package struct Picture {
  package let list: DisplayList
  package let rows: [String]

  /// Sets `body` on a page of the given size and draws it; without margins as a test of CSS, which no table is set smaller in.
  package init(
    _ body: String, style: String = "", width: Int, height: Int, isHouse: Bool = false, micro: ReaderChoice = .auto,
    margin: Int = 0
  ) async throws {
    let folder = try TestFolder()
    let html = """
      <!DOCTYPE html><html><head><style>body { margin: 0 } \(style)</style></head><body>\(body)</body></html>
      """
    let file = try folder.write(Array(html.utf8), to: "page.html")
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(width), height: LayoutUnit(height))
    if isHouse { settings.style = .house }
    settings.micro = micro
    settings.marginTop = LayoutUnit(margin)
    settings.marginRight = LayoutUnit(margin)
    settings.marginBottom = LayoutUnit(margin)
    settings.marginLeft = LayoutUnit(margin)
    let typesetter = Typesetter(book: try await Book(contentsOf: file), settings: settings)
    var first: DisplayList?
    for try await page in typesetter.pages(of: 0) {
      first = page.displayList
      break
    }
    list = first ?? DisplayList(size: .zero)
    let bitmap = RasterRenderer(fonts: FontLibrary(), images: ImageStore()).render(list, scale: 1)
    rows = PixelArt.rows(of: bitmap)
  }

  /// The letter at a pixel.
  package subscript(x: Int, y: Int) -> Character { Array(rows[y])[x] }
}
