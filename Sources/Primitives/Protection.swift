/// What keeps a book from being read by other programs than its shop's own.
public enum Protection: String, Hashable, Sendable, Codable, CaseIterable {
  /// Readium LCP: a password of the reader's, which lending libraries and shops give.
  case lcp
  /// Adobe ADEPT.
  case adobe
  /// Apple FairPlay.
  case apple
  /// The digital rights management of Amazon.
  case amazon
  /// The archive is encrypted with a password.
  case password
  /// Encryption of a kind that is not known.
  case unknown
}
