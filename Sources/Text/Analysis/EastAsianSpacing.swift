/// Spacing of Chinese and Japanese text (CSS Text 4, sections 8.5 and 8.6).
public enum EastAsianSpacing {
  /// The class of a character to its neighbours (CSS Text 4, section 8.6; UTR #59).
  package enum CharacterClass: UInt8, Hashable, Sendable {
    case other
    /// An ideograph, kana or syllable, which keeps a distance to what is narrow.
    case wide
    case letter, numeral
    /// A mark that counts as narrow in Chinese only.
    case conditional
    /// Full-width brackets, blank at their start or end, and what is blank on both sides.
    case opening, closing, middle
    /// Brackets that are not full width.
    case narrowOpening, narrowClosing
    /// Classes that the face decides on: by the place of the ink of a stop or colon, and whether quotation marks are
    /// full width.
    case stop, colon, openingQuote, closingQuote
  }

  package static func classify(_ scalar: UInt32, _ properties: CharacterProperties) -> CharacterClass {
    switch scalar {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF: return .wide
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F:
      return .opening
    case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F, 0xFF09, 0xFF3D, 0xFF5D,
      0xFF60:
      return .closing
    case 0x2018, 0x201C: return .openingQuote
    case 0x2019, 0x201D: return .closingQuote
    case 0x3001, 0x3002, 0xFF0C, 0xFF0E: return .stop
    case 0xFF1A, 0xFF1B: return .colon
    case 0x00B7, 0x2027, 0x30FB, 0x3000: return .middle
    case 0x3005...0x3007, 0x3013, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303C, 0x309B, 0x309C, 0x30FC:
      return .wide
    case 0x2E80...0x2FFF, 0x31C0...0x31EF, 0x3200...0x33FF: return .other
    default: break
    }
    let script = properties.script
    let category = properties.category
    if category.isMark { return .other }
    if script.isIdeographic || script == .hangul {
      return properties.eastAsianWidth != .halfwidth && (category.isLetter || category.isNumber) ? .wide : .other
    }
    if category == .openPunctuation { return .narrowOpening }
    if category == .closePunctuation { return .narrowClosing }
    if properties.eastAsianWidth.isEastAsian { return .other }
    if category.isLetter { return .letter }
    if category == .decimalNumber { return .numeral }
    if category == .otherPunctuation {
      switch scalar {
      case 0x22, 0x27, 0x2A, 0x2F, 0x2020, 0x2021, 0x2026: return .other
      default: return .conditional
      }
    }
    return .other
  }

  /// A character is set like an ideograph: one em wide, with room for justification around it.
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
