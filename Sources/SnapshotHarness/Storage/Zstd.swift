import CZstd

/// Zstandard frames (RFC 8878).
enum Zstd {
  /// One frame that names its own length.
  ///
  /// - Parameter dictionary: What the bytes are like; only who has it can read the frame.
  static func compress(_ bytes: [UInt8], level: Int32 = 3, dictionary: [UInt8] = []) -> [UInt8] {
    let context = unsafe ZSTD_createCCtx()
    defer { unsafe ZSTD_freeCCtx(context) }
    return unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
      let size = unsafe bytes.withUnsafeBytes { bytes in
        unsafe ZSTD_compress_usingDict(
          context, buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count, dictionary, dictionary.count, level
        )
      }
      count = ZSTD_isError(size) == 0 ? size : 0
    }
  }

  /// The content of one frame; nil when it is damaged, larger than `limit`, or of another dictionary.
  static func decompress(
    _ frame: Span<UInt8>, limit: Int = 1 << 30, dictionary: [UInt8] = []
  ) -> [UInt8]? {
    unsafe frame.withUnsafeBufferPointer { unsafe decompress($0, limit, dictionary) }
  }

  private static func decompress(
    _ frame: UnsafeBufferPointer<UInt8>, _ limit: Int, _ dictionary: [UInt8]
  ) -> [UInt8]? {
    let size = unsafe ZSTD_getFrameContentSize(frame.baseAddress, frame.count)
    guard size <= UInt64(limit) else { return nil }
    let context = unsafe ZSTD_createDCtx()
    defer { unsafe ZSTD_freeDCtx(context) }
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let written = unsafe ZSTD_decompress_usingDict(
        context, buffer.baseAddress, buffer.count, frame.baseAddress, frame.count, dictionary, dictionary.count)
      isWhole = ZSTD_isError(written) == 0 && written == Int(size)
      count = isWhole ? written : 0
    }
    return isWhole ? bytes : nil
  }

  /// Goes through frames that follow each other, up to the first that is not whole.
  ///
  /// - Parameter take: Is given the content of each, and where it lies.
  static func forEachFrame(
    in bytes: [UInt8], dictionary: [UInt8] = [], _ take: (_ content: [UInt8], _ place: Range<Int>) -> Void
  ) {
    let bytes = bytes.span
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.extracting(offset...)
      guard let length = frameLength(rest),
        let content = decompress(rest.extracting(first: length), dictionary: dictionary)
      else { return }
      take(content, offset..<offset + length)
      offset += length
    }
  }

  /// The length of the frame that bytes start with; nil when it is not whole.
  private static func frameLength(_ bytes: Span<UInt8>) -> Int? {
    let length = unsafe bytes.withUnsafeBufferPointer { unsafe ZSTD_findFrameCompressedSize($0.baseAddress, $0.count) }
    return ZSTD_isError(length) == 0 && length > 0 ? length : nil
  }
}
