/// The five references that XML itself declares (XML 1.0, section 4.6).
package enum PredefinedEntities {
  /// The text with its predefined references resolved, each once.
  package static func resolved(in text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
