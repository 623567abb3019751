import CCairo
import CFreeType
import Cairo
import Graphics
import Primitives

/// Shapes drawn by cairo on the page's memory.
///
/// Shapes are given in device pixels with their edges snapped where the map to pixels only scales and moves; else in
/// CSS px under cairo's matrix.
@safe struct VectorCanvas {
  let cairo: CairoContext
  let device: Device?

  typealias Box = (x: Double, y: Double, width: Double, height: Double)

  /// The edges of a rectangle in cairo's coordinates.
  func place(_ rect: Rect) -> Box {
    guard let device else { return (rect.x.pixels, rect.y.pixels, rect.width.pixels, rect.height.pixels) }
    let snapped = device.snap(rect)
    return (
      Double(snapped.left), Double(snapped.top), Double(Swift.max(0, snapped.width)),
      Double(Swift.max(0, snapped.height))
    )
  }

  func place(_ point: Point) -> (x: Double, y: Double) {
    guard let device else { return (point.x.pixels, point.y.pixels) }
    return (point.x.pixels * device.scaleX + device.x, point.y.pixels * device.scaleY + device.y)
  }

  var scaleX: Double { device?.scaleX ?? 1 }
  var scaleY: Double { device?.scaleY ?? 1 }

  static func setSource(_ cairo: CairoContext, _ color: Color) {
    cairo.setSource(
      Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
  }

  func fill(_ color: Color, evenOdd: Bool = false) {
    Self.setSource(cairo, color)
    cairo.setFillRule(evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    cairo.fill()
  }

  /// Draws a bitmap at the origin, one unit a pixel.
  static func paint(_ cairo: CairoContext, _ bitmap: Bitmap, opacity: Double) {
    guard bitmap.width > 0, bitmap.height > 0,
      let surface = unsafe CairoSurface.image(
        over: bitmap.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
        bitmap.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width: bitmap.width, height: bitmap.height,
        stride: bitmap.stride)
    else { return }
    cairo.setSource(surface, 0, 0)
    // Edges repeat, so that a scaled picture does not fade into what lies beside it.
    cairo.extendSource()
    cairo.newPath()
    cairo.rectangle(0, 0, Double(bitmap.width), Double(bitmap.height))
    if opacity >= 1 {
      cairo.fill()
    } else {
      cairo.save()
      cairo.clip()
      cairo.paint(alpha: opacity)
      cairo.restore()
    }
    // The surface must not outlive this call as a source: the bitmap may be freed before the next one is set.
    cairo.setSource(0, 0, 0, 1)
  }

  // MARK: Paths

  func addRect(_ rect: Rect) {
    let box = place(rect)
    cairo.rectangle(box.x, box.y, box.width, box.height)
  }

  func addRoundedRect(_ rect: Rect, _ radii: CornerRadii) {
    let box = place(rect)
    if radii.isZero {
      cairo.rectangle(box.x, box.y, box.width, box.height)
    } else {
      addRoundedBox(box, radii)
    }
  }

  /// Corner arcs as single cubics; radii that overlap are reduced together (CSS Backgrounds 3, section 4.5).
  func addRoundedBox(_ box: Box, _ radii: CornerRadii) {
    func size(_ radius: Size) -> (Double, Double) {
      (Swift.max(0, radius.width.pixels * scaleX), Swift.max(0, radius.height.pixels * scaleY))
    }
    var topLeft = size(radii.topLeft)
    var topRight = size(radii.topRight)
    var bottomRight = size(radii.bottomRight)
    var bottomLeft = size(radii.bottomLeft)
    var factor = 1.0
    for (sum, length) in [
      (topLeft.0 + topRight.0, box.width), (bottomLeft.0 + bottomRight.0, box.width),
      (topLeft.1 + bottomLeft.1, box.height), (topRight.1 + bottomRight.1, box.height),
    ] where sum > length { factor = Swift.min(factor, length / sum) }
    for corner in [\Corners.topLeft, \.topRight, \.bottomRight, \.bottomLeft] {
      var corners = Corners(topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft)
      corners[keyPath: corner].0 *= factor
      corners[keyPath: corner].1 *= factor
      (topLeft, topRight, bottomRight, bottomLeft) =
        (corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft)
    }
    let right = box.x + box.width
    let bottom = box.y + box.height
    // The share of a radius at which a cubic's handles stand to draw a quarter of an ellipse.
    let k = 1 - 0.5522847498307936
    cairo.moveTo(box.x + topLeft.0, box.y)
    cairo.lineTo(right - topRight.0, box.y)
    cairo.curveTo(right - topRight.0 * k, box.y, right, box.y + topRight.1 * k, right, box.y + topRight.1)
    cairo.lineTo(right, bottom - bottomRight.1)
    cairo.curveTo(right, bottom - bottomRight.1 * k, right - bottomRight.0 * k, bottom, right - bottomRight.0, bottom)
    cairo.lineTo(box.x + bottomLeft.0, bottom)
    cairo.curveTo(box.x + bottomLeft.0 * k, bottom, box.x, bottom - bottomLeft.1 * k, box.x, bottom - bottomLeft.1)
    cairo.lineTo(box.x, box.y + topLeft.1)
    cairo.curveTo(box.x, box.y + topLeft.1 * k, box.x + topLeft.0 * k, box.y, box.x + topLeft.0, box.y)
    cairo.closePath()
  }

  private struct Corners {
    var topLeft: (Double, Double)
    var topRight: (Double, Double)
    var bottomRight: (Double, Double)
    var bottomLeft: (Double, Double)
  }

  /// A polygon's corners are snapped like a rectangle's, so that it abuts on its neighbours; curves are not.
  func addPath(_ elements: [PathElement], snapsPolygons: Bool = true) {
    let isPolygon = snapsPolygons && !elements.contains { if case .curve = $0 { true } else { false } }
    func map(_ point: Point) -> (x: Double, y: Double) {
      let placed = place(point)
      guard isPolygon, device != nil else { return placed }
      return ((placed.x + 0.5).rounded(.down), (placed.y + 0.5).rounded(.down))
    }
    for element in elements {
      switch element {
      case .move(let point):
        let to = map(point)
        cairo.moveTo(to.x, to.y)
      case .line(let point):
        let to = map(point)
        cairo.lineTo(to.x, to.y)
      case .curve(let first, let second, let end):
        let (a, b, c) = (map(first), map(second), map(end))
        cairo.curveTo(a.x, a.y, b.x, b.y, c.x, c.y)
      case .close: cairo.closePath()
      }
    }
  }

  /// Adds a FreeType outline to the path, in the outline's own units, y upwards.
  static func append(_ outline: UnsafeMutablePointer<FT_Outline>, to cairo: CairoContext) {
    cairo.newSubPath()
    unsafe OutlineDecomposition.forEach(of: outline) { step in
      switch step {
      case .move(let to):
        cairo.closePath()
        cairo.moveTo(to.x, to.y)
      case .line(let to): cairo.lineTo(to.x, to.y)
      case .quadratic(let control, let to):
        let (x, y) = cairo.currentPoint
        let (first, second) = SIMD2(x, y).cubicControls(quadratic: control, to: to)
        cairo.curveTo(first.x, first.y, second.x, second.y, to.x, to.y)
      case .cubic(let first, let second, let to): cairo.curveTo(first.x, first.y, second.x, second.y, to.x, to.y)
      }
    }
    cairo.closePath()
  }
}
