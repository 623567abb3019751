import CUnicode

/// The properties of one code point that segmentation, itemisation and bidi need, in one word.
package struct CharacterProperties: Hashable, Sendable {
  package let bits: UInt64

  /// The properties of a code point; numbers beyond Unicode count as U+FFFD.
  @inline(__always) package init(_ scalar: UInt32) { bits = cu_properties(scalar) }

  @inline(__always) package var lineBreak: LineBreakClass {
    LineBreakClass(rawValue: UInt8(truncatingIfNeeded: bits & 63))
  }
  @inline(__always) package var graphemeBreak: UInt8 { UInt8(truncatingIfNeeded: bits >> 6 & 31) }
  @inline(__always) package var wordBreak: UInt8 { UInt8(truncatingIfNeeded: bits >> 11 & 31) }
  @inline(__always) package var script: Script { Script(rawValue: UInt8(truncatingIfNeeded: bits >> 16)) }
  @inline(__always) package var category: GeneralCategory {
    GeneralCategory(rawValue: UInt8(truncatingIfNeeded: bits >> 24 & 31))
  }
  @inline(__always) package var eastAsianWidth: EastAsianWidth {
    EastAsianWidth(rawValue: UInt8(truncatingIfNeeded: bits >> 29 & 7))
  }
  /// The bidi class, as ICU numbers them: 0 is L, 1 is R, 13 is AL.
  @inline(__always) package var bidiClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 32 & 31) }
  @inline(__always) package var verticalOrientation: VerticalOrientation {
    VerticalOrientation(rawValue: UInt8(truncatingIfNeeded: bits >> 37 & 3)) ?? .rotated
  }
  /// 1 for an opening, 2 for a closing paired bracket.
  @inline(__always) package var bracketType: UInt8 { UInt8(truncatingIfNeeded: bits >> 39 & 3) }
  @inline(__always) package var isEmoji: Bool { bits & 1 << 41 != 0 }
  @inline(__always) package var hasEmojiPresentation: Bool { bits & 1 << 42 != 0 }
  @inline(__always) package var isExtendedPictographic: Bool { bits & 1 << 43 != 0 }
  @inline(__always) package var isEmojiModifier: Bool { bits & 1 << 44 != 0 }
  @inline(__always) package var isDefaultIgnorable: Bool { bits & 1 << 45 != 0 }
}

/// A General_Category value, as ICU numbers them.
package struct GeneralCategory: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8
  @inline(__always) package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let unassigned = Self(rawValue: 0)
  package static let uppercaseLetter = Self(rawValue: 1)
  package static let lowercaseLetter = Self(rawValue: 2)
  package static let titlecaseLetter = Self(rawValue: 3)
  package static let nonspacingMark = Self(rawValue: 6)
  package static let spacingMark = Self(rawValue: 8)
  package static let spaceSeparator = Self(rawValue: 12)
  package static let control = Self(rawValue: 15)
  package static let format = Self(rawValue: 16)
  package static let initialPunctuation = Self(rawValue: 28)
  package static let finalPunctuation = Self(rawValue: 29)

  @inline(__always) package var isLetter: Bool { rawValue >= 1 && rawValue <= 5 }
  @inline(__always) package var isMark: Bool { rawValue >= 6 && rawValue <= 8 }
  @inline(__always) package var isNumber: Bool { rawValue >= 9 && rawValue <= 11 }
  @inline(__always) package var isPunctuation: Bool { rawValue >= 19 && rawValue <= 23 || rawValue >= 28 }
}

/// An East_Asian_Width value (UAX #11), as ICU numbers them.
package struct EastAsianWidth: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8
  @inline(__always) package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let neutral = Self(rawValue: 0)
  package static let ambiguous = Self(rawValue: 1)
  package static let halfwidth = Self(rawValue: 2)
  package static let fullwidth = Self(rawValue: 3)
  package static let narrow = Self(rawValue: 4)
  package static let wide = Self(rawValue: 5)

  /// Fullwidth, Wide or Halfwidth: what line breaking calls East Asian (UAX #14, LB19a and LB30).
  @inline(__always) package var isEastAsian: Bool { rawValue == 2 || rawValue == 3 || rawValue == 5 }
}

/// A Line_Break value (UAX #14), as ICU numbers them.
package struct LineBreakClass: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8
  @inline(__always) package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let xx = Self(rawValue: 0)
  package static let ai = Self(rawValue: 1)
  package static let al = Self(rawValue: 2)
  package static let b2 = Self(rawValue: 3)
  package static let ba = Self(rawValue: 4)
  package static let bb = Self(rawValue: 5)
  package static let bk = Self(rawValue: 6)
  package static let cb = Self(rawValue: 7)
  package static let cl = Self(rawValue: 8)
  package static let cm = Self(rawValue: 9)
  package static let cr = Self(rawValue: 10)
  package static let ex = Self(rawValue: 11)
  package static let gl = Self(rawValue: 12)
  package static let hy = Self(rawValue: 13)
  package static let id = Self(rawValue: 14)
  package static let `in` = Self(rawValue: 15)
  package static let `is` = Self(rawValue: 16)
  package static let lf = Self(rawValue: 17)
  package static let ns = Self(rawValue: 18)
  package static let nu = Self(rawValue: 19)
  package static let op = Self(rawValue: 20)
  package static let po = Self(rawValue: 21)
  package static let pr = Self(rawValue: 22)
  package static let qu = Self(rawValue: 23)
  package static let sa = Self(rawValue: 24)
  package static let sg = Self(rawValue: 25)
  package static let sp = Self(rawValue: 26)
  package static let sy = Self(rawValue: 27)
  package static let zw = Self(rawValue: 28)
  package static let nl = Self(rawValue: 29)
  package static let wj = Self(rawValue: 30)
  package static let h2 = Self(rawValue: 31)
  package static let h3 = Self(rawValue: 32)
  package static let jl = Self(rawValue: 33)
  package static let jt = Self(rawValue: 34)
  package static let jv = Self(rawValue: 35)
  package static let cp = Self(rawValue: 36)
  package static let cj = Self(rawValue: 37)
  package static let hl = Self(rawValue: 38)
  package static let ri = Self(rawValue: 39)
  package static let eb = Self(rawValue: 40)
  package static let em = Self(rawValue: 41)
  package static let zwj = Self(rawValue: 42)
}

/// A Script value (UAX #24), as ICU numbers them.
package struct Script: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8
  @inline(__always) package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let common = Self(rawValue: 0)
  package static let inherited = Self(rawValue: 1)
  package static let arabic = Self(rawValue: 2)
  package static let armenian = Self(rawValue: 3)
  package static let bengali = Self(rawValue: 4)
  package static let bopomofo = Self(rawValue: 5)
  package static let cyrillic = Self(rawValue: 8)
  package static let devanagari = Self(rawValue: 10)
  package static let georgian = Self(rawValue: 12)
  package static let greek = Self(rawValue: 14)
  package static let gujarati = Self(rawValue: 15)
  package static let gurmukhi = Self(rawValue: 16)
  package static let han = Self(rawValue: 17)
  package static let hangul = Self(rawValue: 18)
  package static let hebrew = Self(rawValue: 19)
  package static let hiragana = Self(rawValue: 20)
  package static let kannada = Self(rawValue: 21)
  package static let katakana = Self(rawValue: 22)
  package static let khmer = Self(rawValue: 23)
  package static let lao = Self(rawValue: 24)
  package static let latin = Self(rawValue: 25)
  package static let malayalam = Self(rawValue: 26)
  package static let mongolian = Self(rawValue: 27)
  package static let myanmar = Self(rawValue: 28)
  package static let sinhala = Self(rawValue: 33)
  package static let syriac = Self(rawValue: 34)
  package static let tamil = Self(rawValue: 35)
  package static let telugu = Self(rawValue: 36)
  package static let thaana = Self(rawValue: 37)
  package static let thai = Self(rawValue: 38)
  package static let tibetan = Self(rawValue: 39)
  package static let yi = Self(rawValue: 41)
  package static let mandaic = Self(rawValue: 84)
  package static let nko = Self(rawValue: 87)
  package static let phagsPa = Self(rawValue: 90)
  package static let hanifiRohingya = Self(rawValue: 182)
  package static let unknown = Self(rawValue: 103)

  /// The ISO 15924 tag, first letter highest.
  package var tag: UInt32 { cu_script_tag(UInt32(rawValue)) }
  /// The ISO 15924 code, such as `Hani`.
  package var code: String {
    let tag = tag
    return String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }, as: UTF8.self)
  }
  /// Whether the script is one of those that join their letters (CSS Text 3, appendix D).
  @inline(__always) package var isCursive: Bool {
    switch self {
    case .arabic, .syriac, .mandaic, .mongolian, .nko, .phagsPa, .hanifiRohingya: true
    default: false
    }
  }
  /// Common, Inherited and Unknown take the script of their neighbours.
  @inline(__always) package var isReal: Bool { rawValue > 1 && rawValue != 103 }
  /// Whether characters of the script are ideographs or kana.
  @inline(__always) package var isIdeographic: Bool {
    switch self {
    case .han, .hiragana, .katakana, .bopomofo, .yi: true
    default: false
    }
  }
}

/// UTF-16 reading.
package enum UTF16Text {
  /// The scalar that starts at `index`, and its length in units. A lone surrogate is U+FFFD.
  @inline(__always)
  package static func scalar(_ units: UnsafeBufferPointer<UInt16>, at index: Int) -> (value: UInt32, length: Int) {
    let first = units[index]
    if first & 0xF800 != 0xD800 { return (UInt32(first), 1) }
    if first < 0xDC00, index + 1 < units.count, units[index + 1] & 0xFC00 == 0xDC00 {
      return (0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(units[index + 1] & 0x3FF)), 2)
    }
    return (0xFFFD, 1)
  }

  /// The scalar that ends before `index`, and its length in units.
  @inline(__always)
  package static func scalar(_ units: UnsafeBufferPointer<UInt16>, before index: Int) -> (value: UInt32, length: Int) {
    let last = units[index - 1]
    if last & 0xF800 != 0xD800 { return (UInt32(last), 1) }
    if last >= 0xDC00, index >= 2, units[index - 2] & 0xFC00 == 0xD800 {
      return (0x10000 + (UInt32(units[index - 2] & 0x3FF) << 10 | UInt32(last & 0x3FF)), 2)
    }
    return (0xFFFD, 1)
  }
}
