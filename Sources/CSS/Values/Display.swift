/// The outer and the inner display type of a box (CSS Display 3, section 2).
@frozen public enum Display: UInt8, Hashable, Sendable {
  case none, contents, block, inline, inlineBlock, flowRoot, listItem, inlineListItem
  case flowRootListItem, inlineBlockListItem
  case table, inlineTable, tableRowGroup, tableHeaderGroup, tableFooterGroup, tableRow, tableColumnGroup, tableColumn,
    tableCell, tableCaption
  case flex, inlineFlex, grid, inlineGrid
  /// CSS Ruby 1, section 2.1.
  case ruby, blockRuby, rubyBase, rubyText, rubyBaseContainer, rubyTextContainer
}

extension Display: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .contents: "contents"
    case .block: "block"
    case .inline: "inline"
    case .inlineBlock: "inline-block"
    case .flowRoot: "flow-root"
    case .listItem: "list-item"
    case .inlineListItem: "inline list-item"
    case .flowRootListItem: "flow-root list-item"
    case .inlineBlockListItem: "inline flow-root list-item"
    case .table: "table"
    case .inlineTable: "inline-table"
    case .tableRowGroup: "table-row-group"
    case .tableHeaderGroup: "table-header-group"
    case .tableFooterGroup: "table-footer-group"
    case .tableRow: "table-row"
    case .tableColumnGroup: "table-column-group"
    case .tableColumn: "table-column"
    case .tableCell: "table-cell"
    case .tableCaption: "table-caption"
    case .flex: "flex"
    case .inlineFlex: "inline-flex"
    case .grid: "grid"
    case .inlineGrid: "inline-grid"
    case .ruby: "ruby"
    case .blockRuby: "block ruby"
    case .rubyBase: "ruby-base"
    case .rubyText: "ruby-text"
    case .rubyBaseContainer: "ruby-base-container"
    case .rubyTextContainer: "ruby-text-container"
    }
  }
}

extension Display {
  /// The part of a box in the flow around it (CSS Display 3, section 2.1).
  package enum Outside: UInt8, Sendable {
    case none, contents, block, inline
    /// Inline-level and a formatting context of its own, so that a line holds it as a whole.
    case atomic
    case tablePart
    /// A part of a ruby, which stands in a line.
    case rubyPart
  }

  package var outside: Outside {
    switch self {
    case .none: .none
    case .contents: .contents
    case .block, .flowRoot, .listItem, .flowRootListItem, .table, .flex, .grid, .blockRuby: .block
    case .inline, .inlineListItem, .ruby: .inline
    case .inlineBlock, .inlineBlockListItem, .inlineTable, .inlineFlex, .inlineGrid: .atomic
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableColumnGroup, .tableColumn, .tableCell,
      .tableCaption:
      .tablePart
    case .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer: .rubyPart
    }
  }

  /// The block-level sibling (CSS Display 3, section 2.7).
  package var blockified: Display {
    switch self {
    case .ruby: .blockRuby
    case .inline, .inlineBlock, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer, .tableRowGroup,
      .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableColumnGroup, .tableColumn, .tableCell, .tableCaption:
      .block
    case .inlineListItem: .listItem
    case .inlineBlockListItem: .flowRootListItem
    case .inlineTable: .table
    case .inlineFlex: .flex
    case .inlineGrid: .grid
    case .none, .contents, .block, .flowRoot, .listItem, .flowRootListItem, .table, .flex, .grid, .blockRuby: self
    }
  }

  /// The children are items, which are blockified (CSS Flexible Box 1, section 4; CSS Grid 1, section 6).
  package var holdsItems: Bool {
    switch blockified {
    case .flex, .grid: true
    default: false
    }
  }
}
