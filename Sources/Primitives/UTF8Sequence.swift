/// Sequences of UTF-8 (Unicode, section 3.9).
package enum UTF8Sequence {
  /// The UTF-16 unit of the character of three bytes that begins at `index`, as ideographs, kana and their punctuation are;
  /// 0 when none does, or fewer than four bytes are left, so that four can be read at once.
  @inlinable @inline(__always)
  package static func unit(ofThreeBytesAt index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
    guard index + 4 <= bytes.count else { return 0 }
    let four = UInt32(
      littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt32.self))
    guard four & 0x00C0_C0F0 == 0x0080_80E0 else { return 0 }
    let unit =
      UInt16(truncatingIfNeeded: four & 0x0F) << 12 | UInt16(truncatingIfNeeded: four >> 2 & 0x0FC0)
      | UInt16(truncatingIfNeeded: four >> 16 & 0x3F)
    // No longer than it must be, and no half of a surrogate pair.
    return unit >= 0x0800 && unit & 0xF800 != 0xD800 ? unit : 0
  }
}
