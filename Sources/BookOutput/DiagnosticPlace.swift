package import Primitives

extension Diagnostic {
  /// The part of the book and the line that it is about, for the start of a message; empty for the whole book.
  package var placePrefix: String {
    resource.isEmpty ? "" : resource + (line > 0 ? ":\(line): " : ": ")
  }
}
