import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct BookPlacesTests {
  @Test func `Links and fragments lead to places`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub(["<p>one</p>", "<p>two</p><p id='here'>three</p>"]))
    let locator = try #require(await book.locator(forLink: "c1.xhtml#here", in: 0))
    #expect(locator.chapter == 1 && locator.quote?.after == "three")
    #expect(await book.locator(forLink: "#here", in: 1) == locator)
    #expect(await book.locator(forLink: "https://example.org/", in: 0) == nil)
    #expect(await book.locator(forLink: "c1.xhtml#nowhere", in: 0) == Locator(startOfChapter: 1))
    for dead in ["c2.xhtml", "folder/c1.xhtml#here", "javascript:void(0)", "package.opf", "%zz", ""] {
      #expect(await book.locator(forLink: dead, in: 0)?.chapter ?? 0 == 0, "\(dead)")
    }
  }

  @Test func `Names of anchors, escapes and the top are places`() async throws {
    let test = try TestBook()
    let book = try await Book(
      contentsOf: test.epub([
        "<p>one</p>", "<p>two</p><p><a name='here'></a>three</p><p id='a b'>four</p><p id='c%20d'>five</p>",
      ]))
    func text(_ href: String) async -> String { await book.locator(forLink: href, in: 1)?.quote?.after ?? "" }
    let starts = [
      "#here": "three", "c1.xhtml#here:~:text=x": "three", "#a%20b": "four", "#c%20d": "five", "#c%2520d": "five",
      "#top": "two",
    ]
    for (href, start) in starts {
      let found = await text(href)
      #expect(found.hasPrefix(start), "\(href): \(found)")
    }
  }

  @Test func `The headings of a page of HTML are its contents`() async throws {
    let test = try TestBook()
    let path = try test.write(
      """
      <!DOCTYPE html><style>span { display: block }</style><h1>Chapter<br>One</h1><h3 id=x><span>I</span>Storm</h3>
      <h2>Soft&shy;hyphen</h2><h2 id=x></h2><h2><ruby>漢<rt>かん</rt></ruby></h2>
      """, to: "page.html")
    let book = try await Book(contentsOf: path)
    let contents = book.tableOfContents
    #expect(contents.map(\.title) == ["Chapter One", "I Storm", "Softhyphen", "漢"])
    #expect(contents.map(\.level) == [0, 1, 1, 1])
    #expect(contents.map(\.href) == ["page.html", "page.html#x", "page.html", "page.html"])
    for (entry, start) in zip(contents, ["Chapter", "I", "Soft", "漢"]) {
      let locator = try #require(await book.locator(for: entry))
      #expect(locator.quote?.after.hasPrefix(start) == true, "\(start)")
    }
    #expect(try await Book(contentsOf: test.write("<p>No headings.</p>", to: "none.html")).tableOfContents.isEmpty)
  }

  @Test func `Files are read by path and never outside`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub(["<p>one</p>"]))
    let resource = try await book.resource(at: "c0.xhtml")
    #expect(resource.mediaType == "application/xhtml+xml" && !resource.bytes.isEmpty)
    _ = try test.write("secret", to: "secret.txt")
    for path in ["../secret.txt", "/../secret.txt", "a/../../secret.txt", "", test.path("secret.txt")] {
      await #expect(throws: BookError.self) { try await book.resource(at: path) }
    }
    #expect(await book.cover() == nil)
  }

  @Test func `A cover is drawn no larger than asked, in its own shape`() async throws {
    let test = try TestBook()
    let path = try test.epub(["<p>one</p>"])
    let package = try String(contentsOfFile: path + "/package.opf", encoding: .utf8)
    let item =
      "<item id=\"cover\" href=\"cover.svg\" media-type=\"image/svg+xml\" properties=\"cover-image\"/></manifest>"
    _ = try test.write(package.replacingOccurrences(of: "</manifest>", with: item), to: "book/package.opf")
    _ = try test.write(
      "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='600'><rect width='300' height='600' fill='red'/></svg>",
      to: "book/cover.svg")
    let book = try await Book(contentsOf: path)
    func size(_ width: Int, _ height: Int) async throws -> [UInt8] {
      let png = try #require(
        await book.coverThumbnail(fitting: Size(width: LayoutUnit(width), height: LayoutUnit(height))))
      // The low bytes of width and height in the header.
      return [png[19], png[23]]
    }
    #expect(try await size(100, 100) == [50, 100])
    #expect(try await size(20, 100) == [20, 40])
    _ = try test.write("no picture", to: "book/cover.svg")
    #expect(
      try await Book(contentsOf: path).coverThumbnail(fitting: Size(width: LayoutUnit(9), height: LayoutUnit(9))) == nil
    )
  }

  @Test func `A place is found again after the edition has changed`() async throws {
    let test = try TestBook()
    let old = try await Book(
      contentsOf: test.epub(["<p>Alpha beta gamma delta.</p><p>The sentence that was marked stands here.</p>"]))
    let typesetter = Typesetter(book: old)
    let layout = try await typesetter.layout(of: 0)
    let line = try #require(layout.lines(on: 0).last)
    let saved = layout.described(line.words[4].range.lowerBound)
    let data = try JSONEncoder().encode(saved)
    let read = try JSONDecoder().decode(Locator.self, from: data)
    #expect(read == saved && read.quote == saved.quote)
    #expect(Locator(saved.description) == saved)
    // A chapter has been put before it, a paragraph added, words marked up.
    let other = try TestBook()
    let new = try await Book(
      contentsOf: other.epub([
        "<p>New.</p>",
        "<p>New too.</p><p>Alpha beta gamma delta.</p><p>The <b>sentence</b> that was marked stands here.</p>",
      ]))
    let found = await new.locator(repairing: read)
    #expect(found.chapter == 1)
    #expect(found.quote?.after == saved.quote?.after)
    #expect(await old.locator(repairing: read) == read)
  }

  @Test func `Places stay where a page shows more or other text than the document`() async throws {
    let test = try TestBook()
    let book = try await Book(
      contentsOf: test.epub(
        [
          "<div class='gone'>Navigation</div><h1>The heading of all</h1>\(String(repeating: "<p>Words, more words, and more of them.</p>", count: 40))"
        ],
        style: "h1 { text-transform: uppercase } .gone { display: none } p::before { content: 'Mark ' }"))
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(400))
    for try await page in Typesetter(book: book, settings: settings).pages(of: 0) {
      let place = page.start
      #expect(await book.locator(repairing: place) == place)
    }
  }

  @Test func `White space in a quote is of no account`() async throws {
    let test = try TestBook()
    let sentence = "<p>The same words stand here once more, for nobody\n     can tell one from another by them.</p>"
    let book = try await Book(contentsOf: test.epub([String(repeating: sentence, count: 9)]))
    var results = Typesetter(book: book).search("one from another").makeAsyncIterator()
    var saved = try #require(await results.next()).range.lowerBound
    let exact = await book.locator(repairing: saved)
    #expect(exact == saved)
    // Cut elsewhere, with white space as it is in the file; the progression is that of another paragraph.
    saved.progression = 0.9
    for quote in [
      TextQuote(before: "nobody\n     can  tell\u{A0}", after: "one from\n another"),
      TextQuote(
        before: "The same words stand here once more,\tfor nobody can tell ",
        after: "one from another by them.\n\nThe same"),
    ] {
      saved.quote = quote
      #expect(await book.locator(repairing: saved) == exact)
    }
    // Other words are another place, which the quote tells.
    saved.quote = TextQuote(before: "The same words ", after: "stand here once more")
    let found = await book.locator(repairing: saved)
    #expect(found.node != exact.node)
    #expect(found.quote?.after.hasPrefix("stand here") == true)
  }

  @Test func `Where a book has not changed, places stay: among ruby, at pictures`() async throws {
    let test = try TestBook()
    let sentence = "<ruby>昨夕<rp>（</rp><rt>ゆうべ</rt><rp>）</rp></ruby>のうつつは事実かも知れない。"
    let paragraph = "<p>\(String(repeating: sentence, count: 60))</p>"
    _ = try test.write(
      "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'><rect width='300' height='200'/></svg>",
      to: "book/a.svg")
    let picture = "<h2>題</h2><img src='a.svg' style='break-before: page; display: block'/>"
    let book = try await Book(contentsOf: test.epub([paragraph + picture + paragraph]))
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(400))
    let typesetter = Typesetter(book: book, settings: settings)
    var startsWithPicture = 0
    for try await page in typesetter.pages(of: 0) {
      let place = page.start
      #expect(try await typesetter.page(containing: place).index == page.index)
      if page.pictures.first?.source == place { startsWithPicture += 1 }
      let repaired = await book.locator(repairing: place)
      #expect(try await typesetter.page(containing: repaired).index == page.index)
    }
    #expect(startsWithPicture == 1)
  }
}
