import CDeflate

/// Reads zlib streams, the data of `/FlateDecode`.
enum Inflater {
  private static let mostBytes = 1 << 28

  /// What was compressed; nil where the data is broken, or stands for more than can be kept.
  static func decompress(_ data: ArraySlice<UInt8>) -> [UInt8]? {
    guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(handle) }
    var capacity = Swift.max(1 << 12, data.count * 4)
    while capacity <= mostBytes {
      var status = LIBDEFLATE_BAD_DATA
      let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { out, count in
        status = unsafe data.withUnsafeBytes {
          unsafe libdeflate_zlib_decompress(handle, $0.baseAddress, $0.count, out.baseAddress, capacity, &count)
        }
        if status != LIBDEFLATE_SUCCESS { count = 0 }
      }
      if status == LIBDEFLATE_SUCCESS { return result }
      guard status == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
      capacity *= 4
    }
    return nil
  }
}

/// Compresses into zlib streams, the data of `/FlateDecode`.
@safe package final class Deflater {
  private let handle: OpaquePointer?

  /// - Parameter level: libdeflate's, 1 to 12.
  package init(level: Int32 = 8) { unsafe handle = libdeflate_alloc_compressor(level) }

  deinit { if let handle = unsafe handle { unsafe libdeflate_free_compressor(handle) } }

  package func compress(_ bytes: [UInt8]) -> [UInt8] {
    guard let handle = unsafe handle else { return bytes }
    let bound = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { out, count in
      count = unsafe bytes.withUnsafeBytes {
        unsafe libdeflate_zlib_compress(handle, $0.baseAddress, $0.count, out.baseAddress, bound)
      }
    }
  }
}
