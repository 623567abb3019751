/// The reason that a typesetter has no page to give.
public enum PageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The book has no such chapter, or the chapter no such page.
  case noSuchPage
  /// The task was cancelled.
  case cancelled
  /// The settings were changed meanwhile: ask again.
  case superseded
  /// The process was forked while books were being set, and cannot set any (``Book``).
  case unavailable

  /// The reason, as a clause without a final stop.
  public var description: String {
    switch self {
    case .noSuchPage: "the book has no such page"
    case .cancelled: "the task was cancelled"
    case .superseded: "the settings were changed meanwhile"
    case .unavailable: "the process was forked while books were being set, and cannot set any"
    }
  }
}
