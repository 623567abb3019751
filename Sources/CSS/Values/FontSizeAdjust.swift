/// The value of `font-size-adjust`: glyphs are scaled so that a measure of their face is that share of the font size (CSS Fonts 5,
/// section 2.1).
package struct FontSizeAdjust: Hashable, Sendable {
  /// The measure that faces are made equal in.
  package enum Metric: UInt8, Keyword {
    case exHeight, capHeight, chWidth, icWidth, icHeight

    package var keyword: StaticString {
      switch self {
      case .exHeight: "ex-height"
      case .capHeight: "cap-height"
      case .chWidth: "ch-width"
      case .icWidth: "ic-width"
      case .icHeight: "ic-height"
      }
    }
  }
  package var metric = Metric.exHeight
  /// The share of the font size; nil for that of the first available face (`from-font`).
  package var aspect: Float?

  package init(metric: Metric = .exHeight, aspect: Float?) {
    self.metric = metric
    self.aspect = aspect
  }
}

extension ValueParser {
  mutating func fontSizeAdjust() -> PropertyValue? {
    if keyword("none") { return .absent }
    var metric = FontSizeAdjust.Metric.exHeight
    if case .keyword(let raw)? = keyword(FontSizeAdjust.Metric.self) {
      metric = FontSizeAdjust.Metric(rawValue: raw) ?? metric
    }
    if keyword("from-font") { return .fontSizeAdjust(FontSizeAdjust(metric: metric, aspect: nil)) }
    return number(atLeast: 0).map { .fontSizeAdjust(FontSizeAdjust(metric: metric, aspect: Float($0))) }
  }
}
