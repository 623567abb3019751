import BookOutput
import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct BookRunTests {
  private static let paragraph = "<p>" + String(repeating: "Lorem ipsum dolor sit amet. ", count: 60) + "</p>"

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Any number of workers makes the same bytes`() throws {
    let book = try TestBook()
    let input = try book.epub(
      (0..<7).map { "<h1>Chapter \($0)</h1>" + String(repeating: Self.paragraph, count: $0 + 1) })
    let outputs = try outputs(of: input, in: book)
    #expect(outputs[0].count > 9)
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].keys.contains("page-0001.png"))
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Page numbers, sides and running heads go on over chapters, whoever sets them`() throws {
    let book = try TestBook()
    let style = """
      @page { margin: 50px; @top-center { content: string(name) } @bottom-center { content: counter(page) '/' counter(pages) } }
      @page :left { margin-left: 200px } h1 { string-set: name content(); break-before: right }
      """
    let input = try book.epub(
      (0..<4).map { "<h1>Chapter \($0)</h1>" + String(repeating: Self.paragraph, count: $0 * 2 + 1) }, style: style)
    let outputs = try outputs(of: input, in: book)
    #expect(outputs[0] == outputs[1])
    let pages = try book.records(of: input).dropFirst()
    for page in pages {
      let all = page["lines"] as? [[String: Any]] ?? []
      let lines = all.filter { $0["marginBox"] == nil }
      let left = (lines.first?["box"] as? [Double])?.first
      let number = page["number"] as? Int ?? 0
      #expect(left == nil || left == (number & 1 == 0 ? 200 : 50))
      #expect(!lines.contains { ($0["text"] as? String)?.contains("/") ?? true })
      #expect(all.last?["text"] as? String == "\(number)/\(pages.count)")
    }
    // Running heads and page numbers are not the book's text.
    #expect(try !book.text(of: input).contains("/"))
    #expect(outputs[0].keys.filter { $0.hasSuffix("png") }.count == pages.count)
    // The total needs all pages even when only the first is wanted.
    var options = RunOptions(input: input)
    options.pages = book.path("first")
    options.only = NumberRange("1")
    _ = BookRun(options).run()
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: book.path("first/page-0001.png"))) == outputs[0]["page-0001.png"])
  }

  /// Every file of a run with one worker, and with four.
  private func outputs(of input: String, in book: TestBook) throws -> [[String: Data]] {
    var outputs: [[String: Data]] = []
    for jobs in [1, 4] {
      var options = RunOptions(input: input)
      options.pages = book.path("pages-\(jobs)")
      options.layout = .file(book.path("layout-\(jobs)"))
      options.text = .file(book.path("text-\(jobs)"))
      options.jobs = jobs
      #expect(BookRun(options).run().error == nil)
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: book.path("pages-\(jobs)")) {
        files[name] = try Data(contentsOf: URL(fileURLWithPath: book.path("pages-\(jobs)/\(name)")))
      }
      for name in ["layout", "text"] {
        files[name] = try Data(contentsOf: URL(fileURLWithPath: book.path("\(name)-\(jobs)")))
      }
      outputs.append(files)
    }
    return outputs
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Only the pages asked for are written, and other files stay`() throws {
    let book = try TestBook()
    let input = try book.epub([String(repeating: Self.paragraph, count: 12)])
    _ = try book.write("mine", to: "out/page-0001.png")
    var options = RunOptions(input: input)
    options.pages = book.path("out")
    options.only = NumberRange("2-3")
    let result = BookRun(options).run()
    #expect(result.pages == 3)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: book.path("out")).sorted() == [
        "page-0001.png", "page-0002.png", "page-0003.png",
      ])
    #expect(try String(contentsOfFile: book.path("out/page-0001.png"), encoding: .utf8) == "mine")
  }

  @Test(
    .enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"),
    arguments: ["1-3", "2-5", "4-", "7", "9-40"])
  func `Pages of a range are those of the whole book, whoever draws them`(_ range: String) throws {
    let book = try TestBook()
    let chapters = (1...12).map { $0 == 5 ? "" : String(repeating: Self.paragraph, count: $0 % 4 + 1) }
    let input = try book.epub(chapters, style: "@page { @bottom-center { content: counter(page) } }")
    func pages(_ only: NumberRange?, jobs: Int) throws -> (files: [String: Data], records: [Substring], count: Int) {
      let folder = book.path("\(only == nil ? "all" : range)-\(jobs)")
      var options = RunOptions(input: input)
      options.pages = folder
      options.layout = .file(folder + ".jsonl")
      options.only = only
      options.jobs = jobs
      let result = BookRun(options).run()
      #expect(result.error == nil)
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      }
      return (
        files, try String(contentsOfFile: folder + ".jsonl", encoding: .utf8).split(separator: "\n"), result.pages
      )
    }
    let only = try #require(NumberRange(range))
    let all = try pages(nil, jobs: 1)
    #expect(all.count > 9)
    let wanted = (1...all.count).filter { only.contains($0) }
    for jobs in [1, 2, 5] {
      let some = try pages(only, jobs: jobs)
      #expect(some.files.keys.sorted() == wanted.map { String(format: "page-%04d.png", $0) })
      #expect(some.files.allSatisfy { all.files[$0.key] == $0.value })
      #expect(some.records.dropFirst() == ArraySlice(wanted.map { all.records[$0] }))
      #expect(some.count == Swift.min(only.last ?? .max, all.count))
    }
  }

  /// Styles and bodies with things that the first page could have from the far end of a chapter.
  @Test(
    .enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"),
    arguments: [
      ("", "<div>", "</div>", true), ("p:last-child { color: red }", "<div>", "</div>", true),
      ("p:last-of-type { text-indent: 9em }", "<div>", "</div>", false),
      ("p:nth-last-child(odd) { margin: 1em }", "", "", false),
      ("div:has(.late) { margin: 1em }", "<div>", "</div>", false),
      ("div { width: max-content }", "<div>", "</div>", false), ("div { columns: 2 }", "<div>", "</div>", false),
      ("div { float: left }", "<div>", "</div>", false), ("p { display: table-row }", "<div>", "</div>", false),
      ("p { display: inline }", "", "", false), ("body { break-inside: avoid }", "", "", false),
      ("div { background: silver; border: 2px solid; box-decoration-break: clone }", "<div>", "</div>", true),
      ("@page { @bottom-center { content: counter(pages) } }", "", "", false),
      ("p { position: relative } .late { position: absolute; top: 0 }", "", "", true),
      (
        "p { counter-increment: p } p::before { content: counter(p) } p:first-child { break-after: page }", "", "", true
      ),
    ]) func `The first page of a huge chapter is that of the whole`(
      style: String, start: String, end: String, isShort: Bool
    ) throws
  {
    let book = try TestBook()
    let paragraphs = (0..<2000).map {
      "<p>\($0). " + String(repeating: "Lorem ipsum dolor sit amet. ", count: 6) + "</p>"
    }
    let input = try book.epub(
      [start + paragraphs.joined(separator: "\n") + "<p class='late'>late</p>" + end], style: style)
    func firstPage(only: NumberRange?) throws -> (page: Data, record: NSDictionary?, characters: Int) {
      var options = RunOptions(input: input)
      options.pages = book.path("pages")
      options.layout = .file(book.path("layout"))
      options.statistics = .file(book.path("statistics"))
      options.only = only
      #expect(BookRun(options).run().error == nil)
      let record = try String(contentsOfFile: book.path("layout"), encoding: .utf8).split(separator: "\n").dropFirst()
        .first
      let statistics = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: book.path("statistics"))))
      return (
        try Data(contentsOf: URL(fileURLWithPath: book.path("pages/page-0001.png"))),
        try JSONSerialization.jsonObject(with: Data((record ?? "").utf8)) as? NSDictionary,
        (statistics as? [String: Any])?["characters"] as? Int ?? 0
      )
    }
    let short = try firstPage(only: NumberRange("1"))
    let whole = try firstPage(only: NumberRange("1-5"))
    #expect(short.page == whole.page)
    #expect(short.record == whole.record)
    #expect((short.characters < whole.characters / 2) == isShort)
  }

  @Test func `A chapter with nothing in it has no page, a book has at least one`() throws {
    let book = try TestBook()
    let records = try book.records(of: book.epub(["<p>One</p>", "", "<p>Two</p>"]))
    #expect(records.count == 3)
    let empty = try TestBook()
    #expect(try empty.records(of: empty.epub([""])).count == 2)
  }

  @Test func `A language without hyphenation patterns is told once a book, with the number of its chapters`() throws {
    let book = try TestBook()
    let input = try book.epub(
      Array(
        repeating: "<p lang='qtz' xml:lang='qtz'>Some words of a language that nobody has patterns for</p>", count: 3),
      style: "p { hyphens: auto; width: 100px }")
    var options = RunOptions(input: input)
    options.layout = .file(book.path("layout"))
    for jobs in [1, 4] {
      options.jobs = jobs
      let found = BookRun(options).run().diagnostics.counted
      #expect(found.map(\.diagnostic.message) == ["there are no hyphenation patterns for the language qtz"])
      #expect(found.map(\.diagnostic.resource) == [""])
      #expect(found.map(\.count) == [3])
    }
  }

  @Test(arguments: ["zh-Hans", "ja", "ko", "he", "ar", "th"])
  func `Hyphens that a language does not have are not missed`(_ language: String) throws {
    let book = try TestBook()
    let input = try book.epub(
      ["<p lang='\(language)' xml:lang='\(language)'>Words</p>"], style: "p { hyphens: auto; width: 100px }")
    var options = RunOptions(input: input)
    options.layout = .file(book.path("layout"))
    #expect(BookRun(options).run().diagnostics.counted.map(\.diagnostic.message) == [])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) func `Errors have their kinds`()
    throws
  {
    let book = try TestBook()
    func error(_ input: String, _ change: (inout RunOptions) -> Void = { _ in }) -> BookError? {
      var options = RunOptions(input: input)
      options.pages = book.path("pages")
      change(&options)
      return BookRun(options).run().error
    }
    #expect(error(book.path("none.epub"))?.exitCode == 66)
    #expect(error(try book.write("", to: "empty.epub"))?.exitCode == 65)
    let good = try book.page("<p>x</p>")
    let file = try book.write("", to: "file")
    #expect(error(good) { $0.pages = file + "/pages" }?.exitCode == 73)
    #expect(
      error(good) {
        $0.pages = nil; $0.layout = .file(book.path("no/such/folder"))
      }?.exitCode == 73)
    let long = try book.epub([String(repeating: Self.paragraph, count: 400)])
    #expect(error(long) { $0.bounds.seconds = 0.01 }?.exitCode == 75)
    #expect(error(good) == nil)
  }

  @Test func `Blocks of text are separated by blank lines, cells by tabs`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<h1>Title</h1><p>One<br/>two</p><table><tr><th>a</th><td>b</td></tr><tr><td>c</td><td>d</td></tr></table><p>End</p>"
    )
    #expect(try book.text(of: input) == "Title\n\nOne\ntwo\n\na\tb\nc\td\n\nEnd\n")
  }

  @Test func `A formula reads on in its line, limits after their operator`() throws {
    let book = try TestBook()
    let input = try book.page(
      "<math display='block'><mi>s</mi><mo>=</mo><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>w</mi></math>"
    )
    #expect(try book.text(of: input) == "s=∑inw\n")
  }

  @Test func `Statistics have the agreed keys`() throws {
    let book = try TestBook()
    var options = RunOptions(input: try book.page("<p>Some words</p>"))
    options.statistics = .file(book.path("stats"))
    #expect(BookRun(options).run().error == nil)
    let data = try Data(contentsOf: URL(fileURLWithPath: book.path("stats")))
    let stats = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    for key in [
      "pages", "chapters", "paragraphs", "characters", "runs", "attributes.unique", "attributes.lookups",
      "attributes.probes", "attributes.longestProbe", "styles.unique", "styles.sharedHits", "shaping.words",
      "shaping.cacheHits", "glyphs.drawn", "glyphs.rasterised", "glyphs.missing", "time.open", "time.parse",
      "time.style",
      "time.shape", "time.layout", "time.paint", "time.encode", "time.total", "time.wall", "time.firstPage",
      "memory.peakBytes",
    ] {
      #expect(stats[key] != nil, "\(key)")
    }
  }

  @Test func `Ranges are read`() {
    #expect(NumberRange("3") == NumberRange(first: 3, last: 3))
    #expect(NumberRange("3-9") == NumberRange(first: 3, last: 9))
    #expect(NumberRange("12-") == NumberRange(first: 12, last: nil))
    for text in ["", "-", "0", "9-3", "a", "1-b", "1,2"] { #expect(NumberRange(text) == nil, "\(text)") }
  }
}
