package import CSS
package import Primitives

package enum FontStyleTag {}
package enum TextStyleTag {}
package enum ParagraphStyleTag {}
package enum ListStyleTag {}
package enum BoxStyleTag {}
package enum BorderStyleTag {}
package enum BackgroundStyleTag {}
package enum PageStyleTag {}

/// The computed style of one element or pseudo-element: eight ids of interned groups, compared as integers.
///
/// The first four groups hold inherited properties and are shared with the parent until a declaration changes them.
package struct ComputedStyle: Hashable, Sendable {
  package var font: Identifier<FontStyleTag>
  package var text: Identifier<TextStyleTag>
  package var paragraph: Identifier<ParagraphStyleTag>
  package var list: Identifier<ListStyleTag>
  package var box: Identifier<BoxStyleTag>
  package var border: Identifier<BorderStyleTag>
  package var background: Identifier<BackgroundStyleTag>
  package var page: Identifier<PageStyleTag>

  package init(
    font: Identifier<FontStyleTag>, text: Identifier<TextStyleTag>, paragraph: Identifier<ParagraphStyleTag>,
    list: Identifier<ListStyleTag>,
    box: Identifier<BoxStyleTag>, border: Identifier<BorderStyleTag>, background: Identifier<BackgroundStyleTag>,
    page: Identifier<PageStyleTag>
  ) {
    self.font = font
    self.text = text
    self.paragraph = paragraph
    self.list = list
    self.box = box
    self.border = border
    self.background = background
    self.page = page
  }
  /// The initial value of every property: group 0 of every table.
  package static let initial = ComputedStyle(
    font: .init(0), text: .init(0), paragraph: .init(0), list: .init(0), box: .init(0), border: .init(0),
    background: .init(0), page: .init(0))

  /// The style of an anonymous box inside this one: inherited groups kept, the others initial (CSS 2.2, section 9.2.1.1).
  package var anonymousChild: ComputedStyle {
    var style = self
    style.box = .init(0)
    style.border = .init(0)
    style.background = .init(0)
    style.page = .init(0)
    return style
  }
}

/// Inherited: what chooses and sizes fonts (CSS Fonts 4).
package struct FontStyle: Hashable, Sendable {
  package var families: [FontFamily] = [.generic(.serif)]
  package var size = FontSize()
  package var weight: UInt16 = 400
  package var slant = FontSlant.normal
  /// Degrees, where `slant` is oblique.
  package var obliqueAngle = FontDescription.defaultObliqueAngle
  package var stretch: Float = 100
  package var sizeAdjust: Float? = nil
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
  /// Whether `lineHeight` stays whatever the reader asks for body text: in headings, code and the like that declare one.
  package var keepsLineHeight = false
  package init() {}

  /// What to ask the font library for.
  package var description: FontDescription {
    var description = FontDescription(
      families: families, weight: weight, slant: slant, obliqueAngle: obliqueAngle, stretch: stretch,
      synthesizesWeight: synthesizesWeight, synthesizesStyle: synthesizesStyle, variations: variations)
    description.palette = palette
    return description
  }
}

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
  /// BCP 47 tag from `lang` or `xml:lang`, lower-case; empty when unknown.
  package var language = ""
  package var autospace = TextAutospace()
  package var spacingTrim = TextSpacingTrim.normal
  package init() {}
}

/// Who said what the indent is: the house style gives way to all others, be it said of an ancestor.
package enum IndentOrigin: UInt8, Hashable, Sendable { case initial, house, declared }

/// Inherited: properties of blocks of text.
package struct ParagraphStyle: Hashable, Sendable {
  package var align = TextAlign.start
  package var alignLast = TextAlignLast.auto
  package var justify = TextJustify.auto
  package var indent = LengthPercentage.zero
  package var indentHanging = false
  package var indentEachLine = false
  package var indentOrigin = IndentOrigin.initial
  package var direction = TextDirection.ltr
  package var writingMode = WritingMode.horizontalTB
  package var orphans: Int32 = 2
  package var widows: Int32 = 2
  package var wrapStyle = TextWrapStyle.auto
  package var hangingPunctuation = HangingPunctuation()
  /// In spaces when `isLength` is false (CSS Text 3, section 4.2).
  package var tabSize = Length(8, .em)
  package var tabSizeIsNumber = true
  package var hyphenateLimitLines: Int32 = .max
  package var hyphenateLimitLast = HyphenateLimitLast.auto
  package var hyphenateLimitZone = LengthPercentage.zero
  package var conventions = TypographicConventions.none
  package init() {}
}

/// Inherited: lists, quotes and tables.
package struct ListStyle: Hashable, Sendable {
  package var type = ListStyleType.named("disc")
  package var position = ListStylePosition.outside
  package var image = ImageValue.none
  package var quotes = Quotes.auto
  package var borderCollapse = BorderCollapse.separate
  package var borderSpacingX = Length.zero
  package var borderSpacingY = Length.zero
  package var captionSide = CaptionSide.top
  package var emptyCells = EmptyCells.show
  package init() {}
}

/// Not inherited: the box and its place (CSS 2.2, sections 8 to 11; CSS Flexbox, Multi-column, Transforms).
package struct BoxStyle: Hashable, Sendable {
  package var display = Display.inline
  /// The display before blockification of floats, positioned boxes and flex items.
  package var originalDisplay = Display.inline
  package var position = Position.static
  package var float = FloatValue.none
  package var clear = Clear.none
  package var boxSizing = BoxSizing.contentBox
  package var width = SizeValue.auto
  package var height = SizeValue.auto
  package var minWidth = SizeValue.auto
  package var minHeight = SizeValue.auto
  package var maxWidth = SizeValue.none
  package var maxHeight = SizeValue.none
  package var margin = Sides<MarginValue>(all: .zero)
  package var padding = Sides<LengthPercentage>(all: .zero)
  package var inset = Sides<MarginValue>(all: .auto)
  package var overflowX = Overflow.visible
  package var overflowY = Overflow.visible
  /// `clip: rect()` edges, nil for `auto` edges; nil when there is no clip.
  package var clip: Sides<Length?>? = nil
  package var verticalAlign = VerticalAlign.baseline
  package var unicodeBidi = UnicodeBidi.normal
  /// nil is `auto`.
  package var zIndex: Int32? = nil
  package var tableLayout = TableLayoutMode.auto
  package var content = ContentValue.normal
  package var counterReset: [CounterOperation] = []
  package var counterIncrement: [CounterOperation] = []
  package var counterSet: [CounterOperation] = []
  package var objectFit = ObjectFit.fill
  package var objectPosition = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  /// Width over height; nil is `auto`.
  package var aspectRatio: Float? = nil
  package var opacity: Float = 1
  package var filter: [FilterFunction] = []
  package var blendMode = MixBlendMode.normal
  package var isIsolated = false
  /// nil is `none`.
  package var clipPath: ClipPath? = nil
  /// `translate`, `rotate` and `scale` followed by `transform` once the style is finished (CSS Transforms 2, section 6).
  package var transform: [TransformFunction] = []
  package var translate: TransformFunction? = nil
  package var rotate: TransformFunction? = nil
  package var scale: TransformFunction? = nil
  package var transformOrigin = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  package var columnCount: Int32? = nil
  package var columnWidth: Length? = nil
  package var columnGap = SpacingValue.normal
  package var rowGap = SpacingValue.normal
  package var columnFill = ColumnFill.balance
  package var columnSpan = ColumnSpan.none
  package var flexDirection = FlexDirection.row
  package var flexWrap = FlexWrap.nowrap
  package var flexGrow: Float = 0
  package var flexShrink: Float = 1
  package var flexBasis = SizeValue.auto
  package var order: Int32 = 0
  package var justifyContent = AlignmentValue.normal
  package var alignItems = AlignmentValue.normal
  package var alignSelf = AlignmentValue.auto
  package var alignContent = AlignmentValue.normal
  package var justifyItems = AlignmentValue.normal
  package var justifySelf = AlignmentValue.auto
  /// nil where no property of CSS Grid is set.
  package var grid: GridStyle? = nil
  /// Not inherited but propagated to inline descendants by box generation (CSS Text Decoration 3, section 2.1).
  package var decorationLine = TextDecorationLine()
  package var decorationStyle = TextDecorationStyle.solid
  package var decorationColor = ColorValue.currentColor
  package var decorationThickness = DecorationThickness.auto
  /// Lines and cap height of `initial-letter`; 0 is `normal`.
  package var initialLetterSize: Float = 0
  package var initialLetterSink: Int32 = 0
  package init() {}
}

/// Not inherited: borders, outline and shadows (CSS Backgrounds 3).
package struct BorderGroup: Hashable, Sendable {
  /// Used only where the style is neither `none` nor `hidden`; `thin`, `medium`, `thick` are 1, 3 and 5 px.
  package var width = Sides<Length>(all: Length(3, .px))
  package var style = Sides<BorderStyle>(all: .none)
  package var color = Sides<ColorValue>(all: .currentColor)
  /// Horizontal and vertical radius of each corner: top left, top right, bottom right, bottom left.
  package var radiusX = [LengthPercentage](repeating: .zero, count: 4)
  package var radiusY = [LengthPercentage](repeating: .zero, count: 4)
  package var outlineWidth = Length(3, .px)
  package var outlineStyle = BorderStyle.none
  package var outlineColor = ColorValue.currentColor
  package var outlineOffset = Length.zero
  package var shadows: [Shadow] = []
  /// nil when no property of `border-image` was set.
  package var image: BorderImage? = nil
  package var columnRuleWidth = Length(3, .px)
  package var columnRuleStyle = BorderStyle.none
  package var columnRuleColor = ColorValue.currentColor
  package init() {}
}

/// Not inherited: the background (CSS Backgrounds 3, section 3).
package struct BackgroundGroup: Hashable, Sendable {
  package var color = ColorValue.color(.transparent)
  /// Top layer first; empty when there is no image.
  package var layers: [BackgroundLayer] = []
  package init() {}
}

/// Not inherited: breaking and paging (CSS Fragmentation 3, CSS Paged Media 3).
package struct PageGroup: Hashable, Sendable {
  package var breakBefore = BreakBetween.auto
  package var breakAfter = BreakBetween.auto
  package var breakInside = BreakInside.auto
  package var decorationBreak = BoxDecorationBreak.slice
  /// The named page, empty for `auto`.
  package var page = ""
  /// `string-set`, empty for `none`.
  package var stringSet: [NamedString] = []
  package var footnotePolicy = FootnotePolicy.auto
  package var footnoteDisplay = FootnoteDisplay.block
  package init() {}
}
