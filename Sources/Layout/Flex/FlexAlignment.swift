import BoxGeneration
import CSS
import Primitives
import Styling

/// The alignment of items along their lines and across them (CSS Flexible Box 1, sections 9.5 and 9.6).
extension FlexLayout {
  var isReversed: Bool { style.flexDirection == .rowReverse || style.flexDirection == .columnReverse }
  var runsFromRight: Bool { isRow && (isReversed != (direction == .rtl)) }
  /// Lines begin at the block end, or at the right of a column.
  var crossRunsFromEnd: Bool { (style.flexWrap == .wrapReverse) != (!isRow && direction == .rtl) }

  /// `justify-content` as it is seen from where the main axis starts.
  func mainAlignment(_ free: LayoutUnit) -> AlignmentValue {
    let value = style.justifyContent.inRoom(free)
    guard value == .left || value == .right else { return value.alongAxis(isReversed: isReversed) }
    if isRow { return (value == .left) == runsFromRight ? .flexEnd : .flexStart }
    // Columns of horizontal lines run neither to the left nor to the right.
    let isStart = context.writingMode.isHorizontal || (value == .left) == (context.writingMode.blockStart == .left)
    return (isStart ? AlignmentValue.start : .end).alongAxis(isReversed: isReversed)
  }

  /// The height above the baseline of the items of a line that are aligned on their baselines.
  func baselineHeight(of items: [Item], _ line: Range<Int>) -> LayoutUnit {
    line.lazy.filter { items[$0].alignment == .baseline }.reduce(.zero) {
      Swift.max($0, items[$1].baseline + items[$1].margins.blockStart)
    }
  }

  /// The cross offset of an item: by its `auto` margins, or by `align-self` (section 9.6).
  func crossOffset(of item: Item, lineCross: LayoutUnit, baselineHeight: LayoutUnit) -> LayoutUnit {
    let free = lineCross - item.cross - crossMargins(item)
    let startsAtRight = !isRow && direction == .rtl
    if item.autoMargins.crossStart || item.autoMargins.crossEnd {
      guard free > .zero else { return startsAtRight ? free : .zero }
      return item.autoMargins.crossStart ? (item.autoMargins.crossEnd ? free / 2 : free) : .zero
    }
    let isAtEnd: Bool
    switch item.alignment.inRoom(free) {
    case .center: return free / 2
    case .baseline where isRow:
      let offset = baselineHeight - item.baseline - item.margins.blockStart
      return crossRunsFromEnd ? free - offset : offset
    case .start: isAtEnd = startsAtRight
    case .end: isAtEnd = !startsAtRight
    case .selfStart: isAtEnd = context.startsAtEnd(item.box, alongLines: !isRow)
    case .selfEnd, .lastBaseline: isAtEnd = !context.startsAtEnd(item.box, alongLines: !isRow)
    case .flexEnd: isAtEnd = !crossRunsFromEnd
    default: isAtEnd = crossRunsFromEnd
    }
    return isAtEnd ? free : .zero
  }
}
