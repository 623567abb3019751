import Primitives
import TestSupport
import Testing

@testable import Layout

/// Grids 200 px wide with lines of 10 px; places are those of the items' lines.
@Suite struct GridLayoutTests {
  private func lines(_ body: String, css: String, height: Int = 10_000) -> [String] {
    let page = LaidOut(
      body,
      css: "body { font-size: 8px; line-height: 10px; orphans: 1; widows: 1 } div { display: grid } \(css)", width: 200,
      height: height)
    return zip(page.lines, page.fragments(.line)).map { text, placed in
      "\(text) \(placed.page): \(placed.offset.inline) \(placed.offset.block)"
    }
  }
  private let items = "<p>a</p><p>b</p><p>c</p>"

  @Test func `Fractions share what lengths and gaps leave`() {
    let found = lines("<div>\(items)</div>", css: "div { grid-template-columns: 50px 1fr 2fr; gap: 0 15px }")
    #expect(found == ["a 0: 0 0", "b 0: 65 0", "c 0: 120 0"])
  }

  @Test func `fit-content takes what its content needs, up to its limit`() {
    let css = "div { grid-template-columns: fit-content(40px) auto } i { display: block; width: 30px; height: 1px }"
    #expect(lines("<div><p>a<i/></p><p>b</p></div>", css: css).last == "b 0: 30 0")
    let wide = css + "i { display: inline-block; width: 25px }"
    #expect(lines("<div><p><i/> <i/></p><p>b</p></div>", css: wide).last == "b 0: 40 0")
  }

  @Test func `repeat(auto-fill) makes as many tracks as fit, auto-fit drops the empty ones`() {
    let fill = "div { grid-template-columns: repeat(auto-fill, 40px); justify-content: end }"
    #expect(lines("<div>\(items)</div>", css: fill) == ["a 0: 0 0", "b 0: 40 0", "c 0: 80 0"])
    let fit = fill.replacing("auto-fill", with: "auto-fit")
    #expect(lines("<div>\(items)</div>", css: fit) == ["a 0: 80 0", "b 0: 120 0", "c 0: 160 0"])
  }

  @Test func `Lines, spans and areas name places; other items fill the rest in order`() {
    let css = """
      div { grid-template-areas: 'h h h' 's m m'; grid-template-columns: 50px 50px 100px }
      .h { grid-area: h } .s { grid-area: s } .last { grid-column: -2 / -1; grid-row: 3 }
      """
    let found = lines(
      "<div><p>a</p><p class='last'>z</p><p class='s'>s</p><p class='h'>h</p><p>b</p></div>", css: css)
    #expect(found == ["a 0: 50 10", "z 0: 100 20", "s 0: 0 10", "h 0: 0 0", "b 0: 100 10"])
  }

  @Test func `Dense packing fills gaps that earlier items left`() {
    let css = "div { grid-template-columns: repeat(3, 50px) } .two { grid-column: span 2 }"
    let body = "<div><p class='two'>a</p><p class='two'>b</p><p>c</p></div>"
    #expect(lines(body, css: css).last == "c 0: 100 10")
    #expect(lines(body, css: css + "div { grid-auto-flow: dense }").last == "c 0: 100 0")
  }

  @Test func `Items are aligned in their areas`() {
    let css = """
      div { grid-template: 30px / 100px 100px; justify-items: center; align-items: end } p { width: 20px }
      .own { justify-self: end; align-self: center }
      """
    #expect(lines("<div><p>a</p><p class='own'>b</p></div>", css: css) == ["a 0: 40 20", "b 0: 180 10"])
  }

  @Test func `Positioned boxes stand where their baseline-sharing group does; the block axis has no right`() {
    let css = """
      div { height: 30px; width: 50px; justify-items: start; position: relative; direction: rtl }
      p { position: absolute; width: 20px; direction: ltr; align-self: end; align-self: right }
      p { justify-self: last baseline } .first { justify-self: baseline }
      """
    #expect(lines("<div><p>a</p><p class='first'>b</p></div>", css: css) == ["a 0: 0 20", "b 0: 30 20"])
  }

  @Test func `A grid breaks between rows, and inside a row that is higher than a page`() {
    let css = "div { grid-template-columns: 100px 100px }"
    let body = "<div>\(items)<p>d<br/>d</p><p>e<br/>f<br/>g<br/>h</p><p>i</p><p>j</p></div>"
    #expect(
      lines(body, css: css, height: 30) == [
        "a 0: 0 0", "b 0: 100 0", "c 0: 0 10", "d 0: 100 10", "d 0: 100 20", "e 1: 0 0", "f 1: 0 10", "g 1: 0 20",
        "i 1: 100 0", "h 2: 0 0", "j 2: 0 10",
      ])
  }

  @Test func `Hostile numbers of tracks and spans stay bounded`() {
    let css = """
      div { grid-template-columns: repeat(100000, repeat(9, 1px)) } div { grid-template-columns: repeat(99999, 1px) }
      p { grid-row: span 99999; grid-column: span 99999 }
      """
    #expect(lines("<div>\(items)</div>", css: css).count == 3)
  }

  @Test func `Subgrids nested deeply, and turned at every level, stay bounded`() {
    let css = """
      div { grid-template: subgrid / subgrid } div:nth-child(2n) { writing-mode: vertical-rl }
      div div { grid-column: span 20; grid-row: span 20 }
      """
    let body =
      String(repeating: "<div><i></i><div>", count: 20) + "<p>a</p>" + String(repeating: "</div></div>", count: 20)
    #expect(lines(body, css: css).count == 1)
  }
}
