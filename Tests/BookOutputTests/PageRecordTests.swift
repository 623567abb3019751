import TestSupport
import Testing
import Typesetting

/// A page's record names the rules that could not be kept.
@Suite struct PageRecordTests {
  @Test func `B8 Content that leaves the page is named with its place and source`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<p id='a'>fits</p><p style='position: relative; left: 540px'>leaves the page</p>"
        + "<p><img src='none.png' style='width: 700px; height: 10px'/></p>")
    let page = try book.records(of: input)[1]
    let overflow = try #require(page["overflow"] as? [[String: Any]])
    let source = try #require(overflow.first?["source"] as? [String: Any])
    #expect(source["node"] as? String == "/4/4" && source["start"] as? Int == 0 && source["end"] as? Int == 15)
    let box = try #require(overflow.first?["box"] as? [Double])
    #expect(box[0] + box[2] > 600)
    let whole = try book.records(of: book.page("<p>fits</p>"))[1]
    #expect((whole["overflow"] as? [[String: Any]])?.isEmpty == true && whole["brokenRule"] == nil)
  }

  @Test func `G1 Widows are given up before orphans, orphans before avoid, and the record says which`() throws {
    let book = try TestBook()
    func rules(_ style: String, lines: Int = 60) throws -> [String?] {
      let text = (1...lines).map { "line \($0)" }.joined(separator: "<br/>")
      let input = try book.page("<p>first</p><p class='x'>\(text)</p>", style: style)
      return try book.records(of: input).dropFirst().map { $0["brokenRule"] as? String }
    }
    let base = "p { margin: 0; font-size: 20px; line-height: 32px } "
    #expect(try rules(base + ".x { orphans: 2; widows: 2 }").allSatisfy { $0 == nil })
    #expect(try rules(base + ".x { orphans: 10; widows: 20 }", lines: 23).contains("widows"))
    // More lines than a page has are asked for in vain: two stand then.
    #expect(try rules(base + ".x { widows: 50 }").allSatisfy { $0 == nil })
    #expect(try rules(base + ".x { break-inside: avoid }").contains("avoid"))
  }
}
