/// Text as XML writes it (XML 1.0, sections 2.2 and 2.4): markup becomes references, and characters that no document of XML can
/// hold become U+FFFD.
package enum XMLEscaping {
  /// Text, or the value of an attribute between double quotes.
  ///
  /// - Parameter keepsSpaces: tabs and ends of lines become references too, which readers would make spaces of in a value
  ///   (section 3.3.3).
  package static func escaped(_ text: String, keepsSpaces: Bool = false) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    append(text.utf8, to: &output, keepsSpaces: keepsSpaces)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends bytes of UTF-8.
  package static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8], keepsSpaces: Bool = false) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe append($0.span, to: &output, keepsSpaces: keepsSpaces)
    }
    if isDone == nil { append(Array(bytes).span, to: &output, keepsSpaces: keepsSpaces) }
  }

  private static func append(_ bytes: Span<UInt8>, to output: inout [UInt8], keepsSpaces: Bool) {
    var copied = 0
    for index in bytes.indices {
      let byte = bytes[index]
      guard isSpecial(byte) else { continue }
      output.append(contentsOf: bytes.extracting(copied..<index))
      copied = index + 1
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if keepsSpaces { output += "&#\(byte);".utf8 } else { output.append(byte) }
      case 0..<0x20: output += replacement
      // U+FFFE and U+FFFF differ from the replacement in their last byte.
      case 0xBE...0xBF where output.suffix(2) == replacement.prefix(2): output.append(0xBD)
      default: output.append(byte)
      }
    }
    output.append(contentsOf: bytes.extracting(copied...))
  }

  /// The byte may be written as another.
  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "\"") || byte & 0xFE == 0xBE
  }

  /// U+FFFD in UTF-8.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
}
