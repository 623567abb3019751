package import CHarfBuzz

/// A face as HarfBuzz measures and shapes with it: in font units, at one place on its axes. Immutable once it is
/// shared.
@safe package final class HarfBuzzFont: @unchecked Sendable {
  package let pointer: OpaquePointer

  /// - Parameter coordinates: The place on the axes in their order; empty for a static face.
  init?(_ face: HarfBuzzFace, coordinates: [Float]) {
    guard let font = unsafe hb_font_create(face.pointer) else { return nil }
    unsafe pointer = unsafe font
    let em = face.unitsPerEm
    unsafe hb_font_set_scale(font, em, em)
    if !coordinates.isEmpty { unsafe hb_font_set_var_coords_design(font, coordinates, UInt32(coordinates.count)) }
    unsafe hb_font_make_immutable(font)
  }

  deinit { unsafe hb_font_destroy(pointer) }

  /// The nominal glyph of a character.
  func glyph(_ scalar: UInt32) -> UInt32? {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(pointer, scalar, &glyph) != 0 ? glyph : nil
  }

  @inline(__always)
  func advance(_ glyph: UInt32) -> Int32 { unsafe hb_font_get_glyph_h_advance(pointer, glyph) }

  /// The advance downwards, as HarfBuzz has it: negative.
  package func verticalAdvance(_ glyph: UInt32) -> Int32 { unsafe hb_font_get_glyph_v_advance(pointer, glyph) }

  /// The origin in vertical lines from that in horizontal ones.
  package func verticalOrigin(_ glyph: UInt32) -> (x: Int32, y: Int32) {
    var x: hb_position_t = 0
    var y: hb_position_t = 0
    unsafe hb_font_get_glyph_v_origin(pointer, glyph, &x, &y)
    return (x, y)
  }

  func extents(_ glyph: UInt32) -> hb_glyph_extents_t? {
    var extents = hb_glyph_extents_t()
    return unsafe hb_font_get_glyph_extents(pointer, glyph, &extents) != 0 ? extents : nil
  }

  /// A measure of the face; nil where it has none.
  package func metric(_ tag: hb_ot_metrics_tag_t) -> Int32? {
    var value: hb_position_t = 0
    return unsafe hb_ot_metrics_get_position(pointer, tag, &value) != 0 ? value : nil
  }

  /// What the axes add to a measure.
  func variation(_ tag: hb_ot_metrics_tag_t) -> Int32 { unsafe hb_ot_metrics_get_y_variation(pointer, tag) }

  func mathConstant(_ constant: hb_ot_math_constant_t) -> Int32 { unsafe hb_ot_math_get_constant(pointer, constant) }
}
