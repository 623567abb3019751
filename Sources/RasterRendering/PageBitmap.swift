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
    return pixels.withUnsafeBytes { bytes in
      for index in 0..<count {
        // Blue equals green and green equals red exactly when the exclusive or with itself shifted by a byte is zero.
        let pixel = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        if (pixel ^ pixel >> 8) & 0xFFFF != 0 { return self }
      }
      let gray = [UInt8](unsafeUninitializedCapacity: count) { out, filled in
        for index in 0..<count { out[index] = bytes[index * 4] }
        filled = count
      }
      return PageBitmap(width: width, height: height, format: .gray8, pixels: gray)
    }
  }
}
