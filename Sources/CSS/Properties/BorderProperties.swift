/// Not inherited: properties of borders, outlines, shadows and the rules between columns.
package enum BorderProperty: UInt8, CaseIterable, Hashable, Sendable {
  case borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth
  case borderTopStyle, borderRightStyle, borderBottomStyle, borderLeftStyle
  case borderTopColor, borderRightColor, borderBottomColor, borderLeftColor
  case borderTopLeftRadius, borderTopRightRadius, borderBottomRightRadius, borderBottomLeftRadius
  case outlineWidth, outlineStyle, outlineColor, outlineOffset, boxShadow
  case borderImageSource, borderImageSlice, borderImageWidth, borderImageOutset, borderImageRepeat
  case columnRuleWidth, columnRuleStyle, columnRuleColor

  package var row: PropertyRow {
    switch self {
    case .borderTopWidth: Self.width("border-top-width")
    case .borderRightWidth: Self.width("border-right-width")
    case .borderBottomWidth: Self.width("border-bottom-width")
    case .borderLeftWidth: Self.width("border-left-width")
    case .borderTopStyle: Self.style("border-top-style")
    case .borderRightStyle: Self.style("border-right-style")
    case .borderBottomStyle: Self.style("border-bottom-style")
    case .borderLeftStyle: Self.style("border-left-style")
    case .borderTopColor: Self.color("border-top-color")
    case .borderRightColor: Self.color("border-right-color")
    case .borderBottomColor: Self.color("border-bottom-color")
    case .borderLeftColor: Self.color("border-left-color")
    case .borderTopLeftRadius: Self.radius("border-top-left-radius", old: "-moz-border-radius-topleft")
    case .borderTopRightRadius: Self.radius("border-top-right-radius", old: "-moz-border-radius-topright")
    case .borderBottomRightRadius: Self.radius("border-bottom-right-radius", old: "-moz-border-radius-bottomright")
    case .borderBottomLeftRadius: Self.radius("border-bottom-left-radius", old: "-moz-border-radius-bottomleft")
    case .outlineWidth:
      PropertyRow(
        "outline-width", "<length [0,∞]> | thin | medium | thick", initial: "medium", sample: "2px",
        "CSS Basic User Interface 4, 3.2"
      ) { $0.widthValue(isQuirky: false) }
    case .outlineStyle:
      PropertyRow(
        "outline-style", "none | auto | dotted | dashed | solid | double | groove | ridge | inset | outset",
        initial: "none", sample: "dotted", "CSS Basic User Interface 4, 3.3"
      ) { $0.keyword(OutlineStyle.self) }
    case .outlineColor:
      PropertyRow(
        "outline-color", "auto | invert | <color>", initial: "auto", sample: "red", "CSS Basic User Interface 4, 3.4"
      ) { $0.outlineColor() }
    case .outlineOffset:
      PropertyRow("outline-offset", "<length>", initial: "0", sample: "2px", "CSS Basic User Interface 4, 3.5") {
        parser in parser.length().map { .length($0) }
      }
    case .boxShadow:
      PropertyRow(
        "box-shadow", "none | [ inset? && <length>{2,4} && <color>? ]#", initial: "none", sample: "1px 2px 3px red",
        "CSS Backgrounds 3, 6.1", aliases: ["-box-shadow"]
      ) { parser in parser.shadows(forText: false).map { .shadows($0) } }
    case .borderImageSource:
      PropertyRow(
        "border-image-source", "none | <image>", initial: "none", sample: "url(a.png)", "CSS Backgrounds 3, 5.1"
      ) {
        parser in parser.image().map { .image($0) }
      }
    case .borderImageSlice:
      PropertyRow(
        "border-image-slice", "[ <number [0,∞]> | <percentage [0,∞]> ]{1,4} && fill?", initial: "100%",
        sample: "30 fill", "CSS Backgrounds 3, 5.2"
      ) { $0.borderImageSlice() }
    case .borderImageWidth:
      PropertyRow(
        "border-image-width", "[ <length-percentage [0,∞]> | <number [0,∞]> | auto ]{1,4}", initial: "1", sample: "2",
        "CSS Backgrounds 3, 5.3"
      ) { $0.borderImageWidths(isOutset: false) }
    case .borderImageOutset:
      PropertyRow(
        "border-image-outset", "[ <length [0,∞]> | <number [0,∞]> ]{1,4}", initial: "0", sample: "3px",
        "CSS Backgrounds 3, 5.4"
      ) { $0.borderImageWidths(isOutset: true) }
    case .borderImageRepeat:
      PropertyRow(
        "border-image-repeat", "[ stretch | repeat | round | space ]{1,2}", initial: "stretch", sample: "round space",
        "CSS Backgrounds 3, 5.5"
      ) { $0.borderImageRepeat() }
    case .columnRuleWidth:
      PropertyRow(
        "column-rule-width", "<length [0,∞]> | thin | medium | thick", initial: "medium", sample: "2px",
        "CSS Multi-column 1, 4.4"
      ) { $0.widthValue(isQuirky: false) }
    case .columnRuleStyle: Self.style("column-rule-style", "CSS Multi-column 1, 4.3")
    case .columnRuleColor:
      PropertyRow("column-rule-color", "<color>", initial: "currentcolor", sample: "red", "CSS Multi-column 1, 4.2") {
        $0.colorValue()
      }
    }
  }

  private static func width(_ name: StaticString) -> PropertyRow {
    PropertyRow(
      name, "<length [0,∞]> | thin | medium | thick", initial: "medium", sample: "2px", "CSS Backgrounds 3, 3.3"
    ) { $0.widthValue(isQuirky: true) }
  }
  private static func style(_ name: StaticString, _ section: StaticString = "CSS Backgrounds 3, 3.2") -> PropertyRow {
    PropertyRow(
      name, "none | hidden | dotted | dashed | solid | double | groove | ridge | inset | outset", initial: "none",
      sample: "dashed", section
    ) { $0.keyword(BorderStyle.self) }
  }
  private static func color(_ name: StaticString) -> PropertyRow {
    PropertyRow(name, "<color>", initial: "currentcolor", sample: "red", "CSS Backgrounds 3, 3.1") {
      $0.colorValue(isQuirky: true)
    }
  }
  private static func radius(_ name: StaticString, old: StaticString) -> PropertyRow {
    PropertyRow(
      name, "<length-percentage [0,∞]>{1,2}", initial: "0", sample: "3px 20%", "CSS Backgrounds 3, 4.1", aliases: [old]
    ) { $0.cornerRadius() }
  }
}
