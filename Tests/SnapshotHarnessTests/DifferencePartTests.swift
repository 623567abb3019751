import FoundationEssentials
import Testing

@testable import SnapshotHarness

/// Parts of a run that are compared where they were rendered.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct DifferencePartTests {
  private static let changed = "--profile ereader --user-css wide.css"
  private static let parts = 3

  /// A corpus with a baseline, and in `whole` the run of a changed engine that one pool rendered and compared.
  private func corpus() throws -> LittleCorpus {
    let corpus = try LittleCorpus()
    try Files.write("b { letter-spacing: 3px }", to: corpus.folder["wide.css"])
    for name in ["four", "five"] {
      try Files.write("<!DOCTYPE html><title>\(name)</title><p>Nothing here", to: corpus.folder["books/\(name).html"])
    }
    #expect(try corpus.snapshot("record books --profile ereader --into store --quiet").code == .exited(0))
    return corpus
  }

  private func renderWhole(_ corpus: LittleCorpus) throws {
    #expect(try corpus.snapshot("render books \(Self.changed) --out whole --quiet").code == .exited(0))
    _ = try corpus.snapshot("compare store whole --quiet")
  }

  private func renderParts(_ corpus: LittleCorpus) throws {
    for part in 1...Self.parts {
      let run = try corpus.snapshot(
        "render books \(Self.changed) --shard \(part)/\(Self.parts) --compare store --out part-\(part)")
      #expect(run.code == .exited(0), "\(run.output)")
      // The file alone goes on.
      try Files.rename(corpus.folder["part-\(part)/part.differences"], to: corpus.folder["\(part).part"])
      Files.remove(corpus.folder["part-\(part)"])
    }
  }

  private static let files = (1...parts).map { "\($0).part" }.joined(separator: " ")

  /// The reports of a run, without figures of time and memory.
  private func reports(_ corpus: LittleCorpus, _ run: String) throws -> [String] {
    var texts = [Files.text(corpus.folder["\(run)/comparison.json"]) ?? ""]
    let report = try corpus.snapshot("report \(run) --json report.json --markdown report.md --quiet")
    #expect(report.code == .exited(0), "\(report.output)")
    let json = try #require(Files.text(corpus.folder["report.json"]))
    let words = ["\"child.", "\"memory.", "\"time.", "\"seconds\"", "\"shaping.", "\"host\""]
    texts.append(json.split(separator: "\n").filter { line in !words.contains(where: line.contains) }.joined())
    let markdown = Files.text(corpus.folder["report.md"]) ?? ""
    texts.append(markdown.split(separator: "\n").filter { !$0.contains("accept") }.joined())
    return texts
  }

  @Test func `The report of parts is that of the run that was not parted`() throws {
    let corpus = try corpus()
    try renderWhole(corpus)
    try renderParts(corpus)
    let merged = try corpus.snapshot("merge 3.part 1.part 2.part --against store --out merged")
    #expect(merged.code == .exited(1) && merged.output.contains("3 units and"), "\(merged.output)")
    #expect(try reports(corpus, "merged") == reports(corpus, "whole"))
    // What is equal is not there.
    #expect(!Files.exists(corpus.folder["merged/books/four"]) && Files.exists(corpus.folder["merged/books/one"]))
    #expect(try corpus.snapshot("compare store merged").code == .exited(69))
    #expect(try corpus.snapshot("compare merged whole").code == .exited(69))
    // Accepting moves the baseline to what was rendered.
    let accept = try corpus.snapshot("accept merged --all --reason wider --store store")
    #expect(accept.code == .exited(0), "\(accept.output)")
    #expect(try corpus.snapshot("compare store whole").code == .exited(0))
  }

  @Test func `Books that are gone, new, or renamed are found by the run as a whole`() throws {
    let corpus = try corpus()
    Files.remove(corpus.folder["books/four.html"])
    try Files.rename(corpus.folder["books/three.html"], to: corpus.folder["books/third.html"])
    try Files.write("<!DOCTYPE html><title>six</title><p>New", to: corpus.folder["books/six.html"])
    try renderWhole(corpus)
    try renderParts(corpus)
    let merged = try corpus.snapshot("merge \(Self.files) --against store --out merged")
    #expect(merged.code == .exited(66), "\(merged.output)")
    for line in ["gone from the corpus: four", "renamed: three (ereader) is now third", "no baseline: six"] {
      #expect(merged.output.contains(line), "\(line)")
    }
    #expect(try reports(corpus, "merged") == reports(corpus, "whole"))
  }

  @Test func `A part that is missing, doubled, foreign, or damaged is named`() throws {
    let corpus = try corpus()
    try renderParts(corpus)
    func merge(_ parts: String, _ more: String = "") throws -> (code: ChildProcess.End, output: String) {
      try corpus.snapshot("merge \(parts) --against store --out merged \(more)")
    }
    let missing = try merge("1.part 3.part")
    #expect(missing.code == .exited(69) && missing.output.contains("missing: 2"))
    let partial = try merge("1.part 3.part", "--partial")
    #expect(partial.code == .exited(69) && partial.output.contains("shards are missing: 2"), "\(partial.output)")
    #expect(!partial.output.contains("gone from the corpus"))
    let doubled = try merge("1.part 2.part 2.part 3.part")
    #expect(doubled.code == .exited(69) && doubled.output.contains("shard 2 is there twice: 2.part and 2.part"))
    // Another engine, here another style.
    #expect(
      try corpus.snapshot("render books --profile ereader --shard 2/3 --compare store --out other --quiet").code
        == .exited(0))
    let foreign = try merge("1.part other 3.part")
    #expect(
      foreign.code == .exited(69) && foreign.output.contains("other/part.differences: it is a part of another run"))
    #expect(try merge("1.part corpus 3.part").code == .exited(69))
    let bytes = try #require(Files.read(corpus.folder["2.part"]))
    for length in [bytes.count - 1, bytes.count / 2, 20, 15] {
      try Files.write(bytes.prefix(length), to: corpus.folder["2.part"])
      let cut = try merge(Self.files)
      #expect(cut.code == .exited(65) && cut.output.contains("2.part: it is"), "\(length): \(cut.output)")
    }
    var turned = bytes
    turned[bytes.count - 300] ^= 4
    try Files.write(turned, to: corpus.folder["2.part"])
    #expect(try merge(Self.files).code == .exited(65))
    try Files.write(bytes, to: corpus.folder["2.part"])
    #expect(try merge(Self.files).code == .exited(1))
    #expect(try corpus.snapshot("merge \(Self.files) --out none").code == .exited(64))
    // A baseline that moved meanwhile is another one.
    #expect(try corpus.snapshot("record books \(Self.changed) --into store --out now --quiet").code == .exited(0))
    let moved = try merge(Self.files)
    #expect(moved.code == .exited(69) && moved.output.contains("another baseline"), "\(moved.output)")
  }

  @Test func `Where nothing differs a part has results alone`() throws {
    let corpus = try corpus()
    var parts: [String] = []
    for part in 1...2 {
      let run = try corpus.snapshot(
        "render books --profile ereader --cache cache --shard auto/2 --compare store --out part-\(part)",
        environment: ["JOB_COMPLETION_INDEX": "\(part - 1)"])
      #expect(run.output.contains("0 units differ"), "\(run.output)")
      parts.append("part-\(part)")
    }
    let merged = try corpus.snapshot("merge \(parts.joined(separator: " ")) --against store --out merged")
    #expect(merged.code == .exited(0) && merged.output.contains("5 units, ") && merged.output.contains("no difference"))
    let row = try #require(RunFolder(corpus.folder["merged"]).unitFile(UnitKey(book: "three", profile: "ereader")))
    #expect(row.result.title == "three" && row.result.statistics["child.wall"] != nil)
    // Parts that are whole may be merged as before.
    #expect(try corpus.snapshot("merge \(parts.joined(separator: " ")) --out plain").code == .exited(0))
    #expect(try corpus.snapshot("compare store plain").code == .exited(0))
  }
}
