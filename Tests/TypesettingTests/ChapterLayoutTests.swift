import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct ChapterLayoutTests {
  private static let paragraph =
    "<p>" + String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 40) + "</p>"

  /// A typesetter for one chapter, in a face of known widths.
  private func typesetter(
    _ body: String, css: String = "", in test: TestBook, _ change: (inout TypesettingSettings) -> Void = { _ in }
  ) throws -> Typesetter {
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(300))
    settings.hyphenate = .off
    change(&settings)
    let style = "body { font: 16px/24px 'DejaVu Sans Mono'; text-align: left } p { margin: 0 } \(css)"
    return Typesetter(book: try Book(contentsOf: test.epub([body], style: style)), settings: settings)
  }

  @Test func `Pages follow each other without gap, and each holds its own places`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(String(repeating: Self.paragraph, count: 4), in: test)
    let layout = try await typesetter.layout(of: 0)
    #expect(layout.pageCount > 8)
    var text = ""
    for page in 0..<layout.pageCount {
      for line in layout.lines(on: page) {
        #expect(layout.page(containing: line.range.lowerBound) == page)
        #expect(line.words.map(\.text).joined() == line.text)
        text += line.text + (line.endsParagraph ? " " : "")
      }
    }
    #expect(
      text.split(separator: " ").joined(separator: " ")
        == (await typesetter.text(of: 0)).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    let starts = try (0..<layout.pageCount).map { try #require(layout.start(of: $0)) }
    #expect(starts == starts.sorted() && Set(starts).count == starts.count)
    #expect(starts.last?.progression ?? 0 > 0.8)
  }

  @Test func `A page tells what is at a point as the layout of its chapter does`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(
      Self.paragraph + "<p><a href='c0.xhtml'>A link</a> before &#x5E9;&#x5DC;&#x5D5;&#x5DD;</p>" + Self.paragraph,
      in: test)
    let layout = try await typesetter.layout(of: 0)
    for index in 0..<layout.pageCount {
      let page = try await typesetter.page(index, of: 0)
      for (x, y) in (0..<12).flatMap({ column in (-1..<9).map { (column * 37, $0 * 41) } }) {
        let point = Point(x: LayoutUnit(x), y: LayoutUnit(y))
        let place = try #require(layout.locator(at: point, on: index))
        #expect(page.locator(at: point) == place && page.locator(at: point)?.side == place.side)
        let hit = page.hit(at: point)
        #expect(hit.place == place.description)
        let pairs = [
          (hit.word, layout.word(at: place)), (hit.sentence, layout.sentence(at: place)),
          (hit.line, layout.line(at: place)),
        ]
        for (stretch, range) in pairs {
          let range = try #require(range)
          #expect(stretch?.range == range && stretch?.text == layout.text(range))
          #expect(stretch?.rectangles == layout.selectionRectangles(range, on: index))
        }
        #expect(try JSONDecoder().decode(PageHit.self, from: JSONEncoder().encode(hit)) == hit)
      }
      for link in page.links {
        #expect(page.hit(at: Point(x: link.rect.x + .epsilon, y: link.rect.y + .epsilon)).link == link)
      }
    }
    let utterances = layout.sentences()
    #expect(utterances.count > 80)
    #expect(try JSONDecoder().decode([Utterance].self, from: JSONEncoder().encode(utterances)) == utterances)
  }

  @Test func `Characters have their own widths`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter("<p>iiii WWWW iiii</p>", css: "body { font-family: 'DejaVu Sans' }", in: test)
    let line = try #require(try await typesetter.layout(of: 0).lines(on: 0).first)
    let words = line.words.filter(\.isWord)
    try #require(words.count == 3)
    // 0.278 and 0.989 em.
    for (word, width) in zip(words, [17.8, 63.3, 17.8]) { #expect(abs(word.rect.width.pixels - width) < 0.5) }
    #expect(abs((words[2].rect.maxX - line.rect.maxX).pixels) < 0.1)
  }

  @Test func `A page knows the rectangles of a range before its chapter is done`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(String(repeating: Self.paragraph, count: 4), in: test)
    let page = try await typesetter.page(1, of: 0)
    // From the page before to the middle of the second line.
    let end = page.lines[1].words[4].range.upperBound
    let range = Locator(startOfChapter: 0)..<end
    let rectangles = page.rectangles(of: range)
    #expect(rectangles.count == 2 && rectangles.first?.width == page.lines[0].rect.width)
    let layout = try await typesetter.layout(of: 0)
    #expect(rectangles == layout.selectionRectangles(range, on: 1))
    #expect(page.rectangles(of: Locator(startOfChapter: 1)..<Locator(startOfChapter: 2)).isEmpty)
  }

  @Test func `A selection is the same whether it is drawn downwards or upwards`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(String(repeating: Self.paragraph, count: 2), in: test)
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    let (above, below) = (lines[0].words[2].rect, lines[1].words[2].rect)
    let from = try #require(layout.locator(at: Point(x: above.x, y: above.y), on: 0))
    let to = try #require(layout.locator(at: Point(x: below.x, y: below.y), on: 0))
    try #require(from < to)
    let (up, down) = (to..<from, from..<to)
    #expect(up == down && !up.isEmpty)
    #expect(up == Range(between: to, and: from))
    #expect(!layout.text(up).isEmpty && layout.text(up) == layout.text(down))
    #expect(layout.selectionRectangles(up, on: 0) == layout.selectionRectangles(down, on: 0))
    #expect((from..<from).isEmpty && layout.text(from..<from).isEmpty)
    // Across chapters, too.
    let next = Locator(startOfChapter: 1)
    #expect(next..<from == from..<next)
  }

  @Test func `A page tells the word under a point, and none beside the text`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter("<p>One, two</p>", in: test)
    let page = try await typesetter.page(0, of: 0)
    let words = try #require(page.lines.first).words
    for word in words {
      let middle = Point(x: word.rect.x + word.rect.width / 2, y: word.rect.y + word.rect.height / 2)
      #expect(page.word(at: middle) == (word.isWord ? word.range : nil))
    }
    #expect(words.count { $0.isWord } == 2)
    #expect(page.word(at: Point(x: LayoutUnit(390), y: words[0].rect.y)) == nil)
    #expect(page.word(at: Point(x: words[0].rect.x, y: LayoutUnit(290))) == nil)
  }

  @Test func `The text in a rectangle is that of the characters whose middle lies in it`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter("<p>abc def ghi</p><p>second line</p>" + Self.paragraph, in: test)
    let page = try await typesetter.page(0, of: 0)
    let lines = page.lines
    let width = lines[0].rect.width / 11
    func text(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> String {
      let (top, bottom) = (lines[rows.lowerBound].rect.y, lines[rows.upperBound].rect.maxY)
      // A third into the first and out of the last character.
      let left = lines[0].rect.x + width * columns.lowerBound + width / 3
      return page.text(
        in: Rect(x: left, y: top, width: width * (columns.count - 1) + width / 3, height: bottom - top))
    }
    #expect(text(4...6, 0...0) == "def")
    #expect(text(4...6, 0...1) == "def\nnd ")
    #expect(text(0...60, 0...1) == "abc def ghi\nsecond line")
    // Lines of a paragraph go on.
    let both = text(0...60, 2...3)
    #expect(
      both
        == page.stretch(lines[2].range.lowerBound..<lines[3].range.upperBound).text.trimmingCharacters(in: .whitespaces)
    )
    #expect(!both.contains("\n") && text(0...5, 2...3).split(separator: "\n").count == 2)
    #expect(page.ranges(in: page.lines[0].rect) == [lines[0].range])
    #expect(page.text(in: Rect(x: .zero, y: .zero, width: LayoutUnit(1), height: LayoutUnit(1))).isEmpty)
  }

  @Test func `Points and places lead to each other`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter("<p>abc def ghi</p><p>second line</p>", in: test)
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    try #require(lines.count == 2)
    let width = lines[0].rect.width / 11
    // A point a third into a character is before it, two thirds behind it.
    for (index, share) in [(0, 0.3), (4, 0.3), (3, 0.7), (10, 0.7)] {
      let point = Point(x: lines[0].rect.x + width * (Double(index) + share), y: lines[0].rect.y + LayoutUnit(5))
      let locator = try #require(layout.locator(at: point, on: 0))
      #expect(locator.offset == index + (share > 0.5 ? 1 : 0))
      if locator.offset < 11 {
        let caret = try #require(layout.caret(at: locator))
        #expect(caret.page == 0)
        #expect(abs((caret.rect.x - lines[0].rect.x - width * locator.offset).pixels) < 0.1)
      }
    }
    // Far right of the second line is its end.
    let end = try #require(layout.locator(at: Point(x: LayoutUnit(390), y: lines[1].rect.y), on: 0))
    #expect(end == lines[1].range.upperBound)
  }

  @Test(arguments: [
    ("en", "Nobody rang for the ferry after dark, and few would have come.", "'Linux Libertine O'", ""),
    ("zh", "我们学习语言，然后回家吃饭。", "'Noto Serif CJK SC'", ""),
    ("ar", "كان في قديم الزمان ملك عظيم يحب الكتب.", "'Noto Naskh Arabic'", "direction: rtl"),
    ("he", "בראשית ברא אלהים את השמים, abc ואת הארץ.", "'DejaVu Sans'", "direction: rtl"),
    ("ja", "春の夜に時計屋が静かな町で目を覚ました。", "'Noto Serif CJK JP'", "writing-mode: vertical-rl"),
    ("th", "เรือข้ามฟากจอดอยู่ที่ท่าน้ำตอนเย็น", "'Noto Serif Thai'", ""),
    ("hi", "एक समय की बात है, नदी के किनारे एक किताब थी।", "'Noto Serif Devanagari'", ""),
  ])
  func `A tap inside a word gives that word`(_ language: String, _ text: String, _ family: String, _ css: String)
    async throws
  {
    let test = try TestBook()
    let typesetter = try typesetter(
      "<p lang='\(language)'>\(text)</p>",
      css: "html { \(css) } body { font: 20px/32px \(family); hyphens: none; text-align: start }", in: test)
    let layout = try await typesetter.layout(of: 0)
    var count = 0
    for line in layout.lines(on: 0) {
      for word in line.words where word.isWord {
        for rect in layout.selectionRectangles(word.range, on: 0) {
          for share in [0.1, 0.5, 0.9] {
            let point = Point(
              x: rect.x + rect.width * (line.isVertical ? 0.5 : share),
              y: rect.y + rect.height * (line.isVertical ? share : 0.5))
            let place = try #require(layout.locator(at: point, on: 0))
            let found = try #require(layout.word(at: place))
            count += 1
            #expect(
              found.lowerBound <= word.range.lowerBound && found.upperBound >= word.range.upperBound,
              "\(word.text) at \(share) is \(layout.text(found))")
            #expect(layout.line(at: place) == line.range)
            let caret = try #require(layout.caret(at: place))
            // The caret stands at an edge of the character, on the line that was tapped.
            #expect(line.isVertical ? caret.rect.x == line.rect.x : caret.rect.y == line.rect.y)
          }
        }
      }
    }
    #expect(count >= 12)
  }

  @Test func `A place behind the last character of a line stays on it`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(Self.paragraph, in: test)
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    let last = try #require(lines.last)
    for line in [lines[0], last] {
      let place = try #require(layout.locator(at: Point(x: LayoutUnit(399), y: line.rect.y + LayoutUnit(2)), on: 0))
      #expect(place.side == .before)
      let caret = try #require(layout.caret(at: place))
      #expect(caret.page == 0 && caret.rect.y == line.rect.y)
      #expect(layout.line(at: place) == line.range)
    }
    // A stretch that begins behind the page's text shows nothing of it.
    var end = last.range.upperBound
    end.side = .before
    #expect(layout.page(containing: end) == 0)
    #expect(layout.pages(of: end..<layout.lines(on: 1)[0].range.upperBound) == 1...1)
  }

  @Test func `A selection covers its lines, over pages too`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(Self.paragraph, in: test)
    let layout = try await typesetter.layout(of: 0)
    let first = layout.lines(on: 0)
    let last = layout.lines(on: 1)
    let range = first[2].words[2].range.lowerBound..<last[1].words[4].range.upperBound
    #expect(layout.pages(of: range) == 0...1)
    let rects = layout.selectionRectangles(range, on: 0)
    #expect(rects.count == first.count - 2)
    #expect(rects[0].x == first[2].words[2].rect.x)
    #expect(layout.selectionRectangles(range, on: 1).count == 2)
    let expected =
      first[2].words.dropFirst(2).map(\.text).joined() + first.dropFirst(3).map(\.text).joined()
      + last[0].text + last[1].words.prefix(5).map(\.text).joined()
    #expect(layout.text(range) == expected)
  }

  @Test func `Right-to-left text inside a line is selected where it stands`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter("<p>abc שלום def</p>", css: "body { font-family: 'DejaVu Sans' }", in: test)
    let layout = try await typesetter.layout(of: 0)
    let line = try #require(layout.lines(on: 0).first)
    let words = line.words.filter(\.isWord)
    try #require(words.map(\.text) == ["abc", "שלום", "def"])
    #expect(words[0].rect.maxX < words[1].rect.x && words[1].rect.maxX < words[2].rect.x)
    // The first letter of the Hebrew word is its rightmost.
    let start = words[1].range.lowerBound
    var second = start
    second.offset += 1
    let letter = try #require(layout.selectionRectangles(start..<second, on: 0).first)
    #expect(abs((letter.maxX - words[1].rect.maxX).pixels) < 0.1)
    // From the middle of one direction to the middle of the other there are two pieces.
    var from = words[0].range.lowerBound
    from.offset += 1
    #expect(layout.selectionRectangles(from..<second, on: 0).count == 2)
    let hit = try #require(layout.locator(at: Point(x: words[1].rect.maxX - LayoutUnit(1), y: line.rect.y), on: 0))
    #expect(hit == start)
  }

  @Test func `Lines that run downwards are hit and selected downwards`() async throws {
    let test = try TestBook()
    let text = "春眠不覚暁処処聞啼鳥夜来風雨声花落知多少"
    let typesetter = try typesetter(
      "<p>\(text)</p>", css: "html { writing-mode: vertical-rl } body { font: 20px/30px 'Noto Serif CJK JP' }", in: test
    )
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    try #require(lines.count == 2 && lines[0].isVertical)
    #expect(lines[0].rect.x > lines[1].rect.x)
    let point = Point(x: lines[0].rect.x + LayoutUnit(3), y: lines[0].rect.y + LayoutUnit(20 * 3 + 4))
    let locator = try #require(layout.locator(at: point, on: 0))
    #expect(locator.offset == 3)
    let rects = layout.selectionRectangles(locator..<lines[1].range.upperBound, on: 0)
    #expect(rects.count == 2 && rects[0].y == lines[0].rect.y + LayoutUnit(60))
    #expect(layout.text(locator..<lines[1].range.upperBound) == String(text.dropFirst(3)))
  }

  @Test func `Words, sentences and lines stand around a place`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(
      "<p>One two. Three “four” five!</p><p lang='zh'>我们学习语言。然后回家。</p>",
      css: "p { font-family: 'DejaVu Sans Mono', 'Noto Serif CJK SC' }", in: test)
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    var place = lines[0].range.lowerBound
    place.offset = 11
    #expect(layout.word(at: place).map(layout.text) == "Three")
    #expect(layout.sentence(at: place).map(layout.text) == "Three “four” five!")
    #expect(layout.line(at: place) == lines[0].range)
    var chinese = lines[1].range.lowerBound
    chinese.offset = 5
    #expect(layout.word(at: chinese).map(layout.text) == "语言")
    #expect(layout.sentence(at: chinese).map(layout.text) == "我们学习语言。")
  }

  @Test func `Text comes without what is only shown`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(
      "<ol><li>soft\u{AD}hyphen<br/>and <ruby>漢<rt>kan</rt></ruby><img src='x.png' alt=''/>!</li></ol>",
      css: "li::before { content: 'added ' }", in: test)
    let layout = try await typesetter.layout(of: 0)
    let lines = layout.lines(on: 0)
    let range = try #require(lines.first).range.lowerBound..<(try #require(lines.last)).range.upperBound
    #expect(layout.text(range) == "softhyphen\nand 漢!")
  }

  @Test func `A page made again is the same page`() async throws {
    let test = try TestBook()
    let float = "<div style='float: left; width: 80px; height: 500px; background: red'></div>"
    let typesetter = try typesetter(
      Self.paragraph + float + Self.paragraph + "<table><tr><td>" + Self.paragraph + "</td><td>x</td></tr></table>",
      in: test)
    var pages: [Page] = []
    for try await page in typesetter.pages(of: 0) { pages.append(page) }
    #expect(pages.count > 4)
    for index in pages.indices.reversed() {
      let again = try await typesetter.page(index, of: 0)
      #expect(again.displayList == pages[index].displayList)
    }
    await #expect(throws: PageError.noSuchPage) { try await typesetter.page(pages.count, of: 0) }
    // In the middle of a chapter never seen.
    let other = Typesetter(book: typesetter.book, settings: typesetter.settings)
    var first: Page?
    for try await page in other.pages(of: 0, from: pages[3].start) {
      first = page
      break
    }
    #expect(first?.index == 3 && first?.displayList == pages[3].displayList)
  }

  @Test func `A change of settings keeps the reader's place`() async throws {
    let test = try TestBook()
    let typesetter = try typesetter(String(repeating: Self.paragraph, count: 3), in: test)
    let place = try await typesetter.page(4, of: 0).start
    var settings = typesetter.settings
    settings.fontSize = 24
    let page = try await typesetter.apply(settings, keeping: place)
    #expect(page.index > 4)
    #expect(page.lines.contains { $0.range.contains(place) })
    #expect(typesetter.settings.fontSize == 24)
  }

  @Test func `A long paragraph full of ruby lies on its own pages`() async throws {
    let test = try TestBook()
    let word = "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>を読む、"
    let typesetter = try typesetter(
      "<p>" + String(repeating: word, count: 150) + "</p>", css: "body { font-family: 'Noto Serif CJK JP' }", in: test)
    let layout = try await typesetter.layout(of: 0)
    #expect(layout.pageCount > 2)
    for page in 0..<layout.pageCount {
      for line in layout.lines(on: page) { #expect(layout.page(containing: line.range.lowerBound) == page) }
    }
    #expect(layout.lines(on: 0).first?.text.hasPrefix("漢字を読む、漢字") == true)
  }
}
