import CCairo
import Cairo
import Graphics
import Platform
import Primitives

extension VectorCanvas {
  func fill(_ gradient: Gradient) {
    let pattern: CairoPattern?
    let stops: [GradientStop]
    let repeats: Bool
    switch gradient {
    case .linear(let from, let to, let list, let repeating):
      pattern = .linear(from.x.pixels, from.y.pixels, to.x.pixels, to.y.pixels)
      if let device {
        // The lines of equal colour are mapped with the page: they need not stay square to the gradient line.
        pattern?.setMatrix(
          cairo_matrix_t(
            xx: 1 / device.scaleX, yx: 0, xy: 0, yy: 1 / device.scaleY, x0: -device.x / device.scaleX,
            y0: -device.y / device.scaleY))
      }
      (stops, repeats) = (list, repeating)
    case .radial(let center, let radius, let list, let repeating):
      let middle = place(center)
      let width = Swift.max(radius.width.pixels * scaleX, 0.01)
      let height = Swift.max(radius.height.pixels * scaleY, 0.01)
      // Repetition begins at the first stop, within as well.
      let first = repeating ? Double(Swift.min(list.first?.offset ?? 0, 0.999)) : 0
      pattern = .radial(0, 0, first, 0, 0, 1)
      pattern?.setMatrix(
        cairo_matrix_t(xx: 1 / width, yx: 0, xy: 0, yy: 1 / height, x0: -middle.x / width, y0: -middle.y / height))
      stops = list.map {
        GradientStop(offset: Float((Double($0.offset) - first) / (1 - first)), color: $0.color)
      }
      repeats = repeating
    case .conic(let center, let angle, let list, let repeating):
      fillConic(center, angle: angle, list, repeats: repeating)
      return
    }
    guard let pattern else { return }
    pattern.setExtend(repeats ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
    for (index, stop) in stops.enumerated() {
      func add(_ color: Color) {
        pattern.addColorStop(
          Double(stop.offset), Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
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
    cairo.setSource(pattern)
    cairo.setFillRule(CAIRO_FILL_RULE_WINDING)
    cairo.fill()
    cairo.setSource(0, 0, 0, 1)
  }

  /// Fills the path with a conic gradient: each pixel has the colour of its direction from the centre.
  private func fillConic(_ center: Point, angle: Float, _ stops: [GradientStop], repeats: Bool) {
    guard let first = stops.first, let last = stops.last else { return }
    let middle = place(center)
    cairo.save()
    cairo.setFillRule(CAIRO_FILL_RULE_WINDING)
    cairo.clip()
    defer { cairo.restore() }
    let extents = cairo.clipExtents
    let left = Device.round(extents.left.rounded(.down))
    let top = Device.round(extents.top.rounded(.down))
    let width = Device.round(extents.right.rounded(.up)) - left
    let height = Device.round(extents.bottom.rounded(.up)) - top
    guard width > 0, height > 0, width <= RasterRenderer.largestSide, height <= RasterRenderer.largestSide else {
      return
    }
    let span = last.offset - first.offset
    let bitmap = unsafe Bitmap(width: width, height: height) { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let dx = Double(left + x) + 0.5 - middle.x
          let dy = Double(top + y) + 0.5 - middle.y
          var turn = Float(atan2(dx / scaleX, -dy / scaleY) / (2 * Double.pi)) - angle / 360
          turn -= turn.rounded(.down)
          if repeats, span > 0 {
            let share = (turn - first.offset) / span
            turn = first.offset + (share - share.rounded(.down)) * span
          }
          unsafe pixels.storeBytes(of: Self.color(at: turn, stops), toByteOffset: (y * width + x) * 4, as: UInt32.self)
        }
      }
    }
    cairo.translate(Double(left), Double(top))
    Self.paint(cairo, bitmap, opacity: 1)
  }

  /// The premultiplied colour between two stops.
  private static func color(at offset: Float, _ stops: [GradientStop]) -> UInt32 {
    var after = 0
    while after < stops.count, stops[after].offset <= offset { after += 1 }
    if after == 0 { return ColorTarget.premultiplied(stops[0].color) }
    let first = stops[after - 1]
    guard after < stops.count else { return ColorTarget.premultiplied(first.color) }
    let last = stops[after]
    let span = last.offset - first.offset
    let share = span > 0 ? (offset - first.offset) / span : 1
    let a = ColorTarget.premultiplied(first.color)
    let b = ColorTarget.premultiplied(last.color)
    var result: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      let from = Float(a >> shift & 255)
      let to = Float(b >> shift & 255)
      result |= UInt32((from + (to - from) * share).rounded()) << shift
    }
    return result
  }
}
