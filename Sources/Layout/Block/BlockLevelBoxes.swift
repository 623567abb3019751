import BoxGeneration
import CSS
import Primitives
import Styling
import Text

extension LayoutContext {
  /// Used block-start margin, `auto` as 0.
  func startMargin(of box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    margins(of: box, availableInline: availableInline).blockStart
  }
  /// Adds a box's block-start margin and those of its first descendants that collapse with it (CSS 2.2, section 8.3.1).
  func appendStartMargins(of box: BoxID, availableInline: LayoutUnit, to strut: inout MarginStrut) {
    var box = box
    var depth = 0
    while depth < 64 {
      depth += 1
      strut.append(startMargin(of: box, availableInline: availableInline))
      let value = tree.boxes[box.index]
      guard value.kind == .block, value.content == .boxes, !value.establishesFormattingContext else { return }
      let geometry = borderAndPadding(of: box, availableInline: availableInline)
      guard geometry.border.blockStart + geometry.padding.blockStart == .zero else { return }
      var child = value.firstChild
      while !child.isNone, tree.boxes[child.index].flags.isOutOfNormalFlow {
        child = tree.boxes[child.index].nextSibling
      }
      guard !child.isNone, styles.boxes[tree.boxes[child.index].style.box.index].clear == .none else { return }
      box = child
    }
  }
  func endMargin(of box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    margins(of: box, availableInline: availableInline).blockEnd
  }

  /// Border-box inline size of boxes that never fill their containing block: tables and replaced elements; nil for others.
  /// `available` is for the border box: what the containing block has beside the box's margins.
  func intrinsicInline(of box: BoxID, available: LayoutUnit, containing: LayoutUnit, percentageBlock: LayoutUnit?)
    -> LayoutUnit?
  {
    let value = tree.boxes[box.index]
    if value.content == .replaced {
      let geometry = borderAndPadding(of: box, availableInline: containing)
      return replacedSize(of: box, geometry: geometry, availableInline: containing, percentageBlock: percentageBlock)
        .inline
    }
    if hasTurnedFlows, crosses(value) {
      return sizeAcross(box, containing: containing, percentageBlock: percentageBlock)
    }
    if value.kind == .table {
      return tableInlineSize(box, available: Swift.max(.zero, available), containing: containing)
    }
    return nil
  }

  /// An inline-block, inline-table or inline replaced box: its fragment, not attached yet.
  func layoutAtomicInline(
    _ box: BoxID, availableInline: LayoutUnit, percentageBlock: LayoutUnit?, part: PartSpace? = nil
  ) -> LayoutResult {
    let margins = margins(of: box, availableInline: availableInline)
    var space = ConstraintSpace(
      availableInline: availableInline, percentageBlock: percentageBlock, isNewFormattingContext: true)
    space.fixedInline = outOfFlowInline(
      box, available: Swift.max(.zero, availableInline - margins.inlineSum), containing: availableInline,
      percentageBlock: percentageBlock)
    if let part {
      space.fragmentainerSize = part.size
      space.fragmentainerOffset = part.offset
      space.isAtPageStart = part.isAtPageStart
    }
    var result = layout(box, in: space, from: part?.token)
    // The baseline of an inline-block is its last line's, unless it clips its content (CSS 2.2, section 10.8.1).
    let style = styles.boxes[tree.boxes[box.index].style.box.index]
    if style.overflowY != .visible, tree.boxes[box.index].kind != .table {
      result.firstBaseline = nil
      result.lastBaseline = nil
    }
    return result
  }

  /// Block size of a box laid out in `space`, without leaving fragments; each box and inline size is measured once.
  func measuredBlockSize(of box: BoxID, in space: ConstraintSpace) -> (block: LayoutUnit, firstBaseline: LayoutUnit?) {
    let key = MeasureKey(
      box: box, inline: space.fixedInline ?? space.availableInline, percentage: space.percentageBlock ?? .min,
      ignoresBlockSize: space.ignoresBlockSize)
    if let known = measureCache[key] { return known }
    if trials.isExhausted, trials.depth > 0 { return (.zero, nil) }
    trials.begin()
    defer { trials.end() }
    let mark = mark()
    let noted = (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow)
    var measuring = space
    measuring.isMeasuring = true
    measuring.fragmentainerSize = nil
    let result = layout(box, in: measuring)
    rewind(to: mark)
    (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow) = noted
    measureCache[key] = (result.size.block, result.firstBaseline)
    return (result.size.block, result.firstBaseline)
  }
}

struct MeasureKey: Hashable {
  var box: BoxID
  var inline: LayoutUnit
  var percentage: LayoutUnit
  var ignoresBlockSize: Bool
}

extension LayoutContext {
  /// Whether a text without lines still holds floats or positioned boxes.
  func hasOutOfFlow(_ text: TextID) -> Bool {
    let runs = tree.texts.texts[text.index].runs
    for index in runs {
      let kind = tree.texts.runs[index].kind
      if kind == .float || kind == .positioned { return true }
    }
    return false
  }
}
