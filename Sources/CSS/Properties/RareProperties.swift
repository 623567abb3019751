/// Not inherited: properties that few elements of a book have. Their values share one place in a box style.
package enum RareProperty: UInt8, CaseIterable, Hashable, Sendable {
  case shapeOutside, shapeMargin, shapeImageThreshold
  case maskImage, maskMode, maskRepeat, maskPosition, maskClip, maskOrigin, maskSize, maskComposite
  case textBoxTrim, textOverflow, lineClamp, boxOrient, marginTrim
  case transformBox, transformStyle, perspective, perspectiveOrigin, backfaceVisibility, backdropFilter, willChange
  case contain, containIntrinsicWidth, containIntrinsicHeight, overflowClipMargin, objectViewBox
  case containerType, containerName

  package var row: PropertyRow {
    switch self {
    case .shapeOutside:
      PropertyRow(
        "shape-outside", "none | [ <basic-shape> || <shape-box> ] | <image>", initial: "none",
        sample: "circle(40%) border-box", "CSS Shapes 1, 4.1"
      ) { parser in parser.shapeOutside() }
    case .shapeMargin:
      PropertyRow(
        "shape-margin", "<length-percentage [0,∞]>", initial: "0", sample: "10px", "CSS Shapes 1, 4.3"
      ) { parser in parser.lengthPercentage([.percent, .nonNegative]).map { .lengthPercentage($0) } }
    case .shapeImageThreshold:
      PropertyRow(
        "shape-image-threshold", "<number> | <percentage>", initial: "0", sample: "0.5", "CSS Shapes 1, 4.2"
      ) { parser in parser.numberOrPercentage().map { .number(Float(max(0, min(1, $0)))) } }
    case .maskImage:
      PropertyRow(
        "mask-image", "[ none | <image> ]#", initial: "none", sample: "url(a.png), linear-gradient(red, blue)",
        "CSS Masking 1, 7.1"
      ) { parser in parser.commaSeparated { $0.image() }.map { .images($0) } }
    case .maskMode:
      PropertyRow(
        "mask-mode", "[ match-source | alpha | luminance ]#", initial: "match-source", sample: "luminance",
        "CSS Masking 1, 7.2"
      ) { parser in parser.keywords(maskModeWords) }
    case .maskRepeat:
      PropertyRow("mask-repeat", like: BackgroundProperty.backgroundRepeat.row, "CSS Masking 1, 7.3")
    case .maskPosition:
      PropertyRow("mask-position", "<position>#", initial: "0% 0%", sample: "center", "CSS Masking 1, 7.4") { parser in
        parser.commaSeparated { $0.position(threeParts: false) }.map { .lengths($0.flatMap { [$0.x, $0.y] }) }
      }
    case .maskClip:
      PropertyRow(
        "mask-clip", "[ <geometry-box> | no-clip ]#", initial: "border-box", sample: "no-clip", "CSS Masking 1, 7.5"
      ) { parser in parser.keywords(maskClipWords) }
    case .maskOrigin:
      PropertyRow(
        "mask-origin", "<geometry-box>#", initial: "border-box", sample: "content-box", "CSS Masking 1, 7.6"
      ) { parser in parser.keywords(geometryBoxWords) }
    case .maskSize: PropertyRow("mask-size", like: BackgroundProperty.backgroundSize.row, "CSS Masking 1, 7.7")
    case .maskComposite:
      PropertyRow(
        "mask-composite", "[ add | subtract | intersect | exclude ]#", initial: "add", sample: "intersect",
        "CSS Masking 1, 7.8"
      ) { parser in parser.keywords(maskCompositeWords) }
    case .contain:
      PropertyRow(
        "contain", "none | strict | content | [ [ size | inline-size ] || layout || style || paint ]", initial: "none",
        sample: "size paint", "CSS Containment 2, 2"
      ) { $0.containment() }
    case .containerType:
      PropertyRow(
        "container-type", "normal | size | inline-size", initial: "normal", sample: "size", "CSS Conditional 5, 2.1"
      ) { $0.keyword(ContainerType.self) }
    case .containerName:
      PropertyRow("container-name", "none | <custom-ident>+", initial: "none", sample: "a b", "CSS Conditional 5, 2.2")
      {
        $0.containerNames()
      }
    case .containIntrinsicWidth: Self.intrinsic("contain-intrinsic-width")
    case .containIntrinsicHeight: Self.intrinsic("contain-intrinsic-height")
    case .overflowClipMargin:
      PropertyRow(
        "overflow-clip-margin", "<visual-box> || <length [0,∞]>", initial: "0", sample: "content-box 5px",
        "CSS Overflow 4, 3.2"
      ) { $0.clipMargin() }
    case .objectViewBox:
      PropertyRow(
        "object-view-box", "none | inset() | rect() | xywh()", initial: "none", sample: "inset(10px 20%)",
        "CSS Images 5, 4.1"
      ) { $0.objectViewBox() }
    case .textBoxTrim:
      PropertyRow(
        "text-box-trim", "none | trim-start | trim-end | trim-both", initial: "none", sample: "trim-both",
        "CSS Inline 3, 6.1"
      ) { $0.keyword(TextBoxTrim.self) }
    case .textOverflow:
      PropertyRow("text-overflow", "clip | ellipsis", initial: "clip", sample: "ellipsis", "CSS Overflow 3, 3.2") {
        $0.keyword(TextOverflow.self)
      }
    case .lineClamp:
      PropertyRow(
        "-webkit-line-clamp", "none | <integer [1,∞]>", initial: "none", sample: "3", "CSS Overflow 4, 5.2.1"
      ) { parser in parser.keyword("none") ? .absent : parser.integer(atLeast: 1).map { .integer($0) } }
    case .boxOrient:
      PropertyRow(
        "-webkit-box-orient", "horizontal | vertical | inline-axis | block-axis", initial: "inline-axis",
        sample: "vertical", "CSS Overflow 4, 5.2.1"
      ) { $0.keyword(BoxOrient.self) }
    case .marginTrim:
      PropertyRow(
        "margin-trim", "none | block | [ block-start || block-end ]", initial: "none", sample: "block-start",
        "CSS Box 4, 4.3"
      ) { $0.marginTrim() }
    case .transformBox:
      PropertyRow(
        "transform-box", "content-box | border-box | fill-box | stroke-box | view-box", initial: "view-box",
        sample: "fill-box", "CSS Transforms 1, 6.1"
      ) { $0.keyword(TransformBox.self) }
    case .transformStyle:
      PropertyRow(
        "transform-style", "flat | preserve-3d", initial: "flat", sample: "preserve-3d", "CSS Transforms 2, 6"
      ) { $0.keyword(TransformStyle.self) }
    case .perspective:
      PropertyRow("perspective", "none | <length [0,∞]>", initial: "none", sample: "500px", "CSS Transforms 2, 7") {
        $0.perspective()
      }
    case .perspectiveOrigin:
      PropertyRow(
        "perspective-origin", "<position>", initial: "50% 50%", sample: "left top", "CSS Transforms 2, 8"
      ) { parser in parser.position(threeParts: false).map { .position($0) } }
    case .backdropFilter:
      PropertyRow(
        "backdrop-filter", "none | [ <filter-function> | <url> ]+", initial: "none", sample: "blur(2px) sepia(40%)",
        "Filter Effects 2, 2"
      ) { parser in parser.filters().map { .filters($0) } }
    case .willChange:
      PropertyRow("will-change", "auto | <custom-ident>#", initial: "auto", sample: "opacity", "CSS Will Change 1, 2") {
        $0.willChange()
      }
    case .backfaceVisibility:
      PropertyRow(
        "backface-visibility", "visible | hidden", initial: "visible", sample: "hidden", "CSS Transforms 2, 9"
      ) { $0.keyword(BackfaceVisibility.self) }
    }
  }
}

extension RareProperty {
  private static func intrinsic(_ name: StaticString) -> PropertyRow {
    PropertyRow(
      name, "auto? [ none | <length [0,∞]> ]", initial: "none", sample: "10px", "CSS Sizing 4, 5.2"
    ) { $0.containIntrinsicSize() }
  }
}

extension ValueParser {
  mutating func containerNames() -> PropertyValue? {
    if keyword("none") { return .names([]) }
    var names: [String] = []
    while let name = attempt({ $0.customIdent() }) {
      guard !ContainerQuery.reservedNames.contains(name.lowercased()) else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : .names(names)
  }

  /// Keywords with commas between them.
  fileprivate mutating func keywords(_ table: KeywordTable) -> PropertyValue? {
    commaSeparated { $0.keyword(of: table) }.map { .keywords($0) }
  }
}
