import BoxGeneration
import CSS
import Primitives
import Styling

/// The items of one flex container, sized and placed whole. "Main" and "cross" are the axes of section 2.
struct FlexLayout {
  let context: LayoutContext
  let box: BoxID
  let style: BoxStyle
  let contentInline: LayoutUnit
  let contentBlock: LayoutUnit?
  /// Line-left edge of the content box on the page.
  let pageInline: LayoutUnit
  /// Limits that `min-height` and `max-height` set on the content box.
  let leastBlock: LayoutUnit
  let mostBlock: LayoutUnit
  /// The content block size comes from a ratio, and is no less than the content.
  let growsWithContent: Bool
  let direction: TextDirection
  let isRow: Bool
  let isSingleLine: Bool
  let mainGap: LayoutUnit
  let crossGap: LayoutUnit

  struct Item {
    let box: BoxID
    let style: BoxStyle
    let geometry: BoxGeometry
    let margins: FlowEdges
    let autoMargins: (start: Bool, end: Bool, crossStart: Bool, crossEnd: Bool)
    /// Border-box sizes.
    var base = LayoutUnit.zero
    var hypothetical = LayoutUnit.zero
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.max
    var main = LayoutUnit.zero
    /// From the start of the content box, in the direction of rows from the left, of columns from above.
    var mainPlace = LayoutUnit.zero
    var cross = LayoutUnit.zero
    /// Border-box block size were it the content's.
    var contentBlock = LayoutUnit.zero
    var baselines = Baselines()
    var isFrozen = false
    var alignment = AlignmentValue.stretch
    var crossIsAuto = true
    /// Percentages do not refer to the item.
    var isIndefinite = false
  }

  /// Flex containers (CSS Flexible Box 1, section 9).
  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    ItemRowLayout.layout(box, in: space, from: token, context, &progress) { key in
      var flex = FlexLayout(context: context, key: key)
      return flex.run()
    }
  }

  init(context: LayoutContext, key: ItemRowsKey) {
    self.context = context
    box = key.box
    let value = context.tree.boxes[box.index]
    style = context.styles.boxes[value.style.box.index]
    contentInline = key.inline
    contentBlock = key.block
    pageInline = key.pageInline
    leastBlock = key.least
    mostBlock = key.most
    growsWithContent = key.growsWithContent
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
    isSingleLine = style.flexWrap == .nowrap
    func gap(_ value: SpacingValue, _ base: LayoutUnit) -> LayoutUnit {
      guard case .length(let length) = value else { return .zero }
      return Swift.max(
        .zero, context.resolve(length, font: context.tree.boxes[key.box.index].style.font, percentage: base))
    }
    let columnGap = gap(style.columnGap, contentInline)
    let rowGap = gap(style.rowGap, contentBlock ?? .zero)
    mainGap = isRow ? columnGap : rowGap
    crossGap = isRow ? rowGap : columnGap
  }

  func clampBlock(_ size: LayoutUnit) -> LayoutUnit { Swift.max(leastBlock, Swift.min(size, mostBlock)) }

  /// The block size of the content box, given what the items need.
  private func usedBlock(of content: LayoutUnit) -> LayoutUnit {
    guard let contentBlock else { return clampBlock(content) }
    return growsWithContent ? clampBlock(Swift.max(contentBlock, content)) : contentBlock
  }

  mutating func run() -> ItemRows {
    var result = ItemRows()
    var items = collectItems(&result.outOfFlow)
    for index in items.indices { measure(&items[index]) }
    let lines = collectLines(
      items, available: isRow ? contentInline : contentBlock ?? (mostBlock < .max ? mostBlock : nil))
    // The main size of a column that is as high as its content is limited before its items flex (section 9.3).
    let availableMain =
      isRow ? contentInline : usedBlock(of: lines.map { outerMain(items, $0) }.max() ?? .zero)
    var crossSizes: [LayoutUnit] = []
    for line in lines {
      resolveFlexibleLengths(&items, line, available: availableMain)
      placeAlongMain(&items, line, available: availableMain)
      for index in line { measureCross(&items[index]) }
      crossSizes.append(crossSize(of: items, line))
    }
    if isSingleLine, !crossSizes.isEmpty { crossSizes[0] = isRow ? usedBlock(of: crossSizes[0]) : contentInline }
    let usedCross = crossSizes.reduce(.zero, +) + crossGap * Swift.max(0, lines.count - 1)
    let containerCross = isRow ? usedBlock(of: usedCross) : contentInline

    // Lines along the cross axis (section 9.6).
    var free = containerCross - usedCross
    if style.alignContent == .stretch || style.alignContent == .normal, !isSingleLine, free > .zero, !crossSizes.isEmpty
    {
      for index in crossSizes.indices { crossSizes[index] += free / crossSizes.count }
      free = .zero
    }
    var (crossAt, crossStep) = (isSingleLine ? .flexStart : style.alignContent).inRoom(free)
      .alongAxis(isReversed: style.flexWrap == .wrapReverse).distribution(free: free, count: lines.count)
    for (position, line) in lines.enumerated() {
      let lineCross = crossSizes[position]
      let start = crossRunsFromEnd ? containerCross - crossAt - lineCross : crossAt
      let first = result.items.count
      place(items, line, lineCross: lineCross, crossAt: start, into: &result)
      if isRow {
        result.rows.append(
          ItemRows.Row(start: start, end: start + lineCross, reach: 0, items: Array(first..<result.items.count)))
      }
      crossAt += lineCross + crossGap + crossStep
    }
    if !isRow { makeColumnRows(&result, lines: lines, items: items) }
    result.rows.sort { $0.start < $1.start }
    for index in result.rows.indices { result.rows[index].reach = index + 1 }
    for index in result.tracks.indices { result.tracks[index].sort { $0.start < $1.start } }
    giveBaselines(to: &result, of: items, lines)
    placeOutOfFlow(&result.outOfFlow, cross: containerCross, main: availableMain)
    return result
  }

  /// Items of a single column are rows of their own; several columns stand or fall together.
  private func makeColumnRows(_ result: inout ItemRows, lines: [Range<Int>], items: [Item]) {
    if lines.count > 1 { result.tracks = lines.map { _ in [] } }
    for (index, item) in result.items.enumerated() {
      let start = item.offset.block - item.margins.blockStart
      let end = item.offset.block + items[index].main + item.margins.blockEnd
      if lines.count > 1 {
        result.tracks[lines.firstIndex { $0.contains(index) } ?? 0].append(
          ItemRows.Row(start: start, end: end, reach: 0, items: [index]))
      }
      if lines.count > 1, !result.rows.isEmpty {
        result.rows[0].start = Swift.min(result.rows[0].start, start)
        result.rows[0].end = Swift.max(result.rows[0].end, end)
        result.rows[0].items.append(index)
      } else {
        result.rows.append(ItemRows.Row(start: start, end: end, reach: 0, items: [index]))
      }
    }
  }

  /// Positioned children stand as if each were the only item (section 4.1).
  private func placeOutOfFlow(_ boxes: inout [OutOfFlowBox], cross: LayoutUnit, main: LayoutUnit) {
    for index in boxes.indices {
      let own = context.styles.boxes[context.tree.boxes[boxes[index].box.index].style.box.index]
      let alignment = own.alignSelf == .auto ? style.alignItems : own.alignSelf
      func edge(_ value: AlignmentValue, isFlipped: Bool) -> StaticEdge {
        let edge: StaticEdge =
          switch value.position {
          case .center, .spaceAround, .spaceEvenly: .center
          case .end, .selfEnd, .lastBaseline: .end
          case .left where isRow: direction == .ltr ? .start : .end
          case .right where isRow: direction == .ltr ? .end : .start
          case .flexEnd: isFlipped ? .start : .end
          case .start, .selfStart: .start
          default: isFlipped ? .end : .start
          }
        return value.isSafe ? edge.safe(from: .start) : edge
      }
      let mainEdge = edge(style.justifyContent, isFlipped: isReversed)
      let crossEdge = edge(alignment, isFlipped: style.flexWrap == .wrapReverse)
      let inlineEdge = isRow ? mainEdge : crossEdge
      boxes[index].inlineEdge = direction == .ltr ? inlineEdge : inlineEdge.opposite
      boxes[index].blockEdge = isRow ? crossEdge : mainEdge
      boxes[index].staticBlockSize = isRow ? cross : main
    }
  }

  func collectItems(_ outOfFlow: inout [OutOfFlowBox]) -> [Item] {
    var items: [Item] = []
    var child = context.tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = context.tree.boxes[child.index]
      defer { child = value.nextSibling }
      let own = context.styles.boxes[value.style.box.index]
      if value.flags.contains(.outOfFlow) {
        outOfFlow.append(
          OutOfFlowBox(
            box: child, staticOffset: .zero, staticInlineSize: contentInline, staticDirection: direction))
        continue
      }
      let sides = context.flow(own.margin)
      var item = Item(
        box: child, style: own, geometry: context.borderAndPadding(of: child, availableInline: contentInline),
        margins: context.margins(of: child, availableInline: contentInline),
        autoMargins: isRow
          ? (sides.lineLeft == .auto, sides.lineRight == .auto, sides.blockStart == .auto, sides.blockEnd == .auto)
          : (sides.blockStart == .auto, sides.blockEnd == .auto, sides.lineLeft == .auto, sides.lineRight == .auto))
      item.alignment = own.alignSelf == .auto ? style.alignItems : own.alignSelf
      if item.alignment == .normal || item.alignment == .auto { item.alignment = .stretch }
      items.append(item)
    }
    return items.enumerated().sorted { ($0.element.style.order, $0.offset) < ($1.element.style.order, $1.offset) }.map {
      $0.element
    }
  }

  private func mainMargins(_ item: Item) -> LayoutUnit { isRow ? item.margins.inlineSum : item.margins.blockSum }
  func crossMargins(_ item: Item) -> LayoutUnit { isRow ? item.margins.blockSum : item.margins.inlineSum }
  private func outerMain(_ items: [Item], _ line: Range<Int>) -> LayoutUnit {
    line.reduce(.zero) { $0 + items[$1].main + mainMargins(items[$1]) } + mainGap * Swift.max(0, line.count - 1)
  }

  func collectLines(_ items: [Item], available: LayoutUnit?) -> [Range<Int>] {
    guard !items.isEmpty else { return [] }
    guard style.flexWrap != .nowrap, let available else { return [0..<items.count] }
    var lines: [Range<Int>] = []
    var start = 0
    var used = LayoutUnit.zero
    for index in items.indices {
      let outer = items[index].hypothetical + mainMargins(items[index])
      if index > start, used + mainGap + outer > available {
        lines.append(start..<index)
        start = index
        used = .zero
      }
      used += outer + (index > start ? mainGap : .zero)
    }
    lines.append(start..<items.count)
    return lines
  }

  /// Section 9.7.
  private func resolveFlexibleLengths(_ items: inout [Item], _ line: Range<Int>, available: LayoutUnit?) {
    guard let available else { return }
    let gaps = mainGap * (line.count - 1)
    let sum = line.reduce(gaps) { $0 + items[$1].hypothetical + mainMargins(items[$1]) }
    let grows = sum < available
    for index in line {
      let factor = grows ? items[index].style.flexGrow : items[index].style.flexShrink
      items[index].isFrozen =
        factor == 0 || (grows && items[index].base > items[index].hypothetical)
        || (!grows && items[index].base < items[index].hypothetical)
      if items[index].isFrozen { items[index].main = items[index].hypothetical }
    }
    for _ in 0...line.count {
      let open = line.filter { !items[$0].isFrozen }
      guard !open.isEmpty else { break }
      var used = gaps
      for index in line {
        used += (items[index].isFrozen ? items[index].main : items[index].base) + mainMargins(items[index])
      }
      var free = (available - used).pixels
      let factors = open.reduce(Float(0)) { $0 + (grows ? items[$1].style.flexGrow : items[$1].style.flexShrink) }
      if factors < 1 { free *= Double(factors) }
      let weights = open.map {
        grows ? Double(items[$0].style.flexGrow) : Double(items[$0].style.flexShrink) * items[$0].base.pixels
      }
      let total = weights.reduce(0, +)
      var violation = LayoutUnit.zero
      var targets: [LayoutUnit] = []
      for (position, index) in open.enumerated() {
        let share = total > 0 ? free * weights[position] / total : 0
        let wanted = items[index].base + LayoutUnit(share)
        let clamped = Swift.max(items[index].minimum, Swift.min(wanted, items[index].maximum))
        violation += clamped - wanted
        targets.append(clamped)
        items[index].main = clamped
      }
      for (position, index) in open.enumerated() {
        let share = total > 0 ? free * weights[position] / total : 0
        let wanted = items[index].base + LayoutUnit(share)
        if violation == .zero || (violation > .zero && targets[position] > wanted)
          || (violation < .zero && targets[position] < wanted)
        {
          items[index].isFrozen = true
        }
      }
    }
  }

  private func measureCross(_ item: inout Item) {
    if isRow {
      let measured = context.measuredBlock(of: item.box, in: itemSpace(item, inline: item.main))
      item.cross = measured.block
      item.contentBlock = measured.contentEnd
      item.baselines = measured.baselines
    } else {
      item.cross = flexedInline(item) ?? columnItemInline(item)
      guard alignsBaseline(item) else { return }
      item.baselines = context.measuredBlock(of: item.box, in: columnSpace(item, inline: item.cross)).baselines
    }
  }

  /// The inline size that a ratio gives to an item of a column whose block size has flexed (section 9.4, step 7); nil for others.
  private func flexedInline(_ item: Item) -> LayoutUnit? {
    guard item.main != item.hypothetical, item.crossIsAuto, !isStretchedAcrossColumn(item) else { return nil }
    let value = context.tree.boxes[item.box.index]
    let size =
      value.content == .replaced
      ? context.replacedInline(of: item.box, geometry: item.geometry, block: item.main)
      : context.ratioInline(of: item.box, geometry: item.geometry, block: item.main)
    return size.map {
      context.clampInline(
        $0, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
    }
  }

  /// Main-axis alignment (section 9.5): how wide the lines of an item in a row may be follows from its place.
  private func placeAlongMain(_ items: inout [Item], _ line: Range<Int>, available: LayoutUnit) {
    var free = available - outerMain(items, line)
    let autoCount = line.reduce(0) { $0 + (items[$1].autoMargins.start ? 1 : 0) + (items[$1].autoMargins.end ? 1 : 0) }
    let autoShare = autoCount > 0 && free > .zero ? free / autoCount : .zero
    if autoShare > .zero { free = .zero }
    var (at, step) = mainAlignment(free).distribution(free: free, count: line.count)
    let runsFromEnd = runsFromRight || (!isRow && isReversed)
    for index in line {
      let item = items[index]
      let startMargin =
        (isRow ? (runsFromRight ? item.margins.lineRight : item.margins.lineLeft) : item.margins.blockStart)
      let start = at + startMargin + (item.autoMargins.start ? autoShare : .zero)
      at = start + item.main + mainMargins(item) - startMargin + (item.autoMargins.end ? autoShare : .zero)
      at += mainGap + step
      items[index].mainPlace = runsFromEnd ? available - start - item.main : start
    }
  }

  /// Cross-axis alignment (section 9.6), and the place of each item of a line.
  private func place(
    _ items: [Item], _ line: Range<Int>, lineCross: LayoutUnit, crossAt: LayoutUnit, into result: inout ItemRows
  ) {
    let baselines = baselines(of: items, line)
    for index in line {
      var item = items[index]
      let child = space(of: item, lineCross: lineCross)
      item.cross = (isRow ? child.imposed.block : child.imposed.inline) ?? item.cross
      let crossOffset = crossOffset(of: item, lineCross: lineCross, baselines)
      let crossPlace = (isRow ? item.margins.blockStart : item.margins.lineLeft) + crossOffset + crossAt
      result.items.append(
        PlacedItem(
          box: item.box, space: child,
          offset: isRow
            ? LogicalOffset(inline: item.mainPlace, block: crossPlace)
            : LogicalOffset(inline: crossPlace, block: item.mainPlace),
          margins: item.margins, contentBlock: item.style.overflowY.isScrollable ? .zero : item.contentBlock,
          area: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), growsWithContent: grows(item)))
    }
  }

  /// An item in columns becomes higher where breaks push its content down.
  private func grows(_ item: Item) -> Bool {
    let sizes = context.blockSizes(context.tree.boxes[item.box.index].style.box)
    guard sizes.size == .auto else { return false }
    if isRow { return !(isSingleLine && contentBlock != nil && item.alignment == .stretch) }
    return item.style.flexShrink == 0 || contentBlock == nil || sizes.minimum == .auto
  }

  /// The item may be stretched along the cross axis: a picture with an aspect ratio only in a row of a given height, where it
  /// keeps it.
  private func mayStretch(_ item: Item) -> Bool {
    guard context.tree.boxes[item.box.index].content == .replaced else { return isRow || item.style.aspectRatio == nil }
    return isRow && (stretchedBlock(item) != nil || !hasRatio(item))
  }

  func hasRatio(_ item: Item) -> Bool {
    context.replacedInline(of: item.box, geometry: item.geometry, block: .zero) != nil
  }

  /// The constraint space of an item, stretched to its line (section 9.4, step 11).
  private func space(of item: Item, lineCross: LayoutUnit) -> ConstraintSpace {
    let stretches =
      item.alignment == .stretch && item.crossIsAuto && !item.autoMargins.crossStart && !item.autoMargins.crossEnd
      && mayStretch(item)
    let room = Swift.max(.zero, lineCross - crossMargins(item))
    if isRow {
      var child = itemSpace(item, inline: item.main)
      if stretches {
        child.imposed.block = context.stretchedBlock(
          room, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
      }
      return child
    }
    let inline =
      stretches && !isSingleLine
      ? context.clampInline(
        room, of: item.box, style: context.tree.boxes[item.box.index].style, geometry: item.geometry,
        availableInline: contentInline) : item.cross
    return columnSpace(item, inline: inline)
  }

  private func columnSpace(_ item: Item, inline: LayoutUnit) -> ConstraintSpace {
    var child = itemSpace(item, inline: inline)
    child.imposed.block = item.main
    child.imposed.isIndefinite = item.isIndefinite
    return child
  }
}
