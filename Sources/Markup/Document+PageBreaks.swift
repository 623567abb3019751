package import Primitives

extension Document {
  /// The elements that say where a page of the printed edition begins (`doc-pagebreak`; EPUB's `pagebreak`), in order.
  package var pageBreaks: [NodeID] {
    let isNamed = attributes.contains { isType($0.name) && string($0.value).contains("pagebreak") }
    return isNamed ? nodes.indices.lazy.map { NodeID($0) }.filter(isPageBreak) : []
  }

  private func isType(_ name: Atom) -> Bool { name == .epubType || name == .role }

  /// The element says where a page of the printed edition begins.
  package func isPageBreak(_ id: NodeID) -> Bool {
    guard nodes[id.index].kind == .element else { return false }
    return nodes[id.index].range.contains { index in
      let attribute = attributes[Int(index)]
      return isType(attribute.name)
        && string(attribute.value).split(separator: " ").contains { $0 == "pagebreak" || $0 == "doc-pagebreak" }
    }
  }

  /// The number or name of the printed page that a page break begins; its id where it tells nothing else.
  package func label(ofPageBreak node: NodeID) -> String {
    for name in [Atom.title, Atom.ariaLabel] {
      if let text = attributeValue(name, of: node), !text.isEmpty { return text }
    }
    let text = words(of: node)
    return text.isEmpty ? attributeValue(.id, of: node) ?? "" : text
  }
}
