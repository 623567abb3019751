import CSS
import Graphics

/// An outline in user units: parts of lines and curves, open or closed (SVG 2, chapter 9).
package struct DrawingPath: Equatable, Sendable {
  /// A point, in user units.
  package typealias Place = SIMD2<Double>

  package enum Element: Equatable, Sendable {
    case move(Place)
    case line(Place)
    /// A control point and the end.
    case quadratic(Place, Place)
    /// Two control points and the end.
    case cubic(Place, Place, Place)
    case close
  }

  package fileprivate(set) var elements: [Element] = []

  init() {}

  /// Path data (SVG 2, section 9.3); nil where there is a fault in it.
  init?(data: ArraySlice<UInt8>) {
    var reader = PathReader(data)
    var builder = PathBuilder()
    var isFirst = true
    while let command = reader.command() {
      guard !isFirst || command.letter == UInt8(ascii: "m") else { return nil }
      isFirst = false
      let isRead =
        switch command.letter {
        case UInt8(ascii: "z"): builder.close()
        case UInt8(ascii: "a"): builder.arc(&reader, isRelative: command.isRelative)
        default: builder.draw(command.letter, &reader, isRelative: command.isRelative)
        }
      guard isRead, builder.path.elements.count <= Self.mostElements else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    self = builder.path
  }

  /// Elements of one path.
  static let mostElements = 200_000

  // MARK: Basic shapes (SVG 2, chapter 10)

  static func rect(_ corner: Place, _ size: Place, radii: Place) -> DrawingPath {
    var path = DrawingPath()
    let end = corner + size
    let radii = Place(Swift.min(radii.x, size.x / 2), Swift.min(radii.y, size.y / 2))
    guard radii.min() > 0 else {
      path.elements = [
        .move(corner), .line(Place(end.x, corner.y)), .line(end), .line(Place(corner.x, end.y)), .close,
      ]
      return path
    }
    path.elements = [.move(Place(corner.x + radii.x, corner.y))]
    path.elements.append(.line(Place(end.x - radii.x, corner.y)))
    path.quarter(from: Place(end.x - radii.x, corner.y), to: Place(end.x, corner.y + radii.y), radii)
    path.elements.append(.line(Place(end.x, end.y - radii.y)))
    path.quarter(from: Place(end.x, end.y - radii.y), to: Place(end.x - radii.x, end.y), radii)
    path.elements.append(.line(Place(corner.x + radii.x, end.y)))
    path.quarter(from: Place(corner.x + radii.x, end.y), to: Place(corner.x, end.y - radii.y), radii)
    path.elements.append(.line(Place(corner.x, corner.y + radii.y)))
    path.quarter(from: Place(corner.x, corner.y + radii.y), to: Place(corner.x + radii.x, corner.y), radii)
    path.elements.append(.close)
    return path
  }

  static func ellipse(_ center: Place, radii: Place) -> DrawingPath {
    var path = DrawingPath()
    let (across, down) = (Place(radii.x, 0), Place(0, radii.y))
    path.elements = [.move(center + across)]
    path.quarter(from: center + across, to: center + down, radii)
    path.quarter(from: center + down, to: center - across, radii)
    path.quarter(from: center - across, to: center - down, radii)
    path.quarter(from: center - down, to: center + across, radii)
    path.elements.append(.close)
    return path
  }

  /// Points joined by lines.
  static func polyline(_ points: [Place], isClosed: Bool) -> DrawingPath {
    var path = DrawingPath()
    path.elements = points.enumerated().map { $0 == 0 ? .move($1) : .line($1) }
    if isClosed, !points.isEmpty { path.elements.append(.close) }
    return path
  }

  private mutating func quarter(from start: Place, to end: Place, _ radii: Place) {
    append(EllipticalArc(from: start, to: end, radii: radii, rotation: 0, isLarge: false, sweeps: true), to: end)
  }

  fileprivate mutating func append(_ arc: EllipticalArc?, to end: Place) {
    guard let arc else {
      elements.append(.line(end))
      return
    }
    for (first, second, end) in arc.curves(to: end) { elements.append(.cubic(first, second, end)) }
  }

  mutating func append(_ other: DrawingPath, _ place: (Place) -> Place) {
    elements += other.mapped(place).elements
  }

  package func mapped(_ place: (Place) -> Place) -> DrawingPath {
    var path = DrawingPath()
    path.elements = elements.map { element in
      switch element {
      case .move(let end): .move(place(end))
      case .line(let end): .line(place(end))
      case .quadratic(let control, let end): .quadratic(place(control), place(end))
      case .cubic(let first, let second, let end): .cubic(place(first), place(second), place(end))
      case .close: .close
      }
    }
    return path
  }

  // MARK: Extents

  package struct Bounds: Equatable, Sendable {
    package var low: Place
    package var high: Place

    init(_ place: Place) { (low, high) = (place, place) }

    package var size: Place { high - low }

    mutating func add(_ place: Place) {
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
  }

  /// The box around all points that the outline and its control points have, within which it lies; nil without any.
  package var controlBounds: Bounds? {
    var bounds: Bounds?
    func add(_ place: Place) { if bounds == nil { bounds = Bounds(place) } else { bounds?.add(place) } }
    for element in elements {
      switch element {
      case .move(let end), .line(let end): add(end)
      case .quadratic(let control, let end): [control, end].forEach(add)
      case .cubic(let first, let second, let end): [first, second, end].forEach(add)
      case .close: break
      }
    }
    return bounds
  }

  /// The tightest box around the outline, which its curves touch (SVG 2, section 8.10); nil without any.
  var bounds: Bounds? {
    var bounds: Bounds?
    var pen = Place()
    func add(_ place: Place) { if bounds == nil { bounds = Bounds(place) } else { bounds?.add(place) } }
    func addCurve(_ first: Place, _ second: Place, _ end: Place) {
      add(pen)
      add(end)
      for axis in 0...1 {
        for share in Self.extremes(pen[axis], first[axis], second[axis], end[axis]) {
          let rest = 1 - share
          let (a, b, c) = (3 * rest * rest * share, 3 * rest * share * share, share * share * share)
          add(pen * (rest * rest * rest) + first * a + second * b + end * c)
        }
      }
      pen = end
    }
    var start = Place()
    for element in elements {
      switch element {
      case .move(let end): (pen, start) = (end, end)
      case .line(let end):
        add(pen)
        add(end)
        pen = end
      case .quadratic(let control, let end):
        let (first, second) = pen.cubicControls(quadratic: control, to: end)
        addCurve(first, second, end)
      case .cubic(let first, let second, let end): addCurve(first, second, end)
      case .close: pen = start
      }
    }
    return bounds
  }

  /// The places on a cubic curve of one dimension where it turns.
  private static func extremes(_ p0: Double, _ p1: Double, _ p2: Double, _ p3: Double) -> [Double] {
    let (a, b, c) = (p3 - 3 * p2 + 3 * p1 - p0, 2 * (p2 - 2 * p1 + p0), p1 - p0)
    let roots: [Double]
    if abs(a) < 1e-12 {
      roots = abs(b) < 1e-12 ? [] : [-c / b]
    } else {
      let square = b * b - 4 * a * c
      roots = square < 0 ? [] : [(-b + square.squareRoot()) / (2 * a), (-b - square.squareRoot()) / (2 * a)]
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }

  /// The length of the outline, with curves as long as the lines through their control points: no less than it is.
  var greatestLength: Double {
    var length = 0.0
    var (pen, start) = (Place(), Place())
    func add(_ place: Place) {
      let way = place - pen
      length += (way * way).sum().squareRoot()
      pen = place
    }
    for element in elements {
      switch element {
      case .move(let end): (pen, start) = (end, end)
      case .line(let end): add(end)
      case .quadratic(let control, let end): [control, end].forEach(add)
      case .cubic(let first, let second, let end): [first, second, end].forEach(add)
      case .close: add(start)
      }
    }
    return length
  }
}

/// Follows the commands of path data.
private struct PathBuilder {
  var path = DrawingPath()
  private var pen = DrawingPath.Place()
  private var start = DrawingPath.Place()
  /// The last control point, for smooth curves.
  private var control: (point: DrawingPath.Place, isCubic: Bool)?

  mutating func draw(_ letter: UInt8, _ reader: inout PathReader, isRelative: Bool) -> Bool {
    let origin = isRelative ? pen : DrawingPath.Place()
    var next: (point: DrawingPath.Place, isCubic: Bool)?
    defer { control = next }
    func point() -> DrawingPath.Place? { reader.point().map { origin + DrawingPath.Place($0) } }
    switch letter {
    case UInt8(ascii: "m"):
      guard let place = point() else { return false }
      (pen, start) = (place, place)
      path.elements.append(.move(place))
    case UInt8(ascii: "l"):
      guard let end = point() else { return false }
      line(to: end)
    case UInt8(ascii: "h"):
      guard let x = reader.number() else { return false }
      line(to: DrawingPath.Place(origin.x + Double(x), pen.y))
    case UInt8(ascii: "v"):
      guard let y = reader.number() else { return false }
      line(to: DrawingPath.Place(pen.x, origin.y + Double(y)))
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      guard let first = letter == UInt8(ascii: "s") ? smoothControl(isCubic: true) : point(), let second = point(),
        let end = point()
      else { return false }
      path.elements.append(.cubic(first, second, end))
      pen = end
      next = (second, true)
    case UInt8(ascii: "q"), UInt8(ascii: "t"):
      guard let middle = letter == UInt8(ascii: "t") ? smoothControl(isCubic: false) : point(), let end = point()
      else { return false }
      path.elements.append(.quadratic(middle, end))
      pen = end
      next = (middle, false)
    default: return false
    }
    return true
  }

  private mutating func line(to end: DrawingPath.Place) {
    path.elements.append(.line(end))
    pen = end
  }

  private func smoothControl(isCubic: Bool) -> DrawingPath.Place {
    control.map { $0.isCubic == isCubic ? pen * 2 - $0.point : pen } ?? pen
  }

  mutating func arc(_ reader: inout PathReader, isRelative: Bool) -> Bool {
    guard let radii = reader.point(), let rotation = reader.number(), let isLarge = reader.flag(),
      let sweeps = reader.flag(), let place = reader.point()
    else { return false }
    let end = (isRelative ? pen : DrawingPath.Place()) + DrawingPath.Place(place)
    path.append(
      EllipticalArc(
        from: pen, to: end, radii: DrawingPath.Place(radii), rotation: Double(rotation), isLarge: isLarge,
        sweeps: sweeps), to: end)
    pen = end
    control = nil
    return true
  }

  mutating func close() -> Bool {
    path.elements.append(.close)
    pen = start
    control = nil
    return true
  }
}
