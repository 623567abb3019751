import Platform

extension AffineTransform {
  /// The place that a point is moved to.
  package func point(_ point: SIMD2<Float>) -> SIMD2<Float> { direction(point) + SIMD2(tx, ty) }

  /// The vector that one becomes, which translations do not change.
  package func direction(_ vector: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(a * vector.x + c * vector.y, b * vector.x + d * vector.y)
  }

  /// Exact at the quarter turns.
  package static func sineAndCosine(_ degrees: Float) -> (sine: Float, cosine: Float) {
    var turn = fmodf(degrees, 360)
    if turn < 0 { turn += 360 }
    switch turn {
    case 0: return (0, 1)
    case 90: return (1, 0)
    case 180: return (0, -1)
    case 270: return (-1, 0)
    default: return (sinf(turn * .pi / 180), cosf(turn * .pi / 180))
    }
  }
}
