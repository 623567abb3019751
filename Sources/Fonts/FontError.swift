/// The reason that a font file cannot be used.
package enum FontError: Error, Hashable, Sendable {
  /// The file cannot be opened or read.
  case unreadable(String)
  /// The bytes are no OpenType, WOFF or WOFF2 font, or are too damaged to draw with; the text says what is wrong.
  case invalid(String)

  /// A clause for a diagnostic.
  package var message: String {
    switch self {
    case .unreadable(let name): "the font file \(name) cannot be read"
    case .invalid(let reason): reason
    }
  }
}
