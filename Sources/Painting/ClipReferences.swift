import BoxGeneration
import CSS
import Graphics
import Layout
import Markup
import Primitives
import Styling

/// `<clipPath>` elements that boxes refer to (CSS Masking 1, section 6): the union of the shapes in them.
extension PagePainting {
  /// The outline of a `<clipPath>` of the document; nil where there is none.
  ///
  /// - Parameter box: The reference box, whose corner is the origin of user space.
  mutating func referencedClip(_ url: String, in box: Rect) -> (path: [PathElement], isEvenOdd: Bool)? {
    guard let element = referencedElement(url), document.isElement(element, .clipPath, in: .svg) else { return nil }
    var isEvenOdd = false
    var path: [PathElement] = []
    for child in document.children(of: element) where document.nodes[child.index].namespace == .svg {
      path += outline(of: child)
      if document.drawingAttribute("clip-rule", of: child) == "evenodd" { isEvenOdd = true }
    }
    let units = document.drawingAttribute("clipPathUnits", of: element)
    let (scaleX, scaleY) = units == "objectBoundingBox" ? (box.width.pixels, box.height.pixels) : (1, 1)
    func place(_ point: Point) -> Point {
      Point(x: box.x + point.x * scaleX, y: box.y + point.y * scaleY)
    }
    return (path.map { $0.mapping(place) }, isEvenOdd)
  }

  private func outline(of element: NodeID) -> [PathElement] {
    func number(_ name: String) -> Float { numbers(name, of: element).first ?? 0 }
    func rect(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> Rect {
      Rect(x: LayoutUnit(x), y: LayoutUnit(y), width: LayoutUnit(width), height: LayoutUnit(height))
    }
    func ellipse(_ rx: Float, _ ry: Float) -> [PathElement] {
      var radii = CornerRadii()
      let size = Size(width: LayoutUnit(rx), height: LayoutUnit(ry))
      (radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft) = (size, size, size, size)
      return RoundedBand.outline(rect(number("cx") - rx, number("cy") - ry, rx * 2, ry * 2), radii)
    }
    switch document.nodes[element.index].name {
    case .rect:
      return RoundedBand.outline(rect(number("x"), number("y"), number("width"), number("height")), CornerRadii())
    case .circle: return ellipse(number("r"), number("r"))
    case .ellipse: return ellipse(number("rx"), number("ry"))
    case .polygon, .polyline:
      let values = numbers("points", of: element, most: 10_000)
      var path = stride(from: 0, to: values.count - 1, by: 2).map {
        PathElement.line(Point(x: LayoutUnit(values[$0]), y: LayoutUnit(values[$0 + 1])))
      }
      guard case .line(let first)? = path.first else { return [] }
      path[0] = .move(first)
      return path + [.close]
    case .path:
      guard let segments = ValueParser.segments(ofPath: document.drawingAttribute("d", of: element) ?? "") else {
        return []
      }
      let shape = BasicShape.path(segments, isEvenOdd: false)
      guard case .path(let path, _) = context.outline(of: shape, in: .zero, font: tree[BoxID(0)].style.font) else {
        return []
      }
      return path
    default: return []
    }
  }
}

extension PathElement {
  fileprivate func mapping(_ place: (Point) -> Point) -> PathElement {
    switch self {
    case .move(let point): .move(place(point))
    case .line(let point): .line(place(point))
    case .curve(let a, let b, let end): .curve(place(a), place(b), place(end))
    case .close: .close
    }
  }
}
