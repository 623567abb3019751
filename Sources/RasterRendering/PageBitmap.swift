/// A rendered page: opaque, rows without padding.
package struct PageBitmap: Hashable, Sendable {
  package enum Format: UInt8, Hashable, Sendable {
    /// One byte a pixel.
    case gray8
    /// Blue, green, red and an unused byte.
    case bgra32

    package var bytesPerPixel: Int { self == .gray8 ? 1 : 4 }
  }

  package var width: Int
  package var height: Int
  package var format: Format
  package var pixels: [UInt8]

  package init(width: Int, height: Int, format: Format, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.format = format
    self.pixels = pixels
  }

  /// A pixel's colour channels.
  package func pixel(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let at = (y * width + x) * format.bytesPerPixel
    switch format {
    case .gray8: return (pixels[at], pixels[at], pixels[at])
    case .bgra32: return (pixels[at + 2], pixels[at + 1], pixels[at])
    }
  }

  /// The same page in one byte a pixel when it has no colour.
  package func withoutColorIfGray() -> PageBitmap {
    guard format == .bgra32 else { return self }
    let count = width * height
    return unsafe pixels.withUnsafeBytes { bytes in
      guard unsafe Self.isGray(bytes, count) else { return self }
      let gray = unsafe [UInt8](unsafeUninitializedCapacity: count) { out, filled in
        var index = 0
        while index + 16 <= count {
          let pixels = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<UInt32>.self)
          unsafe UnsafeMutableRawBufferPointer(out).storeBytes(
            of: SIMD16<UInt8>(truncatingIfNeeded: pixels), toByteOffset: index, as: SIMD16<UInt8>.self)
          index += 16
        }
        while index < count {
          unsafe out[index] = unsafe bytes[index * 4]
          index += 1
        }
        filled = count
      }
      return PageBitmap(width: width, height: height, format: .gray8, pixels: gray)
    }
  }

  /// Blue equals green and green equals red in all pixels, which is so exactly where the exclusive or of a pixel with
  /// itself shifted by a byte is zero.
  private static func isGray(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
    var index = 0
    while index + 16 <= count {
      let pixels = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<UInt32>.self)
      guard (pixels ^ pixels &>> 8) & 0xFFFF == SIMD16(repeating: 0) else { return false }
      index += 16
    }
    while index < count {
      let pixel = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      guard (pixel ^ pixel >> 8) & 0xFFFF == 0 else { return false }
      index += 1
    }
    return true
  }
}
