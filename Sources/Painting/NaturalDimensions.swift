package import Primitives

/// The natural dimensions of an image (CSS Images 3, section 4.1), in CSS px: a bitmap has all of them, a drawing any.
package struct NaturalDimensions: Hashable, Sendable {
  package var width: LayoutUnit?
  package var height: LayoutUnit?
  /// Width by height.
  package var ratio: Double?

  package init(width: LayoutUnit? = nil, height: LayoutUnit? = nil, ratio: Double? = nil) {
    self.width = width
    self.height = height
    self.ratio = ratio
    if ratio == nil, let width, let height, width > .zero, height > .zero { self.ratio = width.pixels / height.pixels }
    if let known = self.ratio, known <= 0 || !known.isFinite { self.ratio = nil }
  }

  /// The default sizing algorithm (CSS Images 3, section 4.3) for a specified size with parts that may be `auto`.
  func size(specified: (width: LayoutUnit?, height: LayoutUnit?), in area: Size) -> Size {
    switch specified {
    case (let width?, let height?): return Size(width: width, height: height)
    case (let width?, nil):
      return Size(width: width, height: ratio.map { width * (1 / $0) } ?? height ?? area.height)
    case (nil, let height?):
      return Size(width: ratio.map { height * $0 } ?? width ?? area.width, height: height)
    case (nil, nil):
      if let width, let height { return Size(width: width, height: height) }
      if width != nil || height != nil { return size(specified: (width, height), in: area) }
      return fitted(into: area, covers: false)
    }
  }

  /// As large as fits into an area, or as small as covers it; the area itself where there is no ratio.
  func fitted(into area: Size, covers: Bool) -> Size {
    guard let ratio else { return area }
    let isWider = area.width.pixels > area.height.pixels * ratio
    return isWider == covers
      ? Size(width: area.width, height: area.width * (1 / ratio))
      : Size(width: area.height * ratio, height: area.height)
  }
}
