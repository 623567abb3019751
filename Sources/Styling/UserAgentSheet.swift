import CSS
import Markup
import Primitives

/// The sheets the engine itself brings.
package enum UserAgentSheet {
  /// Of the texts of the sheets that are files.
  package static var digest: UInt64 {
    var hasher = StableHasher()
    for text in [
      PackageResources.user_agent_css, PackageResources.forms_css, PackageResources.media_css,
      PackageResources.drawings_css, PackageResources.mathematics_css, PackageResources.house_css,
      PackageResources.furniture_css,
    ] {
      hasher.combine(text)
    }
    return hasher.value
  }

  /// The user agent's style sheets for a document (HTML, section 15). Those of formulas, drawings, forms, media and
  /// terms are not even read for the many that have none: a sheet takes longer to read than a short document to lay out.
  ///
  /// - Parameter setsFormulasApart: Displayed formulas stand clear of the text around them, which MathML Core leaves to
  ///   the author.
  static func sheets(for document: Document, setsFormulasApart: Bool) -> [TypedStylesheet] {
    var vocabularies: Vocabularies = []
    for node in document.nodes where node.kind == .element {
      vocabularies.formUnion(Vocabularies(node))
      if vocabularies == .all { break }
    }
    var sheets = [main]
    if vocabularies.contains(.media) { sheets.append(media) }
    if vocabularies.contains(.drawings) { sheets.append(drawings) }
    if vocabularies.contains(.forms) { sheets.append(forms) }
    if vocabularies.contains(.terms) { sheets.append(terms) }
    if vocabularies.contains(.mathematics) {
      sheets.append(mathematics)
      if setsFormulasApart { sheets.append(formulasApart) }
    }
    return sheets
  }

  /// Elements that have a sheet of their own.
  private struct Vocabularies: OptionSet {
    let rawValue: UInt8
    static let forms = Vocabularies(rawValue: 1)
    static let media = Vocabularies(rawValue: 2)
    static let drawings = Vocabularies(rawValue: 4)
    static let mathematics = Vocabularies(rawValue: 8)
    static let terms = Vocabularies(rawValue: 16)
    static let all: Vocabularies = [.forms, .media, .drawings, .mathematics, .terms]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// That of an element.
    init(_ element: Node) {
      switch element.namespace {
      case .mathML: self = .mathematics
      case .svg: self = .drawings
      case .html:
        switch element.name {
        case .audio, .video: self = .media
        case .dt: self = .terms
        case .button, .input, .meter, .progress, .select, .textarea, .fieldset, .legend, .optgroup: self = .forms
        default: self = []
        }
      default: self = []
      }
    }
  }

  private static let main = file(PackageResources.user_agent_css)
  private static let forms = file(PackageResources.forms_css)
  private static let media = file(PackageResources.media_css)
  private static let drawings = file(PackageResources.drawings_css)
  private static let mathematics = file(PackageResources.mathematics_css)
  private static let formulasApart = sheet(
    """
    @namespace math "http://www.w3.org/1998/Math/MathML";
    math|math[display=block i] { margin-block: 0.7em }
    """)
  /// A term stays with its definition, not with the next term.
  private static let terms = sheet("dt:has(+ dd) { break-after: avoid }")

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
  static let house = file(PackageResources.house_css)

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
    file(Array(("@namespace \"http://www.w3.org/1999/xhtml\";" + text).utf8))
  }

  private static func file(_ text: [UInt8]) -> TypedStylesheet {
    TypedStylesheet(parsing: text, context: ValueContext())
  }
}
