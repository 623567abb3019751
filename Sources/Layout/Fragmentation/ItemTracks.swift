import BoxGeneration
import Primitives
import Styling

/// The place in a run of rows from which the next column goes on.
struct ItemTrack: Sendable {
  /// The row that goes on, or the first one that was not begun.
  var row = 0
  /// Of that row, the items that go on or come later; none where it was not begun.
  var items: [BreakToken] = []
  var isInRow = false
  /// Distance by which its rows stand further down than if nothing were broken.
  var shift = LayoutUnit.zero
  /// The columns before end above the row, which begins the next one.
  var startsColumn = false
  /// All of its rows are placed.
  var isFinished = false
}

/// Flex and grid containers in columns (CSS Flexible Box 1, section 10; CSS Grid 1, section 10): items are broken where the column
/// ends and keep their places in the container as if its parts were one. What breaks push down in an item pushes down the rows
/// below it. The lines of a container in columns break each by itself.
extension ItemRowLayout {
  /// An item's part, to be attached in document order.
  private struct Part {
    let item: Int
    let result: LayoutResult
    let place: LogicalOffset
  }

  /// The rows of one track that are set in this column.
  private struct Run {
    let rows: [ItemRows.Row]
    let isOnly: Bool
    var track: ItemTrack
    var parts: [Part] = []
    /// Nothing of it is in this column.
    var isEmpty = true
    /// The end of what it has set, from the container's border edge in this column.
    var end = LayoutUnit.zero
    var forced = ForcedBreak.none
    /// The last place where a break breaks no rule.
    var better: Place?
    /// Of the row at hand: what it is not to be parted from (`Fragmentainer.keptFrom`).
    var keptFrom: LayoutUnit?
    /// Its one item begins here and stands alone in it, so that breaks in it are those of the flow around the
    /// container. As in browsers, this holds on the page alone that it begins on.
    var isInFlow = false
  }

  /// A place between rows to go back to.
  private final class Place {
    let page: PageBuilder.Savepoint
    let progress: FlowProgress
    let run: Run
    let parallel: Int

    init(_ layout: ItemRowLayout, _ run: Run) {
      page = layout.context.page.savepoint()
      progress = layout.progress
      parallel = layout.parallel.count
      self.run = run
    }
  }

  private var consumedBefore: LayoutUnit { token?.consumedBlockSize ?? .zero }
  /// The end of the column for items, from the container's border edge.
  private var columnEnd: LayoutUnit {
    (space.fragmentainer.size ?? .max) - space.fragmentainer.offset - (clonesEdges ? endEdge : .zero)
  }
  /// The top of items that go on from the column before.
  private var partTop: LayoutUnit { token == nil ? .zero : inset.block }
  private var ownBlock: LayoutUnit? { context.ownBlock(of: box, geometry: geometry, space: space) }
  private var hasEnd: Bool { (space.fragmentainer.size ?? .max) < Fragmentainer.endlessSize }

  /// Sets the container's rows in this column.
  ///
  /// - Returns: the break before the container where the whole of it moves to the next one.
  mutating func layoutTracks() -> BreakToken? {
    var known: [ItemTrack] = []
    if case .items(let tracks, _, _)? = token?.place { known = tracks }
    let all = content.tracks.isEmpty ? [content.rows] : content.tracks
    var runs = all.enumerated().map { index, rows in
      Run(rows: rows, isOnly: all.count == 1, track: index < known.count ? known[index] : ItemTrack())
    }
    if token?.isAtEnd == true { for index in runs.indices { runs[index].track.isFinished = true } }
    if token == nil, !space.fragmentainer.isAtStart, let forced = forcedBreak(beforeFirstOf: runs) {
      progress.endColumn(by: forced)
      return .before(box, forced: forced)
    }
    continueParallel()
    for index in runs.indices { layout(&runs[index]) }
    let forced = runs.flatMap { [$0.forced, $0.track.items.forced] }.strongest
    let isRefused =
      token == nil && runs.allSatisfy { $0.isEmpty && !$0.track.isFinished } && runs.contains(where: begins)
    if isRefused, !space.fragmentainer.isAtStart { return .before(box, forced: forced) }
    for part in runs.flatMap(\.parts).sorted(by: { $0.item < $1.item }) {
      attach(part.result, content.items[part.item], at: part.place)
    }
    offset = runs.reduce(offset) { Swift.max($0, $1.end) }
    if runs.contains(where: { !$0.track.isFinished }) {
      let end = hasEnd ? columnEnd : Swift.max(offset, ownBlock.map { $0 - consumedBefore } ?? offset)
      let size = Swift.max(.zero, end - (clonesEdges ? inset.block : .zero))
      let start = clonesEdges ? .zero : geometry.border.blockStart + geometry.padding.blockStart
      for index in runs.indices where runs[index].track.startsColumn {
        let row = runs[index].rows[runs[index].track.row]
        // At a break that nothing forces the margins of the items are truncated (section 5.2).
        let margin = runs[index].forced == .none ? row.items.map { content.items[$0].margins.blockStart }.min() : nil
        runs[index].track.shift = consumedBefore + size - start - row.start - Swift.max(.zero, margin ?? .zero)
      }
      result.next = BreakToken(
        box: box, consumedBlockSize: consumedBefore + size,
        .items(runs.map(\.track), inline: key.inline, forced: forced))
    }
    return nil
  }

  /// The first row of a run has its place in this column, not below empty room that the column ends in.
  private func begins(_ run: Run) -> Bool {
    run.rows.first.map { $0.start <= .zero || local($0.start, run.track) < columnEnd } ?? false
  }

  /// The break that an item of the first row forces, which is one before the container (CSS Flexible Box 1, section 10): boxes
  /// around know the first item alone, and not which others stand beside it.
  private func forcedBreak(beforeFirstOf runs: [Run]) -> ForcedBreak? {
    let first = runs.compactMap { run in run.rows.first?.items.map { content.items[$0].box } }.flatMap { $0 }
    guard first.count > 1, !context.beginsParallelFlow(box) else { return nil }
    let rule = rule(between: [], and: first)
    return rule.isForced && !self.rule(between: [], and: [box]).isForced ? rule.forced : nil
  }

  /// Goes on with what sticks out of items that have ended.
  private mutating func continueParallel() {
    guard let token, !token.parallel.isEmpty else { return }
    for rest in token.parallel {
      guard let item = content.items.first(where: { $0.box == rest.box }) else { continue }
      let result = layoutPart(of: item, from: rest, at: partTop, isAtStart: true)
      guard !result.fragment.isNone else {
        parallel.append(rest)
        continue
      }
      attach(result, item, at: LogicalOffset(inline: inset.inline + item.offset.inline, block: partTop))
      if let more = result.rest { parallel.append(more) }
    }
  }

  private mutating func layout(_ run: inout Run) {
    run.end = offset
    var previous: [BoxID] = []
    while !run.track.isFinished, run.track.row < run.rows.count {
      let group = run.track.row..<Swift.max(run.track.row + 1, reach(of: run.track.row, in: run.rows))
      let items = group.flatMap { run.rows[$0].items }
      if !run.track.isInRow, endsColumn(before: group.lowerBound, after: previous, &run) { return }
      let rank = run.isEmpty || run.track.isInRow ? .perfect : self.rank(before: group.lowerBound, after: previous, run)
      run.keptFrom = keptFrom(run, rank: rank)
      run.isInFlow = run.isOnly && items.count == 1 && !run.track.isInRow
      guard layoutRow(group, items, &run) else {
        if !run.track.isInRow, !run.isEmpty { end(&run, rank: rank) }
        return
      }
      previous = items.map { content.items[$0].box }
    }
    run.track.isFinished = true
  }

  /// The first row after those that items tie to `row`.
  private func reach(of row: Int, in rows: [ItemRows.Row]) -> Int {
    var end = row + 1
    var at = row
    while at < end, at < rows.count {
      end = Swift.max(end, rows[at].reach)
      at += 1
    }
    return Swift.min(end, rows.count)
  }

  /// The place in this column of something in the container, from its border edge.
  private func local(_ block: LayoutUnit, _ track: ItemTrack) -> LayoutUnit {
    geometry.border.blockStart + geometry.padding.blockStart + block + track.shift - consumedBefore
  }

  /// The break between two rows; whether the column ends there.
  private mutating func endsColumn(before row: Int, after previous: [BoxID], _ run: inout Run) -> Bool {
    let top = local(run.rows[row].start, run.track)
    guard !run.isEmpty else {
      guard hasEnd, top > partTop, top >= columnEnd, run.rows[row].end > run.rows[row].start else { return false }
      return true
    }
    let rule = rule(between: previous, and: run.rows[row].items.map { content.items[$0].box })
    let rank = self.rank(before: row, after: previous, run)
    let isEarly = run.isOnly && space.fragmentainer.earlyBreak == .row(box, index: row)
    if rule.isForced || isEarly {
      if rule.isForced { progress.endColumn(by: rule.forced) } else { progress.use(rank) }
      run.forced = rule.forced
      run.track.startsColumn = true
      return true
    }
    if run.isOnly {
      progress.note(
        .row(box, index: row), rank: rank, isAvoided: space.fragmentainer.avoidsBreaks,
        block: space.fragmentainer.offset + top)
    }
    guard hasEnd, top >= columnEnd, run.rows[row].end > run.rows[row].start else {
      if !run.isOnly, rank == .perfect {
        run.better = nil
        run.better = Place(self, run)
      }
      return false
    }
    if space.fragmentainer.columnDepth > 0 { progress.noteShortage(local(run.rows[row].end, run.track) - columnEnd) }
    end(&run, rank: rank)
    return true
  }

  private func rank(before row: Int, after previous: [BoxID], _ run: Run) -> BreakRank {
    let rule = rule(between: previous, and: run.rows[row].items.map { content.items[$0].box })
    return rule.isAvoided || space.fragmentainer.avoidsBreaks ? .violatesAvoid : .perfect
  }

  /// Ends the column before a row with a break of `rank`. One line of several goes back by itself to a place where the break
  /// breaks no rule.
  private mutating func end(_ run: inout Run, rank: BreakRank) {
    guard rank < .perfect, let better = run.better else { return progress.use(rank) }
    context.page.rollBack(to: better.page)
    progress.rollBack(to: better.progress)
    parallel.removeLast(parallel.count - better.parallel)
    run = better.run
    run.track.startsColumn = true
  }

  /// The place from which on the next row is not to be parted from what stands before it, where a break there would be
  /// of `rank` (`Fragmentainer.keptFrom`).
  private func keptFrom(_ run: Run, rank: BreakRank) -> LayoutUnit? {
    if run.track.isInRow { return nil }
    if run.isEmpty { return token == nil ? space.fragmentainer.keptFrom : nil }
    return rank <= .violatesAvoid && (progress.bestBreak?.rank ?? .lastResort) <= .violatesAvoid ? .zero : nil
  }

  /// Sets a row, or what is left of it; false where the column ends before or in it.
  private mutating func layoutRow(_ group: Range<Int>, _ items: [Int], _ run: inout Run) -> Bool {
    let trial = (page: context.page.savepoint(), progress: progress, parallel: parallel.count, parts: run.parts.count)
    let isResumed = run.track.isInRow
    var unfinished: [BreakToken] = []
    var (isRefused, isFirstRefused) = (false, false)
    // In a row of several all of them stand lower than it begins: that is a place for a break.
    var standsLower = items.count > 1
    let mayMove = !run.isEmpty || token == nil && !space.fragmentainer.isAtStart
    // Above the column, where forced breaks have left more of those before empty than the row is high.
    var end = group.reduce(LayoutUnit.min) { Swift.max($0, local(run.rows[$1].end, run.track)) }
    let planned = end
    let firstPart = run.parts.count
    for index in items {
      let item = content.items[index]
      let known = isResumed ? run.track.items.first { $0.box == item.box } : nil
      if isResumed, known == nil { continue }
      let isBegun = known?.isBreakBefore == false
      let place = isBegun ? partTop : Swift.max(local(item.offset.block, run.track), isResumed ? partTop : .min)
      let isLower = !isResumed && place > Swift.max(partTop, local(run.rows[group.lowerBound].start, run.track))
      if !isLower { standsLower = false }
      guard isBegun || !hasEnd || place < columnEnd || place <= partTop else {
        unfinished.append(.before(item.box))
        continue
      }
      // Above one that stands lower in its row, by its margin or alignment, is a place for a break.
      let isFirst = run.isEmpty && (token == nil ? space.fragmentainer.isAtStart : place <= partTop)
      let isAtStart = !isLower && (isBegun || isFirst)
      // An item that a break pushes down takes its row along, as far as it stands in it.
      let push = isBegun ? .zero : place - local(item.offset.block, run.track)
      let laidOut = layoutPart(
        of: item, from: isBegun ? known : nil, at: place, pushedBy: items.count > 1 ? push : .zero,
        isAtStart: isAtStart, in: run)
      guard !laidOut.fragment.isNone else {
        isRefused = true
        if mayMove, !isLower, run.rows[group.lowerBound].items.contains(index) { isFirstRefused = true }
        if let forced = laidOut.next?.forced, forced != .none { run.forced = forced }
        unfinished.append(known ?? .before(item.box))
        continue
      }
      run.parts.append(
        Part(
          item: index, result: laidOut,
          place: LogicalOffset(inline: inset.inline + item.offset.inline, block: place)))
      if let next = laidOut.next { unfinished.append(next) }
      if let overflow = laidOut.overflow { parallel.append(overflow) }
      let itemEnd = place + laidOut.size.block + (laidOut.next == nil ? item.margins.blockEnd : .zero)
      run.end = Swift.max(run.end, itemEnd)
      end = Swift.max(end, item.growsWithContent ? itemEnd : Swift.min(itemEnd - push, planned) + push)
    }
    let isUnbegun = isRefused && !isResumed && unfinished.count == items.count
    if isFirstRefused && !isResumed || isUnbegun && !standsLower && unfinished.allSatisfy(\.isBreakBefore) {
      // One of them does not begin here, and between the start of a row and its items is no place for a break (CSS
      // Fragmentation 3, section 4.1): the column ends before the row.
      context.page.rollBack(to: trial.page)
      progress.rollBack(to: trial.progress)
      parallel.removeLast(parallel.count - trial.parallel)
      run.parts.removeLast(run.parts.count - trial.parts)
      run.track.startsColumn = local(run.rows[group.lowerBound].start, run.track) < columnEnd
      return false
    }
    if hasEnd, end < columnEnd, unfinished.allSatisfy({ !$0.isBreakBefore }) {
      // They stick out of a row that ends in this column: what follows it does not wait for them.
      parallel += unfinished
      unfinished = []
    }
    if items.count > 1 {
      unfinished += stretch(
        run.parts[firstPart...].filter { reaches(content.items[$0.item], to: planned, run.track) },
        known: isResumed ? run.track.items : [], to: unfinished.isEmpty ? end : nil)
    }
    return close(group, to: end, planned: planned, unfinished: unfinished, &run)
  }

  /// Ends a row at `end`, or leaves what is unfinished in it to the next column.
  private func close(
    _ group: Range<Int>, to end: LayoutUnit, planned: LayoutUnit, unfinished: [BreakToken], _ run: inout Run
  ) -> Bool {
    run.isEmpty = false
    run.track.items = unfinished
    run.track.isInRow = !unfinished.isEmpty
    run.track.startsColumn = false
    guard unfinished.isEmpty else { return false }
    run.track.shift += end - planned
    run.end = Swift.max(run.end, Swift.min(end, hasEnd ? Swift.max(columnEnd, planned) : end))
    run.track.row = group.upperBound
    return true
  }

  /// The item ends with the last of its rows: others end with a row above.
  private func reaches(_ item: PlacedItem, to end: LayoutUnit, _ track: ItemTrack) -> Bool {
    let size = (item.space.imposed.block ?? .zero) + item.margins.blockEnd
    return local(item.offset.block, track) + size >= end
  }

  /// Makes the items that are stretched to their row and have ended as high as the row has become where breaks push down another
  /// one: to its end, or to that of the column.
  ///
  /// - Returns: where those go on whose row goes on in the next column.
  private mutating func stretch(_ parts: [Part], known: [BreakToken], to rowEnd: LayoutUnit?) -> [BreakToken] {
    guard hasEnd else { return [] }
    var unfinished: [BreakToken] = []
    for part in parts where part.result.rest == nil {
      let item = content.items[part.item]
      guard isStretched(item) else { continue }
      let end = rowEnd.map { Swift.min($0 - item.margins.blockEnd, columnEnd) } ?? columnEnd
      let size = Swift.max(part.result.size.block, end - part.place.block)
      context.page.setBlockSize(size, of: part.result.fragment)
      if size > .zero { context.page.change(part.result.fragment) { $0.flags.remove(.paintsNothing) } }
      guard rowEnd == nil else { continue }
      context.page.insert(.continuesAfter, into: part.result.fragment)
      let before = known.first { $0.box == item.box }?.consumedBlockSize ?? .zero
      unfinished.append(BreakToken(box: item.box, consumedBlockSize: before + size, .end(held: nil)))
    }
    return unfinished
  }

  /// Content sticks out of an item of its own height already where nothing is broken, by a percentage, say: breaks make such a
  /// one no higher.
  private func overflows(_ item: PlacedItem) -> Bool {
    guard let own = item.space.imposed.block else { return false }
    return context.measuredBlock(of: item.box, in: space(of: item), growsWithContent: true).block > own
  }

  /// One part of an item, in one of the rows of `run` unless it sticks out of them.
  ///
  /// - Parameter push: How far it stands below its place in the row, which it is stretched to the rest of.
  private mutating func layoutPart(
    of item: PlacedItem, from token: BreakToken?, at block: LayoutUnit, pushedBy push: LayoutUnit = .zero,
    isAtStart: Bool, in run: Run? = nil
  ) -> LayoutResult {
    var child = space(of: item)
    child.imposed.growsWithContent = item.growsWithContent && !overflows(item)
    if push > .zero, child.imposed.growsWithContent, isStretched(item) {
      child.imposed.block = child.imposed.block.map { Swift.max(.zero, $0 - push) }
    }
    child.fragmentainer.size = space.fragmentainer.size.map { $0 - (clonesEdges ? endEdge : .zero) }
    child.fragmentainer.offset = space.fragmentainer.offset + block
    child.fragmentainer.isAtStart = isAtStart
    child.fragmentainer.keptFrom = run?.keptFrom
    let isMonolithic = context.isMonolithic(item.box, in: space.fragmentainer)
    let mayMove = token == nil && !isAtStart
    let trial = (page: context.page.savepoint(), progress: progress)
    var result: LayoutResult
    if run?.isInFlow == true {
      child.fragmentainer.earlyBreak = space.fragmentainer.earlyBreak
      result = context.layout(item.box, in: child, from: token, &progress)
    } else {
      result = context.layoutParallelFlow(item.box, in: child, from: token, isInFlow: true, &progress)
    }
    guard !result.fragment.isNone, mayMove || isMonolithic, let size = child.fragmentainer.size else { return result }
    let shortage = child.fragmentainer.offset + result.size.block - size
    let avoids = space.fragmentainer.avoidsBreaks(inside: context.breakInside(of: item.box))
    if isMonolithic {
      progress.noteShortage(shortage, stays: !mayMove)
    } else if avoids, result.next != nil {
      let whole = context.measuredBlock(of: item.box, in: space(of: item)).block
      progress.noteShortage(child.fragmentainer.offset + whole - size)
    }
    guard mayMove, isMonolithic ? shortage > .zero : avoids && result.next != nil else { return result }
    context.page.rollBack(to: trial.page)
    progress.rollBack(to: trial.progress)
    result = LayoutResult(fragment: .none, size: .zero, next: .before(item.box))
    return result
  }
}
