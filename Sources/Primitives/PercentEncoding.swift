/// Percent escapes of URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// The text with `%XX` resolved, unless what comes out is not UTF-8.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2]),
        high | low != 0
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(validating: output, as: UTF8.self) ?? text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
