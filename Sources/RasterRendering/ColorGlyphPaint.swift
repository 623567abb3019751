import CCairo
import CFreeType
import Cairo
import Graphics
import Platform
import Primitives

/// The `COLR` table of a face, version 1 (OpenType 1.9.1, "COLR"). FreeType of Debian 12 is built without it.
///
/// Bytes outside the table read as zero, which no paint's format is.
struct PaintTable {
  private let bytes: [UInt8]

  /// Nil for a table of another version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 34, bytes[0] == 0, bytes[1] >= 1 else { return nil }
    self.bytes = bytes
  }

  private func number(_ offset: Int, _ length: Int) -> Int {
    guard offset >= 0, offset <= bytes.count - length else { return 0 }
    return bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
  }
  func byte(_ offset: Int) -> Int { number(offset, 1) }
  func half(_ offset: Int) -> Int { number(offset, 2) }
  /// The target of an `Offset24`.
  func target(_ offset: Int, from base: Int) -> Int { base + number(offset, 3) }
  /// A signed number of font units.
  func signed(_ offset: Int) -> Double { Double(Int16(truncatingIfNeeded: half(offset))) }
  /// `F2DOT14`.
  func share(_ offset: Int) -> Double { signed(offset) / 16384 }
  /// `Fixed`.
  func fixed(_ offset: Int) -> Double { Double(Int32(truncatingIfNeeded: number(offset, 4))) / 65536 }

  /// The root paint of a glyph, nil when it has none.
  func paint(of glyph: Int) -> Int? {
    let list = number(14, 4)
    guard list > 0 else { return nil }
    var low = 0
    var high = Swift.min(number(list, 4), (bytes.count - list) / 6)
    while low < high {
      let middle = (low + high) / 2
      if half(list + 4 + middle * 6) < glyph { low = middle + 1 } else { high = middle }
    }
    let record = list + 4 + low * 6
    guard half(record) == glyph, number(record + 2, 4) > 0 else { return nil }
    return list + number(record + 2, 4)
  }

  func layer(_ index: Int) -> Int? {
    let list = number(18, 4)
    guard list > 0, index < number(list, 4), number(list + 4 + index * 4, 4) > 0 else { return nil }
    return list + number(list + 4 + index * 4, 4)
  }

  /// The box that a glyph's paints are clipped to.
  func clipBox(of glyph: Int) -> (left: Double, bottom: Double, right: Double, top: Double)? {
    let list = number(22, 4)
    guard list > 0, byte(list) == 1 else { return nil }
    for index in 0..<Swift.min(number(list + 1, 4), (bytes.count - list) / 7) {
      let record = list + 5 + index * 7
      guard half(record) <= glyph, glyph <= half(record + 2) else { continue }
      let box = target(record + 4, from: list)
      return (signed(box + 1), signed(box + 3), signed(box + 5), signed(box + 7))
    }
    return nil
  }
}

/// Draws glyphs of the `COLR` table, version 1: a graph of fills, gradients, transforms and composites, walked in the
/// face's font units on a cairo context. Variations of its numbers are left at their default.
@safe struct ColorGlyphPaint {
  /// Paints that may enclose each other: a graph of a broken font may be a ring.
  private static let deepest = 32
  /// Paints walked for one glyph.
  private static let mostPaints = 4000

  private let handle: FT_Face
  private let table: PaintTable
  private let palette: UnsafeBufferPointer<FT_Color>
  private let foreground: Color
  private var paintsLeft = Self.mostPaints

  /// The picture of a glyph at a size in 1/64 device pixels per em; nil when the face has no paint for it.
  static func picture(
    _ glyph: UInt16, of handle: FT_Face, _ table: PaintTable, size: Int, palette: UnsafeBufferPointer<FT_Color>,
    foreground: Color
  ) -> ColorGlyph? {
    guard let root = table.paint(of: Int(glyph)) else { return nil }
    let pixels = Double(size) / 64
    let unit = unsafe pixels / Double(Swift.max(1, handle.pointee.units_per_EM))
    // A paint without bounds of its own fills the face's box at most.
    let box = unsafe handle.pointee.bbox
    func limit(_ value: FT_Pos) -> Double { Swift.max(-4 * pixels, Swift.min(4 * pixels, Double(value) * unit)) }
    var bounds = cairo_rectangle_t(
      x: limit(box.xMin), y: -limit(box.yMax), width: limit(box.xMax) - limit(box.xMin),
      height: limit(box.yMax) - limit(box.yMin))
    guard bounds.width > 0, bounds.height > 0,
      let recording = unsafe CairoSurface(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &bounds)),
      let cairo = recording.makeContext()
    else { return nil }
    cairo.scale(unit, -unit)
    if let clip = table.clipBox(of: Int(glyph)) {
      cairo.rectangle(clip.left, clip.bottom, clip.right - clip.left, clip.top - clip.bottom)
      cairo.clip()
    }
    var painter = unsafe ColorGlyphPaint(handle: handle, table: table, palette: palette, foreground: foreground)
    painter.draw(root, on: cairo, depth: 0)
    cairo.destroy()

    var (x, y, width, height) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_recording_surface_ink_extents(recording.pointer, &x, &y, &width, &height)
    let left = x.rounded(.down)
    let top = y.rounded(.down)
    let columns = Int((x + width).rounded(.up) - left)
    let rows = Int((y + height).rounded(.up) - top)
    guard columns > 0, rows > 0, columns <= 2048, rows <= 2048 else {
      // A glyph of no ink is a picture all the same: its outline is not drawn in its place.
      return unsafe ColorGlyph(bitmap: Bitmap(width: 1, height: 1) { _ in }, left: 0, top: 0, scale: 1)
    }
    let bitmap = unsafe Bitmap(width: columns, height: rows) { memory in
      let surface = unsafe CairoSurface.image(
        over: memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, width: columns,
        height: rows, stride: columns * 4)
      surface?.draw { cairo in
        cairo.setSource(recording, -left, -top)
        cairo.paint()
      }
      surface?.finish()
    }
    return ColorGlyph(bitmap: bitmap, left: left, top: -top, scale: 1)
  }

  private init(handle: FT_Face, table: PaintTable, palette: UnsafeBufferPointer<FT_Color>, foreground: Color) {
    unsafe self.handle = unsafe handle
    self.table = table
    unsafe self.palette = unsafe palette
    self.foreground = foreground
  }

  // MARK: The graph

  /// Draws the paint at a place in the table. Formats of odd numbers vary the ones before them.
  private mutating func draw(_ paint: Int, on cairo: CairoContext, depth: Int) {
    guard depth < Self.deepest, paintsLeft > 0 else { return }
    paintsLeft -= 1
    cairo.save()
    defer { cairo.restore() }
    let format = table.byte(paint)
    let inner = table.target(paint + 1, from: paint)
    switch format {
    case 1:
      let first = number(at: paint + 2)
      for index in 0..<table.byte(paint + 1) {
        if let layer = table.layer(first + index) { draw(layer, on: cairo, depth: depth + 1) }
      }
    case 2, 3:
      let color = color(table.half(paint + 1), alpha: table.share(paint + 3))
      cairo.setSource(color.red, color.green, color.blue, color.alpha)
      cairo.paint()
    case 4, 5: fillLinear(paint, colorLine(at: inner, isVariable: format == 5), on: cairo)
    case 6, 7: fillRadial(paint, colorLine(at: inner, isVariable: format == 7), on: cairo)
    case 8, 9: fillSweep(paint, colorLine(at: inner, isVariable: format == 9), on: cairo)
    case 10:
      guard clip(to: FT_UInt(table.half(paint + 4)), on: cairo) else { return }
      draw(inner, on: cairo, depth: depth + 1)
    case 11:
      guard let root = table.paint(of: table.half(paint + 1)) else { return }
      draw(root, on: cairo, depth: depth + 1)
    case 12...31:
      transform(cairo, matrix(of: paint, format: format & ~1), around: center(of: paint, format: format & ~1))
      draw(inner, on: cairo, depth: depth + 1)
    case 32:
      guard let mode = Self.operators[table.byte(paint + 4)] else { return }
      cairo.pushGroup()
      draw(table.target(paint + 5, from: paint), on: cairo, depth: depth + 1)
      cairo.pushGroup()
      draw(inner, on: cairo, depth: depth + 1)
      cairo.popGroupToSource()
      cairo.setOperator(mode)
      cairo.paint()
      cairo.popGroupToSource()
      cairo.setOperator(CAIRO_OPERATOR_OVER)
      cairo.paint()
    default: return
    }
  }

  private func number(at offset: Int) -> Int { table.half(offset) << 16 | table.half(offset + 2) }

  private func matrix(of paint: Int, format: Int) -> cairo_matrix_t {
    func matrix(_ xx: Double, _ yx: Double, _ xy: Double, _ yy: Double, _ dx: Double = 0, _ dy: Double = 0)
      -> cairo_matrix_t
    {
      cairo_matrix_t(xx: xx, yx: yx, xy: xy, yy: yy, x0: dx, y0: dy)
    }
    let (first, second) = (table.share(paint + 4), table.share(paint + 6))
    switch format {
    case 12:
      let place = table.target(paint + 4, from: paint)
      let values = (0..<6).map { table.fixed(place + $0 * 4) }
      return matrix(values[0], values[1], values[2], values[3], values[4], values[5])
    case 14: return matrix(1, 0, 0, 1, table.signed(paint + 4), table.signed(paint + 6))
    case 16, 18: return matrix(first, 0, 0, second)
    case 20, 22: return matrix(first, 0, 0, first)
    case 24, 26:
      let angle = first * .pi
      return matrix(cos(angle), sin(angle), -sin(angle), cos(angle))
    default: return matrix(1, tan(second * .pi), -tan(first * .pi), 1)
    }
  }

  private func center(of paint: Int, format: Int) -> (x: Double, y: Double) {
    switch format {
    case 18, 30: (table.signed(paint + 8), table.signed(paint + 10))
    case 22, 26: (table.signed(paint + 6), table.signed(paint + 8))
    default: (0, 0)
    }
  }

  /// Clips to a glyph's outline.
  private func clip(to glyph: FT_UInt, on cairo: CairoContext) -> Bool {
    guard unsafe FT_Load_Glyph(handle, glyph, FT_Int32(FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) == 0,
      let slot = unsafe handle.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return false }
    cairo.newPath()
    unsafe VectorCanvas.append(GlyphFaces.outlinePointer(slot), to: cairo)
    cairo.setFillRule(CAIRO_FILL_RULE_WINDING)
    cairo.clip()
    return true
  }

  /// A map that flattens the plane would put the context into an error state for good: what is under it is not seen.
  private func transform(
    _ cairo: CairoContext, _ matrix: cairo_matrix_t, around center: (x: Double, y: Double)
  ) {
    if abs(matrix.xx * matrix.yy - matrix.xy * matrix.yx) < 1e-9 {
      cairo.resetClip()
      cairo.rectangle(0, 0, 0, 0)
      cairo.clip()
      return
    }
    cairo.translate(center.x, center.y)
    cairo.transform(matrix)
    cairo.translate(-center.x, -center.y)
  }

  // MARK: Colours

  private struct Components {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double
  }

  private struct Stop {
    var offset: Double
    var color: Components
  }

  private struct ColorLine {
    var extend: cairo_extend_t
    /// In the order of their offsets.
    var stops: [Stop]
  }

  private func color(_ index: Int, alpha: Double) -> Components {
    let share = Swift.max(0, Swift.min(1, alpha))
    if index == 0xFFFF {
      // The text's own alpha holds for the whole picture.
      return Components(
        red: Double(foreground.red) / 255, green: Double(foreground.green) / 255, blue: Double(foreground.blue) / 255,
        alpha: share)
    }
    guard unsafe index < palette.count else { return Components(red: 0, green: 0, blue: 0, alpha: 0) }
    let color = unsafe palette[index]
    return Components(
      red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
      alpha: Double(color.alpha) / 255 * share)
  }

  private func colorLine(at place: Int, isVariable: Bool) -> ColorLine {
    let stops = (0..<Swift.min(1024, table.half(place + 1))).map { index in
      let stop = place + 3 + index * (isVariable ? 10 : 6)
      return Stop(
        offset: table.share(stop), color: color(table.half(stop + 2), alpha: table.share(stop + 4)))
    }
    // Equal offsets keep their order.
    let order = stops.indices.sorted { (stops[$0].offset, $0) < (stops[$1].offset, $1) }
    let extend: cairo_extend_t =
      switch table.byte(place) {
      case 1: CAIRO_EXTEND_REPEAT
      case 2: CAIRO_EXTEND_REFLECT
      default: CAIRO_EXTEND_PAD
      }
    return ColorLine(extend: extend, stops: order.map { stops[$0] })
  }

  /// Fills the clip with a pattern whose stops run from the first to the last one of a colour line.
  private func fill(_ pattern: CairoPattern?, _ line: ColorLine, on cairo: CairoContext) {
    guard let pattern else { return }
    let stops = line.stops
    let (first, last) = (stops[0].offset, stops[stops.count - 1].offset)
    for stop in stops {
      let offset = last > first ? (stop.offset - first) / (last - first) : 0
      pattern.addColorStop(offset, stop.color.red, stop.color.green, stop.color.blue, stop.color.alpha)
    }
    pattern.setExtend(line.extend)
    cairo.setSource(pattern)
    cairo.paint()
  }

  private func fillLinear(_ paint: Int, _ line: ColorLine, on cairo: CairoContext) {
    guard let first = line.stops.first?.offset, let last = line.stops.last?.offset else { return }
    let values = (0..<6).map { table.signed(paint + 4 + $0 * 2) }
    let (x0, y0) = (values[0], values[1])
    // The colours run across the line from the first to the third point.
    let (nx, ny) = (values[5] - y0, x0 - values[4])
    let length = nx * nx + ny * ny
    let share = length > 0 ? ((values[2] - x0) * nx + (values[3] - y0) * ny) / length : 0
    guard share != 0 else { return }
    let (ax, ay) = (nx * share, ny * share)
    fill(.linear(x0 + ax * first, y0 + ay * first, x0 + ax * last, y0 + ay * last), line, on: cairo)
  }

  private func fillRadial(_ paint: Int, _ line: ColorLine, on cairo: CairoContext) {
    guard let first = line.stops.first?.offset, let last = line.stops.last?.offset else { return }
    let (x0, y0, r0) = (table.signed(paint + 4), table.signed(paint + 6), Double(table.half(paint + 8)))
    let (x1, y1, r1) = (table.signed(paint + 10), table.signed(paint + 12), Double(table.half(paint + 14)))
    func circle(_ share: Double) -> (x: Double, y: Double, radius: Double) {
      (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, Swift.max(0, r0 + (r1 - r0) * share))
    }
    let (a, b) = (circle(first), circle(last))
    fill(.radial(a.x, a.y, a.radius, b.x, b.y, b.radius), line, on: cairo)
  }

  /// Colours around a point, anticlockwise from the right: wedges of a mesh, narrow enough to be taken for arcs.
  private func fillSweep(_ paint: Int, _ line: ColorLine, on cairo: CairoContext) {
    let stops = line.stops
    guard let first = stops.first, let last = stops.last else { return }
    // Angles of the file are shifted by half a turn, so that all of a turn can be written.
    let start = table.share(paint + 8) / 2 + 0.5
    let end = table.share(paint + 10) / 2 + 0.5
    let isPadded = line.extend == CAIRO_EXTEND_PAD
    guard end != start || isPadded else { return }
    let span = last.offset - first.offset
    func color(atTurn turn: Double) -> Components {
      var offset = end == start ? (turn < start ? -.infinity : .infinity) : (turn - start) / (end - start)
      if span > 0, !isPadded {
        let place = (offset - first.offset) / span
        var share = place - place.rounded(.down)
        let isMirrored = line.extend == CAIRO_EXTEND_REFLECT && Int(place.rounded(.down)) & 1 != 0
        if isMirrored { share = 1 - share }
        offset = first.offset + share * span
      }
      guard let after = stops.firstIndex(where: { $0.offset > offset }) else { return last.color }
      guard after > 0 else { return first.color }
      let (a, b) = (stops[after - 1], stops[after])
      let share = (offset - a.offset) / (b.offset - a.offset)
      func mix(_ x: Double, _ y: Double) -> Double { x + (y - x) * share }
      return Components(
        red: mix(a.color.red, b.color.red), green: mix(a.color.green, b.color.green),
        blue: mix(a.color.blue, b.color.blue), alpha: mix(a.color.alpha, b.color.alpha))
    }
    var edges = stride(from: 0.0, through: 1.0, by: 1.0 / 120).map { $0 }
    edges += stops.map { start + (end - start) * $0.offset }.filter { $0 > 0 && $0 < 1 }
    edges.sort()
    guard let mesh = CairoPattern.mesh() else { return }
    let (x, y) = (table.signed(paint + 4), table.signed(paint + 6))
    let radius = unsafe Double(handle.pointee.units_per_EM) * 16
    for (from, to) in zip(edges, edges.dropFirst()) where to - from > 1e-6 {
      // A little inside the wedge, so that a stop's two colours stay apart.
      let colors = [color(atTurn: from + (to - from) * 1e-3), color(atTurn: to - (to - from) * 1e-3)]
      let rim = [from, to].map { (x: x + radius * cos($0 * 2 * .pi), y: y + radius * sin($0 * 2 * .pi)) }
      mesh.addPatch(
        [(x, y), rim[0], rim[1], (x, y)],
        colors: [colors[0], colors[0], colors[1], colors[1]].map { ($0.red, $0.green, $0.blue, $0.alpha) })
    }
    cairo.setSource(mesh)
    cairo.paint()
  }

  /// By the table's `CompositeMode`.
  private static let operators: [Int: cairo_operator_t] = [
    0: CAIRO_OPERATOR_CLEAR, 1: CAIRO_OPERATOR_SOURCE, 2: CAIRO_OPERATOR_DEST, 3: CAIRO_OPERATOR_OVER,
    4: CAIRO_OPERATOR_DEST_OVER, 5: CAIRO_OPERATOR_IN, 6: CAIRO_OPERATOR_DEST_IN, 7: CAIRO_OPERATOR_OUT,
    8: CAIRO_OPERATOR_DEST_OUT, 9: CAIRO_OPERATOR_ATOP, 10: CAIRO_OPERATOR_DEST_ATOP, 11: CAIRO_OPERATOR_XOR,
    12: CAIRO_OPERATOR_ADD, 13: CAIRO_OPERATOR_SCREEN, 14: CAIRO_OPERATOR_OVERLAY, 15: CAIRO_OPERATOR_DARKEN,
    16: CAIRO_OPERATOR_LIGHTEN, 17: CAIRO_OPERATOR_COLOR_DODGE, 18: CAIRO_OPERATOR_COLOR_BURN,
    19: CAIRO_OPERATOR_HARD_LIGHT, 20: CAIRO_OPERATOR_SOFT_LIGHT, 21: CAIRO_OPERATOR_DIFFERENCE,
    22: CAIRO_OPERATOR_EXCLUSION, 23: CAIRO_OPERATOR_MULTIPLY, 24: CAIRO_OPERATOR_HSL_HUE,
    25: CAIRO_OPERATOR_HSL_SATURATION, 26: CAIRO_OPERATOR_HSL_COLOR, 27: CAIRO_OPERATOR_HSL_LUMINOSITY,
  ]
}
