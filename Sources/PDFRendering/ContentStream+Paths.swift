import Graphics
import Primitives

/// Paths, clips and transformations of a content stream (ISO 32000-1, section 8.5).
extension ContentStream {
  mutating func fill(_ rect: Rect, _ color: Color) {
    withAlpha(color) {
      $0.setFill(color)
      $0.addRect(rect)
      $0.bytes.raw(" f\n")
    }
  }

  mutating func fillShape(_ color: Color, isEvenOdd: Bool = false, _ path: (inout ContentStream) -> Void) {
    guard !color.isTransparent else { return }
    beginArtifact()
    withAlpha(color) {
      $0.setFill(color)
      path(&$0)
      $0.bytes.raw(isEvenOdd ? "f*\n" : "f\n")
    }
  }

  mutating func addRect(_ rect: Rect) {
    bytes.integer(Int(rect.x.rawValue))
    bytes.integer(y(rect.maxY))
    bytes.integer(Int(rect.width.rawValue))
    bytes.integer(Int(rect.height.rawValue))
    bytes.raw(" re")
  }

  private mutating func addPoint(_ x: Double, _ y: Double) {
    bytes.real(x, decimals: 2)
    bytes.real(y, decimals: 2)
  }

  private mutating func addPoint(_ point: Point) {
    bytes.integer(Int(point.x.rawValue))
    bytes.integer(y(point.y))
  }

  mutating func addPath(_ elements: [PathElement]) {
    var current = Point.zero
    var hasPoint = false
    for element in elements {
      switch element {
      case .move(let to):
        addPoint(to)
        bytes.raw(" m\n")
        (current, hasPoint) = (to, true)
      case .line(let to):
        addPoint(to)
        bytes.raw(hasPoint ? " l\n" : " m\n")
        (current, hasPoint) = (to, true)
      case .curve(let first, let second, let end):
        if !hasPoint {
          addPoint(first)
          bytes.raw(" m\n")
        }
        addPoint(first)
        addPoint(second)
        addPoint(end)
        bytes.raw(" c\n")
        (current, hasPoint) = (end, true)
      case .close: if hasPoint { bytes.raw("h\n") }
      }
    }
    _ = current
  }

  /// Corner arcs as single cubics; radii that overlap are reduced together (CSS Backgrounds 3, section 4.5).
  mutating func addRoundedRect(_ rect: Rect, _ radii: CornerRadii) {
    guard !radii.isZero else {
      addRect(rect)
      bytes.raw("\n")
      return
    }
    func size(_ radius: Size) -> SIMD2<Double> {
      SIMD2(Swift.max(0, Double(radius.width.rawValue)), Swift.max(0, Double(radius.height.rawValue)))
    }
    var corners = [radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft].map(size)
    let (width, height) = (Double(rect.width.rawValue), Double(rect.height.rawValue))
    var factor = 1.0
    for (sum, length) in [
      (corners[0].x + corners[1].x, width), (corners[3].x + corners[2].x, width),
      (corners[0].y + corners[3].y, height), (corners[1].y + corners[2].y, height),
    ] where sum > length { factor = Swift.min(factor, length / sum) }
    for index in corners.indices { corners[index] *= factor }
    let left = Double(rect.x.rawValue)
    let top = Double(y(rect.y))
    let (right, bottom) = (left + width, top - height)
    // The share of a radius at which a cubic's handles stand to draw a quarter of an ellipse.
    let k = 1 - 0.5522847498307936
    addPoint(left + corners[0].x, top)
    bytes.raw(" m\n")
    func side(_ x: Double, _ y: Double) {
      addPoint(x, y)
      bytes.raw(" l\n")
    }
    func corner(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) {
      for point in [a, b, c] { addPoint(point.x, point.y) }
      bytes.raw(" c\n")
    }
    side(right - corners[1].x, top)
    corner(
      SIMD2(right - corners[1].x * k, top), SIMD2(right, top - corners[1].y * k), SIMD2(right, top - corners[1].y))
    side(right, bottom + corners[2].y)
    corner(
      SIMD2(right, bottom + corners[2].y * k), SIMD2(right - corners[2].x * k, bottom),
      SIMD2(right - corners[2].x, bottom))
    side(left + corners[3].x, bottom)
    corner(
      SIMD2(left + corners[3].x * k, bottom), SIMD2(left, bottom + corners[3].y * k),
      SIMD2(left, bottom + corners[3].y))
    side(left, top - corners[0].y)
    corner(SIMD2(left, top - corners[0].y * k), SIMD2(left + corners[0].x * k, top), SIMD2(left + corners[0].x, top))
    bytes.raw("h\n")
  }

  /// Makes what follows drawn through a transformation of the page's coordinates, whose y grows downwards.
  mutating func concatenate(_ transform: AffineTransform) {
    let values = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
    guard values.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return }
    let height = Double(list.size.height.rawValue)
    let (a, b, c, d) = (Double(transform.a), Double(transform.b), Double(transform.c), Double(transform.d))
    let (tx, ty) = (Double(transform.tx) * 64, Double(transform.ty) * 64)
    for value in [a, -b, -c, d] { bytes.real(value, decimals: 6) }
    bytes.real(c * height + tx, decimals: 2)
    bytes.real(height - d * height - ty, decimals: 2)
    bytes.raw(" cm\n")
  }

  /// A shadow with sharp edges (CSS Backgrounds 3, section 6).
  mutating func drawShadow(_ rect: Rect, _ radii: CornerRadii, _ color: Color, inset: Bool, clipOut: Rect) {
    withSavedState { content in
      if inset {
        content.addRoundedRect(clipOut, radii)
        content.bytes.raw("W n\n")
      } else if !clipOut.isEmpty {
        content.addRect(
          Rect(
            x: -content.list.size.width, y: -content.list.size.height, width: content.list.size.width * 3,
            height: content.list.size.height * 3))
        content.bytes.raw("\n")
        content.addRoundedRect(clipOut, radii)
        content.bytes.raw("W* n\n")
      }
      content.withAlpha(color) {
        $0.setFill(color)
        if inset {
          $0.addRect(clipOut)
          $0.bytes.raw("\n")
        }
        $0.addRoundedRect(rect, radii)
        $0.bytes.raw(inset ? "f*\n" : "f\n")
      }
    }
  }
}
