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

  // MARK: Baselines

  /// An item takes part in the baseline alignment of its line.
  func alignsBaseline(_ item: Item) -> Bool {
    (item.alignment == .baseline || item.alignment == .lastBaseline) && !item.autoMargins.crossStart
      && !item.autoMargins.crossEnd
  }

  /// The baseline that an item shares with others of its line, from the edge of its margin box.
  private func sharedBaseline(of item: Item) -> SharedBaseline? {
    guard alignsBaseline(item) else { return nil }
    var shared = context.sharedBaseline(
      of: item.box, item.baselines, size: item.cross, isLast: item.alignment == .lastBaseline, alongLines: !isRow)
    let margins = item.margins
    shared.distance +=
      shared.edge == .start
      ? isRow ? margins.blockStart : margins.lineLeft : isRow ? margins.blockEnd : margins.lineRight
    return shared
  }

  /// The baselines of a line.
  func baselines(of items: [Item], _ line: Range<Int>) -> SharedBaselines {
    var found = SharedBaselines()
    for index in line {
      if let shared = sharedBaseline(of: items[index]) { found.include(shared.distance, from: shared.edge) }
    }
    return found
  }

  /// The cross size that the items of a line ask for (section 9.4, step 8).
  func crossSize(of items: [Item], _ line: Range<Int>) -> LayoutUnit {
    var size = LayoutUnit.zero
    let baselines = baselines(of: items, line)
    for item in items[line] {
      var outer = item.cross + crossMargins(item)
      if let shared = sharedBaseline(of: item), let most = baselines[shared.edge] { outer += most - shared.distance }
      size = Swift.max(size, outer)
    }
    return size
  }

  /// The items whose baselines are the container's: those that share one in its first line and in its last, as they
  /// follow each other in the page, or the first and the last there (section 8.5).
  func giveBaselines(to result: inout ItemRows, of items: [Item], _ lines: [Range<Int>]) {
    guard let first = lines.first, let last = lines.last else { return }
    let isTurned = style.flexWrap == .wrapReverse
    func find(_ line: Range<Int>, _ edge: StaticEdge) -> Int? {
      guard isRow else { return nil }
      let sharing = line.filter { alignsBaseline(items[$0]) }
      return sharing.first { sharedBaseline(of: items[$0])?.edge == edge } ?? sharing.first
    }
    func place(_ index: Int) -> LayoutUnit { isRow ? .zero : result.items[index].offset.block }
    let (start, end) = isTurned ? (last, first) : (first, last)
    if let item = find(start, .start) ?? start.min(by: { place($0) < place($1) }) {
      result.items[item].givesFirstBaseline = true
    }
    if let item = find(end, .end) ?? end.reversed().max(by: { place($0) < place($1) }) {
      result.items[item].givesLastBaseline = true
    }
  }

  // MARK: Places

  /// The cross offset of an item: by its `auto` margins, or by `align-self` (section 9.6).
  func crossOffset(of item: Item, lineCross: LayoutUnit, _ baselines: SharedBaselines) -> LayoutUnit {
    let free = lineCross - item.cross - crossMargins(item)
    let startsAtRight = !isRow && direction == .rtl
    if item.autoMargins.crossStart || item.autoMargins.crossEnd {
      guard free > .zero else { return startsAtRight ? free : .zero }
      return item.autoMargins.crossStart ? (item.autoMargins.crossEnd ? free / 2 : free) : .zero
    }
    if let shared = sharedBaseline(of: item), let most = baselines[shared.edge] {
      return shared.edge == .start ? most - shared.distance : free - most + shared.distance
    }
    let isAtEnd: Bool
    switch item.alignment.inRoom(free) {
    case .center: return free / 2
    case .start: isAtEnd = startsAtRight
    case .end: isAtEnd = !startsAtRight
    case .selfStart: isAtEnd = context.startsAtEnd(item.box, alongLines: !isRow)
    case .selfEnd: isAtEnd = !context.startsAtEnd(item.box, alongLines: !isRow)
    case .flexEnd: isAtEnd = !crossRunsFromEnd
    default: isAtEnd = crossRunsFromEnd
    }
    return isAtEnd ? free : .zero
  }
}
