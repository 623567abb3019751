import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The outline of `clip-path` on the page (CSS Shapes 1, section 3).
  func clipShape(
    _ clip: ClipPath, of fragment: Fragment, at offset: LogicalOffset
  ) -> (path: [PathElement], isEvenOdd: Bool) {
    let style = tree[fragment.box].style
    let geometry = geometry(fragment)
    let border = map.rect(offset, fragment.size)
    let reference: Rect
    switch clip.box {
    // Layout keeps no margins: they are left out.
    case .borderBox, .marginBox: reference = border
    case .paddingBox: reference = border.inset(by: map.insets(geometry.border))
    case .contentBox: reference = contentRect(of: fragment, at: offset)
    }
    func length(_ value: LengthPercentage, _ base: LayoutUnit) -> LayoutUnit {
      context.resolve(value, font: style.font, percentage: base)
    }
    func point(_ position: PositionValue) -> Point {
      Point(x: reference.x + length(position.x, reference.width), y: reference.y + length(position.y, reference.height))
    }
    switch clip.shape {
    case nil: return (RoundedBand.outline(reference, cornerRadii(of: fragment, rect: border)), false)
    case .inset(let edges, let radiusX, let radiusY)?:
      let rect = reference.inset(
        by: Insets(
          top: length(edges.top, reference.height), right: length(edges.right, reference.width),
          bottom: length(edges.bottom, reference.height), left: length(edges.left, reference.width)))
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
      return (RoundedBand.outline(rect, radii.fitted(into: rect)), false)
    case .circle(let radius, let position)?:
      let center = point(position)
      let used: LayoutUnit
      switch radius {
      case .closestSide: used = Swift.min(nearSide(center, reference).width, nearSide(center, reference).height)
      case .farthestSide: used = Swift.max(farSide(center, reference).width, farSide(center, reference).height)
      case .length(let value):
        // A percentage is of the diagonal, so that a square gives its side.
        let (width, height) = (reference.width.pixels, reference.height.pixels)
        used = length(value, LayoutUnit(((width * width + height * height) / 2).squareRoot()))
      }
      return (ellipse(center, Size(width: used, height: used)), false)
    case .ellipse(let x, let y, let position)?:
      let center = point(position)
      func used(_ radius: ShapeRadius, _ near: LayoutUnit, _ far: LayoutUnit, _ base: LayoutUnit) -> LayoutUnit {
        switch radius {
        case .closestSide: near
        case .farthestSide: far
        case .length(let value): length(value, base)
        }
      }
      let near = nearSide(center, reference)
      let far = farSide(center, reference)
      return (
        ellipse(
          center,
          Size(
            width: used(x, near.width, far.width, reference.width),
            height: used(y, near.height, far.height, reference.height))), false
      )
    case .polygon(let points, let isEvenOdd)?:
      var path = points.map { PathElement.line(point($0)) }
      if case .line(let first)? = path.first { path[0] = .move(first) }
      return (path + [.close], isEvenOdd)
    }
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
  private func ellipse(_ center: Point, _ radius: Size) -> [PathElement] {
    var radii = CornerRadii()
    (radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft) = (radius, radius, radius, radius)
    return RoundedBand.outline(
      Rect(x: center.x - radius.width, y: center.y - radius.height, width: radius.width * 2, height: radius.height * 2),
      radii)
  }
}
