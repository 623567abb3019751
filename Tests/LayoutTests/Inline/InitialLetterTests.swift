import Primitives
import TestSupport
import Testing

@testable import Layout

/// Initials (typography checklist, section 15): Liberation Serif has capitals of 0.655 em.
@Suite struct InitialLetterTests {
  private static let text =
    "The quick brown fox jumped over the lazy dog and went on through the wood until the evening came and then "
    + "slept under an old oak, the bark of which was rough and dark."
  private static let css = "p { font: 16px/24px 'Liberation Serif' } "
  private static let cap = 0.6548

  /// The letter's size and baseline, and the lines' starts and baselines.
  private struct Initial {
    var size: Double
    var baseline: Double
    var left: Double
    var lines: [(left: Double, right: Double, baseline: Double)]
  }

  private func initial(_ css: String, _ body: String? = nil, width: Int = 300) throws -> Initial {
    let laidOut = LaidOut(body ?? "<p>\(Self.text)</p>", css: Self.css + css, width: width)
    let lines = laidOut.fragments(.line)
    let letter = try #require(lines.first)
    let piece = try #require(laidOut.texts.first?.placed)
    return Initial(
      size: Double(laidOut.text(piece).size),
      baseline: (letter.offset.block + laidOut.line(letter).baseline).pixels, left: letter.offset.inline.pixels,
      lines: lines.dropFirst().map {
        ($0.offset.inline.pixels, $0.right.pixels, ($0.offset.block + laidOut.line($0).baseline).pixels)
      })
  }

  @Test(arguments: [2, 3, 4])
  func `V3 A dropped letter spans from the cap line of the first line to the baseline of the last`(_ lines: Int) throws
  {
    let letter = try initial("p::first-letter { initial-letter: \(lines) }")
    #expect(abs(letter.size * Self.cap - (Double(24 * (lines - 1)) + 16 * Self.cap)) < 0.5)
    #expect(abs(letter.baseline - letter.lines[lines - 1].baseline) < 0.5)
    #expect(letter.lines.prefix(lines).allSatisfy { $0.left > 10 } && letter.lines[lines].left == 0)
    #expect(letter.lines[0].baseline == letter.lines[1].baseline - 24)
  }

  @Test func `V3 Sunken and raised letters stand on the line they name`() throws {
    let dropped = try initial("p::first-letter { initial-letter: 3 }")
    let sunken = try initial("p::first-letter { initial-letter: 3 2 }")
    let raised = try initial("p::first-letter { -webkit-initial-letter: 3 1 }")
    #expect(sunken.size == dropped.size && raised.size == dropped.size)
    #expect(abs(sunken.baseline - sunken.lines[1].baseline) < 0.5 && sunken.lines[2].left == 0)
    #expect(abs(raised.baseline - raised.lines[0].baseline) < 0.5 && raised.lines[1].left == 0)
    // The letter's top stands where that of a dropped one does: lines move down whole.
    let top = dropped.baseline - dropped.size * Self.cap
    #expect(abs(raised.baseline - raised.size * Self.cap - top) < 0.5)
  }

  @Test func `V3 The line below keeps away from the tail of a letter, not from a foot`() throws {
    func narrowed(_ letter: String) throws -> Int {
      try initial("p::first-letter { initial-letter: 3 }", "<p>\(letter)\(Self.text)</p>").lines.count { $0.left > 0 }
    }
    #expect(try narrowed("T") == 3 && narrowed("O") == 3 && narrowed("Q") == 4)
  }

  @Test func `V3 A word space follows a letter that is a word, and the indent is the letter's`() throws {
    let word = try initial("p::first-letter { initial-letter: 2 }", "<p>I \(Self.text)</p>")
    let part = try initial("p::first-letter { initial-letter: 2 }", "<p>I\(Self.text)</p>")
    #expect(abs(word.lines[0].left - part.lines[0].left - 4) < 0.1)
    let indented = try initial("p { text-indent: 20px } p::first-letter { initial-letter: 2 }", "<p>I\(Self.text)</p>")
    #expect(indented.left == 20 && indented.lines[0].left == part.lines[0].left + 20)
    #expect(indented.lines[1].left == indented.lines[0].left)
  }

  @Test func `V3 In right-to-left text the letter stands at the right`() throws {
    let text = String(repeating: "הוא היה שועל חום מהיר ", count: 8)
    let letter = try initial("p::first-letter { initial-letter: 3 }", "<p dir='rtl'>\(text)</p>")
    #expect(letter.left > 200 && letter.lines[0].right < 300 && letter.lines[0].left == 0)
    #expect(letter.lines[3].right == 300)
  }

  @Test(arguments: ["horizontal-tb", "vertical-rl"])
  func `V3 Ideographs fill their lines with the em box`(_ mode: String) throws {
    let text = String(repeating: "春天的早晨太陽從山後升起來", count: 8)
    let css =
      "html { writing-mode: \(mode) } p { font-size: 20px; line-height: 30px } p::first-letter { initial-letter: 3 }"
    let laidOut = LaidOut("<p>\(text)</p>", css: css, width: 400, height: 400, language: "zh")
    let piece = try #require(laidOut.texts.first?.placed)
    #expect(abs(Double(laidOut.text(piece).size) - 80) < 0.1)
    let box = try #require(laidOut.fragments(.line).first)
    #expect(abs(box.offset.block.pixels - 5) < 2.5 && abs(box.fragment.size.block.pixels - 80) < 0.1)
  }

  @Test(arguments: [
    "float: left; font-size: 54px; line-height: 60px", "float: left; font-size: 3.4em; line-height: 0.7",
  ])
  func `V4 A floated letter is aligned by its ink`(_ css: String) throws {
    for body in ["<p>\(Self.text)</p>", "<p><span class='l'>T</span>\(Self.text.dropFirst())</p>"] {
      let letter = try initial((body.contains("span") ? ".l" : "p::first-letter") + " { \(css) }", body)
      let top = letter.baseline - letter.size * Self.cap
      #expect(abs(top - (letter.lines[0].baseline - 16 * Self.cap)) < 1)
      let whole = try #require(letter.lines.first { $0.left == 0 })
      #expect(whole.baseline - 16 * Self.cap > letter.baseline)
      #expect(whole.baseline - 24 - 16 * Self.cap <= letter.baseline)
    }
  }

  @Test func `V4 A floated ideograph is aligned with those beside it`() throws {
    let text = String(repeating: "国国国国国国国国国国", count: 8)
    let laidOut = LaidOut(
      "<p><span>国</span>\(text)</p>",
      css: "p { font-size: 16px; line-height: 24px } span { float: left; font-size: 3em; line-height: 1 }",
      width: 400, language: "zh")
    let lines = laidOut.fragments(.line)
    let baselines = lines.prefix(2).map { ($0.offset.block + laidOut.line($0).baseline).pixels }
    // The same glyph at two sizes: with its ink at one height, the larger one's baseline is lower by that share of the difference.
    let share = (baselines[0] - baselines[1]) / 32
    #expect(share > 0.8 && share < 0.92)
  }

  @Test func `V5 The opening quote goes with the letter, and words stay whole`() {
    let laidOut = LaidOut("<p>“\(Self.text)</p>", css: Self.css + "p::first-letter { initial-letter: 2 }")
    #expect(laidOut.lines[0] == "“T" && laidOut.lines[1].hasPrefix("he quick"))
    let word = LaidOut("<p><span>A</span> quick fox</p>", css: Self.css + "span { float: left; font-size: 40px }")
    #expect(word.lines.joined() == "A quick fox")
  }

  @Test func `V6 A letter that is too wide is set as text`() throws {
    let wide = try initial("p { width: 60px } p::first-letter { initial-letter: 3 }", "<p>W\(Self.text)</p>")
    #expect(abs(wide.size - 16) < 0.01)
  }

  @Test(arguments: ["he quick brown fox.", ""])
  func `V6 What follows goes round a letter that is higher than its paragraph`(_ rest: String) throws {
    let css = "p { margin: 0 } p:first-child::first-letter { initial-letter: 3 }"
    let letter = try initial(css, "<p>T\(rest)</p><p>one</p><p>\(Self.text)</p>", width: 300)
    #expect(abs(letter.size * Self.cap - (48 + 16 * Self.cap)) < 0.5)
    // A paragraph that has nothing but its letter has one line all the same.
    let starts = letter.lines.map(\.left)
    #expect(starts.prefix(3).allSatisfy { $0 > 10 } && starts[3] == 0, "\(starts)")
    #expect(abs(letter.baseline - letter.lines[2].baseline) < 0.5)
  }

  @Test func `G7 A letter higher than its paragraph is on one page, whole`() {
    for height in stride(from: 60, to: 200, by: 10) {
      let laidOut = LaidOut(
        "<p>one</p><p>two</p><p class='x'>Short.</p><p>\(Self.text)</p>",
        css: Self.css + "p { margin: 0 } .x::first-letter { initial-letter: 2 }", height: height)
      let text = laidOut.lines.joined().filter { !$0.isWhitespace }
      #expect(text == "onetwoShort.\(Self.text)".filter { !$0.isWhitespace }, "\(height)")
      let letter = laidOut.texts.first { laidOut.text($0.placed).size > 20 }
      #expect(letter != nil, "\(height)")
    }
  }

  @Test(arguments: ["initial-letter: 3", "float: left; font-size: 80px"])
  func `G7 A letter and the lines beside it go to the next page together`(_ css: String) {
    let laidOut = LaidOut(
      "<p>one</p><p>two</p><p class='x'>\(Self.text)</p>", css: Self.css + ".x::first-letter { \(css) }", height: 110)
    let pages = laidOut.fragments(.line).map(\.page)
    #expect(pages.prefix(5) == [0, 0, 1, 1, 1])
  }
}
