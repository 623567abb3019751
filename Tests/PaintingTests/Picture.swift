import Fonts
import Foundation
import Graphics
import Images
import Primitives
import RasterRendering
import Typesetting

/// A page of HTML drawn small, as letters: one for each pixel, by its colour.
struct Picture {
  let list: DisplayList
  let rows: [String]

  private static let letters: [UInt32: Character] = [
    Color.white.rgba: ".", Color.black.rgba: "K", Color(red: 255, green: 0, blue: 0).rgba: "R",
    Color(red: 0, green: 128, blue: 0).rgba: "G", Color(red: 0, green: 0, blue: 255).rgba: "B",
    Color(red: 255, green: 255, blue: 0).rgba: "Y",
  ]

  /// Sets `body` on a page of the given size and draws it; without margins as a test of CSS, which no table is set smaller in.
  init(_ body: String, style: String = "", width: Int, height: Int, isHouse: Bool = false, margin: Int = 0) async throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("page.html")
    let html = """
      <!DOCTYPE html><html><head><style>body { margin: 0 } \(style)</style></head><body>\(body)</body></html>
      """
    try Data(html.utf8).write(to: file)
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(width), height: LayoutUnit(height))
    if isHouse { settings.style = .house }
    settings.marginTop = LayoutUnit(margin)
    settings.marginRight = LayoutUnit(margin)
    settings.marginBottom = LayoutUnit(margin)
    settings.marginLeft = LayoutUnit(margin)
    let typesetter = Typesetter(book: try await Book(contentsOf: file.path), settings: settings)
    var first: DisplayList?
    for await page in typesetter.pages(of: 0) {
      first = page.displayList
      break
    }
    list = first ?? DisplayList(size: .zero)
    let bitmap = RasterRenderer(fonts: FontLibrary(), images: ImageStore()).render(list, scale: 1)
    rows = (0..<bitmap.height).map { y in
      String(
        (0..<bitmap.width).map { x -> Character in
          let pixel = bitmap.pixel(x: x, y: y)
          return Self.letters[Color(red: pixel.red, green: pixel.green, blue: pixel.blue).rgba] ?? "?"
        })
    }
  }

  /// The letter at a pixel.
  subscript(x: Int, y: Int) -> Character { Array(rows[y])[x] }
}
