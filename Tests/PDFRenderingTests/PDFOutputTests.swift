import BookOutput
import Foundation
import PDFRendering
import Platform
import Primitives
import Synchronization
import TestSupport
import Testing
import Typesetting

@Suite struct PDFOutputTests {
  private let book: TestBook
  init() throws { book = try TestBook() }

  private func run(_ input: String, _ name: String = "book.pdf", _ change: (inout RunOptions) -> Void = { _ in })
    -> RunResult
  {
    var options = RunOptions(input: input)
    options.pdf = PDFOptions(target: .file(book.path(name)))
    change(&options)
    return BookRun(options).run()
  }

  private func pdf(_ input: String) throws -> ReadPDF { try book.pdf(input) }

  @Test func `A file has a header, objects that all are there, and an end that finds them`() throws {
    let file = try pdf(try book.epub(["<h1>One</h1><p>Text.</p>", "<h1>Two</h1><p>More.</p>"]))
    #expect(file.bytes.starts(with: Array("%PDF-1.7\n".utf8)))
    #expect(file.brokenReferences.isEmpty)
    let tail = String(decoding: file.bytes.suffix(40), as: UTF8.self).split(separator: "\n")
    let start = try #require(tail.firstIndex(of: "startxref").flatMap { Int(tail[$0 + 1]) })
    #expect(String(decoding: file.bytes[start..<start + 40], as: UTF8.self).contains(" 0 obj"))
    #expect(file.all.contains("/Type/Pages/Count 2"))
  }

  @Test func `Any number of workers makes the same bytes`() throws {
    let paragraph = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 60) + "</p>"
    let input = try book.epub(
      (0..<6).map { "<h1>Chapter \($0)</h1>" + String(repeating: paragraph, count: $0 + 1) },
      style: "@page { @bottom-center { content: counter(page) '/' counter(pages) } }")
    for jobs in [1, 4] { #expect(run(input, "\(jobs).pdf") { $0.jobs = jobs }.error == nil) }
    let files = try [1, 4].map { try Data(contentsOf: URL(fileURLWithPath: book.path("\($0).pdf"))) }
    #expect(files[0] == files[1])
  }

  @Test func `What no font has is a box that stands for its character`() throws {
    let file = try pdf(try book.page("<p>a&#xE123; &#x10FFFD;</p>"))
    #expect(file.all.contains("LastResort-Regular"))
    #expect(file.contents.contains("/ActualText(\u{FE}\u{FF}\u{E1}#)"))
    #expect(file.contents.contains("/ActualText(\u{FE}\u{FF}\u{DB}\u{FF}\u{DF}\u{FD})"))
    // No code of a missing glyph (ISO 14289-1, section 7.21.8).
    #expect(!file.contents.contains("\u{FF}\u{FE}"))
  }

  @Test func `The structure is that of the document`() throws {
    let file = try pdf(
      try book.page(
        """
        <h2>Title</h2><p>See <a href="https://example.org/">there</a> and <span lang="fr">là</span>.</p>
        <ul><li>One</li></ul><blockquote><p>Said</p></blockquote>
        <table><tr><th>Head</th></tr><tr><td colspan="2">Cell</td></tr></table>
        <img src="\(TestBook.picture)" alt="A dot"/><img src="\(TestBook.picture)" alt=""/>
        """))
    for part in [
      "/S/Document", "/S/Sect", "/S/H1", "/S/P", "/S/Link", "/S/Span", "/Lang(fr)", "/S/L/", "/S/LI/", "/S/LBody",
      "/S/BlockQuote", "/S/Table", "/S/TR", "/S/TH", "/Scope/Column", "/S/TD", "/ColSpan 2", "/S/Figure", "/Alt(A dot)",
      "/Type/OBJR", "/URI(https://example.org/)", "/Contents(there)", "/MarkInfo<</Marked true>>", "/Lang(en)",
    ] { #expect(file.all.contains(part), "\(part)") }
    // The picture that says nothing is no figure.
    #expect(file.all.split(separator: "/S/Figure").count == 2)
  }

  @Test func `Headings leave no level out`() throws {
    let file = try pdf(try book.page("<h3>A</h3><h3>B</h3><h1>C</h1><h4>D</h4>"))
    let levels = file.all.matches(of: /\/S\/H(\d)/).map { String($0.output.1) }
    #expect(levels == ["1", "2", "1", "2"])
  }

  @Test func `B12 Expanded glyphs are scaled along the line, and text is copied as it is`() throws {
    let text = "The quick brown fox jumps over the lazy dog and on into the forest, where nobody has seen it since."
    let body = "<p style='width: 200px; text-align: justify; font: 16px Liberation Serif'>\(text)</p>"
    func contents(_ micro: Typesetting.ReaderChoice) throws -> String {
      let result = run(try book.page(body)) { $0.settings.micro = micro }
      if let error = result.error { throw error }
      return try ReadPDF(path: book.path("book.pdf")).contents
    }
    let (plain, fitted) = (try contents(.auto), try contents(.on))
    #expect(!plain.contains("Tz"))
    let scales = fitted.matches(of: /([\d.]+) Tz/).compactMap { Double($0.output.1) }
    #expect(scales.count > 1 && scales.allSatisfy { abs($0 - 100) <= 2 })
    // Glyphs and spaces alike are still those of the text.
    func strings(_ contents: String) -> Int { contents.matches(of: /ActualText/).count }
    #expect(strings(fitted) == strings(plain))
  }

  @Test func `Added hyphens are not copied`() throws {
    let file = try pdf(
      try book.page("<p style=\"width: 60px; hyphens: manual\">extra&#xAD;ordinary&#xAD;ness</p>"))
    #expect(file.contents.contains(/\/Span<<\/MCID \d+\/ActualText\(\)>>BDC/))
  }

  @Test func `Ruby is read behind its base, in brackets`() throws {
    let file = try pdf(try book.page("<p lang=\"ja\"><ruby>字<rt>あ</rt></ruby></p>"))
    #expect(file.all.contains("/S/Ruby"))
    #expect(file.all.contains("/S/RB"))
    #expect(file.all.contains("/S/RT"))
    #expect(file.contents.contains("/ActualText(\u{FE}\u{FF}\u{FF}\u{08}0B\u{FF}\u{09})"))
  }

  @Test func `Links lead to names, and the outline to chapters`() throws {
    let input = try book.epub(["<p><a href=\"c1.xhtml#two\">on</a></p>", "<p id=\"two\">Two</p>"])
    let file = try pdf(input)
    #expect(file.all.contains("/Dest(c2#two)"))
    #expect(file.all.contains("/Names[(c2#two)["))
  }

  @Test func `Bookmarks that styles ask for are the outline`() throws {
    let input = try book.epub(
      ["<h1 id=\"a\">One <i>part</i></h1><h2>Two</h2>", "<h1>Three</h1><p class=\"x\">Four</p>"],
      style: """
        body { counter-reset: n } h1 { bookmark-level: 1; bookmark-state: closed; counter-increment: n }
        h2 { bookmark-level: 2; bookmark-label: '(' counter(n) ') ' content(text) } .x { bookmark-level: none }
        """)
    let file = try pdf(input)
    #expect(file.all.contains("/Title(One part)"))
    #expect(file.all.contains("/Title(\\(1\\) Two)"))
    #expect(file.all.contains("/Title(Three)"))
    #expect(!file.all.contains("/Title(Four)"))
    #expect(file.all.contains("/Dest(c1#a)"))
    // The first entry is closed over one other.
    #expect(file.all.contains("/Count -1"))
  }

  @Test func `Headings are the outline of a document without contents`() throws {
    let file = try pdf(try book.page("<h1>One</h1><h2>Two</h2>"))
    #expect(file.all.contains("/Title(One)"))
    #expect(file.all.contains("/Title(Two)"))
  }

  @Test func `Bleed and marks make the sheet larger than the page`() throws {
    let input = try book.page(
      "<style>@page { size: 300px 400px; margin: 40px; bleed: 8px; marks: crop cross }</style><p>Text</p>")
    #expect(run(input) { $0.settings.media = .print }.error == nil)
    let file = try ReadPDF(path: book.path("book.pdf"))
    // 300 + 2 x (8 + 24) px are 273 pt.
    #expect(file.all.contains("/MediaBox[0 0 273 348]"))
    #expect(file.all.contains("/BleedBox[18 18 255 330]"))
    #expect(file.all.contains("/TrimBox[24 24 249 324]"))
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `Glyphs of a face that may not be embedded are drawn as outlines, with their text unseen`() throws {
    let input = try book.page(
      "<p>abca</p>",
      style: try Self.restrictedFace + "p { font-family: F }")
    let result = run(input)
    #expect(result.error == nil)
    let warnings = result.diagnostics.diagnostics.filter { $0.code == "font-not-embedded" }
    #expect(warnings.count == 1 && warnings.first?.message.contains(" F ") == true)
    let file = try ReadPDF(path: book.path("book.pdf"))
    // A form for each of three glyphs, put down four times, and the text without ink above them.
    #expect(file.objects.values.count { $0.contains("/Subtype/Form") } == 3)
    #expect(file.contents.components(separatedBy: " Do Q").count == 5)
    #expect(file.contents.contains("3 Tr\n") && file.contents.contains("0 Tr\n"))
    let program = try #require(file.objects.first { $0.value.contains("/CIDFontType0C") }?.key)
    let embeddable = try pdf(try book.page("<p>abca</p>", style: "p { font-family: serif }"))
    #expect(embeddable.objects.values.allSatisfy { !$0.contains("/Subtype/Form") })
    #expect((file.streams[program]?.count ?? 0) < 200)
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `B12 Outlines of glyphs that may not be embedded are as wide as the glyphs`() throws {
    let input = try book.page(
      "<p>ab cab bac abc ab cab bac abc ab cab bac abc ab cab bac</p>",
      style: try Self.restrictedFace + "p { font: 10px F; width: 95px; text-align: justify }")
    let result = run(input) { $0.settings.micro = .on }
    #expect(result.error == nil)
    let scales = try ReadPDF(path: book.path("book.pdf")).contents
      .matches(of: /([\d.]+) 0 0 ([\d.]+) [\d. ]+ cm\/I/)
      .compactMap { match in Double(match.output.1).flatMap { width in Double(match.output.2).map { width / $0 } } }
    #expect(scales.contains { abs($0 - 1) > 0.004 } && scales.allSatisfy { abs($0 - 1) < 0.0201 })
  }

  /// A rule for the family F, whose face has a restricted licence (`fsType` 2).
  private static var restrictedFace: String {
    get throws {
      var font = try #require(RuleCase.font("Letters.ttf"))
      let name = Array("OS/2".utf8)
      let record = try #require(font.indices.first { font[$0...].starts(with: name) })
      let table = font[(record + 8)..<(record + 12)].reduce(0) { $0 << 8 | Int($1) }
      (font[table + 8], font[table + 9]) = (0, 2)
      let source = Data(font).base64EncodedString()
      return "@font-face { font-family: F; src: url(data:font/ttf;base64,\(source)) } "
    }
  }

  @Test func `Leaders are no text`() throws {
    let file = try pdf(
      try book.page("<style>p::after { content: leader('.') ' 7' }</style><p style=\"width: 200px\">One</p>"))
    #expect(file.contents.contains("/Artifact"))
  }

  @Test func `What keeps a book from a standard ends the run with its place, and without a file`() throws {
    let input = try book.epub(["<p>Text</p>\n<p><img src=\"\(TestBook.picture)\"/></p>"])
    let result = run(input) { $0.pdf?.standards = [.ua1] }
    #expect(result.error?.exitCode == 65)
    #expect(result.error?.part == "c0.xhtml")
    #expect(result.error?.reason.contains("picture") == true)
    #expect(!FileManager.default.fileExists(atPath: book.path("book.pdf")))
    #expect(run(input).error == nil)
  }

  @Test func `A page whose text says its language conforms, whatever its root says`() throws {
    let navigation = "<p><a href=\"#b\">Next</a></p>"
    let text = String(repeating: "<p>Text</p>", count: 8)
    let cases: [(body: String, code: Int32?)] = [
      ("<div lang=\"el\" id=\"b\">\(text)</div>", nil), ("<div id=\"b\" lang=\"el\"></div>\(text)", 65),
    ]
    for (body, code) in cases {
      let input = book.path("page.html")
      try Data("<title>Page</title>\(navigation)\(body)".utf8).write(to: URL(fileURLWithPath: input))
      #expect(run(input) { $0.pdf?.standards = [.ua1] }.error?.exitCode == code)
    }
  }

  @Test func `Standards and times are claimed as they were asked for`() throws {
    let input = try book.epub(["<p>Text</p>"])
    _ = run(input) {
      $0.pdf?.standards = [.a2a, .ua1]
      $0.pdf?.creationTime = 951_782_400
    }
    let file = try ReadPDF(path: book.path("book.pdf"))
    let metadata =
      file.streams.values.map { String(decoding: $0, as: UTF8.self) }.first { $0.contains("xpacket") } ?? ""
    #expect(metadata.contains("<pdfaid:conformance>A<"))
    #expect(metadata.contains("<pdfuaid:part>1<"))
    #expect(metadata.contains("<xmp:CreateDate>2000-02-29T00:00:00Z<"))
    #expect(file.all.contains("/CreationDate(D:20000229000000Z)"))
    #expect(file.all.contains("/Title(Test book)"))
  }

  @Test func `The library writes the same file as the command`() async throws {
    let input = try book.epub(
      ["<h1>One</h1><p>Text.</p>", "<p>More.</p>"], style: "@page { @bottom-center { content: counter(pages) } }")
    #expect(run(input).error == nil)
    let bytes = Bytes()
    try await Typesetter(book: Book(contentsOf: input)).pdf { bytes.append($0) }
    #expect(bytes.all == Array(try Data(contentsOf: URL(fileURLWithPath: book.path("book.pdf")))))
  }

  @Test func `The library writes the same file as one worker, whatever chapters are ready first`() async throws {
    let paragraph = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 60) + "</p>"
    let input = try book.epub(
      [9, 0, 1, 5, 0, 2, 1].map { $0 == 0 ? "" : "<h1>\($0)</h1>" + String(repeating: paragraph, count: $0) },
      style: "@page { @bottom-center { content: counter(page) '/' counter(pages) } } h1 { break-before: right }")
    #expect(run(input) { $0.jobs = 1 }.error == nil)
    let bytes = Bytes()
    try await Typesetter(book: Book(contentsOf: input)).pdf { bytes.append($0) }
    #expect(bytes.all == Array(try Data(contentsOf: URL(fileURLWithPath: book.path("book.pdf")))))
  }

  @Test func `What takes the bytes of the library ends the book`() async throws {
    struct Full: Error {}
    let paragraph = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 60) + "</p>"
    let book = try await Book(
      contentsOf: book.epub(
        (0..<5).map { _ in String(repeating: paragraph, count: 6) }, style: "p::after { content: counter(pages) }"))
    let typesetter = Typesetter(book: book)
    let pieces = Bytes()
    await #expect(throws: Full.self) {
      try await typesetter.pdf { bytes in
        pieces.append(Array(bytes.prefix(1)))
        if pieces.all.count == 3 { throw Full() }
      }
    }
    // Nothing comes after it.
    #expect(pieces.all.count == 3)
    let task = Task {
      try await typesetter.pdf { _ in }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The pages of the book are what they are.
    let page = try await Typesetter(book: book).page(0, of: 4)
    #expect(try await typesetter.page(0, of: 4).displayList == page.displayList)
  }

  @Test func `Of the faults that keep a book from a standard the first in the book is told`() throws {
    let paragraph = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 60) + "</p>"
    let picture = "<p><img src=\"\(TestBook.picture)\"/></p>"
    let input = try book.epub(["<p>One</p>", String(repeating: paragraph, count: 30) + picture, picture, picture])
    for jobs in [1, 4] {
      let error = run(input) {
        $0.jobs = jobs
        $0.pdf?.standards = .ua1
      }.error
      #expect(error?.kind == .nonconforming && error?.part == "c1.xhtml", "\(String(describing: error))")
    }
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `The library tells what the command warns of`() async throws {
    let input = try book.page(
      "<p>ab <a href='#nowhere'>ba</a></p>", style: try Self.restrictedFace + "p { font-family: F }")
    let command = run(input).diagnostics.diagnostics.filter { ["font-not-embedded", "dead-link"].contains($0.code) }
    let library = try await Typesetter(book: Book(contentsOf: input)).pdf { _ in }
    #expect(library.map(\.code) == ["font-not-embedded", "dead-link"])
    #expect(library == command)
  }

  /// What the pages of a document are in a PDF.
  private func tags(_ input: String) throws -> String {
    let output = TagOutput()
    var options = RunOptions(input: input)
    options.outputs = [output]
    let result = BookRun(options).run()
    if let error = result.error { throw error }
    return output.tags.joined(separator: "\n--\n")
  }

  @Test func `Words are apart where their lines end, and so are lines that are kept`() throws {
    let tags = try tags(
      try book.page(
        """
        <p style="width: 5em">one two<br/>three <b>four</b> five six</p><pre>seven
        eight</pre><p dir="rtl" lang="he" style="width: 3em">אבג דהו זחט</p>
        """))
    #expect(
      tags == """
        Sect/P: one two three four five six
        Sect/P: seven eight
        Sect/P lang=he: אבג דהו זחט
        """)
  }

  @Test func `Tags tell elements, pictures and links`() throws {
    let tags = try tags(
      try book.page(
        """
        <h1>A <a href="https://example.org/">link</a></h1>
        <table><tr><th colspan="2">b</th></tr></table><img src="\(TestBook.picture)" alt="dot"/>
        """))
    #expect(
      tags == """
        Sect/H1: A 
        Sect/H1/Link: link
        Sect/Table/TR/TH scope=Column columns=2: b
        Sect/Figure alt=dot: 
        Sect/H1/Link to https://example.org/: link
        """)
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `Content with a text of its own stands in no other content`() throws {
    let content = try pdf(
      try book.page(
        "<p lang='en' style='hyphens: manual; width: 3em'>ab\u{AD}abababababa\u{AD}bababab ba</p>", style: "")
    ).contents
    #expect(content.contains("/ActualText()>>BDC"))
    var depth = 0
    for line in content.split(separator: "\n") {
      if line.hasSuffix("BDC") || line.hasSuffix("BMC") { depth += 1 }
      if line.hasSuffix("EMC") { depth -= 1 }
      #expect((0...1).contains(depth))
    }
    #expect(content.components(separatedBy: "/MCID").count > 4)
  }

  @Test func `Ligatures are copied whole, in either direction`() throws {
    let text = "\u{644}\u{627} \u{627}\u{644}\u{623}\u{62F}"
    let tags = try tags(
      try book.page(
        "<p dir='rtl' lang='ar' style='font-family: DejaVu Sans'>\(text)</p><p style='font-family: DejaVu Sans'>office</p>"
      ))
    #expect(tags.contains(text))
    #expect(tags.contains("office"))
  }

  @Test func `Letters of a mathematical alphabet are copied as letters of that`() throws {
    let formula = """
      <math xmlns='http://www.w3.org/1998/Math/MathML' style='font-family: DejaVu Serif'>\
      <mi mathvariant='double-struck'>A</mi><mo>A</mo></math>
      """
    let file = try pdf(try book.page("<p>\(formula)</p>"))
    let maps = file.streams.values.map { String(decoding: $0, as: UTF8.self) }.filter { $0.contains("begincmap") }
    #expect(maps.contains { $0.contains("<D835DD38>") })
    #expect(maps.contains { $0.contains("<0041>") })
  }

  @Test func `Letters of a cluster are content behind one that stands for a text of its own`() throws {
    let content = try pdf(
      try book.page(
        "<p lang='hi'>\u{92B}\u{93C} \u{95E}\u{940} \u{915}</p>",
        style: "p { font-family: Noto Serif Devanagari }")
    ).contents
    #expect(content.contains("/ActualText"))
    var isInContent = false
    for line in content.split(separator: "\n") {
      if line.hasSuffix("BDC") || line.hasSuffix("BMC") { isInContent = true }
      if line.hasSuffix("EMC") { isInContent = false }
      if line.hasSuffix("Tj") || line.hasSuffix("TJ") { #expect(isInContent) }
    }
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `Transparent text is found, without ink`() throws {
    let content = try pdf(
      try book.page(
        """
        <p>a<span style="color: transparent">b</span><span style="visibility: hidden">c</span>d</p>
        """)
    ).contents
    #expect(content.components(separatedBy: "3 Tr\n").count == 2)
    // What follows is seen again.
    #expect(content.components(separatedBy: "0 Tr\n").count == 2)
    #expect(content.components(separatedBy: " Tr\n").last?.contains("3 Tr") == false)
  }

  @Test(.enabled(if: RuleCase.areFontsDrawn, "the fonts of the tests are not drawn"))
  func `Text of a drawing is found where the drawing shows it, without ink`() throws {
    let file = try pdf(
      try book.page(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="200" height="100" style="display: block"><defs><text>Not</text></defs>
        <g transform="translate(10 5)"><text x="10" y="20" font-size="8">Ab<tspan dx="2">c</tspan></text></g>
        <text transform="rotate(30)" x="5" y="5" font-size="8">de</text></svg>
        """,
        style: "body { margin: 0 } text { font-family: serif }"))
    let content = file.contents
    // (20, 25) of the drawing, which stands in the middle of its page, is (240, 400) of the page, 800 px high.
    #expect(content.contains("3 Tr\n") && content.contains("0 Tr\n"))
    let start = try #require(content.firstRange(of: "3 Tr\n"))
    #expect(content[start.upperBound...].contains("15360 \((800 - 400) * 64 - 2) Td"))
    #expect(content.contains(".866025 -.5 .5 .866025"))
    // The glyphs of the font have no outlines, as those of the drawing are seen.
    let program = try #require(file.objects.first { $0.value.contains("/CIDFontType0C") }?.key)
    #expect((file.streams[program]?.count ?? 0) < 250)
  }
}

private final class TagOutput: PageOutput {
  private struct State {
    var tags: [String] = []
    /// Of the chapter that is being taken.
    var pages: [TaggedPage] = []
  }
  private let state = Lock(State())
  /// By page.
  var tags: [String] { state.withLock { $0.tags } }
  var needs: PageNeeds { .tagged }
  func prepare(_ page: BookPage, _ tools: Void) -> TaggedPage? { page.tagged }
  func append(_ page: TaggedPage?, number: Int) {
    if let page { state.withLock { $0.pages.append(page) } }
  }
  func finish(_ chapter: BookChapter) {
    guard let structure = chapter.structure else { return }
    state.withLock { state in
      state.tags += state.pages.map { $0.tags(in: structure) }
      state.pages = []
    }
  }
}

private final class Bytes: Sendable {
  private let bytes = Lock<[UInt8]>([])
  var all: [UInt8] { bytes.withLock { $0 } }
  func append(_ new: some Sequence<UInt8>) { bytes.withLock { $0 += new } }
}
