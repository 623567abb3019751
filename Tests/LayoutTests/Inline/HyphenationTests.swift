import Primitives
import TestSupport
import Testing

@testable import Layout

/// Where lines may be hyphenated, by the numbers of the typography checklist.
@Suite(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
struct HyphenationTests {
  static let words =
    "Extraordinarily complicated considerations notwithstanding, international representatives "
    + "unanimously acknowledged responsibility concerning misunderstandings throughout organizational "
    + "administrations; nevertheless, incomprehensible characteristics predominantly remained. "

  private struct Line {
    var page: Int
    var text: String
    var isHyphenated: Bool
  }

  private func lines(
    _ body: String, css: String, width: Int = 130, height: Int = 10_000, language: String = "en-us"
  ) -> [Line] {
    let laidOut = LaidOut(
      body, css: "p { hyphens: auto; orphans: 1; widows: 1; line-height: 20px } p, h2 { width: \(width)px } " + css,
      width: 600, height: height,
      language: language)
    return zip(laidOut.fragments(.line), laidOut.lines).map { placed, text in
      Line(page: placed.page, text: text, isHyphenated: laidOut.line(placed).isHyphenated)
    }
  }
  private func longestRow(_ lines: [Line]) -> Int {
    var row = 0
    return lines.reduce(0) { longest, line in
      row = line.isHyphenated ? row + 1 : 0
      return max(longest, row)
    }
  }

  @Test func `Y1 hyphens none, manual and auto, and languages without patterns`() {
    func hyphens(_ value: String, language: String = "en-us") -> Int {
      lines(
        "<p>\(Self.words)extra\u{AD}ordinarily complicated\u{AD}ness</p>", css: "p { hyphens: \(value) }",
        language: language
      )
      .count { $0.isHyphenated }
    }
    let automatic = hyphens("auto")
    let manual = hyphens("manual")
    #expect(hyphens("none") == 0)
    #expect(manual > 0 && automatic > manual)
    #expect(hyphens("auto", language: "tlh") == manual)
  }

  @Test func `Y2 Short words and short ends stay whole`() {
    func parts(_ word: String, _ css: String = "") -> [String] {
      lines("<p>\(word)</p>", css: "p { overflow-wrap: normal } " + css, width: 12).map(\.text)
    }
    #expect(parts("into") == ["into"])
    #expect(parts("remember").first == "re")
    #expect(parts("remember", "p { hyphenate-limit-chars: 9 }") == ["remember"])
    #expect(parts("remember", "p { hyphenate-limit-chars: auto 3 4 }").allSatisfy { $0.count >= 3 })
    #expect(parts("really").last?.count ?? 0 >= 2)
  }

  @Test func `Y3 No more than two hyphenated lines in a row, or what the book allows`() {
    let body = "<p>" + String(repeating: Self.words, count: 4) + "</p>"
    #expect(longestRow(lines(body, css: "")) == 2)
    #expect(longestRow(lines(body, css: "p { hyphenate-limit-lines: 1 }")) == 1)
    #expect(longestRow(lines(body, css: "p { hyphenate-limit-lines: 4 }")) > 2)
  }

  @Test(arguments: ["auto", "pretty"])
  func `Y4 No hyphen at the end of a page`(_ wrap: String) {
    let body = "<p>" + String(repeating: Self.words, count: 12) + "</p>"
    func ends(_ value: String) -> [Bool] {
      let lines = lines(
        body, css: "p { text-wrap: \(wrap); text-align: justify; \(value) }", width: 170, height: 60)
      return lines.indices.dropLast().filter { lines[$0].page != lines[$0 + 1].page }.map { lines[$0].isHyphenated }
    }
    #expect(ends("hyphenate-limit-last: none").contains(true))
    for value in ["", "hyphenate-limit-last: always", "hyphenate-limit-last: page", "hyphenate-limit-last: column"] {
      let ends = ends(value)
      #expect(ends.count > 10 && !ends.contains(true))
    }
    let spreads = ends("hyphenate-limit-last: spread")
    // The first page is a right-hand one, which ends a spread.
    #expect(!spreads.indices.contains { $0 % 2 == 0 && spreads[$0] })
    #expect(spreads.contains(true))
  }

  @Test func `A last line is not the rest of a word, unless the one before would be wide open`() {
    let text = "It was of no further consequence"
    let ragged = lines("<p>\(text)</p>", css: "", width: 190)
    #expect(ragged.map(\.text) == ["It was of no further", "consequence"])
    let limit = lines("<p>\(text) for them</p>", css: "", width: 190)
    #expect(limit.map(\.isHyphenated) == [true, false])
    let open = lines("<p>It was consequence</p>", css: "p { text-align: justify }", width: 110)
    #expect(open.map(\.isHyphenated) == [true, false])
  }

  @Test func `Y4 Lines are whole and in order where a hyphen was taken back`() {
    let body = "<p>" + String(repeating: Self.words, count: 12) + "</p>"
    for wrap in ["auto", "pretty"] {
      let css = "p { text-wrap: \(wrap); text-align: justify }"
      let text = lines(body, css: css, width: 170, height: 60).map { $0.text + ($0.isHyphenated ? "" : " ") }.joined()
      #expect(text == String(repeating: Self.words, count: 12))
    }
  }

  @Test func `Y4 No hyphen before the last line with always`() {
    let counts = stride(from: 200, to: 280, by: 4).map { width -> Int in
      let lines = lines("<p>\(Self.words)</p>", css: "p { hyphenate-limit-last: always }", width: width)
      return lines.dropLast().last?.isHyphenated == true ? 1 : 0
    }
    let free = stride(from: 200, to: 280, by: 4).map { width -> Int in
      let lines = lines("<p>\(Self.words)</p>", css: "p { hyphenate-limit-last: none }", width: width)
      return lines.dropLast().last?.isHyphenated == true ? 1 : 0
    }
    #expect(counts.reduce(0, +) == 0 && free.reduce(0, +) > 0)
  }

  @Test func `A zone of white is preferred to a hyphen`() {
    let body = "<p>\(Self.words)</p>"
    let none = lines(body, css: "p { hyphenate-limit-zone: 0 }", width: 200).count { $0.isHyphenated }
    let all = lines(body, css: "p { hyphenate-limit-zone: 199px }", width: 200).count { $0.isHyphenated }
    #expect(none > all)
  }

  @Test func `Y5 Numbers, addresses, acronyms, headings and compounds are not hyphenated`() {
    for word in [
      "considerations2", "3considerations", "www.considerations.com", "user@considerations", "/considerations/",
      "CONSIDERATIONS", "#considerations",
    ] {
      #expect(lines("<p>an \(word)</p>", css: "", width: 40).allSatisfy { !$0.isHyphenated }, "\(word)")
    }
    #expect(
      lines("<h2>an considerations</h2>", css: "body { hyphens: auto }", width: 40).allSatisfy { !$0.isHyphenated })
    #expect(lines("<p>well-considerations</p>", css: "", width: 60).map(\.text) == ["well-", "considerations"])
    #expect(lines("<p>an considerations</p>", css: "", width: 40).contains { $0.isHyphenated })
  }

  @Test func `Y5 Thai words are not hyphenated`() {
    let found = lines("<p>ได้รับผลปฏิบัติหรือการลงโทษที่โหดร้าย</p>", css: "p { hyphens: auto }", width: 20, language: "th")
    #expect(found.count > 3 && !found.contains { $0.isHyphenated })
  }

  @Test func `Y5 A word in two languages is not hyphenated, one in two colours is`() {
    func hyphenates(_ attribute: String) -> Bool {
      lines("<p>an con<span \(attribute)>siderations</span></p>", css: "", width: 60).contains { $0.isHyphenated }
    }
    #expect(hyphenates("style='color: red'"))
    #expect(!hyphenates("lang='fr'") && !hyphenates("lang='und'"))
  }

  @Test func `Y6 A break that would change the spelling is not made`() {
    // The German dictionaries of old wrote Zuk-ker for Zucker; without patterns that say so nothing may divide between c and k.
    let parts = lines("<p>Zuckerbäckereien</p>", css: "", width: 20, language: "de").map(\.text)
    #expect(parts.joined() == "Zuckerbäckereien")
    #expect(!parts.contains { $0.hasSuffix("c") && !$0.hasSuffix("ck") })
  }

  @Test func `Y7 The hyphen is a glyph of the run's face and no part of the text`() {
    let laidOut = LaidOut(
      "<p>remembering</p>", css: "p { hyphens: auto; font-family: 'Liberation Serif' }", width: 40, language: "en-us")
    let placed = laidOut.fragments(.line)
    #expect(laidOut.lines.joined() == "remembering" && placed.count > 1)
    let first = laidOut.texts[0]
    let glyphs = laidOut.text(first.placed).glyphs
    #expect(glyphs.count == first.string.count + 1)
    #expect(Set(laidOut.fragments(.text).map { laidOut.text($0).font }).count == 1)
  }

  @Test func `Y8 Soft hyphens change neither places nor kerning`() {
    func width(_ text: String) -> LayoutUnit? {
      LaidOut("<p>\(text)</p>", css: "p { font-family: 'Liberation Serif'; white-space: pre }").fragments(.text).map(
        \.right
      ).max()
    }
    #expect(width("AV\u{AD}AT fi\u{AD}fi WA\u{AD}VE") == width("AVAT fifi WAVE"))
  }
}
