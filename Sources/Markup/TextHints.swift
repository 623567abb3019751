/// What the reader says of a file of text that may not say it itself.
package struct TextHints: Sendable {
  /// The encoding, by any label of the Encoding Standard; nil where it is to be found out.
  package var encoding: String?
  /// What the lines match that begin chapters of a plain text, those of the outermost level first; none where chapters
  /// are to be found out. Lines are compared without the white space around them.
  package var chapterPatterns: [RegularExpression]

  package init(encoding: String? = nil, chapterPatterns: [RegularExpression] = []) {
    self.encoding = encoding
    self.chapterPatterns = chapterPatterns
  }
}
