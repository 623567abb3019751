import BoxGeneration
import Primitives

/// Columns of even heights (CSS Multi-column 1, section 7).
extension ColumnLayout {
  /// Tries at a balanced height that follow the least shortage, before the height is searched by halves.
  private static let mostStretches = 8

  /// The row with the least height at which the content needs no more columns than there are.
  mutating func balance(
    from start: Position, limit: LayoutUnit?, most: Int, since savepoint: PageBuilder.Savepoint
  ) -> Row {
    let before = progress
    func rollBack() {
      context.page.rollBack(to: savepoint)
      progress.rollBack(to: before)
    }
    // The runs between forced breaks, each in one column without an end.
    var whole = layoutColumns(from: start, block: Fragmentainer.endlessSize, most: Self.mostColumns, mayRefuse: false)
    let runs = runs(of: whole)
    let longest = runs.max() ?? .zero
    let highest = Swift.max(LayoutUnit(1), Swift.min(longest, limit ?? .max))
    if runs.count == count || longest == .zero || context.trials.isExhausted, longest <= highest {
      whole.block = longest
      guard runs.count > 1, longest > .zero, !context.trials.isExhausted else { return whole }
      // Boxes that a forced break cuts go on to the ends of their columns.
      rollBack()
      let row = layoutColumns(from: start, block: longest, most: count, mayRefuse: false)
      if row.isComplete, !row.progress.overflows { return row }
    }
    rollBack()
    var low = runs.count >= count ? highest : Swift.min(highest, Swift.max(LayoutUnit(1), evenBlock(of: runs)))
    var stretches = 0
    while low < highest, stretches < Self.mostStretches {
      let row = layoutColumns(from: start, block: low, most: count, mayRefuse: false)
      if isGood(row) { return row }
      rollBack()
      if row.isComplete, !row.progress.overflows {
        // Rules for breaks are broken only where no height would do without that.
        let most = layoutColumns(from: start, block: highest, most: count, mayRefuse: false)
        rollBack()
        guard isGood(most) else { return layoutColumns(from: start, block: low, most: count, mayRefuse: false) }
      }
      guard row.progress.shortage < .max else { break }
      low = Swift.min(highest, low + row.progress.shortage)
      stretches += 1
    }
    // If the shortage says too little, the height is searched by halves, to a pixel.
    var high = highest
    while high - low > LayoutUnit(1), !context.trials.isExhausted {
      let middle = low + (high - low) / 2
      let row = layoutColumns(from: start, block: middle, most: count, mayRefuse: false)
      rollBack()
      if isGood(row) { high = middle } else { low = middle }
    }
    return layoutColumns(from: start, block: high, most: most, mayRefuse: false)
  }

  /// The columns hold all that they are to hold as it wants to be held.
  private func isGood(_ row: Row) -> Bool { row.isComplete && !row.progress.overflows && !row.breaksRules }

  /// The heights of columns without an end. Positioned boxes are broken where columns end, so that they count.
  func runs(of row: Row) -> [LayoutUnit] {
    row.columns.map { run in
      let end = Swift.max(run.size.block, context.endOfFlow(in: run.fragment))
      return context.page.hasPositioned ? Swift.max(end, context.page.reachOfPositioned(in: run.fragment)) : end
    }
  }

  /// Some column ends before the room in it does.
  func isEndedByForce(_ row: Row) -> Bool {
    row.columns.dropLast().contains { $0.next.map { $0.forced != .none } ?? false }
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
}
