import BoxGeneration
import CSS
import Primitives
import Styling

extension BlockFlow {
  /// A child that starts a formatting context of its own: it may not overlap floats (CSS 2.2, section 9.5).
  mutating func placeFormattingContext(
    _ child: BoxID, value: Box, clearTo: LayoutUnit?, from childToken: BreakToken?, previous: BoxID
  ) -> Bool {
    var childSpace = childSpace(availableInline: contentInline)
    let above = (offset, strut)
    if let clearTo {
      offset = clearTo - bfcBlock!
      strut = MarginStrut()
    } else {
      if childToken == nil, !childSpace.discardsStartMargin {
        strut.append(context.startMargin(of: child, availableInline: contentInline))
      }
      if bfcBlock == nil {
        resolve()
        if contradictedPlace != nil { return false }
      } else {
        offset += strut.sum
        strut = MarginStrut()
      }
    }
    childSpace.isNewFormattingContext = true
    childSpace.bfcInline = contentLeft
    let right = contentLeft + contentInline
    var top = bfcBlock! + offset
    let mark = context.mark()
    var isSecondTry = false
    let breaks = context.notedBreaks
    // What pictures leave of the page, once it is known that the box is cut otherwise.
    var reserve: LayoutUnit?
    // How high the box is known to be at `top`.
    var height = LayoutUnit.zero
    while true {
      let room = exclusions.room(at: top, height: height, left: contentLeft, right: right)
      let isNarrowed = room.left > contentLeft || room.right < right
      var probe = childSpace
      probe.bfcInline = room.left
      let available = Swift.max(.zero, room.right - room.left)
      let intrinsic = context.withPictureReserve(reserve) {
        context.intrinsicInline(
          of: child, available: available - context.margins(of: child, availableInline: contentInline).inlineSum,
          containing: contentInline, percentageBlock: contentBlock)
      }
      var sizing = context.inlineSizing(
        of: child, available: isNarrowed ? available : contentInline, space: probe, intrinsicInline: intrinsic)
      if isNarrowed {
        // Margins are measured from the containing block, so a float may take their room.
        let margins = context.margins(of: child, availableInline: contentInline)
        let left = Swift.max(room.left, contentLeft + margins.lineLeft)
        let end = Swift.min(room.right, right - margins.lineRight)
        let isAuto = intrinsic == nil && context.inlineSizes(value.style.box).size == .auto
        if isAuto {
          sizing.inlineSize = context.clampInline(
            Swift.max(.zero, end - left), of: child, style: value.style, geometry: sizing.geometry,
            availableInline: contentInline)
        }
        sizing.lineLeft = direction == .ltr ? left - room.left : end - sizing.inlineSize - room.left
        // As in browsers, a box that fills its room may become narrower than its content.
        if sizing.inlineSize > available || available == .zero, let lower = exclusions.nextChange(below: top) {
          top = lower
          height = .zero
          continue
        }
      }
      let lineLeft = (isNarrowed ? room.left - contentLeft : .zero) + sizing.lineLeft
      childSpace.fixedInline = sizing.inlineSize
      childSpace.geometry = sizing.geometry
      childSpace.fragmentainerOffset = pageBlock(top)
      childSpace.pageInline = pageInline + contentLeft + lineLeft
      childSpace.isAtPageStart = isAtPageStart(top)
      let isBroken =
        childSpace.isTallerThanPage || childToken == nil && reserve == nil && isKnownAsTaller(child, in: childSpace)
      isSecondTry = isSecondTry || childSpace.isTallerThanPage
      childSpace.isTallerThanPage = isBroken
      if isSecondTry { context.trials.begin() }
      let result = context.withPictureReserve(reserve) { context.layout(child, in: childSpace, from: childToken) }
      if isSecondTry { context.trials.end() }
      // Pictures and flows that turn stay whole.
      let isMonolithic = value.content == .replaced && result.next == nil || context.crosses(value)
      let isWhole =
        isMonolithic && space.fragmentainerSize.map { pageBlock(top) + result.size.block > $0 } ?? false
      if childToken == nil, !result.isLyingTable, isCut(child, result, isWhole: isWhole) {
        if reserve == nil, !childSpace.isTallerThanPage {
          switch fit(of: child, in: childSpace, top: top) {
          case .moves: break
          case .shrinks(let needed):
            reserve = needed
            context.rewind(to: mark, breaks)
            continue
          case .isBroken where !isMonolithic:
            childSpace.isTallerThanPage = true
            context.rewind(to: mark, breaks)
            continue
          case .isBroken: break
          }
        } else if reserve != nil, !isMonolithic {
          reserve = nil
          childSpace.isTallerThanPage = true
          context.rewind(to: mark, breaks)
          continue
        }
      }
      if result.fragment.isNone {
        guard result.isLyingTable, childToken == nil, clearTo == nil, context.mayWait(child) else {
          return refused(child, result, from: childToken, previous: previous, mark: mark)
        }
        context.carriedFloats.append(CarriedFloat(box: child, token: nil, left: contentLeft, right: right))
        (offset, strut) = above
        return true
      }
      if !exclusions.isEmpty, !context.trials.isExhausted {
        let whole = exclusions.room(at: top, height: result.size.block, left: contentLeft, right: right)
        let start = contentLeft + lineLeft
        if sizing.inlineSize > .zero, whole.left > start || whole.right < start + sizing.inlineSize,
          whole.left > room.left || whole.right < room.right, let lower = exclusions.nextChange(below: top)
        {
          isSecondTry = true
          context.rewind(to: mark)
          // Beside the floats that begin further down, or below the next one.
          let isAuto =
            intrinsic == nil && context.inlineSizes(value.style.box).size == .auto
          let width = whole.right - whole.left
          if result.size.block > height, width > .zero, isAuto || width >= sizing.inlineSize {
            height = result.size.block
          } else {
            top = lower
            height = .zero
          }
          continue
        }
      }
      if let size = space.fragmentainerSize, childToken == nil {
        let shortage = pageBlock(top) + result.size.block - size
        if result.next == nil { context.noteShortage(shortage, stays: childSpace.isAtPageStart) }
      }
      if space.fragmentainerSize != nil, !childSpace.isAtPageStart, childToken == nil {
        if isWhole || (result.next != nil && mayMoveWhole(child) && !childSpace.isTallerThanPage) {
          return refused(child, result, from: childToken, previous: previous, mark: mark)
        }
      }
      offset = top - bfcBlock!
      attach(result, of: child, lineLeft: lineLeft, at: offset)
      offset += result.size.block
      spaceBelow = .zero
      if result.size.block > .zero { hasPlacedContent = true }
      strut = MarginStrut()
      strutStaysInside = false
      if result.next == nil { strut.append(context.endMargin(of: child, availableInline: contentInline)) }
      return carryOn(after: child, result)
    }
  }
}
