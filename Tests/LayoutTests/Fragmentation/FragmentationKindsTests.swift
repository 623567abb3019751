import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing

/// Boxes of every kind that no page can hold, on pages of ten lines of 10 px: they are broken where they stand, by one set of
/// rules, and no text is lost.
@Suite struct FragmentationKindsTests {
  private static let css = """
    body, table, td { font: 8px/10px 'DejaVu Sans Mono'; padding: 0 } p { orphans: 1; widows: 1 }
    table { border-spacing: 0 } .in { width: 60px }
    """

  private func laidOut(_ body: String, css: String = "", height: Int = 100) -> LaidOut {
    LaidOut(body, css: Self.css + css, width: 200, height: height)
  }

  /// The lines of each page, in document order.
  private func pages(_ laidOut: LaidOut) -> [String] {
    var pages = laidOut.pages.map { _ in "" }
    for (text, placed) in zip(laidOut.lines, laidOut.fragments(.line)) {
      let plain = text.replacing("\u{FFFC}", with: "")
      if !plain.isEmpty { pages[placed.page] += (pages[placed.page].isEmpty ? "" : " ") + plain }
    }
    return pages
  }

  private static func lines(_ count: Int, _ name: String = "") -> String {
    (1...count).map { "<p>\(name)\($0)</p>" }.joined()
  }

  /// Boxes whose lines cross those of the page: they are whole along them, and broken across them.
  private static let crossingKinds: KeyValuePairs = [
    "turned": "<div style='writing-mode: vertical-rl; height: 150px'>$</div>",
    "sideways": "<div style='writing-mode: sideways-lr; float: left'>$</div>",
  ]

  /// Kinds of boxes around a content, `$`, that no page can hold. `%` is as much of another one.
  private static let kinds: KeyValuePairs = [
    "block": "<div>$</div>",
    "avoid": "<div style='break-inside: avoid'>$</div>",
    "block formatting context": "<div style='display: flow-root; break-inside: avoid'>$</div>",
    "clipped": "<div style='overflow: hidden'>$</div>",
    "float": "<div class='in' style='float: left'>$</div>",
    "avoid float": "<div class='in' style='float: right; break-inside: avoid'>$</div>",
    "float in a text": "<div>a<span class='in' style='float: left'>$</span></div>",
    "cell": "<table><tr><td>$</td><td>c</td></tr></table>",
    "avoid row": "<table><tr style='break-inside: avoid'><td>$</td><td>c</td></tr></table>",
    "avoid cell": "<table><tr><td style='break-inside: avoid'>$</td><td>c</td></tr></table>",
    "avoid in a cell": "<table><tr><td><div style='break-inside: avoid'>$</div></td></tr></table>",
    "spanning cell": "<table><tr><td rowspan='2'>$</td><td>c</td></tr><tr><td>d</td></tr></table>",
    "cell below a header": "<table><thead><tr><th>H</th></tr></thead><tr><td>$</td></tr></table>",
    "cell above a footer": "<table><tfoot><tr><th>H</th></tr></tfoot><tr><td>$</td></tr></table>",
    "header": "<table><thead><tr><th>$</th></tr></thead><tr><td>c</td></tr></table>",
    "caption": "<table><caption>$</caption><tr><td>c</td></tr></table>",
    "caption below": "<table style='caption-side: bottom'><caption>$</caption><tr><td>c</td></tr></table>",
    "collapsed borders": "<table style='border-collapse: collapse'><tr><td>$</td><td>c</td></tr></table>",
    "scaled table":
      "<table><tr><td>$</td><td style='white-space: pre'>\(String(repeating: "w", count: 50))</td></tr></table>",
    "item of a flex row": "<div style='display: flex'><div>$</div><div>c</div></div>",
    "item of a flex column": "<div style='display: flex; flex-direction: column'><div>$</div><div>c</div></div>",
    "avoid item": "<div style='display: flex'><div style='break-inside: avoid'>$</div><div>c</div></div>",
    "centred item": "<div style='display: flex; align-items: center'><div>$</div><div>c</div></div>",
    "reversed items": "<div style='display: flex; flex-direction: column-reverse'><div>c</div><div>$</div></div>",
    "item of a grid": "<div style='display: grid; grid-template-columns: 1fr 1fr'><div>$</div><div>c</div></div>",
    "item over rows":
      "<div style='display: grid; grid-template-columns: 1fr 1fr'><div style='grid-row: 1 / 3'>$</div><div>c</div><div>d</div></div>",
    "columns": "<div style='columns: 2'><div style='break-inside: avoid'>$%</div></div>",
    "avoid columns": "<div style='columns: 2; break-inside: avoid'>$%</div>",
    "spanner": "<div style='columns: 2'><p>c</p><div style='column-span: all'>$</div><p>d</p></div>",
    "positioned": "<div style='position: relative'><div style='position: absolute; top: 10px'>$</div>c</div>",
    "inline-block": "<div>a<span class='in' style='display: inline-block'>$</span>b</div>",
    "list item": "<ul style='margin: 0'><li style='break-inside: avoid'>$</li></ul>",
    "cloned edges": "<div style='box-decoration-break: clone; border: 5px solid'>$</div>",
    "fixed height": "<div style='height: 30px'>$</div>",
    "item of fixed height": "<div style='display: flex; height: 30px'><div>$</div></div>",
    "in a cell in an item": "<div style='display: flex'><div><table><tr><td>$</td></tr></table></div></div>",
    "flex in a cell": "<table><tr><td><div style='display: grid'><div>$</div></div></td></tr></table>",
    "float in a cell": "<table><tr><td><div style='float: left'>$</div></td></tr></table>",
    "float in columns": "<div style='columns: 2'><div style='float: left'>$%</div></div>",
  ]

  @Test(arguments: kinds.map(\.key) + crossingKinds.map(\.key))
  func `No text of a box that no page can hold is lost`(_ name: String) throws {
    let crossing = Self.crossingKinds.first { $0.key == name }?.value
    let kind = try #require(crossing ?? Self.kinds.first { $0.key == name }?.value)
    for before in ["", "<p>A</p><p>B</p>", Self.lines(6, "before")] {
      let markup = kind.replacing("$", with: Self.lines(25, "n")).replacing("%", with: Self.lines(25, "x"))
      let laidOut = laidOut("\(before)\(markup)<p>Z</p>")
      let words = laidOut.lines.filter { $0.hasPrefix("n") }
      #expect(Set(words) == Set((1...25).map { "n\($0)" }) && words.count == 25, "\(pages(laidOut))")
      for (text, placed) in laidOut.texts {
        #expect(
          placed.offset.block >= -.epsilon && placed.bottom <= LayoutUnit(101), "\(text) on page \(placed.page + 1)")
      }
      // It begins where it stands.
      let end = laidOut.fragments(.line).filter { $0.page == 0 }.map(\.bottom).max() ?? .zero
      #expect(crossing != nil || end > LayoutUnit(80), "\(pages(laidOut))")
    }
  }

  @Test func `An item is kept with what follows it, in its own row or at the start of the next one`() {
    func rows(_ first: String, _ second: String) -> String {
      "\(Self.lines(8))<div style='display: grid; grid-template-columns: 1fr 1fr'><p style='\(first)'>a</p>"
        + "<p style='\(second)'>b</p><p>c<br/>c</p><p>d<br/>d</p></div>"
    }
    let avoid = "break-after: avoid"
    #expect(pages(laidOut(rows("", ""))) == ["1 2 3 4 5 6 7 8 a b", "c c d d"])
    #expect(pages(laidOut(rows(avoid, ""))) == ["1 2 3 4 5 6 7 8 a b", "c c d d"])
    #expect(pages(laidOut(rows("", avoid))) == ["1 2 3 4 5 6 7 8", "a b c c d d"])
  }
}
