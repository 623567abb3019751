import CSS
import Graphics
import Platform
import Primitives

/// Draws the steps of `shape()` and `path()` in a reference box (CSS Shapes 2, section 3.1).
struct ShapePen {
  private typealias Place = SIMD2<Double>

  private(set) var elements: [PathElement] = []
  private let box: Rect
  /// The used value of a length whose percentages are of a size.
  private let length: (LengthPercentage, LayoutUnit) -> LayoutUnit
  private var pen = Place()
  private var start = Place()
  /// The last control point, for smooth curves.
  private var control: (point: Place, isCubic: Bool)?

  init(_ box: Rect, _ length: @escaping (LengthPercentage, LayoutUnit) -> LayoutUnit) {
    self.box = box
    self.length = length
  }

  mutating func add(_ segment: ShapeSegment) {
    if elements.isEmpty, case .move = segment {} else if elements.isEmpty { elements.append(.move(point(pen))) }
    let begin = pen
    var next: (point: Place, isCubic: Bool)?
    switch segment {
    case .move(let end):
      pen = place(end)
      start = pen
      elements.append(.move(point(pen)))
    case .line(let end):
      pen = place(end)
      elements.append(.line(point(pen)))
    case .curve(let end, let first, let second):
      let target = place(end)
      let a = place(first, begin, target)
      next = (second.map { place($0, begin, target) } ?? a, second != nil)
      curve(a, second.map { place($0, begin, target) }, to: target)
    case .smooth(let end, let second):
      let target = place(end)
      let a = control.flatMap { $0.isCubic == (second != nil) ? begin * 2 - $0.point : nil } ?? begin
      next = (second.map { place($0, begin, target) } ?? a, second != nil)
      curve(a, second.map { place($0, begin, target) }, to: target)
    case .arc(let end, let x, let y, let turn, let isLarge, let isClockwise):
      let target = place(end)
      let radii = Place(length(x, box.width).pixels, length(y, box.height).pixels)
      if let arc = EllipticalArc(
        from: pen, to: target, radii: radii, rotation: Double(turn), isLarge: isLarge, sweeps: isClockwise)
      {
        for (a, b, end) in arc.curves(to: target) { elements.append(.curve(point(a), point(b), point(end))) }
      } else {
        elements.append(.line(point(target)))
      }
      pen = target
    case .close:
      pen = start
      elements.append(.close)
    }
    control = next
  }

  private func place(_ value: ShapePoint, _ begin: Place, _ end: Place) -> Place {
    let origin =
      switch value.origin {
      case .box: Place(box.x.pixels, box.y.pixels)
      case .start: begin
      case .end: end
      }
    return Place(
      value.x.map { origin.x + length($0, box.width).pixels } ?? begin.x,
      value.y.map { origin.y + length($0, box.height).pixels } ?? begin.y)
  }
  private func place(_ value: ShapePoint) -> Place { place(value, pen, pen) }

  private func point(_ place: Place) -> Point { Point(x: LayoutUnit(place.x), y: LayoutUnit(place.y)) }

  private mutating func curve(_ first: Place, _ second: Place?, to end: Place) {
    let (a, b) = second.map { (first, $0) } ?? pen.cubicControls(quadratic: first, to: end)
    elements.append(.curve(point(a), point(b), point(end)))
    pen = end
  }
}

extension [PathElement] {
  /// The corners of the path, and points along its curves.
  var corners: [Point] {
    var corners: [Point] = []
    for element in self {
      switch element {
      case .move(let point), .line(let point): corners.append(point)
      case .curve(let a, let b, let end):
        let start = corners.last ?? a
        for step in 1...16 {
          let t = Double(step) / 16
          let u = 1 - t
          func mix(_ p: LayoutUnit, _ q: LayoutUnit, _ r: LayoutUnit, _ s: LayoutUnit) -> LayoutUnit {
            p * (u * u * u) + q * (3 * u * u * t) + r * (3 * u * t * t) + s * (t * t * t)
          }
          corners.append(Point(x: mix(start.x, a.x, b.x, end.x), y: mix(start.y, a.y, b.y, end.y)))
        }
      case .close: break
      }
    }
    return corners
  }
}
