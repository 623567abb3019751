import FoundationEssentials
import Testing

@testable import SnapshotHarness

extension LittleCorpus {
  /// Runs `typeset snapshot` in the corpus's folder.
  func snapshot(
    _ arguments: String, environment: [String: String] = [:]
  ) throws -> (code: ChildProcess.End, output: String) {
    let program = try #require(Self.program)
    var child = ChildProcess(["/bin/sh", "-c", "exec \(program) snapshot \(arguments)"], folder: folder.path)
    child.environment = ProcessInfo.processInfo.environment
    child.environment["HOME"] = folder.path
    child.environment.merge(environment) { _, new in new }
    let outcome = child.run()
    return (outcome.end, outcome.output)
  }
}

/// The index of a corpus, and runs by it.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct IndexTests {
  private func features(_ corpus: LittleCorpus, _ book: String) throws -> [String] {
    let read = try CorpusIndex.read(corpus.folder["index"], of: corpus.folder["books"])
    return try #require(read.facts[book]?.features).split(separator: " ").map(String.init)
  }

  @Test func `An index is brought up to date by the books that changed`() throws {
    let corpus = try LittleCorpus()
    func index() throws -> String { try corpus.snapshot("index books --out index").output }
    #expect(try index().contains("3 books, 3 read;"))
    let first = try #require(Files.read(corpus.folder["index"]))
    #expect(try index().contains("3 books, 0 read;"))
    #expect(Files.read(corpus.folder["index"]) == first)
    try Files.write("<!DOCTYPE html><title>two</title><ruby>x<rt>y</ruby>", to: corpus.folder["books/two.html"])
    Files.remove(corpus.folder["books/one.html"])
    #expect(try index().contains("2 books, 1 read, 1 gone;"))
    #expect(try features(corpus, "two") == ["css:hyphens", "ruby", "script:Latn"])
    // Another machine with the same books has the same bytes.
    let elsewhere = try LittleCorpus()
    for name in ["one", "two"] { Files.remove(elsewhere.folder["books/\(name).html"]) }
    let two = try #require(Files.read(corpus.folder["books/two.html"]))
    try Files.write(two, to: elsewhere.folder["books/two.html"])
    #expect(try elsewhere.snapshot("index books --out index --jobs 1").code == .exited(0))
    #expect(Files.read(elsewhere.folder["index"]) == Files.read(corpus.folder["index"]))
  }

  @Test func `What a book uses is found in its markup, sheets, and attributes`() throws {
    let corpus = try LittleCorpus()
    let books = [
      "plain": ("<p>Words</p>", ["script:Latn"]),
      "sheet": (
        "<style>@page{margin:1px} p::first-line{float:left;hyphens:auto}</style><p>a",
        [
          "css:::first-line", "css:@page", "css:hyphens", "floats", "script:Latn",
        ]
      ),
      "vertical": (
        "<body style='-epub-writing-mode: vertical-rl'>漢字", ["css:writing-mode", "script:Hani", "vertical"]
      ),
      "arabic": ("<p>سلام", ["bidi", "script:Arab"]),
      "boxes": (
        "<table></table><div style='display:inline-flex'></div><math></math><svg></svg>",
        [
          "css:border-spacing", "css:box-sizing", "css:hyphens", "css:math-style", "css:overflow-x", "css:overflow-y",
          "css:unicode-bidi", "flex", "images", "mathml", "svg", "tables",
        ]
      ),
      "old": (
        "<div align=right><table align=left cellspacing=3><td nowrap>x</table><pre>y</pre></div>",
        [
          "css:border-spacing", "css:box-sizing", "css:hyphens", "css:text-wrap-mode", "css:white-space-collapse",
          "floats",
          "script:Latn", "tables",
        ]
      ),
      "note": (
        "<aside epub:type='footnote'>x</aside><div style='display: grid; gap: 1px'>",
        [
          "css:column-gap", "css:gap", "css:row-gap", "grid", "notes", "script:Latn",
        ]
      ),
      // Of a shorthand what it sets to a value of its own; its name where no common property is set by it.
      "shorthands": (
        "<style>p { columns: 2; border: 1px solid; background: url(a.png); border-image: none; font: 1em serif }</style>",
        ["css:background-image", "css:border-image", "css:column-count", "css:columns"]
      ),
      // Sides of the flow are all sides that they may be.
      "sides": (
        "<style>p { margin-inline-start: 1em; inset-block-end: 1px }</style>",
        ["css:bottom", "css:left", "css:right"]
      ),
      // What has a value that cannot be known yet, or by this engine, and names that are not read.
      "unknown": (
        "<style>p { row-gap: var(--x); columns: some; -webkit-wibble: 1; float: none; hyph\\65ns: none }</style>",
        ["css:column-count", "css:column-width", "css:custom", "css:other", "css:row-gap", "css:wibble"]
      ),
      "nested": ("<style>@media print { div { & span { column-count: 2 } } }</style>", ["css:column-count"]),
      "linked": ("<link rel=stylesheet href=beside.css><p>a", ["css:orphans", "script:Latn"]),
    ]
    for (name, (body, _)) in books {
      try Files.write("<!DOCTYPE html><title></title>\(body)", to: corpus.folder["books/\(name).html"])
    }
    try Files.write("@import 'second.css';", to: corpus.folder["books/beside.css"])
    try Files.write("p { orphans: 3 }", to: corpus.folder["books/second.css"])
    #expect(try corpus.snapshot("index books --out index").code == .exited(0))
    for (name, (_, expected)) in books { #expect(try features(corpus, name) == expected, "\(name)") }
    // What lies beside a page is looked at too.
    try Files.write("p { widows: 3 }", to: corpus.folder["books/second.css"])
    #expect(try corpus.snapshot("index books --out index").output.contains("1 read"))
    #expect(try features(corpus, "linked") == ["css:widows", "script:Latn"])
  }

  @Test func `Plain texts use what the house style sets`() throws {
    let corpus = try LittleCorpus()
    try Files.write("First words.\n\nAnd more of them.\n", to: corpus.folder["books/text.txt"])
    #expect(try corpus.snapshot("index books --out index").code == .exited(0))
    #expect(try features(corpus, "text").contains("css:text-autospace"))
  }

  @Test func `A drawing that is a chapter uses what drawings are set by`() throws {
    let corpus = try LittleCorpus()
    let book = "books/drawing"
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: corpus.folder["\(book)/META-INF"]), withIntermediateDirectories: true)
    try Files.write("application/epub+zip", to: corpus.folder["\(book)/mimetype"])
    try Files.write(
      "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container' version='1.0'>"
        + "<rootfiles><rootfile full-path='p.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
      to: corpus.folder["\(book)/META-INF/container.xml"])
    try Files.write(
      "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><manifest>"
        + "<item id='a' href='a.svg' media-type='image/svg+xml'/></manifest><spine><itemref idref='a'/></spine></package>",
      to: corpus.folder["\(book)/p.opf"])
    try Files.write(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'><rect style='mask-mode: alpha'/></svg>",
      to: corpus.folder["\(book)/a.svg"])
    #expect(try corpus.snapshot("index books --out index").code == .exited(0))
    #expect(Set(["css:overflow-x", "css:mask-mode", "svg"]).isSubset(of: try features(corpus, "drawing")))
  }

  @Test func `A book that nobody can look into may use anything`() throws {
    let corpus = try LittleCorpus()
    // Dies of the second book it is given.
    let worker = try corpus.worker(
      """
      output=$(sed -n 's/.*"output":"\\([^"]*\\)".*/\\1/p' "$1")
      printf '10\\tscript:Latn\\t\\n' >>"$output"
      kill -9 $$
      """)
    let indexer = CorpusIndexer(corpus.folder["books"], path: corpus.folder["index"], worker: worker)
    #expect(try indexer.update().unknown == ["three"])
    let read = try CorpusIndex.read(corpus.folder["index"], of: corpus.folder["books"])
    #expect(read.facts["three"]?.features == nil && read.facts["two"]?.features == "script:Latn")
  }

  @Test func `A part reads its own books, and parts make the run that was not parted`() throws {
    let corpus = try LittleCorpus()
    try Files.write(
      "profiles:\n  - name: small\n    page: 300x400\n  - name: large\n    page: 600x800\n",
      to: corpus.folder["books/profiles.yaml"])
    #expect(try corpus.snapshot("index books --out index").code == .exited(0))
    #expect(try corpus.snapshot("render books --out whole --quiet").code == .exited(0))
    var parts: [String] = []
    for part in 1...3 {
      // A machine that has the books of its part alone.
      let lines = try corpus.snapshot("render books --index index --shard \(part)/3 --out part --dry-run").output
      let own = Set(lines.split(separator: "\n").compactMap { $0.split(separator: "\t").first })
      #expect(own.count < 3)
      let machine = corpus.folder["machine-\(part)"]
      for book in own {
        let name = "\(book).html"
        try Files.write(try #require(Files.read(corpus.folder["books/" + name])), to: Files.join(machine, name))
      }
      try Files.write(try #require(Files.read(corpus.folder["books/profiles.yaml"])), to: machine + "/profiles.yaml")
      let run = try corpus.snapshot(
        "render machine-\(part) --index index --shard auto --out part-\(part)",
        environment: ["CI_NODE_INDEX": "\(part)", "CI_NODE_TOTAL": "3"])
      #expect(run.code == .exited(0), "\(run.output)")
      parts.append("part-\(part)")
    }
    #expect(try corpus.snapshot("merge \(parts.joined(separator: " ")) --out merged").code == .exited(0))
    let (merged, whole) = (RunFolder(corpus.folder["merged"]), RunFolder(corpus.folder["whole"]))
    #expect(LittleCorpus.content(merged) == LittleCorpus.content(whole))
    #expect(try merged.manifest().units == whole.manifest().units)
    #expect(try merged.manifest().books.map(\.hash) == whole.manifest().books.map(\.hash))
    #expect(try corpus.snapshot("compare whole merged").output.contains("no difference"))
    // A part that was dealt out without the index is one of another run.
    #expect(try corpus.snapshot("render books --profile small --shard 3/3 --out other --quiet").code == .exited(0))
    let mixed = try corpus.snapshot("merge part-1 part-2 other --out mixed")
    #expect(mixed.code == .exited(69) && mixed.output.contains("other: it is a part of another run"))
  }

  @Test func `An index that is damaged, and a book that it does not know, are refused`() throws {
    let corpus = try LittleCorpus()
    #expect(try corpus.snapshot("index books --out index").code == .exited(0))
    let whole = try #require(Files.read(corpus.folder["index"]))
    let render = "render books --index index --profile phone --out run --quiet"
    for damaged in [[], Array(whole.dropLast(7)), Array(whole.dropLast()) + [0x20, 0x0A]] {
      try Files.write(damaged, to: corpus.folder["index"])
      let run = try corpus.snapshot(render)
      #expect(run.code == .exited(65) && run.output.contains("index: it is no index"), "\(run.output)")
    }
    try Files.write(whole, to: corpus.folder["index"])
    try Files.write("<!DOCTYPE html><title>two</title>Other words", to: corpus.folder["books/two.html"])
    let run = try corpus.snapshot(render)
    #expect(run.code == .exited(65) && run.output.contains("two.html: the book is another"), "\(run.output)")
    #expect(try corpus.snapshot("index books --out index").output.contains("1 read"))
    #expect(try corpus.snapshot(render).code == .exited(0))
    #expect(try corpus.snapshot("render books other --index index --out run").code == .exited(64))
    #expect(try corpus.snapshot("render books --index none --out run").code == .exited(66))
  }
}
