import BoxGeneration
import CSS
import Primitives
import Styling

/// One multi-column container on one page (CSS Multi-column 1): rows of columns, with `column-span: all` boxes between them.
///
/// Each column is the container's content laid out once more as a block flow with a height of its own. What the flow makes is
/// hung into the container's fragment, so columns leave no fragments behind.
struct ColumnLayout {
  static let mostColumns = LayoutContext.mostColumns

  let context: LayoutContext
  let box: BoxID
  let space: ConstraintSpace
  let token: BreakToken?
  let style: BoxStyle
  let geometry: BoxGeometry
  let inlineSize: LayoutUnit
  let contentInline: LayoutUnit
  let contentBlock: LayoutUnit?
  let direction: TextDirection
  let count: Int
  let columnInline: LayoutUnit
  let gap: LayoutUnit
  let inset: LayoutUnit
  let startEdge: LayoutUnit
  let endEdge: LayoutUnit
  /// Border and padding are drawn at every break.
  let clonesEdges: Bool

  let fragment: FragmentID
  var progress: FlowProgress
  /// From the border box's block-start edge to the end of what has been placed.
  private var offset: LayoutUnit
  /// The end margin of the last spanner.
  private var strut = MarginStrut()
  private var hasPlacedContent = false
  var outOfFlow: [OutOfFlowBox] = []
  /// The columns that have been placed, and positioned boxes in them that stand where these are known.
  var positionedColumns: [PositionedColumn] = []
  /// With the columns that they were met in: `aligned` are those of `outOfFlow` whose places in the flow are aligned.
  var unplaced: (waiting: [(entry: OutOfFlowBox, column: Int)], aligned: [(index: Int, column: Int)]) = ([], [])
  private var baselines = Baselines()
  /// The rules between columns, and which are those of the last row, where no spanner follows it.
  private var rules: (all: [CollapsedBorder], last: Range<Int>) = ([], 0..<0)
  var next: BreakToken?
  /// Where content goes on that sticks out of spanners of a given height.
  private var parallel: [BreakToken] = []
  private var breaksBefore = false

  /// A place in the content from which it goes on.
  struct Position {
    /// nil at the beginning of the container.
    var token: BreakToken?
    var floats: [PushedFloat] = []
  }

  /// Columns side by side.
  struct Row {
    var columns: [LayoutResult] = []
    var block = LayoutUnit.zero
    /// The start of the content after the row; nil at its end.
    var next: Position?
    var spanner = BoxID.none
    /// Nothing could be set in the room there is.
    var isRefused = false
    var progress = ColumnProgress()
    /// A column ends against a rule for breaks (CSS Fragmentation 3, section 4.4).
    var breaksRules = false
    /// Nothing is left but what follows a spanner or a page break.
    var isComplete: Bool {
      guard let next else { return true }
      return (!spanner.isNone || progress.endsPage) && next.floats.isEmpty
    }
  }

  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    var layout = ColumnLayout(context: context, box: box, space: space, token: token, progress: progress)
    let result = layout.run()
    progress.adopt(layout.progress, of: result)
    return result
  }

  private init(
    context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?, progress: FlowProgress
  ) {
    self.progress = progress
    self.context = context
    self.box = box
    self.space = space
    self.token = token
    let value = context.tree.boxes[box.index]
    style = context.styles.boxes[value.style.box.index]
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    inlineSize = space.borderBoxInline
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    contentBlock = context.definiteContentBlock(of: box, geometry: geometry, space: space)
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    (count, columnInline, gap) = context.columnGeometry(of: box, available: contentInline)
    inset = geometry.border.lineLeft + geometry.padding.lineLeft
    clonesEdges = context.inputs.clonesEdges(box)
    startEdge = token == nil || clonesEdges ? geometry.border.blockStart + geometry.padding.blockStart : .zero
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    offset = startEdge
    fragment = context.page.appendBox(box, size: LogicalSize(inline: inlineSize), geometry: geometry)
  }

  // MARK: The pass

  private mutating func run() -> LayoutResult {
    continueParallel()
    var position: Position? = Position(token: nil, floats: [])
    var spanner: BreakToken?
    switch token?.place {
    case .end, .ended: position = nil
    case .columns(let resumed, let rest, let floats, _):
      spanner = resumed
      position = Position(token: rest, floats: floats)
    default: break
    }
    var beforeSpanner:
      (savepoint: PageBuilder.Savepoint, progress: FlowProgress, offset: LayoutUnit, token: BreakToken)?
    while next == nil {
      if let current = spanner {
        beforeSpanner =
          hasPlacedContent && current.isBreakBefore ? (context.page.savepoint(), progress, offset, current) : nil
        guard layoutSpanner(current, then: position) else { break }
        spanner = nil
      }
      guard let start = position else { break }
      let end = offset
      offset += strut.sum
      let row = layoutRow(from: start)
      if row.isRefused {
        guard hasPlacedContent else {
          // Nothing of the box is on this page: it moves on whole.
          breakBeforeContent(pageToken(at: start))
          break
        }
        if let before = beforeSpanner, isKeptTogether(before.token.box, start) {
          // A heading does not stay behind alone.
          context.page.rollBack(to: before.savepoint)
          progress.rollBack(to: before.progress)
          offset = before.offset
          next = spannerToken(before.token, then: start)
        } else {
          strut = MarginStrut()
          next = pageToken(at: start)
        }
        break
      }
      place(row)
      // Margins of spanners with nothing between them collapse.
      if row.block > .zero { strut = MarginStrut() } else { offset = end }
      position = row.next
      if !row.spanner.isNone {
        spanner = .before(row.spanner)
      } else if let rest = row.next {
        next = pageToken(at: rest, forced: row.progress.endsPage ? rest.token?.forced ?? .page : .none)
      } else {
        break
      }
      beforeSpanner = nil
    }
    if breaksBefore { return LayoutResult(fragment: .none, size: .zero, next: .before(box)) }
    layoutPositioned()
    return finish()
  }

  /// Nothing of the box fits here: it moves on whole, or goes on from `token` when it has begun already.
  private mutating func breakBeforeContent(_ rest: BreakToken) {
    next = rest
    breaksBefore = token == nil
  }

  private func consumed(_ size: LayoutUnit) -> LayoutUnit { (token?.consumedBlockSize ?? .zero) + size }

  private func pageToken(at position: Position, forced: ForcedBreak = .none) -> BreakToken {
    BreakToken(
      box: box, consumedBlockSize: consumed(offset),
      .columns(spanner: nil, rest: position.token, floats: position.floats, forced: forced))
  }
  private func spannerToken(_ spanner: BreakToken, then position: Position?) -> BreakToken {
    BreakToken(
      box: box, consumedBlockSize: consumed(offset),
      .columns(spanner: spanner, rest: position?.token, floats: position?.floats ?? [], forced: .none))
  }

  /// A spanner asks to stay with the content after it.
  private func isKeptTogether(_ spanner: BoxID, _ position: Position) -> Bool {
    guard let token = position.token, !token.nextChild.isNone else { return false }
    return context.breakBetween(spanner, token.nextChild, inColumns: space.fragmentainer.columnDepth > 0).isAvoided
  }

  // MARK: Rows

  /// Room to the end of the page, nil without pages.
  private var pageRoom: LayoutUnit? {
    guard let size = space.fragmentainer.size, size < Fragmentainer.endlessSize else { return nil }
    return size - space.fragmentainer.offset - offset - (clonesEdges ? endEdge : .zero)
  }

  /// Room that the container's own height leaves, nil when it grows with its content.
  private var ownRoom: LayoutUnit? {
    if space.imposed.ignoresBlockSize { return nil }
    return context.ownBlock(of: box, geometry: geometry, space: space).map {
      Swift.max(.zero, $0 - endEdge - consumed(offset))
    }
  }

  /// The columns from `start` to a spanner, to the end of the content or of the page (section 7). The end edge of the
  /// container does not go on alone: where it has no room behind the content, some of that goes on with it.
  private mutating func layoutRow(from start: Position) -> Row {
    let savepoint = context.page.savepoint()
    let before = progress
    let row = layoutRow(from: start, page: pageRoom)
    guard let page = pageRoom, endEdge > .zero, !clonesEdges, contentBlock == nil, !row.isRefused, row.next == nil,
      row.spanner.isNone, row.block + endEdge > page, page > endEdge
    else { return row }
    context.page.rollBack(to: savepoint)
    progress.rollBack(to: before)
    return layoutRow(from: start, page: page - endEdge)
  }

  /// - Parameter page: The room on the page; nil without pages.
  private mutating func layoutRow(from start: Position, page: LayoutUnit?) -> Row {
    let own = ownRoom
    // Content that the page's end cuts goes on there; content that only the container's height cuts, in columns beside it.
    let isCutByPage = page.map { room in own.map { room <= $0 } ?? true } ?? false
    let isAtPageStart = space.fragmentainer.isAtStart && !hasPlacedContent
    if isCutByPage, let page, page <= .zero, !isAtPageStart { return Row(isRefused: true) }
    let limit = isCutByPage ? page : own
    let most = isCutByPage ? count : Self.mostColumns
    let fills = style.columnFill == .auto || context.trials.isExhausted
    let savepoint = context.page.savepoint()
    let before = progress
    if let limit, isCutByPage || fills {
      var row = layoutColumns(from: start, block: limit, most: most, mayRefuse: isCutByPage && !isAtPageStart)
      if row.isRefused || !row.isComplete { return row }
      // Content that precedes a spanner is balanced in any case (section 7.1).
      if fills, row.spanner.isNone || context.trials.isExhausted {
        // Columns that end at forced breaks are laid out once more, as high as the highest of them.
        if contentBlock == nil, row.columns.count > 1, isEndedByForce(row) {
          context.page.rollBack(to: savepoint)
          progress.rollBack(to: before)
          let runs = runs(
            of: layoutColumns(from: start, block: Fragmentainer.endlessSize, most: most, mayRefuse: false))
          context.page.rollBack(to: savepoint)
          progress.rollBack(to: before)
          let block = runs.count == row.columns.count ? Swift.min(limit, runs.max() ?? limit) : limit
          return layoutColumns(from: start, block: block, most: most, mayRefuse: false)
        }
        // A container that grows with its content is as high as its highest column.
        if isCutByPage && row.columns.count == 1 || contentBlock == nil {
          let ends = row.columns.map { Swift.max($0.size.block, context.endOfFlow(in: $0.fragment)) }
          row.block = Swift.min(limit, ends.max() ?? .zero)
        }
        return row
      }
      context.page.rollBack(to: savepoint)
      progress.rollBack(to: before)
    }
    context.trials.begin()
    defer { context.trials.end() }
    return balance(from: start, limit: limit, most: most, since: savepoint)
  }

  // MARK: Columns

  /// Sets content in columns of height `block`, at most so many. Without `mayRefuse` each takes in something.
  mutating func layoutColumns(from start: Position, block: LayoutUnit, most: Int, mayRefuse: Bool) -> Row {
    var row = Row(block: block)
    var afterSpanner: BreakToken?
    var position: Position? = start
    var columns = ColumnProgress()
    while let current = position, row.columns.count < most {
      let index = row.columns.count
      let savepoint = context.page.savepoint()
      let isLast = index == Self.mostColumns - 1
      var column = layoutColumn(
        from: current, block: isLast ? Fragmentainer.endlessSize : block, at: index, mayRefuse: mayRefuse, columns)
      if isStalled(column, at: current) {
        context.page.rollBack(to: savepoint)
        columns = column.progress.columns
        if mayRefuse {
          row.isRefused = row.columns.isEmpty
          break
        }
        // Content that fits no column is set in one without an end.
        column = layoutColumn(from: current, block: Fragmentainer.endlessSize, at: index, mayRefuse: false, columns)
        columns = column.progress.columns
        if column.result.fragment.isNone { break }
        columns.overflows = true
      } else {
        columns = column.progress.columns
      }
      row.columns.append(column.result)
      if let rest = column.result.next, columns.spanner.isNone, !rest.isForced,
        column.progress.usedRank < .perfect || context.rank(ofBreakAt: rest, inColumns: true) < .perfect
      {
        row.breaksRules = true
      }
      progress.pushedPositioned += column.progress.pushedPositioned
      for float in column.progress.pageFloats where !float.isOfColumn { progress.meet(float) }
      let floats = column.progress.pushedFloats
      let floatsAlone = floats.isEmpty ? nil : BreakToken(box: box, .end(held: nil))
      if !columns.spanner.isNone {
        row.spanner = columns.spanner
        afterSpanner = column.result.next
      }
      // Floats that found no room in a column before a spanner go on in the next one, not after it.
      let rest = row.spanner.isNone ? column.result.next ?? floatsAlone : floatsAlone
      position = rest.map { Position(token: $0, floats: floats) }
      if columns.endsPage {
        guard space.fragmentainer.size == nil else { break }
        // Without pages the next column follows the break.
        columns.endsPage = false
      }
    }
    row.next = row.spanner.isNone ? position : Position(token: afterSpanner, floats: position?.floats ?? [])
    row.progress = columns
    let isInColumn = space.fragmentainer.columnDepth > 0
    if block < Fragmentainer.endlessSize, columns.endsPage, isInColumn { progress.endColumn(by: .page) }
    if isInColumn, mayRefuse || !row.isComplete, columns.shortage < .max {
      progress.noteShortage(columns.shortage)
    }
    return row
  }

  /// A column with what it has met.
  private struct Column {
    var result: LayoutResult
    var progress: FlowProgress
  }

  /// A column has brought the content no further.
  private func isStalled(_ column: Column, at position: Position) -> Bool {
    if column.result.fragment.isNone { return true }
    guard let old = position.token else {
      // The floats that the content begins with are carried on, and nothing stands before them.
      let next = column.result.next
      let floats = column.progress.pushedFloats + (next?.floats ?? [])
      return (next?.isAtEnd ?? true) && !floats.isEmpty && context.page[column.result.fragment].firstChild.isNone
    }
    guard let new = column.result.next, new.isSamePlace(as: old) else { return false }
    return new.consumedBlockSize == old.consumedBlockSize
      && column.progress.pushedFloats.isSamePlace(as: position.floats)
  }

  /// One column, broken at the best place it offers. `columns` is what the columns before it have met.
  private func layoutColumn(
    from position: Position, block: LayoutUnit, at index: Int, mayRefuse: Bool, _ columns: ColumnProgress
  ) -> Column {
    var child = ConstraintSpace(
      mode: space.mode, availableInline: columnInline, percentageBlock: contentBlock, direction: direction)
    child.column = .column
    child.imposed.inline = columnInline
    child.geometry = BoxGeometry()
    child.imposed.ignoresBlockSize = true
    child.fragmentainer.size = block
    child.fragmentainer.isAtStart = !mayRefuse
    child.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset + inset + columnOffset(index)
    child.fragmentainer.columnDepth = space.fragmentainer.columnDepth + 1
    child.resumedFloats = position.floats
    context.trials.count(columnAtDepth: child.fragmentainer.columnDepth)
    var own = FlowProgress(columns: columns)
    func layoutText(_ space: ConstraintSpace, _ own: inout FlowProgress) -> LayoutResult {
      var space = space
      return context.layoutAtBestBreak(&own) { place, own in
        space.fragmentainer.earlyBreak = place
        own.beginColumn()
        return BlockFlow.layout(box, in: space, from: position.token, context, &own)
      }
    }
    let result =
      context.inputs.hasPageFloats
      ? context.layoutColumn(child, &own, text: layoutText) : layoutText(child, &own)
    return Column(result: result, progress: own)
  }

  /// Line-left offset of a column from the content box.
  func columnOffset(_ index: Int) -> LayoutUnit {
    let before = (columnInline + gap) * index
    return direction == .ltr ? before : contentInline - columnInline - before
  }

  /// Hangs what the columns of a row hold into the container.
  private mutating func place(_ row: Row) {
    let firstRule = rules.all.count
    let room = roomForPositioned(in: row)
    let number = positionedColumns.last.map { $0.row + 1 } ?? 0
    for (index, column) in row.columns.enumerated() {
      let place = LogicalOffset(inline: inset + columnOffset(index), block: offset)
      let before = context.page[fragment].lastChild
      context.page.moveChildren(of: column.fragment, to: fragment, by: place)
      let start = positionedColumns.last.map { $0.start + $0.block } ?? .zero
      let last = context.page[fragment].lastChild
      positionedColumns.append(
        PositionedColumn(
          row: number, index: index, place: place, block: room, start: start,
          children: (before, last == before ? .none : last)))
      take(column.outOfFlow, from: positionedColumns.count - 1)
      baselines.take(column.baselines, at: offset)
      if index > 0 { addRule(before: index, block: row.block) }
    }
    rules.last = firstRule..<rules.all.count
    offset += row.block
    if row.block > .zero { hasPlacedContent = true }
  }

  /// The height that the columns of a row have for positioned boxes. Where they are not balanced, or hold nothing else,
  /// it is that which the container or the column around it leaves them, however little of it the content takes.
  private func roomForPositioned(in row: Row) -> LayoutUnit {
    guard style.columnFill == .auto && row.spanner.isNone || row.block == .zero else { return row.block }
    let around = space.fragmentainer.columnDepth > 0 ? pageRoom : nil
    return [ownRoom, around].compactMap { $0 }.min().map { Swift.max(row.block, $0) } ?? row.block
  }

  /// The rule in the gap before a column that holds something (section 4).
  private mutating func addRule(before index: Int, block: LayoutUnit) {
    let value = context.tree.boxes[box.index].style
    guard value.border.index != 0 else { return }
    let group = context.styles.borders[value.border.index]
    guard group.columnRuleStyle != .none, group.columnRuleStyle != .hidden else { return }
    let wanted = Swift.max(.zero, context.resolve(group.columnRuleWidth, font: value.font))
    let width = wanted > .zero && wanted < LayoutUnit(1) ? LayoutUnit(1) : wanted.floor
    let middle =
      direction == .ltr ? columnOffset(index) - gap / 2 : columnOffset(index) + columnInline + gap - gap / 2
    rules.all.append(
      CollapsedBorder(
        rect: LogicalRect(
          offset: LogicalOffset(inline: inset + middle - width / 2, block: offset),
          size: LogicalSize(inline: width, block: block)),
        isInlineAxis: false, style: group.columnRuleStyle.rawValue,
        color: group.columnRuleColor.resolved(context.styles.texts[value.text.index].color)))
  }

  // MARK: Spanners

  /// A `column-span: all` box, or the rest of one (section 6). False when the page ends before or in it.
  private mutating func layoutSpanner(_ current: BreakToken, then position: Position?) -> Bool {
    let spanner = current.box
    var (child, sizing) = spannerSpace(spanner)
    let isResumed = !current.isBreakBefore
    // After a page break the margin is dropped, as that of any block.
    if !isResumed, token == nil || hasPlacedContent { strut.append(sizing.margins.blockStart) }
    let top = offset + strut.sum
    child.fragmentainer.offset = space.fragmentainer.offset + top
    child.fragmentainer.isAtStart = space.fragmentainer.isAtStart && !hasPlacedContent
    let savepoint = context.page.savepoint()
    let before = progress
    let result = context.layout(spanner, in: child, from: isResumed ? current : nil, &progress)
    let avoids = space.fragmentainer.avoidsBreaks(inside: context.breakInside(of: spanner))
    let isBeyond = space.fragmentainer.size.map { child.fragmentainer.offset + result.size.block > $0 } ?? false
    let isWhole = context.tree.boxes[spanner.index].content == .replaced
    if result.fragment.isNone
      || !child.fragmentainer.isAtStart && (isBeyond && isWhole || result.next != nil && !isResumed && avoids)
    {
      context.page.rollBack(to: savepoint)
      progress.rollBack(to: before)
      next = spannerToken(isResumed ? current : .before(spanner), then: position)
      breaksBefore = !hasPlacedContent && token == nil
      return false
    }
    offset = top
    rules.last = 0..<0
    hang(result, of: spanner, at: LogicalOffset(inline: inset + sizing.lineLeft, block: offset))
    baselines.take(result.baselines, at: offset)
    offset += result.size.block
    hasPlacedContent = true
    strut = MarginStrut()
    if let overflow = result.overflow { parallel.append(overflow) }
    if let rest = result.next {
      next = spannerToken(rest, then: position)
      return false
    }
    strut.append(sizing.margins.blockEnd)
    return true
  }

  /// The space of a spanner, whose place along the block axis is not known yet.
  private func spannerSpace(_ spanner: BoxID) -> (space: ConstraintSpace, sizing: LayoutContext.InlineSizing) {
    var child = ConstraintSpace(
      mode: space.mode, availableInline: contentInline, percentageBlock: contentBlock, direction: direction)
    child.fragmentainer = space.fragmentainer
    let intrinsic = context.intrinsicInline(
      of: spanner, available: contentInline - context.margins(of: spanner, availableInline: contentInline).inlineSum,
      containing: contentInline, percentageBlock: contentBlock)
    let sizing = context.inlineSizing(of: spanner, available: contentInline, space: child, intrinsicInline: intrinsic)
    child.imposed.inline = sizing.inlineSize
    child.geometry = sizing.geometry
    child.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset + inset + sizing.lineLeft
    child.fragmentainer.keptFrom = nil
    return (child, sizing)
  }

  private mutating func hang(_ result: LayoutResult, of spanner: BoxID, at place: LogicalOffset) {
    let shift = context.relativeShift(
      of: spanner, containing: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), direction: direction)
    context.page.attach(result.fragment, to: fragment, at: place, shift: shift)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place, shift: shift)
  }

  /// Goes on with content that sticks out of spanners which have ended: it stands beside what comes next.
  private mutating func continueParallel() {
    for rest in token?.parallel ?? [] {
      var (child, sizing) = spannerSpace(rest.box)
      child.fragmentainer.offset = space.fragmentainer.offset + offset
      child.fragmentainer.isAtStart = true
      let result = context.layoutParallelFlow(rest.box, in: child, from: rest, isInFlow: false, &progress)
      guard !result.fragment.isNone else {
        parallel.append(rest)
        continue
      }
      hang(result, of: rest.box, at: LogicalOffset(inline: inset + sizing.lineLeft, block: offset))
      if let more = result.rest { parallel.append(more) }
    }
  }

  // MARK: The box itself

  private mutating func finish() -> LayoutResult {
    let before = token?.consumedBlockSize ?? .zero
    let pageEnd = space.fragmentainer.size.flatMap {
      $0 < Fragmentainer.endlessSize ? $0 - space.fragmentainer.offset : nil
    }
    var block = offset + strut.sum
    if next != nil {
      if clonesEdges { block += endEdge }
      block = Swift.max(block, pageEnd ?? block)
    } else {
      let content = block
      let isEnded = token?.isAtEnd == true && contentBlock == nil
      let auto = isEnded ? before : before + content + endEdge
      block = context.usedBlock(auto: auto, of: box, geometry: geometry, space: space) - before
      block = token?.isEnded == true ? .zero : Swift.max(.zero, block)
      if let pageEnd, block > pageEnd {
        if space.fragmentainer.columnDepth > 0 { progress.noteShortage(block - pageEnd) }
        let cut = Swift.max(pageEnd, Swift.min(content, block))
        if cut < block {
          // Of a height that is given, the empty part goes on in the next column; no page of a screen is begun for it.
          if space.fragmentainer.carriesEmptyRoom(after: before + cut) {
            next = BreakToken(box: box, consumedBlockSize: before + cut, .end(held: nil))
          }
          block = cut
        }
      }
    }
    if next != nil { context.page.insert(.continuesAfter, into: fragment) }
    if token != nil { context.page.insert(.continuesBefore, into: fragment) }
    if next == nil {
      // The last row is as high as what is left of the container.
      for index in rules.last {
        let end = block - endEdge - rules.all[index].rect.offset.block
        rules.all[index].rect.size.block = Swift.max(rules.all[index].rect.size.block, end)
      }
    }
    context.page.append(rules.all, to: fragment)
    if token != nil, block == .zero { context.page.insert(.paintsNothing, into: fragment) }
    var result = LayoutResult(
      fragment: fragment, size: LogicalSize(inline: inlineSize, block: block), next: next?.beside(parallel))
    if next == nil, !parallel.isEmpty, !context.clipsBlockEnd(box) {
      result.overflow = BreakToken(
        box: box, consumedBlockSize: consumed(block), .ended, parallel: parallel)
    }
    context.page.setSize(result.size, of: fragment)
    result.bfcBlock = .zero
    result.baselines = baselines
    result.outOfFlow = outOfFlow
    if context.isContainingBlockForPositioned(box) {
      context.layoutPositioned(
        in: &result, of: box, in: space, geometry: geometry, direction: direction, from: token,
        inColumn: context.columnPlace(
          of: box, in: space, at: space.fragmentainer.offset, from: token, geometry: geometry), progress: &progress)
    }
    return result
  }
}
