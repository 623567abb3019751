import FoundationEssentials
import Testing
import Typesetting

@testable import SnapshotHarness

/// Runs that were never made, for reports.
enum ReportSample {
  static let hostile = "</script><!-- \"Tom\" & 'Jerry' <b>|`*_[x](y)@z %0A:,\u{1}\u{0}\u{85}\n]]>"

  /// A run in which `pages` pages of `books` books differ in `kinds` ways.
  static func comparison(books: Int, pages: Int, kinds: Int, text: String = "") -> RunComparison {
    var units: [UnitComparison] = []
    for book in 0..<books {
      let key = UnitKey(book: "shelf/book-\(book)", profile: "phone")
      var unit = UnitComparison(
        key: key, title: "Book \(book) \(text)", language: "en", oldPages: pages / books, newPages: pages / books)
      for page in 0..<pages / books {
        let kind = (book + page) % kinds
        unit.pages.append(
          PageChange(
            oldPage: page + 1, newPage: page + 1, chapter: page / 9, href: "text/part-\(page / 9).xhtml",
            changes: [
              Change(
                kind: kind == 0 ? .textLost : .moved, severity: kind == 0 ? .high : .low, signature: "kind|\(kind)",
                summary: "kind \(kind) \(text)",
                oldBoxes: (0..<6).map { RecordBox(x: 40, y: Double(40 + 24 * $0), width: 300.1, height: 20) },
                newBoxes: (0..<6).map { RecordBox(x: 41, y: Double(40 + 24 * $0), width: 300.1, height: 20) },
                source: RecordSource(node: "/4/2/\(2 * page)", start: 0, end: 60))
            ], consequences: page % 3, fingerprint: UInt64(book * 1000 + page)))
      }
      units.append(unit)
    }
    var comparison = RunComparison(
      old: RunVersions(engine: "1 (a)", libraries: ["FreeType": "2.12.1"]),
      new: RunVersions(engine: "2 (b)", libraries: ["FreeType": "2.13.0"]), unitCount: books, pageCount: pages,
      units: units)
    comparison.clusters = Clustering.clusters(of: units)
    return comparison
  }

  static func report(books: Int = 4, pages: Int = 40, kinds: Int = 3, text: String = "") -> RunReport {
    let comparison = comparison(books: books, pages: pages, kinds: kinds, text: text)
    return RunReport(
      comparison,
      units: comparison.units.map { unit in
        RunReport.Unit(
          key: unit.key, title: unit.title, language: "en", outcome: .okWithWarnings,
          failure: text.isEmpty ? nil : UnitFailure(phase: "layout", message: text), pages: unit.newPages,
          statistics: ["time.total": 1234.5, "memory.peakBytes": 1_048_576, "child.wall": 1500],
          path: "/books/\(unit.key.book)\(text).epub")
      })
  }

  static func html(_ report: RunReport) -> HTMLReport {
    HTMLReport(
      report, commands: ReportCommands(run: "/tmp/a run", corpus: ["c"], old: "it's", isStore: true, html: "r.html"),
      old: nil, new: nil)
  }

  /// The data block of a page.
  static func data(_ page: String) throws -> Data {
    let start = try #require(page.firstRange(of: "id=\"data\">")).upperBound
    let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
    return Data(page[start..<end].utf8)
  }
}

@Suite struct ReportTests {
  private let hostile = ReportSample.hostile

  @Test func `Text of books stays text in HTML`() throws {
    let page = ReportSample.html(ReportSample.report(text: hostile)).text()
    struct Block: Decodable {
      struct Unit: Decodable { var title: String }
      struct Cluster: Decodable {
        var summary: String
        var members: [Int]
      }
      var units: [Unit]
      var clusters: [Cluster]
    }
    let bytes = try ReportSample.data(page)
    #expect(!bytes.contains(0x3C))
    let block = try JSONDecoder().decode(Block.self, from: bytes)
    #expect(block.units[0].title == "Book 0 \(hostile)")
    #expect(block.clusters.map(\.members.count).reduce(0, +) == 40)
    // The script of the page is the last one, whatever books say.
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<!-- "))
  }

  @Test func `JSON is read as it was written`() throws {
    let report = ReportSample.report(text: hostile)
    let bytes = JSONReport.bytes(report)
    #expect(JSONReport.read(bytes) == report)
    let other = String(decoding: bytes, as: UTF8.self).replacing("\"schema\" : 1", with: "\"schema\" : 2")
    #expect(JSONReport.read(Array(other.utf8)) == nil)
  }

  @Test func `JUnit is well formed`() throws {
    let text = JUnitReport.text(ReportSample.report(text: hostile))
    #expect(
      text.contains("<testsuites name=\"typeset snapshot\" tests=\"4\" failures=\"4\" errors=\"0\" time=\"6.000\">"))
    #expect(text.contains("<property name=\"memory.peakBytes\" value=\"1048576\"/>"))
    #expect(text.components(separatedBy: "<testcase ").count == 5)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!text.contains("</script>") && !text.contains("]]>"))
  }

  @Test func `Markdown keeps to its lines`() {
    var report = ReportSample.report(books: 90, pages: 9000, kinds: 80, text: hostile)
    report.summary.newFailures = (0..<90).map { "book \($0)" }
    report.comparison.missingShards = Array(1...40)
    let lines = MarkdownReport.text(report, accept: "typeset snapshot accept run").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= MarkdownReport.maximumLines)
    #expect(lines.contains { $0.hasPrefix("| high | kind 0") && $0.hasSuffix("` |") })
    #expect(lines.contains("and 60 more kinds of change"))
    #expect(MarkdownReport.escape("a|b\n<c> `d` @e") == "a\\|b &lt;c&gt; \\`d\\` &#64;e")
  }

  @Test func `Annotations are ten at most`() {
    var report = ReportSample.report(books: 30, pages: 900, kinds: 20, text: hostile)
    let lines = GitHubAnnotations.text(report, root: "/books").split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines[0].hasPrefix("::error file=shelf/book-0</script>"))
    #expect(lines[0].contains("%250A%3A%2C"))
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("::warning file=shelf/") })
    #expect(lines[9].hasSuffix("(10 more in the report)"))
    for index in report.comparison.clusters.indices { report.comparison.clusters[index].decision = .accepted }
    #expect(GitHubAnnotations.text(report) == "")
  }

  @Test func `Commands are quoted`() {
    let commands = ReportCommands(run: "/a run", corpus: ["it's"], old: "/s", isStore: true, html: "/r.html")
    #expect(commands.accept == "typeset snapshot accept '/a run'")
    #expect(commands.again == "typeset snapshot verify 'it'\\''s' --against /s --out '/a run-again'")
    #expect(commands.store == " --store /s")
  }

  @Test(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) func `Pages are drawn once`() throws {
    let corpus = try LittleCorpus()
    let first = try corpus.session("first")
    try first.render()
    try Files.write(
      "<!DOCTYPE html><title>two</title><body><p>Another line.</p>", to: corpus.folder["books/two.html"])
    let second = try corpus.session("second")
    try second.render()
    let old = try Reference(first.run.path)
    let comparison = try Verification.compare(old, try Reference(second.run.path))
    #expect(comparison.against == first.run.path)
    let report = RunReport(comparison, of: second.run, manifest: second.manifest, old: old)
    #expect(report.units.map(\.key) == second.units)
    var html = HTMLReport(report, of: second.run, manifest: second.manifest, old: old)
    #expect(try html.write(to: second.run.reportPath) == 1)
    let images = Files.join(second.run.path, "report-images")
    let names = Files.walk(images)
    #expect(names.count == 2)
    // Drawn pictures stay, and those that no page shows go.
    try Files.write("", to: Files.join(images, "page-0000000000000000.png"))
    html.limits.pairs = 0
    #expect(try html.write(to: second.run.reportPath) == 1)
    #expect(Files.walk(images) == names)
    // A report to another place draws what it is asked for.
    let other = Files.join(second.run.path, "other.html")
    #expect(try html.write(to: other) == 0)
    html.pages = ["two:ereader:1"]
    #expect(try html.write(to: other) == 1)
  }
}
