import BookOutput
import Typesetting

/// An error that stops the harness itself, with the exit code that says so (sysexits.h and the harness's own).
package struct HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: Int32
  package var description: String

  package init(_ code: Int32, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: BookError) {
    self.init(error.exitCode, error.part.isEmpty ? error.reason : "\(error.part): \(error.reason)")
  }

  /// The baseline is no longer what a run was compared with.
  static func moved(_ text: String) -> HarnessError { HarnessError(5, text) }
  var isMoved: Bool { code == Self.moved("").code }
  /// Equal runs differ by too much on this machine for a judgement of time.
  package static func tooNoisy(_ text: String) -> HarnessError { HarnessError(6, text) }
  /// There is no such corpus, book or baseline.
  package static func missing(_ text: String) -> HarnessError { HarnessError(66, text) }
  /// A file says what cannot be.
  package static func invalid(_ text: String) -> HarnessError { HarnessError(65, text) }
}
