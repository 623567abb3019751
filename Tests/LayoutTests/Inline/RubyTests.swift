import Layout
import Primitives
import TestSupport
import Testing

/// Ruby: CSS Ruby 1, JLREQ 3.3.
@Suite struct RubyTests {
  private func placed(_ page: LaidOut, _ string: String) -> LaidOut.Placed {
    page.texts.first { $0.string == string }!.placed
  }

  @Test(arguments: ["horizontal-tb", "vertical-rl", "vertical-lr"])
  func `R1, R5: annotations take half the size, and room between lines before they widen it`(mode: String) {
    func pitch(_ height: Int, _ body: String) -> LayoutUnit {
      let page = LaidOut(
        "<p>山川<br/>\(body)<br/>草木</p>", css: "html { writing-mode: \(mode); line-height: \(height)px }", width: 300,
        height: 300, language: "ja")
      let lines = page.fragments(.line)
      return lines[2].offset.block - lines[0].offset.block
    }
    let ruby = "<ruby>花<rt>はな</rt></ruby>"
    #expect(pitch(32, ruby) == pitch(32, "花"))
    #expect(pitch(18, ruby) > pitch(18, "花"))
    let page = LaidOut("<p>\(ruby)</p>", css: "html { writing-mode: \(mode) }", language: "ja")
    #expect(page.text(placed(page, "はな")).size == 8)
  }

  @Test func `E5: the pitch of lines is kept for emphasis marks where half an em is between them, else lines grow`() {
    func height(_ lineHeight: Double, _ content: String = "点") -> LayoutUnit {
      LaidOut(
        "<p>行<br/><em>\(content)</em></p>",
        css: "p { font: 20px/\(lineHeight) 'Noto Serif CJK JP' } em { text-emphasis: dot; font-style: normal }",
        language: "ja"
      ).fragments(.line)[1].fragment.size.block
    }
    #expect(height(1.5) == LayoutUnit(30))
    #expect(height(1.2) > LayoutUnit(24))
    // Marks outside of ruby need more.
    #expect(height(1.5, "<ruby>点<rt>てん</rt></ruby>") >= height(1.5) + LayoutUnit(8))
  }

  @Test func `R4: annotations reach over kana, not over ideographs`() {
    func gap(_ before: String, _ after: String) -> (LayoutUnit, LayoutUnit) {
      let page = LaidOut("<p>\(before)<ruby>志<rt>こころざし</rt></ruby>\(after)</p>", language: "ja")
      let base = placed(page, "志")
      let texts = page.texts
      return (base.offset.inline - texts[0].placed.right, texts.last!.placed.offset.inline - base.right)
    }
    // The annotation is 40 px wide, its base 16 px.
    #expect(gap("山", "川") == (LayoutUnit(12), LayoutUnit(12)))
    #expect(gap("の", "は") == (LayoutUnit(4), LayoutUnit(4)))
    #expect(gap("山", "は") == (LayoutUnit(12), LayoutUnit(4)))
  }

  @Test func `R7: at the edges of a line the pair stays inside`() {
    let body = "<p>山川はの<ruby>志<rt>こころざし</rt></ruby>は草木<ruby>志<rt>こころざし</rt></ruby></p>"
    for width in 40...110 {
      let page = LaidOut(body, width: width, language: "ja")
      #expect(page.lines.joined() == "山川はの志は草木志")
      for text in page.texts where width >= 40 {
        #expect(text.placed.offset.inline >= .zero, "\(text.string) at \(width)")
        #expect(text.placed.right <= LayoutUnit(width) + .epsilon, "\(text.string) at \(width)")
      }
    }
  }

  @Test func `R3: lines break between bases, not inside one`() {
    let mono = LaidOut(
      "<p><ruby>東<rt>とう</rt>京<rt>きょう</rt>都<rt>と</rt></ruby></p>", width: 34, language: "ja")
    #expect(mono.lines.count > 1)
    let group = LaidOut("<p><ruby>東京都<rt>とうきょうと</rt></ruby></p>", width: 34, language: "ja")
    #expect(group.lines.count == 1)
  }

  @Test func `ruby-align sets the narrower of the two apart`() {
    func starts(_ align: String) -> [LayoutUnit] {
      let page = LaidOut("<p><ruby style='ruby-align: \(align)'>東京都<rt>みや</rt></ruby></p>", language: "ja")
      let text = page.text(placed(page, "みや"))
      let left = placed(page, "みや").offset.inline
      return text.glyphs.map { left + page.pages[0].glyphs[Int($0)].x }
    }
    // 16 px of annotation over 48 px of base.
    #expect(starts("start") == [.zero, LayoutUnit(8)])
    #expect(starts("center") == [LayoutUnit(16), LayoutUnit(24)])
    #expect(starts("space-between") == [.zero, LayoutUnit(40)])
    #expect(starts("space-around") == [LayoutUnit(8), LayoutUnit(32)])
  }

  @Test func `R5: annotations of a paragraph's first line use the room under the paragraph before`() {
    let css = "html { line-height: 30px }"
    let page = LaidOut("<p>山</p><p><ruby>花<rt>はな</rt></ruby></p><p>川</p>", css: css, language: "ja")
    #expect(page.fragments(.line).map(\.offset.block) == [.zero, LayoutUnit(30), LayoutUnit(60)])
  }

  @Test func `R2: fallback parentheses are not set, annotations are no part of their line's text`() {
    let page = LaidOut("<p>山<ruby>花<rp>(</rp><rt>はな</rt><rp>)</rp></ruby>川</p>", language: "ja")
    #expect(page.lines.contains("山花川"))
    #expect(!page.texts.contains { $0.string.contains("(") || $0.string.contains(")") })
  }

  @Test(arguments: ["horizontal-tb", "vertical-rl"])
  func `R6: an annotation on the first line stays on the page`(mode: String) {
    let page = LaidOut(
      "<p><ruby>花<rt>はな</rt></ruby></p>", css: "html { writing-mode: \(mode); line-height: 1 }", language: "ja")
    // The em box of the annotation, 8 px high, in the middle of its box.
    let box = placed(page, "はな")
    #expect(box.offset.block + (box.fragment.size.block - LayoutUnit(8)) / 2 >= -LayoutUnit(0.5))
  }

  @Test(arguments: [
    "<ruby><span>花</span><rt>はな</rt></ruby>", "<ruby><rb>花</rb><rt>はな</rt></ruby>",
    "<ruby><rb>花</rb><rtc><rt>はな</rt></rtc></ruby>", "<span><ruby>花<rt><b>はな</b></rt></ruby></span>",
    "<ruby>花<rt>はな</rt><rt>フラワー</rt></ruby>", "<ruby>花</ruby>", "<ruby>花<rt></rt></ruby>",
    "<ruby><rt>はな</rt>花</ruby>", "<ruby><ruby>花<rt>はな</rt></ruby><rt>flower</rt></ruby>",
  ])
  func `R10: nested, doubled and missing annotations survive`(markup: String) {
    let page = LaidOut("<p>山\(markup)川</p>", language: "ja")
    let texts = page.texts.map(\.string).joined(separator: " ")
    for string in ["山", "花", "川"] { #expect(texts.contains(string), "\(texts)") }
    for string in ["はな", "フラワー", "flower"] where markup.contains(string) { #expect(texts.contains(string), "\(texts)") }
  }

  @Test(arguments: ["", "字"])
  func `R10: an annotation without a base that is wider than the line is passed over`(before: String) {
    let annotation = String(repeating: "字", count: 60)
    let page = LaidOut("<p>\(before)<ruby><rt>\(annotation)</rt></ruby>文字</p>", width: 200, language: "ja")
    #expect(page.lines.joined() == before + "文字")
  }

  @Test func `R9: where annotations are not displayed lines keep no room for them`() {
    let body = "<p>山<ruby>志<rt>こころざし</rt></ruby>川</p>"
    let off = LaidOut(body, css: "html { line-height: 1 } rt { display: none }", language: "ja")
    let plain = LaidOut("<p>山志川</p>", css: "html { line-height: 1 }", language: "ja")
    #expect(off.fragments(.line).map(\.fragment.size) == plain.fragments(.line).map(\.fragment.size))
    #expect(placed(off, "川").offset.inline == LayoutUnit(32))
  }
}
