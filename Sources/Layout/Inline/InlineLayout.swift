import BoxGeneration
import CSS
package import Primitives
import Styling
import Text

/// The room of an inline formatting context: the content box of its block container.
package struct InlineSpace {
  /// The content box's width, and its place in the block formatting context's coordinates.
  package var contentInline: LayoutUnit
  package var bfcOffset: LogicalOffset
  package var percentageBlock: LayoutUnit?
  package var exclusions: ExclusionSpace
  /// The fragmentainer: at its start, one line must be placed even if it does not fit.
  package var fragmentainer = Fragmentainer()
  /// A break before the first line would part it from a heading that no earlier break takes along: too few lines are better.
  var isHeld = false
  /// Block size that border and padding of the container's end need below the last line of the text: at a break they are cut off (CSS
  /// Fragmentation 3, section 5.4).
  package var blockEndReserve: LayoutUnit = .zero
  /// A float met now is met on the first line of its text.
  var isFirstLine = false
  /// Width of the space that stands between an initial letter that is a word and the next one.
  var wordSpace = LayoutUnit.zero
  /// The distance by which the baseline of an initial letter's first line is lower than that of plain text.
  var initialLowering = LayoutUnit.zero
  /// The line that is the last one shown, counted from where this part of the text begins; nil where all are.
  var linesLeft: Int32?
  /// Free room above the first line that its annotations may use.
  package var spaceAbove: LayoutUnit = .zero

  init(
    contentInline: LayoutUnit, bfcOffset: LogicalOffset = LogicalOffset(),
    percentageBlock: LayoutUnit? = nil, exclusions: ExclusionSpace = ExclusionSpace()
  ) {
    self.contentInline = contentInline
    self.bfcOffset = bfcOffset
    self.percentageBlock = percentageBlock
    self.exclusions = exclusions
  }
}

/// The result of inline layout: lines attached to the container's fragment.
package struct InlineResult {
  /// Height of the lines, gaps that floats forced included.
  package var blockSize = LayoutUnit.zero
  package var lineCount = 0
  /// The break that the next page goes on from; nil at the paragraph's end.
  package var next: InlineBreak?
  /// The atomic inlines of the last line that go on there first.
  var parts: [BreakToken.AtomicPart] = []
  /// No line fits, or orphans forbid the ones that do: break before the container. No fragment is attached then.
  package var breaksBefore = false
  package var rank = BreakRank.perfect
  package var exclusions = ExclusionSpace()
  package var baselines = Baselines()
  /// Free room under the text of the last line.
  package var spaceBelow = LayoutUnit.zero
  /// Offsets are relative to the container's fragment.
  package var outOfFlow: [OutOfFlowBox] = []
  /// The end of the last line shown, if others follow it that are not.
  var clampedBlock: LayoutUnit?
  /// Widest line, for shrink-to-fit checks and overflow records.
  package var inlineExtent = LayoutUnit.zero
  package init() {}
}

extension InlineLayouter {
  /// Sets the lines of an inline formatting context and attaches them to `parent`, the fragment of its block container. `parts`
  /// are what atomic inlines of the page before have left.
  ///
  /// Lines are placed while they fit the page and `orphans`, `widows` allow; the result says where to go on. `contentOffset` is
  /// the place of the content box in `parent`, line-relative; baselines and positioned boxes of the result are relative to
  /// `parent` too.
  ///
  /// - Complexity: O(text set), and O(text) the first time, to shape it.
  static func layout(
    _ box: BoxID, text: TextID, in space: InlineSpace, from start: InlineBreak? = nil,
    parts: [BreakToken.AtomicPart] = [],
    parent: FragmentID, contentOffset: LogicalOffset, direction: TextDirection, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> InlineResult {
    let paragraph = context.acquireParagraph(text)
    defer { context.release(paragraph) }
    var layouter = InlineLayouter(
      context: context, box: box, text: text, space: space, from: start, parent: parent, contentOffset: contentOffset,
      direction: direction, paragraph: paragraph, progress: progress)
    layouter.run(parts: parts)
    return layouter.finish(&progress)
  }
}

extension LayoutContext {
  /// A text makes a line box (CSS 2.2, section 9.4.2), unless it holds nothing but white space that collapses, inline boxes
  /// without margins, borders and padding along the line, floats other than initial letters, and positioned boxes. `place` is the
  /// place from which on it is examined: a run, and the UTF-16 unit in the text.
  package func hasLines(_ text: TextID, from place: (run: Int, unit: UInt32)? = nil) -> Bool {
    let attributed = tree.texts.texts[text.index]
    var position = place?.unit ?? 0
    for index in (place?.run ?? attributed.runs.lowerBound)..<attributed.runs.upperBound {
      let run = tree.texts.runs[index]
      defer { position = run.end }
      switch run.kind {
      case .object, .lineBreak, .marker: return true
      case .open: if hasInlineEdge(run.box) { return true }
      case .openRuby: if !tree.boxes[run.box.index].text.isNone { return true }
      case .text:
        let values = tree.texts.attributes[tree.texts.attributes[run.attributes].shaping]
        guard values.whiteSpaceCollapse == .collapse || values.whiteSpaceCollapse == .preserveBreaks else {
          if run.end > position { return true }
          continue
        }
        let base = attributed.units.lowerBound
        for unit in position..<Swift.max(position, run.end) where tree.texts.units[base + Int(unit)] != 0x20 {
          return true
        }
      case .float: if tree.boxes[run.box.index].flags.contains(.initialLetter) { return true }
      case .close, .closeRuby, .positioned, .bidiControl: break
      }
    }
    return false
  }
}
