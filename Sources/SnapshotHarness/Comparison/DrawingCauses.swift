/// The kinds of drawing, such as glyphs or images, that came out otherwise where display lists are equal: those
/// that the pages with other pixels take, and no page with the same.
enum DrawingCauses {
  /// Pages with the same pixels that are asked, at most: they have most of what a book draws.
  private static let maximumEqual = 64

  /// The kinds that may have changed on each page with other pixels.
  ///
  /// - Parameter features: What drawing a page takes (`PageSample`); nil where its display list is not kept.
  static func kinds(
    changed: [Int], equal: some Sequence<Int>, features: (Int) -> Set<UInt64>?
  ) -> [Int: Set<String>] {
    if changed.isEmpty { return [:] }
    let sound = equal.prefix(maximumEqual).reduce(into: Set<UInt64>()) { $0.formUnion(features($1) ?? []) }
    var kinds: [Int: Set<String>] = [:]
    for page in changed { kinds[page] = Set((features(page) ?? []).subtracting(sound).compactMap(name)) }
    return kinds
  }

  /// The kinds of drawing, the rarest first: where all pages with other pixels have several, the rarest is the
  /// likeliest cause, for of the others most pages stayed as they were.
  private static let kinds = [
    "gradients", "shadows", "filters", "layers", "images", "transforms", "clips", "lines and shapes", "glyphs", "boxes",
  ]

  static func rank(_ kind: String) -> Int { kinds.firstIndex(of: kind) ?? kinds.count }

  private static func name(_ feature: UInt64) -> String? {
    switch feature >> 56 {
    case 1...3: "boxes"
    case 4...6: "lines and shapes"
    case 7...9: "gradients"
    case 10...12, 25: "glyphs"
    case 13...15: "images"
    case 16: "shadows"
    case 17, 18: "clips"
    case 19: "layers"
    case 20...22, 26: "filters"
    case 23: "transforms"
    default: nil
    }
  }

  static func summary(_ kinds: Set<String>) -> String {
    guard let only = kinds.first, kinds.count == 1 else { return ChangeTable.onlySummary(of: .drawingChanged) }
    return "drawing of \(only) changed, display list equal"
  }
}
