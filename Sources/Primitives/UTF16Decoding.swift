extension String {
  /// The text of UTF-16 code units. A surrogate without its other half becomes U+FFFD (The Unicode Standard, section 3.9), as
  /// `String(decoding:as:)` has it, which goes through a parser of any encoding for each unit.
  ///
  /// - Complexity: O(*n*); one allocation where the text does not fit in the string itself.
  package init(utf16 units: ArraySlice<UInt16>) { self.init(utf16: units.span) }

  /// The text of UTF-16 code units, as of a slice of them.
  package init(utf16 units: [UInt16]) { self.init(utf16: units.span) }

  private init(utf16 units: Span<UInt16>) {
    // A unit takes at most three bytes: a pair of surrogates takes four, U+FFFD three.
    self = unsafe String(unsafeUninitializedCapacity: units.count * 3) { bytes in
      var output = unsafe OutputSpan(buffer: bytes, initializedCount: 0)
      Self.encode(units, into: &output)
      return unsafe output.finalize(for: bytes)
    }
  }

  private static func encode(_ units: Span<UInt16>, into bytes: inout OutputSpan<UInt8>) {
    var index = 0
    while index < units.count {
      let unit = UInt32(units[index])
      index += 1
      if unit < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: unit))
        continue
      }
      if unit < 0x800 {
        bytes.append(0xC0 | UInt8(truncatingIfNeeded: unit >> 6))
        bytes.append(0x80 | UInt8(truncatingIfNeeded: unit & 0x3F))
        continue
      }
      var scalar = unit
      if unit & 0xF800 == 0xD800 {
        scalar = 0xFFFD
        if unit & 0x0400 == 0, index < units.count, units[index] & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (unit & 0x3FF) << 10 + UInt32(units[index] & 0x3FF)
          index += 1
        }
      }
      if scalar < 0x10000 {
        bytes.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
      } else {
        bytes.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
        bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F))
      }
      bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
      bytes.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
    }
  }
}
