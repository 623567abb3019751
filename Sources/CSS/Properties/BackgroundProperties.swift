/// Not inherited: properties of the background.
package enum BackgroundProperty: UInt8, CaseIterable, Hashable, Sendable {
  case backgroundColor, backgroundImage, backgroundPositionX, backgroundPositionY, backgroundSize, backgroundRepeat
  case backgroundAttachment, backgroundOrigin, backgroundClip, backgroundBlendMode

  package var row: PropertyRow {
    switch self {
    case .backgroundColor:
      PropertyRow("background-color", "<color>", initial: "transparent", sample: "#eee", "CSS Backgrounds 3, 2.2") {
        $0.colorValue(isQuirky: true)
      }
    case .backgroundImage:
      PropertyRow(
        "background-image", "[ none | <image> ]#", initial: "none", sample: "url(a.png), linear-gradient(red, blue)",
        "CSS Backgrounds 3, 2.3"
      ) { parser in parser.commaSeparated { $0.image() }.map { .images($0) } }
    case .backgroundPositionX:
      PropertyRow(
        "background-position-x", "[ center | [ left | right ]? <length-percentage>? ]#", initial: "0%", sample: "right",
        "CSS Backgrounds 4, 3.6.1"
      ) { parser in parser.commaSeparated { $0.positionAlongAxis("left", "right") }.map { .lengths($0) } }
    case .backgroundPositionY:
      PropertyRow(
        "background-position-y", "[ center | [ top | bottom ]? <length-percentage>? ]#", initial: "0%",
        sample: "bottom 3px", "CSS Backgrounds 4, 3.6.1"
      ) { parser in parser.commaSeparated { $0.positionAlongAxis("top", "bottom") }.map { .lengths($0) } }
    case .backgroundSize:
      PropertyRow(
        "background-size", "[ [ <length-percentage [0,∞]> | auto ]{1,2} | cover | contain ]#", initial: "auto",
        sample: "cover", "CSS Backgrounds 3, 2.9"
      ) { parser in parser.commaSeparated { $0.backgroundSize() }.map { .backgroundSizes($0) } }
    case .backgroundRepeat:
      PropertyRow(
        "background-repeat", "[ repeat-x | repeat-y | [ repeat | space | round | no-repeat ]{1,2} ]#",
        initial: "repeat", sample: "no-repeat", "CSS Backgrounds 3, 2.4"
      ) { parser in parser.commaSeparated { $0.backgroundRepeat() }.map { .keywords($0.flatMap { [$0.0, $0.1] }) } }
    case .backgroundAttachment:
      PropertyRow(
        "background-attachment", "[ scroll | fixed | local ]#", initial: "scroll", sample: "fixed",
        "CSS Backgrounds 3, 2.5"
      ) { parser in parser.commaSeparated { $0.keyword(of: attachmentWords) }.map { .keywords($0) } }
    case .backgroundOrigin:
      PropertyRow(
        "background-origin", "[ border-box | padding-box | content-box ]#", initial: "padding-box",
        sample: "content-box", "CSS Backgrounds 3, 2.8"
      ) { parser in parser.commaSeparated { $0.keyword(of: backgroundOriginWords) }.map { .keywords($0) } }
    case .backgroundClip:
      PropertyRow(
        "background-clip", "[ border-box | padding-box | content-box | text | border-area ]#", initial: "border-box",
        sample: "content-box", "CSS Backgrounds 4, 2.4"
      ) { parser in parser.commaSeparated { $0.keyword(of: backgroundBoxWords) }.map { .keywords($0) } }
    case .backgroundBlendMode:
      PropertyRow(
        "background-blend-mode",
        "[ normal | multiply | screen | overlay | darken | lighten | color-dodge | color-burn | hard-light | soft-light | difference | exclusion | hue | saturation | color | luminosity ]#",
        initial: "normal", sample: "multiply", "Compositing 1, 10"
      ) { parser in parser.commaSeparated { $0.keyword(of: backgroundBlendWords) }.map { .keywords($0) } }
    }
  }
}
