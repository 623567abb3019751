import CSS
import Markup
import Platform
import Primitives

/// A path of a drawing as straight pieces, for text that runs along it (SVG 2, sections 9.3 and 11.8.3).
struct SVGPath {
  /// The ends of the pieces, and how far along the path each is. A new subpath begins with a piece of no length.
  private var points: [SIMD2<Float>] = []
  private var lengths: [Float] = []
  var length: Float { lengths.last ?? 0 }
  var pointCount: Int { points.count }

  private static let mostPoints = 20_000
  /// Pieces of a curve.
  private static let steps = 24

  /// Reads the `d` attribute; up to the first fault of it.
  init(_ data: String) {
    var reader = PathReader(data.utf8)
    var pen = SIMD2<Float>()
    var start = pen
    /// The last control point, for smooth curves.
    var control: (point: SIMD2<Float>, isCubic: Bool)?
    while points.count < Self.mostPoints, let command = reader.command() {
      let origin = command.isRelative ? pen : SIMD2<Float>()
      let smooth = { (isCubic: Bool) in
        control.map { $0.isCubic == isCubic ? pen * 2 - $0.point : pen } ?? pen
      }
      var next: (point: SIMD2<Float>, isCubic: Bool)?
      switch command.letter {
      case UInt8(ascii: "m"):
        guard let point = reader.point() else { return }
        pen = origin + point
        start = pen
        points.append(pen)
        lengths.append(length)
      case UInt8(ascii: "l"):
        guard let point = reader.point() else { return }
        line(to: origin + point, &pen)
      case UInt8(ascii: "h"):
        guard let x = reader.number() else { return }
        line(to: SIMD2(origin.x + x, pen.y), &pen)
      case UInt8(ascii: "v"):
        guard let y = reader.number() else { return }
        line(to: SIMD2(pen.x, origin.y + y), &pen)
      case UInt8(ascii: "c"), UInt8(ascii: "s"):
        guard let a = command.letter == UInt8(ascii: "s") ? smooth(true) : reader.point().map({ origin + $0 }),
          let b = reader.point(), let end = reader.point()
        else { return }
        next = (origin + b, true)
        curve(a, origin + b, origin + end, &pen)
      case UInt8(ascii: "q"), UInt8(ascii: "t"):
        guard let a = command.letter == UInt8(ascii: "t") ? smooth(false) : reader.point().map({ origin + $0 }),
          let end = reader.point()
        else { return }
        next = (a, false)
        curve(pen + (a - pen) * (2 / 3), origin + end + (a - origin - end) * (2 / 3), origin + end, &pen)
      case UInt8(ascii: "a"):
        guard let radii = reader.point(), let rotation = reader.number(), let isLarge = reader.flag(),
          let sweeps = reader.flag(), let end = reader.point()
        else { return }
        arc(radii, rotation, isLarge: isLarge, sweeps: sweeps, to: origin + end, &pen)
      default: line(to: start, &pen)
      }
      control = next
    }
  }

  private mutating func line(to end: SIMD2<Float>, _ pen: inout SIMD2<Float>) {
    let way = end - pen
    points.append(end)
    lengths.append(length + hypotf(way.x, way.y))
    pen = end
  }

  private mutating func curve(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ end: SIMD2<Float>, _ pen: inout SIMD2<Float>
  ) {
    let start = pen
    for step in 1...Self.steps {
      let t = Float(step) / Float(Self.steps)
      let u = 1 - t
      let first = start * (u * u * u) + a * (3 * u * u * t)
      line(to: first + b * (3 * u * t * t) + end * (t * t * t), &pen)
    }
  }

  /// An elliptical arc, from its ends to its centre (SVG 2, appendix B.2.4).
  private mutating func arc(
    _ wanted: SIMD2<Float>, _ rotation: Float, isLarge: Bool, sweeps: Bool, to end: SIMD2<Float>,
    _ pen: inout SIMD2<Float>
  ) {
    var radii = SIMD2(abs(wanted.x), abs(wanted.y))
    guard radii.x > 0, radii.y > 0, end != pen else { return line(to: end, &pen) }
    let (sine, cosine) = (sinf(rotation * .pi / 180), cosf(rotation * .pi / 180))
    func turned(_ point: SIMD2<Float>, _ sine: Float) -> SIMD2<Float> {
      SIMD2(cosine * point.x - sine * point.y, sine * point.x + cosine * point.y)
    }
    let half = turned((pen - end) / 2, -sine)
    let size = (half * half) / (radii * radii)
    if size.x + size.y > 1 { radii *= (size.x + size.y).squareRoot() }
    let square = radii * radii
    let crossed = square.x * half.y * half.y + square.y * half.x * half.x
    let root = Swift.max(0, (square.x * square.y - crossed) / Swift.max(crossed, .leastNormalMagnitude)).squareRoot()
    let sign: Float = isLarge == sweeps ? -root : root
    let middle = SIMD2(sign * radii.x * half.y / radii.y, -sign * radii.y * half.x / radii.x)
    let centre = turned(middle, sine) + (pen + end) / 2
    let from = (half - middle) / radii
    let to = (-half - middle) / radii
    let first = atan2f(from.y, from.x)
    var angle = atan2f(to.y, to.x) - first
    if sweeps, angle < 0 { angle += 2 * .pi } else if !sweeps, angle > 0 { angle -= 2 * .pi }
    for step in 1..<Self.steps {
      let at = first + angle * Float(step) / Float(Self.steps)
      line(to: centre + turned(SIMD2(cosf(at), sinf(at)) * radii, sine), &pen)
    }
    line(to: end, &pen)
  }

  /// The point so far along the path, and the way it goes there, in radians; nil beyond its ends.
  func place(at distance: Float) -> (point: SIMD2<Float>, angle: Float)? {
    guard distance >= 0, distance <= length, points.count > 1 else { return nil }
    var low = 1
    var high = points.count - 1
    while low < high {
      let middle = (low + high) / 2
      if lengths[middle] < distance { low = middle + 1 } else { high = middle }
    }
    while low < points.count - 1, lengths[low] == lengths[low - 1] { low += 1 }
    let own = lengths[low] - lengths[low - 1]
    guard own > 0 else { return nil }
    let way = points[low] - points[low - 1]
    return (points[low - 1] + way * ((distance - lengths[low - 1]) / own), atan2f(way.y, way.x))
  }
}

/// The paths of a document that text runs along, each read once.
struct SVGPaths {
  /// The first path of each name; nil until one is asked for.
  private var elements: [String: NodeID]?
  private var known: [NodeID: SVGPath] = [:]
  private var pointCount = 0
  /// Points of all paths that are kept.
  private static let mostPoints = 1_000_000

  /// The path with an `id`; nil when there is none.
  mutating func path(_ id: String, in document: Document) -> SVGPath? {
    guard let element = elements(of: document)[id] else { return nil }
    if let path = known[element] { return path }
    guard let name = document.names.lookup("d"), let data = document.attributeValue(name, of: element) else {
      return nil
    }
    let path = SVGPath(data)
    pointCount += path.pointCount
    if pointCount > Self.mostPoints {
      known = [:]
      pointCount = path.pointCount
    }
    known[element] = path
    return path
  }

  private mutating func elements(of document: Document) -> [String: NodeID] {
    if let elements { return elements }
    var found: [String: NodeID] = [:]
    for (index, node) in document.nodes.enumerated() where node.kind == .element && node.name == .path {
      let element = NodeID(index)
      if let id = document.attributeValue(.id, of: element), found[id] == nil { found[id] = element }
    }
    elements = found
    return found
  }
}
