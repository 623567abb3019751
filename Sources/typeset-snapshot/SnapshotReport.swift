import ArgumentParser
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// `typeset snapshot report`.
struct SnapshotReport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write reports of a run that was compared; render nothing.",
    discussion: """
      Without an option the HTML report is written to the run's folder. It is one file that works from disk; images of pages \
      are in a folder beside it. A file named - is standard output.
      """)

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Option(help: ArgumentHelp("The page for people.", valueName: "file"), completion: .file(extensions: ["html"]))
  var html: String?
  @Option(
    help: ArgumentHelp("All that is known, for programs.", valueName: "file"), completion: .file(extensions: ["json"]))
  var json: String?
  @Option(
    help: ArgumentHelp("JUnit's XML: one case for each book and profile.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?
  @Option(
    help: ArgumentHelp("At most 60 lines, for a job's summary or a comment.", valueName: "file"),
    completion: .file(extensions: ["md"]))
  var markdown: String?
  @Flag(help: "Annotations of GitHub Actions on standard output, at most 10.") var github = false
  @Option(
    help: ArgumentHelp("GitLab's code quality: an issue for each open kind of change.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var gitlab: String?
  @Option(
    help: ArgumentHelp("SARIF 2.1.0: a result for each kind of change.", valueName: "file"),
    completion: .file(extensions: ["sarif"]))
  var sarif: String?
  @Option(
    help: ArgumentHelp("Post a summary as JSON to this address; curl does it.", valueName: "url"))
  var webhook: String?
  @Option(
    help: ArgumentHelp("Draw charts of this file of typeset snapshot trends in the HTML report.", valueName: "file"),
    completion: .file(extensions: ["ndjson"]))
  var trends: String?
  @Option(
    help: ArgumentHelp(
      "The store or run that old pages come from. (default: what the run was compared with)", valueName: "store|run"),
    completion: .directory)
  var against: String?
  @Option(
    help: ArgumentHelp(
      "Draw this page of the new run in the HTML report, beside those that are drawn already; o12 is page 12 of the old run, "
        + "for one that is gone. May be given several times.", valueName: "book:profile:page"))
  var page: [String] = []
  @Option(help: ArgumentHelp("Draw at most so many pages.", valueName: "n"))
  var images = HTMLReport.Limits().pairs
  @Option(help: ArgumentHelp("Books in work at once. (default: one for each core)", valueName: "n")) var jobs: Int?
  @Flag(help: "Say only what is wrong.") var quiet = false

  mutating func validate() throws {
    if images < 0 { throw ValidationError("--images takes a number that is not negative") }
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes a number from 1 to 1024") }
    if let webhook, !webhook.hasPrefix("https://"), !webhook.hasPrefix("http://") {
      throw ValidationError("--webhook takes an address that begins with https:// or http://")
    }
    if let webhook, webhook.contains(where: \.isNewline) { throw ValidationError("--webhook takes one address") }
    if [html, json, junit, markdown, gitlab, sarif].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("only one report can go to standard output")
    }
    if html == "-" { throw ValidationError("--html takes a file, since images are written beside it") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      try write()
      return 0
    }
  }

  /// Writes the reports that are asked for.
  func write() throws(HarnessError) {
    let review = try Review(path)
    let old = try reference(review.comparison)
    let report = RunReport(
      review.comparison, of: review.run, manifest: review.manifest, old: old, summary: review.summary)
    let isPlain =
      [html, json, junit, markdown, gitlab, sarif, webhook].allSatisfy { $0 == nil } && !github
    if let file = html.map(Files.absolute) ?? (isPlain ? review.run.reportPath : nil) {
      try write(report, of: review, old: old, to: file)
    }
    if let json { try write(JSONReport.bytes(report), to: json) }
    if let junit { try write(Array(JUnitReport.text(report).utf8), to: junit) }
    if let markdown {
      let accept = "typeset snapshot accept \(ShellWord.quote(ReportCommands.plain(path)))"
      try write(Array(MarkdownReport.text(report, accept: accept).utf8), to: markdown)
    }
    let environment = ProcessInfo.processInfo.environment
    let root =
      environment["GITHUB_WORKSPACE"] ?? environment["CI_PROJECT_DIR"] ?? FileManager.default.currentDirectoryPath
    if github { StandardStream.output.write(Array(GitHubAnnotations.text(report, root: root).utf8)) }
    if let gitlab { try write(CodeQualityReport.bytes(report, root: root), to: gitlab) }
    if let sarif { try write(SARIFReport.bytes(report, root: root), to: sarif) }
    if let webhook { try Webhook.post(report, to: webhook, folder: review.run.path) }
  }

  /// Writes the page for people, with images beside it.
  private func write(
    _ report: RunReport, of review: Review, old: Reference?, to file: String
  ) throws(HarnessError) {
    var writer = HTMLReport(
      report, of: review.run, manifest: review.manifest, old: old, path: file,
      jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
    writer.limits.pairs = images
    if let trends { writer.trends = try Trends(contentsOf: trends) }
    writer.pages = page
    let drawn = try writer.write(to: file)
    // Standard output may be another report's.
    if !quiet {
      StandardStream.error.write(
        "report: \(file), with images of \(drawn) of \(report.summary.differingPages) changed pages\n".utf8)
    }
  }

  /// The origin of old pages. A report can do without them where nobody asked for them.
  private func reference(_ comparison: RunComparison) throws(HarnessError) -> Reference? {
    if let against { return try Reference(against) }
    guard let known = comparison.against, SnapshotStore.isStore(known) || RunFolder.isRun(known) else { return nil }
    return try Reference(known)
  }

  private func write(_ bytes: [UInt8], to file: String) throws(HarnessError) {
    if file == "-" { StandardStream.output.write(bytes) } else { try Files.write(bytes, to: Files.absolute(file)) }
  }
}
