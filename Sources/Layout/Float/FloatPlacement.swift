import BoxGeneration
import CSS
package import Primitives
import Styling

/// A float on its way to the next page or column.
package struct PushedFloat: Sendable {
  let box: BoxID
  /// The break token to go on from with it; nil to start.
  var token: BreakToken?
  /// Its containing block's content edges, in its formatting context's coordinates.
  var left: LayoutUnit
  var right: LayoutUnit
}

extension [PushedFloat] {
  /// The same floats go on at the same content: the page between them has set nothing of them.
  func isSamePlace(as other: [PushedFloat]) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { (first, second) in
        guard first.box == second.box else { return false }
        guard let token = first.token, let other = second.token else {
          return first.token == nil && second.token == nil
        }
        return token.isSamePlace(as: other) && token.consumedBlockSize == other.consumedBlockSize
      }
  }
}

/// The outcome of placing a float.
struct PlacedFloat {
  /// It stands on this page; else it goes to the next one.
  var isPlaced = true
  /// Of an initial letter on the first line of its text: where the lines beside it end, in its formatting context's coordinates,
  /// and how far the first of them has to move down.
  var initial: (end: LayoutUnit, rise: LayoutUnit)?
  /// Positioned boxes inside the float, offsets relative to the fragment that it is attached to.
  var outOfFlow: [OutOfFlowBox] = []

  static let pushed = PlacedFloat(isPlaced: false)
}

extension LayoutContext {
  /// The sides that a `clear` value means, with flow-relative values mapped by the containing block's direction.
  func clearSides(_ clear: Clear, direction: TextDirection) -> (left: Bool, right: Bool) {
    switch clear {
    case .none: (false, false)
    case .left: (true, false)
    case .right: (false, true)
    case .both: (true, true)
    case .inlineStart: direction == .ltr ? (true, false) : (false, true)
    case .inlineEnd: direction == .ltr ? (false, true) : (true, false)
    }
  }

  func isLeftFloat(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    let parent = value.parent
    let direction = styles.paragraphs[tree.boxes[(parent.isNone ? box : parent).index].style.paragraph.index].direction
    switch styles.boxes[value.style.box.index].float {
    case .right: return false
    case .inlineStart: return direction == .ltr
    case .inlineEnd: return direction == .rtl
    // An initial letter stands at the start of its line.
    default: return !value.flags.contains(.initialLetter) || direction == .ltr
    }
  }

  /// Margin-box inline size of a float, for deciding whether it fits beside a line.
  package func floatInlineSize(_ box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    let margins = margins(of: box, availableInline: availableInline)
    return outOfFlowInline(box, available: availableInline - margins.inlineSum, containing: availableInline)
      + margins.inlineSum
  }

  /// Border-box inline size of floats, inline-blocks and positioned boxes.
  func outOfFlowInline(_ box: BoxID, available: LayoutUnit, containing: LayoutUnit, percentageBlock: LayoutUnit? = nil)
    -> LayoutUnit
  {
    intrinsicInline(of: box, available: available, containing: containing, percentageBlock: percentageBlock)
      ?? shrinkToFit(box, available: available, containing: containing, percentageBlock: percentageBlock)
  }

  /// Lays out a float and takes its room from `exclusions` (CSS 2.2, section 9.5.1).
  ///
  /// A float goes to the next page where it does not fit below `block` on this one, or a float before it did not.
  func placeFloat(
    _ box: BoxID, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace, parent: FragmentID,
    parentOrigin: LogicalOffset, progress: inout FlowProgress
  ) -> PlacedFloat {
    if let float = pageFloat(box, at: block, in: space) {
      progress.meet(float)
      return PlacedFloat()
    }
    return place(
      PushedFloat(
        box: box, token: nil, left: space.bfcOffset.inline, right: space.bfcOffset.inline + space.contentInline),
      at: block, space: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin, progress: &progress)
  }

  fileprivate func place(
    _ float: PushedFloat, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace,
    parent: FragmentID, parentOrigin: LogicalOffset, progress: inout FlowProgress
  ) -> PlacedFloat {
    workspace.trials.countFloat()
    let breaks = space.fragmentainer.size != nil && !space.fragmentainer.isMeasuring
    // A float is not above one that comes before it (CSS 2.2, section 9.5.1, rule 5), but may stand beside one that goes on.
    // Nor is it on the page with a part of one that it clears.
    if breaks, progress.pushedFloats.contains(where: { $0.token == nil || clears(float.box, $0) }) {
      return push(float, in: space, &exclusions, &progress)
    }
    if isWaitingTable(float) {
      return placeWaitingTable(
        float, in: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin, progress: &progress)
    }
    let sizing = FloatSizing(of: float, in: space, self)
    let isInitial = tree.boxes[float.box.index].flags.contains(.initialLetter)
    let clear = isInitial ? Swift.max(block, exclusions.initialsEnd) : block
    let start = clearance(of: float.box, from: clear, exclusions)
    let laid =
      breaks && float.token != nil && space.fragmentainer.columnDepth == 0
      ? layoutPart(of: float, sizing, from: start, in: space, &exclusions, &progress)
      : layoutWholeOrPart(of: float, sizing, at: block, from: start, breaks: breaks, in: space, &exclusions, &progress)
    guard let laid else { return push(float, in: space, &exclusions, &progress) }
    let (result, letter, size, place) = (laid.result, laid.letter, laid.size, laid.place)
    let shape =
      letter == nil
      ? floatShape(
        of: float.box, marginBox: size, margins: sizing.margins, available: sizing.space.availableInline) : nil
    exclusions.add(
      LogicalRect(offset: place, size: size), isLeft: sizing.isLeft, shape: shape, isInitial: isInitial)
    let offset = LogicalOffset(
      inline: place.inline + sizing.margins.lineLeft - parentOrigin.inline,
      block: place.block + (letter?.blockStart ?? sizing.margins.blockStart) - parentOrigin.block)
    var placed = PlacedFloat()
    if let letter, space.isFirstLine { placed.initial = (place.block + letter.blockEnd, letter.rise + clear - block) }
    let containing = LogicalSize(inline: sizing.space.availableInline, block: space.percentageBlock ?? .zero)
    let shift = relativeShift(of: float.box, containing: containing, direction: .ltr)
    page.attach(result.fragment, to: parent, at: offset, shift: shift)
    placed.outOfFlow.append(contentsOf: result.outOfFlow, movedBy: offset, shift: shift)
    return placed
  }

  /// Lays out a float as a whole, or the part of it that the page holds if no page can hold more; nil where it goes to the next
  /// page.
  ///
  /// - Parameter isBounded: The whole is tried no further than the size of a page: one that is larger is parted.
  private func layoutWholeOrPart(
    of float: PushedFloat, _ sizing: FloatSizing, at block: LayoutUnit, from start: LayoutUnit, breaks: Bool,
    isBounded: Bool = true, in space: InlineSpace, _ exclusions: inout ExclusionSpace, _ progress: inout FlowProgress
  ) -> FloatResult? {
    let savepoint = page.savepoint()
    let before = progress
    func dividedPart(where isWanted: (BreakToken) -> Bool) -> FloatResult? {
      let known = exclusions
      if let part = layoutPart(of: float, sizing, from: start, in: space, &exclusions, &progress),
        let rest = part.result.rest, isWanted(rest)
      {
        return part
      }
      page.rollBack(to: savepoint)
      progress.rollBack(to: before)
      exclusions = known
      return nil
    }
    if breaks, isBounded, forcesBreak(inside: float.box, in: space.fragmentainer),
      let part = dividedPart(where: \.endsByForce)
    {
      return part
    }
    let limit = breaks ? space.fragmentainer.size : nil
    var whole = sizing.space
    // Columns are balanced by all that does not fit.
    if isBounded, let limit, space.fragmentainer.columnDepth == 0 { whole.fragmentainer.trialEnd = limit }
    let result = layout(float.box, in: whole, from: float.token, &progress)
    let letter = sizing.letter(of: float, result, in: space, self)
    let size = sizing.marginBox(of: result, letter)
    let place = sizing.position(of: size, from: start, exclusions)
    let top = space.fragmentainer.offset + place.block
    let end = top + size.block - (space.fragmentainer.isStrict ? .zero : sizing.margins.blockEnd)
    let reachesOver = limit.map { size.block > .zero && end > $0 } ?? false
    let sticksOut =
      isBounded && !reachesOver && inputs.overflows.contains(float.box)
      && limit.map { top + sizing.margins.blockStart + contentEnd(of: result.fragment) > $0 } ?? false
    if progress.leavesOut || sticksOut, let limit, !reachesOver || result.size.block <= limit {
      // By margins, or because content sticks out of a box of a size of its own, it may fit: nothing of it is to be missing.
      page.rollBack(to: savepoint)
      progress = before
      if !reachesOver, inputs.overflows.contains(float.box), !isMonolithic(float.box, in: space.fragmentainer),
        let part = dividedPart(where: { _ in true })
      {
        return part
      }
      return layoutWholeOrPart(
        of: float, sizing, at: block, from: start, breaks: breaks, isBounded: false, in: space, &exclusions, &progress)
    }
    guard reachesOver, let limit else { return FloatResult(result: result, letter: letter, size: size, place: place) }
    page.rollBack(to: savepoint)
    progress.rollBack(to: before)
    if space.fragmentainer.columnDepth > 0 {
      let isWhole =
        isMonolithic(float.box, in: space.fragmentainer)
        || space.fragmentainer.avoidsBreaks(inside: breakInside(of: float.box))
      progress.noteShortage(end - limit, stays: isWhole && space.fragmentainer.isAtStart && top <= .zero)
    }
    guard
      space.fragmentainer.isPageStart(top) || space.fragmentainer.isAtStart && place.block == block
        || space.fragmentainer.begins(
          result.size.block, at: top,
          isAvoided: !space.fragmentainer.isStrict
            || space.fragmentainer.avoidsBreaks(inside: breakInside(of: float.box)))
    else { return nil }
    return layoutPart(of: float, sizing, from: start, at: top, letter, in: space, &exclusions, &progress)
  }

  /// Lays out the part of a float that the page holds; nil where the page holds nothing of it. What is left goes to the next page.
  ///
  /// - Parameter top: Its place on the page, if it is known.
  private func layoutPart(
    of float: PushedFloat, _ sizing: FloatSizing, from start: LayoutUnit, at top: LayoutUnit? = nil,
    _ letter: InitialLetter? = nil, in space: InlineSpace, _ exclusions: inout ExclusionSpace,
    _ progress: inout FlowProgress
  ) -> FloatResult? {
    var size = LogicalSize(inline: sizing.marginBoxInline(of: letter), block: .epsilon)
    var part = sizing.space
    part.isTallerThanPage = true
    part.fragmentainer.size = space.fragmentainer.size
    part.fragmentainer.offset =
      (top ?? space.fragmentainer.offset + sizing.position(of: size, from: start, exclusions).block)
      + sizing.margins.blockStart
    // In a column what fits nowhere in its first part goes to the next one whole.
    part.fragmentainer.isAtStart =
      !space.fragmentainer.isStrict || float.token != nil || space.fragmentainer.isAtStart
      || space.fragmentainer.isPageStart(top ?? .zero)
    let result = layoutParallelFlow(float.box, in: part, from: float.token, isInFlow: false, &progress)
    if result.fragment.isNone { return nil }
    if let next = result.rest {
      var rest = float
      rest.token = next
      _ = push(rest, in: space, &exclusions, &progress)
    }
    let place = sizing.position(of: size, from: start, exclusions)
    size.block = result.size.block + sizing.margins.blockSum
    return FloatResult(result: result, letter: letter, size: size, place: place)
  }

  /// Puts a float, or what is left of it, off to the next page: what clears it cannot stand on this one.
  private func push(
    _ float: PushedFloat, in space: InlineSpace, _ exclusions: inout ExclusionSpace, _ progress: inout FlowProgress
  ) -> PlacedFloat {
    progress.push(float)
    exclusions.extend(
      isLeft: isLeftFloat(float.box), to: space.fragmentainer.size.map { $0 - space.fragmentainer.offset } ?? .max)
    return .pushed
  }

  /// A float stands below another one that goes on on the next page.
  private func clears(_ float: BoxID, _ other: PushedFloat) -> Bool {
    let sides = clearSides(styles.boxes[boxStyle(float)].clear, direction: .ltr)
    return !isWaitingTable(other) && (isLeftFloat(other.box) ? sides.left : sides.right)
  }

  /// The highest place of a float whose text stands at `block`: below those that it clears.
  private func clearance(of float: BoxID, from block: LayoutUnit, _ exclusions: ExclusionSpace) -> LayoutUnit {
    let sides = clearSides(styles.boxes[boxStyle(float)].clear, direction: .ltr)
    guard sides.left || sides.right else { return block }
    return Swift.max(block, exclusions.clearance(left: sides.left, right: sides.right))
  }
}

/// A float, or a part of it, that stands on the page.
private struct FloatResult {
  let result: LayoutResult
  let letter: InitialLetter?
  /// Of its margin box.
  let size: LogicalSize
  let place: LogicalOffset
}

/// The margins, side and room that a float is laid out with.
private struct FloatSizing {
  let margins: FlowEdges
  let isLeft: Bool
  /// Of a float that is not broken.
  let space: ConstraintSpace
  private let left: LayoutUnit
  private let right: LayoutUnit

  init(of float: PushedFloat, in around: InlineSpace, _ context: LayoutContext) {
    left = float.left
    right = float.right
    isLeft = context.isLeftFloat(float.box)
    let available = Swift.max(.zero, right - left)
    var margins = context.margins(of: float.box, availableInline: available)
    var space = ConstraintSpace(
      mode: context.mode, availableInline: available, percentageBlock: around.percentageBlock)
    // A float of the page that stands in its place is as wide as at an edge.
    space.imposed.inline =
      context.isPageFloat(float.box)
      ? context.inlineSizing(of: float.box, available: available, space: space).inlineSize
      : context.outOfFlowInline(
        float.box, available: available - margins.inlineSum, containing: available,
        percentageBlock: around.percentageBlock)
    space.fragmentainer = around.fragmentainer.unbroken
    space.fragmentainer.inlineOffset = left
    if context.tree.boxes[float.box.index].flags.contains(.initialLetter) {
      if isLeft { margins.lineRight += around.wordSpace } else { margins.lineLeft += around.wordSpace }
    }
    // Its margin stands above its first part alone.
    if let token = float.token, !token.isBreakBefore { margins.blockStart = .zero }
    self.margins = margins
    self.space = space
  }

  /// The initial letter that the float is, if it is one.
  func letter(
    of float: PushedFloat, _ result: LayoutResult, in around: InlineSpace, _ context: LayoutContext
  ) -> InitialLetter? {
    guard float.token == nil,
      around.isFirstLine || context.tree.boxes[float.box.index].flags.contains(.initialLetter)
    else { return nil }
    return context.initialLetter(float.box, result, margins: margins, in: around)
  }

  func marginBoxInline(of letter: InitialLetter?) -> LayoutUnit {
    (letter?.size.inline ?? space.imposed.inline ?? .zero) + margins.inlineSum
  }

  func marginBox(of result: LayoutResult, _ letter: InitialLetter?) -> LogicalSize {
    LogicalSize(
      inline: marginBoxInline(of: letter), block: letter?.blockEnd ?? result.size.block + margins.blockSum)
  }

  func position(of size: LogicalSize, from start: LayoutUnit, _ exclusions: ExclusionSpace) -> LogicalOffset {
    exclusions.position(ofFloat: size, isLeft: isLeft, from: start, left: left, right: right)
  }
}

extension BlockFlow {
  /// Places the floats that the page before could not hold, at the top of the content of the root, or of the box in columns that
  /// they stand in the formatting context of.
  mutating func place(resumed floats: [PushedFloat]) {
    for (number, float) in floats.enumerated() {
      let placed = context.place(
        float, at: .zero, space: inlineSpace(at: .zero), exclusions: &exclusions, parent: fragment,
        parentOrigin: LogicalOffset(
          inline: -geometry.border.lineLeft - geometry.padding.lineLeft, block: margins.block ?? .zero),
        progress: &progress)
      outOfFlow += placed.outOfFlow
      // The content that follows is not set over the page's end for want of another place.
      if context.isWaitingTable(float) { hasPlacedContent = true }
      if !placed.isPlaced, space.fragmentainer.size != nil, let last = progress.pushedFloats.last,
        last.box == float.box,
        last.token == nil
      {
        return push(floats[(number + 1)...])
      }
    }
  }

  /// Puts off all floats behind one that waits for the next page: none of them may stand above it (CSS 2.2, section
  /// 9.5.1, rule 5).
  private mutating func push(_ floats: ArraySlice<PushedFloat>) {
    progress.push(floats)
    for isLeft in [true, false] where floats.contains(where: { context.isLeftFloat($0.box) == isLeft }) {
      exclusions.extend(isLeft: isLeft, to: (space.fragmentainer.size ?? .max) - fragmentainerOffset)
    }
    if floats.contains(where: context.isWaitingTable) { hasPlacedContent = true }
  }
}
