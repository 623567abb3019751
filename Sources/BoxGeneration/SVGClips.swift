import CSS
import Markup
import Primitives
import Styling

/// Clips of the elements of a drawing that are shapes of CSS (CSS Masking 1, section 5.1), as paths of a `<clipPath>`,
/// which librsvg understands.
struct SVGClips {
  let tree: StyledTree
  private var document: Document { tree.document }

  /// The `<clipPath>` of an element that a shape clips; nil for others.
  func element(of id: NodeID) -> String? {
    let node = document.nodes[id.index]
    guard node.namespace == .svg, node.name != .svg, let clip = clip(of: id), let shape = clip.shape else { return nil }
    let transforms = SVGTransforms(tree: tree)
    let area = transforms.referenceArea(
      of: id, clip.box == .contentBox || clip.box == .paddingBox ? .fillBox : .strokeBox)
    guard let (path, isEvenOdd) = Self.path(of: shape, in: area) else { return nil }
    let rule = isEvenOdd ? " clip-rule=\"evenodd\"" : ""
    return "<clipPath id=\"\(Self.name(of: id))\"><path d=\"\(path)\"\(rule)/></clipPath>"
  }

  static func name(of id: NodeID) -> String { "css-clip-\(id.index)" }

  /// What the rules for the element say, or else its attribute.
  private func clip(of id: NodeID) -> ClipPath? {
    if let clip = tree.table[tree.styles[id.index].box].clipPath { return clip }
    return document.drawingAttribute("clip-path", of: id).flatMap(PresentationalHints.clipPath)
  }

  private static func path(of shape: BasicShape, in area: SVGTransforms.Area) -> (String, isEvenOdd: Bool)? {
    func x(_ value: LengthPercentage) -> Double { SVGTransforms.pixels(value, of: area.width) }
    func y(_ value: LengthPercentage) -> Double { SVGTransforms.pixels(value, of: area.height) }
    func ellipse(_ center: PositionValue, _ rx: Double, _ ry: Double) -> (String, Bool) {
      let (cx, cy) = (area.x + x(center.x), area.y + y(center.y))
      return ("M\(cx - rx) \(cy)a\(rx) \(ry) 0 0 1 \(rx * 2) 0a\(rx) \(ry) 0 0 1 \(-rx * 2) 0z", false)
    }
    func sides(_ center: PositionValue) -> (x: [Double], y: [Double]) {
      ([abs(x(center.x)), abs(area.width - x(center.x))], [abs(y(center.y)), abs(area.height - y(center.y))])
    }
    switch shape {
    case .circle(let radius, let center):
      let sides = sides(center)
      let used = radius.used(closest: (sides.x + sides.y).min() ?? 0, farthest: (sides.x + sides.y).max() ?? 0) {
        SVGTransforms.pixels($0, of: ((area.width * area.width + area.height * area.height) / 2).squareRoot())
      }
      return ellipse(center, used, used)
    case .ellipse(let radiusX, let radiusY, let center):
      let sides = sides(center)
      func used(_ radius: ShapeRadius, _ sides: [Double], _ size: Double) -> Double {
        radius.used(closest: sides.min() ?? 0, farthest: sides.max() ?? 0) { SVGTransforms.pixels($0, of: size) }
      }
      return ellipse(center, used(radiusX, sides.x, area.width), used(radiusY, sides.y, area.height))
    case .inset(let edges, let radiusX, let radiusY):
      // Corners that are round need the rules for radii that overlap: not known here.
      guard (radiusX + radiusY).allSatisfy({ x($0) == 0 }) else { return nil }
      let (left, top) = (area.x + x(edges.left), area.y + y(edges.top))
      let (right, bottom) = (area.x + area.width - x(edges.right), area.y + area.height - y(edges.bottom))
      return ("M\(left) \(top)H\(Swift.max(left, right))V\(Swift.max(top, bottom))H\(left)z", false)
    case .polygon(let points, let isEvenOdd):
      guard !points.isEmpty else { return nil }
      return ("M" + points.map { "\(area.x + x($0.x)) \(area.y + y($0.y))" }.joined(separator: " ") + "z", isEvenOdd)
    case .path(let segments, let isEvenOdd):
      var path = ""
      for segment in segments {
        guard let command = command(segment, in: area) else { return nil }
        path += command
      }
      return (path, isEvenOdd)
    }
  }

  /// A step as a command of SVG's paths; nil for one that these do not have.
  private static func command(_ segment: ShapeSegment, in area: SVGTransforms.Area) -> String? {
    func place(_ point: ShapePoint, isRelative: Bool) -> String? {
      guard let x = point.x, let y = point.y, point.origin != .end, isRelative == (point.origin == .start) else {
        return nil
      }
      let (left, top) = isRelative ? (0, 0) : (area.x, area.y)
      return
        "\(left + SVGTransforms.pixels(x, of: area.width)) \(top + SVGTransforms.pixels(y, of: area.height))"
    }
    func command(_ letter: String, _ end: ShapePoint, _ before: [ShapePoint] = [], arc: String = "") -> String? {
      let isRelative = end.origin == .start
      var text = (isRelative ? letter.lowercased() : letter) + arc
      for point in before + [end] {
        guard let place = place(point, isRelative: isRelative) else { return nil }
        text += " " + place
      }
      return text
    }
    switch segment {
    case .move(let end): return command("M", end)
    case .line(let end):
      let isRelative = end.origin == .start
      if end.y == nil, let x = end.x {
        let value = SVGTransforms.pixels(x, of: area.width)
        return isRelative ? "h\(value)" : "H\(area.x + value)"
      }
      if end.x == nil, let y = end.y {
        let value = SVGTransforms.pixels(y, of: area.height)
        return isRelative ? "v\(value)" : "V\(area.y + value)"
      }
      return command("L", end)
    case .curve(let end, let first, let second):
      return command(second == nil ? "Q" : "C", end, [first] + (second.map { [$0] } ?? []))
    case .smooth(let end, let second): return command(second == nil ? "T" : "S", end, second.map { [$0] } ?? [])
    case .arc(let end, let rx, let ry, let turn, let isLarge, let isClockwise):
      let radii = "\(SVGTransforms.pixels(rx, of: area.width)) \(SVGTransforms.pixels(ry, of: area.height))"
      return command("A", end, arc: "\(radii) \(turn) \(isLarge ? 1 : 0) \(isClockwise ? 1 : 0)")
    case .close: return "z"
    }
  }
}
