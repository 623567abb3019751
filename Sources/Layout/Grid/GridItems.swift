import BoxGeneration
import CSS
import Primitives
import Styling

/// Items of a grid, measured and placed in their areas.
extension GridModel {
  /// The margins that are `auto` and take the free room of an axis.
  func autoMargins(of box: BoxID) -> (lineLeft: Bool, lineRight: Bool, blockStart: Bool, blockEnd: Bool) {
    let sides = context.flow(context.styles.boxes[context.tree.boxes[box.index].style.box.index].margin)
    return (sides.lineLeft == .auto, sides.lineRight == .auto, sides.blockStart == .auto, sides.blockEnd == .auto)
  }

  /// The space of an item in its area; `block` is the height of a finished row.
  func itemSpace(_ item: GridItem, area: LayoutUnit, block: LayoutUnit?) -> ConstraintSpace {
    var space = ConstraintSpace(
      mode: context.mode, availableInline: area, percentageBlock: block, direction: direction)
    space.imposed.inline = item.inline
    return space
  }

  func measured(_ item: GridItem) -> GridItem {
    var item = item
    let area = extent(columns, item.columns).size
    item.margins = context.margins(of: item.box, availableInline: area)
    let geometry = context.borderAndPadding(of: item.box, availableInline: area)
    item.inline = inlineSize(of: item, area: area, geometry)
    return item
  }

  private func inlineSize(of item: GridItem, area: LayoutUnit, _ geometry: BoxGeometry) -> LayoutUnit {
    let value = context.tree.boxes[item.box.index]
    let room = Swift.max(.zero, area - item.margins.inlineSum)
    if item.takesColumns { return Swift.max(room, geometry.border.inlineSum + geometry.padding.inlineSum) }
    if fillsColumns(item) {
      let size = context.clampInline(
        room, of: item.box, style: value.style, geometry: geometry, availableInline: area)
      return value.kind == .table ? Swift.max(size, context.intrinsicSizes(of: item.box).minimum) : size
    }
    return transferredInline(item, geometry)
      ?? context.outOfFlowInline(
        item.box, available: room, containing: area, percentageBlock: definiteRows(of: item) ?? contentBlock)
  }

  /// The block size of an item whose inline size is known. A subgrid's is that of its edges alone where it takes its rows.
  mutating func measureBlock(of index: Int) {
    var item = items[index]
    let area = extent(columns, item.columns).size
    let value = context.tree.boxes[item.box.index]
    defer { items[index] = item }
    if item.takesRows {
      let geometry = context.borderAndPadding(of: item.box, availableInline: area)
      item.block = geometry.border.blockSum + geometry.padding.blockSum
      return
    }
    var space = itemSpace(item, area: area, block: nil)
    space.imposed.tracks = subgrids.isEmpty ? .none : subgridTracks(of: index, knowsRows: false)
    space.fragmentainer.inlineOffset = pageInline + inlineOffset(item)
    let measured = context.measuredBlock(of: item.box, in: space)
    item.block = measured.block
    item.contentBlock = measured.contentEnd
    item.baselines = measured.baselines
    if value.content == .replaced, fillsColumns(item), context.blockSizes(value.style.box).size == .auto,
      let block = context.replacedBlock(
        of: item.box, geometry: context.borderAndPadding(of: item.box, availableInline: area), inline: item.inline)
    {
      item.block = block
    }
  }

  /// The line-left edge of an item's border box from the container's content edge.
  func inlineOffset(_ item: GridItem) -> LayoutUnit {
    let area = extent(columns, item.columns)
    let free = area.size - item.inline - item.margins.inlineSum
    let auto = autoMargins(of: item.box)
    let isLTR = direction == .ltr
    let before: LayoutUnit
    if let shim = item.columnShim {
      before = (shim.edge == .start) == isLTR ? shim.size : free - shim.size
    } else if auto.lineLeft || auto.lineRight {
      before = auto.lineLeft ? (auto.lineRight ? Swift.max(.zero, free) / 2 : Swift.max(.zero, free)) : .zero
    } else {
      let startsAtRight = context.startsAtEnd(item.box, alongLines: true)
      switch fallback(item.justify).inRoom(free) {
      case .center: before = free / 2
      case .end, .flexEnd: before = isLTR ? free : .zero
      case .right: before = free
      case .left: before = .zero
      case .selfStart: before = startsAtRight ? free : .zero
      case .selfEnd: before = startsAtRight ? .zero : free
      default: before = isLTR ? .zero : free
      }
    }
    let start = isLTR ? area.start : (contentInline ?? .zero) - area.start - area.size
    return start + item.margins.lineLeft + before
  }

  /// The block size of an item is a percentage of its area's, or is limited by one.
  private func dependsOnRows(_ item: GridItem) -> Bool {
    context.tree.boxes[item.box.index].content != .replaced && dependsOnArea(item, alongLines: false)
  }

  /// The size of an item along an axis is a percentage of its area's, or is limited by one.
  func dependsOnArea(_ item: GridItem, alongLines: Bool) -> Bool {
    let style = context.tree.boxes[item.box.index].style.box
    let values = alongLines ? context.inlineSizes(style) : context.blockSizes(style)
    return [values.size, values.minimum, values.maximum].contains { context.isPercentage($0) }
  }

  private func placed(_ index: Int) -> PlacedItem {
    let item = items[index]
    let row = extent(rows, item.rows)
    let area = LogicalSize(inline: extent(columns, item.columns).size, block: row.size)
    let value = context.tree.boxes[item.box.index]
    let scrolls = context.styles.boxes[value.style.box.index].overflowY.isScrollable
    let auto = autoMargins(of: item.box)
    var space = itemSpace(item, area: area.inline, block: area.block)
    if !subgrids.isEmpty { space.imposed.tracks = subgridTracks(of: index, knowsRows: true) }
    let room = Swift.max(.zero, row.size - item.margins.blockSum)
    var (block, contentBlock) = (item.block, item.contentBlock)
    if fillsRows(item) {
      let geometry = context.borderAndPadding(of: item.box, availableInline: area.inline)
      block =
        item.takesRows
        ? Swift.max(room, geometry.border.blockSum + geometry.padding.blockSum)
        : context.stretchedBlock(room, of: item.box, geometry: geometry, percentageBlock: area.block)
      space.imposed.block = block
      if item.takesRows { contentBlock = block }
    } else if dependsOnRows(item) {
      var known = space
      known.fragmentainer.inlineOffset = pageInline + inlineOffset(item)
      let measured = context.measuredBlock(of: item.box, in: known)
      (block, contentBlock) = (measured.block, measured.contentEnd)
    } else if value.content == .replaced, context.blockSizes(value.style.box).size == .auto {
      space.imposed.block = block
    }
    let free = room - block
    let before: LayoutUnit
    if let shim = item.rowShim {
      before = shim.edge == .start ? shim.size : free - shim.size
    } else if auto.blockStart || auto.blockEnd {
      before = auto.blockStart ? (auto.blockEnd ? Swift.max(.zero, free) / 2 : Swift.max(.zero, free)) : .zero
    } else {
      let startsAtEnd = context.startsAtEnd(item.box, alongLines: false)
      switch fallback(item.align).inRoom(free) {
      case .center: before = free / 2
      case .end, .flexEnd: before = free
      case .selfStart: before = startsAtEnd ? free : .zero
      case .selfEnd: before = startsAtEnd ? .zero : free
      default: before = .zero
      }
    }
    return PlacedItem(
      box: item.box, space: space,
      offset: LogicalOffset(inline: inlineOffset(item), block: row.start + item.margins.blockStart + before),
      margins: item.margins,
      contentBlock: scrolls ? .zero : contentBlock, area: area,
      growsWithContent: !item.takesRows && context.blockSizes(value.style.box).size == .auto
        && rows[item.rows].contains { !$0.hasFixedSize })
  }

  func placedItems() -> ItemRows {
    var result = ItemRows(items: items.indices.map { placed($0) })
    result.rows = rows.indices.map { ItemRows.Row(start: rows[$0].start, end: rows[$0].end, reach: $0 + 1) }
    for (index, item) in items.enumerated() {
      let row = item.rows.lowerBound
      result.rows[row].reach = Swift.max(result.rows[row].reach, item.rows.upperBound)
      result.rows[row].items.append(index)
    }
    result.outOfFlow = outOfFlow.map { positioned($0) }
    result.gridLines = lines
    result.blockSize = ownBlock
    if let (first, last) = baselineItems() {
      result.items[first].givesFirstBaseline = true
      result.items[last].givesLastBaseline = true
    }
    return result
  }
}

extension LayoutContext {
  /// The items of a grid that begin in its first row or end in its last one, in document order: tracks that are repeated
  /// to fill a width are repeated once.
  func items(inRowOf grid: BoxID, isLast: Bool) -> [BoxID] {
    let items = GridModel(context: self, box: grid, contentInline: nil, contentBlock: nil).items
    let (first, last) = (items.map(\.rows.lowerBound).min(), items.map(\.rows.upperBound).max())
    return items.filter { isLast ? $0.rows.upperBound == last : $0.rows.lowerBound == first }.map(\.box)
  }
}
