import CCairo
import CFreeType
import Graphics
import Primitives

/// Shapes drawn by cairo on the page's memory.
///
/// Where the map to pixels only scales and moves, shapes are given in device pixels with their edges snapped; else in CSS
/// px under cairo's matrix.
struct VectorCanvas {
  let cairo: OpaquePointer
  let device: Device?

  typealias Box = (x: Double, y: Double, width: Double, height: Double)

  /// Where a rectangle's edges lie in cairo's coordinates.
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

  static func setSource(_ cairo: OpaquePointer, _ color: Color) {
    cairo_set_source_rgba(
      cairo, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
  }

  func fill(_ color: Color, evenOdd: Bool = false) {
    Self.setSource(cairo, color)
    cairo_set_fill_rule(cairo, evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    cairo_fill(cairo)
  }

  /// Draws a bitmap at the origin, one unit a pixel.
  static func paint(_ cairo: OpaquePointer, _ bitmap: Bitmap, opacity: Double) {
    guard bitmap.width > 0, bitmap.height > 0,
      let surface = cairo_image_surface_create_for_data(
        bitmap.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
        bitmap.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(bitmap.width), Int32(bitmap.height),
        Int32(bitmap.stride))
    else { return }
    defer { cairo_surface_destroy(surface) }
    cairo_set_source_surface(cairo, surface, 0, 0)
    let pattern = cairo_get_source(cairo)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
    // Edges repeat, so that a scaled picture does not fade into what lies beside it.
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_new_path(cairo)
    cairo_rectangle(cairo, 0, 0, Double(bitmap.width), Double(bitmap.height))
    if opacity >= 1 {
      cairo_fill(cairo)
    } else {
      cairo_save(cairo)
      cairo_clip(cairo)
      cairo_paint_with_alpha(cairo, opacity)
      cairo_restore(cairo)
    }
    // The surface must not outlive this call as a source: the bitmap may be freed before the next one is set.
    cairo_set_source_rgba(cairo, 0, 0, 0, 1)
  }

  // MARK: Paths

  func addRect(_ rect: Rect) {
    let box = place(rect)
    cairo_rectangle(cairo, box.x, box.y, box.width, box.height)
  }

  func addRoundedRect(_ rect: Rect, _ radii: CornerRadii) {
    let box = place(rect)
    if radii.isZero {
      cairo_rectangle(cairo, box.x, box.y, box.width, box.height)
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
    cairo_move_to(cairo, box.x + topLeft.0, box.y)
    cairo_line_to(cairo, right - topRight.0, box.y)
    cairo_curve_to(
      cairo, right - topRight.0 * k, box.y, right, box.y + topRight.1 * k, right, box.y + topRight.1)
    cairo_line_to(cairo, right, bottom - bottomRight.1)
    cairo_curve_to(
      cairo, right, bottom - bottomRight.1 * k, right - bottomRight.0 * k, bottom, right - bottomRight.0, bottom)
    cairo_line_to(cairo, box.x + bottomLeft.0, bottom)
    cairo_curve_to(
      cairo, box.x + bottomLeft.0 * k, bottom, box.x, bottom - bottomLeft.1 * k, box.x, bottom - bottomLeft.1)
    cairo_line_to(cairo, box.x, box.y + topLeft.1)
    cairo_curve_to(cairo, box.x, box.y + topLeft.1 * k, box.x + topLeft.0 * k, box.y, box.x + topLeft.0, box.y)
    cairo_close_path(cairo)
  }

  private struct Corners {
    var topLeft: (Double, Double)
    var topRight: (Double, Double)
    var bottomRight: (Double, Double)
    var bottomLeft: (Double, Double)
  }

  /// A polygon's corners are snapped like a rectangle's, so that it abuts on its neighbours; curves are not.
  func addPath(_ elements: [PathElement]) {
    let isPolygon = !elements.contains { if case .curve = $0 { true } else { false } }
    func map(_ point: Point) -> (x: Double, y: Double) {
      let placed = place(point)
      guard isPolygon, device != nil else { return placed }
      return ((placed.x + 0.5).rounded(.down), (placed.y + 0.5).rounded(.down))
    }
    for element in elements {
      switch element {
      case .move(let point):
        let to = map(point)
        cairo_move_to(cairo, to.x, to.y)
      case .line(let point):
        let to = map(point)
        cairo_line_to(cairo, to.x, to.y)
      case .curve(let first, let second, let end):
        let (a, b, c) = (map(first), map(second), map(end))
        cairo_curve_to(cairo, a.x, a.y, b.x, b.y, c.x, c.y)
      case .close: cairo_close_path(cairo)
      }
    }
  }

  /// Adds a FreeType outline to the path, in the outline's own units, y upwards.
  static func append(_ outline: UnsafeMutablePointer<FT_Outline>, to cairo: OpaquePointer) {
    var functions = FT_Outline_Funcs()
    functions.move_to = { to, user in
      guard let to, let user else { return 0 }
      cairo_close_path(OpaquePointer(user))
      cairo_move_to(OpaquePointer(user), Double(to.pointee.x), Double(to.pointee.y))
      return 0
    }
    functions.line_to = { to, user in
      guard let to, let user else { return 0 }
      cairo_line_to(OpaquePointer(user), Double(to.pointee.x), Double(to.pointee.y))
      return 0
    }
    functions.conic_to = { control, to, user in
      guard let control, let to, let user else { return 0 }
      var x = 0.0
      var y = 0.0
      cairo_get_current_point(OpaquePointer(user), &x, &y)
      let (cx, cy) = (Double(control.pointee.x), Double(control.pointee.y))
      let (tx, ty) = (Double(to.pointee.x), Double(to.pointee.y))
      cairo_curve_to(
        OpaquePointer(user), x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3, tx + (cx - tx) * 2 / 3, ty + (cy - ty) * 2 / 3,
        tx, ty)
      return 0
    }
    functions.cubic_to = { first, second, to, user in
      guard let first, let second, let to, let user else { return 0 }
      cairo_curve_to(
        OpaquePointer(user), Double(first.pointee.x), Double(first.pointee.y), Double(second.pointee.x),
        Double(second.pointee.y), Double(to.pointee.x), Double(to.pointee.y))
      return 0
    }
    cairo_new_sub_path(cairo)
    FT_Outline_Decompose(outline, &functions, UnsafeMutableRawPointer(cairo))
    cairo_close_path(cairo)
  }

  // MARK: Lines

  /// Text decorations and border sides (CSS Backgrounds 3, section 4.2; CSS Text Decoration 4, section 2.3).
  func strokeLine(_ from: Point, _ to: Point, _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    var start = place(from)
    var end = place(to)
    let isHorizontal = from.y == to.y
    var thickness = width.pixels * (isHorizontal ? scaleY : scaleX)
    if device != nil {
      thickness = Swift.max(1, thickness.rounded())
      // The line's edges fall on pixel edges.
      let shift = thickness.truncatingRemainder(dividingBy: 2) / 2
      if isHorizontal {
        start.y = (start.y - shift).rounded() + shift
        end.y = start.y
        start.x = start.x.rounded()
        end.x = end.x.rounded()
      } else if from.x == to.x {
        start.x = (start.x - shift).rounded() + shift
        end.x = start.x
        start.y = start.y.rounded()
        end.y = end.y.rounded()
      }
    }
    let dx = end.x - start.x
    let dy = end.y - start.y
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0, length < 1e6, thickness > 0 else { return }
    let along = (x: dx / length, y: dy / length)
    Self.setSource(cairo, color)
    cairo_set_line_width(cairo, thickness)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT)
    cairo_set_dash(cairo, nil, 0, 0)
    cairo_new_path(cairo)
    switch style {
    case .solid:
      cairo_move_to(cairo, start.x, start.y)
      cairo_line_to(cairo, end.x, end.y)
      cairo_stroke(cairo)
    case .double:
      let part = Swift.max(device == nil ? 0 : 1, (thickness / 3).rounded(device == nil ? .toNearestOrEven : .down))
      let line = device == nil ? thickness / 3 : part
      let offset = (thickness - line) / 2
      cairo_set_line_width(cairo, line)
      for side in [-offset, offset] {
        cairo_move_to(cairo, start.x - along.y * side, start.y + along.x * side)
        cairo_line_to(cairo, end.x - along.y * side, end.y + along.x * side)
      }
      cairo_stroke(cairo)
    case .dashed:
      // Dashes twice as long as thick, gaps half as long, stretched or shrunk until a dash stands at each end.
      let dash = thickness * (thickness >= 3 ? 2 : 3)
      let gap = Self.gap(length: length, dash: dash, ideal: thickness * (thickness >= 3 ? 1 : 2))
      var pattern = [dash, gap]
      if length <= dash * 2 { pattern = [dash, Swift.max(length - dash, 1)] }
      cairo_set_dash(cairo, pattern, 2, 0)
      cairo_move_to(cairo, start.x, start.y)
      cairo_line_to(cairo, end.x, end.y)
      cairo_stroke(cairo)
    case .dotted:
      let gap = Self.gap(length: length, dash: thickness, ideal: thickness)
      if thickness < 3 {
        cairo_set_dash(cairo, [thickness, gap], 2, 0)
        cairo_move_to(cairo, start.x, start.y)
        cairo_line_to(cairo, end.x, end.y)
      } else {
        // Round dots: dashes of no length with round caps.
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_dash(cairo, [0, thickness + gap], 2, 0)
        cairo_move_to(cairo, start.x + along.x * thickness / 2, start.y + along.y * thickness / 2)
        cairo_line_to(
          cairo, end.x - along.x * thickness / 2 + along.x * 0.01, end.y - along.y * thickness / 2 + along.y * 0.01)
      }
      cairo_stroke(cairo)
    case .wavy:
      wave(from: start, along: along, length: length, thickness: thickness)
    }
    cairo_set_dash(cairo, nil, 0, 0)
  }

  /// The gap nearest to the ideal with which whole dashes fill a length and end it.
  private static func gap(length: Double, dash: Double, ideal: Double) -> Double {
    let fewer = Swift.max(2, ((length + ideal) / (dash + ideal)).rounded(.down))
    let wide = (length - fewer * dash) / (fewer - 1)
    let narrow = (length - (fewer + 1) * dash) / fewer
    return Swift.max(0.5, narrow <= 0 || abs(wide - ideal) < abs(narrow - ideal) ? wide : narrow)
  }

  private func wave(
    from start: (x: Double, y: Double), along: (x: Double, y: Double), length: Double, thickness: Double
  ) {
    let amplitude = thickness * 1.5 + 0.5
    let step = 1 + thickness * 2
    let count = Swift.min(Int((length / (step * 2)).rounded(.up)), 20000)
    cairo_save(cairo)
    // The wave is cut where the line ends.
    let reach = amplitude + thickness
    for (index, corner) in [(0.0, -reach), (length, -reach), (length, reach), (0.0, reach)].enumerated() {
      let x = start.x + along.x * corner.0 - along.y * corner.1
      let y = start.y + along.y * corner.0 + along.x * corner.1
      if index == 0 { cairo_move_to(cairo, x, y) } else { cairo_line_to(cairo, x, y) }
    }
    cairo_clip(cairo)
    func point(_ t: Double, _ offset: Double) -> (x: Double, y: Double) {
      (start.x + along.x * t - along.y * offset, start.y + along.y * t + along.x * offset)
    }
    cairo_move_to(cairo, start.x, start.y)
    for index in 0..<count {
      let base = Double(index) * step * 2
      for half in [1.0, -1.0] {
        let from = half > 0 ? base : base + step
        let first = point(from + step * 0.4, -amplitude * half)
        let second = point(from + step * 0.6, -amplitude * half)
        let end = point(from + step, 0)
        cairo_curve_to(cairo, first.x, first.y, second.x, second.y, end.x, end.y)
      }
    }
    cairo_stroke(cairo)
    cairo_restore(cairo)
  }

  // MARK: Gradients

  func fill(_ gradient: Gradient) {
    let pattern: OpaquePointer?
    let stops: [GradientStop]
    let repeats: Bool
    switch gradient {
    case .linear(let from, let to, let list, let repeating):
      let (a, b) = (place(from), place(to))
      pattern = cairo_pattern_create_linear(a.x, a.y, b.x, b.y)
      (stops, repeats) = (list, repeating)
    case .radial(let center, let radius, let list, let repeating):
      let middle = place(center)
      let width = Swift.max(radius.width.pixels * scaleX, 0.01)
      let height = Swift.max(radius.height.pixels * scaleY, 0.01)
      pattern = cairo_pattern_create_radial(0, 0, 0, 0, 0, 1)
      var matrix = cairo_matrix_t(
        xx: 1 / width, yx: 0, xy: 0, yy: 1 / height, x0: -middle.x / width, y0: -middle.y / height)
      cairo_pattern_set_matrix(pattern, &matrix)
      (stops, repeats) = (list, repeating)
    }
    guard let pattern else { return }
    defer { cairo_pattern_destroy(pattern) }
    cairo_pattern_set_extend(pattern, repeats ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
    for (index, stop) in stops.enumerated() {
      func add(_ color: Color) {
        cairo_pattern_add_color_stop_rgba(
          pattern, Double(stop.offset), Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
          Double(color.alpha) / 255)
      }
      if stop.color.alpha == 0, stops.count > 1 {
        // CSS mixes premultiplied colours: a transparent stop takes on the colour of each neighbour.
        if index > 0 { add(stops[index - 1].color.withAlpha(multipliedBy: 0)) }
        if index + 1 < stops.count { add(stops[index + 1].color.withAlpha(multipliedBy: 0)) }
      } else {
        add(stop.color)
      }
    }
    cairo_set_source(cairo, pattern)
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_WINDING)
    cairo_fill(cairo)
    cairo_set_source_rgba(cairo, 0, 0, 0, 1)
  }
}
