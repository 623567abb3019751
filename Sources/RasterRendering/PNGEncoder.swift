import CImageCodecs
package import Graphics

/// Writes pages as PNG (ISO/IEC 15948): grey pages in one byte a pixel, pages of few colours with a palette, others in
/// true colour. Equal bitmaps give equal bytes. One worker owns one.
@safe package final class PNGEncoder {
  private let deflater: OpaquePointer?

  package init() { unsafe deflater = codec_deflater_create() }

  deinit { unsafe codec_deflater_destroy(deflater) }

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
    return file(width, height, colorType: colorType, palette: palette, scanlines: &scanlines, count: count)
  }

  /// A picture with its transparency as a file; empty only when memory is short.
  package func encode(_ bitmap: Bitmap) -> [UInt8] {
    var scanlines: [UInt8] = []
    scanlines.reserveCapacity((bitmap.width * 4 + 1) * bitmap.height)
    for y in 0..<bitmap.height {
      scanlines.append(0)
      for x in 0..<bitmap.width {
        let pixel = bitmap.pixel(x: x, y: y)
        let alpha = Int(pixel.alpha)
        for channel in [pixel.red, pixel.green, pixel.blue] {
          scanlines.append(alpha == 0 ? 0 : UInt8(Swift.min(255, (Int(channel) * 255 + alpha / 2) / alpha)))
        }
        scanlines.append(pixel.alpha)
      }
    }
    let count = scanlines.count
    return count == 0
      ? [] : file(bitmap.width, bitmap.height, colorType: 6, palette: [], scanlines: &scanlines, count: count)
  }

  private func file(
    _ width: Int, _ height: Int, colorType: UInt8, palette: [UInt32], scanlines: inout [UInt8], count: Int
  ) -> [UInt8] {
    guard let deflater = unsafe deflater else { return [] }
    var head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var header: [UInt8] = []
    Self.append(UInt32(width), to: &header)
    Self.append(UInt32(height), to: &header)
    header += [8, colorType, 0, 0, 0]
    Self.appendChunk("IHDR", header, to: &head)
    if colorType == 3 {
      Self.appendChunk(
        "PLTE", palette.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }, to: &head)
    }
    var end: [UInt8] = []
    Self.appendChunk("IEND", [], to: &end)
    // The pixels are compressed where they stand in the file: after the chunk's length and type.
    let bound = codec_zlib_bound(count)
    var size = 0
    var file = unsafe [UInt8](unsafeUninitializedCapacity: head.count + 8 + bound + 4 + end.count) { buffer, filled in
      _ = unsafe buffer.update(fromContentsOf: head)
      size = unsafe codec_zlib_compress(deflater, scanlines, count, buffer.baseAddress! + head.count + 8, bound)
      filled = size == 0 ? 0 : head.count + 8 + size
    }
    guard size > 0 else { return [] }
    var start: [UInt8] = []
    Self.append(UInt32(size), to: &start)
    start += Array("IDAT".utf8)
    file.replaceSubrange(head.count..<(head.count + 8), with: start)
    Self.append(Self.checksum(file, from: head.count + 4), to: &file)
    file += end
    return file
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

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    bytes += [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }

  private static func appendChunk(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    append(UInt32(data.count), to: &file)
    let start = file.count
    file += Array(type.utf8)
    file += data
    append(checksum(file, from: start), to: &file)
  }

  private static func checksum(_ bytes: [UInt8], from start: Int) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe codec_crc32(0, $0.baseAddress! + start, $0.count - start) }
  }
}
