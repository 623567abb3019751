import CImageCodecs
import Graphics
import ImageCodecs
import Images
import Primitives
import Testing

@testable import RasterRendering

/// Encoded pictures are read back through the image store.
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

  @Test func `Grey palette and true colour survive`() {
    let gray = PageBitmap(width: 5, height: 3, format: .gray8, pixels: (0..<15).map { UInt8($0 * 17) })
    let back = roundTrip(gray)
    #expect(back?.withoutColorIfGray() == gray)
    let few = page(7, 5) { x, y in (UInt8(x * 30), 0, UInt8(y * 50)) }
    #expect(roundTrip(few) == few)
    let many = page(40, 30) { x, y in (UInt8(x * 6), UInt8(y * 8), UInt8((x * 7 + y * 13) & 255)) }
    #expect(roundTrip(many) == many)
  }

  /// Pictures for which no filter, that of the pixel to the left, that of the one above, and that of both is best.
  @Test func `Every filter survives`() {
    var noise: UInt32 = 1
    func next() -> UInt8 {
      noise = noise &* 1_664_525 &+ 1_013_904_223
      return UInt8(noise >> 24)
    }
    func byte(_ value: Int) -> UInt8 { UInt8(value & 255) }
    let pictures = [
      page(67, 31) { _, _ in (next(), next(), next()) },
      page(67, 31) { x, y in (byte(x * 3 + y * 97), byte(x + y * 61), byte(x * 2 + y * 41)) },
      page(67, 31) { x, y in (byte(x * x * 7 % 17 + y), byte(x * x * 5 % 15 + y), byte(x * x * 3 % 13 + y)) },
      page(67, 31) { x, y in (byte((x * x + y * y) / 23), byte(x * 2 + y * 3), byte(255 - x - y)) },
    ]
    for picture in pictures {
      #expect(roundTrip(picture) == picture)
      let grays = PageBitmap(
        width: 67, height: 31, format: .gray8,
        pixels: stride(from: 0, to: 67 * 31 * 4, by: 4).map { picture.pixels[$0] })
      #expect(roundTrip(grays)?.withoutColorIfGray() == grays)
    }
  }

  /// The filter types of a picture of one byte a pixel (PNG, section 9.2).
  private func filters(_ width: Int, _ height: Int, _ gray: (Int, Int) -> Int) -> Set<UInt8> {
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: gray($0 % width, $0 / width)) }
    var rows = [UInt8](repeating: 0, count: (width + 1) * height)
    #expect(unsafe codec_png_scanlines(pixels + Array(repeating: 0, count: height), 1, width, height, &rows) == 1)
    return Set(stride(from: 0, to: rows.count, by: width + 1).map { rows[$0] })
  }

  @Test func `Rows of pictures are filtered and rows of glyphs are not`() {
    #expect(filters(64, 32) { x, y in 40 + x + y * 60 } == [1])
    #expect(filters(64, 32) { x, _ in 40 + x * x * 7 % 17 } == [2])
    // Stems of letters, smoothed at their edges: rows are like those above them.
    let stem = [255, 255, 255, 150, 0, 0, 60, 255]
    #expect(filters(64, 32) { x, _ in stem[x % 8] } == [0])
    #expect(filters(64, 32) { _, _ in 255 } == [0])
  }

  @Test func `Equal pages give equal bytes`() {
    let many = page(40, 30) { x, y in (UInt8(x * 6), UInt8(y * 8), UInt8((x * y) & 255)) }
    let encoder = PNGEncoder()
    let first = encoder.encode(many)
    _ = encoder.encode(page(3, 3) { _, _ in (1, 2, 3) })
    #expect(encoder.encode(many) == first)
    #expect(PNGEncoder().encode(many) == first)
  }

  /// Libraries of compression read fields of their state that they have not set.
  @Test func `What memory held before does not matter`() {
    // Rows are like those above them: far behind for whoever looks back a little only.
    let page = PageBitmap(
      width: 700, height: 40, format: .gray8,
      pixels: (0..<28_000).map { UInt8(truncatingIfNeeded: ($0 % 700) &* 77 >> 3) })
    let first = PNGEncoder().encode(page)
    for _ in 0..<4 {
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
      unsafe block.initializeMemory(as: UInt16.self, repeating: 8)
      unsafe block.deallocate()
    }
    #expect(PNGEncoder().encode(page) == first)
  }
}
