import CSS
import Primitives

/// The sheets the engine itself brings.
package enum UserAgentSheet {
  /// Of the texts of the sheets that are files.
  package static var digest: UInt64 {
    var hasher = StableHasher()
    hasher.combine(PackageResources.user_agent_css)
    hasher.combine(PackageResources.house_css)
    return hasher.value
  }

  /// The user agent's style sheet for HTML (HTML, section 15).
  static let main = TypedStylesheet(parsing: PackageResources.user_agent_css, context: ValueContext())

  /// HTML, section 15.3.10: tables of old documents do not inherit their surroundings' text style.
  static let quirks = sheet(
    """
    table { font-size: medium; font-weight: normal; font-style: normal; font-variant: normal; line-height: normal;
      white-space: normal; text-align: start }
    form { margin-block-end: 1em }
    img[align=left] { margin-right: 3px } img[align=right] { margin-left: 3px }
    """)

  static let noBodyMargin = sheet("body { margin: 0 }")

  /// The defaults of the house style.
  static let house = TypedStylesheet(parsing: PackageResources.house_css, context: ValueContext())

  /// Stands in for the book's own sheets when the reader has switched them off.
  static let withoutPublisher = sheet(
    """
    p { margin-block: 0 }
    p + p { text-indent: 1.2em }
    :is(h1, h2, h3, h4, h5, h6, hr, blockquote, figure, table, pre, ul, ol, dl) + p { text-indent: 0 }
    blockquote { margin-inline: 2em }
    h1, h2, h3, h4, h5, h6 { text-align: start }
    """)

  private static func sheet(_ text: String) -> TypedStylesheet {
    TypedStylesheet(
      parsing: Array(("@namespace \"http://www.w3.org/1999/xhtml\";" + text).utf8), context: ValueContext())
  }
}
