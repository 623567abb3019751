import Layout
import Primitives
import TestSupport
import Testing

/// `text-spacing-trim` and `text-autospace` in a face whose marks are one em (20 px here).
@Suite struct CJKSpacingTests {
  private func page(
    _ text: String, _ css: String = "", language: String = "zh-Hans", em: Double = 40
  ) -> LaidOut {
    LaidOut(
      "<p>\(text)</p>",
      css: "p { font: 20px 'Noto Serif CJK \(language == "ja" ? "JP" : language == "zh-Hant" ? "TC" : "SC")'; \(css) }",
      width: Int(em * 20) + 40, language: language, margin: 20)
  }
  /// Width of the first line in em.
  private func width(_ text: String, _ css: String = "", language: String = "zh-Hans") -> Double {
    let page = page(text, css, language: language)
    return Double(page.line(page.fragments(.line)[0]).contentWidth.float) / 20
  }

  @Test(arguments: [
    ("」「", 1.5), ("「『", 1.5), ("』」", 1.5), ("。」", 1.5), ("」。", 1.5), ("，「", 1.5), ("：「", 1.5), ("）、", 1.5),
    ("。」「", 2), ("！」", 2), ("中」", 2),
  ])
  func `W1 W2 adjacent marks share their blank halves`(_ text: String, _ em: Double) {
    #expect(width(text) == em)
    #expect(width(text, "text-spacing-trim: space-all") == Double(text.count))
  }

  @Test
  func `W1 centred stops keep their em`() {
    #expect(width("。」", language: "zh-Hant") == 2)
    #expect(width("」，", language: "zh-Hant") == 1.5)
    #expect(width("。」", language: "ja") == 1.5)
  }

  @Test
  func `W4 the ends of a line by value`() {
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

  @Test
  func `C11 two question or exclamation marks are one em, three are two`() {
    func marks(_ text: String, _ trim: String = "trim-both", language: String = "zh-Hans") -> Double {
      width("国\(text)国", "text-spacing-trim: \(trim)", language: language) - 2
    }
    #expect(["？！", "！！！", "？", "？！！！"].map { (marks($0) * 100).rounded() / 100 } == [1, 2, 1, 4])
    #expect(marks("？！", "normal") == 2 && marks("？！", language: "ja") == 2)
    // The marks stand in their narrower bodies, and what follows behind them.
    let text = page("国？！国", "text-spacing-trim: trim-both")
    #expect(text.glyphs(ofLine: 0).map { ($0.pixels / 20 * 4).rounded() / 4 } == [0, 1, 1.5, 2])
  }

  @Test
  func `W5 the ink of a trimmed opener stands at the line's start`() {
    let page = page("「国", "text-spacing-trim: trim-start")
    let text = page.text(page.fragments(.text)[0])
    let glyphs = page.pages[0].glyphs[Int(text.glyphs.lowerBound)..<Int(text.glyphs.upperBound)].map(\.x)
    #expect(glyphs == [LayoutUnit(-10), LayoutUnit(10)])
  }

  @Test
  func `M1 M2 M4 ideographs keep a distance to letters and digits`() {
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

  @Test
  func `H1 H2 stops hang at the end, brackets at the start`() {
    let allow = page("国国国，国国国", "hanging-punctuation: allow-end; text-align: justify", em: 3)
    #expect(allow.lines == ["国国国，", "国国国"])
    #expect(allow.line(allow.fragments(.line)[0]).contentWidth == LayoutUnit(60))
    #expect(width("国，", "hanging-punctuation: allow-end") == 2)
    #expect(width("国，", "hanging-punctuation: force-end") == 1)
    #expect(width("国」", "hanging-punctuation: last") == 1)
    #expect(width("「国", "hanging-punctuation: first") == 1)
    #expect(width("国、。", "hanging-punctuation: force-end; text-spacing-trim: space-all") == 3)
  }

  @Test
  func `C6 marks take their adjusted width before the break is chosen`() {
    let page = page("国国国。」国国", em: 4.5)
    #expect(page.lines == ["国国国。」", "国国"])
    #expect(page.line(page.fragments(.line)[0]).contentWidth == LayoutUnit(90))
  }

  @Test
  func `W10 half widths come from the face's own features or from the blank side, alike`() {
    func advances(_ family: String) -> [Float] {
      let page = LaidOut(
        "<p>国。」「国，（国）</p>", css: "p { font: 20px '\(family)'; text-spacing-trim: trim-both }", width: 400,
        language: "zh-Hans")
      let places = page.glyphs(ofLine: 0).map(\.float)
      return zip(places, places.dropFirst()).map { (($1 - $0) * 4).rounded() / 4 }
    }
    // The first has `halt` and `chws`, the second neither.
    #expect(advances("Noto Serif CJK SC") == [20, 10, 10, 20, 20, 10, 20, 20])
    #expect(advances("LXGW WenKai") == [20, 10, 10, 20, 20, 10, 20, 20])
  }

  @Test
  func `C7 three marks stay with what is before them, though the line above opens`() {
    let page = page("国国国国国国。』」国", "text-align: justify", em: 6)
    #expect(page.lines == ["国国国国国", "国。』」国"])
    #expect(page.line(page.fragments(.line)[0]).contentWidth == LayoutUnit(120))
  }

  @Test(arguments: ["」・", "・「"])
  func `W3 a quarter em lies between an interpunct and a bracket`(_ text: String) {
    #expect(width(text, language: "ja") == 1.5)
    #expect(width("・・", language: "ja") == 2)
  }

  /// Where the ink of a text's first glyph starts, in em from the line's start.
  private func ink(_ text: String, _ css: String, language: String) -> Double {
    let page = page(text, css, language: language)
    let placed = page.fragments(.text)[0]
    let glyph = page.pages[0].glyphs[Int(page.text(placed).glyphs.lowerBound)]
    // The ink of an opening bracket is in the second half of its em.
    return Double((placed.offset.inline + glyph.x).float) / 20 + 0.5
  }

  @Test
  func `W6 the ink of an opener stands at the first line's indent`() {
    #expect(ink("「国", "text-indent: 2em; text-spacing-trim: trim-both", language: "zh-Hans") == 2)
    #expect(ink("「国", "text-indent: 1em; text-spacing-trim: trim-start", language: "ja") == 1)
    #expect(ink("「国", "text-indent: 1em; text-spacing-trim: space-first", language: "ja") == 1.5)
  }

  @Test
  func `W7 marks that fill their em are not adjusted`() {
    #expect(width("！」", language: "zh-Hant") == 2)
    #expect(width("？「", language: "zh-Hant") == 2)
    #expect(width("：」", "writing-mode: vertical-rl", language: "zh-Hans") == 2)
    #expect(width("：」") == 1.5)
  }

  @Test
  func `W8 marks in different inline boxes are adjusted, across edges and into larger sizes they are not`() {
    #expect(width("<b>」</b>「") == 1.5)
    #expect(width("<i>」</i><b>「</b>") == 1.5)
    #expect(width("<b style='padding-right: 2px'>」</b>「") == 2.1)
    #expect(width("<b style='margin-right: 2px'>」</b>「") == 2.1)
    // The smaller of the two gives way.
    #expect(width("<span style='font-size: 10px'>」</span>」") == 1.25)
    #expect(width("」<span style='font-size: 10px'>」</span>") == 1.5)
  }

  @Test
  func `W9 proportional marks keep their width, and take the blank that faces them`() {
    let palt = "font-feature-settings: 'palt'; text-spacing-trim: "
    #expect(width("」「", palt + "normal") == width("」「", palt + "space-all"))
    let bracket = width("(")
    #expect(abs(width("(「") - bracket - 0.5) < 0.01)
    #expect(abs(width("」)") - bracket - 0.5) < 0.01)
  }

  @Test
  func `W11 adjustment changes no text`() {
    let text = "「国国，『国国』。」国（国）、「国」国国国国。"
    for value in ["normal", "trim-both", "trim-all", "space-first"] {
      for em in [3, 4.5, 7] {
        #expect(page(text, "text-spacing-trim: \(value); text-align: justify", em: em).lines.joined() == text)
      }
    }
  }

  @Test
  func `W12 only the paragraph's first line is first, not the first one of a page`() {
    let css = """
      p { font: 20px/20px 'Noto Serif CJK SC'; text-spacing-trim: space-first; text-indent: 40px; orphans: 1; widows: 1 }
      """
    let page = LaidOut("<p>「国国「国国国「国国</p>", css: css, width: 80, height: 20, language: "zh-Hans")
    #expect(page.lines == ["「国", "国「国国", "国「国国"])
    let cut = LaidOut("<p>国国「国国国「国国国</p>", css: css, width: 80, height: 20, language: "zh-Hans")
    #expect(cut.pages.count > 1)
    #expect(cut.lines == ["国国", "「国国国", "「国国国"])
    for line in cut.fragments(.line).dropFirst() {
      #expect(line.offset.inline == .zero && cut.line(line).contentOffset == .zero)
      #expect(cut.line(line).contentWidth == LayoutUnit(70))
    }
  }

  @Test
  func `H3 centred stops do not hang in horizontal lines`() {
    #expect(width("国，", "hanging-punctuation: force-end", language: "zh-Hant") == 2)
    #expect(width("国，", "hanging-punctuation: force-end; writing-mode: vertical-rl", language: "zh-Hant") == 1)
    #expect(width("国、", "hanging-punctuation: force-end", language: "ja") == 1)
    #expect(width("国.", "hanging-punctuation: force-end", language: "zh-Hant") == 1)
  }

  @Test
  func `H4 a mark that would leave the page does not hang`() {
    let css = "p { font: 20px 'Noto Serif CJK SC'; hanging-punctuation: allow-end }"
    let flush = LaidOut("<p>国国国，国国国</p>", css: css, width: 60, language: "zh-Hans")
    #expect(flush.lines == ["国国", "国，国", "国国"])
    let inset = LaidOut("<p>国国国，国国国</p>", css: css, width: 100, language: "zh-Hans", margin: 20)
    #expect(inset.lines == ["国国国，", "国国国"])
  }

  @Test
  func `Lines without anything visible have no ends`() {
    let css = "p { hanging-punctuation: first allow-end last; white-space: pre-wrap }"
    #expect(
      LaidOut("<p dir='rtl'>  \n \n</p>", css: css, language: "ar").lines.allSatisfy { $0.allSatisfy(\.isWhitespace) })
    #expect(LaidOut("<p>「\n  \n」</p>", css: css, language: "ja").fragments(.line).count == 3)
  }
}
