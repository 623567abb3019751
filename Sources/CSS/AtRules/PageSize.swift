import Primitives

/// The `size` of a page box in CSS px (CSS Paged Media 3, section 7.1).
package enum PageSize: Hashable, Sendable {
  case auto, portrait, landscape
  case size(width: Float, height: Float)
}

extension TypedStylesheet {
  /// The `size` descriptor among the declarations of an `@page` rule, nil when there is none that is valid.
  package func pageSize(in declarations: Range<UInt32>) -> PageSize? {
    var size: PageSize?
    for index in declarations {
      let declaration = sheet.declarations[Int(index)]
      guard sheet.name(of: declaration) == "size" else { continue }
      var parser = ValueParser(sheet.value(of: declaration), context: context)
      if let value = parser.pageSize(), parser.isAtEnd { size = value }
    }
    return size
  }
}

extension ValueParser {
  mutating func pageSize() -> PageSize? {
    if keyword("auto") { return .auto }
    var orientation: PageSize?
    var size: (Double, Double)?
    while !isAtEnd {
      if orientation == nil, keyword("portrait") {
        orientation = .portrait
      } else if orientation == nil, keyword("landscape") {
        orientation = .landscape
      } else if size == nil, peek().kind == .ident {
        guard let name = ident(), let known = Self.pageSizes[name] else { return nil }
        size = known
      } else if size == nil, let width = length([.nonNegative]) {
        let height = length([.nonNegative]) ?? width
        guard width.unit == .px, height.unit == .px else { return nil }
        size = (Double(width.value), Double(height.value))
      } else {
        return nil
      }
    }
    guard let size else { return orientation }
    let isTurned = orientation == .landscape ? size.0 < size.1 : orientation == .portrait ? size.0 > size.1 : false
    return .size(width: Float(isTurned ? size.1 : size.0), height: Float(isTurned ? size.0 : size.1))
  }

  private static let pageSizes: [String: (Double, Double)] = {
    let mm = 96 / 25.4
    return [
      "a3": (297 * mm, 420 * mm), "a4": (210 * mm, 297 * mm), "a5": (148 * mm, 210 * mm), "a6": (105 * mm, 148 * mm),
      "b4": (250 * mm, 353 * mm), "b5": (176 * mm, 250 * mm), "jis-b4": (257 * mm, 364 * mm),
      "jis-b5": (182 * mm, 257 * mm), "letter": (816, 1056), "legal": (816, 1344), "ledger": (1056, 1632),
    ]
  }()
}
