import FoundationEssentials
import Testing
import Typesetting

@testable import SnapshotHarness

/// Ways in which a gate could be green though it watched nothing: each is an exit code or a line of the verdict.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct GateEvasionTests {
  private let corpus: LittleCorpus
  private let books: String
  private let store: String
  private let run: RunFolder

  init() throws {
    corpus = try LittleCorpus()
    books = corpus.folder["books"]
    store = corpus.folder["store"]
    run = RunFolder(corpus.folder["run"])
    try profile("")
  }

  /// The only profile, with lines of its own.
  private func profile(_ lines: String) throws {
    try Files.write(
      "profiles:\n  - name: ereader\n    page: 600x800\n\(lines)", to: Files.join(books, "profiles.yaml"))
  }

  /// Runs a verb as a process.
  private func snapshot(_ arguments: [String]) throws -> (code: Int, output: String) {
    let outcome = ChildProcess([try #require(LittleCorpus.program), "snapshot"] + arguments, folder: books).run()
    guard case .exited(let code) = outcome.end else { return (-1, outcome.output) }
    return (code, outcome.output)
  }

  private func record(_ options: String...) throws -> (code: Int, output: String) {
    try snapshot(["record", books, "--into", store, "--out", run.path] + options)
  }

  private func verify(_ options: String...) throws -> (code: Int, output: String) {
    try snapshot(["verify", books, "--against", store, "--out", run.path] + options)
  }

  /// A book that is set last of all where work is dealt out by size, unless it is large.
  private func writeBrokenBook() throws {
    try Files.write([UInt8](repeating: 7, count: 1 << 20), to: Files.join(books, "broken.epub"))
  }

  @Test func `A verify that ends with an error leaves no verdict of the run before`() throws {
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
    #expect(try snapshot(["status", run.path, "--gate"]).code == 0)
    try Files.write("damaged", to: Files.join(store, "units/ereader/two.txt"))
    #expect(try verify().code == 65)
    let status = try snapshot(["status", run.path, "--gate"])
    #expect(status.code == 1)
    #expect(status.output.contains("the run has not been compared"))
    #expect(!Files.exists(run.comparisonPath) && !Files.exists(run.summaryPath))
    #expect(try snapshot(["accept", run.path, "--all", "--reason", "fine", "--store", store]).code != 0)
  }

  @Test func `A failure that is expected does not stop the rest`() throws {
    try writeBrokenBook()
    #expect(try record("--allow-failures").code == 0)
    let sheet = corpus.folder["left.css"]
    try Files.write("p { margin-left: 3px }", to: sheet)
    #expect(try verify("--fail-fast", "--jobs", "1", "--user-css", sheet).code == 1)
    // One that is new does, and what was not set is told.
    Files.remove(Files.join(store, "units/ereader/broken.txt"))
    Files.remove(Files.join(store, "units.txt"))
    // Nobody knows how long books take.
    Files.remove(Files.join(store, "history.ndjson"))
    Files.remove(run.path)
    let stopped = try verify("--fail-fast", "--jobs", "1")
    #expect(stopped.code == 66)
    #expect(stopped.output.contains("--fail-fast: 3 units of 4 were not set"))
  }

  @Test func `Reports for services tell of what was not compared`() throws {
    #expect(try record().code == 0)
    try Files.write("<!DOCTYPE html><p>A new book.", to: Files.join(books, "four.html"))
    #expect(try verify().code == 66)
    let files = ["junit", "gitlab", "sarif", "markdown"].map { ("--" + $0, corpus.folder["report.\($0)"]) }
    let report = try snapshot(["report", run.path, "--github"] + files.flatMap { [$0.0, $0.1] })
    #expect(report.code == 0)
    #expect(report.output.contains("::error title=missing-baseline::1 unit without a baseline"))
    let texts = try files.map { try #require(Files.text($0.1)) }
    #expect(texts[0].contains("errors=\"1\"") && texts[0].contains("<error type=\"missing-baseline\""))
    #expect(texts[1].contains("typeset.missing-baseline") && texts[1].contains("blocker"))
    #expect(texts[2].contains("missing-baseline") && texts[2].contains("\"level\" : \"error\""))
    #expect(texts[3].contains("## 1 unit without a baseline"))
    for text in texts { #expect(!text.contains("No difference")) }
  }

  @Test func `What is chosen and is not there is an error, and a choice is told`() throws {
    #expect(try record().code == 0)
    #expect(try verify("--only", "nobody").code == 66)
    #expect(try verify("--only", "three:99").code == 66)
    #expect(try verify("--only", "three:1").code == 0)
    let limited = try verify("--limit", "1")
    #expect(limited.code == 0)
    #expect(limited.output.contains("1 of the corpus's 3 units were chosen"))
    #expect(try verify().code == 0)
    let failed = try verify("--failed")
    #expect(failed.code == 66)
    #expect(failed.output.contains("no book failed"))
  }

  @Test func `A gate that watches less than its baseline says so`() throws {
    #expect(try record().code == 0)
    try profile("    pdf: false\n")
    let fewer = try verify("--all-pixels")
    #expect(fewer.code == 0)
    #expect(fewer.output.contains("what pages are in a PDF and the text of books are no longer compared"))
    #expect(fewer.output.contains("have no pixels to compare with"))
  }

  @Test func `Pages within a tolerance are counted`() throws {
    #expect(try record().code == 0)
    try profile("    tolerance: { max-channel: 4 }\n")
    let sheet = corpus.folder["grey.css"]
    try Files.write("p { background: #fefefe }", to: sheet)
    let tolerated = try verify("--user-css", sheet)
    #expect(tolerated.code == 0)
    #expect(tolerated.output.contains("differ within the tolerance"))
  }

  @Test func `A book that is removed with its baseline is missed`() throws {
    #expect(try record().code == 0)
    Files.remove(Files.join(books, "two.html"))
    Files.remove(Files.join(store, "units/ereader/two.txt"))
    let missed = try verify()
    #expect(missed.code == 65)
    #expect(missed.output.contains("units/ereader/two.txt: units.txt lists it"))
    // Recorded anew it is gone for good.
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
  }

  @Test func `A failure is no baseline unless somebody says so`() throws {
    try writeBrokenBook()
    let refused = try record()
    #expect(refused.code == 3)
    #expect(refused.output.contains("broken (ereader): rejected"))
    #expect(!SnapshotStore.isStore(store))
    #expect(try record("--allow-failures").code == 0)
    // It fails in the baseline now.
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
  }

  @Test func `A pointer of Git LFS is no book`() throws {
    try Files.write(
      "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", to: Files.join(books, "four.epub"))
    let refused = try record()
    #expect(refused.code == 65)
    #expect(refused.output.contains("git lfs pull"))
  }

  @Test func `Recording does not close a regression without a word`() throws {
    #expect(try record().code == 0)
    let sheet = corpus.folder["left.css"]
    try Files.write("p { margin-left: 3px }", to: sheet)
    #expect(try verify("--user-css", sheet).code == 1)
    #expect(try snapshot(["reject", run.path, "--all", "--reason", "too far right"]).code == 0)
    let refused = try record("--user-css", sheet)
    #expect(refused.code == 1)
    #expect(refused.output.contains("too far right"))
    #expect(try record("--user-css", sheet, "--close-regressions").code == 0)
    #expect(try verify("--user-css", sheet).code == 0)
  }

  /// A book whose pages look alike whatever its links, roles and languages say.
  private func writeLinkedBook(_ change: (String) -> String = { $0 }) throws {
    let body = """
      <h2 id="a">A heading</h2><p>Text with <a href="#a">a link</a> and <span lang="de">ein Wort</span>.</p>
      <p role="note">A note.</p><p id="b">The end, and <img src="dot.svg" alt="a dot">.</p><p lang="it">Ed ecco.</p>
      """
    let dot =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><circle cx=\"4\" cy=\"4\" r=\"3\"/></svg>"
    try Files.write(dot, to: Files.join(books, "dot.svg"))
    let document = "<!DOCTYPE html><html lang=\"en\"><title>Linked</title><body>\(body)"
    try Files.write(change(document), to: Files.join(books, "linked.html"))
  }

  @Test(arguments: [
    ("href=\"#a\"", "href=\"#b\"", ChangeClass.link), ("alt=\"a dot\"", "alt=\"a spot\"", .image),
    ("role=\"note\"", "role=\"region\"", .metadata), ("<h2 ", "<h2 aria-level=\"3\" ", .metadata),
    ("lang=\"it\"", "lang=\"it-CH\"", .metadata),
  ]) func `What a page tells of its links, pictures, roles and languages is compared`(
    _ old: String, _ new: String, _ kind: ChangeClass
  ) throws {
    try writeLinkedBook()
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
    try writeLinkedBook { $0.replacing(old, with: new) }
    #expect(try verify().code == 1)
    let clusters = try #require(run.comparison()).clusters
    #expect(
      clusters.contains { $0.kind == kind && $0.summary.hasPrefix("changed book: ") }, "\(clusters.map(\.summary))")
    #expect(try snapshot(["accept", run.path, "--all", "--reason", "meant", "--store", store]).code == 0)
    #expect(try verify().code == 0)
  }

  @Test func `A book is set again when what stands beside it changes`() throws {
    let page = "<!DOCTYPE html><link rel=stylesheet href=sheet.css><p>Text <img src=dot.svg alt=dot>"
    try Files.write(page, to: Files.join(books, "page.html"))
    try Files.write("Text ![dot](dot.svg)", to: Files.join(books, "note.md"))
    func draw(_ radius: Int) -> String {
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\">"
        + "<circle cx=\"9\" cy=\"9\" r=\"\(radius)\"/></svg>"
    }
    try Files.write("p { margin-left: 1px }", to: Files.join(books, "sheet.css"))
    try Files.write(draw(3), to: Files.join(books, "dot.svg"))
    #expect(try record().code == 0)
    #expect(try verify().output.contains(" 0 rendered"))
    try Files.write("p { margin-left: 4px }", to: Files.join(books, "sheet.css"))
    let sheet = try verify()
    #expect(sheet.code == 1 && sheet.output.contains(" 1 rendered") && sheet.output.contains("changed books: page;"))
    try Files.write(draw(8), to: Files.join(books, "dot.svg"))
    let picture = try verify()
    #expect(picture.code == 1 && picture.output.contains(" 2 rendered"))
    #expect(picture.output.contains("changed books: note, page;"))
    // One that was missing may come.
    Files.remove(Files.join(books, "dot.svg"))
    #expect(try verify().output.contains(" 2 rendered"))
    try Files.write(draw(3), to: Files.join(books, "dot.svg"))
    #expect(try verify().output.contains(" 2 rendered"))
  }

  @Test func `Books are set again when a font is installed`() throws {
    let home = corpus.folder["home"]
    try Files.makeFolder(Files.join(home, ".fonts"))
    func verify() throws -> String {
      var child = ChildProcess(
        [
          try #require(LittleCorpus.program), "snapshot", "verify", books, "--against", store, "--out", run.path,
          "--init",
        ],
        folder: books)
      child.environment["HOME"] = home
      return child.run().output
    }
    _ = try verify()
    #expect(try verify().contains(" 0 rendered"))
    try Files.write("no font", to: Files.join(home, ".fonts/new.ttf"))
    #expect(try verify().contains(" 3 rendered"))
  }

  /// Pages look alike, and a link of one leads to another place.
  @Test func `What a PDF is beyond how it looks is compared by its bytes`() throws {
    func leadToNote(_ document: String) -> String { document.replacing("href=\"#a\"", with: "href=\"#b\"") }
    try writeLinkedBook(leadToNote)
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
    try writeLinkedBook { leadToNote($0).replacing("id=\"b\"", with: "id=\"elsewhere\"") }
    #expect(try verify().code == 1)
    let clusters = try #require(run.comparison()).clusters
    let linked = clusters.first { $0.kind == .taggingChanged }
    // Without its place the link leads to the beginning of the chapter.
    #expect(linked?.summary.contains("place c1#b at ") == true, "\(clusters.map(\.summary))")
  }

  /// A place that the contents name goes with its entry there.
  @Test func `A place of the contents that is another one is a change of these`() throws {
    try writeLinkedBook()
    #expect(try record().code == 0)
    try writeLinkedBook { $0.replacing("id=\"a\"", with: "id=\"elsewhere\"") }
    #expect(try verify().code == 1)
    let clusters = try #require(run.comparison()).clusters
    #expect(clusters.map(\.summary) == ["changed book: table of contents changed"])
  }

  @Test func `PDFs are read under the first profile, and under those that ask for it`() throws {
    try Files.write(
      "profiles:\n  - name: one\n  - name: two\n  - name: three\n    pdf: true\n",
      to: Files.join(books, "profiles.yaml"))
    #expect(try record().code == 0)
    for (profile, isRead) in [("one", true), ("two", false), ("three", true)] {
      let unit = try #require(SnapshotStore(store).source(UnitKey(book: "three", profile: profile)))
      #expect(unit.result.pages.allSatisfy { ($0.pdf != 0) == isRead } && (unit.file.beyond != nil) == isRead)
    }
  }

  @Test func `Contents, metadata and text are compared`() throws {
    try writeLinkedBook()
    #expect(try record().code == 0)
    try writeLinkedBook { $0.replacing("<title>Linked", with: "<title>Linked<meta name=author content=Nobody>") }
    _ = try verify()
    // The heading is no entry of the contents and of the outline any more, though it looks like one.
    let style = "style=\"font-size: 1.5em; font-weight: bold; margin: .83em 0\""
    try writeLinkedBook {
      $0.replacing("<h2 id", with: "<p \(style) id").replacing("heading</h2>", with: "heading</p>")
    }
    #expect(try verify().code == 1)
    let summaries = try #require(run.comparison()).clusters.filter { $0.kind == .beyondPages }.map(\.summary)
    #expect(summaries.contains("changed book: table of contents gone"), "\(summaries)")
    #expect(summaries.contains("changed book: outline of PDFs gone"))
    #expect(try snapshot(["accept", run.path, "--all", "--reason", "meant", "--store", store]).code == 0)
    #expect(try verify().code == 0)
  }

  @Test func `Contents and metadata are compared where no PDF is written`() throws {
    try profile("    pdf: false\n")
    try writeLinkedBook()
    #expect(try record().code == 0)
    #expect(try verify().code == 0)
    func summaries() throws -> [String] {
      try #require(run.comparison()).clusters.filter { $0.kind == .beyondPages }.map(\.summary)
    }
    try writeLinkedBook { $0.replacing("<title>Linked", with: "<title>Linked again") }
    #expect(try verify().code == 1)
    #expect(try summaries().contains { $0.hasPrefix("changed book: metadata changed: ") })
    try writeLinkedBook { $0.replacing("h2", with: "p") }
    #expect(try verify().code == 1)
    #expect(try summaries().contains("changed book: table of contents gone"))
    // What a PDF tells is new, and no difference.
    try writeLinkedBook()
    try profile("")
    #expect(try verify().code == 0)
  }

  @Test func `The last line tells what was not compared`() throws {
    #expect(try record().code == 0)
    try Files.write("<!DOCTYPE html><p>A new book.", to: Files.join(books, "four.html"))
    let verified = try verify()
    #expect(verified.code == 66)
    #expect(verified.output.contains("no difference in what was compared; 1 unit without a baseline"))
  }

  @Test func `What is accepted for the future has a cause and a bound`() throws {
    try profile("    hyphenate: \"on\"\n    justify: \"on\"\n")
    for name in ["one", "two", "three"] { Files.remove(Files.join(books, "\(name).html")) }
    let words = ["administration", "representative", "characteristic", "configuration", "immediately", "development"]
    func write(_ book: String, _ paragraphs: Int) throws {
      let text = (0..<paragraphs).map { number in
        "<p>" + (0..<40).map { words[($0 * 5 + number * 7 + $0 / 3) % words.count] }.joined(separator: " ")
      }
      try Files.write(
        "<!DOCTYPE html><html lang=en><title>\(book)</title><body>" + text.joined(),
        to: Files.join(books, "\(book).html"))
    }
    for book in ["one", "two", "three"] { try write(book, 30) }
    #expect(try record().code == 0)
    let sheet = corpus.folder["hyphens.css"]
    try Files.write("* { hyphenate-limit-chars: 5 4 2 !important }", to: sheet)
    #expect(try verify("--user-css", sheet).code == 1)
    let strict = try #require(run.comparison()).clusters
    #expect(
      strict.contains {
        $0.kind == .hyphensChanged && $0.summary.contains(" letters ") && $0.summary.contains(" before them")
      },
      "\(strict.map(\.summary))")
    #expect(try snapshot(["accept", run.path, "--all", "--reason", "rule", "--also-future"]).code == 0)
    #expect(try verify("--user-css", sheet).code == 0)
    // An engine that divides no word is another cause, on more pages.
    try Files.write("* { hyphenate-limit-chars: 99 2 2 !important }", to: sheet)
    #expect(try verify("--user-css", sheet).code == 1)
    let off = try #require(run.comparison()).clusters
    #expect(off.first { $0.decision == nil }?.kind == .hyphensChanged, "\(off.map { ($0.summary, $0.decision) })")
  }

  @Test func `Books are called by their names, whatever script these are in`() throws {
    for name in ["紅樓夢", "吾輩は猫である", "Žluťoučký kůň", "दफ़्तर"] {
      try Files.write("<!DOCTYPE html><title>t</title><p>A book.", to: Files.join(books, "\(name).html"))
    }
    #expect(try record().code == 0)
    #expect(
      Set(SnapshotStore(store).units().map(\.book)).isSuperset(of: ["紅樓夢", "吾輩は猫である", "Žluťoučký-kůň", "दफ़्तर"]))
    #expect(try verify().code == 0)
    try Files.write("<!DOCTYPE html><title>t</title><p>Another.", to: Files.join(books, "紅樓夢.html"))
    #expect(try verify().code == 1)
    let cluster = try #require(run.comparison()?.clusters.first)
    #expect(cluster.members.map(\.key.book) == ["紅樓夢"])
    #expect(Files.text(run.reportPath)?.contains("紅樓夢") == true)
    // A beginning of a cluster's id is enough.
    let accept = ["accept", run.path, "--cluster", String(cluster.id.prefix(5)), "--reason", "r", "--store", store]
    #expect(try snapshot(accept).code == 0)
    #expect(try snapshot(["accept", run.path, "--cluster", "zzzz", "--reason", "r"]).code == 64)
  }

  @Test func `A run in a folder of its own name is no matter of Git`() throws {
    let folder = corpus.folder[".snapshot/run"]
    #expect(try snapshot(["render", books, "--out", folder]).code == 0)
    #expect(Files.text(corpus.folder[".snapshot/.gitignore"]) == "*\n")
  }

  @Test func `What may be meant for a book and is left out is named`() throws {
    try Files.write("x", to: Files.join(books, "novel.epub3"))
    try FileManager.default.createSymbolicLink(
      atPath: Files.join(books, "away.epub"), withDestinationPath: Files.join(books, "nowhere.epub"))
    try Files.write("<p>Draft", to: Files.join(books, ".drafts/draft.html"))
    let output = try record().output
    for text in ["novel.epub3", "away.epub: the link leads nowhere", ".drafts: books in a hidden folder"] {
      #expect(output.contains(text))
    }
  }
}
