/// The outlines of shapes by their attributes (SVG 2, chapters 9 and 10).
struct DrawingGeometry {
  let tree: SVGTree
  /// What shares of lengths are those of; nil where that is only known when it is drawn.
  let viewport: SIMD2<Double>?

  enum Shape { case path, rect, circle, ellipse, line, polyline, polygon }

  private static let shapes: [(StaticString, Shape)] = [
    ("path", .path), ("rect", .rect), ("circle", .circle), ("ellipse", .ellipse), ("line", .line),
    ("polyline", .polyline), ("polygon", .polygon),
  ]

  static func shape(_ name: Range<Int>, in tree: SVGTree) -> Shape? {
    shapes.first { tree.equals(name, $0.0) }?.1
  }

  static let attributes: [StaticString] = [
    "d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2", "points",
  ]

  /// A length of an element, 0 without the attribute; nil where it is not known here.
  func length(_ name: StaticString, of element: Int, along axis: Int) -> Double? {
    guard let value = tree.value(of: name, of: element) else { return 0 }
    return DrawingValues.length(DrawingValues.trimmed(String(decoding: value, as: UTF8.self)), share: viewport?[axis])
  }

  private func place(_ x: StaticString, _ y: StaticString, of element: Int) -> DrawingPath.Place? {
    guard let x = length(x, of: element, along: 0), let y = length(y, of: element, along: 1) else { return nil }
    return DrawingPath.Place(x, y)
  }

  /// The outline of a shape (SVG 2, chapter 10); nil where something in it is not known here.
  func path(of element: Int, _ shape: Shape) -> DrawingPath? {
    switch shape {
    case .path:
      guard let data = tree.value(of: "d", of: element) else { return DrawingPath() }
      return data.contains(UInt8(ascii: "&")) ? nil : DrawingPath(data: data)
    case .rect:
      guard let corner = place("x", "y", of: element), let size = place("width", "height", of: element),
        var radii = place("rx", "ry", of: element), size.min() >= 0, radii.min() >= 0
      else { return nil }
      if tree.value(of: "rx", of: element) == nil { radii.x = radii.y }
      if tree.value(of: "ry", of: element) == nil { radii.y = radii.x }
      return size.min() > 0 ? .rect(corner, size, radii: radii) : DrawingPath()
    case .circle:
      guard let center = place("cx", "cy", of: element),
        let radius = tree.value(of: "r", of: element).map({ DrawingValues.length(String(decoding: $0, as: UTF8.self)) })
          ?? 0,
        radius >= 0
      else { return nil }
      return radius > 0 ? .ellipse(center, radii: DrawingPath.Place(repeating: radius)) : DrawingPath()
    case .ellipse:
      guard let center = place("cx", "cy", of: element), let radii = place("rx", "ry", of: element), radii.min() >= 0
      else { return nil }
      return radii.min() > 0 ? .ellipse(center, radii: radii) : DrawingPath()
    case .line:
      guard let start = place("x1", "y1", of: element), let end = place("x2", "y2", of: element) else { return nil }
      return .polyline([start, end], isClosed: false)
    case .polyline, .polygon:
      guard let value = tree.value(of: "points", of: element) else { return DrawingPath() }
      return DrawingValues.points(value).map { .polyline($0, isClosed: shape == .polygon) }
    }
  }
}
