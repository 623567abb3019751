import Primitives
import TestSupport
import Testing

@testable import Layout

/// Containers 200 px wide with lines of 10 px; places are those of the items' lines.
@Suite struct FlexLayoutTests {
  private func lines(_ body: String, css: String, height: Int = 10_000) -> [String] {
    let page = LaidOut(
      body,
      css: "body { font-size: 8px; line-height: 10px; orphans: 1; widows: 1 } div { display: flex } \(css)", width: 200,
      height: height)
    return zip(page.lines, page.fragments(.line)).map { text, placed in
      "\(text) \(placed.page): \(placed.offset.inline) \(placed.offset.block)"
    }
  }
  private let items = "<p>a</p><p>b</p><p>c</p>"

  @Test func `Lines of a wrapping column share the width; items stretch to their line`() {
    let css = "div { flex-flow: column wrap; height: 20px; align-items: flex-end } p { width: 20px }"
    #expect(lines("<div>\(items)</div>", css: css) == ["a 0: 80 0", "b 0: 80 10", "c 0: 180 0"])
  }

  @Test func `The automatic minimum is the content's, not the width's`() {
    let css = "p { width: 150px } .rigid { flex-shrink: 0 }"
    #expect(lines("<div><p>a</p><p class='rigid'>b</p></div>", css: css) == ["a 0: 0 0", "b 0: 50 0"])
  }

  @Test func `Items flex into a minimum height and are aligned in it`() {
    let css = "div { min-height: 30px; align-items: flex-end } .column { flex-direction: column } .grow { flex: 1 }"
    #expect(lines("<div>\(items)</div>", css: css).allSatisfy { $0.hasSuffix(" 20") })
    #expect(lines("<div class='column'><p class='grow'>a</p><p>b</p></div>", css: css).last?.hasSuffix(" 20") == true)
  }

  @Test func `A positioned child stands as if it were the only item`() {
    let css = """
      div { position: relative; height: 30px; justify-content: center; align-items: flex-end }
      p { position: absolute; width: 20px }
      """
    #expect(lines("<div><p>a</p></div>", css: css) == ["a 0: 90 20"])
  }

  @Test func `A column breaks between items, a row between its lines, and a high line inside`() {
    let column = "div { flex-direction: column } p { margin-bottom: 5px }"
    #expect(lines("<div>\(items)</div>", css: column, height: 30) == ["a 0: 0 0", "b 0: 0 15", "c 1: 0 0"])
    let row = "div { flex-wrap: wrap } p { width: 100px }"
    #expect(
      lines("<div>\(items)<p>d<br/>e<br/>f</p></div>", css: row, height: 20) == [
        "a 0: 0 0", "b 0: 100 0", "c 0: 0 10", "d 0: 100 10", "e 1: 100 0", "f 1: 100 10",
      ])
  }

  @Test func `A ratio gives a box the side it does not say`() {
    let css = "div { display: block } div p { aspect-ratio: 2; height: 20px } .wide { height: auto; width: 60px }"
    let page = LaidOut("<div><p>a</p><p class='wide'>b</p></div>", css: css, width: 200)
    let sizes = page.fragments(.box).suffix(2).map(\.fragment.size)
    #expect(sizes[0] == LogicalSize(inline: LayoutUnit(40), block: LayoutUnit(20)))
    let free = LaidOut("<p style='aspect-ratio: 2; width: 60px'></p>", width: 200).fragments(.box).last?.fragment.size
    #expect(free == LogicalSize(inline: LayoutUnit(60), block: LayoutUnit(30)))
  }
}
