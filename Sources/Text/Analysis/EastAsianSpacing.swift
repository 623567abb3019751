/// What a character is to the spacing of Chinese and Japanese text (CSS Text 4, sections 8.4 and 8.5).
public enum EastAsianSpacing {
  /// The side of a full-width mark that is blank.
  package enum PunctuationClass: UInt8, Hashable, Sendable {
    case none
    /// An opening bracket or quotation mark: blank at its start.
    case opening
    /// A closing bracket or quotation mark: blank at its end.
    case closing
    /// A comma or full stop: blank at its end, or on both sides when centred.
    case stop
    /// A colon or semicolon.
    case colon
    /// An interpunct: blank on both sides.
    case middleDot
    /// An ideographic space.
    case space
  }

  /// What `text-autospace` sees in a character.
  package enum TextClass: UInt8, Hashable, Sendable {
    case none, ideograph, letter, numeral
  }

  package static func punctuation(_ scalar: UInt32) -> PunctuationClass {
    switch scalar {
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F,
      0x2018,
      0x201C:
      .opening
    case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F, 0xFF09, 0xFF3D, 0xFF5D,
      0xFF60,
      0x2019, 0x201D:
      .closing
    case 0x3001, 0x3002, 0xFF0C, 0xFF0E: .stop
    case 0xFF1A, 0xFF1B: .colon
    case 0x00B7, 0x2027, 0x30FB: .middleDot
    case 0x3000: .space
    default: .none
    }
  }

  package static func text(_ scalar: UInt32, _ properties: CharacterProperties) -> TextClass {
    let script = properties.script
    if script == .han || script == .hiragana || script == .katakana || script == .bopomofo {
      return properties.category.isPunctuation ? .none : .ideograph
    }
    let width = properties.eastAsianWidth
    if width == .fullwidth || width == .wide { return scalar >= 0x31C0 && scalar <= 0x31EF ? .ideograph : .none }
    let category = properties.category
    if category.isLetter { return script == .hangul ? .none : .letter }
    return category.rawValue == 9 ? .numeral : .none
  }

  /// Whether a character is set like an ideograph: one em wide, with room for justification around it.
  @inlinable @inline(__always)
  public static func isIdeographic(_ scalar: UInt32, _ properties: CharacterProperties) -> Bool {
    if scalar < 0x2E80 { return false }
    if properties.script.isIdeographic { return properties.eastAsianWidth != .halfwidth }
    if properties.script == .hangul { return false }
    let width = properties.eastAsianWidth
    return (width == .fullwidth || width == .wide) && scalar <= 0xFF60 || scalar >= 0x20000 && scalar < 0x3FFFF
  }

  /// Marks that Chinese and Western text share: they take the face and width of the text's language (CLREQ, table of
  /// punctuation marks).
  @inlinable @inline(__always)
  public static func isAmbiguousPunctuation(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00B7, 0x2014, 0x2015, 0x2018, 0x2019, 0x201C, 0x201D, 0x2025, 0x2026, 0x2027, 0x22EF, 0x2E3A: true
    default: false
    }
  }
}
