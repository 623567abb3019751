package import Primitives

/// One entry of the `src` of an `@font-face` rule.
package enum FontSource: Hashable, Sendable {
  /// A path in the container, with its fragment, or a `data:` URL.
  case url(String)
  case local(String)
}

/// An `@font-face` rule, its descriptors typed (CSS Fonts 4, section 4).
package struct FontFaceDescription: Hashable, Sendable {
  package var family: String
  package var sources: [FontSource]
  package var weight: ClosedRange<UInt16> = 400...400
  /// `auto`: where the font has an axis for weights, all of them (section 4.4).
  package var hasAutomaticWeight = true
  package var slant = FontSlant.normal
  /// Degrees that an oblique face can lean to the right.
  package var angles = FontDescription.defaultObliqueAngle...FontDescription.defaultObliqueAngle
  /// Percent.
  package var stretch: ClosedRange<Float> = 100...100
  /// Empty for all characters.
  package var unicodeRange: [ClosedRange<UInt32>] = []
  package var features: [FontSetting] = []
  package var variations: [FontSetting] = []
  package var adjustments = FontAdjustments()

  /// Nil when the rule has no family or no source that can be used.
  package init?(_ rule: FontFaceRule, in sheet: TypedStylesheet) {
    family = ""
    sources = []
    for index in rule.descriptors {
      let declaration = sheet.sheet.declarations[Int(index)]
      var parser = ValueParser(sheet.sheet.value(of: declaration), context: sheet.context)
      switch sheet.sheet.name(of: declaration) {
      case "font-family":
        if let families = parser.fontFamilies(), families.count == 1, parser.isAtEnd {
          switch families[0] {
          case .named(let name): family = name
          case .generic: family = parser.cursor.buffer.string(declaration.valueText(in: sheet.sheet))
          }
        }
      case "src":
        let sources = parser.fontSources()
        if !sources.isEmpty { self.sources = sources }
      case "font-weight":
        guard !parser.keyword("auto"), case .number(let low)? = parser.fontWeight() else { break }
        var high = low
        if case .number(let given)? = parser.fontWeight() { high = given }
        weight = min(low, high)...max(low, high)
        hasAutomaticWeight = false
      case "font-style":
        switch parser.fontStyle() {
        case .keyword(let raw)?: slant = FontSlant(rawValue: raw) ?? .normal
        case .number(let first)?:
          let second = parser.obliqueAngle() ?? first
          slant = .oblique
          angles = min(first, second)...max(first, second)
        default: break
        }
      case "font-stretch", "font-width":
        func one(_ parser: inout ValueParser) -> Float? {
          if parser.peek().kind == .percentage { return parser.numberOrPercentage(atLeast: 0).map { Float($0 * 100) } }
          return parser.stretchKeyword()
        }
        guard let low = one(&parser) else { break }
        let high = one(&parser) ?? low
        stretch = min(low, high)...max(low, high)
      case "unicode-range":
        unicodeRange =
          parseUnicodeRange(sheet.sheet.buffer.text, declaration.sourceRange(in: sheet.sheet)) ?? unicodeRange
      case "font-feature-settings": if let settings = parser.fontSettings(isFeature: true) { features = settings }
      case "font-variation-settings":
        if let settings = parser.fontSettings(isFeature: false) { variations = settings }
      case "size-adjust": if let share = parser.share() { adjustments.size = share }
      case "ascent-override": if let share = parser.override() { adjustments.ascent = share }
      case "descent-override": if let share = parser.override() { adjustments.descent = share }
      case "line-gap-override": if let share = parser.override() { adjustments.lineGap = share }
      default: break
      }
    }
    if family.isEmpty || sources.isEmpty { return nil }
  }
}

extension Declaration {
  /// The range of the first token's text.
  fileprivate func valueText(in sheet: Stylesheet) -> Range<UInt32> { sheet.buffer.tokens[Int(value.lowerBound)].text }

  /// The source text of the value, whose tokens stand one after another in the sheet.
  fileprivate func sourceRange(in sheet: Stylesheet) -> Range<Int> {
    guard !value.isEmpty else { return 0..<0 }
    let start = Int(sheet.buffer.tokens[Int(value.lowerBound)].start)
    let last = Int(value.upperBound)
    let end = last < sheet.buffer.tokens.count ? Int(sheet.buffer.tokens[last].start) : sheet.buffer.text.count
    return start..<max(start, end)
  }
}

extension ValueParser {
  /// The usable entries of `src`; an entry that is not understood is dropped alone.
  mutating func fontSources() -> [FontSource] {
    var sources: [FontSource] = []
    for part in cursor.splitAtCommas() {
      var parser = ValueParser(part, context: context)
      if let url = parser.url() {
        if parser.supportsFontSource() { sources.append(.url(url)) }
      } else if let name = parser.function(
        "local",
        { parser -> String? in
          if let name = parser.string() { return name }
          var names: [String] = []
          while parser.peek().kind == .ident {
            names.append(parser.cursor.text)
            parser.cursor.advance()
          }
          return names.isEmpty ? nil : names.joined(separator: " ")
        })
      {
        sources.append(.local(name))
      }
    }
    return sources
  }
}

extension ValueParser {
  /// The `format()` and `tech()` that follow a URL in `src`: whether the font may be used at all. What does not say is
  /// tried.
  fileprivate mutating func supportsFontSource() -> Bool {
    var isSupported = true
    while !isAtEnd {
      if let format = function("format", { $0.string() ?? $0.ident() }) {
        isSupported = isSupported && supportedFontFormats.contains(lowercased(format))
      } else if let names = function("tech", { $0.commaSeparated { $0.ident() } }) {
        isSupported = isSupported && names.allSatisfy { supportedFontTechnologies.contains(lowercased($0)) }
      } else {
        return false
      }
    }
    return isSupported
  }

  private func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { asciiLowercased($0) }, as: UTF8.self)
  }

  /// A percentage as a share of the font size.
  fileprivate mutating func share() -> Float? {
    guard peek().kind == .percentage else { return nil }
    return numberOrPercentage(atLeast: 0).map { Float(Swift.min($0, 100)) }
  }

  /// A metric override: nil when it is not understood, `.some(nil)` for `normal`.
  fileprivate mutating func override() -> Float?? { keyword("normal") ? .some(nil) : share().map { .some($0) } }
}

/// The formats of CSS Fonts 4, section 4.3.1, with the spellings `otf` and `ttf` that books have.
let supportedFontFormats: Set<String> = [
  "collection", "opentype", "truetype", "woff", "woff2", "opentype-variations", "truetype-variations",
  "woff-variations", "woff2-variations", "otf", "ttf",
]

/// The technologies of CSS Fonts 4, section 4.3.2, that shaping and drawing know.
let supportedFontTechnologies: Set<String> = [
  "features-opentype", "features-aat", "variations", "color-colrv0", "color-colrv1", "color-sbix", "color-cbdt",
]

/// `U+26, U+0-7F, U+4??` (CSS Fonts 4, section 4.5). Read from the text, since its tokens are cut at odd places.
func parseUnicodeRange(_ text: [UInt8], _ range: Range<Int>) -> [ClosedRange<UInt32>]? {
  var ranges: [ClosedRange<UInt32>] = []
  for part in text[range].split(separator: 0x2C) {
    var bytes = part.filter { $0 > 0x20 && $0 != 0x3B }.map { asciiLowercased($0) }
    guard bytes.count > 2, bytes[0] == 0x75, bytes[1] == 0x2B else { return nil }
    bytes.removeFirst(2)
    let ends = bytes.split(separator: 0x2D, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let low: UInt32?
    let high: UInt32?
    if ends.count == 2 {
      low = UInt32(ends[0], radix: 16)
      high = UInt32(ends[1], radix: 16)
    } else {
      func filled(_ digit: UInt8) -> UInt32? {
        UInt32(String(decoding: bytes.map { $0 == 0x3F ? digit : $0 }, as: UTF8.self), radix: 16)
      }
      low = filled(0x30)
      high = filled(0x66)
    }
    guard let low, let high, low <= high, low <= 0x10FFFF else { return nil }
    ranges.append(low...min(high, 0x10FFFF))
  }
  return ranges.isEmpty ? nil : ranges
}
