import Primitives
import TestSupport
import Testing

@testable import Layout

/// Lines of 10 px in containers 200 px wide, two columns without a gap where nothing else is said.
@Suite struct ColumnLayoutTests {
  private func laidOut(_ body: String, css: String = "", height: Int = 10_000) -> LaidOut {
    LaidOut(
      body,
      css: """
        body { font-size: 8px; line-height: 10px; orphans: 1; widows: 1 } div { columns: 2; column-gap: 0 } br { line-height: 10px }
        h1 { margin: 0; font: inherit; column-span: all; break-after: avoid } \(css)
        """, width: 200, height: height)
  }
  /// Each line with its page (from 0), line-left and block offset.
  private func lines(_ laidOut: LaidOut) -> [String] {
    zip(laidOut.lines, laidOut.fragments(.line)).map { text, placed in
      "\(text) \(placed.page): \(placed.offset.inline) \(placed.offset.block)"
    }
  }

  @Test func `Columns are balanced: none is higher than it must be`() {
    let page = laidOut("<div><p>a</p><p>b</p><p>c</p></div><p>after</p>")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "c 0: 100 0", "after 0: 0 20"])
  }

  @Test func `A high piece that cannot be divided stretches all columns`() {
    let page = laidOut(
      "<div><p>a</p><p>b</p><p class='whole'>c<br/>d<br/>e</p></div>", css: ".whole { break-inside: avoid }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "c 0: 100 0", "d 0: 100 10", "e 0: 100 20"])
  }

  @Test func `column-width gives the number of columns, the gap stands between them`() {
    let page = laidOut("<div>a<br/>b<br/>c</div>", css: "div { columns: 50px; column-gap: 10px }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 70 0", "c 0: 140 0"])
  }

  @Test func `column-fill auto fills one column after the other`() {
    let page = laidOut("<div>a<br/>b<br/>c<br/>d</div>", css: "div { height: 30px; column-fill: auto }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "c 0: 0 20", "d 0: 100 0"])
  }

  @Test func `What a fixed height cuts off overflows in further columns`() {
    let page = laidOut("<div>a<br/>b<br/>c</div>", css: "div { height: 10px }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 0", "c 0: 200 0"])
  }

  @Test func `A forced column break ends a column; margins after it stay`() {
    let page = laidOut(
      "<div><p>a</p><p class='next'>b</p></div>", css: ".next { break-before: column; margin-top: 5px }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 5"])
  }

  @Test func `A spanner parts the columns before it from those after it`() {
    let page = laidOut(
      "<div><p>a</p><p>b</p><section><h1>c</h1><p>d</p></section><p>e</p></div>", css: "h1 { margin: 3px 0 4px }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 0", "c 0: 0 13", "d 0: 0 27", "e 0: 100 27"])
  }

  @Test func `A float that has no room in a column before a spanner stands in the next one`() {
    let page = laidOut(
      "<div><p>a</p><p>b</p><p>c</p><i>f<br/>g</i><h1>d</h1></div>", css: "i { float: left; width: 50px }", height: 60)
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "c 0: 0 20", "f 0: 100 0", "g 0: 100 10", "d 0: 0 30"])
  }

  @Test func `A spanner stands below the floats of the columns before it`() {
    let page = laidOut(
      "<div><i>f<br/>g</i>a<h1>d</h1></div>", css: "div { columns: 1 } i { float: left; width: 50px }")
    #expect(lines(page) == ["f 0: 0 0", "g 0: 0 10", "a 0: 50 0", "d 0: 0 20"])
  }

  @Test func `Margins of spanners with nothing between them collapse`() {
    let page = laidOut("<div><h1>a</h1><h1>b</h1></div>", css: "h1 { margin: 5px 0 }")
    #expect(lines(page) == ["a 0: 0 5", "b 0: 0 20"])
  }

  @Test func `Columns fill each page and are balanced on the last`() {
    let page = laidOut("<p>first</p><div>a<br/>b<br/>c<br/>d<br/>e<br/>f</div>", height: 30)
    #expect(
      lines(page) == ["first 0: 0 0", "a 0: 0 10", "b 0: 0 20", "c 0: 100 10", "d 0: 100 20", "e 1: 0 0", "f 1: 100 0"])
  }

  @Test func `A forced page break inside columns ends the page`() {
    let page = laidOut(
      "<div><p>a</p><p>b</p><p class='next'>c</p></div>", css: ".next { break-before: page }", height: 90)
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 0", "c 1: 0 0"])
  }

  @Test func `A spanning heading goes to the next page with the columns it heads`() {
    let page = laidOut("<div><p>a</p><p>b</p><h1>c</h1><p>d</p></div>", height: 20)
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 0", "c 1: 0 0", "d 1: 0 10"])
  }

  @Test func `A float that is not broken and does not fit its column comes first in the next`() {
    let page = laidOut(
      "<div>a<br/>b<i>x<br/>y</i><br/>c</div>",
      css: "div { height: 20px; column-fill: auto } i { float: left; width: 30px; break-inside: avoid }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "x 0: 100 0", "y 0: 100 10", "c 0: 130 0"])
  }

  @Test func `Columns lie in columns`() {
    let page = laidOut("<div><p>a</p><div><p>b</p><p>c</p></div><p>d</p></div>")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 0 10", "c 0: 50 10", "d 0: 100 0"])
  }

  @Test func `A rule stands between columns that hold something`() {
    let page = laidOut("<div>a<br/>b</div>", css: "div { columns: 4; column-rule: 2px solid red; column-gap: 8px }")
    let rules = page.pages[0].collapsedBorders.map { $0.rect }
    #expect(
      rules == [
        LogicalRect(
          offset: LogicalOffset(inline: LayoutUnit(47)), size: LogicalSize(inline: LayoutUnit(2), block: LayoutUnit(10))
        )
      ])
  }

  @Test func `A positioned box refers to the container, not to a column`() {
    let page = laidOut(
      "<div>a<br/>b<b>c</b></div>", css: "div { position: relative } b { position: absolute; right: 0; width: 20px }")
    #expect(lines(page) == ["a 0: 0 0", "b 0: 100 0", "c 0: 180 0"])
  }

  @Test func `Nested columns cost a bounded number of tries and lose nothing`() {
    let depth = 20
    let page = laidOut(
      String(repeating: "<div>", count: depth) + "word <p>and more</p>" + String(repeating: "</div>", count: depth))
    #expect(page.lines.joined(separator: " ") == "word and more")
  }
}
