import BoxGeneration
import Primitives
import Styling

/// A cell over several rows that is laid out by itself beside them: where rows that such cells tie together are higher than
/// a page.
struct OpenSpan {
  var cell: TableCell
  /// Its part on this page, `.none` before its first row here.
  var fragment = FragmentID.none
  /// From the grid's border edge.
  var start = LayoutUnit.zero
  var end = LayoutUnit.zero
  /// The break token of its content.
  var next: BreakToken?
  /// The cell began on an earlier page.
  var isResumed = false
}

/// The place of a row, or of its part on a page, in the grid.
struct RowLine {
  var row: Int
  var start: LayoutUnit
  var end: LayoutUnit
  /// The row began in a column before: no border is above its part.
  var isBegun = false
  /// It goes on in the next column: none is below it.
  var goesOn = false
}

/// Rows on pages (CSS Tables 3, section 6): they stay whole where they can, headers and footers repeat.
extension TableLayout {
  mutating func runGrid(pageStart: LayoutUnit) {
    grid = context.page.appendBox(
      table, size: LogicalSize(inline: inlineSize), geometry: geometry, flags: startsGrid ? [] : .continuesBefore)
    gridPageStart = pageStart
    offset = startEdge
    let rows = model.grid.rows
    guard !rows.isEmpty else {
      return closeEmptyGrid()
    }
    if startsGrid || !space.fragmentainer.isStrict { offset += model.spacing.block }
    var row = placePlainRows()
    guard row < rows.count, next == nil else { return closeGrid(RowSizes()) }
    let measured = measuredRows()
    footer.rows = repeatable(model.grid.footerStart..<rows.count, measured)
    footer.height = height(of: footer.rows, measured)
    if row == 0 { row = resume(measured) }
    while row < rows.count, next == nil {
      guard let limit = space.fragmentainer.size else {
        placeRows(row...(rows.count - 1), measured)
        break
      }
      if row >= footer.rows.lowerBound { footer.height = .zero }
      row = placeNext(row, above: limit, measured)
    }
    closeGrid(measured)
  }

  /// Ends a grid without rows: in columns the height that it is given goes on.
  private mutating func closeEmptyGrid() {
    hasPlacedRow = true
    let before = startsGrid ? .zero : token?.consumedBlockSize ?? .zero
    let edges = geometry.border.blockSum + geometry.padding.blockSum
    var used = imposedHeight ?? context.usedBlock(auto: edges, of: table, geometry: geometry, space: space)
    used = Swift.max(.zero, used - before)
    if space.fragmentainer.isStrict, let limit = space.fragmentainer.size, gridPageStart + used > limit {
      progress.noteShortage(gridPageStart + used - limit)
      used = Swift.max(.zero, limit - gridPageStart)
      next = BreakToken(
        box: table, consumedBlockSize: before + used, .tableRow(0, cells: [], isInRow: true, forced: .none))
      context.page.insert(.continuesAfter, into: grid)
    }
    context.page.setBlockSize(used, of: grid)
  }

  /// Begins the page with the header and the rest of a row that was higher than the page before. Returns the row that follows.
  private mutating func resume(_ measured: RowSizes) -> Int {
    guard !startsGrid, case .tableRow(let row, let cells, let isInRow, _)? = token?.place else { return 0 }
    // Below floats that leave no room for a row the table goes on on a later page.
    if !space.fragmentainer.isAtStart, let limit = space.fragmentainer.size,
      gridPageStart + offset + headerHeight(on: row, measured) >= limit
    {
      next = token
      return row
    }
    if row >= model.grid.headerRowCount, row < model.grid.rows.count || !space.fragmentainer.isStrict {
      repeatRows(repeatable(0..<model.grid.headerRowCount, measured), measured)
    }
    hasPlacedRow = false
    guard row < model.grid.rows.count else { return row }
    reopenSpans(at: row, cells, isInRow: isInRow)
    guard isInRow else { return row }
    placeParts(of: row, resuming: cells, rank: .perfect)
    return row + 1
  }

  /// Places a row, with those that spanning cells tie to it, or ends the page before or in it: then `next` tells where the table
  /// goes on. Returns the row that follows.
  private mutating func placeNext(_ row: Int, above limit: LayoutUnit, _ measured: RowSizes) -> Int {
    guard let rank = breakRank(before: row) else { return row }
    let end = openSpans.isEmpty ? lastRow(linkedTo: row) : row
    let height = Swift.max(
      openSpans.isEmpty ? height(of: row..<(end + 1), measured) - model.gap(below: end) : ownHeight(of: row),
      overflow(of: openSpans.isEmpty ? row...end : row...row, measured))
    let top = gridPageStart + offset
    let reserve = reserve(below: end)
    if forcesBreak(in: openSpans.isEmpty ? row...end : row...row), placeForced(row) { return row + 1 }
    guard top + height + reserve > limit else {
      if openSpans.isEmpty {
        placeRows(row...end, measured)
        return end + 1
      }
      placeBesideSpans(row)
      return row + 1
    }
    // A row that fits the next page goes there. A row that fits none begins where it stands, if there is some room.
    let edge = space.fragmentainer.columnDepth > 0 ? .zero : endEdge
    let whole = height + footer.height + edge + headerHeight(on: row, measured)
    if space.fragmentainer.columnDepth > 0 {
      progress.noteShortage(
        top + height + reserve - limit, stays: !hasPlacedRow && space.fragmentainer.isAtStart && end == row)
    }
    if end > row, whole > limit, top + ownHeight(of: row) + self.reserve(below: row) <= limit {
      placeBesideSpans(row)
    } else if isAtPageStart || space.fragmentainer.begins(whole, at: top, isAvoided: avoids(row: row)) {
      placeParts(of: row, resuming: nil, rank: rank)
    } else if end > row || limit - top < limit / Self.leastBlankPart || !placeSplit(row, rank: rank, blank: limit - top)
    {
      progress.use(rank)
      stop(before: row)
    }
    return row + 1
  }

  /// Content may stick out of a cell of the row at its end.
  private func mayOverflow(_ row: Int) -> Bool {
    model.grid.rows[row].cells.contains { context.inputs.overflows.contains(model.grid.cells[$0].box) }
  }

  /// The end of what sticks out of cells of the rows, from the start of the first.
  private func overflow(of rows: ClosedRange<Int>, _ measured: RowSizes) -> LayoutUnit {
    var end = LayoutUnit.zero
    for row in rows where mayOverflow(row) {
      let start = height(of: rows.lowerBound..<row, measured)
      for at in model.grid.rows[row].cells {
        let cell = model.grid.cells[at]
        end = Swift.max(end, start + context.measuredBlock(of: cell.box, in: cellSpace(cell)).contentEnd)
      }
    }
    return end
  }

  /// A break is forced in a cell of the rows.
  func forcesBreak(in rows: ClosedRange<Int>) -> Bool {
    rows.contains { row in
      model.grid.rows[row].cells.contains {
        context.forcesBreak(inside: model.grid.cells[$0].box, in: space.fragmentainer)
      }
    }
  }

  /// Ends the page in a row, at breaks that its cells force. False where they force none that has an effect: nothing
  /// is placed then.
  private mutating func placeForced(_ row: Int) -> Bool {
    let savepoint = context.page.savepoint()
    var divided = self
    divided.placeParts(of: row, resuming: nil, rank: .perfect)
    let rests = (divided.next.map { [$0] } ?? []) + divided.openSpans.compactMap(\.next)
    guard rests.contains(where: \.endsByForce) else {
      context.page.rollBack(to: savepoint)
      return false
    }
    self = divided
    return true
  }

  /// A row, or a cell of it, is not to be broken where a page or column can hold it.
  private func avoids(row: Int) -> Bool {
    space.fragmentainer.avoidsBreaks || avoids(model.grid.rows[row].group) || avoids(model.grid.rows[row].box)
      || model.grid.rows[row].cells.contains { avoids(model.grid.cells[$0].box) }
  }

  /// Notes the break before a row. Returns its rank; nil where the page ends there, by force or because it is the better place.
  mutating func breakRank(before row: Int) -> BreakRank? {
    guard hasPlacedRow else { return .perfect }
    let rows = model.grid.rows
    let headerEnd =
      model.grid.headerRowCount > 0
      ? model.grid.headerRowCount : row == 1 && startsGrid && looksLikeHeader(rows[0]) ? 1 : 0
    let rule = breakRule(before: row)
    // A header does not stay behind without the rows it heads.
    let rank: BreakRank = rule.isAvoided || (startsGrid && row == headerEnd) ? .violatesAvoid : .perfect
    guard
      !progress.endsPage(
        at: .row(table, index: row), by: rule, rank: rank, in: space.fragmentainer, block: gridPageStart + offset)
    else {
      stop(before: row, forced: rule.forced)
      return nil
    }
    return rank
  }

  /// The rule for the break between a row and the one before it: where two groups meet, that of the groups (CSS Fragmentation 3,
  /// sections 3.1 and 3.2).
  private func breakRule(before row: Int) -> BreakBetweenSiblings {
    let (above, below) = (model.grid.rows[row - 1], model.grid.rows[row])
    let inColumns = space.fragmentainer.columnDepth > 0
    guard above.group == below.group else {
      return context.breakBetween(above.group, below.group, inColumns: inColumns)
    }
    var rule = context.breakBetween(above.box, below.box, inColumns: inColumns)
    if !rule.isForced, avoids(below.group) { rule.isAvoided = true }
    return rule
  }

  /// Nothing but repeated rows stands on the page before what follows.
  private var isAtPageStart: Bool {
    !hasPlacedRow && gridPageStart == space.fragmentainer.offset && (token != nil || space.fragmentainer.isAtStart)
  }

  /// The space that must stay free below a row on this page: that of a repeated footer, and below the last row of the
  /// table's spacing and edge, which stands at each break where it is cloned. In columns and on paper both may go on by
  /// themselves.
  func reserve(below row: Int) -> LayoutUnit {
    let endsTable = !space.fragmentainer.isStrict && row + 1 == model.grid.rows.count
    let edge = clonesEdges || endsTable ? endEdge : .zero
    return footer.height + edge + (endsTable ? model.gap(below: row) + space.endReserve : .zero)
  }

  private mutating func stop(before row: Int, forced: ForcedBreak = .none) {
    next = BreakToken(
      box: table, consumedBlockSize: (token?.consumedBlockSize ?? .zero) + offset,
      .tableRow(row, cells: openSpans.compactMap(\.next), isInRow: false, forced: forced))
  }

  /// The last row of those that spanning cells tie to `row`.
  private func lastRow(linkedTo row: Int) -> Int {
    var end = row
    while end + 1 < model.grid.rows.count, model.grid.isCoveredFromAbove[end + 1] { end += 1 }
    return end
  }

  private func height(of rows: Range<Int>, _ measured: RowSizes) -> LayoutUnit {
    rows.reduce(.zero) { $0 + measured.heights[$1] + model.gap(below: $1) }
  }

  // MARK: Headers and footers

  /// A row of a table without a header group is a header by its looks: all of its text is bold, that of the next row is not.
  private func looksLikeHeader(_ row: TableRow) -> Bool {
    func areBold(_ cells: Range<Int>) -> Bool {
      let known = cells.compactMap { context.isBold(model.grid.cells[$0].box) }
      return !known.isEmpty && known.allSatisfy { $0 }
    }
    return areBold(row.cells) && model.grid.rows.count > 1 && !areBold(model.grid.rows[1].cells)
  }

  /// A header or footer group repeats where it takes less than such a part of the page, a quarter, as in browsers.
  private static let mostRepeatedPart = 4

  /// The rows of a header or footer group if they repeat on every page.
  private func repeatable(_ rows: Range<Int>, _ measured: RowSizes) -> Range<Int> {
    guard let limit = space.fragmentainer.size, height(of: rows, measured) < limit / Self.mostRepeatedPart else {
      return rows.upperBound..<rows.upperBound
    }
    return rows
  }

  /// The height of the header on a page that begins with `row`.
  private func headerHeight(on row: Int, _ measured: RowSizes) -> LayoutUnit {
    let header = 0..<model.grid.headerRowCount
    return row < header.upperBound ? .zero : height(of: repeatable(header, measured), measured)
  }

  mutating func repeatRows(_ rows: Range<Int>, _ measured: RowSizes) {
    guard !rows.isEmpty else { return }
    let start = context.page.savepoint()
    placeRows(rows.lowerBound...(rows.upperBound - 1), measured)
    context.page.insert(.repeated, since: start)
  }

  // MARK: Rows that break

  /// The height of a row by itself, without the cells that reach into others.
  private func ownHeight(of row: Int) -> LayoutUnit {
    var height = specifiedBlock(of: model.grid.rows[row].box) ?? .zero
    for at in model.grid.rows[row].cells where model.grid.cells[at].rowSpan == 1 {
      let cell = model.grid.cells[at]
      height = Swift.max(height, context.measuredBlock(of: cell.box, in: cellSpace(cell)).block)
    }
    return height
  }

  /// A row is split that would leave such a part of the page blank, a quarter, if it went to the next page.
  private static let leastBlankPart = 4

  /// Breaks a row that the next page could hold. False where it is not to be broken, or its cells have too few lines for it:
  /// nothing is placed then.
  private mutating func placeSplit(_ row: Int, rank: BreakRank, blank: LayoutUnit) -> Bool {
    let avoided =
      (avoids(model.grid.rows[row].box) || avoids(model.grid.rows[row].group))
      && !space.fragmentainer.divides(leaving: blank)
    guard space.fragmentainer.columnDepth == 0, !avoided, !space.fragmentainer.avoidsBreaks, openSpans.isEmpty,
      !context.trials.isExhausted
    else {
      return false
    }
    let savepoint = context.page.savepoint()
    context.trials.begin()
    defer { context.trials.end() }
    let leastLines = space.fragmentainer.leastDividedLines(leaving: blank)
    var shortening = LayoutUnit.zero
    for _ in 0..<Self.mostSplits {
      var split = self
      split.placeParts(of: row, resuming: nil, rank: rank, shortening: shortening)
      guard split.progress.usedRank == .perfect, case .tableRow(_, let cells, true, _)? = split.next?.place else {
        break
      }
      let lack = cells.map { split.lack(behind: $0, leastLines) ?? .max }.max() ?? .zero
      if lack == .zero {
        self = split
        return true
      }
      guard lack < blank else { break }
      shortening += lack
      context.page.rollBack(to: savepoint)
    }
    context.page.rollBack(to: savepoint)
    return false
  }

  /// Places at which a row is split for trial, each of them higher than the one before.
  private static let mostSplits = 4

  /// How much earlier a cell has to break for enough of its lines to stand behind its break; nil where there are too
  /// few for both sides.
  private func lack(behind cell: BreakToken, _ leastLines: Int) -> LayoutUnit? {
    guard let model = model.grid.cells.first(where: { $0.box == cell.box }),
      let part = context.page.last(of: cell.box)
    else { return nil }
    let extent = context.lineExtent(of: cell.box)
    let rest = context.measuredBlock(of: cell.box, in: cellSpace(model)).block - cell.consumedBlockSize
    return FlowProgress.shortfall(
      before: extent * context.page.lineCount(in: part), behind: rest, least: extent * leastLines)
  }

  /// However large the border and the footer, this part of the page, one half, is left to the cells.
  private static let mostReservedPart = 2

  /// A cell's part from `offset` to where its content or the page ends; an empty one for a cell whose content has ended.
  private mutating func layoutPart(
    of cell: TableCell, from resumed: BreakToken?, isResumed: Bool, isAtPageStart: Bool,
    shortening: LayoutUnit = .zero
  ) -> LayoutResult {
    var child = cellSpace(cell)
    guard resumed != nil || !isResumed else {
      var edges = child.geometry ?? BoxGeometry()
      edges.border.blockStart = .zero
      edges.padding.blockStart = .zero
      let size = LogicalSize(inline: cellInline(cell), block: .zero)
      let part = context.page.appendBox(cell.box, size: size, geometry: edges, flags: .continuesBefore)
      return LayoutResult(fragment: part, size: size)
    }
    let reserve = reserve(below: cell.row + cell.rowSpan - 1)
    child.fragmentainer.size = space.fragmentainer.size.map { $0 - Swift.min(reserve, $0 / Self.mostReservedPart) }
    child.fragmentainer.endEarlier(by: shortening)
    child.fragmentainer.offset = gridPageStart + offset
    child.fragmentainer.isAtStart = isAtPageStart
    child.isTallerThanPage = true
    child.fragmentainer.avoidsBreaks = space.fragmentainer.avoidsBreaks || avoids(model.grid.rows[cell.row].group)
    if space.fragmentainer.isStrict, cell.rowSpan == 1 {
      // The row's height is divided, too.
      child.imposed.block = measuredRows().heights[cell.row]
      child.imposed.growsWithContent = true
    }
    return context.layoutParallelFlow(cell.box, in: child, from: resumed, isInFlow: true, &progress)
  }

  /// A row higher than the page: each cell breaks by itself, the row goes on where the last of them does. Where one of them cannot
  /// begin here the page ends before the row, with a break of `rank`: in front of a cell is no place for one.
  ///
  /// - Parameter shortening: How much earlier than the page its cells end.
  private mutating func placeParts(
    of row: Int, resuming resumed: [BreakToken]?, rank: BreakRank, shortening: LayoutUnit = .zero
  ) {
    let trial = (page: context.page.savepoint(), progress: progress, group: group, outOfFlow: outOfFlow)
    let isAtPageStart = isAtPageStart
    openGroup(of: row)
    let entry = model.grid.rows[row]
    let fragment = context.page.appendBox(
      entry.box, size: .zero, geometry: BoxGeometry(), flags: resumed == nil ? [] : .continuesBefore)
    var unfinished: [BreakToken] = []
    var isRefused = false
    var height = LayoutUnit.zero
    var parts: [FragmentID] = []
    for at in entry.cells {
      let cell = model.grid.cells[at]
      if cell.rowSpan > 1 || isCollapsed(cell) { continue }
      let result = layoutPart(
        of: cell, from: resumed?.first { $0.box == cell.box }, isResumed: resumed != nil,
        isAtPageStart: isAtPageStart, shortening: shortening)
      if let more = result.rest { unfinished.append(more.reopened) }
      guard !result.fragment.isNone else {
        isRefused = true
        continue
      }
      height = Swift.max(height, result.size.block)
      parts.append(result.fragment)
      attach(cell, result, to: fragment, shift: .zero)
    }
    if resumed == nil, isRefused, !isAtPageStart {
      context.page.rollBack(to: trial.page)
      progress.rollBack(to: trial.progress)
      (group, outOfFlow) = (trial.group, trial.outOfFlow)
      progress.use(rank)
      return stop(before: row)
    }
    if resumed == nil { openSpans(in: row) }
    finish(row, fragment, parts: parts, height: height, unfinished: unfinished)
  }

  /// A whole row between spanning cells that are laid out by themselves.
  private mutating func placeBesideSpans(_ row: Int) {
    guard !model.isRowCollapsed[row] else { return }
    openGroup(of: row)
    let entry = model.grid.rows[row]
    let fragment = context.page.appendBox(entry.box, size: .zero, geometry: BoxGeometry())
    let height = ownHeight(of: row)
    for at in entry.cells where model.grid.cells[at].rowSpan == 1 {
      placeCell(model.grid.cells[at], height: height, baseline: nil, in: fragment)
    }
    var parts: [FragmentID] = []
    var part = context.page[fragment].firstChild
    while !part.isNone {
      parts.append(part)
      part = context.page[part].nextSibling
    }
    openSpans(in: row)
    finish(row, fragment, parts: parts, height: height, unfinished: [])
  }

  /// Places the spanning cells that have no part on this page yet, ends those whose last row this is, and closes the row.
  private mutating func finish(
    _ row: Int, _ fragment: FragmentID, parts: [FragmentID], height: LayoutUnit, unfinished: [BreakToken]
  ) {
    var end = offset + height
    for index in openSpans.indices where openSpans[index].fragment.isNone {
      let span = openSpans[index]
      let result = layoutPart(
        of: span.cell, from: span.next, isResumed: span.isResumed, isAtPageStart: isAtPageStart)
      openSpans[index].fragment = result.fragment
      openSpans[index].start = offset
      openSpans[index].end = offset + result.size.block
      openSpans[index].next = result.rest?.reopened
      attach(span.cell, result, to: fragment, shift: .zero)
    }
    var goesOn = !unfinished.isEmpty
    for span in openSpans where span.cell.row + span.cell.rowSpan - 1 == row {
      end = Swift.max(end, span.end)
      if span.next != nil { goesOn = true }
    }
    for part in parts { context.page.setBlockSize(end - offset, of: part) }
    context.page.setSize(LogicalSize(inline: gridInline, block: end - offset), of: fragment)
    close(row: row, fragment: fragment, height: end - offset, baseline: nil)
    if space.fragmentainer.isStrict, let line = rowLines.indices.last {
      rowLines[line].isBegun = context.page[fragment].flags.contains(.continuesBefore)
      rowLines[line].goesOn = goesOn
    }
    guard !goesOn else {
      for part in parts + [fragment] { context.page.insert(.continuesAfter, into: part) }
      // The page ends in the row, not below it.
      offset = end
      let cells = unfinished + openSpans.compactMap(\.next)
      next = BreakToken(
        box: table, consumedBlockSize: (token?.consumedBlockSize ?? .zero) + offset,
        .tableRow(row, cells: cells, isInRow: true, forced: cells.forced))
      return
    }
    for span in openSpans where span.cell.row + span.cell.rowSpan - 1 == row && !span.fragment.isNone {
      context.page.setBlockSize(end - span.start, of: span.fragment)
    }
    openSpans.removeAll { $0.cell.row + $0.cell.rowSpan - 1 == row }
  }

  // MARK: Cells over several rows

  private mutating func openSpans(in row: Int) {
    for at in model.grid.rows[row].cells {
      let cell = model.grid.cells[at]
      if cell.rowSpan > 1, !isCollapsed(cell) { openSpans.append(OpenSpan(cell: cell)) }
    }
  }

  /// The cells from earlier pages that reach into `row`.
  private mutating func reopenSpans(at row: Int, _ cells: [BreakToken], isInRow: Bool) {
    guard model.grid.isCoveredFromAbove[row] || isInRow else { return }
    for cell in model.grid.cells where cell.rowSpan > 1 && cell.row + cell.rowSpan > row && !isCollapsed(cell) {
      guard cell.row < row || (isInRow && cell.row == row) else { continue }
      openSpans.append(OpenSpan(cell: cell, next: cells.first { $0.box == cell.box }, isResumed: true))
    }
  }

  /// Ends the parts that go on on the next page with the last row here, or with their content if that is longer.
  mutating func closeSpans() {
    let rowsEnd = rowLines.last?.end ?? offset
    for span in openSpans where !span.fragment.isNone {
      let end = Swift.max(rowsEnd, span.end)
      context.page.setBlockSize(end - span.start, of: span.fragment)
      context.page.insert(.continuesAfter, into: span.fragment)
      offset = Swift.max(offset, end)
    }
  }
}
