import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// Min-content and max-content of a flex container's content (section 9.9, without the flex fractions).
  func flexIntrinsicSizes(_ box: BoxID) -> IntrinsicSizes {
    let style = styles.boxes[tree.boxes[box.index].style.box.index]
    let isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
    if !isRow, style.flexWrap != .nowrap, let sizes = wrappedColumnSizes(box) { return sizes }
    let block = isRow ? contentBlock(of: box) : nil
    var sizes = IntrinsicSizes()
    var count = 0
    var child = tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      defer { child = value.nextSibling }
      if value.flags.contains(.outOfFlow) { continue }
      let margins = margins(of: child, availableInline: .zero)
      let own = isRow ? rowContribution(of: child, in: style, block: block) : intrinsicSizes(of: child)
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

  /// The content height that a flex container has by its style alone.
  private func contentBlock(of box: BoxID) -> LayoutUnit? {
    let style = tree.boxes[box.index].style
    let geometry = borderAndPadding(of: box, availableInline: .zero)
    let size = borderBoxBlock(blockSizes(style.box).size, of: box, geometry: geometry, percentageBlock: nil)
    return size.map {
      clampBlock($0, of: box, geometry: geometry, percentageBlock: nil) - geometry.border.blockSum
        - geometry.padding.blockSum
    }
  }

  /// The contributions of an item of a row: those that a ratio gives it where its height is that of the line, within what its flex
  /// base size is where it cannot grow or shrink (section 9.9.1).
  private func rowContribution(of item: BoxID, in container: BoxStyle, block: LayoutUnit?) -> IntrinsicSizes {
    var sizes = intrinsicSizes(of: item)
    let value = tree.boxes[item.index]
    let own = styles.boxes[value.style.box.index]
    let geometry = borderAndPadding(of: item, availableInline: .zero)
    if let block, let size = stretchedInline(of: item, own, in: container, geometry: geometry, block: block) {
      sizes = IntrinsicSizes(minimum: size, maximum: size)
    }
    guard case .length(let basis) = own.flexBasis, resolve(basis, font: value.style.font, definite: nil) != nil,
      let base = borderBoxInline(
        own.flexBasis, of: item, style: value.style, geometry: geometry, availableInline: .zero)
    else { return sizes }
    let values = inlineSizes(value.style.box)
    func limit(_ size: SizeValue) -> LayoutUnit? {
      guard size != .stretch else { return nil }
      return borderBoxInline(size, of: item, style: value.style, geometry: geometry, availableInline: .zero)
    }
    let least = limit(values.minimum) ?? (own.overflowX.isScrollable ? .zero : sizes.minimum)
    let most = limit(values.maximum) ?? .max
    func contribution(_ size: LayoutUnit) -> LayoutUnit {
      var size = size
      if own.flexShrink == 0 { size = Swift.max(size, base) }
      if own.flexGrow == 0 { size = Swift.min(size, base) }
      return Swift.max(least, Swift.min(size, most))
    }
    return IntrinsicSizes(minimum: contribution(sizes.minimum), maximum: contribution(sizes.maximum))
  }

  /// The inline size that the ratio of an item gives it, stretched to the only line of a row of a given height; nil for others.
  private func stretchedInline(
    of item: BoxID, _ own: BoxStyle, in container: BoxStyle, geometry: BoxGeometry, block: LayoutUnit
  ) -> LayoutUnit? {
    let value = tree.boxes[item.index]
    let alignment = own.alignSelf == .auto ? container.alignItems : own.alignSelf
    guard container.flexWrap == .nowrap, alignment == .stretch || alignment == .normal || alignment == .auto,
      inlineSizes(value.style.box).size == .auto, blockSizes(value.style.box).size == .auto
    else { return nil }
    let sides = flow(own.margin)
    guard sides.blockStart != .auto, sides.blockEnd != .auto else { return nil }
    let margins = margins(of: item, availableInline: .zero)
    let size = stretchedBlock(block - margins.blockSum, of: item, geometry: geometry, percentageBlock: block)
    return value.content == .replaced
      ? replacedInline(of: item, geometry: geometry, block: size)
      : ratioInline(of: item, geometry: geometry, block: size)
  }

  /// The content sizes of a column container of several lines whose height is limited: the widest item, and the lines side by side,
  /// each as wide as its widest item; nil where the items stand on one line.
  private func wrappedColumnSizes(_ box: BoxID) -> IntrinsicSizes? {
    let geometry = borderAndPadding(of: box, availableInline: .zero)
    let block = contentBlock(of: box)
    let limit = clampBlock(.max, of: box, geometry: geometry, percentageBlock: nil)
    guard block != nil || limit < .max else { return nil }
    let most = limit < .max ? limit - geometry.border.blockSum - geometry.padding.blockSum : .max
    return FlexLayout.columnSizes(box, block: block, most: most, self)
  }
}

extension FlexLayout {
  /// The content sizes of a column container whose items stand on several lines (section 9.9).
  static func columnSizes(
    _ box: BoxID, block: LayoutUnit?, most: LayoutUnit, _ context: LayoutContext
  ) -> IntrinsicSizes {
    var key = ItemRowsKey(box: box, inline: .zero, block: block, least: .zero, most: most, pageInline: .zero)
    func sizes(of item: Item) -> IntrinsicSizes {
      let own = context.intrinsicSizes(of: item.box)
      return IntrinsicSizes(
        minimum: own.minimum + item.margins.inlineSum, maximum: own.maximum + item.margins.inlineSum)
    }
    var outOfFlow: [OutOfFlowBox] = []
    var result = IntrinsicSizes()
    for item in FlexLayout(context: context, key: key).collectItems(&outOfFlow) {
      let own = sizes(of: item)
      result.minimum = Swift.max(result.minimum, own.minimum)
      key.inline = Swift.max(key.inline, own.maximum)
    }
    let flex = FlexLayout(context: context, key: key)
    var items = flex.collectItems(&outOfFlow)
    for index in items.indices { flex.measure(&items[index]) }
    let lines = flex.collectLines(items, available: block ?? most)
    result.maximum = flex.crossGap * Swift.max(0, lines.count - 1)
    for line in lines {
      result.maximum += line.reduce(LayoutUnit.zero) { Swift.max($0, sizes(of: items[$1]).maximum) }
    }
    result.maximum = Swift.max(result.maximum, result.minimum)
    return result
  }
}
