extension FontFace {
  /// The extent of a glyph's outline to the left and right within a horizontal band, in font units, y upwards; nil when
  /// it does not reach into the band. Synthetic styles are not counted.
  package func inkSpan(_ glyph: UInt16, from low: Float, to high: Float) -> (left: Float, right: Float)? {
    var scan = BandScan(low: low, high: high)
    for step in outline(glyph) { scan.take(step) }
    return scan.left <= scan.right ? (scan.left, scan.right) : nil
  }
}

/// The scan of an outline inside a band.
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

  mutating func take(_ step: OutlineStep) {
    switch step {
    case .move(let point):
      pen = point
      start = point
    case .line(let point): line(to: point)
    case .quadratic(let b, let c):
      let a = pen
      curve { t in a * ((1 - t) * (1 - t)) + b * (2 * t * (1 - t)) + c * (t * t) }
    case .cubic(let b, let c, let d):
      let a = pen
      curve { t in
        let s = 1 - t
        return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t)
      }
    case .close: line(to: start)
    }
  }
}
