/// Base64 and its variant for URLs (RFC 4648, sections 4 and 5).
package enum Base64 {
  /// The leniency towards bytes that are no letters of the alphabet.
  package enum Leniency: Sendable {
    /// Padding and white space are passed over; anything else makes the text malformed.
    case none
    /// Padding ends the text; anything else is passed over.
    case others
  }

  /// The bytes of a text; nil where it is malformed.
  @_specialize(where S == ArraySlice<UInt8>)
  package static func decode<S: Sequence<UInt8>>(_ text: S, leniency: Leniency) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.underestimatedCount / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte) - 0x41
      case 0x61...0x7A: value = UInt32(byte) - 0x61 + 26
      case 0x30...0x39: value = UInt32(byte) - 0x30 + 52
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      case 0x3D where leniency == .others: return result
      case 0x3D, 0x20, 0x09, 0x0A, 0x0D: continue
      default:
        guard leniency == .others else { return nil }
        continue
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  /// Appends the text of bytes, with padding and without line ends.
  package static func append(_ bytes: [UInt8], to result: inout [UInt8]) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let word =
        UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      result.append(alphabet[Int(word >> 18)])
      result.append(alphabet[Int(word >> 12 & 63)])
      result.append(left > 1 ? alphabet[Int(word >> 6 & 63)] : 0x3D)
      result.append(left > 2 ? alphabet[Int(word & 63)] : 0x3D)
      index += 3
    }
  }
}
