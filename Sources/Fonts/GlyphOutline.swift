import CHarfBuzz

/// A step of an outline, in font units, y upwards.
package enum OutlineStep: Hashable, Sendable {
  case move(SIMD2<Float>)
  case line(SIMD2<Float>)
  /// Control point and end.
  case quadratic(SIMD2<Float>, SIMD2<Float>)
  /// Both control points and the end.
  case cubic(SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
  case close
}

extension FontFace {
  /// The outline of a glyph, without synthetic styles; empty for a glyph that has none.
  package func outline(_ glyph: UInt16) -> [OutlineStep] {
    var steps: [OutlineStep] = []
    unsafe withUnsafeMutablePointer(to: &steps) { steps in
      unsafe ch_draw_glyph(hbFont.pointer, UInt32(glyph), OutlineFunctions.shared.pointer, steps)
    }
    return steps
  }
}

/// The callbacks, made once and immutable.
@safe private struct OutlineFunctions: @unchecked Sendable {
  let pointer: OpaquePointer

  static let shared: OutlineFunctions = {
    let functions = unsafe hb_draw_funcs_create()!
    unsafe hb_draw_funcs_set_move_to_func(
      functions, { _, data, _, x, y, _ in unsafe OutlineFunctions.append(.move(SIMD2(x, y)), data) }, nil, nil)
    unsafe hb_draw_funcs_set_line_to_func(
      functions, { _, data, _, x, y, _ in unsafe OutlineFunctions.append(.line(SIMD2(x, y)), data) }, nil, nil)
    unsafe hb_draw_funcs_set_quadratic_to_func(
      functions,
      { _, data, _, cx, cy, x, y, _ in unsafe OutlineFunctions.append(.quadratic(SIMD2(cx, cy), SIMD2(x, y)), data) },
      nil, nil
    )
    unsafe hb_draw_funcs_set_cubic_to_func(
      functions,
      { _, data, _, ax, ay, bx, by, x, y, _ in
        unsafe OutlineFunctions.append(.cubic(SIMD2(ax, ay), SIMD2(bx, by), SIMD2(x, y)), data)
      }, nil, nil)
    unsafe hb_draw_funcs_set_close_path_func(
      functions, { _, data, _, _ in unsafe OutlineFunctions.append(.close, data) }, nil, nil)
    unsafe hb_draw_funcs_make_immutable(functions)
    return unsafe OutlineFunctions(pointer: functions)
  }()

  private static func append(_ step: OutlineStep, _ data: UnsafeMutableRawPointer?) {
    unsafe data?.assumingMemoryBound(to: [OutlineStep].self).pointee.append(step)
  }
}
