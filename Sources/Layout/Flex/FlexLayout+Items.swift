import BoxGeneration
import CSS
import Primitives
import Styling

/// Sizes of items before lines are made of them: flex base sizes, automatic minimums and stretched ones (CSS Flexbox 1, sections 4.5
/// and 9.2).
extension FlexLayout {
  func itemSpace(_ item: Item, inline: LayoutUnit) -> ConstraintSpace {
    var child = ConstraintSpace(
      mode: context.mode, availableInline: contentInline, percentageBlock: contentBlock, direction: direction)
    child.imposed.inline = inline
    child.geometry = item.geometry
    child.fragmentainer.inlineOffset = pageInline + (isRow ? item.mainPlace : .zero)
    return child
  }

  /// The inline size of an item of a column container.
  func columnItemInline(_ item: Item) -> LayoutUnit {
    let value = context.tree.boxes[item.box.index]
    let isAuto = context.inlineSizes(context.tree.boxes[item.box.index].style.box).size == .auto
    if isAuto, isStretchedAcrossColumn(item) {
      let stretched = context.clampInline(
        contentInline - item.margins.inlineSum, of: item.box, style: value.style, geometry: item.geometry,
        availableInline: contentInline)
      return value.content == .replaced ? stretchedPicture(item, inline: stretched) : stretched
    }
    return context.outOfFlowInline(
      item.box, available: contentInline - item.margins.inlineSum, containing: contentInline,
      percentageBlock: contentBlock)
  }

  /// An `auto` inline size is that of the only column (section 9.8, rule 1).
  func isStretchedAcrossColumn(_ item: Item) -> Bool {
    isSingleLine && item.alignment == .stretch && !item.autoMargins.crossStart && !item.autoMargins.crossEnd
  }

  /// The inline size of a picture that is stretched across a column: it is as high as its ratio makes it, and no higher than the
  /// page.
  private func stretchedPicture(_ item: Item, inline: LayoutUnit) -> LayoutUnit {
    let most = context.contentAreaSize.block
    guard let block = context.replacedBlock(of: item.box, geometry: item.geometry, inline: inline), block > most else {
      return inline
    }
    return context.replacedInline(of: item.box, geometry: item.geometry, block: most) ?? inline
  }

  /// Min-content and max-content border-box sizes, `width` and its limits left aside.
  private func contentInlineSizes(_ item: Item) -> IntrinsicSizes {
    let value = context.tree.boxes[item.box.index]
    if value.content == .replaced {
      let size =
        definiteBlock(item).flatMap { context.replacedInline(of: item.box, geometry: item.geometry, block: $0) }
        ?? context.replacedContentSize(
          of: item.box, geometry: item.geometry, availableInline: nil, percentageBlock: contentBlock, isInline: true)
      return IntrinsicSizes(minimum: size, maximum: size)
    }
    if value.kind == .table { return context.intrinsicSizes(of: item.box) }
    let sizes = context.intrinsicContentSizes(of: item.box)
    let extra = item.geometry.border.inlineSum + item.geometry.padding.inlineSum
    if let block = definiteBlock(item),
      let size = context.ratioInline(of: item.box, geometry: item.geometry, block: block)
    {
      let size = context.hasAutomaticMinimumInline(item.box) ? Swift.max(size, sizes.minimum + extra) : size
      return IntrinsicSizes(minimum: size, maximum: size)
    }
    func limited(_ size: LayoutUnit) -> LayoutUnit {
      context.limitedByRatio(size + extra, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
    }
    return IntrinsicSizes(minimum: limited(sizes.minimum), maximum: limited(sizes.maximum))
  }

  /// The height that an item of a row has whatever its content is: its own, or that of the only line.
  private func definiteBlock(_ item: Item) -> LayoutUnit? {
    let style = context.tree.boxes[item.box.index].style
    let specified = context.borderBoxBlock(
      context.blockSizes(style.box).size, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
    guard let specified else { return stretchedBlock(item) }
    return context.clampBlock(specified, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
  }

  /// Flex base size and hypothetical main size (section 9.2).
  func measure(_ item: inout Item) {
    if isRow { measureInRow(&item) } else { measureInColumn(&item) }
    item.hypothetical = Swift.max(item.minimum, Swift.min(item.base, item.maximum))
    item.main = item.hypothetical
  }

  private func measureInRow(_ item: inout Item) {
    let value = context.tree.boxes[item.box.index]
    let values = context.inlineSizes(value.style.box)
    let basis = item.style.flexBasis == .auto ? values.size : item.style.flexBasis
    let intrinsic = contentInlineSizes(item)
    if value.content == .replaced, basis == .auto {
      item.base =
        stretchedBlock(item).flatMap { context.replacedInline(of: item.box, geometry: item.geometry, block: $0) }
        ?? context.replacedBaseSize(
          of: item.box, geometry: item.geometry, availableInline: contentInline,
          room: contentInline - item.margins.inlineSum, percentageBlock: contentBlock, isInline: true)
    } else if basis == .auto,
      let ratio = definiteBlock(item).flatMap({
        context.ratioInline(of: item.box, geometry: item.geometry, block: $0)
      })
    {
      item.base = ratio
    } else {
      item.base =
        context.borderBoxInline(
          basis, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
        ?? context.calculated(
          basis, intrinsic.maximum, style: value.style,
          edges: item.geometry.border.inlineSum + item.geometry.padding.inlineSum)
    }
    item.maximum =
      context.borderBoxInline(
        values.maximum, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
      ?? .max
    if let minimum = context.borderBoxInline(
      values.minimum, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
    {
      item.minimum = minimum
    } else if !item.style.overflowX.isScrollable {
      // The automatic minimum size (section 4.5).
      let specified = context.borderBoxInline(
        values.size, of: item.box, style: value.style, geometry: item.geometry, availableInline: contentInline)
      item.minimum = Swift.min(intrinsic.minimum, specified ?? intrinsic.minimum)
      item.minimum = Swift.min(item.minimum, item.maximum)
      item.minimum = context.calculated(
        values.minimum, item.minimum, style: value.style,
        edges: item.geometry.border.inlineSum + item.geometry.padding.inlineSum)
    }
    if value.kind == .table {
      // A table is never narrower than its content (CSS Tables 3, section 4.1).
      let extra = item.geometry.border.inlineSum + item.geometry.padding.inlineSum
      item.minimum = Swift.max(item.minimum, context.intrinsicContentSizes(of: item.box).minimum + extra)
    }
    let cross = context.blockSizes(value.style.box).size
    item.crossIsAuto = cross == .auto || cross == .stretch && contentBlock == nil
  }

  private func measureInColumn(_ item: inout Item) {
    let value = context.tree.boxes[item.box.index]
    let inline = columnItemInline(item)
    let basis =
      item.style.flexBasis == .auto
      ? context.blockSizes(context.tree.boxes[item.box.index].style.box).size : item.style.flexBasis
    // The height of a table is that of its grid (CSS Tables 3, section 3.4).
    let captions = value.kind == .table ? context.captionsBlock(ofTable: item.box, inline: inline) : .zero
    let definite = context.borderBoxBlock(
      basis, of: item.box, geometry: item.geometry, percentageBlock: contentBlock
    ).map { $0 + captions }
    // Section 9.8: percentages refer to the item in a column of a given height, or where its own basis is.
    item.isIndefinite = contentBlock == nil && definite == nil
    var measuring = itemSpace(item, inline: inline)
    measuring.imposed.ignoresBlockSize = value.content != .replaced
    measuring.imposed.isIndefinite = item.isIndefinite
    let measured = context.measuredBlock(of: item.box, in: measuring)
    var content = measured.block
    if let ratio = context.ratioBlock(of: item.box, inline: inline, geometry: item.geometry) {
      content = item.style.overflowY.isScrollable ? ratio : Swift.max(content, ratio)
    }
    if value.content == .replaced {
      content = replacedContentBlock(item, inline: inline) ?? content
      item.contentBlock = content
    } else {
      item.contentBlock = Swift.max(content, measured.contentEnd)
    }
    item.base =
      definite
      ?? context.calculated(
        basis, content, style: value.style, edges: item.geometry.border.blockSum + item.geometry.padding.blockSum)
    let values = context.blockSizes(context.tree.boxes[item.box.index].style.box)
    item.maximum =
      values.maximum.isContentSize
      ? content
      : context.borderBoxBlock(
        values.maximum, of: item.box, geometry: item.geometry, percentageBlock: contentBlock) ?? .max
    if value.content == .replaced, !isStretchedPicture(item) {
      content = context.replacedContentSize(
        of: item.box, geometry: item.geometry, availableInline: contentInline, percentageBlock: contentBlock,
        isInline: false)
    }
    item.minimum =
      context.borderBoxBlock(
        values.minimum, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
      ?? (!item.style.overflowY.isScrollable ? automaticMinimum(item, content: content) : .zero)
    item.minimum = context.calculated(
      values.minimum, item.minimum, style: value.style,
      edges: item.geometry.border.blockSum + item.geometry.padding.blockSum)
    item.crossIsAuto = context.inlineSizes(context.tree.boxes[item.box.index].style.box).size == .auto
  }

  private func isStretchedPicture(_ item: Item) -> Bool {
    context.inlineSizes(context.tree.boxes[item.box.index].style.box).size == .auto && isStretchedAcrossColumn(item)
      && hasRatio(item)
  }

  /// The block size that its content gives a picture in a column, its own limits left aside; nil where it has a size.
  private func replacedContentBlock(_ item: Item, inline: LayoutUnit) -> LayoutUnit? {
    if isStretchedPicture(item) { return context.replacedBlock(of: item.box, geometry: item.geometry, inline: inline) }
    guard context.blockSizes(context.tree.boxes[item.box.index].style.box).size == .auto else { return nil }
    return context.replacedBaseSize(
      of: item.box, geometry: item.geometry, availableInline: contentInline,
      room: contentInline - item.margins.inlineSum, percentageBlock: contentBlock, isInline: false)
  }

  /// The definite height of an item that fills a row container's only line (section 9.8, rule 1).
  func stretchedBlock(_ item: Item) -> LayoutUnit? {
    guard let contentBlock, isSingleLine, item.alignment == .stretch,
      context.blockSizes(context.tree.boxes[item.box.index].style.box).size == .auto,
      !item.autoMargins.crossStart, !item.autoMargins.crossEnd
    else { return nil }
    return context.stretchedBlock(
      contentBlock - item.margins.blockSum, of: item.box, geometry: item.geometry, percentageBlock: contentBlock)
  }

  /// The automatic minimum height of an item of a column (section 4.5).
  private func automaticMinimum(_ item: Item, content: LayoutUnit) -> LayoutUnit {
    let specified = context.borderBoxBlock(
      context.blockSizes(context.tree.boxes[item.box.index].style.box).size, of: item.box, geometry: item.geometry,
      percentageBlock: contentBlock)
    return Swift.min(Swift.min(content, specified ?? content), item.maximum)
  }
}
