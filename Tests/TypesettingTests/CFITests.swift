import TestSupport
import Testing
import Typesetting

@Suite struct CFITests {
  // MARK: Syntax

  @Test func `A CFI is written as it was read`() throws {
    for text in [
      "epubcfi(/6/4[chap01ref]!/4[body01]/10[para05]/3:10)",
      "epubcfi(/6/4[chap01ref]!/4[body01]/16[svgimg])",
      "epubcfi(/6/4[chap01ref]!/4[body01]/10[para05],/2/1:1,/3:4)",
      "epubcfi(/6/4!/4/10/1:3[xx,y])",
      "epubcfi(/6/4!/4/10/1:3[,y])",
      "epubcfi(/6/4!/4/10/2/1:3[;s=b])",
      "epubcfi(/6/4!/4/10/2/1:3[yyy;s=a])",
      "epubcfi(/2/4~2.5@50:75)",
      "epubcfi(/6/4!/4/10/1:3[Ф xx^,y^[^^^]^(^)^;^=])",
      "epubcfi(/6/4!/4/2[x;vnd.example=1,2;other=^;])",
    ] {
      #expect(try CFI(text).description == text)
    }
    #expect(try CFI("/6/4!/2:3").description == "epubcfi(/6/4!/2:3)")
  }

  @Test func `Assertions are text before and after, parameters and the side meant`() throws {
    let offset = try CFI("epubcfi(/6/4!/4/1:3[one^,two,three;s=b])").start.offset
    #expect(offset?.character == 3)
    #expect(offset?.assertion?.first == "one,two")
    #expect(offset?.assertion?.second == "three")
    #expect(offset?.assertion?.side == .before)
    #expect(try CFI("epubcfi(/6/4!/4/1:3[,three])").start.offset?.assertion?.first == nil)
  }

  @Test func `What is no CFI says where it goes wrong`() {
    for (text, offset) in [
      ("", 0), ("epubcfi(", 8), ("epubcfi(/6/4", 12), ("epubcfi(/6/04)", 11), ("epubcfi(/6/4!)", 13),
      ("epubcfi(/6/4:1,/2,/3)", 15), ("epubcfi(/6/4,/2)", 15), ("epubcfi(/6/4[a)", 14), ("epubcfi(/6/4[a^", 15),
      ("epubcfi(/6/99999999999999999999)", 20), ("epubcfi(/6/4@50)", 15), ("epubcfi(/6/4)x", 13),
    ] {
      #expect { try CFI(text) } throws: { ($0 as? CFI.SyntaxError)?.offset == offset }
    }
  }

  @Test func `Places are in reading order`() throws {
    let ordered = [
      "/6/2!/4/2", "/6/4", "/6/4!/4", "/6/4!/4/2", "/6/4!/4/2/1:0", "/6/4!/4/2/1:3", "/6/4!/4/2/1:20", "/6/4!/4/2/2",
      "/6/4!/4/2/3:0", "/6/4!/4/4", "/6/4!/4/4@50:10", "/6/4!/4/4@10:50", "/6/4!/4/4~1.5", "/6/4!/4/4~1.5@0:0",
      "/6/4!/4/4~2", "/6/10!/2",
    ].map { try? CFI($0) }
    let values = try ordered.map { try #require($0) }
    #expect(values.shuffled().sorted() == values)
    // Assertions do not count.
    #expect(try !(CFI("/6/4[x]!/2") < CFI("/6/4[a]!/2")))
  }

  // MARK: Places in a book

  /// Built like the specification's example (section 2.1): the same elements and texts in the same places, in our words.
  private static let body = """
    <p>First</p><p>Second</p><p>Third</p><p>Fourth</p><p id="para05">xxx<em>yyy</em>0123456789</p>
    <p>…</p><p>…</p><img id="svgimg" src="a.svg" alt="a picture"/><p>…</p><p>…</p>
    """

  private func book() throws -> (TestBook, Book) {
    let test = try TestBook()
    return (test, try Book(contentsOf: test.epub(["<p>Before</p>", Self.body])))
  }

  @Test(arguments: [
    // The letter, the text around it.
    ("/6/4!/4/10[para05]/1:0", "", "xxxyyy"), ("/6/4!/4/10[para05]/2/1:0", "xxx", "yyy0"),
    ("/6/4!/4/10[para05]/2/1:3", "xxxyyy", "0123"), ("/6/4!/4/10[para05]/3:0", "xxxyyy", "0123"),
    ("/6/4!/4/10[para05]/3:1", "yyy0", "1234"), ("/6/4!/4/10[para05]/3:10", "56789", "…"),
    // Wrong steps are mended: an element that has moved, an offset past the end, text that stands elsewhere.
    ("/6/4!/4/2[para05]/3:1", "yyy0", "1234"), ("/6/4!/4/10/3:100", "56789", "…"),
    ("/6/4!/4/10/3:2[45,6]", "012345", "6789"),
    ("/6/4!/4/10/3:2[,8]", "01234567", "89"), ("/6/4!/4/10/5:7", "56789", "…"),
  ])
  func `A place is found`(_ steps: String, _ before: String, _ after: String) async throws {
    let (test, book) = try book()
    defer { withExtendedLifetime(test) {} }
    let locator = try await book.locator(for: CFI(steps))
    #expect(locator.chapter == 1)
    let quote = try #require(locator.quote)
    #expect(before.isEmpty || quote.before.hasSuffix(before))
    #expect(quote.after.split(separator: " ").joined().hasPrefix(after))
  }

  @Test func `Places and ranges come back as they went`() async throws {
    let (test, book) = try book()
    defer { withExtendedLifetime(test) {} }
    for text in [
      "epubcfi(/6/4!/4/10[para05]/3:10)", "epubcfi(/6/4!/4/10[para05]/2/1:2)", "epubcfi(/6/4!/4/10[para05])",
      "epubcfi(/6/4!/4/16[svgimg])", "epubcfi(/6/2!/4/2/1:3)",
    ] {
      let locator = try await book.locator(for: CFI(text))
      #expect(await book.cfi(for: locator)?.description == text)
    }
    for text in ["epubcfi(/6/4!/4/10[para05],/2/1:1,/3:4)", "epubcfi(/6,/2!/4/2/1:3,/4!/4/2/1:1)"] {
      let range = try await book.range(for: CFI(text))
      #expect(await book.cfi(for: range)?.description == text)
    }
  }

  @Test func `Steps that lead out of the book are an error`() async throws {
    let (test, book) = try book()
    defer { withExtendedLifetime(test) {} }
    await #expect { try await book.locator(for: CFI("/6/40!/4/2")) } throws: { ($0 as? BookError)?.kind == .missing }
    #expect(try await book.locator(for: CFI("/6/4")) == Locator(startOfChapter: 1))
  }

  @Test func `Comments do not part the text they stand in`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub(["<p>ab<!-- c -->cd<![CDATA[ef]]>gh<b>i</b></p>"]))
    for offset in 0...7 {
      let locator = try await book.locator(for: CFI("epubcfi(/6/2!/4/2/1:\(offset))"))
      #expect(locator.quote?.after.hasPrefix(String("abcdefghi".dropFirst(offset))) == true)
      #expect(await book.cfi(for: locator)?.description == "epubcfi(/6/2!/4/2/1:\(offset))")
    }
  }
}
