import Markup
import Primitives

/// The space around operators (MathML Core, sections 3.2.4.2 and 3.3.1.2, appendix B). An operator with scripts, limits or a fraction
/// around it, or in a row of its own, is an embellished one: its space stands around the outermost of these.
enum OperatorSpacing {
  /// The size of the parts of a fraction in a line of text, scripts as well.
  private static let scale: Float = 0.71
  /// Elements around an operator beyond these are not looked at.
  private static let mostLevels = 8

  /// An operator at the core of an element.
  private struct Core {
    var operation: NodeID
    /// The size of its font, in that of the element.
    var scale: Float = 1
  }

  /// The margins of an element that is an operator, or the outermost that embellishes one; empty for any other.
  ///
  /// - Parameter isDisplayed: The element's `math-style` is `normal`.
  static func css(for id: NodeID, in document: Document, isDisplayed: Bool) -> String {
    guard let core = core(of: id, in: document, isDisplayed: isDisplayed) else { return "" }
    let parent = document.nodes[id.index].parent
    guard !parent.isNone, isRow(parent, in: document), !embellishes(parent, core.operation, in: document) else {
      return ""
    }
    let (start, end) = space(around: core.operation, outermost: id, in: document)
    func side(_ name: String, _ value: String) -> String {
      guard value != Space.none.rawValue, value != "0px" else { return "" }
      return core.scale == 1
        ? "margin-inline-\(name):\(value);" : "margin-inline-\(name):calc(\(value) * \(core.scale));"
    }
    return side("start", start) + side("end", end)
  }

  /// The element is an operator, or embellishes one.
  static func isOperator(_ id: NodeID, in document: Document) -> Bool { core(of: id, in: document) != nil }

  /// Children of the element stand one after the other: others know no space around operators.
  private static func isRow(_ id: NodeID, in document: Document) -> Bool {
    switch document.nodes[id.index].name {
    case .mfrac, .mroot, .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts: false
    default: document.nodes[id.index].namespace == .mathML
    }
  }

  private static func embellishes(_ id: NodeID, _ operation: NodeID, in document: Document) -> Bool {
    document.nodes[id.index].namespace == .mathML && core(of: id, in: document)?.operation == operation
  }

  /// The operator that an element is, or embellishes (section 3.2.4.1).
  private static func core(
    of id: NodeID, in document: Document, isDisplayed: Bool = true, depth: Int = 0
  ) -> Core? {
    guard depth < mostLevels else { return nil }
    switch document.nodes[id.index].name {
    case .mo: return Core(operation: id)
    case .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts, .mfrac, .semantics:
      guard let first = FormulaHints.firstElement(of: id, document),
        var core = core(of: first, in: document, isDisplayed: isDisplayed, depth: depth + 1)
      else { return nil }
      if document.nodes[id.index].name == .mfrac, !isDisplayed { core.scale *= scale }
      return core
    case .mrow, .mstyle, .mphantom, .mpadded:
      var only: NodeID?
      for child in document.children(of: id) where document.nodes[child.index].kind == .element {
        guard !isSpace(document.nodes[child.index].name) else { continue }
        guard only == nil else { return nil }
        only = child
      }
      return only.flatMap { core(of: $0, in: document, isDisplayed: isDisplayed, depth: depth + 1) }
    default: return nil
    }
  }

  private static func isSpace(_ name: Atom) -> Bool { name == .mtext || name == .mspace }

  /// The space before and after an operator: its own, or as the operator dictionary has it.
  private static func space(around id: NodeID, outermost: NodeID, in document: Document) -> (String, String) {
    let known = dictionarySpace(around: id, outermost: outermost, in: document)
    return (
      FormulaHints.length(.lspace, of: id, in: document) ?? known.start.rawValue,
      FormulaHints.length(.rspace, of: id, in: document) ?? known.end.rawValue
    )
  }

  /// The spaces of the operator dictionary.
  private enum Space: String {
    case none = "0em"
    case thin = "0.1667em"
    case medium = "0.2222em"
    case thick = "0.2778em"
  }

  private static func dictionarySpace(around id: NodeID, outermost: NodeID, in document: Document) -> (
    start: Space, end: Space
  ) {
    guard let sign = FormulaHints.onlySign(of: id, in: document) else {
      return FormulaHints.text(of: id, document).isEmpty ? (.none, .none) : (.thick, .thick)
    }
    switch sign {
    case ",", ":", ";": return (.none, .thin)
    case "+", "-", "\u{2212}", "\u{00B1}", "\u{2213}", "\u{2218}", "\u{2227}"..."\u{222A}", "\u{2295}"..."\u{2299}",
      "\u{00F7}", "\u{00D7}", "\u{22C5}":
      return follows(outermost, in: document) ? (.medium, .medium) : (.none, .none)
    case "%", "*", ".", "?", "@", "\u{B7}", "\u{2022}": return (.thin, .thin)
    default:
      if FormulaHints.isLarge(sign) { return (.thin, .thin) }
      return isTight(sign) ? (.none, .none) : (.thick, .thick)
    }
  }

  /// Fences, prefixes, postfixes, accents and signs that show nothing.
  private static func isTight(_ sign: Unicode.Scalar) -> Bool {
    switch sign {
    case "!", "\"", "&", "'", "(", ")", "/", "[", "\\", "]", "^", "_", "`", "{", "|", "}", "~", "\u{A8}", "\u{AC}",
      "\u{AF}", "\u{B0}", "\u{B2}"..."\u{B4}", "\u{B8}"..."\u{B9}", "\u{2C6}"..."\u{2DD}", "\u{300}"..."\u{36F}",
      "\u{2016}", "\u{2018}"..."\u{201F}", "\u{2026}", "\u{2032}"..."\u{2037}", "\u{203E}", "\u{2057}",
      "\u{2061}"..."\u{2064}", "\u{20D0}"..."\u{20FF}", "\u{2145}"..."\u{2146}", "\u{2200}"..."\u{2204}", "\u{2207}",
      "\u{221A}"..."\u{221C}", "\u{221F}"..."\u{2222}", "\u{22EE}"..."\u{22F1}", "\u{2308}"..."\u{230B}",
      "\u{2329}", "\u{232A}", "\u{23B4}"..."\u{23B5}", "\u{23DC}"..."\u{23E1}", "\u{2772}"..."\u{2773}",
      "\u{27E6}"..."\u{27EF}", "\u{2980}", "\u{2983}"..."\u{2998}", "\u{29FC}"..."\u{29FD}":
      true
    default: sign.properties.isWhitespace
    }
  }

  /// The operand stands right before an operator.
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
    return FormulaHints.onlySign(of: previous, in: document).map { [")", "]", "}", "!", "|"].contains($0) } ?? false
  }
}
