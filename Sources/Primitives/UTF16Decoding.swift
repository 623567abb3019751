extension String {
  /// The text of UTF-16 code units. A surrogate without its other half becomes U+FFFD (The Unicode Standard, section 3.9), as
  /// `String(decoding:as:)` has it, which goes through a parser of any encoding for each unit.
  ///
  /// - Complexity: O(*n*); one allocation where the text does not fit in the string itself.
  package init(utf16 units: ArraySlice<UInt16>) {
    self = unsafe units.withUnsafeBufferPointer { unsafe String(utf16: $0) }
  }

  /// The text of UTF-16 code units, as of a slice of them.
  package init(utf16 units: [UInt16]) {
    self = unsafe units.withUnsafeBufferPointer { unsafe String(utf16: $0) }
  }

  private init(utf16 units: UnsafeBufferPointer<UInt16>) {
    // A unit takes at most three bytes: a pair of surrogates takes four, U+FFFD three.
    self = unsafe String(unsafeUninitializedCapacity: units.count * 3) { bytes in
      var (count, index) = (0, 0)
      while index < units.count {
        let unit = unsafe UInt32(units[index])
        index += 1
        if unit < 0x80 {
          unsafe bytes[count] = UInt8(truncatingIfNeeded: unit)
          count += 1
          continue
        }
        if unit < 0x800 {
          unsafe bytes[count] = 0xC0 | UInt8(truncatingIfNeeded: unit >> 6)
          unsafe bytes[count + 1] = 0x80 | UInt8(truncatingIfNeeded: unit & 0x3F)
          count += 2
          continue
        }
        var scalar = unit
        if unit & 0xF800 == 0xD800 {
          scalar = 0xFFFD
          if unit & 0x0400 == 0, index < units.count, unsafe units[index] & 0xFC00 == 0xDC00 {
            scalar = unsafe 0x10000 + (unit & 0x3FF) << 10 + UInt32(units[index] & 0x3FF)
            index += 1
          }
        }
        if scalar < 0x10000 {
          unsafe bytes[count] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
        } else {
          unsafe bytes[count] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
          count += 1
          unsafe bytes[count] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F)
        }
        unsafe bytes[count + 1] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F)
        unsafe bytes[count + 2] = 0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F)
        count += 3
      }
      return count
    }
  }
}
