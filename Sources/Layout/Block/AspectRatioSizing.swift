import BoxGeneration
import CSS
import Primitives
import Styling

/// A preferred aspect ratio between the axes of a flow (CSS Sizing 4, section 5.1).
private struct PreferredRatio {
  var blockPerInline: Double
  var inlinePerBlock: Double
  /// The ratio is of the border box; of the content box otherwise, as with `auto` in it.
  var isOfBorderBox: Bool
}

extension LayoutContext {
  /// The preferred ratio of a box; nil for replaced elements, whose sizes are solved with their natural ones, and for tables
  /// and their parts.
  private func preferredRatio(of box: BoxID) -> PreferredRatio? {
    let index = tree.boxes[box.index].style.box.index
    guard let ratio = styles.boxes[index].aspectRatio, tree.boxes[box.index].content != .replaced else { return nil }
    switch tree.boxes[box.index].kind {
    case .table, .tableCell, .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: return nil
    default: break
    }
    let (along, across) = (Double(ratio), 1 / Double(ratio))
    return PreferredRatio(
      blockPerInline: writingMode.isHorizontal ? across : along,
      inlinePerBlock: writingMode.isHorizontal ? along : across,
      isOfBorderBox: styles.boxes[index].boxSizing == .borderBox && !styles.boxes[index].prefersNaturalRatio)
  }

  /// The border-box block size that `aspect-ratio` gives a box of that inline size; nil where it has none.
  func ratioBlock(of box: BoxID, inline: LayoutUnit, geometry: BoxGeometry) -> LayoutUnit? {
    guard let ratio = preferredRatio(of: box) else { return nil }
    let edges = geometry.border.blockSum + geometry.padding.blockSum
    if ratio.isOfBorderBox { return Swift.max(edges, inline * ratio.blockPerInline) }
    let content = Swift.max(.zero, inline - geometry.border.inlineSum - geometry.padding.inlineSum)
    return content * ratio.blockPerInline + edges
  }

  /// The border-box inline size that `aspect-ratio` gives a box of that block size; nil where it has none.
  func ratioInline(of box: BoxID, geometry: BoxGeometry, block: LayoutUnit) -> LayoutUnit? {
    guard let ratio = preferredRatio(of: box) else { return nil }
    let edges = geometry.border.inlineSum + geometry.padding.inlineSum
    if ratio.isOfBorderBox { return Swift.max(edges, block * ratio.inlinePerBlock) }
    let content = Swift.max(.zero, block - geometry.border.blockSum - geometry.padding.blockSum)
    return content * ratio.inlinePerBlock + edges
  }

  /// The border-box inline size that `aspect-ratio` gives a box whose block size, within its limits, is definite while its
  /// inline size is `auto` or a content size.
  func transferredInline(of box: BoxID, geometry: BoxGeometry, percentageBlock: LayoutUnit?) -> LayoutUnit? {
    let value = tree.boxes[box.index]
    guard styles.boxes[value.style.box.index].aspectRatio != nil, !inlineSizes(value.style.box).size.isGiven,
      let block = borderBoxBlock(
        blockSizes(value.style.box).size, of: box, geometry: geometry, percentageBlock: percentageBlock)
    else { return nil }
    return ratioInline(
      of: box, geometry: geometry,
      block: clampBlock(block, of: box, geometry: geometry, percentageBlock: percentageBlock))
  }

  /// The same of a box whose block size its space imposes, within the limits of the inline size.
  func transferredInline(of box: BoxID, in space: ConstraintSpace) -> LayoutUnit? {
    let style = tree.boxes[box.index].style
    guard let block = space.imposed.block, let geometry = space.geometry, !inlineSizes(style.box).size.isGiven,
      let inline = ratioInline(of: box, geometry: geometry, block: block)
    else { return nil }
    return clampInline(
      inline, of: box, style: style, geometry: geometry, availableInline: space.availableInline,
      percentageBlock: space.percentageBlock)
  }

  /// The border-box inline size, `auto` or a content size, under the ratio: it is not less than the content where the
  /// block size gives it, and `min-height` and `max-height` limit it through the ratio (CSS Sizing 4, sections 5.1 and
  /// 5.2).
  func limitedByRatio(_ size: LayoutUnit, of box: BoxID, geometry: BoxGeometry, percentageBlock: LayoutUnit?)
    -> LayoutUnit
  {
    let value = tree.boxes[box.index]
    guard preferredRatio(of: box) != nil, !inlineSizes(value.style.box).size.isGiven else { return size }
    var size = size
    if hasAutomaticMinimumInline(box),
      transferredInline(of: box, geometry: geometry, percentageBlock: percentageBlock) != nil
    {
      let edges = geometry.border.inlineSum + geometry.padding.inlineSum
      let least = calculated(
        inlineSizes(value.style.box).minimum, intrinsicContentSizes(of: box).minimum + edges, style: value.style,
        edges: edges)
      size = Swift.max(size, least)
    }
    func transferred(_ limit: SizeValue) -> LayoutUnit? {
      borderBoxBlock(limit, of: box, geometry: geometry, percentageBlock: percentageBlock)
        .flatMap { ratioInline(of: box, geometry: geometry, block: $0) }
    }
    let limits = blockSizes(value.style.box)
    if let maximum = transferred(limits.maximum) { size = Swift.min(size, maximum) }
    if let minimum = transferred(limits.minimum) { size = Swift.max(size, minimum) }
    return size
  }

  /// Content that does not scroll makes a box wider than its ratio does, unless `min-width` says otherwise.
  func hasAutomaticMinimumInline(_ box: BoxID) -> Bool {
    let style = tree.boxes[box.index].style.box
    return !styles.boxes[style.index].overflowX.isScrollable && inlineSizes(style).minimum.isAutomatic
  }

  /// The same of its height. What scrolls in one axis scrolls in both (CSS Overflow 3, section 3.1).
  func hasAutomaticMinimumBlock(_ box: BoxID) -> Bool {
    let style = tree.boxes[box.index].style.box
    return !styles.boxes[style.index].overflowX.isScrollable && blockSizes(style).minimum.isAutomatic
  }

  /// The block size of a box comes from its ratio, and its content may make it larger.
  func ratioGivesLeastBlock(of box: BoxID, space: ConstraintSpace) -> Bool {
    guard preferredRatio(of: box) != nil, space.imposed.block == nil, hasAutomaticMinimumBlock(box) else {
      return false
    }
    let style = tree.boxes[box.index].style
    return borderBoxBlock(
      blockSizes(style.box).size, of: box, geometry: BoxGeometry(), percentageBlock: space.percentageBlock) == nil
  }
}
