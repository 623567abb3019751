import BoxGeneration
package import Primitives
import Styling

/// Boxes with another writing mode than the flow around them (CSS Writing Modes 4, section 7.3): laid out in their own
/// logical coordinates, then turned, so that all fragments of a page are in those of the page. Only what is inside a line keeps
/// the terms of its line.
extension LayoutContext {
  /// An orthogonal box is broken into parts no narrower than such a part of the lines around it.
  private static let leastOrthogonalPart = 4

  private func writingMode(of box: Box) -> WritingMode {
    styles.paragraphs[box.style.paragraph.index].writingMode
  }

  /// A box has another writing mode than the one that is being laid out.
  func changesWritingMode(_ box: Box) -> Bool {
    guard hasSeveralWritingModes, box.content != .replaced, !box.flags.contains(.root) else { return false }
    switch box.kind {
    // To these the property does not apply (section 3.2).
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup: return false
    default: return writingMode(of: box) != writingMode
    }
  }

  /// A box establishes an orthogonal flow: its lines are at right angles to those around it.
  func isOrthogonal(_ box: Box) -> Bool {
    changesWritingMode(box) && writingMode(of: box).isHorizontal != writingMode.isHorizontal
  }

  /// The border-box size, along the lines around it, of an orthogonal box: the block size its content takes.
  func orthogonalSize(_ box: BoxID, containing: LayoutUnit, percentageBlock: LayoutUnit?) -> LayoutUnit {
    var space = ConstraintSpace(mode: mode, availableInline: containing, percentageBlock: percentageBlock)
    space.fragmentainer.isMeasuring = true
    let key = space.key(of: box)
    if let known = measurements.orthogonalSizes[key] { return known }
    if trials.isExhausted, trials.depth > 0 { return .zero }
    let size = measure(box, in: space) { $0.size.inline }
    measurements.orthogonalSizes[key] = size
    return size
  }

  /// Lays out a box in its own writing mode. An orthogonal one that is longer than the page's lines is broken there: what is left
  /// goes on at the next page.
  func layoutInOwnWritingMode(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ progress: inout FlowProgress
  ) -> LayoutResult {
    let own = with(writingMode(of: tree.boxes[box.index]))
    let laidOut = own.layoutParallelFlow(
      box, in: ownSpace(of: box, in: space, to: own, isResumed: token != nil), from: token, isInFlow: false,
      &progress)
    guard !laidOut.fragment.isNone else { return laidOut }
    let (inner, outer) = (own.writingMode, writingMode)
    // Pages do not end along the lines of an orthogonal flow.
    if inner.isHorizontal != outer.isHorizontal { page.recordInlineOverflow(of: laidOut.fragment) }
    page.turn(laidOut.fragment, from: inner, to: outer)
    var result = LayoutResult(
      fragment: laidOut.fragment, size: outer.logical(inner.physical(laidOut.size)), next: laidOut.next)
    result.overflow = laidOut.overflow
    result.bfcBlock = .zero
    result.baselines.alignedFirst = laidOut.baselines.alignedFirst ?? laidOut.baselines.first
    result.baselines.alignedLast = laidOut.baselines.alignedLast ?? laidOut.baselines.last
    let area = Rect(inner.physical(laidOut.size))
    result.outOfFlow = laidOut.outOfFlow.map { entry in
      var entry = entry
      let room = LogicalSize(inline: entry.staticInlineSize, block: entry.staticBlockSize)
      let place = outer.logical(inner.physical(LogicalRect(offset: entry.staticOffset, size: room), in: area), in: area)
      entry.staticOffset = place.offset
      entry.staticInlineSize = place.size.inline
      entry.staticBlockSize = place.size.block
      let inline = entry.inlineEdge ?? (entry.staticDirection == .ltr ? .start : .end)
      let edges = outer.edges(of: (inline, entry.blockEdge), in: inner)
      (entry.inlineEdge, entry.blockEdge) = edges
      return entry
    }
    return result
  }

  /// The space of a box in its own terms.
  private func ownSpace(
    of box: BoxID, in space: ConstraintSpace, to own: LayoutContext, isResumed: Bool
  ) -> ConstraintSpace {
    let geometry = space.geometry ?? borderAndPadding(of: box, availableInline: space.availableInline)
    let isOrthogonal = writingMode.isHorizontal != own.writingMode.isHorizontal
    let known = space.availableInline > .zero ? Optional(space.availableInline) : nil
    var inner = ConstraintSpace(
      mode: own.mode,
      availableInline: isOrthogonal
        ? space.percentageBlock ?? limitedRoom(around: box, in: space) ?? own.contentAreaSize.inline
        : space.availableInline,
      percentageBlock: isOrthogonal ? known : space.percentageBlock, direction: space.direction)
    inner.geometry = geometry.turned(from: writingMode, to: own.writingMode)
    inner.fragmentainer = space.fragmentainer.unbroken
    inner.imposed.tracks = space.imposed.tracks
    guard isOrthogonal else {
      inner.imposed.inline = space.imposed.inline
      inner.imposed.block = space.imposed.block
      inner.imposed.ignoresBlockSize = space.imposed.ignoresBlockSize
      inner.fragmentainer.size = space.fragmentainer.size
      inner.fragmentainer.offset = space.fragmentainer.offset
      inner.fragmentainer.isAtStart = space.fragmentainer.isAtStart
      inner.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset
      return inner
    }
    inner.fragmentainer.columnDepth = 0
    inner.imposed.block = space.imposed.inline
    inner.imposed.inline =
      space.imposed.block ?? own.transferredInline(of: box, in: inner)
      ?? orthogonalInline(of: box, geometry: inner.geometry, in: inner, to: own, around: space)
    let pageInline = contentAreaSize.inline
    let room = Swift.max(
      pageInline - space.fragmentainer.inlineOffset, pageInline / Self.leastOrthogonalPart)
    if space.fragmentainer.size != nil, !space.fragmentainer.isMeasuring,
      isResumed || (space.imposed.inline ?? .zero) > room
    {
      inner.imposed.block = nil
      inner.fragmentainer.size = room
      inner.fragmentainer.isAtStart = true
    }
    return inner
  }

  /// The room that the limits of the block size of its container give an orthogonal box, where nothing else does; nil without a
  /// limit.
  private func limitedRoom(around box: BoxID, in space: ConstraintSpace) -> LayoutUnit? {
    let parent = tree.boxes[box.index].parent
    guard !parent.isNone else { return nil }
    let geometry = borderAndPadding(of: parent, availableInline: space.availableInline)
    let size = clampBlock(.max, of: parent, geometry: geometry, percentageBlock: nil)
    return size == .max ? nil : Swift.max(.zero, size - geometry.border.blockSum - geometry.padding.blockSum)
  }

  /// The inline size of an orthogonal box, in its own terms. Percentages of its margins and paddings refer to the inline size of its
  /// containing block, whose lines are at right angles to its own (CSS Writing Modes 4, section 7.3).
  private func orthogonalInline(
    of box: BoxID, geometry: BoxGeometry?, in inner: ConstraintSpace, to own: LayoutContext, around: ConstraintSpace
  ) -> LayoutUnit {
    let margins = margins(of: box, availableInline: around.availableInline).turned(
      from: writingMode, to: own.writingMode)
    let plain = own.borderAndPadding(of: box, availableInline: inner.availableInline)
    let excess = (geometry ?? plain).padding.inlineSum - plain.padding.inlineSum
    return excess
      + own.outOfFlowInline(
        box, available: Swift.max(.zero, inner.availableInline - margins.inlineSum - excess),
        containing: inner.availableInline, percentageBlock: inner.percentageBlock)
  }
}

extension FlowEdges {
  /// Physical sides in the terms of a writing mode.
  package init(
    top: LayoutUnit, right: LayoutUnit, bottom: LayoutUnit, left: LayoutUnit, in mode: WritingMode
  ) {
    switch mode {
    case .horizontalTB: self.init(blockStart: top, lineRight: right, blockEnd: bottom, lineLeft: left)
    case .verticalRL, .sidewaysRL: self.init(blockStart: right, lineRight: bottom, blockEnd: left, lineLeft: top)
    case .verticalLR: self.init(blockStart: left, lineRight: bottom, blockEnd: right, lineLeft: top)
    case .sidewaysLR: self.init(blockStart: left, lineRight: top, blockEnd: right, lineLeft: bottom)
    }
  }

  /// The physical sides.
  package func sides(
    in mode: WritingMode
  ) -> (top: LayoutUnit, right: LayoutUnit, bottom: LayoutUnit, left: LayoutUnit) {
    switch mode {
    case .horizontalTB: (blockStart, lineRight, blockEnd, lineLeft)
    case .verticalRL, .sidewaysRL: (lineLeft, blockStart, lineRight, blockEnd)
    case .verticalLR: (lineLeft, blockEnd, lineRight, blockStart)
    case .sidewaysLR: (lineRight, blockEnd, lineLeft, blockStart)
    }
  }

  package func turned(from own: WritingMode, to outer: WritingMode) -> FlowEdges {
    let sides = sides(in: own)
    return FlowEdges(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left, in: outer)
  }
}
