import BoxGeneration
import CSS
import Primitives
import Styling
import Text

/// One page's part of a table (CSS 2.2, section 17): captions above or below the grid, rows broken over pages, header rows
/// repeated.
struct TableLayout {
  let context: LayoutContext
  let table: BoxID
  let space: ConstraintSpace
  let token: BreakToken?
  let model: TableModel
  let geometry: BoxGeometry
  let inlineSize: LayoutUnit
  /// Used column widths, 0 for collapsed ones, and what those would be.
  let widths: [LayoutUnit]
  private let uncollapsedWidths: [LayoutUnit]
  /// Line-left edges of the columns from the grid fragment's border box, in grid order.
  let columnStarts: [LayoutUnit]
  let isRTL: Bool
  /// No row stands on an earlier page.
  let startsGrid: Bool
  let startEdge: LayoutUnit
  /// Border and padding stand at each break (CSS Fragmentation 3, section 5.4).
  let clonesEdges: Bool

  var grid = FragmentID.none
  /// From the grid's border-box block-start edge.
  var offset = LayoutUnit.zero
  /// The grid's border-box block-start edge on the page.
  var gridPageStart = LayoutUnit.zero
  var progress: FlowProgress
  var outOfFlow: [OutOfFlowBox] = []
  var firstBaseline: LayoutUnit?
  var rowLines: [RowLine] = []
  var group = (box: BoxID.none, fragment: FragmentID.none, start: LayoutUnit.zero)
  var next: BreakToken?
  var hasPlacedRow = false
  /// Footer rows that end each part of the table, and their height.
  var footer = (rows: 0..<0, height: LayoutUnit.zero)
  /// Cells over several rows that a page may break, while it is in them.
  var openSpans: [OpenSpan] = []

  /// Lays out a table as it stands, scaled down, or rotated, whatever lets it fit the page.
  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    var space = space
    let inline =
      space.imposed.inline
      ?? context.tableInlineSize(box, available: space.availableInline, containing: space.availableInline)
    let (scale, wanted, words) = context.tableScale(box, inline: inline)
    if scale < 1, let rotated = context.rotatedScale(box, in: space, inline: inline, wanted: words) {
      return layoutRotated(
        box, in: space, from: token, scale: rotated.scale, inline: rotated.inline, context, &progress)
    }
    if scale < 1 {
      return layoutScaled(box, in: space, from: token, scale: scale, inline: wanted, context, &progress)
    }
    space.imposed.inline = inline
    return layoutStanding(box, in: space, from: token, context, &progress)
  }

  /// Lays out a table at the size that its space gives.
  static func layoutStanding(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    var layout = TableLayout(context: context, table: box, space: space, token: token, progress: progress)
    let result = layout.run()
    progress.adopt(layout.progress, of: result)
    return result
  }

  private init(
    context outer: LayoutContext, table: BoxID, space: ConstraintSpace, token: BreakToken?, progress: FlowProgress
  ) {
    self.progress = progress
    self.table = table
    self.token = token
    model = outer.tableModel(table)
    geometry = space.geometry ?? outer.borderAndPadding(of: table, availableInline: space.availableInline)
    let asked = space.borderBoxInline
    let edges = geometry.border.inlineSum + geometry.padding.inlineSum
    uncollapsedWidths = outer.columnWidths(of: table, model, inline: Swift.max(.zero, asked - edges))
    var widths = uncollapsedWidths
    var lost = LayoutUnit.zero
    for column in widths.indices where model.isColumnCollapsed[column] {
      lost += widths[column] + model.columnGaps[column]
      widths[column] = .zero
    }
    self.widths = widths
    inlineSize = Swift.max(edges, asked - lost)
    let inner = inlineSize - edges
    isRTL = outer.styles.paragraphs[outer.tree.boxes[table.index].style.paragraph.index].direction == .rtl
    startsGrid = Self.startsGrid(from: token)
    clonesEdges = space.fragmentainer.isStrict && outer.inputs.clonesEdges(table)
    startEdge = startsGrid || clonesEdges ? geometry.border.blockStart + geometry.padding.blockStart : .zero
    var starts: [LayoutUnit] = []
    starts.reserveCapacity(widths.count)
    let left = geometry.border.lineLeft + geometry.padding.lineLeft
    var at = LayoutUnit.zero
    for (column, width) in widths.enumerated() {
      if !model.isColumnCollapsed[column] { at += model.columnGaps[column] }
      starts.append(isRTL ? left + inner - at - width : left + at)
      at += width
    }
    columnStarts = starts
    // Words are broken where the columns are narrower than they ask for.
    var space = space
    if !widths.isEmpty, !outer.isFixedLayout(table),
      model.columns.reduce(LayoutUnit.zero, { $0 + $1.minimum }) > widths.reduce(.zero, +)
    {
      space.mode.breaksWordsToFit = true
    }
    self.space = space
    context = outer.with(space.mode)
  }

  private mutating func run() -> LayoutResult {
    let savepoint = context.page.savepoint()
    if model.grid.captions.isEmpty { runGrid(pageStart: space.fragmentainer.offset) }
    let wrapper = model.grid.captions.isEmpty ? nil : runWithCaptions()
    if !hasPlacedRow, next != nil, !space.fragmentainer.isAtStart {
      context.page.rollBack(to: savepoint)
      return LayoutResult(fragment: .none, size: .zero, next: .before(table))
    }
    let fragment = wrapper?.fragment ?? grid
    return result(fragment: fragment, size: context.page[fragment].size, shift: wrapper?.gridStart ?? .zero)
  }

  private mutating func result(fragment: FragmentID, size: LogicalSize, shift: LayoutUnit) -> LayoutResult {
    var result = LayoutResult(fragment: fragment, size: size, next: next)
    result.baselines.first = firstBaseline.map { $0 + shift }
    // No last baseline: an inline-block passes over the tables in it (section 10.8.1).
    result.bfcBlock = .zero
    result.outOfFlow = outOfFlow
    if context.isContainingBlockForPositioned(table) {
      context.layoutPositioned(
        in: &result, of: table, in: space, geometry: geometry, direction: isRTL ? .rtl : .ltr, from: token,
        inColumn: context.columnPlace(
          of: table, in: space, at: space.fragmentainer.offset, from: token, geometry: geometry), progress: &progress)
    }
    return result
  }

  // MARK: The grid

  func cellInline(_ cell: TableCell) -> LayoutUnit {
    let columns = cell.column..<(cell.column + cell.columnSpan)
    guard !isCollapsed(cell) else { return uncollapsedWidths[columns].reduce(model.gaps(inside: columns), +) }
    var width = LayoutUnit.zero
    for column in columns where !model.isColumnCollapsed[column] {
      width += widths[column] + (width > .zero ? model.columnGaps[column] : .zero)
    }
    return width
  }
  /// A cell of collapsed columns only has a say in the height of its row, but is not shown.
  func isCollapsed(_ cell: TableCell) -> Bool {
    model.isColumnCollapsed[cell.column]
      && model.isColumnCollapsed[cell.column..<(cell.column + cell.columnSpan)]
        .allSatisfy { $0 }
  }
  func cellStart(_ cell: TableCell) -> LayoutUnit {
    columnStarts[isRTL ? cell.column + cell.columnSpan - 1 : cell.column]
  }

  func cellSpace(_ cell: TableCell) -> ConstraintSpace {
    var child = ConstraintSpace(
      mode: space.mode, availableInline: cellInline(cell), direction: isRTL ? .rtl : .ltr)
    child.imposed.inline = cellInline(cell)
    child.geometry = context.borderAndPadding(of: cell.box, availableInline: inlineSize)
    child.fragmentainer = space.fragmentainer.unbroken
    child.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset + cellStart(cell)
    return child
  }

  /// Height of a cell's border box were its `height` auto: what `vertical-align` moves (section 17.5.3).
  func contentHeight(of cell: TableCell, measured: LayoutUnit) -> LayoutUnit {
    let sizes = context.blockSizes(context.tree.boxes[cell.box.index].style.box)
    if sizes.size == .auto, sizes.minimum == .auto || sizes.minimum == .length(.zero) { return measured }
    var child = cellSpace(cell)
    child.imposed.ignoresBlockSize = true
    return context.measuredBlock(of: cell.box, in: child).block
  }

  func verticalAlign(_ cell: TableCell) -> VerticalAlign {
    context.styles.boxes[context.tree.boxes[cell.box.index].style.box.index].verticalAlign
  }
  /// Everything but `top`, `middle` and `bottom` is `baseline` (section 17.5.3).
  func isBaselineAligned(_ cell: TableCell) -> Bool {
    switch verticalAlign(cell) {
    case .top, .middle, .bottom: false
    default: true
    }
  }

  // MARK: Rows

  mutating func openGroup(of row: Int) {
    let box = model.grid.rows[row].group
    guard group.box != box else { return }
    closeGroup()
    let fragment = context.page.appendBox(box, size: LogicalSize(inline: gridInline), geometry: BoxGeometry())
    group = (box, fragment, offset)
  }
  mutating func closeGroup() {
    guard !group.box.isNone else { return }
    // Below a row that goes on there is no spacing.
    var end = offset
    if case .tableRow(_, _, true, _)? = next?.place {} else { end -= model.spacing.block }
    let place = LogicalOffset(inline: gridLeft, block: group.start)
    let size = LogicalSize(inline: gridInline, block: Swift.max(.zero, end - group.start))
    context.page.setBlockSize(size.block, of: group.fragment)
    placePositioned(in: group.box, group.fragment, size: size, at: place)
    context.page.attach(group.fragment, to: grid, at: place, shift: shift(of: group.box))
    group = (.none, .none, .zero)
  }
  var gridLeft: LayoutUnit { geometry.border.lineLeft + geometry.padding.lineLeft + model.spacing.inline }
  var gridInline: LayoutUnit {
    Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum - model.spacing.inline * 2)
  }

  /// Places whole rows one below the other.
  mutating func placeRows(_ range: ClosedRange<Int>, _ measured: RowSizes) {
    for row in range where !model.isRowCollapsed[row] {
      openGroup(of: row)
      let height = measured.heights[row]
      let entry = model.grid.rows[row]
      let fragment = context.page.appendBox(
        entry.box, size: LogicalSize(inline: gridInline, block: height), geometry: BoxGeometry())
      for at in entry.cells {
        let cell = model.grid.cells[at]
        var cellHeight = height
        for below in (row + 1)..<Swift.max(row + 1, row + cell.rowSpan) {
          cellHeight += measured.heights[below] + model.gap(below: below)
        }
        placeCell(cell, height: cellHeight, baseline: measured.baselines[row], in: fragment)
      }
      close(row: row, fragment: fragment, height: height, baseline: measured.baselines[row])
    }
  }

  /// Places a whole cell in a row that begins at `offset`.
  mutating func placeCell(_ cell: TableCell, height: LayoutUnit, baseline: LayoutUnit?, in row: FragmentID) {
    guard !isCollapsed(cell) else { return }
    var child = cellSpace(cell)
    let content = context.measuredBlock(of: cell.box, in: child)
    child.imposed.block = Swift.max(height, content.block)
    child.imposed.isIndefinite = !hasGivenHeight(cell)
    child.fragmentainer.offset = gridPageStart + offset
    let result = context.layout(cell.box, in: child, from: nil, &progress)
    attach(
      cell, result, to: row,
      shift: Swift.max(.zero, alignmentShift(of: cell, content, height: height, baseline: baseline)))
  }

  /// Distance by which `vertical-align` moves the content of a cell down in a row of a height. The lines of an orthogonal cell
  /// run along the whole height.
  func alignmentShift(
    of cell: TableCell, _ content: MeasuredBlock, height: LayoutUnit, baseline: LayoutUnit?
  ) -> LayoutUnit {
    if context.isOrthogonal(context.tree.boxes[cell.box.index]) { return .zero }
    return switch verticalAlign(cell) {
    case .top: .zero
    case .middle: (height - contentHeight(of: cell, measured: content.block)) / 2
    case .bottom: height - contentHeight(of: cell, measured: content.block)
    default: content.baselines.first.map { (baseline ?? $0) - $0 } ?? .zero
    }
  }

  mutating func close(row: Int, fragment: FragmentID, height: LayoutUnit, baseline: LayoutUnit?) {
    if firstBaseline == nil { firstBaseline = offset + (baseline ?? contentEnd(of: row, height: height)) }
    let box = model.grid.rows[row].box
    placePositioned(
      in: box, fragment, size: LogicalSize(inline: gridInline, block: height),
      at: LogicalOffset(inline: gridLeft, block: offset))
    context.page.attach(
      fragment, to: group.fragment, at: LogicalOffset(inline: .zero, block: offset - group.start), shift: shift(of: box)
    )
    rowLines.append(RowLine(row: row, start: offset, end: offset + height))
    offset += height + model.gap(below: row)
    hasPlacedRow = true
  }

  /// Attaches a cell to its row, its content moved down by `shift` for vertical alignment.
  mutating func attach(_ cell: TableCell, _ result: LayoutResult, to row: FragmentID, shift: LayoutUnit) {
    guard !result.fragment.isNone else { return }
    if shift > .zero {
      context.page.moveContent(of: result.fragment, by: shift)
    }
    let list = context.styles.lists[context.tree.boxes[cell.box.index].style.list.index]
    if list.emptyCells == .hide, !model.isCollapsed, isEmpty(cell) {
      context.page.insert(.paintsNothing, into: result.fragment)
    }
    let start = cellStart(cell)
    let moved = self.shift(of: cell.box)
    context.page.attach(
      result.fragment, to: row, at: LogicalOffset(inline: start - gridLeft, block: .zero), shift: moved)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: LogicalOffset(inline: start, block: offset + shift) + moved)
  }

  /// The shift of a relatively positioned part of the table (CSS Positioned Layout 3, section 2.1): percentages of its height refer to
  /// the height that the style of the part around it gives.
  func shift(of part: BoxID) -> LogicalOffset {
    let around = context.tree.boxes[part.index].parent
    let style = context.tree.boxes[around.index].style
    let block = context.borderBoxBlock(
      context.blockSizes(style.box).size, of: around, geometry: BoxGeometry(), percentageBlock: space.percentageBlock)
    return context.relativeShift(
      of: part, containing: LogicalSize(inline: gridInline, block: block ?? .zero), direction: isRTL ? .rtl : .ltr)
  }

  /// Places the positioned boxes met so far that a row or a group of rows contains, which stands at `place` in the grid.
  private mutating func placePositioned(
    in part: BoxID, _ fragment: FragmentID, size: LogicalSize, at place: LogicalOffset
  ) {
    guard !outOfFlow.isEmpty, context.isContainingBlockForPositioned(part) else { return }
    func isContained(_ entry: OutOfFlowBox) -> Bool {
      var around = context.tree.boxes[entry.box.index].parent
      while !around.isNone, around != part, !context.isContainingBlockForPositioned(around) {
        around = context.tree.boxes[around.index].parent
      }
      return around == part
    }
    let contained = outOfFlow.filter(isContained)
    guard !contained.isEmpty else { return }
    outOfFlow.removeAll(where: isContained)
    var result = LayoutResult(fragment: fragment, size: size)
    result.outOfFlow.append(contentsOf: contained, movedBy: LogicalOffset(inline: -place.inline, block: -place.block))
    context.layoutPositioned(
      in: &result, of: part, in: space, geometry: BoxGeometry(), direction: isRTL ? .rtl : .ltr, from: nil,
      inColumn: nil, progress: &progress)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place + shift(of: part))
  }

  private func isEmpty(_ cell: TableCell) -> Bool {
    let value = context.tree.boxes[cell.box.index]
    guard value.content == .text else { return value.firstChild.isNone }
    // An inline box counts even if nothing is in it.
    let texts = context.tree.texts
    return !context.hasLines(value.text)
      && !texts.texts[value.text.index].runs.contains { texts.runs[$0].kind == .open }
  }

  mutating func closeGrid(_ measured: RowSizes) {
    closeSpans()
    if hasPlacedRow, case .tableRow(let row, _, _, _)? = next?.place, row < model.grid.footerStart {
      repeatRows(footer.rows, measured)
    }
    closeGroup()
    var block = offset
    // The spacing below the last row is cut off where the page ends.
    let room = columnEnd.map { Swift.max(rowLines.last?.end ?? offset, $0 - gridPageStart) }
    if next == nil, let room, offset + endEdge > room {
      // The edge goes on by itself.
      progress.noteShortage(offset + endEdge - room)
      next = BreakToken(
        box: table, consumedBlockSize: (token?.consumedBlockSize ?? .zero) + room,
        .tableRow(model.grid.rows.count, cells: [], isInRow: false, forced: .none))
    }
    if next == nil || clonesEdges { block += endEdge }
    if next != nil {
      context.page.insert(.continuesAfter, into: grid)
      if let room {
        block = room
      } else if let size = space.fragmentainer.size, !clonesEdges {
        block = Swift.max(rowLines.last?.end ?? offset, Swift.min(block, size - gridPageStart))
      }
    }
    if next == nil, token == nil, let imposedHeight { block = Swift.max(block, imposedHeight) }
    context.page.setBlockSize(block, of: grid)
    attachColumns(block: block)
    if let borders = model.collapsed, !widths.isEmpty {
      var lines = (isRTL ? columnStarts.reversed() : columnStarts).map { $0 }
      let last = lines.count - 1
      lines.append(lines[last] + widths[isRTL ? 0 : last])
      context.page.append(borders.segments(columnLines: lines, rowLines: rowLines), to: grid)
    }
  }

  /// The end of a column that a table in it goes on behind.
  private var columnEnd: LayoutUnit? {
    space.fragmentainer.size.flatMap { space.fragmentainer.isStrict && $0 < Fragmentainer.endlessSize ? $0 : nil }
  }
  var endEdge: LayoutUnit { geometry.border.blockEnd + geometry.padding.blockEnd }

  /// Column boxes paint only a background, below the rows (section 17.5.1).
  private mutating func attachColumns(block: LayoutUnit) {
    guard let first = rowLines.first, let last = rowLines.last else { return }
    var column = 0
    var layers: [FragmentID] = []
    while column < model.grid.columnCount {
      let box = model.grid.columnBoxes[column]
      let group = model.grid.columnGroups[column]
      let startsGroup = column == 0 || model.grid.columnGroups[column - 1] != group
      for layer in [startsGroup ? group : .none, box == group ? .none : box]
      where !layer.isNone && context.tree.boxes[layer.index].style.background.index != 0 {
        var end = column
        if layer == group {
          while end + 1 < widths.count, model.grid.columnGroups[end + 1] == group { end += 1 }
        }
        let left = Swift.min(columnStarts[column], columnStarts[end])
        let right = Swift.max(columnStarts[column] + widths[column], columnStarts[end] + widths[end])
        let fragment = context.page.appendBox(
          layer, size: LogicalSize(inline: right - left, block: last.end - first.start), geometry: BoxGeometry())
        context.page.setOffset(LogicalOffset(inline: left, block: first.start), of: fragment)
        layers.append(fragment)
      }
      column += 1
    }
    context.page.prepend(layers, to: grid)
  }
}
