import ArgumentParser
import BookOutput
import Primitives
import Typesetting

/// Puts what is wrong into lines on standard error: `typeset: BOOK: PART: what is wrong`.
package struct DiagnosticPrinter {
  let input: String
  let isQuiet: Bool
  let isVerbose: Bool
  /// Lines a run prints at most, errors not counted.
  private static let maximum = 200

  /// Prints warnings, equal ones once with their number.
  func print(_ sink: DiagnosticSink) {
    var printed = 0
    var left = 0
    for (diagnostic, count) in sink.counted {
      switch diagnostic.severity {
      case .note: if !isVerbose { continue }
      case .warning: if isQuiet { continue }
      case .error: break
      }
      guard printed < Self.maximum || diagnostic.severity == .error || isVerbose else {
        left += 1
        continue
      }
      printed += 1
      var text = "typeset: \(input): "
      if !diagnostic.resource.isEmpty {
        text += Self.clean(diagnostic.resource) + (diagnostic.line > 0 ? ":\(diagnostic.line): " : ": ")
      }
      switch diagnostic.severity {
      case .note: text += "note: "
      case .warning: text += "warning: "
      case .error: break
      }
      text += Self.clean(diagnostic.message)
      if count > 1 { text += " (\(count) times)" }
      Self.write(text)
    }
    if !isQuiet {
      if left > 0 { Self.write("typeset: \(input): warning: \(left) more warnings are left out; --verbose shows all") }
      for (code, count) in sink.suppressed.sorted(by: { $0.key < $1.key }) where code != "invalid-css" || isVerbose {
        Self.write("typeset: \(input): warning: \(count) more of the kind \(code)")
      }
    }
  }

  func print(_ error: BookError) {
    let part = error.part.isEmpty ? "" : "\(Self.clean(error.part)): "
    Self.write("typeset: \(input): \(part)\(Self.clean(error.reason))")
  }

  func summary(_ result: RunResult) {
    Self.write("typeset: \(input): \(result.pages) pages, \(result.chapters) chapters")
  }

  /// Ends a verb whose standard output could not be written.
  static func checkOutput() throws {
    guard let failure = StandardStream.failure else { return }
    fail("\(failure.part): \(failure.reason)")
    throw ExitCode(failure.exitCode)
  }

  package static func fail(_ message: String) { write("typeset: \(message)") }

  /// One line, without what would steer a terminal.
  private static func clean(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(500) {
      result.unicodeScalars.append(
        scalar.value < 0x20 || scalar.value == 0x7F || (0x80..<0xA0).contains(scalar.value) ? " " : scalar)
    }
    return result
  }

  private static func write(_ line: String) { StandardStream.error.write((line + "\n").utf8) }
}
