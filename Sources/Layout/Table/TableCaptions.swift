import BoxGeneration
import CSS
import Primitives
import Styling

/// Captions above and below the grid (CSS Tables 3, section 3.4). One that no page can hold is broken; one below the grid goes on
/// to the next page where it does not fit.
extension TableLayout {
  /// The first row is still to come at `token`.
  static func startsGrid(from token: BreakToken?) -> Bool {
    guard let token else { return true }
    if case .tableRow(0, _, let isInRow, _) = token.place { return !isInRow }
    return false
  }

  /// The caption that the page before has left, or left something of.
  private var resumedCaption: BreakToken? {
    guard case .tableRow(_, let cells, _, _)? = token?.place else { return nil }
    return cells.first { context.tree.boxes[$0.box.index].kind == .tableCaption }
  }

  /// Lays out the wrapper box, which holds the captions and the grid; only the grid paints (CSS 2.2, section 17.4).
  mutating func runWithCaptions() -> (fragment: FragmentID, gridStart: LayoutUnit) {
    let wrapper = context.page.appendBox(table, size: .zero, geometry: BoxGeometry(), flags: .paintsNothing)
    let resumed = resumedCaption
    var block = LayoutUnit.zero
    if token == nil || resumed.map({ !context.isCaptionBelow($0.box) }) == true {
      let last = placeCaptions(below: false, in: wrapper, &block)
      if next == nil, let first = model.grid.rows.first { endPage(before: first.group, after: last) }
    }
    let gridStart = block
    if next == nil, resumed.map({ context.isCaptionBelow($0.box) }) != true {
      runGrid(pageStart: space.fragmentainer.offset + block)
      if hasPlacedRow || next == nil {
        context.page.attach(grid, to: wrapper, at: LogicalOffset(inline: .zero, block: block))
        block += context.page[grid].size.block
      }
    }
    if next == nil {
      placeCaptions(below: true, after: model.grid.rows.last?.group ?? .none, in: wrapper, &block)
    }
    context.page.setSize(LogicalSize(inline: inlineSize, block: block), of: wrapper)
    return (wrapper, gridStart)
  }

  /// Places the captions of one side, from the one at hand on, as far as the page holds them.
  ///
  /// - Parameter previous: What stands above them.
  /// - Returns: The last of them.
  @discardableResult
  private mutating func placeCaptions(
    below: Bool, after previous: BoxID = .none, in wrapper: FragmentID, _ block: inout LayoutUnit
  ) -> BoxID {
    var captions = model.grid.captions.filter { context.isCaptionBelow($0) == below }[...]
    let resumed = resumedCaption.flatMap { context.isCaptionBelow($0.box) == below ? $0 : nil }
    if let resumed { captions = captions.drop { $0 != resumed.box } }
    var previous = resumed == nil ? previous : .none
    for caption in captions {
      let part = resumed?.box == caption ? resumed : nil
      endPage(before: caption, after: previous)
      guard next == nil, let size = place(caption, from: part, in: wrapper, at: block) else { break }
      block += size
      previous = caption
    }
    return previous
  }

  /// Ends the page between two of the captions and the grid where a break is forced there (CSS Fragmentation 3,
  /// section 3.1).
  private mutating func endPage(before box: BoxID, after previous: BoxID) {
    guard space.fragmentainer.size != nil, !space.fragmentainer.isMeasuring, !previous.isNone else { return }
    let rule = context.breakBetween(previous, box, inColumns: space.fragmentainer.columnDepth > 0)
    guard rule.isForced else { return }
    progress.endColumn(by: rule.forced)
    hasPlacedRow = true
    let isCaption = context.tree.boxes[box.index].kind == .tableCaption
    stop(
      at: isCaption ? .before(box) : nil, below: isCaption && context.isCaptionBelow(box), forced: rule.forced)
  }

  /// Places a caption or the rest of one; nil where the page ends in it or before it.
  private mutating func place(
    _ caption: BoxID, from resumed: BreakToken?, in wrapper: FragmentID, at block: LayoutUnit
  ) -> LayoutUnit? {
    let isStart = resumed?.isBreakBefore ?? true
    var margins = context.margins(of: caption, availableInline: inlineSize)
    // At a break that nothing forces it is truncated (CSS Fragmentation 3, section 5.2).
    if let token, resumed != nil, !isStart || !token.isForced { margins.blockStart = .zero }
    var (child, lineLeft) = context.captionSpace(
      caption, inline: inlineSize, direction: isRTL ? .rtl : .ltr, space.fragmentainer.unbroken)
    let trial = (page: context.page.savepoint(), progress: progress)
    var result = context.layout(caption, in: child, from: isStart ? nil : resumed, &progress)
    let top = space.fragmentainer.offset + block + margins.blockStart
    let forces = context.forcesBreak(inside: caption, in: space.fragmentainer)
    if let limit = space.fragmentainer.size, !space.fragmentainer.isMeasuring,
      forces || top + result.size.block > limit
    {
      context.page.rollBack(to: trial.page)
      progress.rollBack(to: trial.progress)
      if space.fragmentainer.columnDepth > 0, top + result.size.block > limit {
        progress.noteShortage(top + result.size.block - limit, stays: false)
      }
      let isAtPageStart = block == .zero && (token != nil || space.fragmentainer.isAtStart)
      guard
        isAtPageStart || forces && top < limit
          || space.fragmentainer.begins(result.size.block, at: top, isAvoided: avoids(caption))
      else {
        return stop(in: .before(caption))
      }
      child.isTallerThanPage = true
      child.fragmentainer.size = limit
      child.fragmentainer.offset = top
      child.fragmentainer.isAtStart = isAtPageStart
      result = context.layoutParallelFlow(caption, in: child, from: resumed, isInFlow: true, &progress)
      guard !result.fragment.isNone else { return stop(in: .before(caption)) }
    }
    let place = LogicalOffset(inline: lineLeft, block: block + margins.blockStart)
    let shift = shift(of: caption)
    context.page.attach(result.fragment, to: wrapper, at: place, shift: shift)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place, shift: shift)
    guard let rest = result.rest else { return margins.blockSum + result.size.block }
    hasPlacedRow = true
    return stop(in: rest)
  }

  /// A box of the table is not to be broken where a page or column can hold it.
  func avoids(_ box: BoxID) -> Bool {
    context.isMonolithic(box, in: space.fragmentainer)
      || space.fragmentainer.avoidsBreaks(inside: context.breakInside(of: box))
  }

  /// Ends the page in or before a caption.
  private mutating func stop(in caption: BreakToken) -> LayoutUnit? {
    stop(at: caption, below: context.isCaptionBelow(caption.box), forced: .none)
    return nil
  }

  /// Ends the page at a caption, or where there is none before the first row.
  private mutating func stop(at caption: BreakToken?, below: Bool, forced: ForcedBreak) {
    next = BreakToken(
      box: table, consumedBlockSize: token?.consumedBlockSize ?? .zero,
      .tableRow(
        below ? model.grid.rows.count : 0, cells: caption.map { [$0] } ?? [], isInRow: false, forced: forced))
  }
}

extension LayoutContext {
  /// The space of a caption on a grid of that border-box inline size, and where it begins along the lines.
  fileprivate func captionSpace(
    _ caption: BoxID, inline: LayoutUnit, direction: TextDirection, _ fragmentainer: Fragmentainer = Fragmentainer()
  ) -> (space: ConstraintSpace, lineLeft: LayoutUnit) {
    var space = ConstraintSpace(mode: mode, availableInline: inline, direction: direction)
    space.fragmentainer = fragmentainer
    let sizing = inlineSizing(of: caption, available: inline, space: space)
    space.imposed.inline = sizing.inlineSize
    space.geometry = sizing.geometry
    return (space, sizing.lineLeft)
  }

  /// The block size that the captions of a table take, with their margins, on a grid of that border-box inline size.
  func captionsBlock(ofTable table: BoxID, inline: LayoutUnit) -> LayoutUnit {
    let direction = styles.paragraphs[tree.boxes[table.index].style.paragraph.index].direction
    return tableModel(table).grid.captions.reduce(.zero) { block, caption in
      let space = captionSpace(caption, inline: inline, direction: direction).space
      return block + margins(of: caption, availableInline: inline).blockSum
        + measuredBlock(of: caption, in: space).block
    }
  }
}
