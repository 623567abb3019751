import BoxGeneration
import CSS
import Primitives
import Styling

/// One axis of an absolutely positioned box: its insets, margins and border box add up to its containing block (CSS 2.2,
/// sections 10.3.7 and 10.6.4). "Start" is line-left or block-start; nil values are `auto`.
struct AbsoluteAxis {
  /// Size of the containing block.
  var containing: LayoutUnit
  var start: LayoutUnit?
  var end: LayoutUnit?
  var marginStart: LayoutUnit?
  var marginEnd: LayoutUnit?
  /// The start inset gives way when the values are over-constrained: in the inline axis of right-to-left containing
  /// blocks.
  var ignoresStart = false
  /// The static position, from the containing block's start, and the room it is aligned in there.
  var staticStart: LayoutUnit
  var staticSize: LayoutUnit
  var staticEdge: StaticEdge
  /// A flex or grid container aligns the box at its static position.
  var isAligned: Bool

  /// The margins, `auto` ones as zero.
  var marginSum: LayoutUnit { (marginStart ?? .zero) + (marginEnd ?? .zero) }

  /// The size that solves the equation for an `auto` size; nil unless both insets are given (rule 5).
  var filledSize: LayoutUnit? {
    guard let start, let end else { return nil }
    return containing - start - end - marginSum
  }

  /// The room of the box with its margins: from the inset or the static position that it stands at to the other inset,
  /// or the other side of the containing block.
  var room: LayoutUnit {
    if start != nil || end != nil { return containing - (start ?? .zero) - (end ?? .zero) }
    if isAligned { return containing }
    return staticEdge == .start ? containing - staticStart : staticStart + staticSize
  }

  /// Solves the equation for `auto` margins between given insets: two of them are equal unless they would be negative.
  mutating func resolveAutoMargins(size: LayoutUnit) {
    guard let start, let end else { return }
    let rest = containing - start - end - size
    switch (marginStart, marginEnd) {
    case (nil, nil):
      let half: LayoutUnit = rest >= .zero ? rest / 2 : ignoresStart ? rest : .zero
      marginStart = half
      marginEnd = rest - half
    case (nil, let known?): marginStart = rest - known
    case (let known?, nil): marginEnd = rest - known
    case (_?, _?): break
    }
  }

  /// The border box's start, from the start of the containing block: at its static position if both insets are `auto`.
  func position(size: LayoutUnit) -> LayoutUnit {
    switch (start, end) {
    case (_?, let end?) where ignoresStart: containing - end - (marginEnd ?? .zero) - size
    case (let start?, _): start + (marginStart ?? .zero)
    case (nil, let end?): containing - end - (marginEnd ?? .zero) - size
    case (nil, nil): staticStart + (marginStart ?? .zero) + staticEdge.share(of: staticSize - size - marginSum)
    }
  }
}

extension LayoutContext {
  /// The used insets and margins of an absolutely positioned box and its static position.
  func absoluteAxes(of entry: OutOfFlowBox, containing: LogicalRect, direction: TextDirection)
    -> (inline: AbsoluteAxis, block: AbsoluteAxis)
  {
    let computed = tree.boxes[entry.box.index].style
    let insets = flow(styles.boxes[computed.box.index].inset)
    let margins = flow(styles.boxes[computed.box.index].margin)
    let base = containing.size
    func used(_ value: MarginValue, _ percentage: LayoutUnit) -> LayoutUnit? {
      guard case .length(let length) = value else { return nil }
      return resolve(length, font: computed.font, percentage: percentage)
    }
    let inline = AbsoluteAxis(
      containing: base.inline, start: used(insets.lineLeft, base.inline), end: used(insets.lineRight, base.inline),
      marginStart: used(margins.lineLeft, base.inline), marginEnd: used(margins.lineRight, base.inline),
      ignoresStart: direction == .rtl, staticStart: entry.staticOffset.inline - containing.offset.inline,
      staticSize: entry.staticInlineSize,
      staticEdge: entry.inlineEdge ?? (entry.staticDirection == .ltr ? .start : .end),
      isAligned: entry.inlineEdge != nil)
    // Percentages of margins refer to the inline size in both axes (section 8.3).
    let block = AbsoluteAxis(
      containing: base.block, start: used(insets.blockStart, base.block), end: used(insets.blockEnd, base.block),
      marginStart: used(margins.blockStart, base.inline), marginEnd: used(margins.blockEnd, base.inline),
      staticStart: entry.staticOffset.block - containing.offset.block, staticSize: entry.staticBlockSize,
      staticEdge: entry.blockEdge, isAligned: entry.blockEdge != .start)
    return (inline, block)
  }

  /// Border-box inline size of an absolutely positioned box (CSS 2.2, sections 10.3.7 and 10.3.8).
  func absoluteInlineSize(
    of entry: OutOfFlowBox, _ axis: AbsoluteAxis, block: AbsoluteAxis, geometry: BoxGeometry, containing: LogicalSize
  ) -> LayoutUnit {
    let box = entry.box
    let value = tree.boxes[box.index]
    let size = inlineSizes(value.style.box).size
    func limited(_ inline: LayoutUnit) -> LayoutUnit {
      clampInline(
        inline, of: box, style: value.style, geometry: geometry, availableInline: containing.inline, room: axis.room,
        percentageBlock: containing.block)
    }
    let filledBlock = filledBlockSize(of: box, block, geometry: geometry)
    if value.content == .replaced, size != .stretch {
      if !size.isGiven, let filledBlock,
        let inline = replacedInline(of: box, geometry: geometry, block: filledBlock)
      {
        return limited(inline)
      }
      return replacedSize(
        of: box, geometry: geometry, availableInline: containing.inline, percentageBlock: containing.block
      ).inline
    }
    // The `auto` size of a table is never filled.
    let specified =
      value.kind == .table
      ? nil
      : borderBoxInline(
        size, of: box, style: value.style, geometry: geometry, availableInline: containing.inline, room: axis.room)
        ?? transferredInline(of: box, geometry: geometry, percentageBlock: containing.block) ?? axis.filledSize
        ?? filledBlock.flatMap { ratioInline(of: box, geometry: geometry, block: $0) }
    return limited(
      specified
        ?? outOfFlowInline(
          box, available: Swift.max(.zero, axis.room - axis.marginSum),
          containing: containing.inline, percentageBlock: containing.block))
  }

  /// Border-box block size of a box that is stretched, or whose `auto` size fills its containing block between two
  /// insets (CSS 2.2, section 10.6.4, rule 5); nil for the size its content or its style gives.
  func filledBlockSize(of box: BoxID, _ axis: AbsoluteAxis, geometry: BoxGeometry) -> LayoutUnit? {
    let value = tree.boxes[box.index]
    let sizes = blockSizes(value.style.box)
    let isStretched = sizes.size == .stretch
    guard isStretched || value.content != .replaced && value.kind != .table,
      let filled = isStretched ? axis.room - axis.marginSum : axis.filledSize,
      isStretched
        || borderBoxBlock(sizes.size, of: box, geometry: geometry, percentageBlock: axis.containing) == nil
    else { return nil }
    return stretchedBlock(
      filled, of: box, geometry: geometry, percentageBlock: axis.containing, outer: axis.room)
  }
}
