import Layout
import Primitives
import TestSupport
import Testing

/// Atomic inlines that no page can hold, on pages of ten lines of 10 px.
@Suite struct AtomicInlinePartsTests {
  private static let css = """
    body, td { font: 8px/10px 'DejaVu Sans Mono'; orphans: 1; widows: 1; padding: 0 }
    table { border-spacing: 0 } i, table { font: inherit; width: 60px; vertical-align: baseline }
    """

  private func laidOut(_ body: String, css: String = "") -> LaidOut {
    LaidOut(body, css: Self.css + css, width: 200, height: 100)
  }

  /// The lines of each page, from the top.
  private func pages(_ laidOut: LaidOut) -> [String] {
    var pages = laidOut.pages.map { _ in "" }
    for (text, placed) in zip(laidOut.lines, laidOut.fragments(.line)) {
      let plain = text.replacing("\u{FFFC}", with: "")
      if !plain.isEmpty { pages[placed.page] += (pages[placed.page].isEmpty ? "" : " ") + plain }
    }
    return pages
  }

  private func lines(_ count: Int) -> String { (1...count).map { "<b>\($0)</b>" }.joined() }

  @Test(arguments: [
    ("<i class='box'>", "</i>", "inline-block"), ("<i class='box'>", "</i>", "inline-flex; flex-direction: column"),
    ("<i class='box'>", "</i>", "inline-grid"), ("<i class='box'><u>", "</u></i>", "inline-flex"),
    ("<table class='box'><tr><td>", "</td></tr></table>", "inline-table"),
  ])
  func `What is higher than a page goes on on the next ones`(_ open: String, _ close: String, _ display: String) {
    let css = ".box { display: \(display) } b, u { display: block }"
    let laidOut = laidOut("<div>\(open)\(lines(22))\(close)</div><p>Z</p>", css: css)
    #expect(pages(laidOut) == ["1 2 3 4 5 6 7 8 9 10", "11 12 13 14 15 16 17 18 19 20", "21 22 Z"], "\(display)")
    #expect(
      laidOut.fragments(.line).filter { $0.fragment.size.block == LayoutUnit(10) }.allSatisfy {
        $0.bottom <= LayoutUnit(100)
      })
  }

  @Test func `The text of a line stands on the page that its baseline falls on`() {
    let css = ".box { display: inline-block } b { display: block } .a { margin-left: 10px }"
    let boxes = "<i class='box a'>\(lines(12))</i><i class='box'>\(lines(14))</i>"
    let laidOut = laidOut("<div>a \(boxes) z w</div><p>Z</p>", css: css)
    #expect(laidOut.pages.count == 2)
    func places(_ text: String) -> [LaidOut.Placed] {
      zip(laidOut.lines, laidOut.fragments(.line)).filter { $0.0 == text }.map(\.1)
    }
    // The first lines, and those that the second page begins with.
    #expect(places("1").map(\.offset.inline) == [places("9")[1].offset.inline, places("11")[1].offset.inline])
    #expect(places("1").map(\.offset.block) == [LayoutUnit(20), .zero])
    #expect(places("9").map(\.page) == [0, 1] && places("11").map(\.page) == [1, 1])
    // Their last lines stand on the baseline of the text.
    let line = laidOut.texts.filter { $0.string.hasPrefix("a") || $0.string.contains("z w") }.map(\.placed)
    #expect(line.count == 2 && line.allSatisfy { $0.page == 1 && $0.offset.block == places("12")[0].offset.block })
    #expect(places("12").map(\.offset.block) == [LayoutUnit(30), LayoutUnit(10)])
    #expect(places("14").map(\.offset.block) == [LayoutUnit(30)])
    #expect(places("Z").map(\.page) == [1] && places("Z")[0].offset.block == LayoutUnit(40))
  }

  @Test(arguments: [
    ("vertical-align: top", 0), ("display: inline-flex; flex-direction: column", 0), ("vertical-align: baseline", 2),
    ("vertical-align: bottom", 2), ("overflow: hidden", 2),
  ])
  func `Text beside a box of several pages is on the first or the last of them`(_ style: String, _ page: Int) {
    let css = ".box { display: inline-block } b { display: block }"
    let laidOut = laidOut("<div>a <i class='box' style='\(style)'>\(lines(25))</i> z</div><p>Z</p>", css: css)
    #expect(laidOut.pages.count == 3)
    #expect(laidOut.lines.compactMap { Int($0) }.sorted() == Array(1...25))
    let pages = laidOut.texts.filter { $0.string.hasPrefix("a") || $0.string.hasSuffix("z") }.map(\.placed.page)
    #expect(pages == [page, page])
  }

  @Test(arguments: [(12, 25), (25, 12), (11, 35), (35, 11), (21, 22), (31, 31)])
  func `Boxes of several pages beside each other show each of their lines once`(_ first: Int, _ second: Int) {
    let css = ".box { display: inline-block } b { display: block }"
    let boxes = "<i class='box'>\(lines(first))</i> <i class='box'>\(lines(second))</i>"
    let laidOut = laidOut("<p>A</p><div>a \(boxes) z</div><p>Z</p>", css: css)
    #expect(laidOut.pages.count <= (first + second) / 10 + 2)
    #expect(laidOut.lines.compactMap { Int($0) }.sorted() == (Array(1...first) + Array(1...second)).sorted())
    #expect(laidOut.texts.allSatisfy { $0.placed.bottom <= LayoutUnit(101) })
  }

  @Test func `A margin that the last page has no room for does not begin the box again`() {
    let css = ".box { display: inline-block; margin-bottom: 60px } b { display: block }"
    let laidOut = laidOut("<div>a <i class='box'>\(lines(15))</i> z</div><p>Z</p>", css: css)
    #expect(laidOut.pages.count <= 3)
    #expect(laidOut.lines.compactMap { Int($0) }.sorted() == Array(1...15))
  }

  @Test func `What fits a page moves there whole, and what does not waits for a page where it has room to begin`() {
    let css = ".box { display: inline-block } b { display: block }"
    #expect(pages(laidOut("<p>A</p><div><i class='box'>\(lines(10))</i></div>", css: css))[0] == "A")
    let high = laidOut("<p>A</p><div><i class='box'>\(lines(12))</i></div>", css: css)
    #expect(pages(high) == ["A 1 2 3 4 5 6 7 8 9", "10 11 12"])
    let low = laidOut("\(String(repeating: "<p>A</p>", count: 8))<div><i class='box'>\(lines(11))</i></div>", css: css)
    #expect(pages(low) == ["A A A A A A A A", "1 2 3 4 5 6 7 8 9 10", "11"])
  }

  @Test func `Parts inside parts, in floats, cells and columns`() {
    let css = ".box, .in { display: inline-block } b { display: block } .f { float: left }"
    let box = "<i class='box'>\(lines(15))</i>"
    for body in [
      "<i class='in'>\(box)</i>", "<div class='f'>\(box)</div>",
      "<table><tr><td>\(box)</td><td>x</td></tr></table>", "<div style='display: flex'><div>\(box)</div></div>",
      "<div style='columns: 2; column-gap: 0'>\(box)</div>",
    ] {
      let laidOut = laidOut(body, css: css)
      let numbers = laidOut.lines.compactMap { Int($0) }
      #expect(numbers == Array(1...15), "\(body)")
      #expect(laidOut.texts.allSatisfy { $0.placed.bottom <= LayoutUnit(101) }, "\(body)")
    }
  }
}
