import CDeflate

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
