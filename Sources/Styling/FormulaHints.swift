import Markup
import Primitives

/// What the text of an element of MathML says about its looks: an attribute that would ask for the same, and its value.
extension PresentationalHints {
  static func formulaHint(_ id: NodeID, in document: Document) -> (attribute: Atom, value: String)? {
    let name = document.nodes[id.index].name
    guard name == .mi || name == .mo, let sign = onlySign(of: id, in: document) else { return nil }
    if name == .mi {
      // A single letter is set in italics (MathML Core, section 4.2).
      guard document.attribute(.mathvariant, of: id) == nil, sign.properties.isAlphabetic, sign.value < 0x1D400 else {
        return nil
      }
      return (.mathvariant, "italic")
    }
    return space(around: sign, id, in: document).map { (.form, $0) }
  }

  /// The only character of an element beside white space.
  private static func onlySign(of id: NodeID, in document: Document) -> Unicode.Scalar? {
    let child = document.nodes[id.index].firstChild
    guard !child.isNone, document.nodes[child.index].nextSibling.isNone, document.nodes[child.index].kind == .text
    else {
      return nil
    }
    let range = document.nodes[child.index].range
    guard range.count <= 64 else { return nil }
    var only: Unicode.Scalar?
    for scalar in document.string(range).unicodeScalars where !scalar.properties.isWhitespace {
      guard only == nil else { return nil }
      only = scalar
    }
    return only
  }

  /// The distance that relations and binary operators keep (MathML Core, operator dictionary); none where one is a prefix.
  private static func space(around sign: Unicode.Scalar, _ id: NodeID, in document: Document) -> String? {
    switch sign {
    case "=", "<", ">", "\u{2190}"..."\u{21FF}", "\u{2208}"..."\u{220D}", "\u{223C}"..."\u{228B}",
      "\u{22A2}"..."\u{22AF}", "\u{22B2}"..."\u{22B8}", "\u{27F5}"..."\u{27FF}", "\u{2A7D}"..."\u{2AC6}":
      return "0.2778em"
    case "+", "-", "\u{2212}", "\u{00B1}", "\u{2213}", "\u{00D7}", "\u{00F7}", "\u{22C5}", "\u{2218}", "\u{2227}",
      "\u{2228}",
      "\u{2229}", "\u{222A}", "\u{2295}"..."\u{2299}":
      return follows(id, in: document) ? "0.2222em" : nil
    default: return nil
    }
  }

  /// Whether an operand stands right before an operator.
  private static func follows(_ id: NodeID, in document: Document) -> Bool {
    var previous = NodeID.none
    var sibling = document.nodes[document.nodes[id.index].parent.index].firstChild
    var count = 0
    while sibling != id {
      // No formula is as long.
      guard !sibling.isNone, count < 1000 else { return true }
      if document.nodes[sibling.index].kind == .element { previous = sibling }
      sibling = document.nodes[sibling.index].nextSibling
      count += 1
    }
    guard !previous.isNone else { return false }
    let value = document.nodes[previous.index]
    guard value.name == .mo else { return true }
    return onlySign(of: previous, in: document).map { [")", "]", "}", "!", "|"].contains($0) } ?? false
  }
}
