import CHarfBuzz

/// A sign of a formula at a length of its own (OpenType `MATH`, MathVariants).
package struct StretchedSign {
  /// The glyphs, and where they begin along the sign, in font units: from the foot up, or from the left.
  package var parts: [(glyph: UInt16, offset: Int32)]
  /// From end to end, in font units.
  package var length: Int32

  package init(parts: [(glyph: UInt16, offset: Int32)], length: Int32) {
    self.parts = parts
    self.length = length
  }
}

extension FontFace {
  /// The height of fraction bars and of the middle of operators above the baseline, in font units; nil for faces without
  /// measures for formulas.
  package var mathAxis: Int32? {
    unsafe hb_ot_math_has_data(hbFace) != 0 ? hb_ot_math_get_constant(hbFont, HB_OT_MATH_CONSTANT_AXIS_HEIGHT) : nil
  }

  /// The shifts of scripts and their least distances from the top and the foot of their base, in font units; nil for faces without
  /// measures for formulas.
  package var mathScripts:
    (superscriptShift: Int32, subscriptShift: Int32, superscriptDrop: Int32, subscriptDrop: Int32)?
  {
    guard unsafe hb_ot_math_has_data(hbFace) != 0 else { return nil }
    return unsafe (
      hb_ot_math_get_constant(hbFont, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP),
      hb_ot_math_get_constant(hbFont, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN),
      hb_ot_math_get_constant(hbFont, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX),
      hb_ot_math_get_constant(hbFont, HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN)
    )
  }

  /// The smallest form of a sign that is as long as asked for, or else one that is put together from parts; nil where the face
  /// has neither.
  ///
  /// - Parameter length: In font units.
  package func stretched(_ glyph: UInt16, to length: Float, isVertical: Bool) -> StretchedSign? {
    guard length.isFinite, length > 0, unsafe hb_ot_math_has_data(hbFace) != 0 else { return nil }
    let direction = isVertical ? HB_DIRECTION_BTT : HB_DIRECTION_LTR
    var variants = [hb_ot_math_glyph_variant_t](repeating: .init(), count: Self.mostParts)
    var count = UInt32(variants.count)
    unsafe hb_ot_math_get_glyph_variants(hbFont, UInt32(glyph), direction, 0, &count, &variants)
    let larger = variants.prefix(Int(count)).filter { $0.glyph < 0x10000 && $0.advance > 0 }
    if let variant = larger.first(where: { Float($0.advance) >= length }) {
      return StretchedSign(parts: [(UInt16(variant.glyph), 0)], length: variant.advance)
    }
    if let whole = assembly(of: glyph, length, direction) { return whole }
    return larger.last.map { StretchedSign(parts: [(UInt16($0.glyph), 0)], length: $0.advance) }
  }

  /// Puts a sign together from its parts, of which some repeat and all overlap as far as is needed.
  private func assembly(of glyph: UInt16, _ length: Float, _ direction: hb_direction_t) -> StretchedSign? {
    var parts = [hb_ot_math_glyph_part_t](repeating: .init(), count: Self.mostParts)
    var count = UInt32(parts.count)
    unsafe hb_ot_math_get_glyph_assembly(hbFont, UInt32(glyph), direction, 0, &count, &parts, nil)
    parts = parts.prefix(Int(count)).filter { $0.glyph < 0x10000 && $0.full_advance > 0 }
    guard !parts.isEmpty else { return nil }
    let overlap = unsafe Swift.max(0, Float(hb_ot_math_get_min_connector_overlap(hbFont, direction)))
    func isExtender(_ part: hb_ot_math_glyph_part_t) -> Bool {
      part.flags.rawValue & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER.rawValue != 0
    }
    let fixed = parts.reduce(Float(0)) { $0 + (isExtender($1) ? 0 : Float($1.full_advance) - overlap) } + overlap
    let growth = parts.reduce(Float(0)) { $0 + (isExtender($1) ? Float($1.full_advance) - overlap : 0) }
    var repeats = 0
    if growth > 0, length > fixed {
      repeats = Int(Swift.min(Float(Self.mostParts), ((length - fixed) / growth).rounded(.up)))
    }
    let all = parts.flatMap { [hb_ot_math_glyph_part_t](repeating: $0, count: isExtender($0) ? repeats : 1) }
    guard all.count > 1 else { return nil }
    let spare = Swift.max(0, fixed + growth * Float(repeats) - length) / Float(all.count - 1)
    var sign = StretchedSign(parts: [], length: 0)
    var end: Float = 0
    for (index, part) in all.enumerated() {
      if index > 0 {
        let most = Float(Swift.min(all[index - 1].end_connector_length, part.start_connector_length))
        end -= Swift.max(overlap, Swift.min(overlap + spare, most))
      }
      sign.parts.append((UInt16(part.glyph), Int32(end)))
      end += Float(part.full_advance)
    }
    sign.length = Int32(Swift.max(1, Swift.min(end, 1e8)))
    return sign
  }

  /// Of a sign, and how often a part repeats.
  private static let mostParts = 64
}
