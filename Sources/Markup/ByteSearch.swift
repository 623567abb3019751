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
}
