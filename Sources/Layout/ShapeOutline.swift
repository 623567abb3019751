package import CSS
package import Graphics
package import Primitives
package import Styling

/// A basic shape at its place (CSS Shapes 1, section 3), in physical coordinates.
package enum ShapeOutline {
  case rounded(Rect, CornerRadii)
  case polygon([Point], isEvenOdd: Bool)
  case path([PathElement], isEvenOdd: Bool)
}

extension LengthResolver {
  /// The used shape of `shape` in its reference box.
  package func outline(of shape: BasicShape, in reference: Rect, font: Identifier<FontStyleTag>) -> ShapeOutline {
    func length(_ value: LengthPercentage, _ base: LayoutUnit) -> LayoutUnit {
      resolve(value, font: font, percentage: base)
    }
    func point(_ position: PositionValue) -> Point {
      Point(x: reference.x + length(position.x, reference.width), y: reference.y + length(position.y, reference.height))
    }
    switch shape {
    case .inset(let edges, let radiusX, let radiusY):
      let insets = Insets(
        top: length(edges.top, reference.height), right: length(edges.right, reference.width),
        bottom: length(edges.bottom, reference.height), left: length(edges.left, reference.width))
      let rect = reference.inset(by: insets.fitted(into: reference))
      var radii = CornerRadii()
      if radiusX.count == 4, radiusY.count == 4 {
        func size(_ corner: Int) -> Size {
          Size(width: length(radiusX[corner], reference.width), height: length(radiusY[corner], reference.height))
        }
        radii.topLeft = size(0)
        radii.topRight = size(1)
        radii.bottomRight = size(2)
        radii.bottomLeft = size(3)
      }
      return .rounded(rect, radii.fitted(into: rect))
    case .circle(let radius, let position):
      let center = point(position)
      let (near, far) = (nearSide(center, reference), farSide(center, reference))
      let used = radius.used(closest: Swift.min(near.width, near.height), farthest: Swift.max(far.width, far.height)) {
        // A percentage is of the diagonal, so that a square gives its side.
        let (width, height) = (reference.width.pixels, reference.height.pixels)
        return length($0, LayoutUnit(((width * width + height * height) / 2).squareRoot()))
      }
      return ellipse(center, Size(width: used, height: used))
    case .ellipse(let x, let y, let position):
      let center = point(position)
      func used(_ radius: ShapeRadius, _ near: LayoutUnit, _ far: LayoutUnit, _ base: LayoutUnit) -> LayoutUnit {
        radius.used(closest: near, farthest: far) { length($0, base) }
      }
      let near = nearSide(center, reference)
      let far = farSide(center, reference)
      return ellipse(
        center,
        Size(
          width: used(x, near.width, far.width, reference.width),
          height: used(y, near.height, far.height, reference.height)))
    case .polygon(let points, let isEvenOdd): return .polygon(points.map(point), isEvenOdd: isEvenOdd)
    case .path(let segments, let isEvenOdd):
      var pen = ShapePen(reference) { length($0, $1) }
      for segment in segments { pen.add(segment) }
      return .path(pen.elements, isEvenOdd: isEvenOdd)
    }
  }

  /// The specified corners of a border edge, which may overlap; `turn` counts quarter turns of the box to the right.
  package func borderRadii(
    of border: BorderGroup, font: Identifier<FontStyleTag>, rect: Rect, turn: Int = 0
  ) -> CornerRadii {
    guard !(border.radiusX.allSatisfy(\.isZero) && border.radiusY.allSatisfy(\.isZero)), !rect.isEmpty else {
      return CornerRadii()
    }
    func size(_ corner: Int) -> Size {
      let corner = (corner + turn) % 4
      guard corner < border.radiusX.count, corner < border.radiusY.count else { return .zero }
      let x = resolve(border.radiusX[corner], font: font, percentage: rect.width)
      let y = resolve(border.radiusY[corner], font: font, percentage: rect.height)
      return x > .zero && y > .zero ? Size(width: x, height: y) : .zero
    }
    var radii = CornerRadii()
    radii.topLeft = size(0)
    radii.topRight = size(1)
    radii.bottomRight = size(2)
    radii.bottomLeft = size(3)
    return radii
  }

  private func distance(_ a: LayoutUnit, _ b: LayoutUnit) -> LayoutUnit { Swift.max(a - b, b - a) }
  private func nearSide(_ center: Point, _ rect: Rect) -> Size {
    Size(
      width: Swift.min(distance(center.x, rect.x), distance(rect.maxX, center.x)),
      height: Swift.min(distance(center.y, rect.y), distance(rect.maxY, center.y)))
  }
  private func farSide(_ center: Point, _ rect: Rect) -> Size {
    Size(
      width: Swift.max(distance(center.x, rect.x), distance(rect.maxX, center.x)),
      height: Swift.max(distance(center.y, rect.y), distance(rect.maxY, center.y)))
  }
  private func ellipse(_ center: Point, _ radius: Size) -> ShapeOutline {
    var radii = CornerRadii()
    (radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft) = (radius, radius, radius, radius)
    return .rounded(
      Rect(x: center.x - radius.width, y: center.y - radius.height, width: radius.width * 2, height: radius.height * 2),
      radii)
  }
}

extension Insets {
  /// Opposite insets that pass each other share the room by their sizes (CSS Shapes 1, section 3.1.1).
  fileprivate func fitted(into rect: Rect) -> Insets {
    func fit(_ a: LayoutUnit, _ b: LayoutUnit, _ room: LayoutUnit) -> (LayoutUnit, LayoutUnit) {
      let sum = a + b
      guard sum > room, sum > .zero else { return (a, b) }
      let first = a * (room.pixels / sum.pixels)
      return (first, room - first)
    }
    let (left, right) = fit(left, right, rect.width)
    let (top, bottom) = fit(top, bottom, rect.height)
    return Insets(top: top, right: right, bottom: bottom, left: left)
  }
}
