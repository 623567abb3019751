import Layout
import Primitives
import TestSupport
import Testing

/// Justification by the house style's steps, in faces whose marks are one em (20 px here).
@Suite struct JustificationStepsTests {
  private static func face(_ language: String) -> String {
    switch language {
    case "ja": "JP"
    case "ko": "KR"
    case "zh-Hant": "TC"
    default: "SC"
    }
  }
  private func page(_ text: String, em: Double, language: String = "zh-Hans", _ css: String = "") -> LaidOut {
    LaidOut(
      "<p>\(text)</p>",
      css: "p { font: 20px/30px 'Noto Serif CJK \(Self.face(language))'; text-indent: 0; \(css) }",
      width: Int(em * 20), language: language, house: true)
  }
  /// The advance of each glyph of the first line but the last one up to the next, in em.
  private func advances(_ text: String, em: Double, language: String = "zh-Hans", _ css: String = "") -> [Double] {
    let places = page(text, em: em, language: language, css).glyphs(ofLine: 0).map { Double($0.float) / 20 }
    return zip(places, places.dropFirst()).map { (($1 - $0) * 1000).rounded() / 1000 }
  }
  private func width(_ page: LaidOut, _ line: Int = 0) -> Double {
    Double(page.line(page.fragments(.line)[line]).contentWidth.float) / 20
  }

  @Test(arguments: ["zh-Hans", "zh-Hant", "ja", "ko"])
  func `J1 All lines but the last reach both edges`(_ language: String) {
    let text = String(
      repeating: language == "ko" ? "모든 인간은 태어날 때부터 자유로우며 " : "人生而自由，在尊严和权利上一律平等。他们ABC赋有", count: 6)
    let page = page(text, em: 13.3, language: language)
    let lines = page.fragments(.line)
    #expect(lines.count > 5)
    for index in lines.indices.dropLast() { #expect(abs(width(page, index) - 13.3) < 0.001) }
    let ragged = self.page(text, em: 13.3, language: language, "text-align: start")
    #expect(ragged.fragments(.line).indices.contains { width(ragged, $0) < 13.2 })
  }

  @Test
  func `J2 Full-width characters in a measure of as many em stay as they are`() {
    #expect(advances("国国国，国国国国国国国国国", em: 10).allSatisfy { $0 == 1 })
  }

  @Test
  func `J3 C6 A line that is half an em too long gives its comma's blank before it loses a character`() {
    let page = page("国国，国国国国国国国国国国国国", em: 9.5)
    #expect(page.lines[0] == "国国，国国国国国国国")
    #expect(advances("国国，国国国国国国国国国国国国", em: 9.5) == [1, 1, 0.5, 1, 1, 1, 1, 1, 1])
    #expect(page.glyphs(ofLine: 0).last == LayoutUnit(170))
  }

  @Test
  func `J3 A line whose marks give way has room beside a float`() {
    let float = "<i style='float: left; width: 40px; height: 50px'></i>"
    let page = page(float + "国国，国国国国国国国国国国国国", em: 11.5)
    #expect(page.lines[0] == "国国，国国国国国国国")
    #expect(page.fragments(.line)[0].offset.block == .zero)
  }

  /// How much nearer to each other than in an endless line the glyphs stand when the line is set `by` em narrower or wider than
  /// it is by nature, in em.
  private func moves(_ text: String, by change: Double, language: String) -> [Double] {
    // The character after it cannot be drawn into the line.
    let after = text.hasSuffix("A") ? "国国国国国国国国国国" : (language == "ko" ? " " : "") + String(repeating: "A", count: 40)
    let endless = page(text, em: 60, language: language, "text-wrap: wrap")
    let natural = width(endless)
    let css = "text-wrap: wrap; width: \((natural + change) * 20)px"
    let set = page(text + after, em: 60, language: language, css)
    func steps(_ places: [LayoutUnit]) -> [Double] {
      zip(places, places.dropFirst()).map { Double(($1 - $0).float) / 20 }
    }
    let justified = steps(set.glyphs(ofLine: 0))
    let before = steps(endless.glyphs(ofLine: 0))
    guard set.lines[0] == text, justified.count == before.count else { return [] }
    return zip(justified, before).map { (($0 - $1) * 100).rounded() / 100 }
  }
  /// Moves with those that are zero left out, and their places.
  private func gaps(_ text: String, by change: Double, language: String) -> [Int: Double] {
    let moves = moves(text, by: change, language: language)
    return Dictionary(
      uniqueKeysWithValues: moves.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element) })
  }

  // 0国 1・ 2国 3「 4国 5国 6， 7国 8。 9国 10A
  private static let line = "国・国「国国，国。国AAAAAAAAAA"

  @Test
  func `J4 Chinese lines give way step by step: interpuncts, brackets, commas, the gap beside letters, full stops`() {
    func gaps(_ change: Double) -> [Int: Double] { self.gaps(Self.line, by: change, language: "zh-Hans") }
    #expect(gaps(-0.2) == [0: -0.1, 1: -0.1])
    #expect(gaps(-0.5) == [0: -0.25, 1: -0.25])
    #expect(gaps(-1) == [0: -0.25, 1: -0.25, 2: -0.5])
    #expect(gaps(-1.5) == [0: -0.25, 1: -0.25, 2: -0.5, 6: -0.5])
    #expect(gaps(-1.6) == [0: -0.25, 1: -0.25, 2: -0.5, 6: -0.5, 9: -0.1])
    #expect(gaps(-1.995) == [0: -0.25, 1: -0.25, 2: -0.5, 6: -0.5, 8: -0.37, 9: -0.13])
  }

  @Test
  func `J4 Before them the mark at the line's end gives way, then word spaces to a quarter of an em`() {
    // A space of 0.602 em, an interpunct, and a closing bracket at the end, which Traditional Chinese sets whole if it fits.
    let text = "国\u{A0}国・国」"
    let font = "font-family: 'DejaVu Sans Mono', 'Noto Serif CJK TC'; text-wrap: wrap"
    func places(_ text: String, _ css: String) -> [Double] {
      let page = page(text, em: 60, language: "zh-Hant", "\(font); \(css)")
      let places = page.glyphs(ofLine: 0).prefix(5).map { Double($0.float) / 20 }
      return page.lines[0].hasPrefix("国\u{A0}国・国」") ? zip(places, places.dropFirst()).map { $1 - $0 } : []
    }
    let before = places(text, "")
    func moves(_ change: Double) -> [Double] {
      let natural = 5 + 0.602
      let set = places(text + String(repeating: "A", count: 40), "width: \((natural - change) * 20)px")
      return zip(set, before).map { (($0 - $1) * 100).rounded() / 100 }
    }
    #expect(moves(0.5) == [0, 0, 0, 0])
    #expect(moves(0.7) == [0, -0.2, 0, 0])
    #expect(moves(0.85) == [0, -0.35, 0, 0])
    #expect(moves(1.05) == [0, -0.35, -0.1, -0.1])
  }

  @Test
  func `J4 The last step is off by option, and has ！ and ？`() {
    let text = "国国！国国。国国"
    func first(_ reduces: Bool, _ em: Double) -> String? {
      LaidOut(
        "<p>\(text)国国国国</p>", css: "p { font: 20px/30px 'Noto Serif CJK SC'; text-indent: 0; text-wrap: wrap }",
        width: Int(em * 20), language: "zh-Hans", house: true
      ) { $0.deviations.reducesStops = reduces }.lines.first
    }
    #expect(first(true, 7.5) == "国国！国国。国国" && first(false, 7.5) == "国国！国国。国")
    #expect(first(true, 7.2) == "国国！国国。国国")
  }

  @Test
  func `J5 Japanese lines give way step by step, a full stop within the line never`() {
    let line = "国・国「国国、国。国AAAAAAAAAA"
    func gaps(_ change: Double) -> [Int: Double] { self.gaps(line, by: change, language: "ja") }
    #expect(gaps(-0.5) == [0: -0.25, 1: -0.25])
    #expect(gaps(-1.1) == [0: -0.25, 1: -0.25, 2: -0.3, 6: -0.3])
    #expect(gaps(-1.5) == [0: -0.25, 1: -0.25, 2: -0.5, 6: -0.5])
    #expect(gaps(-1.6) == [0: -0.25, 1: -0.25, 2: -0.5, 6: -0.5, 9: -0.1])
    // No more room than that: the word goes to the next line.
    #expect(gaps(-1.9).isEmpty)
    // A full stop at the end gives half an em or nothing.
    #expect(page("国国国国国。国国国", em: 5.5, language: "ja").lines[0] == "国国国国国。")
    #expect(width(page("国国国国国。国国国", em: 5.75, language: "ja")) == 5.75)
  }

  @Test
  func `J6 Chinese lines open step by step: word spaces to half an em, gaps beside letters to a third, then all`() {
    // 0国 1国 2A 3b 4space 5C 6国 7国
    func gaps(_ change: Double) -> [Int: Double] {
      self.gaps("国国Ab\u{A0}C国国", by: change, language: "zh-Hans")
    }
    let space = (gaps(0.7)[4] ?? 0)
    #expect(space > 0.2 && space < 0.3)
    #expect(gaps(0.2) == [4: 0.2])
    #expect(gaps(space + 0.1) == [1: 0.05, 4: space, 5: 0.05])
    let wide = gaps(0.7)
    #expect(wide[1] == 0.08 && wide[5] == 0.08)
    #expect(wide[0] == wide[6] && wide[0] ?? 0 > 0.1 && wide[2] == nil)
  }

  @Test
  func `J7 Japanese lines open step by step, gaps beside letters to half an em`() {
    let gaps = gaps("国国Ab\u{A0}C国国", by: 0.7, language: "ja")
    #expect(gaps.count == 3 && gaps[1] == gaps[5] && gaps[1] ?? 0 > 0.2)
    // Beyond a quarter of an em everything opens alike.
    let wide = advances("国国国国国国国", em: 2.9, language: "ja", "word-break: keep-all; overflow-wrap: anywhere")
    #expect(wide == [1.9])
  }

  @Test(arguments: [
    ("国国「国国」国", [2, 4]), ("国国，国。国", [1, 3]), ("国国・国国", [1, 2]), ("国国！国国", [1, 2]),
    ("国国12％国", [2, 3]), ("国国……国", [2]), ("国国／国国", [1, 2]), ("国国Word国", [2, 3, 4]),
  ])
  func `J8 Nothing opens inside words, numbers and dashes, after openers, before closers, around ！ and ・`(
    _ text: String, _ closed: [Int]
  ) {
    let gaps = gaps(text, by: 0.3, language: "zh-Hans")
    #expect(gaps[0] ?? 0 > 0)
    for place in closed { #expect(gaps[place] == nil) }
  }

  @Test
  func `J9 Within a step the changes differ by no more than the last unit`() {
    let page = page("国国国国国国国国国国国国国国国国国国国国国", em: 9.77)
    let places = page.glyphs(ofLine: 0)
    let steps = zip(places, places.dropFirst()).map { $1 - $0 }
    #expect(steps.count == 8)
    #expect((steps.max() ?? .zero) - (steps.min() ?? .zero) <= .epsilon)
    #expect((steps.min() ?? .zero) > LayoutUnit(20))
  }

  @Test
  func `J10 A line that would be torn apart takes its place from the others`() {
    // Line by line, the second line would hold two characters before the word.
    let text = "国国国国国国国国国国AAAAAAAAAAAA国国国国国国国国国国国国"
    func widest(_ css: String) -> LayoutUnit {
      let page = page(text, em: 11, css)
      return page.fragments(.line).indices.dropLast().map { line in
        let places = page.glyphs(ofLine: line)
        return zip(places, places.dropFirst()).map { $1 - $0 }.max() ?? .zero
      }.max() ?? .zero
    }
    #expect(widest("") <= widest("text-wrap: wrap"))
  }

  @Test
  func `P3 A last line has two characters beside marks`() {
    let text = "国国国国国国国国国国国国国国国国国国国国国。"
    for wrap in ["wrap", "pretty"] { #expect(page(text, em: 10, "text-wrap: \(wrap)").lines.last == "国国。") }
    let plain = LaidOut("<p>\(text)</p>", css: "p { font: 20px/30px 'Noto Serif CJK SC' }", width: 200, language: "zh")
    #expect(plain.lines.last == "国。")
  }

  @Test
  func `K3 Korean lines open their word spaces first, then the gaps between syllables, none beside marks`() {
    let near = gaps("국국 국국(국) 국국", by: 0.3, language: "ko")
    #expect(near.count == 2 && near[1] == near[6])
    let far = gaps("국국 국국(국)국", by: 0.6, language: "ko")
    #expect(far[0] ?? 0 > 0 && far[3] == nil && far[4] == nil)
  }

  @Test
  func `K4 Hangul, Hanja and Latin share a baseline, and kerning stays`() {
    let page = LaidOut("<p>한글<b>漢字</b> <span style='font-family: Linux Libertine O'>Ag</span>글</p>", language: "ko")
    let baselines = Set(page.fragments(.text).map { $0.offset.block + page.text($0).baseline })
    #expect(page.fragments(.text).count >= 3 && baselines.count == 1)
    func width(_ text: String, _ css: String = "") -> Float {
      let css = "p { font-family: 'Noto Serif CJK KR'; \(css) }"
      let page = LaidOut("<p>\(text)</p>", css: css, language: "ko")
      return page.line(page.fragments(.line)[0]).contentWidth.float
    }
    #expect(width("AV글") < width("AV글", "font-kerning: none"))
  }
}
