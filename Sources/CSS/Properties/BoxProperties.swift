/// Not inherited: properties of the box and its place.
package enum BoxProperty: UInt8, CaseIterable, Hashable, Sendable {
  case display, position, float, clear, boxSizing, width, height, minWidth, minHeight, maxWidth, maxHeight
  case marginTop, marginRight, marginBottom, marginLeft, paddingTop, paddingRight, paddingBottom, paddingLeft
  case top, right, bottom, left, overflowX, overflowY, clip, verticalAlign, unicodeBidi, zIndex, tableLayout, content
  case counterReset, counterIncrement, counterSet, objectFit, objectPosition, aspectRatio, initialLetter
  /// Not inherited but drawn through inline descendants (CSS Text Decoration 3, section 2.1).
  case textDecorationLine, textDecorationStyle, textDecorationColor, textDecorationThickness

  package var row: PropertyRow {
    switch self {
    case .display:
      PropertyRow(
        "display",
        """
        [ block | inline ] || [ flow | flow-root | table | flex | grid | ruby | math ] | [ block | inline ]? && \
        [ flow | flow-root ]? && list-item | table-row-group | table-header-group | table-footer-group | table-row | \
        table-cell | table-column-group | table-column | table-caption | ruby-base | ruby-text | \
        ruby-base-container | ruby-text-container | contents | none | inline-block | inline-table | inline-flex | \
        inline-grid
        """, initial: "inline", sample: "flow-root", "CSS Display 3, 2"
      ) { parser in parser.display().map { .keyword($0.rawValue) } }
    case .position:
      PropertyRow(
        "position", "static | relative | absolute | fixed | sticky | running(<custom-ident>)", initial: "static",
        sample: "relative",
        "CSS Positioned Layout 3, 2; CSS GCPM 3, 1.2.1"
      ) { $0.positionScheme() }
    case .float:
      PropertyRow(
        "float",
        """
        none | left | right | inline-start | inline-end | footnote | top | bottom | snap-block | \
        snap-block(<length [0,∞]> [, [start | end | near]]?)
        """, initial: "none", sample: "left", "CSS 2.2, 9.5.1; CSS GCPM 3, 2.1; CSS Page Floats 3, 4"
      ) { $0.float() }
    case .clear:
      PropertyRow(
        "clear", "none | left | right | both | inline-start | inline-end", initial: "none", sample: "both",
        "CSS 2.2, 9.5.2"
      ) { $0.keyword(clearWords) }
    case .boxSizing:
      PropertyRow(
        "box-sizing", "content-box | border-box", initial: "content-box", sample: "border-box", "CSS Sizing 3, 3.3"
      ) { $0.keyword(BoxSizing.self) }
    case .width: Self.size("width", "CSS Sizing 3, 3.1.1")
    case .height: Self.size("height", "CSS Sizing 3, 3.1.1")
    case .minWidth: Self.size("min-width", "CSS Sizing 3, 3.1.2")
    case .minHeight: Self.size("min-height", "CSS Sizing 3, 3.1.2")
    case .maxWidth: Self.maximum("max-width", "CSS Sizing 3, 3.1.3")
    case .maxHeight: Self.maximum("max-height", "CSS Sizing 3, 3.1.3")
    case .marginTop: Self.margin("margin-top")
    case .marginRight: Self.margin("margin-right")
    case .marginBottom: Self.margin("margin-bottom")
    case .marginLeft: Self.margin("margin-left")
    case .paddingTop: Self.padding("padding-top")
    case .paddingRight: Self.padding("padding-right")
    case .paddingBottom: Self.padding("padding-bottom")
    case .paddingLeft: Self.padding("padding-left")
    case .top: Self.inset("top")
    case .right: Self.inset("right")
    case .bottom: Self.inset("bottom")
    case .left: Self.inset("left")
    case .overflowX: Self.overflow("overflow-x")
    case .overflowY: Self.overflow("overflow-y")
    case .clip:
      PropertyRow(
        "clip", "auto | rect( [ <length> | auto ]#{4} )", initial: "auto", sample: "rect(1px, 2px, 3px, auto)",
        "CSS 2.2, 11.1.2"
      ) { $0.clip() }
    case .verticalAlign:
      PropertyRow(
        "vertical-align",
        "baseline | sub | super | top | text-top | middle | bottom | text-bottom | <length-percentage>",
        initial: "baseline", sample: "super", "CSS 2.2, 10.8.1"
      ) { $0.verticalAlign() }
    case .unicodeBidi:
      PropertyRow(
        "unicode-bidi", "normal | embed | isolate | bidi-override | isolate-override | plaintext", initial: "normal",
        sample: "isolate", "CSS Writing Modes 4, 2.2"
      ) { $0.keyword(unicodeBidiWords) }
    case .zIndex:
      PropertyRow("z-index", "auto | <integer>", initial: "auto", sample: "3", "CSS 2.2, 9.9.1") { $0.autoOrInteger() }
    case .tableLayout:
      PropertyRow("table-layout", "auto | fixed", initial: "auto", sample: "fixed", "CSS 2.2, 17.5.2") {
        $0.keyword(TableLayoutMode.self)
      }
    case .content:
      PropertyRow(
        "content",
        """
        normal | none | [ <string> | <image> | <counter> | attr(<ident>) | open-quote | close-quote | no-open-quote | \
        no-close-quote | string() ]+
        """, initial: "normal", sample: "'a' counter(b)", "CSS Generated Content 3, 2"
      ) { parser in parser.content().map { .content($0) } }
    case .counterReset:
      PropertyRow(
        "counter-reset", "none | [ <custom-ident> <integer>? ]+", initial: "none", sample: "a 3", "CSS Lists 3, 4.1"
      ) { parser in parser.counterOperations(defaultValue: 0).map { .counters($0) } }
    case .counterIncrement:
      PropertyRow(
        "counter-increment", "none | [ <custom-ident> <integer>? ]+", initial: "none", sample: "a", "CSS Lists 3, 4.2"
      ) { parser in parser.counterOperations(defaultValue: 1).map { .counters($0) } }
    case .counterSet:
      PropertyRow(
        "counter-set", "none | [ <custom-ident> <integer>? ]+", initial: "none", sample: "a 3", "CSS Lists 3, 4.2"
      ) { parser in parser.counterOperations(defaultValue: 0).map { .counters($0) } }
    case .objectFit:
      PropertyRow(
        "object-fit", "fill | contain | cover | none | scale-down", initial: "fill", sample: "cover",
        "CSS Images 3, 5.1"
      ) { $0.keyword(ObjectFit.self) }
    case .objectPosition:
      PropertyRow("object-position", "<position>", initial: "50% 50%", sample: "left top", "CSS Images 3, 5.2") {
        parser in parser.position(threeParts: false).map { .position($0) }
      }
    case .aspectRatio:
      PropertyRow(
        "aspect-ratio", "auto || <number [0,∞]> [ / <number [0,∞]> ]?", initial: "auto", sample: "3 / 2",
        "CSS Sizing 4, 5.1"
      ) { $0.aspectRatio() }
    case .initialLetter:
      PropertyRow(
        "initial-letter", "normal | <number [1,100]> [ <integer [1,∞]> | drop | raise ]?", initial: "normal",
        sample: "3 2", "CSS Inline 3, 7.2"
      ) { $0.initialLetter() }
    case .textDecorationLine:
      PropertyRow(
        "text-decoration-line", "none | [ underline || overline || line-through || blink ]", initial: "none",
        sample: "underline line-through", "CSS Text Decoration 3, 2.1"
      ) { $0.decorationLineValue() }
    case .textDecorationStyle:
      PropertyRow(
        "text-decoration-style", "solid | double | dotted | dashed | wavy", initial: "solid", sample: "wavy",
        "CSS Text Decoration 3, 2.2"
      ) { $0.keyword(TextDecorationStyle.self) }
    case .textDecorationColor:
      PropertyRow(
        "text-decoration-color", "<color>", initial: "currentcolor", sample: "red", "CSS Text Decoration 3, 2.3"
      ) { $0.colorValue() }
    case .textDecorationThickness:
      PropertyRow(
        "text-decoration-thickness", "auto | from-font | <length-percentage>", initial: "auto", sample: "2px",
        "CSS Text Decoration 4, 2.3"
      ) { $0.decorationThickness() }
    }
  }

  private static let sizes: StaticString =
    "auto | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch"

  private static func size(_ name: StaticString, _ section: StaticString) -> PropertyRow {
    PropertyRow(name, sizes, initial: "auto", sample: "50%", section) { $0.sizeValue() }
  }
  private static func maximum(_ name: StaticString, _ section: StaticString) -> PropertyRow {
    PropertyRow(
      name, "none | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch", initial: "none",
      sample: "50%", section
    ) { $0.sizeValue(isMaximum: true) }
  }
  private static func margin(_ name: StaticString) -> PropertyRow {
    PropertyRow(name, "<length-percentage> | auto", initial: "0", sample: "-2em", "CSS Box 3, 3.1") { $0.marginValue() }
  }
  private static func padding(_ name: StaticString) -> PropertyRow {
    PropertyRow(name, "<length-percentage [0,∞]>", initial: "0", sample: "3px", "CSS Box 3, 4.1") { $0.paddingValue() }
  }
  private static func inset(_ name: StaticString) -> PropertyRow {
    PropertyRow(name, "auto | <length-percentage>", initial: "auto", sample: "5px", "CSS Positioned Layout 3, 3.1") {
      $0.marginValue()
    }
  }
  private static func overflow(_ name: StaticString) -> PropertyRow {
    PropertyRow(
      name, "visible | hidden | clip | scroll | auto", initial: "visible", sample: "hidden", "CSS Overflow 3, 3.1"
    ) { $0.keyword(overflowWords) }
  }
}
