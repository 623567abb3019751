extension [UInt8] {
  /// Appends the bytes of an integer, the lowest one first.
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of an integer, the highest one first.
  package mutating func append(bigEndian value: some FixedWidthInteger) {
    append(littleEndian: value.byteSwapped)
  }
}
