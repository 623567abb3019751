package import Markup
package import Primitives

/// The space around operators (MathML Core, section 3.3.1.2). An operator with scripts, limits or a fraction around it, or in a row of
/// its own, is an embellished one: its space stands around the outermost of these.
package enum OperatorSpacing {
  /// The size of the parts of a fraction in a line of text.
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
    let spaces = MathOperator(core.operation, in: id, document).spaces
    func side(_ name: String, _ value: String) -> String {
      guard value != "0px" else { return "" }
      return core.scale == 1
        ? "margin-inline-\(name):\(value);" : "margin-inline-\(name):calc(\(value) * \(core.scale));"
    }
    return side("start", spaces.start) + side("end", spaces.end)
  }

  /// The operator that an element is, or embellishes (MathML Core, section 3.2.4.1); nil for any other element.
  package static func core(of id: NodeID, in document: Document) -> NodeID? {
    core(of: id, in: document, isDisplayed: true)?.operation
  }

  /// The operator that an element is, or embellishes, as it is in the outermost element that does.
  package static func operation(of id: NodeID, in document: Document) -> MathOperator? {
    guard let core = core(of: id, in: document) else { return nil }
    var outermost = id
    for _ in 0..<mostLevels {
      let parent = document.nodes[outermost.index].parent
      guard !parent.isNone, embellishes(parent, core, in: document) else { break }
      outermost = parent
    }
    return MathOperator(core, in: outermost, document)
  }

  /// Children of the element stand one after the other: others know no space around operators.
  static func isRow(_ id: NodeID, in document: Document) -> Bool {
    switch document.nodes[id.index].name {
    case .mfrac, .mroot, .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts: false
    default: document.nodes[id.index].namespace == .mathML
    }
  }

  private static func embellishes(_ id: NodeID, _ operation: NodeID, in document: Document) -> Bool {
    document.nodes[id.index].namespace == .mathML && core(of: id, in: document) == operation
  }

  private static func core(
    of id: NodeID, in document: Document, isDisplayed: Bool, depth: Int = 0
  ) -> Core? {
    guard depth < mostLevels, document.nodes[id.index].namespace == .mathML else { return nil }
    switch document.nodes[id.index].name {
    case .mo: return Core(operation: id)
    case .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts, .mfrac, .semantics, .maction:
      guard let first = FormulaHints.firstElement(of: id, document),
        var core = core(of: first, in: document, isDisplayed: isDisplayed, depth: depth + 1)
      else { return nil }
      if document.nodes[id.index].name == .mfrac, !isDisplayed { core.scale *= scale }
      return core
    case .mrow, .mstyle, .mphantom, .mpadded:
      var only: NodeID?
      for child in document.children(of: id) where document.nodes[child.index].kind == .element {
        guard !isSpaceLike(child, in: document, depth: depth + 1) else { continue }
        guard only == nil else { return nil }
        only = child
      }
      return only.flatMap { core(of: $0, in: document, isDisplayed: isDisplayed, depth: depth + 1) }
    default: return nil
    }
  }

  /// The element is a space, or a row of nothing else (MathML Core, section 3.2.5.1).
  package static func isSpaceLike(_ id: NodeID, in document: Document) -> Bool {
    isSpaceLike(id, in: document, depth: 0)
  }

  private static func isSpaceLike(_ id: NodeID, in document: Document, depth: Int) -> Bool {
    switch document.nodes[id.index].name {
    case .mtext, .mspace: return true
    case .mrow, .mstyle, .mphantom, .mpadded:
      guard depth < mostLevels else { return false }
      return document.children(of: id).allSatisfy {
        document.nodes[$0.index].kind != .element || isSpaceLike($0, in: document, depth: depth + 1)
      }
    case .maction, .semantics:
      guard depth < mostLevels, let first = FormulaHints.firstElement(of: id, document) else { return false }
      return isSpaceLike(first, in: document, depth: depth + 1)
    default: return false
    }
  }
}
