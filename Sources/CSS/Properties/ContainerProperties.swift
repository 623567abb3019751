/// Not inherited: properties of containers of several columns, of flexible boxes, and the alignment of what is in them.
package enum ContainerProperty: UInt8, CaseIterable, Hashable, Sendable {
  case columnCount, columnWidth, columnGap, rowGap, columnFill, columnSpan
  case flexDirection, flexWrap, flexGrow, flexShrink, flexBasis, order
  case justifyContent, alignItems, alignSelf, alignContent, justifyItems, justifySelf

  package var row: PropertyRow {
    switch self {
    case .columnCount:
      PropertyRow("column-count", "auto | <integer [1,∞]>", initial: "auto", sample: "2", "CSS Multi-column 1, 3.2") {
        $0.autoOrInteger(atLeast: 1)
      }
    case .columnWidth:
      PropertyRow(
        "column-width", "auto | <length [0,∞]>", initial: "auto", sample: "12em", "CSS Multi-column 1, 3.1"
      ) { $0.columnWidth() }
    case .columnGap:
      PropertyRow(
        "column-gap", "normal | <length-percentage [0,∞]>", initial: "normal", sample: "2em",
        "CSS Box Alignment 3, 8.1",
        aliases: ["grid-column-gap"]
      ) { $0.gapValue() }
    case .rowGap:
      PropertyRow(
        "row-gap", "normal | <length-percentage [0,∞]>", initial: "normal", sample: "2em", "CSS Box Alignment 3, 8.1",
        aliases: ["grid-row-gap"]
      ) { $0.gapValue() }
    case .columnFill:
      PropertyRow(
        "column-fill", "balance | auto | balance-all", initial: "balance", sample: "auto", "CSS Multi-column 1, 7.1"
      ) { $0.keyword(ColumnFill.self) }
    case .columnSpan:
      PropertyRow("column-span", "none | all", initial: "none", sample: "all", "CSS Multi-column 1, 6.1") {
        $0.keyword(ColumnSpan.self)
      }
    case .flexDirection:
      PropertyRow(
        "flex-direction", "row | row-reverse | column | column-reverse", initial: "row", sample: "column",
        "CSS Flexbox 1, 5.1"
      ) { $0.keyword(FlexDirection.self) }
    case .flexWrap:
      PropertyRow("flex-wrap", "nowrap | wrap | wrap-reverse", initial: "nowrap", sample: "wrap", "CSS Flexbox 1, 5.2")
      {
        $0.keyword(FlexWrap.self)
      }
    case .flexGrow:
      PropertyRow("flex-grow", "<number [0,∞]>", initial: "0", sample: "2", "CSS Flexbox 1, 7.2.1") { parser in
        parser.number(atLeast: 0).map { .number(Float($0)) }
      }
    case .flexShrink:
      PropertyRow("flex-shrink", "<number [0,∞]>", initial: "1", sample: "2", "CSS Flexbox 1, 7.2.2") { parser in
        parser.number(atLeast: 0).map { .number(Float($0)) }
      }
    case .flexBasis:
      PropertyRow(
        "flex-basis", "content | auto | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch",
        initial: "auto", sample: "10em", "CSS Flexbox 1, 7.2.3"
      ) { parser in parser.flexBasis().map { .size($0) } }
    case .order:
      PropertyRow("order", "<integer>", initial: "0", sample: "-1", "CSS Display 3, 3") { parser in
        parser.integer().map { .integer($0) }
      }
    case .justifyContent: Self.content("justify-content", isInline: true)
    case .alignItems: Self.items("align-items", initial: "normal", isInline: false)
    case .alignSelf: Self.items("align-self", initial: "auto", isInline: false)
    case .alignContent: Self.content("align-content", isInline: false)
    case .justifyItems: Self.items("justify-items", initial: "normal", isInline: true)
    case .justifySelf: Self.items("justify-self", initial: "auto", isInline: true)
    }
  }

  /// Only the inline axis has a left and a right.
  private static func content(_ name: StaticString, isInline: Bool) -> PropertyRow {
    PropertyRow(
      name,
      isInline
        ? """
        normal | [ first | last ]? baseline | [ safe | unsafe ]? [ stretch | start | end | flex-start | flex-end | \
        center | left | right | space-between | space-around | space-evenly ]
        """
        : """
        normal | [ first | last ]? baseline | [ safe | unsafe ]? [ stretch | start | end | flex-start | flex-end | \
        center | space-between | space-around | space-evenly ]
        """, initial: "normal", sample: "space-between", "CSS Box Alignment 3, 5.1"
    ) { $0.alignmentValue(isInline ? contentJustifyWords : contentAlignWords) }
  }
  private static func items(_ name: StaticString, initial: StaticString, isInline: Bool) -> PropertyRow {
    PropertyRow(
      name,
      isInline
        ? """
        auto | normal | [ first | last ]? baseline | [ safe | unsafe | legacy ]? [ stretch | start | end | \
        self-start | self-end | flex-start | flex-end | center | left | right ]
        """
        : """
        auto | normal | [ first | last ]? baseline | [ safe | unsafe | legacy ]? [ stretch | start | end | \
        self-start | self-end | flex-start | flex-end | center ]
        """, initial: initial, sample: "center", "CSS Box Alignment 3, 6"
    ) { $0.alignmentValue(isInline ? selfJustifyWords : selfAlignWords) }
  }
}
