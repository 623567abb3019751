import BoxGeneration
import CSS
import Primitives
import Styling

/// One pass over the content of a block container (CSS 2.2, section 9.4.1): block-level children stacked, or one inline
/// formatting context.
///
/// Helpers that every child calls are `mutating` though they change nothing: so they are passed the address of this large value,
/// where others are passed a copy.
struct BlockFlow {
  let context: LayoutContext
  let box: BoxID
  private(set) var space: ConstraintSpace
  let token: BreakToken?
  let geometry: BoxGeometry
  let inlineSize: LayoutUnit
  let direction: TextDirection
  /// Border and padding are drawn at every break (`box-decoration-break: clone`).
  let clonesEdges: Bool
  /// A break in the box breaks a rule: of its own, or of a box around it.
  let avoidsBreaks: Bool
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
  let fragment: FragmentID

  var margins: MarginCollapsing
  /// From the border box's block-start edge to the end of what has been placed.
  var offset: LayoutUnit
  var exclusions: ExclusionSpace
  var outOfFlow: [OutOfFlowBox] = []
  var baselines = Baselines()
  var continuation = Continuation()
  /// Free room under the text placed last.
  var spaceBelow: LayoutUnit
  /// Something visible precedes inside this box on this page.
  var hasPlacedContent = false
  var clamped = ClampedLines()
  /// The margins of content that are dropped.
  let marginTrim: MarginTrim
  var progress: FlowProgress
  private(set) var kept = KeptContent()
  /// The floats that the formatting context around this one carries on; nil where the box starts none, so that those in it go on
  /// with them.
  let outerFloats: [PushedFloat]?

  /// The break tokens behind the box, if it goes on.
  struct Continuation {
    var next: BreakToken?
    /// Break tokens of the content of children that have ended.
    var parallel: [BreakToken] = []
    /// The box starts on the next page.
    var breaksBefore = false
  }

  /// Content that is not to be parted from what comes next.
  struct KeptContent {
    /// The place where it begins (`Fragmentainer.keptFrom`).
    var from: LayoutUnit?
    fileprivate var float: LeadingFloat?
  }

  /// The first of the floats that nothing in the flow has followed yet, and what there was before it.
  fileprivate struct LeadingFloat {
    var box: BoxID
    var block: LayoutUnit
    var trial: Trial
    var outOfFlow: Int
  }

  /// The state that a trial began from.
  struct Trial {
    var page: PageBuilder.Savepoint
    var progress: FlowProgress
  }

  /// The part of a page, its upper half, where a box with nothing but margins above it stands at the start.
  private static let startPart = 2
  /// The part of a page's height, at its end, where a float with nothing beside it goes on with what follows it.
  private static let lonelyFloatPart = 4

  init(
    context: LayoutContext, box: BoxID, space: ConstraintSpace, token: BreakToken?, progress: FlowProgress,
    staysInPlace: Bool
  ) {
    self.context = context
    self.box = box
    self.token = token
    let ownsFloats = space.flow == nil && space.column != .column && box != BoxTree.root
    outerFloats = ownsFloats ? progress.pushedFloats : nil
    self.progress = progress
    if outerFloats?.isEmpty == false { self.progress.pushedFloats = [] }
    let value = context.tree.boxes[box.index]
    var inner = space
    if let count = context.lineClamp(of: box) {
      clamped.left = count
      // The lines shown stay together: only layout of the whole box tells their block size.
      inner.fragmentainer = space.fragmentainer.unbroken
    } else if space.flow != nil {
      clamped.left = space.linesLeft
    }
    self.space = inner
    marginTrim = context.marginTrim(of: value)
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    let edges = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    geometry = edges
    inlineSize = space.borderBoxInline
    clonesEdges = context.inputs.clonesEdges(box)
    // A box that is broken already, or that no page can hold, is broken where its content allows it.
    avoidsBreaks =
      space.fragmentainer.avoidsBreaks
      || space.column != .column && token == nil && !space.isTallerThanPage
        && space.fragmentainer.avoidsBreaks(inside: context.breakInside(of: box))
    let isCut = token.map { !context.clonesStartEdge(of: box, from: $0, geometry: edges, space: space) } ?? false
    startEdge = isCut ? .zero : geometry.border.blockStart + geometry.padding.blockStart
    endEdge = geometry.border.blockEnd + geometry.padding.blockEnd
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    let inset = geometry.border.lineLeft + geometry.padding.lineLeft
    contentBlock =
      space.column == .column
      ? space.percentageBlock : context.definiteContentBlock(of: box, geometry: geometry, space: space)
    offset = startEdge
    fragment = context.page.appendBox(box, size: LogicalSize(inline: inlineSize), geometry: geometry)
    guard let position = space.flow else {
      contentLeft = .zero
      fragmentainerOffset = space.fragmentainer.offset + startEdge
      pageInline = space.fragmentainer.inlineOffset + inset
      margins = MarginCollapsing(contentEdgeBelow: startEdge)
      exclusions = ExclusionSpace()
      spaceBelow = .zero
      return
    }
    contentLeft = position.inline + inset
    fragmentainerOffset = space.fragmentainer.offset
    pageInline = space.fragmentainer.inlineOffset
    exclusions = position.exclusions
    spaceBelow = startEdge == .zero ? position.spaceAbove : .zero
    margins = MarginCollapsing(at: position, staysInPlace: staysInPlace)
    guard margins.block == nil else { return }
    if token == nil {
      if context.keepsStartMargin(of: box, after: position.startBreak) {
        margins.strut.append(context.startMargin(of: box, availableInline: space.availableInline))
      }
      if startEdge > .zero { margins.resolve() }
    } else {
      margins.resolve()
    }
  }

  func pageBlock(_ block: LayoutUnit) -> LayoutUnit { fragmentainerOffset + block }
  /// The place of the next thing in the flow, in BFC coordinates, with the margins so far above it.
  mutating func currentBlock() -> LayoutUnit { margins.current(offset: offset) }

  /// Something placed at `block` is the first thing on its page, so that moving it on would not help.
  mutating func isAtPageStart(_ block: LayoutUnit) -> Bool {
    guard space.fragmentainer.isAtStart, !hasPlacedContent else { return false }
    guard let size = space.fragmentainer.size else { return true }
    return pageBlock(block) < size / Self.startPart
  }

  func trial() -> Trial { Trial(page: context.page.savepoint(), progress: progress) }
  /// Goes on without what was tried: what columns lack for it is remembered.
  mutating func rollBack(_ trial: Trial) {
    context.page.rollBack(to: trial.page)
    progress.rollBack(to: trial.progress)
  }
  /// Goes back to try the same otherwise.
  mutating func rollBackToRetry(_ trial: Trial) {
    context.page.rollBack(to: trial.page)
    progress = trial.progress
  }

  // MARK: The pass

  mutating func run() -> LayoutResult {
    let value = context.tree.boxes[box.index]
    if box == BoxTree.root || space.column == .column, !space.resumedFloats.isEmpty {
      place(resumed: space.resumedFloats)
    }
    if let token, !token.floats.isEmpty { place(resumed: token.floats) }
    if token == nil, refusesStartEdge() { return breakBeforeResult() }
    if space.fragmentainer.isStrict, endsClipped() { space.fragmentainer = space.fragmentainer.unbroken }
    if let token, !token.parallel.isEmpty { continueParallel(token.parallel) }
    if token?.isAtEnd != true {
      if value.content == .text { layoutText(value.text) } else { layoutChildren() }
    }
    if !value.marker.isNone, token == nil, !continuation.breaksBefore, margins.contradictedPlace == nil {
      placeLonelyMarker(value.marker)
    }
    if value.content == .text, !outOfFlow.isEmpty {
      let isInColumn =
        space.fragmentainer.columnDepth > 0 && (space.fragmentainer.size ?? .max) < Fragmentainer.endlessSize
      outOfFlow = context.layoutPositionedInInlines(
        outOfFlow, of: box, in: fragment, inColumn: isInColumn, progress: &progress)
    }
    if continuation.breaksBefore || margins.contradictedPlace != nil { return breakBeforeResult() }
    return finish()
  }

  /// A box in a column begins with edges that the column has no room for: there is no break before the content or in them (CSS
  /// Fragmentation 3, section 4.1).
  private mutating func refusesStartEdge() -> Bool {
    guard space.fragmentainer.isStrict, space.column != .column, startEdge > .zero,
      !space.fragmentainer.isAtStart, let size = space.fragmentainer.size, let block = margins.block
    else { return false }
    let shortage = pageBlock(block) + startEdge - size
    guard shortage > .zero else { return false }
    progress.noteShortage(shortage)
    return true
  }

  func breakBeforeResult() -> LayoutResult {
    LayoutResult(fragment: .none, size: .zero, next: .before(box))
  }

  // MARK: Inline content

  private mutating func layoutText(_ text: TextID) {
    let hasLines = context.hasLines(text)
    if hasLines { margins.resolve() } else if !context.hasOutOfFlow(text) { return }
    if margins.contradictedPlace != nil { return }
    if margins.block == nil { margins.assumed = margins.expected }
    let top = margins.expected
    var inline = inlineSpace(at: top + offset)
    inline.spaceAbove = spaceBelow
    inline.linesLeft = clamped.left
    inline.isHeld = space.fragmentainer.keptFrom == .zero
    inline.blockEndReserve = space.endReserve
    if !clonesEdges, growsWithContent { inline.blockEndReserve += endEdge }
    var line: InlineBreak?
    var parts: [BreakToken.AtomicPart] = []
    if case .lines(let place, let rests)? = token?.place { (line, parts) = (place, rests) }
    let result = InlineLayouter.layout(
      box, text: text, in: inline, from: line, parts: parts, parent: fragment,
      contentOffset: LogicalOffset(inline: geometry.border.lineLeft + geometry.padding.lineLeft, block: offset),
      direction: direction, context, &progress)
    if result.breaksBefore {
      if token == nil, !space.fragmentainer.isAtStart || space.fragmentainer.isStrict && mayMoveWhole(box) {
        continuation.breaksBefore = true
      } else {
        continuation.next = BreakToken(box: box, consumedBlockSize: consumed(offset), .lines(at: line, parts: parts))
      }
      return
    }
    exclusions = result.exclusions
    outOfFlow += result.outOfFlow
    baselines = result.baselines
    spaceBelow = result.spaceBelow
    let start = offset
    clamped.take(
      CountedLines(count: Int32(clamping: result.lineCount), endsShown: result.clampedBlock != nil),
      at: start + (result.clampedBlock ?? .zero))
    offset += result.blockSize
    if !parts.isEmpty || !result.parts.isEmpty { hasPlacedContent = true }
    if result.lineCount > 0 {
      hasPlacedContent = true
      progress.meetLines(result.lineCount)
      // A picture in a line takes the room of lines.
      if progress.isBelowHeading, result.blockSize > context.lineExtent(of: box) * 2 { progress.leaveHeading() }
    }
    let marker = context.tree.boxes[box.index].marker
    if !marker.isNone, token == nil, result.next == nil { makeRoom(for: marker, above: start) }
    if let position = result.next {
      progress.use(avoidsBreaks ? .violatesAvoid : result.rank)
      continuation.next = BreakToken(
        box: box, consumedBlockSize: consumed(offset), .lines(at: position, parts: result.parts))
    }
  }

  /// The room of lines and floats at `block`.
  mutating func inlineSpace(at block: LayoutUnit) -> InlineSpace {
    var inline = InlineSpace(
      contentInline: contentInline, bfcOffset: LogicalOffset(inline: contentLeft, block: block),
      percentageBlock: contentBlock,
      exclusions: exclusions)
    inline.fragmentainer = space.fragmentainer
    let clonedEdge = clonedEndEdge
    inline.fragmentainer.size = space.fragmentainer.size.map { $0 - clonedEdge }
    inline.fragmentainer.offset = fragmentainerOffset
    inline.fragmentainer.inlineOffset = pageInline
    inline.fragmentainer.isAtStart = isAtPageStart(block)
    inline.fragmentainer.avoidsBreaks = avoidsBreaks
    return inline
  }

  // MARK: Block-level children

  // Once work is given up children are empty and would fill no page: none of those that follow is placed.
  private mutating func layoutChildren() {
    var previous = BoxID.none
    var child = context.tree.boxes[box.index].firstChild
    if case .blocks(let resumed, let next, _)? = token?.place {
      if let resumed {
        guard layoutChild(resumed.box, previous: .none, from: resumed) else { return finishTokens(after: resumed.box) }
        previous = resumed.box
      }
      child = next
    }
    while !child.isNone, !context.isCancelled {
      if space.fragmentainer.trialEnd < .max, space.fragmentainer.isBeyondTrial(pageBlock(currentBlock())) {
        return progress.leaveOut()
      }
      guard layoutChild(child, previous: previous, from: nil) else { return finishTokens(after: child) }
      if !context.tree.boxes[child.index].flags.isOutOfNormalFlow { previous = child }
      child = context.tree.boxes[child.index].nextSibling
    }
  }

  /// After a child that could not be finished: `next` has been set, or the break moves before the whole box.
  private mutating func finishTokens(after child: BoxID) {
    guard continuation.next == nil, !continuation.breaksBefore, margins.contradictedPlace == nil else { return }
    breakBefore(child)
  }

  func consumed(_ size: LayoutUnit) -> LayoutUnit { (token?.consumedBlockSize ?? .zero) + size }

  /// Ends this page before `child`, or before the whole box when nothing of it is on the page. On a screen a float that
  /// would stand at the page's end with nothing beside it, such as a label, goes with the child.
  ///
  /// - Parameter isBelowFloat: A float keeps the child away from the start of the box: the room between them is a place for a
  ///   break (CSS Fragmentation 3, section 4.1, class C).
  mutating func breakBefore(
    _ child: BoxID, resuming childToken: BreakToken? = nil, forced: ForcedBreak = .none, isBelowFloat: Bool = false
  ) {
    var child = child
    if let float = kept.float, !space.fragmentainer.isStrict, hasPlacedContent, childToken == nil, forced == .none,
      float.block == currentBlock(),
      let size = space.fragmentainer.size, size - pageBlock(float.block) < size / Self.lonelyFloatPart
    {
      let used = progress.usedRank
      rollBack(float.trial)
      progress.use(used)
      outOfFlow.removeLast(outOfFlow.count - float.outOfFlow)
      child = float.box
    }
    // Between a float and what follows it is a place for a break, too (section 4.1, class A).
    let isBehindFloat = isBelowFloat || space.flow == nil && !exclusions.isEmpty
    if !hasPlacedContent, token == nil, forced == .none, !space.fragmentainer.isAtStart,
      !(isBehindFloat && space.fragmentainer.isStrict)
    {
      continuation.breaksBefore = true
      return
    }
    continuation.next = BreakToken(
      box: box, consumedBlockSize: consumed(offset),
      .blocks(
        resumed: childToken, next: childToken == nil ? child : context.tree.boxes[child.index].nextSibling,
        forced: forced))
  }

  /// Places one child; false when the page ends with or before it.
  private mutating func layoutChild(_ child: BoxID, previous: BoxID, from childToken: BreakToken?) -> Bool {
    let value = context.tree.boxes[child.index]
    if value.flags.contains(.outOfFlow) {
      appendOutOfFlow(child)
      return true
    }
    if value.flags.contains(.float) {
      if childToken == nil, endsPage(beforeFloat: child, after: previous) { return false }
      place(float: child)
      return true
    }
    if space.column != .none, context.styles.boxes[value.style.box.index].columnSpan == .all,
      progress.columns.spanner.isNone
    {
      // The column ends here; what follows the spanner goes on below it.
      progress.endColumn(before: child)
      continuation.next = BreakToken(
        box: box, consumedBlockSize: consumed(offset), .blocks(resumed: nil, next: value.nextSibling, forced: .column))
      return false
    }
    kept.from = hasPlacedContent ? nil : space.fragmentainer.keptFrom
    if childToken == nil, endsPage(before: child, after: previous) { return false }
    var clearTo: LayoutUnit?
    let isIndependent =
      value.establishesFormattingContext || value.content == .replaced || context.containedBlock(of: child) != nil
    if childToken == nil, exclusions.hasFloats {
      switch clearance(of: child, isIndependent: isIndependent) {
      case .none: break
      case .below(let block): clearTo = block
      case .onNextPage: return false
      }
    }
    if isIndependent {
      guard placeFormattingContext(child, value: value, clearTo: clearTo, from: childToken, previous: previous) else {
        return false
      }
      progress.leaveHeading()
      return true
    }
    return placeBlock(child, clearTo: clearTo, from: childToken, previous: previous)
  }

  /// A positioned child stands where it would be in the flow.
  private mutating func appendOutOfFlow(_ child: BoxID) {
    var entry = OutOfFlowBox(
      box: child,
      staticOffset: LogicalOffset(
        inline: geometry.border.lineLeft + geometry.padding.lineLeft,
        block: margins.block == nil ? .zero : offset + margins.strut.sum),
      staticInlineSize: contentInline, staticDirection: direction)
    if context.isInlineLevelOutOfFlow(child) {
      let align = context.styles.paragraphs[context.tree.boxes[box.index].style.paragraph.index].align
      entry.standInEmptyLine(of: inlineSpace(at: currentBlock()), align: align)
    }
    outOfFlow.append(entry)
  }

  private mutating func place(float: BoxID) {
    if let ofPage = context.pageFloat(float, at: currentBlock(), in: inlineSpace(at: currentBlock())) {
      return progress.meet(ofPage)
    }
    if margins.block == nil { margins.assumed = margins.expected }
    if kept.float == nil, hasPlacedContent {
      kept.float = LeadingFloat(box: float, block: currentBlock(), trial: trial(), outOfFlow: outOfFlow.count)
    }
    let placed = context.placeFloat(
      float, at: currentBlock(), space: inlineSpace(at: currentBlock()), exclusions: &exclusions, parent: fragment,
      parentOrigin: LogicalOffset(
        inline: contentLeft - geometry.border.lineLeft - geometry.padding.lineLeft, block: margins.expected),
      progress: &progress)
    outOfFlow += placed.outOfFlow
  }

  /// Breaks between a child and the one before it (CSS Fragmentation 3, sections 4.1 and 4.3); whether the page ends there.
  private mutating func endsPage(before child: BoxID, after previous: BoxID) -> Bool {
    guard let size = space.fragmentainer.size,
      hasPlacedContent || (!previous.isNone && !space.fragmentainer.isAtStart)
    else { return false }
    let between = context.breakBetween(previous, child, inColumns: space.fragmentainer.columnDepth > 0)
    if between.isForced {
      continuation.next = nil
      progress.endColumn(by: between.forced)
      breakBefore(child, forced: between.forced)
      return true
    }
    if between.followsHeading { progress.meetHeading() }
    let rank = progress.rank(of: between, isAvoided: avoidsBreaks)
    if hasPlacedContent {
      if space.fragmentainer.earlyBreak == .before(child) {
        progress.use(rank)
        breakBefore(child)
        return true
      }
      progress.note(
        .before(child), rank: rank, isAvoided: avoidsBreaks,
        block: margins.block.map { pageBlock($0 + offset) } ?? pageBlock(currentBlock()), strut: margins.strut)
      // Boxes around this one that are not to be broken are seen to as a whole.
      if rank < .perfect, !avoidsBreaks { kept.from = startOfKept() }
    }
    guard margins.block != nil, hasPlacedContent, pageBlock(currentBlock()) >= size,
      pageBlock(currentBlock()) > size || !needsNoRoom(child), space.column == .none || !context.leadsToSpanner(child)
    else { return false }
    noteShortage(before: child)
    progress.use(rank)
    breakBefore(child)
    return true
  }

  /// Notes what a column that is full lacks for a child of a given height.
  private mutating func noteShortage(before child: BoxID) {
    guard space.fragmentainer.columnDepth > 0, let size = space.fragmentainer.size else { return }
    let geometry = context.borderAndPadding(of: child, availableInline: contentInline)
    guard let own = context.ownBlock(of: child, geometry: geometry, space: childSpace()) else { return }
    progress.noteShortage(pageBlock(currentBlock()) + own - size)
  }

  /// A break that the box before a float forces comes before the float: it belongs to what follows.
  private mutating func endsPage(beforeFloat float: BoxID, after previous: BoxID) -> Bool {
    guard space.fragmentainer.size != nil, !previous.isNone, hasPlacedContent else { return false }
    let after = context.breakBetween(previous, .none, inColumns: space.fragmentainer.columnDepth > 0)
    guard after.isForced else { return false }
    progress.endColumn(by: after.forced)
    breakBefore(float, forced: after.forced)
    return true
  }

  /// A box without an extent fits where a column or a page of paper ends, whatever sticks out of a monolithic one: it
  /// stands before the break (CSS Fragmentation 3, section 4.5).
  private mutating func needsNoRoom(_ child: BoxID) -> Bool {
    guard space.fragmentainer.isStrict else { return false }
    var space = childSpace()
    if let contained = context.containedBlock(of: child) {
      let geometry = context.borderAndPadding(of: child, availableInline: space.availableInline)
      return contained == .zero && context.usedBlock(auto: .zero, of: child, geometry: geometry, space: space) == .zero
    }
    let value = context.tree.boxes[child.index]
    guard value.kind == .block || value.kind.holdsItems, value.content == .boxes else { return false }
    _ = prepare(&space, ofBlock: child, clearTo: nil)
    return context.measuredBlock(of: child, in: space).block == .zero
  }

  private enum Clearance {
    case none
    /// The border edge stands at this place in the formatting context.
    case below(LayoutUnit)
    /// A float goes on on the next page, and what clears it follows there.
    case onNextPage
  }

  /// Clearance (CSS 2.2, section 9.5.2). A formatting context of its own clears initial letters whatever it says (CSS Inline 3, section
  /// 4.6).
  private mutating func clearance(of child: BoxID, isIndependent: Bool) -> Clearance {
    let clear = context.styles.boxes[context.boxStyle(child)].clear
    guard clear != .none || isIndependent && exclusions.initialsEnd > .min else { return .none }
    let sides = context.clearSides(clear, direction: direction)
    let target = Swift.max(
      exclusions.blockClearance(left: sides.left, right: sides.right), isIndependent ? exclusions.initialsEnd : .min)
    var hypothetical = margins.strut
    context.appendStartMargins(of: child, availableInline: contentInline, to: &hypothetical)
    guard target > margins.place(of: hypothetical, offset: offset) else { return .none }
    margins.resolve()
    if margins.contradictedPlace != nil { return .onNextPage }
    if let size = space.fragmentainer.size, !progress.pushedFloats.isEmpty, pageBlock(target) >= size {
      continuation.next = BreakToken(
        box: box, consumedBlockSize: consumed(offset), .blocks(resumed: nil, next: child, forced: .none))
      return .onNextPage
    }
    return .below(target)
  }

  /// The space of a child, its place in the flow not known yet.
  mutating func childSpace() -> ConstraintSpace {
    var child = ConstraintSpace(
      mode: space.mode, availableInline: contentInline, percentageBlock: contentBlock, direction: direction)
    child.fragmentainer = space.fragmentainer
    let clonedEdge = clonedEndEdge
    child.fragmentainer.size = space.fragmentainer.size.map { $0 - clonedEdge }
    child.fragmentainer.offset = fragmentainerOffset
    child.fragmentainer.inlineOffset = pageInline
    child.fragmentainer.isAtStart = false
    child.fragmentainer.keptFrom = kept.from
    child.fragmentainer.avoidsBreaks = avoidsBreaks
    return child
  }

  /// The break that the next child follows, itself or at the start of boxes that do.
  var startBreak: StartBreak {
    guard !hasPlacedContent else { return .none }
    if marginTrim.contains(.blockStart) { return .trimmed }
    if let token { return token.isForced ? .forced : .unforced }
    guard startEdge == .zero else { return .none }
    if box == BoxTree.root || space.column == .column { return .forced }
    return margins.block == nil ? space.flow?.startBreak ?? .none : .none
  }

  // MARK: After a child

  /// A child that does not fit would rather move whole than be broken.
  mutating func mayMoveWhole(_ child: BoxID) -> Bool {
    space.fragmentainer.avoidsBreaks(inside: context.breakInside(of: child))
  }

  /// The child wants the next page.
  mutating func refused(
    _ child: BoxID, _ result: LayoutResult, from childToken: BreakToken?, previous: BoxID, trial: Trial,
    isBelowFloat: Bool
  ) -> Bool {
    rollBack(trial)
    if hasPlacedContent {
      let between = context.breakBetween(previous, child, inColumns: space.fragmentainer.columnDepth > 0)
      progress.use(progress.rank(of: between, isAvoided: avoidsBreaks))
    }
    breakBefore(
      child, resuming: childToken, forced: result.next?.forced ?? .none, isBelowFloat: isBelowFloat)
    return false
  }

  mutating func attach(_ result: LayoutResult, of child: BoxID, lineLeft: LayoutUnit, at block: LayoutUnit) {
    let inset = geometry.border.lineLeft + geometry.padding.lineLeft
    let place = LogicalOffset(inline: inset + lineLeft, block: block)
    let shift = context.relativeShift(
      of: child, containing: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), direction: direction)
    context.page.attach(result.fragment, to: fragment, at: place, shift: shift)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place, shift: shift)
    baselines.take(context.blockBaselines(of: result, child, availableInline: contentInline), at: block)
  }

  /// False when the child goes on on the next page.
  mutating func carryOn(after child: BoxID, _ result: LayoutResult) -> Bool {
    if result.size.block > .zero { kept.float = nil }
    if let overflow = result.overflow { continuation.parallel.append(overflow) }
    guard let childNext = result.next else { return true }
    continuation.next = BreakToken(
      box: box, consumedBlockSize: consumed(offset),
      .blocks(
        resumed: childNext, next: context.tree.boxes[child.index].nextSibling, forced: childNext.forced))
    return false
  }
}
