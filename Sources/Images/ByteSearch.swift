import Platform

extension [UInt8] {
  /// The first place of a byte from `start` on; nil where there is none.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// The same as that of the array's buffer.
  @inline(__always)
  func firstIndex(from start: Int, where matches: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>) -> Int {
    withUnsafeBufferPointer { $0.firstIndex(from: start, where: matches) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first place from `start` on of a byte that matches, or the end. Sixteen bytes are compared at a time.
  @inline(__always)
  func firstIndex(from start: Int, where matches: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>) -> Int {
    let bytes = UnsafeRawBufferPointer(self)
    var at = start
    while at + 16 <= count {
      guard !any(matches(bytes.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self))) else { break }
      at += 16
    }
    while at < count, !matches(SIMD16(repeating: self[at]))[0] { at += 1 }
    return Swift.max(at, start)
  }
}
