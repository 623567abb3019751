package import Primitives

/// The reason that a publication cannot be opened or a part of it not be read.
package struct PublicationError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The input is no book that can be read (exit code 65).
    case notABook
    /// The book is encrypted by a shop or a password (exit code 65).
    case protected(Protection)
    /// There is no such input (exit code 66).
    case noSuchInput
    /// A limit was reached (exit code 75).
    case limit
    /// The format is read by a library that is not installed (exit code 69).
    case unavailable

    /// The exit code of `typeset` for this kind.
    package var exitCode: Int32 {
      switch self {
      case .notABook, .protected: 65
      case .noSuchInput: 66
      case .limit: 75
      case .unavailable: 69
      }
    }
  }

  package var kind: Kind
  /// The part of the book at fault, as a path in its container; empty when it is the whole.
  package var part: String
  /// The fault, as a clause without a final stop.
  package var reason: String

  package init(_ kind: Kind, part: String = "", _ reason: String) {
    self.kind = kind
    self.part = part
    self.reason = reason
  }
}
