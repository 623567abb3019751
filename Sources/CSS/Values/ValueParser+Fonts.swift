package import Primitives

let capsWords = words(FontVariantCaps.self, except: [.normal])
let variantEmojiWords = words(FontVariantEmoji.self, except: [.normal])

let ligatureVariants: [String: (FontVariants, FontVariants)] = [
  "common-ligatures": (.commonLigatures, [.commonLigatures, .noCommonLigatures]),
  "no-common-ligatures": (.noCommonLigatures, [.commonLigatures, .noCommonLigatures]),
  "discretionary-ligatures": (.discretionaryLigatures, [.discretionaryLigatures, .noDiscretionaryLigatures]),
  "no-discretionary-ligatures": (.noDiscretionaryLigatures, [.discretionaryLigatures, .noDiscretionaryLigatures]),
  "historical-ligatures": (.historicalLigatures, [.historicalLigatures, .noHistoricalLigatures]),
  "no-historical-ligatures": (.noHistoricalLigatures, [.historicalLigatures, .noHistoricalLigatures]),
  "contextual": (.contextual, [.contextual, .noContextual]),
  "no-contextual": (.noContextual, [.contextual, .noContextual]),
]
let numericVariants: [String: (FontVariants, FontVariants)] = [
  "lining-nums": (.liningNums, [.liningNums, .oldstyleNums]),
  "oldstyle-nums": (.oldstyleNums, [.liningNums, .oldstyleNums]),
  "proportional-nums": (.proportionalNums, [.proportionalNums, .tabularNums]),
  "tabular-nums": (.tabularNums, [.proportionalNums, .tabularNums]),
  "diagonal-fractions": (.diagonalFractions, [.diagonalFractions, .stackedFractions]),
  "stacked-fractions": (.stackedFractions, [.diagonalFractions, .stackedFractions]),
  "ordinal": (.ordinal, .ordinal), "slashed-zero": (.slashedZero, .slashedZero),
]
private let eastAsianForms: FontVariants = [.jis78, .jis83, .jis90, .jis04, .simplified, .traditional]
let eastAsianVariants: [String: (FontVariants, FontVariants)] = [
  "jis78": (.jis78, eastAsianForms), "jis83": (.jis83, eastAsianForms), "jis90": (.jis90, eastAsianForms),
  "jis04": (.jis04, eastAsianForms), "simplified": (.simplified, eastAsianForms),
  "traditional": (.traditional, eastAsianForms), "full-width": (.fullWidth, [.fullWidth, .proportionalWidth]),
  "proportional-width": (.proportionalWidth, [.fullWidth, .proportionalWidth]), "ruby": (.ruby, .ruby),
]

extension FontVariants {
  /// `font-variant-ligatures: none`.
  static let noLigatures: Self = [.noCommonLigatures, .noDiscretionaryLigatures, .noHistoricalLigatures, .noContextual]
  /// The flags of `font-variant-ligatures`.
  package static let allLigatures: Self = Self(rawValue: 0xFF)
  /// The flags of `font-variant-numeric`.
  package static let allNumeric: Self = Self(rawValue: 0xFF00)
  /// The flags of `font-variant-east-asian`.
  package static let allEastAsian: Self = Self(rawValue: 0x1FF_0000)
}

extension ValueParser {
  /// One or more keywords of a table; the second flags of each entry exclude one another.
  mutating func variants(_ table: [String: (FontVariants, FontVariants)]) -> PropertyValue? {
    var flags: FontVariants = []
    while let (flag, group) = variant(table) {
      guard flags.isDisjoint(with: group) else { return nil }
      flags.insert(flag)
    }
    return flags.isEmpty ? nil : .flags(flags.rawValue)
  }
  mutating func variant(_ table: [String: (FontVariants, FontVariants)]) -> (FontVariants, FontVariants)? {
    guard peek().kind == .ident, let entry = table[cursor.lowercasedText] else { return nil }
    cursor.advance()
    return entry
  }
  mutating func autoOrNone() -> PropertyValue? {
    if keyword("auto") { return .keyword(1) }
    return keyword("none") ? .keyword(0) : nil
  }
  mutating func fontStretch() -> PropertyValue? {
    if peek().kind == .percentage {
      return numberOrPercentage(atLeast: 0).map { .number(Float($0 * 100)) }
    }
    return stretchKeyword().map { .number($0) }
  }
  mutating func fontAlternates() -> PropertyValue? {
    if keyword("normal") { return .alternates([]) }
    var parts: [FontAlternate] = []
    while !isAtEnd {
      guard let part = fontAlternate(), !parts.contains(where: { $0.kind == part.kind }) else { return nil }
      parts.append(part)
    }
    return parts.isEmpty ? nil : .alternates(parts)
  }
  mutating func fontPalette() -> PropertyValue? {
    if keyword("normal") { return .palette(.normal) }
    if keyword("light") { return .palette(.light) }
    if keyword("dark") { return .palette(.dark) }
    return dashedIdent().map { .palette(.named($0)) }
  }

  /// `font-family` (CSS Fonts 4, section 2.1): strings, sequences of idents, generic names.
  mutating func fontFamilies() -> [FontFamily]? {
    commaSeparated { parser in
      if let name = parser.string() { return .named(name) }
      if parser.cursor.isFunction("generic") {
        return parser.function("generic") { $0.ident().map { $0 == "fangsong" ? .generic(.fangsong) : .named($0) } }
      }
      var names: [String] = []
      _ = parser.peek()
      let start = parser.cursor
      while parser.peek().kind == .ident {
        names.append(parser.cursor.text)
        parser.cursor.advance()
      }
      guard let first = names.first else { return nil }
      if names.count == 1 {
        let lower = String(decoding: first.utf8.map { asciiLowercased($0) }, as: UTF8.self)
        if let generic = genericFamily(lower) { return .generic(generic) }
        if WideKeyword(at: start) != nil || lower == "default" { return nil }
      }
      return .named(names.joined(separator: " "))
    }
  }

  mutating func fontSize(_ options: LengthOptions) -> FontSizeValue? {
    if peek().kind == .ident {
      return attempt { parser in
        switch parser.ident() {
        case "xx-small": .rootFactor(9.0 / 16)
        case "x-small": .rootFactor(10.0 / 16)
        case "small": .rootFactor(13.0 / 16)
        case "medium": .rootFactor(1)
        case "large": .rootFactor(18.0 / 16)
        case "x-large": .rootFactor(24.0 / 16)
        case "xx-large": .rootFactor(32.0 / 16)
        case "xxx-large", "-webkit-xxx-large": .rootFactor(48.0 / 16)
        case "larger": .larger
        case "smaller": .smaller
        case "math": .math
        case "-internal-x-height": .xHeight
        default: nil
        }
      }
    }
    return lengthPercentage(options).map { .length($0) }
  }

  /// `math-depth`: a keyword for `auto-add`, a number for what is added, an integer for the depth itself.
  mutating func mathDepth() -> PropertyValue? {
    if keyword("auto-add") { return .keyword(0) }
    guard cursor.isFunction("add") else { return integer().map { .integer($0) } }
    return block { parser in parser.integer().map { .number(Float($0)) } }
  }

  mutating func fontWeight() -> FontWeightValue? {
    if let number = number(atLeast: 1, atMost: 1000) { return .number(UInt16(number.rounded())) }
    if keyword("normal") { return .number(400) }
    if keyword("bold") { return .number(700) }
    if keyword("bolder") { return .bolder }
    return keyword("lighter") ? .lighter : nil
  }

  /// A slant as a keyword, or the angle of `oblique` as a number.
  mutating func fontStyle() -> PropertyValue? {
    if keyword("normal") { return .keyword(FontSlant.normal.rawValue) }
    if keyword("italic") { return .keyword(FontSlant.italic.rawValue) }
    guard keyword("oblique") else { return nil }
    guard let angle = obliqueAngle() else { return .keyword(FontSlant.oblique.rawValue) }
    return .number(angle)
  }

  /// An angle from -90 to 90 degrees.
  mutating func obliqueAngle() -> Float? {
    attempt { parser in parser.angle(zero: true).flatMap { abs($0) <= 90 ? Float($0) : nil } }
  }

  mutating func stretchKeyword() -> Float? {
    attempt { parser in
      switch parser.ident() {
      case "ultra-condensed": 50
      case "extra-condensed": 62.5
      case "condensed": 75
      case "semi-condensed": 87.5
      case "normal": 100
      case "semi-expanded": 112.5
      case "expanded": 125
      case "extra-expanded": 150
      case "ultra-expanded": 200
      default: nil
      }
    }
  }

  mutating func lineHeight() -> LineHeight? {
    if keyword("normal") { return .normal }
    if let number = number(atLeast: 0) { return .number(Float(min(1e6, number))) }
    return lengthPercentage([.percent, .nonNegative]).map { .length($0) }
  }

  /// `font-feature-settings` or `font-variation-settings`.
  mutating func fontSettings(isFeature: Bool) -> [FontSetting]? {
    if keyword("normal") { return [] }
    return commaSeparated { parser in
      guard let name = parser.string(), name.utf8.count == 4, name.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) else {
        return nil
      }
      let tag = UInt32(tag: name)
      if isFeature {
        if parser.keyword("on") { return FontSetting(tag: tag, value: 1) }
        if parser.keyword("off") { return FontSetting(tag: tag, value: 0) }
        return FontSetting(tag: tag, value: parser.integer(atLeast: 0).map { Float($0) } ?? 1)
      }
      return parser.number().map { FontSetting(tag: tag, value: Float($0)) }
    }
  }
}

/// A generic family by its keyword in lower case (CSS Fonts 4, section 2.1.3).
package func genericFamily(_ name: String) -> GenericFamily? {
  switch name {
  case "serif", "ui-serif": .serif
  case "sans-serif", "ui-sans-serif", "ui-rounded": .sansSerif
  case "monospace", "ui-monospace": .monospace
  case "cursive": .cursive
  case "fantasy": .fantasy
  case "system-ui", "-apple-system", "blinkmacsystemfont": .systemUI
  case "math": .math
  case "emoji": .emoji
  case "fangsong": .fangsong
  default: nil
  }
}
