import Primitives

/// Comparisons that ignore the case of ASCII letters, and HTML's classes of bytes.
enum ASCII {
  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x7A
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  @inline(__always)
  static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// Space, tab, line feed, form feed or carriage return.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  /// The first place at or after `start` that is no space.
  static func endOfSpace(from start: Int, in bytes: Span<UInt8>) -> Int {
    var index = start
    while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    return index
  }

  static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }

  /// The bytes at `index` are `word` (lower case).
  static func stands(_ word: StaticString, at index: Int, in bytes: Span<UInt8>) -> Bool {
    let length = word.utf8CodeUnitCount
    guard index + length <= bytes.count else { return false }
    let letters = word.bytes
    for offset in letters.indices where lowercase(bytes[index + offset]) != letters[offset] { return false }
    return true
  }
}
