import BoxGeneration
import CSS
import Primitives
import Styling
import Text

/// Rows that are as high as their cells make them: each cell is laid out once, in its place, and grows with its row afterwards.
/// The rows of other tables, and those that a page ends in, are measured before they are placed.
extension TableLayout {
  /// Places rows from the first one on, one below the other.
  ///
  /// - Returns: The first row that is left: one before which the page ends (`next`), or that does not fit, or is not plain.
  mutating func placePlainRows() -> Int {
    let limit = space.fragmentainer.size
    guard token == nil, limit == nil || model.grid.footerStart == model.grid.rows.count, hasPlainRows() else {
      return 0
    }
    for row in model.grid.rows.indices {
      let before = progress
      guard !forcesBreak(in: row...row) else { return row }
      guard limit == nil || breakRank(before: row) != nil else { return row }
      guard place(plain: row, above: limit ?? .max) else {
        progress = before
        return row
      }
    }
    return model.grid.rows.count
  }

  /// Lays out a row at `offset`. False where it does not fit: nothing stays of it then.
  private mutating func place(plain row: Int, above limit: LayoutUnit) -> Bool {
    let before = (page: context.page.savepoint(), group: group, outOfFlow: outOfFlow)
    openGroup(of: row)
    let entry = model.grid.rows[row]
    let fragment = context.page.appendBox(entry.box, size: LogicalSize(inline: gridInline), geometry: BoxGeometry())
    var cells: [LayoutResult] = []
    cells.reserveCapacity(entry.cells.count)
    var extent = RowExtent()
    for cell in model.grid.cells[entry.cells] {
      var child = cellSpace(cell)
      child.fragmentainer.offset = gridPageStart + offset
      let result = context.layout(cell.box, in: child, from: nil, &progress)
      extent.add(result.size.block, baseline: isBaselineAligned(cell) ? result.baselines.first : nil, spansRows: false)
      cells.append(result)
    }
    let height = extent.height
    let end = zip(model.grid.cells[entry.cells], cells).reduce(height) { end, cell in
      guard context.inputs.overflows.contains(cell.0.box) else { return end }
      return Swift.max(end, context.contentEnd(of: cell.1.fragment))
    }
    guard limit == .max || gridPageStart + offset + end + reserve(below: row) <= limit else {
      context.page.rollBack(to: before.page)
      (group, outOfFlow) = (before.group, before.outOfFlow)
      return false
    }
    context.page.setBlockSize(height, of: fragment)
    for (cell, result) in zip(model.grid.cells[entry.cells], cells) where !result.fragment.isNone {
      let content = MeasuredBlock(block: result.size.block, baselines: result.baselines)
      context.page.setBlockSize(height, of: result.fragment)
      let shift = alignmentShift(of: cell, content, height: height, baseline: extent.baseline)
      attach(cell, result, to: fragment, shift: Swift.max(.zero, shift))
    }
    close(row: row, fragment: fragment, height: height, baseline: extent.baseline)
    return true
  }

  /// Neither a row nor the table names a height, and no cell's content changes with the height of its row.
  private func hasPlainRows() -> Bool {
    guard wantedHeight == nil else { return false }
    if let known = model.hasPlainRows { return known }
    let arePlain =
      !context.hasSeveralWritingModes && !model.isRowCollapsed.contains(true) && !model.isColumnCollapsed.contains(true)
      && model.grid.rows.allSatisfy { specifiedBlock(of: $0.box) == nil && specifiedBlock(of: $0.group) == nil }
      && model.grid.cells.allSatisfy { $0.rowSpan == 1 && isPlain($0) }
    model.hasPlainRows = arePlain
    return arePlain
  }

  /// The cell is as high as its content, which is the same in a row of any height.
  private func isPlain(_ cell: TableCell) -> Bool {
    let sizes = context.blockSizes(context.tree.boxes[cell.box.index].style.box)
    guard sizes.size == .auto, sizes.minimum == .auto || sizes.minimum == .length(.zero), sizes.maximum == .none,
      !context.isMulticol(cell.box), !context.isContainingBlockForPositioned(cell.box)
    else { return false }
    let texts = context.tree.texts
    var open = [cell.box]
    while let box = open.popLast() {
      guard box == cell.box || !dependsOnContainingBlock(box) else { return false }
      let value = context.tree.boxes[box.index]
      if value.content == .text {
        for run in texts.runs[texts.texts[value.text.index].runs] where holdsBox(run.kind) { open.append(run.box) }
      }
      var child = value.content == .boxes ? value.firstChild : .none
      while !child.isNone {
        open.append(child)
        child = context.tree.boxes[child.index].nextSibling
      }
    }
    return true
  }

  private func holdsBox(_ kind: RunKind) -> Bool {
    switch kind {
    case .object, .open, .float, .positioned, .openRuby, .marker: true
    case .text, .lineBreak, .close, .bidiControl, .closeRuby: false
    }
  }

  /// The height of a box, or its shift, may be a percentage of its containing block's height.
  private func dependsOnContainingBlock(_ box: BoxID) -> Bool {
    if context.tree.relativeInlines[box] != nil { return true }
    let id = context.tree.boxes[box.index].style.box
    guard id.index != 0 else { return false }
    func isPlain(_ size: SizeValue) -> Bool {
      switch size {
      case .auto, .none: true
      case .length(let length): !context.hasPercentage(length)
      default: false
      }
    }
    let sizes = context.blockSizes(id)
    guard isPlain(sizes.size), isPlain(sizes.minimum), isPlain(sizes.maximum) else { return true }
    guard context.styles.boxes[id.index].position == .relative else { return false }
    let inset = context.flow(context.styles.boxes[id.index].inset)
    return [inset.blockStart, inset.blockEnd].contains {
      if case .length(let length) = $0 { context.hasPercentage(length) } else { false }
    }
  }
}
