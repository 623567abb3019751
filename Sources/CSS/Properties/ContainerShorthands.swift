let containerShorthands: [ShorthandRow] = [
  ShorthandRow(
    "container", "<'container-name'> [ / <'container-type'> ]?", sample: "a b / inline-size", "CSS Conditional 5, 2.3",
    [.rare(.containerName), .rare(.containerType)]
  ) { parser in
    guard let names = parser.containerNames() else { return nil }
    guard parser.slash() else { return [(.rare(.containerName), names)] }
    return parser.keyword(ContainerType.self).map { [(.rare(.containerName), names), (.rare(.containerType), $0)] }
  },
  ShorthandRow(
    "columns",
    "<'column-width'> || <'column-count'>",
    sample: "12em 2", "CSS Multi-column 1, 3.3",
    [.container(.columnWidth), .container(.columnCount)]
  ) { parser in
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
    return [(.container(.columnWidth), width ?? .absent), (.container(.columnCount), count ?? .absent)]
  },
  ShorthandRow(
    "flex",
    "none | [ <'flex-grow'> <'flex-shrink'>? || <'flex-basis'> ]",
    sample: "2 3 10em", "CSS Flexbox 1, 7.1.1",
    [.container(.flexGrow), .container(.flexShrink), .container(.flexBasis)]
  ) { parser in
    if parser.keyword("none") {
      return [
        (.container(.flexGrow), .number(0)), (.container(.flexShrink), .number(0)),
        (.container(.flexBasis), .size(.auto)),
      ]
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
      (.container(.flexGrow), .number(Float(grow ?? 1))), (.container(.flexShrink), .number(Float(shrink ?? 1))),
      (.container(.flexBasis), .size(basis ?? .length(.length(Length(0, .percent))))),
    ]
  },
  ShorthandRow(
    "flex-flow",
    "<'flex-direction'> || <'flex-wrap'>",
    sample: "column wrap", "CSS Flexbox 1, 5.3",
    [.container(.flexDirection), .container(.flexWrap)]
  ) { parser in
    parser.anyOrder(
      [
        (.container(.flexDirection), { $0.keyword(FlexDirection.self) }),
        (.container(.flexWrap), { $0.keyword(FlexWrap.self) }),
      ])
  },
  ShorthandRow(
    "gap",
    "<'row-gap'> <'column-gap'>?",
    sample: "1em 2em", "CSS Box Alignment 3, 8.2", aliases: ["grid-gap"],
    [.container(.rowGap), .container(.columnGap)]
  ) { parser in
    guard let row = parser.spacing([.percent, .nonNegative]) else { return nil }
    return [
      (.container(.rowGap), .spacing(row)),
      (.container(.columnGap), .spacing(parser.spacing([.percent, .nonNegative]) ?? row)),
    ]
  },
  aligned(
    "place-content", "<'align-content'> <'justify-content'>?", sample: "center space-between",
    "CSS Box Alignment 3, 5.1.3", .alignContent, .justifyContent, contentAlignWords, contentJustifyWords),
  aligned(
    "place-items", "<'align-items'> <'justify-items'>?", sample: "center end", "CSS Box Alignment 3, 7.2", .alignItems,
    .justifyItems, selfAlignWords, selfJustifyWords),
  aligned(
    "place-self", "<'align-self'> <'justify-self'>?", sample: "center end", "CSS Box Alignment 3, 6.2", .alignSelf,
    .justifySelf, selfAlignWords, selfJustifyWords),
]

/// `place-items` and its kin: the block axis, then the inline axis where it differs.
private func aligned(
  _ name: StaticString, _ values: StaticString, sample: StaticString, _ section: StaticString,
  _ align: ContainerProperty, _ justify: ContainerProperty, _ alignWords: KeywordTable, _ justifyWords: KeywordTable
) -> ShorthandRow {
  let ids: [PropertyID] = [.container(align), .container(justify)]
  return ShorthandRow(name, values, sample: sample, section, ids) { parser in
    guard let first = parser.alignmentValue(alignWords) else { return nil }
    return [(ids[0], first), (ids[1], parser.alignmentValue(justifyWords) ?? first)]
  }
}
