public import FoundationEssentials
package import Markup

extension Book {
  /// A regular expression that lines match which begin chapters of a plain text, in the syntax of PCRE2: `^第.+章`,
  /// `^Chapter \d+`.
  ///
  /// It is compared with each line without the white space around it, and matches anywhere in it unless it says `^` or
  /// `$`. Classes and cases are Unicode's. A line for which matching takes too many steps counts as not matched, with a
  /// warning.
  public struct ChapterPattern: Hashable, Sendable, CustomStringConvertible {
    package let expression: RegularExpression

    /// - Throws: ``PatternError`` for an expression that is not valid, and where PCRE2 is not installed.
    public init(_ pattern: String) throws(PatternError) {
      do { expression = try RegularExpression(pattern) } catch { throw PatternError(error) }
    }

    /// The expression as it was given.
    public var description: String { expression.pattern }

    /// Two patterns are the same text.
    public static func == (a: Self, b: Self) -> Bool { a.description == b.description }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }

  /// The reason that a pattern cannot be used.
  public enum PatternError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// It is no regular expression: up to a character, counted from 0, it is one.
    case invalid(reason: String, character: Int)
    /// PCRE2 is not installed.
    case unavailable(reason: String)

    init(_ fault: RegularExpression.Fault) {
      switch fault {
      case .invalid(let reason, let character): self = .invalid(reason: reason, character: character)
      case .unavailable(let reason): self = .unavailable(reason: reason)
      }
    }

    /// The position of the fault and its reason.
    public var description: String {
      switch self {
      case .invalid(let reason, let character): "character \(character + 1): \(reason)"
      case .unavailable(let reason): reason
      }
    }
    /// `description`, as `localizedDescription` has it.
    public var errorDescription: String? { description }
  }
}
