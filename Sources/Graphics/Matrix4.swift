public import Primitives

/// A map of space, by columns: a point is a column of x to the right, y down, z towards the reader, and 1 (CSS Transforms 2,
/// section 11).
package struct Matrix4: Hashable, Sendable {
  fileprivate var x: SIMD4<Double>
  fileprivate var y: SIMD4<Double>
  fileprivate var z: SIMD4<Double>
  fileprivate var w: SIMD4<Double>

  package init(_ x: SIMD4<Double>, _ y: SIMD4<Double>, _ z: SIMD4<Double>, _ w: SIMD4<Double>) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }

  package static let identity = Matrix4([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])

  package static func translation(_ x: Double, _ y: Double, _ z: Double = 0) -> Matrix4 {
    var matrix = identity
    matrix.w = [x, y, z, 1]
    return matrix
  }

  /// An eye at a distance before the origin; one that is nearer than a pixel stands there (CSS Transforms 2, section 7).
  package static func perspective(_ distance: Double) -> Matrix4 {
    var matrix = identity
    matrix.z.w = -1 / Swift.max(1, distance)
    return matrix
  }

  package init(_ map: AffineTransform) {
    self.init(
      [Double(map.a), Double(map.b), 0, 0], [Double(map.c), Double(map.d), 0, 0], [0, 0, 1, 0],
      [Double(map.tx), Double(map.ty), 0, 1])
  }

  package func callAsFunction(_ point: SIMD4<Double>) -> SIMD4<Double> {
    x * point.x + y * point.y + z * point.z + w * point.w
  }

  /// The product: `right` first, `left` afterwards.
  package static func * (left: Matrix4, right: Matrix4) -> Matrix4 {
    Matrix4(left(right.x), left(right.y), left(right.z), left(right.w))
  }

  /// The same map about another point.
  package func around(_ x: Double, _ y: Double, _ z: Double = 0) -> Matrix4 {
    .translation(x, y, z) * self * .translation(-x, -y, -z)
  }

  /// The same image of the plane of a box, without depth.
  package var flattened: Matrix4 {
    func flat(_ column: SIMD4<Double>) -> SIMD4<Double> { [column.x, column.y, 0, column.w] }
    return Matrix4(flat(x), flat(y), [0, 0, 1, 0], flat(w))
  }

  /// The plane of a box turns its back to the reader.
  package var showsBack: Bool {
    let determinant = self.determinant
    let flat = Projection(self)
    return determinant * flat.determinant < 0
  }

  private var determinant: Double {
    func minor(_ a: Int, _ b: Int, _ c: Int) -> Double {
      y[a] * (z[b] * w[c] - z[c] * w[b]) - y[b] * (z[a] * w[c] - z[c] * w[a]) + y[c] * (z[a] * w[b] - z[b] * w[a])
    }
    return x[0] * minor(1, 2, 3) - x[1] * minor(0, 2, 3) + x[2] * minor(0, 1, 3) - x[3] * minor(0, 1, 2)
  }
}

/// The image of a plane on the page: `x' = (a x + c y + tx) / w`, `y' = (b x + d y + ty) / w`, with `w = p x + q y + r`, in CSS px.
public struct Projection: Hashable, Sendable {
  /// The parts of `x` and `y` in the new `x`, and its constant.
  public var a: Double, c: Double, tx: Double
  /// The parts of `x` and `y` in the new `y`, and its constant.
  public var b: Double, d: Double, ty: Double
  /// The parts of `x` and `y` in the divisor, and its constant. What is behind the eye has none above 0 and is not seen.
  public var p: Double, q: Double, r: Double

  /// The image of the plane of a box, `z = 0`.
  package init(_ matrix: Matrix4) {
    let (x, y, w) = (matrix.x, matrix.y, matrix.w)
    (a, b, p) = (x.x, x.y, x.w)
    (c, d, q) = (y.x, y.y, y.w)
    (tx, ty, r) = (w.x, w.y, w.w)
  }

  /// The projection of nine numbers, by the rows of their matrix.
  package init(rows: [Double]) {
    (a, c, tx) = (rows[0], rows[1], rows[2])
    (b, d, ty) = (rows[3], rows[4], rows[5])
    (p, q, r) = (rows[6], rows[7], rows[8])
  }

  /// The nine numbers by the rows of their matrix.
  package var rows: [Double] { [a, c, tx, b, d, ty, p, q, r] }

  package var isFinite: Bool { rows.allSatisfy { $0.isFinite && abs($0) < 1e12 } }

  var determinant: Double { a * (d * r - ty * q) - c * (b * r - ty * p) + tx * (b * q - d * p) }

  /// The same map where parallels stay so; nil for what has a vanishing point.
  package var affine: AffineTransform? {
    guard r != 0, abs(p) < 1e-9 * abs(r), abs(q) < 1e-9 * abs(r) else { return nil }
    guard r > 0 else { return AffineTransform(a: 0, d: 0) }
    return AffineTransform(
      a: Float(a / r), b: Float(b / r), c: Float(c / r), d: Float(d / r), tx: Float(tx / r), ty: Float(ty / r))
  }

  /// The affine map that is nearest around a point; flat where it lies behind the eye.
  public func affine(around point: Point) -> AffineTransform {
    let (x, y) = (point.x.pixels, point.y.pixels)
    let w = p * x + q * y + r
    guard w > 1e-6 else { return AffineTransform(a: 0, d: 0) }
    let (imageX, imageY) = ((a * x + c * y + tx) / w, (b * x + d * y + ty) / w)
    let (dxx, dyx) = ((a - imageX * p) / w, (b - imageY * p) / w)
    let (dxy, dyy) = ((c - imageX * q) / w, (d - imageY * q) / w)
    return AffineTransform(
      a: Float(dxx), b: Float(dyx), c: Float(dxy), d: Float(dyy), tx: Float(imageX - dxx * x - dxy * y),
      ty: Float(imageY - dyx * x - dyy * y))
  }

  /// The composition: `self` first, `next` afterwards.
  package func concatenating(_ next: AffineTransform) -> Projection {
    let (na, nb, nc, nd) = (Double(next.a), Double(next.b), Double(next.c), Double(next.d))
    let (nx, ny) = (Double(next.tx), Double(next.ty))
    return Projection(rows: [
      na * a + nc * b + nx * p, na * c + nc * d + nx * q, na * tx + nc * ty + nx * r,
      nb * a + nd * b + ny * p, nb * c + nd * d + ny * q, nb * tx + nd * ty + ny * r, p, q, r,
    ])
  }

  /// The composition with a scale about the origin, which comes first.
  package func scaled(before factor: Double) -> Projection {
    Projection(rows: [a * factor, c * factor, tx, b * factor, d * factor, ty, p * factor, q * factor, r])
  }

  /// The map back; nil for a plane that is seen from its edge.
  package var inverse: Projection? {
    let determinant = self.determinant
    guard abs(determinant) > 1e-12 else { return nil }
    let adjugate = [
      d * r - ty * q, tx * q - c * r, c * ty - tx * d,
      ty * p - b * r, a * r - tx * p, tx * b - a * ty,
      b * q - d * p, c * p - a * q, a * d - c * b,
    ]
    return Projection(rows: adjugate.map { $0 / determinant })
  }

  package func callAsFunction(_ x: Double, _ y: Double) -> SIMD3<Double> {
    SIMD3(a * x + c * y + tx, b * x + d * y + ty, p * x + q * y + r)
  }
}
