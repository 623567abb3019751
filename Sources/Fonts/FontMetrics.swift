import CHarfBuzz
import Primitives

/// The measures of a face in font units; descent and other depths are positive downwards.
package struct FontMetrics: Hashable, Sendable {
  /// Units of an em of the font size.
  package var unitsPerEm: Int32 = 1000
  /// hhea, or OS/2 typo when the face sets USE_TYPO_METRICS.
  package var ascent: Int32 = 0
  package var descent: Int32 = 0
  package var lineGap: Int32 = 0
  /// The top of the em box above the baseline: the typographic ascent and descent, scaled to an em together (CSS Inline 3, appendix A).
  package var emAscent: Int32 = 880
  package var xHeight: Int32 = 0
  package var capHeight: Int32 = 0
  /// The top of the underline, positive below the baseline.
  package var underlinePosition: Int32 = 0
  package var underlineThickness: Int32 = 0
  /// The top of the strike-out line above the baseline.
  package var strikeoutPosition: Int32 = 0
  package var strikeoutThickness: Int32 = 0
  /// The advance of `0`, the `ch` unit.
  package var zeroAdvance: Int32 = 0
  /// The advance of 水 (U+6C34), the `ic` unit; the em when the face has none.
  package var icAdvance: Int32 = 0
  package var spaceAdvance: Int32 = 0
  /// The offset of subscripts and of superscripts, and the share of the size they take (OS/2).
  package var subscriptOffset: Int32 = 0
  package var subscriptSize: Int32 = 0
  package var superscriptOffset: Int32 = 0
  package var superscriptSize: Int32 = 0
  /// vhea: from the vertical centre line to the right and left edge of the em box. Half the em without vhea.
  package var verticalAscent: Int32 = 0
  package var verticalDescent: Int32 = 0
  /// The face has tables `vhea` and `vmtx`.
  package var hasVerticalMetrics = false

  /// The characters whose advances are the units `ch` and `ic` (CSS Values 4, section 6.1.1).
  package static let zero: UInt32 = 0x30
  package static let ideograph: UInt32 = 0x6C34

  package init() {}

  /// A measure in CSS px at a font size.
  @inlinable package func scaled(_ units: Int32, size: Float) -> Float { Float(units) * size / Float(unitsPerEm) }
}

extension FontMetrics {
  /// Reads the measures through a font whose scale is its units per em.
  init(font: HarfBuzzFont, face: HarfBuzzFace, unitsPerEm: Int32) {
    self.unitsPerEm = unitsPerEm
    let em = unitsPerEm
    func advance(_ scalar: UInt32) -> Int32? { font.glyph(scalar).map(font.advance) }
    func top(_ scalar: UInt32) -> Int32? {
      guard let extents = font.glyph(scalar).flatMap(font.extents), extents.y_bearing > 0 else { return nil }
      return extents.y_bearing
    }
    /// A measure no larger than four ems: lying tables must not move lines out of the world.
    func sane(_ value: Int32) -> Int32 { Swift.max(-4 * em, Swift.min(4 * em, value)) }

    let vertical = Self.lineMetrics(face)
    ascent = sane(vertical.ascent)
    descent = sane(vertical.descent)
    lineGap = Swift.max(0, sane(vertical.lineGap))
    if ascent + descent <= 0 {
      ascent = em * 4 / 5
      descent = em / 5
    }
    emAscent = Self.emAscent(face, ascent: ascent, descent: descent, em: em)
    // MVAR: what the axes of a variable face add (zero for others).
    ascent += sane(font.variation(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER))
    descent -= sane(font.variation(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER))

    let x = font.metric(HB_OT_METRICS_TAG_X_HEIGHT)
    xHeight = sane(x.flatMap { $0 > 0 ? $0 : nil } ?? top(0x78) ?? em / 2)
    let cap = font.metric(HB_OT_METRICS_TAG_CAP_HEIGHT)
    capHeight = sane(cap.flatMap { $0 > 0 ? $0 : nil } ?? top(0x48) ?? ascent)
    underlineThickness = sane(font.metric(HB_OT_METRICS_TAG_UNDERLINE_SIZE) ?? 0)
    if underlineThickness <= 0 { underlineThickness = Swift.max(1, em / 18) }
    let position = font.metric(HB_OT_METRICS_TAG_UNDERLINE_OFFSET) ?? 0
    // The post table gives the top of the line, negative below the baseline.
    underlinePosition = sane(position < 0 ? -position : em / 10)
    strikeoutThickness = sane(font.metric(HB_OT_METRICS_TAG_STRIKEOUT_SIZE) ?? 0)
    if strikeoutThickness <= 0 { strikeoutThickness = underlineThickness }
    strikeoutPosition = sane(font.metric(HB_OT_METRICS_TAG_STRIKEOUT_OFFSET) ?? 0)
    if strikeoutPosition <= 0 { strikeoutPosition = xHeight / 2 + strikeoutThickness / 2 }
    zeroAdvance = advance(Self.zero) ?? em / 2
    icAdvance = advance(Self.ideograph) ?? em
    spaceAdvance = advance(0x20) ?? em / 4
    subscriptOffset = sane(font.metric(HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_OFFSET) ?? 0)
    subscriptSize = sane(font.metric(HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_SIZE) ?? 0)
    superscriptOffset = sane(font.metric(HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_OFFSET) ?? 0)
    superscriptSize = sane(font.metric(HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_SIZE) ?? 0)
    hasVerticalMetrics = face.table("vhea").count >= 36 && face.table("vmtx").count > 0
    verticalAscent = em / 2
    verticalDescent = em - em / 2
    if hasVerticalMetrics {
      let up = font.metric(HB_OT_METRICS_TAG_VERTICAL_ASCENDER) ?? 0
      let down = font.metric(HB_OT_METRICS_TAG_VERTICAL_DESCENDER) ?? 0
      if up > 0 || down < 0 {
        verticalAscent = sane(up)
        verticalDescent = sane(-down)
      }
    }
  }

  /// With what an `@font-face` rule changes. `size-adjust` makes the em smaller by which the measures are divided.
  func adjusted(by adjustments: FontAdjustments) -> FontMetrics {
    var result = self
    func units(_ share: Float) -> Int32 { Int32((share * Float(unitsPerEm)).rounded()) }
    if let ascent = adjustments.ascent { result.ascent = units(ascent) }
    if let descent = adjustments.descent { result.descent = units(descent) }
    if let lineGap = adjustments.lineGap { result.lineGap = units(lineGap) }
    if adjustments.size != 1 {
      result.unitsPerEm = Swift.max(1, Int32(Float(unitsPerEm) / Swift.max(0.001, adjustments.size)))
    }
    return result
  }

  /// hhea, unless OS/2 says USE_TYPO_METRICS or hhea is empty: what browsers on FreeType take.
  private static func lineMetrics(_ face: HarfBuzzFace) -> (ascent: Int32, descent: Int32, lineGap: Int32) {
    let header = face.table("hhea")
    let hhea = header.count >= 36 ? (header.signedHalf(4), -header.signedHalf(6), header.signedHalf(8)) : (0, 0, 0)
    let os2 = face.table("OS/2")
    let typo = (os2.signedHalf(68), -os2.signedHalf(70), os2.signedHalf(72))
    let hasOS2 = os2.count >= 78
    if hasOS2, os2.half(62) & 0x80 != 0, typo.0 != 0 || typo.1 != 0 { return typo }
    if hhea.0 != 0 || hhea.1 != 0 { return hhea }
    guard hasOS2 else { return (0, 0, 0) }
    return typo.0 != 0 || typo.1 != 0 ? typo : (Int32(os2.half(74)), Int32(os2.half(76)), 0)
  }

  /// The ascent of the em box by the typographic metrics of OS/2, or by line metrics where it has none.
  private static func emAscent(_ face: HarfBuzzFace, ascent: Int32, descent: Int32, em: Int32) -> Int32 {
    let os2 = face.table("OS/2")
    let hasTypo = os2.count >= 78 && os2.signedHalf(68) > 0 && os2.signedHalf(70) <= 0
    let (up, down) = hasTypo ? (os2.signedHalf(68), -os2.signedHalf(70)) : (Swift.max(1, ascent), Swift.max(0, descent))
    return Int32(Int64(up) * Int64(em) / Int64(up + down))
  }
}
