import BoxGeneration
import CSS
package import Primitives
import Styling

/// A float on its way to the next page or column.
package struct CarriedFloat: Sendable {
  let box: BoxID
  /// Where to go on with it; nil to start.
  var token: BreakToken?
  /// Its containing block's content edges, in its formatting context's coordinates.
  var left: LayoutUnit
  var right: LayoutUnit
}

/// What has become of a float.
struct PlacedFloat {
  /// It stands on this page; else it goes to the next one.
  var isPlaced = true
  /// Of an initial letter on the first line of its text: where the lines beside it end, in its formatting context's coordinates,
  /// and how far the first of them has to move down.
  var initial: (end: LayoutUnit, rise: LayoutUnit)?
  /// Positioned boxes inside the float, offsets relative to the fragment that it is attached to.
  var outOfFlow: [OutOfFlowBox] = []

  static let carried = PlacedFloat(isPlaced: false)
}

extension LayoutContext {
  /// Which sides a `clear` value means, with flow-relative values mapped by the containing block's direction.
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
      ?? shrinkToFit(box, available: available, containing: containing)
  }

  /// Lays out a float and takes its room from `exclusions` (CSS 2.2, section 9.5.1).
  ///
  /// A float goes to the next page where it does not fit below `block` on this one, or a float before it did not.
  func placeFloat(
    _ box: BoxID, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace, parent: FragmentID,
    parentOrigin: LogicalOffset, progress: inout FlowProgress
  ) -> PlacedFloat {
    place(
      CarriedFloat(box: box, token: nil, left: space.bfcInline, right: space.bfcInline + space.contentInline),
      at: block, space: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin, progress: &progress)
  }

  fileprivate func place(
    _ float: CarriedFloat, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace,
    parent: FragmentID, parentOrigin: LogicalOffset, progress: inout FlowProgress
  ) -> PlacedFloat {
    let box = float.box
    let pageEnd = space.fragmentainer.size.map { $0 - space.fragmentainer.offset } ?? .max
    if space.fragmentainer.size != nil, !space.fragmentainer.isMeasuring, !progress.carriedFloats.isEmpty {
      progress.carriedFloats.append(float)
      exclusions.extend(isLeft: isLeftFloat(box), to: pageEnd)
      return .carried
    }
    let value = tree.boxes[box.index]
    if isWaitingTable(float) {
      return placeWaitingTable(
        float, in: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin, progress: &progress)
    }
    let available = Swift.max(.zero, float.right - float.left)
    var margins = margins(of: box, availableInline: available)
    let inline = outOfFlowInline(
      box, available: available - margins.inlineSum, containing: available, percentageBlock: space.percentageBlock)
    let isLeft = isLeftFloat(box)
    if value.flags.contains(.initialLetter) {
      if isLeft { margins.lineRight += space.wordSpace } else { margins.lineLeft += space.wordSpace }
    }
    let clear = clearSides(styles.boxes[value.style.box.index].clear, direction: .ltr)
    var start = block
    if clear.left || clear.right {
      start = Swift.max(start, exclusions.clearance(left: clear.left, right: clear.right))
    }

    var child = ConstraintSpace(mode: mode, availableInline: available, percentageBlock: space.percentageBlock)
    child.fixedInline = inline
    child.fragmentainer = space.fragmentainer.unbroken
    child.fragmentainer.inlineOffset = float.left
    let savepoint = page.savepoint()
    let before = progress
    var result = layout(box, in: child, from: float.token, &progress)
    let letter =
      float.token == nil && (space.isFirstLine || value.flags.contains(.initialLetter))
      ? initialLetter(box, result, margins: margins, in: space) : nil
    var size = LogicalSize(inline: inline + margins.inlineSum, block: result.size.block + margins.blockSum)
    if let letter { size = LogicalSize(inline: letter.size.inline + margins.inlineSum, block: letter.blockEnd) }
    var place = exclusions.position(ofFloat: size, isLeft: isLeft, from: start, left: float.left, right: float.right)
    if let limit = space.fragmentainer.size, !space.fragmentainer.isMeasuring {
      let top = space.fragmentainer.offset + place.block
      if top + size.block - margins.blockEnd > limit, size.block > .zero {
        page.goBack(to: savepoint)
        progress.giveUp(to: before)
        if space.fragmentainer.columnDepth > 0 {
          progress.columns.noteShortage(
            top + size.block - margins.blockEnd - limit, stays: space.fragmentainer.isAtStart && top <= .zero)
        }
        let isHigherThanPage = result.size.block > limit
        let hasRoom = top < limit - limit / Fragmentainer.tailPart
        if top > .zero, !(isHigherThanPage && hasRoom), !(space.fragmentainer.isAtStart && place.block == block) {
          progress.carriedFloats.append(float)
          exclusions.extend(isLeft: isLeft, to: pageEnd)
          return .carried
        }
        // Higher than a page: it is broken like the flow.
        child.fragmentainer.size = limit
        child.fragmentainer.offset = top + margins.blockStart
        child.fragmentainer.isAtStart = true
        child.fragmentainer.earlyBreak = space.fragmentainer.earlyBreak
        result = layout(box, in: child, from: float.token, &progress)
        if result.fragment.isNone {
          progress.carriedFloats.append(float)
          exclusions.extend(isLeft: isLeft, to: pageEnd)
          return .carried
        }
        if let next = result.next {
          progress.carriedFloats.append(CarriedFloat(box: box, token: next, left: float.left, right: float.right))
          exclusions.extend(isLeft: isLeft, to: pageEnd)
        }
        size.block = result.size.block + margins.blockSum
        place = exclusions.position(
          ofFloat: LogicalSize(inline: size.inline, block: .epsilon), isLeft: isLeft, from: start, left: float.left,
          right: float.right)
      }
    }
    exclusions.add(LogicalRect(offset: place, size: size), isLeft: isLeft)
    let offset = LogicalOffset(
      inline: place.inline + margins.lineLeft - parentOrigin.inline,
      block: place.block + (letter?.blockStart ?? margins.blockStart) - parentOrigin.block)
    var placed = PlacedFloat()
    if let letter, space.isFirstLine { placed.initial = (end: place.block + letter.blockEnd, rise: letter.rise) }
    let shift = relativeShift(
      of: box, containing: LogicalSize(inline: available, block: space.percentageBlock ?? .zero), direction: .ltr)
    page.attach(result.fragment, to: parent, at: offset, shift: shift)
    placed.outOfFlow.append(contentsOf: result.outOfFlow, movedBy: offset + shift)
    return placed
  }
}

extension BlockFlow {
  /// Places the floats that the page before could not hold, at the top of the root's content.
  mutating func placeResumedFloats() {
    for float in space.resumedFloats {
      let placed = context.place(
        float, at: .zero, space: inlineSpace(at: .zero), exclusions: &exclusions, parent: fragment,
        parentOrigin: LogicalOffset(
          inline: -geometry.border.lineLeft - geometry.padding.lineLeft, block: margins.block ?? .zero),
        progress: &progress)
      outOfFlow += placed.outOfFlow
      // What follows is not set over the page's end for want of another place.
      if context.isWaitingTable(float) { hasPlacedContent = true }
    }
  }
}
