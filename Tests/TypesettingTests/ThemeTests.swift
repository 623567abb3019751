import Graphics
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct ThemeTests {
  private func page(
    _ body: String, css: String = "", theme: Theme = .light, in test: TestBook
  ) async throws -> Page {
    var settings = TypesettingSettings()
    settings.theme = theme
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(300))
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([body], style: css)), settings: settings)
    return try await typesetter.page(0, of: 0)
  }

  private func textColors(_ page: Page) -> [Color] {
    page.displayList.items.compactMap { if case .glyphs(_, _, let color, _, _, _) = $0 { color } else { nil } }
  }

  @Test func `Paper and ink take the theme's colours, and colours their place between them`() async throws {
    let test = try TestBook()
    for theme in [Theme.dark, .sepia] {
      let page = try await page(
        "<p>plain <b>red</b> <i>gray</i></p><div>on black</div>",
        css: "b { color: #c00 } i { color: #808080 } div { background: black; color: white }", theme: theme, in: test)
      #expect(page.displayList.background == theme.paper)
      let colors = textColors(page)
      try #require(colors.count == 4)
      #expect(colors[0] == theme.ink)
      // Still red.
      #expect(Int(colors[1].red) > Int(colors[1].green) + 60 && Int(colors[1].red) > Int(colors[1].blue) + 60)
      #expect(colors[3] == theme.paper)
      for color in colors.dropLast() { #expect(color.contrast(with: theme.paper) >= 4.5) }
    }
  }

  @Test func `Text too pale to read is made darker, and not where its ground is dark`() async throws {
    let test = try TestBook()
    let css = "p { color: #ddd } div { background: #222; color: #ddd }"
    let sepia = textColors(try await page("<p>pale</p><div>fine</div>", css: css, theme: .sepia, in: test))
    #expect(sepia[0].contrast(with: Theme.sepia.paper) >= 4.5)
    #expect(sepia[1].luminance > 0.5)
    // The book's own colours are left alone.
    #expect(
      textColors(try await page("<p>pale</p><div>fine</div>", css: css, in: test))[0]
        == Color(red: 0xDD, green: 0xDD, blue: 0xDD))
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Annotations are drawn over the page and move nothing`() async throws {
    let test = try TestBook()
    let page = try await page("<p>One line of text with words in it, and another line of text after it.</p>", in: test)
    let lines = page.lines
    let range = lines[0].words[2].range.lowerBound..<lines[1].words[2].range.upperBound
    let highlight = Annotation(.highlight, range)
    let list = page.displayList(with: [highlight, Annotation(.underline(.wavy), range), Annotation(.note, range)])
    #expect(Array(list.items.prefix(page.displayList.items.count)) == page.displayList.items)
    #expect(list.glyphs == page.displayList.glyphs)
    let added = list.items.dropFirst(page.displayList.items.count)
    #expect(added.filter { if case .fillRect = $0 { true } else { false } }.count == 2)
    #expect(added.filter { if case .strokeLine = $0 { true } else { false } }.count == 2)
    #expect(added.filter { if case .fillPath = $0 { true } else { false } }.count == 1)
    let inside = Point(x: lines[1].rect.x + LayoutUnit(2), y: lines[1].rect.y + LayoutUnit(2))
    #expect(page.annotations([highlight], at: inside) == [highlight])
    #expect(page.annotations([highlight], at: Point(x: LayoutUnit(2), y: LayoutUnit(2))).isEmpty)
    #expect(page.png(annotations: [highlight]) != page.png())
    let elsewhere = Annotation(.highlight, Locator(startOfChapter: 3)..<Locator(startOfChapter: 4))
    #expect(page.displayList(with: [elsewhere]) == page.displayList)
  }

  @Test func `Text on highlights can be read on dark paper`() async throws {
    let test = try TestBook()
    let yellow = Color(red: 0xFF, green: 0xE0, blue: 0x66)
    for (theme, color) in [(Theme.light, yellow), (.dark, yellow), (.dark, .white)] {
      let page = try await page("<p>words</p>", theme: theme, in: test)
      let range = try #require(page.lines.first).range
      let list = page.displayList(with: [Annotation(.highlight, range, color: color)])
      let fills = list.items.compactMap { if case .fillRect(_, let color) = $0 { color } else { nil } }
      let fill = try #require(fills.last)
      guard theme.isDark else {
        #expect(fill == color)
        continue
      }
      // The highlight is screened onto the paper.
      func screened(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(255 - (255 - Int(a)) * (255 - Int(b)) / 255) }
      let paper = theme.paper
      let behind = Color(
        red: screened(paper.red, fill.red), green: screened(paper.green, fill.green),
        blue: screened(paper.blue, fill.blue))
      #expect(theme.ink.contrast(with: behind) >= 4.5)
      // It is still seen.
      #expect(behind.contrast(with: paper) > 1.3)
    }
  }
}
