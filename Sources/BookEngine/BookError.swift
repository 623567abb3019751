public import FoundationEssentials
public import Primitives
package import Publications

/// The reason that a book cannot be opened or set, or an output not be written.
public struct BookError: Error, Hashable, Sendable {
  /// Causes of errors.
  public enum Kind: Hashable, Sendable {
    /// The input is no book that can be read.
    case unreadable
    /// The book is whole, but protected by a shop or a password: only the shop's own readers, or who knows the
    /// password, can open it.
    case protected(Protection)
    /// The book lacks what a standard asks for that the output is to conform to.
    case nonconforming
    /// There is no such input.
    case missing
    /// An output cannot be written.
    case unwritable
    /// An output, or the book's format, needs a library that is not installed.
    case unavailable
    /// A limit of memory, time or size was reached.
    case limit
    /// The run was stopped from outside.
    case interrupted
  }
  /// The cause.
  public var kind: Kind
  /// The part of the book at fault, as a path in its container, or the output's path; empty for the whole.
  public var part: String
  /// The reason, as a clause without a final stop.
  public var reason: String

  /// An error about the whole book, or about a part of it.
  public init(_ kind: Kind, part: String = "", _ reason: String) {
    self.kind = kind
    self.part = part
    self.reason = reason
  }

  package init(_ error: PublicationError) {
    switch error.kind {
    case .notABook: self.init(.unreadable, part: error.part, error.reason)
    case .protected(let protection): self.init(.protected(protection), part: error.part, error.reason)
    case .noSuchInput: self.init(.missing, part: error.part, error.reason)
    case .unavailable: self.init(.unavailable, part: error.part, error.reason)
    case .limit: self.init(.limit, part: error.part, error.reason)
    }
  }
}

extension BookError: LocalizedError, CustomStringConvertible {
  /// The part and the reason, in one line.
  public var description: String { part.isEmpty ? reason : "\(part): \(reason)" }
  /// `description`, as `localizedDescription` has it.
  public var errorDescription: String? { description }
}
