import CImageCodecs
package import Graphics

/// Writes pictures as PNG (ISO/IEC 15948). Equal pictures give equal bytes. One worker owns one.
@safe package final class PNGWriter {
  private let deflater: OpaquePointer?

  package init() { unsafe deflater = codec_deflater_create() }

  deinit { unsafe codec_deflater_destroy(deflater) }

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

  /// - Parameters:
  ///   - colorType: As the header has it (ISO/IEC 15948, section 11.2.2).
  ///   - palette: Colours of 24 bits, red first.
  ///   - scanlines: `count` bytes, each row with its filter before it.
  /// - Returns: A file; empty only when memory is short.
  package func file(
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
