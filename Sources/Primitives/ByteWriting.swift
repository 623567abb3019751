extension [UInt8] {
  /// Appends the bytes of an integer, the lowest one first.
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of an integer, the highest one first.
  package mutating func append(bigEndian value: some FixedWidthInteger) {
    append(littleEndian: value.byteSwapped)
  }

  /// Writes the bytes of an integer over those from an offset on, the lowest one first.
  package mutating func write<Value: FixedWidthInteger>(littleEndian value: Value, at offset: Int) {
    for byte in 0..<Value.bitWidth / 8 { self[offset + byte] = UInt8(truncatingIfNeeded: value >> Value(byte * 8)) }
  }

  /// Writes the bytes of an integer over those from an offset on, the highest one first.
  package mutating func write(bigEndian value: some FixedWidthInteger, at offset: Int) {
    write(littleEndian: value.byteSwapped, at: offset)
  }
}
