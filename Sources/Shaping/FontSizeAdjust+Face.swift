package import CSS
package import Fonts

extension FontSizeAdjust {
  /// The factor of the font size for glyphs of a face; `primary` is the first available one.
  package func scale(of face: FontMetrics, primary: FontMetrics) -> Float {
    let own = share(of: face)
    let wanted = aspect ?? share(of: primary)
    guard own > 0, wanted.isFinite else { return 1 }
    return wanted / own
  }

  /// The measure of a face, as a share of the font size.
  private func share(of face: FontMetrics) -> Float {
    let units: Int32 =
      switch metric {
      case .exHeight: face.xHeight
      case .capHeight: face.capHeight
      case .chWidth: face.zeroAdvance
      case .icWidth: face.icAdvance
      // Ideographs are as high as the em.
      case .icHeight: face.unitsPerEm
      }
    return Float(units) / Float(Swift.max(1, face.unitsPerEm))
  }
}
