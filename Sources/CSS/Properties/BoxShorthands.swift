/// One to four values for top, right, bottom and left, or one or two for start and end.
func sides(_ ids: [PropertyID], _ value: @escaping LonghandParser) -> ShorthandParser {
  { parser in
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

/// The row of a shorthand for the sides of a box or the two ends of an axis.
func sidesRow(
  _ name: StaticString, _ values: StaticString, sample: StaticString, _ section: StaticString, _ ids: [PropertyID],
  _ value: @escaping LonghandParser
) -> ShorthandRow {
  ShorthandRow(name, values, sample: sample, section, ids, sides(ids, value))
}

extension ValueParser {
  /// Parts in any order, each at most once, at least one.
  mutating func anyOrder(_ parts: [(PropertyID, LonghandParser)]) -> [(PropertyID, PropertyValue)]? {
    var found: [(PropertyID, PropertyValue)] = []
    while !isAtEnd {
      var next: (PropertyID, PropertyValue)?
      for part in parts where next == nil && !found.contains(where: { $0.0 == part.0 }) {
        next = part.1(&self).map { (part.0, $0) }
      }
      guard let next else { return nil }
      found.append(next)
    }
    return found.isEmpty ? nil : found
  }
}

/// `all` sets every property but the direction of text and what the engine sets itself (CSS Cascade 4, section 3.2).
private let allLonghands: [PropertyID] = PropertyID.allCases.filter {
  switch $0 {
  case .paragraph(.direction), .box(.unicodeBidi), .text(.xLanguage), .paragraph(.xConventions), .logical: false
  default: true
  }
}

let boxShorthands: [ShorthandRow] = [
  sidesRow(
    "margin", "[ <length-percentage> | auto ]{1,4}", sample: "1px 2% auto 0", "CSS Box 3, 3.2",
    [.box(.marginTop), .box(.marginRight), .box(.marginBottom), .box(.marginLeft)]
  ) { $0.marginValue() },
  sidesRow(
    "margin-block", "[ <length-percentage> | auto ]{1,2}", sample: "1em auto", "CSS Logical 1, 4.2",
    [.logical(.marginBlockStart), .logical(.marginBlockEnd)]
  ) { $0.marginValue() },
  sidesRow(
    "margin-inline", "[ <length-percentage> | auto ]{1,2}", sample: "1em auto", "CSS Logical 1, 4.2",
    [.logical(.marginInlineStart), .logical(.marginInlineEnd)]
  ) { $0.marginValue() },
  sidesRow(
    "padding", "<length-percentage [0,∞]>{1,4}", sample: "1px 2% 3em", "CSS Box 3, 4.2",
    [.box(.paddingTop), .box(.paddingRight), .box(.paddingBottom), .box(.paddingLeft)]
  ) { $0.paddingValue() },
  sidesRow(
    "padding-block", "<length-percentage [0,∞]>{1,2}", sample: "1em 2px", "CSS Logical 1, 4.4",
    [.logical(.paddingBlockStart), .logical(.paddingBlockEnd)]
  ) { $0.paddingValue() },
  sidesRow(
    "padding-inline", "<length-percentage [0,∞]>{1,2}", sample: "1em 2px", "CSS Logical 1, 4.4",
    [.logical(.paddingInlineStart), .logical(.paddingInlineEnd)]
  ) { $0.paddingValue() },
  sidesRow(
    "inset", "[ <length-percentage> | auto ]{1,4}", sample: "1px 2% auto 0", "CSS Positioned Layout 3, 3.2",
    [.box(.top), .box(.right), .box(.bottom), .box(.left)]
  ) { $0.marginValue() },
  sidesRow(
    "inset-block", "[ <length-percentage> | auto ]{1,2}", sample: "1em auto", "CSS Logical 1, 4.3",
    [.logical(.insetBlockStart), .logical(.insetBlockEnd)]
  ) { $0.marginValue() },
  sidesRow(
    "inset-inline", "[ <length-percentage> | auto ]{1,2}", sample: "1em auto", "CSS Logical 1, 4.3",
    [.logical(.insetInlineStart), .logical(.insetInlineEnd)]
  ) { $0.marginValue() },
  ShorthandRow(
    "overflow", "[ visible | hidden | clip | scroll | auto ]{1,2}", sample: "hidden scroll", "CSS Overflow 3, 3.1",
    [.box(.overflowX), .box(.overflowY)]
  ) { parser in
    guard let x = parser.keyword(overflowWords) else { return nil }
    return [(.box(.overflowX), x), (.box(.overflowY), parser.keyword(overflowWords) ?? x)]
  },
  ShorthandRow(
    "background", "<bg-layer># , <final-bg-layer>",
    sample: "url(a.png) right bottom / cover no-repeat fixed content-box, linear-gradient(red, blue) #eee",
    "CSS Backgrounds 3, 2.10",
    BackgroundProperty.allCases.filter { $0 != .backgroundBlendMode }.map(PropertyID.background)
  ) { $0.background() },
  ShorthandRow(
    "contain-intrinsic-size", "[ auto? [ none | <length [0,∞]> ] ]{1,2}", sample: "10px auto 20px", "CSS Sizing 4, 5.2",
    [.rare(.containIntrinsicWidth), .rare(.containIntrinsicHeight)]
  ) { parser in
    guard let width = parser.containIntrinsicSize() else { return nil }
    return [
      (.rare(.containIntrinsicWidth), width),
      (.rare(.containIntrinsicHeight), parser.isAtEnd ? width : parser.containIntrinsicSize() ?? width),
    ]
  },
  ShorthandRow(
    "mask", "<mask-layer>#", sample: "url(a.png) 50% / cover no-repeat luminance", "CSS Masking 1, 7.9",
    [
      .rare(.maskImage), .rare(.maskMode), .rare(.maskRepeat), .rare(.maskPosition), .rare(.maskClip),
      .rare(.maskOrigin), .rare(.maskSize), .rare(.maskComposite),
    ]
  ) { $0.mask() },
  ShorthandRow(
    "background-position", "<position>#", sample: "right 3px bottom", "CSS Backgrounds 3, 2.6",
    [.background(.backgroundPositionX), .background(.backgroundPositionY)]
  ) { parser in
    guard let positions = parser.commaSeparated({ $0.position() }) else { return nil }
    return [
      (.background(.backgroundPositionX), .lengths(positions.map(\.x))),
      (.background(.backgroundPositionY), .lengths(positions.map(\.y))),
    ]
  },
  pageBreak("page-break-before", .page(.breakBefore)), pageBreak("page-break-after", .page(.breakAfter)),
  ShorthandRow(
    "page-break-inside", "auto | avoid", sample: "avoid", "CSS Fragmentation 3, 3.4", [.page(.breakInside)]
  ) { parser in
    if parser.keyword("auto") { return [(.page(.breakInside), .keyword(BreakInside.auto.rawValue))] }
    return parser.keyword("avoid") ? [(.page(.breakInside), .keyword(BreakInside.avoid.rawValue))] : nil
  },
  ShorthandRow("all", "", sample: "inherit", "CSS Cascade 4, 3.2", allLonghands) { _ in nil },
]

/// `page-break-before` and `-after`, of old (CSS Fragmentation 3, section 3.4).
private func pageBreak(_ name: StaticString, _ id: PropertyID) -> ShorthandRow {
  ShorthandRow(
    name, "auto | always | avoid | left | right | page", sample: "always", "CSS Fragmentation 3, 3.4", [id]
  ) { parser in parser.keyword(pageBreakWords).map { [(id, $0)] } }
}
