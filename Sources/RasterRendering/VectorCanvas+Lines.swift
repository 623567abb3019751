import CCairo
import Cairo
import Graphics
import Primitives

extension VectorCanvas {
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
    cairo.setLineWidth(thickness)
    cairo.setLineCap(CAIRO_LINE_CAP_BUTT)
    cairo.setDash([])
    cairo.newPath()
    switch style {
    case .solid:
      cairo.moveTo(start.x, start.y)
      cairo.lineTo(end.x, end.y)
      cairo.stroke()
    case .double:
      let part = Swift.max(device == nil ? 0 : 1, (thickness / 3).rounded(device == nil ? .toNearestOrEven : .down))
      let line = device == nil ? thickness / 3 : part
      let offset = (thickness - line) / 2
      cairo.setLineWidth(line)
      for side in [-offset, offset] {
        cairo.moveTo(start.x - along.y * side, start.y + along.x * side)
        cairo.lineTo(end.x - along.y * side, end.y + along.x * side)
      }
      cairo.stroke()
    case .dashed:
      // Dashes twice as long as thick, gaps half as long, stretched or shrunk until a dash stands at each end.
      let dash = thickness * (thickness >= 3 ? 2 : 3)
      let gap = Self.gap(length: length, dash: dash, ideal: thickness * (thickness >= 3 ? 1 : 2))
      var pattern = [dash, gap]
      if length <= dash * 2 { pattern = [dash, Swift.max(length - dash, 1)] }
      cairo.setDash(pattern)
      cairo.moveTo(start.x, start.y)
      cairo.lineTo(end.x, end.y)
      cairo.stroke()
    case .dotted:
      let gap = Self.gap(length: length, dash: thickness, ideal: thickness)
      if thickness < 3 {
        cairo.setDash([thickness, gap])
        cairo.moveTo(start.x, start.y)
        cairo.lineTo(end.x, end.y)
      } else {
        // Round dots: dashes of no length with round caps.
        cairo.setLineCap(CAIRO_LINE_CAP_ROUND)
        cairo.setDash([0, thickness + gap])
        cairo.moveTo(start.x + along.x * thickness / 2, start.y + along.y * thickness / 2)
        cairo.lineTo(end.x - along.x * thickness / 2 + along.x * 0.01, end.y - along.y * thickness / 2 + along.y * 0.01)
      }
      cairo.stroke()
    case .wavy:
      wave(from: start, along: along, length: length, thickness: thickness)
    }
    cairo.setDash([])
  }

  /// A closed path with dots or dashes all the way round: as many as fit with gaps near the ideal.
  func strokePath(_ elements: [PathElement], _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    addPath(elements, snapsPolygons: false)
    let thickness = width.pixels * (scaleX + scaleY) / 2
    let length = Self.length(of: cairo)
    guard length > 0, length < 1e6, thickness > 0 else { return cairo.newPath() }
    Self.setSource(cairo, color)
    cairo.setLineWidth(thickness)
    cairo.setLineCap(CAIRO_LINE_CAP_BUTT)
    func dashes(_ dash: Double, _ gap: Double) -> Double {
      let count = Swift.max(1, (length / (dash + gap)).rounded())
      return length / count
    }
    switch style {
    case .dotted:
      cairo.setLineCap(CAIRO_LINE_CAP_ROUND)
      cairo.setDash([0, dashes(thickness, thickness)])
    case .dashed:
      let dash = thickness * (thickness >= 3 ? 2 : 3)
      let step = dashes(dash, thickness * (thickness >= 3 ? 1 : 2))
      cairo.setDash([Swift.min(dash, step), Swift.max(0, step - dash)])
    case .solid, .double, .wavy: break
    }
    cairo.stroke()
    cairo.setDash([])
    cairo.setLineCap(CAIRO_LINE_CAP_BUTT)
  }

  /// The length of the current path.
  private static func length(of cairo: CairoContext) -> Double {
    guard let path = unsafe cairo_copy_path_flat(cairo.pointer) else { return 0 }
    defer { unsafe cairo_path_destroy(path) }
    var total = 0.0
    var start = (x: 0.0, y: 0.0)
    var last = start
    var index = 0
    while unsafe index < Int(path.pointee.num_data), let data = unsafe path.pointee.data {
      let header = unsafe data[index].header
      guard header.length > 0 else { break }
      var next = start
      if header.type != CAIRO_PATH_CLOSE_PATH, header.length > 1 {
        next = unsafe (data[index + 1].point.x, data[index + 1].point.y)
      }
      if header.type == CAIRO_PATH_MOVE_TO {
        start = next
      } else {
        total += ((next.x - last.x) * (next.x - last.x) + (next.y - last.y) * (next.y - last.y)).squareRoot()
      }
      last = next
      index += Int(header.length)
    }
    return total
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
    // As browsers draw it: each wave is one cubic with both control points over its middle.
    let control = 0.5 + (thickness * 3 + 0.5).rounded()
    let step = 0.5 + (thickness * 2 + 0.5).rounded()
    let amplitude = control * 0.29
    let count = Swift.min(Int((length / (step * 2)).rounded(.up)), 20000)
    cairo.save()
    // The wave is cut where the line ends.
    let reach = amplitude + thickness
    for (index, corner) in [(0.0, -reach), (length, -reach), (length, reach), (0.0, reach)].enumerated() {
      let x = start.x + along.x * corner.0 - along.y * corner.1
      let y = start.y + along.y * corner.0 + along.x * corner.1
      if index == 0 { cairo.moveTo(x, y) } else { cairo.lineTo(x, y) }
    }
    cairo.clip()
    func point(_ t: Double, _ offset: Double) -> (x: Double, y: Double) {
      (start.x + along.x * t - along.y * offset, start.y + along.y * t + along.x * offset)
    }
    cairo.moveTo(start.x, start.y)
    for index in 0..<count {
      let base = Double(index) * step * 2
      let first = point(base + step, control)
      let second = point(base + step, -control)
      let end = point(base + step * 2, 0)
      cairo.curveTo(first.x, first.y, second.x, second.y, end.x, end.y)
    }
    cairo.stroke()
    cairo.restore()
  }
}
