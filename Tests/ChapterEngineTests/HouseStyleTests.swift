import BookOutput
import Primitives
import TestSupport
import Testing
import Typesetting

/// The house style on whole pages.
@Suite struct HouseStyleTests {
  private func lines(
    _ body: String, language: String, css: String = "", width: Double = 330, margin: Double = 30,
    style: TypesettingSettings.Style = .house
  ) throws -> [[String: Any]] {
    let book = try TestBook()
    let page = try book.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="\(language)"><head><title>Test</title><style>
      p { font: 16px/24px 'Noto Serif CJK SC'; margin: 0 } \(css)</style></head><body>\(body)</body></html>
      """, to: "house.xhtml")
    return try book.records(of: page) { options in
      options.settings.style = style
      options.settings.pageSize = Size(width: LayoutUnit(width), height: LayoutUnit(600))
      options.settings.marginLeft = LayoutUnit(margin)
      options.settings.marginRight = LayoutUnit(margin)
    }.dropFirst().flatMap { $0["lines"] as? [[String: Any]] ?? [] }
  }
  private func box(_ line: [String: Any]) -> [Double] {
    (line["box"] as? [Any] ?? []).compactMap { ($0 as? Double) ?? ($0 as? Int).map(Double.init) }
  }
  private func number(_ value: Any?) -> Double { (value as? Double) ?? (value as? Int).map(Double.init) ?? .nan }

  @Test func `J11 The text of a Chinese page is a whole number of ems wide, in the middle`() throws {
    let text = "<p>" + String(repeating: "国", count: 60) + "</p>"
    // 330 - 2 * 30 = 270 px are 16 em and 14 px.
    let chinese = try lines(text, language: "zh")
    try #require(chinese.count == 4)
    #expect(box(chinese[1])[0] == 37 && box(chinese[1])[2] == 256)
    let plain = try lines(text, language: "zh", style: .book)
    #expect(box(plain[1])[0] == 30)
  }

  @Test func `P1 The indent is of the paragraph's own size`() throws {
    let chinese = try lines("<p>国</p><p style='font-size: 20px'>国</p>", language: "zh", margin: 29)
    #expect(chinese.map { box($0)[0] } == [29 + 32, 29 + 40])
  }

  @Test func `P2 Spaces typed at the start of a paragraph are its indent`() throws {
    let chinese = try lines("<p>\u{3000}\u{3000}国</p><p>国</p>", language: "zh", margin: 29)
    let first = try #require((chinese[0]["runs"] as? [[String: Any]])?.first)
    #expect(box(chinese[0])[0] == 29 && number(first["x"]) == 29)
    #expect(box(chinese[1])[0] == 61)
  }

  @Test func `P9 Items of a list are not indented twice, their second line aligns with the first`() throws {
    let text = String(repeating: "国", count: 30)
    let chinese = try lines("<ul><li><p>\(text)</p></li></ul>", language: "zh", margin: 29)
    let starts = chinese.filter { ($0["text"] as? String)?.contains("国") == true }.map { box($0)[0] }
    #expect(starts.count > 1 && Set(starts).count == 1)
  }

  @Test func `O1 O2 Western marks stand out of the line, Chinese ones do not, and none out of the page`() throws {
    let css = "p { font: 16px/24px 'DejaVu Serif'; text-indent: 0; text-wrap: wrap }"
    let text = "<p>" + String(repeating: "“aaaa, ", count: 24) + "</p>"
    func edges(_ language: String, margin: Double) throws -> (left: Double, right: Double) {
      let set = try lines(text, language: language, css: css, width: 330, margin: margin)
      let runs = set.dropLast().compactMap { $0["runs"] as? [[String: Any]] }
      return (
        runs.compactMap { $0.first.map { number($0["x"]) } }.min() ?? .nan,
        runs.compactMap { $0.last.map { number($0["x"]) + number($0["width"]) } }.max() ?? .nan
      )
    }
    let western = try edges("en", margin: 29)
    #expect(western.left < 28 && western.left > 23)
    // The box of the text covers the mark that stands out.
    #expect(western.right > 302 && western.right < 312)
    let flush = try edges("en", margin: 0)
    #expect(flush.left >= 0 && flush.right <= 330.05)
    #expect(try edges("zh", margin: 29).left >= 29)
  }

  @Test func `M5 Mixed lines keep one pitch`() throws {
    let text = "<p>" + String(repeating: "国文Ag国文国文", count: 40) + "</p>"
    let tops = try lines(text, language: "zh", css: "p { font-family: 'DejaVu Serif', 'Noto Serif CJK SC' }").map {
      box($0)[1]
    }
    #expect(tops.count > 10)
    #expect(Set(zip(tops, tops.dropFirst()).map { $1 - $0 }) == [24])
  }

  @Test func `K1 K2 Korean breaks between words, and no line starts with a mark`() throws {
    let text = "<p>" + String(repeating: "모든 인간은 태어날 때부터 자유로우며, ", count: 8) + "</p>"
    let korean = try lines(text, language: "ko").compactMap { $0["text"] as? String }
    let words = Set("모든 인간은 태어날 때부터 자유로우며,".split(separator: " ").map(String.init))
    #expect(korean.count > 5)
    #expect(korean.allSatisfy { $0.split(separator: " ").allSatisfy { words.contains(String($0)) } })
    // By syllable where the author says so.
    let free = try lines(text, language: "ko", css: "p { word-break: normal }").compactMap { $0["text"] as? String }
    #expect(!free.allSatisfy { $0.split(separator: " ").allSatisfy { words.contains(String($0)) } })
    #expect(free.allSatisfy { !$0.hasPrefix(",") })
  }

  @Test func `O3 A narrow space before a French mark stays and is never a line's end`() throws {
    let text = "<p>" + String(repeating: "non\u{202F}! oui\u{202F}? ", count: 20) + "</p>"
    let french = try lines(text, language: "fr").compactMap { $0["text"] as? String }
    #expect(french.count > 2)
    #expect(french.allSatisfy { !$0.hasPrefix("!") && !$0.hasPrefix("?") })
    #expect(french.joined().filter { $0 == "\u{202F}" }.count == 40)
  }

  @Test func `M3 Gaps and trimmed marks are no text`() throws {
    let book = try TestBook()
    let page = try book.write(
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"zh\"><body><p>中A文」「中</p></body></html>", to: "m3.xhtml")
    let lines = try book.records(of: page) { $0.settings.style = .house }.dropFirst()
      .flatMap { $0["lines"] as? [[String: Any]] ?? [] }
    #expect(lines.compactMap { $0["text"] as? String } == ["中A文」「中"])
  }

  @Test func `Z3 A reader's line height leaves the author's indents`() throws {
    let book = try TestBook()
    let page = try book.page("<p>one</p>", style: "p { text-indent: 40px; margin: 0 0 0 20px; line-height: 20px }")
    let lines = try book.records(of: page) {
      $0.settings.style = .house
      $0.settings.lineHeight = 2
    }.dropFirst().flatMap { $0["lines"] as? [[String: Any]] ?? [] }
    #expect(box(lines[0])[0] == 48 + 60)
    #expect(box(lines[0])[3] == 32)
  }

  @Test func `Z2 Plain texts are set in the house style`() throws {
    let book = try TestBook()
    let text = try book.write(String(repeating: "国国国国国国国国国国国国，国国国。\n", count: 8), to: "text.txt")
    let lines = try book.records(of: text) {
      $0.settings.pageSize = Size(width: LayoutUnit(256), height: LayoutUnit(600))
    }
    .dropFirst().flatMap { $0["lines"] as? [[String: Any]] ?? [] }
    let body = lines.filter { ($0["text"] as? String)?.hasPrefix("国") == true }
    // 256 - 2 * 48 = 160 px are ten em; the first line is indented by two.
    #expect(body.contains { box($0)[0] == 48 + 32 })
  }
}
