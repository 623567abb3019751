import CSS
import Markup
import Platform
import Primitives
import Styling

/// Transforms of the elements of a drawing (CSS Transforms 1, section 8): what rules say of them and
/// `transform-origin`, in the terms of SVG's attribute, which librsvg understands.
struct SVGTransforms {
  /// A rectangle in user space.
  struct Area {
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0
  }

  let tree: StyledTree
  private var document: Document { tree.document }

  /// The transform of an element, as its attributes `transform` and `transform-origin` and its style say; nil where its
  /// attribute says it all.
  func transform(of id: NodeID, attribute: String?, origin: String?) -> String? {
    let node = document.nodes[id.index]
    guard node.namespace == .svg, node.name != .svg else { return nil }
    let style = tree.table[tree.styles[id.index].box]
    guard !style.transform.isEmpty || attribute != nil else { return nil }
    let area = referenceArea(of: id, style.rare?.values.transformBox ?? .viewBox)
    let functions = style.transform.map { Self.attribute($0, in: area) }.joined(separator: " ")
    var position = style.transformOrigin
    if let origin, position == Self.corner,
      let given = PresentationalHints.position(origin, of: "transform-origin")
    {
      position = given
    }
    let x = area.x + Self.pixels(position.x, of: area.width)
    let y = area.y + Self.pixels(position.y, of: area.height)
    if x == 0, y == 0 { return functions.isEmpty ? nil : functions }
    return "translate(\(x) \(y)) \(functions.isEmpty ? attribute ?? "" : functions) translate(\(-x) \(-y))"
  }

  private static let corner = PositionValue(x: .length(Length(0, .px)), y: .length(Length(0, .px)))

  private static func attribute(_ function: TransformFunction, in area: Area) -> String {
    switch function {
    case .matrix(let a, let b, let c, let d, let tx, let ty): return "matrix(\(a) \(b) \(c) \(d) \(tx) \(ty))"
    case .translate(let x, let y): return "translate(\(pixels(x, of: area.width)) \(pixels(y, of: area.height)))"
    case .scale(let x, let y): return "scale(\(x) \(y))"
    case .rotate(let angle): return "rotate(\(angle))"
    case .skew(let x, let y):
      return "matrix(1 \(tanf(y * .pi / 180)) \(tanf(x * .pi / 180)) 1 0 0)"
    // A drawing is flat: depth and perspective do not show.
    case .translate3D(let x, let y, _): return attribute(.translate(x, y), in: area)
    case .matrix3D(let n): return "matrix(\(n[0]) \(n[1]) \(n[4]) \(n[5]) \(n[12]) \(n[13]))"
    case .perspective: return ""
    }
  }

  /// Lengths of drawings are in px; other units than percentages count as the initial font size makes them.
  static func pixels(_ value: LengthPercentage, of size: Double) -> Double {
    guard case .length(let length) = value else { return 0 }
    switch length.unit {
    case .px: return Double(length.value)
    case .percent: return Double(length.value) * size / 100
    default: return Double(length.value) * 16
    }
  }

  /// The box of an element that its transforms and clips refer to.
  func referenceArea(of id: NodeID, _ box: TransformBox) -> Area {
    switch box {
    case .contentBox, .fillBox: return fillArea(of: id)
    case .borderBox, .strokeBox:
      let area = fillArea(of: id)
      let width = number(of: id, "stroke-width") ?? 0
      return Area(
        x: area.x - width / 2, y: area.y - width / 2, width: area.width + width, height: area.height + width)
    case .viewBox: return viewArea(of: id)
    }
  }

  /// The nearest viewport.
  private func viewArea(of id: NodeID) -> Area {
    var around = document.nodes[id.index].parent
    while !around.isNone, document.nodes[around.index].name != .svg { around = document.nodes[around.index].parent }
    guard !around.isNone else { return Area() }
    let box = numbers(document.drawingAttribute("viewBox", of: around) ?? "")
    if box.count == 4 { return Area(width: box[2], height: box[3]) }
    let style = tree.table[tree.styles[around.index].box]
    func size(_ value: SizeValue, _ name: String) -> Double {
      if case .length(let length) = value { return Self.pixels(length, of: 0) }
      return number(of: around, name) ?? 0
    }
    return Area(width: size(style.width, "width"), height: size(style.height, "height"))
  }

  /// The bounding box of a basic shape, or of those in a group that nothing moves; that of others is not known here.
  private func fillArea(of id: NodeID) -> Area {
    func value(_ name: String) -> Double { number(of: id, name) ?? 0 }
    switch document.nodes[id.index].name {
    case .rect, .image, .use, .foreignObject:
      return Area(x: value("x"), y: value("y"), width: value("width"), height: value("height"))
    case .circle:
      let radius = value("r")
      return Area(x: value("cx") - radius, y: value("cy") - radius, width: radius * 2, height: radius * 2)
    case .ellipse:
      let (x, y) = (value("rx"), value("ry"))
      return Area(x: value("cx") - x, y: value("cy") - y, width: x * 2, height: y * 2)
    case .line: return area(around: [value("x1"), value("y1"), value("x2"), value("y2")])
    case .polygon, .polyline: return area(around: numbers(document.drawingAttribute("points", of: id) ?? ""))
    case .g:
      let areas = document.children(of: id).lazy.filter {
        document.nodes[$0.index].kind == .element && document.drawingAttribute("transform", of: $0) == nil
      }.map { fillArea(of: $0) }.filter { $0.width > 0 || $0.height > 0 }
      return area(around: areas.flatMap { [$0.x, $0.y, $0.x + $0.width, $0.y + $0.height] })
    default: return Area()
    }
  }

  private func area(around places: [Double]) -> Area {
    let xs = stride(from: 0, to: places.count - 1, by: 2).map { places[$0] }
    let ys = stride(from: 1, to: places.count, by: 2).map { places[$0] }
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return Area() }
    return Area(x: left, y: top, width: right - left, height: bottom - top)
  }

  private func number(of id: NodeID, _ name: String) -> Double? {
    document.drawingAttribute(name, of: id).flatMap { numbers($0).first }
  }

  private func numbers(_ text: String) -> [Double] { Self.numbers(text).map { Double($0) } }

  /// Numbers of an attribute; lengths in other units than px are 0.
  static func numbers(_ text: String) -> [Float] { Length.list(text).map { $0.unit == .px ? $0.value : 0 } }
}
