import ArgumentParser
import BookOutput
import Command
import FoundationEssentials
import Platform
import SnapshotHarness
import Typesetting

/// `typeset snapshot verify`.
struct SnapshotVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Render a corpus and compare it with a baseline, or two builds with each other.",
    discussion: """
      Exit code 1 says that there are differences which nobody has accepted. Without a baseline the run is refused with exit \
      code 66; --init makes it the baseline instead.
      """)

  @OptionGroup(title: "Corpus") var corpus: CorpusOptions
  @Option(
    help: ArgumentHelp("A store or a run's folder to compare with.", valueName: "store|run"), completion: .directory)
  var against: String?
  @OptionGroup var system: VariantOptions
  @Option(
    help: ArgumentHelp(
      "A build of typeset: given twice, the old one is compared with the new one.",
      valueName: "program"), completion: .file())
  var build: [String] = []
  @Option(
    help: ArgumentHelp("The run's folder; with two builds, the old run is beside it.", valueName: "run"),
    completion: .directory)
  var out = ".snapshot/run"
  @Flag(name: .customLong("init"), help: "Record the baseline where there is none.")
  var initializes = false
  @Option(
    help: ArgumentHelp(
      """
      Judge time and memory: run each book so many times, at least 5, alone on this machine. Needs two builds. Where no \
      books are chosen, the heaviest are: at most 30.
      """,
      valueName: "n"))
  var perf: Int?
  @Option(
    help: ArgumentHelp("The decisions. (default: decisions.ndjson beside the corpus)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  mutating func validate() throws {
    guard (against == nil) != build.isEmpty || (against != nil && build.count == 1) else {
      throw ValidationError("one of --against STORE and two of --build PROGRAM are needed")
    }
    if against == nil, build.count != 2 { throw ValidationError("--build is given twice: the old build and the new") }
    if system.variant != nil, against == nil { throw ValidationError("--variant needs --against STORE") }
    if let against, RunFolder(against).path == RunFolder(out).path {
      throw ValidationError("--against and --out are the same folder")
    }
    if let retry = corpus.choice.retry, RunFolder(retry).path == RunFolder(out).path {
      throw ValidationError("--retry and --out are the same folder")
    }
    if let perf, perf < 5 { throw ValidationError("--perf takes at least 5") }
    if perf != nil, build.count != 2 { throw ValidationError("--perf needs two builds") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let start = Clock.wallTime
      let against = try system.place(in: against, mayBeNew: initializes)
      if !rendering.dryRun { try RunFolder(out).begin() }
      let read = try corpus.read()
      rendering.warn(of: read)
      var old: Reference?
      var oldSession: Session?
      var past: [UnitKey: [String: Double]] = [:]
      if let against {
        if SnapshotStore.isStore(against) || RunFolder.isRun(against) {
          let reference = try Reference(against)
          try reference.check { rendering.warn($0) }
          past = reference.statistics()
          old = reference
        }
      }
      var new = try rendering.session(read, corpus, into: out, program: build.last, history: past)
      new.manifest.decisions = decisions.map { RunFolder($0).path }
      if rendering.dryRun {
        rendering.list(new)
        return 0
      }
      if build.count == 2 {
        var session = try rendering.session(read, corpus, into: out + "-old", program: build[0])
        session.pool.failsFast = false
        _ = try rendering.render(session, label: "old build: ")
        old = .run(session.run, session.manifest)
        oldSession = session
      }
      if rendering.failFast { new.pool.expectedFailures = old?.failures ?? [] }
      let rendered = try rendering.render(new, label: build.count == 2 ? "new build: " : "")
      let known = Set(old?.units ?? [])
      let unknown = new.units.filter { !known.contains($0) }
      if initializes, let against, !unknown.isEmpty, !RunFolder.isRun(against) {
        let store = SnapshotStore(against)
        try FolderLock.hold(store: store)
        // Who wants failures for a baseline says so (record --allow-failures).
        let failures = Set(store.newFailures(unknown, of: new.run, new.manifest))
        let whole = unknown.filter { !failures.contains($0) }
        try store.record(whole, of: new.run, manifest: new.manifest)
        try store.appendHistory(whole, of: new.run, manifest: new.manifest)
        rendering.say("recorded \(whole.count.counting("unit")) that had no baseline")
        old = try Reference(against)
      }
      guard let old else {
        throw HarnessError(
          66, "\(against ?? ""): there is no baseline; --init makes one of what is rendered in \(out)")
      }
      if new.run.mayLackPages {
        // Of pages that differ more than their hashes is looked at.
        let others = try old.units(otherThanIn: new.run, new.units)
        try new.completePages(of: others, rendering.warn)
        try oldSession?.completePages(of: others, rendering.warn)
      }
      let ranges = corpus.pageRanges
      var performance: [PerformanceFinding] = []
      if let perf { performance = try judge(read, heaviest(of: new), repeats: perf) }
      return try Self.report(
        old: old, new: new, ranges: ranges, performance: performance, rendered: rendered.count, start: start,
        rendering)
    }
  }

  /// Compares, writes comparison.json and summary.json, and says in a few lines what they hold.
  static func report(
    old: Reference, new: Session, ranges: [String: NumberRange] = [:], performance: [PerformanceFinding] = [],
    rendered: Int, start: UInt64, _ rendering: RenderingOptions
  ) throws(HarnessError) -> Int32 {
    let current = Reference.run(new.run, new.manifest)
    // Units that were not set, because a failure stopped the run, are not missed.
    let units = rendering.failFast ? new.units.filter { new.run.unitFile($0) != nil } : new.units
    var comparison = try Verification.compare(old, current, units: units, jobs: rendering.jobCount)
    // Rounds that judge time have judged memory too.
    comparison.performance =
      performance
      + old.findings(on: current, changed: comparison.changedUnits).filter { performance.isEmpty || !$0.isOfMemory }
    let skipped = new.units.count - units.count
    if skipped > 0 {
      comparison.warn("--fail-fast: \(skipped.counting("unit")) of \(new.units.count) were not set")
    }
    try check(ranges, old, current, units)
    if !ranges.isEmpty {
      for index in comparison.units.indices {
        guard let range = ranges[comparison.units[index].key.book] else { continue }
        comparison.units[index].pages.removeAll { !range.contains($0.newPage ?? $0.oldPage ?? 0) }
      }
      comparison.units.removeAll { $0.isEqual }
      comparison.clusters = Clustering.clusters(of: comparison.units)
    }
    try Decisions(contentsOf: new.manifest.decisionsPath).judge(&comparison)
    var summary = RunSummary(comparison)
    summary.rendered = rendered
    summary.failures = new.units.filter { new.run.unitFile($0)?.result.outcome.isSuccess == false }.map(\.description)
    summary.seconds = Double(Clock.wallTime - start) / 1e9
    if summary.exitCodes.isEmpty { summary.apply(0) }
    try ComparisonFile.write(comparison, to: new.run.comparisonPath)
    try Files.write(json: summary, to: new.run.summaryPath, isPretty: true)
    for line in lines(comparison, summary) { rendering.say(line) }
    if !comparison.units.isEmpty || summary.worse > 0 {
      let report = RunReport(comparison, of: new.run, manifest: new.manifest, old: old, summary: summary)
      let html = HTMLReport(report, of: new.run, manifest: new.manifest, old: old, jobs: rendering.jobCount)
      try html.write(to: new.run.reportPath)
      rendering.say("report: \(new.run.reportPath)")
    }
    return summary.exitCode
  }

  /// Pages that are asked for alone are there, in the old run or in the new one.
  private static func check(
    _ ranges: [String: NumberRange], _ old: Reference, _ new: Reference, _ units: [UnitKey]
  ) throws(HarnessError) {
    for (book, range) in ranges.sorted(by: { $0.key < $1.key }) {
      let pages =
        units.filter { $0.book == book }.flatMap { [old.pageCount(of: $0), new.pageCount(of: $0)] }.max() ?? 0
      guard range.first > pages else { continue }
      throw HarnessError.missing("\(book): it has \(pages.counting("page")), none from \(range.first) on")
    }
  }

  /// The lines that a person reads first.
  static func lines(_ comparison: RunComparison, _ summary: RunSummary) -> [String] {
    var lines: [String] = []
    let differences = comparison.old.differences(to: comparison.new)
    if !differences.isEmpty { lines.append("other versions: \(differences.joined(separator: "; "))") }
    if let books = comparison.changedBooks {
      let names = books.prefix(10).joined(separator: ", ") + (books.count > 10 ? " and \(books.count - 10) more" : "")
      lines.append("changed books: \(names); what differs in them is told apart")
    }
    for warning in comparison.warnings ?? [] { lines.append("warning: \(warning)") }
    for book in summary.fixedFailures { lines.append("fixed: \(book)") }
    for book in summary.newFailures { lines.append("newly fails: \(book)") }
    for book in summary.missingBaselines.prefix(20) { lines.append("no baseline: \(book)") }
    for book in (summary.missingUnits ?? []).prefix(20) { lines.append("not in the run: \(book)") }
    for book in (summary.goneBooks ?? []).prefix(20) { lines.append("gone from the corpus: \(book)") }
    for book in (summary.renamedBooks ?? []).prefix(20) { lines.append("renamed: \(book)") }
    if comparison.clusters.isEmpty {
      for unit in comparison.units.prefix(40) {
        lines.append("differs: \(unit.key): " + describe(unit))
      }
      if comparison.units.count > 40 { lines.append("and \(comparison.units.count - 40) more") }
    }
    for cluster in comparison.clusters.prefix(20) {
      let verdict = cluster.decision.map { " [\($0.rawValue)]" } ?? ""
      lines.append(
        "\(cluster.id)  \(cluster.summary): \(cluster.extent)" + verdict)
    }
    if comparison.clusters.count > 20 { lines.append("and \(comparison.clusters.count - 20) more kinds of change") }
    if comparison.clusters.contains(where: { $0.signature == UnitDiff.unknownSignature }) {
      lines.append("old pages are not kept here; typeset snapshot restore, with the run's folder, makes them again")
    }
    for finding in comparison.performance.filter(\.isOpen).prefix(20) {
      lines.append("worse: \(finding.key): \(finding.summary)")
    }
    let seconds = (summary.seconds * 10).rounded() / 10
    lines.append(
      "\(summary.units.counting("unit")), \(summary.pages.counting("page")), \(summary.rendered) rendered: "
        + (summary.differingUnits == 0
          ? summary.gaps ?? "no difference"
          : "\(summary.differingUnits.counting("unit")) and \(summary.differingPages.counting("page")) differ"
            + (summary.consequences > 0 ? ", \(summary.consequences) more pages follow from them" : ""))
        + (summary.failures.isEmpty ? "" : "; \(summary.failures.count) failed") + "; \(seconds) s")
    return lines
  }

  private static func describe(_ unit: UnitComparison) -> String {
    var parts = unit.changes.prefix(3).map(\.summary)
    if !unit.pages.isEmpty {
      parts.append("\(unit.pages.count.counting("page")) from page \(unit.pages[0].newPage ?? 0) on")
    }
    return parts.joined(separator: ", ")
  }

  /// The units that time is judged by.
  private func heaviest(of session: Session) -> [UnitKey] {
    guard corpus.choosesNoBooks else { return session.units }
    var figures: [UnitKey: [String: Double]] = [:]
    for key in session.units {
      guard let file = session.run.unitFile(key), file.result.outcome.isSuccess else { continue }
      figures[key] = file.result.statistics.merging(["images": Double(file.images.count)]) { first, _ in first }
    }
    return Performance.heaviest(figures)
  }

  /// Runs both builds in turns, each book alone, and judges their least times.
  private func judge(_ read: Corpus, _ units: [UnitKey], repeats: Int) throws(HarnessError) -> [PerformanceFinding] {
    var figures: [[UnitKey: [[String: Double]]]] = [[:], [:]]
    for number in 1...repeats {
      for (index, program) in build.enumerated() {
        let folder = out + "-perf-\(index)"
        var session = try rendering.session(read, corpus, into: folder, program: program)
        session.pool.jobs = 1
        session.units = units
        session.pool.ignoresCache = true
        _ = try rendering.render(session, label: "round \(number) of \(repeats): ")
        for key in session.units {
          guard let file = session.run.unitFile(key), file.result.outcome.isSuccess else { continue }
          figures[index][key, default: []].append(file.result.statistics)
        }
      }
    }
    var noise: [UnitKey: Double] = [:]
    for (key, runs) in figures[0] { noise[key] = Performance.noise(runs) }
    let sorted = noise.values.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    guard median <= Performance.Thresholds().noise else {
      throw HarnessError.tooNoisy(
        "equal runs differ by \(Int((median * 100).rounded())) % here: this machine cannot judge time")
    }
    try Files.write(
      json: Performance.records(figures[0], figures[1]), to: RunFolder(out).performancePath, isPretty: true)
    return Performance.judge(old: figures[0], new: figures[1], noise: noise)
  }
}

/// `typeset snapshot compare`.
struct SnapshotCompare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two finished runs, or a run with a store; render nothing.",
    discussion: "comparison.json and summary.json are written to the new run's folder.")

  @Argument(help: ArgumentHelp("The old run or a store.", valueName: "old"), completion: .directory)
  var old: String
  @OptionGroup var system: VariantOptions
  @Argument(help: ArgumentHelp("The new run.", valueName: "new"), completion: .directory)
  var new: String
  @Option(
    help: ArgumentHelp("The decisions. (default: decisions.ndjson beside the corpus)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @Option(help: ArgumentHelp("Books in work at once. (default: one for each core)", valueName: "n")) var jobs: Int?
  @Flag(help: "Say only what is wrong.") var quiet = false

  func run() throws { try harness { () throws(HarnessError) in try compare() } }

  /// - Returns: the exit code.
  func compare() throws(HarnessError) -> Int32 {
    let start = Clock.wallTime
    let run = RunFolder(new)
    let manifest = try run.manifest()
    guard !run.isMadeOfDifferences else {
      throw HarnessError(69, "\(new): its units were compared where they were rendered; merge compares its parts")
    }
    try run.begin()
    let reference = try Reference(system.place(in: old))
    let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let missing = manifest.part?.missing ?? []
    try reference.check { DiagnosticPrinter.fail($0) }
    if run.mayLackPages {
      let lost = run.completePages(of: try reference.units(otherThanIn: run, manifest.units))
      guard lost.isEmpty else {
        throw HarnessError(
          69,
          "\(new): the cache no longer has the pages of \(lost.prefix(5).map(\.description).joined(separator: ", ")); "
            + "render makes them again with --no-cache")
      }
    }
    var comparison = try Verification.compare(
      reference, .run(run, manifest), jobs: jobs, missingShards: missing)
    comparison.performance = reference.findings(on: .run(run, manifest), changed: comparison.changedUnits)
    return try Self.conclude(comparison, run, manifest, decisions: decisions, start: start, isQuiet: quiet)
  }

  /// Judges a comparison by what was decided, writes comparison.json and summary.json, and says what they hold.
  ///
  /// - Returns: the exit code.
  static func conclude(
    _ comparison: RunComparison, _ run: RunFolder, _ manifest: RunManifest, decisions: String?, start: UInt64,
    isQuiet: Bool
  ) throws(HarnessError) -> Int32 {
    var comparison = comparison
    try Decisions(contentsOf: decisions ?? manifest.decisionsPath).judge(&comparison)
    var summary = RunSummary(comparison)
    summary.seconds = Double(Clock.wallTime - start) / 1e9
    if summary.exitCodes.isEmpty { summary.apply(0) }
    try ComparisonFile.write(comparison, to: run.comparisonPath)
    try Files.write(json: summary, to: run.summaryPath, isPretty: true)
    if !isQuiet {
      for line in SnapshotVerify.lines(comparison, summary) { StandardStream.output.write((line + "\n").utf8) }
    }
    return summary.exitCode
  }
}
