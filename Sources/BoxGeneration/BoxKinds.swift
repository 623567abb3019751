import CSS
import Markup
import Primitives
import Styling

/// What kind of box an element's computed values ask for, and whether it establishes a formatting context of its own
/// (CSS Display 3, section 2).
struct BoxKinds {
  private let tree: StyledTree
  private let document: Document
  private let boxTraits: [BoxTraits]

  init(_ tree: StyledTree, _ boxTraits: [BoxTraits]) {
    self.tree = tree
    document = tree.document
    self.boxTraits = boxTraits
  }

  /// The inner display type as a kind of box.
  func kind(_ display: Display, _ traits: BoxTraits) -> BoxKind {
    switch display {
    case .table, .inlineTable: .table
    case .flex, .inlineFlex: .flex
    case .grid, .inlineGrid: .grid
    case .tableRowGroup: .tableRowGroup
    case .tableHeaderGroup: .tableHeaderGroup
    case .tableFooterGroup: .tableFooterGroup
    case .tableRow: .tableRow
    case .tableCell: .tableCell
    case .tableCaption: .tableCaption
    case .tableColumnGroup: .tableColumnGroup
    case .tableColumn: .tableColumn
    case .none, .contents, .block, .inline, .inlineBlock, .flowRoot, .listItem, .inlineListItem, .flowRootListItem,
      .inlineBlockListItem, .ruby, .blockRuby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer:
      traits.isColumns ? .columns : .block
    }
  }

  /// The box is part of a formula.
  func formulaFlags(_ node: NodeID) -> BoxFlags {
    document.nodes[node.index].namespace == .mathML ? .formula : []
  }

  /// The flags of a box in flow.
  func flags(
    _ kind: BoxKind, _ display: Display, _ style: ComputedStyle, _ traits: BoxTraits, _ node: NodeID
  ) -> BoxFlags {
    var flags: BoxFlags = []
    let isBodyScroll = traits.scrolls && propagatesOverflow(node)
    if kind != .block || [.flowRoot, .flowRootListItem, .inlineBlock].contains(display)
      || (traits.scrolls && !isBodyScroll)
    {
      flags.insert(.formattingContext)
    }
    if traits.role == .block, !flags.contains(.formattingContext), style.box.index != 0 {
      // The style is read in its place: a copy counts all that it refers to, for each box.
      if tree.table.boxes[style.box.index].columnSpan == .all
        || tree.table.boxes[style.box.index].rare?.values.isIndependent == true
      {
        flags.insert(.formattingContext)
      }
    }
    if turns(node, style) { flags.insert(.formattingContext) }
    switch kind {
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup:
      flags.remove(.formattingContext)
    default: break
    }
    return flags.union(formulaFlags(node))
  }

  /// The box has another writing mode than the box around it: it is a flow of its own. The body's is the page's (CSS
  /// Writing Modes 4, sections 3.2 and 8).
  private func turns(_ node: NodeID, _ style: ComputedStyle) -> Bool {
    let parent = document.nodes[node.index].parent
    guard !parent.isNone, parent.index < tree.styles.count, parent != document.root else { return false }
    let outer = tree.styles[parent.index].paragraph
    guard outer != style.paragraph else { return false }
    return tree.table.paragraphs[outer.index].writingMode != tree.table.paragraphs[style.paragraph.index].writingMode
  }

  /// The overflow of `body` belongs to the page when the root has none (CSS Overflow 3, section 3.3).
  private func propagatesOverflow(_ node: NodeID) -> Bool {
    guard document.isElement(node, .body), document.nodes[node.index].parent == document.root else { return false }
    return !boxTraits[tree.styles[document.root.index].box.index].clips
  }
}
