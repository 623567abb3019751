import Primitives
import TestSupport
import Testing

@testable import Layout

/// Boxes aligned on baselines that they share (CSS Box Alignment 3, section 9) on pages 200 px wide, with lines of 10
/// px. Places are those of the border boxes of the items, which are the last boxes of the page.
@Suite struct BaselineSharingTests {
  private func places(_ body: String, css: String) -> [String] {
    let page = LaidOut(
      body, css: "body { font-size: 8px; line-height: 10px } i { display: block } .far { padding-right: 20px } \(css)",
      width: 200)
    return page.fragments(.box).suffix(body.split(separator: "<i").count - 1).map {
      "\($0.offset.inline) \($0.offset.block)"
    }
  }

  @Test func `Columns align the baselines of items whose blocks follow each other along them`() {
    let css = """
      div { display: grid; grid-template-columns: auto 50px; justify-content: start; justify-items: baseline }
      i { writing-mode: vertical-rl; height: 10px; grid-column: 1 } .next { grid-column: 2 }
      """
    // The column is as wide as the two need: 30 px.
    let body = "<div><i class='far'>a</i><i style='padding-left: 15px'>b</i><i class='next'>c</i></div>"
    #expect(places(body, css: css) == ["15 0", "0 10", "85 10"])
  }

  @Test func `Boxes whose blocks run the other way stand at the other edge`() {
    let css = """
      div { display: grid; grid-template-columns: 100px; justify-items: baseline } i { height: 10px }
      .rl { writing-mode: vertical-rl } .lr { writing-mode: vertical-lr }
      """
    let body = "<div><i class='rl'>a</i><i class='rl far'>b</i><i class='lr'>c</i></div>"
    #expect(places(body, css: css) == ["70 0", "70 10", "0 20"])
    let last = css + " div { justify-items: last baseline }"
    #expect(places(body, css: last) == ["0 0", "0 10", "90 20"])
  }

  @Test func `A column of a flex container aligns baselines, too`() {
    let css = "div { display: flex; flex-direction: column; align-items: baseline } i { writing-mode: vertical-rl }"
    #expect(places("<div><i class='far'>a</i><i>b</i></div>", css: css).map { $0.prefix(4) } == ["170 ", "170 "])
  }

  @Test(arguments: [("vertical-rl", "mixed", ["30 0", "20 10"]), ("vertical-lr", "sideways", ["0 0", "0 10"])])
  func `A baseline is synthesized in the middle or at the line-under edge`(
    mode: String, orientation: String, expected: [String]
  ) {
    let css = """
      div { display: grid; grid-auto-rows: 50px; align-items: baseline; writing-mode: \(mode);
        text-orientation: \(orientation); width: 50px; grid-template-columns: 10px 10px }
      i { height: 10px; width: 10px } i + i { width: 30px }
      """
    #expect(places("<div><i></i><i></i></div>", css: css) == expected)
  }

  @Test func `Last baselines of a line are at one height above its end`() {
    let css = "div { display: flex; align-items: last baseline; height: 50px } .high { padding-bottom: 15px }"
    #expect(places("<div><i>a</i><i class='high'>b<br/>b</i></div>", css: css).map { $0.suffix(2) } == ["25", "15"])
  }

  @Test func `A stretched item fills its line where lines follow each other upwards`() {
    let css = "div { display: flex; flex-wrap: wrap-reverse; width: 40px; height: 40px } i { width: 20px }"
    #expect(places("<div><i>a</i><i style='height: 30px'>b</i></div>", css: css) == ["0 0", "20 10"])
  }

  @Test(arguments: ["block", "flex", "grid"])
  func `A box that scrolls has the baseline of its text, or its margin edge where it is a block`(display: String) {
    let page = LaidOut(
      "<div></div><div><i>a</i></div>",
      css: """
        div { display: inline-block; width: 20px; min-height: 12px }
        i { display: \(display); overflow: hidden; height: 10px; margin-bottom: 5px }
        """)
    let boxes = Array(page.fragments(.box).suffix(3))
    #expect((boxes[0].bottom == boxes[1].bottom) == (display == "block"))
  }
}
