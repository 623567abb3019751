import BoxGeneration
import CSS
package import Primitives
import Styling

/// A float on its way to the next page or column.
package struct CarriedFloat: Sendable {
  var box: BoxID
  /// Where to go on with it; nil to start.
  var token: BreakToken?
  /// Its containing block's content edges, in its formatting context's coordinates.
  var left: LayoutUnit
  var right: LayoutUnit
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
  /// - Returns: false when the float goes to the next page: it does not fit below `block` on this one, or a float before it did not.
  package func placeFloat(
    _ box: BoxID, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace, parent: FragmentID,
    parentOrigin: LogicalOffset
  ) -> Bool {
    place(
      CarriedFloat(box: box, token: nil, left: space.bfcInline, right: space.bfcInline + space.contentInline),
      at: block,
      space: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin)
  }

  private func place(
    _ float: CarriedFloat, at block: LayoutUnit, space: InlineSpace, exclusions: inout ExclusionSpace,
    parent: FragmentID,
    parentOrigin: LogicalOffset
  ) -> Bool {
    let box = float.box
    let pageEnd = space.fragmentainerSize.map { $0 - space.fragmentainerOffset } ?? .max
    if space.fragmentainerSize != nil, !space.isMeasuring, !carriedFloats.isEmpty {
      carriedFloats.append(float)
      exclusions.extend(isLeft: isLeftFloat(box), to: pageEnd)
      return false
    }
    let value = tree.boxes[box.index]
    if isWaitingTable(float) {
      placeWaitingTable(float, in: space, exclusions: &exclusions, parent: parent, parentOrigin: parentOrigin)
      return true
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

    var child = ConstraintSpace(
      availableInline: available, percentageBlock: space.percentageBlock, direction: .ltr, isNewFormattingContext: true)
    child.fixedInline = inline
    child.isMeasuring = space.isMeasuring
    child.pageInline = float.left
    let mark = page.mark()
    var result = layout(box, in: child, from: float.token)
    let letter =
      float.token == nil && (space.isFirstLine || value.flags.contains(.initialLetter))
      ? initialLetter(box, result, margins: margins, in: space) : nil
    var size = LogicalSize(inline: inline + margins.inlineSum, block: result.size.block + margins.blockSum)
    if let letter { size = LogicalSize(inline: letter.size.inline + margins.inlineSum, block: letter.blockEnd) }
    var place = exclusions.position(ofFloat: size, isLeft: isLeft, from: start, left: float.left, right: float.right)
    if let limit = space.fragmentainerSize, !space.isMeasuring {
      let top = space.fragmentainerOffset + place.block
      if top + size.block - margins.blockEnd > limit, size.block > .zero {
        noteShortage(top + size.block - margins.blockEnd - limit, stays: space.isAtPageStart && top <= .zero)
        page.rewind(to: mark)
        let isHigherThanPage = result.size.block > limit
        let hasRoom = top < limit - limit / 4
        if top > .zero, !(isHigherThanPage && hasRoom), !(space.isAtPageStart && place.block == block) {
          carriedFloats.append(float)
          exclusions.extend(isLeft: isLeft, to: pageEnd)
          return false
        }
        // Higher than a page: it is broken like the flow.
        child.fragmentainerSize = limit
        child.fragmentainerOffset = top + margins.blockStart
        child.isAtPageStart = true
        result = layout(box, in: child, from: float.token)
        if result.fragment.isNone { return true }
        if let next = result.next {
          carriedFloats.append(CarriedFloat(box: box, token: next, left: float.left, right: float.right))
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
    if let letter, space.isFirstLine { placedInitial = (end: place.block + letter.blockEnd, rise: letter.rise) }
    let shift = relativeShift(
      of: box, containing: LogicalSize(inline: available, block: space.percentageBlock ?? .zero), direction: .ltr)
    attach(result.fragment, to: parent, at: offset, shift: shift)
    for var entry in result.outOfFlow {
      entry.staticOffset = entry.staticOffset + offset + shift
      pendingOutOfFlow.append(entry)
    }
    return true
  }

  /// Places the floats that the page before could not hold, at the top of the root's content.
  func placeResumedFloats(in flow: inout BlockFlow) {
    let floats = resumedFloats
    resumedFloats = []
    for float in floats {
      var exclusions = flow.exclusions
      let space = flow.inlineSpace(at: .zero)
      _ = place(
        float, at: .zero, space: space, exclusions: &exclusions, parent: flow.fragment,
        parentOrigin: LogicalOffset(
          inline: -flow.geometry.border.lineLeft - flow.geometry.padding.lineLeft, block: flow.bfcBlock ?? .zero))
      flow.exclusions = exclusions
      // What follows is not set over the page's end for want of another place.
      if isWaitingTable(float) { flow.hasPlacedContent = true }
    }
  }
}
