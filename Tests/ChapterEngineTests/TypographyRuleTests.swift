import TestSupport
import Testing
import Typesetting

/// Rules of the typography checklist that show in the places of whole lines.
@Suite struct TypographyRuleTests {
  /// The left and right edge of each line, by its text.
  private func edges(_ body: String, style: String = "") throws -> [String: (left: Double, right: Double)] {
    let book = try TestBook()
    let lines = try book.lines(of: book.page(body, style: style))
    return Dictionary(
      lines.compactMap { line in
        guard let text = line["text"] as? String, let box = line["box"] as? [Double] else { return nil }
        return (text, (box[0], box[0] + box[2]))
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `B11 Spaces at a line's end hang, tabs stop by tab-size, pre keeps spaces`() throws {
    let style = "p { font: 10px 'DejaVu Sans Mono'; margin: 0; width: 300px } .end { text-align: right; width: 4em }"
    let lines = try edges(
      """
      <p style="white-space: pre; tab-size: 4">a\tb</p><p style="white-space: pre">c    d</p><p>00000</p>
      <p class="end" style="white-space: pre-wrap">eee     fff</p><p class="end">ggg hhh</p>
      """, style: style)
    let advance = try #require(lines["00000"]).right / 5 - (try #require(lines["00000"])).left / 5
    func width(_ text: String) throws -> Double {
      let line = try #require(lines.first { $0.key.hasPrefix(text) }?.value)
      return (line.right - line.left) / advance
    }
    #expect(abs(try width("a") - 5) < 0.05)
    #expect(abs(try width("c") - 6) < 0.05)
    let preserved = try #require(lines.first { $0.key.hasPrefix("eee") }?.value)
    let collapsed = try #require(lines["ggg"])
    #expect(abs(preserved.left - collapsed.left) < 0.05)
  }

  @Test func `X2 Right to left mirrors indents, lists and tables`() throws {
    let lines = try edges(
      """
      <div style="direction: rtl; width: 200px"><p>אחד</p><p style="text-indent: 20px">שתים</p>
      <ul style="margin: 0; padding: 0 30px 0 0"><li>שלוש</li></ul>
      <table><tr><td>ארבע</td><td>חמש</td></tr></table></div>
      """, style: "p { margin: 0 }")
    let start = try #require(lines["אחד"]).right
    #expect(abs(try #require(lines["שתים"]).right - (start - 20)) < 0.05)
    #expect(abs(try #require(lines["שלוש"]).right - (start - 30)) < 0.05)
    #expect(try #require(lines["ארבע"]).left >= (try #require(lines["חמש"])).right)
  }

  @Test func `X5 A Hebrew quotation in English has logical text and visual places`() throws {
    let book = try TestBook()
    let line = try #require(try book.lines(of: book.page("<p>abc אבג <b>דהו</b> def</p>")).first)
    #expect(line["text"] as? String == "abc אבג דהו def")
    let runs = try #require(line["runs"] as? [[String: Any]])
    #expect(runs.map { ($0["text"] as? String)?.filter { $0 != " " } } == ["abc", "אבג", "דהו", "def"])
    let places = runs.compactMap { $0["x"] as? Double }
    try #require(places.count == 4)
    #expect(places[0] < places[2] && places[2] < places[1] && places[1] < places[3])
  }

  @Test func `X3 Arabic is not hyphenated`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<p lang=\"ar\" style=\"width: 60px; hyphens: auto\">" + String(repeating: "والمستشفيات ", count: 6) + "</p>")
    let lines = try book.lines(of: input)
    #expect(lines.count >= 6 && lines.allSatisfy { $0["hyphenated"] as? Bool == false })
  }

  @Test func `G12 A picture that is all of its chapter stands in the middle of its page`() throws {
    let book = try TestBook()
    let image =
      "<img alt='' src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='100' height='50'/%3E\"/>"
    func place(_ body: String) throws -> [Double]? {
      let pages = try book.records(of: book.page(body)).dropFirst()
      return ((pages.first?["images"] as? [[String: Any]])?.first?["box"] as? [Any])?.compactMap {
        ($0 as? Double) ?? ($0 as? Int).map(Double.init)
      }
    }
    #expect(try place("<div>\(image)</div>") == [250, 375, 100, 50])
    #expect(try place("<div style='text-align: center'>\(image)</div>") == [250, 375, 100, 50])
    let first = try #require(try place("<div>\(image)</div><p>Text</p>"))
    #expect(first[0] == 48 && first[1] < 60)
  }

  @Test func `G4 A picture taller than the page is scaled with its caption below it, one that fits keeps its size`()
    throws
  {
    let book = try TestBook()
    func picture(_ width: Int, _ height: Int) throws -> (page: Int, box: [Double], caption: (page: Int, box: [Double]))
    {
      let image =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'/%3E"
      let records = try book.records(
        of: book.page("<p>Text</p><figure><img src=\"\(image)\" alt=\"\"/><figcaption>Caption</figcaption></figure>"))
      var found: [(page: Int, box: [Double])] = []
      for name in ["images", "lines"] {
        for page in records.dropFirst() {
          for entry in page[name] as? [[String: Any]] ?? []
          where name == "images" || entry["text"] as? String == "Caption" {
            found.append((page["number"] as? Int ?? 0, entry["box"] as? [Double] ?? []))
          }
        }
      }
      try #require(found.count == 2 && found.allSatisfy { $0.box.count == 4 })
      return (found[0].page, found[0].box, found[1])
    }
    let tall = try picture(400, 1300)
    #expect(tall.page == tall.caption.page)
    #expect(abs(tall.box[3] - 3.25 * tall.box[2]) < 1 && tall.box[3] > 500, "\(tall)")
    #expect(tall.box[1] >= 48 && tall.caption.box[1] >= tall.box[1] + tall.box[3])
    #expect(tall.caption.box[1] + tall.caption.box[3] <= 752)
    let small = try picture(300, 200)
    #expect(small.box[2] == 300 && small.box[3] == 200 && small.page == 1)
  }
}
