import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// Flex containers (CSS Flexible Box 1, section 9). A container higher than a page is set as a block, so that it can break.
  func layoutFlex(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    if token != nil { return layoutBlock(box, in: space, from: token) }
    let mark = mark()
    var flex = FlexLayout(context: self, box: box, space: space)
    let result = flex.run()
    if let size = space.fragmentainerSize, result.size.block > size, !space.isMeasuring {
      rewind(to: mark)
      return layoutBlock(box, in: space, from: nil)
    }
    if let size = space.fragmentainerSize, !space.isAtPageStart, space.fragmentainerOffset + result.size.block > size {
      rewind(to: mark)
      return LayoutResult(fragment: .none, size: .zero, next: .before(box))
    }
    return result
  }

  /// Min-content and max-content of a flex container's content (section 9.9, without the flex fractions).
  func flexIntrinsicSizes(_ box: BoxID) -> IntrinsicSizes {
    let style = styles.boxes[tree.boxes[box.index].style.box.index]
    let isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
    var sizes = IntrinsicSizes()
    var count = 0
    var child = tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      defer { child = value.nextSibling }
      if value.flags.contains(.outOfFlow) { continue }
      let margins = margins(of: child, availableInline: .zero)
      let own = intrinsicSizes(of: child)
      let minimum = Swift.max(.zero, own.minimum + margins.inlineSum)
      let maximum = Swift.max(.zero, own.maximum + margins.inlineSum)
      if isRow {
        sizes.maximum += maximum
        sizes.minimum = style.flexWrap == .nowrap ? sizes.minimum + minimum : Swift.max(sizes.minimum, minimum)
      } else {
        sizes.maximum = Swift.max(sizes.maximum, maximum)
        sizes.minimum = Swift.max(sizes.minimum, minimum)
      }
      count += 1
    }
    if isRow, count > 1, case .length(let gap) = style.columnGap {
      let gaps = resolve(gap, font: tree.boxes[box.index].style.font, percentage: .zero) * (count - 1)
      sizes.maximum += gaps
      if style.flexWrap == .nowrap { sizes.minimum += gaps }
    }
    return sizes
  }
}

extension AlignmentValue {
  /// The first offset and the extra step of a content distribution (CSS Box Alignment 3, section 5).
  func distribution(free: LayoutUnit, count: Int) -> (LayoutUnit, LayoutUnit) {
    switch self {
    case .end, .flexEnd, .right: return (free, .zero)
    case .center: return (free / 2, .zero)
    case .spaceBetween: return count > 1 && free > .zero ? (.zero, free / (count - 1)) : (.zero, .zero)
    case .spaceAround: return free > .zero && count > 0 ? (free / (count * 2), free / count) : (free / 2, .zero)
    case .spaceEvenly: return free > .zero ? (free / (count + 1), free / (count + 1)) : (free / 2, .zero)
    default: return (.zero, .zero)
    }
  }
}

/// One flex container, laid out whole. "Main" and "cross" are the axes of section 2.
struct FlexLayout {
  let context: LayoutContext
  let box: BoxID
  let space: ConstraintSpace
  let style: BoxStyle
  let geometry: BoxGeometry
  let inlineSize: LayoutUnit
  let contentInline: LayoutUnit
  let contentBlock: LayoutUnit?
  let direction: TextDirection
  let isRow: Bool
  let mainGap: LayoutUnit
  let crossGap: LayoutUnit

  struct Item {
    var box: BoxID
    var style: BoxStyle
    var geometry: BoxGeometry
    var margins: FlowEdges
    var autoMargins: (start: Bool, end: Bool, crossStart: Bool, crossEnd: Bool)
    /// Border-box sizes.
    var base = LayoutUnit.zero
    var hypothetical = LayoutUnit.zero
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.max
    var main = LayoutUnit.zero
    var cross = LayoutUnit.zero
    var baseline = LayoutUnit.zero
    var isFrozen = false
    var alignment = AlignmentValue.stretch
    var crossIsAuto = true
  }

  init(context: LayoutContext, box: BoxID, space: ConstraintSpace) {
    self.context = context
    self.box = box
    self.space = space
    let value = context.tree.boxes[box.index]
    style = context.styles.boxes[value.style.box.index]
    geometry = space.geometry ?? context.borderAndPadding(of: box, availableInline: space.availableInline)
    inlineSize = space.fixedInline ?? space.availableInline
    contentInline = Swift.max(.zero, inlineSize - geometry.border.inlineSum - geometry.padding.inlineSum)
    contentBlock = context.definiteContentBlock(of: box, geometry: geometry, space: space)
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
    func gap(_ value: SpacingValue, _ base: LayoutUnit) -> LayoutUnit {
      guard case .length(let length) = value else { return .zero }
      return Swift.max(.zero, context.resolve(length, font: context.tree.boxes[box.index].style.font, percentage: base))
    }
    let columnGap = gap(style.columnGap, contentInline)
    let rowGap = gap(style.rowGap, contentBlock ?? .zero)
    mainGap = isRow ? columnGap : rowGap
    crossGap = isRow ? rowGap : columnGap
  }

  mutating func run() -> LayoutResult {
    let fragment = context.page.appendBox(box, size: .zero, geometry: geometry)
    var outOfFlow: [OutOfFlowBox] = []
    var items = collectItems(&outOfFlow)
    let availableMain = isRow ? contentInline : contentBlock
    for index in items.indices { measure(&items[index]) }
    var lines = collectLines(items, available: availableMain)
    let isSingleLine = style.flexWrap == .nowrap
    var crossSizes: [LayoutUnit] = []
    for line in lines {
      resolveFlexibleLengths(&items, line, available: availableMain)
      var cross = LayoutUnit.zero
      var above = LayoutUnit.zero
      var below = LayoutUnit.zero
      for index in line {
        measureCross(&items[index])
        let outer = items[index].cross + crossMargins(items[index])
        cross = Swift.max(cross, outer)
        if isRow, items[index].alignment == .baseline {
          above = Swift.max(above, items[index].baseline + items[index].margins.blockStart)
          below = Swift.max(below, outer - items[index].baseline - items[index].margins.blockStart)
        }
      }
      crossSizes.append(Swift.max(cross, above + below))
    }
    let definiteCross = isRow ? contentBlock : contentInline
    if isSingleLine, let definiteCross, !crossSizes.isEmpty { crossSizes[0] = definiteCross }
    if lines.isEmpty {
      lines = []
    }
    let usedCross = crossSizes.reduce(.zero, +) + crossGap * Swift.max(0, lines.count - 1)
    let containerCross = definiteCross ?? usedCross
    var mainExtent = LayoutUnit.zero
    for line in lines { mainExtent = Swift.max(mainExtent, outerMain(items, line)) }
    let containerMain = availableMain ?? mainExtent

    // Lines along the cross axis (section 9.6).
    var free = containerCross - usedCross
    if style.alignContent == .stretch || style.alignContent == .normal, !isSingleLine, free > .zero, !crossSizes.isEmpty
    {
      for index in crossSizes.indices { crossSizes[index] += free / crossSizes.count }
      free = .zero
    }
    var (crossAt, crossStep) = (isSingleLine ? .start : style.alignContent).distribution(free: free, count: lines.count)
    var result = LayoutResult(fragment: fragment, size: .zero)
    let inset = LogicalOffset(
      inline: geometry.border.lineLeft + geometry.padding.lineLeft,
      block: geometry.border.blockStart + geometry.padding.blockStart)
    for (position, line) in lines.enumerated() {
      let lineCross = crossSizes[position]
      place(
        items, line, main: containerMain, lineCross: lineCross, crossAt: crossAt, containerCross: containerCross,
        inset: inset,
        parent: fragment, outOfFlow: &outOfFlow, result: &result)
      crossAt += lineCross + crossGap + crossStep
    }
    let contentSize = isRow ? containerCross : containerMain
    let auto = contentSize + geometry.border.blockSum + geometry.padding.blockSum
    let block = context.usedBlock(auto: auto, of: box, geometry: geometry, space: space)
    result.size = LogicalSize(inline: inlineSize, block: block)
    context.page[fragment].size = result.size
    result.bfcBlock = space.bfcBlock
    result.outOfFlow = outOfFlow
    if context.isContainingBlockForPositioned(box) {
      result.outOfFlow = context.layoutPositioned(
        outOfFlow, in: fragment, box: box, size: result.size, geometry: geometry, direction: direction, space: space)
    }
    return result
  }

  private func collectItems(_ outOfFlow: inout [OutOfFlowBox]) -> [Item] {
    var items: [Item] = []
    var child = context.tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = context.tree.boxes[child.index]
      defer { child = value.nextSibling }
      let own = context.styles.boxes[value.style.box.index]
      if value.flags.contains(.outOfFlow) {
        outOfFlow.append(
          OutOfFlowBox(
            box: child,
            staticOffset: LogicalOffset(
              inline: geometry.border.lineLeft + geometry.padding.lineLeft,
              block: geometry.border.blockStart + geometry.padding.blockStart),
            staticInlineSize: contentInline, staticDirection: direction))
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
  private func crossMargins(_ item: Item) -> LayoutUnit { isRow ? item.margins.blockSum : item.margins.inlineSum }
  private func outerMain(_ items: [Item], _ line: Range<Int>) -> LayoutUnit {
    line.reduce(.zero) { $0 + items[$1].main + mainMargins(items[$1]) } + mainGap * Swift.max(0, line.count - 1)
  }

  private func itemSpace(_ item: Item, inline: LayoutUnit) -> ConstraintSpace {
    var child = ConstraintSpace(
      availableInline: contentInline, percentageBlock: contentBlock, direction: direction, isNewFormattingContext: true)
    child.fixedInline = inline
    child.geometry = item.geometry
    child.isMeasuring = space.isMeasuring
    child.pageInline = space.pageInline
    return child
  }

  /// The inline size of an item of a column container.
  private func columnItemInline(_ item: Item) -> LayoutUnit {
    let value = context.tree.boxes[item.box.index]
    let isAuto = context.inlineSizes(item.style).size == .auto
    if isAuto, item.alignment == .stretch, value.content != .replaced, !item.autoMargins.crossStart,
      !item.autoMargins.crossEnd
    {
      return context.clampInline(
        contentInline - item.margins.inlineSum, of: item.box, style: value.style, geometry: item.geometry,
        availableInline: contentInline)
    }
    return context.outOfFlowInline(
      item.box, available: contentInline - item.margins.inlineSum, containing: contentInline)
  }

  /// Flex base size and hypothetical main size (section 9.2).
  private func measure(_ item: inout Item) {
    let value = context.tree.boxes[item.box.index]
    if isRow {
      let basis = item.style.flexBasis == .auto ? context.inlineSizes(item.style).size : item.style.flexBasis
      let intrinsic = context.intrinsicSizes(of: item.box)
      if value.content == .replaced, basis == .auto {
        item.base = intrinsic.maximum
      } else {
        item.base =
          context.borderBoxInline(
            basis, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
          ?? intrinsic.maximum
      }
      let values = context.inlineSizes(item.style)
      item.maximum =
        context.borderBoxInline(
          values.maximum, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
        ?? .max
      if let minimum = context.borderBoxInline(
        values.minimum, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
      {
        item.minimum = minimum
      } else if item.style.overflowX == .visible {
        // The automatic minimum size (section 4.5).
        let specified = context.borderBoxInline(
          values.size, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
        item.minimum = Swift.min(intrinsic.minimum, specified ?? intrinsic.minimum)
        item.minimum = Swift.min(item.minimum, item.maximum)
      }
      item.crossIsAuto = context.blockSizes(item.style).size == .auto
    } else {
      let inline = columnItemInline(item)
      let content = context.measuredBlockSize(of: item.box, in: itemSpace(item, inline: inline)).block
      let basis = item.style.flexBasis == .auto ? context.blockSizes(item.style).size : item.style.flexBasis
      item.base =
        context.borderBoxBlock(basis, style: value.style, geometry: item.geometry, percentageBlock: contentBlock)
        ?? content
      let values = context.blockSizes(item.style)
      item.maximum =
        context.borderBoxBlock(
          values.maximum, style: value.style, geometry: item.geometry, percentageBlock: contentBlock) ?? .max
      item.minimum =
        context.borderBoxBlock(
          values.minimum, style: value.style, geometry: item.geometry, percentageBlock: contentBlock)
        ?? (item.style.overflowY == .visible ? Swift.min(content, item.base) : .zero)
      item.crossIsAuto = context.inlineSizes(item.style).size == .auto
    }
    item.hypothetical = Swift.max(item.minimum, Swift.min(item.base, item.maximum))
    item.main = item.hypothetical
  }

  private func collectLines(_ items: [Item], available: LayoutUnit?) -> [Range<Int>] {
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
      let measured = context.measuredBlockSize(of: item.box, in: itemSpace(item, inline: item.main))
      item.cross = measured.block
      item.baseline = measured.firstBaseline ?? measured.block
    } else {
      item.cross = columnItemInline(item)
    }
  }

  private mutating func place(
    _ items: [Item], _ line: Range<Int>, main containerMain: LayoutUnit, lineCross: LayoutUnit, crossAt: LayoutUnit,
    containerCross: LayoutUnit, inset: LogicalOffset, parent: FragmentID, outOfFlow: inout [OutOfFlowBox],
    result: inout LayoutResult
  ) {
    var free = containerMain - outerMain(items, line)
    let autoCount = line.reduce(0) { $0 + (items[$1].autoMargins.start ? 1 : 0) + (items[$1].autoMargins.end ? 1 : 0) }
    let autoShare = autoCount > 0 && free > .zero ? free / autoCount : .zero
    if autoShare > .zero { free = .zero }
    var (at, step) = style.justifyContent.distribution(free: free, count: line.count)
    let isReversed = style.flexDirection == .rowReverse || style.flexDirection == .columnReverse
    let runsFromRight = isRow && (isReversed != (direction == .rtl))
    let runsFromEnd = runsFromRight || (!isRow && isReversed)
    var above = LayoutUnit.zero
    if isRow {
      for index in line where items[index].alignment == .baseline {
        above = Swift.max(above, items[index].baseline + items[index].margins.blockStart)
      }
    }
    for index in line {
      let item = items[index]
      let startMargin =
        (isRow ? (runsFromRight ? item.margins.lineRight : item.margins.lineLeft) : item.margins.blockStart)
      let before = startMargin + (item.autoMargins.start ? autoShare : .zero)
      let mainStart = at + before
      at =
        mainStart + item.main + mainMargins(item) - startMargin + (item.autoMargins.end ? autoShare : .zero) + mainGap
        + step
      var cross = item.cross
      let freeCross = lineCross - cross - crossMargins(item)
      let stretches =
        item.alignment == .stretch && item.crossIsAuto && !item.autoMargins.crossStart && !item.autoMargins.crossEnd
      var crossOffset: LayoutUnit
      if item.autoMargins.crossStart || item.autoMargins.crossEnd {
        crossOffset =
          item.autoMargins.crossStart
          ? (item.autoMargins.crossEnd ? Swift.max(.zero, freeCross) / 2 : Swift.max(.zero, freeCross)) : .zero
      } else {
        switch item.alignment {
        case .end, .flexEnd, .selfEnd: crossOffset = freeCross
        case .center: crossOffset = freeCross / 2
        case .baseline where isRow: crossOffset = above - item.baseline - item.margins.blockStart
        default: crossOffset = .zero
        }
      }
      if style.flexWrap == .wrapReverse { crossOffset = freeCross - crossOffset }
      var child: ConstraintSpace
      if isRow {
        child = itemSpace(item, inline: item.main)
        if stretches, context.tree.boxes[item.box.index].content != .replaced {
          cross = Swift.max(.zero, lineCross - crossMargins(item))
          child.fixedBlock = cross
        }
      } else {
        child = itemSpace(item, inline: item.cross)
        child.fixedBlock = item.main
      }
      let laidOut = context.layout(item.box, in: child)
      let crossStart = (isRow ? item.margins.blockStart : item.margins.lineLeft) + crossOffset + crossAt
      let crossPlace =
        style.flexWrap == .wrapReverse ? containerCross - crossAt - lineCross + (crossStart - crossAt) : crossStart
      let mainPlace = runsFromEnd ? containerMain - mainStart - item.main : mainStart
      let place =
        inset
        + (isRow
          ? LogicalOffset(inline: mainPlace, block: crossPlace) : LogicalOffset(inline: crossPlace, block: mainPlace))
      let shift = context.relativeShift(
        of: item.box, containing: LogicalSize(inline: contentInline, block: contentBlock ?? .zero), direction: direction
      )
      context.attach(laidOut.fragment, to: parent, at: place, shift: shift)
      for var entry in laidOut.outOfFlow {
        entry.staticOffset = entry.staticOffset + place + shift
        outOfFlow.append(entry)
      }
      if result.firstBaseline == nil, let baseline = laidOut.firstBaseline {
        result.firstBaseline = place.block + baseline
      }
      if let baseline = laidOut.lastBaseline { result.lastBaseline = place.block + baseline }
    }
  }
}
