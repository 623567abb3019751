import Primitives

/// A growing piece of PDF syntax (ISO 32000-1, section 7): operands of content streams and bodies of objects.
package struct PDFBytes: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}
  package init(_ text: StaticString) { raw(text) }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Appends text that is PDF syntax already.
  package mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: text.bytes)
  }
  package mutating func raw(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
  package mutating func raw(_ other: PDFBytes) { bytes.append(contentsOf: other.bytes) }

  /// Takes back what was appended last.
  package mutating func truncate(to count: Int) { bytes.removeLast(Swift.max(0, bytes.count - count)) }

  /// Appends a space where the last byte does not end a token by itself.
  private mutating func separate() {
    switch bytes.last {
    case nil, 0x20, 0x0A, 0x5B, 0x5D, 0x3C, 0x3E, 0x28, 0x29: break
    default: bytes.append(0x20)
    }
  }

  /// A token that ends where another begins.
  package mutating func word(_ bytes: some Sequence<UInt8>) {
    separate()
    raw(bytes)
  }

  /// A whole number.
  package mutating func integer(_ value: Int) {
    separate()
    digits(value)
  }

  private mutating func digits(_ value: Int) {
    if value < 0 { bytes.append(0x2D) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    if bytes.count - start > 1 { bytes[start...].reverse() }
  }

  /// A real number with at most so many decimals, zeros at its end left out. What is no number is 0.
  package mutating func real(_ value: Double, decimals: Int = 3) {
    separate()
    var factor = 1
    for _ in 0..<decimals { factor *= 10 }
    let scaled = (value * Double(factor)).rounded()
    guard scaled.magnitude < 1e15 else { return digits(0) }
    let number = Int(scaled)
    if number % factor == 0 { return digits(number / factor) }
    if number < 0 { bytes.append(0x2D) }
    let magnitude = number.magnitude
    if magnitude / UInt(factor) > 0 { digits(Int(magnitude / UInt(factor))) }
    bytes.append(0x2E)
    var fraction = magnitude % UInt(factor)
    var place = UInt(factor) / 10
    while fraction > 0 {
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + fraction / place))
      fraction %= place
      place = Swift.max(1, place / 10)
    }
  }

  /// A name; bytes that have a meaning in PDF are written as `#xx`.
  package mutating func name(_ name: String) {
    bytes.append(0x2F)
    for byte in name.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x5F: bytes.append(byte)
      default:
        bytes.append(0x23)
        hex(byte)
      }
    }
  }

  private mutating func hex(_ byte: UInt8) {
    for half in [byte >> 4, byte & 15] { bytes.append(half < 10 ? 0x30 + half : 0x37 + half) }
  }

  /// A string of bytes between brackets.
  package mutating func string(_ string: some Sequence<UInt8>) {
    bytes.append(0x28)
    for byte in string { escaped(byte) }
    bytes.append(0x29)
  }

  /// A byte inside a string's brackets.
  @inline(__always)
  package mutating func escaped(_ byte: UInt8) {
    switch byte {
    case 0x28, 0x29, 0x5C:
      bytes.append(0x5C)
      bytes.append(byte)
    case 0x0D:
      bytes.append(0x5C)
      bytes.append(0x72)
    // Ghostscript reads line feeds that follow each other as one.
    case 0x0A where bytes.last == 0x0A:
      bytes.append(0x5C)
      bytes.append(0x6E)
    default: bytes.append(byte)
    }
  }

  /// A text string (section 7.9.2.2): ASCII, or UTF-16 behind a byte order mark.
  package mutating func text(_ text: String) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return string(text.utf8) }
    self.text(units: Array(text.utf16)[...])
  }

  /// A text string of UTF-16 units; halves of surrogate pairs become U+FFFD.
  package mutating func text(units: ArraySlice<UInt16>) {
    if units.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return string(units.map { UInt8($0) }) }
    bytes.append(0x28)
    escaped(0xFE)
    escaped(0xFF)
    for unit in String(utf16: units).utf16 {
      escaped(UInt8(truncatingIfNeeded: unit >> 8))
      escaped(UInt8(truncatingIfNeeded: unit))
    }
    bytes.append(0x29)
  }

  /// UTF-16 in hexadecimal digits, as character maps have it.
  package mutating func hexadecimal(_ units: some Sequence<UInt16>) {
    bytes.append(0x3C)
    for unit in units {
      hex(UInt8(truncatingIfNeeded: unit >> 8))
      hex(UInt8(truncatingIfNeeded: unit))
    }
    bytes.append(0x3E)
  }

  /// An indirect reference.
  package mutating func reference(_ id: PDFObjectID) {
    integer(id.number)
    raw(" 0 R")
  }

  /// A colour as operands of `rg`, or of `g` where it is grey.
  package mutating func components(_ channels: (UInt8, UInt8, UInt8)) {
    for channel in [channels.0, channels.1, channels.2] { real(Double(channel) / 255) }
  }
}

/// The number of an indirect object, from 1.
package struct PDFObjectID: Hashable, Sendable {
  package var number: Int
}
