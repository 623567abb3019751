import Primitives

/// Properties that only drawings know (SVG 2, sections 7, 8, 11 and 13). The engine hands them on as they are written; until
/// then they cascade as custom properties do.
package enum DrawingProperty {
  package static let names = inherited.union(own)

  /// Those that are inherited.
  package static let inherited: Set<String> = [
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "paint-order", "clip-rule",
    "color-interpolation", "color-interpolation-filters", "shape-rendering", "marker", "marker-start", "marker-mid",
    "marker-end", "text-anchor", "dominant-baseline",
  ]
  private static let own: Set<String> = [
    "mask-type", "stop-color", "stop-opacity", "flood-color", "flood-opacity", "lighting-color", "vector-effect", "cx",
    "cy", "r", "rx", "ry", "x", "y", "d",
  ]
  /// Those whose values are colours, or refer to paints.
  package static let paints: Set<String> = ["fill", "stroke", "stop-color", "flood-color", "lighting-color"]
  /// Those whose values are lengths.
  package static let lengths: Set<String> = [
    "stroke-width", "stroke-dasharray", "stroke-dashoffset", "cx", "cy", "r", "rx", "ry", "x", "y",
  ]

  /// The colour that a value is; nil for any other value.
  package static func color(_ value: String) -> ColorValue? {
    var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: Array(value.utf8)[...])), context: ValueContext())
    parser.cursor.skipWhitespace()
    guard let color = parser.color() else { return nil }
    parser.cursor.skipWhitespace()
    return parser.cursor.isAtEnd ? color : nil
  }

  /// The length that a value with functions is; nil where it is none, or depends on the element.
  package static func length(_ value: String) -> Length? {
    guard let place = PropertyTable.standard.place(of: "text-indent") else { return nil }
    var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: Array(value.utf8)[...])), context: ValueContext())
    guard case .textIndent(.length(let length), _, _)? = PropertyTable.standard.parse(place, &parser)?.first?.1 else {
      return nil
    }
    return length
  }
}
