import CImageCodecs

/// Writes pages as PNG (ISO/IEC 15948): grey pages in one byte a pixel, pages of few colours with a palette, others in
/// true colour. Equal bitmaps give equal bytes. One worker owns one.
package final class PNGEncoder {
  private let deflater: OpaquePointer?
  private var scanlines: [UInt8] = []

  /// - Parameter level: libdeflate's, 1 to 12. Higher ones hardly shrink pages of text.
  package init(level: Int = 1) { deflater = codec_deflater_create(Int32(Swift.max(1, Swift.min(12, level)))) }

  deinit { codec_deflater_destroy(deflater) }

  /// The file's bytes; empty only when memory is short.
  package func encode(_ page: PageBitmap) -> [UInt8] {
    guard page.width > 0, page.height > 0,
      page.pixels.count == page.width * page.height * page.format.bytesPerPixel
    else { return [] }
    var palette: [UInt32] = []
    let colorType: UInt8
    switch page.format {
    case .gray8:
      colorType = 0
      packGray(page)
    case .bgra32:
      if let indexed = Self.palette(of: page) {
        colorType = 3
        palette = indexed.colors
        pack(indexed.indexes, width: page.width, height: page.height)
      } else {
        colorType = 2
        packColor(page)
      }
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var header: [UInt8] = []
    Self.append(UInt32(page.width), to: &header)
    Self.append(UInt32(page.height), to: &header)
    header += [8, colorType, 0, 0, 0]
    Self.appendChunk("IHDR", header, to: &file)
    if colorType == 3 {
      Self.appendChunk(
        "PLTE", palette.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }, to: &file)
    }
    guard let data = compress() else { return [] }
    Self.appendChunk("IDAT", data, to: &file)
    Self.appendChunk("IEND", [], to: &file)
    return file
  }

  private func compress() -> [UInt8]? {
    guard let deflater else { return nil }
    let bound = codec_zlib_bound(deflater, scanlines.count)
    let data = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = codec_zlib_compress(deflater, scanlines, scanlines.count, buffer.baseAddress, bound)
    }
    return data.isEmpty ? nil : data
  }

  /// Rows of bytes, each after filter type 0: filters do not pay on text.
  private func packGray(_ page: PageBitmap) { pack(page.pixels, width: page.width, height: page.height) }

  private func pack(_ bytes: [UInt8], width: Int, height: Int) {
    let size = (width + 1) * height
    scanlines = [UInt8](unsafeUninitializedCapacity: size) { out, count in
      bytes.withUnsafeBufferPointer { source in
        for y in 0..<height {
          out[y * (width + 1)] = 0
          (out.baseAddress! + y * (width + 1) + 1).update(from: source.baseAddress! + y * width, count: width)
        }
      }
      count = size
    }
  }

  /// True colour: each row with the filter whose differences are smallest, which pays on pictures.
  private func packColor(_ page: PageBitmap) {
    let row = page.width * 3
    let size = (row + 1) * page.height
    scanlines = [UInt8](unsafeUninitializedCapacity: size) { out, count in
      let current = UnsafeMutablePointer<UInt8>.allocate(capacity: row + 3)
      let above = UnsafeMutablePointer<UInt8>.allocate(capacity: row + 3)
      // Three zero bytes stand to the left of each row.
      current.initialize(repeating: 0, count: row + 3)
      above.initialize(repeating: 0, count: row + 3)
      defer {
        current.deallocate()
        above.deallocate()
      }
      page.pixels.withUnsafeBufferPointer { source in
        var filter: UInt8 = 0
        for y in 0..<page.height {
          let pixels = source.baseAddress! + y * page.width * 4
          for x in 0..<page.width {
            current[x * 3 + 3] = pixels[x * 4 + 2]
            current[x * 3 + 4] = pixels[x * 4 + 1]
            current[x * 3 + 5] = pixels[x * 4]
          }
          // Rows are mostly like those above them.
          if y & 3 == 1 || y == 0 { filter = Self.bestFilter(current, above, row) }
          let target = out.baseAddress! + y * (row + 1)
          target[0] = filter
          Self.apply(filter, current, above, row, to: target + 1)
          above.update(from: current, count: row + 3)
        }
      }
      count = size
    }
  }

  private static func apply(
    _ filter: UInt8, _ current: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, _ row: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    // One loop for each filter, so that the choice is not made anew for every byte.
    switch filter {
    case 1: for index in 0..<row { target[index] = current[index + 3] &- current[index] }
    case 2: for index in 0..<row { target[index] = current[index + 3] &- above[index + 3] }
    case 4: for index in 0..<row { target[index] = current[index + 3] &- paeth(current, above, index + 3) }
    default: target.update(from: current + 3, count: row)
    }
  }

  /// The neighbour nearest to left plus above minus corner.
  @inline(__always)
  private static func paeth(
    _ current: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, _ index: Int
  ) -> UInt8 {
    let (a, b, c) = (Int32(current[index &- 3]), Int32(above[index]), Int32(above[index &- 3]))
    let (pa, pb, pc) = (abs(b &- c), abs(a &- c), abs(a &+ b &- 2 &* c))
    return UInt8(truncatingIfNeeded: pa <= pb && pa <= pc ? a : pb <= pc ? b : c)
  }

  private static func bestFilter(
    _ current: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, _ row: Int
  ) -> UInt8 {
    var sums: (none: Int, sub: Int, up: Int, paeth: Int) = (0, 0, 0, 0)
    func cost(_ value: UInt8) -> Int { Int(Int8(bitPattern: value).magnitude) }
    // One pixel in four tells enough.
    for start in stride(from: 3, to: row + 3, by: 12) {
      for index in start..<(start + 3) {
        let value = current[index]
        sums.none += cost(value)
        sums.sub += cost(value &- current[index - 3])
        sums.up += cost(value &- above[index])
        sums.paeth += cost(value &- paeth(current, above, index))
      }
    }
    let least = Swift.min(sums.none, sums.sub, sums.up, sums.paeth)
    return least == sums.none ? 0 : least == sums.up ? 2 : least == sums.sub ? 1 : 4
  }

  /// The colours in the order of their first pixel, and each pixel's; `nil` when there are more than 256.
  private static func palette(of page: PageBitmap) -> (colors: [UInt32], indexes: [UInt8])? {
    var colors: [UInt32] = []
    // Open addressing; the value is a colour's index plus one above its 24 bits.
    var slots = [UInt64](repeating: 0, count: 1024)
    let count = page.width * page.height
    var overflow = false
    let indexes = [UInt8](unsafeUninitializedCapacity: count) { out, filled in
      page.pixels.withUnsafeBytes { bytes in
        slots.withUnsafeMutableBufferPointer { slots in
          var last: UInt32 = .max
          var lastIndex: UInt8 = 0
          for pixel in 0..<count {
            let color = bytes.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self) & 0xFF_FFFF
            if color != last {
              var slot = Int((color &* 0x9E37_79B1) >> 22)
              while slots[slot] != 0, UInt32(slots[slot] & 0xFF_FFFF) != color { slot = (slot + 1) & 1023 }
              if slots[slot] == 0 {
                if colors.count == 256 {
                  overflow = true
                  return
                }
                colors.append(color)
                slots[slot] = UInt64(colors.count) << 32 | UInt64(color)
              }
              last = color
              lastIndex = UInt8(truncatingIfNeeded: slots[slot] >> 32 &- 1)
            }
            out[pixel] = lastIndex
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
    let checksum = file.withUnsafeBufferPointer { codec_crc32(0, $0.baseAddress! + start, $0.count - start) }
    append(checksum, to: &file)
  }
}
