import BoxGeneration
import CSS
import Primitives
import Styling

/// A finished item of a flex or grid container.
struct PlacedItem {
  var box: BoxID
  /// The constraint space that it is laid out with, its size included.
  var space: ConstraintSpace
  /// Its border box, from the container's content edge.
  var offset: LogicalOffset
  var margins: FlowEdges
  /// The block size that its content asks for, which may stick out of it.
  var contentBlock: LayoutUnit
  /// The size that percentages of `top` and `left` refer to.
  var area: LogicalSize
  /// Its block size is its content's, and follows it where breaks push that down.
  var growsWithContent = false
  /// The container has the item's baselines, or its edges where it has none (CSS Grid 1, section 10.6; CSS Flexible
  /// Box 1, section 8.5).
  var givesFirstBaseline = false
  var givesLastBaseline = false

  /// The end of its content and of the margin below it.
  var contentEnd: LayoutUnit { offset.block + contentBlock + margins.blockEnd }
}

/// The items of a flex or grid container in rows: lines of a flex container, items of one in a column, rows of a grid.
struct ItemRows {
  struct Row {
    var start: LayoutUnit
    var end: LayoutUnit
    /// The first row after those that an item of this one reaches into.
    var reach: Int
    var items: [Int] = []
  }
  /// In document order as `order` modifies it.
  var items: [PlacedItem] = []
  var rows: [Row] = []
  /// The rows of each line of a flex container in columns, where there are several; empty elsewhere.
  var tracks: [[Row]] = []
  /// Boxes out of flow, from the content edge.
  var outOfFlow: [OutOfFlowBox] = []
  /// The block size of the content where the rows end elsewhere.
  var blockSize: LayoutUnit?
  /// Of a grid that contains positioned boxes.
  var gridLines: GridLines?
}

/// The values that the rows of a container depend on.
struct ItemRowsKey: Hashable {
  var box: BoxID
  var inline: LayoutUnit
  /// Content sizes: the definite one, and its limits.
  var block: LayoutUnit?
  var least: LayoutUnit
  var most: LayoutUnit
  /// The definite size comes from a ratio, and is no less than the content (CSS Sizing 4, section 5.1.1).
  var growsWithContent = false
  /// Line-left edge of the content box on the page: words are broken where they would leave it.
  var pageInline: LayoutUnit
  /// Of a subgrid.
  var tracks = SubgridID.none
}

/// One flex or grid container on one page. It breaks between rows, and inside a row that is higher than a page.
struct ItemRowLayout {
  let context: LayoutContext
  let box: BoxID
  let space: ConstraintSpace
  let token: BreakToken?
  let geometry: BoxGeometry
  private let direction: TextDirection
  let key: ItemRowsKey
  private let inlineSize: LayoutUnit
  let inset: LogicalOffset
  let endEdge: LayoutUnit
  /// In columns, border and padding are drawn at every break.
  let clonesEdges: Bool
  let content: ItemRows
  private let fragment: FragmentID
  var progress: FlowProgress
  var result: LayoutResult
  /// From the border box's block-start edge to the end of what has been placed.
  var offset: LayoutUnit
  /// Break tokens of content that sticks out of items.
  var parallel: [BreakToken] = []
  private var hasPlacedRow = false
  /// Room that is kept at the page's end for the end edge, beside items that end the container.
  private var endRoom = LayoutUnit.zero
  /// Items of finished rows that are still to be placed, with the place of the content edge.
  private var placed: [(item: Int, origin: LayoutUnit)] = []

  /// Lays out a container whose rows `make` finds, unless they are known already.
  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress, make: (ItemRowsKey) -> ItemRows
  ) -> LayoutResult {
    let savepoint = context.page.savepoint()
    var flow = ItemRowLayout(context: context, box: box, space: space, token: token, progress: progress, make: make)
    let result = flow.run()
    if result.fragment.isNone {
      context.page.rollBack(to: savepoint)
    }
    progress.adopt(flow.progress, of: result)
    return result
  }

  private init(
    context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?, progress: FlowProgress,
    make: (ItemRowsKey) -> ItemRows
  ) {
    self.progress = progress
    self.context = context
    self.box = box
    self.token = token
    direction = context.styles.paragraphs[context.tree.boxes[box.index].style.paragraph.index].direction
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    let inlineEdges = geometry.border.inlineSum + geometry.padding.inlineSum
    inlineSize = token?.itemsInline.map { $0 + inlineEdges } ?? space.borderBoxInline
    clonesEdges = context.inputs.clonesEdges(box)
    inset = LogicalOffset(
      inline: geometry.border.lineLeft + geometry.padding.lineLeft,
      block: token == nil || clonesEdges ? geometry.border.blockStart + geometry.padding.blockStart : .zero)
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    var inner = space
    // In columns and on paper the items know of the edges.
    if clonesEdges, !space.fragmentainer.isStrict, let size = space.fragmentainer.size {
      inner.fragmentainer.size = size - endEdge
    }
    self.space = inner
    offset = inset.block
    let edges = geometry.border.blockSum + geometry.padding.blockSum
    let known = geometry
    func limit(_ auto: LayoutUnit) -> LayoutUnit {
      let used = context.usedBlock(auto: auto, of: box, geometry: known, space: space)
      return used == .max ? .max : Swift.max(.zero, used - edges)
    }
    key = ItemRowsKey(
      box: box,
      inline: Swift.max(.zero, inlineSize - inlineEdges),
      block: space.imposed.ignoresBlockSize
        ? nil : context.definiteContentBlock(of: box, geometry: geometry, space: space),
      least: limit(edges), most: limit(.max), growsWithContent: context.ratioGivesLeastBlock(of: box, space: space),
      pageInline: space.fragmentainer.inlineOffset + inset.inline,
      tracks: space.imposed.tracks)
    if let known = context.measurements.itemRows[key] {
      content = known
    } else {
      content = make(key)
      context.measurements.itemRows[key] = content
    }
    fragment = context.page.appendBox(box, size: .zero, geometry: geometry)
    result = LayoutResult(fragment: fragment, size: .zero)
  }

  private mutating func run() -> LayoutResult {
    if token == nil { result.outOfFlow.append(contentsOf: content.outOfFlow, movedBy: inset) }
    if space.fragmentainer.isStrict, space.fragmentainer.size != nil || token != nil {
      if let refusal = layoutTracks() { return LayoutResult(fragment: .none, size: .zero, next: refusal) }
      return finishInColumn()
    }
    layoutRows()
    if result.fragment.isNone { return result }
    placeWholeItems()
    return finish()
  }

  /// Places the items of the rows that are known to fit, in document order, whatever their rows.
  private mutating func placeWholeItems() {
    for (item, origin) in placed.sorted(by: { $0.item < $1.item }) { place(item, origin: origin) }
    placed = []
  }

  // MARK: Rows

  /// The rows that items of more than one tie to `row`.
  private func group(from row: Int) -> Range<Int> {
    var end = row + 1
    var at = row
    while at < end {
      end = Swift.max(end, content.rows[at].reach)
      at += 1
    }
    return row..<end
  }

  private mutating func layoutRows() {
    let rows = content.rows
    var first = 0
    var resumed: [BreakToken] = []
    if case .itemRow(let row, let items, _, _)? = token?.place { (first, resumed) = (row, items) }
    if !resumed.isEmpty {
      let unfinished = keepingRoomForEnd(isLast: first >= rows.count) { $0.continueItems(resumed) } ?? []
      if !unfinished.isEmpty { return stop(before: first, children: unfinished) }
      hasPlacedRow = true
      if first > 0, first < rows.count { offset += Swift.max(.zero, rows[first].start - rows[first - 1].end) }
    }
    guard first < rows.count else { return }
    // The content edge, as if the rows on earlier pages stood above.
    var origin = token == nil ? offset : offset - rows[first].start
    var previous: [BoxID] = []
    while first < rows.count {
      let group = group(from: first)
      let items = group.flatMap { rows[$0].items }
      let end = group.reduce(rows[first].end) { Swift.max($0, rows[$1].end) }
      let size = end - rows[first].start
      let reach = items.reduce(end) { Swift.max($0, content.items[$1].contentEnd) } - rows[first].start
      if let limit = space.fragmentainer.size {
        guard let rank = breakRank(before: first, after: previous) else { return }
        let top = space.fragmentainer.offset + origin + rows[first].start
        if let unfinished = placeForced(items, at: origin + rows[first].start, origin: origin) {
          return stop(before: group.upperBound, children: unfinished)
        }
        let shortage = top + reach + (group.upperBound == rows.count ? lastEdge : .zero) - limit
        if shortage > .zero, !items.isEmpty {
          let isAtStart = !hasPlacedRow && space.fragmentainer.isAtStart
          if space.fragmentainer.columnDepth > 0 { progress.noteShortage(shortage, stays: isAtStart) }
          // One that no page can hold begins where it stands, if there is some room.
          guard isAtStart || space.fragmentainer.begins(reach, at: top) else { return stop(before: first, rank: rank) }
          offset = origin + rows[first].start
          placeWholeItems()
          let isLast = group.upperBound == rows.count
          let broken = keepingRoomForEnd(isLast: isLast) {
            $0.placeBroken(items, origin: origin, isAtPageStart: isAtStart)
          }
          guard let unfinished = broken else { return stop(before: first, rank: rank) }
          hasPlacedRow = true
          if !unfinished.isEmpty { return stop(before: group.upperBound, children: unfinished) }
          if group.upperBound < rows.count {
            origin = offset + Swift.max(.zero, rows[group.upperBound].start - end) - rows[group.upperBound].start
          }
          previous = items.map { content.items[$0].box }
          first = group.upperBound
          continue
        }
      }
      placed += items.map { ($0, origin) }
      offset = origin + end
      if size > .zero { hasPlacedRow = true }
      if !items.isEmpty { previous = items.map { content.items[$0].box } }
      first = group.upperBound
    }
  }

  /// The end edge, as far as the page's end does not keep room for it anyway.
  private var lastEdge: LayoutUnit { clonesEdges ? .zero : endEdge }

  /// Places items that may end the container. Room for its end edge is kept where they do (CSS Fragmentation 3,
  /// section 5.4): some of them goes on where the edge would stand beyond the page.
  private mutating func keepingRoomForEnd(isLast: Bool, _ place: (inout Self) -> [BreakToken]?) -> [BreakToken]? {
    let edge = lastEdge + space.endReserve
    guard isLast, edge > .zero, let size = space.fragmentainer.size else { return place(&self) }
    let savepoint = context.page.savepoint()
    let before = self
    let unfinished = place(&self)
    let room = size - space.fragmentainer.offset
    guard unfinished?.isEmpty == true, offset + edge > room, room - before.offset > edge else {
      return unfinished
    }
    context.page.rollBack(to: savepoint)
    self = before
    endRoom = edge
    return place(&self)
  }

  /// Notes the break before a row. Returns its rank; nil where the page ends there, by force or because it is the
  /// better place.
  private mutating func breakRank(before row: Int, after previous: [BoxID]) -> BreakRank? {
    guard hasPlacedRow else { return .perfect }
    let rule = rule(between: previous, and: content.rows[row].items.map { content.items[$0].box })
    let rank: BreakRank = rule.isAvoided || space.fragmentainer.avoidsBreaks ? .violatesAvoid : .perfect
    guard
      !progress.endsPage(
        at: .row(box, index: row), by: rule, rank: rank, in: space.fragmentainer,
        block: space.fragmentainer.offset + offset)
    else {
      stop(before: row, forced: rule.forced)
      return nil
    }
    return rank
  }

  /// The break between two rows (CSS Flexible Box 1, section 10; CSS Grid 1, section 10): any of their items may force
  /// it, or avoid it. On a screen it is avoided for the items that stand at it alone: what follows another one in its
  /// own row, such as a term, is kept with that one.
  func rule(between previous: [BoxID], and next: [BoxID]) -> BreakBetweenSiblings {
    let inColumns = space.fragmentainer.columnDepth > 0
    let after = previous.map { context.breakBetween($0, .none, inColumns: inColumns) }
    let before = next.map { context.breakBetween(.none, $0, inColumns: inColumns) }
    var rule = BreakBetweenSiblings(inColumns: inColumns, pageProgression: context.settings.pageProgression)
    rule.forced = (after + before).map(\.forced).strongest
    rule.isAvoided =
      !rule.isForced
      && (space.fragmentainer.isStrict
        ? (after + before).contains { $0.isAvoided }
        : after.last?.isAvoided == true || before.first?.isAvoided == true)
    return rule
  }

  /// Ends the page before a row that it has no room for, or before the whole container.
  private mutating func stop(before row: Int, rank: BreakRank) {
    guard hasPlacedRow || token != nil else {
      result = LayoutResult(fragment: .none, size: .zero, next: .before(box))
      return
    }
    progress.use(rank)
    stop(before: row)
  }

  private mutating func stop(before row: Int, children: [BreakToken] = [], forced: ForcedBreak = .none) {
    result.next = BreakToken(
      box: box, consumedBlockSize: (token?.consumedBlockSize ?? .zero) + offset,
      .itemRow(row, items: children, inline: key.inline, forced: children.isEmpty ? forced : children.forced))
  }

  // MARK: Items

  mutating func attach(_ laidOut: LayoutResult, _ item: PlacedItem, at place: LogicalOffset) {
    let shift = context.relativeShift(of: item.box, containing: item.area, direction: direction)
    context.page.attach(laidOut.fragment, to: fragment, at: place, shift: shift)
    result.outOfFlow.append(contentsOf: laidOut.outOfFlow, movedBy: place, shift: shift)
    guard item.givesFirstBaseline || item.givesLastBaseline else { return }
    let baselines = context.baselines(of: laidOut, in: box)
    if item.givesFirstBaseline { result.baselines.takeFirst(baselines, at: place.block) }
    if item.givesLastBaseline { result.baselines.takeLast(baselines, at: place.block) }
  }

  func space(of item: PlacedItem) -> ConstraintSpace {
    var child = item.space
    child.fragmentainer = space.fragmentainer.unbroken
    child.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset + inset.inline + item.offset.inline
    return child
  }

  private mutating func place(_ index: Int, origin: LayoutUnit) {
    let item = content.items[index]
    let laidOut = context.layout(item.box, in: space(of: item), from: nil, &progress)
    attach(
      laidOut, item, at: LogicalOffset(inline: inset.inline + item.offset.inline, block: origin + item.offset.block))
  }

  /// The items of a row that is higher than a page; what is left of them. Nil where one of them cannot begin here.
  private mutating func placeBroken(_ indices: [Int], origin: LayoutUnit, isAtPageStart: Bool) -> [BreakToken]? {
    let trial = (page: context.page.savepoint(), progress: progress, result: result)
    var row = BrokenRow(end: offset)
    for index in indices.sorted() {
      let item = content.items[index]
      // Items aligned to the middle or end of the row stand at its start.
      let block = Swift.min(origin + item.offset.block, offset + item.margins.blockStart)
      layoutBroken(item, at: block, from: nil, isAtPageStart: isAtPageStart, in: &row)
    }
    if !isAtPageStart, row.unfinished.contains(where: \.isBreakBefore) {
      context.page.rollBack(to: trial.page)
      progress.rollBack(to: trial.progress)
      result = trial.result
      return nil
    }
    stretch(&row)
    offset = row.end
    return row.unfinished
  }

  /// Ends the page in a row of items, at breaks that their content forces; what is left of them. Nil where it forces
  /// none that has an effect: nothing is placed then.
  private mutating func placeForced(_ items: [Int], at start: LayoutUnit, origin: LayoutUnit) -> [BreakToken]? {
    guard items.contains(where: { context.forcesBreak(inside: content.items[$0].box, in: space.fragmentainer) })
    else { return nil }
    let savepoint = context.page.savepoint()
    var divided = self
    divided.offset = start
    divided.placeWholeItems()
    guard
      let unfinished = divided.placeBroken(
        items, origin: origin, isAtPageStart: !hasPlacedRow && space.fragmentainer.isAtStart),
      unfinished.contains(where: \.endsByForce)
    else {
      context.page.rollBack(to: savepoint)
      return nil
    }
    self = divided
    hasPlacedRow = true
    return unfinished
  }

  private mutating func continueItems(_ tokens: [BreakToken]) -> [BreakToken] {
    let top = offset
    var row = BrokenRow(end: top)
    for token in tokens {
      guard let item = content.items.first(where: { $0.box == token.box }) else { continue }
      layoutBroken(item, at: top, from: token, isAtPageStart: space.fragmentainer.isAtStart, in: &row)
    }
    stretch(&row)
    offset = row.end
    return row.unfinished
  }

  /// The part on a page of a row that is higher than one.
  private struct BrokenRow {
    /// The end of the items, from the container's border edge.
    var end: LayoutUnit
    /// Those that go on.
    var unfinished: [BreakToken] = []
    /// Those that have ended.
    var ended: [(item: PlacedItem, part: LayoutResult, block: LayoutUnit, consumed: LayoutUnit)] = []
  }

  private mutating func layoutBroken(
    _ item: PlacedItem, at block: LayoutUnit, from token: BreakToken?, isAtPageStart: Bool, in row: inout BrokenRow
  ) {
    var child = space(of: item)
    child.isTallerThanPage = true
    child.imposed.block = nil
    child.percentageBlock = nil
    child.fragmentainer.size = space.fragmentainer.size.map { $0 - endRoom }
    child.fragmentainer.offset = space.fragmentainer.offset + block
    child.fragmentainer.isAtStart = isAtPageStart
    let laidOut = context.layoutParallelFlow(item.box, in: child, from: token, isInFlow: true, &progress)
    guard !laidOut.fragment.isNone else { return row.unfinished.append(token ?? .before(item.box)) }
    attach(laidOut, item, at: LogicalOffset(inline: inset.inline + item.offset.inline, block: block))
    let end = block + laidOut.size.block
    row.end = Swift.max(row.end, end + (laidOut.next == nil ? margin(below: item, at: end) : .zero))
    if let next = laidOut.next {
      row.unfinished.append(next)
    } else {
      row.ended.append((item, laidOut, block, token?.consumedBlockSize ?? .zero))
    }
  }

  /// The margin below an item that ends there. What of it stands beyond the page is truncated (CSS Fragmentation 3,
  /// section 5.2).
  private func margin(below item: PlacedItem, at end: LayoutUnit) -> LayoutUnit {
    guard let size = space.fragmentainer.size else { return item.margins.blockEnd }
    let room = size - endRoom - space.fragmentainer.offset - end
    return Swift.min(item.margins.blockEnd, Swift.max(.zero, room))
  }

  /// Makes the items that are stretched to their row, and have ended, as high as it is: to the end of the others, or to that of the page
  /// if one of them goes on; then they go on, too.
  private mutating func stretch(_ row: inout BrokenRow) {
    guard row.ended.count + row.unfinished.count > 1, let size = space.fragmentainer.size else { return }
    let goesOn = !row.unfinished.isEmpty
    if goesOn { row.end = Swift.max(row.end, size - space.fragmentainer.offset) }
    for (item, part, block, consumed) in row.ended where isStretched(item) {
      let end = goesOn ? row.end : row.end - item.margins.blockEnd
      let extent = Swift.max(part.size.block, end - block)
      context.page.setBlockSize(extent, of: part.fragment)
      guard goesOn else { continue }
      context.page.insert(.continuesAfter, into: part.fragment)
      row.unfinished.append(BreakToken(box: item.box, consumedBlockSize: consumed + extent, .end(held: nil)))
    }
  }

  /// The item takes its block size from its row.
  func isStretched(_ item: PlacedItem) -> Bool {
    item.growsWithContent && item.space.imposed.block != nil && context.tree.boxes[item.box.index].kind == .block
  }

  // MARK: The box itself

  /// The end of the content, from the container's border edge in its first part.
  private var automaticEnd: LayoutUnit {
    if token == nil, let size = content.blockSize { return inset.block + size }
    return (token?.consumedBlockSize ?? .zero) + offset
  }

  private mutating func finish() -> LayoutResult {
    let before = token?.consumedBlockSize ?? .zero
    var block = offset
    if result.next != nil {
      if let size = space.fragmentainer.size, size < Fragmentainer.endlessSize {
        block = Swift.max(block, size - space.fragmentainer.offset)
      }
      if clonesEdges { block += endEdge }
      context.page.insert(.continuesAfter, into: fragment)
    } else {
      let auto = automaticEnd + endEdge
      block = context.usedBlock(auto: auto, of: box, geometry: geometry, space: space) - before
      block = Swift.max(block, token == nil ? .zero : offset + endEdge)
    }
    return close(block: block)
  }

  /// The part of the container in a column: it ends with its own height, whatever of its items goes on.
  private mutating func finishInColumn() -> LayoutResult {
    let before = token?.consumedBlockSize ?? .zero
    let columnEnd = (space.fragmentainer.size ?? .max) - space.fragmentainer.offset
    let own = context.usedBlock(
      auto: result.next == nil ? automaticEnd + endEdge : .max, of: box, geometry: geometry, space: space)
    let rest = token?.isEnded == true ? .zero : Swift.max(.zero, own == .max ? .max : own - before)
    let isEnded = token != nil && rest == .zero
    var block = rest
    if rest > columnEnd {
      // Between the content and the end edge of a box that ends with it is no place for a break (CSS Fragmentation 3,
      // section 4.1, class C).
      if result.next == nil, endEdge > .zero, own <= automaticEnd + endEdge { progress.useEndEdge() }
      // The part of a fixed height that stays empty is carried on.
      block = columnEnd < Fragmentainer.endlessSize - space.fragmentainer.offset ? Swift.max(.zero, columnEnd) : offset
      if own < .max { progress.noteShortage(rest - block) }
      if result.next == nil, space.fragmentainer.carriesEmptyRoom(after: before + block) {
        let edges = clonesEdges ? inset.block + endEdge : .zero
        result.next = BreakToken(box: box, consumedBlockSize: before + block - edges, .end(held: nil))
      }
    } else if let next = result.next {
      result.overflow = next.consuming(Swift.max(own, next.consumedBlockSize))
      result.next = nil
    }
    if result.next == nil, context.clipsBlockEnd(box) {
      result.overflow = nil
    } else if !parallel.isEmpty {
      if result.next == nil, result.overflow == nil {
        result.overflow = BreakToken(box: box, consumedBlockSize: before + block, .ended)
      }
      result.next = result.next?.beside(parallel)
      result.overflow = result.overflow?.beside(parallel)
    }
    if result.next != nil || isEnded { context.page.insert(.continuesAfter, into: fragment) }
    if isEnded { context.page.insert(.paintsNothing, into: fragment) }
    return close(block: block)
  }

  /// Gives the positioned boxes that a grid contains the areas that they name, children of others among them.
  private mutating func giveAreas() {
    guard let lines = content.gridLines else { return }
    let containsFixed = context.containsFixed(box)
    for (index, entry) in result.outOfFlow.enumerated() where entry.strip == nil {
      let style = context.styles.boxes[context.tree.boxes[entry.box.index].style.box.index]
      guard style.position != .fixed || containsFixed else { continue }
      result.outOfFlow[index].area = lines.area(of: style.grid?.values ?? GridValues()).moved(by: inset)
    }
  }

  private mutating func close(block: LayoutUnit) -> LayoutResult {
    if token != nil { context.page.insert(.continuesBefore, into: fragment) }
    result.size = LogicalSize(inline: inlineSize, block: block)
    context.page.setSize(result.size, of: fragment)
    result.bfcBlock = .zero
    if context.isContainingBlockForPositioned(box) {
      giveAreas()
      context.layoutPositioned(
        in: &result, of: box, in: space, geometry: geometry, direction: direction, from: token,
        inColumn: context.columnPlace(
          of: box, in: space, at: space.fragmentainer.offset, from: token, geometry: geometry), progress: &progress)
    }
    return result
  }
}
