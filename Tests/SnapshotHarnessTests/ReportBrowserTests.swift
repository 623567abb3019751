import FoundationEssentials
import Platform
import Testing
import Typesetting

@testable import SnapshotHarness

enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first(
    where: Files.exists)

  /// The document of a file once its scripts have run.
  static func document(_ file: String, at hash: String = "", in folder: TestFolder) throws -> String {
    let output = folder["dom-\(UInt64.random(in: 0 ... .max)).html"]
    let command =
      "\(path ?? "") --headless --no-sandbox --disable-gpu --window-size=1280,900 "
      + "--user-data-dir=\(folder["profile"]) --virtual-time-budget=8000 --dump-dom 'file://\(file)\(hash)' >\(output) 2>/dev/null"
    let status = system(command)
    #expect(status == 0)
    return try #require(Files.text(output))
  }
}

/// The HTML report in a real browser, opened from disk. Skipped where there is none.
@Suite(.enabled(if: Browser.path != nil, "Chromium is not installed"), .serialized) struct ReportBrowserTests {
  private let folder = TestFolder()

  private func document(_ file: String, at hash: String = "") throws -> String {
    try Browser.document(file, at: hash, in: folder)
  }

  /// The page as the script has made it.
  private func main(_ document: String) throws -> Substring {
    let start = try #require(document.firstRange(of: "<main")).lowerBound
    let end = try #require(document.firstRange(of: "</main>")).lowerBound
    return document[start..<end]
  }

  @Test func `Views are reached by their addresses`() throws {
    let report = ReportSample.report(text: ReportSample.hostile)
    let path = folder["report.html"]
    try ReportSample.html(report).write(to: path)
    let overview = try main(document(path))
    #expect(overview.contains("3 kinds of change on 40 pages"))
    for cluster in report.comparison.clusters { #expect(overview.contains("data-cluster=\"\(cluster.id)\"")) }
    #expect(overview.contains("Other versions: FreeType 2.12.1 -&gt; 2.13.0."))
    let cluster = report.comparison.clusters[0]
    let members = try main(document(path, at: "#cluster=\(cluster.id)"))
    #expect(
      members.contains("typeset snapshot accept '/tmp/a run' --cluster \(cluster.id) --reason \"…\" --store 'it'\\''s'")
    )
    #expect(members.contains("href=\"#page=shelf/book-0:phone:1&amp;cluster=\(cluster.id)\""))
    let page = try main(document(path, at: "#page=shelf/book-2:phone:7&mode=overlay"))
    #expect(page.contains("stage mode-overlay boxed"))
    #expect(page.contains(">Page 7</h1>"))
    #expect(page.contains("text/part-0.xhtml  /4/2/12:0–60"))
    #expect(page.contains("typeset snapshot report '/tmp/a run' --html r.html --page shelf/book-2:phone:7"))
    let book = try main(document(path, at: "#book=shelf/book-3&profile=phone"))
    #expect(book.contains("10 changed pages"))
    #expect(
      try main(document(path, at: "#cluster=none")).contains("The report holds nothing by the name cluster=none."))
  }

  @Test func `Keys turn pages and modes`() throws {
    let path = folder["report.html"]
    try ReportSample.html(ReportSample.report()).write(to: path)
    // A hand that presses keys, in a copy.
    let text = try #require(Files.text(path))
    let press = """
      <script>addEventListener("load", async () => {
        for (const key of ["j", "ArrowRight", "k", "j", "2", "b", "?"]) {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          await new Promise(done => setTimeout(done, 50));
        }
        document.body.dataset.hash = location.hash;
      });</script></body>
      """
    try Files.write(text.replacing("</body>", with: press), to: folder["pressed.html"])
    let document = try document(folder["pressed.html"], at: "#page=shelf/book-0:phone:1")
    #expect(document.contains("data-hash=\"#page=shelf/book-0:phone:3&amp;mode=overlay\""))
    #expect(document.contains("class=\"stage mode-overlay\""))
    #expect(document.contains("<dialog id=\"help\" aria-labelledby=\"help-title\" open=\"\""))
  }

  /// Of ten thousand pages only the rows in sight are made.
  @Test func `Reports of many pages stay usable`() throws {
    let report = ReportSample.report(books: 100, pages: 10_000, kinds: 40)
    let path = folder["report.html"]
    try ReportSample.html(report).write(to: path)
    let cluster = report.comparison.clusters[0]
    let document = try main(document(path, at: "#cluster=\(cluster.id)"))
    let isWhole = document.contains("aria-setsize=\"\(cluster.members.count)\"")
    let rows = document.components(separatedBy: "role=\"listitem\"").count - 1
    #expect(isWhole && cluster.members.count > 200)
    #expect(rows > 10 && rows < 100)
  }
}
