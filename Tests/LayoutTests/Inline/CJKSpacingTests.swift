import Layout
import Primitives
import Testing

/// `text-spacing-trim` and `text-autospace` in a face whose marks are one em (20 px here).
@Suite struct CJKSpacingTests {
  private func page(
    _ text: String, _ css: String = "", language: String = "zh-Hans", em: Double = 40
  ) -> LaidOut {
    LaidOut(
      "<p>\(text)</p>",
      css: "p { font: 20px 'Noto Serif CJK \(language == "ja" ? "JP" : language == "zh-Hant" ? "TC" : "SC")'; \(css) }",
      width: Int(em * 20), language: language)
  }
  /// Width of the first line in em.
  private func width(_ text: String, _ css: String = "", language: String = "zh-Hans") -> Double {
    let page = page(text, css, language: language)
    return Double(page.line(page.fragments(.line)[0]).contentWidth.float) / 20
  }

  @Test(
    "W1 W2 adjacent marks share their blank halves",
    arguments: [
      ("」「", 1.5), ("「『", 1.5), ("』」", 1.5), ("。」", 1.5), ("」。", 1.5), ("，「", 1.5), ("：「", 1.5), ("）、", 1.5),
      ("。」「", 2), ("！」", 2), ("中」", 2),
    ])
  func pairs(_ text: String, _ em: Double) {
    #expect(width(text) == em)
    #expect(width(text, "text-spacing-trim: space-all") == Double(text.count))
  }

  @Test("W1 centred stops keep their em")
  func centredStops() {
    #expect(width("。」", language: "zh-Hant") == 2)
    #expect(width("」，", language: "zh-Hant") == 1.5)
    #expect(width("。」", language: "ja") == 1.5)
  }

  @Test("W4 the ends of a line by value")
  func lineEnds() {
    // Four and a half em: the closing bracket fits when half of it is given up, the opening one of the next line is whole.
    let normal = page("国国国国」「国国国国", em: 4.5)
    #expect(normal.lines.first == "国国国国」")
    #expect(normal.line(normal.fragments(.line)[0]).contentWidth == LayoutUnit(90))
    #expect(normal.line(normal.fragments(.line)[1]).contentWidth == LayoutUnit(80))
    let start = page("国国国国」「国国国国", "text-spacing-trim: trim-start", em: 4.5)
    #expect(start.lines == ["国国国国」", "「国国国国"])
    #expect(width("「国」", "text-spacing-trim: trim-start") == 2.5)
    #expect(width("「国」", "text-spacing-trim: space-first") == 3)
    #expect(width("「国」", "text-spacing-trim: trim-both") == 2)
    #expect(width("国「国」国", "text-spacing-trim: trim-all") == 4)
    #expect(width("国「国」国", "text-spacing-trim: trim-both") == 5)
  }

  @Test("W5 the ink of a trimmed opener stands at the line's start")
  func openerInk() {
    let page = page("「国", "text-spacing-trim: trim-start")
    let text = page.text(page.fragments(.text)[0])
    let glyphs = page.pages[0].glyphs[Int(text.glyphs.lowerBound)..<Int(text.glyphs.upperBound)].map(\.x)
    #expect(glyphs == [LayoutUnit(-10), LayoutUnit(10)])
  }

  @Test("M1 M2 ideographs keep a distance to letters and digits")
  func autospace() {
    let latin = width("A", "text-autospace: normal")
    #expect(abs(width("中A文", "text-autospace: normal") - latin - 2.25) < 0.01)
    #expect(abs(width("中A文") - latin - 2) < 0.01)
    #expect(abs(width("中A文", "text-autospace: ideograph-numeric") - latin - 2) < 0.01)
    #expect(abs(width("（A）", "text-autospace: normal") - latin - 2) < 0.01)
    #expect(width("中&#x200C;文", "text-autospace: normal") == 2)
    #expect(width("中 A 文", "text-autospace: normal") == width("中 A 文"))
    #expect(abs(width("中 A 文", "text-autospace: ideograph-alpha replace") - latin - 2.25) < 0.01)
    // None at a line's end.
    let cut = page("国国国国ABC", "text-autospace: normal", em: 5)
    #expect(cut.line(cut.fragments(.line)[0]).contentWidth == LayoutUnit(80))
  }

  @Test("H1 H2 stops hang at the end, brackets at the start")
  func hanging() {
    let allow = page("国国国，国国国", "hanging-punctuation: allow-end; text-align: justify", em: 3)
    #expect(allow.lines == ["国国国，", "国国国"])
    #expect(allow.line(allow.fragments(.line)[0]).contentWidth == LayoutUnit(60))
    #expect(width("国，", "hanging-punctuation: allow-end") == 2)
    #expect(width("国，", "hanging-punctuation: force-end") == 1)
    #expect(width("国」", "hanging-punctuation: last") == 1)
    #expect(width("「国", "hanging-punctuation: first") == 1)
    #expect(width("国、。", "hanging-punctuation: force-end; text-spacing-trim: space-all") == 3)
  }

  @Test("Lines without anything visible have no ends")
  func blankLines() {
    let css = "p { hanging-punctuation: first allow-end last; white-space: pre-wrap }"
    #expect(
      LaidOut("<p dir='rtl'>  \n \n</p>", css: css, language: "ar").lines.allSatisfy { $0.allSatisfy(\.isWhitespace) })
    #expect(LaidOut("<p>「\n  \n」</p>", css: css, language: "ja").fragments(.line).count == 3)
  }
}
