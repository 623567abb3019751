import Platform
import Primitives

/// One function of `transform` (CSS Transforms 1, section 12; CSS Transforms 2, section 10).
package enum TransformFunction: Hashable, Sendable {
  case matrix(a: Float, b: Float, c: Float, d: Float, tx: Float, ty: Float)
  case translate(LengthPercentage, LengthPercentage)
  case scale(Float, Float)
  /// Degrees, clockwise.
  case rotate(Float)
  /// Degrees.
  case skew(Float, Float)
  /// The third length is towards the reader.
  case translate3D(LengthPercentage, LengthPercentage, LengthPercentage)
  /// Sixteen numbers by columns, as `matrix3d()` has them; turns out of the page and scales of its depth are such, too.
  case matrix3D([Float])
  /// The distance of the eye; nil is `none`.
  case perspective(LengthPercentage?)

  /// A turn around an axis through the origin (CSS Transforms 2, section 12.1); nothing without an axis.
  ///
  /// - Parameter degrees: clockwise, as seen from the end of the axis.
  static func rotation(around x: Double, _ y: Double, _ z: Double, degrees: Double) -> Self {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0, length.isFinite else { return .scale(1, 1) }
    let (x, y, z) = (x / length, y / length, z / length)
    if x == 0, y == 0 { return .rotate(Float(z < 0 ? -degrees : degrees)) }
    let half = degrees * .pi / 360
    let (sine, product) = (sin(half), sin(half) * cos(half))
    let square = sine * sine
    let numbers = [
      1 - 2 * (y * y + z * z) * square, 2 * (x * y * square + z * product), 2 * (x * z * square - y * product), 0,
      2 * (x * y * square - z * product), 1 - 2 * (x * x + z * z) * square, 2 * (y * z * square + x * product), 0,
      2 * (x * z * square + y * product), 2 * (y * z * square - x * product), 1 - 2 * (x * x + y * y) * square, 0,
      0, 0, 0, 1,
    ]
    return .matrix3D(numbers.map { Float($0) })
  }

  /// Scales along three axes; of two where the third stays.
  static func scaling(_ x: Double, _ y: Double, _ z: Double) -> Self {
    if z == 1 { return .scale(Float(x), Float(y)) }
    return .matrix3D([Float(x), 0, 0, 0, 0, Float(y), 0, 0, 0, 0, Float(z), 0, 0, 0, 0, 1])
  }
}
