import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing
import Text

/// `::first-line`: CSS Pseudo-elements 4, section 2.1.
@Suite struct FirstLineTests {
  private let words = "one two three four five six seven eight nine ten eleven twelve"

  /// The text of each piece with its font size and colour.
  private func pieces(_ page: LaidOut) -> [(string: String, size: Float, color: Color)] {
    page.texts.map {
      let text = page.text($0.placed)
      return ($0.string, text.size, page.tree.texts.attributes[text.attributes].color)
    }
  }

  @Test func `The first line breaks and is shaped in its own size`() {
    let page = LaidOut("<p>\(words)</p>", css: "p::first-line { font-size: 32px; line-height: 50px }", width: 200)
    let plain = LaidOut("<p>\(words)</p>", width: 200)
    #expect(page.lines.joined(separator: " ") == words)
    #expect(page.lines[0].count < plain.lines[0].count)
    #expect(pieces(page).map(\.size) == [32] + Array(repeating: 16, count: page.lines.count - 1))
    #expect(page.fragments(.line)[0].fragment.size.block == LayoutUnit(50))
  }

  @Test func `Inline children inherit from the line`() {
    let css = """
      p { color: #000; font-size: 16px } b { color: #000 }
      p::first-line { color: #f00; font-size: 20px } i { font-size: 2em }
      """
    let page = LaidOut("<p>a <b>b</b> <i>c<br/>d</i></p>", css: css)
    let found = pieces(page).filter { $0.string != " " }
    let red = Color(red: 255, green: 0, blue: 0)
    #expect(found.map(\.size) == [20, 20, 40, 32])
    #expect(found.filter { $0.string == "b" }.map(\.color) == [.black])
    #expect(found.filter { $0.string == "c" }.map(\.color) == [red])
    #expect(found.filter { $0.string == "d" }.map(\.color) == [.black])
  }

  @Test func `The first formatted line is that of the first block`() {
    let css = "div { color: #000 } div::first-line { color: #00f }"
    func blue(_ body: String) -> String {
      pieces(LaidOut(body, css: css)).filter { $0.color == Color(red: 0, green: 0, blue: 255) }.map(\.string).joined()
    }
    #expect(blue("<div><p>a</p><p>b</p></div>") == "a")
    #expect(blue("<div>a<p>b</p></div>") == "a")
    #expect(blue("<div><section><p>a<br/>c</p></section>b</div>") == "a")
    #expect(blue("<div><span style='display: inline-block'>a</span> b</div>").contains("a") == false)
  }

  @Test func `The first line is transformed and goes on over pages`() {
    let page = LaidOut(
      "<p>\(words)</p>", css: "p::first-line { text-transform: uppercase } p { orphans: 1; widows: 1 }", width: 100,
      height: 40)
    #expect(page.pages.count > 1)
    #expect(page.lines.joined(separator: " ") == words)
    let upper = LaidOut("<p>\(words.uppercased())</p>", width: 100)
    #expect(page.lines[0] == upper.lines[0].lowercased())
    #expect(page.texts[0].placed.fragment.size == upper.texts[0].placed.fragment.size)
  }
}
