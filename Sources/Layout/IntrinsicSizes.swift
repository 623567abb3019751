import BoxGeneration
import CSS
package import Primitives
import Styling

extension LayoutContext {
  /// Min-content and max-content contribution of a box without its margins: border box, `width` and its limits applied
  /// (CSS Sizing 3, section 5.2).
  ///
  /// - Complexity: O(content) the first time, O(1) afterwards.
  package func intrinsicSizes(of box: BoxID) -> IntrinsicSizes {
    let style = tree.boxes[box.index].style
    let geometry = borderAndPadding(of: box, availableInline: .zero)
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    if tree.boxes[box.index].content == .replaced {
      let size = replacedSize(
        of: box, geometry: geometry, availableInline: nil, percentageBlock: measuredPercentageBlock(of: box)
      ).inline
      // A percentage width may shrink to nothing while its container is being measured.
      if case .length(let length) = inlineSizes(style.box).size, hasPercentage(length) {
        return IntrinsicSizes(minimum: extra, maximum: size)
      }
      if case .length(let length) = inlineSizes(style.box).maximum, hasPercentage(length) {
        return IntrinsicSizes(minimum: extra, maximum: size)
      }
      // A picture of more than half the page's width follows its column.
      let follows = mode.measuresBrokenWords && size > contentAreaSize.inline / 2
      return IntrinsicSizes(minimum: follows ? extra : size, maximum: size)
    }
    if hasSeveralWritingModes, isOrthogonal(tree.boxes[box.index]) {
      let size = orthogonalSize(box, containing: .zero, percentageBlock: nil)
      return IntrinsicSizes(minimum: size, maximum: size)
    }
    let values = inlineSizes(style.box)
    var sizes: IntrinsicSizes
    if case .length(let length) = values.size, !hasPercentage(length), tree.boxes[box.index].kind != .tableCell {
      let size =
        borderBoxInline(values.size, of: box, style: style, geometry: geometry, availableInline: .zero) ?? extra
      sizes = IntrinsicSizes(minimum: size, maximum: size)
      if tree.boxes[box.index].kind == .table {
        sizes.minimum = Swift.max(size, intrinsicContentSizes(of: box).minimum + extra)
        sizes.maximum = sizes.minimum
      }
    } else if let size = transferredInline(of: box, geometry: geometry, percentageBlock: nil) {
      sizes = IntrinsicSizes(minimum: size, maximum: size)
    } else {
      let content = intrinsicContentSizes(of: box)
      sizes = IntrinsicSizes(minimum: content.minimum + extra, maximum: content.maximum + extra)
      if values.size == .minContent { sizes.maximum = sizes.minimum }
      if values.size == .maxContent { sizes.minimum = sizes.maximum }
      if tree.boxes[box.index].kind == .table { fit(&sizes, ofTable: box, extra: extra) }
    }
    if case .calculated(let basis, _) = values.size {
      if basis == .minContent { sizes.maximum = sizes.minimum }
      if basis == .maxContent { sizes.minimum = sizes.maximum }
      sizes.minimum = calculated(values.size, sizes.minimum, style: style, edges: extra)
      sizes.maximum = calculated(values.size, sizes.maximum, style: style, edges: extra)
    }
    func limited(_ size: LayoutUnit) -> LayoutUnit {
      var size = limitedByRatio(size, of: box, geometry: geometry, percentageBlock: nil)
      if case .length(let length) = values.maximum, !hasPercentage(length),
        let maximum = borderBoxInline(values.maximum, of: box, style: style, geometry: geometry, availableInline: .zero)
      {
        size = Swift.min(size, maximum)
      }
      if case .length(let length) = values.minimum, !hasPercentage(length),
        let minimum = borderBoxInline(values.minimum, of: box, style: style, geometry: geometry, availableInline: .zero)
      {
        size = Swift.max(size, minimum)
      }
      return size
    }
    return IntrinsicSizes(minimum: limited(sizes.minimum), maximum: limited(sizes.maximum))
  }

  /// Min-content and max-content size of a box's content.
  func intrinsicContentSizes(of box: BoxID) -> IntrinsicSizes {
    if hasSeveralWritingModes, isOrthogonal(tree.boxes[box.index]) {
      let geometry = borderAndPadding(of: box, availableInline: .zero)
      let size = orthogonalSize(box, containing: .zero, percentageBlock: nil)
      let content = Swift.max(.zero, size - geometry.border.inlineSum - geometry.padding.inlineSum)
      return IntrinsicSizes(minimum: content, maximum: content)
    }
    let measuring = with(mode.ofIntrinsicSizes)
    if let known = measuring.measurements.contentSizes[box] { return known }
    let sizes = measuring.computeIntrinsicContentSizes(of: box)
    measuring.measurements.contentSizes[box] = sizes
    return sizes
  }

  private func computeIntrinsicContentSizes(of box: BoxID) -> IntrinsicSizes {
    guard !isCancelled else { return IntrinsicSizes() }
    if let contained = containedInline(of: box) { return IntrinsicSizes(minimum: contained, maximum: contained) }
    let value = tree.boxes[box.index]
    switch value.content {
    case .replaced:
      let size = replacedSize(
        of: box, geometry: BoxGeometry(), availableInline: nil, percentageBlock: measuredPercentageBlock(of: box)
      ).inline
      return IntrinsicSizes(minimum: size, maximum: size)
    case .text, .boxes: return workspace.boxLayout.contentSizes(of: box, self)
    }
  }

  /// What percentages of the block size of a box refer to before anything is laid out: lengths, percentages of such,
  /// and what a ratio makes of them are definite (CSS Sizing 3, section 5.2.1).
  private func measuredPercentageBlock(of box: BoxID) -> LayoutUnit? {
    let sizes = blockSizes(tree.boxes[box.index].style.box)
    guard [sizes.size, sizes.minimum, sizes.maximum].contains(where: isPercentage),
      !tree.boxes[box.index].flags.contains(.outOfFlow)
    else { return nil }
    var container = tree.boxes[box.index].parent
    while !container.isNone,
      tree.boxes[container.index].kind == .inline || tree.boxes[container.index].flags.contains(.anonymous)
    {
      container = tree.boxes[container.index].parent
    }
    guard !container.isNone, [.block, .flex].contains(tree.boxes[container.index].kind) else { return nil }
    return measuredContentBlock(of: container)
  }

  private func measuredContentBlock(of box: BoxID) -> LayoutUnit? {
    let style = tree.boxes[box.index].style
    let geometry = borderAndPadding(of: box, availableInline: .zero)
    let percentage = measuredPercentageBlock(of: box)
    func ratioSize() -> LayoutUnit? {
      guard case .length(let length) = inlineSizes(style.box).size, !hasPercentage(length) else { return nil }
      return borderBoxInline(.length(length), of: box, style: style, geometry: geometry, availableInline: .zero)
        .flatMap { ratioBlock(of: box, inline: $0, geometry: geometry) }
    }
    let size = borderBoxBlock(blockSizes(style.box).size, of: box, geometry: geometry, percentageBlock: percentage)
    return (size ?? ratioSize()).map {
      let used = clampBlock($0, of: box, geometry: geometry, percentageBlock: percentage)
      return Swift.max(.zero, used - geometry.border.blockSum - geometry.padding.blockSum)
    }
  }

  /// Min-content and max-content size of block-level children.
  func blockContentSizes(of box: BoxID) -> IntrinsicSizes {
    let value = tree.boxes[box.index]
    var sizes = IntrinsicSizes()
    var floats = LayoutUnit.zero
    var child = value.firstChild
    while !child.isNone {
      let entry = tree.boxes[child.index]
      defer { child = entry.nextSibling }
      if entry.flags.contains(.outOfFlow) || isPageFloat(child) { continue }
      let margins = margins(of: child, availableInline: .zero)
      let own = intrinsicSizes(of: child)
      let minimum = Swift.max(.zero, own.minimum + margins.inlineSum)
      let maximum = Swift.max(.zero, own.maximum + margins.inlineSum)
      sizes.minimum = Swift.max(sizes.minimum, minimum)
      if entry.flags.contains(.float) {
        // Floats stand side by side until something clears them.
        if styles.boxes[entry.style.box.index].clear != .none { floats = .zero }
        floats += maximum
        sizes.maximum = Swift.max(sizes.maximum, floats)
      } else {
        if styles.boxes[entry.style.box.index].clear != .none { floats = .zero }
        if entry.flags.contains(.formattingContext) {
          sizes.maximum = Swift.max(sizes.maximum, maximum + floats)
        } else {
          sizes.maximum = Swift.max(sizes.maximum, Swift.max(maximum, floats))
        }
        floats = .zero
      }
    }
    return IntrinsicSizes(minimum: sizes.minimum, maximum: sizes.maximum)
  }
}
