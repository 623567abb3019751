import BookOutput
import Platform
import Synchronization
package import Typesetting

/// Standard output and standard error. Written past the C library's buffers, so that nothing waits when a process ends.
package enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// The number of the error that kept standard output from being written; 0 while there is none.
  private static let outputError = Atomic<Int32>(0)

  /// The error of standard output, if a write to it has failed.
  package static var failure: BookError? {
    let error = outputError.load(ordering: .relaxed)
    return error == 0 ? nil : OutputFiles.failure("standard output", error)
  }

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all of `bytes`. What the other end does not take is remembered for standard output, which is written no further,
  /// and has no one to be told to for standard error.
  package func write(_ bytes: some Sequence<UInt8>) {
    guard self == .error || Self.outputError.load(ordering: .relaxed) == 0 else { return }
    let error = unsafe Array(bytes).withUnsafeBytes { unsafe OutputFiles.write($0, to: rawValue) }
    if self == .output { Self.outputError.store(error, ordering: .relaxed) }
  }
}
