import BoxGeneration
package import Primitives

/// The place of a positioned box without offsets in the room of its static position.
package enum StaticEdge: UInt8, Hashable, Sendable {
  case start, center, end
  /// Safe alignment: at the edge named last where the box has no room (CSS Box Alignment 3, section 4.4).
  case centerOrStart, centerOrEnd, startOrEnd, endOrStart

  var opposite: Self {
    switch self {
    case .start: .end
    case .center: .center
    case .end: .start
    case .centerOrStart: .centerOrEnd
    case .centerOrEnd: .centerOrStart
    case .startOrEnd: .endOrStart
    case .endOrStart: .startOrEnd
    }
  }

  /// The share of the free space that stands before the box.
  func share(of free: LayoutUnit) -> LayoutUnit {
    switch self {
    case .start: .zero
    case .center: free / 2
    case .end: free
    case .centerOrStart: Swift.max(.zero, free / 2)
    case .centerOrEnd: free < .zero ? free : free / 2
    case .startOrEnd: Swift.min(.zero, free)
    case .endOrStart: Swift.max(.zero, free)
    }
  }

  /// The edge that safe alignment uses in an axis which begins at `start`.
  func safe(from start: Self) -> Self {
    switch (self, start) {
    case (.center, .end): .centerOrEnd
    case (.center, _): .centerOrStart
    case (.start, .end): .startOrEnd
    case (.end, .start): .endOrStart
    default: self
    }
  }
}

/// The grid area that contains a positioned box (CSS Grid 1, section 9.1): its edges from the container's border box; nil where the
/// padding edge of the container stands for them.
package struct PositionedArea: Hashable, Sendable {
  var lineLeft: LayoutUnit?
  var lineRight: LayoutUnit?
  var blockStart: LayoutUnit?
  var blockEnd: LayoutUnit?

  func moved(by place: LogicalOffset) -> Self {
    Self(
      lineLeft: lineLeft.map { $0 + place.inline }, lineRight: lineRight.map { $0 + place.inline },
      blockStart: blockStart.map { $0 + place.block }, blockEnd: blockEnd.map { $0 + place.block })
  }

  /// The area in the padding box of its container.
  func rect(in padding: LogicalRect) -> LogicalRect {
    let start = LogicalOffset(inline: lineLeft ?? padding.offset.inline, block: blockStart ?? padding.offset.block)
    return LogicalRect(
      offset: start,
      size: LogicalSize(
        inline: Swift.max(.zero, (lineRight ?? padding.inlineEnd) - start.inline),
        block: Swift.max(.zero, (blockEnd ?? padding.blockEnd) - start.block)))
  }
}

/// A box out of flow on its way up to its containing block.
package struct OutOfFlowBox: Sendable {
  package var box: BoxID
  /// The place that it would have had in the flow, line-relative to the fragment that reports it (CSS 2.2, section 10.3.7).
  package var staticOffset: LogicalOffset
  /// Width of the containing block at the static position, for right-to-left static positions.
  package var staticInlineSize: LayoutUnit
  package var staticDirection: TextDirection
  /// In a flex container, line-left to line-right; nil elsewhere, where the direction decides.
  package var inlineEdge: StaticEdge?
  package var blockEdge = StaticEdge.start
  package var staticBlockSize = LayoutUnit.zero
  /// Of a box that a grid contains.
  var area: PositionedArea?
  /// Its containing block, where columns place it.
  var strip: PositionedStrip?
  package init(box: BoxID, staticOffset: LogicalOffset, staticInlineSize: LayoutUnit, staticDirection: TextDirection) {
    self.box = box
    self.staticOffset = staticOffset
    self.staticInlineSize = staticInlineSize
    self.staticDirection = staticDirection
  }

  /// The containing block: the area that a grid places the box in (CSS Grid 1, section 9.1). The static position of a
  /// child of the grid is in the area, too.
  mutating func containingBlock(in padding: LogicalRect, isChild: Bool) -> LogicalRect {
    guard let around = area?.rect(in: padding) else { return padding }
    if isChild {
      staticOffset = around.offset
      staticInlineSize = around.size.inline
      staticBlockSize = around.size.block
    }
    return around
  }
}

extension [OutOfFlowBox] {
  /// Takes over those of a fragment that stands at `place`.
  /// Those that columns place do so before `shift`, that of a relatively positioned box, moves them.
  mutating func append(contentsOf boxes: [OutOfFlowBox], movedBy place: LogicalOffset, shift: LogicalOffset = .zero) {
    for var entry in boxes {
      entry.move(by: entry.strip == nil ? place + shift : place)
      if shift != .zero, let before = entry.strip?.shift { entry.strip?.shift = before + shift }
      append(entry)
    }
  }
}

/// Places of a box whose margins collapse through it (CSS 2.2, section 8.3.1).
struct CollapsedPlace {
  /// The place assumed for a box without a known place when floats in it were placed; a different place asks for a second try.
  var assumedBFCBlock: LayoutUnit?
  /// The place of an empty box, as if it had a border at its end.
  var emptyBlock: LayoutUnit?
  /// The box is empty and clearance placed it: its block-start margin, which with its end margin collapses through it.
  var clearedStart: LayoutUnit?
}

/// The state that the end of a box hands to the content that follows it.
package struct BlockEnd {
  /// Margins that adjoin what follows. Of a box without a place, whose margins collapse through it, all of its margins and those
  /// before.
  package var strut = MarginStrut()
  /// Free room under the text that the box ends with.
  package var spaceBelow = LayoutUnit.zero
}

/// Result of every layout function.
package struct LayoutResult {
  /// The box's fragment on this page, not attached yet; `.none` when the break is before it.
  package var fragment: FragmentID
  /// Border box.
  package var size: LogicalSize
  /// The break token to go on from; nil when the box is complete.
  package var next: BreakToken?
  /// The break token of content that sticks out of the box, which is complete itself: the content that follows the box stands
  /// beside it.
  var overflow: BreakToken?
  /// The break token of content, whether or not the box itself goes on.
  var rest: BreakToken? { next ?? overflow }
  /// Block-start border edge in BFC coordinates; nil when the box is empty and its margins collapse through it.
  package var bfcBlock: LayoutUnit?
  package var end = BlockEnd()
  package var exclusions = ExclusionSpace()
  var collapsed = CollapsedPlace()
  /// From the border box's block-start edge.
  package var baselines = Baselines()
  /// Lines that count in a box that clamps its lines.
  var lines = CountedLines()
  package var outOfFlow: [OutOfFlowBox] = []
  /// A rotated table that does not fit: what follows it may be set before it.
  package var isRotatedTable = false

  package init(fragment: FragmentID, size: LogicalSize, next: BreakToken? = nil) {
    self.fragment = fragment
    self.size = size
    self.next = next
  }
}

/// The first and the last baseline of a box (CSS Inline Layout 3, section 4.1).
package struct Baselines: Sendable {
  package var first: LayoutUnit?
  package var last: LayoutUnit?
  /// What boxes are aligned on where it is something else (CSS Box Alignment 3, section 9.1): the baselines of a box
  /// with another writing mode, from its own block-start edge, or the alphabetic ones of sideways text, whose lines
  /// are set on central ones.
  var alignedFirst: LayoutUnit?
  var alignedLast: LayoutUnit?

  /// Takes those of a child, or of a line, that stands at `block`.
  mutating func take(_ others: Baselines, at block: LayoutUnit = .zero) {
    takeFirst(others, at: block)
    takeLast(others, at: block)
  }
  mutating func takeFirst(_ others: Baselines, at block: LayoutUnit) {
    guard first == nil, let first = others.first else { return }
    self.first = block + first
    alignedFirst = others.alignedFirst.map { block + $0 }
  }
  mutating func takeLast(_ others: Baselines, at block: LayoutUnit) {
    guard let last = others.last else { return }
    self.last = block + last
    alignedLast = others.alignedLast.map { block + $0 }
  }
  mutating func move(by shift: LayoutUnit) {
    first = first.map { $0 + shift }
    last = last.map { $0 + shift }
    alignedFirst = alignedFirst.map { $0 + shift }
    alignedLast = alignedLast.map { $0 + shift }
  }
}

/// The narrowest and the widest inline size that content asks for (CSS Sizing 3, section 4).
package struct IntrinsicSizes: Hashable, Sendable {
  package var minimum: LayoutUnit
  package var maximum: LayoutUnit
  package init(minimum: LayoutUnit = .zero, maximum: LayoutUnit = .zero) {
    self.minimum = minimum
    self.maximum = Swift.max(minimum, maximum)
  }
}
