import Primitives

/// Searching eight bytes at once.
enum ByteSearch {
  /// The high bit of each of eight bytes that is `byte`, and perhaps of bytes above the first such one.
  @inline(__always)
  static func find(_ byte: UInt64, in eight: UInt64) -> UInt64 {
    let difference = eight ^ byte &* 0x0101_0101_0101_0101
    return (difference &- 0x0101_0101_0101_0101) & ~difference
  }

  /// The high bits of eight bytes.
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The first place at or after `start` of a byte.
  static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 8 <= bytes.count {
      let marks = find(UInt64(byte), in: bytes.littleEndian(at: index, as: UInt64.self)) & highBits
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }
}
