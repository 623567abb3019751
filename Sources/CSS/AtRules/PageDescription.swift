package import Primitives

/// The `size` of a page box in CSS px (CSS Paged Media 3, section 7.1).
package enum PageSize: Hashable, Sendable {
  case auto, portrait, landscape
  case size(width: Float, height: Float)
}

/// An `@page` rule, its descriptors typed (CSS Paged Media 3, section 4).
package struct PageDescription: Hashable, Sendable {
  /// Any of these pages; every page when empty.
  package var selectors: [PageSelector]
  package var size: PageSize?
  /// Nil where the rule does not speak of a side. Percentages are of the page box.
  package var margin = Sides<MarginValue?>(all: nil)
  /// The longhands that apply to the page box itself, such as borders, padding and background, and the sheet's math
  /// functions they may name.
  package var longhands: [TypedDeclaration] = []
  package var marginBoxes: [MarginBox] = []
  package var calculations: [Calculation] = []

  /// A margin box such as `top-center` with the longhands of its text.
  package struct MarginBox: Hashable, Sendable {
    package var name: String
    package var longhands: [TypedDeclaration]
  }

  package init(_ rule: PageRule, in sheet: TypedStylesheet) {
    selectors = rule.selectors
    calculations = sheet.calculations
    for index in rule.declarations {
      let declaration = sheet.sheet.declarations[Int(index)]
      guard sheet.sheet.name(of: declaration) == "size" else { continue }
      var parser = ValueParser(sheet.sheet.value(of: declaration), context: sheet.context)
      if let size = parser.pageSize(), parser.isAtEnd { self.size = size }
    }
    for declaration in sheet.longhands[sheet.longhands(of: rule.declarations)] {
      guard case .margin(let value) = declaration.value else {
        longhands.append(declaration)
        continue
      }
      switch declaration.property {
      case .marginTop, .marginBlockStart: margin.top = value
      case .marginRight, .marginInlineEnd: margin.right = value
      case .marginBottom, .marginBlockEnd: margin.bottom = value
      case .marginLeft, .marginInlineStart: margin.left = value
      default: longhands.append(declaration)
      }
    }
    marginBoxes = rule.marginBoxes.map {
      MarginBox(name: $0.name, longhands: Array(sheet.longhands[sheet.longhands(of: $0.declarations)]))
    }
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
