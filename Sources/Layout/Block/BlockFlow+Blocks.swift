import BoxGeneration
import CSS
import Primitives
import Styling

extension BlockFlow {
  /// Tries to find the place of a box whose margins collapse with what follows.
  private static let mostTries = 4

  /// Lays out a block container. Margins of what follows may move one whose floats are placed already: each further try starts
  /// from the place found, and in the last one floats stay where they are.
  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    let savepoint = context.page.savepoint()
    var flow = BlockFlow(
      context: context, box: box, space: space, token: token, progress: progress, staysInPlace: false)
    var result = flow.run()
    var tries = 1
    while let place = flow.margins.contradictedPlace {
      tries += 1
      context.page.rollBack(to: savepoint)
      var space = space
      space.flow?.knownBlock = place
      flow = BlockFlow(
        context: context, box: box, space: space, token: token, progress: progress,
        staysInPlace: tries == Self.mostTries)
      result = flow.run()
    }
    guard !result.fragment.isNone else {
      // The content that the next page begins with has not been met on this one.
      context.page.rollBack(to: savepoint)
      progress.keepShortage(of: flow.progress)
      return result
    }
    if space.fragmentainer.isStrict, flow.endsWithOwnSize(result) {
      progress.takeOver(flow.progress)
    } else {
      swap(&progress, &flow.progress)
    }
    if token != nil, result.next == nil { progress.leaveResumedBox() }
    return result
  }

  /// A child in the same block formatting context.
  mutating func placeBlock(_ child: BoxID, clearTo: LayoutUnit?, from childToken: BreakToken?, previous: BoxID) -> Bool
  {
    var childSpace = childSpace()
    childSpace.endReserve = endReserve(below: child)
    let isBelowFloat = clearTo != nil
    let lineLeft = prepare(&childSpace, ofBlock: child, clearTo: clearTo)
    let trial = trial()
    childSpace.isTallerThanPage =
      childToken == nil && isKnownAsTaller(child, in: childSpace, top: top(of: child, in: childSpace))
    var result = BlockFlow.layout(child, in: childSpace, from: childToken, context, &progress)
    if childToken == nil, !childSpace.isTallerThanPage, isCut(child, result, in: childSpace) {
      refit(child, in: &childSpace, &result, since: trial)
    }
    if result.fragment.isNone {
      return refused(child, result, from: childToken, previous: previous, trial: trial, isBelowFloat: isBelowFloat)
    }
    if result.next != nil, mayMoveWhole(child), !childSpace.fragmentainer.isAtStart, childToken == nil,
      progress.columns.spanner.isNone, !childSpace.isTallerThanPage
    {
      return refused(child, result, from: childToken, previous: previous, trial: trial, isBelowFloat: isBelowFloat)
    }
    if let place = place(ofEmpty: result), childSpace.flow?.knownBlock == nil {
      rollBack(trial)
      childSpace.flow?.knownBlock = place
      result = BlockFlow.layout(child, in: childSpace, from: childToken, context, &progress)
      if result.fragment.isNone {
        return refused(child, result, from: childToken, previous: previous, trial: trial, isBelowFloat: isBelowFloat)
      }
    }
    exclusions = result.exclusions
    margins.strutStaysInside = false
    let before = margins.strut
    guard let at = goBelow(result) else { return false }
    let trims = marginTrim.contains(.blockStart) && !hasPlacedContent
    margins.strut = trims ? before : result.end.strut
    clamped.take(result.lines, at: at + result.size.block)
    if result.size.block > .zero { spaceBelow = result.end.spaceBelow }
    attach(result, of: child, lineLeft: lineLeft, at: at)
    return carryOn(after: child, result)
  }

  /// Makes a space that of a block-level child in the same formatting context. Returns its line-left offset from the content box.
  mutating func prepare(_ childSpace: inout ConstraintSpace, ofBlock child: BoxID, clearTo: LayoutUnit?)
    -> LayoutUnit
  {
    childSpace.column = columnRole(of: child)
    childSpace.flow = FlowPosition(inline: contentLeft)
    childSpace.linesLeft = clamped.left
    let sizing = context.inlineSizing(of: child, available: contentInline, space: childSpace)
    childSpace.imposed.inline = sizing.inlineSize
    childSpace.geometry = sizing.geometry
    var position = margins.position(offset: offset)
    if let clearTo {
      position.block = clearTo
      position.isPlaced = true
      position.strut = MarginStrut()
      position.knownBlock = nil
    }
    position.inline = contentLeft + sizing.lineLeft
    position.exclusions = exclusions
    position.spaceAbove = spaceBelow
    position.startBreak = startBreak
    childSpace.flow = position
    childSpace.fragmentainer.isAtStart = isAtPageStart(clearTo ?? currentBlock())
    return sizing.lineLeft
  }

  /// The role of a child in the formatting context of a column. None in it spans columns through a containing block of
  /// fixed boxes, such as a transformed box.
  func columnRole(of child: BoxID) -> ColumnRole {
    space.column == .none || context.containsFixed(child) ? .none : .inside
  }

  /// Lays a child out again that the page cuts, as it is better placed.
  private mutating func refit(
    _ child: BoxID, in childSpace: inout ConstraintSpace, _ result: inout LayoutResult, since trial: Trial
  ) {
    let fit = fit(of: child, in: childSpace, top: top(of: child, in: childSpace))
    switch fit {
    case .moves: return
    case .shrinks(let reserve):
      rollBackToRetry(trial)
      result = layoutBlock(child, in: childSpace.reserving(reserve))
      if !result.fragment.isNone, result.next == nil { return }
      if !isFirst(childSpace) {
        rollBackToRetry(trial)
        result = layoutBlock(child, in: childSpace)
        return
      }
    case .isBroken, .isDivided: break
    }
    rollBackToRetry(trial)
    childSpace.isTallerThanPage = mayMoveWhole(child)
    context.trials.begin()
    defer { context.trials.end() }
    result = layoutBlock(child, in: childSpace)
    guard case .isDivided(var division) = fit else { return }
    while let lack = lack(of: result, of: child, division), division.triesLeft > 0 {
      if lack == .zero { return }
      division.triesLeft -= 1
      childSpace.fragmentainer.endEarlier(by: lack)
      rollBackToRetry(trial)
      result = layoutBlock(child, in: childSpace)
    }
    childSpace.isTallerThanPage = false
  }

  private mutating func layoutBlock(_ child: BoxID, in childSpace: ConstraintSpace) -> LayoutResult {
    BlockFlow.layout(child, in: childSpace, from: nil, context.with(childSpace.mode), &progress)
  }

  /// The end of the margins that collapse through an empty child, where floats in it have been placed otherwise: they stand below
  /// them.
  private mutating func place(ofEmpty result: LayoutResult) -> LayoutUnit? {
    guard result.bfcBlock == nil, let assumed = result.collapsed.assumedBFCBlock, let block = margins.block else {
      return nil
    }
    let place = block + offset + result.end.strut.sum
    return place == assumed ? nil : place
  }

  /// Moves the end of what is placed below a child; its own place in the box, or nil where the box stands elsewhere than floats
  /// were told.
  private mutating func goBelow(_ result: LayoutResult) -> LayoutUnit? {
    guard let place = result.bfcBlock else {
      guard let block = margins.block else {
        margins.assumed = result.collapsed.assumedBFCBlock ?? margins.assumed
        return .zero
      }
      return (result.collapsed.emptyBlock ?? block) - block
    }
    if margins.block == nil {
      margins.place(at: place)
      if margins.contradictedPlace != nil { return nil }
    }
    let at = place - (margins.block ?? place)
    offset = at + result.size.block
    if let start = result.collapsed.clearedStart {
      offset = at - start
      margins.strutStaysInside = true
    }
    if result.size.block > .zero { hasPlacedContent = true }
    return at
  }
}
