public import CUnicode

// Declarations of this file are public only because nothing less is inlined into other modules, and they are used for
// every character.

/// The properties of one code point that segmentation, itemisation and bidi need, in one word.
public struct CharacterProperties: Hashable, Sendable {
  public let bits: UInt64

  /// The properties of a code point; numbers beyond Unicode count as U+FFFD.
  @inlinable @inline(__always) public init(_ scalar: UInt32) { bits = cu_properties(scalar) }

  @inlinable @inline(__always) public var lineBreak: LineBreakClass {
    LineBreakClass(rawValue: UInt8(truncatingIfNeeded: bits & 63))
  }
  /// Grapheme_Cluster_Break as ICU numbers it, with two values more: see `GraphemeClusters`.
  @inlinable @inline(__always) public var graphemeBreak: UInt8 { UInt8(truncatingIfNeeded: bits >> 6 & 31) }
  @inlinable @inline(__always) public var wordBreak: UInt8 { UInt8(truncatingIfNeeded: bits >> 11 & 31) }
  @inlinable @inline(__always) public var script: Script { Script(rawValue: UInt8(truncatingIfNeeded: bits >> 16)) }
  @inlinable @inline(__always) public var category: GeneralCategory {
    GeneralCategory(rawValue: UInt8(truncatingIfNeeded: bits >> 24 & 31))
  }
  @inlinable @inline(__always) public var eastAsianWidth: EastAsianWidth {
    EastAsianWidth(rawValue: UInt8(truncatingIfNeeded: bits >> 29 & 7))
  }
  /// The bidi class, as ICU numbers them: 0 is L, 1 is R, 13 is AL.
  @inlinable @inline(__always) public var bidiClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 32 & 31) }
  @inlinable @inline(__always) public var verticalOrientation: VerticalOrientation {
    VerticalOrientation(rawValue: UInt8(truncatingIfNeeded: bits >> 37 & 3)) ?? .rotated
  }
  /// 1 for an opening, 2 for a closing paired bracket.
  @inlinable @inline(__always) public var bracketType: UInt8 { UInt8(truncatingIfNeeded: bits >> 39 & 3) }
  @inlinable @inline(__always) public var isEmoji: Bool { bits & 1 << 41 != 0 }
  @inlinable @inline(__always) public var hasEmojiPresentation: Bool { bits & 1 << 42 != 0 }
  @inlinable @inline(__always) public var isExtendedPictographic: Bool { bits & 1 << 43 != 0 }
  @inlinable @inline(__always) public var isEmojiModifier: Bool { bits & 1 << 44 != 0 }
  @inlinable @inline(__always) public var isDefaultIgnorable: Bool { bits & 1 << 45 != 0 }
}

/// A General_Category value, as ICU numbers them.
public struct GeneralCategory: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable @inline(__always) public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable @inline(__always) public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable public static var unassigned: Self { Self(rawValue: 0) }
  @inlinable public static var privateUse: Self { Self(rawValue: 17) }
  @inlinable public static var uppercaseLetter: Self { Self(rawValue: 1) }
  @inlinable public static var lowercaseLetter: Self { Self(rawValue: 2) }
  @inlinable public static var titlecaseLetter: Self { Self(rawValue: 3) }
  @inlinable public static var nonspacingMark: Self { Self(rawValue: 6) }
  @inlinable public static var spacingMark: Self { Self(rawValue: 8) }
  @inlinable public static var decimalNumber: Self { Self(rawValue: 9) }
  @inlinable public static var openPunctuation: Self { Self(rawValue: 20) }
  @inlinable public static var closePunctuation: Self { Self(rawValue: 21) }
  @inlinable public static var otherPunctuation: Self { Self(rawValue: 23) }
  @inlinable public static var spaceSeparator: Self { Self(rawValue: 12) }
  @inlinable public static var control: Self { Self(rawValue: 15) }
  @inlinable public static var format: Self { Self(rawValue: 16) }
  @inlinable public static var initialPunctuation: Self { Self(rawValue: 28) }
  @inlinable public static var finalPunctuation: Self { Self(rawValue: 29) }

  @inlinable @inline(__always) public var isLetter: Bool { rawValue >= 1 && rawValue <= 5 }
  @inlinable @inline(__always) public var isMark: Bool { rawValue >= 6 && rawValue <= 8 }
  @inlinable @inline(__always) public var isNumber: Bool { rawValue >= 9 && rawValue <= 11 }
  @inlinable @inline(__always) public var isSymbol: Bool { rawValue >= 24 && rawValue <= 27 }
  @inlinable @inline(__always) public var isPunctuation: Bool { rawValue >= 19 && rawValue <= 23 || rawValue >= 28 }
}

/// An East_Asian_Width value (UAX #11), as ICU numbers them.
public struct EastAsianWidth: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable @inline(__always) public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable @inline(__always) public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable public static var neutral: Self { Self(rawValue: 0) }
  @inlinable public static var ambiguous: Self { Self(rawValue: 1) }
  @inlinable public static var halfwidth: Self { Self(rawValue: 2) }
  @inlinable public static var fullwidth: Self { Self(rawValue: 3) }
  @inlinable public static var narrow: Self { Self(rawValue: 4) }
  @inlinable public static var wide: Self { Self(rawValue: 5) }

  /// Fullwidth, Wide or Halfwidth: what line breaking calls East Asian (UAX #14, LB19a and LB30).
  @inlinable @inline(__always) public var isEastAsian: Bool { rawValue == 2 || rawValue == 3 || rawValue == 5 }
}

/// A Line_Break value (UAX #14), as ICU numbers them.
public struct LineBreakClass: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable @inline(__always) public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable @inline(__always) public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable public static var xx: Self { Self(rawValue: 0) }
  @inlinable public static var ai: Self { Self(rawValue: 1) }
  @inlinable public static var al: Self { Self(rawValue: 2) }
  @inlinable public static var b2: Self { Self(rawValue: 3) }
  @inlinable public static var ba: Self { Self(rawValue: 4) }
  @inlinable public static var bb: Self { Self(rawValue: 5) }
  @inlinable public static var bk: Self { Self(rawValue: 6) }
  @inlinable public static var cb: Self { Self(rawValue: 7) }
  @inlinable public static var cl: Self { Self(rawValue: 8) }
  @inlinable public static var cm: Self { Self(rawValue: 9) }
  @inlinable public static var cr: Self { Self(rawValue: 10) }
  @inlinable public static var ex: Self { Self(rawValue: 11) }
  @inlinable public static var gl: Self { Self(rawValue: 12) }
  @inlinable public static var hy: Self { Self(rawValue: 13) }
  @inlinable public static var id: Self { Self(rawValue: 14) }
  @inlinable public static var `in`: Self { Self(rawValue: 15) }
  @inlinable public static var `is`: Self { Self(rawValue: 16) }
  @inlinable public static var lf: Self { Self(rawValue: 17) }
  @inlinable public static var ns: Self { Self(rawValue: 18) }
  @inlinable public static var nu: Self { Self(rawValue: 19) }
  @inlinable public static var op: Self { Self(rawValue: 20) }
  @inlinable public static var po: Self { Self(rawValue: 21) }
  @inlinable public static var pr: Self { Self(rawValue: 22) }
  @inlinable public static var qu: Self { Self(rawValue: 23) }
  @inlinable public static var sa: Self { Self(rawValue: 24) }
  @inlinable public static var sg: Self { Self(rawValue: 25) }
  @inlinable public static var sp: Self { Self(rawValue: 26) }
  @inlinable public static var sy: Self { Self(rawValue: 27) }
  @inlinable public static var zw: Self { Self(rawValue: 28) }
  @inlinable public static var nl: Self { Self(rawValue: 29) }
  @inlinable public static var wj: Self { Self(rawValue: 30) }
  @inlinable public static var h2: Self { Self(rawValue: 31) }
  @inlinable public static var h3: Self { Self(rawValue: 32) }
  @inlinable public static var jl: Self { Self(rawValue: 33) }
  @inlinable public static var jt: Self { Self(rawValue: 34) }
  @inlinable public static var jv: Self { Self(rawValue: 35) }
  @inlinable public static var cp: Self { Self(rawValue: 36) }
  @inlinable public static var cj: Self { Self(rawValue: 37) }
  @inlinable public static var hl: Self { Self(rawValue: 38) }
  @inlinable public static var ri: Self { Self(rawValue: 39) }
  @inlinable public static var eb: Self { Self(rawValue: 40) }
  @inlinable public static var em: Self { Self(rawValue: 41) }
  @inlinable public static var zwj: Self { Self(rawValue: 42) }
}

/// A Script value (UAX #24): see `Script+Names.swift`.
public struct Script: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable @inline(__always) public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable @inline(__always) public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The ISO 15924 tag, first letter highest.
  public var tag: UInt32 { cu_script_tag(UInt32(rawValue)) }
  /// The ISO 15924 code, such as `Hani`.
  public var code: String {
    let tag = tag
    return String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }, as: UTF8.self)
  }
  /// The script is one of those that join their letters (CSS Text 3, appendix D).
  @inlinable @inline(__always) public var isCursive: Bool {
    switch self {
    case .arabic, .syriac, .mandaic, .mongolian, .nko, .phagsPa, .hanifiRohingya: true
    default: false
    }
  }
  /// Common, Inherited and Unknown take the script of their neighbours.
  @inlinable @inline(__always) public var isReal: Bool { rawValue > 1 && self != .unknown }
  /// Characters of the script are ideographs or kana.
  @inlinable @inline(__always) public var isIdeographic: Bool {
    switch self {
    case .han, .hiragana, .katakana, .bopomofo, .yi: true
    default: false
    }
  }
}

/// UTF-16 reading.
public enum UTF16Text {
  /// The scalar that starts at `index`, and its length in units. A lone surrogate is U+FFFD.
  @inlinable @inline(__always)
  public static func scalar(_ units: Span<UInt16>, at index: Int) -> (value: UInt32, length: Int) {
    let first = units[index]
    if first & 0xF800 != 0xD800 { return (UInt32(first), 1) }
    if first < 0xDC00, index + 1 < units.count, units[index + 1] & 0xFC00 == 0xDC00 {
      return (0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(units[index + 1] & 0x3FF)), 2)
    }
    return (0xFFFD, 1)
  }

  /// The scalar that ends before `index`, and its length in units.
  @inlinable @inline(__always)
  public static func scalar(_ units: Span<UInt16>, before index: Int) -> (value: UInt32, length: Int) {
    let last = units[index - 1]
    if last & 0xF800 != 0xD800 { return (UInt32(last), 1) }
    if last >= 0xDC00, index >= 2, units[index - 2] & 0xFC00 == 0xD800 {
      return (0x10000 + (UInt32(units[index - 2] & 0x3FF) << 10 | UInt32(last & 0x3FF)), 2)
    }
    return (0xFFFD, 1)
  }

  /// The scalar that starts at `index` of memory that is lent.
  @inlinable @inline(__always)
  public static func scalar(_ units: UnsafeBufferPointer<UInt16>, at index: Int) -> (value: UInt32, length: Int) {
    unsafe scalar(units.span, at: index)
  }
}
