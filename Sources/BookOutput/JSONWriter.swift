package import Primitives

/// Writes JSON (RFC 8259) without a tree in between: keys in the order they are given, numbers exactly.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// A comma has to stand before the next value.
  private var needsComma = false

  package init() {}

  package mutating func beginObject() { open(0x7B) }
  package mutating func endObject() { close(0x7D) }
  package mutating func beginArray() { open(0x5B) }
  package mutating func endArray() { close(0x5D) }

  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    needsComma = false
  }
  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }
  private mutating func separate() {
    if needsComma { bytes.append(0x2C) }
    needsComma = true
  }

  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(0x22)
    bytes.append(contentsOf: name.bytes)
    bytes.append(0x22)
    bytes.append(0x3A)
    needsComma = false
  }
  package mutating func key(_ name: String) {
    separate()
    appendEscaped(name)
    bytes.append(0x3A)
    needsComma = false
  }

  package mutating func value(_ text: String) {
    separate()
    appendEscaped(text)
  }
  package mutating func value(_ number: Int) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }
  package mutating func value(_ length: LayoutUnit) {
    separate()
    length.append(to: &bytes)
  }
  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }
  /// A number with at most three decimals.
  package mutating func value(_ number: Double) {
    separate()
    guard number.isFinite else {
      bytes.append(0x30)
      return
    }
    let scaled = (number * 1000).rounded()
    guard abs(scaled) < 9e15 else {
      bytes.append(contentsOf: String(Int64(Swift.max(-9e18, Swift.min(9e18, number)))).utf8)
      return
    }
    let thousandths = Int64(scaled)
    let magnitude = thousandths.magnitude
    var text = thousandths < 0 ? "-" : ""
    text += String(magnitude / 1000)
    var fraction = magnitude % 1000
    if fraction > 0 {
      var digits = 3
      while fraction % 10 == 0 {
        fraction /= 10
        digits -= 1
      }
      let tail = String(fraction)
      text += "." + String(repeating: "0", count: digits - tail.count) + tail
    }
    bytes.append(contentsOf: text.utf8)
  }
  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// `[x, y, width, height]`.
  package mutating func value(_ rect: Rect) {
    beginArray()
    value(rect.x)
    value(rect.y)
    value(rect.width)
    value(rect.height)
    endArray()
  }

  /// Text that stands for itself, such as a place to be filled in later.
  package mutating func raw(_ text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
  }
  package mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  private mutating func appendEscaped(_ text: String) {
    bytes.append(0x22)
    let text = text.utf8Span.span
    // What stands for itself is appended in one piece.
    var start = 0
    for index in text.indices {
      let byte = text[index]
      if byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F { continue }
      bytes.append(contentsOf: text.extracting(start..<index))
      start = index + 1
      bytes.append(0x5C)
      switch byte {
      case 0x22, 0x5C: bytes.append(byte)
      case 0x0A: bytes.append(0x6E)
      case 0x0D: bytes.append(0x72)
      case 0x09: bytes.append(0x74)
      default: bytes += [0x75, 0x30, 0x30, Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    bytes.append(contentsOf: text.extracting(start...))
    bytes.append(0x22)
  }
  private static let digits = Array("0123456789abcdef".utf8)
}
