/// Something wrong in a book that was recovered from.
public struct Diagnostic: Hashable, Sendable {
  /// Severity of a diagnostic.
  public enum Severity: UInt8, Hashable, Sendable, Comparable {
    /// Worth knowing; the page is as the book means it.
    case note
    /// Something may look other than the book means it.
    case warning
    /// A part of the book is missing or could not be read.
    case error
    /// Severity `a` is lower than `b`.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The severity.
  public var severity: Severity
  /// A stable kebab-case name of the kind of fault, such as `missing-image`, for counting and filtering.
  public var code: String
  /// The part of the book, as a path in its container; empty when the whole book is meant.
  public var resource: String
  /// The line in the resource, from 1; 0 when unknown.
  public var line: Int
  /// The fault, as a clause without a final stop.
  public var message: String
  /// The message says all, so that it is told once a book: resource and line are where it was met first.
  package var isOfBook = false

  /// A fault in a resource, or in the whole book.
  public init(_ severity: Severity, code: String, resource: String = "", line: Int = 0, message: String) {
    self.severity = severity
    self.code = code
    self.resource = resource
    self.line = line
    self.message = message
  }
}

/// Collects the diagnostics of one stage over one resource. Those of the book are kept once; repeated ones beyond `limit` a
/// code are only counted.
package struct DiagnosticSink: Sendable {
  /// The diagnostics in order, at most `limit` of each code.
  package private(set) var diagnostics: [Diagnostic] = []
  /// Repetitions: the number of times each diagnostic of the book was found, and their positions in `diagnostics`.
  private var repeated: [Message: (position: Int, count: Int)] = [:]
  /// The number of diagnostics of each code that were dropped after `limit`.
  package private(set) var suppressed: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  /// The limit of diagnostics kept of each code.
  package var limit = 100

  /// Nothing found yet.
  package init() {}

  /// Adds a fault, or counts it when there are many of its kind.
  package mutating func append(_ diagnostic: Diagnostic) { append(diagnostic, times: 1) }

  private mutating func append(_ diagnostic: Diagnostic, times: Int) {
    let message = diagnostic.isOfBook ? Message(diagnostic) : nil
    if let message, let known = repeated[message] {
      repeated[message] = (known.position, known.count + times)
      return
    }
    let count = counts[diagnostic.code, default: 0]
    counts[diagnostic.code] = count + 1
    guard count < limit else {
      suppressed[diagnostic.code, default: 0] += times
      return
    }
    if let message { repeated[message] = (diagnostics.count, times) }
    diagnostics.append(diagnostic)
  }

  /// Adds a warning.
  package mutating func warn(
    _ code: String, resource: String = "", line: Int = 0, _ message: String, isOfBook: Bool = false
  ) {
    var diagnostic = Diagnostic(.warning, code: code, resource: resource, line: line, message: message)
    diagnostic.isOfBook = isOfBook
    append(diagnostic)
  }

  /// Adds what another sink has collected, and counts what it has suppressed.
  package mutating func append(contentsOf other: DiagnosticSink) {
    for diagnostic in other.diagnostics {
      let count = diagnostic.isOfBook ? other.repeated[Message(diagnostic)]?.count : nil
      append(diagnostic, times: count ?? 1)
    }
    for (code, count) in other.suppressed { suppressed[code, default: 0] += count }
  }

  /// The diagnostics with how often each was found: equal ones of a resource are one, whatever their lines.
  package var counted: [(diagnostic: Diagnostic, count: Int)] {
    var result: [(diagnostic: Diagnostic, count: Int)] = []
    var positions: [Message: Int] = [:]
    for diagnostic in diagnostics {
      let message = Message(diagnostic)
      let count = diagnostic.isOfBook ? repeated[message]?.count ?? 1 : 1
      if let position = positions[message] {
        result[position].count += count
      } else {
        positions[message] = result.count
        result.append((diagnostic, count))
      }
    }
    return result
  }

  /// The key by which diagnostics are equal to a reader: all but their lines, and for those of the book but their resources.
  private struct Message: Hashable {
    var severity: Diagnostic.Severity
    var code: String
    /// nil for diagnostics of the book.
    var resource: String?
    var message: String

    init(_ diagnostic: Diagnostic) {
      severity = diagnostic.severity
      code = diagnostic.code
      resource = diagnostic.isOfBook ? nil : diagnostic.resource
      message = diagnostic.message
    }
  }
}

extension Int {
  /// The number as messages have it, with commas between thousands.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
