// The keyword values of properties, each under its property's name. The specification is named beside those outside CSS 2.2.
//
// Those that are compared for every line or box are public: nothing less is compared without a call.

@frozen public enum Position: UInt8, Hashable, Sendable { case `static`, relative, absolute, fixed, sticky }
@frozen public enum FloatValue: UInt8, Hashable, Sendable {
  case none, left, right, inlineStart, inlineEnd, footnote
  /// To an edge of the page (CSS Page Floats 3, section 4).
  case top, bottom, snapBlock
}
/// `snap-block()` (CSS Page Floats 3, section 4): the edges that a float goes to, and from how far away.
package struct SnapBlock: Hashable, Sendable {
  package enum Edge: UInt8, Hashable, Sendable { case near, start, end }
  package var distance = Length(2, .em)
  package var edge = Edge.near
  package init() {}
}
/// CSS Page Floats 3, section 3.
package enum FloatReference: UInt8, Hashable, Sendable { case inline, column, page }
/// CSS GCPM 3, section 2.7.
package enum FootnotePolicy: UInt8, Hashable, Sendable { case auto, line, block }
/// CSS GCPM 3, section 2.5.
package enum BookmarkState: UInt8, Hashable, Sendable { case open, closed }
package enum FootnoteDisplay: UInt8, Hashable, Sendable { case block, inline, compact }
@frozen public enum Clear: UInt8, Hashable, Sendable { case none, left, right, both, inlineStart, inlineEnd }
package enum BoxSizing: UInt8, Hashable, Sendable { case contentBox, borderBox }
@frozen public enum Overflow: UInt8, Hashable, Sendable { case visible, hidden, clip, scroll, auto }
extension Overflow {
  /// Content can be scrolled to, by the reader or by program.
  package var isScrollable: Bool { self == .hidden || self == .scroll || self == .auto }
}
package enum Visibility: UInt8, Hashable, Sendable { case visible, hidden, collapse }
@frozen public enum UnicodeBidi: UInt8, Hashable, Sendable {
  case normal, embed, isolate, bidiOverride, isolateOverride, plaintext
}
package enum TableLayoutMode: UInt8, Hashable, Sendable { case auto, fixed }
package enum BorderCollapse: UInt8, Hashable, Sendable { case separate, collapse }
package enum CaptionSide: UInt8, Hashable, Sendable { case top, bottom }
package enum EmptyCells: UInt8, Hashable, Sendable { case show, hide }
package enum BorderStyle: UInt8, Hashable, Sendable {
  case none, hidden, dotted, dashed, solid, double, groove, ridge, inset, outset
}
/// CSS Basic User Interface 4, section 3.3.
package enum OutlineStyle: UInt8, Hashable, Sendable {
  case none, auto, dotted, dashed, solid, double, groove, ridge, inset, outset

  /// The style of a border that looks the same.
  package var border: BorderStyle {
    switch self {
    case .none: .none
    case .auto, .solid: .solid
    case .dotted: .dotted
    case .dashed: .dashed
    case .double: .double
    case .groove: .groove
    case .ridge: .ridge
    case .inset: .inset
    case .outset: .outset
    }
  }
}
package enum ListStylePosition: UInt8, Hashable, Sendable { case outside, inside }
/// CSS Images 3, section 6.3.
package enum ImageOrientation: UInt8, Hashable, Sendable { case fromImage, none }
/// CSS Images 3, section 6.2.
package enum ImageRendering: UInt8, Hashable, Sendable { case auto, smooth, highQuality, pixelated, crispEdges }
/// CSS Fragmentation 3, section 3.
package enum BreakBetween: UInt8, Hashable, Sendable {
  case auto, avoid, always, all, avoidPage, page, left, right, recto, verso, avoidColumn, column
}
package enum BreakInside: UInt8, Hashable, Sendable { case auto, avoid, avoidPage, avoidColumn }
package enum BoxDecorationBreak: UInt8, Hashable, Sendable { case slice, clone }
package enum MarginBreak: UInt8, Hashable, Sendable { case auto, keep, discard }
/// CSS Text 3 and 4.
@frozen public enum TextAlign: UInt8, Hashable, Sendable {
  case start, end, left, right, center, justify, matchParent, justifyAll
  /// `-webkit-left`, `-webkit-right`, `-webkit-center`: the `align` attribute and `<center>`, which move blocks too.
  case webkitLeft, webkitRight, webkitCenter
  /// Internal: justified as the house style has it, as long as nobody else has spoken.
  case houseJustify
}
package enum TextAlignLast: UInt8, Hashable, Sendable {
  case auto, start, end, left, right, center, justify, matchParent
}
/// Internal: whose conventions justification and the ends of lines follow beyond what CSS asks for; `none` is CSS alone.
@frozen public enum TypographicConventions: UInt8, Hashable, Sendable { case none, western, chinese, japanese, korean }
@frozen public enum TextJustify: UInt8, Hashable, Sendable { case auto, none, interWord, interCharacter }
@frozen public enum WhiteSpaceCollapse: UInt8, Hashable, Sendable {
  case collapse, preserve, preserveBreaks, breakSpaces
}
package enum TextWrapMode: UInt8, Hashable, Sendable { case wrap, nowrap }
@frozen public enum TextWrapStyle: UInt8, Hashable, Sendable { case auto, balance, pretty, stable }
/// `hyphenate-limit-last`: the lines that may not end in a hyphen. `auto` is no value of CSS but what stands where a book
/// says nothing: lines before a column's or a page's end.
@frozen public enum HyphenateLimitLast: UInt8, Hashable, Sendable { case auto, none, always, column, page, spread }
@frozen public enum WordBreak: UInt8, Hashable, Sendable { case normal, breakAll, keepAll, breakWord, autoPhrase }
package enum OverflowWrap: UInt8, Hashable, Sendable { case normal, breakWord, anywhere }
@frozen public enum LineBreakStrictness: UInt8, Hashable, Sendable {
  case auto, loose, normal, strict, anywhere
  /// Internal: as `auto`, with the care of the house style for marks and short words that stand between spaces.
  case house
  /// Internal: as `normal`, where an author asks for that, with the same care.
  case houseNormal

  /// The value that stands for this one in the house style: what an author says of marks and kana holds.
  package var inHouseStyle: Self {
    switch self {
    case .auto: .house
    case .normal: .houseNormal
    default: self
    }
  }

  /// Addresses, numbers, dashes, and marks and short words between spaces are broken as the house style has it.
  package var isHouse: Bool { self == .house || self == .houseNormal }
}
package enum Hyphens: UInt8, Hashable, Sendable { case none, manual, auto }
package enum TextTransformCase: UInt8, Hashable, Sendable { case none, capitalize, uppercase, lowercase }
package struct TextTransform: Hashable, Sendable {
  package var letterCase = TextTransformCase.none
  /// The alphabet that letters of formulas are shown in; it has no other transform beside it. `math-auto`
  /// (MathML Core, section 4.2) is the italic one, for single letters; others are internal values, for `mathvariant`.
  package var alphabet: MathAlphabet?
  package var fullWidth = false
  package var fullSizeKana = false
  package init() {}

  /// - Parameter flags: The parsed value: its lower four bits hold the case, the next two the flags; from the ninth bit
  ///   on stands the alphabet, from 1.
  package init(flags: UInt32) {
    letterCase = TextTransformCase(rawValue: UInt8(flags & 15)) ?? .none
    fullWidth = flags & 16 != 0
    fullSizeKana = flags & 32 != 0
    alphabet = flags >> 8 > 0 ? MathAlphabet(rawValue: UInt8(truncatingIfNeeded: flags >> 8) - 1) : nil
  }
}
@frozen public struct HangingPunctuation: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  // Concrete, so that loops elsewhere do not go through the protocol's witnesses.
  @inlinable public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  @inlinable public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable public static var first: Self { Self(rawValue: 1) }
  @inlinable public static var last: Self { Self(rawValue: 2) }
  @inlinable public static var allowEnd: Self { Self(rawValue: 4) }
  @inlinable public static var forceEnd: Self { Self(rawValue: 8) }
  /// Internal: nothing hangs in horizontal lines.
  @inlinable public static var verticalOnly: Self { Self(rawValue: 16) }
}
@frozen public enum TextSpacingTrim: UInt8, Hashable, Sendable {
  case normal, spaceAll, spaceFirst, trimStart, trimBoth, trimAll, auto
}
package struct TextAutospace: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let ideographAlpha = Self(rawValue: 1)
  package static let ideographNumeric = Self(rawValue: 2)
  package static let punctuation = Self(rawValue: 4)
  package static let replace = Self(rawValue: 8)
  /// Internal: the gap is a quarter of an em instead of an eighth.
  package static let quarter = Self(rawValue: 16)
  /// No list of options, which the runtime would put together by way of protocols.
  package static let normal = Self(rawValue: ideographAlpha.rawValue | ideographNumeric.rawValue)
}
package enum TextOrientation: UInt8, Hashable, Sendable { case mixed, upright, sideways }
@frozen public enum TextCombineUpright: UInt8, Hashable, Sendable { case none, all, digits2, digits3, digits4 }
package enum RubyPosition: UInt8, Hashable, Sendable { case over, under, interCharacter, alternate }
/// MathML Core, section 4.4.
package enum MathStyle: UInt8, Hashable, Sendable { case normal, compact }
/// MathML Core, section 4.6.
package enum MathShift: UInt8, Hashable, Sendable { case normal, compact }
package enum RubyMerge: UInt8, Hashable, Sendable { case separate, merge, auto }
package enum RubyOverhang: UInt8, Hashable, Sendable { case auto, none }
package enum RubyAlign: UInt8, Hashable, Sendable { case start, center, spaceBetween, spaceAround }
/// CSS Text Decoration 3 and 4.
package struct TextDecorationLine: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let underline = Self(rawValue: 1)
  package static let overline = Self(rawValue: 2)
  package static let lineThrough = Self(rawValue: 4)
}
package enum TextDecorationStyle: UInt8, Hashable, Sendable { case solid, double, dotted, dashed, wavy }
package enum TextDecorationSkipInk: UInt8, Hashable, Sendable { case auto, none, all }
/// `text-decoration-thickness`; percentages are of the font size.
package enum DecorationThickness: Hashable, Sendable {
  case auto, fromFont
  case length(LengthPercentage)
}
package enum EmphasisMark: Hashable, Sendable {
  case none
  case filled, open
  case shape(EmphasisShape, isOpen: Bool)
  case string(String)
}
package enum EmphasisShape: UInt8, Hashable, Sendable { case dot, circle, doubleCircle, triangle, sesame }
/// `text-underline-position`: where the face says or below the descent in horizontal lines, on a side of vertical ones.
package struct UnderlinePosition: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let under = Self(rawValue: 1)
  package static let left = Self(rawValue: 2)
  package static let right = Self(rawValue: 4)
  package static let fromFont = Self(rawValue: 8)
}
package struct EmphasisPosition: Hashable, Sendable {
  package var isUnder = false
  package var isLeft = false
  package init() {}
}
/// CSS Fonts 4.
@frozen public enum FontVariantCaps: UInt8, Hashable, Sendable {
  case normal, smallCaps, allSmallCaps, petiteCaps, allPetiteCaps, unicase, titlingCaps
}
@frozen public enum FontVariantPosition: UInt8, Hashable, Sendable { case normal, sub, `super` }
@frozen public enum FontVariantEmoji: UInt8, Hashable, Sendable { case normal, text, emoji, unicode }
package enum FontKerning: UInt8, Hashable, Sendable { case auto, normal, none }
/// On/off choices of `font-variant-ligatures`, `-numeric` and `-east-asian`.
package struct FontVariants: OptionSet, Hashable, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package static let commonLigatures = Self(rawValue: 1 << 0)
  package static let noCommonLigatures = Self(rawValue: 1 << 1)
  package static let discretionaryLigatures = Self(rawValue: 1 << 2)
  package static let noDiscretionaryLigatures = Self(rawValue: 1 << 3)
  package static let historicalLigatures = Self(rawValue: 1 << 4)
  package static let noHistoricalLigatures = Self(rawValue: 1 << 5)
  package static let contextual = Self(rawValue: 1 << 6)
  package static let noContextual = Self(rawValue: 1 << 7)
  package static let liningNums = Self(rawValue: 1 << 8)
  package static let oldstyleNums = Self(rawValue: 1 << 9)
  package static let proportionalNums = Self(rawValue: 1 << 10)
  package static let tabularNums = Self(rawValue: 1 << 11)
  package static let diagonalFractions = Self(rawValue: 1 << 12)
  package static let stackedFractions = Self(rawValue: 1 << 13)
  package static let ordinal = Self(rawValue: 1 << 14)
  package static let slashedZero = Self(rawValue: 1 << 15)
  package static let jis78 = Self(rawValue: 1 << 16)
  package static let jis83 = Self(rawValue: 1 << 17)
  package static let jis90 = Self(rawValue: 1 << 18)
  package static let jis04 = Self(rawValue: 1 << 19)
  package static let simplified = Self(rawValue: 1 << 20)
  package static let traditional = Self(rawValue: 1 << 21)
  package static let fullWidth = Self(rawValue: 1 << 22)
  package static let proportionalWidth = Self(rawValue: 1 << 23)
  package static let ruby = Self(rawValue: 1 << 24)
}
package enum LineHeight: Hashable, Sendable {
  case normal
  case number(Float)
  case length(LengthPercentage)
}
package enum VerticalAlign: Hashable, Sendable {
  case baseline, sub, `super`, top, textTop, middle, bottom, textBottom
  case length(LengthPercentage)
}
/// CSS Images 3, section 5.
package enum ObjectFit: UInt8, Hashable, Sendable { case fill, contain, cover, none, scaleDown }
package enum BackgroundRepeat: UInt8, Hashable, Sendable { case `repeat`, noRepeat, space, round }
package enum BackgroundBox: UInt8, Hashable, Sendable {
  case borderBox, paddingBox, contentBox, text, borderArea

  /// Not a box: what is painted in the border box decides where a background is seen (CSS Backgrounds 4, section 2.4).
  package var isMask: Bool { self == .text || self == .borderArea }
}
package enum BackgroundAttachment: UInt8, Hashable, Sendable { case scroll, fixed, local }
/// CSS Flexible Box 1 and CSS Box Alignment 3.
package enum FlexDirection: UInt8, Hashable, Sendable { case row, rowReverse, column, columnReverse }
package enum FlexWrap: UInt8, Hashable, Sendable { case nowrap, wrap, wrapReverse }
package enum AlignmentValue: UInt8, Hashable, Sendable {
  case auto, normal, stretch, start, end, flexStart, flexEnd, center, baseline, lastBaseline, left, right
  case spaceBetween, spaceAround, spaceEvenly, selfStart, selfEnd
  case safeStart, safeEnd, safeFlexStart, safeFlexEnd, safeCenter, safeLeft, safeRight, safeSelfStart, safeSelfEnd

  /// The position, without its overflow alignment (CSS Box Alignment 3, section 4.4).
  package var position: AlignmentValue {
    switch self {
    case .safeStart: .start
    case .safeEnd: .end
    case .safeFlexStart: .flexStart
    case .safeFlexEnd: .flexEnd
    case .safeCenter: .center
    case .safeLeft: .left
    case .safeRight: .right
    case .safeSelfStart: .selfStart
    case .safeSelfEnd: .selfEnd
    default: self
    }
  }
  /// Boxes larger than the container are aligned with its start.
  package var isSafe: Bool { position != self }

  static let safeValues: [AlignmentValue] = [
    .safeStart, .safeEnd, .safeFlexStart, .safeFlexEnd, .safeCenter, .safeLeft, .safeRight, .safeSelfStart,
    .safeSelfEnd,
  ]
}
package enum ColumnFill: UInt8, Hashable, Sendable { case balance, auto, balanceAll }
package enum ColumnSpan: UInt8, Hashable, Sendable { case none, all }
