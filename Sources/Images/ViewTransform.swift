/// The way in which content of one ratio fills a viewport of another: the attribute `preserveAspectRatio` (SVG 2, section 8.6).
struct AspectRatioPreservation: Equatable {
  /// The content is scaled alike in both directions.
  var isPreserved = true
  /// The part of the room that is left over before the content: 0, 0.5 or 1.
  var alignment = SIMD2(0.5, 0.5)
  /// The content covers the viewport and is cut where it is larger.
  var slices = false

  init() {}

  /// Nil where the value is none that the attribute has.
  init?(_ text: String) {
    let words = text.split { " \t\n\r".contains($0) }
    guard let first = words.first, words.count <= 2 else { return nil }
    if words.count == 2 {
      guard words[1] == "meet" || words[1] == "slice" else { return nil }
      slices = words[1] == "slice"
    }
    if first == "none" {
      isPreserved = false
      return
    }
    let places = ["Min": 0, "Mid": 0.5, "Max": 1]
    guard first.utf8.count == 8, first.hasPrefix("x"), first.dropFirst(4).hasPrefix("Y"),
      let x = places[String(first.dropFirst().prefix(3))], let y = places[String(first.suffix(3))]
    else { return nil }
    alignment = SIMD2(x, y)
  }
}

/// The places in a viewport of points of what fills it (SVG 2, section 8.2).
struct ViewTransform {
  private let scale: SIMD2<Double>
  private let start: SIMD2<Double>

  /// - Parameter size: The size of what fills the viewport, positive.
  init(of size: SIMD2<Double>, in viewport: SIMD2<Double>, _ ratio: AspectRatioPreservation) {
    var scale = viewport / size
    if ratio.isPreserved {
      scale = SIMD2(repeating: ratio.slices ? Swift.max(scale.x, scale.y) : Swift.min(scale.x, scale.y))
    }
    self.scale = scale
    start = (viewport - size * scale) * (ratio.isPreserved ? ratio.alignment : SIMD2())
  }

  func place(_ point: SIMD2<Double>) -> SIMD2<Double> { point * scale + start }
}
