import BoxGeneration
package import Primitives

/// Adjoining vertical margins on their way to one (CSS 2.2, section 8.3.1): the largest positive and the most negative one.
package struct MarginStrut: Hashable, Sendable {
  package var positive = LayoutUnit.zero
  package var negative = LayoutUnit.zero
  package init() {}
  package mutating func append(_ margin: LayoutUnit) {
    if margin < .zero { negative = Swift.min(negative, margin) } else { positive = Swift.max(positive, margin) }
  }
  package var sum: LayoutUnit { positive + negative }
  package var isEmpty: Bool { positive == .zero && negative == .zero }
}

/// What a layout function is told: the room it has and where it stands.
///
/// Block formatting context (BFC) coordinates are line-relative from the BFC root's content box.
package struct ConstraintSpace {
  /// Containing block's content width: what percentages of inline sizes, margins and paddings refer to, and what `auto` fills.
  package var availableInline: LayoutUnit
  /// Containing block's content height when it is definite: what percentages of block sizes refer to.
  package var percentageBlock: LayoutUnit?
  /// The direction of the containing block.
  package var direction: TextDirection
  /// The border-box inline size is this, whatever `width` says (flex items, table cells, shrink-to-fit done by the caller).
  package var fixedInline: LayoutUnit?
  /// The border-box block size is this (flex items, table cells stretched to their row).
  package var fixedBlock: LayoutUnit?
  /// The block size is the content's, whatever `height` says: how much a table cell has to align.
  package var ignoresBlockSize = false
  /// Border and padding, when the caller has computed them already.
  package var geometry: BoxGeometry?
  /// Whether the box is the content of a column, or lies in one's formatting context.
  var column = ColumnRole.none

  // MARK: Block formatting context

  /// The box starts its own formatting context: exclusions begin empty and margins do not collapse with its content.
  package var isNewFormattingContext: Bool
  /// Where the box's line-left border edge is in BFC coordinates.
  package var bfcInline: LayoutUnit = .zero
  /// Where the box's block-start border edge would be with `strut` not yet added.
  package var bfcBlock: LayoutUnit = .zero
  /// Margins that adjoin the box's block-start margin, not its own.
  package var strut = MarginStrut()
  /// The block-start border edge is at `bfcBlock` exactly: clearance has moved it there, and its margin has no effect.
  package var isPlaced = false
  /// The BFC block offset is known already (a second try with floats placed right): use it, do not compute it.
  package var forcedBFCBlock: LayoutUnit?
  package var exclusions = ExclusionSpace()
  /// Free room under the text before the box: annotations of its first line may use it.
  package var spaceAbove: LayoutUnit = .zero

  // MARK: Fragmentation

  /// Block size of the page area; nil when nothing may break here (measuring, inside monolithic content).
  package var fragmentainerSize: LayoutUnit?
  /// Block offset of the BFC's origin from the page area's top, so that adding a BFC block offset gives a place on the page. For
  /// a box that starts a formatting context: of its border box.
  package var fragmentainerOffset: LayoutUnit = .zero
  /// The caller only wants sizes: fragments are thrown away.
  package var isMeasuring = false
  /// Nothing has been placed on this page before the box: breaking before it makes no progress.
  package var isAtPageStart = false
  /// Where on the page that begins which stands before the box and is not to be parted from it, such as a heading: `.zero`
  /// where no earlier place offers a better break. Nil where a break before the box breaks no rule.
  var keptFrom: LayoutUnit?
  /// No page can hold the box: `break-inside: avoid` of its own says nothing.
  var isTallerThanPage = false
  /// The box follows an unforced break: its block-start margin is dropped (CSS Fragmentation 3, section 5.2).
  package var discardsStartMargin = false
  /// Line-left offset of the BFC's origin from the page area's line-left edge; for a box that starts one, of its border box.
  package var pageInline: LayoutUnit = .zero

  package init(
    availableInline: LayoutUnit, percentageBlock: LayoutUnit? = nil, direction: TextDirection = .ltr,
    isNewFormattingContext: Bool
  ) {
    self.availableInline = availableInline
    self.percentageBlock = percentageBlock
    self.direction = direction
    self.isNewFormattingContext = isNewFormattingContext
  }
}

/// Where a positioned box without offsets stands in the room of its static position.
package enum StaticEdge: UInt8, Hashable, Sendable {
  case start, center, end
  var opposite: Self { self == .start ? .end : self == .end ? .start : .center }
  /// How much of what is left over stands before the box.
  func share(of free: LayoutUnit) -> LayoutUnit { self == .start ? .zero : self == .center ? free / 2 : free }
}

/// A box out of flow on its way up to its containing block.
package struct OutOfFlowBox: Sendable {
  package var box: BoxID
  /// Where it would have been in the flow, line-relative to the fragment that reports it (CSS 2.2, section 10.3.7).
  package var staticOffset: LogicalOffset
  /// Width of the containing block at the static position, for right-to-left static positions.
  package var staticInlineSize: LayoutUnit
  package var staticDirection: TextDirection
  /// In a flex container, line-left to line-right; nil elsewhere, where the direction decides.
  package var inlineEdge: StaticEdge?
  package var blockEdge = StaticEdge.start
  package var staticBlockSize = LayoutUnit.zero
  package init(box: BoxID, staticOffset: LogicalOffset, staticInlineSize: LayoutUnit, staticDirection: TextDirection) {
    self.box = box
    self.staticOffset = staticOffset
    self.staticInlineSize = staticInlineSize
    self.staticDirection = staticDirection
  }
}

/// What every layout function returns.
package struct LayoutResult {
  /// The box's fragment on this page, not attached yet; `.none` when the break is before it.
  package var fragment: FragmentID
  /// Border box.
  package var size: LogicalSize
  /// Where to go on, nil when the box is complete.
  package var next: BreakToken?
  /// Block-start border edge in BFC coordinates; nil when the box is empty and its margins collapse through it.
  package var bfcBlock: LayoutUnit?
  /// Margins at the box's end that adjoin what follows. When `bfcBlock` is nil it holds all of the box's margins and those before.
  package var endStrut = MarginStrut()
  package var exclusions = ExclusionSpace()
  /// Where floats of a box without a known place were placed as if it stood; a different place asks for a second try.
  package var assumedBFCBlock: LayoutUnit?
  /// Where an empty box stands whose margins collapse through it: as if it had a border at its end (CSS 2.2, section 8.3.1).
  package var emptyBlock: LayoutUnit?
  /// The box is empty and clearance placed it: its block-start margin, which with its end margin collapses through it.
  package var clearedStart: LayoutUnit?
  /// First and last baseline, from the border box's block-start edge.
  package var firstBaseline: LayoutUnit?
  package var lastBaseline: LayoutUnit?
  /// Free room under the text that the box ends with.
  package var spaceBelow = LayoutUnit.zero
  package var outOfFlow: [OutOfFlowBox] = []
  /// A table that lies on its side and does not fit: what follows it may be set before it.
  package var isLyingTable = false

  package init(fragment: FragmentID, size: LogicalSize, next: BreakToken? = nil) {
    self.fragment = fragment
    self.size = size
    self.next = next
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
