import Glibc

/// Standard output and standard error. Written past the C library's buffers, so that nothing waits when a process ends.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all of `bytes`.
  ///
  /// - Returns: false when the other end is closed or full.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var written = 0
    return bytes.withUnsafeBytes { buffer in
      while written < buffer.count {
        let count = Glibc.write(rawValue, buffer.baseAddress! + written, buffer.count - written)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }
}
