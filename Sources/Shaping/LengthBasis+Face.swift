package import CSS
package import Fonts

extension LengthBasis {
  /// The units of a font whose first available face is known (CSS Values 4, section 6.1).
  package init(fontSize: Float, rootFontSize: Float, face: FontFace?) {
    self.init(fontSize: fontSize, rootFontSize: rootFontSize)
    guard let metrics = face?.metrics else { return }
    func measure(_ units: Int32, _ length: inout Float) {
      if units > 0 { length = metrics.scaled(units, size: fontSize) }
    }
    measure(metrics.xHeight, &xHeight)
    // A zero or ideograph without an advance is measured as such.
    zeroAdvance = metrics.scaled(metrics.zeroAdvance, size: fontSize)
    icAdvance = metrics.scaled(metrics.icAdvance, size: fontSize)
    measure(metrics.capHeight, &capHeight)
    measure(metrics.spaceAdvance, &spaceAdvance)
    lineHeight = metrics.scaled(metrics.ascent + metrics.descent + metrics.lineGap, size: fontSize)
  }

  /// The units of a list of faces: `ch` is that of the face that draws the zero. The face of `ic` would have to be
  /// looked for, and is that of the others.
  package init(fontSize: Float, rootFontSize: Float, cascade: FontCascade) {
    self.init(fontSize: fontSize, rootFontSize: rootFontSize, face: cascade.primary)
    let metrics = cascade.face(measuring: FontMetrics.zero).metrics
    zeroAdvance = metrics.scaled(metrics.zeroAdvance, size: fontSize)
  }
}
