/// Sequences of UTF-8 (Unicode, section 3.9).
package enum UTF8Sequence {
  /// The UTF-16 unit of the character of three bytes that begins at `index`, as ideographs, kana and their punctuation are;
  /// 0 when none does, or fewer than four bytes are left, so that four can be read at once.
  @inlinable @inline(__always)
  package static func unit(ofThreeBytesAt index: Int, in bytes: Span<UInt8>) -> UInt16 {
    guard index + 4 <= bytes.count else { return 0 }
    let four = bytes.littleEndian(at: index, as: UInt32.self)
    guard four & 0x00C0_C0F0 == 0x0080_80E0 else { return 0 }
    let unit =
      UInt16(truncatingIfNeeded: four & 0x0F) << 12 | UInt16(truncatingIfNeeded: four >> 2 & 0x0FC0)
      | UInt16(truncatingIfNeeded: four >> 16 & 0x3F)
    return isLongest(unit) ? unit : 0
  }

  /// Copies the words of printable ASCII characters that begin at `index`, with the single spaces between them, eight
  /// characters at a time, to places from `start` on. Returns how many were copied; a space is never the last of them.
  @inlinable @inline(__always)
  package static func widenWords(
    at index: Int, in bytes: Span<UInt8>, to output: inout MutableSpan<UInt16>, at start: Int
  ) -> Int {
    let high: UInt64 = 0x8080_8080_8080_8080
    var copied = 0
    /// The high bit of the first byte, where the byte before is a space.
    var carried: UInt64 = 0
    while index + copied + 8 <= bytes.count {
      let eight = bytes.littleEndian(at: index + copied, as: UInt64.self)
      // In each byte's high bit: no control character; not a space. Neither sum carries, as no byte is above 0x7F.
      let printable = eight &+ 0x6060_6060_6060_6060
      guard eight & high == 0, printable & high == high else { break }
      let spaces = ~((eight ^ 0x2020_2020_2020_2020) &+ 0x7F7F_7F7F_7F7F_7F7F) & high
      guard spaces & (spaces << 8 | carried) == 0 else { break }
      carried = spaces >> 56
      precondition(start + copied >= 0 && start + copied + 8 <= output.count, "there is no room for the text")
      // One instruction widens the eight, and one writes them.
      let units = unsafe SIMD8<UInt16>(truncatingIfNeeded: unsafeBitCast(eight.littleEndian, to: SIMD8<UInt8>.self))
      for lane in 0..<8 { unsafe output[unchecked: start + copied + lane] = units[lane] }
      copied += 8
    }
    return carried == 0 ? copied : copied - 1
  }

  /// Copies characters of three bytes from `index` on as UTF-16 units, two at a time, to places from `start` on.
  /// Returns how many were copied.
  @inlinable @inline(__always)
  package static func widenPairs(
    ofThreeBytesAt index: Int, in bytes: Span<UInt8>, to output: inout MutableSpan<UInt16>, at start: Int
  ) -> Int {
    var copied = 0
    var at = index
    while at + 8 <= bytes.count {
      // Two lanes of 24 bits.
      let six = bytes.littleEndian(at: at, as: UInt64.self)
      guard six & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 else { break }
      let lanes =
        (six & 0x0F00_000F) << 12 | six >> 2 & 0x0F_C000_0FC0 | six >> 16 & 0x3F00_003F
      let first = UInt16(truncatingIfNeeded: lanes)
      let second = UInt16(truncatingIfNeeded: lanes >> 24)
      guard isLongest(first), isLongest(second) else { break }
      output[start + copied] = first
      output[start + copied + 1] = second
      copied += 2
      at += 6
    }
    return copied
  }

  /// The character needs three bytes and is no half of a surrogate pair.
  @inlinable @inline(__always)
  package static func isLongest(_ unit: UInt16) -> Bool { unit >= 0x0800 && unit & 0xF800 != 0xD800 }
}
