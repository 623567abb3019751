/// Reads path data (SVG 2, section 9.3).
package struct PathReader {
  private let bytes: [UInt8]
  private var index = 0
  private var last: UInt8 = 0

  package init(_ text: some Sequence<UInt8>) { bytes = Array(text) }

  /// The next command, in lower case; one that is repeated by further numbers again.
  package mutating func command() -> (letter: UInt8, isRelative: Bool)? {
    skipSpace()
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    if byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A {
      guard "mlhvcsqtaz".utf8.contains(byte | 0x20) else { return nil }
      index += 1
      last = byte
    } else {
      switch last | 0x20 {
      case UInt8(ascii: "z"), 0x20: return nil
      // Coordinates behind those of a move are lines.
      case UInt8(ascii: "m"): last -= 1
      default: break
      }
    }
    return (last | 0x20, last & 0x20 != 0)
  }

  /// All of the data has been read; false before a fault.
  package var isAtEnd: Bool { index == bytes.count }

  package mutating func point() -> SIMD2<Float>? {
    guard let x = number(), let y = number() else { return nil }
    return SIMD2(x, y)
  }

  /// The flags of an arc need no space after them.
  package mutating func flag() -> Bool? {
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x30 || bytes[index] == 0x31 else { return nil }
    index += 1
    return bytes[index - 1] == 0x31
  }

  package mutating func number() -> Float? {
    skipSpace()
    let start = index
    if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
    while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
    if index < bytes.count, bytes[index] == 0x2E {
      index += 1
      while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      index += 1
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
    }
    guard let value = Float(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite else { return nil }
    return Swift.max(-1e6, Swift.min(1e6, value))
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == 0x2C { index += 1 }
  }
}
