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
      arc(
        Place(length(x, box.width).pixels, length(y, box.height).pixels), Double(turn), isLarge: isLarge,
        sweeps: isClockwise, to: place(end))
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
    let a = second == nil ? pen + (first - pen) * (2 / 3) : first
    let b = second ?? end + (first - end) * (2 / 3)
    elements.append(.curve(point(a), point(b), point(end)))
    pen = end
  }

  /// An elliptical arc, from its ends to its centre (SVG 2, appendix B.2.4), as curves of an eighth of a turn at most.
  private mutating func arc(_ wanted: Place, _ turn: Double, isLarge: Bool, sweeps: Bool, to end: Place) {
    var radii = Place(abs(wanted.x), abs(wanted.y))
    guard radii.x > 0, radii.y > 0, end != pen else {
      pen = end
      return elements.append(.line(point(end)))
    }
    let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
    func turned(_ place: Place, _ sine: Double) -> Place {
      Place(cosine * place.x - sine * place.y, sine * place.x + cosine * place.y)
    }
    let half = turned((pen - end) / 2, -sine)
    let size = (half * half) / (radii * radii)
    if size.x + size.y > 1 { radii *= (size.x + size.y).squareRoot() }
    let square = radii * radii
    let crossed = square.x * half.y * half.y + square.y * half.x * half.x
    let root = Swift.max(0, (square.x * square.y - crossed) / Swift.max(crossed, .leastNormalMagnitude)).squareRoot()
    let sign = isLarge == sweeps ? -root : root
    let middle = Place(sign * radii.x * half.y / radii.y, -sign * radii.y * half.x / radii.x)
    let centre = turned(middle, sine) + (pen + end) / 2
    let (from, to) = ((half - middle) / radii, (-half - middle) / radii)
    let first = atan2(from.y, from.x)
    var angle = atan2(to.y, to.x) - first
    if sweeps, angle < 0 { angle += 2 * .pi } else if !sweeps, angle > 0 { angle -= 2 * .pi }
    let steps = Swift.max(1, Int((abs(angle) / (.pi / 4)).rounded(.up)))
    let step = angle / Double(steps)
    let reach = 4 / 3 * tan(step / 4)
    for index in 0..<steps {
      let (before, after) = (first + step * Double(index), first + step * Double(index + 1))
      func on(_ angle: Double) -> Place { Place(cos(angle), sin(angle)) }
      func way(_ angle: Double) -> Place { Place(-sin(angle), cos(angle)) * reach }
      let a = centre + turned((on(before) + way(before)) * radii, sine)
      let b = centre + turned((on(after) - way(after)) * radii, sine)
      let c = index == steps - 1 ? end : centre + turned(on(after) * radii, sine)
      elements.append(.curve(point(a), point(b), point(c)))
    }
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
