import Layout
import Primitives
import TestSupport
import Testing

/// Footnotes on pages of ten lines of 10 px; notes have lines of 10 px, too.
@Suite struct FootnoteTests {
  private static let css = """
    body { font: 8px/10px 'DejaVu Sans Mono'; orphans: 1; widows: 1 } i { float: footnote; font: inherit; orphans: 1; widows: 1 }
    @page { @footnote { border-top: 5px solid; padding-top: 5px } }
    """

  /// Each page's lines from its top, with the blank before notes as `|`.
  private func pages(_ body: String, css: String = "", height: Int = 100, width: Int = 200) -> [String] {
    let laidOut = LaidOut(body, css: Self.css + css, width: width, height: height)
    var pages = laidOut.pages.map { _ in "" }
    var ends = laidOut.pages.map { _ in LayoutUnit.zero }
    for (text, placed) in zip(laidOut.lines, laidOut.fragments(.line)) {
      let isApart = placed.offset.block >= ends[placed.page] + LayoutUnit(10)
      if !pages[placed.page].isEmpty { pages[placed.page] += isApart ? " | " : " " }
      pages[placed.page] += text.replacing("\u{2060}", with: "").replacing("\u{A0}", with: "")
      ends[placed.page] = placed.bottom
    }
    return pages
  }

  /// Paragraphs of one line, some with a note.
  private func lines(_ count: Int, notes: [Int: String]) -> String {
    (1...count).map { "<p>l\($0)\(notes[$0].map { "<i>\($0)</i>" } ?? "")</p>" }.joined()
  }

  @Test func `P8 A note stands on the page of its mark, its last line on the last line of the page`() {
    let laidOut = LaidOut(lines(12, notes: [2: "note"]), css: Self.css, width: 200, height: 100)
    let texts = laidOut.lines
    let note = texts.firstIndex { $0.hasSuffix("note") }!
    let placed = laidOut.fragments(.line)[note]
    #expect(placed.page == 0)
    #expect(placed.bottom == LayoutUnit(100))
    #expect(pages(lines(12, notes: [2: "note"])) == ["l1 l21 l3 l4 l5 l6 l7 l8 | 1.note", "l9 l10 l11 l12"])
  }

  @Test func `P8 The rule is a third of the measure, the notes are smaller`() {
    let css = "body { margin: 0 15px } @page { @footnote { border: none; padding: 0 } } i { font-size: 0.83em }"
    let laidOut = LaidOut(lines(2, notes: [1: "note"]), css: Self.css + css, width: 330, height: 100)
    let rule = laidOut.fragments(.box).last { $0.fragment.size.block == LayoutUnit(1) }
    #expect(rule.map { abs($0.fragment.size.inline.pixels - 100) < 0.1 } == true)
    #expect(rule?.offset.inline == LayoutUnit(15))
    let sizes = laidOut.texts.map { laidOut.text($0.placed).size }
    #expect(sizes.last! < sizes[0])
    // Without a word of the author's.
    let plain = LaidOut("<p>a<b>note</b></p>", css: "b { float: footnote }", width: 300, height: 300)
    #expect(plain.texts.last.map { plain.text($0.placed).size } == 16 * 0.83)
  }

  @Test func `P8 What a page has no room for goes on on the next one, before that page's own notes`() {
    let long = (1...12).map { "n\($0)" }.joined(separator: "<br/>")
    let result = pages(lines(12, notes: [4: long, 6: "next"]))
    #expect(
      result == [
        "l1 l2 l3 l41 | 1.n1 n2 n3 n4 n5", "l5 | n6 n7 n8 n9 n10 n11 n12", "l62 l7 l8 l9 l10 l11 l12 | 2.next",
      ])
  }

  @Test func `G9 The mark goes to the next page with its note when that has no room`() {
    let result = pages(lines(12, notes: [9: "a<br/>b", 10: "c"]))
    #expect(result == ["l1 l2 l3 l4 l5 l6 l7 l8", "l91 l102 l11 l12 | 1.a b 2.c"])
  }

  @Test func `G9 Notes keep the order of their marks, and a divided note has two lines on each side`() {
    let three = "a1<br/>a2<br/>a3<br/>a4"
    let result = pages(
      lines(14, notes: [2: "x", 5: three]), css: "i { orphans: 2; widows: 2 }")
    #expect(result[0] == "l1 l21 l3 l4 l52 | 1.x 2.a1 a2" && result[1].hasSuffix("| a3 a4"), "\(result)")
    let divided = pages(lines(10, notes: [7: three]), css: "i { orphans: 2; widows: 2 }")
    #expect(divided == ["l1 l2 l3 l4 l5 l6 l71 | 1.a1 a2", "l8 l9 l10 | a3 a4"])
  }

  @Test func `A note is divided where its rules allow it, before a heading in it that would stand alone`() {
    func note(_ rule: String) -> String {
      "<u>n1</u><u>n2</u><u>n3</u><u style='break-after: \(rule)'>n4</u><u>n5</u><u>n6</u>"
    }
    let css = "u { display: block; text-decoration: none }"
    #expect(
      pages(lines(8, notes: [5: note("auto")]), css: css) == ["l1 l2 l3 l4 l51 | 1.n1 n2 n3 n4", "l6 l7 l8 | n5 n6"])
    #expect(
      pages(lines(8, notes: [5: note("avoid")]), css: css) == ["l1 l2 l3 l4 l51 | 1.n1 n2 n3", "l6 l7 l8 | n4 n5 n6"])
  }

  @Test func `footnote-policy: line keeps a note whole by moving the line of its mark`() {
    let note = "a1<br/>a2<br/>a3<br/>a4"
    let result = pages(lines(10, notes: [7: note]), css: "i { footnote-policy: line }")
    #expect(result == ["l1 l2 l3 l4 l5 l6", "l71 l8 l9 l10 | 1.a1 a2 a3 a4"])
  }

  @Test func `footnote-display: notes go on in the line of the note before, compact ones where they end there`() {
    let text = lines(5, notes: [1: "a", 2: "b", 3: "long note of many words, more than a line has room for", 4: "c"])
    let inline = pages(text, css: "i { footnote-display: inline }")
    #expect(inline == ["l11 l22 l33 l44 l5 | 1.a 2.b 3.long note of many words, more than a line has room for 4.c"])
    func rows(_ display: String) -> [Int] {
      let laidOut = LaidOut(text, css: Self.css + "i { footnote-display: \(display) }", width: 200, height: 100)
      let notes = zip(laidOut.lines, laidOut.fragments(.line)).filter { $0.0.first?.isNumber == true }
      return notes.map { 10 - Int(($0.1.bottom.pixels / 10).rounded()) }
    }
    #expect(rows("block").first == 4)
    #expect(rows("compact") == [2, 2, 1, 0])
    #expect(rows("inline") == [1, 1, 1, 0])
  }

  @Test func `Notes of a table set smaller have their own size, and start where others do`() {
    let cells = ["barley", "wheat<i>in a cell</i>", "millet", "sorghum", "fonio", "maize"]
    let body = "<table><tr><th>" + cells.joined(separator: "</th><th>") + "</th></tr></table>"
    let laidOut = LaidOut(body, css: Self.css + "table { border-spacing: 0 }", width: 160, height: 100)
    let note = laidOut.texts.first { $0.string.contains("cell") }?.placed
    #expect(note.map { laidOut.text($0).size } == 8)
    #expect(laidOut.texts.first.map { laidOut.text($0.placed).scale < 1 } == true)
    #expect(laidOut.texts.filter { $0.placed.offset.block > LayoutUnit(50) }.first?.placed.offset.inline == .zero)
  }

  @Test func `Marks and markers take styles and counters of their own`() {
    let css = "i::footnote-call { content: '*' } i::footnote-marker { content: '(' counter(footnote) ')' }"
    #expect(pages("<p>a<i>x</i></p><p>b<i>y</i></p>", css: css) == ["a* b* | (1)x (2)y"])
    #expect(
      pages(
        "<section><p>a<i>x</i></p></section><section><p>b<i>y</i></p></section>",
        css: "section { counter-reset: footnote }")
        == ["a1 b1 | 1.x 1.y"])
  }

  @Test func `No note is lost: in a table, in columns, in a note, without a mark, higher than a page`() {
    let tall = (1...30).map { "t\($0)" }.joined(separator: "<br/>")
    let all = pages(
      """
      <table><tr><td>a<i>in-table</i></td></tr></table><div style="columns: 2">b<i>in-columns</i></div>
      <p>c<i>outer <i>inner</i></i></p><p>d<i class="bare">bare</i></p><p>e<i>\(tall)</i></p>
      """, css: ".bare::footnote-call { content: none }"
    ).joined(separator: " ")
    for word in ["in-table", "in-columns", "outer inner", "bare", "t1 ", "t30"] {
      #expect(all.contains(word), "\(all)")
    }
  }

  @Test func `V-7 In vertical text notes stand at the left of the page`() {
    let laidOut = LaidOut(
      lines(3, notes: [1: "note"]), css: Self.css + "html { writing-mode: vertical-rl }", width: 100, height: 200)
    let note = laidOut.lines.firstIndex { $0.hasSuffix("note") }!
    // The page's lines run from its right edge: the last 10 px are at its left.
    #expect(laidOut.fragments(.line)[note].bottom == LayoutUnit(100))
  }
}
