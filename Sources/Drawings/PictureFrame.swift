import Graphics

/// The place of one picture of pixels in a drawing that has nothing else (SVG 2, sections 8.2, 8.6 and 12.4).
package struct PictureFrame: Sendable {
  /// A length of the element `image`.
  package enum Length: Equatable, Sendable {
    /// `auto`, which is the initial value.
    case natural
    /// In user units.
    case units(Float)
    /// Of the same side of the viewport.
    case share(Float)
  }

  /// The coordinates of the drawing.
  package var viewport = DrawingViewport()
  package var x = Length.units(0)
  package var y = Length.units(0)
  package var width = Length.natural
  package var height = Length.natural
  /// `preserveAspectRatio` of the element; its box is that of the picture.
  package var ratio = DrawingViewport()
  /// The drawing's own size, to which its coordinates keep without a `viewBox`; nil where they are those of its area.
  package var natural: SIMD2<Float>?

  package init() {}

  package struct Rectangle: Equatable, Sendable {
    package var low: SIMD2<Float>
    package var high: SIMD2<Float>
  }

  /// - Parameters:
  ///   - picture: The picture's own size, upright.
  ///   - area: The size that the drawing is shown at.
  /// - Returns: Where all of the picture lies, and the part that is shown, from the corner of the area and in its
  ///   unit; nil where nothing is.
  package func place(
    _ picture: SIMD2<Float>, in area: SIMD2<Float>
  ) -> (whole: Rectangle, shown: Rectangle)? {
    guard picture.min() > 0, area.min() > 0 else { return nil }
    let sides = viewport.box?.size ?? natural ?? area
    func used(_ length: Length, of side: Float) -> Float? {
      switch length {
      case .natural: nil
      case .units(let value): value
      case .share(let share): share * side
      }
    }
    let (wide, tall) = (used(width, of: sides.x), used(height, of: sides.y))
    let size = SIMD2(
      wide ?? tall.map { $0 * picture.x / picture.y } ?? picture.x,
      tall ?? wide.map { $0 * picture.y / picture.x } ?? picture.y)
    guard size.min() > 0 else { return nil }
    let corner = SIMD2(used(x, of: sides.x) ?? 0, used(y, of: sides.y) ?? 0)
    var inner = ratio
    inner.box = (SIMD2(), picture)
    let map = inner.map(to: size, natural: nil)
    let outer = viewport.map(to: area, natural: natural)
    let whole = Rectangle(low: outer.point(corner + map.point(SIMD2())), high: outer.point(corner + map.point(picture)))
    // The viewport of the drawing, and that of the element.
    let low = pointwiseMax(outer.point(corner), SIMD2())
    let high = pointwiseMin(outer.point(corner + size), area)
    guard low.x < high.x, low.y < high.y else { return nil }
    return (whole, Rectangle(low: pointwiseMax(low, whole.low), high: pointwiseMin(high, whole.high)))
  }
}
