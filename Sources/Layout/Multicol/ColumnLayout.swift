import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// Multi-column containers (CSS Multi-column 1): rows of columns, with `column-span: all` boxes between them.
  func layoutColumns(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    var layout = ColumnLayout(context: self, box: box, space: space, token: token)
    return layout.run()
  }
}

/// One multi-column container on one page.
///
/// Each column is the container's content laid out once more as a block flow with a height of its own. What the flow makes is
/// hung into the container's fragment, so columns leave no fragments behind.
struct ColumnLayout {
  static let mostColumns = 1000
  /// Tries at a balanced height that follow the least shortage, before the height is searched by halves.
  private static let mostStretches = 8
  /// Stands for columns without an end, where only forced breaks count.
  static let unboundedSize = LayoutUnit.max

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

  private var fragment = FragmentID.none
  /// From the border box's block-start edge to the end of what has been placed.
  private var offset: LayoutUnit
  /// The end margin of the last spanner.
  private var strut = MarginStrut()
  private var hasPlacedContent = false
  private var outOfFlow: [OutOfFlowBox] = []
  private var firstBaseline: LayoutUnit?
  private var lastBaseline: LayoutUnit?
  private var rules: [CollapsedBorder] = []
  private var next: BreakToken?
  private var breaksBefore = false

  /// Where the content goes on.
  private struct Position {
    /// nil at the beginning of the container.
    var token: BreakToken?
    var floats: [CarriedFloat] = []
  }

  /// Columns side by side.
  private struct Row {
    var columns: [LayoutResult] = []
    var block = LayoutUnit.zero
    /// Where the content goes on after the row; nil at its end.
    var next: Position?
    var spanner = BoxID.none
    var endsPage = false
    /// Nothing could be set in the room there is.
    var isRefused = false
    var shortage = LayoutUnit.max
    var overflows = false
    /// Nothing is left but what follows a spanner or a page break.
    var isComplete: Bool {
      guard let next else { return true }
      return (!spanner.isNone || endsPage) && next.floats.isEmpty
    }
  }

  init(context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?) {
    self.context = context
    self.box = box
    self.space = space
    self.token = token
    let value = context.tree.boxes[box.index]
    style = context.styles.boxes[value.style.box.index]
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    inlineSize = space.fixedInline ?? space.availableInline
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    contentBlock = context.definiteContentBlock(of: box, geometry: geometry, space: space)
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    (count, columnInline, gap) = context.columnGeometry(of: box, available: contentInline)
    inset = geometry.border.lineLeft + geometry.padding.lineLeft
    startEdge = token == nil ? geometry.border.blockStart + geometry.padding.blockStart : .zero
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    offset = startEdge
  }

  // MARK: The pass

  mutating func run() -> LayoutResult {
    fragment = context.page.appendBox(box, size: LogicalSize(inline: inlineSize), geometry: geometry)
    var position: Position? = Position(token: token?.children.last, floats: token?.floats ?? [])
    if token?.isAtBlockEnd == true { position = nil }
    // In a spanner, the first child token is its own.
    var spanner = token.flatMap { $0.children.count > 1 ? $0.children[0] : nil }
    var checkpoint: (mark: LayoutContext.Mark, last: FragmentID, offset: LayoutUnit, token: BreakToken)?
    while next == nil {
      if let current = spanner {
        checkpoint = hasPlacedContent ? (context.mark(), context.page[fragment].lastChild, offset, current) : nil
        if !current.isBreakBefore { checkpoint = nil }
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
        if let checkpoint, isKeptTogether(checkpoint.token.box, start) {
          // A heading does not stay behind alone.
          context.rewind(to: checkpoint.mark)
          relink(after: checkpoint.last)
          offset = checkpoint.offset
          next = spannerToken(checkpoint.token, then: start)
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
        next = pageToken(at: rest, forced: row.endsPage ? rest.token?.forced ?? .page : .none)
      } else {
        break
      }
      checkpoint = nil
    }
    return breaksBefore ? LayoutResult(fragment: .none, size: .zero, next: .before(box)) : finish()
  }

  /// Nothing of the box fits here: it moves on whole, or goes on from `token` when it has begun already.
  private mutating func breakBeforeContent(_ rest: BreakToken) {
    next = rest
    breaksBefore = token == nil
  }

  private func consumed(_ size: LayoutUnit) -> LayoutUnit { (token?.consumedBlockSize ?? .zero) + size }

  private func pageToken(at position: Position, forced: ForcedBreak = .none) -> BreakToken {
    BreakToken(
      box: box, consumedBlockSize: consumed(offset), children: position.token.map { [$0] } ?? [], forced: forced,
      floats: position.floats)
  }
  private func spannerToken(_ spanner: BreakToken, then position: Position?) -> BreakToken {
    BreakToken(
      box: box, consumedBlockSize: consumed(offset), children: [spanner] + (position?.token.map { [$0] } ?? []),
      floats: position?.floats ?? [])
  }

  /// Whether a spanner asks to stay with the content after it.
  private func isKeptTogether(_ spanner: BoxID, _ position: Position) -> Bool {
    guard let token = position.token, !token.nextChild.isNone else { return false }
    return context.breakBetween(spanner, token.nextChild).isAvoided
  }

  private func relink(after last: FragmentID) {
    context.page.fragments[fragment.index].lastChild = last
    if last.isNone {
      context.page.fragments[fragment.index].firstChild = .none
    } else {
      context.page.fragments[last.index].nextSibling = .none
    }
  }

  // MARK: Rows

  /// Room to the end of the page, nil without pages.
  private var pageRoom: LayoutUnit? {
    guard let size = space.fragmentainerSize, size < Self.unboundedSize else { return nil }
    return size - space.fragmentainerOffset - offset
  }

  /// Room that the container's own height leaves, nil when it grows with its content.
  private var ownRoom: LayoutUnit? {
    if space.ignoresBlockSize { return nil }
    let limit = context.usedBlock(auto: .max, of: box, geometry: geometry, space: space)
    guard limit < .max else { return nil }
    return Swift.max(.zero, limit - endEdge - consumed(offset))
  }

  /// The columns from `start` to a spanner, to the end of the content or of the page (section 7).
  private mutating func layoutRow(from start: Position) -> Row {
    let own = ownRoom
    let page = pageRoom
    // What the page cuts off goes on there; what only the container's height cuts off, in columns beside it.
    let isCutByPage = page.map { room in own.map { room <= $0 } ?? true } ?? false
    let isAtPageStart = space.isAtPageStart && !hasPlacedContent
    if isCutByPage, let page, page <= .zero, !isAtPageStart { return Row(isRefused: true) }
    let limit = isCutByPage ? page : own
    let most = isCutByPage ? count : Self.mostColumns
    let fills = style.columnFill == .auto || context.trials.isExhausted
    let mark = context.mark()
    if let limit, isCutByPage || fills {
      var row = layoutColumns(from: start, block: limit, most: most, mayRefuse: isCutByPage && !isAtPageStart)
      if row.isRefused || !row.isComplete { return row }
      if fills {
        if isCutByPage, row.columns.count == 1 { row.block = Swift.min(limit, row.columns[0].size.block) }
        return row
      }
      context.rewind(to: mark)
    }
    context.trials.begin()
    defer { context.trials.end() }
    return balance(from: start, limit: limit, most: most, mark: mark)
  }

  /// The row with the least height at which the content needs no more columns than there are.
  private mutating func balance(from start: Position, limit: LayoutUnit?, most: Int, mark: LayoutContext.Mark) -> Row {
    // The runs between forced breaks, each in one column without an end.
    var whole = layoutColumns(from: start, block: Self.unboundedSize, most: Self.mostColumns, mayRefuse: false)
    let runs = whole.columns.map { $0.size.block }
    let longest = runs.max() ?? .zero
    let highest = Swift.max(LayoutUnit(1), Swift.min(longest, limit ?? .max))
    if runs.count == count || longest == .zero || context.trials.isExhausted, longest <= highest {
      whole.block = longest
      return whole
    }
    context.rewind(to: mark)
    var low = runs.count >= count ? highest : Swift.min(highest, Swift.max(LayoutUnit(1), evenBlock(of: runs)))
    var stretches = 0
    while low < highest, stretches < Self.mostStretches {
      let row = layoutColumns(from: start, block: low, most: count, mayRefuse: false)
      if row.isComplete, !row.overflows { return row }
      context.rewind(to: mark)
      guard row.shortage < .max else { break }
      low = Swift.min(highest, low + row.shortage)
      stretches += 1
    }
    // Where the shortage says too little, the height is searched by halves, to a pixel.
    var high = highest
    while high - low > LayoutUnit(1), !context.trials.isExhausted {
      let middle = low + (high - low) / 2
      let row = layoutColumns(from: start, block: middle, most: count, mayRefuse: false)
      context.rewind(to: mark)
      if row.isComplete, !row.overflows { high = middle } else { low = middle }
    }
    return layoutColumns(from: start, block: high, most: most, mayRefuse: false)
  }

  /// The height of columns if content could be divided anywhere: the highest runs are divided first.
  private func evenBlock(of runs: [LayoutUnit]) -> LayoutUnit {
    var parts = [Int](repeating: 1, count: runs.count)
    func share(_ index: Int) -> LayoutUnit {
      LayoutUnit(rawValue: Int32((Int64(runs[index].rawValue) + Int64(parts[index]) - 1) / Int64(parts[index])))
    }
    func tallest() -> Int { runs.indices.max { share($0) < share($1) } ?? 0 }
    guard !runs.isEmpty else { return .zero }
    for _ in 0..<Swift.max(0, count - runs.count) { parts[tallest()] += 1 }
    return share(tallest())
  }

  // MARK: Columns

  /// Sets content in columns of height `block`, at most so many. Without `mayRefuse` each takes in something.
  private mutating func layoutColumns(from start: Position, block: LayoutUnit, most: Int, mayRefuse: Bool) -> Row {
    let outer = (
      context.columns, context.bestBreakpoint, context.earlyBreak, context.usedRank, context.avoidDepth,
      context.carriedFloats, context.resumedFloats
    )
    context.columns = ColumnState(depth: outer.0.depth + 1)
    var row = Row(block: block)
    var afterSpanner: BreakToken?
    var position: Position? = start
    while let current = position, row.columns.count < most {
      let index = row.columns.count
      let mark = context.mark()
      let isLast = index == Self.mostColumns - 1
      var result = layoutColumn(
        from: current, block: isLast ? Self.unboundedSize : block, at: index, mayRefuse: mayRefuse)
      if isStalled(result, at: current) {
        context.rewind(to: mark)
        if mayRefuse {
          row.isRefused = row.columns.isEmpty
          break
        }
        // What fits no column is set in one without an end.
        result = layoutColumn(from: current, block: Self.unboundedSize, at: index, mayRefuse: false)
        if result.fragment.isNone { break }
        context.columns.overflows = true
      }
      row.columns.append(result)
      let floats = context.carriedFloats
      let floatsAlone = floats.isEmpty ? nil : BreakToken(box: box, isAtBlockEnd: true)
      if !context.columns.spanner.isNone {
        row.spanner = context.columns.spanner
        afterSpanner = result.next
      }
      // Floats that found no room in a column before a spanner go on in the next one, not after it.
      let rest = row.spanner.isNone ? result.next ?? floatsAlone : floatsAlone
      position = rest.map { Position(token: $0, floats: floats) }
      if context.columns.endsPage { break }
    }
    row.next = row.spanner.isNone ? position : Position(token: afterSpanner, floats: position?.floats ?? [])
    row.endsPage = context.columns.endsPage
    row.shortage = context.columns.shortage
    row.overflows = context.columns.overflows
    (
      context.columns, context.bestBreakpoint, context.earlyBreak, context.usedRank, context.avoidDepth,
      context.carriedFloats, context.resumedFloats
    ) = outer
    if block < Self.unboundedSize, row.endsPage { context.columns.endsPage = outer.0.depth > 0 }
    if mayRefuse || !row.isComplete { context.noteShortage(row.shortage == .max ? .zero : row.shortage) }
    return row
  }

  /// Whether a column has brought the content no further.
  private func isStalled(_ result: LayoutResult, at position: Position) -> Bool {
    if result.fragment.isNone { return true }
    guard let old = position.token, let new = result.next, new.isSamePlace(as: old) else { return false }
    return new.consumedBlockSize == old.consumedBlockSize && context.carriedFloats.count == position.floats.count
  }

  /// One column, broken at the best place it offers.
  private func layoutColumn(from position: Position, block: LayoutUnit, at index: Int, mayRefuse: Bool) -> LayoutResult
  {
    var child = ConstraintSpace(
      availableInline: columnInline, percentageBlock: contentBlock, direction: direction, isNewFormattingContext: true)
    child.column = .column
    child.fixedInline = columnInline
    child.geometry = BoxGeometry()
    child.ignoresBlockSize = true
    child.fragmentainerSize = block
    child.isAtPageStart = !mayRefuse
    child.pageInline = space.pageInline + inset + columnOffset(index)
    func attempt(breakingAt place: Breakpoint?) -> LayoutResult {
      context.bestBreakpoint = nil
      context.usedRank = .perfect
      context.earlyBreak = place
      context.avoidDepth = 0
      context.linesBelowHeading = LayoutContext.linesKeptWithHeading
      context.carriedFloats = []
      context.resumedFloats = position.floats
      context.columns.spanner = .none
      context.columns.endsPage = false
      return context.layoutBlock(box, in: child, from: position.token)
    }
    context.trials.count(columnAtDepth: context.columns.depth)
    let mark = context.mark()
    let result = attempt(breakingAt: nil)
    guard result.next != nil, context.columns.spanner.isNone, context.usedRank < .perfect,
      let best = context.bestBreakpoint, best.rank > context.usedRank
    else { return result }
    context.rewind(to: mark)
    return attempt(breakingAt: best.place)
  }

  /// Line-left offset of a column from the content box.
  private func columnOffset(_ index: Int) -> LayoutUnit {
    let before = (columnInline + gap) * index
    return direction == .ltr ? before : contentInline - columnInline - before
  }

  /// Hangs what the columns of a row hold into the container.
  private mutating func place(_ row: Row) {
    for (index, column) in row.columns.enumerated() {
      let place = LogicalOffset(inline: inset + columnOffset(index), block: offset)
      var child = context.page[column.fragment].firstChild
      while !child.isNone {
        let following = context.page[child].nextSibling
        context.page.attach(child, to: fragment, at: context.page[child].offset + place)
        child = following
      }
      context.page[column.fragment].firstChild = .none
      context.page[column.fragment].size = .zero
      for var entry in column.outOfFlow {
        entry.staticOffset = entry.staticOffset + place
        outOfFlow.append(entry)
      }
      if firstBaseline == nil, let baseline = column.firstBaseline { firstBaseline = offset + baseline }
      if let baseline = column.lastBaseline { lastBaseline = offset + baseline }
      if index > 0 { addRule(before: index, block: row.block) }
    }
    offset += row.block
    if row.block > .zero { hasPlacedContent = true }
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
    rules.append(
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
    var child = ConstraintSpace(
      availableInline: contentInline, percentageBlock: contentBlock, direction: direction, isNewFormattingContext: true)
    child.pageInline = space.pageInline + inset
    let intrinsic = context.intrinsicInline(
      of: spanner, available: contentInline - context.margins(of: spanner, availableInline: contentInline).inlineSum,
      containing: contentInline, percentageBlock: contentBlock)
    let sizing = context.inlineSizing(of: spanner, available: contentInline, space: child, intrinsicInline: intrinsic)
    let isResumed = !current.isBreakBefore
    // After a page break the margin is dropped, as that of any block.
    if !isResumed, token == nil || hasPlacedContent { strut.append(sizing.margins.blockStart) }
    let top = offset + strut.sum
    child.fixedInline = sizing.inlineSize
    child.geometry = sizing.geometry
    child.fragmentainerSize = space.fragmentainerSize
    child.fragmentainerOffset = space.fragmentainerOffset + top
    child.pageInline += sizing.lineLeft
    child.isAtPageStart = space.isAtPageStart && !hasPlacedContent
    let mark = context.mark()
    let result = context.layout(spanner, in: child, from: isResumed ? current : nil)
    let avoids = context.avoidsBreaks(
      context.styles.pages[context.tree.boxes[spanner.index].style.page.index].breakInside)
    let isBeyond = space.fragmentainerSize.map { child.fragmentainerOffset + result.size.block > $0 } ?? false
    let isWhole = context.tree.boxes[spanner.index].content == .replaced
    if result.fragment.isNone
      || !child.isAtPageStart && (isBeyond && isWhole || result.next != nil && !isResumed && avoids)
    {
      context.rewind(to: mark)
      next = spannerToken(isResumed ? current : .before(spanner), then: position)
      breaksBefore = !hasPlacedContent && token == nil
      return false
    }
    offset = top
    let place = LogicalOffset(inline: inset + sizing.lineLeft, block: offset)
    let shift = context.relativeShift(
      of: spanner, containing: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), direction: direction)
    context.attach(result.fragment, to: fragment, at: place, shift: shift)
    for var entry in result.outOfFlow {
      entry.staticOffset = entry.staticOffset + place + shift
      outOfFlow.append(entry)
    }
    if firstBaseline == nil, let baseline = result.firstBaseline { firstBaseline = offset + baseline }
    if let baseline = result.lastBaseline { lastBaseline = offset + baseline }
    offset += result.size.block
    hasPlacedContent = true
    strut = MarginStrut()
    if let rest = result.next {
      next = spannerToken(rest, then: position)
      return false
    }
    strut.append(sizing.margins.blockEnd)
    return true
  }

  // MARK: The box itself

  private mutating func finish() -> LayoutResult {
    let before = token?.consumedBlockSize ?? .zero
    let pageEnd = space.fragmentainerSize.flatMap { $0 < Self.unboundedSize ? $0 - space.fragmentainerOffset : nil }
    var block = offset + strut.sum
    if next != nil {
      block = Swift.max(block, pageEnd ?? block)
    } else {
      let content = block
      block = context.usedBlock(auto: before + content + endEdge, of: box, geometry: geometry, space: space) - before
      block = Swift.max(.zero, block)
      if let pageEnd, block > pageEnd {
        context.noteShortage(block - pageEnd)
        let cut = Swift.max(pageEnd, Swift.min(content, block))
        if cut < block {
          // Of a height that is given, the empty part goes on in the next column; no page is begun for it.
          if context.columns.depth > 0 {
            next = BreakToken(box: box, consumedBlockSize: before + cut, isAtBlockEnd: true)
          }
          block = cut
          context.page.fragments[fragment.index].flags.insert(.continuesAfter)
        }
      }
    }
    if next != nil { context.page.fragments[fragment.index].flags.insert(.continuesAfter) }
    if token != nil { context.page.fragments[fragment.index].flags.insert(.continuesBefore) }
    if !rules.isEmpty {
      let first = UInt32(context.page.collapsedBorders.count)
      context.page.collapsedBorders += rules
      let payload = Int(context.page.fragments[fragment.index].payload)
      context.page.geometries[payload].collapsedBorders = first..<UInt32(context.page.collapsedBorders.count)
    }
    var result = LayoutResult(fragment: fragment, size: LogicalSize(inline: inlineSize, block: block), next: next)
    context.page[fragment].size = result.size
    result.bfcBlock = space.bfcBlock
    result.firstBaseline = firstBaseline
    result.lastBaseline = lastBaseline
    result.outOfFlow = outOfFlow
    if context.isContainingBlockForPositioned(box) {
      context.layoutPositioned(in: &result, of: box, geometry: geometry, direction: direction, from: token)
    }
    return result
  }
}
