import BoxGeneration
import CSS
package import Layout
import Markup
package import Primitives
import Styling
import Text

/// Everything that stands on the pages of a document: its texts and its boxes, with their places.
package struct PageInventory {
  /// A box, or the part of one that is on a page or in a column.
  package struct Part {
    package var page: Int
    /// The `id` of the element.
    package var id: String
    /// The border box, from the corner of the page's area.
    package var place: LogicalRect
    package var geometry: BoxGeometry
    package var flags: FragmentFlags
    /// It stands in a part that is repeated, or is one.
    package var isRepeated: Bool
    /// Itself and the parts of elements with an `id` around it, itself last; numbers in `parts`.
    package var around: [Int]
  }

  /// A stretch of text on a line.
  package struct Text {
    package var page: Int
    package var string: String
    package var place: LogicalRect
    package var isRepeated: Bool
    /// The parts of elements with an `id` around it, the innermost last; numbers in `parts`.
    package var around: [Int]
  }

  /// Of elements with an `id`, in the order of the pages, and on a page in the order of layout.
  package private(set) var parts: [Part] = []
  package private(set) var texts: [Text] = []
  /// The size of the area of each page; nil for a page that was left blank.
  package private(set) var areas: [LogicalSize?] = []

  /// The messages of layout.
  package private(set) var messages: [String] = []

  /// Of a document in the font Square at 10 px, on pages without margins.
  ///
  /// - Parameter mostPages: The pages to make at most.
  package init(of markup: String, page: Size, isPrinted: Bool, mostPages: Int) {
    var settings = LayoutSettings(page: PageGeometry(size: page, margin: Sides(all: .zero)), rootFontSize: 10)
    settings.isPrinted = isPrinted
    self.init(
      of: SetDocument(
        Array(markup.utf8), as: .xml, fonts: RuleCase.fonts, layout: settings, mostPages: mostPages))
  }

  private init(of document: SetDocument) {
    messages = document.diagnostics.map(\.message)
    for (number, page) in document.pages.enumerated() {
      guard !page.root.isNone else {
        areas.append(nil)
        continue
      }
      let area = page.contentArea
      areas.append(LogicalSize(inline: area.width, block: area.height))
      add(page.root, at: .zero, isRepeated: false, around: [], on: number, of: document)
    }
  }

  private mutating func add(
    _ id: FragmentID, at origin: LogicalOffset, isRepeated: Bool, around: [Int], on number: Int,
    of document: SetDocument
  ) {
    let page = document.pages[number]
    let fragment = page[id]
    let place = LogicalRect(offset: origin + fragment.offset, size: fragment.size)
    let isRepeated = isRepeated || fragment.flags.contains(.repeated)
    var around = around
    switch fragment.kind {
    case .text:
      let text = page.texts[Int(fragment.payload)]
      texts.append(
        Text(
          page: number, string: document.string(text.text, text.range), place: place, isRepeated: isRepeated,
          around: around))
    case .box:
      if let name = document.elementID(of: fragment.box) {
        around.append(parts.count)
        parts.append(
          Part(
            page: number, id: name, place: place, geometry: page.geometries[Int(fragment.payload)],
            flags: fragment.flags, isRepeated: isRepeated, around: around))
      }
    case .line, .inlineBox: break
    }
    var child = fragment.firstChild
    while !child.isNone {
      add(child, at: place.offset, isRepeated: isRepeated, around: around, on: number, of: document)
      child = page[child].nextSibling
    }
  }
}

extension SetDocument {
  /// The characters of a range of a text, counted in UTF-16 units.
  package func string(_ text: TextID, _ range: Range<UInt32>) -> String {
    let base = tree.texts.texts[text.index].units.lowerBound
    return String(
      decoding: tree.texts.units[base + Int(range.lowerBound)..<base + Int(range.upperBound)], as: UTF16.self)
  }

  /// The `id` of the element that a box is the principal one of; nil for others.
  func elementID(of id: BoxID) -> String? {
    guard !id.isNone else { return nil }
    let box = tree[id]
    guard !box.flags.contains(.anonymous), !box.node.isNone, box.pseudo == nil else { return nil }
    return styled.document.attributeValue(.id, of: box.node)
  }
}
