import Fonts
import FoundationEssentials
import Graphics
import Images
import Primitives
import TestSupport
import Testing

@testable import RasterRendering

@Suite struct PhotographTests {
  private let library = FontLibrary(usesSystemFonts: false)

  /// A picture of the corpus.
  private func picture(_ name: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Corpus/cases/images/\(name)")
      .standardized
    return Array(try #require(FileManager.default.contents(atPath: root.path)))
  }

  private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rect {
    Rect(x: LayoutUnit(x), y: LayoutUnit(y), width: LayoutUnit(width), height: LayoutUnit(height))
  }

  /// A blue page of 400 by 300.
  private func list(_ items: [DisplayItem]) -> DisplayList {
    var list = DisplayList(size: Size(width: LayoutUnit(400), height: LayoutUnit(300)))
    list.items = [.fillRect(rect(0, 0, 400, 300), Color(red: 0, green: 0, blue: 255))] + items
    return list
  }

  @Test(arguments: [
    "dusk.jpg", "dusk-progressive.jpg", "dusk-gray.jpg", "dusk-cmyk.jpg", "dusk-turned.jpg", "dusk-torn.jpg",
  ])
  func `Decoded on its page, beside it, or kept from before, a photograph is the same`(name: String) throws {
    let bytes = try picture(name)
    let images = ImageStore()
    let id = images.image(path: name, load: { bytes })
    let renderer = RasterRenderer(fonts: library, images: images)
    let place = rect(20, 10, 360, 248)
    let pages = (0..<3).map { _ in renderer.render(list([.image(id, place)]), scale: 1) }
    #expect(pages[0] == pages[1] && pages[1] == pages[2])
    #expect(pages[0].pixel(x: 19, y: 10) == (0, 0, 255) && pages[0].pixel(x: 380, y: 257) == (0, 0, 255))
    #expect(pages[0].pixel(x: 20, y: 10) != (0, 0, 255) && pages[0].pixel(x: 379, y: 257) != (0, 0, 255))

    // Under a clip, and where it hangs over the page's edge, each pixel that shows is the same.
    let clip = renderer.render(
      list([.saveClip(rect(100, 50, 60, 40), CornerRadii()), .image(id, place), .restore]), scale: 1)
    let store = ImageStore()
    let moved = RasterRenderer(fonts: library, images: store).render(
      list([.image(store.image(path: name, load: { bytes }), rect(-80, -40, 360, 248))]), scale: 1)
    for (x, y) in [(100, 50), (159, 89), (130, 70)] {
      #expect(clip.pixel(x: x, y: y) == pages[0].pixel(x: x, y: y))
      #expect(moved.pixel(x: x - 100, y: y - 50) == pages[0].pixel(x: x, y: y))
    }
    #expect(clip.pixel(x: 99, y: 50) == (0, 0, 255) && clip.pixel(x: 160, y: 89) == (0, 0, 255))
  }

  @Test
  func `A photograph without colour makes no page of colour`() throws {
    let bytes = try picture("dusk-gray.jpg")
    let images = ImageStore()
    var page = DisplayList(size: Size(width: LayoutUnit(400), height: LayoutUnit(300)))
    page.items = [.image(images.image(path: "gray", load: { bytes }), rect(0, 0, 400, 276))]
    #expect(RasterRenderer(fonts: library, images: images).render(page, scale: 1).format == .gray8)
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.webp, .gif), "libwebp or libgif is not installed"),
    arguments: ["dusk.webp", "dusk.gif"])
  func `Pictures of every kind are read`(name: String) throws {
    let bytes = try picture(name)
    let images = ImageStore()
    let id = images.image(path: name, load: { bytes })
    let bitmap = try #require(images.bitmap(id, width: 225, height: 155))
    // The sky over the sun, and the sea at the lower edge.
    let (sky, sea) = (bitmap.pixel(x: 152, y: 60), bitmap.pixel(x: 20, y: 150))
    #expect(bitmap.isOpaque && sky.red > 150 && sky.red > sky.blue && sea.red < 90)
  }
}
