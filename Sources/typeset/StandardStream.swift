import Glibc
import Typesetting

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
    Array(bytes).withUnsafeBytes { OutputFiles.write($0, to: rawValue) } == 0
  }
}
