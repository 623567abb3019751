/// Not inherited: properties of how a box that has been laid out is drawn.
package enum EffectProperty: UInt8, CaseIterable, Hashable, Sendable {
  case opacity, transform, translate, rotate, scale, transformOrigin, filter, mixBlendMode, isolation, clipPath

  package var row: PropertyRow {
    switch self {
    case .opacity:
      PropertyRow("opacity", "<number> | <percentage>", initial: "1", sample: "0.5", "CSS Color 4, 3.3") { parser in
        parser.numberOrPercentage().map { .number(Float(max(0, min(1, $0)))) }
      }
    case .transform:
      PropertyRow(
        "transform", "none | <transform-function>+", initial: "none", sample: "rotate(10deg)", "CSS Transforms 1, 5"
      ) { parser in parser.transform().map { .transform($0) } }
    case .translate:
      PropertyRow(
        "translate", "none | <length-percentage> [ <length-percentage> <length>? ]?", initial: "none",
        sample: "3px 4px", "CSS Transforms 2, 5.1"
      ) { $0.translate() }
    case .rotate:
      PropertyRow(
        "rotate", "none | [ z | <number>{3} ]? && <angle>", initial: "none", sample: "10deg", "CSS Transforms 2, 5.2"
      ) { parser in parser.individualRotation().map { .transform($0) } }
    case .scale:
      PropertyRow(
        "scale", "none | [ <number> | <percentage> ]{1,3}", initial: "none", sample: "2 0.5", "CSS Transforms 2, 5.3"
      ) { $0.scale() }
    case .transformOrigin:
      PropertyRow(
        "transform-origin", "<position> <length>?", initial: "50% 50%", sample: "left top", "CSS Transforms 1, 6"
      ) { $0.transformOrigin() }
    case .filter:
      PropertyRow(
        "filter", "none | [ <filter-function> | <url> ]+", initial: "none", sample: "blur(2px) sepia(40%)",
        "Filter Effects 1, 5"
      ) { parser in parser.filters().map { .filters($0) } }
    case .mixBlendMode:
      PropertyRow(
        "mix-blend-mode", "<blend-mode> | plus-lighter", initial: "normal", sample: "multiply", "Compositing 1, 3.4.1"
      ) { $0.keyword(MixBlendMode.self) }
    case .isolation:
      PropertyRow("isolation", "auto | isolate", initial: "auto", sample: "isolate", "Compositing 1, 3.4.2") {
        $0.isolation()
      }
    case .clipPath:
      PropertyRow(
        "clip-path", "none | <url> | [ <basic-shape> || <geometry-box> ]", initial: "none",
        sample: "circle(40% at left)", "CSS Masking 1, 5.1"
      ) { $0.clipPathValue() }
    }
  }
}
