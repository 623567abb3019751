package import CSS

/// What the house style puts around the pages of a printed book that has no such things of its own (G15).
package struct PageFurnitureParts: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The page's number at its foot.
  package static let folios = Self(rawValue: 1)
  /// The book's title over left pages, that of the chapter over right ones, but for the first of the chapter.
  package static let heads = Self(rawValue: 2)
  /// Margins that are wider at the outer edge, and at the foot.
  package static let margins = Self(rawValue: 4)
  package static let all: Self = [.folios, .heads, .margins]
}

extension UserAgentSheet {
  /// The sheet that makes the furniture of the pages of a book.
  package static func furniture(_ parts: PageFurnitureParts, title: String) -> TypedStylesheet {
    var text = PackageResources.furniture_css
    if parts.contains(.margins) {
      text += Array(
        """
        @page { margin-block: 8% 10% }
        @page :left { margin-inline: 11% 9% }
        @page :right { margin-inline: 9% 11% }
        """.utf8)
    }
    if parts.contains(.folios) { text += Array("@page { @bottom-center { content: counter(page) } }".utf8) }
    if parts.contains(.heads) {
      text += Array(
        """
        @page :left { @top-center { content: "\(escaped(title))" } }
        @page :right { @top-center { content: string(-internal-chapter) } }
        @page :first { @top-center { content: none } }
        """.utf8)
    }
    // Blank pages and covers have neither.
    text += Array(
      """
      @page :blank { @top-center { content: none } @bottom-center { content: none } }
      @page -internal-cover { @top-center { content: none } @bottom-center { content: none } }
      @page -internal-cover:left { @top-center { content: none } @bottom-center { content: none } }
      @page -internal-cover:right { @top-center { content: none } @bottom-center { content: none } }
      """.utf8)
    return TypedStylesheet(parsing: text, context: ValueContext())
  }

  /// Text as it stands between the quotation marks of a CSS string.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" || scalar.value < 0x20
        ? "\\" + String(scalar.value, radix: 16) + " " : String(scalar)
    }.joined()
  }
}

extension PageRule {
  /// The rule puts something into the margins of its pages.
  package var hasFurniture: Bool { marginBoxes.contains { $0.name != "footnote" } }
}
