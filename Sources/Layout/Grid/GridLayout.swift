import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// Grid containers (CSS Grid 1). Rows are the places where they break over pages.
  func layoutGrid(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    let mark = mark()
    var grid = GridLayout(context: self, box: box, space: space, token: token)
    let result = grid.run()
    if result.fragment.isNone { rewind(to: mark) }
    return result
  }

  /// Min-content and max-content of a grid container's content (section 5.2).
  func gridIntrinsicSizes(_ box: BoxID) -> IntrinsicSizes {
    var model = GridModel(context: self, box: box, contentInline: nil, contentBlock: nil)
    return IntrinsicSizes(minimum: model.inlineSize(.minContent), maximum: model.inlineSize(.maxContent))
  }
}

/// One grid container on one page.
struct GridLayout {
  private let context: LayoutContext
  private let box: BoxID
  private let space: ConstraintSpace
  private let token: BreakToken?
  private let geometry: BoxGeometry
  private let inlineSize: LayoutUnit
  private let contentInline: LayoutUnit
  private let contentBlock: LayoutUnit?
  private let inset: LogicalOffset
  private let endEdge: LayoutUnit
  private var model: GridModel
  private var fragment = FragmentID.none
  private var result: LayoutResult
  private var offset: LayoutUnit
  private var hasPlacedRow = false
  /// Items of finished rows, with the place of the grid's content edge.
  private var placed: [(item: Int, origin: LayoutUnit)] = []

  init(context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?) {
    self.context = context
    self.box = box
    self.space = space
    self.token = token
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    inlineSize = space.fixedInline ?? space.availableInline
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    contentBlock = context.definiteContentBlock(of: box, geometry: geometry, space: space)
    inset = LogicalOffset(
      inline: geometry.border.lineLeft + geometry.padding.lineLeft,
      block: token == nil ? geometry.border.blockStart + geometry.padding.blockStart : .zero)
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    offset = inset.block
    result = LayoutResult(fragment: .none, size: .zero)
    let edges = geometry.border.blockSum + geometry.padding.blockSum
    let least = Swift.max(.zero, context.usedBlock(auto: edges, of: box, geometry: geometry, space: space) - edges)
    let key = GridKey(box: box, inline: contentInline, block: contentBlock, least: least)
    if let known = context.gridModels[key] {
      model = known
    } else {
      model = GridModel(context: context, box: box, contentInline: contentInline, contentBlock: contentBlock)
      model.layOut(minimumBlock: least)
      context.gridModels[key] = model
    }
  }

  mutating func run() -> LayoutResult {
    fragment = context.page.appendBox(box, size: .zero, geometry: geometry)
    result.fragment = fragment
    if token == nil {
      for child in model.outOfFlow {
        result.outOfFlow.append(
          OutOfFlowBox(
            box: child, staticOffset: inset, staticInlineSize: contentInline, staticDirection: model.direction))
      }
    }
    layoutRows()
    if result.fragment.isNone { return result }
    // In document order, whatever their rows.
    for (item, origin) in placed.sorted(by: { $0.item < $1.item }) { place(item, origin: origin) }
    return finish()
  }

  // MARK: Rows

  /// The rows that items of more than one tie to `row`.
  private func group(from row: Int) -> Range<Int> {
    var end = row + 1
    var at = row
    while at < end {
      end = Swift.max(end, model.reach[at])
      at += 1
    }
    return row..<end
  }

  private mutating func layoutRows() {
    let rows = model.rows
    var first = token?.index ?? 0
    if let token, !token.children.isEmpty {
      let unfinished = continueItems(token.children)
      if !unfinished.isEmpty { return stop(before: first, children: unfinished) }
      hasPlacedRow = true
      if first < rows.count { offset += model.rowGap }
    }
    guard first < rows.count else { return }
    // Content edge of the grid in this fragment: free space before the first row is on the first page only.
    var origin = token == nil ? offset : offset - rows[first].start
    var previous: [BoxID] = []
    while first < rows.count {
      let group = group(from: first)
      let boxes = group.flatMap { model.starting[$0] }
      let extent = model.extent(rows, group)
      if let limit = space.fragmentainerSize {
        let top = space.fragmentainerOffset + origin + extent.start
        if hasPlacedRow {
          let rule = rule(between: previous, and: model.starting[first].map { model.items[$0].box })
          if rule.isForced || context.earlyBreak == .row(box, index: first) {
            context.columns.endsPage = rule.isForced && rule.forced != .column
            return stop(before: first, forced: rule.forced)
          }
          context.note(.row(box, index: first), rank: rule.isAvoided ? .violatesAvoid : .perfect)
        }
        let isLast = group.upperBound == rows.count
        let shortage = top + extent.size + (isLast ? endEdge : .zero) - limit
        if shortage > .zero, !boxes.isEmpty {
          let isAtStart = !hasPlacedRow && space.isAtPageStart
          context.noteShortage(shortage, stays: isAtStart)
          if !isAtStart, extent.size <= limit || hasPlacedRow {
            if !hasPlacedRow, token == nil {
              result = LayoutResult(fragment: .none, size: .zero, next: .before(box))
              return
            }
            return stop(before: first)
          }
          // Higher than a page: its items are broken.
          offset = origin + extent.start
          let unfinished = placeBroken(boxes, at: offset)
          hasPlacedRow = true
          if !unfinished.isEmpty { return stop(before: group.upperBound, children: unfinished) }
          if group.upperBound < rows.count { origin = offset + model.rowGap - rows[group.upperBound].start }
          previous = boxes.map { model.items[$0].box }
          first = group.upperBound
          continue
        }
      }
      placed += boxes.map { ($0, origin) }
      offset = origin + extent.start + extent.size
      if extent.size > .zero { hasPlacedRow = true }
      if !boxes.isEmpty { previous = boxes.map { model.items[$0].box } }
      first = group.upperBound
    }
    // Free space after the rows belongs to the container too.
    if token == nil, let contentBlock { offset = Swift.max(offset, inset.block + contentBlock) }
  }

  private func rule(between previous: [BoxID], and next: [BoxID]) -> LayoutContext.BreakBetweenSiblings {
    let sides = previous.map { context.breakBetween($0, .none) } + next.map { context.breakBetween(.none, $0) }
    var rule = LayoutContext.BreakBetweenSiblings()
    rule.forced = sides.map(\.forced).max { $0.rawValue < $1.rawValue } ?? .none
    rule.isAvoided = !rule.isForced && sides.contains { $0.isAvoided }
    return rule
  }

  private mutating func stop(before row: Int, children: [BreakToken] = [], forced: ForcedBreak = .none) {
    result.next = BreakToken(
      box: box, consumedBlockSize: (token?.consumedBlockSize ?? .zero) + offset, children: children, index: row,
      forced: forced)
  }

  // MARK: Items

  private mutating func attach(_ laidOut: LayoutResult, _ item: GridItem, at place: LogicalOffset) {
    let area = LogicalSize(
      inline: model.extent(model.columns, item.columns).size, block: model.extent(model.rows, item.rows).size)
    let shift = context.relativeShift(of: item.box, containing: area, direction: model.direction)
    context.attach(laidOut.fragment, to: fragment, at: place, shift: shift)
    for var entry in laidOut.outOfFlow {
      entry.staticOffset = entry.staticOffset + place + shift
      result.outOfFlow.append(entry)
    }
    if result.firstBaseline == nil, let baseline = laidOut.firstBaseline {
      result.firstBaseline = place.block + baseline
    }
    if let baseline = laidOut.lastBaseline { result.lastBaseline = place.block + baseline }
  }

  /// The line-left edge of an item's border box from the fragment's.
  private func inlineOffset(_ item: GridItem) -> LayoutUnit {
    let area = model.extent(model.columns, item.columns)
    let free = area.size - item.inline - item.margins.inlineSum
    let auto = model.autoMargins(of: item.box)
    let isLTR = model.direction == .ltr
    let before: LayoutUnit
    if auto.lineLeft || auto.lineRight {
      before = auto.lineLeft ? (auto.lineRight ? Swift.max(.zero, free) / 2 : Swift.max(.zero, free)) : .zero
    } else {
      switch item.justify {
      case .center: before = free / 2
      case .end, .flexEnd, .selfEnd: before = isLTR ? free : .zero
      case .right: before = free
      case .left: before = .zero
      default: before = isLTR ? .zero : free
      }
    }
    let start = isLTR ? area.start : contentInline - area.start - area.size
    return inset.inline + start + item.margins.lineLeft + before
  }

  private mutating func place(_ index: Int, origin: LayoutUnit) {
    let item = model.items[index]
    let row = model.extent(model.rows, item.rows)
    let value = context.tree.boxes[item.box.index]
    let own = context.styles.boxes[value.style.box.index]
    let auto = model.autoMargins(of: item.box)
    var child = model.itemSpace(item, area: model.extent(model.columns, item.columns).size, block: row.size)
    child.isMeasuring = space.isMeasuring
    let inline = inlineOffset(item)
    child.pageInline = space.pageInline + inline
    let room = Swift.max(.zero, row.size - item.margins.blockSum)
    let stretches =
      item.align == .stretch && context.blockSizes(own).size == .auto && !auto.blockStart && !auto.blockEnd
      && value.content != .replaced && own.aspectRatio == nil
    if stretches {
      let geometry = context.borderAndPadding(of: item.box, availableInline: child.availableInline)
      var fixed = child
      fixed.fixedBlock = nil
      child.fixedBlock = context.usedBlock(auto: room, of: item.box, geometry: geometry, space: fixed)
    }
    let laidOut = context.layout(item.box, in: child)
    let free = room - laidOut.size.block
    let before: LayoutUnit
    if auto.blockStart || auto.blockEnd {
      before = auto.blockStart ? (auto.blockEnd ? Swift.max(.zero, free) / 2 : Swift.max(.zero, free)) : .zero
    } else {
      switch item.align {
      case .center: before = free / 2
      case .end, .flexEnd, .selfEnd: before = free
      case .baseline: before = item.shim
      default: before = .zero
      }
    }
    attach(
      laidOut, item,
      at: LogicalOffset(inline: inline, block: origin + row.start + item.margins.blockStart + before))
  }

  /// Items of a row that is higher than a page, from its top; what is left of them.
  private mutating func placeBroken(_ indices: [Int], at top: LayoutUnit) -> [BreakToken] {
    var unfinished: [BreakToken] = []
    var end = top
    for index in indices {
      let item = model.items[index]
      let block =
        top + model.rows[item.rows.lowerBound].start - model.rows[model.items[indices[0]].rows.lowerBound].start
      unfinished += layoutBroken(item, at: Swift.min(block, top) + item.margins.blockStart, from: nil, end: &end)
    }
    offset = end
    return unfinished
  }

  private mutating func continueItems(_ tokens: [BreakToken]) -> [BreakToken] {
    var unfinished: [BreakToken] = []
    let top = offset
    var end = top
    for token in tokens {
      guard let item = model.items.first(where: { $0.box == token.box }) else { continue }
      unfinished += layoutBroken(item, at: top, from: token, end: &end)
    }
    offset = end
    return unfinished
  }

  private mutating func layoutBroken(
    _ item: GridItem, at block: LayoutUnit, from token: BreakToken?, end: inout LayoutUnit
  ) -> [BreakToken] {
    var child = model.itemSpace(item, area: model.extent(model.columns, item.columns).size, block: nil)
    let inline = inlineOffset(item)
    child.pageInline = space.pageInline + inline
    child.fragmentainerSize = space.fragmentainerSize
    child.fragmentainerOffset = space.fragmentainerOffset + block
    child.isAtPageStart = true
    context.avoidDepth += 1
    let laidOut = context.layout(item.box, in: child, from: token?.isBreakBefore == true ? nil : token)
    context.avoidDepth -= 1
    guard !laidOut.fragment.isNone else { return [token ?? .before(item.box)] }
    attach(laidOut, item, at: LogicalOffset(inline: inline, block: block))
    end = Swift.max(end, block + laidOut.size.block + (laidOut.next == nil ? item.margins.blockEnd : .zero))
    return laidOut.next.map { [$0] } ?? []
  }

  // MARK: The box itself

  private mutating func finish() -> LayoutResult {
    let before = token?.consumedBlockSize ?? .zero
    var block = offset
    if result.next != nil {
      if let size = space.fragmentainerSize, size < ColumnLayout.unboundedSize {
        block = Swift.max(block, size - space.fragmentainerOffset)
      }
      context.page.fragments[fragment.index].flags.insert(.continuesAfter)
    } else {
      let auto = before + offset + endEdge
      block = context.usedBlock(auto: auto, of: box, geometry: geometry, space: space) - before
      block = Swift.max(block, token == nil ? .zero : offset + endEdge)
    }
    if token != nil { context.page.fragments[fragment.index].flags.insert(.continuesBefore) }
    result.size = LogicalSize(inline: inlineSize, block: block)
    context.page[fragment].size = result.size
    result.bfcBlock = space.bfcBlock
    if context.isContainingBlockForPositioned(box) {
      result.outOfFlow = context.layoutPositioned(
        result.outOfFlow, in: fragment, box: box, size: result.size, geometry: geometry, direction: model.direction,
        space: space)
    }
    return result
  }
}
