import BoxGeneration
import CSS
import Layout
import Primitives
import TestSupport
import Testing

/// Outside markers and their texts (CSS Lists 3; CSS Counter Styles 3).
@Suite struct ListTests {
  @Test func `Bullets do not change the height of lines`() {
    for position in ["inside", "outside"] {
      let heights = ["disc", "square", "'▪'"].map { style in
        LaidOut("<ul style='font: 16px Liberation Serif; list-style: \(style) \(position)'><li>x</li></ul>")
          .fragments(.box).map(\.fragment.size.block).max()
      }
      #expect(heights[0] == heights[1])
    }
  }

  @Test func `An item without lines has its marker at its start`() {
    let laidOut = LaidOut("<ul style='margin: 0'><li><div style='height: 50px'/></li></ul>")
    let markers = laidOut.fragments(.box).filter { laidOut.tree[$0.fragment.box].kind == .marker }
    #expect(markers.map(\.offset.block) == [.zero])
  }

  @Test func `A quotation mark does not hang over the number of its item`() {
    let css = "ol { margin: 0 } body { hanging-punctuation: first }"
    let page = LaidOut("<ol><li><p>“One”</p><p>“Two”</p></li></ol>", css: css)
    let starts = page.texts.filter { $0.string.hasPrefix("“") }.map { text in
      page.pages[0].glyphs[Int(page.text(text.placed).glyphs.lowerBound)].x + text.placed.offset.inline
    }
    #expect(starts[0] >= LayoutUnit(40) && starts[1] < LayoutUnit(40), "\(starts)")
  }

  @Test func `A marker higher than its item's line moves the line down`() {
    let css = "ul, li { margin: 0; line-height: 20px } .m::marker { line-height: 30px }"
    let laidOut = LaidOut("<ul><li class='m'>a</li><li>b</li></ul>", css: css)
    let items = laidOut.fragments(.box).filter { laidOut.tree[$0.fragment.box].kind == .block }
      .map(\.fragment.size.block.pixels)
    #expect(items.suffix(2) == [25, 20])
  }

  @Test(arguments: [
    ("decimal-leading-zero", -3, "-3"), ("decimal-leading-zero", 7, "07"), ("cjk-decimal", -3, "-3"),
    ("extended", -3, "-3"), ("extended", 4, "iv"),
  ])
  func `Numbers outside the range of a style are shown in the one it falls back on`(
    style: String, value: Int, expected: String
  ) {
    let css = """
      @counter-style extended { system: extends lower-roman }
      p { counter-reset: c \(value) } p::before { content: counter(c, \(style)) }
      """
    #expect(LaidOut("<p/>", css: css).lines == [expected])
  }

  @Test(arguments: [("a", "b"), ("b", "b"), ("c", "."), ("d", ".")])
  func `Styles that extend each other in a circle extend decimal`(style: String, suffix: String) {
    let css = """
      @counter-style a { system: extends b } @counter-style b { system: extends c; suffix: 'b' }
      @counter-style c { system: extends b; pad: 2 'c' } @counter-style d { system: extends d }
      ul, li { margin: 0 } li { list-style: \(style) inside }
      """
    let number = style == "c" ? "c1" : "1"
    #expect(LaidOut("<ul><li>x</li></ul>", css: css).lines.first?.hasPrefix(number + suffix) == true)
  }

  @Test func `Spaces at the end of a marker stay`() {
    let css = "ul, li { margin: 0 } li { list-style-type: 'x ' } .c::marker { content: 'x ' }"
    let laidOut = LaidOut("<ul><li>a</li><li class='c'>b</li></ul>", css: css)
    #expect(laidOut.lines.filter { $0.hasPrefix("x") } == ["x\u{A0}", "x\u{A0}"])
  }
}
