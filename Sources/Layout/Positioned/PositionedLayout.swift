import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// Whether absolutely positioned descendants refer to the box's padding box (CSS 2.2, section 10.1; CSS Transforms 1, section 2).
  func isContainingBlockForPositioned(_ box: BoxID) -> Bool {
    let index = tree.boxes[box.index].style.box.index
    guard index != 0 else { return false }
    return styles.boxes[index].position != .static || !styles.boxes[index].transform.isEmpty
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

  private func relativeShift(of style: ComputedStyle, containing: LogicalSize, direction: TextDirection)
    -> LogicalOffset
  {
    guard style.box.index != 0, styles.boxes[style.box.index].position == .relative else { return .zero }
    return insetShift(of: style, containing: containing, direction: direction)
  }

  /// How far `position` moves the root element: an absolutely positioned one starts from the page's area, too.
  func shiftOfRoot(containing: LogicalSize) -> LogicalOffset {
    let style = tree.boxes[BoxTree.root.index].style
    guard style.box.index != 0 else { return .zero }
    switch styles.boxes[style.box.index].position {
    case .static, .sticky: return .zero
    case .relative, .absolute, .fixed:
      let direction = styles.paragraphs[style.paragraph.index].direction
      return insetShift(of: style, containing: containing, direction: direction)
    }
  }

  /// The shift that the inset properties of a style ask for.
  private func insetShift(of style: ComputedStyle, containing: LogicalSize, direction: TextDirection) -> LogicalOffset {
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

  /// Attaches a finished box at its place in the flow, moved by its relative shift, which painting and records can tell apart.
  func attach(_ child: FragmentID, to parent: FragmentID, at offset: LogicalOffset, shift: LogicalOffset) {
    page.attach(child, to: parent, at: offset + shift)
    if shift != .zero { page.geometries[Int(page.fragments[child.index].payload)].relativeShift = shift }
  }

  /// Places the positioned boxes whose containing block is the box of `result`, and leaves there those that belong to an ancestor
  /// (`fixed`). In a box that goes on on the next page those wait for its last part that stand from its end (CSS Fragmentation 3,
  /// section 5.1: the parts are one box, stacked).
  ///
  /// - Parameter token: where the part of the box began, nil for its first part.
  func layoutPositioned(
    in result: inout LayoutResult, of box: BoxID, geometry: BoxGeometry, direction: TextDirection,
    from token: BreakToken?
  ) {
    var boxes = result.outOfFlow
    if let token { boxes += token.positioned }
    guard !boxes.isEmpty else { return }
    var border = geometry.border
    if !clonesEdges(box) {
      if token != nil { border.blockStart = .zero }
      if result.next != nil { border.blockEnd = .zero }
    }
    let containing = LogicalRect(
      offset: LogicalOffset(inline: border.lineLeft, block: border.blockStart),
      size: LogicalSize(
        inline: Swift.max(.zero, result.size.inline - border.inlineSum),
        block: Swift.max(.zero, result.size.block - border.blockSum)))
    let hasTransform = !styles.boxes[tree.boxes[box.index].style.box.index].transform.isEmpty
    result.outOfFlow = []
    var waiting: [OutOfFlowBox] = []
    var index = 0
    while index < boxes.count {
      let entry = boxes[index]
      index += 1
      let style = styles.boxes[tree.boxes[entry.box.index].style.box.index]
      if style.position == .fixed, !hasTransform {
        result.outOfFlow.append(entry)
      } else if result.next != nil, flow(style.inset).blockStart == .auto, flow(style.inset).blockEnd != .auto {
        waiting.append(entry)
      } else {
        boxes += layoutPositioned(entry, in: result.fragment, containing: containing, direction: direction)
      }
    }
    if !waiting.isEmpty { result.next = result.next?.holding(waiting) }
  }

  /// Places the positioned boxes met in a text whose containing block is an inline box of it (CSS 2.2, section 10.1, rule 4); returns
  /// the others. `fragment` is that of the text's block container.
  func layoutPositionedInInlines(_ boxes: [OutOfFlowBox], of container: BoxID, in fragment: FragmentID)
    -> [OutOfFlowBox]
  {
    var rest: [OutOfFlowBox] = []
    var queue = boxes
    var index = 0
    while index < queue.count {
      let entry = queue[index]
      index += 1
      var around = tree.boxes[entry.box.index].parent
      while !around.isNone, around != container, !isContainingBlockForPositioned(around) {
        around = tree.boxes[around.index].parent
      }
      guard !around.isNone, around != container, tree.boxes[around.index].kind == .inline,
        styles.boxes[tree.boxes[entry.box.index].style.box.index].position != .fixed,
        let containing = paddingRect(ofInline: around, in: fragment)
      else {
        rest.append(entry)
        continue
      }
      let direction = styles.paragraphs[tree.boxes[around.index].style.paragraph.index].direction
      queue += layoutPositioned(entry, in: fragment, containing: containing, direction: direction)
    }
    return rest
  }

  /// From the start of the first part of an inline box on the page to the end of its last part, in `fragment`.
  private func paddingRect(ofInline box: BoxID, in fragment: FragmentID) -> LogicalRect? {
    let value = tree.boxes[box.index]
    var first: LogicalRect?
    var last: LogicalRect?
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
        if first == nil { first = rect }
        last = rect
      }
    }
    guard let first, let last else { return nil }
    let isLTR = styles.paragraphs[value.style.paragraph.index].direction == .ltr
    let left = isLTR ? first.offset.inline : last.offset.inline
    let right = isLTR ? last.inlineEnd : first.inlineEnd
    return LogicalRect(
      offset: LogicalOffset(inline: left, block: first.offset.block),
      size: LogicalSize(
        inline: Swift.max(.zero, right - left), block: Swift.max(.zero, last.blockEnd - first.offset.block)))
  }

  /// Positioned boxes of the initial containing block: the page's area (CSS 2.2, section 10.1).
  func layoutInitialContainingBlock(_ boxes: [OutOfFlowBox], root: FragmentID, size: LogicalSize) {
    let offset = page[root].offset
    let containing = LogicalRect(offset: LogicalOffset(inline: -offset.inline, block: -offset.block), size: size)
    let direction = styles.paragraphs[tree.boxes[BoxTree.root.index].style.paragraph.index].direction
    var queue = boxes
    var index = 0
    while index < queue.count {
      queue += layoutPositioned(queue[index], in: root, containing: containing, direction: direction)
      index += 1
    }
  }

  /// One absolutely positioned box (CSS 2.2, sections 10.3.7, 10.3.8, 10.6.4, 10.6.5); returns fixed boxes inside it.
  private func layoutPositioned(
    _ entry: OutOfFlowBox, in fragment: FragmentID, containing: LogicalRect, direction: TextDirection
  )
    -> [OutOfFlowBox]
  {
    let box = entry.box
    let value = tree.boxes[box.index]
    let style = styles.boxes[value.style.box.index]
    let base = containing.size
    var geometry = borderAndPadding(of: box, availableInline: base.inline)
    geometry.relativeShift = .zero
    let sides = flow(style.inset)
    let marginValues = flow(style.margin)
    func used(_ value: MarginValue, _ percentage: LayoutUnit) -> LayoutUnit? {
      guard case .length(let length) = value else { return nil }
      return resolve(length, font: tree.boxes[box.index].style.font, percentage: percentage)
    }
    let left = used(sides.lineLeft, base.inline)
    let right = used(sides.lineRight, base.inline)
    let start = used(sides.blockStart, base.block)
    let end = used(sides.blockEnd, base.block)
    var marginLeft = used(marginValues.lineLeft, base.inline)
    var marginRight = used(marginValues.lineRight, base.inline)
    var marginStart = used(marginValues.blockStart, base.inline)
    var marginEnd = used(marginValues.blockEnd, base.inline)
    let staticInline = entry.staticOffset.inline - containing.offset.inline
    let staticBlock = entry.staticOffset.block - containing.offset.block

    // Inline size.
    let specified = borderBoxInline(
      inlineSizes(value.style.box).size, of: box, style: value.style, geometry: geometry, availableInline: base.inline)
    let marginsKnown = (marginLeft ?? .zero) + (marginRight ?? .zero)
    var inline: LayoutUnit
    if value.content == .replaced {
      inline =
        replacedSize(of: box, geometry: geometry, availableInline: base.inline, percentageBlock: base.block).inline
    } else if let specified, value.kind != .table {
      inline = specified
    } else if let left, let right, value.kind != .table {
      inline = base.inline - left - right - marginsKnown
    } else {
      let room: LayoutUnit =
        switch (left, right) {
        case (let left?, _): base.inline - left
        case (nil, let right?): base.inline - right
        case (nil, nil):
          entry.inlineEdge != nil
            ? base.inline
            : entry.staticDirection == .ltr ? base.inline - staticInline : staticInline + entry.staticInlineSize
        }
      inline = outOfFlowInline(
        box, available: Swift.max(.zero, room - marginsKnown), containing: base.inline, percentageBlock: base.block)
    }
    if value.content != .replaced {
      inline = clampInline(inline, of: box, style: value.style, geometry: geometry, availableInline: base.inline)
    }
    if let left, let right {
      let rest = base.inline - left - right - inline
      switch (marginLeft, marginRight) {
      case (nil, nil):
        if rest >= .zero {
          marginLeft = rest / 2
          marginRight = rest - rest / 2
        } else if direction == .ltr {
          marginLeft = .zero
          marginRight = rest
        } else {
          marginLeft = rest
          marginRight = .zero
        }
      case (nil, let known?): marginLeft = rest - known
      case (let known?, nil): marginRight = rest - known
      default: break
      }
    }
    let lineLeft: LayoutUnit
    switch (left, right) {
    case (let left?, let right?):
      lineLeft =
        direction == .ltr ? left + (marginLeft ?? .zero) : base.inline - right - (marginRight ?? .zero) - inline
    case (let left?, nil): lineLeft = left + (marginLeft ?? .zero)
    case (nil, let right?): lineLeft = base.inline - right - (marginRight ?? .zero) - inline
    case (nil, nil) where entry.inlineEdge != nil:
      let free = entry.staticInlineSize - inline - (marginLeft ?? .zero) - (marginRight ?? .zero)
      lineLeft = staticInline + (marginLeft ?? .zero) + (entry.inlineEdge ?? .start).share(of: free)
    case (nil, nil):
      lineLeft =
        entry.staticDirection == .ltr
        ? staticInline + (marginLeft ?? .zero) : staticInline + entry.staticInlineSize - inline - (marginRight ?? .zero)
    }

    // Block size.
    var child = ConstraintSpace(
      availableInline: base.inline, percentageBlock: base.block, direction: direction, isNewFormattingContext: true)
    child.fixedInline = inline
    child.geometry = geometry
    child.pageInline = containing.offset.inline + lineLeft
    let blockIsAuto =
      borderBoxBlock(
        blockSizes(value.style.box).size, style: value.style, geometry: geometry, percentageBlock: base.block) == nil
    if blockIsAuto, let start, let end, value.content != .replaced, value.kind != .table {
      let filled = base.block - start - end - (marginStart ?? .zero) - (marginEnd ?? .zero)
      var limited = filled
      let values = blockSizes(value.style.box)
      if let maximum = borderBoxBlock(
        values.maximum, style: value.style, geometry: geometry, percentageBlock: base.block)
      {
        limited = Swift.min(limited, maximum)
      }
      if let minimum = borderBoxBlock(
        values.minimum, style: value.style, geometry: geometry, percentageBlock: base.block)
      {
        limited = Swift.max(limited, minimum)
      }
      child.fixedBlock = Swift.max(geometry.border.blockSum + geometry.padding.blockSum, limited)
    }
    let partingPlace = placesOverPageEnd[box]
    if let place = partingPlace {
      guard place.block < contentAreaSize.block else {
        carry(CarriedPositioned(box: box, token: nil, place: place, space: child))
        return []
      }
      child.fragmentainerSize = contentAreaSize.block
      child.fragmentainerOffset = place.block
      child.isAtPageStart = place.block <= .zero
    }
    let mark = mark()
    let result = partingPlace == nil ? layout(box, in: child) : layoutPart(of: box, in: child, from: nil)
    if let place = partingPlace {
      let isCut = result.next == nil && place.block + result.size.block > paperEnd
      if result.fragment.isNone || isCut && place.block > .zero && result.size.block <= contentAreaSize.block {
        // What cannot be parted moves whole.
        rewind(to: mark)
        carry(
          CarriedPositioned(
            box: box, token: nil, place: LogicalOffset(inline: place.inline, block: contentAreaSize.block), space: child
          ))
        return []
      }
      if let next = result.next {
        carry(
          CarriedPositioned(
            box: box, token: next, place: LogicalOffset(inline: place.inline, block: contentAreaSize.block),
            space: child))
      }
    }
    guard !result.fragment.isNone else { return [] }
    let block = result.size.block
    if let start, let end {
      let rest = base.block - start - end - block
      switch (marginStart, marginEnd) {
      case (nil, nil):
        marginStart = rest >= .zero ? rest / 2 : .zero
        marginEnd = rest - (marginStart ?? .zero)
      case (nil, let known?): marginStart = rest - known
      case (let known?, nil): marginEnd = rest - known
      default: break
      }
    }
    let top: LayoutUnit =
      switch (start, end) {
      case (let start?, _): start + (marginStart ?? .zero)
      case (nil, let end?): base.block - end - (marginEnd ?? .zero) - block
      case (nil, nil):
        staticBlock + (marginStart ?? .zero)
          + entry.blockEdge.share(
            of: entry.staticBlockSize - block - (marginStart ?? .zero) - (marginEnd ?? .zero))
      }
    let place = containing.offset + LogicalOffset(inline: lineLeft, block: top)
    page.attach(result.fragment, to: fragment, at: place)
    placedPositioned[result.fragment] = box
    return result.outOfFlow.map { inner in
      var moved = inner
      moved.staticOffset = moved.staticOffset + place
      return moved
    }
  }
}
