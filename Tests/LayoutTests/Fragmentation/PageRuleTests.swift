import Primitives
import Styling
import TestSupport
import Testing

@testable import Layout

/// Rules of pages and of their rhythm, by the numbers of the typography checklist.
@Suite struct PageRuleTests {
  private static let css = "p, h2, li, dd, dt { margin: 0; font: 16px/20px 'Liberation Serif' } "

  private func pages(_ body: String, css: String = "", height: Int = 100, width: Int = 300) -> [[String]] {
    let laidOut = LaidOut(body, css: Self.css + css, width: width, height: height)
    var pages = laidOut.pages.map { _ in [String]() }
    for (placed, text) in zip(laidOut.fragments(.line), laidOut.lines) where !text.isEmpty {
      pages[placed.page].append(text)
    }
    return pages
  }
  private func lines(_ name: String, _ count: Int) -> String {
    "<p class='\(name)'>" + (1...count).map { "\(name)\($0)" }.joined(separator: "<br/>") + "</p>"
  }

  @Test func `G1 Two lines stay together on both sides of a break`() {
    #expect(pages(lines("a", 4) + lines("b", 3)) == [["a1", "a2", "a3", "a4"], ["b1", "b2", "b3"]])
    #expect(pages(lines("a", 3) + lines("b", 3)) == [["a1", "a2", "a3"], ["b1", "b2", "b3"]])
    #expect(pages(lines("a", 3) + lines("b", 4)) == [["a1", "a2", "a3", "b1", "b2"], ["b3", "b4"]])
    // Widows are given up first.
    let laidOut = LaidOut(lines("a", 6), css: Self.css + "p { widows: 4; orphans: 4 }", height: 100)
    #expect(laidOut.pages[0].brokenRule == .violatesWidows)
  }

  @Test func `G2 Forced breaks merge and make no empty page`() {
    let css = ".b { page-break-before: always } .a { break-after: page } .k { break-inside: avoid }"
    #expect(
      pages(
        "<p class='a'>A</p><div class='b'><p class='b'>B</p></div><div class='a'></div><p class='b'>C</p>", css: css)
        == [["A"], ["B"], ["C"]])
    #expect(
      pages(lines("a", 3) + "<div class='k'>\(lines("b", 2))\(lines("c", 2))</div>", css: css).map(\.count) == [3, 4])
  }

  @Test func `G3 A short paragraph in bold is the title of what follows it`() {
    let title = "<p><b>t</b> <strong>u</strong></p>"
    #expect(pages(lines("a", 4) + title + lines("b", 4)).last == ["t u", "b1", "b2", "b3", "b4"])
    #expect(
      pages(lines("a", 4) + title + "<div style='height: 20px'></div>" + lines("b", 2)).last == ["t u", "b1", "b2"])
    // Text that is only partly bold, long, or in a row of such paragraphs is none; the last of a row is.
    #expect(pages(lines("a", 4) + "<p><b>t</b> u</p>" + lines("b", 4)).last?.first == "b1")
    let long = "<p><b>\(String(repeating: "words ", count: 20))</b></p>"
    #expect(pages(lines("a", 1) + long + lines("b", 4)).last?.first == "b1")
    #expect(pages(lines("a", 3) + title + title + lines("b", 3)).last == ["t u", "b1", "b2", "b3"])
  }

  @Test func `G3 What belongs together stays on one page`() {
    #expect(pages(lines("a", 4) + "<h2>h</h2>" + lines("b", 4)).last?.first == "h")
    #expect(
      pages(
        lines("a", 3)
          + "<figure style='margin: 0'><div style='height: 20px'></div><figcaption>\(lines("c", 2))</figcaption></figure>"
      )
      .last == ["c1", "c2"])
    #expect(pages(lines("a", 4) + "<dl style='margin: 0'><dt>t</dt><dd>d1<br/>d2</dd></dl>").last == ["t", "d1", "d2"])
    // A label that floats beside its text, too.
    let float = "dt { float: left } dd { margin: 0 0 0 30px }"
    let labelled = "<dl style='margin: 0'><dt>t</dt><dd>d1<br/>d2</dd></dl>"
    #expect(pages(lines("a", 3) + labelled, css: float) == [["a1", "a2", "a3", "t", "d1", "d2"]])
    #expect(pages(lines("a", 4) + labelled, css: float) == [["a1", "a2", "a3", "a4"], ["t", "d1", "d2"]])
    #expect(
      pages(lines("a", 4) + "<ul style='margin: 0'><li>" + lines("b", 2) + "</li></ul>").last?.filter {
        $0.hasPrefix("b")
      }
        == ["b1", "b2"])
    #expect(
      pages(
        lines("a", 4) + "<table style='border-spacing: 0'><tr><td style='padding: 0'>\(lines("b", 2))</td></tr></table>"
      ).last
        == ["b1", "b2"])
  }

  @Test func `G5 Pages end at one depth, and the gaps grow by no more than 15 %`() {
    let body = (1...12).map { lines("p\($0)x", 3) }.joined()
    func layout(_ balances: Bool) -> (ends: [Double], gaps: [Double], starts: [String]) {
      let laidOut = LaidOut(body, css: Self.css + "p { margin-bottom: 6px }", height: 266) {
        $0.composition.balancesPages = balances
      }
      let lines = laidOut.fragments(.line)
      let ends = laidOut.pages.indices.dropLast().compactMap { page in lines.last { $0.page == page }?.bottom.pixels }
      let gaps = zip(lines, lines.dropFirst()).compactMap {
        $0.page == $1.page ? ($1.offset.block - $0.offset.block).pixels : nil
      }
      return (ends, gaps, laidOut.lines)
    }
    let plain = layout(false)
    let balanced = layout(true)
    #expect(plain.starts == balanced.starts && plain.ends.contains { $0 < 265 })
    #expect(balanced.ends.allSatisfy { abs($0 - 266) < 0.1 })
    #expect(zip(plain.gaps, balanced.gaps).allSatisfy { $1 >= $0 && $1 <= $0 * 1.15 + 0.02 })
  }

  @Test func `G5 The last row of a page is as high as its highest cell`() {
    let row = "<table><tr><td style='font-size: 30px'>a</td><td>b</td></tr></table>"
    let body = (1...12).map { lines("p\($0)x", 3) + row }.joined()
    let laidOut = LaidOut(body, css: Self.css + "p { margin-bottom: 6px }", height: 266) {
      $0.composition.balancesPages = true
    }
    #expect(laidOut.pages.count > 2)
    #expect(laidOut.fragments(.line).allSatisfy { $0.bottom <= LayoutUnit(266) })
  }

  @Test func `P4 No page begins with a paragraph's last line or ends with its first`() {
    for before in 1...5 {
      for count in 4...7 {
        let found = pages(lines("a", before) + lines("b", count)).map { $0.filter { $0.hasPrefix("b") } }
        #expect(found.flatMap(\.self).count == count)
        for page in found where !page.isEmpty {
          #expect(page != ["b1"] && page != ["b\(count)"], "\(before) \(count)")
        }
      }
    }
  }

  @Test func `P5 A heading has two lines below it on its page`() {
    for before in 1...6 {
      let found = pages(lines("a", before) + "<h2>h</h2>" + lines("b", 6))
      let page = found.first { $0.contains("h") } ?? []
      #expect(page.suffix(from: page.firstIndex(of: "h") ?? 0).count >= 3, "\(before): \(found)")
    }
  }

  @Test func `P5 A short line below a heading takes one more line along`() {
    for before in 1...6 {
      let found = pages(lines("a", before) + "<div><h2>h</h2></div><p>author</p>" + lines("b", 4))
      let page = found.first { $0.contains("h") } ?? []
      #expect(page.suffix(from: page.firstIndex(of: "h") ?? 0).count >= 4, "\(before): \(found)")
    }
    // A term only keeps its description.
    let terms = (1...4).map { "<dt>t\($0)</dt><dd>d\($0)</dd>" }.joined()
    #expect(pages("<dl>\(terms)</dl>", css: "dl { margin: 0 }", height: 80).map(\.count) == [4, 4])
  }

  @Test func `P10 Notes in two rows and filled lines are plain text where they are not set so`() {
    let body = "<p>前<span style='-epub-text-emphasis: none; warichu: auto; text-spacing: 3em'>割注の文</span>後</p>"
    #expect(pages(body) == [["前割注の文後"]])
  }

  @Test func `G6 A margin after a break is dropped, one after a forced break stays`() {
    func top(_ css: String) -> LayoutUnit? {
      let laidOut = LaidOut(
        lines("a", 4) + lines("b", 4), css: Self.css + ".b { margin-top: 30px; \(css) }", height: 100)
      return laidOut.fragments(.line).first { $0.page == 1 }?.offset.block
    }
    #expect(top("") == .zero)
    #expect(top("break-before: page") == LayoutUnit(30))
  }

  @Test func `G8 Rows stay whole and heads repeat`() {
    let rows = (1...8).map { "<tr><td style='padding: 0'>\(lines("r\($0)x", 2))</td></tr>" }.joined()
    let pages = pages(
      "<table style='border-spacing: 0'><thead><tr><th style='padding: 0'><p>H</p></th></tr></thead>\(rows)</table>")
    #expect(pages.count == 4)
    #expect(pages.allSatisfy { $0.first == "H" && $0.count == 5 })
  }

  @Test func `G8 A first row that looks like a header does not stay behind alone`() {
    func pages(_ first: String) -> [[String]] {
      let rows = (2...3).map { "<tr><td style='padding: 0'>r\($0)</td></tr>" }.joined()
      let head = "<tr><\(first) style='padding: 0'>r1</\(first)></tr>"
      return self.pages("\(lines("a", 4))<table style='border-spacing: 0'>\(head)\(rows)</table>")
    }
    #expect(pages("th") == [["a1", "a2", "a3", "a4"], ["r1", "r2", "r3"]])
    #expect(pages("td") == [["a1", "a2", "a3", "a4", "r1"], ["r2", "r3"]])
  }

  @Test func `P7 Recto is a right page, and a left one where pages go from right to left`() {
    let body = "<p>A</p><p style='break-before: recto'>B</p>"
    #expect(pages(body) == [["A"], [], ["B"]])
    #expect(pages("<p>A</p><p style='break-before: verso'>B</p>") == [["A"], ["B"]])
    let laidOut = LaidOut(body, css: Self.css) { $0.pageProgression = .rtl }
    #expect(laidOut.pages.map(\.traits.isLeft) == [true, false, true])
  }

  // MARK: Rhythm

  private static let novel =
    "<h2>A heading that is long</h2>" + novelText(3) + "<blockquote>" + novelText(1) + "</blockquote>"
    + "<p><img style='width: 50px; height: 33px'/></p>" + novelText(4)
  private static func novelText(_ count: Int) -> String {
    let words =
      "The quick brown fox<sup>12</sup> jumped over the lazy dog and went on through the wood until the evening came. "
    return String(repeating: "<p>" + words + words + words + "</p>", count: count)
  }
  private static let novelCSS =
    "p { line-height: 24px; font: 16px/24px 'Liberation Serif' } h2 { font: bold 23px/31px 'Liberation Serif'; margin: 17px 0 9px } "
    + "blockquote { margin: 11px 30px; padding: 3px; border: 1px solid }"

  @Test func `V1 Baselines of body lines are multiples of the pitch from the page's top`() {
    func rests(_ grid: Bool) -> [Double] {
      let laidOut = LaidOut(Self.novel, css: Self.novelCSS, height: 300, margin: 25) {
        $0.composition.baselineGrid = grid
      }
      return laidOut.fragments(.line).compactMap { placed in
        let line = laidOut.line(placed)
        let metrics = placed.fragment.size.block
        guard metrics < LayoutUnit(30) else { return nil }
        let rest = (placed.offset.block + line.baseline + LayoutUnit(25)).pixels.truncatingRemainder(dividingBy: 24)
        return min(rest, 24 - rest)
      }
    }
    let onGrid = rests(true)
    #expect(onGrid.count > 20 && onGrid.allSatisfy { $0 < 0.5 })
    #expect(rests(false).contains { $0 > 1 })
  }

  @Test func `V2 The pitch does not change in a paragraph with superscripts`() {
    func pitches(_ css: String, grid: Bool) -> Set<LayoutUnit> {
      let laidOut = LaidOut(Self.novelText(1), css: Self.novelCSS + css, width: 200) {
        $0.composition.baselineGrid = grid
      }
      let baselines = laidOut.fragments(.line).map { $0.offset.block + laidOut.line($0).baseline }
      return Set(zip(baselines, baselines.dropFirst()).map { $1 - $0 })
    }
    #expect(pitches("", grid: true) == [LayoutUnit(24)])
    #expect(pitches("sup { line-height: 0 }", grid: false) == [LayoutUnit(24)])
  }

  @Test func `P6 A heading takes a whole number of body lines`() {
    let laidOut = LaidOut(Self.novelText(1) + Self.novel, css: Self.novelCSS) { $0.composition.baselineGrid = true }
    let lines = laidOut.fragments(.line)
    let heading = lines.firstIndex { laidOut.string(laidOut.line($0).text, laidOut.line($0).range).hasPrefix("A head") }
    guard let heading else { return #expect(Bool(false)) }
    func baseline(_ index: Int) -> LayoutUnit { lines[index].offset.block + laidOut.line(lines[index]).baseline }
    #expect((baseline(heading + 1) - baseline(heading - 1)).rawValue % LayoutUnit(24).rawValue == 0)
  }
}
