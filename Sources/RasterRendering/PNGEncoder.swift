import CImageCodecs
package import Graphics
import ImageCodecs
import Images

/// Writes pages as PNG (ISO/IEC 15948): grey pages in one byte a pixel, pages of few colours with a palette, others in
/// true colour. Equal bitmaps give equal bytes. One worker owns one.
package final class PNGEncoder {
  private let writer = PNGWriter()

  package init() {}

  /// A picture with its transparency as a file; empty only when memory is short.
  package func encode(_ bitmap: Bitmap) -> [UInt8] { writer.encode(bitmap) }

  /// The file's bytes; empty only when memory is short. The scanlines are put together in the page's own memory.
  package func encode(_ page: consuming PageBitmap) -> [UInt8] {
    let (width, height) = (page.width, page.height)
    guard width > 0, height > 0,
      page.pixels.count == width * height * page.format.bytesPerPixel
    else { return [] }
    var palette: [UInt32] = []
    var scanlines: [UInt8]
    let count: Int
    let colorType: UInt8
    switch page.format {
    case .gray8:
      colorType = 0
      scanlines = page.pixels
      page.pixels = []
      count = Self.makeRows(of: &scanlines, 1, width: width, height: height)
    case .bgra32:
      if let indexed = Self.palette(of: page) {
        colorType = 3
        palette = indexed.colors
        scanlines = indexed.indexes
        count = Self.makeRows(of: &scanlines, 1, width: width, height: height)
      } else {
        colorType = 2
        scanlines = page.pixels
        page.pixels = []
        count = Self.makeRows(of: &scanlines, 4, width: width, height: height)
      }
    }
    guard count > 0 else { return [] }
    return writer.file(width, height, colorType: colorType, palette: palette, scanlines: &scanlines, count: count)
  }

  /// Rows become scanlines in the same memory.
  ///
  /// - Returns: Their size; 0 when memory is short.
  private static func makeRows(of bytes: inout [UInt8], _ bytesPerPixel: Int, width: Int, height: Int) -> Int {
    if bytesPerPixel == 1 { bytes.append(contentsOf: repeatElement(0, count: height)) }
    let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe codec_png_scanlines($0.baseAddress, Int32(bytesPerPixel), width, height, $0.baseAddress) != 0
    }
    return isDone ? (width * Swift.min(bytesPerPixel, 3) + 1) * height : 0
  }

  /// The colours in the order of their first pixel, and each pixel's; `nil` when there are more than 256.
  private static func palette(of page: borrowing PageBitmap) -> (colors: [UInt32], indexes: [UInt8])? {
    var colors: [UInt32] = []
    // Open addressing; the value is a colour's index plus one above its 24 bits.
    var slots = [UInt64](repeating: 0, count: 1024)
    let count = page.width * page.height
    var overflow = false
    // With room for the filter types.
    let indexes = unsafe [UInt8](unsafeUninitializedCapacity: count + page.height) { out, filled in
      unsafe page.pixels.withUnsafeBytes { bytes in
        unsafe slots.withUnsafeMutableBufferPointer { slots in
          var last: UInt32 = .max
          var lastIndex: UInt8 = 0
          for pixel in 0..<count {
            let color = unsafe bytes.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self) & 0xFF_FFFF
            if color != last {
              var slot = Int((color &* 0x9E37_79B1) >> 22)
              while unsafe slots[slot] != 0, unsafe UInt32(slots[slot] & 0xFF_FFFF) != color {
                slot = (slot + 1) & 1023
              }
              if unsafe slots[slot] == 0 {
                if colors.count == 256 {
                  overflow = true
                  return
                }
                colors.append(color)
                unsafe slots[slot] = UInt64(colors.count) << 32 | UInt64(color)
              }
              last = color
              lastIndex = unsafe UInt8(truncatingIfNeeded: slots[slot] >> 32 &- 1)
            }
            unsafe out[pixel] = lastIndex
          }
        }
      }
      filled = overflow ? 0 : count
    }
    return overflow ? nil : (colors, indexes)
  }
}
