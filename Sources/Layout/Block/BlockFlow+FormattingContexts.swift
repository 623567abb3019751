import BoxGeneration
import CSS
import Primitives
import Styling

/// Children that start a formatting context of their own: they may not overlap floats (CSS 2.2, section 9.5).
extension BlockFlow {
  /// A place at which such a child is tried.
  private struct Candidate {
    let box: BoxID
    /// Where it goes on; nil for its first part.
    let token: BreakToken?
    var space: ConstraintSpace
    /// Its border box's block-start edge, in BFC coordinates.
    var top: LayoutUnit
    /// Block size that it is known to have there.
    var height = LayoutUnit.zero
    var room: (left: LayoutUnit, right: LayoutUnit)
    /// Line-left offset from the content box.
    var lineLeft = LayoutUnit.zero
    /// Border-box inline size of one that never fills its room.
    var intrinsic: LayoutUnit?
    /// It has been laid out elsewhere.
    var isSecondTry = false
    /// It is a text that is to be divided.
    var division: Division?

    mutating func move(to lower: LayoutUnit) {
      top = lower
      height = .zero
    }
    var isShrunk: Bool { space.mode.pictureReserve > .zero }
  }

  private enum Verdict {
    case stays
    /// It is laid out again.
    case isTriedAgain
  }

  mutating func placeFormattingContext(
    _ child: BoxID, value: Box, clearTo: LayoutUnit?, from childToken: BreakToken?, previous: BoxID
  ) -> Bool {
    let above = (offset, margins.strut)
    guard goBelowMargins(of: child, clearTo: clearTo, isStart: childToken == nil) else { return false }
    var candidate = Candidate(
      box: child, token: childToken, space: childSpace(), top: margins.expected + offset,
      room: (contentLeft, contentLeft + contentInline))
    candidate.space.endReserve = endReserve(below: child)
    let start = candidate.top
    let trial = trial()
    while true {
      guard findRoom(for: &candidate, value) else { continue }
      let result = layout(&candidate)
      let isBelowFloat = clearTo != nil || candidate.top > start
      let isWhole = reachesOverPageEnd(result, value, of: child, at: candidate.top)
      if childToken == nil, !result.isRotatedTable,
        isCut(child, result, in: candidate.space, top: candidate.top, isWhole: isWhole),
        refit(&candidate, result, isMonolithic: isMonolithic(value, result)) == .isTriedAgain
      {
        rollBackToRetry(trial)
        continue
      }
      if result.fragment.isNone {
        guard result.isRotatedTable, childToken == nil, clearTo == nil, mayWait(child) else {
          return refused(child, result, from: childToken, previous: previous, trial: trial, isBelowFloat: isBelowFloat)
        }
        progress.pushedFloats.append(
          PushedFloat(box: child, token: nil, left: contentLeft, right: contentLeft + contentInline))
        (offset, margins.strut) = above
        return true
      }
      if avoidFloats(&candidate, result, value) == .isTriedAgain {
        rollBack(trial)
        continue
      }
      if space.fragmentainer.size != nil, childToken == nil {
        noteShortage(of: result, at: candidate.top, stays: candidate.space.fragmentainer.isAtStart)
        if !candidate.space.fragmentainer.isAtStart,
          isWhole || isEmptyBeyondEnd(result, at: candidate.top)
            || (result.next != nil && mayMoveWhole(child) && !candidate.space.isTallerThanPage)
        {
          return refused(child, result, from: childToken, previous: previous, trial: trial, isBelowFloat: isBelowFloat)
        }
      }
      if isWhole { context.page.insert(.overflows, into: result.fragment) }
      return accept(result, candidate)
    }
  }

  /// Lets the margins above the child take effect; false where the box stands elsewhere than floats were told.
  private mutating func goBelowMargins(of child: BoxID, clearTo: LayoutUnit?, isStart: Bool) -> Bool {
    if let clearTo {
      offset = clearTo - margins.expected
      margins.strut = MarginStrut()
      return true
    }
    if isStart, context.keepsStartMargin(of: child, after: startBreak) {
      margins.strut.append(context.startMargin(of: child, availableInline: contentInline))
    }
    guard margins.block == nil else {
      offset += margins.strut.sum
      margins.strut = MarginStrut()
      return true
    }
    margins.resolve()
    return margins.contradictedPlace == nil
  }

  /// Sizes the child for the room beside the floats at its place; false where it goes below one of them.
  private func findRoom(for candidate: inout Candidate, _ value: Box) -> Bool {
    let child = candidate.box
    let right = contentLeft + contentInline
    let room = exclusions.room(at: candidate.top, height: candidate.height, left: contentLeft, right: right)
    let isNarrowed = room.left > contentLeft || room.right < right
    let available = Swift.max(.zero, room.right - room.left)
    let margins = context.margins(of: child, availableInline: contentInline)
    let intrinsic = context.with(candidate.space.mode).intrinsicInline(
      of: child, available: available - margins.inlineSum, containing: contentInline, percentageBlock: contentBlock)
    var probe = candidate.space
    probe.flow = FlowPosition(inline: room.left)
    probe.fragmentainer.inlineOffset = pageInline
    probe.imposed.inline = nil
    probe.geometry = nil
    var sizing = context.inlineSizing(
      of: child, available: isNarrowed ? available : contentInline, space: probe, intrinsicInline: intrinsic)
    let resumed = candidate.token?.itemsInline
    if let resumed {
      sizing.inlineSize = resumed + sizing.geometry.border.inlineSum + sizing.geometry.padding.inlineSum
    }
    if isNarrowed {
      // Margins are measured from the containing block, so a float may take their room.
      let left = Swift.max(room.left, contentLeft + margins.lineLeft)
      let end = Swift.min(room.right, right - margins.lineRight)
      if intrinsic == nil, resumed == nil, context.fillsContainingBlock(child) {
        sizing.inlineSize = context.clampInline(
          Swift.max(.zero, end - left), of: child, style: value.style, geometry: sizing.geometry,
          availableInline: contentInline)
      }
      sizing.lineLeft = direction == .ltr ? left - room.left : end - sizing.inlineSize - room.left
      // As in browsers, a box that fills its room may become narrower than its content. A table does not give way to a
      // float.
      let wanted =
        value.kind == .table
        ? context.wantedTableInlineSize(child, available: available - margins.inlineSum, containing: contentInline)
        : sizing.inlineSize
      if wanted > available || available == .zero,
        let lower = exclusions.nextChange(below: candidate.top)
      {
        candidate.move(to: lower)
        return false
      }
    }
    candidate.room = room
    candidate.intrinsic = intrinsic
    candidate.lineLeft = (isNarrowed ? room.left - contentLeft : .zero) + sizing.lineLeft
    candidate.space.imposed.inline = sizing.inlineSize
    candidate.space.geometry = sizing.geometry
    return true
  }

  private mutating func layout(_ candidate: inout Candidate) -> LayoutResult {
    candidate.space.fragmentainer.offset = pageBlock(candidate.top)
    candidate.space.fragmentainer.inlineOffset = pageInline + contentLeft + candidate.lineLeft
    candidate.space.fragmentainer.isAtStart = isAtPageStart(candidate.top)
    candidate.isSecondTry = candidate.isSecondTry || candidate.space.isTallerThanPage
    if candidate.token == nil, !candidate.isShrunk,
      isKnownAsTaller(candidate.box, in: candidate.space, top: candidate.top)
    {
      candidate.space.isTallerThanPage = true
    }
    if candidate.isSecondTry { context.trials.begin() }
    defer { if candidate.isSecondTry { context.trials.end() } }
    return context.layout(candidate.box, in: candidate.space, from: candidate.token, &progress)
  }

  /// Pictures and flows that turn stay whole.
  private func isMonolithic(_ value: Box, _ result: LayoutResult) -> Bool {
    value.content == .replaced && result.next == nil || context.isOrthogonal(value)
  }
  private func reachesOverPageEnd(_ result: LayoutResult, _ value: Box, of child: BoxID, at top: LayoutUnit) -> Bool {
    // Of a picture that goes on this is a slice.
    guard context.isMonolithic(child, in: space.fragmentainer), value.content != .replaced || result.next == nil,
      let size = space.fragmentainer.size
    else { return false }
    return pageBlock(top) + result.size.block > size
  }

  /// Below the margin above it, a child without an extent stands beyond the end of a page of paper or a column.
  private func isEmptyBeyondEnd(_ result: LayoutResult, at top: LayoutUnit) -> Bool {
    guard space.fragmentainer.isStrict, let size = space.fragmentainer.size else { return false }
    return result.size.block == .zero && result.rest == nil && pageBlock(top) > size
  }

  /// The verdict on a child that the page cuts: it is laid out again with smaller pictures, or broken although it would rather
  /// not be.
  private mutating func refit(_ candidate: inout Candidate, _ result: LayoutResult, isMonolithic: Bool) -> Verdict {
    guard !candidate.isShrunk else {
      guard !isMonolithic else { return .stays }
      candidate.space = candidate.space.reserving(.zero)
      candidate.space.isTallerThanPage = true
      return .isTriedAgain
    }
    guard !candidate.space.isTallerThanPage else {
      guard let division = candidate.division else { return .stays }
      let lack = lack(of: result, of: candidate.box, division)
      if let lack, lack > .zero, division.triesLeft > 0 {
        candidate.division?.triesLeft -= 1
        candidate.space.fragmentainer.endEarlier(by: lack)
        return .isTriedAgain
      }
      candidate.space.isTallerThanPage = lack == .zero
      return .stays
    }
    switch fit(of: candidate.box, in: candidate.space, top: candidate.top) {
    case .moves: return .stays
    case .shrinks(let reserve): candidate.space = candidate.space.reserving(reserve)
    case .isDivided where isMonolithic: return .stays
    case .isDivided(let division):
      candidate.division = division
      candidate.space.isTallerThanPage = true
    case .isBroken:
      guard !isMonolithic else { return .stays }
      candidate.space.isTallerThanPage = true
    }
    return .isTriedAgain
  }

  /// Looks whether a box that has been laid out reaches beside or over floats that begin further down: it goes beside them if
  /// there is room, or below the next one.
  private func avoidFloats(_ candidate: inout Candidate, _ result: LayoutResult, _ value: Box) -> Verdict {
    guard !exclusions.isEmpty, !context.trials.isExhausted else { return .stays }
    let whole = exclusions.room(
      at: candidate.top, height: result.size.block, left: contentLeft, right: contentLeft + contentInline)
    let start = contentLeft + candidate.lineLeft
    let inlineSize = candidate.space.imposed.inline ?? .zero
    guard inlineSize > .zero, whole.left > start || whole.right < start + inlineSize,
      whole.left > candidate.room.left || whole.right < candidate.room.right,
      let lower = exclusions.nextChange(below: candidate.top)
    else { return .stays }
    candidate.isSecondTry = true
    let isAuto = candidate.intrinsic == nil && context.fillsContainingBlock(candidate.box)
    let width = whole.right - whole.left
    if result.size.block > candidate.height, width > .zero, isAuto || width >= inlineSize {
      candidate.height = result.size.block
    } else {
      candidate.move(to: lower)
    }
    return .isTriedAgain
  }

  private mutating func noteShortage(of result: LayoutResult, at top: LayoutUnit, stays: Bool) {
    guard let size = space.fragmentainer.size, result.next == nil else { return }
    noteShortage(pageBlock(top) + result.size.block - size, stays: stays)
  }

  private mutating func accept(_ result: LayoutResult, _ candidate: Candidate) -> Bool {
    offset = candidate.top - margins.expected
    attach(result, of: candidate.box, lineLeft: candidate.lineLeft, at: offset)
    offset += result.size.block
    spaceBelow = .zero
    if result.size.block > .zero { hasPlacedContent = true }
    margins.strut = MarginStrut()
    margins.strutStaysInside = false
    if result.next == nil {
      margins.strut.append(context.endMargin(of: candidate.box, availableInline: contentInline))
    }
    return carryOn(after: candidate.box, result)
  }
}

extension BlockFlow {
  /// Something reaches `amount` beyond the end of its column. `stays` when it is left there.
  mutating func noteShortage(_ amount: LayoutUnit, stays: Bool) {
    guard space.fragmentainer.columnDepth > 0 else { return }
    progress.noteShortage(amount, stays: stays)
  }
}

extension ConstraintSpace {
  /// The same space where pictures leave so much of the page's height.
  func reserving(_ reserve: LayoutUnit) -> ConstraintSpace {
    var space = self
    space.mode.pictureReserve = reserve
    return space
  }
}
