import CSS
import Graphics
import Markup
import Platform
import Primitives
import Styling

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
        let (first, second) = pen.cubicControls(quadratic: a, to: origin + end)
        curve(first, second, origin + end, &pen)
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

  private mutating func arc(
    _ radii: SIMD2<Float>, _ rotation: Float, isLarge: Bool, sweeps: Bool, to end: SIMD2<Float>,
    _ pen: inout SIMD2<Float>
  ) {
    let arc = EllipticalArc(
      from: SIMD2<Double>(pen), to: SIMD2<Double>(end), radii: SIMD2<Double>(radii), rotation: Double(rotation),
      isLarge: isLarge, sweeps: sweeps)
    if let arc {
      for step in 1..<Self.steps {
        line(to: SIMD2<Float>(arc.point(at: arc.start + arc.sweep * Double(step) / Double(Self.steps))), &pen)
      }
    }
    line(to: end, &pen)
  }

  /// The path in other coordinates.
  func mapped(by map: AffineTransform) -> SVGPath {
    var path = SVGPath("")
    var before: SIMD2<Float>?
    for (index, point) in points.enumerated() {
      let place = map.point(point)
      // The first point of a subpath is no way from the one before.
      let isStart = index == 0 || lengths[index] == lengths[index - 1]
      let way = isStart ? SIMD2() : place - (before ?? place)
      path.points.append(place)
      path.lengths.append(path.length + hypotf(way.x, way.y))
      before = place
    }
    return path
  }

  /// The path from its end to its start: its other side is on the left.
  var reversed: SVGPath {
    var path = SVGPath("")
    path.points = points.reversed()
    let length = length
    path.lengths = lengths.reversed().map { length - $0 }
    return path
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
  /// The first path or shape of each name; nil until one is asked for.
  private var elements: [String: NodeID]?
  private var known: [NodeID: SVGPath] = [:]
  private var pointCount = 0
  /// Points of all paths that are kept.
  private static let mostPoints = 1_000_000

  /// The path or basic shape with an `id`, in the coordinates around it, and the element; nil when there is none.
  mutating func path(_ id: String, in tree: StyledTree) -> (path: SVGPath, element: NodeID)? {
    let document = tree.document
    guard let element = elements(of: document)[id] else { return nil }
    if let path = known[element] { return (path, element) }
    guard let data = Self.data(of: element, in: document) else { return nil }
    var path = SVGPath(data)
    let given = document.drawingAttribute("transform", of: element)
    let styled = SVGTransforms(tree: tree).transform(
      of: element, attribute: given, origin: document.drawingAttribute("transform-origin", of: element))
    if let functions = styled ?? given { path = path.mapped(by: SVGTransforms.map(functions)) }
    pointCount += path.pointCount
    if pointCount > Self.mostPoints {
      known = [:]
      pointCount = path.pointCount
    }
    known[element] = path
    return (path, element)
  }

  private mutating func elements(of document: Document) -> [String: NodeID] {
    if let elements { return elements }
    var found: [String: NodeID] = [:]
    for (index, node) in document.nodes.enumerated() where node.kind == .element && node.namespace == .svg {
      guard Self.shapes.contains(node.name) else { continue }
      let element = NodeID(index)
      if let id = document.attributeValue(.id, of: element), found[id] == nil { found[id] = element }
    }
    elements = found
    return found
  }

  private static let shapes: Set<Atom> = [.path, .rect, .circle, .ellipse, .line, .polyline, .polygon]

  /// The data of a path, or of a basic shape as one (SVG 2, section 10); nil without any.
  private static func data(of element: NodeID, in document: Document) -> String? {
    func value(_ name: String) -> Float {
      document.drawingAttribute(name, of: element).flatMap { SVGTransforms.numbers($0).first } ?? 0
    }
    func ellipse(_ rx: Float, _ ry: Float) -> String {
      let (x, y) = (value("cx"), value("cy"))
      return "M\(x + rx) \(y)A\(rx) \(ry) 0 0 1 \(x - rx) \(y)A\(rx) \(ry) 0 0 1 \(x + rx) \(y)z"
    }
    switch document.nodes[element.index].name {
    case .path: return document.drawingAttribute("d", of: element)
    case .rect:
      let (x, y, width, height) = (value("x"), value("y"), value("width"), value("height"))
      return "M\(x) \(y)h\(width)v\(height)h\(-width)z"
    case .circle: return ellipse(value("r"), value("r"))
    case .ellipse: return ellipse(value("rx"), value("ry"))
    case .line: return "M\(value("x1")) \(value("y1"))L\(value("x2")) \(value("y2"))"
    case .polyline: return document.drawingAttribute("points", of: element).map { "M" + $0 }
    default: return document.drawingAttribute("points", of: element).map { "M" + $0 + "z" }
    }
  }
}
