import CSS
import Markup
import Primitives
import Styling

/// The first pass over a document: which elements contain a block, so that a container knows when it is entered whether
/// its text needs anonymous blocks (CSS 2.2, section 9.2.1.1).
struct BlockMap {
  private struct Flags: OptionSet {
    var rawValue: UInt8
    static let containsBlock = Self(rawValue: 1)
    static let hasPseudoElements = Self(rawValue: 2)
  }

  private var flags: [Flags]

  /// A block-level box in flow lies among the descendants that the node does not itself contain in a block.
  func containsBlock(_ node: NodeID) -> Bool { flags[node.index].contains(.containsBlock) }
  func hasPseudoElements(_ node: NodeID) -> Bool { flags[node.index].contains(.hasPseudoElements) }

  /// - Complexity: O(nodes), from the last node to the first.
  init(_ tree: StyledTree, _ boxTraits: [BoxTraits]) {
    let document = tree.document
    flags = [Flags](repeating: [], count: document.nodes.count)
    for entry in tree.pseudoElements {
      flags[entry.node.index].insert(.hasPseudoElements)
      if entry.pseudo == .before || entry.pseudo == .after,
        boxTraits[entry.style.box.index].role == .block
      {
        flags[entry.node.index].insert(.containsBlock)
      }
    }
    /// The node's box, or the nearest one above it that exists, is a non-atomic inline.
    func isInline(_ node: NodeID) -> Bool {
      var node = node
      while !node.isNone, document.nodes[node.index].kind == .element {
        let role = boxTraits[tree.styles[node.index].box.index].role
        if role != .contents { return role == .inline }
        node = document.nodes[node.index].parent
      }
      return false
    }
    var index = document.nodes.count - 1
    while index > 0 {
      let node = document.nodes[index]
      if node.kind == .element, !node.parent.isNone {
        let marks: Bool
        switch boxTraits[tree.styles[index].box.index].role {
        case .block: marks = true
        case .inline where boxTraits[tree.styles[index].box.index].isRuby: marks = false
        case .inline where boxTraits[tree.styles[index].box.index].isRubyPart: marks = false
        case .inline, .contents:
          marks = flags[index].contains(.containsBlock) && node.namespace != .svg
        case .rowGroup, .row, .cell, .columnGroup, .column, .caption: marks = !isInline(node.parent)
        case .none, .atomic, .float, .positioned: marks = false
        }
        let page = tree.styles[index].page
        let isRunning = page.index != 0 && !tree.table.pages[page.index].running.isEmpty
        if marks, !isRunning { flags[node.parent.index].insert(.containsBlock) }
      }
      index -= 1
    }
  }
}
