import CCairo
import Cairo
import Graphics
import Primitives

extension Drawing {
  /// Pixels of all outlines together, each as large as the box around it: what takes longer is left to a process that
  /// can be stopped.
  private static let mostWork = 400_000_000.0

  /// The drawing in a bitmap of a size; nil where that takes long, and where cairo is not installed.
  ///
  /// - Parameter area: The size of its box in px.
  func draw(width: Int, height: Int, area: SIMD2<Float>) -> Bitmap? {
    guard width > 0, height > 0, area.min() > 0 else { return nil }
    let pixels = SIMD2(Float(width), Float(height))
    let base = map(to: area).concatenating(AffineTransform(a: pixels.x / area.x, d: pixels.y / area.y))
    guard work(in: SIMD2<Double>(pixels), base) <= Self.mostWork else { return nil }
    if let silhouette = SilhouetteRasterizer.draw(self, width: width, height: height, base) { return silhouette }
    var isDrawn = false
    let bitmap = unsafe Bitmap(width: width, height: height) { memory in
      guard
        let surface = unsafe CairoSurface.image(
          over: memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, width: width,
          height: height, stride: width * 4)
      else { return }
      surface.draw { context in
        DrawingRasterizer(context: context).draw(commands, base)
        isDrawn = true
      }
      surface.finish()
    }
    return isDrawn ? bitmap : nil
  }

  private func work(in pixels: SIMD2<Double>, _ base: AffineTransform) -> Double {
    var work = 0.0
    for command in commands {
      switch command {
      case .fill(let path, _, _, let map), .saveClip(let path, _, let map):
        work += Self.extent(of: path, map.concatenating(base), around: 0, in: pixels)
      case .stroke(let path, _, let stroke, let map):
        let reach = stroke.width * Swift.max(1, stroke.join == .miter ? stroke.miterLimit : 1)
        work += Self.extent(of: path, map.concatenating(base), around: reach, in: pixels)
      case .saveGroup: work += pixels.x * pixels.y * 2
      case .restore: break
      }
    }
    return work
  }

  /// The pixels in the box around an outline.
  private static func extent(
    of path: DrawingPath, _ map: AffineTransform, around reach: Double, in pixels: SIMD2<Double>
  ) -> Double {
    guard let bounds = path.controlBounds else { return 0 }
    let (low, high) = (bounds.low - reach, bounds.high + reach)
    let corners = [low, DrawingPath.Place(low.x, high.y), high, DrawingPath.Place(high.x, low.y)].map {
      SIMD2<Double>(map.point(SIMD2<Float>($0)))
    }
    let least = pointwiseMax(corners.dropFirst().reduce(corners[0], pointwiseMin), .zero)
    let most = pointwiseMin(corners.dropFirst().reduce(corners[0], pointwiseMax), pixels)
    let size = pointwiseMax(most - least, .zero)
    // Outlines cost something beside what they cover.
    return size.x * size.y + Double(path.elements.count) * 50
  }
}

/// Draws by cairo, which librsvg draws by, too.
private struct DrawingRasterizer {
  let context: CairoContext

  func draw(_ commands: [Drawing.Command], _ base: AffineTransform) {
    var opacities: [Double?] = []
    for command in commands {
      switch command {
      case .fill(let path, let paint, let isEvenOdd, let map):
        add(path, map.concatenating(base))
        context.setFillRule(isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        set(paint)
        context.fill()
      case .stroke(let path, let paint, let stroke, let map):
        add(path, map.concatenating(base))
        set(stroke)
        set(paint)
        context.stroke()
      case .saveClip(let path, let isEvenOdd, let map):
        context.save()
        add(path, map.concatenating(base))
        context.setFillRule(isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        context.clip()
        opacities.append(nil)
      case .saveGroup(let opacity):
        context.save()
        context.setMatrix(CairoContext.identity)
        context.pushGroup()
        opacities.append(opacity)
      case .restore:
        if let opacity = opacities.popLast() ?? nil {
          context.popGroupToSource()
          context.paint(alpha: opacity)
        }
        context.restore()
      }
    }
  }

  /// Sets the map, and makes an outline the current path.
  private func add(_ path: DrawingPath, _ map: AffineTransform) {
    context.setMatrix(Self.matrix(map))
    context.newPath()
    var (pen, start) = (DrawingPath.Place(), DrawingPath.Place())
    for element in path.elements {
      switch element {
      case .move(let end):
        context.moveTo(end.x, end.y)
        (pen, start) = (end, end)
      case .line(let end):
        context.lineTo(end.x, end.y)
        pen = end
      case .quadratic(let control, let end):
        let (first, second) = pen.cubicControls(quadratic: control, to: end)
        context.curveTo(first.x, first.y, second.x, second.y, end.x, end.y)
        pen = end
      case .cubic(let first, let second, let end):
        context.curveTo(first.x, first.y, second.x, second.y, end.x, end.y)
        pen = end
      case .close:
        context.closePath()
        pen = start
      }
    }
  }

  private static func matrix(_ map: AffineTransform) -> cairo_matrix_t {
    cairo_matrix_t(
      xx: Double(map.a), yx: Double(map.b), xy: Double(map.c), yy: Double(map.d), x0: Double(map.tx),
      y0: Double(map.ty))
  }

  private static let caps: [DrawingStroke.Cap: cairo_line_cap_t] = [
    .round: CAIRO_LINE_CAP_ROUND, .square: CAIRO_LINE_CAP_SQUARE,
  ]
  private static let joins: [DrawingStroke.Join: cairo_line_join_t] = [
    .round: CAIRO_LINE_JOIN_ROUND, .bevel: CAIRO_LINE_JOIN_BEVEL,
  ]
  private static let extents: [DrawingGradient.Spread: cairo_extend_t] = [
    .reflect: CAIRO_EXTEND_REFLECT, .repeating: CAIRO_EXTEND_REPEAT,
  ]

  private func set(_ stroke: DrawingStroke) {
    context.setLineWidth(stroke.width)
    context.setLineCap(Self.caps[stroke.cap] ?? CAIRO_LINE_CAP_BUTT)
    context.setLineJoin(Self.joins[stroke.join] ?? CAIRO_LINE_JOIN_MITER)
    context.setMiterLimit(stroke.miterLimit)
    context.setDash(stroke.dashes, offset: stroke.dashOffset)
  }

  // MARK: Paint

  private func set(_ paint: DrawingPaint) {
    switch paint {
    case .color(let color):
      let (red, green, blue, alpha) = Self.components(color)
      context.setSource(red, green, blue, alpha)
    case .gradient(let gradient, let opacity):
      guard let pattern = Self.pattern(gradient) else { return }
      for stop in gradient.stops {
        let (red, green, blue, alpha) = Self.components(stop.color)
        pattern.addColorStop(Double(stop.offset), red, green, blue, alpha * opacity)
      }
      context.setSource(pattern)
    }
  }

  private static func components(_ color: Color) -> (Double, Double, Double, Double) {
    (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
  }

  private static func pattern(_ gradient: DrawingGradient) -> CairoPattern? {
    let pattern: CairoPattern?
    switch gradient.shape {
    case .linear(let from, let to): pattern = .linear(from.x, from.y, to.x, to.y)
    case .radial(let center, let radius, let focus):
      pattern = .radial(focus.x, focus.y, 0, center.x, center.y, radius)
    }
    guard let pattern else { return nil }
    // Patterns lead from the outline to the gradient.
    let map = gradient.map
    let scale = map.a * map.d - map.b * map.c
    let (a, b, c, d) = (map.d / scale, -map.b / scale, -map.c / scale, map.a / scale)
    pattern.setMatrix(
      matrix(
        AffineTransform(a: a, b: b, c: c, d: d, tx: -(a * map.tx + c * map.ty), ty: -(b * map.tx + d * map.ty))))
    pattern.setExtend(extents[gradient.spread] ?? CAIRO_EXTEND_PAD)
    return pattern
  }
}
