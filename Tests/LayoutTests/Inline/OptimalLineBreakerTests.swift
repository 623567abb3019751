import Layout
import Primitives
import TestSupport
import Testing

@Suite struct OptimalLineBreakerTests {
  private let text = """
    In olden times when wishing still helped one, there lived a king whose daughters were all beautiful; and the \
    youngest was so beautiful that the sun itself, which has seen so much, was astonished whenever it shone in her \
    face. Close by the castle lay a great dark forest, and under an old lime tree in the forest was a well, and when \
    the day was very warm, the child went out into the forest and sat down by the side of the cool fountain.
    """
  private let font = "p { font: 16px 'Liberation Serif'; text-align: justify }"

  private func page(_ wrap: String, _ css: String = "", width: Int = 250, height: Int = 10_000) -> LaidOut {
    LaidOut("<p>\(text)</p>", css: "\(font) p { text-wrap: \(wrap); \(css) }", width: width, height: height)
  }

  /// Sum of the demerits of all lines but the last.
  private func demerits(_ page: LaidOut, width: Int) -> Double {
    zip(page.lines, page.fragments(.line)).dropLast().reduce(0) { sum, found in
      let line = found.0 + (page.line(found.1).isHyphenated ? "‐" : "")
      let alone = LaidOut("<p>\(line)</p>", css: font, width: 10_000)
      let excess = Double(width) - Double(alone.line(alone.fragments(.line)[0]).contentWidth.float)
      let spaces = Double(line.filter { $0 == " " }.count) * 4
      guard spaces > 0 else { return sum }
      let ratio = excess / (excess < 0 ? spaces / 5 : spaces / 3)
      let badness = 100 * abs(ratio * ratio * ratio)
      return sum + (10 + badness) * (10 + badness)
    }
  }

  @Test(arguments: [180, 220, 250, 310])
  func `B2 the whole paragraph has fewer demerits than line by line`(_ width: Int) {
    let greedy = page("auto", width: width)
    let best = page("pretty", width: width)
    #expect(best.lines.joined(separator: " ") == text)
    #expect(demerits(best, width: width) < demerits(greedy, width: width))
    for line in best.fragments(.line).dropLast() {
      #expect(best.line(line).contentWidth == LayoutUnit(width))
      let ends = best.fragments(.text).filter { $0.offset.block == line.offset.block }.map(\.right)
      #expect(ends.max() == LayoutUnit(width))
    }
  }

  @Test(arguments: ["pretty", "balance", "stable"])
  func `B2 where no line has room for anything, each takes what it must`(_ wrap: String) {
    let page = LaidOut("<p>a-b c d-e f</p>", css: "p { margin: 0; width: 0; text-wrap: \(wrap) }")
    #expect(page.lines == ["a-", "b", "c", "d-", "e", "f"])
  }

  @Test
  func `B2 a line that cannot be stretched costs no more than it shows`() {
    let address = "https://example.org/a/rather/long/address"
    let body = "<p>Some words stand before the text of the file \(address) and a few more after it.</p>"
    let css = "\(font) p { text-wrap: "
    for width in [270, 290, 310] {
      let greedy = LaidOut(body, css: css + "auto }", width: width)
      let best = LaidOut(body, css: css + "pretty }", width: width)
      // Word spaces of the first line, which would have to give its last words to the address.
      #expect(best.lines[0].count >= greedy.lines[0].count - 4, "\(best.lines)")
    }
  }

  @Test(
    .enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"),
    arguments: [280, 300, 320, 340])
  func `B2 where a page may not end with a hyphen, the lines of the page are chosen anew`(_ width: Int) {
    func page(_ wrap: String) -> LaidOut {
      let body = "<p>" + String(repeating: HyphenationTests.words, count: 6) + "</p>"
      return LaidOut(
        body,
        css: "\(font) p { text-wrap: \(wrap); hyphens: auto; orphans: 1; widows: 1; line-height: 20px }", width: width,
        height: 120, language: "en-us")
    }
    let demerits = (demerits(page("auto"), width: width), demerits(page("pretty"), width: width))
    #expect(demerits.1 < demerits.0 / 2, "\(demerits)")
  }

  @Test
  func `B2 stable and auto fill line by line`() { #expect(page("stable").lines == page("auto").lines) }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `B3 no more hyphens in a row than allowed, none before the last line`() {
    let best = page("pretty", "hyphens: auto", width: 120)
    let hyphenated = best.fragments(.line).map { best.line($0).isHyphenated }
    #expect(hyphenated.contains(true))
    #expect(!hyphenated.suffix(2).contains(true))
    for index in hyphenated.indices.dropFirst(2) { #expect(!hyphenated[index - 2...index].allSatisfy { $0 }) }
  }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `B3 ragged lines are hyphenated only where they would be much shorter`() {
    let css = "hyphens: auto; text-align: left"
    let hyphens = stride(from: 200, to: 320, by: 10).map { width in
      let best = page("pretty", css, width: width)
      return best.fragments(.line).count { best.line($0).isHyphenated }
    }
    #expect(hyphens.allSatisfy { $0 == 0 }, "\(hyphens)")
    let narrow = LaidOut(
      "<p>the incomprehensible misunderstanding</p>", css: "\(font) p { text-wrap: pretty; \(css) }", width: 110,
      language: "en-us")
    #expect(narrow.fragments(.line).contains { narrow.line($0).isHyphenated })
  }

  @Test
  func `B6 the last line is no runt`() {
    let words = String(repeating: "wwww ", count: 30) + "a"
    let css = "p { font: 16px 'Liberation Serif'; text-wrap: pretty }"
    for width in [200, 203, 260] {
      let page = LaidOut("<p>\(words)</p>", css: css, width: width)
      #expect(page.lines.last != "a")
    }
  }

  @Test
  func `B6 the last line is more than one word, where others can be found for it`() {
    func lonely(_ wrap: String) -> Int {
      stride(from: 330, to: 450, by: 6).count {
        !(page(wrap, "hyphens: auto", width: $0).lines.last ?? " ").contains(" ")
      }
    }
    let counts = (lonely("auto"), lonely("pretty"))
    #expect(counts.0 > 2 && counts.1 < counts.0, "\(counts)")
  }

  @Test
  func `B6 no line is torn apart so that the last one is more than a word`() {
    // Beside a float, lines are chosen one by one.
    let body = "<p><span class='f'>1</span>Short before exampleofanidentifier.that.is.long lub continuation.</p>"
    let css = "\(font) p { text-wrap: pretty } .f { float: right; margin-right: -20px; width: 10px }"
    for width in stride(from: 300, to: 420, by: 12) {
      let page = LaidOut(body, css: css, width: width)
      let greedy = LaidOut(body, css: css.replacing("pretty", with: "auto"), width: width)
      guard page.lines.last?.contains(" ") == true, page.lines != greedy.lines else { continue }
      let line = page.lines[page.lines.count - 2]
      let alone = LaidOut("<p>\(line)</p>", css: font, width: 10_000)
      let excess = Float(width) - alone.line(alone.fragments(.line)[0]).contentWidth.float
      #expect(excess <= Float(line.filter { $0 == " " }.count) * 4 * 2 / 3 + 1, "\(width): \(page.lines)")
    }
  }

  @Test
  func `B2 ideographs that fill their lines stay where they are`() {
    let text = String(repeating: "天地玄黃宇宙洪荒日月盈昃辰宿列張", count: 20)
    let css = "p { font: 16px 'Noto Serif CJK TC'; text-align: justify; text-wrap: "
    for width in [330, 400] {
      let greedy = LaidOut("<p>\(text)</p>", css: css + "auto }", width: width, language: "zh-Hant")
      let best = LaidOut("<p>\(text)</p>", css: css + "pretty }", width: width, language: "zh-Hant")
      #expect(best.lines == greedy.lines)
    }
  }

  @Test
  func `G10 a paragraph over several pages keeps its lines`() {
    let whole = page("pretty")
    let cut = page("pretty", "orphans: 1; widows: 1", height: 70)
    #expect(cut.pages.count > 2)
    #expect(cut.lines == whole.lines)
  }

  @Test
  func `B9 the lines of a balanced heading are about equal`() {
    let heading = "<p>A heading with several words that needs a second line of text</p>"
    let css = "p { font: 16px 'Liberation Serif'; text-align: left; text-wrap: "
    let greedy = LaidOut(heading, css: css + "auto }", width: 320)
    let balanced = LaidOut(heading, css: css + "balance }", width: 320)
    #expect(balanced.lines.count == greedy.lines.count)
    let widths = balanced.fragments(.line).map { balanced.line($0).contentWidth.float }
    #expect(widths.min()! > widths.max()! * 0.9)
  }

  @Test
  func `B3 very long paragraphs are broken in windows`() {
    let long = String(repeating: text + " ", count: 40)
    let page = LaidOut(
      "<p>\(long)</p>", css: "p { font: 16px 'Liberation Serif'; text-wrap: pretty; text-align: justify }", width: 90,
      height: 1_000_000)
    #expect(page.lines.count > 1300)
    #expect(page.lines.joined(separator: " ").split(separator: " ") == long.split(separator: " "))
    #expect(page.fragments(.line).allSatisfy { page.line($0).contentWidth <= LayoutUnit(90) })
  }
}
