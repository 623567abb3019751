import CSS
import Graphics
import Platform
import Primitives

/// Reads the values of attributes and properties of drawings; nil for those that are not written as usual, which
/// librsvg may know or pass over.
struct DrawingValues {
  /// Colours by how they are written: most drawings have few.
  private var colors: [String: Color?] = [:]

  // MARK: Text

  /// Without spaces at its ends.
  static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  // MARK: Paint

  /// A colour that does not depend on its element.
  mutating func color(_ text: String) -> Color? {
    if let known = colors[text] { return known }
    let color = Self.parsedColor(text)
    colors[text] = .some(color)
    return color
  }

  private static func parsedColor(_ text: String) -> Color? {
    let bytes = Array(text.utf8)
    // One word, or one function: nothing may stand behind what is read.
    let isWord = !bytes.isEmpty && bytes.allSatisfy { $0 == 0x23 || isLetterOrDigit($0) }
    let isFunction = bytes.last == 0x29 && bytes.firstIndex(of: 0x29) == bytes.count - 1
    guard isWord || isFunction, !text.contains("/") else { return nil }
    var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: bytes[...])), context: ValueContext())
    return parser.absoluteColor()
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  /// A value of `fill` or `stroke`.
  mutating func paint(_ text: String) -> DrawingStyle.Paint? {
    switch text {
    case "none": return DrawingStyle.Paint.none
    case "currentColor", "currentcolor": return .currentColor
    case _ where text.hasPrefix("url("):
      guard let end = text.firstIndex(of: ")"), let id = Self.reference(String(text[...end])) else { return nil }
      let rest = text[text.index(after: end)...].drop { $0 == " " }
      if rest.isEmpty || rest == "none" { return .server(id, fallback: nil) }
      return color(String(rest)).map { .server(id, fallback: $0) }
    default: return color(text).map { .color($0) }
    }
  }

  /// The id in a reference to an element of the document, `url(#id)`.
  static func reference(_ text: String) -> String? {
    guard text.hasPrefix("url("), text.hasSuffix(")") else { return nil }
    var id = text.dropFirst(4).dropLast()
    for quote in ["\"", "'"] where id.count >= 2 && id.hasPrefix(quote) && id.hasSuffix(quote) {
      id = id.dropFirst().dropLast()
    }
    guard id.first == "#", id.count > 1, !id.contains(where: { "\"'()\\ %&".contains($0) }) else { return nil }
    return String(id.dropFirst())
  }

  // MARK: Numbers

  /// A number with nothing before or behind it.
  static func number(_ text: some StringProtocol) -> Double? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, first &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains(first),
      last &- 0x30 < 10,
      bytes.allSatisfy({ $0 &- 0x30 < 10 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) })
    else { return nil }
    return Double(text).flatMap { abs($0) < 1e7 ? $0 : nil }
  }

  /// A share from 0 to 1, as a number.
  static func opacity(_ text: String) -> Double? {
    number(text).map { Swift.max(0, Swift.min(1, $0)) }
  }

  /// A length in px; nil for shares and for units that need a font.
  static func length(_ text: some StringProtocol) -> Double? { length(text, share: nil) }

  /// A length in px.
  ///
  /// - Parameter whole: What a share is one of; nil where there can be none.
  static func length(_ text: some StringProtocol, share whole: Double?) -> Double? {
    if let number = number(text) { return number }
    for (unit, factor) in units where text.hasSuffix(unit) {
      return number(text.dropLast(unit.count)).map { $0 * factor }
    }
    guard let whole, text.hasSuffix("%") else { return nil }
    return number(text.dropLast()).map { $0 * whole / 100 }
  }

  private static let units: [(String, Double)] = [
    ("px", 1), ("pt", 96.0 / 72), ("pc", 16), ("mm", 96 / 25.4), ("cm", 96 / 2.54), ("in", 96),
  ]

  /// A number, or a share of 1.
  static func share(_ text: String) -> Double? { length(text, share: 1) }

  /// Numbers with spaces or commas between them.
  static func numbers(_ text: some StringProtocol) -> [Double]? {
    var numbers: [Double] = []
    for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let number = number(part) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Dashes and gaps by turns; those of which all are 0 are none (SVG 2, section 13.5.6).
  static func dashes(_ text: String) -> [Double]? {
    if text == "none" { return [] }
    var dashes: [Double] = []
    for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let length = length(part), length >= 0 else { return nil }
      dashes.append(length)
    }
    if dashes.count % 2 == 1 { dashes += dashes }
    return dashes.allSatisfy { $0 == 0 } ? [] : dashes
  }

  /// Points of a `<polyline>`.
  static func points(_ text: ArraySlice<UInt8>) -> [DrawingPath.Place]? {
    var reader = PathReader(text)
    var points: [DrawingPath.Place] = []
    while let point = reader.point() {
      points.append(DrawingPath.Place(point))
      guard points.count <= DrawingPath.mostElements else { return nil }
    }
    return reader.isAtEnd ? points : nil
  }

  // MARK: Transforms

  /// The map of an attribute `transform` (CSS Transforms 1, section 8), the last function of which is done first.
  static func transform(_ text: String) -> AffineTransform? {
    var map = AffineTransform.identity
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == "," || $0.isWhitespace }
      guard !rest.isEmpty else { return map }
      guard let open = rest.firstIndex(of: "("), let close = rest.firstIndex(of: ")"), open < close,
        let numbers = numbers(rest[rest.index(after: open)..<close]),
        let function = AffineTransform(
          function: rest[..<open].filter { !$0.isWhitespace }, numbers.map { Float($0) })
      else { return nil }
      map = function.concatenating(map)
      rest = rest[rest.index(after: close)...]
    }
  }
}
