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

  @Test(arguments: ["wrap", "pretty"])
  func `C7 Banned marks begin a line only where the line above has room for nothing else`(_ wrap: String) {
    for text in ["国国国国国。』」国国国", "国国国国国国。』」国国国", "国国国国国。」国国国", "国国国国国。』」』」国国"] {
      for em in 3...7 {
        let page = page("<p>\(text)</p>", em: Double(em), "text-wrap: \(wrap)")
        #expect(page.lines.allSatisfy { !"。』」".contains($0.first ?? "。") }, "\(page.lines)")
        #expect(page.fragments(.line).allSatisfy { !page.line($0).breaksLineStartRule })
      }
    }
    // Longer than a line, they are divided: none leaves the page.
    for mark in ["！", "。", "ー", "っ"] {
      let marks = String(repeating: mark, count: 40)
      let page = LaidOut(
        "<p>国国\(marks)国国</p>", css: Self.css("text-wrap: \(wrap)"), width: 120, height: 2000, language: "ja",
        house: true)
      #expect(page.lines.joined() == "国国\(marks)国国")
      #expect(page.fragments(.line).allSatisfy { page.line($0).contentWidth <= LayoutUnit(120) }, "\(page.lines)")
      #expect(page.fragments(.line).contains { page.line($0).breaksLineStartRule })
    }
  }

  /// Lines of Japanese whose natural end is before each of the small kana of a word in turn.
  private func japanese(_ css: String, _ word: String = "行っていらっしゃった", em: Double = 12, house: Bool = true)
    -> [String]
  {
    (0..<12).flatMap { shift in
      LaidOut(
        "<p lang='ja'>" + String(repeating: "国", count: shift) + String(repeating: word, count: 12) + "</p>",
        css: "p { font: 20px/30px 'Noto Serif CJK JP'; text-indent: 0; \(css) }", width: Int(em * 20), height: 4000,
        language: "ja", house: house
      ).lines
    }
  }

  @Test(arguments: [
    "", "line-break: auto", "line-break: strict", "text-wrap: pretty", "text-wrap: wrap", "text-align: start",
  ])
  func `C3 The house style begins no line with small kana`(_ css: String) {
    for word in ["行っていらっしゃった", "コンピューターゲーム", "<ruby>行<rt>い</rt></ruby>って", "<b>行</b>って", "行<b>って</b>"] {
      let lines = japanese(css, word)
      #expect(lines.count > 40 && lines.allSatisfy { !"っゃュー".contains($0.first ?? "っ") }, "\(lines)")
    }
  }

  @Test
  func `C3 An author who allows small kana at the start of a line gets them where the line would open wide otherwise`()
  {
    func starts(_ lines: [String]) -> Int { lines.count { "っゃュー".contains($0.first ?? " ") } }
    for wrap in ["pretty", "wrap"] {
      for value in ["normal", "loose"] {
        #expect(starts(japanese("line-break: \(value); text-wrap: \(wrap)", "行って来るのだ")) == 0, "\(value) \(wrap)")
        // More of them than a line holds.
        #expect(starts(japanese("line-break: \(value); text-wrap: \(wrap)", "国国っっっっっっっっっ", em: 8)) > 0)
      }
      #expect(starts(japanese("line-break: anywhere; text-wrap: \(wrap)", "行って来るのだ")) > 0)
      #expect(starts(japanese("line-break: normal; text-wrap: \(wrap); text-align: start", "行って来るのだ")) == 0)
    }
    #expect(starts(japanese("", house: false)) > 0)
  }

  @Test
  func `C9 A note mark stays with the character before it, and whole`() {
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

  @Test
  func `J10 A line whose gaps open by more than a quarter of an em says so`() {
    let loose = page("<p>国国国国国Internationalization国国</p>", em: 8.5)
    #expect(loose.lines.first == "国国国国国")
    #expect(abs(loose.line(loose.fragments(.line)[0]).looseness - 3.5 / 4) < 0.01)
    let tight = page("<p>国国国国国Internationalization国国</p>", em: 5.5)
    #expect(tight.lines.first == "国国国国国" && tight.line(tight.fragments(.line)[0]).looseness == 0)
  }

  @Test(arguments: [
    "<ruby>国<rt>国</rt></ruby>国国国国国国国国国国。", "<img style='width: 20px; height: 20px'/>国国国国国国国国国国。",
    "<span style='float: left; width: 20px; height: 40px'></span>国国国国国国国国国国。", "国国国国国国国国国国国。",
  ])
  func `P3 A last line has two characters, also beside ruby, images and floats`(_ text: String) {
    let lines = page("<p>\(text)</p>", em: 10).lines
    #expect(lines.count == 2 && (lines.last ?? "").count { $0 == "国" } == 2, "\(lines)")
  }

  @Test
  func `B6 A last line is more than one word, also beside images`() {
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
