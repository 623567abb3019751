import Graphics
import Primitives

/// The ring between two rounded rectangles, cut at the middle of its corners.
struct RoundedBand {
  var outer: Rect
  var outerRadii: CornerRadii
  var inner: Rect
  var innerRadii: CornerRadii

  /// The part of a side: along the outer edge clockwise, back along the inner one.
  func path(_ side: PhysicalSide) -> [PathElement] {
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
  private static func edge(_ side: PhysicalSide, _ rect: Rect, _ radii: CornerRadii) -> Edge {
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
