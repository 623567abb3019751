import Primitives

private typealias ShorthandParser = @Sendable (inout ValueParser) -> [(PropertyID, PropertyValue)]?

private func shorthand(_ name: String, _ ids: [PropertyID], _ parse: @escaping ShorthandParser) -> PropertyGrammar {
  PropertyGrammar(name: name, form: .shorthand(ids, parse))
}

/// One to four values for top, right, bottom and left, or one or two for start and end.
private func sides(
  _ name: String, _ ids: [PropertyID], _ value: @escaping LonghandParser
) -> PropertyGrammar {
  shorthand(name, ids) { parser in
    var values: [PropertyValue] = []
    while values.count < ids.count, !parser.isAtEnd {
      guard let next = value(&parser) else { return nil }
      values.append(next)
    }
    guard let first = values.first else { return nil }
    if ids.count == 2 { return [(ids[0], first), (ids[1], values.last ?? first)] }
    let right = values.count > 1 ? values[1] : first
    let bottom = values.count > 2 ? values[2] : first
    let left = values.count > 3 ? values[3] : right
    return [(ids[0], first), (ids[1], right), (ids[2], bottom), (ids[3], left)]
  }
}

/// Parts in any order, each at most once, at least one.
private func anyOrder(
  _ parser: inout ValueParser, _ parts: [(PropertyID, LonghandParser)]
) -> [(PropertyID, PropertyValue)]? {
  var found: [(PropertyID, PropertyValue)] = []
  while !parser.isAtEnd {
    var next: (PropertyID, PropertyValue)?
    for part in parts where next == nil && !found.contains(where: { $0.0 == part.0 }) {
      next = part.1(&parser).map { (part.0, $0) }
    }
    guard let next else { return nil }
    found.append(next)
  }
  return found.isEmpty ? nil : found
}

private let marginValue: LonghandParser = { $0.margin().map { .margin($0) } }
private let paddingValue: LonghandParser = {
  $0.lengthPercentage([.percent, .nonNegative, .quirky]).map { .lengthPercentage($0) }
}
private let widthValue: LonghandParser = { $0.lineWidth().map { .length($0) } }
private let plainWidthValue: LonghandParser = { $0.lineWidth([.nonNegative]).map { .length($0) } }
private let styleValue: LonghandParser = { $0.keyword(of: borderStyleWords).map { .keyword($0) } }
private let colorValue: LonghandParser = { $0.color().map { .color($0) } }
private let quirkyColorValue: LonghandParser = { $0.color(quirky: true).map { .color($0) } }

/// `border` and its kin: width, style and colour for one or more sides.
private func border(_ name: String, _ widths: [PropertyID], _ styles: [PropertyID], _ colors: [PropertyID])
  -> PropertyGrammar
{
  // `border` itself also takes away the image (CSS Backgrounds 3, section 3.4).
  shorthand(name, widths + styles + colors + (name == "border" ? borderImages : [])) { parser in
    guard
      let parts = anyOrder(
        &parser, [(widths[0], plainWidthValue), (styles[0], styleValue), (colors[0], colorValue)])
    else { return nil }
    return parts.flatMap { part in
      let all = part.0 == widths[0] ? widths : part.0 == styles[0] ? styles : colors
      return all.map { ($0, part.1) }
    }
  }
}

private let borderWidths: [PropertyID] = [.borderTopWidth, .borderRightWidth, .borderBottomWidth, .borderLeftWidth]
private let borderStyles: [PropertyID] = [.borderTopStyle, .borderRightStyle, .borderBottomStyle, .borderLeftStyle]
private let borderColors: [PropertyID] = [.borderTopColor, .borderRightColor, .borderBottomColor, .borderLeftColor]
private let borderImages: [PropertyID] = [
  .borderImageSource, .borderImageSlice, .borderImageWidth, .borderImageOutset, .borderImageRepeat,
]
private let blockWidths: [PropertyID] = [.borderBlockStartWidth, .borderBlockEndWidth]
private let blockStyles: [PropertyID] = [.borderBlockStartStyle, .borderBlockEndStyle]
private let blockColors: [PropertyID] = [.borderBlockStartColor, .borderBlockEndColor]
private let inlineWidths: [PropertyID] = [.borderInlineStartWidth, .borderInlineEndWidth]
private let inlineStyles: [PropertyID] = [.borderInlineStartStyle, .borderInlineEndStyle]
private let inlineColors: [PropertyID] = [.borderInlineStartColor, .borderInlineEndColor]
private let corners: [PropertyID] = [
  .borderTopLeftRadius, .borderTopRightRadius, .borderBottomRightRadius, .borderBottomLeftRadius,
]

/// `place-items`, `place-self`: the block axis, then the inline axis where it differs.
private func pair(_ name: String, _ align: PropertyID, _ justify: PropertyID) -> PropertyGrammar {
  shorthand(name, [align, justify]) { parser in
    guard let first = parser.alignment(selfAlignWords) else { return nil }
    return [(align, .keyword(first)), (justify, .keyword(parser.alignment(selfAlignWords) ?? first))]
  }
}

private let boxShorthands: [PropertyGrammar] = [
  sides("margin", [.marginTop, .marginRight, .marginBottom, .marginLeft], marginValue),
  sides("margin-block", [.marginBlockStart, .marginBlockEnd], marginValue),
  sides("margin-inline", [.marginInlineStart, .marginInlineEnd], marginValue),
  sides("padding", [.paddingTop, .paddingRight, .paddingBottom, .paddingLeft], paddingValue),
  sides("padding-block", [.paddingBlockStart, .paddingBlockEnd], paddingValue),
  sides("padding-inline", [.paddingInlineStart, .paddingInlineEnd], paddingValue),
  sides("inset", [.top, .right, .bottom, .left], marginValue),
  sides("inset-block", [.insetBlockStart, .insetBlockEnd], marginValue),
  sides("inset-inline", [.insetInlineStart, .insetInlineEnd], marginValue),
  sides("border-width", borderWidths, widthValue),
  sides("border-style", borderStyles, styleValue),
  sides("border-color", borderColors, quirkyColorValue),
  sides("border-block-width", blockWidths, plainWidthValue),
  sides("border-block-style", blockStyles, styleValue),
  sides("border-block-color", blockColors, colorValue),
  sides("border-inline-width", inlineWidths, plainWidthValue),
  sides("border-inline-style", inlineStyles, styleValue),
  sides("border-inline-color", inlineColors, colorValue),
  border("border", borderWidths, borderStyles, borderColors),
  border("border-top", [.borderTopWidth], [.borderTopStyle], [.borderTopColor]),
  border("border-right", [.borderRightWidth], [.borderRightStyle], [.borderRightColor]),
  border("border-bottom", [.borderBottomWidth], [.borderBottomStyle], [.borderBottomColor]),
  border("border-left", [.borderLeftWidth], [.borderLeftStyle], [.borderLeftColor]),
  border("border-block", blockWidths, blockStyles, blockColors),
  border("border-inline", inlineWidths, inlineStyles, inlineColors),
  border("border-block-start", [blockWidths[0]], [blockStyles[0]], [blockColors[0]]),
  border("border-block-end", [blockWidths[1]], [blockStyles[1]], [blockColors[1]]),
  border("border-inline-start", [inlineWidths[0]], [inlineStyles[0]], [inlineColors[0]]),
  border("border-inline-end", [inlineWidths[1]], [inlineStyles[1]], [inlineColors[1]]),
  shorthand("border-radius", corners) { parser in
    parser.cornerRadii().map { radii in (0..<4).map { (corners[$0], .lengths([radii.x[$0], radii.y[$0]])) } }
  },
  shorthand("border-image", borderImages) { $0.borderImage() },
  shorthand("outline", [.outlineColor, .outlineStyle, .outlineWidth]) { parser in
    anyOrder(
      &parser,
      [
        (.outlineWidth, plainWidthValue), (.outlineStyle, { $0.keyword(of: outlineStyleWords).map { .keyword($0) } }),
        (.outlineColor, { $0.keyword("invert") ? .color(.currentColor) : colorValue(&$0) }),
      ])
  },
  shorthand("overflow", [.overflowX, .overflowY]) { parser in
    guard let x = parser.keyword(of: overflowWords) else { return nil }
    return [(.overflowX, .keyword(x)), (.overflowY, .keyword(parser.keyword(of: overflowWords) ?? x))]
  },
  shorthand("columns", [.columnWidth, .columnCount]) { parser in
    var width: PropertyValue?
    var count: PropertyValue?
    var autos = 0
    while !parser.isAtEnd {
      if parser.keyword("auto") {
        autos += 1
      } else if count == nil, let number = parser.integer(atLeast: 1) {
        count = .integer(number)
      } else if width == nil, let length = parser.length([.nonNegative]) {
        width = .length(length)
      } else {
        return nil
      }
    }
    let parts = autos + (width == nil ? 0 : 1) + (count == nil ? 0 : 1)
    guard parts == 1 || parts == 2 else { return nil }
    return [(.columnWidth, width ?? .absent), (.columnCount, count ?? .absent)]
  },
  shorthand("column-rule", [.columnRuleWidth, .columnRuleStyle, .columnRuleColor]) { parser in
    anyOrder(
      &parser, [(.columnRuleWidth, plainWidthValue), (.columnRuleStyle, styleValue), (.columnRuleColor, colorValue)])
  },
  shorthand("flex", [.flexGrow, .flexShrink, .flexBasis]) { parser in
    if parser.keyword("none") {
      return [(.flexGrow, .number(0)), (.flexShrink, .number(0)), (.flexBasis, .size(.auto))]
    }
    var grow: Double?
    var shrink: Double?
    var basis: SizeValue?
    while !parser.isAtEnd {
      if grow == nil, let number = parser.number(atLeast: 0) {
        grow = number
        shrink = parser.number(atLeast: 0)
      } else if basis == nil, let size = parser.flexBasis() {
        basis = size
      } else {
        return nil
      }
    }
    guard grow != nil || basis != nil else { return nil }
    return [
      (.flexGrow, .number(Float(grow ?? 1))), (.flexShrink, .number(Float(shrink ?? 1))),
      (.flexBasis, .size(basis ?? .length(.length(Length(0, .percent))))),
    ]
  },
  shorthand("flex-flow", [.flexDirection, .flexWrap]) { parser in
    anyOrder(
      &parser,
      [
        (.flexDirection, { $0.keyword(of: flexDirectionWords).map { .keyword($0) } }),
        (.flexWrap, { $0.keyword(of: flexWrapWords).map { .keyword($0) } }),
      ])
  },
  shorthand("gap", [.rowGap, .columnGap]) { parser in
    guard let row = parser.spacing([.percent, .nonNegative]) else { return nil }
    return [(.rowGap, .spacing(row)), (.columnGap, .spacing(parser.spacing([.percent, .nonNegative]) ?? row))]
  },
  shorthand("place-content", [.alignContent, .justifyContent]) { parser in
    guard let align = parser.alignment(contentAlignWords) else { return nil }
    return [
      (.alignContent, .keyword(align)), (.justifyContent, .keyword(parser.alignment(contentAlignWords) ?? align)),
    ]
  },
  pair("place-items", .alignItems, .justifyItems), pair("place-self", .alignSelf, .justifySelf),
  shorthand(
    "background",
    [
      .backgroundColor, .backgroundImage, .backgroundPositionX, .backgroundPositionY, .backgroundSize,
      .backgroundRepeat, .backgroundAttachment, .backgroundOrigin, .backgroundClip,
    ]
  ) { $0.background() },
  shorthand("background-position", [.backgroundPositionX, .backgroundPositionY]) { parser in
    guard let positions = parser.commaSeparated({ $0.position() }) else { return nil }
    return [(.backgroundPositionX, .lengths(positions.map(\.x))), (.backgroundPositionY, .lengths(positions.map(\.y)))]
  },
]

private let textShorthands: [PropertyGrammar] = [
  shorthand("list-style", [.listStyleType, .listStylePosition, .listStyleImage]) { parser in
    var nones = 0
    var type: ListStyleType?
    var position: UInt8?
    var image: ImageValue?
    while !parser.isAtEnd {
      if parser.keyword("none") {
        nones += 1
      } else if position == nil, let next = parser.keyword(of: listPositionWords) {
        position = next
      } else if image == nil, let next = parser.image() {
        image = next
      } else if type == nil, let next = parser.listStyleType() {
        type = next
      } else {
        return nil
      }
    }
    // Each `none` stands for the type or the image, whichever is not given.
    let free = (type == nil ? 1 : 0) + (image == nil ? 1 : 0)
    guard nones <= free, nones > 0 || type != nil || image != nil || position != nil else { return nil }
    if nones > 0, type == nil { type = ListStyleType.none }
    var values: [(PropertyID, PropertyValue)] = []
    if let type { values.append((.listStyleType, .listStyleType(type))) }
    if let position { values.append((.listStylePosition, .keyword(position))) }
    if let image { values.append((.listStyleImage, .image(image))) }
    return values
  },
  shorthand(
    "text-decoration", [.textDecorationLine, .textDecorationStyle, .textDecorationColor, .textDecorationThickness]
  ) { parser in
    anyOrder(
      &parser,
      [
        (.textDecorationLine, { $0.decorationLine().map { .flags(UInt32($0.rawValue)) } }),
        (.textDecorationStyle, { $0.keyword(of: decorationStyleWords).map { .keyword($0) } }),
        (.textDecorationColor, colorValue),
        (.textDecorationThickness, { $0.decorationThickness() }),
      ])
  },
  shorthand("text-emphasis", [.textEmphasisStyle, .textEmphasisColor]) { parser in
    anyOrder(
      &parser,
      [(.textEmphasisStyle, { $0.emphasisMark().map { .emphasisMark($0) } }), (.textEmphasisColor, colorValue)])
  },
  shorthand("white-space", [.whiteSpaceCollapse, .textWrapMode]) { parser in
    func values(_ collapse: WhiteSpaceCollapse, _ wrap: TextWrapMode) -> [(PropertyID, PropertyValue)] {
      [(.whiteSpaceCollapse, .keyword(collapse.rawValue)), (.textWrapMode, .keyword(wrap.rawValue))]
    }
    if parser.keyword("normal") { return values(.collapse, .wrap) }
    if parser.keyword("pre") { return values(.preserve, .nowrap) }
    if parser.keyword("pre-wrap") || parser.keyword("-moz-pre-wrap") || parser.keyword("-o-pre-wrap")
      || parser.keyword("-pre-wrap")
    {
      return values(.preserve, .wrap)
    }
    if parser.keyword("pre-line") { return values(.preserveBreaks, .wrap) }
    return anyOrder(
      &parser,
      [
        (.whiteSpaceCollapse, { $0.keyword(of: collapseWords).map { .keyword($0) } }),
        (.textWrapMode, { $0.keyword(of: textWrapModeWords).map { .keyword($0) } }),
      ])
  },
  shorthand("text-wrap", [.textWrapMode, .textWrapStyle]) { parser in
    anyOrder(
      &parser,
      [
        (.textWrapMode, { $0.keyword(of: textWrapModeWords).map { .keyword($0) } }),
        (.textWrapStyle, { $0.keyword(of: textWrapStyleWords).map { .keyword($0) } }),
      ])
  },
  PropertyGrammar(name: "all", form: .all),
]
private let listPositionWords = words(ListStylePosition.self)
private let decorationStyleWords = words(TextDecorationStyle.self)

private let variantLonghands: [PropertyID] = [
  .fontVariantCaps, .fontVariantPosition, .fontVariantLigatures, .fontVariantNumeric, .fontVariantEastAsian,
  .fontVariantAlternates, .fontVariantEmoji,
]

private let fontShorthands: [PropertyGrammar] = [
  shorthand("font-variant", variantLonghands) { parser in
    if parser.keyword("normal") { return [] }
    if parser.keyword("none") { return [(.fontVariantLigatures, .flags(FontVariants.noLigatures.rawValue))] }
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
        guard groups[.fontVariantLigatures, default: []].isDisjoint(with: group) else { return nil }
        groups[.fontVariantLigatures, default: []].insert(flag)
      } else if let (flag, group) = parser.variant(numericVariants) {
        guard groups[.fontVariantNumeric, default: []].isDisjoint(with: group) else { return nil }
        groups[.fontVariantNumeric, default: []].insert(flag)
      } else if let (flag, group) = parser.variant(eastAsianVariants) {
        guard groups[.fontVariantEastAsian, default: []].isDisjoint(with: group) else { return nil }
        groups[.fontVariantEastAsian, default: []].insert(flag)
      } else if let part = parser.fontAlternate(), !alternates.contains(where: { $0.kind == part.kind }) {
        alternates.append(part)
      } else {
        return nil
      }
    }
    var values: [(PropertyID, PropertyValue)] = []
    for id in variantLonghands { if let flags = groups[id] { values.append((id, .flags(flags.rawValue))) } }
    if !alternates.isEmpty { values.append((.fontVariantAlternates, .alternates(alternates))) }
    if let caps { values.append((.fontVariantCaps, .keyword(caps))) }
    if let position { values.append((.fontVariantPosition, .keyword(position))) }
    if let emoji { values.append((.fontVariantEmoji, .keyword(emoji))) }
    return values.isEmpty ? nil : values
  },
  shorthand(
    "font-synthesis", [.fontSynthesisWeight, .fontSynthesisStyle, .fontSynthesisSmallCaps, .fontSynthesisPosition]
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
      (.fontSynthesisWeight, .keyword(weight ? 1 : 0)), (.fontSynthesisStyle, .keyword(style ? 1 : 0)),
      (.fontSynthesisSmallCaps, .keyword(smallCaps ? 1 : 0)), (.fontSynthesisPosition, .keyword(position ? 1 : 0)),
    ]
  },
  shorthand(
    "font",
    [
      .fontFamily, .fontSize, .fontWeight, .fontStyle, .fontStretch, .fontSizeAdjust, .fontKerning,
      .fontFeatureSettings, .fontVariationSettings, .fontOpticalSizing, .fontPalette, .lineHeight,
    ] + variantLonghands
  ) { parser in
    for name: StaticString in ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"]
    where parser.keyword(name) {
      return [(.fontFamily, .families([.generic(.systemUI)])), (.fontSize, .fontSize(.rootFactor(1)))]
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
      (.fontSize, .fontSize(size)), (.fontFamily, .families(families)), (.lineHeight, .lineHeight(lineHeight)),
    ]
    if let style { values.append((.fontStyle, style)) }
    if let weight { values.append((.fontWeight, .fontWeight(weight))) }
    if let caps { values.append((.fontVariantCaps, .keyword(caps))) }
    if let stretch { values.append((.fontStretch, .number(stretch))) }
    return values
  },
]

let shorthandGrammars: [PropertyGrammar] = boxShorthands + textShorthands + fontShorthands
