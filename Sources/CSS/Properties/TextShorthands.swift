let textShorthands: [ShorthandRow] = [
  ShorthandRow(
    "list-style",
    "<'list-style-position'> || <'list-style-image'> || <'list-style-type'>",
    sample: "square inside url(a.png)", "CSS Lists 3, 3.6",
    [.list(.listStyleType), .list(.listStylePosition), .list(.listStyleImage)]
  ) { parser in
    var nones = 0
    var type: ListStyleType?
    var position: PropertyValue?
    var image: ImageValue?
    while !parser.isAtEnd {
      if parser.keyword("none") {
        nones += 1
      } else if position == nil, let next = parser.keyword(ListStylePosition.self) {
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
    if let type { values.append((.list(.listStyleType), .listStyleType(type))) }
    if let position { values.append((.list(.listStylePosition), position)) }
    if let image { values.append((.list(.listStyleImage), .image(image))) }
    return values
  },
  ShorthandRow(
    "text-decoration",
    "<'text-decoration-line'> || <'text-decoration-style'> || <'text-decoration-color'> || <'text-decoration-thickness'>",
    sample: "underline wavy red 2px", "CSS Text Decoration 4, 2.5",
    [.box(.textDecorationLine), .box(.textDecorationStyle), .box(.textDecorationColor), .box(.textDecorationThickness)]
  ) { parser in
    parser.anyOrder(
      [
        (.box(.textDecorationLine), { $0.decorationLineValue() }),
        (.box(.textDecorationStyle), { $0.keyword(TextDecorationStyle.self) }),
        (.box(.textDecorationColor), { $0.colorValue() }),
        (.box(.textDecorationThickness), { $0.decorationThickness() }),
      ])
  },
  ShorthandRow(
    "text-emphasis",
    "<'text-emphasis-style'> || <'text-emphasis-color'>",
    sample: "open dot red", "CSS Text Decoration 3, 3.3",
    [.text(.textEmphasisStyle), .text(.textEmphasisColor)]
  ) { parser in
    parser.anyOrder(
      [
        (.text(.textEmphasisStyle), { $0.emphasisMark().map { .emphasisMark($0) } }),
        (.text(.textEmphasisColor), { $0.colorValue() }),
      ])
  },
  ShorthandRow(
    "white-space",
    "normal | pre | pre-wrap | pre-line | <'white-space-collapse'> || <'text-wrap-mode'>",
    sample: "preserve nowrap", "CSS Text 4, 3",
    [.text(.whiteSpaceCollapse), .text(.textWrapMode)]
  ) { parser in
    func values(_ collapse: WhiteSpaceCollapse, _ wrap: TextWrapMode) -> [(PropertyID, PropertyValue)] {
      [(.text(.whiteSpaceCollapse), .keyword(collapse.rawValue)), (.text(.textWrapMode), .keyword(wrap.rawValue))]
    }
    if parser.keyword("normal") { return values(.collapse, .wrap) }
    if parser.keyword("pre") { return values(.preserve, .nowrap) }
    if parser.keyword("pre-wrap") || parser.keyword("-moz-pre-wrap") || parser.keyword("-o-pre-wrap")
      || parser.keyword("-pre-wrap")
    {
      return values(.preserve, .wrap)
    }
    if parser.keyword("pre-line") { return values(.preserveBreaks, .wrap) }
    return parser.anyOrder(
      [
        (.text(.whiteSpaceCollapse), { $0.keyword(collapseWords) }),
        (.text(.textWrapMode), { $0.keyword(TextWrapMode.self) }),
      ])
  },
  ShorthandRow(
    "text-box", "normal | <'text-box-trim'> || <'text-box-edge'>", sample: "trim-start cap alphabetic",
    "CSS Inline 3, 6.3", [.rare(.textBoxTrim), .paragraph(.textBoxEdge)]
  ) { parser in
    if parser.keyword("normal") { return [] }
    let values = parser.anyOrder(
      [(.rare(.textBoxTrim), { $0.keyword(TextBoxTrim.self) }), (.paragraph(.textBoxEdge), { $0.textBoxEdge() })])
    guard let values, !values.contains(where: { $0.0 == .rare(.textBoxTrim) }) else { return values }
    // An edge alone trims both sides.
    return values + [(.rare(.textBoxTrim), .keyword(TextBoxTrim.both.rawValue))]
  },
  ShorthandRow(
    "text-wrap",
    "<'text-wrap-mode'> || <'text-wrap-style'>",
    sample: "nowrap balance", "CSS Text 4, 6.4",
    [.text(.textWrapMode), .paragraph(.textWrapStyle)]
  ) { parser in
    parser.anyOrder(
      [
        (.text(.textWrapMode), { $0.keyword(TextWrapMode.self) }),
        (.paragraph(.textWrapStyle), { $0.keyword(TextWrapStyle.self) }),
      ])
  },
]
