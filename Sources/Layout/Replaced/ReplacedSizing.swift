import BoxGeneration
import CSS
import Images
package import Primitives
import Styling

extension LayoutContext {
  /// Border-box size of a replaced element (CSS 2.2, sections 10.3.2, 10.4, 10.6.2), kept inside the page.
  ///
  /// `availableInline` nil measures the intrinsic contribution, where percentages count as `auto`.
  package func replacedSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit?, percentageBlock: LayoutUnit?
  ) -> LogicalSize {
    fittedReplacedSize(
      of: box, geometry: geometry, availableInline: availableInline, percentageBlock: percentageBlock
    ).size
  }

  /// The same, and whether the page has made it smaller.
  private func fittedReplacedSize(
    of box: BoxID, geometry: BoxGeometry, availableInline: LayoutUnit?, percentageBlock: LayoutUnit?
  ) -> (size: LogicalSize, isScaled: Bool) {
    let value = tree.boxes[box.index]
    let style = styles.boxes[value.style.box.index]
    let info = value.image.isNone ? ImageInfo() : images.info(value.image)
    let extraInline = geometry.border.inlineSum + geometry.padding.inlineSum
    let extraBlock = geometry.border.blockSum + geometry.padding.blockSum
    let isHorizontal = writingMode.isHorizontal

    // Content-box sizes, physical.
    func inline(_ size: SizeValue) -> LayoutUnit? {
      guard case .length(let length) = size,
        let used = resolve(length, font: value.style.font, definite: availableInline)
      else { return nil }
      return Swift.max(.zero, style.boxSizing == .borderBox ? used - extraInline : used)
    }
    func block(_ size: SizeValue) -> LayoutUnit? {
      guard case .length(let length) = size,
        let used = resolve(length, font: value.style.font, definite: percentageBlock)
      else { return nil }
      return Swift.max(.zero, style.boxSizing == .borderBox ? used - extraBlock : used)
    }
    let specified = (
      width: isHorizontal ? inline(style.width) : block(style.width),
      height: isHorizontal ? block(style.height) : inline(style.height)
    )
    let minimum = (
      width: (isHorizontal ? inline(style.minWidth) : block(style.minWidth)) ?? .zero,
      height: (isHorizontal ? block(style.minHeight) : inline(style.minHeight)) ?? .zero
    )
    var maximum = (
      width: (isHorizontal ? inline(style.maxWidth) : block(style.maxWidth)) ?? .max,
      height: (isHorizontal ? block(style.maxHeight) : inline(style.maxHeight)) ?? .max
    )
    maximum.width = Swift.max(maximum.width, minimum.width)
    maximum.height = Swift.max(maximum.height, minimum.height)

    let natural = (width: info.width.map { LayoutUnit($0) }, height: info.height.map { LayoutUnit($0) })
    let ratio: Double? =
      style.aspectRatio.map(Double.init) ?? info.aspectRatio.map(Double.init)
      ?? (natural.width.flatMap { width in natural.height.flatMap { $0 > .zero ? width.pixels / $0.pixels : nil } })
    let usableRatio = ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }

    var width: LayoutUnit
    var height: LayoutUnit
    switch (specified.width, specified.height) {
    case (let w?, let h?):
      width = Swift.min(Swift.max(w, minimum.width), maximum.width)
      height = Swift.min(Swift.max(h, minimum.height), maximum.height)
    case (let w?, nil):
      width = Swift.min(Swift.max(w, minimum.width), maximum.width)
      height = usableRatio.map { width * (1 / $0) } ?? natural.height ?? LayoutUnit(150)
      height = Swift.min(Swift.max(height, minimum.height), maximum.height)
    case (nil, let h?):
      height = Swift.min(Swift.max(h, minimum.height), maximum.height)
      width = usableRatio.map { height * $0 } ?? natural.width ?? LayoutUnit(300)
      width = Swift.min(Swift.max(width, minimum.width), maximum.width)
    case (nil, nil):
      if let w = natural.width {
        width = w
        height = natural.height ?? usableRatio.map { w * (1 / $0) } ?? LayoutUnit(150)
      } else if let h = natural.height {
        height = h
        width = usableRatio.map { h * $0 } ?? LayoutUnit(300)
      } else if let usableRatio {
        width = isHorizontal ? (availableInline.map { $0 - extraInline } ?? LayoutUnit(300)) : LayoutUnit(300)
        height = width * (1 / usableRatio)
      } else {
        width = LayoutUnit(300)
        height = LayoutUnit(150)
      }
      (width, height) = Self.constrained(
        width: width, height: height, minimum: minimum, maximum: maximum, keepsRatio: usableRatio != nil)
    }
    let kept = keptOnPage(
      width: width, height: height, availableInline: availableInline, extraInline: extraInline, extraBlock: extraBlock)
    let isScaled = kept != (width, height)
    (width, height) = kept
    let size =
      isHorizontal
      ? LogicalSize(inline: width + extraInline, block: height + extraBlock)
      : LogicalSize(inline: height + extraInline, block: width + extraBlock)
    return (size, isScaled)
  }

  /// The table of constraint violations of CSS 2.2, section 10.4.
  private static func constrained(
    width: LayoutUnit, height: LayoutUnit, minimum: (width: LayoutUnit, height: LayoutUnit),
    maximum: (width: LayoutUnit, height: LayoutUnit),
    keepsRatio: Bool
  ) -> (LayoutUnit, LayoutUnit) {
    let w = width.pixels
    let h = height.pixels
    func clampWidth(_ value: Double) -> LayoutUnit {
      Swift.min(Swift.max(LayoutUnit(value), minimum.width), maximum.width)
    }
    func clampHeight(_ value: Double) -> LayoutUnit {
      Swift.min(Swift.max(LayoutUnit(value), minimum.height), maximum.height)
    }
    guard keepsRatio, w > 0, h > 0 else { return (clampWidth(w), clampHeight(h)) }
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

  /// Scales what is larger than the page's area, or more than half the page wide and wider than its containing block: a picture
  /// is never cut and stays beside the text it belongs to.
  private func keptOnPage(
    width: LayoutUnit, height: LayoutUnit, availableInline: LayoutUnit?, extraInline: LayoutUnit,
    extraBlock: LayoutUnit
  ) -> (LayoutUnit, LayoutUnit) {
    var area = contentArea
    if writingMode.isHorizontal { area.height -= mode.pictureReserve } else { area.width -= mode.pictureReserve }
    var limitWidth = area.width - (writingMode.isHorizontal ? extraInline : extraBlock)
    let limitHeight = area.height - (writingMode.isHorizontal ? extraBlock : extraInline)
    if writingMode.isHorizontal, let availableInline, availableInline > LayoutUnit(16), width > area.width / 2 {
      limitWidth = Swift.min(limitWidth, availableInline - extraInline)
    }
    limitWidth = Swift.max(limitWidth, LayoutUnit(1))
    var factor = 1.0
    if width > limitWidth { factor = limitWidth.pixels / width.pixels }
    if height > limitHeight, limitHeight > .zero { factor = Swift.min(factor, limitHeight.pixels / height.pixels) }
    guard factor < 1 else { return (width, height) }
    return (Swift.min(width * factor, limitWidth), Swift.min(height * factor, Swift.max(limitHeight, LayoutUnit(1))))
  }

  /// A replaced element as a box fragment of its own.
  func layoutReplaced(_ box: BoxID, in space: ConstraintSpace) -> LayoutResult {
    let geometry = space.geometry ?? borderAndPadding(of: box, availableInline: space.availableInline)
    var (size, isScaled) = fittedReplacedSize(
      of: box, geometry: geometry, availableInline: space.availableInline, percentageBlock: space.percentageBlock)
    if let fixed = space.fixedInline { size.inline = fixed }
    if let fixed = space.fixedBlock { size.block = fixed }
    let fragment = page.appendBox(box, size: size, geometry: geometry, flags: isScaled ? .scaledToPage : [])
    var result = LayoutResult(fragment: fragment, size: size)
    result.bfcBlock = .zero
    return result
  }
}
