import ArgumentParser
import BookOutput
import Primitives
import Typesetting

/// Puts what is wrong into lines on standard error: `typeset: BOOK: PART: what is wrong`.
package struct DiagnosticPrinter {
  let input: String
  let isQuiet: Bool
  let isVerbose: Bool
  /// Warnings of one kind that are told each for itself. Of more the first is told, with their number.
  private static let maximum = 3
  /// Kinds that come counted, one for each script or library: all of them are told.
  private static let countedKinds: Set = ["missing-glyph", "missing-decoder"]

  /// Warnings of one kind.
  private struct Kind {
    var messages = 0
    var times = 0
    var parts: Set<String> = []
    var isTold = false
  }

  /// Prints warnings, equal ones once with their number, and so all of a kind where they are many.
  func print(_ sink: DiagnosticSink) {
    let all = sink.counted
    var kinds: [String: Kind] = [:]
    for (diagnostic, count) in all where diagnostic.severity == .warning {
      kinds[diagnostic.code, default: Kind()].messages += 1
      kinds[diagnostic.code]?.times += count
      kinds[diagnostic.code]?.parts.insert(diagnostic.resource)
    }
    for (diagnostic, count) in all {
      var rest = ""
      switch diagnostic.severity {
      case .note: if !isVerbose { continue }
      case .warning:
        if isQuiet { continue }
        let kind = kinds[diagnostic.code] ?? Kind()
        let suppressed = sink.suppressed[diagnostic.code] ?? 0
        guard !isVerbose, !Self.countedKinds.contains(diagnostic.code) else { break }
        guard kind.messages > Self.maximum || suppressed > 0 else { break }
        if kind.isTold { continue }
        kinds[diagnostic.code]?.isTold = true
        rest =
          " (and \((kind.times - count + suppressed).grouped) more of the kind"
          + (kind.parts.count > 1 ? " in \(kind.parts.count.grouped) parts" : "") + "; --verbose lists all)"
      case .error: break
      }
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
      Self.write(text + rest)
    }
    guard isVerbose else { return }
    for (code, count) in sink.suppressed.sorted(by: { $0.key < $1.key }) {
      Self.write("typeset: \(input): warning: \(count) more of the kind \(code)")
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
