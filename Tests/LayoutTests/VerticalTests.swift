import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing
import Text

/// Vertical lines and flows that turn from the page's: CSS Writing Modes 4.
@Suite struct VerticalTests {
  private static let vertical = "html { writing-mode: vertical-rl }"
  private static let em = LayoutUnit(16)
  private let story = "山川草木鳥獣虫魚日月星辰風花雪月東西南北春夏秋冬金銀銅鉄赤青黄白"

  private func texts(_ page: LaidOut, _ string: String) -> [LaidOut.Placed] {
    page.texts.filter { $0.string.contains(string) }.map(\.placed)
  }
  /// The box of an element, by the order of boxes with that inline or block size.
  private func physical(_ page: LaidOut, _ placed: LaidOut.Placed) -> Rect {
    let layout = page.pages[placed.page]
    return layout.writingMode.physical(
      LogicalRect(offset: placed.offset, size: placed.fragment.size), in: layout.contentArea)
  }

  @Test(arguments: ["vertical-rl", "tb-rl", "vertical-lr"])
  func `V-1: lines of ideographs break and pages end as in a horizontal page of turned size`(mode: String) {
    let turned = LaidOut(
      "<p>\(story)</p>", css: "html { -epub-writing-mode: \(mode); line-height: 20px }", width: 40, height: 100,
      language: "ja")
    let flat = LaidOut("<p>\(story)</p>", css: "html { line-height: 20px }", width: 100, height: 40, language: "ja")
    #expect(turned.lines == flat.lines)
    #expect(turned.pages.count == flat.pages.count)
    #expect(turned.lines.joined() == story)
    // The first line is on the side that the block axis starts from.
    let first = physical(turned, turned.fragments(.line)[0])
    #expect(first.width == LayoutUnit(20))
    #expect(first.x == (mode == "vertical-lr" ? .zero : LayoutUnit(20)))
  }

  @Test func `V-1: the body's writing mode is the page's`() {
    let page = LaidOut("<p>一二</p>", css: "body { -webkit-writing-mode: vertical-rl }", width: 200, height: 100)
    #expect(page.pages[0].writingMode == .verticalRL)
    let line = physical(page, page.fragments(.line)[0])
    #expect(line.maxX == LayoutUnit(200))
    #expect(line.height == LayoutUnit(100))
  }

  @Test func `V-9: Mongolian lines follow each other from left to right, joined`() {
    let word = "ᠮᠣᠩᠭᠣᠯ"
    let page = LaidOut(
      "<p>\(Array(repeating: word, count: 12).joined(separator: " "))</p>",
      css: "html { writing-mode: vertical-lr; line-height: 30px }", width: 300, height: 120, language: "mn-Mong")
    let lines = page.fragments(.line).map { physical(page, $0) }
    #expect(lines.count > 2)
    for (line, next) in zip(lines, lines.dropFirst()) { #expect(next.x == line.x + LayoutUnit(30)) }
    // Letters change by their neighbours.
    func glyphs(_ text: String) -> Set<UInt16> {
      let page = LaidOut("<p>\(text)</p>", css: Self.vertical, width: 300, height: 500, language: "mn-Mong")
      return Set(page.pages[0].glyphs.map(\.id))
    }
    #expect(!glyphs("ᠨᠨᠨ").isSubset(of: glyphs("ᠨ ᠨ ᠨ")))
  }

  @Test func `V-6: physical properties keep their sides, logical ones follow the lines`() {
    let css = """
      html { writing-mode: vertical-rl }
      div { margin: 1px 2px 3px 4px; padding-inline-start: 5px; padding-block-start: 6px; border-left: 7px solid;
        inline-size: 50px; width: 30px }
      """
    let page = LaidOut("<div></div>", css: css, width: 200, height: 100)
    let boxes = page.fragments(.box)
    let box = physical(page, boxes[boxes.count - 1])
    #expect(box == Rect(x: LayoutUnit(200 - 2 - 43), y: LayoutUnit(1), width: LayoutUnit(43), height: LayoutUnit(55)))
  }

  @Test func `V-6: floats, tables and positioned boxes turn with the flow`() {
    let css = """
      html { writing-mode: vertical-rl; line-height: 20px }
      .f { float: right; width: 20px; height: 30px } table { border-spacing: 0 } td { padding: 0 }
      .p { position: absolute; left: 5px; top: 6px; width: 7px; height: 8px }
      """
    let body =
      "<div class='f'></div><table><tr><td>甲</td><td>乙</td></tr><tr><td>丙</td></tr></table><div class='p'></div>"
    let page = LaidOut(body, css: css, width: 200, height: 100, language: "ja")
    let rects = page.fragments(.box).map { physical(page, $0) }
    #expect(rects.contains(Rect(x: LayoutUnit(180), y: LayoutUnit(70), width: LayoutUnit(20), height: LayoutUnit(30))))
    #expect(rects.contains(Rect(x: LayoutUnit(5), y: LayoutUnit(6), width: LayoutUnit(7), height: LayoutUnit(8))))
    let (first, second, third) = (texts(page, "甲")[0], texts(page, "乙")[0], texts(page, "丙")[0])
    #expect(first.offset.block == second.offset.block && first.offset.inline < second.offset.inline)
    #expect(first.offset.block < third.offset.block && first.offset.inline == third.offset.inline)
  }

  @Test(arguments: [("vertical-rl", "horizontal-tb"), ("horizontal-tb", "vertical-rl"), ("vertical-lr", "vertical-rl")])
  func `V-6: a box of another mode keeps the sizes it has alone`(outer: String, inner: String) {
    let box = "<div class='b'>甲乙丙丁<br/>戊己</div>"
    let css =
      "html { writing-mode: \(outer); line-height: 20px } .b { writing-mode: \(inner); float: left; border: 1px solid }"
    let page = LaidOut(box, css: css, width: 300, height: 200, language: "ja")
    let alone = LaidOut(
      box, css: "html { writing-mode: \(inner); line-height: 20px } .b { float: left; border: 1px solid }", width: 300,
      height: 200, language: "ja")
    func size(_ page: LaidOut) -> Size {
      let rect = physical(page, page.fragments(.box).first { page.tree[$0.fragment.box].flags.contains(.float) }!)
      return Size(width: rect.width, height: rect.height)
    }
    #expect(size(page) == size(alone))
    #expect(page.lines == alone.lines)
    #expect(
      page.fragments(.line).map { page.line($0).writingMode }
        == alone.fragments(.line).map { alone.line($0).writingMode })
    // Lines lie where they lie alone, counted from the box.
    func places(_ page: LaidOut) -> [Point] {
      let box = physical(page, page.fragments(.box).first { page.tree[$0.fragment.box].flags.contains(.float) }!)
      return page.fragments(.text).map { Point(x: physical(page, $0).x - box.x, y: physical(page, $0).y - box.y) }
    }
    #expect(places(page) == places(alone))
  }

  @Test func `V-6: a crossing block that is longer than the page's lines goes on at the next page`() {
    let body = "<p>前</p><div class='b'>\(story)</div><p>後</p>"
    let css = "html { line-height: 20px } .b { writing-mode: vertical-rl }"
    let page = LaidOut(body, css: css, width: 60, height: 100, language: "ja")
    #expect(page.lines.joined() == "前" + story + "後")
    #expect(page.pages.count > 2)
    for placed in page.fragments(.line) {
      let rect = physical(page, placed)
      #expect(rect.x >= .zero && rect.maxX <= LayoutUnit(60) && rect.maxY <= LayoutUnit(100))
    }
  }

  @Test func `V-7: annotations stand on the right of vertical text`() {
    let page = LaidOut("<p><ruby>花<rt>はな</rt></ruby></p>", css: Self.vertical, height: 200, language: "ja")
    let (base, annotation) = (physical(page, texts(page, "花")[0]), physical(page, texts(page, "はな")[0]))
    #expect(annotation.x + annotation.width / 2 >= base.maxX)
    #expect(annotation.y <= base.y && annotation.maxY >= base.maxY)
  }

  @Test func `V-4: digits and marked stretches stand in one em`() {
    let css =
      Self.vertical + " i { font-style: normal; text-combine-upright: all } b { text-combine-upright: digits 3 }"
    let page = LaidOut("<p>年<i>12</i>月<i>2024</i>日<b>7と123と1234</b></p>", css: css, height: 600, language: "ja")
    for string in ["12", "2024", "7", "123"] {
      let found = page.texts.filter { $0.string == string }
      #expect(found.count == 1, "\(string)")
      #expect(found.first?.placed.fragment.size.inline == Self.em)
    }
    #expect(page.text(texts(page, "2024")[0]).compression < 1)
    #expect(page.text(texts(page, "1234")[0]).isSideways)
  }

  @Test func `V-5: a line of ideographs is a whole number of em long and central`() {
    let page = LaidOut("<p>山川草</p>", css: Self.vertical + " p { line-height: 40px }", language: "ja")
    let placed = page.fragments(.line)[0]
    #expect(page.line(placed).contentWidth == LayoutUnit(48))
    #expect(page.line(placed).baseline == LayoutUnit(20))
  }

  @Test func `Lines around a picture share its middle`() {
    let css =
      "html { writing-mode: vertical-rl; line-height: 20px } span { display: inline-block; width: 60px; height: 9px }"
    let page = LaidOut("<p>山<span></span>川</p>", css: css, language: "ja")
    let line = page.fragments(.line)[0]
    #expect(page.line(line).baseline == LayoutUnit(30))
  }

  @Test(arguments: ["baseline", "middle", "super", "5px"])
  func `Boxes on lines of sideways text are aligned on alphabetic baselines`(alignment: String) {
    func places(_ mode: String) -> [LayoutUnit] {
      let css = """
        html { writing-mode: \(mode); text-orientation: sideways; line-height: 40px }
        b { font-size: 24px; vertical-align: \(alignment) } i { display: inline-block; width: 9px; height: 9px }
        """
      let page = LaidOut("<p>a<b>b<b>c</b></b><i></i></p>", css: css)
      return page.fragments(.inlineBox).map(\.offset.block) + [page.fragments(.box).last!.offset.block]
    }
    #expect(places("vertical-rl") == places("horizontal-tb"))
  }

  @Test func `The middle of a box stands half an x-height above a central baseline, too`() {
    func place(_ alignment: String) -> Int? {
      let css = "i { display: inline-block; width: 9px; height: 9px; vertical-align: \(alignment) }"
      return LaidOut("<p>山<i></i></p>", css: Self.vertical + css, language: "ja").fragments(.box).last?
        .offset.block.roundedPixels
    }
    #expect(place("middle") == place("0.5ex"))
    #expect(place("middle") != place("baseline"))
  }

  @Test(arguments: ["position: absolute; left: 0; right: 0", "width: 100px", "width: 100px; height: min-content"])
  func `The width of an orthogonal box gives its height by its ratio`(style: String) {
    let css = "div { position: relative; width: 100px; height: 300px } p { margin: 0; aspect-ratio: 2; \(style) }"
    let page = LaidOut("<div><p style='writing-mode: vertical-lr'></p></div>", css: css)
    let box = page.fragments(.box).last
    #expect(box?.fragment.size == LogicalSize(inline: LayoutUnit(100), block: LayoutUnit(50)))
  }
}
