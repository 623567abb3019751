/// Character references by number (HTML, section 13.2.5.75 and on), which HTML and XML spell alike.
enum NumericCharacterReferences {
  /// The number of a reference and the end of what spells it, with the semicolon if it has one; nil if it has no digit.
  ///
  /// - Parameters:
  ///   - mark: The place of the `#`.
  ///   - end: The end of the bytes that may belong to it.
  /// - Returns: A number of at most 0x110000, which stands for all that are no characters.
  static func number(at mark: Int, in bytes: Span<UInt8>, end: Int) -> (number: UInt32, end: Int)? {
    var cursor = mark + 1
    var radix: UInt32 = 10
    if cursor < end, bytes[cursor] | 0x20 == UInt8(ascii: "x") {
      radix = 16
      cursor += 1
    }
    let firstDigit = cursor
    var number: UInt32 = 0
    while cursor < end, let digit = ASCII.hexadecimalValue(bytes[cursor]), digit < radix {
      number = min(number &* radix &+ digit, 0x11_0000)
      cursor += 1
    }
    guard cursor > firstDigit else { return nil }
    if cursor < end, bytes[cursor] == UInt8(ascii: ";") { cursor += 1 }
    return (number, cursor)
  }

  /// The character that HTML takes the number of a control character for; nil for other numbers (HTML, section 13.2.5.80).
  static func windows1252(_ number: UInt32) -> Unicode.Scalar? {
    number >= 0x80 && number < 0xA0 ? windows1252[Int(number - 0x80)] : nil
  }

  private static let windows1252: [Unicode.Scalar] = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
