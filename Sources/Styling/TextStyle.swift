package import CSS
package import Primitives

/// Inherited: properties of text runs (CSS Text 3, CSS Text Decoration 3, CSS Writing Modes 4).
package struct TextStyle: Hashable, Sendable {
  package var color = Color.black
  package var letterSpacing = SpacingValue.normal
  package var wordSpacing = SpacingValue.normal
  package var transform = TextTransform()
  package var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
  package var wrapMode = TextWrapMode.wrap
  package var wordBreak = WordBreak.normal
  package var overflowWrap = OverflowWrap.normal
  package var lineBreak = LineBreakStrictness.auto
  package var hyphens = Hyphens.manual
  /// nil is `auto`.
  package var hyphenateCharacter: String? = nil
  /// Least letters of a word, before and after the hyphen; 0 is `auto`.
  package var hyphenateLimitChars = SIMD3<UInt8>(0, 0, 0)
  package var emphasisMark = EmphasisMark.none
  package var emphasisColor = ColorValue.currentColor
  package var emphasisPosition = EmphasisPosition()
  /// What letters are filled with.
  package var fillColor = ColorValue.currentColor
  package var shadows: [Shadow] = []
  package var visibility = Visibility.visible
  package var textOrientation = TextOrientation.mixed
  package var textCombineUpright = TextCombineUpright.none
  package var underlinePosition = UnderlinePosition()
  package var underlineOffset: LengthPercentage? = nil
  package var decorationSkipInk = TextDecorationSkipInk.auto
  package var rubyPosition = RubyPosition.over
  package var rubyAlign = RubyAlign.spaceAround
  package var rubyMerge = RubyMerge.separate
  package var rubyOverhang = RubyOverhang.auto
  /// BCP 47 tag from `lang` or `xml:lang`, lower-case; empty when unknown.
  package var language = ""
  package var autospace = TextAutospace()
  package var spacingTrim = TextSpacingTrim.normal
  package var mathStyle = MathStyle.normal
  package var mathShift = MathShift.normal
  package init() {}
}

extension TextStyle {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: TextProperty, _ table: StyleTable) -> String {
    switch property {
    case .color: table.css(color)
    case .letterSpacing: table.css(letterSpacing)
    case .wordSpacing: table.css(wordSpacing)
    case .textTransform:
      transform.alphabet.map { $0 == .italic ? "math-auto" : "-internal-\($0.name)" }
        ?? table.css(transform.letterCase) + (transform.fullWidth ? " full-width" : "")
        + (transform.fullSizeKana ? " full-size-kana" : "")
    case .whiteSpaceCollapse: table.css(whiteSpaceCollapse)
    case .textWrapMode: table.css(wrapMode)
    case .wordBreak: table.css(wordBreak)
    case .overflowWrap: table.css(overflowWrap)
    case .lineBreak: table.css(lineBreak)
    case .hyphens: table.css(hyphens)
    case .hyphenateCharacter: hyphenateCharacter.map { quoted($0) } ?? "auto"
    case .hyphenateLimitChars:
      (0..<3).map { hyphenateLimitChars[$0] == 0 ? "auto" : String(hyphenateLimitChars[$0]) }.joined(separator: " ")
    case .textEmphasisStyle: table.css(emphasisMark)
    case .textEmphasisColor: table.css(emphasisColor)
    case .textFillColor: table.css(fillColor)
    case .textEmphasisPosition:
      table.css(emphasisPosition.isUnder, "under", "over") + table.css(emphasisPosition.isLeft, " left", " right")
    case .textShadow: table.css(shadows, separator: ", ")
    case .visibility: table.css(visibility)
    case .textOrientation: table.css(textOrientation)
    case .textCombineUpright: table.css(textCombineUpright)
    case .textUnderlinePosition:
      table.css(
        underlinePosition, [(.fromFont, "from-font"), (.under, "under"), (.left, "left"), (.right, "right")],
        none: "auto")
    case .textUnderlineOffset: table.css(underlineOffset, none: "auto")
    case .textDecorationSkipInk: table.css(decorationSkipInk)
    case .rubyPosition: table.css(rubyPosition)
    case .rubyAlign: table.css(rubyAlign)
    case .rubyMerge: table.css(rubyMerge)
    case .rubyOverhang: table.css(rubyOverhang)
    case .textAutospace:
      table.css(
        autospace,
        [
          (.ideographAlpha, "ideograph-alpha"), (.ideographNumeric, "ideograph-numeric"),
          (.punctuation, "punctuation"), (.replace, "replace"), (.quarter, "-internal-quarter"),
        ], none: "no-autospace")
    case .textSpacingTrim: table.css(spacingTrim)
    case .mathStyle: table.css(mathStyle)
    case .mathShift: table.css(mathShift)
    case .xLanguage: quoted(language)
    }
  }
}
