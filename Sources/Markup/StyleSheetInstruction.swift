import Primitives

/// An `xml-stylesheet` processing instruction in the prolog of a document (Associating Style Sheets with XML documents 1.0).
package struct StyleSheetInstruction: Hashable, Sendable {
  package var href: String
  /// Of the sheet; nil when the instruction does not say.
  package var type: String?
  package var media: String?
  package var isAlternate: Bool
  /// Line of the source, from 1.
  package var line: Int

  /// Reads the pseudo-attributes; nil without an `href`.
  ///
  /// - Parameter data: The text behind the instruction's name.
  init?(_ data: String, line: Int) {
    var values: [Substring: String] = [:]
    var rest = data[...]
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last
      rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let name, let quote = rest.first, quote == "\"" || quote == "'" else { break }
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { break }
      if values[name] == nil { values[name] = PredefinedEntities.resolved(in: rest[..<end]) }
      rest = rest[rest.index(after: end)...]
    }
    guard let href = values["href"], !href.isEmpty else { return nil }
    self.href = href
    type = values["type"]
    media = values["media"]
    isAlternate = values["alternate"] == "yes"
    self.line = line
  }
}
