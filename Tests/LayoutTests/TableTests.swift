import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing

/// Tables (CSS 2.2, section 17).
@Suite struct TableTests {
  /// Boxes of a kind as "x y width height", in document order; pages after the first have their number before.
  func boxes(_ kind: BoxKind, _ body: String, css: String = "", width: Int = 300, height: Int = 10_000) -> [String] {
    let laidOut = LaidOut(
      body, css: "table { border-spacing: 0 } td, th, caption { padding: 0; line-height: 20px } \(css)", width: width,
      height: height)
    return laidOut.fragments(.box).filter { laidOut.tree[$0.fragment.box].kind == kind }.map {
      let size = $0.fragment.size
      let place = "\($0.offset.inline.pixels) \($0.offset.block.pixels) \(size.inline.pixels) \(size.block.pixels)"
        .replacing(".0", with: "")
      return $0.page == 0 ? place : "\($0.page): \(place)"
    }
  }

  @Test func `G8 A table wider than its page is set smaller, then its words are broken, and no cell stands on another`()
  {
    let css = "table { border-spacing: 0 } td { padding: 0 2px; font: 16px Liberation Mono }"
    func page(_ cells: [String], width: Int = 300) -> LaidOut {
      // No longer than wide: tables do not lie on their side.
      LaidOut(
        "<table><tr><td>" + cells.joined(separator: "</td><td>") + "</td></tr></table>", css: css, width: width,
        height: width)
    }
    func right(_ page: LaidOut) -> Double {
      page.fragments(.box).filter { page.tree[$0.fragment.box].kind == .tableCell }.map { $0.right.pixels }.max() ?? 0
    }
    // No text reaches out of its own cell.
    func overprints(_ page: LaidOut) -> Bool {
      let cells = page.fragments(.box).filter { page.tree[$0.fragment.box].kind == .tableCell }
      let texts = page.fragments(.text)
      return texts.contains { text in
        !cells.contains { $0.offset.inline <= text.offset.inline && text.right <= $0.right + LayoutUnit(0.1) }
      }
    }
    let words = Array(repeating: "barley", count: 6)
    let smaller = page(words)
    #expect(smaller.lines == words && !overprints(smaller))
    #expect(smaller.pages[0].texts.allSatisfy { $0.size < 16 && $0.size >= 9.5 })
    #expect(right(smaller) > 299 && right(smaller) < 300.1)
    // A long word alone is broken; the type keeps its size.
    let address = page(["of", String(repeating: "longword", count: 6)])
    #expect(address.pages[0].texts.allSatisfy { $0.size == 16 } && address.lines.count == 3)
    let many = page(Array(repeating: "barley", count: 10))
    #expect(many.lines.count > 10 && right(many) < 300.1 && !overprints(many))
    // Text that does not wrap is broken as well, before anything leaves the page.
    let unwrapped = page(Array(repeating: "<span style='white-space: nowrap'>oats and barley</span>", count: 6))
    #expect(right(unwrapped) < 300.1 && !overprints(unwrapped))
    let tooMany = page(Array(repeating: "barley", count: 60))
    #expect(right(tooMany) > 301 && !overprints(tooMany))
  }

  @Test func `G8 A table set smaller is broken over pages by its size there`() {
    let row = "<tr>" + String(repeating: "<td>barley</td>", count: 6) + "</tr>"
    let css = "table { border-spacing: 0 } td { padding: 0; font: 16px/20px Liberation Mono }"
    let pages = LaidOut(
      "<table>" + String(repeating: row, count: 30) + "</table>", css: css, width: 240, height: 200
    ).pages
    let scale = Double(pages[0].texts[0].scale)
    #expect(scale < 0.75 && pages.count == Int((30 / (200 / (20 * scale)).rounded(.down)).rounded(.up)))
  }

  @Test
  func `G8 A table whose words would be broken lies on its side, on pages of its own, if the page has room for it`() {
    let words = ["barley", "wheat", "millet", "sorghum", "teff", "fonio", "maize", "oats", "rye"]
    let row = "<tr><td>" + words.joined(separator: "</td><td>") + "</td></tr>"
    let page = LaidOut(
      "<p>Before</p><table>" + String(repeating: row, count: 14) + "</table><p>After</p>",
      css: "table { border-spacing: 0 } td { padding: 2px; font: 16px/20px Liberation Mono } p { margin: 0 }",
      width: 200,
      height: 420)
    let cells = page.fragments(.line).filter { page.line($0).writingMode == .sidewaysLR }
    #expect(cells.count == 14 * words.count && page.lines.count == cells.count + 2)
    #expect(
      page.fragments(.text).filter { page.pages[$0.page].texts[Int($0.fragment.payload)].isSideways }.count
        == cells.count)
    // The first column at the foot of the page, rows from left to right, what is left of them on the next page.
    #expect(cells[0].offset.block > cells[8].offset.block && cells[0].offset.inline < cells[9].offset.inline)
    #expect(cells.allSatisfy { $0.offset.inline >= .zero && $0.right <= LayoutUnit(200) && $0.offset.block >= .zero })
    #expect(Set(cells.map(\.page)) == [1, 2] && page.fragments(.line).first?.page == 0)
  }

  @Test func `G8 Text goes on before a lying table that does not fit, but not into the next section`() {
    let words = ["barley", "wheat", "millet", "sorghum", "teff", "fonio", "maize", "oats", "rye"]
    let row = "<tr><td>" + words.joined(separator: "</td><td>") + "</td></tr>"
    func pages(_ count: Int) -> [Int: [String]] {
      let page = LaidOut(
        "<p>before</p><p>it</p><table>" + String(repeating: row, count: count)
          + "</table><p>after</p><p>after</p><h1>next</h1><p>text</p>",
        css: """
          table { border-spacing: 0 } td { padding: 2px; font: 16px/20px Liberation Mono } p, h1 { margin: 0 }
          h1 { break-before: page }
          """,
        width: 200, height: 420)
      var found: [Int: [String]] = [:]
      for line in page.fragments(.line) {
        let set = page.line(line)
        found[line.page, default: []].append(
          set.writingMode == .sidewaysLR ? "-" : page.string(set.text, set.range))
      }
      return found
    }
    // Eight rows fill the page's width.
    for (count, tables) in [(8, 1), (14, 2)] {
      let found = pages(count)
      #expect(found[0] == ["before", "it", "after", "after"])
      #expect((1...tables).reduce(0) { $0 + (found[$1]?.filter { $0 == "-" }.count ?? 0) } == count * words.count)
      #expect(found[tables + 1] == ["next", "text"] && found.count == tables + 2)
    }
  }

  @Test(arguments: ["display: flex", "display: grid; grid-template-columns: 60px 1fr"])
  func `G8 A wide table beside other boxes stays on the page`(_ display: String) {
    let words = ["barley", "wheat", "millet", "sorghum", "teff", "fonio", "maize", "oats"]
    let row = "<tr><td>" + words.joined(separator: "</td><td>") + "</td></tr>"
    let page = LaidOut(
      "<div class='around'><div class='side'>Side</div><div><table>\(row)</table></div></div>",
      css: """
        .around { \(display) }
        table { border-spacing: 0 } td { padding: 1px; font: 16px/20px Liberation Mono }
        """,
      width: 300, height: 340)
    #expect(page.fragments(.text).allSatisfy { $0.right < LayoutUnit(301) && $0.offset.inline >= .zero })
    #expect(page.lines.joined().contains("Side"))
  }

  @Test func `Paddings give way before words are broken`() {
    let row = "<table><tr><td>Aldousaldous</td><td>Bertrandbert</td></tr></table>"
    let page = LaidOut(row, css: "td { padding: 3px 40px; font: 16px Liberation Mono }", width: 260)
    #expect(page.lines == ["Aldousaldous", "Bertrandbert"])
    // Where that is not enough the widest columns break, and the others keep their words.
    let narrow = LaidOut(
      "<table><tr><td>Al</td><td>Bertrandbertrandbertrand</td></tr></table>",
      css: "td { padding: 3px; font: 16px Liberation Mono }", width: 160)
    #expect(narrow.lines.first == "Al" && narrow.lines.count == 3)
  }

  @Test func `Half of a collapsed border lies in the cell, half in the table`() {
    let css = "table { border-collapse: collapse } td { border: 5px solid; width: 40px; height: 20px }"
    #expect(
      boxes(.tableCell, "<table><tr><td/><td/></tr></table>", css: css) == ["2.5 2.5 45 25", "47.5 2.5 45 25"])
    #expect(boxes(.table, "<table><tr><td/><td/></tr></table>", css: css) == ["0 0 95 30"])
  }

  @Test func `Shrink-to-fit counts the collapsed border, not the one the table names`() {
    let css = "div { float: left } table { border-collapse: collapse; border: 2px solid } td { border: 20px solid }"
    let body = "<div><table><tr><td style='width: 40px'/></tr></table></div>"
    #expect(boxes(.table, body, css: css) == ["0 0 80 40"])
  }

  @Test func `A caption is as wide as the border box, so its least width includes the table's edges`() {
    let css = "table { padding: 10px; box-sizing: content-box } caption { width: 80px }"
    #expect(boxes(.tableCell, "<table><caption>a</caption><tr><td/></tr></table>", css: css) == ["10 30 60 0"])
  }

  @Test func `A caption is positioned relatively to the table's wrapper`() {
    let body = "<table style='width: 80px'><caption>a</caption><tr><td/></tr></table>"
    #expect(
      boxes(.tableCaption, body, css: "caption { position: relative; left: 25%; top: 3px }") == ["20 3 80 20"])
  }

  @Test func `Columns that only spanning cells pass through take no room`() {
    let css = "table { border-spacing: 10px } td { width: 30px; height: 20px }"
    #expect(
      boxes(.table, "<table><col/><col/><col/><tr><td colspan='3'/></tr></table>", css: css)
        == boxes(.table, "<table><tr><td/></tr></table>", css: css))
  }

  @Test func `Collapsed columns and rows take part in sizing and vanish`() {
    let css = "td { width: 30px; height: 20px } .c { visibility: collapse }"
    #expect(
      boxes(.tableCell, "<table><col/><col class='c'/><tr><td/><td style='height: 50px'/><td/></tr></table>", css: css)
        == ["0 0 30 50", "30 0 30 50"])
    #expect(
      boxes(.tableCell, "<table><tr class='c'><td rowspan='2'/><td/></tr><tr><td/></tr></table>", css: css)
        == ["30 0 30 20"])
  }

  @Test func `max-width and min-width limit the width that a cell names, min-width alone that of a column`() {
    #expect(boxes(.tableCell, "<table><tr><td style='width: 90px; max-width: 40px'/></tr></table>") == ["0 0 40 0"])
    let columns = ["min-width: 40px", "width: 20px; min-width: 40px", "width: 40px; max-width: 10px"]
    for style in columns {
      #expect(boxes(.tableCell, "<table><col style='\(style)'/><tr><td/></tr></table>") == ["0 0 40 0"], "\(style)")
    }
  }

  @Test func `Height beyond the rows goes to those that name none`() {
    let css = "table { height: 100px } td { width: 10px }"
    #expect(
      boxes(.tableRow, "<table><tr><td style='height: 30px'/></tr><tr><td>a</td></tr></table>", css: css)
        == ["0 0 10 30", "0 30 10 70"])
    #expect(
      boxes(.tableRow, "<table><tr><td style='height: 25%'>a</td></tr><tr><td>a</td></tr></table>", css: css)
        == ["0 0 10 25", "0 25 10 75"])
    #expect(
      boxes(.tableRow, "<table style='max-height: 60px'><tr><td/></tr></table>", css: css) == ["0 0 10 60"])
  }

  @Test func `A row without a baseline has it at its cells' content end; inline-blocks pass over tables`() {
    let inline = LaidOut("<p>x<b style='display: inline-table'><i style='display: table-cell; height: 30px'/></b></p>")
    let block = LaidOut("<p>x<i style='display: inline-block; height: 30px'/></p>")
    #expect(inline.fragments(.line).map(\.fragment.size.block) == block.fragments(.line).map(\.fragment.size.block))
  }

  @Test func `A cell with an empty inline box is not empty`() {
    let css = "table { empty-cells: hide }"
    let laidOut = LaidOut("<table><tr><td> </td><td> <span/> </td></tr></table>", css: css)
    let cells = laidOut.fragments(.box).filter { laidOut.tree[$0.fragment.box].kind == .tableCell }
    #expect(cells.map { $0.fragment.flags.contains(.paintsNothing) } == [true, false])
  }

  @Test func `A cell's height is the least one of its row`() {
    #expect(
      boxes(.tableRow, "<table><tr><td style='height: 30px'><p style='height: 50px; width: 10px'/></td></tr></table>")
        == ["0 0 10 50"])
  }

  @Test func `A column in a row stands in a cell of its own, apart from the cells that follow`() {
    let css = "b { display: table-cell; width: 30px; height: 20px } i { display: table-column; width: 10px }"
    #expect(
      boxes(.tableCell, "<div style='display: table-row'><i/><b/><b/></div>", css: css).suffix(2)
        == ["10 0 30 20", "40 0 30 20"])
  }

  @Test func `Header and footer stand on every page of their table`() {
    let rows = (1...5).map { "<tr><td>\($0)</td></tr>" }.joined()
    let table = "<table><thead><tr><td>H</td></tr></thead><tfoot><tr><td>F</td></tr></tfoot>\(rows)</table>"
    let laidOut = LaidOut(table, css: "table { border-spacing: 0 } td { padding: 0; line-height: 20px }", height: 90)
    #expect(laidOut.lines == ["H", "1", "2", "F", "H", "3", "4", "F", "H", "5", "F"])
    #expect(laidOut.fragments(.line).map(\.page) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
  }

  @Test func `A header does not stay behind without the rows it heads`() {
    let page = LaidOut(
      "<p>a</p><p>b</p><table><thead><tr><td>H</td></tr></thead><tr><td>1<br/>2</td></tr></table>",
      css: "body { font-size: 8px; line-height: 10px } p { margin: 0 } table { border-spacing: 0 } td { padding: 0 }",
      width: 200, height: 40)
    #expect(zip(page.lines, page.fragments(.line)).map { "\($0) \($1.page)" } == ["a 0", "b 0", "H 1", "1 1", "2 1"])
  }

  @Test func `A cell over rows that no page holds goes on beside them`() {
    let words = (1...8).map { "<p>\($0)</p>" }.joined()
    let rows = (1...5).map { "<tr><td>r\($0)</td></tr>" }.joined()
    let table = "<table><tr><td rowspan='6'>\(words)</td><td>r0</td></tr>\(rows)<tr><td>a</td><td>b</td></tr></table>"
    let css = "table { border-spacing: 0 } td { padding: 0; line-height: 20px; vertical-align: top }"
    let laidOut = LaidOut(table, css: css, height: 60)
    for page in 0..<3 {
      let lines = zip(laidOut.lines, laidOut.fragments(.line)).filter { $0.1.page == page }
      #expect(lines.allSatisfy { $0.1.bottom <= LayoutUnit(60) })
    }
    #expect(
      laidOut.lines.sorted()
        == ["1", "2", "3", "4", "5", "6", "7", "8", "a", "b", "r0", "r1", "r2", "r3", "r4", "r5"])
    let first = zip(laidOut.lines, laidOut.fragments(.line)).filter { $0.1.page == 0 }.map(\.0)
    #expect(Set(first) == ["1", "2", "3", "r0", "r1", "r2"])
  }

  @Test func `A table keeps its margins within its container`() {
    let text = "one two three four five six seven eight nine"
    for display in ["table", "inline-table"] {
      let css = "table { margin: 0 50px; display: \(display) }"
      #expect(
        boxes(.table, "<table><tr><td>\(text)</td></tr></table>", css: css, width: 200).allSatisfy {
          $0.hasPrefix("50 0 100 ")
        })
    }
  }

  @Test(arguments: ["pretty", "balance"])
  func `A row is as high as the lines that its cells are set with`(_ wrap: String) {
    // Words of many lengths, from a generator of its own: some texts take a line more by total fit than line by line.
    var state: UInt32 = 7
    func word() -> String {
      state = state &* 1_664_525 &+ 1_013_904_223
      return String("abcdefghijklmnop".prefix(Int(state >> 24) % 15 + 1))
    }
    let rows = (0..<60).map { _ in "<tr><td>\((0..<30).map { _ in word() }.joined(separator: " "))</td></tr>" }
    for width in [180, 220, 280] {
      let css = """
        table { width: \(width)px } td { text-wrap: \(wrap); text-align: justify; hyphens: none; padding: 0 }
        """
      let laidOut = LaidOut("<table>\(rows.joined())</table>", css: css)
      let lines = laidOut.fragments(.line)
      #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.bottom <= $1.offset.block || $0.page < $1.page })
    }
  }
}
