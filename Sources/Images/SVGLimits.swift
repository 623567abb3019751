/// Bounds the lengths of text in an SVG document, on which librsvg's layout of text aborts when they overflow.
enum SVGLimits {
  private static let properties = ["font-size", "letter-spacing", "word-spacing"].map { Array($0.utf8) }
  /// No text is read at such a size.
  private static let largest = 10_000.0

  /// The document with numbers beyond the bound, and such as are no decimal numbers, replaced by it.
  static func apply(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var at = 0
    while at < data.count {
      // `f`, `l` and `w` are rare enough that the rest of the search costs nothing.
      let byte = data[at]
      guard byte == 0x66 || byte == 0x6C || byte == 0x77,
        let property = properties.first(where: { data[at...].starts(with: $0) })
      else {
        at += 1
        continue
      }
      at += property.count
      while at < data.count, [0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x3A, 0x3D].contains(data[at]) { at += 1 }
      let start = at
      while at < data.count, isNumberPart(data, at, start) { at += 1 }
      guard at > start, let value = Double(String(decoding: data[start..<at], as: UTF8.self)) else { continue }
      if abs(value) > largest {
        result += data[copied..<start]
        result += Array((value < 0 ? "-10000" : "10000").utf8)
        copied = at
      }
    }
    if copied == 0 { return data }
    result += data[copied...]
    return result
  }

  private static func isNumberPart(_ data: [UInt8], _ at: Int, _ start: Int) -> Bool {
    switch data[at] {
    case 0x30...0x39, 0x2E: return true
    case 0x2B, 0x2D: return at == start || data[at - 1] == 0x65 || data[at - 1] == 0x45
    case 0x65, 0x45:
      // An exponent has digits; `em` and `ex` have none.
      guard at > start, at + 1 < data.count else { return false }
      let next = data[at + 1]
      return (0x30...0x39).contains(next) || next == 0x2B || next == 0x2D
    default: return false
    }
  }
}
