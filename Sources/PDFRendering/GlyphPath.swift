import Graphics
import RasterRendering

/// The outline of a glyph as a path (ISO 32000-1, section 8.5) in thousandths of an em.
struct GlyphPath {
  /// Operators that fill it; none for a glyph without ink.
  private(set) var operators = PDFBytes()
  /// The least rectangle around all points: left, bottom, right, top.
  private(set) var bounds = [0, 0, 0, 0]

  init(_ outline: [GlyphShapes.Step]) {
    var current = SIMD2<Double>.zero
    for step in outline {
      switch step {
      case .move(let to):
        append(to)
        operators.raw(" m")
        current = to
      case .line(let to):
        append(to)
        operators.raw(" l")
        current = to
      case .quadratic(let control, let to):
        let (first, second) = current.cubicControls(quadratic: control, to: to)
        append(first)
        append(second)
        append(to)
        operators.raw(" c")
        current = to
      case .cubic(let first, let second, let to):
        append(first)
        append(second)
        append(to)
        operators.raw(" c")
        current = to
      }
    }
    if !operators.isEmpty { operators.raw(" f") }
  }

  private mutating func append(_ point: SIMD2<Double>) {
    let (x, y) = (Int((point.x * 1000).rounded()), -Int((point.y * 1000).rounded()))
    bounds =
      operators.isEmpty
      ? [x, y, x, y]
      : [Swift.min(bounds[0], x), Swift.min(bounds[1], y), Swift.max(bounds[2], x), Swift.max(bounds[3], y)]
    operators.integer(x)
    operators.integer(y)
  }
}
