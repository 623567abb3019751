/// The background that the root of a drawing gives itself in its `style` attribute, which librsvg does not paint: CSS
/// makes the root of an SVG document a box with a background as any (SVG 2, section 6.7).
package enum SVGBackground {
  /// The document with a rectangle of the background's colour under everything, or as it is.
  package static func painted(_ document: [UInt8]) -> [UInt8] {
    guard let root = SVGRoot.tag(of: document), document[root.upperBound - 2] != UInt8(ascii: "/"),
      let style = SVGRoot.value(of: "style", in: document, root),
      let color = color(in: String(decoding: document[style], as: UTF8.self))
    else { return document }
    // Larger than any part of the drawing that a `viewBox` leaves free beside it.
    let shape = #"<rect x="-1000%" y="-1000%" width="2100%" height="2100%" stroke="none" fill=""# + color + #""/>"#
    return document[..<root.upperBound] + Array(shape.utf8) + document[root.upperBound...]
  }

  /// A colour alone: pictures under drawings are not painted.
  private static func color(in style: String) -> String? {
    var color: String?
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = parts[0].filter { !$0.isWhitespace }.lowercased()
      guard name == "background" || name == "background-color" else { continue }
      let value = parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let isFunction = value.contains("(")
      let isColor = isFunction ? value.hasPrefix("rgb") || value.hasPrefix("hsl") : !value.contains(" ")
      color = isColor && !value.contains("\"") && value != "none" && value != "transparent" ? value : nil
    }
    return color
  }
}
