import Primitives
import Styling
import Text

/// Items about to be placed in the top frame.
enum FlowItem {
  /// Inline content, a block, a float or a positioned box.
  case inline, block
  case rowGroup, row, cell, columnGroup, column, caption

  init(_ role: FlowRole) {
    switch role {
    case .rowGroup: self = .rowGroup
    case .row: self = .row
    case .cell: self = .cell
    case .columnGroup: self = .columnGroup
    case .column: self = .column
    case .caption: self = .caption
    case .block: self = .block
    case .none, .contents, .inline, .atomic, .float, .positioned: self = .inline
    }
  }
  /// Depth in a table of the parent it belongs in: table, row group, row.
  var parentLevel: Int {
    switch self {
    case .rowGroup, .caption, .columnGroup, .column: 0
    case .row: 1
    case .cell: 2
    case .inline, .block: 3
    }
  }
}

extension OpenBox.Kind {
  /// Depth in a table; a cell, caption or any other block container is deepest.
  var level: Int {
    switch self {
    case .table: 0
    case .rowGroup, .columnGroup: 1
    case .row: 2
    case .block, .flex, .column: 3
    }
  }
}

/// Anonymous table objects (CSS 2.2, section 17.2.1), made while children arrive: wrappers stand above the frame of the
/// real parent and stay open for the siblings that belong in the same ones. Rows always come to stand in a row group.
extension BoxGenerator {
  /// Makes the top frame one that takes the item.
  ///
  /// - Returns: false when the item has no place at all: it is not rendered.
  mutating func enter(_ item: FlowItem) -> Bool {
    let real = openBoxes.realFrame
    switch openBoxes.frames[real].kind {
    case .block, .flex:
      enterFlow(item, from: real)
      return true
    case .table, .rowGroup, .row:
      let level = openBoxes.frames[real].kind.level
      if item.parentLevel < 3, item.parentLevel >= level {
        // Content of an anonymous cell is no part of its parent's table.
        let cell = real + 3 - level
        if openBoxes.frames.count > cell, openBoxes.frames[cell].kind == .block { popFrames(to: cell - 1) }
        place(item, from: real)
        return true
      }
      // Anything else goes into an anonymous cell, with a table of its own for stray table parts.
      let cell = real + 3 - level
      if openBoxes.frames.count <= cell || openBoxes.frames[cell].kind != .block
        || (openBoxes.frames.count > real + 1 && openBoxes.frames[real + 1].kind == .columnGroup)
      {
        if openBoxes.frames.count > real + 1, openBoxes.frames[real + 1].kind == .columnGroup { popFrames(to: real) }
        place(.cell, from: real)
        wrap(.tableCell)
      }
      enterFlow(item, from: cell)
      return true
    case .columnGroup:
      return item == .column
    case .column:
      return false
    }
  }

  /// Opens or closes wrappers above the block container at `base`: those of a table of its own for stray table parts.
  private mutating func enterFlow(_ item: FlowItem, from base: Int) {
    if item.parentLevel == 3 { return popFrames(to: base) }
    if openBoxes.frames.count - 1 == base || openBoxes.frames[base + 1].kind != .table {
      popFrames(to: base)
      wrapInTable()
    }
    place(item, from: base + 1)
  }

  /// Opens or closes wrappers above the table part at `base` until the item's parent is on top.
  private mutating func place(_ item: FlowItem, from base: Int) {
    let wanted = item.parentLevel
    while openBoxes.frames.count - 1 > base {
      let kind = openBoxes.frames[openBoxes.frames.count - 1].kind
      if kind == .columnGroup ? item == .column : kind.level <= wanted { break }
      closeFrame()
    }
    if item == .column {
      if openBoxes.frames[openBoxes.frames.count - 1].kind == .table { wrap(.tableColumnGroup) }
      return
    }
    if openBoxes.frames[openBoxes.frames.count - 1].kind.level == 0, wanted >= 1 { wrap(.tableRowGroup) }
    if openBoxes.frames[openBoxes.frames.count - 1].kind.level == 1, wanted >= 2 { wrap(.tableRow) }
  }

  /// Pushes an anonymous table part.
  private mutating func wrap(_ kind: BoxKind) {
    let top = openBoxes.frames.count - 1
    let frame = openBoxes.frames[top]
    var flags: BoxFlags = .anonymous
    if kind == .tableCell { flags.insert(.formattingContext) }
    let style = frame.style.anonymousChild
    let box = makeBox(kind, frame.node, nil, style, flags, parent: frame.box)
    link(box, to: top)
    pushFrame(box, wrapsInline: kind == .tableCell, style: style, node: frame.node)
  }

  /// Pushes an anonymous table, inline where its parent is an inline box.
  private mutating func wrapInTable() {
    let top = openBoxes.frames.count - 1
    let frame = openBoxes.frames[top]
    let isInline = openBoxes.inlineStack.count > frame.inlineBase || rubies.frame == top
    let around = openBoxes.inlineStack[frame.inlineBase...].last?.style ?? frame.style
    let style = around.anonymousChild
    let box: BoxID
    if isInline {
      let builder = inlineContext()
      let parent = inlineParent(builder)
      box = makeBox(.table, frame.node, nil, style, [.anonymous, .atomicInline, .formattingContext], parent: parent)
      let attribute = attributes.attributes(of: style, decorations: openBoxes.decorations)
      openBoxes.builders[builder].append(.object, unit: 0xFFFC, attribute, node: frame.node, box: box)
    } else {
      breakInline()
      box = makeBox(.table, frame.node, nil, style, [.anonymous, .formattingContext], parent: frame.box)
      link(box, to: top)
    }
    pushFrame(box, wrapsInline: false, style: style, node: frame.node)
  }
}
