import Foundation
import Testing
import Typesetting

@testable import SnapshotHarness

/// Reports for services, and figures over time.
@Suite struct ExportTests {
  private func object(_ bytes: [UInt8]) throws -> Any { try JSONSerialization.jsonObject(with: Data(bytes)) }

  @Test func `Code quality has an issue for each open kind of change`() throws {
    var report = ReportSample.report(text: ReportSample.hostile)
    report.comparison.clusters[1].decision = .accepted
    let issues = try #require(object(CodeQualityReport.bytes(report, root: "/books/")) as? [[String: Any]])
    #expect(issues.count == 2)
    #expect(issues.map { $0["severity"] as? String } == ["critical", "minor"])
    #expect(issues[0]["check_name"] as? String == "typeset.text-lost")
    #expect((issues[0]["fingerprint"] as? String)?.count == 64)
    let location = try #require(issues[0]["location"] as? [String: Any])
    #expect((location["path"] as? String)?.hasPrefix("shelf/book-") == true)
    #expect((location["lines"] as? [String: Int]) == ["begin": 1])
    // Equal findings are known again.
    #expect(CodeQualityReport.bytes(report) == CodeQualityReport.bytes(report))
  }

  @Test func `SARIF names rules, places and what was accepted`() throws {
    var report = ReportSample.report()
    report.comparison.clusters[1].decision = .expected
    let log = try #require(object(SARIFReport.bytes(report, root: "/books")) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 3)
    #expect(results.map { $0["level"] as? String } == ["error", "note", "note"])
    #expect(results.map { ($0["suppressions"] as? [Any])?.count } == [0, 1, 0])
    let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      let places = try #require(result["locations"] as? [[String: Any]])
      #expect(!places.isEmpty && places.count <= 10)
    }
  }

  @Test(.enabled(if: Files.exists("/usr/bin/curl"), "curl is not installed"))
  func `A webhook that is not there is one error`() throws {
    let folder = TestFolder()
    let error = #expect(throws: HarnessError.self) {
      try Webhook.post(ReportSample.report(), to: "http://127.0.0.1:1/s\"ecret", folder: folder.path)
    }
    #expect(error?.code == 73)
    #expect(error?.description.contains("ecret") == false)
    #expect(Files.walk(folder.path).isEmpty)
  }

  @Test func `A message of a webhook has what was found in a few lines`() throws {
    let message = try #require(object(Webhook.message(ReportSample.report())) as? [String: Any])
    let text = try #require(message["text"] as? String)
    #expect(text.hasPrefix("typeset snapshot: 3 kinds of change on 40 pages, 3 to be decided\n"))
    #expect(text.split(separator: "\n").count == 4)
    #expect((message["clusters"] as? [Any])?.count == 3)
  }

  @Test func `Commands name no place of this machine`() {
    let here = FileManager.default.currentDirectoryPath
    #expect(ReportCommands.plain(here + "/books/corpus.yaml") == "books/corpus.yaml")
    #expect(ReportCommands.plain("/elsewhere/of/somebody/run") == "run")
    #expect(ReportCommands.plain(here) == ".")
    #expect(ReportCommands.plain("--only") == "--only")
    #expect(ReportCommands.plain(here + "x/run") == "run")
  }

  private static func entry(
    _ revision: String, time: Int, milliseconds: Double, host: String = "h", units: [String] = ["a (p)", "b (p)"]
  ) throws -> TrendEntry {
    let figures = "[3,\(milliseconds),1048576,null]"
    let text =
      "{\"revision\":\"\(revision)\",\"time\":\(time),\"host\":\"\(host)\",\"engine\":\"1\",\"keys\":[\"pages\","
      + "\"time.total\",\"memory.peakBytes\",\"child.instructions\"],\"units\":{"
      + units.map { "\"\($0)\":\(figures)" }.joined(separator: ",") + "}}"
    return try JSONDecoder().decode(TrendEntry.self, from: Data(text.utf8))
  }

  @Test func `Figures are kept by revision and kind of machine`() throws {
    let folder = TestFolder()
    let path = folder["trends.ndjson"]
    var trends = try Trends(contentsOf: path)
    try trends.add(Self.entry("r1", time: 1, milliseconds: 100), keep: 3)
    try trends.add(Self.entry("r2", time: 2, milliseconds: 120), keep: 3)
    try trends.add(Self.entry("r2", time: 3, milliseconds: 130), keep: 3)
    try trends.add(Self.entry("r2", time: 4, milliseconds: 900, host: "other"), keep: 3)
    try trends.write(to: path)
    let read = try Trends(contentsOf: path)
    #expect(read == trends)
    #expect(Files.text(path)?.split(separator: "\n").count == 3)
    #expect(read.on("h").sums("time.total", of: read.commonUnits) == [200, 260])
    #expect(read.on("h").sums("memory.peakBytes", of: read.commonUnits) == [1_048_576, 1_048_576])
    #expect(read.on("h").sums("child.instructions", of: read.commonUnits) == [nil, nil])
    #expect(read.on("h").steps.map(\.name) == ["time.total"])
    #expect(read.on("h").steps.map(\.revision) == ["r2"])
    // A book that was added is no step of all.
    try trends.add(Self.entry("r3", time: 5, milliseconds: 130, units: ["a (p)", "b (p)", "c (p)"]), keep: 9)
    #expect(trends.on("h").commonUnits == ["a (p)", "b (p)"])
    #expect(trends.on("h").sums("time.total", of: trends.on("h").commonUnits) == [200, 260, 260])
    try Files.append(line: Array("{}".utf8), to: path)
    #expect(throws: HarnessError.self) { try Trends(contentsOf: path) }
  }

  @Test func `A place where lines begin to differ is found in their runs`() {
    func line(_ text: String, x: Double = 40, color: String = "#000000") -> LineRecord {
      LineRecord(
        text: text, box: RecordBox(x: x, y: 100, width: 10 * Double(text.count), height: 20), baseline: 115,
        source: RecordSource(node: "/4", start: 0, end: 1),
        runs: [RunRecord(font: 0, size: 16, color: color, text: text, x: x, width: 10 * Double(text.count))])
    }
    func place(_ old: LineRecord, _ new: LineRecord) -> [Double]? {
      LineFocus.place(([40, 90, 500, 40], [old]), ([40, 90, 500, 40], [new]))
    }
    #expect(place(line("abcdefgh"), line("abcdeXgh")) == [90, 100, 90, 100])
    #expect(place(line("abc"), line("abcd")) == [70, 100, 70, 100])
    #expect(place(line("abc"), line("abc", color: "#ff0000")) == [40, 100, 40, 100])
    #expect(place(line("abc"), line("abc", x: 41)) == nil)
    #expect(LineFocus.place(([40, 300, 500, 40], [line("a")]), ([40, 300, 500, 40], [line("b")])) == nil)
  }
}
