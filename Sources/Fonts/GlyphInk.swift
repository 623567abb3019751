import CHarfBuzz

extension FontFace {
  /// How far a glyph's outline reaches to the left and right within a horizontal band, in font units, y upwards; nil when it
  /// does not reach into the band. Synthetic styles are not counted.
  package func inkSpan(_ glyph: UInt16, from low: Float, to high: Float) -> (left: Float, right: Float)? {
    var scan = BandScan(low: low, high: high)
    withUnsafeMutablePointer(to: &scan) { scan in
      hb_font_get_glyph_shape(hbFont, UInt32(glyph), BandScan.functions.pointer, scan)
    }
    return scan.left <= scan.right ? (scan.left, scan.right) : nil
  }
}

/// What has been seen of an outline inside a band.
private struct BandScan {
  var low: Float
  var high: Float
  var left = Float.infinity
  var right = -Float.infinity
  var pen = SIMD2<Float>()
  var start = SIMD2<Float>()

  init(low: Float, high: Float) {
    self.low = low
    self.high = high
  }

  mutating func line(to end: SIMD2<Float>) {
    let from = pen
    pen = end
    let (bottom, top) = from.y <= end.y ? (from, end) : (end, from)
    guard top.y >= low, bottom.y <= high else { return }
    func x(at y: Float) -> Float {
      let rise = top.y - bottom.y
      return rise > 0 ? bottom.x + (top.x - bottom.x) * (y - bottom.y) / rise : bottom.x
    }
    let first = bottom.y < low ? x(at: low) : bottom.x
    let last = top.y > high ? x(at: high) : top.x
    left = min(left, first, last)
    right = max(right, first, last)
  }

  /// A curve as eight chords: a fiftieth of a px at the sizes of text.
  mutating func curve(_ point: (Float) -> SIMD2<Float>) {
    for step in 1...8 { line(to: point(Float(step) / 8)) }
  }

  /// The callbacks, made once and immutable.
  struct Functions: @unchecked Sendable { let pointer: OpaquePointer }
  static let functions: Functions = {
    let functions = hb_draw_funcs_create()!
    hb_draw_funcs_set_move_to_func(
      functions,
      { _, data, _, x, y, _ in
        guard let scan = data?.assumingMemoryBound(to: BandScan.self) else { return }
        scan.pointee.pen = SIMD2(x, y)
        scan.pointee.start = SIMD2(x, y)
      }, nil, nil)
    hb_draw_funcs_set_line_to_func(
      functions,
      { _, data, _, x, y, _ in data?.assumingMemoryBound(to: BandScan.self).pointee.line(to: SIMD2(x, y)) }, nil, nil)
    hb_draw_funcs_set_quadratic_to_func(
      functions,
      { _, data, _, cx, cy, x, y, _ in
        guard let scan = data?.assumingMemoryBound(to: BandScan.self) else { return }
        let (a, b, c) = (scan.pointee.pen, SIMD2(cx, cy), SIMD2(x, y))
        scan.pointee.curve { t in a * ((1 - t) * (1 - t)) + b * (2 * t * (1 - t)) + c * (t * t) }
      }, nil, nil)
    hb_draw_funcs_set_cubic_to_func(
      functions,
      { _, data, _, ax, ay, bx, by, x, y, _ in
        guard let scan = data?.assumingMemoryBound(to: BandScan.self) else { return }
        let (a, b, c, d) = (scan.pointee.pen, SIMD2(ax, ay), SIMD2(bx, by), SIMD2(x, y))
        scan.pointee.curve { t in
          let s = 1 - t
          return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t)
        }
      }, nil, nil)
    hb_draw_funcs_set_close_path_func(
      functions,
      { _, data, _, _ in
        guard let scan = data?.assumingMemoryBound(to: BandScan.self) else { return }
        scan.pointee.line(to: scan.pointee.start)
      }, nil, nil)
    hb_draw_funcs_make_immutable(functions)
    return Functions(pointer: functions)
  }()
}
