/// The units that depend on a font, in CSS px (CSS Values 4, section 6.1).
package struct LengthBasis: Sendable {
  package var fontSize: Float
  package var rootFontSize: Float
  package var xHeight: Float
  package var zeroAdvance: Float
  package var icAdvance: Float
  package var capHeight: Float
  package var lineHeight: Float
  /// Not a unit of its own: what percentages of `letter-spacing` and `word-spacing` refer to (CSS Text 4, section 8.1).
  package var spaceAdvance: Float

  /// The basis of a font of which nothing is known but its size.
  package init(fontSize: Float, rootFontSize: Float) {
    self.fontSize = fontSize
    self.rootFontSize = rootFontSize
    xHeight = fontSize / 2
    zeroAdvance = fontSize / 2
    icAdvance = fontSize
    capHeight = fontSize * 0.7
    lineHeight = fontSize * 1.2
    spaceAdvance = fontSize / 4
  }

  /// CSS px of a length; nil for percentages and units of the page.
  package func pixels(_ length: Length) -> Float? {
    let value = length.value
    switch length.unit {
    case .px: return value
    case .em: return value * fontSize
    case .rem: return value * rootFontSize
    case .ex: return value * xHeight
    case .ch: return value * zeroAdvance
    case .ic: return value * icAdvance
    case .cap: return value * capHeight
    case .lh: return value * lineHeight
    case .rex, .rch: return value * rootFontSize / 2
    case .rlh: return value * rootFontSize * 1.2
    case .vw, .vh, .vi, .vb, .vmin, .vmax, .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax, .percent, .function: return nil
    }
  }

  /// CSS px of `letter-spacing` or `word-spacing`; nil for units of the page.
  package func spacing(_ length: Length) -> Float? {
    length.unit == .percent ? length.value * spaceAdvance / 100 : pixels(length)
  }
}
