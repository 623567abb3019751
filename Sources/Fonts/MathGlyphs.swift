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

/// The measures of a face for formulas (OpenType `MATH`, MathConstants), in font units.
package struct MathConstants: Sendable {
  package let axisHeight: Int32
  package let displayOperatorMinHeight: Int32
  package let accentBaseHeight: Int32
  package let subscriptShiftDown: Int32
  package let subscriptTopMax: Int32
  package let subscriptBaselineDropMin: Int32
  package let superscriptShiftUp: Int32
  package let superscriptShiftUpCramped: Int32
  package let superscriptBottomMin: Int32
  package let superscriptBaselineDropMax: Int32
  package let subSuperscriptGapMin: Int32
  package let superscriptBottomMaxWithSubscript: Int32
  package let spaceAfterScript: Int32
  package let upperLimitGapMin: Int32
  package let upperLimitBaselineRiseMin: Int32
  package let lowerLimitGapMin: Int32
  package let lowerLimitBaselineDropMin: Int32
  package let stackTopShiftUp: (compact: Int32, normal: Int32)
  package let stackBottomShiftDown: (compact: Int32, normal: Int32)
  package let stackGapMin: (compact: Int32, normal: Int32)
  package let stretchStackTopShiftUp: Int32
  package let stretchStackBottomShiftDown: Int32
  package let stretchStackGapAboveMin: Int32
  package let stretchStackGapBelowMin: Int32
  package let fractionNumeratorShiftUp: (compact: Int32, normal: Int32)
  package let fractionDenominatorShiftDown: (compact: Int32, normal: Int32)
  package let fractionNumeratorGapMin: (compact: Int32, normal: Int32)
  package let fractionDenominatorGapMin: (compact: Int32, normal: Int32)
  package let fractionRuleThickness: Int32
  package let overbarVerticalGap: Int32
  package let overbarExtraAscender: Int32
  package let underbarVerticalGap: Int32
  package let underbarExtraDescender: Int32
  package let radicalVerticalGap: (compact: Int32, normal: Int32)
  package let radicalRuleThickness: Int32
  package let radicalExtraAscender: Int32
  package let radicalKernBeforeDegree: Int32
  package let radicalKernAfterDegree: Int32
  package let radicalDegreeBottomRaisePercent: Int32

  fileprivate init(_ font: HarfBuzzFont) {
    let value = font.mathConstant
    axisHeight = value(HB_OT_MATH_CONSTANT_AXIS_HEIGHT)
    displayOperatorMinHeight = value(HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT)
    accentBaseHeight = value(HB_OT_MATH_CONSTANT_ACCENT_BASE_HEIGHT)
    subscriptShiftDown = value(HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN)
    subscriptTopMax = value(HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX)
    subscriptBaselineDropMin = value(HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN)
    superscriptShiftUp = value(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP)
    superscriptShiftUpCramped = value(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP_CRAMPED)
    superscriptBottomMin = value(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN)
    superscriptBaselineDropMax = value(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX)
    subSuperscriptGapMin = value(HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN)
    superscriptBottomMaxWithSubscript = value(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT)
    spaceAfterScript = value(HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT)
    upperLimitGapMin = value(HB_OT_MATH_CONSTANT_UPPER_LIMIT_GAP_MIN)
    upperLimitBaselineRiseMin = value(HB_OT_MATH_CONSTANT_UPPER_LIMIT_BASELINE_RISE_MIN)
    lowerLimitGapMin = value(HB_OT_MATH_CONSTANT_LOWER_LIMIT_GAP_MIN)
    lowerLimitBaselineDropMin = value(HB_OT_MATH_CONSTANT_LOWER_LIMIT_BASELINE_DROP_MIN)
    stackTopShiftUp = (
      value(HB_OT_MATH_CONSTANT_STACK_TOP_SHIFT_UP), value(HB_OT_MATH_CONSTANT_STACK_TOP_DISPLAY_STYLE_SHIFT_UP)
    )
    stackBottomShiftDown = (
      value(HB_OT_MATH_CONSTANT_STACK_BOTTOM_SHIFT_DOWN),
      value(HB_OT_MATH_CONSTANT_STACK_BOTTOM_DISPLAY_STYLE_SHIFT_DOWN)
    )
    stackGapMin = (
      value(HB_OT_MATH_CONSTANT_STACK_GAP_MIN), value(HB_OT_MATH_CONSTANT_STACK_DISPLAY_STYLE_GAP_MIN)
    )
    stretchStackTopShiftUp = value(HB_OT_MATH_CONSTANT_STRETCH_STACK_TOP_SHIFT_UP)
    stretchStackBottomShiftDown = value(HB_OT_MATH_CONSTANT_STRETCH_STACK_BOTTOM_SHIFT_DOWN)
    stretchStackGapAboveMin = value(HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_ABOVE_MIN)
    stretchStackGapBelowMin = value(HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_BELOW_MIN)
    fractionNumeratorShiftUp = (
      value(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_SHIFT_UP),
      value(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP)
    )
    fractionDenominatorShiftDown = (
      value(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_SHIFT_DOWN),
      value(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN)
    )
    fractionNumeratorGapMin = (
      value(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_GAP_MIN),
      value(HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN)
    )
    fractionDenominatorGapMin = (
      value(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_GAP_MIN),
      value(HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN)
    )
    fractionRuleThickness = value(HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS)
    overbarVerticalGap = value(HB_OT_MATH_CONSTANT_OVERBAR_VERTICAL_GAP)
    overbarExtraAscender = value(HB_OT_MATH_CONSTANT_OVERBAR_EXTRA_ASCENDER)
    underbarVerticalGap = value(HB_OT_MATH_CONSTANT_UNDERBAR_VERTICAL_GAP)
    underbarExtraDescender = value(HB_OT_MATH_CONSTANT_UNDERBAR_EXTRA_DESCENDER)
    radicalVerticalGap = (
      value(HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP), value(HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP)
    )
    radicalRuleThickness = value(HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS)
    radicalExtraAscender = value(HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER)
    radicalKernBeforeDegree = value(HB_OT_MATH_CONSTANT_RADICAL_KERN_BEFORE_DEGREE)
    radicalKernAfterDegree = value(HB_OT_MATH_CONSTANT_RADICAL_KERN_AFTER_DEGREE)
    radicalDegreeBottomRaisePercent = value(HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT)
  }
}

extension FontFace {
  /// nil for faces without measures for formulas.
  package var mathConstants: MathConstants? { hbFace.hasMathTable ? MathConstants(hbFont) : nil }

  /// The sizes of scripts and of scripts of scripts, in that of their base; nil for faces without measures for formulas.
  package var mathScriptScales: (script: Float, scriptScript: Float)? {
    guard hbFace.hasMathTable else { return nil }
    func scale(_ constant: hb_ot_math_constant_t) -> Float {
      Float(hbFont.mathConstant(constant)) / 100
    }
    let script = scale(HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN)
    let scriptScript = scale(HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN)
    // A face that says nothing has zeros.
    return script > 0 && scriptScript > 0 ? (script, scriptScript) : nil
  }

  /// The distance by which a slanted glyph reaches over its advance, in font units.
  package func italicCorrection(_ glyph: UInt16) -> Int32 {
    hbFace.hasMathTable ? unsafe hb_ot_math_get_glyph_italics_correction(hbFont.pointer, UInt32(glyph)) : 0
  }

  /// The place at which an accent is attached to a glyph, from its origin, in font units; nil for the middle of it.
  package func accentAttachment(_ glyph: UInt16) -> Int32? {
    hbFace.hasMathTable ? unsafe hb_ot_math_get_glyph_top_accent_attachment(hbFont.pointer, UInt32(glyph)) : nil
  }

  /// The cut-in kern at the upper or lower right corner of a glyph at a height, in font units.
  package func mathKern(_ glyph: UInt16, isUpper: Bool, height: Int32) -> Int32 {
    guard hbFace.hasMathTable else { return 0 }
    return unsafe hb_ot_math_get_glyph_kerning(
      hbFont.pointer, UInt32(glyph), isUpper ? HB_OT_MATH_KERN_TOP_RIGHT : HB_OT_MATH_KERN_BOTTOM_RIGHT, height)
  }

  /// The smallest form of a sign that is as long as asked for, or else one that is put together from parts; nil where the face
  /// has neither.
  ///
  /// - Parameter length: In font units.
  package func stretched(_ glyph: UInt16, to length: Float, isVertical: Bool) -> StretchedSign? {
    guard length.isFinite, length > 0, hbFace.hasMathTable else { return nil }
    let direction = isVertical ? HB_DIRECTION_BTT : HB_DIRECTION_LTR
    var variants = [hb_ot_math_glyph_variant_t](repeating: .init(), count: Self.mostParts)
    var count = UInt32(variants.count)
    unsafe hb_ot_math_get_glyph_variants(hbFont.pointer, UInt32(glyph), direction, 0, &count, &variants)
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
    unsafe hb_ot_math_get_glyph_assembly(hbFont.pointer, UInt32(glyph), direction, 0, &count, &parts, nil)
    parts = parts.prefix(Int(count)).filter { $0.glyph < 0x10000 && $0.full_advance > 0 }
    guard !parts.isEmpty else { return nil }
    let overlap = unsafe Swift.max(0, Float(hb_ot_math_get_min_connector_overlap(hbFont.pointer, direction)))
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
