import Graphics
import Images
import Primitives
import Testing

@testable import RasterRendering

/// What is written is read back through the image store.
@Suite struct PNGEncoderTests {
  private func roundTrip(_ page: PageBitmap) -> PageBitmap? {
    let file = PNGEncoder().encode(page)
    let store = ImageStore()
    let id = store.image(path: "page.png", load: { file })
    guard store.info(id).kind == .png, store.info(id).width == Float(page.width),
      let bitmap = store.bitmap(id, width: page.width, height: page.height)
    else { return nil }
    return PageBitmap(width: page.width, height: page.height, format: .bgra32, pixels: Array(bitmap.pixels))
  }

  private func page(_ width: Int, _ height: Int, _ color: (Int, Int) -> (UInt8, UInt8, UInt8)) -> PageBitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = color(x, y)
        pixels += [blue, green, red, 255]
      }
    }
    return PageBitmap(width: width, height: height, format: .bgra32, pixels: pixels)
  }

  @Test func greyPaletteAndTrueColourSurvive() {
    let gray = PageBitmap(width: 5, height: 3, format: .gray8, pixels: (0..<15).map { UInt8($0 * 17) })
    let back = roundTrip(gray)
    #expect(back?.withoutColorIfGray() == gray)
    let few = page(7, 5) { x, y in (UInt8(x * 30), 0, UInt8(y * 50)) }
    #expect(roundTrip(few) == few)
    let many = page(40, 30) { x, y in (UInt8(x * 6), UInt8(y * 8), UInt8((x * 7 + y * 13) & 255)) }
    #expect(roundTrip(many) == many)
  }

  @Test func equalPagesGiveEqualBytes() {
    let many = page(40, 30) { x, y in (UInt8(x * 6), UInt8(y * 8), UInt8((x * y) & 255)) }
    let encoder = PNGEncoder()
    let first = encoder.encode(many)
    _ = encoder.encode(page(3, 3) { _, _ in (1, 2, 3) })
    #expect(encoder.encode(many) == first)
    #expect(PNGEncoder().encode(many) == first)
  }
}
