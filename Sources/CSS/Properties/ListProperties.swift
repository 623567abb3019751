/// Inherited: properties of lists, quotes, tables and pictures.
package enum ListProperty: UInt8, CaseIterable, Hashable, Sendable {
  case listStyleType, listStylePosition, listStyleImage, quotes, borderCollapse, borderSpacing, captionSide, emptyCells
  case imageOrientation, imageRendering

  package var row: PropertyRow {
    switch self {
    case .listStyleType:
      PropertyRow(
        "list-style-type", "<counter-style> | <string> | none", initial: "disc", sample: "lower-roman",
        "CSS Lists 3, 3.4"
      ) { parser in parser.listStyleType().map { .listStyleType($0) } }
    case .listStylePosition:
      PropertyRow(
        "list-style-position", "outside | inside", initial: "outside", sample: "inside", "CSS Lists 3, 3.5"
      ) { $0.keyword(ListStylePosition.self) }
    case .listStyleImage:
      PropertyRow("list-style-image", "<image> | none", initial: "none", sample: "url(a.png)", "CSS Lists 3, 3.3") {
        parser in parser.image().map { .image($0) }
      }
    case .quotes:
      PropertyRow(
        "quotes", "auto | none | [ <string> <string> ]+", initial: "auto", sample: "'<' '>'",
        "CSS Generated Content 3, 3.1"
      ) { parser in parser.quotes().map { .quotes($0) } }
    case .borderCollapse:
      PropertyRow(
        "border-collapse", "separate | collapse", initial: "separate", sample: "collapse", "CSS 2.2, 17.6"
      ) { $0.keyword(BorderCollapse.self) }
    case .borderSpacing:
      PropertyRow("border-spacing", "<length [0,∞]>{1,2}", initial: "0", sample: "2px 3px", "CSS 2.2, 17.6.1") {
        $0.borderSpacing()
      }
    case .captionSide:
      PropertyRow("caption-side", "top | bottom", initial: "top", sample: "bottom", "CSS 2.2, 17.4.1") {
        $0.keyword(captionSideWords)
      }
    case .emptyCells:
      PropertyRow("empty-cells", "show | hide", initial: "show", sample: "hide", "CSS 2.2, 17.6.1.1") {
        $0.keyword(EmptyCells.self)
      }
    case .imageOrientation:
      PropertyRow(
        "image-orientation", "from-image | none", initial: "from-image", sample: "none", "CSS Images 3, 6.3"
      ) { $0.keyword(ImageOrientation.self) }
    case .imageRendering:
      PropertyRow(
        "image-rendering", "auto | smooth | high-quality | pixelated | crisp-edges", initial: "auto",
        sample: "pixelated", "CSS Images 3, 6.2"
      ) { $0.keyword(imageRenderingWords) }
    }
  }
}
