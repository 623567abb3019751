import CSS
import Primitives
import Styling
import Text

/// The style groups and decorations that decide the attributes of a run.
private enum AttributeKeyTag {}
private struct AttributeKey: StableHashable {
  var font: UInt32
  var text: UInt32
  var decorations: UInt32
  func hash(into hasher: inout StableHasher) {
    hasher.combine(UInt64(font) << 32 | UInt64(text))
    hasher.combine(decorations)
  }
}

/// Turns computed styles into interned text attributes.
///
/// A run that has the style of the one before costs nothing, any other style one lookup by its group ids; the attribute
/// values themselves are looked up only when those ids meet for the first time.
struct AttributeResolver {
  private let fonts: [FontStyle]
  private let texts: [TextStyle]
  private let fallbackLanguage: String
  private let featureValues: FontFeatureValues
  private(set) var table = AttributeTable()

  private var keys = Interner<AttributeKey, AttributeKeyTag>()
  private var ids: [AttributeID] = []
  private var lastKey = AttributeKey(font: .max, text: .max, decorations: .max)
  private var lastID = AttributeID.none

  private var fontRequests: [FontRequestID]
  private var requestIDs: [FontRequest: FontRequestID] = [:]
  /// By text style: the attributes without font and decorations.
  private var templates: [TextTemplate?]
  private var languageIDs: [String: LanguageID] = ["": LanguageID(0)]

  private struct TextTemplate {
    var shaping: ShapingAttributes
    var attributes: TextAttributes
  }

  init(table: borrowing StyleTable, fallbackLanguage: String, featureValues: FontFeatureValues) {
    self.featureValues = featureValues
    fonts = table.fonts
    texts = table.texts
    self.fallbackLanguage = fallbackLanguage
    fontRequests = [FontRequestID](repeating: .none, count: table.fonts.count)
    templates = [TextTemplate?](repeating: nil, count: table.texts.count)
  }

  /// The attributes of text in a style, with the decorations in force (an index of `AttributeTable.decorations`).
  mutating func attributes(of style: ComputedStyle, decorations: UInt32) -> AttributeID {
    let key = AttributeKey(font: style.font.rawValue, text: style.text.rawValue, decorations: decorations)
    if key == lastKey { return lastID }
    let id = keys.intern(key)
    if id.index == ids.count { ids.append(build(key)) }
    lastKey = key
    lastID = ids[id.index]
    return lastID
  }

  private mutating func build(_ key: AttributeKey) -> AttributeID {
    let text = Int(key.text)
    if templates[text] == nil { templates[text] = template(of: texts[text]) }
    guard var template = templates[text] else { return AttributeID(0) }
    template.shaping.font = request(Int(key.font))
    template.attributes.shaping = table.shaping.intern(template.shaping)
    template.attributes.decorations = key.decorations
    return table.attributes.intern(template.attributes)
  }

  private mutating func request(_ font: Int) -> FontRequestID {
    if !fontRequests[font].isNone { return fontRequests[font] }
    let style = fonts[font]
    let request = FontRequest(
      description: style.description, usesOpticalSize: style.usesOpticalSize, size: style.size,
      sizeAdjust: style.sizeAdjust, caps: style.caps, synthesizesSmallCaps: style.synthesizesSmallCaps,
      synthesizedPosition: style.synthesizesPosition ? style.position : .normal,
      emoji: style.emoji, kerning: style.kerning, features: style.featureSettings(featureValues))
    let id = fontRequest(request)
    fontRequests[font] = id
    return id
  }

  /// The id of a request. Styles that differ only in line height ask for the same face, and must not split a shape.
  mutating func fontRequest(_ request: FontRequest) -> FontRequestID {
    if let known = requestIDs[request] { return known }
    let id = FontRequestID(table.fonts.count)
    table.fonts.append(request)
    requestIDs[request] = id
    return id
  }
  mutating func internShaping(_ value: ShapingAttributes) -> ShapingAttributesID { table.shaping.intern(value) }
  mutating func intern(_ value: TextAttributes) -> AttributeID { table.attributes.intern(value) }

  private mutating func template(of style: TextStyle) -> TextTemplate {
    var shaping = ShapingAttributes()
    shaping.language = language(style.language.isEmpty ? fallbackLanguage : style.language)
    shaping.letterSpacing = Self.spacing(style.letterSpacing, percentOfEm: true)
    shaping.wordSpacing = Self.spacing(style.wordSpacing, percentOfEm: false)
    shaping.wordBreak = style.wordBreak
    shaping.overflowWrap = style.overflowWrap
    shaping.lineBreak = style.lineBreak
    shaping.hyphens = style.hyphens
    shaping.whiteSpaceCollapse = style.whiteSpaceCollapse
    shaping.wrapMode = style.wrapMode
    shaping.textOrientation = style.textOrientation
    shaping.textCombineUpright = style.textCombineUpright
    shaping.autospace = style.autospace
    shaping.spacingTrim = style.spacingTrim
    shaping.mathAlphabet = style.transform.alphabet
    shaping.setsTonesBeside = style.rubyPosition == .interCharacter
    shaping.hyphenateLimitChars = style.hyphenateLimitChars
    if let character = style.hyphenateCharacter {
      if let known = table.hyphenCharacters.dropFirst().firstIndex(of: character) {
        shaping.hyphenateCharacter = UInt16(clamping: known)
      } else if table.hyphenCharacters.count < Int(UInt16.max) {
        shaping.hyphenateCharacter = UInt16(table.hyphenCharacters.count)
        table.hyphenCharacters.append(character)
      }
    }
    var attributes = TextAttributes()
    attributes.color = style.fillColor.resolved(style.color)
    attributes.isVisible = style.visibility == .visible
    if style.emphasisMark != .none {
      let emphasis = Emphasis(
        mark: style.emphasisMark, color: style.emphasisColor.resolved(style.color), position: style.emphasisPosition)
      if let known = table.emphases.firstIndex(of: emphasis) {
        attributes.emphasis = UInt32(known)
      } else {
        attributes.emphasis = UInt32(table.emphases.count)
        table.emphases.append(emphasis)
      }
    }
    if !style.shadows.isEmpty {
      var resolved = style.shadows
      for index in resolved.indices { resolved[index].color = .color(resolved[index].color.resolved(style.color)) }
      if let known = table.shadows.firstIndex(of: resolved) {
        attributes.shadows = UInt32(known)
      } else {
        attributes.shadows = UInt32(table.shadows.count)
        table.shadows.append(resolved)
      }
    }
    return TextTemplate(shaping: shaping, attributes: attributes)
  }

  private mutating func language(_ tag: String) -> LanguageID {
    if let known = languageIDs[tag] { return known }
    let id = LanguageID(table.languages.count)
    table.languages.append(tag)
    languageIDs[tag] = id
    return id
  }

  /// Percentages of `letter-spacing` are of the font size (CSS Text 4, section 8.2); those of `word-spacing` stay.
  private static func spacing(_ value: SpacingValue, percentOfEm: Bool) -> Length {
    guard case .length(.length(let length)) = value else { return .zero }
    return percentOfEm && length.isPercentage ? Length(length.value / 100, .em) : length
  }

  /// The same attributes with another letter spacing.
  mutating func spaced(_ id: AttributeID, by spacing: Length) -> AttributeID {
    var attributes = table[id]
    var shaping = table[attributes.shaping]
    shaping.letterSpacing = spacing
    attributes.shaping = internShaping(shaping)
    return intern(attributes)
  }

  /// Adds a decoration to those in force; the result is an index of `AttributeTable.decorations`.
  mutating func decorations(_ parent: UInt32, adding decoration: TextDecoration) -> UInt32 {
    guard table.decorations[Int(parent)].count < BoxGenerator.mostDecorations else { return parent }
    table.decorations.append(table.decorations[Int(parent)] + [decoration])
    return UInt32(table.decorations.count - 1)
  }

  /// Searches of the tables behind attributes, for the statistics.
  var lookups: Int { keys.lookups + table.attributes.lookups + table.shaping.lookups }
  var probes: Int { keys.probes + table.attributes.probes + table.shaping.probes }
  var longestProbe: Int { max(keys.longestProbe, table.attributes.longestProbe, table.shaping.longestProbe) }
}

extension FontStyle {
  /// The OpenType features of `font-variant-*` (CSS Fonts 4, section 7.2), then `font-feature-settings`, which win.
  fileprivate func featureSettings(_ values: FontFeatureValues) -> [FontSetting] {
    if variants.isEmpty && position == .normal && alternates.isEmpty { return features }
    var settings: [FontSetting] = []
    func add(_ name: StaticString, _ value: Float) { settings.append(FontSetting(tag: name.tag, value: value)) }
    func set(_ variant: FontVariants, _ name: StaticString, _ value: Float = 1) {
      if variants.contains(variant) { add(name, value) }
    }
    set(.commonLigatures, "liga")
    set(.commonLigatures, "clig")
    set(.noCommonLigatures, "liga", 0)
    set(.noCommonLigatures, "clig", 0)
    set(.discretionaryLigatures, "dlig")
    set(.noDiscretionaryLigatures, "dlig", 0)
    set(.historicalLigatures, "hlig")
    set(.noHistoricalLigatures, "hlig", 0)
    set(.contextual, "calt")
    set(.noContextual, "calt", 0)
    set(.liningNums, "lnum")
    set(.oldstyleNums, "onum")
    set(.proportionalNums, "pnum")
    set(.tabularNums, "tnum")
    set(.diagonalFractions, "frac")
    set(.stackedFractions, "afrc")
    set(.ordinal, "ordn")
    set(.slashedZero, "zero")
    set(.jis78, "jp78")
    set(.jis83, "jp83")
    set(.jis90, "jp90")
    set(.jis04, "jp04")
    set(.simplified, "smpl")
    set(.traditional, "trad")
    set(.fullWidth, "fwid")
    set(.proportionalWidth, "pwid")
    set(.ruby, "ruby")
    switch position {
    case .normal: break
    case .sub: add("subs", 1)
    case .super: add("sups", 1)
    }
    return settings + values.features(of: alternates, families: families) + features
  }
}
