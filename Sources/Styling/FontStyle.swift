package import CSS
package import Primitives

/// Inherited: what chooses and sizes fonts (CSS Fonts 4).
package struct FontStyle: Hashable, Sendable {
  package var families: [FontFamily] = [.generic(.serif)]
  package var size = FontSize()
  package var mathDepth: Int16 = 0
  package var weight: UInt16 = 400
  package var slant = FontSlant.normal
  /// Degrees, where `slant` is oblique.
  package var obliqueAngle = FontDescription.defaultObliqueAngle
  package var stretch: Float = 100
  package var sizeAdjust: FontSizeAdjust? = nil
  package var caps = FontVariantCaps.normal
  package var position = FontVariantPosition.normal
  package var emoji = FontVariantEmoji.normal
  package var variants = FontVariants()
  package var alternates: [FontAlternate] = []
  package var kerning = FontKerning.auto
  package var features: [FontSetting] = []
  package var variations: [FontSetting] = []
  package var palette = FontPalette.normal
  package var synthesizesWeight = true
  package var synthesizesStyle = true
  package var synthesizesSmallCaps = true
  package var synthesizesPosition = true
  package var usesOpticalSize = true
  package var lineHeight = LineHeight.normal
  /// The line height stays whatever the reader asks for body text: in headings, code and the like that declare one.
  package var keepsLineHeight = false
  package init() {}

  /// The description that the font library is asked for.
  package var description: FontDescription {
    var description = FontDescription(
      families: families, weight: weight, slant: slant, obliqueAngle: obliqueAngle, stretch: stretch,
      synthesizesWeight: synthesizesWeight, synthesizesStyle: synthesizesStyle, variations: variations)
    description.palette = palette
    return description
  }
}

extension FontStyle {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: FontProperty, _ table: StyleTable) -> String {
    switch property {
    case .fontFamily: table.css(families, separator: ", ")
    case .mathDepth: String(mathDepth)
    case .fontSize: table.css(size)
    case .fontWeight: table.css(weight)
    case .fontStyle: slant == .oblique ? "oblique \(table.css(obliqueAngle))deg" : table.css(slant)
    case .fontStretch: table.css(stretch) + "%"
    case .fontSizeAdjust:
      sizeAdjust.map {
        ($0.metric == .exHeight ? "" : table.css($0.metric) + " ") + table.css($0.aspect, none: "from-font")
      } ?? "none"
    case .lineHeight: table.css(lineHeight)
    case .fontVariantCaps: table.css(caps)
    case .fontVariantPosition: table.css(position)
    case .fontVariantEmoji: table.css(emoji)
    case .fontVariantLigatures: table.css(variants, Self.ligatures, none: "normal")
    case .fontVariantNumeric: table.css(variants, Self.numerals, none: "normal")
    case .fontVariantEastAsian: table.css(variants, Self.eastAsian, none: "normal")
    case .fontVariantAlternates: table.css(alternates, none: "normal")
    case .fontKerning: table.css(kerning)
    case .fontFeatureSettings: table.css(features, separator: ", ", none: "normal")
    case .fontVariationSettings: table.css(variations, separator: ", ", none: "normal")
    case .fontPalette: table.css(palette)
    case .fontOpticalSizing: table.css(usesOpticalSize, "auto", "none")
    case .fontSynthesisWeight: table.css(synthesizesWeight, "auto", "none")
    case .fontSynthesisStyle: table.css(synthesizesStyle, "auto", "none")
    case .fontSynthesisSmallCaps: table.css(synthesizesSmallCaps, "auto", "none")
    case .fontSynthesisPosition: table.css(synthesizesPosition, "auto", "none")
    }
  }

  private static let ligatures: [(FontVariants, String)] = [
    (.commonLigatures, "common-ligatures"), (.noCommonLigatures, "no-common-ligatures"),
    (.discretionaryLigatures, "discretionary-ligatures"), (.noDiscretionaryLigatures, "no-discretionary-ligatures"),
    (.historicalLigatures, "historical-ligatures"), (.noHistoricalLigatures, "no-historical-ligatures"),
    (.contextual, "contextual"), (.noContextual, "no-contextual"),
  ]
  private static let numerals: [(FontVariants, String)] = [
    (.liningNums, "lining-nums"), (.oldstyleNums, "oldstyle-nums"), (.proportionalNums, "proportional-nums"),
    (.tabularNums, "tabular-nums"), (.diagonalFractions, "diagonal-fractions"),
    (.stackedFractions, "stacked-fractions"), (.ordinal, "ordinal"), (.slashedZero, "slashed-zero"),
  ]
  private static let eastAsian: [(FontVariants, String)] = [
    (.jis78, "jis78"), (.jis83, "jis83"), (.jis90, "jis90"), (.jis04, "jis04"), (.simplified, "simplified"),
    (.traditional, "traditional"), (.fullWidth, "full-width"), (.proportionalWidth, "proportional-width"),
    (.ruby, "ruby"),
  ]
}
