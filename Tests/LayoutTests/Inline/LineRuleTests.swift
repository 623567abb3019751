import Layout
import Primitives
import TestSupport
import Testing

/// Characters at the ends of lines, and the length of last lines, by the numbers of the typography checklist.
@Suite struct LineRuleTests {
  private static func css(_ more: String) -> String {
    "p { font: 20px/30px 'Noto Serif CJK SC'; text-indent: 0; \(more) } rt { font-size: 10px } "
  }
  private func page(_ body: String, em: Double, _ css: String = "", house: Bool = true) -> LaidOut {
    LaidOut(body, css: Self.css(css), width: Int(em * 20), language: "zh-Hans", house: house)
  }

  @Test("C7 Three banned marks may begin a line rather than open the one before by more than a quarter of an em")
  func remedy() {
    for wrap in ["wrap", "pretty"] {
      let open = page("<p>国国国国国。』」国国国</p>", em: 5, "text-wrap: \(wrap)")
      #expect(open.lines == ["国国国国国", "。』」国国国"], "\(wrap)")
      #expect(open.fragments(.line).map { open.line($0).breaksLineStartRule } == [true, false])
      // A quarter is not too much.
      let closed = page("<p>国国国国国国。』」国国国</p>", em: 6, "text-wrap: \(wrap)")
      #expect(closed.lines.first == "国国国国国", "\(wrap)")
      #expect(closed.fragments(.line).allSatisfy { !closed.line($0).breaksLineStartRule })
      // Two marks never begin a line.
      #expect(page("<p>国国国国国。」国国国</p>", em: 5, "text-wrap: \(wrap)").lines.first == "国国国国")
    }
  }

  @Test("C9 A note mark stays with the character before it, and whole")
  func noteMarks() {
    let style = "sup { font-size: 10px }"
    func lines(_ mark: String) -> [String] {
      LaidOut("<p>国国国国国\(mark)国国</p>", css: Self.css("") + style, width: 108, language: "zh-Hans").lines
    }
    #expect(lines("<sup>[1]</sup>") == ["国国国国", "国[1]国国"])
    #expect(lines("<sup>①</sup>") == ["国国国国", "国①国国"])
    #expect(lines("<span style='font-size: 10px'>[1]</span>") == ["国国国国国", "[1]国国"])
    // A mark behind a space may go.
    #expect(lines(" <sup>[1]</sup>") == ["国国国国国", "[1]国国"])
    let western = LaidOut(
      "<p>one two.<sup>[12]</sup></p>", css: "p { font: 20px 'Liberation Serif' } " + style, width: 74)
    #expect(western.lines == ["one", "two.[12]"])
  }

  @Test("J10 A line whose gaps open by more than a quarter of an em says so")
  func looseLines() {
    let loose = page("<p>国国国国国Internationalization国国</p>", em: 8.5)
    #expect(loose.lines.first == "国国国国国")
    #expect(abs(loose.line(loose.fragments(.line)[0]).looseness - 3.5 / 4) < 0.01)
    let tight = page("<p>国国国国国Internationalization国国</p>", em: 5.5)
    #expect(tight.lines.first == "国国国国国" && tight.line(tight.fragments(.line)[0]).looseness == 0)
  }

  @Test(
    "P3 A last line has two characters, also beside ruby, images and floats",
    arguments: [
      "<ruby>国<rt>国</rt></ruby>国国国国国国国国国国。", "<img style='width: 20px; height: 20px'/>国国国国国国国国国国。",
      "<span style='float: left; width: 20px; height: 40px'></span>国国国国国国国国国国。", "国国国国国国国国国国国。",
    ])
  func lastLine(_ text: String) {
    let lines = page("<p>\(text)</p>", em: 10).lines
    #expect(lines.count == 2 && (lines.last ?? "").count { $0 == "国" } == 2, "\(lines)")
  }

  @Test("B6 A last line is more than one word, also beside images")
  func lastWord() {
    let words = String(repeating: "some words that fill a line of the paragraph ", count: 6) + "altogether"
    func lonely(_ wrap: String, _ align: String = "left") -> Int {
      stride(from: 300, to: 500, by: 5).count {
        let page = LaidOut(
          "<p><img style='width: 9px; height: 9px'/>\(words)</p>",
          css: "p { font: 16px 'Liberation Serif'; text-align: \(align); text-wrap: \(wrap) }", width: $0)
        return page.lines.last == "altogether"
      }
    }
    let counts = (lonely("auto"), lonely("pretty"))
    #expect(counts.0 > 3 && counts.1 == 0, "\(counts)")
    // Not at the cost of word spaces as wide as words.
    #expect(lonely("pretty", "justify") > 0)
  }
}
