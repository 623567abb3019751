import BookOutput
import TestSupport
import Testing
import Typesetting

@Suite struct LayoutRecordsTests {
  @Test func `The first line is the book, the others its pages`() throws {
    let book = try TestBook()
    let records = try book.records(of: book.epub(["<p>One</p>", "<p>Two</p>"]))
    #expect(records.map { $0["type"] as? String } == ["book", "page", "page"])
    #expect(records[0]["title"] as? String == "Test book")
    #expect((records[0]["fonts"] as? [[String: Any]])?.isEmpty == false)
    #expect(records[1]["number"] as? Int == 1)
    #expect(records[2]["number"] as? Int == 2)
    #expect(records[2]["href"] as? String == "c1.xhtml")
    #expect(records[2]["chapter"] as? Int == 2)
  }

  @Test func `A line says where its text stands in the document`() throws {
    let book = try TestBook()
    let input = try book.page("<div><h2>A <em>short</em> title</h2><p>First.</p></div>")
    let lines = try book.lines(of: input)
    #expect(lines.map { $0["text"] as? String } == ["A short title", "First."])
    let source = lines[0]["source"] as? [String: Any]
    #expect(source?["node"] as? String == "/4/2/2")
    #expect(source?["start"] as? Int == 0)
    #expect(source?["end"] as? Int == 13)
    #expect(lines[0]["role"] as? String == "h2")
    #expect(lines[0]["level"] as? Int == 2)
    #expect(lines[0]["lang"] as? String == "en")
    #expect((lines[1]["source"] as? [String: Any])?["node"] as? String == "/4/2/4")
  }

  @Test func `Text inside an atomic inline comes once, where it stands`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<p>before <span>inner</span> after</p>", style: "span { display: inline-block }")
    let texts = try book.lines(of: input).map { $0["text"] as? String ?? "" }
    #expect(texts.map { $0.split(separator: " ").joined() } == ["before", "inner", "after"])
  }

  @Test func `A float stands before the line it is anchored in`() throws {
    let book = try TestBook()
    let input = try book.page("<p><span>T</span>he rest</p>", style: "span { float: left }")
    #expect(try book.lines(of: input).map { $0["text"] as? String } == ["T", "he rest"])
  }

  @Test func `Markers are given beside the text, not in it`() throws {
    let book = try TestBook()
    let input = try book.page("<ol><li>one</li><li>two</li></ol>")
    let lines = try book.lines(of: input)
    #expect(lines.map { $0["text"] as? String } == ["one", "two"])
    #expect(lines.map { $0["marker"] as? String } == ["1.", "2."])
  }

  @Test func `Generated content is in the text of a line only where it names pages`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<h2>First</h2><p>He said <q>yes</q>.</p>",
      style: """
        h2::before { content: 'Part: ' } q { quotes: '«' '»' }
        p::after { content: ' (page ' counter(page) ' of ' counter(pages) ')' }
        """)
    let lines = try book.lines(of: input)
    #expect(lines.map { $0["text"] as? String } == ["First", "He said yes. (page 1 of 1)"])
    let sources = lines.map { $0["source"] as? [String: Any] }
    #expect(sources.map { $0?["end"] as? Int } == [5, 12])
  }

  @Test func `Lines of margin boxes follow those of the content`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<h2>Summer</h2><p style='break-before: page'>Text</p>",
      style: """
        h2 { string-set: part content() }
        @page {
          margin: 40px; @top-left { content: string(part) } @bottom-center { content: '— ' counter(page) ' —' }
        }
        """)
    let pages = try book.records(of: input).dropFirst()
    let lines = pages.map { $0["lines"] as? [[String: Any]] ?? [] }
    let texts = lines.map { $0.map { $0["text"] as? String } }
    #expect(texts == [["Summer", "Summer", "— 1 —"], ["Text", "Summer", "— 2 —"]])
    #expect(lines[1].map { $0["role"] as? String } == ["p", "top-left", "bottom-center"])
    #expect(lines[1].map { $0["marginBox"] as? Bool ?? false } == [false, true, true])
    #expect((lines[1][2]["source"] as? [String: Any])?["node"] as? String == "")
    let box = lines[1][2]["box"] as? [Double] ?? []
    #expect(box.count == 4 && box[1] > 760)
  }

  @Test func `Ruby follows its base in brackets`() throws {
    let book = try TestBook()
    let input = try book.page("<p lang=\"ja\"><ruby>漢字<rt>かんじ</rt></ruby>です</p>")
    #expect(try book.lines(of: input).map { $0["text"] as? String } == ["漢字（かんじ）です"])
    #expect(try book.text(of: input) == "漢字（かんじ）です\n")
  }

  @Test func `Links and missing images are kept`() throws {
    let book = try TestBook()
    let input = try book.page("<p>see <a href=\"#n1\">note</a> <img src=\"gone.png\" alt=\"A map\"/></p>")
    let page = try book.records(of: input)[1]
    #expect((page["links"] as? [[String: Any]])?.map { $0["href"] as? String } == ["#n1"])
    let images = page["images"] as? [[String: Any]]
    #expect(images?.count == 1)
    #expect(images?.first?["alt"] as? String == "A map")
    #expect(images?.first?["missing"] as? Bool == true)
  }

  @Test func `Notes of the book stand at the foot of the page when the reader wants them there`() throws {
    let book = try TestBook()
    let input = try book.page(
      """
      <p>Text<a epub:type="noteref" href="#n">1</a></p><p>More</p>
      <section epub:type="footnotes"><h2>Notes</h2><aside epub:type="footnote" id="n"><p>The note</p></aside></section>
      """)
    let asBook = try book.records(of: input)
    #expect((asBook[1]["notes"] as? [Any])?.isEmpty == true)
    #expect((asBook[1]["lines"] as? [[String: Any]])?.count == 4)
    let records = try book.records(of: input) { $0.settings.notes = .foot }
    let lines = records[1]["lines"] as? [[String: Any]] ?? []
    #expect(lines.map { $0["text"] as? String } == ["Text1", "More", "The note"])
    let note = (records[1]["notes"] as? [[String: Any]])?.first
    #expect(note?["id"] as? String == "n")
    let box = note?["box"] as? [Double] ?? []
    #expect(box.count == 4 && box[1] > 700 && box[1] + box[3] <= 752)
  }
}
