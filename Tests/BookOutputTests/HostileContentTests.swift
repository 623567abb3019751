import BookOutput
import Foundation
import TestSupport
import Testing
import Typesetting

/// Content made to take endless time, memory or pages: each case is bounded by a rule, not by a clock.
@Suite(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
struct HostileContentTests {
  private func pages(_ body: String) throws -> Int {
    let book = try TestBook()
    var options = RunOptions(input: try book.epub([body]))
    options.pages = book.path("pages")
    options.jobs = 1
    let result = BookRun(options).run()
    #expect(result.error == nil)
    return result.pages
  }

  @Test func `Flex containers of different widths in each other are not measured without end`() throws {
    let open = (0..<200).map {
      "<div style='display:flex;flex-wrap:wrap;width:\(90 + $0 % 10)%;flex:1 1 \($0 % 9 * 10)%'><i>k k</i>"
    }
    #expect(try pages(open.joined() + String(repeating: "</div>", count: 200)) < 20)
  }

  @Test func `A word of nothing but hyphenation points fills its lines`() throws {
    #expect(try pages("<p>" + String(repeating: "ab\u{AD}", count: 3000) + "</p>") < 6)
  }

  @Test func `Floats that outlive the flow end`() throws {
    let float = "<div style='float:left;width:30%;height:9px'></div>"
    #expect(try pages("<p>text</p>" + String(repeating: float, count: 2000)) < 20)
  }
}
