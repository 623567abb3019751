package import Markup
package import Primitives

/// `menclose` as declarations: edges are borders; strikes are pictures of its background, by the user agent's sheet (MathML 3, section
/// 3.3.9).
package enum EnclosureHints {
  /// The sign of a root or an enclosure that stands before the content and whose end goes on as a line above it; nil for none.
  package static func leadingSign(of id: NodeID, in document: Document) -> String? {
    guard document.nodes[id.index].name == .menclose else { return "√" }
    let notations = notations(of: id, in: document)
    return notations.contains("radical") ? "√" : notations.contains("longdiv") ? ")" : nil
  }

  private static func notations(of id: NodeID, in document: Document) -> [String] {
    let value = document.drawingAttribute("notation", of: id) ?? "longdiv"
    return value.split(whereSeparator: \.isWhitespace).map { String($0) }
  }

  /// The thickness of lines.
  private static let line = "0.06em"

  static func css(for id: NodeID, in document: Document) -> String {
    var edges: Set<String> = []
    var css = ""
    for notation in notations(of: id, in: document) {
      switch notation {
      case "box": edges.formUnion(["left", "right", "top", "bottom"])
      case "roundedbox":
        edges.formUnion(["left", "right", "top", "bottom"])
        css += "border-radius:0.4em;"
      case "circle":
        edges.formUnion(["left", "right", "top", "bottom"])
        css += "border-radius:50%;"
      case "left", "right", "top", "bottom": edges.insert(notation)
      case "actuarial": edges.formUnion(["top", "right"])
      case "madruwb": edges.formUnion(["bottom", "right"])
      case "phasorangle":
        edges.insert("bottom")
        css += "padding-left:0.7em;"
      default: break
      }
    }
    if !edges.isEmpty {
      let isRound = css.contains("50%")
      css = "padding:\(isRound ? "0.3em 0.4em" : "0.2em");" + css
      for edge in edges.sorted() { css += "border-\(edge):\(line) solid;" }
    }
    return css
  }
}
