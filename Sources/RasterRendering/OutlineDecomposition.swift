import CFreeType
import Platform

/// The contours of a FreeType outline, segment by segment.
enum OutlineDecomposition {
  private typealias Body = (GlyphShapes.Step) -> Void

  /// Calls `body` with each segment, in the outline's own units, upwards.
  static func forEach(of outline: UnsafeMutablePointer<FT_Outline>, _ body: (GlyphShapes.Step) -> Void) {
    var functions = unsafe FT_Outline_Funcs(
      move_to: { to, data in unsafe OutlineDecomposition.pass(.move(OutlineDecomposition.point(to)), data) },
      line_to: { to, data in unsafe OutlineDecomposition.pass(.line(OutlineDecomposition.point(to)), data) },
      conic_to: { control, to, data in
        unsafe OutlineDecomposition.pass(
          .quadratic(OutlineDecomposition.point(control), OutlineDecomposition.point(to)), data)
      },
      cubic_to: { first, second, to, data in
        unsafe OutlineDecomposition.pass(
          .cubic(OutlineDecomposition.point(first), OutlineDecomposition.point(second), OutlineDecomposition.point(to)),
          data)
      }, shift: 0, delta: 0)
    withoutActuallyEscaping(body) { body in
      var body: Body = body
      _ = unsafe withUnsafeMutablePointer(to: &body) { unsafe FT_Outline_Decompose(outline, &functions, $0) }
    }
  }

  private static func point(_ vector: UnsafePointer<FT_Vector>?) -> SIMD2<Double> {
    guard let vector = unsafe vector else { return .zero }
    return unsafe SIMD2(Double(vector.pointee.x), Double(vector.pointee.y))
  }

  /// - Returns: 0, which has FreeType go on.
  private static func pass(_ step: GlyphShapes.Step, _ data: UnsafeMutableRawPointer?) -> Int32 {
    unsafe data?.assumingMemoryBound(to: Body.self).pointee(step)
    return 0
  }
}
