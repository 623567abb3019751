import CDeflate

/// Compresses into zlib streams, the data of `/FlateDecode`.
package final class Deflater {
  private let handle: OpaquePointer?

  /// - Parameter level: libdeflate's, 1 to 12.
  package init(level: Int32 = 8) { handle = libdeflate_alloc_compressor(level) }

  deinit { if let handle { libdeflate_free_compressor(handle) } }

  package func compress(_ bytes: [UInt8]) -> [UInt8] {
    guard let handle else { return bytes }
    let bound = libdeflate_zlib_compress_bound(handle, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { out, count in
      count = bytes.withUnsafeBytes {
        libdeflate_zlib_compress(handle, $0.baseAddress, $0.count, out.baseAddress, bound)
      }
    }
  }
}
