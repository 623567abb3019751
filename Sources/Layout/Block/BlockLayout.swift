import BoxGeneration
import CSS
package import Primitives
import Styling

extension LayoutContext {
  /// Lays out any block-level, atomic or out-of-flow box whose inline size the caller has decided.
  package func layout(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken? = nil) -> LayoutResult {
    let value = tree.boxes[box.index]
    trials.count()
    if cancellation.isRequested {
      return LayoutResult(fragment: page.appendBox(box, size: .zero, geometry: BoxGeometry()), size: .zero)
    }
    if value.content == .replaced { return layoutReplaced(box, in: space) }
    if hasTurnedFlows, turns(value) { return layoutTurned(box, in: space, from: token) }
    switch value.kind {
    case .table: return layoutTable(box, in: space, from: token)
    case .flex: return layoutFlex(box, in: space, from: token)
    case .grid: return layoutGrid(box, in: space, from: token)
    case .columns: return layoutColumns(box, in: space, from: token)
    default: return layoutBlock(box, in: space, from: token)
    }
  }

  /// Block containers (CSS 2.2, section 9.4.1): block-level children stacked, or one inline formatting context.
  func layoutBlock(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    let mark = mark()
    var space = space
    var tries = 1
    // Margins of what follows may move a box whose floats are placed already; each further try starts from the place found.
    while true {
      var flow = BlockFlow(context: self, box: box, space: space, token: token)
      flow.staysInPlace = tries == BlockFlow.mostTries
      let result = flow.run()
      guard let place = flow.contradictedPlace else { return result }
      rewind(to: mark)
      space.forcedBFCBlock = place
      tries += 1
    }
  }
}

/// One pass over the content of a block container.
///
/// The box's block-start edge stays unknown (`bfcBlock` nil) as long as margins may still collapse through it: until a line, a
/// border, a padding, clearance or a new formatting context fixes it (CSS 2.2, section 8.3.1). What must be placed earlier
/// (floats) is placed against the place expected; if that proves wrong, `contradictedPlace` tells the right one.
struct BlockFlow {
  let context: LayoutContext
  let box: BoxID
  let space: ConstraintSpace
  let token: BreakToken?
  let geometry: BoxGeometry
  let inlineSize: LayoutUnit
  let direction: TextDirection
  /// Border and padding are drawn at every break (`box-decoration-break: clone`).
  let clonesEdges: Bool
  /// Border and padding before the content on this page.
  let startEdge: LayoutUnit
  let endEdge: LayoutUnit
  /// The content box in BFC coordinates.
  let contentLeft: LayoutUnit
  let contentInline: LayoutUnit
  let contentBlock: LayoutUnit?
  /// Page offset of the BFC's origin.
  let fragmentainerOffset: LayoutUnit
  let pageInline: LayoutUnit

  var fragment = FragmentID.none
  var bfcBlock: LayoutUnit?
  var strut: MarginStrut
  /// From the border box's block-start edge to the end of what has been placed.
  var offset: LayoutUnit
  var exclusions: ExclusionSpace
  var assumed: LayoutUnit?
  var contradictedPlace: LayoutUnit?
  /// The last try: floats stay where they were expected, whatever place the box turns out to have.
  var staysInPlace = false
  static let mostTries = 4
  var outOfFlow: [OutOfFlowBox] = []
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  var next: BreakToken?
  /// The last child collapsed through below its clearance, so its margins do not adjoin the box's own.
  var strutStaysInside = false
  /// Free room under the text placed last.
  var spaceBelow: LayoutUnit
  /// Something visible precedes inside this box on this page.
  var hasPlacedContent = false
  var breaksBefore = false
  /// The first of the floats that nothing in the flow has followed yet, and what there was before it.
  private struct LeadingFloat {
    var box: BoxID
    var block: LayoutUnit
    var mark: LayoutContext.Mark
    var lastChild: FragmentID
    var outOfFlow: Int
  }
  private var leadingFloat: LeadingFloat?
  /// Where begins what is not to be parted from the child at hand (`ConstraintSpace.keptFrom`).
  private(set) var keptFrom: LayoutUnit?

  init(context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?) {
    self.context = context
    self.box = box
    self.space = space
    self.token = token
    let value = context.tree.boxes[box.index]
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    inlineSize = space.fixedInline ?? space.availableInline
    clonesEdges = context.clonesEdges(box)
    startEdge = token == nil || clonesEdges ? geometry.border.blockStart + geometry.padding.blockStart : .zero
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    let inset = geometry.border.lineLeft + geometry.padding.lineLeft
    contentBlock =
      space.column == .column
      ? space.percentageBlock : context.definiteContentBlock(of: box, geometry: geometry, space: space)
    offset = startEdge
    spaceBelow = startEdge == .zero ? space.spaceAbove : .zero
    if space.isNewFormattingContext {
      contentLeft = .zero
      fragmentainerOffset = space.fragmentainerOffset + startEdge
      pageInline = space.pageInline + inset
      bfcBlock = -startEdge
      strut = MarginStrut()
      exclusions = ExclusionSpace()
    } else {
      contentLeft = space.bfcInline + inset
      fragmentainerOffset = space.fragmentainerOffset
      pageInline = space.pageInline
      strut = space.strut
      exclusions = space.exclusions
      if space.isPlaced {
        bfcBlock = space.bfcBlock
        strut = MarginStrut()
      } else if token == nil {
        if !space.discardsStartMargin {
          strut.append(context.startMargin(of: box, availableInline: space.availableInline))
        }
        if startEdge > .zero { resolve() }
      } else {
        resolve()
      }
    }
  }

  /// Fixes the box's place below the margins met so far.
  mutating func resolve() {
    guard bfcBlock == nil else { return }
    place(at: space.bfcBlock + strut.sum)
  }
  mutating func place(at block: LayoutUnit) {
    bfcBlock = block
    strut = MarginStrut()
    if let assumed, assumed != block, !staysInPlace { contradictedPlace = block }
  }
  /// Where the border box starts, or would start if its first content came now.
  var expectedBlock: LayoutUnit { bfcBlock ?? space.forcedBFCBlock ?? (space.bfcBlock + strut.sum) }
  /// Where the next thing in the flow stands, in BFC coordinates, with the margins so far above it.
  var currentBlock: LayoutUnit { bfcBlock.map { $0 + offset + strut.sum } ?? expectedBlock }
  func pageBlock(_ block: LayoutUnit) -> LayoutUnit { fragmentainerOffset + block }

  /// Whether something placed at `block` is the first thing on its page, so that moving it on would not help.
  func isAtPageStart(_ block: LayoutUnit) -> Bool {
    guard space.isAtPageStart, !hasPlacedContent else { return false }
    guard let size = space.fragmentainerSize else { return true }
    return pageBlock(block) < size / 2
  }

  // MARK: The pass

  mutating func run() -> LayoutResult {
    let value = context.tree.boxes[box.index]
    fragment = context.page.appendBox(box, size: LogicalSize(inline: inlineSize), geometry: geometry)
    // What is broken already, or no page can hold, is broken where its content allows it.
    let avoids =
      space.column != .column && token == nil && !space.isTallerThanPage
      && context.avoidsBreaks(style(of: box).breakInside)
    if avoids { context.avoidDepth += 1 }
    defer { if avoids { context.avoidDepth -= 1 } }
    if box == BoxTree.root || space.column == .column, !context.resumedFloats.isEmpty {
      context.placeResumedFloats(in: &self)
    }
    if token?.isAtBlockEnd != true {
      if value.content == .text { layoutText(value.text) } else { layoutChildren() }
    }
    if !context.pendingOutOfFlow.isEmpty {
      outOfFlow += context.pendingOutOfFlow
      context.pendingOutOfFlow = []
    }
    if !value.marker.isNone, token == nil, !breaksBefore, contradictedPlace == nil { placeLonelyMarker(value.marker) }
    if value.content == .text, !outOfFlow.isEmpty {
      outOfFlow = context.layoutPositionedInInlines(outOfFlow, of: box, in: fragment)
    }
    if breaksBefore || contradictedPlace != nil { return breakBeforeResult() }
    return finish()
  }

  func style(of box: BoxID) -> PageGroup { context.styles.pages[context.tree.boxes[box.index].style.page.index] }

  func breakBeforeResult() -> LayoutResult {
    LayoutResult(fragment: .none, size: .zero, next: .before(box))
  }

  // MARK: Inline content

  private mutating func layoutText(_ text: TextID) {
    let hasLines = context.hasLines(text)
    if hasLines { resolve() } else if !context.hasOutOfFlow(text) { return }
    if contradictedPlace != nil { return }
    if bfcBlock == nil { assumed = expectedBlock }
    let top = expectedBlock
    var inline = InlineSpace(
      contentInline: contentInline, bfcInline: contentLeft, bfcBlock: top + offset, percentageBlock: contentBlock,
      exclusions: exclusions,
      fragmentainerSize: space.fragmentainerSize, fragmentainerOffset: fragmentainerOffset,
      isAtPageStart: isAtPageStart(top + offset),
      isMeasuring: space.isMeasuring)
    inline.pageInline = pageInline
    inline.spaceAbove = spaceBelow
    inline.isHeld = space.keptFrom == .zero
    inline.blockEndReserve = context.blockSizes(context.tree.boxes[box.index].style.box).size == .auto ? endEdge : .zero
    let result = context.layoutInline(
      box, text: text, in: inline, from: token?.inline, parts: token?.children ?? [], parent: fragment,
      contentOffset: LogicalOffset(inline: geometry.border.lineLeft + geometry.padding.lineLeft, block: offset),
      direction: direction)
    if result.breaksBefore {
      if token == nil, !space.isAtPageStart {
        breaksBefore = true
      } else {
        next = BreakToken(box: box, consumedBlockSize: consumed(offset), inline: token?.inline)
      }
      return
    }
    exclusions = result.exclusions
    outOfFlow += result.outOfFlow
    firstBaseline = result.firstBaseline
    lastBaseline = result.lastBaseline
    spaceBelow = result.spaceBelow
    let start = offset
    offset += result.blockSize
    if token?.children.isEmpty == false { hasPlacedContent = true }
    if result.lineCount > 0 {
      hasPlacedContent = true
      context.linesBelowHeading = Swift.min(
        context.linesBelowHeading + result.lineCount, LayoutContext.linesKeptWithHeading)
    }
    let marker = context.tree.boxes[box.index].marker
    if !marker.isNone, token == nil, result.next == nil { makeRoom(for: marker, above: start) }
    if let position = result.next {
      context.usedRank = Swift.min(context.usedRank, context.avoidDepth > 0 ? .violatesAvoid : result.rank)
      next = BreakToken(box: box, consumedBlockSize: consumed(offset), children: result.parts, inline: position)
    }
  }

  // MARK: Block-level children

  // Once work is given up children are empty and would fill no page: none of those that follow is placed.
  private mutating func layoutChildren() {
    var previous = BoxID.none
    if let token {
      if let resumed = token.children.first {
        guard layoutChild(resumed.box, previous: .none, from: resumed) else { return finishTokens(after: resumed.box) }
        previous = resumed.box
      }
      var child = token.nextChild
      while !child.isNone, !context.cancellation.isRequested {
        guard layoutChild(child, previous: previous, from: nil) else { return finishTokens(after: child) }
        if !context.tree.boxes[child.index].flags.isOutOfNormalFlow { previous = child }
        child = context.tree.boxes[child.index].nextSibling
      }
      return
    }
    var child = context.tree.boxes[box.index].firstChild
    while !child.isNone, !context.cancellation.isRequested {
      guard layoutChild(child, previous: previous, from: nil) else { return finishTokens(after: child) }
      if !context.tree.boxes[child.index].flags.isOutOfNormalFlow { previous = child }
      child = context.tree.boxes[child.index].nextSibling
    }
  }

  /// After a child that could not be finished: `next` has been set, or the break moves before the whole box.
  private mutating func finishTokens(after child: BoxID) {
    guard next == nil, !breaksBefore, contradictedPlace == nil else { return }
    breakBefore(child)
  }

  func consumed(_ size: LayoutUnit) -> LayoutUnit { (token?.consumedBlockSize ?? .zero) + size }

  /// Ends this page before `child`, or before the whole box when nothing of it is on the page. A float that would stand at the
  /// page's end with nothing beside it, such as a label, goes with the child.
  mutating func breakBefore(_ child: BoxID, resuming childToken: BreakToken? = nil, forced: ForcedBreak = .none) {
    var child = child
    if let float = leadingFloat, hasPlacedContent, childToken == nil, forced == .none, float.block == currentBlock,
      let size = space.fragmentainerSize, size - pageBlock(float.block) < size / 4
    {
      context.rewind(to: float.mark)
      context.page.endChildren(of: fragment, with: float.lastChild)
      outOfFlow.removeLast(outOfFlow.count - float.outOfFlow)
      child = float.box
    }
    if !hasPlacedContent, token == nil, forced == .none, !space.isAtPageStart {
      breaksBefore = true
      return
    }
    next = BreakToken(
      box: box, consumedBlockSize: consumed(offset), children: childToken.map { [$0] } ?? [],
      nextChild: childToken == nil ? child : context.tree.boxes[child.index].nextSibling, forced: forced)
  }

  /// Places one child; false when the page ends with or before it.
  private mutating func layoutChild(_ child: BoxID, previous: BoxID, from childToken: BreakToken?) -> Bool {
    let value = context.tree.boxes[child.index]
    let childStyle = value.style.box.index
    if value.flags.contains(.outOfFlow) {
      outOfFlow.append(
        OutOfFlowBox(
          box: child,
          staticOffset: LogicalOffset(
            inline: geometry.border.lineLeft + geometry.padding.lineLeft,
            block: bfcBlock == nil ? .zero : offset + strut.sum),
          staticInlineSize: contentInline, staticDirection: direction))
      return true
    }
    if value.flags.contains(.float) {
      if bfcBlock == nil { assumed = expectedBlock }
      if leadingFloat == nil, hasPlacedContent {
        leadingFloat = LeadingFloat(
          box: child, block: currentBlock, mark: context.mark(), lastChild: context.page[fragment].lastChild,
          outOfFlow: outOfFlow.count)
      }
      let inline = inlineSpace(at: currentBlock)
      _ = context.placeFloat(
        child, at: currentBlock, space: inline, exclusions: &exclusions, parent: fragment,
        parentOrigin: LogicalOffset(
          inline: contentLeft - geometry.border.lineLeft - geometry.padding.lineLeft, block: expectedBlock))
      return true
    }

    if space.column != .none, context.styles.boxes[childStyle].columnSpan == .all, context.columns.spanner.isNone {
      // The column ends here; what follows the spanner goes on below it.
      context.columns.spanner = child
      next = BreakToken(box: box, consumedBlockSize: consumed(offset), nextChild: value.nextSibling, forced: .column)
      return false
    }

    // Breaks between this child and the one before it.
    keptFrom = hasPlacedContent ? nil : space.keptFrom
    if space.fragmentainerSize != nil, childToken == nil, hasPlacedContent || (!previous.isNone && !space.isAtPageStart)
    {
      let between = context.breakBetween(previous, child)
      if between.isForced {
        next = nil
        context.columns.endsPage = between.forced != .column
        breakBefore(child, forced: between.forced)
        return false
      }
      if between.followsHeading { context.linesBelowHeading = 0 }
      let rank = context.rank(of: between)
      if hasPlacedContent {
        if context.earlyBreak == .before(child) {
          context.usedRank = Swift.min(context.usedRank, rank)
          breakBefore(child)
          return false
        }
        context.note(
          .before(child), rank: rank, block: bfcBlock.map { pageBlock($0 + offset) } ?? pageBlock(currentBlock),
          strut: strut)
        // Boxes around this one that are not to be broken are seen to as a whole.
        if rank < .perfect, context.avoidDepth == 0 { keptFrom = startOfKept() }
      }
      if let size = space.fragmentainerSize, bfcBlock != nil, hasPlacedContent, pageBlock(currentBlock) >= size,
        space.column == .none || !context.leadsToSpanner(child)
      {
        context.usedRank = Swift.min(context.usedRank, rank)
        breakBefore(child)
        return false
      }
    }

    // Clearance (CSS 2.2, section 9.5.2).
    var clearTo: LayoutUnit?
    let clear = context.styles.boxes[childStyle].clear
    if clear != .none, childToken == nil, exclusions.hasFloats {
      let sides = context.clearSides(clear, direction: direction)
      let target = exclusions.clearance(left: sides.left, right: sides.right)
      var hypothetical = strut
      context.appendStartMargins(of: child, availableInline: contentInline, to: &hypothetical)
      let base = bfcBlock.map { $0 + offset } ?? (space.forcedBFCBlock ?? space.bfcBlock)
      let place = bfcBlock == nil && space.forcedBFCBlock != nil ? base : base + hypothetical.sum
      if target > place {
        resolve()
        if contradictedPlace != nil { return false }
        if let size = space.fragmentainerSize, !context.carriedFloats.isEmpty, pageBlock(target) >= size {
          // The float goes on on the next page, and what clears it follows there.
          next = BreakToken(box: box, consumedBlockSize: consumed(offset), nextChild: child)
          return false
        }
        clearTo = target
      }
    }
    if value.establishesFormattingContext || value.content == .replaced {
      guard placeFormattingContext(child, value: value, clearTo: clearTo, from: childToken, previous: previous) else {
        return false
      }
      context.linesBelowHeading = LayoutContext.linesKeptWithHeading
      return true
    }
    return placeBlock(child, clearTo: clearTo, from: childToken, previous: previous)
  }

  func inlineSpace(at block: LayoutUnit) -> InlineSpace {
    var inline = InlineSpace(
      contentInline: contentInline, bfcInline: contentLeft, bfcBlock: block, percentageBlock: contentBlock,
      exclusions: exclusions,
      fragmentainerSize: space.fragmentainerSize, fragmentainerOffset: fragmentainerOffset,
      isAtPageStart: isAtPageStart(block),
      isMeasuring: space.isMeasuring)
    inline.pageInline = pageInline
    return inline
  }

  func childSpace(availableInline: LayoutUnit) -> ConstraintSpace {
    var child = ConstraintSpace(
      availableInline: availableInline, percentageBlock: contentBlock, direction: direction,
      isNewFormattingContext: false)
    child.fragmentainerSize = clonesEdges ? space.fragmentainerSize.map { $0 - endEdge } : space.fragmentainerSize
    child.fragmentainerOffset = fragmentainerOffset
    child.pageInline = pageInline
    child.isMeasuring = space.isMeasuring
    child.keptFrom = keptFrom
    child.discardsStartMargin =
      !hasPlacedContent
      && ((token != nil && !token!.isForced) || (startEdge == .zero && space.discardsStartMargin && bfcBlock == nil))
    return child
  }

  /// A child in the same block formatting context.
  private mutating func placeBlock(_ child: BoxID, clearTo: LayoutUnit?, from childToken: BreakToken?, previous: BoxID)
    -> Bool
  {
    var childSpace = childSpace(availableInline: contentInline)
    childSpace.bfcInline = contentLeft
    childSpace.column = space.column == .none ? .none : .inside
    let sizing = context.inlineSizing(of: child, available: contentInline, space: childSpace)
    childSpace.fixedInline = sizing.inlineSize
    childSpace.geometry = sizing.geometry
    childSpace.bfcInline = contentLeft + sizing.lineLeft
    childSpace.exclusions = exclusions
    if let clearTo {
      childSpace.bfcBlock = clearTo
      childSpace.isPlaced = true
    } else if let bfcBlock {
      childSpace.bfcBlock = bfcBlock + offset
      childSpace.strut = strut
    } else {
      childSpace.bfcBlock = space.bfcBlock
      childSpace.strut = strut
      childSpace.forcedBFCBlock = space.forcedBFCBlock
    }
    let expected = clearTo ?? currentBlock
    childSpace.isAtPageStart = isAtPageStart(expected)
    childSpace.spaceAbove = spaceBelow
    let mark = context.mark()
    let breaks = context.notedBreaks
    childSpace.isTallerThanPage = childToken == nil && isKnownAsTaller(child, in: childSpace)
    var result = context.layoutBlock(child, in: childSpace, from: childToken)
    if childToken == nil, !childSpace.isTallerThanPage, isCut(child, result) {
      switch fit(of: child, in: childSpace, top: top(of: child, in: childSpace)) {
      case .moves: break
      case .shrinks(let reserve):
        context.rewind(to: mark, breaks)
        result = context.withPictureReserve(reserve) { context.layoutBlock(child, in: childSpace, from: nil) }
        if !result.fragment.isNone, result.next == nil { break }
        fallthrough
      case .isBroken:
        context.rewind(to: mark, breaks)
        childSpace.isTallerThanPage = mayMoveWhole(child)
        context.trials.begin()
        result = context.layoutBlock(child, in: childSpace, from: nil)
        context.trials.end()
      }
    }
    if result.fragment.isNone { return refused(child, result, from: childToken, previous: previous, mark: mark) }
    if result.next != nil, mayMoveWhole(child), !childSpace.isAtPageStart, childToken == nil,
      context.columns.spanner.isNone, !childSpace.isTallerThanPage
    {
      return refused(child, result, from: childToken, previous: previous, mark: mark)
    }
    if result.bfcBlock == nil, let assumed = result.assumedBFCBlock, let bfcBlock {
      // Only now it is known how far the margins that collapse through the child reach; floats in it stand below them.
      let place = bfcBlock + offset + result.endStrut.sum
      if place != assumed, childSpace.forcedBFCBlock == nil {
        context.rewind(to: mark)
        childSpace.forcedBFCBlock = place
        result = context.layoutBlock(child, in: childSpace, from: childToken)
        if result.fragment.isNone { return refused(child, result, from: childToken, previous: previous, mark: mark) }
      }
    }
    exclusions = result.exclusions
    strutStaysInside = false
    var at: LayoutUnit
    if let place = result.bfcBlock {
      if bfcBlock == nil {
        self.place(at: place)
        if contradictedPlace != nil { return false }
      }
      at = place - bfcBlock!
      offset = at + result.size.block
      if let start = result.clearedStart {
        offset = at - start
        strutStaysInside = true
      }
      if result.size.block > .zero { hasPlacedContent = true }
    } else {
      if bfcBlock == nil { assumed = result.assumedBFCBlock ?? assumed }
      at = bfcBlock.map { (result.emptyBlock ?? $0) - $0 } ?? .zero
    }
    strut = result.endStrut
    if result.size.block > .zero { spaceBelow = result.spaceBelow }
    attach(result, of: child, lineLeft: sizing.lineLeft, at: at)
    return carryOn(after: child, result)
  }

  /// Whether a child that does not fit would rather move whole than be broken.
  func mayMoveWhole(_ child: BoxID) -> Bool {
    context.avoidsBreaks(style(of: child).breakInside)
  }

  /// The child wants the next page.
  mutating func refused(
    _ child: BoxID, _ result: LayoutResult, from childToken: BreakToken?, previous: BoxID, mark: LayoutContext.Mark
  ) -> Bool {
    context.rewind(to: mark)
    if hasPlacedContent {
      context.usedRank = Swift.min(context.usedRank, context.rank(of: context.breakBetween(previous, child)))
    }
    breakBefore(child, resuming: childToken, forced: result.next?.forced ?? .none)
    return false
  }

  mutating func attach(_ result: LayoutResult, of child: BoxID, lineLeft: LayoutUnit, at block: LayoutUnit) {
    let inset = geometry.border.lineLeft + geometry.padding.lineLeft
    let place = LogicalOffset(inline: inset + lineLeft, block: block)
    let shift = context.relativeShift(
      of: child, containing: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), direction: direction)
    context.attach(result.fragment, to: fragment, at: place, shift: shift)
    for var entry in result.outOfFlow {
      entry.staticOffset = entry.staticOffset + place + shift
      outOfFlow.append(entry)
    }
    if let baseline = result.firstBaseline, firstBaseline == nil { firstBaseline = block + baseline }
    if let baseline = result.lastBaseline { lastBaseline = block + baseline }
  }

  /// False when the child goes on on the next page.
  mutating func carryOn(after child: BoxID, _ result: LayoutResult) -> Bool {
    if result.size.block > .zero { leadingFloat = nil }
    guard let childNext = result.next else { return true }
    next = BreakToken(
      box: box, consumedBlockSize: consumed(offset), children: [childNext],
      nextChild: context.tree.boxes[child.index].nextSibling,
      forced: childNext.forced)
    return false
  }
}
