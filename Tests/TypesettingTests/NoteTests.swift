import BookOutput
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct NoteTests {
  /// The texts of the notes that the links and pictures on the first page of a chapter lead to, nil for other links.
  private func notes(_ bodies: [String], css: String = "") async throws -> [String?] {
    let test = try TestBook()
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub(bodies, style: css)))
    let page = try await typesetter.page(0, of: 0)
    var texts: [String?] = []
    for link in page.links { texts.append(await typesetter.note(for: link, width: LayoutUnit(300))?.text) }
    return texts
  }

  @Test func `Semantic notes, hidden in the page`() async throws {
    #expect(
      try await notes(
        [
          "<p>Text<a epub:type='noteref' href='#n1'>1</a></p><aside epub:type='footnote' id='n1'><p>The note. <a href='#r'>↩</a></p></aside>"
        ]
        .map {
          $0.replacing("epub:type", with: "role").replacing("'noteref'", with: "'doc-noteref'").replacing(
            "'footnote'", with: "'doc-footnote'")
        },
        css: "aside { display: none }") == ["The note. ↩"])
  }

  @Test(arguments: ["<title epub:type='footnote' id='n'>Not a note</title>", "<title id='n'>Not a note</title>"])
  func `A title is no note, whatever it says`(title: String) async throws {
    let test = try TestBook()
    let path = try test.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head>\(title)</head>
      <body><p>Text <a href="#n" epub:type="noteref">1</a>.</p></body></html>
      """, to: "page.xhtml")
    let typesetter = Typesetter(book: try await Book(contentsOf: path))
    let link = try #require(try await typesetter.page(0, of: 0).links.first)
    #expect(await typesetter.note(for: link, width: LayoutUnit(300)) == nil)
    let pages = try test.records(of: path) { $0.settings.notes = .foot }.dropFirst()
    #expect(pages.flatMap { $0["lines"] as? [[String: Any]] ?? [] }.compactMap { $0["text"] as? String } == ["Text 1."])
    #expect(pages.allSatisfy { ($0["notes"] as? [Any] ?? []).isEmpty })
  }

  @Test func `Notes that stand in another file of the book are set at the foot of the page, numbered as there`()
    async throws
  {
    let test = try TestBook()
    let path = try test.epub([
      "<p>First<a href='c2.xhtml#n2' epub:type='noteref'>2</a> and again<a href='c2.xhtml#n2' epub:type='noteref'>2</a>.</p>",
      "<p>Second<a href='c2.xhtml#n3' epub:type='noteref'>3</a> and <a href='c2.xhtml#none' epub:type='noteref'>4</a>.</p>",
      "<section epub:type='endnotes'><ol><li id='n1' epub:type='endnote'><p>One.</p></li><li id='n2' epub:type='endnote'><p>Two.</p></li><li id='n3' epub:type='endnote'><p>Three.</p></li></ol></section>",
    ])
    let pages = try test.records(of: path) { $0.settings.notes = .foot }.filter { $0["type"] as? String == "page" }
    let lines = pages.map { ($0["lines"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String } }
    #expect(lines.prefix(2) == [["First2 and again2.", "Two."], ["Second3 and 4.", "Three."]])
    #expect(
      pages.map { ($0["notes"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }.prefix(2) == [
        ["n2"], ["n3"],
      ])
  }

  @Test func `Notes in another file, told by a mark and a way back`() async throws {
    let texts = try await notes([
      "<p>Text<sup><a id='r1' href='c1.xhtml#x1'>[1]</a></sup> and <a href='c1.xhtml#x2'>a chapter</a></p>",
      "<h1 id='x2'>Title</h1><p id='x1'><a href='c0.xhtml#r1'>1.</a> What is <i>meant</i>.</p>",
    ])
    #expect(texts == ["What is meant.", nil])
  }

  @Test(arguments: [
    "<dl class='footnote'><dt id='n1'><a href='#r1'>1</a></dt><dd><p>What is meant.</p></dd></dl>",
    "<table class='footnote'><tbody><tr><td id='n1'><a href='#r1'>[1]</a></td><td>What is meant.</td></tr></tbody></table>",
  ])
  func `A note in a list of terms or a table is not the section around it`(note: String) async throws {
    let texts = try await notes([
      "<section><p>Text<a id='r1' href='#n1' class='footnote-reference'>1</a> of it.</p>\(note)<p>More.</p></section>"
    ])
    #expect(texts.first??.split(whereSeparator: \.isWhitespace).joined(separator: " ") == "What is meant.")
  }

  @Test func `Chinese notes with pictures for marks`() async throws {
    let mark = "<img src='note.png' alt='注' width='12' height='12'/>"
    #expect(
      try await notes([
        "<p>正文<a class='duokan-footnote' href='#n1' id='m1'>\(mark)</a>。</p><ol class='duokan-footnote-content'><li class='duokan-footnote-item' id='n1'><a href='#m1'>◎</a>注释的内容。</li></ol>"
      ]).first == "注释的内容。")
    #expect(
      try await notes(["<p>正文<a href='#a1' id='b1'>〔1〕</a></p><p><a href='#b1' id='a1'>〔1〕</a>脚注。</p>"]).first == "脚注。")
  }

  @Test(arguments: [
    "[<a href='#r1' id='n1'>1</a>] What is meant (truly).",
    "（ <sup><a href='#r1' id='n1'>1</a></sup> ）What is meant (truly).",
    "<a href='#r1' id='n1'>[1]</a> What is meant (truly).",
    "<span id='n1'>What</span> is meant (truly).<b> (<a href='#r1'>up</a>)</b>",
  ])
  func `Brackets go with the way back that stood in them`(note: String) async throws {
    let texts = try await notes(["<p>Text<a id='r1' href='#n1'>[1]</a></p><p class='footnotes'>\(note)</p>"])
    #expect(texts.first == "What is meant (truly).")
  }

  @Test func `A picture that holds its note`() async throws {
    let test = try TestBook()
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10'/></svg>"
    _ = try test.write(svg, to: "book/note.svg")
    let body =
      "<p>正文<img class='qqreader-footnote' src='note.svg' alt='这是注释。'/><img src='note.svg' alt='a picture'/></p>"
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([body])))
    let page = try await typesetter.page(0, of: 0)
    try #require(page.pictures.count == 2)
    #expect(await typesetter.note(for: page.pictures[0], width: LayoutUnit(200))?.text == "这是注释。")
    #expect(await typesetter.note(for: page.pictures[1], width: LayoutUnit(200)) == nil)
  }

  @Test func `The way back and links between chapters are no notes`() async throws {
    #expect(
      try await notes([
        "<p class='footnote' id='n1'><a href='c1.xhtml#r1'>1</a> note</p><p><a href='c1.xhtml#t'>2</a></p>",
        "<p>Text<a id='r1' href='c0.xhtml#n1'>1</a></p><h1 id='t'>Two</h1>",
      ])
        == [nil, nil])
  }

  @Test func `A note is as wide as asked and as deep as it needs`() async throws {
    let test = try TestBook()
    let note = String(repeating: "Many words of a note. ", count: 20)
    let typesetter = try await Typesetter(
      book: Book(
        contentsOf: test.epub(["<p>Text<a id='r' href='#fn1'>*</a></p><p id='fn1'><a href='#r'>*</a> \(note)</p>"])))
    let link = try #require(try await typesetter.page(0, of: 0).links.first)
    let wide = try #require(await typesetter.note(for: link, width: LayoutUnit(500)))
    let narrow = try #require(await typesetter.note(for: link, width: LayoutUnit(200)))
    #expect(wide.size.width == LayoutUnit(500) && narrow.size.width == LayoutUnit(200))
    #expect(narrow.size.height > wide.size.height && wide.size.height > LayoutUnit(20))
    #expect(narrow.size.height < LayoutUnit(1000))
    #expect(narrow.png(scale: 1).starts(with: [0x89, 0x50]))
  }
}
