import Platform

extension AffineTransform {
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
