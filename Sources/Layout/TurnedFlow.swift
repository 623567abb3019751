import BoxGeneration
package import Primitives
import Styling

/// Boxes with another writing mode than the flow around them (CSS Writing Modes 4, section 7.3): laid out in their own
/// logical coordinates, then turned, so that all fragments of a page are in those of the page. Only what is inside a line keeps
/// the terms of its line.
extension LayoutContext {
  private func writingMode(of box: Box) -> WritingMode {
    styles.paragraphs[box.style.paragraph.index].writingMode
  }

  /// Whether a box has another writing mode than what is being laid out.
  func turns(_ box: Box) -> Bool {
    hasTurnedFlows && box.content != .replaced && !box.flags.contains(.root) && writingMode(of: box) != writingMode
  }

  /// Whether the lines of a box are at right angles to those around it.
  func crosses(_ box: Box) -> Bool {
    turns(box) && writingMode(of: box).isHorizontal != writingMode.isHorizontal
  }

  /// The border-box size, along the lines around it, of a box that crosses them: the block size its content takes.
  func sizeAcross(_ box: BoxID, containing: LayoutUnit, percentageBlock: LayoutUnit?) -> LayoutUnit {
    let key = MeasureKey(
      box: box, inline: containing, percentage: percentageBlock ?? .min, ignoresBlockSize: false)
    if let known = turnedSizes[key] { return known }
    if trials.isExhausted, trials.depth > 0 { return .zero }
    trials.begin()
    defer { trials.end() }
    var space = ConstraintSpace(
      availableInline: containing, percentageBlock: percentageBlock, isNewFormattingContext: true)
    space.isMeasuring = true
    let mark = page.mark()
    let noted = (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow)
    let size = layoutTurned(box, in: space, from: nil).size.inline
    page.rewind(to: mark)
    (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow) = noted
    turnedSizes[key] = size
    return size
  }

  /// Lays out a box in its own writing mode. One that crosses the page's lines and is longer than they are is broken there:
  /// what is left goes on at the next page.
  func layoutTurned(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    let outer = writingMode
    let own = writingMode(of: tree.boxes[box.index])
    let isCrossing = outer.isHorizontal != own.isHorizontal
    let geometry = space.geometry ?? borderAndPadding(of: box, availableInline: space.availableInline)
    let outerPage = contentAreaSize
    let noted = (bestBreakpoint, usedRank, earlyBreak)
    writingMode = own
    earlyBreak = nil
    defer {
      writingMode = outer
      (bestBreakpoint, usedRank, earlyBreak) = noted
    }

    let known = space.availableInline > .zero ? Optional(space.availableInline) : nil
    var inner = ConstraintSpace(
      availableInline: isCrossing ? space.percentageBlock ?? contentAreaSize.inline : space.availableInline,
      percentageBlock: isCrossing ? known : space.percentageBlock, direction: space.direction,
      isNewFormattingContext: true)
    inner.geometry = geometry.turned(from: outer, to: own)
    inner.isMeasuring = space.isMeasuring
    if isCrossing {
      let margins = margins(of: box, availableInline: inner.availableInline)
      inner.fixedBlock = space.fixedInline
      inner.fixedInline =
        space.fixedBlock
        ?? outOfFlowInline(
          box, available: Swift.max(.zero, inner.availableInline - margins.inlineSum),
          containing: inner.availableInline, percentageBlock: inner.percentageBlock)
      let room = Swift.max(outerPage.inline - space.pageInline, outerPage.inline / 4)
      if space.fragmentainerSize != nil, !space.isMeasuring, token != nil || (space.fixedInline ?? .zero) > room {
        inner.fixedBlock = nil
        inner.fragmentainerSize = room
        inner.isAtPageStart = true
      }
    } else {
      inner.fixedInline = space.fixedInline
      inner.fixedBlock = space.fixedBlock
      inner.ignoresBlockSize = space.ignoresBlockSize
      inner.fragmentainerSize = space.fragmentainerSize
      inner.fragmentainerOffset = space.fragmentainerOffset
      inner.isAtPageStart = space.isAtPageStart
      inner.pageInline = space.pageInline
    }
    let laidOut = layout(box, in: inner, from: token)
    guard !laidOut.fragment.isNone else { return laidOut }

    turnFragments(laidOut.fragment, from: own, to: outer)
    var result = LayoutResult(
      fragment: laidOut.fragment, size: outer.logical(own.physical(laidOut.size)), next: laidOut.next)
    result.bfcBlock = space.bfcBlock
    let area = Rect(own.physical(laidOut.size))
    result.outOfFlow = laidOut.outOfFlow.map { entry in
      var entry = entry
      let place = own.physical(LogicalRect(offset: entry.staticOffset), in: area)
      entry.staticOffset = outer.logical(place, in: area).offset
      entry.staticInlineSize = .zero
      return entry
    }
    return result
  }

  /// Brings a finished box with all it holds from one mode's coordinates into another's.
  func turnFragments(_ root: FragmentID, from own: WritingMode, to outer: WritingMode) {
    var open = [(id: root, size: page[root].size)]
    page[root].size = outer.logical(own.physical(page[root].size))
    while let (id, size) = open.popLast() {
      let area = Rect(own.physical(size))
      let fragment = page[id]
      if fragment.kind == .box || fragment.kind == .inlineBox {
        let payload = Int(fragment.payload)
        page.geometries[payload] = page.geometries[payload].turned(from: own, to: outer)
        for border in page.geometries[payload].collapsedBorders {
          let old = page.collapsedBorders[Int(border)]
          page.collapsedBorders[Int(border)].rect = outer.logical(own.physical(old.rect, in: area), in: area)
          if own.isHorizontal != outer.isHorizontal { page.collapsedBorders[Int(border)].isInlineAxis.toggle() }
        }
      }
      var child = fragment.firstChild
      while !child.isNone {
        let value = page[child]
        let place = outer.logical(own.physical(LogicalRect(offset: value.offset, size: value.size), in: area), in: area)
        page[child].offset = place.offset
        page[child].size = place.size
        open.append((child, value.size))
        child = value.nextSibling
      }
    }
  }
}

extension Rect {
  fileprivate init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension BoxGeometry {
  fileprivate func turned(from own: WritingMode, to outer: WritingMode) -> BoxGeometry {
    var turned = self
    turned.border = border.turned(from: own, to: outer)
    turned.padding = padding.turned(from: own, to: outer)
    // A shift is the place of a point beside another one.
    let shift = own.physical(LogicalRect(offset: relativeShift), in: .zero)
    turned.relativeShift = outer.logical(shift, in: .zero).offset
    return turned
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

  fileprivate func turned(from own: WritingMode, to outer: WritingMode) -> FlowEdges {
    let sides = sides(in: own)
    return FlowEdges(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left, in: outer)
  }
}
