/// Inherited: what chooses and sizes fonts.
package enum FontProperty: UInt8, CaseIterable, Hashable, Sendable {
  case fontFamily, mathDepth, fontSize, fontWeight, fontStyle, fontStretch, fontSizeAdjust, lineHeight
  case fontVariantCaps, fontVariantPosition, fontVariantEmoji, fontVariantLigatures, fontVariantNumeric
  case fontVariantEastAsian, fontVariantAlternates, fontKerning, fontFeatureSettings, fontVariationSettings
  case fontPalette, fontOpticalSizing, fontSynthesisWeight, fontSynthesisStyle, fontSynthesisSmallCaps
  case fontSynthesisPosition

  package var row: PropertyRow {
    switch self {
    case .fontFamily:
      PropertyRow(
        "font-family", "[ <family-name> | <generic-family> ]#", initial: "serif", sample: "Sample, monospace",
        "CSS Fonts 4, 2.1"
      ) { parser in parser.fontFamilies().map { .families($0) } }
    case .mathDepth:
      PropertyRow(
        "math-depth", "auto-add | add( <integer> ) | <integer>", initial: "0", sample: "add(2)", "MathML Core, 4.5"
      ) { $0.mathDepth() }
    case .fontSize:
      PropertyRow(
        "font-size", "<absolute-size> | larger | smaller | <length-percentage [0,∞]> | math", initial: "medium",
        sample: "20px", "CSS Fonts 4, 2.5"
      ) { parser in parser.fontSize([.percent, .nonNegative, .quirky]).map { .fontSize($0) } }
    case .fontWeight:
      PropertyRow(
        "font-weight", "normal | bold | <number [1,1000]> | bolder | lighter", initial: "normal", sample: "700",
        "CSS Fonts 4, 2.2"
      ) { parser in parser.fontWeight().map { .fontWeight($0) } }
    case .fontStyle:
      PropertyRow(
        "font-style", "normal | italic | oblique <angle [-90deg,90deg]>?", initial: "normal", sample: "oblique 20deg",
        "CSS Fonts 4, 2.4"
      ) { $0.fontStyle() }
    case .fontStretch:
      PropertyRow(
        "font-stretch",
        """
        normal | <percentage [0,∞]> | ultra-condensed | extra-condensed | condensed | semi-condensed | semi-expanded | \
        expanded | extra-expanded | ultra-expanded
        """, initial: "normal", sample: "condensed", "CSS Fonts 4, 2.3", aliases: ["font-width"]
      ) { $0.fontStretch() }
    case .fontSizeAdjust:
      PropertyRow(
        "font-size-adjust",
        "none | [ ex-height | cap-height | ch-width | ic-width | ic-height ]? [ from-font | <number [0,∞]> ]",
        initial: "none", sample: "cap-height 0.5", "CSS Fonts 5, 2.1"
      ) { $0.fontSizeAdjust() }
    case .lineHeight:
      PropertyRow(
        "line-height", "normal | <number [0,∞]> | <length-percentage [0,∞]>", initial: "normal", sample: "1.5",
        "CSS Inline 3, 4.1"
      ) { parser in parser.lineHeight().map { .lineHeight($0) } }
    case .fontVariantCaps:
      PropertyRow(
        "font-variant-caps",
        "normal | small-caps | all-small-caps | petite-caps | all-petite-caps | unicase | titling-caps",
        initial: "normal", sample: "small-caps", "CSS Fonts 4, 6.6"
      ) { $0.keyword(FontVariantCaps.self) }
    case .fontVariantPosition:
      PropertyRow(
        "font-variant-position", "normal | sub | super", initial: "normal", sample: "super", "CSS Fonts 4, 6.5"
      ) { $0.keyword(FontVariantPosition.self) }
    case .fontVariantEmoji:
      PropertyRow(
        "font-variant-emoji", "normal | text | emoji | unicode", initial: "normal", sample: "emoji", "CSS Fonts 4, 6.11"
      ) { $0.keyword(FontVariantEmoji.self) }
    case .fontVariantLigatures:
      PropertyRow(
        "font-variant-ligatures",
        """
        normal | none | [ [ common-ligatures | no-common-ligatures ] || [ discretionary-ligatures | \
        no-discretionary-ligatures ] || [ historical-ligatures | no-historical-ligatures ] || [ contextual | \
        no-contextual ] ]
        """, initial: "normal", sample: "no-common-ligatures historical-ligatures", "CSS Fonts 4, 6.4"
      ) { parser in
        if parser.keyword("normal") { return .flags(0) }
        if parser.keyword("none") { return .flags(FontVariants.noLigatures.rawValue) }
        return parser.variants(ligatureVariants)
      }
    case .fontVariantNumeric:
      PropertyRow(
        "font-variant-numeric",
        """
        normal | [ [ lining-nums | oldstyle-nums ] || [ proportional-nums | tabular-nums ] || \
        [ diagonal-fractions | stacked-fractions ] || ordinal || slashed-zero ]
        """, initial: "normal", sample: "oldstyle-nums tabular-nums", "CSS Fonts 4, 6.7"
      ) { parser in parser.keyword("normal") ? .flags(0) : parser.variants(numericVariants) }
    case .fontVariantEastAsian:
      PropertyRow(
        "font-variant-east-asian",
        """
        normal | [ [ jis78 | jis83 | jis90 | jis04 | simplified | traditional ] || [ full-width | \
        proportional-width ] || ruby ]
        """, initial: "normal", sample: "jis78 ruby", "CSS Fonts 4, 6.10"
      ) { parser in parser.keyword("normal") ? .flags(0) : parser.variants(eastAsianVariants) }
    case .fontVariantAlternates:
      PropertyRow(
        "font-variant-alternates",
        """
        normal | [ historical-forms || stylistic(<ident>) || styleset(<ident>#) || character-variant(<ident>#) || \
        swash(<ident>) || ornaments(<ident>) || annotation(<ident>) ]
        """, initial: "normal", sample: "historical-forms", "CSS Fonts 4, 6.8"
      ) { $0.fontAlternates() }
    case .fontKerning:
      PropertyRow("font-kerning", "auto | normal | none", initial: "auto", sample: "none", "CSS Fonts 4, 6.3") {
        $0.keyword(FontKerning.self)
      }
    case .fontFeatureSettings:
      PropertyRow(
        "font-feature-settings", "normal | [ <string> [ on | off | <integer [0,∞]> ]? ]#", initial: "normal",
        sample: "'smcp' 2", "CSS Fonts 4, 6.12", aliases: ["font-feature-setting"]
      ) { parser in parser.fontSettings(isFeature: true).map { .settings($0) } }
    case .fontVariationSettings:
      PropertyRow(
        "font-variation-settings", "normal | [ <string> <number> ]#", initial: "normal", sample: "'wght' 320",
        "CSS Fonts 4, 7.2"
      ) { parser in parser.fontSettings(isFeature: false).map { .settings($0) } }
    case .fontPalette:
      PropertyRow(
        "font-palette", "normal | light | dark | <dashed-ident>", initial: "normal", sample: "--sample",
        "CSS Fonts 4, 9.1"
      ) { $0.fontPalette() }
    case .fontOpticalSizing:
      PropertyRow("font-optical-sizing", "auto | none", initial: "auto", sample: "none", "CSS Fonts 4, 7.1") {
        $0.autoOrNone()
      }
    case .fontSynthesisWeight:
      PropertyRow("font-synthesis-weight", "auto | none", initial: "auto", sample: "none", "CSS Fonts 4, 2.8.1") {
        $0.autoOrNone()
      }
    case .fontSynthesisStyle:
      PropertyRow("font-synthesis-style", "auto | none", initial: "auto", sample: "none", "CSS Fonts 4, 2.8.2") {
        $0.autoOrNone()
      }
    case .fontSynthesisSmallCaps:
      PropertyRow("font-synthesis-small-caps", "auto | none", initial: "auto", sample: "none", "CSS Fonts 4, 2.8.3") {
        $0.autoOrNone()
      }
    case .fontSynthesisPosition:
      PropertyRow("font-synthesis-position", "auto | none", initial: "auto", sample: "none", "CSS Fonts 4, 2.8.4") {
        $0.autoOrNone()
      }
    }
  }
}
