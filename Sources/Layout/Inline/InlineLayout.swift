import BoxGeneration
package import Primitives

/// The room of an inline formatting context: the content box of its block container.
package struct InlineSpace {
  /// The content box's width, and its place in the block formatting context's coordinates.
  package var contentInline: LayoutUnit
  package var bfcInline: LayoutUnit
  package var bfcBlock: LayoutUnit
  package var percentageBlock: LayoutUnit?
  package var exclusions: ExclusionSpace
  package var fragmentainerSize: LayoutUnit?
  package var fragmentainerOffset: LayoutUnit
  /// Nothing is on this page before the first line: one line must be placed even if it does not fit.
  package var isAtPageStart: Bool
  package var isMeasuring: Bool
  /// Block size that border and padding of the container's end need below the last line on this page.
  package var blockEndReserve: LayoutUnit = .zero

  package init(
    contentInline: LayoutUnit, bfcInline: LayoutUnit, bfcBlock: LayoutUnit, percentageBlock: LayoutUnit?,
    exclusions: ExclusionSpace,
    fragmentainerSize: LayoutUnit?, fragmentainerOffset: LayoutUnit, isAtPageStart: Bool, isMeasuring: Bool
  ) {
    self.contentInline = contentInline
    self.bfcInline = bfcInline
    self.bfcBlock = bfcBlock
    self.percentageBlock = percentageBlock
    self.exclusions = exclusions
    self.fragmentainerSize = fragmentainerSize
    self.fragmentainerOffset = fragmentainerOffset
    self.isAtPageStart = isAtPageStart
    self.isMeasuring = isMeasuring
  }
}

/// What inline layout made: lines attached to the container's fragment.
package struct InlineResult {
  /// Height of the lines, gaps that floats forced included.
  package var blockSize = LayoutUnit.zero
  package var lineCount = 0
  /// Where the next page goes on, nil at the paragraph's end.
  package var next: InlineBreak?
  /// No line fits, or orphans forbid the ones that do: break before the container. No fragment is attached then.
  package var breaksBefore = false
  package var rank = BreakRank.perfect
  package var exclusions = ExclusionSpace()
  package var firstBaseline: LayoutUnit?
  package var lastBaseline: LayoutUnit?
  /// Offsets are relative to the container's fragment.
  package var outOfFlow: [OutOfFlowBox] = []
  /// Widest line, for shrink-to-fit checks and overflow records.
  package var inlineExtent = LayoutUnit.zero
  package init() {}
}
