/// Something wrong in a book that was recovered from.
public struct Diagnostic: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: UInt8, Hashable, Sendable, Comparable {
    /// Worth knowing; the page is as the book means it.
    case note
    /// Something may look other than the book means it.
    case warning
    /// A part of the book is missing or could not be read.
    case error
    /// Whether `a` is less bad than `b`.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// How bad it is.
  public var severity: Severity
  /// A stable kebab-case name of the kind of fault, such as `missing-image`, for counting and filtering.
  public var code: String
  /// The part of the book, as a path in its container; empty when the whole book is meant.
  public var resource: String
  /// The line in the resource, from 1; 0 when unknown.
  public var line: Int
  /// What is wrong, as a clause without a final stop.
  public var message: String

  /// A fault in a resource, or in the whole book.
  public init(_ severity: Severity, code: String, resource: String = "", line: Int = 0, message: String) {
    self.severity = severity
    self.code = code
    self.resource = resource
    self.line = line
    self.message = message
  }
}

/// Collects the diagnostics of one stage over one resource. Repeated ones beyond `limit` a code are only counted.
package struct DiagnosticSink: Sendable {
  /// What was found, in order, at most `limit` of each code.
  package private(set) var diagnostics: [Diagnostic] = []
  /// How many of each code were dropped after `limit`.
  package private(set) var suppressed: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  /// How many of each code are kept.
  package var limit = 100

  /// Nothing found yet.
  package init() {}

  /// Adds a fault, or counts it when there are many of its kind.
  package mutating func append(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.code, default: 0]
    counts[diagnostic.code] = count + 1
    if count < limit { diagnostics.append(diagnostic) } else { suppressed[diagnostic.code, default: 0] += 1 }
  }
  /// Adds a warning.
  package mutating func warn(_ code: String, resource: String = "", line: Int = 0, _ message: String) {
    append(Diagnostic(.warning, code: code, resource: resource, line: line, message: message))
  }
  /// Adds what another sink has collected, and counts what it has suppressed.
  package mutating func append(contentsOf other: DiagnosticSink) {
    for diagnostic in other.diagnostics { append(diagnostic) }
    for (code, count) in other.suppressed { suppressed[code, default: 0] += count }
  }
}
