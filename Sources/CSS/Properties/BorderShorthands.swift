private let widths: [PropertyID] = [
  .border(.borderTopWidth), .border(.borderRightWidth), .border(.borderBottomWidth), .border(.borderLeftWidth),
]
private let styles: [PropertyID] = [
  .border(.borderTopStyle), .border(.borderRightStyle), .border(.borderBottomStyle), .border(.borderLeftStyle),
]
private let colors: [PropertyID] = [
  .border(.borderTopColor), .border(.borderRightColor), .border(.borderBottomColor), .border(.borderLeftColor),
]
private let images: [PropertyID] = [
  .border(.borderImageSource), .border(.borderImageSlice), .border(.borderImageWidth), .border(.borderImageOutset),
  .border(.borderImageRepeat),
]
private let blockWidths: [PropertyID] = [.logical(.borderBlockStartWidth), .logical(.borderBlockEndWidth)]
private let blockStyles: [PropertyID] = [.logical(.borderBlockStartStyle), .logical(.borderBlockEndStyle)]
private let blockColors: [PropertyID] = [.logical(.borderBlockStartColor), .logical(.borderBlockEndColor)]
private let inlineWidths: [PropertyID] = [.logical(.borderInlineStartWidth), .logical(.borderInlineEndWidth)]
private let inlineStyles: [PropertyID] = [.logical(.borderInlineStartStyle), .logical(.borderInlineEndStyle)]
private let inlineColors: [PropertyID] = [.logical(.borderInlineStartColor), .logical(.borderInlineEndColor)]
private let corners: [PropertyID] = [
  .border(.borderTopLeftRadius), .border(.borderTopRightRadius), .border(.borderBottomRightRadius),
  .border(.borderBottomLeftRadius),
]

private let sideWidth: LonghandParser = { $0.widthValue(isQuirky: false) }
private let sideStyle: LonghandParser = { $0.keyword(BorderStyle.self) }
private let sideColor: LonghandParser = { $0.colorValue() }

/// `border` and its kin: width, style and colour for one or more sides. `border` itself also takes away the image
/// (CSS Backgrounds 3, section 3.4).
private func border(
  _ name: StaticString, _ section: StaticString, _ widths: [PropertyID],
  _ styles: [PropertyID], _ colors: [PropertyID], resets: [PropertyID] = []
) -> ShorthandRow {
  ShorthandRow(
    name, "<border-width> || <border-style> || <color>", sample: "2px dashed red", section,
    widths + styles + colors + resets
  ) { parser in
    let order: [(PropertyID, LonghandParser)] = [
      (widths[0], sideWidth), (styles[0], sideStyle), (colors[0], sideColor),
    ]
    guard let parts = parser.anyOrder(order) else { return nil }
    return parts.flatMap { part in
      let all = part.0 == widths[0] ? widths : part.0 == styles[0] ? styles : colors
      return all.map { ($0, part.1) }
    }
  }
}

let borderShorthands: [ShorthandRow] = [
  sidesRow("border-width", "<border-width>{1,4}", sample: "1px 2px thick", "CSS Backgrounds 3, 3.3", widths) {
    $0.widthValue(isQuirky: true)
  },
  sidesRow("border-style", "<border-style>{1,4}", sample: "solid dotted", "CSS Backgrounds 3, 3.2", styles) {
    $0.keyword(BorderStyle.self)
  },
  sidesRow("border-color", "<color>{1,4}", sample: "red #123456", "CSS Backgrounds 3, 3.1", colors) {
    $0.colorValue(isQuirky: true)
  },
  sidesRow("border-block-width", "<border-width>{1,2}", sample: "1px thick", "CSS Logical 1, 4.5.1", blockWidths) {
    $0.widthValue(isQuirky: false)
  },
  sidesRow("border-block-style", "<border-style>{1,2}", sample: "solid dotted", "CSS Logical 1, 4.5.2", blockStyles) {
    $0.keyword(BorderStyle.self)
  },
  sidesRow("border-block-color", "<color>{1,2}", sample: "red blue", "CSS Logical 1, 4.5.3", blockColors) {
    $0.colorValue()
  },
  sidesRow("border-inline-width", "<border-width>{1,2}", sample: "1px thick", "CSS Logical 1, 4.5.1", inlineWidths) {
    $0.widthValue(isQuirky: false)
  },
  sidesRow("border-inline-style", "<border-style>{1,2}", sample: "solid dotted", "CSS Logical 1, 4.5.2", inlineStyles) {
    $0.keyword(BorderStyle.self)
  },
  sidesRow("border-inline-color", "<color>{1,2}", sample: "red blue", "CSS Logical 1, 4.5.3", inlineColors) {
    $0.colorValue()
  },
  border("border", "CSS Backgrounds 3, 3.4", widths, styles, colors, resets: images),
  border("border-top", "CSS Backgrounds 3, 3.4", [widths[0]], [styles[0]], [colors[0]]),
  border("border-right", "CSS Backgrounds 3, 3.4", [widths[1]], [styles[1]], [colors[1]]),
  border("border-bottom", "CSS Backgrounds 3, 3.4", [widths[2]], [styles[2]], [colors[2]]),
  border("border-left", "CSS Backgrounds 3, 3.4", [widths[3]], [styles[3]], [colors[3]]),
  border("border-block", "CSS Logical 1, 4.5.4", blockWidths, blockStyles, blockColors),
  border("border-block-start", "CSS Logical 1, 4.5.4", [blockWidths[0]], [blockStyles[0]], [blockColors[0]]),
  border("border-block-end", "CSS Logical 1, 4.5.4", [blockWidths[1]], [blockStyles[1]], [blockColors[1]]),
  border("border-inline", "CSS Logical 1, 4.5.4", inlineWidths, inlineStyles, inlineColors),
  border("border-inline-start", "CSS Logical 1, 4.5.4", [inlineWidths[0]], [inlineStyles[0]], [inlineColors[0]]),
  border("border-inline-end", "CSS Logical 1, 4.5.4", [inlineWidths[1]], [inlineStyles[1]], [inlineColors[1]]),
  ShorthandRow(
    "border-radius", "<length-percentage [0,∞]>{1,4} [ / <length-percentage [0,∞]>{1,4} ]?", sample: "1px 2px / 10%",
    "CSS Backgrounds 3, 4.3", corners
  ) { parser in
    parser.cornerRadii().map { radii in (0..<4).map { (corners[$0], .lengths([radii.x[$0], radii.y[$0]])) } }
  },
  ShorthandRow(
    "border-image",
    """
    <'border-image-source'> || <'border-image-slice'> [ / <'border-image-width'> | / <'border-image-width'>? / \
    <'border-image-outset'> ]? || <'border-image-repeat'>
    """, sample: "url(a.png) 30 fill / 2px / 1 round", "CSS Backgrounds 3, 5.7", images
  ) { $0.borderImage() },
  ShorthandRow(
    "outline", "<'outline-width'> || <'outline-style'> || <'outline-color'>", sample: "2px dotted red",
    "CSS Basic User Interface 4, 3.1",
    [.border(.outlineColor), .border(.outlineStyle), .border(.outlineWidth)]
  ) { parser in
    parser.anyOrder([
      (.border(.outlineWidth), { $0.widthValue(isQuirky: false) }),
      (.border(.outlineStyle), { $0.keyword(OutlineStyle.self) }),
      (.border(.outlineColor), { $0.keyword("invert") ? .color(.currentColor) : $0.colorValue() }),
    ])
  },
  ShorthandRow(
    "column-rule", "<'column-rule-width'> || <'column-rule-style'> || <'column-rule-color'>", sample: "1px solid red",
    "CSS Multi-column 1, 4.5",
    [.border(.columnRuleWidth), .border(.columnRuleStyle), .border(.columnRuleColor)]
  ) { parser in
    parser.anyOrder([
      (.border(.columnRuleWidth), { $0.widthValue(isQuirky: false) }),
      (.border(.columnRuleStyle), { $0.keyword(BorderStyle.self) }),
      (.border(.columnRuleColor), { $0.colorValue() }),
    ])
  },
]
