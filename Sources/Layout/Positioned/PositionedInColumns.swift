import BoxGeneration
import CSS
import Primitives
import Styling

/// The containing block of a positioned box in columns: all of its parts as one, from the fragment that reports the box.
struct PositionedStrip: Sendable {
  var rect: LogicalRect
  var direction: TextDirection
  /// The shift by relatively positioned boxes around it.
  var shift = LogicalOffset.zero
  /// The containing block of fixed boxes in the box, where it is another one than the page's.
  var fixed: LogicalRect?
  /// The part of `shift` by boxes inside that containing block.
  var shiftInFixed = LogicalOffset.zero
  /// The containing block is this inline box, whose parts are known when the columns are: `rect` stands for one without any.
  var inline = BoxID.none
}

/// The place of a part of a containing block in its column.
struct ColumnPlace {
  /// The column's size.
  var size: LayoutUnit
  /// The part's border edge, from the column's start; nil where it is not known.
  var block: LayoutUnit?
  /// Of the containing block, in columns before.
  var consumed: LayoutUnit
  /// The used block size of the containing block, if it is known before its last part.
  var blockSize: LayoutUnit?
}

/// Absolutely positioned boxes in columns (CSS Positioned Layout 3, section 2.1; CSS Fragmentation 3, section 2): they stand in
/// their containing block as if its columns were one long strip, and are broken where the columns end.
extension LayoutContext {
  /// The place of a box's part in the columns around it; nil where it is in none.
  func columnPlace(
    of box: BoxID, in space: ConstraintSpace, at block: LayoutUnit?, from token: BreakToken?, geometry: BoxGeometry
  ) -> ColumnPlace? {
    guard space.fragmentainer.columnDepth > 0, let size = space.fragmentainer.size, !space.fragmentainer.isMeasuring
    else { return nil }
    return ColumnPlace(
      size: size, block: block, consumed: token?.consumedBlockSize ?? .zero,
      blockSize: ownBlock(of: box, geometry: geometry, space: space))
  }

  /// Leaves positioned boxes that belong to a box in columns to these, once it is known where the box begins and ends. Those that
  /// end in the column of a box that does so itself stand in it at once.
  func layoutPositioned(
    in result: inout LayoutResult, of box: BoxID, geometry: BoxGeometry, direction: TextDirection,
    from token: BreakToken?, inColumn column: ColumnPlace, progress: inout FlowProgress
  ) {
    var boxes = result.outOfFlow
    for var entry in token?.positioned ?? [] {
      entry.move(by: LogicalOffset(inline: .zero, block: -column.consumed))
      boxes.append(entry)
    }
    result.outOfFlow = []
    var waiting: [OutOfFlowBox] = []
    let total =
      result.next == nil ? column.consumed + result.size.block : column.blockSize ?? column.consumed + result.size.block
    let border = geometry.border
    let containing = LogicalRect(
      offset: LogicalOffset(inline: border.lineLeft, block: border.blockStart - column.consumed),
      size: LogicalSize(
        inline: Swift.max(.zero, result.size.inline - border.inlineSum),
        block: Swift.max(.zero, total - border.blockSum)))
    let hasTransform = containsFixed(box)
    var index = 0
    while index < boxes.count {
      var entry = boxes[index]
      index += 1
      let style = styles.boxes[tree.boxes[entry.box.index].style.box.index]
      guard entry.strip == nil, style.position != .fixed || hasTransform else {
        if hasTransform, let strip = entry.strip, strip.fixed == nil {
          entry.strip?.fixed = containing
          entry.strip?.shiftInFixed = strip.shift
        }
        result.outOfFlow.append(entry)
        continue
      }
      if result.next != nil, column.blockSize == nil, dependsOnBlockSize(entry) {
        entry.move(by: LogicalOffset(inline: .zero, block: column.consumed))
        waiting.append(entry)
        continue
      }
      let around = entry.containingBlock(in: containing, isChild: tree.boxes[entry.box.index].parent == box)
      let isWhole = token == nil && result.next == nil
      if isWhole,
        let inside = layoutInColumn(
          entry, in: result.fragment, containing: around, direction: direction, column, progress: &progress)
      {
        boxes += inside
        continue
      }
      entry.strip = PositionedStrip(rect: around, direction: direction, fixed: hasTransform ? containing : nil)
      entry.area = nil
      result.outOfFlow.append(entry)
    }
    if !waiting.isEmpty { result.next = result.next?.holding(waiting) }
  }

  /// No inset moves the positioned box along the block axis: it stands where the flow has it.
  func standsInFlow(_ box: BoxID) -> Bool {
    let inset = flow(styles.boxes[tree.boxes[box.index].style.box.index].inset)
    return inset.blockStart == .auto && inset.blockEnd == .auto
  }

  /// Places a box that stands wholly in the column of its containing block; nil where it does not.
  private func layoutInColumn(
    _ entry: OutOfFlowBox, in fragment: FragmentID, containing: LogicalRect, direction: TextDirection,
    _ column: ColumnPlace, progress: inout FlowProgress
  ) -> [OutOfFlowBox]? {
    let (savepoint, before, first) = (page.savepoint(), progress, page.fragments.count)
    let inside = layoutPositioned(
      entry, in: fragment, containing: containing, direction: direction, progress: &progress)
    guard let block = column.block, let id = page.last(of: entry.box), id.index >= first else { return inside }
    let top = block + page[id].offset.block
    if column.size == Fragmentainer.endlessSize || top >= .zero && block + page.reach(of: id) <= column.size {
      return inside
    }
    page.rollBack(to: savepoint)
    progress = before
    return nil
  }

  /// The place or the size of a positioned box depends on the block size of its containing block.
  func dependsOnBlockSize(_ entry: OutOfFlowBox) -> Bool {
    let computed = tree.boxes[entry.box.index].style
    let inset = flow(styles.boxes[computed.box.index].inset)
    if inset.blockEnd != .auto || entry.blockEdge != .start || entry.area != nil { return true }
    let geometry = BoxGeometry()
    func used(_ value: SizeValue, _ base: LayoutUnit) -> LayoutUnit? {
      borderBoxBlock(value, of: entry.box, geometry: geometry, percentageBlock: base)
    }
    let sizes = blockSizes(computed.box)
    let depends = [sizes.size, sizes.minimum, sizes.maximum].contains {
      used($0, .zero) != used($0, Self.sample)
    }
    guard case .length(let start) = inset.blockStart else { return depends }
    return depends
      || resolve(start, font: computed.font, percentage: .zero)
        != resolve(start, font: computed.font, percentage: Self.sample)
  }
  /// Any length but zero.
  private static let sample = LayoutUnit(1024)
}

extension OutOfFlowBox {
  mutating func move(by place: LogicalOffset) {
    staticOffset = staticOffset + place
    area = area?.moved(by: place)
    if let old = strip?.rect.offset { strip?.rect.offset = old + place }
    if let old = strip?.fixed?.offset { strip?.fixed?.offset = old + place }
  }
}

extension PageBuilder {
  /// The end of the boxes in a fragment, from the start of the box that it hangs in.
  func reach(of id: FragmentID) -> LayoutUnit {
    let fragment = self[id]
    var end = fragment.size.block
    var child = fragment.firstChild
    while !child.isNone {
      end = Swift.max(end, reach(of: child))
      child = self[child].nextSibling
    }
    return fragment.offset.block + end
  }

  /// The end of the positioned boxes in a fragment, from its own start.
  func reachOfPositioned(in id: FragmentID) -> LayoutUnit {
    var end = LayoutUnit.zero
    var child = self[id].firstChild
    while !child.isNone {
      let fragment = self[child]
      let inside =
        fragment.flags.contains(.positioned) ? reach(of: child) : fragment.offset.block + reachOfPositioned(in: child)
      end = Swift.max(end, inside)
      child = fragment.nextSibling
    }
    return end
  }
}

/// A column that positioned boxes can stand in.
struct PositionedColumn {
  /// Its row of columns, and its number in it.
  var row: Int
  var index: Int
  /// Its corner, from the container's border edge.
  var place: LogicalOffset
  var block: LayoutUnit
  /// Its start in the strip that the columns are parts of.
  var start: LayoutUnit
  /// The container's last child before the column, and the column's own last one.
  var children = (before: FragmentID.none, last: FragmentID.none)
}

extension ColumnLayout {
  /// Places the positioned boxes of the columns; where these end before them, further columns are begun.
  mutating func layoutPositioned() {
    guard space.fragmentainer.aheadOf != box else {
      outOfFlow += unplaced.waiting.map(\.entry)
      return
    }
    for (index, column) in unplaced.aligned { moveToItsColumn(index, from: column) }
    takeFromOtherPages()
    let placed = positionedColumns.count
    var index = 0
    while index < unplaced.waiting.count {
      let (entry, column) = unplaced.waiting[index]
      index += 1
      guard var strip = entry.strip else { continue }
      if !strip.inline.isNone, let rect = paddingRect(ofInline: strip.inline, from: column) { strip.rect = rect }
      layout(entry, in: strip, from: column, of: placed)
    }
  }

  /// Moves a positioned box whose place in the flow is aligned, at the end of a flex container, say, to the column in
  /// which that is.
  private mutating func moveToItsColumn(_ index: Int, from column: Int) {
    let area = LogicalRect(offset: .zero, size: LogicalSize(inline: contentInline, block: contentBlock ?? .zero))
    let start = context.positionedSizing(of: outOfFlow[index], containing: area, direction: direction).offset.block
    let (first, block) = (positionedColumns[column], start - positionedColumns[column].place.block)
    var at = column
    while at + 1 < positionedColumns.count, positionedColumns[at + 1].start - first.start <= block { at += 1 }
    let current = positionedColumns[at]
    outOfFlow[index].staticOffset.inline += current.place.inline - first.place.inline
    outOfFlow[index].staticOffset.block = current.place.block + block - (current.start - first.start)
    outOfFlow[index].staticBlockSize = .zero
    outOfFlow[index].blockEdge = .start
  }

  /// The containing block that the parts of an inline box in the columns make, from the start of a column in their strip.
  private func paddingRect(ofInline inline: BoxID, from column: Int) -> LogicalRect? {
    var container = context.tree.boxes[inline.index].parent
    while !container.isNone, context.tree.boxes[container.index].kind == .inline {
      container = context.tree.boxes[container.index].parent
    }
    var rects: [LogicalRect] = []
    for index in positionedColumns.indices {
      let current = positionedColumns[index]
      for (_, part) in parts(of: [container], in: index) {
        for var rect in context.paddingRects(ofInline: inline, in: part.fragment) {
          rect.offset = part.place + rect.offset - current.place
          rect.offset.block += current.start - positionedColumns[column].start
          rects.append(rect)
        }
      }
    }
    guard let first = rects.first, let last = rects.last else { return nil }
    return context.paddingRect(ofInline: inline, from: first, to: last)
  }

  /// - Parameter placed: The number of columns that hold content; boxes before have begun those behind them.
  private mutating func layout(
    _ entry: OutOfFlowBox, in strip: PositionedStrip, from column: Int, of placed: Int
  ) {
    let sizing = context.positionedSizing(of: entry, containing: strip.rect, direction: strip.direction)
    var block = positionedColumns[column].start + sizing.offset.block
    if standsOnOtherPage(entry, in: strip, from: column, at: block, of: placed) { return }
    let around = boxes(around: entry.box)
    let end = lastColumn(inRowsOf: around.first, from: column, of: placed)
    var at = 0
    while at < end, positionedColumns[at + 1].start <= block { at += 1 }
    block -= positionedColumns[at].start
    var rest: BreakToken?
    let last = lastColumn(clippedBy: around)
    repeat {
      while positionedColumns[at].block > .zero, block >= positionedColumns[at].block {
        guard let next = at < end ? at + 1 : furtherColumn(after: at, of: placed) else { return }
        block -= positionedColumns[at].block
        at = next
      }
      guard at <= last else { return }
      let current = positionedColumns[at]
      var child = sizing.space
      child.fragmentainer = space.fragmentainer.unbroken
      child.fragmentainer.columnDepth = space.fragmentainer.columnDepth + 1
      child.fragmentainer.size = current.block > .zero ? current.block : Fragmentainer.endlessSize
      child.fragmentainer.offset = block
      child.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset + current.place.inline + sizing.offset.inline
      child.fragmentainer.isAtStart = block <= .zero
      let savepoint = context.page.savepoint()
      let result = context.layoutPart(of: entry.box, in: child, from: rest, progress: &progress)
      let isBeyond =
        block > .zero && context.isMonolithic(entry.box, in: child.fragmentainer)
        && block + result.size.block > current.block
      // `break-inside` does not apply to positioned boxes (CSS Fragmentation 3, section 3.2).
      if block > .zero, at == placed - 1, rest == nil, result.fragment.isNone || isBeyond || result.rest != nil,
        handOn(entry, movedBy: -sizing.offset.block)
      {
        return context.page.rollBack(to: savepoint)
      }
      if result.fragment.isNone || isBeyond {
        context.page.rollBack(to: savepoint)
        guard current.block > .zero, block > .zero else { return }
        block = current.block
        continue
      }
      let place = LogicalOffset(inline: sizing.offset.inline, block: block)
      let parent = part(of: around, in: at) ?? emptyPart(of: around, in: at, behind: end)
      context.page.attach(
        result.fragment, to: parent.fragment, at: current.place + place + strip.shift - parent.place)
      context.page.insert(.positioned, into: result.fragment)
      take(result.outOfFlow, from: at, movedBy: place, around: (strip, column))
      guard let next = result.rest else { return }
      rest = next
      block = current.block
    } while true
  }

  /// A part of a box in a column, with its place in the container.
  struct Part {
    var fragment: FragmentID
    var place: LogicalOffset
  }

  /// The containing block of a positioned box, and the boxes between it and the container, inside out.
  func boxes(around entry: BoxID) -> [BoxID] {
    var around = context.containingBlock(of: entry)
    // In preorder what stands in the container follows it.
    guard !around.isNone, around.index > box.index else { return [] }
    var boxes: [BoxID] = []
    while !around.isNone, around != box {
      boxes.append(around)
      around = context.tree.boxes[around.index].parent
    }
    return boxes
  }

  /// The box that what stands in a column without a part of its containing block hangs in. A transformed one moves that
  /// as well: it gets a part without an extent there.
  private mutating func emptyPart(of boxes: [BoxID], in column: Int, behind end: Int) -> Part {
    let outer = Part(fragment: fragment, place: .zero)
    guard let box = boxes.first, context.containsFixed(box) else { return outer }
    let known = (0...end).last { part(of: [box], in: $0) != nil }
    guard let known, known < column, let last = part(of: [box], in: known) else { return outer }
    let place = LogicalOffset(
      inline: positionedColumns[column].place.inline + last.place.inline - positionedColumns[known].place.inline,
      block: positionedColumns[column].place.block)
    let empty = context.page.appendBox(
      box, size: LogicalSize(inline: context.page[last.fragment].size.inline), geometry: BoxGeometry(),
      flags: [.continuesBefore, .paintsNothing])
    context.page.attach(empty, to: fragment, at: place)
    return Part(fragment: empty, place: place)
  }

  /// The part in a column of the first of some boxes that has one.
  private func part(of boxes: [BoxID], in column: Int) -> Part? {
    parts(of: boxes, in: column).min { $0.depth < $1.depth }?.part
  }

  /// The first part of a box in the columns.
  func firstPart(of box: BoxID) -> (column: Int, part: Part)? {
    for column in positionedColumns.indices {
      if let part = part(of: [box], in: column) { return (column, part) }
    }
    return nil
  }

  /// The parts of some boxes in a column, with the places of these among them.
  private func parts(of boxes: [BoxID], in column: Int) -> [(depth: Int, part: Part)] {
    let children = positionedColumns[column].children
    guard !children.last.isNone, !boxes.isEmpty else { return [] }
    let page = context.page
    var child = children.before.isNone ? page[fragment].firstChild : page[children.before].nextSibling
    var open: [Part] = []
    while !child.isNone {
      open.append(Part(fragment: child, place: page[child].offset))
      child = child == children.last ? .none : page[child].nextSibling
    }
    var found: [(depth: Int, part: Part)] = []
    while let part = open.popLast() {
      let value = page[part.fragment]
      guard value.kind == .box else { continue }
      if let depth = boxes.firstIndex(of: value.box) { found.append((depth, part)) }
      var child = value.firstChild
      while !child.isNone {
        open.append(Part(fragment: child, place: part.place + page[child].offset))
        child = page[child].nextSibling
      }
    }
    return found
  }

  /// The last column that something is seen in whose containing block, or a box around that, cuts off what sticks out of its end.
  private func lastColumn(clippedBy boxes: [BoxID]) -> Int {
    boxes.filter(context.clipsBlockEnd).reduce(.max) { last, box in
      Swift.min(last, positionedColumns.indices.last { part(of: [box], in: $0) != nil } ?? .max)
    }
  }

  /// The last column of the row that the containing block ends in: in those behind a spanner nothing of it stands.
  private func lastColumn(inRowsOf containing: BoxID?, from column: Int, of placed: Int) -> Int {
    guard let containing, positionedColumns[column].row < positionedColumns[placed - 1].row else { return placed - 1 }
    let end = (column..<placed).last { part(of: [containing], in: $0) != nil } ?? column
    return (end..<placed).last { positionedColumns[$0].row == positionedColumns[end].row } ?? end
  }

  /// The column after the last one of a row, which holds positioned boxes alone.
  private mutating func furtherColumn(after index: Int, of placed: Int) -> Int? {
    var new = positionedColumns[index]
    let known = (placed..<positionedColumns.count).first {
      positionedColumns[$0].row == new.row && positionedColumns[$0].index == new.index + 1
    }
    if let known { return known }
    guard new.index + 1 < LayoutContext.mostColumns else { return nil }
    new.place.inline += columnOffset(new.index + 1) - columnOffset(new.index)
    new.start += new.block
    new.index += 1
    new.children = (.none, .none)
    positionedColumns.append(new)
    return positionedColumns.count - 1
  }

  /// Takes over boxes out of flow that a column reports, by their places in it.
  mutating func take(
    _ boxes: [OutOfFlowBox], from column: Int, movedBy place: LogicalOffset = .zero,
    around: (strip: PositionedStrip, column: Int)? = nil
  ) {
    for var entry in boxes {
      entry.move(by: place)
      if let (strip, start) = around, let fixed = strip.fixed, entry.strip == nil {
        // Counted from the column that the containing block was found in.
        let lower = positionedColumns[column].start - positionedColumns[start].start
        entry.move(by: LogicalOffset(inline: .zero, block: lower))
        entry.strip = PositionedStrip(
          rect: fixed, direction: strip.direction, shift: strip.shift - strip.shiftInFixed, fixed: fixed)
        unplaced.waiting.append((entry, start))
        continue
      }
      if let (outer, start) = around, var strip = entry.strip {
        if strip.fixed == nil, var fixed = outer.fixed {
          strip.shiftInFixed = outer.shiftInFixed + strip.shift
          fixed.offset.block -= positionedColumns[column].start - positionedColumns[start].start
          strip.fixed = fixed
        }
        strip.shift = outer.shift + strip.shift
        entry.strip = strip
      }
      if entry.strip != nil {
        unplaced.waiting.append((entry, column))
      } else {
        entry.move(by: positionedColumns[column].place)
        if entry.blockEdge != .start, context.standsInFlow(entry.box) {
          unplaced.aligned.append((outOfFlow.count, column))
        }
        outOfFlow.append(entry)
      }
    }
  }
}
