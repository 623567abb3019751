package import CSS
package import Primitives

package enum FontRequestTag {}
package enum DecorationsTag {}
package enum EmphasisTag {}
package enum ShadowsTag {}
/// A `FontRequest` in an `AttributeTable`.
package typealias FontRequestID = Identifier<FontRequestTag>
package typealias LanguageID = Identifier<LanguageTag>

/// Fonts to shape with: the faces asked for, the size, the OpenType features.
package struct FontRequest: Hashable, Sendable {
  package var description: FontDescription
  /// Faces with an axis for the size are set to the size.
  package var usesOpticalSize: Bool
  package var size: FontSize
  package var sizeAdjust: FontSizeAdjust?
  package var caps: FontVariantCaps
  package var synthesizesSmallCaps: Bool
  /// The position that is to be made from ordinary glyphs where a face has none of its own.
  package var synthesizedPosition: FontVariantPosition
  package var emoji: FontVariantEmoji
  package var kerning: FontKerning
  /// Features of `font-variant-*` and `font-feature-settings`, in this order, later ones winning.
  package var features: [FontSetting]
  package init(
    description: FontDescription, usesOpticalSize: Bool = true, size: FontSize, sizeAdjust: FontSizeAdjust? = nil,
    caps: FontVariantCaps = .normal, synthesizesSmallCaps: Bool = true,
    synthesizedPosition: FontVariantPosition = .normal, emoji: FontVariantEmoji = .normal,
    kerning: FontKerning = .auto, features: [FontSetting] = []
  ) {
    self.description = description
    self.usesOpticalSize = usesOpticalSize
    self.size = size
    self.sizeAdjust = sizeAdjust
    self.caps = caps
    self.synthesizesSmallCaps = synthesizesSmallCaps
    self.synthesizedPosition = synthesizedPosition
    self.emoji = emoji
    self.kerning = kerning
    self.features = features
  }
}

/// The attributes that decide glyphs, advances and break opportunities. Runs that share them are shaped as one.
package struct ShapingAttributes: StableHashable, Hashable, Sendable {
  package var font = FontRequestID(0)
  package var language = LanguageID(0)
  package var letterSpacing = Length.zero
  package var wordSpacing = Length.zero
  package var wordBreak = WordBreak.normal
  package var overflowWrap = OverflowWrap.normal
  package var lineBreak = LineBreakStrictness.auto
  package var hyphens = Hyphens.manual
  package var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
  package var wrapMode = TextWrapMode.wrap
  package var textOrientation = TextOrientation.mixed
  package var textCombineUpright = TextCombineUpright.none
  package var autospace: TextAutospace = []
  package var spacingTrim = TextSpacingTrim.spaceAll
  package var hyphenateLimitChars = SIMD3<UInt8>(0, 0, 0)
  /// Index in `AttributeTable.hyphenCharacters`; 0 is `auto`.
  package var hyphenateCharacter: UInt16 = 0
  /// Tone marks of bopomofo stand beside its letters in vertical lines, not after them.
  package var setsTonesBeside = false
  /// The alphabet of formulas that letters have glyphs of where a face has them; the text has the letters themselves.
  package var mathAlphabet: MathAlphabet?

  package init() {}

  package func hash(into hasher: inout StableHasher) {
    hasher.combine(UInt64(font.rawValue) << 32 | UInt64(language.rawValue))
    if setsTonesBeside { hasher.combine(UInt64(1)) }
    if let mathAlphabet { hasher.combine(UInt64(mathAlphabet.rawValue) + 2) }
    hasher.combine(UInt64(letterSpacing.value.bitPattern) << 32 | UInt64(wordSpacing.value.bitPattern))
    var keywords = UInt64(letterSpacing.unit.rawValue)
    keywords = keywords << 8 | UInt64(wordSpacing.unit.rawValue)
    keywords = keywords << 8 | UInt64(wordBreak.rawValue)
    keywords = keywords << 8 | UInt64(overflowWrap.rawValue)
    keywords = keywords << 8 | UInt64(lineBreak.rawValue)
    keywords = keywords << 8 | UInt64(hyphens.rawValue)
    keywords = keywords << 8 | UInt64(whiteSpaceCollapse.rawValue)
    keywords = keywords << 8 | UInt64(wrapMode.rawValue)
    hasher.combine(keywords)
    keywords = UInt64(textOrientation.rawValue)
    keywords = keywords << 8 | UInt64(textCombineUpright.rawValue)
    keywords = keywords << 8 | UInt64(autospace.rawValue)
    keywords = keywords << 8 | UInt64(spacingTrim.rawValue)
    keywords = keywords << 8 | UInt64(hyphenateLimitChars.x)
    keywords = keywords << 8 | UInt64(hyphenateLimitChars.y)
    keywords = keywords << 8 | UInt64(hyphenateLimitChars.z)
    hasher.combine(keywords)
    hasher.combine(UInt64(hyphenateCharacter))
  }
}

/// One decorating line over a run (CSS Text Decoration 4, section 2).
package struct TextDecoration: Hashable, Sendable {
  package var line: TextDecorationLine
  package var style: TextDecorationStyle
  package var color: Color
  package var thickness: DecorationThickness
  package var underlineOffset: LengthPercentage?
  package var underlinePosition: UnderlinePosition
  /// The underline lies on the over side, the right one of vertical lines.
  package var isUnderlineOver = false
  /// The box that declares the decoration: its font and baseline place the line.
  package var box: BoxID
  package init(
    line: TextDecorationLine, style: TextDecorationStyle, color: Color, thickness: DecorationThickness,
    underlineOffset: LengthPercentage?, underlinePosition: UnderlinePosition,
    box: BoxID
  ) {
    self.line = line
    self.style = style
    self.color = color
    self.thickness = thickness
    self.underlineOffset = underlineOffset
    self.underlinePosition = underlinePosition
    self.box = box
  }
}

package struct Emphasis: Hashable, Sendable {
  package var mark: EmphasisMark
  package var color: Color
  package var position: EmphasisPosition
  package init(mark: EmphasisMark, color: Color, position: EmphasisPosition) {
    self.mark = mark
    self.color = color
    self.position = position
  }
}

/// The interned dictionary of attributes behind an `AttributeID`. Those beside `shaping` never split a shape.
package struct TextAttributes: StableHashable, Hashable, Sendable {
  package var shaping = ShapingAttributesID(0)
  package var color = Color.black
  /// Index in `AttributeTable.decorations`; 0 is none.
  package var decorations: UInt32 = 0
  /// Index in `AttributeTable.emphases`; 0 is none.
  package var emphasis: UInt32 = 0
  /// Index in `AttributeTable.shadows`; 0 is none.
  package var shadows: UInt32 = 0
  package var isVisible = true
  package init() {}

  package func hash(into hasher: inout StableHasher) {
    hasher.combine(UInt64(shaping.rawValue) << 32 | UInt64(color.rgba))
    hasher.combine(UInt64(decorations) << 32 | UInt64(emphasis))
    hasher.combine(UInt64(shadows) << 1 | (isVisible ? 1 : 0))
  }
}

/// The interned attributes of one chapter, in order of first use.
package struct AttributeTable: Sendable {
  package var attributes = Interner<TextAttributes, AttributesTag>()
  package var shaping = Interner<ShapingAttributes, ShapingAttributesTag>()
  package var fonts: [FontRequest] = []
  /// BCP 47 tags, lower-case; entry 0 is empty (unknown).
  package var languages: [String] = [""]
  package var hyphenCharacters: [String] = [""]
  package var decorations: [[TextDecoration]] = [[]]
  package var emphases: [Emphasis] = [Emphasis(mark: .none, color: .black, position: EmphasisPosition())]
  package var shadows: [[Shadow]] = [[]]
  package init() {}

  package subscript(id: AttributeID) -> TextAttributes { attributes[id] }
  package subscript(id: ShapingAttributesID) -> ShapingAttributes { shaping[id] }
  package subscript(id: FontRequestID) -> FontRequest { fonts[id.index] }
  package func language(_ id: LanguageID) -> String { languages[id.index] }
}
