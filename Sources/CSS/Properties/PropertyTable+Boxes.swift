import Primitives

let borderStyleWords = words(BorderStyle.self)
let outlineStyleWords = words(BorderStyle.self, except: ["hidden"], also: ["auto": .solid])
let overflowWords = words(Overflow.self, also: ["overlay": .auto, "-moz-hidden-unscrollable": .clip])
let breakWords = words(BreakBetween.self)
let pageBreakWords = words(
  BreakBetween.self, except: ["all", "avoid-page", "recto", "verso", "avoid-column", "column", "always"],
  also: ["always": .page])
let breakInsideWords = words(BreakInside.self)
let flexDirectionWords = words(FlexDirection.self)
let flexWrapWords = words(FlexWrap.self)
let contentAlignWords = words(
  AlignmentValue.self, except: ["auto", "self-start", "self-end", "last-baseline"])
let selfAlignWords = words(
  AlignmentValue.self, except: ["space-between", "space-around", "space-evenly", "last-baseline"])

private func marginRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.margin().map { .margin($0) } }
}
private func paddingRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.lengthPercentage([.percent, .nonNegative, .quirky]).map { .lengthPercentage($0) } }
}
private func sizeRow(_ id: PropertyID, isMaximum: Bool = false) -> PropertyGrammar {
  longhand(id) { parser in parser.size(none: isMaximum).map { .size($0) } }
}
private func widthRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.lineWidth().map { .length($0) } }
}
private func colorRow(_ id: PropertyID, quirky: Bool = false) -> PropertyGrammar {
  longhand(id) { parser in parser.color(quirky: quirky).map { .color($0) } }
}
private func radiusRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in
    guard let x = parser.lengthPercentage([.percent, .nonNegative]) else { return nil }
    if parser.isAtEnd { return .lengths([x, x]) }
    return parser.lengthPercentage([.percent, .nonNegative]).map { .lengths([x, $0]) }
  }
}
private func countersRow(_ id: PropertyID, defaultValue: Int32) -> PropertyGrammar {
  longhand(id) { parser in parser.counterOperations(defaultValue: defaultValue).map { .counters($0) } }
}
private func alignmentRow(_ id: PropertyID, _ table: KeywordTable) -> PropertyGrammar {
  longhand(id) { parser in parser.alignment(table).map { .keyword($0) } }
}
private func numberRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.number(atLeast: 0).map { .number(Float($0)) } }
}
private func gapRow(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.spacing([.percent, .nonNegative]).map { .spacing($0) } }
}

let boxGrammars: [PropertyGrammar] =
  [
    longhand(.display) { parser in parser.display().map { .keyword($0.rawValue) } },
    keywords(.position, words(Position.self, also: ["-webkit-sticky": .sticky])),
    keywords(.float, words(FloatValue.self)),
    keywords(.clear, words(Clear.self, also: ["all": .both])),
    keywords(.boxSizing, words(BoxSizing.self)),
    sizeRow(.width), sizeRow(.height), sizeRow(.minWidth), sizeRow(.minHeight),
    sizeRow(.maxWidth, isMaximum: true), sizeRow(.maxHeight, isMaximum: true),
    marginRow(.marginTop), marginRow(.marginRight), marginRow(.marginBottom), marginRow(.marginLeft),
    paddingRow(.paddingTop), paddingRow(.paddingRight), paddingRow(.paddingBottom), paddingRow(.paddingLeft),
    marginRow(.top), marginRow(.right), marginRow(.bottom), marginRow(.left),
    keywords(.overflowX, overflowWords), keywords(.overflowY, overflowWords),
    longhand(.clip) { parser in
      if parser.keyword("auto") { return .absent }
      return parser.function("rect") { parser in
        var edges: [Length?] = []
        var commas = 0
        for index in 0..<4 {
          if parser.keyword("auto") {
            edges.append(nil)
          } else if let length = parser.length() {
            edges.append(length)
          } else {
            return nil
          }
          if index < 3, parser.comma() { commas += 1 }
        }
        guard commas == 0 || commas == 3 else { return nil }
        return .clip(Sides(top: edges[0], right: edges[1], bottom: edges[2], left: edges[3]))
      }
    },
    longhand(.verticalAlign) { parser in
      if parser.peek().kind == .ident {
        return parser.attempt { parser in
          switch parser.ident() {
          case "baseline": .verticalAlign(.baseline)
          case "sub": .verticalAlign(.sub)
          case "super": .verticalAlign(.super)
          case "top": .verticalAlign(.top)
          case "text-top": .verticalAlign(.textTop)
          case "middle", "-webkit-baseline-middle": .verticalAlign(.middle)
          case "bottom": .verticalAlign(.bottom)
          case "text-bottom": .verticalAlign(.textBottom)
          default: nil
          }
        }
      }
      return parser.lengthPercentage([.percent, .quirky]).map { .verticalAlign(.length($0)) }
    },
    keywords(
      .unicodeBidi,
      words(
        UnicodeBidi.self,
        also: [
          "-webkit-isolate": .isolate, "-moz-isolate": .isolate,
          "-webkit-plaintext": .plaintext, "-moz-plaintext": .plaintext, "-webkit-isolate-override": .isolateOverride,
        ])),
    longhand(.zIndex) { parser in
      if parser.keyword("auto") { return .absent }
      return parser.integer().map { .integer($0) }
    },
    keywords(.tableLayout, words(TableLayoutMode.self)),
    longhand(.content) { parser in parser.content().map { .content($0) } },
    countersRow(.counterReset, defaultValue: 0), countersRow(.counterIncrement, defaultValue: 1),
    countersRow(.counterSet, defaultValue: 0),
    keywords(.objectFit, words(ObjectFit.self)),
    longhand(.objectPosition) { parser in parser.position(threeParts: false).map { .position($0) } },
    longhand(.aspectRatio) { parser in
      var hasAuto = parser.keyword("auto")
      guard let width = parser.number(atLeast: 0) else { return hasAuto ? .absent : nil }
      var height = 1.0
      if parser.slash() {
        guard let given = parser.number(atLeast: 0) else { return nil }
        height = given
      }
      if !hasAuto { hasAuto = parser.keyword("auto") }
      return width > 0 && height > 0 ? .number(Float(width / height)) : .absent
    },
    longhand(.opacity) { parser in parser.numberOrPercentage().map { .number(Float(max(0, min(1, $0)))) } },
    longhand(.transform) { parser in parser.transform().map { .transform($0) } },
    longhand(.translate) { parser in
      if parser.keyword("none") { return .transform([]) }
      guard let x = parser.lengthPercentage() else { return nil }
      let y = parser.lengthPercentage()
      _ = parser.length()
      return .transform([.translate(x, y ?? .zero)])
    },
    longhand(.rotate) { parser in parser.individualRotation().map { .transform($0) } },
    longhand(.scale) { parser in
      if parser.keyword("none") { return .transform([]) }
      guard let x = parser.numberOrPercentage() else { return nil }
      let y = parser.numberOrPercentage()
      _ = parser.numberOrPercentage()
      return .transform([.scale(Float(x), Float(y ?? x))])
    },
    longhand(.transformOrigin) { parser in
      guard
        let position = parser.attempt({ parser -> PositionValue? in
          let position = parser.position()
          return parser.isAtEnd ? position : nil
        })
      else { return nil }
      return .position(position)
    },
    longhand(.columnCount) { parser in
      if parser.keyword("auto") { return .absent }
      return parser.integer(atLeast: 1).map { .integer($0) }
    },
    longhand(.columnWidth) { parser in
      if parser.keyword("auto") { return .absent }
      return parser.length([.nonNegative]).map { .length($0) }
    },
    gapRow(.columnGap), gapRow(.rowGap),
    keywords(.columnFill, words(ColumnFill.self)),
    keywords(.columnSpan, words(ColumnSpan.self)),
    keywords(.flexDirection, flexDirectionWords), keywords(.flexWrap, flexWrapWords),
    numberRow(.flexGrow), numberRow(.flexShrink),
    longhand(.flexBasis) { parser in parser.flexBasis().map { .size($0) } },
    longhand(.order) { parser in parser.integer().map { .integer($0) } },
    alignmentRow(.justifyContent, contentAlignWords), alignmentRow(.alignItems, selfAlignWords),
    alignmentRow(.alignSelf, selfAlignWords), alignmentRow(.alignContent, contentAlignWords),
    alignmentRow(.justifyItems, selfAlignWords), alignmentRow(.justifySelf, selfAlignWords),
    longhand(.textDecorationLine) { parser in parser.decorationLine().map { .flags(UInt32($0.rawValue)) } },
    keywords(.textDecorationStyle, words(TextDecorationStyle.self)),
    colorRow(.textDecorationColor),
    longhand(.textDecorationThickness) { $0.decorationThickness() },
    longhand(.initialLetter) { parser in
      if parser.keyword("normal") { return .initialLetter(0, sink: 0) }
      guard let size = parser.number(atLeast: 1, atMost: 100) else { return nil }
      if parser.keyword("drop") || parser.isAtEnd { return .initialLetter(Float(size), sink: Int32(size)) }
      if parser.keyword("raise") { return .initialLetter(Float(size), sink: 1) }
      return parser.integer(atLeast: 1).map { .initialLetter(Float(size), sink: $0) }
    },
  ]
  + [
    widthRow(.borderTopWidth), widthRow(.borderRightWidth), widthRow(.borderBottomWidth), widthRow(.borderLeftWidth),
    keywords(.borderTopStyle, borderStyleWords), keywords(.borderRightStyle, borderStyleWords),
    keywords(.borderBottomStyle, borderStyleWords), keywords(.borderLeftStyle, borderStyleWords),
    colorRow(.borderTopColor, quirky: true), colorRow(.borderRightColor, quirky: true),
    colorRow(.borderBottomColor, quirky: true), colorRow(.borderLeftColor, quirky: true),
    radiusRow(.borderTopLeftRadius), radiusRow(.borderTopRightRadius), radiusRow(.borderBottomRightRadius),
    radiusRow(.borderBottomLeftRadius),
    longhand(.outlineWidth) { parser in parser.lineWidth([.nonNegative]).map { .length($0) } },
    keywords(.outlineStyle, outlineStyleWords),
    longhand(.outlineColor) { parser in
      if parser.keyword("invert") || parser.keyword("auto") { return .color(.currentColor) }
      return parser.color().map { .color($0) }
    },
    longhand(.outlineOffset) { parser in parser.length().map { .length($0) } },
    longhand(.boxShadow) { parser in parser.shadows(forText: false).map { .shadows($0) } },
    longhand(.columnRuleWidth) { parser in parser.lineWidth([.nonNegative]).map { .length($0) } },
    keywords(.columnRuleStyle, borderStyleWords), colorRow(.columnRuleColor),
    keywords(.breakBefore, breakWords), keywords(.breakAfter, breakWords), keywords(.breakInside, breakInsideWords),
    PropertyGrammar(
      name: "page-break-before",
      form: .longhand(.breakBefore) { parser in parser.keyword(of: pageBreakWords).map { .keyword($0) } }),
    PropertyGrammar(
      name: "page-break-after",
      form: .longhand(.breakAfter) { parser in parser.keyword(of: pageBreakWords).map { .keyword($0) } }),
    PropertyGrammar(
      name: "page-break-inside",
      form: .longhand(.breakInside) { parser in
        if parser.keyword("auto") { return .keyword(BreakInside.auto.rawValue) }
        return parser.keyword("avoid") ? .keyword(BreakInside.avoid.rawValue) : nil
      }),
    keywords(.boxDecorationBreak, words(BoxDecorationBreak.self)),
    longhand(.page) { parser in
      if parser.keyword("auto") { return .string("") }
      return parser.customIdent().map { .string($0) }
    },
    keywords(.footnotePolicy, words(FootnotePolicy.self)),
    keywords(.footnoteDisplay, words(FootnoteDisplay.self)),
    longhand(.stringSet) { parser in parser.namedStrings().map { .namedStrings($0) } },
  ]
  + logicalGrammars

/// Logical longhands, with the grammar of their physical siblings.
private let logicalGrammars: [PropertyGrammar] = PropertyID.allCases.filter { $0.isLogical }.map { id in
  let physical = id.physical(.horizontalTB, .ltr)
  switch physical {
  case .marginTop, .marginRight, .marginBottom, .marginLeft, .top, .right, .bottom, .left: return marginRow(id)
  case .paddingTop, .paddingRight, .paddingBottom, .paddingLeft: return paddingRow(id)
  case .borderTopWidth, .borderRightWidth, .borderBottomWidth, .borderLeftWidth: return widthRow(id)
  case .borderTopStyle, .borderRightStyle, .borderBottomStyle, .borderLeftStyle:
    return keywords(id, borderStyleWords)
  case .borderTopColor, .borderRightColor, .borderBottomColor, .borderLeftColor: return colorRow(id)
  case .borderTopLeftRadius, .borderTopRightRadius, .borderBottomRightRadius, .borderBottomLeftRadius:
    return radiusRow(id)
  case .maxWidth, .maxHeight: return sizeRow(id, isMaximum: true)
  case .overflowX, .overflowY: return keywords(id, overflowWords)
  default: return sizeRow(id)
  }
}

extension ValueParser {
  /// `display`, in one keyword or as outside and inside (CSS Display 3, section 2).
  mutating func display() -> Display? {
    var names: [String] = []
    while let name = ident() { names.append(name) }
    if names.count == 1 { return Self.displays[names[0]] }
    guard names.count > 1, names.count < 4 else { return nil }
    var isInline: Bool?
    var inside: String?
    var isListItem = false
    for name in names {
      switch name {
      case "block" where isInline == nil: isInline = false
      case "inline" where isInline == nil: isInline = true
      case "list-item" where !isListItem: isListItem = true
      case "flow", "flow-root", "table", "flex", "grid", "ruby", "math":
        if inside != nil { return nil }
        inside = name
      default: return nil
      }
    }
    if isListItem {
      guard inside == nil || inside == "flow" || inside == "flow-root" else { return nil }
      return isInline == true ? .inlineListItem : .listItem
    }
    switch inside {
    case "flow", nil: return isInline == true ? .inline : .block
    case "flow-root": return isInline == true ? .inlineBlock : .flowRoot
    case "table": return isInline == true ? .inlineTable : .table
    case "flex": return isInline == true ? .inlineFlex : .flex
    case "grid": return isInline == true ? .inlineGrid : .grid
    case "math": return isInline == false ? .block : .inline
    default: return isInline == false ? .block : .ruby
    }
  }

  private static let displays: [String: Display] = [
    "none": Display.none, "contents": .contents, "block": .block, "inline": .inline, "inline-block": .inlineBlock,
    "flow-root": .flowRoot, "list-item": .listItem, "table": .table, "inline-table": .inlineTable,
    "table-row-group": .tableRowGroup, "table-header-group": .tableHeaderGroup,
    "table-footer-group": .tableFooterGroup, "table-row": .tableRow, "table-column-group": .tableColumnGroup,
    "table-column": .tableColumn, "table-cell": .tableCell, "table-caption": .tableCaption, "flex": .flex,
    "inline-flex": .inlineFlex, "grid": .grid, "inline-grid": .inlineGrid, "ruby": .ruby, "ruby-base": .rubyBase,
    "ruby-text": .rubyText, "ruby-base-container": .rubyBaseContainer, "ruby-text-container": .rubyTextContainer,
    "flow": .block, "math": .inline, "-webkit-box": .flex, "-webkit-flex": .flex, "-ms-flexbox": .flex,
    "-moz-box": .flex, "-webkit-inline-box": .inlineFlex, "-webkit-inline-flex": .inlineFlex,
    "-ms-inline-flexbox": .inlineFlex, "-ms-grid": .grid,
  ]

  /// A value of CSS Box Alignment 3, section 4; `safe` and `unsafe` are read and dropped.
  mutating func alignment(_ table: KeywordTable) -> UInt8? {
    _ = keyword("legacy")
    if keyword("first") { return keyword("baseline") ? AlignmentValue.baseline.rawValue : nil }
    if keyword("last") { return keyword("baseline") ? AlignmentValue.lastBaseline.rawValue : nil }
    if !keyword("safe") { _ = keyword("unsafe") }
    return keyword(of: table)
  }

  mutating func flexBasis() -> SizeValue? {
    keyword("content") ? .maxContent : size([.percent, .nonNegative])
  }

  /// `text-decoration-line`; `blink` may be said and does nothing.
  mutating func decorationLine() -> TextDecorationLine? {
    if keyword("none") { return [] }
    var lines: TextDecorationLine = []
    var count = 0
    while true {
      if !lines.contains(.underline), keyword("underline") {
        lines.insert(.underline)
      } else if !lines.contains(.overline), keyword("overline") {
        lines.insert(.overline)
      } else if !lines.contains(.lineThrough), keyword("line-through") {
        lines.insert(.lineThrough)
      } else if !keyword("blink") {
        break
      }
      count += 1
    }
    return count == 0 ? nil : lines
  }
}
