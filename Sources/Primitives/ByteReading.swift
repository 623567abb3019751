/// Integers in bytes, at any offset. One that does not lie wholly in the bytes stops the program.
extension Span where Element == UInt8 {
  /// The integer that begins at an offset with its lowest byte.
  @inlinable @inline(__always)
  package func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Value.Type = Value.self
  ) -> Value {
    unsafe Value(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The integer that begins at an offset with its highest byte.
  @inlinable @inline(__always)
  package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Value.Type = Value.self
  ) -> Value {
    unsafe Value(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}
