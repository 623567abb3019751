package import BoxGeneration
import CSS
package import Fonts
package import Layout
import Markup
package import Primitives
package import Styling
import Text

/// Pages of a piece of markup, laid out with the machine's fonts: 16 px, no page margins, no body margin. Pictures are inline
/// `<svg>` elements.
package struct LaidOut {
  package static let library = FontLibrary()
  package let tree: BoxTree
  package let styles: StyleTable
  package let fonts: FontBook
  package private(set) var pages: [PageLayout] = []

  package init(
    _ body: String, css: String = "", width: Int = 300, height: Int = 10_000, language: String = "en",
    pagesBefore: Int = 0, margin: Int = 0, house: Bool = false, change: (inout LayoutSettings) -> Void = { _ in }
  ) {
    let source = """
      <html xmlns="http://www.w3.org/1999/xhtml" lang="\(language)"><head><style>
      body, p { margin: 0 } \(css)
      </style></head><body>\(body)</body></html>
      """
    var settings = StyleSettings()
    settings.usesHouseStyle = house
    var layout = LayoutSettings(
      page: PageGeometry(
        size: Size(width: LayoutUnit(width), height: LayoutUnit(height)), margin: Sides(all: LayoutUnit(margin))),
      rootFontSize: 16)
    layout.bookPages = [.size, .margins]
    change(&layout)
    let set = SetDocument(
      Array(source.utf8), as: .xml, fonts: Self.library, styles: settings, layout: layout, pagesBefore: pagesBefore)
    tree = set.tree
    styles = set.styled.table
    fonts = set.inputs.fonts
    pages = set.pages
  }

  package func string(_ text: TextID, _ range: Range<UInt32>) -> String {
    let base = tree.texts.texts[text.index].units.lowerBound
    return String(
      decoding: tree.texts.units[base + Int(range.lowerBound)..<base + Int(range.upperBound)], as: UTF16.self)
  }

  /// A fragment with its place on the page.
  package struct Placed {
    package var page: Int
    package var fragment: Fragment
    package var offset: LogicalOffset
    package var right: LayoutUnit { offset.inline + fragment.size.inline }
    package var bottom: LayoutUnit { offset.block + fragment.size.block }
  }

  /// All fragments in document order.
  package func fragments(_ kind: FragmentKind? = nil) -> [Placed] {
    var found: [Placed] = []
    for (number, page) in pages.enumerated() where !page.root.isNone {
      func walk(_ id: FragmentID, _ origin: LogicalOffset) {
        let fragment = page[id]
        let offset = origin + fragment.offset
        if kind == nil || kind == fragment.kind {
          found.append(Placed(page: number, fragment: fragment, offset: offset))
        }
        var child = fragment.firstChild
        while !child.isNone {
          walk(child, offset)
          child = page[child].nextSibling
        }
      }
      walk(page.root, .zero)
    }
    return found
  }

  package func line(_ placed: Placed) -> LineFragment { pages[placed.page].lines[Int(placed.fragment.payload)] }
  package func text(_ placed: Placed) -> TextFragment { pages[placed.page].texts[Int(placed.fragment.payload)] }
  /// The bars of a formula's box, and border segments of a table's.
  package func rules(of placed: Placed) -> [CollapsedBorder] {
    let page = pages[placed.page]
    guard placed.fragment.kind == .box else { return [] }
    return page.geometries[Int(placed.fragment.payload)].collapsedBorders.map { page.collapsedBorders[Int($0)] }
  }

  /// Text of the lines, spaces at their ends left out.
  package var lines: [String] {
    fragments(.line).map { placed in
      let line = line(placed)
      return String(string(line.text, line.range).reversed().drop(while: { $0 == " " || $0 == "\u{2028}" }).reversed())
    }
  }
  /// Where the glyphs of a line stand, in order.
  package func glyphs(ofLine number: Int) -> [LayoutUnit] {
    let lines = fragments(.line)
    let top = lines[number].offset.block
    let bottom = lines[number].bottom
    let texts = fragments(.text).filter {
      $0.offset.block >= top - LayoutUnit(4) && $0.bottom <= bottom + LayoutUnit(4)
    }
    return texts.flatMap { placed in
      let range = text(placed).glyphs
      return pages[placed.page].glyphs[Int(range.lowerBound)..<Int(range.upperBound)].map {
        placed.offset.inline + $0.x
      }
    }
  }
  /// The pieces of text with their places.
  package var texts: [(string: String, placed: Placed)] {
    fragments(.text).map { (string(text($0).text, text($0).range), $0) }
  }
}
