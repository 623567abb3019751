import Graphics
import Primitives

extension CornerRadii {
  /// The radii of an edge that lies `insets` further inside.
  func shrunk(by insets: Insets) -> CornerRadii {
    func less(_ size: Size, _ x: LayoutUnit, _ y: LayoutUnit) -> Size {
      let width = Swift.max(.zero, size.width - x)
      let height = Swift.max(.zero, size.height - y)
      return width == .zero || height == .zero ? .zero : Size(width: width, height: height)
    }
    var radii = CornerRadii()
    radii.topLeft = less(topLeft, insets.left, insets.top)
    radii.topRight = less(topRight, insets.right, insets.top)
    radii.bottomRight = less(bottomRight, insets.right, insets.bottom)
    radii.bottomLeft = less(bottomLeft, insets.left, insets.bottom)
    return radii
  }

  /// The radii of an edge that lies `amount` further outside; square corners stay square.
  func grown(by amount: LayoutUnit) -> CornerRadii {
    func more(_ size: Size) -> Size {
      guard size.width > .zero, size.height > .zero else { return .zero }
      return Size(width: Swift.max(.zero, size.width + amount), height: Swift.max(.zero, size.height + amount))
    }
    return mapped(more)
  }

  private func mapped(_ change: (Size) -> Size) -> CornerRadii {
    var radii = CornerRadii()
    radii.topLeft = change(topLeft)
    radii.topRight = change(topRight)
    radii.bottomRight = change(bottomRight)
    radii.bottomLeft = change(bottomLeft)
    return radii
  }

  /// Scaled down together where they overlap (CSS Backgrounds 3, section 5.5).
  func fitted(into rect: Rect) -> CornerRadii {
    var factor = 1.0
    func fit(_ length: LayoutUnit, _ a: LayoutUnit, _ b: LayoutUnit) {
      let sum = (a + b).pixels
      if sum > 0 { factor = Swift.min(factor, length.pixels / sum) }
    }
    fit(rect.width, topLeft.width, topRight.width)
    fit(rect.width, bottomLeft.width, bottomRight.width)
    fit(rect.height, topLeft.height, bottomLeft.height)
    fit(rect.height, topRight.height, bottomRight.height)
    guard factor < 1 else { return self }
    func scaled(_ size: Size) -> Size { Size(width: size.width * factor, height: size.height * factor) }
    return mapped(scaled)
  }
}

/// The ring between two rounded rectangles, cut at the middle of its corners.
struct RoundedBand {
  var outer: Rect
  var outerRadii: CornerRadii
  var inner: Rect
  var innerRadii: CornerRadii

  /// The part of a side: along the outer edge clockwise, back along the inner one.
  func path(_ side: Side) -> [PathElement] {
    let outside = Self.edge(side, outer, outerRadii)
    let inside = Self.edge(side, inner, innerRadii)
    var path: [PathElement] = [.move(outside.start)]
    path.append(.curve(outside.startArc.0, outside.startArc.1, outside.startArc.2))
    path.append(.line(outside.endArc.0))
    path.append(.curve(outside.endArc.1, outside.endArc.2, outside.endArc.3))
    path.append(.line(inside.endArc.3))
    path.append(.curve(inside.endArc.2, inside.endArc.1, inside.endArc.0))
    path.append(.line(inside.startArc.2))
    path.append(.curve(inside.startArc.1, inside.startArc.0, inside.start))
    path.append(.close)
    return path
  }

  /// The whole outline of a rounded rectangle, clockwise from the end of its top left corner.
  static func outline(_ rect: Rect, _ radii: CornerRadii) -> [PathElement] {
    let corners = (0..<4).map { corner($0, rect, radii) }
    var path: [PathElement] = [.move(corners[0].3)]
    for index in [1, 2, 3, 0] {
      let next = corners[index]
      path.append(.line(next.0))
      if next.0 != next.3 { path.append(.curve(next.1, next.2, next.3)) }
    }
    path.append(.close)
    return path
  }

  private typealias Edge = (start: Point, startArc: (Point, Point, Point), endArc: (Point, Point, Point, Point))

  /// One edge with the second half of the corner before it and the first half of the corner after it.
  private static func edge(_ side: Side, _ rect: Rect, _ radii: CornerRadii) -> Edge {
    let before = split(corner(side.rawValue, rect, radii)).second
    let after = split(corner((side.rawValue + 1) % 4, rect, radii)).first
    return (before.0, (before.1, before.2, before.3), (after.0, after.1, after.2, after.3))
  }

  private typealias Curve = (Point, Point, Point, Point)

  /// The quarter ellipse of a corner, clockwise; corner 0 is top left.
  private static func corner(_ index: Int, _ rect: Rect, _ radii: CornerRadii) -> Curve {
    // The control points of a quarter circle lie this share of the radius short of the corner.
    let rest = 1 - 0.552_284_75
    switch index {
    case 0:
      let r = radii.topLeft
      return (
        Point(x: rect.x, y: rect.y + r.height), Point(x: rect.x, y: rect.y + r.height * rest),
        Point(x: rect.x + r.width * rest, y: rect.y), Point(x: rect.x + r.width, y: rect.y)
      )
    case 1:
      let r = radii.topRight
      return (
        Point(x: rect.maxX - r.width, y: rect.y), Point(x: rect.maxX - r.width * rest, y: rect.y),
        Point(x: rect.maxX, y: rect.y + r.height * rest), Point(x: rect.maxX, y: rect.y + r.height)
      )
    case 2:
      let r = radii.bottomRight
      return (
        Point(x: rect.maxX, y: rect.maxY - r.height), Point(x: rect.maxX, y: rect.maxY - r.height * rest),
        Point(x: rect.maxX - r.width * rest, y: rect.maxY), Point(x: rect.maxX - r.width, y: rect.maxY)
      )
    default:
      let r = radii.bottomLeft
      return (
        Point(x: rect.x + r.width, y: rect.maxY), Point(x: rect.x + r.width * rest, y: rect.maxY),
        Point(x: rect.x, y: rect.maxY - r.height * rest), Point(x: rect.x, y: rect.maxY - r.height)
      )
    }
  }

  /// De Casteljau's construction at one half.
  private static func split(_ c: Curve) -> (first: Curve, second: Curve) {
    func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
    let ab = middle(c.0, c.1)
    let bc = middle(c.1, c.2)
    let cd = middle(c.2, c.3)
    let abc = middle(ab, bc)
    let bcd = middle(bc, cd)
    let centre = middle(abc, bcd)
    return ((c.0, ab, abc, centre), (centre, bcd, cd, c.3))
  }
}
