import Primitives

/// The `size` of a page box (CSS Paged Media 3, section 7.1). Its lengths refer to the font of the page context.
package enum PageSize: Hashable, Sendable {
  case auto, portrait, landscape
  case size(width: Length, height: Length)

  /// The size where the pages have sheets of a size: that, upright or on its side, where the value names none of its own.
  package func turning(_ sheet: PageSize) -> PageSize {
    switch (self, sheet) {
    case (.auto, _): sheet
    case (.portrait, .size), (.landscape, .size): sheet.turned(self) ?? self
    default: self
    }
  }

  /// The size turned so that its longer sides stand as `orientation` has it; nil where its lengths do not tell which they are.
  func turned(_ orientation: PageSize?) -> PageSize? {
    guard case .size(let width, let height) = self, let orientation, orientation != .auto else { return self }
    guard width.unit == height.unit else { return nil }
    let isPortrait = width.value <= height.value
    return isPortrait == (orientation == .portrait) ? self : .size(width: height, height: width)
  }
}

/// The marks for the printer around a page: where it is cut, and how its colours lie on each other (CSS Paged Media 3, section 7.5).
package struct PrinterMarks: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let crop = Self(rawValue: 1 << 0)
  package static let cross = Self(rawValue: 1 << 1)
}

/// `page-orientation`: the rotation of a page for display and print, its layout being the same (CSS Paged Media 3,
/// section 7.3).
package enum PageOrientation: UInt8, Hashable, Sendable {
  case upright, rotateLeft, rotateRight
}

/// Descriptors of `@page` rules for the sheet that a page is printed on; nil where none does.
package struct PageDescriptors: Hashable, Sendable {
  package var size: PageSize?
  /// `bleed`: the extent of the bleed area over the page's edges, in CSS px; `auto` is negative.
  package var bleed: Float?
  package var marks: PrinterMarks?
  package var orientation: PageOrientation?
  package init() {}
}

extension TypedStylesheet {
  /// Adds the descriptors among the declarations of an `@page` rule that are valid.
  package func add(_ declarations: Range<UInt32>, to descriptors: inout PageDescriptors) {
    for index in declarations {
      let declaration = sheet.declarations[Int(index)]
      var parser = ValueParser(sheet.value(of: declaration), context: context)
      switch sheet.name(of: declaration) {
      case "size": if let value = parser.pageSize(), parser.isAtEnd { descriptors.size = value }
      case "bleed": if let value = parser.bleed(), parser.isAtEnd { descriptors.bleed = value }
      case "marks": if let value = parser.printerMarks(), parser.isAtEnd { descriptors.marks = value }
      case "page-orientation":
        if let value = parser.pageOrientation(), parser.isAtEnd { descriptors.orientation = value }
      default: break
      }
    }
  }
}

extension ValueParser {
  /// `auto` is negative (section 7.4).
  mutating func bleed() -> Float? {
    if keyword("auto") { return -1 }
    guard let length = length([.nonNegative]), length.unit == .px else { return nil }
    return length.value
  }

  mutating func pageOrientation() -> PageOrientation? {
    if keyword("upright") { return .upright }
    if keyword("rotate-left") { return .rotateLeft }
    return keyword("rotate-right") ? .rotateRight : nil
  }

  mutating func printerMarks() -> PrinterMarks? {
    if keyword("none") { return [] }
    var marks: PrinterMarks = []
    while !isAtEnd {
      if !marks.contains(.crop), keyword("crop") {
        marks.insert(.crop)
      } else if !marks.contains(.cross), keyword("cross") {
        marks.insert(.cross)
      } else {
        return nil
      }
    }
    return marks.isEmpty ? nil : marks
  }

  mutating func pageSize() -> PageSize? {
    if keyword("auto") { return .auto }
    var orientation: PageSize?
    var size: PageSize?
    while !isAtEnd {
      if orientation == nil, keyword("portrait") {
        orientation = .portrait
      } else if orientation == nil, keyword("landscape") {
        orientation = .landscape
      } else if size == nil, peek().kind == .ident {
        guard let name = ident(), let known = Self.pageSizes[name] else { return nil }
        size = .size(width: Length(Float(known.0), .px), height: Length(Float(known.1), .px))
      } else if size == nil, let width = pageLength() {
        size = .size(width: width, height: pageLength() ?? width)
      } else {
        return nil
      }
    }
    guard let size else { return orientation }
    return size.turned(orientation)
  }

  /// A length of the page box, which there are no functions of several units for.
  private mutating func pageLength() -> Length? {
    attempt { $0.length([.nonNegative]).flatMap { $0.unit == .function ? nil : $0 } }
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
