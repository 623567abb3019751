import Primitives

private let variantLonghands: [PropertyID] = [
  .font(.fontVariantCaps), .font(.fontVariantPosition), .font(.fontVariantLigatures), .font(.fontVariantNumeric),
  .font(.fontVariantEastAsian), .font(.fontVariantAlternates), .font(.fontVariantEmoji),
]

let fontShorthands: [ShorthandRow] = [
  ShorthandRow(
    "font-variant",
    "normal | none | [ <'font-variant-caps'> || <'font-variant-position'> || <'font-variant-emoji'> || <'font-variant-ligatures'> || <'font-variant-numeric'> || <'font-variant-east-asian'> || <'font-variant-alternates'> ]",
    sample: "small-caps super emoji no-contextual tabular-nums ruby historical-forms", "CSS Fonts 4, 6.9",
    variantLonghands
  ) { parser in
    if parser.keyword("normal") { return [] }
    if parser.keyword("none") { return [(.font(.fontVariantLigatures), .flags(FontVariants.noLigatures.rawValue))] }
    var caps: UInt8?
    var position: UInt8?
    var emoji: UInt8?
    var groups: [PropertyID: FontVariants] = [:]
    var alternates: [FontAlternate] = []
    while !parser.isAtEnd {
      if caps == nil, let next = parser.keyword(of: capsWords) {
        caps = next
      } else if position == nil, parser.keyword("sub") {
        position = FontVariantPosition.sub.rawValue
      } else if position == nil, parser.keyword("super") {
        position = FontVariantPosition.super.rawValue
      } else if emoji == nil, let next = parser.keyword(of: variantEmojiWords) {
        emoji = next
      } else if let (flag, group) = parser.variant(ligatureVariants) {
        guard groups[.font(.fontVariantLigatures), default: []].isDisjoint(with: group) else { return nil }
        groups[.font(.fontVariantLigatures), default: []].insert(flag)
      } else if let (flag, group) = parser.variant(numericVariants) {
        guard groups[.font(.fontVariantNumeric), default: []].isDisjoint(with: group) else { return nil }
        groups[.font(.fontVariantNumeric), default: []].insert(flag)
      } else if let (flag, group) = parser.variant(eastAsianVariants) {
        guard groups[.font(.fontVariantEastAsian), default: []].isDisjoint(with: group) else { return nil }
        groups[.font(.fontVariantEastAsian), default: []].insert(flag)
      } else if let part = parser.fontAlternate(), !alternates.contains(where: { $0.kind == part.kind }) {
        alternates.append(part)
      } else {
        return nil
      }
    }
    var values: [(PropertyID, PropertyValue)] = []
    for id in variantLonghands { if let flags = groups[id] { values.append((id, .flags(flags.rawValue))) } }
    if !alternates.isEmpty { values.append((.font(.fontVariantAlternates), .alternates(alternates))) }
    if let caps { values.append((.font(.fontVariantCaps), .keyword(caps))) }
    if let position { values.append((.font(.fontVariantPosition), .keyword(position))) }
    if let emoji { values.append((.font(.fontVariantEmoji), .keyword(emoji))) }
    return values.isEmpty ? nil : values
  },
  ShorthandRow(
    "font-synthesis",
    "none | [ weight || style || small-caps || position ]",
    sample: "none", "CSS Fonts 4, 2.8.5",
    [
      .font(.fontSynthesisWeight), .font(.fontSynthesisStyle), .font(.fontSynthesisSmallCaps),
      .font(.fontSynthesisPosition),
    ]
  ) { parser in
    let isNone = parser.keyword("none")
    var weight = false
    var style = false
    var smallCaps = false
    var position = false
    while !isNone, let word = parser.ident() {
      switch word {
      case "weight": weight = true
      case "style": style = true
      case "small-caps": smallCaps = true
      case "position": position = true
      default: return nil
      }
    }
    return [
      (.font(.fontSynthesisWeight), .keyword(weight ? 1 : 0)), (.font(.fontSynthesisStyle), .keyword(style ? 1 : 0)),
      (.font(.fontSynthesisSmallCaps), .keyword(smallCaps ? 1 : 0)),
      (.font(.fontSynthesisPosition), .keyword(position ? 1 : 0)),
    ]
  },
  ShorthandRow(
    "font",
    "[ <'font-style'> || small-caps || <'font-weight'> || <'font-stretch'> ]? <'font-size'> [ / <'line-height'> ]? <'font-family'> | caption | icon | menu | message-box | small-caption | status-bar",
    sample: "italic small-caps 700 condensed 20px/1.5 Sample", "CSS Fonts 4, 2.7",
    [
      .font(.fontFamily), .font(.fontSize), .font(.fontWeight), .font(.fontStyle), .font(.fontStretch),
      .font(.fontSizeAdjust), .font(.fontKerning), .font(.fontFeatureSettings), .font(.fontVariationSettings),
      .font(.fontOpticalSizing), .font(.fontPalette), .font(.lineHeight),
    ] + variantLonghands
  ) { parser in
    for name: StaticString in ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"]
    where parser.keyword(name) {
      return [(.font(.fontFamily), .families([.generic(.systemUI)])), (.font(.fontSize), .fontSize(.rootFactor(1)))]
    }
    var style: PropertyValue?
    var weight: FontWeightValue?
    var caps: UInt8?
    var stretch: Float?
    var normals = 0
    while true {
      if parser.keyword("normal") {
        normals += 1
      } else if style == nil, let next = parser.fontStyle() {
        style = next
      } else if weight == nil, let next = parser.fontWeight() {
        weight = next
      } else if caps == nil, parser.keyword("small-caps") {
        caps = FontVariantCaps.smallCaps.rawValue
      } else if stretch == nil, let next = parser.stretchKeyword() {
        stretch = next
      } else {
        break
      }
    }
    let given =
      normals + (style == nil ? 0 : 1) + (weight == nil ? 0 : 1) + (caps == nil ? 0 : 1) + (stretch == nil ? 0 : 1)
    guard given <= 4, let size = parser.fontSize([.percent, .nonNegative]) else { return nil }
    var lineHeight = LineHeight.normal
    if parser.slash() {
      guard let next = parser.lineHeight() else { return nil }
      lineHeight = next
    }
    guard let families = parser.fontFamilies() else { return nil }
    var values: [(PropertyID, PropertyValue)] = [
      (.font(.fontSize), .fontSize(size)), (.font(.fontFamily), .families(families)),
      (.font(.lineHeight), .lineHeight(lineHeight)),
    ]
    if let style { values.append((.font(.fontStyle), style)) }
    if let weight { values.append((.font(.fontWeight), .fontWeight(weight))) }
    if let caps { values.append((.font(.fontVariantCaps), .keyword(caps))) }
    if let stretch { values.append((.font(.fontStretch), .number(stretch))) }
    return values
  },
]
