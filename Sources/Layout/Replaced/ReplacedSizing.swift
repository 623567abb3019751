import BoxGeneration
import CSS
import ImageCodecs
import Images
package import Primitives
package import Styling

extension LayoutContext {
  /// Border-box size of a replaced element (CSS 2.2, sections 10.3.2, 10.4, 10.6.2), kept inside the page.
  ///
  /// `availableInline` nil measures the intrinsic contribution, where percentages count as `auto`. What has nothing but a ratio fills
  /// `room`, all that is available unless margins take of it.
  package func replacedSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit?, room: LayoutUnit? = nil,
    percentageBlock: LayoutUnit?
  ) -> LogicalSize {
    fittedReplacedSize(
      of: box, geometry: geometry, availableInline: availableInline, room: room ?? availableInline,
      percentageBlock: percentageBlock
    ).size
  }

  /// The same, and whether the page has made it smaller.
  private func fittedReplacedSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit?, room: LayoutUnit?, percentageBlock: LayoutUnit?
  ) -> (size: LogicalSize, isScaled: Bool) {
    let extraInline = geometry.border.inlineSum + geometry.padding.inlineSum
    let extraBlock = geometry.border.blockSum + geometry.padding.blockSum
    let isHorizontal = writingMode.isHorizontal
    let sizes = replacedSizes(
      of: box, extra: LogicalSize(inline: extraInline, block: extraBlock), availableInline: availableInline,
      percentageBlock: percentageBlock)
    let filled = isHorizontal ? room.map { $0 - extraInline } : nil
    let used = sizes.used(filling: filled)
    let kept = keptOnPage(
      box, width: used.width, height: used.height, availableInline: availableInline, extraInline: extraInline,
      extraBlock: extraBlock)
    let size =
      isHorizontal
      ? LogicalSize(inline: kept.0 + extraInline, block: kept.1 + extraBlock)
      : LogicalSize(inline: kept.1 + extraInline, block: kept.0 + extraBlock)
    return (size, isScaled: kept != used)
  }

  /// The sizes that the styles and the picture of a replaced element ask for. `extra` is its border and padding.
  private func replacedSizes(
    of box: BoxID, extra: LogicalSize, availableInline: LayoutUnit?, percentageBlock: LayoutUnit?
  ) -> ReplacedSizes {
    let value = tree.boxes[box.index]
    let style = styles.boxes[value.style.box.index]
    let isHorizontal = writingMode.isHorizontal
    func content(_ size: SizeValue, isInline: Bool) -> LayoutUnit? {
      let (containing, edges) = isInline ? (availableInline, extra.inline) : (percentageBlock, extra.block)
      switch size {
      case .stretch:
        guard let containing else { return nil }
        let margins = isInline ? margins(of: box, availableInline: containing).inlineSum : stretchMargins(of: box)
        return Swift.max(.zero, containing - margins - edges)
      case .length(let length):
        guard let used = resolve(length, font: value.style.font, definite: containing) else { return nil }
        return Swift.max(.zero, style.boxSizing == .borderBox ? used - edges : used)
      default: return nil
      }
    }
    func sizes(_ width: SizeValue, _ height: SizeValue) -> (width: LayoutUnit?, height: LayoutUnit?) {
      (content(width, isInline: isHorizontal), content(height, isInline: !isHorizontal))
    }
    let minimum = sizes(style.minWidth, style.minHeight)
    let maximum = sizes(style.maxWidth, style.maxHeight)
    var info = value.image.isNone ? ImageInfo() : images.info(value.image)
    if let width = info.width, let height = info.height,
      let viewBox = viewBox(
        of: style, font: value.style.font, in: Size(width: LayoutUnit(width), height: LayoutUnit(height)))
    {
      (info.width, info.height) = (viewBox.width.float, viewBox.height.float)
      info.aspectRatio = viewBox.width.float / viewBox.height.float
    }
    // The image of a marker that has no size of its own is as large as browsers have it.
    if value.symbol == .image, info.width == nil, info.height == nil {
      let side = Float((lineMetrics(value.style.font).ascent.roundedPixels) / 2)
      (info.width, info.height) = (side, side)
    }
    var hasNaturalRatio = true
    if let inline = containedInline(of: box), let block = containedBlock(of: box) {
      hasNaturalRatio = false
      info.width = (isHorizontal ? inline : block).float
      info.height = (isHorizontal ? block : inline).float
      info.aspectRatio = nil
    }
    let preferred = style.aspectRatio.map(Double.init)
    let own = info.aspectRatio.map(Double.init)
    let isPreferred = preferred != nil && !(style.prefersNaturalRatio && own != nil)
    // The natural height gives way to the ratio (CSS Sizing 4, section 5.1).
    if isPreferred, !style.prefersNaturalRatio, info.width != nil { info.height = nil }
    let isOfBorderBox = isPreferred && style.boxSizing == .borderBox && !style.prefersNaturalRatio
    var result = ReplacedSizes(
      specified: sizes(style.width, style.height),
      minimum: (minimum.width ?? .zero, minimum.height ?? .zero),
      maximum: (maximum.width ?? .max, maximum.height ?? .max),
      natural: (info.width.map { LayoutUnit($0) }, info.height.map { LayoutUnit($0) }),
      ratio: isPreferred ? preferred : own,
      ratioEdges: isOfBorderBox
        ? isHorizontal ? (extra.inline, extra.block) : (extra.block, extra.inline) : (.zero, .zero),
      hasNaturalRatio: hasNaturalRatio)
    result.limit(toContentIn: style)
    return result
  }

  /// The border-box size of a replaced element along one axis were its own size there `auto` (CSS Flexible Box 1, section 4.5).
  func replacedContentSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit?, percentageBlock: LayoutUnit?, isInline: Bool
  ) -> LayoutUnit {
    let extra = geometry.edges
    var sizes = replacedSizes(
      of: box, extra: extra, availableInline: availableInline, percentageBlock: percentageBlock)
    let isWidth = isInline == writingMode.isHorizontal
    if isWidth { sizes.specified.width = nil } else { sizes.specified.height = nil }
    let used = sizes.used(filling: nil)
    return (isWidth ? used.width : used.height) + (isInline ? extra.inline : extra.block)
  }

  /// The border-box size of a replaced element along one axis without its limits there: its flex base size (CSS Flexible Box 1,
  /// section 9.2). One that has nothing but a ratio fills `room`.
  func replacedBaseSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit, room: LayoutUnit, percentageBlock: LayoutUnit?,
    isInline: Bool
  ) -> LayoutUnit {
    let (extraInline, extraBlock) = (
      geometry.border.inlineSum + geometry.padding.inlineSum, geometry.border.blockSum + geometry.padding.blockSum
    )
    let isHorizontal = writingMode.isHorizontal
    var sizes = replacedSizes(
      of: box, extra: LogicalSize(inline: extraInline, block: extraBlock), availableInline: availableInline,
      percentageBlock: percentageBlock)
    if isInline == isHorizontal {
      (sizes.minimum.width, sizes.maximum.width) = (.zero, .max)
    } else {
      (sizes.minimum.height, sizes.maximum.height) = (.zero, .max)
    }
    let used = sizes.used(filling: isHorizontal ? room - extraInline : nil)
    let kept = keptOnPage(
      box, width: used.width, height: used.height, availableInline: availableInline, extraInline: extraInline,
      extraBlock: extraBlock)
    return isInline
      ? (isHorizontal ? kept.0 : kept.1) + extraInline : (isHorizontal ? kept.1 : kept.0) + extraBlock
  }

  /// The border-box block size that the ratio of a replaced element gives it by its inline size; nil without one.
  func replacedBlock(of box: BoxID, geometry: BoxGeometry, inline: LayoutUnit) -> LayoutUnit? {
    transferred(inline, of: box, geometry, toBlock: true)
  }
  /// The border-box inline size that the ratio of a replaced element gives it by its block size; nil without one.
  func replacedInline(of box: BoxID, geometry: BoxGeometry, block: LayoutUnit) -> LayoutUnit? {
    transferred(block, of: box, geometry, toBlock: false)
  }

  private func transferred(_ size: LayoutUnit, of box: BoxID, _ geometry: BoxGeometry, toBlock: Bool) -> LayoutUnit? {
    let extra = geometry.edges
    let sizes = replacedSizes(of: box, extra: extra, availableInline: nil, percentageBlock: nil)
    let (from, to) = toBlock ? (extra.inline, extra.block) : (extra.block, extra.inline)
    let content = Swift.max(.zero, size - from)
    let other = toBlock == writingMode.isHorizontal ? sizes.height(for: content) : sizes.width(for: content)
    return other.map { $0 + to }
  }

  /// Pictures wider than such a part of the page, one half, are kept inside their containing block.
  private static let largePicturePart = 2
  /// A containing block narrower than this, one `em` at the initial font size, was not meant to hold a picture.
  private static let leastContainer = LayoutUnit(16)

  /// Scales what is larger than the page's area, or more than half the page wide and wider than its containing block: a picture
  /// is never cut and stays beside the text it belongs to.
  private func keptOnPage(
    _ box: BoxID, width: LayoutUnit, height: LayoutUnit, availableInline: LayoutUnit?, extraInline: LayoutUnit,
    extraBlock: LayoutUnit
  ) -> (LayoutUnit, LayoutUnit) {
    var area = contentArea
    if writingMode.isHorizontal { area.height -= mode.pictureReserve } else { area.width -= mode.pictureReserve }
    var limitWidth = area.width - (writingMode.isHorizontal ? extraInline : extraBlock)
    let limitHeight = area.height - (writingMode.isHorizontal ? extraBlock : extraInline)
    if writingMode.isHorizontal, let availableInline, availableInline > Self.leastContainer,
      width > area.width / Self.largePicturePart
    {
      limitWidth = Swift.min(limitWidth, availableInline - extraInline)
    }
    limitWidth = Swift.max(limitWidth, LayoutUnit(1))
    var factor = width > limitWidth ? limitWidth.pixels / width.pixels : 1
    if slices(box, blockSize: height * factor, extraBlock: extraBlock) {
      return (Swift.min(width * factor, limitWidth), height * factor)
    }
    if height > limitHeight, limitHeight > .zero { factor = Swift.min(factor, limitHeight.pixels / height.pixels) }
    guard factor < 1 else { return (width, height) }
    return (Swift.min(width * factor, limitWidth), Swift.min(height * factor, Swift.max(limitHeight, LayoutUnit(1))))
  }

  /// A replaced element as a box fragment of its own.
  func layoutReplaced(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    let geometry = space.geometry ?? borderAndPadding(of: box, availableInline: space.availableInline)
    var (size, isScaled) = fittedReplacedSize(
      of: box, geometry: geometry, availableInline: space.availableInline, room: space.availableInline,
      percentageBlock: space.percentageBlock)
    if let fixed = space.imposed.inline, fixed != size.inline {
      size.inline = fixed
      // The used main size of an item of a row gives it its height, where that is `auto` (CSS Flexible Box 1, section 9.4).
      if blockSizes(tree.boxes[box.index].style.box).size == .auto,
        let block = replacedBlock(of: box, geometry: geometry, inline: fixed)
      {
        size.block = clampBlock(block, of: box, geometry: geometry, percentageBlock: space.percentageBlock)
      }
    }
    if let fixed = space.imposed.block { size.block = fixed }
    if !space.fragmentainer.isMeasuring, token != nil || space.fragmentainer.size != nil,
      isSliced(box, blockSize: size.block)
    {
      return layoutSlice(of: box, size: size, geometry: geometry, in: space, from: token)
    }
    let fragment = page.appendBox(box, size: size, geometry: geometry, flags: isScaled ? .scaledToPage : [])
    var result = LayoutResult(fragment: fragment, size: size)
    result.bfcBlock = .zero
    return result
  }
}

/// The sizes of a replaced element's content box, physical.
private struct ReplacedSizes {
  /// The default object size where nothing else is known (CSS 2.2, sections 10.3.2 and 10.6.2).
  private static let defaultWidth = LayoutUnit(300)
  private static let defaultHeight = LayoutUnit(150)

  var specified: (width: LayoutUnit?, height: LayoutUnit?)
  var minimum: (width: LayoutUnit, height: LayoutUnit)
  var maximum: (width: LayoutUnit, height: LayoutUnit)
  let natural: (width: LayoutUnit?, height: LayoutUnit?)
  /// Width by height; nil where there is none.
  private let ratio: Double?
  /// Border and padding that the ratio counts in.
  private let ratioEdges: (width: LayoutUnit, height: LayoutUnit)

  /// - Parameters:
  ///   - ratio: The preferred aspect ratio; nil for that of the natural size.
  ///   - ratioEdges: Border and padding, where the ratio is of the border box.
  ///   - hasNaturalRatio: `true` if the natural size has a ratio, which that of `contain-intrinsic-size` has not.
  init(
    specified: (width: LayoutUnit?, height: LayoutUnit?), minimum: (width: LayoutUnit, height: LayoutUnit),
    maximum: (width: LayoutUnit, height: LayoutUnit), natural: (width: LayoutUnit?, height: LayoutUnit?),
    ratio: Double?, ratioEdges: (width: LayoutUnit, height: LayoutUnit), hasNaturalRatio: Bool
  ) {
    self.specified = specified
    self.ratioEdges = ratioEdges
    self.minimum = minimum
    self.maximum = (Swift.max(maximum.width, minimum.width), Swift.max(maximum.height, minimum.height))
    self.natural = natural
    let preferred =
      ratio
      ?? (hasNaturalRatio
        ? natural.width.flatMap { width in natural.height.flatMap { $0 > .zero ? width.pixels / $0.pixels : nil } }
        : nil)
    self.ratio = preferred.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  /// Takes the limits that are content sizes, which are what `auto` would give (CSS Sizing 3, section 5.1).
  mutating func limit(toContentIn style: BoxStyle) {
    if style.minWidth.isContentSize || style.maxWidth.isContentSize {
      var automatic = self
      automatic.specified.width = nil
      let width = automatic.used(filling: nil).width
      if style.minWidth.isContentSize { minimum.width = width }
      maximum.width = Swift.max(style.maxWidth.isContentSize ? width : maximum.width, minimum.width)
    }
    if style.minHeight.isContentSize || style.maxHeight.isContentSize {
      var automatic = self
      automatic.specified.height = nil
      let height = automatic.used(filling: nil).height
      if style.minHeight.isContentSize { minimum.height = height }
      maximum.height = Swift.max(style.maxHeight.isContentSize ? height : maximum.height, minimum.height)
    }
  }

  /// The used size. An element that has nothing but a ratio is `filled` wide.
  func used(filling filled: LayoutUnit?) -> (width: LayoutUnit, height: LayoutUnit) {
    switch (specified.width, specified.height) {
    case (let width?, let height?):
      return (clampedWidth(width), clampedHeight(height))
    case (let width?, nil):
      let width = clampedWidth(width)
      return (width, clampedHeight(self.height(for: width) ?? natural.height ?? Self.defaultHeight))
    case (nil, let height?):
      let height = clampedHeight(height)
      return (clampedWidth(self.width(for: height) ?? natural.width ?? Self.defaultWidth), height)
    case (nil, nil):
      let automatic = automatic(filling: filled)
      return constrained(width: automatic.width, height: automatic.height)
    }
  }

  /// The size where both are `auto`.
  private func automatic(filling filled: LayoutUnit?) -> (width: LayoutUnit, height: LayoutUnit) {
    if let width = natural.width {
      return (width, natural.height ?? height(for: width) ?? Self.defaultHeight)
    }
    if let height = natural.height { return (width(for: height) ?? Self.defaultWidth, height) }
    guard ratio != nil else { return (Self.defaultWidth, Self.defaultHeight) }
    let width = filled ?? Self.defaultWidth
    return (width, height(for: width) ?? Self.defaultHeight)
  }

  func height(for width: LayoutUnit) -> LayoutUnit? {
    ratio.map { Swift.max(.zero, (width + ratioEdges.width) * (1 / $0) - ratioEdges.height) }
  }
  func width(for height: LayoutUnit) -> LayoutUnit? {
    ratio.map { Swift.max(.zero, (height + ratioEdges.height) * $0 - ratioEdges.width) }
  }
  private func clampedWidth(_ width: LayoutUnit) -> LayoutUnit {
    Swift.min(Swift.max(width, minimum.width), maximum.width)
  }
  private func clampedHeight(_ height: LayoutUnit) -> LayoutUnit {
    Swift.min(Swift.max(height, minimum.height), maximum.height)
  }

  /// The table of constraint violations of CSS 2.2, section 10.4.
  private func constrained(width: LayoutUnit, height: LayoutUnit) -> (width: LayoutUnit, height: LayoutUnit) {
    let w = width.pixels
    let h = height.pixels
    func clampWidth(_ value: Double) -> LayoutUnit { clampedWidth(LayoutUnit(value)) }
    func clampHeight(_ value: Double) -> LayoutUnit { clampedHeight(LayoutUnit(value)) }
    guard ratio != nil, w > 0, h > 0 else { return (clampWidth(w), clampHeight(h)) }
    let tooWide = width > maximum.width
    let tooHigh = height > maximum.height
    let tooNarrow = width < minimum.width
    let tooLow = height < minimum.height
    switch (tooWide, tooNarrow, tooHigh, tooLow) {
    case (true, _, true, _):
      if maximum.width.pixels / w <= maximum.height.pixels / h {
        return (maximum.width, clampHeight(maximum.width.pixels * h / w))
      }
      return (clampWidth(maximum.height.pixels * w / h), maximum.height)
    case (_, true, _, true):
      if minimum.width.pixels / w <= minimum.height.pixels / h {
        return (clampWidth(minimum.height.pixels * w / h), minimum.height)
      }
      return (minimum.width, clampHeight(minimum.width.pixels * h / w))
    case (_, true, true, _): return (minimum.width, maximum.height)
    case (true, _, _, true): return (maximum.width, minimum.height)
    case (true, _, _, _): return (maximum.width, clampHeight(maximum.width.pixels * h / w))
    case (_, true, _, _): return (minimum.width, clampHeight(minimum.width.pixels * h / w))
    case (_, _, true, _): return (clampWidth(maximum.height.pixels * w / h), maximum.height)
    case (_, _, _, true): return (clampWidth(minimum.height.pixels * w / h), minimum.height)
    default: return (width, height)
    }
  }
}

extension LengthResolver {
  /// The part of a picture of a natural size that `object-view-box` shows (CSS Images 5, section 4.1); nil for all of it, and where
  /// nothing is left.
  package func viewBox(of style: BoxStyle, font: Identifier<FontStyleTag>, in natural: Size) -> Rect? {
    guard case .inset(let sides, _, _)? = style.rare?.values.objectViewBox else { return nil }
    let top = resolve(sides.top, font: font, percentage: natural.height)
    let bottom = resolve(sides.bottom, font: font, percentage: natural.height)
    let left = resolve(sides.left, font: font, percentage: natural.width)
    let right = resolve(sides.right, font: font, percentage: natural.width)
    let box = Rect(x: left, y: top, width: natural.width - left - right, height: natural.height - top - bottom)
    return box.isEmpty ? nil : box
  }
}
