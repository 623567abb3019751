import Primitives
import TestSupport
import Testing
import Typesetting

/// The examples and rules of EPUB CFI 1.1, section by section, on a book with the same elements in the same places as the one
/// the specification speaks of.
@Suite struct CFIExampleTests {
  private static let chapter = """
    <html xmlns="http://www.w3.org/1999/xhtml">
        <head>
          <title>One</title>
        </head>

        <body id="body01">
          <p>a</p>
          <p>b</p>
          <p>c</p>
          <p>d</p>
            <p id="para05">xxx<em>yyy</em>0123456789</p>
          <p>f</p>
          <p>g</p>
          <img id="svgimg" src="foo.svg" alt="seven letters"/>
          <p>i</p>
          <p>j<iframe src="inner.xhtml"></iframe>k</p>
        </body>
    </html>
    """

  /// - Parameter inserted: An element to stand before the others, in a later edition.
  private func book(_ test: TestBook, chapter: String = chapter, inserted: String = "") throws -> Book {
    _ = try test.write("application/epub+zip", to: "book/mimetype")
    _ = try test.write(
      """
      <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="OPS/pub.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """, to: "book/META-INF/container.xml")
    _ = try test.write(
      """
      <package version="3.0" unique-identifier="bookid" xmlns="http://www.idpf.org/2007/opf">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>t</dc:title>
          <dc:identifier id="bookid">i</dc:identifier><dc:language>en</dc:language></metadata>
        <manifest>
          <item id="titlepage" href="text/titlepage.xhtml" media-type="application/xhtml+xml"/>
          <item id="chapter01" href="text/chapter01.xhtml" media-type="application/xhtml+xml"/>
        </manifest>
        <spine>
          \(inserted)<itemref id="titleref" idref="titlepage"/><itemref id="chap01ref" idref="chapter01"/>
        </spine>
      </package>
      """, to: "book/OPS/pub.opf")
    _ = try test.write(
      "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body><p>Title</p></body></html>",
      to: "book/OPS/text/titlepage.xhtml")
    _ = try test.write(chapter, to: "book/OPS/text/chapter01.xhtml")
    return try Book(contentsOf: test.path("book"))
  }

  private static let start = "/6/4[chap01ref]!/4[body01]"

  // MARK: 3.1.10, 3.1.8, 3.1.9: places

  @Test(arguments: [
    // The position after 9; before xxx; before and after yyy; without an offset, the start of the text.
    ("/10[para05]/3:10", "0123456789", ""), ("/10[para05]/1:0", "", "xxxyyy"), ("/10[para05]/2/1:0", "xxx", "yyy0"),
    ("/10[para05]/2/1:3", "yyy", "0123"), ("/10[para05]/3", "yyy", "0123"),
    // The text around the place.
    ("/10[para05]/2/1:3[yyy]", "yyy", "0123"), ("/10[para05]/1:3[xx,y]", "xxx", "yyy"),
    // The specification's own text does not stand there: the nearest place where it does is taken (3.5).
    ("/10[para05]/2/1:3[,y]", "xxxyy", "y0"),
    ("/10[para05]/2/1:3[;s=b]", "yyy", "0123"), ("/10[para05]/2/1:3[yyy;s=b]", "yyy", "0123"),
    ("/10[para05]/2[;s=b]", "xxx", "yyy"),
    // The elements before the first and behind the last one, which are not there (3.1.1).
    ("/10[para05]/0", "", "xxx"), ("/10[para05]/4", "56789", ""), ("/10[para05]/2/0", "xxx", "yyy"),
    // White space in assertions is of any length.
    ("/12/1:1[6789 f,\u{20}g]", "9f", "g"),
  ])
  func `Places of the examples`(_ steps: String, _ before: String, _ after: String) async throws {
    let test = try TestBook()
    let locator = try await book(test).locator(for: CFI("epubcfi(\(Self.start)\(steps))"))
    let quote = try #require(locator.quote)
    func stripped(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    #expect(locator.chapter == 1)
    #expect(stripped(quote.before).hasSuffix(before) && stripped(quote.after).hasPrefix(after))
  }

  @Test func `The picture, and offsets in its alternative text`() async throws {
    let test = try TestBook()
    let book = try book(test)
    let picture = try await book.locator(for: CFI("epubcfi(\(Self.start)/16[svgimg])"))
    #expect(await book.cfi(for: picture)?.description == "epubcfi(\(Self.start)/16[svgimg])")
    for offset in [":0", ":5", "@50:75", "~2.5", "~23.5@5.75:97.6", "!@10:20"] {
      #expect(try await book.locator(for: CFI("epubcfi(\(Self.start)/16[svgimg]\(offset))")) == picture)
    }
  }

  @Test func `Steps into what an element embeds lead to the element`() async throws {
    let test = try TestBook()
    let book = try book(test)
    let frame = try await book.locator(for: CFI("epubcfi(\(Self.start)/20/2)"))
    #expect(try await book.locator(for: CFI("epubcfi(\(Self.start)/20/2!/4/2/1:3)")) == frame)
  }

  @Test func `The side of a page's end that is meant`() async throws {
    let test = try TestBook()
    let words = String(repeating: "word ", count: 2000)
    let book = try book(
      test, chapter: "<html xmlns='http://www.w3.org/1999/xhtml'><head/><body><p>\(words)</p></body></html>")
    let typesetter = Typesetter(book: book)
    let layout = try await typesetter.layout(of: 1)
    let start = try #require(layout.start(of: 2))
    let steps = "/6/4[chap01ref]!/4/2/1:\(start.offset)"
    for (side, page) in [("", 2), ("[;s=a]", 2), ("[;s=b]", 1)] {
      let locator = try await book.locator(for: CFI("epubcfi(\(steps)\(side))"))
      #expect(layout.page(containing: locator) == page)
      #expect(typesetter.directory.page(containing: locator) == page)
      #expect(try await Typesetter(book: book).page(containing: locator).index == page)
      #expect(await book.cfi(for: locator)?.description == "epubcfi(\(steps)\(side))")
    }
    // A range that ends with a page is on that page alone.
    let first = try #require(layout.start(of: 1))
    #expect(layout.pages(of: first..<start) == 1...1)
  }

  // MARK: 2.2, 2.3: syntax

  @Test func `Values come out of their escapes`() async throws {
    let cfi = try CFI("epubcfi(/6/4!/4/10/2/1:3[Ф-\"spa ce\"-99%-aa^[bb^]^^])")
    #expect(cfi.path.offset?.assertion?.first == "Ф-\"spa ce\"-99%-aa[bb]^")
    #expect(try CFI("epubcfi(/6/14[chap05ref]!/4[body01]/10/2/1:3[2^[1^]])").path.offset?.assertion?.first == "2[1]")
    for text in ["epubcfi(/6/4!/4/2,,/4/1:2)", "epubcfi(/6/4!@5.75:97.6)", "epubcfi(/6/4!/4/2~23.5@5.75:97.6)"] {
      #expect(try CFI(text).description == text)
    }
  }

  @Test(arguments: [
    "../pub.opf#epubcfi(/6/4[chap01ref]!/4[body01]/10[para05]/2/1:3[;s=b])",
    "../pub.opf#epubcfi(/6/4!/4/10/2/1:3%5Byyy%5D)", "#epubcfi(/6/4!/4/10/2/1:3[%79yy])",
  ])
  func `A link inside the publication`(_ href: String) async throws {
    let test = try TestBook()
    let book = try book(test)
    let expected = try await book.locator(for: CFI("epubcfi(/6/4!/4/10/2/1:3)"))
    #expect(await book.locator(forLink: href, in: 0) == expected)
  }

  // MARK: 3.2: order

  @Test(arguments: [
    // Earlier steps first, numbers as numbers, characters and times likewise.
    ["/6/4!/4/2/1:9", "/6/4!/4/2/1:10", "/6/4!/4/10/1:0", "/6/10!/2"],
    ["/6/4!/4/2~2", "/6/4!/4/2~10.5", "/6/4!/4/4"],
    // y before x; no position before any; time before position.
    ["/6/4!/4/2", "/6/4!/4/2@90:10", "/6/4!/4/2@10:20", "/6/4!/4/2@20:20"],
    ["/6/4!/4/2@90:90", "/6/4!/4/2~1", "/6/4!/4/2~1@0:0", "/6/4!/4/2~1@5:0", "/6/4!/4/2~2"],
    // Characters, children, times and points, references.
    ["/6/4/2:3", "/6/4/2/1:0", "/6/4/2/8", "/6/4/2@5:5", "/6/4/2~1", "/6/4/2!/1", "/6/4/2!/2"],
    // Ranges by their starts, then by their ends.
    ["/6/4!/4,/2/1:0,/2/1:3", "/6/4!/4,/2/1:0,/4/1:1", "/6/4!/4,/2/1:1,/2/1:2", "/6/4!/4/2/1:2"],
  ])
  func `Order`(_ texts: [String]) throws {
    let values = try texts.map { try CFI($0) }
    #expect(values.reversed().sorted() == values)
    for (index, value) in values.enumerated() {
      for other in values[(index + 1)...] { #expect(value < other && !(other < value)) }
    }
  }

  // MARK: 3.4: ranges

  @Test func `Ranges`() async throws {
    let test = try TestBook()
    let book = try book(test)
    let typesetter = Typesetter(book: book)
    let layout = try await typesetter.layout(of: 1)
    let cfi = try CFI("epubcfi(\(Self.start)/10[para05],/2/1:1,/3:4)")
    let range = try await book.range(for: cfi)
    #expect(layout.text(range) == "yy0123")
    #expect(await book.cfi(for: range) == cfi)
    // Where one place is wanted it is the start.
    #expect(try await book.locator(for: cfi) == range.lowerBound)
    // The start may be empty.
    let whole = try await book.range(for: CFI("epubcfi(\(Self.start)/10[para05],,/3:4)"))
    #expect(layout.text(whole) == "xxxyyy0123")
    // Sides are not for ranges.
    #expect(try await book.locator(for: CFI("epubcfi(\(Self.start)/10,/2/1:1[;s=b],/3:4)")).side == nil)
  }

  // MARK: 3.5: corrections

  @Test func `What has moved is found and corrected`() async throws {
    let test = try TestBook()
    let chapter = Self.chapter.replacing("<p>b</p>", with: "").replacing("0123", with: "new 0123")
    let book = try book(test, chapter: chapter, inserted: "<itemref id='new' idref='titlepage'/>")
    for (old, new) in [
      ("/6/4[chap01ref]!/4[body01]/10[para05]/3:4[0123,45]", "/6/6[chap01ref]!/4[body01]/8[para05]/3:8[0123,45]"),
      ("/6/4[chap01ref]!/4[body01]/16[svgimg]@5:5", "/6/6[chap01ref]!/4[body01]/14[svgimg]@5:5"),
      ("/6/4[chap01ref]!/4[body01]/10[para05],/2/1:1,/3:0", "/6/6[chap01ref]!/4[body01]/8[para05],/2/1:1,/3:0"),
      ("/6/6!/4/8/2/1:1[;s=b]", "/6/6!/4/8/2/1:1[;s=b]"),
    ] {
      #expect(await book.corrected(try CFI(old))?.description == "epubcfi(\(new))")
    }
    // A step to nowhere makes the whole invalid; for a reader's place it still says something.
    for text in ["/6/4[gone]!/4/2", "/6/6[chap01ref]!/4[gone]/2", "/6/6[chap01ref]!/4/8/3:1[not there]", "/6/40!/4"] {
      #expect(await book.corrected(try CFI(text)) == nil)
    }
    let place = try await book.locator(for: CFI("/6/6!/4/8/3:1"))
    #expect(try await book.locator(for: CFI("/6/6!/4[gone]/8/3:1")) == place)
  }
}
