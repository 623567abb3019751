/// Something wrong in a book that was recovered from.
public struct Diagnostic: Hashable, Sendable {
  public enum Severity: UInt8, Hashable, Sendable, Comparable {
    case note, warning, error
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  public var severity: Severity
  /// A stable kebab-case name of the kind of fault, such as `missing-image`, for counting and filtering.
  public var code: String
  /// The part of the book, as a path in its container; empty when the whole book is meant.
  public var resource: String
  /// The line in the resource, from 1; 0 when unknown.
  public var line: Int
  /// What is wrong, as a clause without a final stop.
  public var message: String

  public init(_ severity: Severity, code: String, resource: String = "", line: Int = 0, message: String) {
    self.severity = severity
    self.code = code
    self.resource = resource
    self.line = line
    self.message = message
  }
}

/// Collects the diagnostics of one stage over one resource. Repeated ones beyond `limit` a code are only counted.
public struct DiagnosticSink: Sendable {
  public private(set) var diagnostics: [Diagnostic] = []
  /// How many of each code were dropped after `limit`.
  public private(set) var suppressed: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  public var limit = 100

  public init() {}

  public mutating func append(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.code, default: 0]
    counts[diagnostic.code] = count + 1
    if count < limit { diagnostics.append(diagnostic) } else { suppressed[diagnostic.code, default: 0] += 1 }
  }
  public mutating func warn(_ code: String, resource: String = "", line: Int = 0, _ message: String) {
    append(Diagnostic(.warning, code: code, resource: resource, line: line, message: message))
  }
  public mutating func append(contentsOf other: DiagnosticSink) {
    for diagnostic in other.diagnostics { append(diagnostic) }
    for (code, count) in other.suppressed { suppressed[code, default: 0] += count }
  }
}
