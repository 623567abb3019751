import BoxGeneration
import CSS
import Primitives
import Styling

extension BoxStyle {
  /// Fixed descendants refer to a box of the style (CSS Transforms 1, section 2; CSS Transforms 2, sections 6 and 7; Filter
  /// Effects 1, section 5).
  // In line: a call would be passed a copy of the style.
  @inline(__always)
  var containsFixed: Bool {
    !transform.isEmpty || !filter.isEmpty
      || rare.map {
        $0.values.perspective != nil || $0.values.transformStyle == .preserve3D || !$0.values.backdropFilter.isEmpty
          || $0.values.willChange.contains(.fixedContainer)
      } ?? false
  }
}

extension LayoutContext {
  /// Absolutely positioned descendants refer to the box's padding box (CSS 2.2, section 10.1; CSS Transforms 1, section 2).
  func isContainingBlockForPositioned(_ box: BoxID) -> Bool {
    let index = tree.boxes[box.index].style.box.index
    guard index != 0 else { return false }
    return styles.boxes[index].position != .static || containsFixed(box)
  }

  /// Fixed descendants refer to the box, too.
  func containsFixed(_ box: BoxID) -> Bool {
    let index = tree.boxes[box.index].style.box.index
    return index != 0 && (styles.boxes[index].containsFixed || containsPositioned(box))
  }

  /// The shift of a relatively positioned box (CSS 2.2, section 9.4.3). What relatively positioned inline boxes hold moves with
  /// them: floats, and blocks that split them (section 9.2.1.1).
  func relativeShift(of box: BoxID, containing: LogicalSize, direction: TextDirection) -> LogicalOffset {
    let value = tree.boxes[box.index]
    var shift = relativeShift(of: value.style, containing: containing, direction: direction)
    if value.flags.contains(.float) {
      var around = value.parent
      while !around.isNone, tree.boxes[around.index].kind == .inline {
        shift =
          shift + relativeShift(of: tree.boxes[around.index].style, containing: containing, direction: direction)
        around = tree.boxes[around.index].parent
      }
    }
    if !tree.relativeInlines.isEmpty, let around = tree.relativeInlines[box] {
      for style in around { shift = shift + relativeShift(of: style, containing: containing, direction: direction) }
    }
    return shift
  }

  /// The space of an absolutely positioned root element, whose containing block is the page's area, and where its border box begins
  /// (CSS Positioned Layout 3, section 2.1); nil of any other root. One that an inset holds from below alone begins with the page.
  func positionedRoot(in area: LogicalSize) -> (space: ConstraintSpace, offset: LogicalOffset)? {
    let style = tree.boxes[BoxTree.root.index].style
    guard [.absolute, .fixed].contains(styles.boxes[style.box.index].position) else { return nil }
    let direction = styles.paragraphs[style.paragraph.index].direction
    let entry = OutOfFlowBox(
      box: BoxTree.root, staticOffset: .zero, staticInlineSize: area.inline, staticDirection: direction)
    var (space, lineLeft, axis) = positionedSpace(
      of: entry, containing: LogicalRect(offset: .zero, size: area), direction: direction)
    let size = space.imposed.block ?? area.block
    axis.resolveAutoMargins(size: size)
    return (space, LogicalOffset(inline: lineLeft, block: axis.position(size: size)))
  }

  private func relativeShift(of style: ComputedStyle, containing: LogicalSize, direction: TextDirection)
    -> LogicalOffset
  {
    guard style.box.index != 0, styles.boxes[style.box.index].position == .relative else { return .zero }
    let inset = flow(styles.boxes[style.box.index].inset)
    func used(_ value: MarginValue, _ base: LayoutUnit?) -> LayoutUnit? {
      guard case .length(let length) = value else { return nil }
      return resolve(length, font: style.font, definite: base)
    }
    let left = used(inset.lineLeft, containing.inline)
    let right = used(inset.lineRight, containing.inline)
    let start = used(inset.blockStart, containing.block > .zero ? containing.block : nil)
    let end = used(inset.blockEnd, containing.block > .zero ? containing.block : nil)
    let inline: LayoutUnit =
      switch (left, right) {
      case (let left?, let right?): direction == .ltr ? left : -right
      case (let left?, nil): left
      case (nil, let right?): -right
      case (nil, nil): .zero
      }
    return LogicalOffset(inline: inline, block: start ?? end.map { -$0 } ?? .zero)
  }

  /// Places the positioned boxes whose containing block is the box of `result`, and leaves there those that belong to an ancestor
  /// (`fixed`). The parts of a box that goes on are one box, stacked (CSS Fragmentation 3, section 5.1): its first part places all that
  /// an inset moves, whatever part it is met in, and what stands below the page's end is carried on.
  ///
  /// - Parameters:
  ///   - space: what the part of the box is laid out in.
  ///   - token: where the part of the box began, nil for its first part.
  ///   - column: where it stands in the columns around it.
  func layoutPositioned(
    in result: inout LayoutResult, of box: BoxID, in space: ConstraintSpace, geometry: BoxGeometry,
    direction: TextDirection, from token: BreakToken?, inColumn column: ColumnPlace?, progress: inout FlowProgress
  ) {
    if isLeftAhead(in: space, column) { return leaveAhead(&result, of: box, in: space) }
    if let column {
      return layoutPositioned(
        in: &result, of: box, geometry: geometry, direction: direction, from: token, inColumn: column,
        progress: &progress)
    }
    var boxes = result.outOfFlow
    result.outOfFlow = []
    var ahead: PositionedAhead?
    if let token {
      let containsFixed = containsFixed(box)
      boxes.removeAll { isPlacedAhead($0, of: box, containsFixed: containsFixed, from: token) }
      boxes += token.positioned.filter { $0.strip == nil }
    } else if result.rest != nil {
      ahead = positionedAhead(of: box, in: space, after: result)
      boxes += ahead?.boxes ?? []
    }
    guard !boxes.isEmpty else { return }
    let blockSize = ahead?.blockSize
    var border = geometry.border
    if !inputs.clonesEdges(box) {
      if token != nil { border.blockStart = .zero }
      if result.next != nil, blockSize == nil { border.blockEnd = .zero }
    }
    let containing = LogicalRect(
      offset: LogicalOffset(inline: border.lineLeft, block: border.blockStart),
      size: LogicalSize(
        inline: Swift.max(.zero, result.size.inline - border.inlineSum),
        block: Swift.max(.zero, (blockSize ?? result.size.block) - border.blockSum)))
    let hasTransform = containsFixed(box)
    var waiting: [OutOfFlowBox] = []
    var index = 0
    while index < boxes.count {
      let entry = boxes[index]
      index += 1
      let style = styles.boxes[tree.boxes[entry.box.index].style.box.index]
      if style.position == .fixed, !hasTransform {
        result.outOfFlow.append(entry)
      } else if result.next != nil, blockSize == nil, flow(style.inset).blockStart == .auto,
        flow(style.inset).blockEnd != .auto
      {
        waiting.append(entry)
      } else {
        var entry = entry
        let around = entry.containingBlock(in: containing, isChild: tree.boxes[entry.box.index].parent == box)
        boxes += layoutPositioned(
          entry, in: result.fragment, containing: around, direction: direction, progress: &progress)
      }
    }
    if !waiting.isEmpty { result.next = result.next?.holding(waiting) }
  }

  /// Places the positioned boxes met in a text whose containing block is an inline box of it (CSS 2.2, section 10.1, rule 4); returns
  /// the others. `fragment` is that of the text's block container.
  ///
  /// - Parameter inColumn: The container stands in columns, which its inline boxes may reach over: they place the boxes.
  func layoutPositionedInInlines(
    _ boxes: [OutOfFlowBox], of container: BoxID, in fragment: FragmentID, inColumn: Bool, progress: inout FlowProgress
  ) -> [OutOfFlowBox] {
    var rest: [OutOfFlowBox] = []
    var queue = boxes
    var index = 0
    while index < queue.count {
      var entry = queue[index]
      index += 1
      var around = tree.boxes[entry.box.index].parent
      while !around.isNone, around != container, !isContainingBlockForPositioned(around) {
        around = tree.boxes[around.index].parent
      }
      guard entry.strip == nil, !around.isNone, around != container, tree.boxes[around.index].kind == .inline,
        styles.boxes[tree.boxes[entry.box.index].style.box.index].position != .fixed
      else {
        rest.append(entry)
        continue
      }
      let direction = styles.paragraphs[tree.boxes[around.index].style.paragraph.index].direction
      guard !inColumn else {
        entry.strip = PositionedStrip(
          rect: LogicalRect(offset: entry.staticOffset), direction: direction, inline: around)
        rest.append(entry)
        continue
      }
      // An inline box in a text without lines stands where the text does.
      let emptyText = page[fragment].firstChild.isNone ? LogicalRect(offset: entry.staticOffset) : nil
      guard let containing = paddingRect(ofInline: around, in: fragment) ?? emptyText else {
        rest.append(entry)
        continue
      }
      queue += layoutPositioned(
        entry, in: fragment, containing: containing, direction: direction, progress: &progress)
    }
    return rest
  }

  /// From the start of the first part of an inline box on the page to the end of its last part, in `fragment`.
  private func paddingRect(ofInline box: BoxID, in fragment: FragmentID) -> LogicalRect? {
    let parts = paddingRects(ofInline: box, in: fragment)
    guard let first = parts.first, let last = parts.last else { return nil }
    return paddingRect(ofInline: box, from: first, to: last)
  }

  /// The padding boxes of the parts of an inline box on the lines in `fragment`.
  func paddingRects(ofInline box: BoxID, in fragment: FragmentID) -> [LogicalRect] {
    let value = tree.boxes[box.index]
    var rects: [LogicalRect] = []
    var line = page[fragment].firstChild
    while !line.isNone {
      defer { line = page[line].nextSibling }
      guard page[line].kind == .line else { continue }
      var part = page[line].firstChild
      while !part.isNone {
        let piece = page[part]
        part = piece.nextSibling
        // On a first line another box stands for the same element.
        guard piece.kind == .inlineBox,
          piece.box == box
            || tree.boxes[piece.box.index].node == value.node
              && tree.boxes[piece.box.index].pseudo == value.pseudo
        else { continue }
        let border = page.geometries[Int(piece.payload)].border
        let rect = LogicalRect(
          offset: page[line].offset + piece.offset
            + LogicalOffset(inline: border.lineLeft, block: border.blockStart),
          size: LogicalSize(inline: piece.size.inline - border.inlineSum, block: piece.size.block - border.blockSum))
        rects.append(rect)
      }
    }
    return rects
  }

  /// From the start of the first part of an inline box to the end of its last one (CSS 2.2, section 10.1, rule 4).
  func paddingRect(ofInline box: BoxID, from first: LogicalRect, to last: LogicalRect) -> LogicalRect {
    let value = tree.boxes[box.index]
    let isLTR = styles.paragraphs[value.style.paragraph.index].direction == .ltr
    let left = isLTR ? first.offset.inline : last.offset.inline
    let right = isLTR ? last.inlineEnd : first.inlineEnd
    return LogicalRect(
      offset: LogicalOffset(inline: left, block: first.offset.block),
      size: LogicalSize(
        inline: Swift.max(.zero, right - left), block: Swift.max(.zero, last.blockEnd - first.offset.block)))
  }

  /// Positioned boxes of the initial containing block: the page's area (CSS 2.2, section 10.1).
  func layoutInitialContainingBlock(
    _ boxes: [OutOfFlowBox], root: FragmentID, size: LogicalSize, progress: inout FlowProgress
  ) {
    let offset = page[root].offset
    let containing = LogicalRect(offset: LogicalOffset(inline: -offset.inline, block: -offset.block), size: size)
    let direction = styles.paragraphs[tree.boxes[BoxTree.root.index].style.paragraph.index].direction
    var queue = boxes
    var index = 0
    while index < queue.count {
      let entry = queue[index]
      index += 1
      if inputs.repeatedBoxes.contains(entry.box) {
        progress.fixed.append(entry)
      } else {
        queue += layoutPositioned(entry, in: root, containing: containing, direction: direction, progress: &progress)
      }
    }
  }

  /// Places the boxes that stand on every page: those met on this one where the flow has them, the others as if they came first.
  func layoutRepeated(root: FragmentID, progress: inout FlowProgress) {
    let offset = page[root].offset
    let containing = LogicalRect(
      offset: LogicalOffset(inline: -offset.inline, block: -offset.block), size: contentAreaSize)
    let direction = styles.paragraphs[tree.boxes[BoxTree.root.index].style.paragraph.index].direction
    for box in inputs.repeatedBoxes {
      let met = progress.fixed.first { $0.box == box }
      let entry =
        met
        ?? OutOfFlowBox(
          box: box, staticOffset: containing.offset, staticInlineSize: containing.size.inline,
          staticDirection: direction)
      let before = page[root].lastChild
      // Fixed boxes inside of it have their own turn.
      _ = layoutPositioned(entry, in: root, containing: containing, direction: direction, progress: &progress)
      let made = page[root].lastChild
      if met == nil, made != before { page.insert(.repeated, into: made) }
    }
  }

  /// The space of an absolutely positioned box, where it stands in its containing block along the lines, and the other axis.
  private func positionedSpace(of entry: OutOfFlowBox, containing: LogicalRect, direction: TextDirection)
    -> (space: ConstraintSpace, lineLeft: LayoutUnit, blockAxis: AbsoluteAxis)
  {
    let box = entry.box
    let geometry = borderAndPadding(of: box, availableInline: containing.size.inline)
    var (inlineAxis, blockAxis) = absoluteAxes(of: entry, containing: containing, direction: direction)
    let inline = absoluteInlineSize(
      of: entry, inlineAxis, block: blockAxis, geometry: geometry, containing: containing.size)
    inlineAxis.resolveAutoMargins(size: inline)
    var space = ConstraintSpace(
      mode: mode, availableInline: containing.size.inline, percentageBlock: containing.size.block, direction: direction)
    space.imposed.inline = inline
    space.geometry = geometry
    // A box with a ratio and a width, its own or that of its containing block, takes its height from them.
    let hasRatio = styles.boxes[tree.boxes[box.index].style.box.index].aspectRatio != nil
    if !hasRatio || inlineAxis.filledSize == nil {
      space.imposed.block = filledBlockSize(of: box, blockAxis, geometry: geometry)
    }
    let limits = blockSizes(tree.boxes[box.index].style.box)
    if let filled = space.imposed.block, limits.minimum.isContentSize || limits.maximum.isContentSize {
      var unfilled = space
      unfilled.imposed.block = nil
      space.imposed.block = clampBlock(
        filled, of: box, geometry: geometry, percentageBlock: containing.size.block, room: blockAxis.room,
        content: measuredBlock(of: box, in: unfilled).block)
    }
    return (space, inlineAxis.position(size: inline), blockAxis)
  }

  /// The constraint space of an absolutely positioned box, and the offset of its border box from the origin of its containing
  /// block.
  func positionedSizing(of entry: OutOfFlowBox, containing: LogicalRect, direction: TextDirection)
    -> (space: ConstraintSpace, offset: LogicalOffset)
  {
    var (space, lineLeft, blockAxis) = positionedSpace(of: entry, containing: containing, direction: direction)
    let dependsOnSize =
      blockAxis.start == nil && (blockAxis.end != nil || blockAxis.staticEdge != .start)
      || blockAxis.start != nil && blockAxis.end != nil
    let size = dependsOnSize ? measuredBlock(of: entry.box, in: space).block : .zero
    blockAxis.resolveAutoMargins(size: size)
    return (space, containing.offset + LogicalOffset(inline: lineLeft, block: blockAxis.position(size: size)))
  }

  /// One absolutely positioned box (CSS 2.2, sections 10.3.7, 10.3.8, 10.6.4, 10.6.5); returns fixed boxes inside it.
  func layoutPositioned(
    _ entry: OutOfFlowBox, in fragment: FragmentID, containing: LogicalRect, direction: TextDirection,
    progress: inout FlowProgress
  ) -> [OutOfFlowBox] {
    let box = entry.box
    var (space, lineLeft, blockAxis) = positionedSpace(of: entry, containing: containing, direction: direction)
    space.fragmentainer.inlineOffset = containing.offset.inline + lineLeft
    let result =
      if let place = page.displaced[box] {
        layoutDisplaced(box, in: space, at: place, progress: &progress)
      } else {
        layout(box, in: space, from: nil, &progress)
      }
    guard !result.fragment.isNone else { return [] }
    // The whole box has its place, not the part of it that is on the page.
    let size = result.rest == nil ? result.size.block : measuredBlock(of: box, in: space).block
    blockAxis.resolveAutoMargins(size: size)
    let place = containing.offset + LogicalOffset(inline: lineLeft, block: blockAxis.position(size: size))
    page.attach(result.fragment, to: fragment, at: place)
    page.insert(.positioned, into: result.fragment)
    var inside: [OutOfFlowBox] = []
    inside.append(contentsOf: result.outOfFlow, movedBy: place)
    return inside
  }

  /// The part of a displaced box that stands on this page; the rest is carried to the next. Without a fragment all of it
  /// is, or stands on the page before.
  private func layoutDisplaced(
    _ box: BoxID, in space: ConstraintSpace, at displaced: DisplacedPlace, progress: inout FlowProgress
  ) -> LayoutResult {
    let pageEnd = contentAreaSize.block
    let place = displaced.offset
    guard displaced.edge == .end else {
      progress.raise(PushedPositioned(box: box, token: nil, place: place, space: space))
      return LayoutResult(fragment: .none, size: .zero)
    }
    func push(_ token: BreakToken?, at place: LogicalOffset, to progress: inout FlowProgress) {
      self.push(PushedPositioned(box: box, token: token, place: place, space: space), to: &progress)
    }
    guard place.block < pageEnd else {
      push(nil, at: place, to: &progress)
      return LayoutResult(fragment: .none, size: .zero)
    }
    var part = space
    part.fragmentainer.size = pageEnd
    part.fragmentainer.offset = place.block
    part.fragmentainer.isPaper = settings.isPrinted
    part.fragmentainer.isAtStart = place.block <= .zero
    let savepoint = page.savepoint()
    let before = progress
    let result = layoutPart(of: box, in: part, from: nil, progress: &progress)
    let atPageEnd = LogicalOffset(inline: place.inline, block: pageEnd)
    let isCut = result.next == nil && place.block + result.size.block > positionedEnd
    if result.fragment.isNone || isCut && place.block > .zero && result.size.block <= pageEnd {
      // Content that cannot be parted moves whole.
      page.rollBack(to: savepoint)
      progress = before
      push(nil, at: atPageEnd, to: &progress)
      return LayoutResult(fragment: .none, size: .zero)
    }
    if let next = result.rest { push(next, at: atPageEnd, to: &progress) }
    return result
  }
}
