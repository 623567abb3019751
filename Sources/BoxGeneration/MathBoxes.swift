import CSS
import Markup
import Primitives
import Styling

/// MathML as boxes of CSS (MathML Core, sections 3.2 and 3.3): `FormulaHints` places scripts, limits and fractions; roots are made
/// here, and only the first child of `semantics` is shown.
extension BoxGenerator {
  mutating func mathContent(_ node: NodeID, _ style: ComputedStyle) {
    let name = document.nodes[node.index].name
    switch name {
    case .mi, .mn, .mo, .ms, .mtext, .annotation, .annotationXml: children(of: node)
    case .msqrt, .mroot: root(node, style)
    // Content of `mspace` is not shown.
    case .mspace: break
    case .msubsup,
      .munderover where name == .msubsup || tree.table.boxes[style.box.index].display != .inlineFlex:
      let parts = mathChildren(of: node)
      if let base = parts.first { generate(base) }
      enclose(Array(parts.dropFirst()), of: node, .inlineFlex)
    case .mmultiscripts: multiscripts(node)
    case .mfenced:
      appendGenerated(document.attributeValue(.open, of: node) ?? "(", node, style)
      let separators = Array((document.attributeValue(.separators, of: node) ?? ",").filter { !$0.isWhitespace })
      for (index, child) in mathChildren(of: node).enumerated() {
        if index > 0, let last = separators.last {
          appendGenerated(String(index <= separators.count ? separators[index - 1] : last), node, style)
        }
        generate(child)
      }
      appendGenerated(document.attributeValue(.close, of: node) ?? ")", node, style)
    case .semantics:
      if let first = mathChildren(of: node).first { generate(first) }
    default:
      for child in mathChildren(of: node) { generate(child) }
    }
  }

  /// The child elements; white space between them is no text.
  private func mathChildren(of node: NodeID) -> [NodeID] {
    document.children(of: node).filter { document.nodes[$0.index].kind == .element || !isBlankText($0) }
  }
  private func isBlankText(_ node: NodeID) -> Bool {
    let range = document.nodes[node.index].range
    return unsafe isBlank(UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
  }

  /// The index of a root, its sign, and under its bar the children of a square root, or the first of another's.
  private mutating func root(_ node: NodeID, _ style: ComputedStyle) {
    let parts = mathChildren(of: node)
    let isSquare = document.nodes[node.index].name == .msqrt
    if !isSquare, parts.count > 1 { generate(parts[1]) }
    appendGenerated("√", node, style)
    let under = isSquare ? parts : Array(parts.prefix(1))
    enclose(under, of: node, .inlineBlock)
  }

  /// A base between its prescripts and its postscripts, each pair in a box of its own (MathML Core, section 3.4.3).
  private mutating func multiscripts(_ node: NodeID) {
    let parts = mathChildren(of: node)
    guard let base = parts.first else { return }
    let halves = parts.dropFirst().split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { document.nodes[$0.index].name == .mprescripts })
    func pairs(_ half: ArraySlice<NodeID>) -> [[NodeID]] {
      stride(from: half.startIndex, to: half.endIndex, by: 2).map { Array(half[$0..<min($0 + 2, half.endIndex)]) }
    }
    if halves.count > 1 { for pair in pairs(halves[1]) { enclose(pair, of: node, .inlineFlex) } }
    generate(base)
    for pair in pairs(halves[0]) { enclose(pair, of: node, .inlineFlex) }
  }

  /// Puts children into a box of their own, which has the looks of the element's `::after`.
  private mutating func enclose(_ children: [NodeID], of node: NodeID, _ display: Display) {
    guard !children.isEmpty, !FormulaHints.isTooDeep(node, in: document), let style = tree.style(of: node, .after)
    else { return children.forEach { generate($0) } }
    enclosed = children
    atomicInline(node, .after, style, boxTraits[style.box.index], display, nil)
  }
}
