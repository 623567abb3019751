import CSS
import Layout
import Markup
import Primitives
import Styling

/// A running element that a margin box shows (CSS Generated Content for Paged Media 3, section 1.2): its content is laid out in the
/// box, with the styles that it has in the text.
struct RunningElement: Hashable {
  var box: PageMarginBox
  /// Of the chapter's document.
  var node: NodeID

  /// The running elements that a page shows, in the order of its margin boxes.
  static func all(in page: PageStyle, _ facts: PageFacts, of tree: StyledTree) -> [RunningElement] {
    page.marginBoxes.compactMap { box, style in
      guard let (name, position) = shown(by: style, tree.table), let node = facts.element(name, position),
        node.index < tree.document.nodes.count, tree.document[node].kind == .element
      else { return nil }
      return RunningElement(box: box, node: node)
    }
  }

  /// The element that a margin box shows in place of generated content.
  static func shown(by style: ComputedStyle, _ table: StyleTable) -> (name: String, position: NamedStringPosition)? {
    guard case .items(let items) = table[style.box].content else { return nil }
    for case .element(let name, let position) in items { return (name, position) }
    return nil
  }
}

extension StyledTree {
  /// The tree with a copy of an element of another one, whose styles are in this one's table as well, as last child of `parent`.
  func adding(_ element: NodeID, of other: StyledTree, to parent: NodeID) -> StyledTree {
    let start = document[parent].subtreeEnd.index
    let range = element.index..<other.document[element].subtreeEnd.index
    func moved(_ entry: PseudoElementStyle, by shift: Int) -> PseudoElementStyle {
      PseudoElementStyle(node: NodeID(entry.node.index + shift), pseudo: entry.pseudo, style: entry.style)
    }
    var own = (0..<start).map { styles[$0] } + range.map { other.styles[$0] }
    own += (start..<document.nodes.count).map { styles[$0] }
    // In its box it is in the flow.
    own[start].page = .init(0)
    var result = self
    result.document =
      document.importing([Document.Fragment(document: other.document, root: element)], into: parent).document
    result.styles = ComputedStyles(own)
    result.pseudoElements = pseudoElements.filter { $0.node.index < start }
    result.pseudoElements += other.pseudoElements.filter { range.contains($0.node.index) }
      .map { moved($0, by: start - element.index) }
    result.pseudoElements += pseudoElements.filter { $0.node.index >= start }.map { moved($0, by: range.count) }
    return result
  }
}
