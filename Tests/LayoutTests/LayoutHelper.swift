import BoxGeneration
import CSS
import Fonts
import Images
import Layout
import Markup
import Primitives
import Shaping
import Styling
import Text

/// Pages of a piece of markup, laid out with the machine's fonts: 16 px, no page margins, no body margin. Pictures are inline
/// `<svg>` elements.
struct LaidOut {
  static let library = FontLibrary()
  let tree: BoxTree
  let styles: StyleTable
  let fonts: FontBook
  var pages: [PageLayout] = []

  init(
    _ body: String, css: String = "", width: Int = 300, height: Int = 10_000, language: String = "en",
    pagesBefore: Int = 0, margin: Int = 0, house: Bool = false, change: (inout LayoutSettings) -> Void = { _ in }
  ) {
    let source = """
      <html xmlns="http://www.w3.org/1999/xhtml" lang="\(language)"><head><style>
      body, p { margin: 0 } \(css)
      </style></head><body>\(body)</body></html>
      """
    let document = MarkupReader.read(Array(source.utf8), as: .xml).document
    var settings = StyleSettings()
    settings.usesHouseStyle = house
    let sheets = StylesheetCollection(
      of: document, path: "test.xhtml", media: settings.media, cache: StylesheetCache(), load: { _ in nil })
    let styled = StyleResolver.resolve(document: document, sheets: sheets.sheets, settings: settings)
    let images = ImageStore()
    tree = BoxGenerator.generate(
      styled, resources: BoxResources(inlineSVG: { images.addInlineSVG($0) }))
    styles = styled.table
    fonts = FontBook(library: Self.library)
    var layoutSettings = LayoutSettings(
      page: PageGeometry(
        size: Size(width: LayoutUnit(width), height: LayoutUnit(height)), margin: Sides(all: LayoutUnit(margin))),
      rootFontSize: 16)
    layoutSettings.bookPages = [.size, .margins]
    change(&layoutSettings)
    let inputs = LayoutInputs(
      tree: tree, styles: styled.table, fonts: fonts, images: images, settings: layoutSettings)
    let workspace = FormattingContexts.workspace(
      inputs, shaper: Shaper(fonts: fonts, settings: ShapingSettings()))
    var composer = PageComposer(workspace, pageStyles: styled.pageStyles, pagesBefore: pagesBefore)
    while let page = composer.nextPage() { pages.append(page) }
  }

  func string(_ text: TextID, _ range: Range<UInt32>) -> String {
    let base = tree.texts.texts[text.index].units.lowerBound
    return String(
      decoding: tree.texts.units[base + Int(range.lowerBound)..<base + Int(range.upperBound)], as: UTF16.self)
  }

  /// A fragment with its place on the page.
  struct Placed {
    var page: Int
    var fragment: Fragment
    var offset: LogicalOffset
    var right: LayoutUnit { offset.inline + fragment.size.inline }
    var bottom: LayoutUnit { offset.block + fragment.size.block }
  }

  /// All fragments in document order.
  func fragments(_ kind: FragmentKind? = nil) -> [Placed] {
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

  func line(_ placed: Placed) -> LineFragment { pages[placed.page].lines[Int(placed.fragment.payload)] }
  func text(_ placed: Placed) -> TextFragment { pages[placed.page].texts[Int(placed.fragment.payload)] }

  /// Text of the lines, spaces at their ends left out.
  var lines: [String] {
    fragments(.line).map { placed in
      let line = line(placed)
      return String(string(line.text, line.range).reversed().drop(while: { $0 == " " || $0 == "\u{2028}" }).reversed())
    }
  }
  /// Where the glyphs of a line stand, in order.
  func glyphs(ofLine number: Int) -> [LayoutUnit] {
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
  var texts: [(string: String, placed: Placed)] {
    fragments(.text).map { (string(text($0).text, text($0).range), $0) }
  }
}
