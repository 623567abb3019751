import ChapterEngine
import Foundation
import Graphics
import Layout
import Platform
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Typesetting

/// Pages laid out from where they start, and work given up in the middle of a page.
@Suite struct ResumingTests {
  private static let paragraph =
    "<p>" + String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 20) + "</p>"

  private static func picture(_ height: Int) -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='\(height)' viewBox='0 0 2 1'><path d='M0 0h1v1z'/></svg>"
  }

  private func settings(_ change: (inout TypesettingSettings) -> Void = { _ in }) -> TypesettingSettings {
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(300))
    change(&settings)
    return settings
  }

  /// Boxes that may go on over a page's end: paragraphs, lists, tables, floats, columns, footnotes, running heads, boxes of fixed
  /// height, borders, counters, pages of other sizes.
  private static let cases: [(String, String)] = [
    (String(repeating: paragraph, count: 6), ""),
    (
      "<ol>" + String(repeating: "<li>\(paragraph)<ul><li>a</li><li>\(paragraph)</li></ul></li>", count: 3) + "</ol>",
      ""
    ),
    (
      "<table><thead><tr><th>A</th><th>B</th></tr></thead>"
        + String(
          repeating: "<tr><td>\(paragraph)</td><td>x</td></tr><tr><td>y</td><td rowspan='2'>z</td></tr>", count: 4)
        + "</table>", "table { border-collapse: collapse } td { border: 1px solid }"
    ),
    (
      paragraph + "<div class='f'>\(paragraph)\(paragraph)</div>" + paragraph + "<img alt='x'/>" + paragraph,
      ".f { float: left; width: 40% }"
    ),
    (String(repeating: paragraph + "<h2>Head</h2>", count: 6), "body { columns: 2 } h2 { break-after: avoid }"),
    (
      String(
        repeating: "<p>word<a epub:type='noteref' href='#n'>1</a> \(paragraph.dropFirst(3))<aside id='n' "
          + "epub:type='footnote'>\(paragraph)</aside>", count: 3), ""
    ),
    (
      "<h1>One</h1>" + paragraph + "<div class='b'>\(paragraph)</div><h1>Two</h1>" + paragraph + paragraph,
      """
      @page { @top-center { content: string(t) counter(page) } @top-left { content: element(r) } }
      @page :left { margin-left: 90px } h1 + p { position: running(r) }
      h1 { string-set: t content(); break-before: right } .b { height: 700px; border: 3px solid; position: relative }
      """
    ),
    (
      // A picture that is made to fit its page, then one that fits but for its caption.
      picture(700) + "<p class='n'>A</p><div class='n'><figure>\(picture(204))<figcaption>B</figcaption></figure></div>"
        + paragraph,
      "svg { display: block } figure { margin: 0; break-inside: avoid } .n { break-before: page }"
    ),
    (
      "<p>A</p><div class='i'>" + String(repeating: paragraph, count: 3) + "</div> <div class='i'>\(paragraph)</div> b"
        + paragraph, ".i { display: inline-block; width: 45% }"
    ),
    (
      paragraph + "<h2>Head</h2><div class='a'>" + String(repeating: paragraph, count: 3) + "</div><h2>Head</h2><p>"
        + picture(190) + "</p>" + paragraph, ".a { break-inside: avoid }"
    ),
    (
      "<div style='position: relative; height: 900px'><div style='position: absolute; top: 200px'>"
        + String(repeating: paragraph, count: 3) + "</div></div>" + paragraph, ""
    ),
  ]

  @Test(arguments: cases)
  func `A saved directory leads to any page at once`(_ body: String, _ css: String) async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([body], style: css))
    let settings = settings { $0.notes = .foot }
    let whole = Typesetter(book: book, settings: settings)
    let layout = try await whole.layout(of: 0)
    #expect(layout.pageCount > 2)
    let saved = try JSONDecoder().decode(PageDirectory.self, from: JSONEncoder().encode(whole.directory))
    #expect(saved == whole.directory)
    for index in (0..<layout.pageCount).reversed() {
      // Each page with nothing laid out before it.
      let single = Typesetter(book: book, settings: settings, directory: saved)
      let page = try await single.page(index, of: 0)
      let expected = try await whole.page(index, of: 0)
      #expect(page.png() == expected.png())
      #expect(page.lines == expected.lines && page.start == expected.start)
      let found = try await whole.page(containing: page.start).index
      #expect(try await single.page(containing: page.start).index == found)
    }
  }

  @Test func `A damaged directory is none`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([String(repeating: Self.paragraph, count: 6)]))
    let typesetter = Typesetter(book: book, settings: settings())
    _ = try await typesetter.layout(of: 0)
    let text = String(decoding: try JSONEncoder().encode(typesetter.directory), as: UTF8.self)
    let marks = try #require(text.range(of: "\"marks\":["))
    for offset in [4, 11, 30] {
      var damaged = text
      let index = damaged.index(marks.upperBound, offsetBy: offset)
      damaged.replaceSubrange(index...index, with: damaged[index] == "0" ? "1" : "0")
      #expect(throws: (any Error).self) { try JSONDecoder().decode(PageDirectory.self, from: Data(damaged.utf8)) }
    }
    // Whole checkpoints of another chapter lead to no page of it.
    let bytes = try #require(typesetter.directory.chapters[0]).mark(of: 3)
    for count in bytes.indices {
      let cut = PageStarts(
        [SourcePosition(rawValue: 0), SourcePosition(rawValue: 1 << 33)], marks: [[], Array(bytes.prefix(count))])
      var directory = typesetter.directory
      directory.chapters[0] = cut
      let other = Typesetter(book: book, settings: settings(), directory: directory)
      let expected = try await typesetter.page(1, of: 0).lines
      #expect(try await other.page(1, of: 0).lines == expected)
    }
  }

  /// The checksum aside: what a place in a chapter is read from may be anything.
  @Test(arguments: cases)
  func `A changed byte of a saved place neither ends the process nor goes on for ever`(
    _ body: String, _ css: String
  ) async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([body], style: css))
    let settings = settings { $0.notes = .foot }
    let typesetter = Typesetter(book: book, settings: settings)
    let count = try await typesetter.layout(of: 0).pageCount
    let starts = try #require(typesetter.directory.chapters[0])
    let resources = BookResources(publication: book.publication, settings: settings)
    let flips: [UInt8] = [0x01, 0x02, 0x03, 0x08, 0x40, 0x7F, 0x80, 0xFE]
    await Worker.perform {
      var paged = PagedChapter(StyledChapter(resources, index: 0))
      var number = 0
      for page in 1..<count {
        let bytes = starts.mark(of: page)
        for index in bytes.indices {
          number += 1
          var damaged = bytes
          damaged[index] ^= flips[number % flips.count]
          guard let mark = paged.mark(encoded: damaged) else { continue }
          paged.go(to: mark)
          // Some go on to the end of the chapter.
          var pages = 0
          let most = number % 8 == 0 ? 40 * count : 1
          while pages < most, paged.nextPage() != nil { pages += 1 }
          #expect(most == 1 || pages < most, "byte \(index) of page \(page) as \(damaged[index])")
        }
      }
    }
  }

  @Test func `What follows in a huge chapter is not touched by work that was given up`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([String(repeating: "<p>Words</p>", count: 5000)]))
    let resources = BookResources(publication: book.publication, settings: settings())
    await Worker.perform {
      var pages = PagedChapter(StyledChapter(resources, index: 0))
      #expect(pages.nextPage() != nil)
      pages.cancellation.request()
      #expect(pages.nextPage()?.layout.fragments.count ?? 0 < 100)
    }
  }

  @Test func `Work is given up within a stage and within a page`() async throws {
    let test = try TestBook()
    let table = String(repeating: "<tr><td>\(Self.paragraph)</td><td>x</td></tr>", count: 400)
    let book = try await Book(
      contentsOf: test.epub([
        "<div style='float: left; width: 300px'>" + String(repeating: Self.paragraph, count: 400)
          + "</div><table>\(table)</table>"
      ]))
    let resources = BookResources(publication: book.publication, settings: settings())
    await Worker.perform {
      let whole = StyledChapter(resources, index: 0)
      // Before the styles: no element is styled, and there are no boxes to speak of.
      let never = Cancellation()
      never.request()
      let nothing = StyledChapter(resources, index: 0, cancellation: never)
      #expect(nothing.figures.counters.counters["styles.elements"] == 0)
      #expect(nothing.figures.counters.counters["paragraphs"] == 0)
      // In the middle of a page: little of the text is shaped.
      let all = whole.figures.counters.counters["characters"] ?? 0
      let cancellation = Cancellation()
      var pages = PagedChapter(whole)
      pages.cancellation = cancellation
      let watch: Worker.Handle? = Worker.start {
        usleep(20_000)
        cancellation.request()
      }
      _ = pages.nextPage()
      watch?.join()
      #expect(pages.figures.counters.counters["shaping.units"] ?? 0 < all / 2)
      // The next page is as if nothing had been.
      pages.restart()
      pages.cancellation = Cancellation()
      var other = PagedChapter(StyledChapter(resources, index: 0))
      for _ in 0..<3 {
        guard let page = pages.nextPage(), let expected = other.nextPage() else { break }
        #expect(pages.drawing.paint(page) == other.drawing.paint(expected))
      }
    }
  }

  @Test func `The first page of a huge chapter waits for no more than its beginning`() async throws {
    let test = try TestBook()
    let book = try await Book(
      contentsOf: test.epub([
        "<h1>One</h1><p><a href='#e'>On</a></p>" + String(repeating: Self.paragraph, count: 1200) + "<p id='e'>End</p>"
      ]))
    let whole = Typesetter(book: book, settings: settings())
    let count = try await whole.layout(of: 0).pageCount
    let expected = try await whole.page(0, of: 0)
    let typesetter = Typesetter(book: book, settings: settings())
    let first = try await typesetter.page(containing: Locator(startOfChapter: 0))
    #expect(first.text.paragraphs.count < expected.text.paragraphs.count / 2)
    #expect(first.png() == expected.png() && first.links == expected.links && first.lines == expected.lines)
    #expect(first.start == expected.start && first.start.progression == expected.start.progression)
    #expect(first.start.quote == expected.start.quote)
    // Later pages go on from it, and the first page stays as it is; under other settings too.
    #expect(try await typesetter.page(1, of: 0).png() == whole.page(1, of: 0).png())
    #expect(try await typesetter.page(0, of: 0).png() == first.png())
    #expect(try await typesetter.layout(of: 0).pageCount == count)
    var larger = settings()
    larger.fontSize = 20
    let another = Typesetter(book: book, settings: settings())
    _ = try await another.page(0, of: 0)
    another.apply(larger)
    typesetter.apply(larger)
    #expect(try await another.page(0, of: 0).png() == typesetter.page(0, of: 0).png())
  }

  @Test func `Who waits for a chapter that is at work can give up`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([String(repeating: Self.paragraph, count: 6000)]))
    let typesetter = Typesetter(book: book, settings: settings())
    let work = Task { try await typesetter.layout(of: 0).pageCount }
    let other = Task {
      try? await Task.sleep(for: .milliseconds(50))
      return try await typesetter.page(1, of: 0)
    }
    // From a thread of its own: where all threads of the tasks are at work, what they wait for goes on late.
    let watch = Worker.start {
      usleep(100_000)
      other.cancel()
      usleep(50_000)
      work.cancel()
    }
    await #expect(throws: PageError.cancelled) { try await other.value }
    // The chapter was not waited for: it can still be given up itself.
    await #expect(throws: PageError.cancelled) { try await work.value }
    watch?.join()
  }

  @Test func `Who asks for pages while settings change is told so`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([Self.paragraph])), settings: settings())
    let request = SessionRequest(typesetter.state.withLock(\.resources))
    let pages = typesetter.pages(of: 0)
    @Sendable func first(_ pages: ChapterPages) async throws(PageError) -> Page? {
      var iterator = pages.makeAsyncIterator()
      return try await iterator.next()
    }
    #expect(try await first(pages)?.index == 0)
    await #expect(throws: PageError.noSuchPage) { try await first(typesetter.pages(of: 1)) }
    typesetter.apply(TypesettingSettings())
    #expect(try await first(typesetter.pages(of: 0))?.index == 0)
    await #expect(throws: PageError.superseded) { try await first(pages) }
    await #expect(throws: PageError.superseded) { try await typesetter.made(request) { nil as Int? } }
    #expect(try await typesetter.made(request) { 1 } == 1)
    #expect(Set([PageError.noSuchPage, .cancelled, .superseded, .unavailable].map(\.description)).count == 4)
  }

  @Test func `Many tasks at one book get what one task gets`() async throws {
    let test = try TestBook()
    let bodies = (0..<4).map {
      "<h1 id='h'>\($0)</h1><p><a href='#h'>x</a></p>" + String(repeating: Self.paragraph, count: 8)
    }
    let book = try await Book(contentsOf: test.epub(bodies))
    let reference = Typesetter(book: book, settings: settings())
    var expected: [[Data]] = []
    for chapter in bodies.indices {
      var pages: [Data] = []
      for try await page in reference.pages(of: chapter) { pages.append(page.png()) }
      expected.append(pages)
    }
    let typesetter = Typesetter(book: book, settings: settings(), cacheLimit: 1 << 20)
    let pictures = expected
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          let chapter = number % 4
          switch number % 6 {
          case 0:
            let layout = try await typesetter.layout(of: chapter)
            #expect(layout.pageCount == pictures[chapter].count)
          case 1:
            let index = number % pictures[chapter].count
            let page = try await typesetter.page(index, of: chapter)
            #expect(page.png() == pictures[chapter][index])
          case 2:
            var found = 0
            for await _ in typesetter.search("quick brown") { found += 1 }
            #expect(found == 4 * 8 * 20)
          case 3:
            let locator = await book.locator(forLink: "c\(chapter).xhtml#h")
            let cfi = await book.cfi(for: try #require(locator))
            #expect(try await book.locator(for: try #require(cfi)) == locator)
          case 4:
            for await counts in typesetter.countPages() { _ = counts.total }
          default:
            let task = Task { try await typesetter.layout(of: chapter) }
            task.cancel()
            _ = try? await task.value
          }
        }
      }
      try await group.waitForAll()
    }
    for chapter in bodies.indices { #expect(typesetter.directory.pageCount(of: chapter) == expected[chapter].count) }
    // Settings that change under readers end their sequences and leave nothing behind.
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          do throws(PageError) {
            for try await page in typesetter.pages(of: number % 4) { _ = page.lines.count }
          } catch {
            #expect(error == .superseded)
          }
        }
        group.addTask {
          var changed = TypesettingSettings()
          changed.fontSize = Float(14 + number)
          typesetter.apply(changed)
        }
      }
    }
    typesetter.apply(settings())
    #expect(try await typesetter.page(1, of: 2).png() == expected[2][1])
  }
}
