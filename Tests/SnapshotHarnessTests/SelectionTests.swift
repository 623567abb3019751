import FoundationEssentials
import Testing

@testable import SnapshotHarness

/// Runs of some units: by what books use, by samples, by another run, and without blocked ones.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct SelectionTests {
  private static let one = "--profile ereader --quiet"

  private func listed(_ corpus: LittleCorpus, _ options: String) throws -> [String] {
    let run = try corpus.snapshot("render books --profile ereader --dry-run --out none \(options)")
    #expect(run.code == .exited(0), "\(run.output)")
    return run.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
  }

  @Test func `Books are chosen by what they use`() throws {
    let corpus = try LittleCorpus()
    try Files.write("<!DOCTYPE html><title>r</title><ruby>x<rt>y</ruby>", to: corpus.folder["books/ruby.html"])
    try Files.write("<!DOCTYPE html><title>t</title><table><td>x</table>", to: corpus.folder["books/table.html"])
    #expect(try corpus.snapshot("render books --uses ruby --out none").code == .exited(64))
    #expect(try corpus.snapshot("index books --out index --quiet").code == .exited(0))
    #expect(try listed(corpus, "--index index --uses ruby") == ["ruby"])
    #expect(try listed(corpus, "--index index --uses ruby,tables") == ["ruby", "table"])
    #expect(try listed(corpus, "--index index --uses ruby --uses tables --grep tab") == ["table"])
    #expect(try listed(corpus, "--index index --uses script:Latn").count == 5)
    #expect(try corpus.snapshot("render books --index index --uses flex --out none").code == .exited(66))
  }

  @Test func `A property is found by whatever name sets it`() throws {
    let corpus = try LittleCorpus()
    let sheets = [
      "gap": "gap: 1em", "columns": "columns: 2 20em", "inset": "inset: 1px", "start": "inset-inline-start: 1px",
      "spaces": "white-space: pre-wrap", "all": "gap: normal",
    ]
    for (name, sheet) in sheets {
      try Files.write(
        "<!DOCTYPE html><title>\(name)</title><p style='\(sheet)'>x", to: corpus.folder["books/\(name).html"])
    }
    try Files.write("<!DOCTYPE html><title>pre</title><pre>x</pre>", to: corpus.folder["books/pre.html"])
    #expect(try corpus.snapshot("index books --out index --quiet").code == .exited(0))
    func found(_ uses: String) throws -> [String] { try listed(corpus, "--index index --uses \(uses)") }
    #expect(try found("css:column-gap") == ["gap"])
    #expect(try found("css:grid-gap") == ["all", "gap"])
    #expect(try found("css:column-width") == ["columns"])
    #expect(try found("css:inset-inline-end") == ["inset", "start"])
    #expect(try found("css:bottom") == ["inset", "start"])
    #expect(try found("css:white-space") == ["pre", "spaces"])
    // What nearly all books have, by one name or another.
    for name in ["margin-inline-start", "margin", "background", "all"] {
      #expect(try found("css:\(name)").count == sheets.count + 4, "\(name)")
    }
  }

  @Test func `A sample has of everything, and is the same each time`() {
    let books = (0..<2000).map { "book-\($0)" }
    func features(_ book: String) -> String? {
      let number = Int(book.dropFirst(5)) ?? 0
      return number == 77 ? nil : "common" + (number % 100 == 3 ? " rare" : "") + (number == 1234 ? " single" : "")
    }
    let chosen = BookSample.choose(books, features: features, share: 0.01)
    #expect(chosen == BookSample.choose(books.reversed(), features: features, share: 0.01))
    #expect(chosen.contains("book-1234") && chosen.contains("book-77"))
    #expect(chosen.contains { features($0)?.contains("rare") == true })
    #expect((20...25).contains(chosen.count))
    // Books that come move few others.
    let later = BookSample.choose(books + ["new-1", "new-2"], features: features, share: 0.01)
    #expect(later.intersection(chosen).count >= chosen.count - 2)
    #expect(BookSample.choose(books, features: features, share: 1) == Set(books))
  }

  @Test func `What differed, failed, or is missing is rendered again alone`() throws {
    let corpus = try LittleCorpus()
    try Files.write("no book", to: corpus.folder["books/four.epub"])
    #expect(try corpus.snapshot("record books \(Self.one) --into store --out base --allow-failures").code == .exited(0))
    try Files.write("<!DOCTYPE html><title>two</title>Other words", to: corpus.folder["books/two.html"])
    #expect(try corpus.snapshot("verify books \(Self.one) --against store --out first").code == .exited(1))
    #expect(try listed(corpus, "--retry first") == ["four", "two"])
    let again = try corpus.snapshot("verify books --profile ereader --against store --out again --retry first")
    #expect(again.code == .exited(1) && again.output.contains("2 units, "), "\(again.output)")
    #expect(!again.output.contains("gone from the corpus"))
    #expect(again.output.contains("2 of the corpus's 12 units were chosen"), "\(again.output)")
    #expect(try corpus.snapshot("verify books --against store --out again --retry again").code == .exited(64))
    #expect(try corpus.snapshot("render books --retry none --out other").code == .exited(66))
  }

  @Test func `A blocked book is left out until its day, and the report says why`() throws {
    let corpus = try LittleCorpus()
    #expect(try corpus.snapshot("record books \(Self.one) --into store --out base").code == .exited(0))
    func block(_ text: String) throws { try Files.write("blocked:\n\(text)", to: corpus.folder["books/blocked.yaml"]) }
    try block("  - { book: two, reason: takes a day, who: Ada, until: 2999-12-31 }\n")
    #expect(try listed(corpus, "") == ["one", "three"])
    let run = try corpus.snapshot("verify books --profile ereader --against store --out run")
    #expect(run.code == .exited(0) && !run.output.contains("gone"), "\(run.output)")
    #expect(run.output.contains("blocked until 2999-12-31: two: takes a day (Ada)"))
    #expect(try corpus.snapshot("report run --html report.html --quiet").code == .exited(0))
    #expect(Files.text(corpus.folder["report.html"])?.contains("takes a day (Ada)") == true)
    // Recording leaves its baseline alone.
    #expect(try corpus.snapshot("record books \(Self.one) --into store --out base").code == .exited(0))
    #expect(SnapshotStore(corpus.folder["store"]).units().count == 3)
    try block(
      "  - { book: two, reason: takes a day, who: Ada, until: 2020-01-31 }\n"
        + "  - { book: none, reason: x, who: Ada, until: 2999-01-31 }\n"
        + "  - { book: one, profile: phone, reason: x, who: Ada, until: 2999-01-31 }\n")
    let over = try corpus.snapshot("verify books --profile ereader --against store --out run")
    #expect(over.output.contains("two is no longer blocked, since 2020-01-31 is over: takes a day"))
    #expect(over.output.contains("the corpus has no book none") && over.output.contains("3 units, "))
    for wrong in [
      "  - { book: two, who: Ada, until: 2999-01-31 }\n", "  - { book: two, reason: x, who: A, until: soon }\n",
    ] {
      try block(wrong)
      let refused = try corpus.snapshot("render books --out wrong")
      #expect(refused.code == .exited(65) && refused.output.contains("blocked.yaml:2"), "\(refused.output)")
    }
  }

  @Test func `The history of a page tells who accepted what, and why`() throws {
    let corpus = try LittleCorpus()
    func shell(_ script: String) throws {
      var child = ChildProcess(["/bin/sh", "-ec", script], folder: corpus.folder.path)
      child.environment = ProcessInfo.processInfo.environment
      child.environment["HOME"] = corpus.folder.path
      let outcome = child.run()
      #expect(outcome.end == .exited(0), "\(outcome.output)")
    }
    let commit = "git add -A && git commit -qm"
    try shell(
      "git init -q . && git config user.name Ada && git config user.email ada@example.org && echo .snapshot >.gitignore"
    )
    #expect(try corpus.snapshot("record books \(Self.one) --into store").code == .exited(0))
    try shell("\(commit) 'The baseline'")
    try Files.write("p { color: #123456 }", to: corpus.folder["blue.css"])
    let blue = "verify books \(Self.one) --against store --user-css blue.css"
    #expect(try corpus.snapshot(blue).code == .exited(1))
    #expect(try corpus.snapshot("accept --all --reason 'blue is right' --store store").code == .exited(0))
    try shell("\(commit) 'Blue'")
    let log = try corpus.snapshot("log one --page 1 --store store")
    let lines = log.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(log.code == .exited(0) && lines.count == 2, "\(log.output)")
    #expect(lines.first?.suffix(3) == ["Ada", "new", "The baseline"])
    #expect(lines.last?.last == "blue is right" && lines.last?[4].hasPrefix("changed: ") == true)
    #expect(lines.last?[3] == "Ada" && lines.last?[1].count == 12)
    // Not committed, and for programs.
    #expect(try corpus.snapshot("record books \(Self.one) --into store --close-regressions").code == .exited(0))
    let json = try corpus.snapshot("log one --page 1 --store store --json")
    #expect(
      json.output.contains("not committed yet") && json.output.split(separator: "\n").count == 3, "\(json.output)")
    #expect(try corpus.snapshot("log one --page 99 --store store").code == .exited(66))
    #expect(try corpus.snapshot("log nobody --page 1 --store store").code == .exited(66))
  }
}
