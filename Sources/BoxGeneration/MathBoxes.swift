import Markup
import Primitives
import Styling

/// MathML as inline text: no content is lost, fractions are written with a solidus, roots with a radical sign, and only the
/// first child of `semantics` is shown (MathML Core, sections 3.2 and 3.3).
extension BoxGenerator {
  mutating func mathContent(_ node: NodeID, _ style: ComputedStyle) {
    switch document.nodes[node.index].name {
    case .mi, .mn, .mo, .ms, .mtext, .annotation, .annotationXml: children(of: node)
    case .mfrac:
      var isFirst = true
      for child in mathChildren(of: node) {
        if !isFirst { appendGenerated("∕", node, style) }
        isFirst = false
        group(child, style)
      }
    case .msqrt:
      appendGenerated("√", node, style)
      let parts = mathChildren(of: node)
      if parts.count == 1 {
        group(parts[0], style)
      } else {
        appendGenerated("(", node, style)
        for child in parts { generate(child) }
        appendGenerated(")", node, style)
      }
    case .mroot:
      let parts = mathChildren(of: node)
      if parts.count > 1 { generate(parts[1]) }
      appendGenerated("√", node, style)
      if let first = parts.first { group(first, style) }
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
    return isBlank(UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
  }

  /// A child in brackets when it is a row of several.
  private mutating func group(_ node: NodeID, _ style: ComputedStyle) {
    let value = document.nodes[node.index]
    let isRow = value.namespace == .mathML && value.name == .mrow && mathChildren(of: node).count > 1
    if isRow { appendGenerated("(", node, style) }
    generate(node)
    if isRow { appendGenerated(")", node, style) }
  }
}
