import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing

/// Rules of CSS 2.2, chapters 8 to 10, seen in the places of boxes.
@Suite struct FlowTests {
  /// The border boxes of the elements that are `div`s without children, by `id` order in the page: in document order.
  private func leaves(_ page: LaidOut) -> [(left: LayoutUnit, top: LayoutUnit, width: LayoutUnit)] {
    page.fragments(.box).filter { $0.fragment.firstChild.isNone }
      .sorted { $0.fragment.box.rawValue < $1.fragment.box.rawValue }
      .map { ($0.offset.inline, $0.offset.block, $0.fragment.size.inline) }
  }

  @Test func `Inline box contains its positioned descendants`() {
    let page = LaidOut(
      """
      <p><span style='display: inline-block; width: 50px; height: 10px'></span><b>\
      <i style='position: absolute; left: 3px; bottom: 0; width: 5px; height: 4px'></i>text</b></p>
      """, css: "b { position: relative; padding: 2px; border: 1px solid }")
    let box = page.fragments(.inlineBox)[0]
    let inner = leaves(page).last
    #expect(box.offset.inline == LayoutUnit(50))
    #expect(inner?.left == LayoutUnit(54))
    #expect(inner.map { $0.top + LayoutUnit(4) } == box.bottom - LayoutUnit(1))
  }

  @Test func `Blocks move with the relative inline they split`() {
    let page = LaidOut(
      "<div><span style='position: relative; left: 20px; top: 5px'>a<div class='b'></div></span></div>",
      css: ".b { height: 10px; width: 10px }")
    let text = page.fragments(.text)[0]
    #expect(text.offset.inline == LayoutUnit(20))
    #expect(leaves(page).last?.left == LayoutUnit(20))
  }

  @Test func `Auto margins are zero in too wide boxes`() {
    for margin in ["margin-left: auto", "margin-left: auto; margin-right: auto", ""] {
      let page = LaidOut(
        "<div style='width: 50px'><div style='width: 80px; height: 1px; \(margin)'></div></div>")
      #expect(leaves(page)[0].left == .zero)
    }
  }

  @Test func `Clearance looks through the margins of first children`() {
    let css = ".f { float: left; width: 10px; height: 100px } .c { clear: left } .m { margin-top: 140px; height: 1px }"
    let page = LaidOut(
      "<div style='border-top: 1px solid'><div class='f'></div><div class='c'><div class='m'></div></div></div>",
      css: css)
    #expect(leaves(page).last?.top == LayoutUnit(141))
  }

  @Test func `New formatting contexts stand beside floats, or below`() {
    let css = ".f { float: left; clear: left; height: 50px } .c { overflow: hidden }"
    // Narrower than its content, but beside the float.
    let narrow = LaidOut(
      "<div class='f' style='width: 200px'></div><div class='c'><div style='width: 150px; height: 9px'></div></div>",
      css: css)
    #expect(leaves(narrow).last.map { [$0.left, $0.top] } == [LayoutUnit(200), .zero])
    // Pushed aside by a float that begins lower down.
    let lower = LaidOut(
      """
      <div class='f' style='width: 20px'></div><div class='f' style='width: 60px'></div>\
      <div style='height: 40px'></div><div class='c' style='width: 100px; height: 30px'></div>
      """, css: css)
    #expect(leaves(lower).last.map { [$0.left, $0.top] } == [LayoutUnit(60), LayoutUnit(40)])
  }

  @Test func `Floats without height narrow the lines they stand in`() {
    let css =
      ".f { float: left; clear: left } b { display: inline-block; width: 250px; height: 20px; vertical-align: bottom }"
    let page = LaidOut(
      """
      <div class='f' style='width: 10px; height: 30px'></div><div class='f' style='width: 40px; height: 0'></div>\
      <b></b><b></b><b></b>
      """, css: "body { font-size: 1px } " + css)
    #expect(leaves(page).suffix(3).map(\.left) == [LayoutUnit(10), LayoutUnit(40), .zero])
  }

  @Test
  func `B8 Preserved lines overflow their box, but not the page`() {
    let long = String(repeating: "long line ", count: 6)
    func page(width: Int) -> LaidOut {
      LaidOut("<p style='width: 100px; white-space: pre'>\(long)</p>", width: width)
    }
    #expect(page(width: 2000).lines.count == 1)
    let narrow = page(width: 300)
    #expect(narrow.lines.count > 1)
    #expect(!narrow.pages[0].fragments.contains { $0.flags.contains(.overflows) })
  }

  @Test(arguments: [
    "border: 1px solid", "background: #eee", "overflow: auto", "float: left",
  ])
  func `B8 Preserved lines and long words stay inside a box that is seen`(style: String) {
    let body = "<pre>a line that is longer</pre><p>averyveryveryveryverylongword</p>"
    let page = LaidOut(
      "<div style='width: 100px; \(style)'>\(body)</div>", css: "div * { font-size: 10px }", width: 500)
    #expect(page.lines.count >= 4, "\(page.lines)")
    for line in page.fragments(.line) { #expect(page.line(line).contentWidth <= LayoutUnit(100)) }
  }

  @Test func `Space that wraps collapses with one that does not`() {
    func lines(_ body: String) -> [String] { LaidOut("<p style='width: 10px'>\(body)</p>").lines }
    #expect(lines("<span style='white-space: nowrap'>aa </span> bb") == ["aa", "bb"])
    #expect(lines("<span style='white-space: nowrap'>aa </span>bb") == ["aa bb"])
  }

  @Test(arguments: [
    ("video", "display: block"), ("audio", "display: block"), ("object", "display: inline-block"),
    ("canvas", "float: left; width: 100%"), ("iframe", "display: block; aspect-ratio: 20"),
    ("video", "display: block; max-height: 5px"), ("video", "display: flex; flex-direction: column"),
  ])
  func `What stands for embedded content makes room for itself`(_ name: String, _ style: String) {
    let body = "<p>A</p><\(name)><p>a</p><p>b</p><p>c</p></\(name)><p style='clear: both'>Z</p>"
    let laidOut = LaidOut(body, css: "\(name) { height: 20px; \(style) } body { line-height: 20px }")
    #expect(laidOut.lines.filter { $0.count == 1 && $0 != "\u{FFFC}" }.sorted() == ["A", "Z", "a", "b", "c"])
    let last = zip(laidOut.lines, laidOut.fragments(.line)).first { $0.0 == "Z" }
    #expect(last.map { $0.1.offset.block >= LayoutUnit(80) } == true)
    // Where it is lower than the author's height, that holds.
    let low = LaidOut("<video><p>a</p></video><p>Z</p>", css: "video { display: block; height: 90px }")
    #expect(zip(low.lines, low.fragments(.line)).first { $0.0 == "Z" }?.1.offset.block == LayoutUnit(90))
  }
}
