extension SIMD2 where Scalar: BinaryFloatingPoint {
  /// The control points of the cubic Bézier curve that is the same as the quadratic one from this place to `end`: its
  /// degree is elevated.
  @inlinable package func cubicControls(quadratic control: Self, to end: Self) -> (first: Self, second: Self) {
    let share: Scalar = 2 / 3
    return (self + (control - self) * share, end + (control - end) * share)
  }
}
