import ArgumentParser
import Command
import FoundationEssentials
import Platform
import SnapshotHarness
import Typesetting

/// `typeset snapshot record`.
struct SnapshotRecord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Render a corpus and store it as the baseline.",
    discussion: """
      The store is a folder: baseline.json and units/ are small texts for Git, a line of 34 bytes for each page; pages/ and \
      blobs/ hold what old pages are drawn from and what they say, each page once, and need not be kept there. With \
      --variant only units that are not equal to those of the store are recorded, in variants/NAME/ of it.
      """)

  @OptionGroup(title: "Corpus") var corpus: CorpusOptions
  @Option(help: ArgumentHelp("The store; it is made where there is none.", valueName: "store"), completion: .directory)
  var into: String
  @OptionGroup var system: VariantOptions
  @Option(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var out = ".snapshot/run"
  @Flag(help: "Keep hashes alone: old pages cannot be shown later, only told to differ.")
  var hashOnly = false
  @Flag(help: "Take books that fail for the baseline, too, where they did not fail in it and are not hostile.")
  var allowFailures = false
  @Flag(help: "Take pages for the baseline that were called a regression.")
  var closeRegressions = false
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  func run() throws {
    try harness { () throws(HarnessError) in
      let into = try system.place(in: into, mayBeNew: true)
      let read = try corpus.read()
      rendering.warn(of: read)
      let session = try rendering.session(read, corpus, into: out)
      if rendering.dryRun {
        rendering.list(session)
        return 0
      }
      let store = SnapshotStore(into)
      try FolderLock.hold(store: store)
      _ = try rendering.render(session)
      if !hashOnly, session.run.mayLackPages {
        // Pages that the store has already are not asked for.
        let others =
          SnapshotStore.isStore(into)
          ? try Reference(into).units(otherThanIn: session.run, session.units) : session.units
        try session.completePages(of: others, rendering.warn)
      }
      if !allowFailures {
        let failures = store.newFailures(session.units, of: session.run, session.manifest)
        for key in failures.prefix(20) {
          rendering.warn("\(key): \(session.run.unitFile(key)?.result.outcome.rawValue ?? "")")
        }
        guard failures.isEmpty else {
          throw HarnessError(
            3,
            "\(failures.count.counting("unit")) newly failed: nothing is recorded; "
              + "--allow-failures takes failures for the baseline"
          )
        }
      }
      if !closeRegressions {
        let open = try store.openRegressions(session.units, of: session.run, session.manifest)
        for decision in open.prefix(20) { rendering.warn("regression: \(decision.summary): \(decision.reason)") }
        guard open.isEmpty else {
          throw HarnessError(
            1,
            "\(open.count.counting("regression")) would be closed: nothing is recorded; "
              + "--close-regressions records all the same"
          )
        }
      }
      // Only who records the whole corpus can say what is no longer in it.
      let known = Set(session.manifest.units + (session.manifest.others ?? []))
      let gone =
        try corpus.selection() == UnitSelection()
        ? Set(store.units()).union(store.listedUnits() ?? []).subtracting(known).sorted() : []
      let changed = try store.recordAnew(
        session.units, forgetting: gone, of: session.run, manifest: session.manifest, keepsPages: !hashOnly)
      try store.appendHistory(session.units, of: session.run, manifest: session.manifest)
      let failures = session.units.filter { session.run.unitFile($0)?.result.outcome.isSuccess == false }
      for key in failures {
        rendering.say("\(key): \(session.run.unitFile(key)?.result.outcome.rawValue ?? "")")
      }
      rendering.say(
        "recorded \(session.units.count.counting("unit")), \(changed.count) of them new or another, in \(into)")
      if store.variant != nil {
        rendering.say("\(store.ownUnits().count.counting("unit")) otherwise than in the baseline")
      }
      return 0
    }
  }
}

/// `typeset snapshot render`.
struct SnapshotRender: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a corpus, or a part of it, into a run's folder; compare nothing.",
    discussion: """
      --shard 2/7 renders the second of seven parts, the same ones on every machine that is given the same corpus and \
      history; typeset snapshot merge joins them. --shard auto asks the scheduler: it knows the variables of GitLab, \
      Buildkite, CircleCI, AWS Batch, arrays of Slurm and, as auto/7, Indexed Jobs of Kubernetes. What is whole in the \
      folder is not rendered again.
      """)

  @OptionGroup(title: "Corpus") var corpus: CorpusOptions
  @Option(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var out: String
  @Option(
    help: ArgumentHelp(
      "Which part of how many, heavy books dealt out first; auto is the one that the scheduler means, auto/n where it "
        + "tells no number of parts. (default: the whole)", valueName: "i/n|auto|auto/n"))
  var shard: ShardChoice?
  @Option(
    help: ArgumentHelp("A store whose history says how long books take.", valueName: "store"), completion: .directory)
  var history: String?
  @Option(help: ArgumentHelp("The typeset that renders. (default: this one)", valueName: "program"))
  var build: String?
  @Option(
    help: ArgumentHelp(
      "Compare with this baseline here, and hand on what differs: OUT/part.differences is all that merge needs.",
      valueName: "store"), completion: .directory)
  var compare: String?
  @OptionGroup var system: VariantOptions
  @Flag(help: "Write the run's manifest and list its units, book and profile on a line, for schedulers.")
  var plan = false
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  mutating func validate() throws {
    if system.variant != nil, compare == nil { throw ValidationError("--variant needs --compare STORE") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let baseline = try system.place(in: compare).map { path throws(HarnessError) in try Reference(path) }
      let part = try shard?.shard(in: ProcessInfo.processInfo.environment) ?? .whole
      let read = try corpus.read()
      rendering.warn(of: read)
      let past = history.map { SnapshotStore($0).lastFigures() } ?? [:]
      let session = try rendering.session(read, corpus, into: out, program: build, shard: part, history: past)
      if rendering.dryRun || plan {
        if plan { try session.prepare() }
        rendering.list(session)
        return 0
      }
      let rendered = try rendering.render(session)
      let failures = session.units.count { session.run.unitFile($0)?.result.outcome.isSuccess == false }
      rendering.say(
        "\(session.units.count.counting("unit")), \(rendered.count) rendered, \(failures) failed; in \(out)")
      if let baseline {
        if session.run.mayLackPages {
          try session.completePages(of: baseline.units(otherThanIn: session.run, session.units), rendering.warn)
        }
        let written = try DifferencePart.write(of: session, against: baseline, jobs: rendering.jobCount)
        rendering.say("\(written.count.counting("unit")) differ; in \(written.path)")
      }
      return 0
    }
  }
}

/// `typeset snapshot render-one`.
struct SnapshotRenderOne: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render-one", abstract: "Render one unit of a run: what schedulers call.",
    discussion: """
      The run's folder has its manifest already, from typeset snapshot render --plan. Doing a unit twice is harmless. With \
      GNU parallel:

        typeset snapshot render books --out run --plan > units
        parallel --colsep '\\t' typeset snapshot render-one run --book {1} --profile {2} :::: units
      """)

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var folder: String
  @Option(help: ArgumentHelp("The book's name in the corpus.", valueName: "book")) var book: String
  @Option(help: ArgumentHelp("The profile's name.", valueName: "name")) var profile: String
  @Option(help: ArgumentHelp("The typeset that renders. (default: this one)", valueName: "program"))
  var build: String?

  func run() throws {
    try harness { () throws(HarnessError) in
      let key = UnitKey(book: book, profile: profile)
      let session = try Session(resuming: folder, program: build)
      try session.render(unit: key) { DiagnosticPrinter.fail($0) }
      return 0
    }
  }
}

/// `typeset snapshot merge`.
struct SnapshotMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join the parts of a run that several machines rendered.",
    discussion: """
      Missing parts, parts that are there twice and parts of other runs are refused with exit code 69. Parts that were \
      compared where they were rendered (render --compare) are compared with the baseline as a whole; the exit code is \
      that of compare then.
      """)

  @Argument(
    help: ArgumentHelp("The parts' folders, or their files of differences.", valueName: "part"), completion: .file())
  var parts: [String]
  @Option(help: ArgumentHelp("The folder of the whole run.", valueName: "run"), completion: .directory)
  var out: String
  @Flag(help: "Join what there is; the run is marked as partial.")
  var partial = false
  @Option(
    help: ArgumentHelp("The baseline of parts that were compared where they were rendered.", valueName: "store"),
    completion: .directory)
  var against: String?
  @OptionGroup var system: VariantOptions
  @Option(
    help: ArgumentHelp("The decisions. (default: decisions.ndjson beside the corpus)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @Flag(help: "Say only what is wrong.") var quiet = false

  mutating func validate() throws {
    if system.variant != nil, against == nil { throw ValidationError("--variant needs --against STORE") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      try FolderLock.hold(run: out)
      let differences = parts.map { DifferencePart.path(of: $0) }
      guard let against else {
        if let compared = differences.compactMap({ $0 }).first, !RunFolder.isRun(parts[0]) {
          throw HarnessError(64, "\(compared): --against STORE names the baseline that it was compared with")
        }
        tell(missing: try Merge.merge(parts, into: out, isPartial: partial))
        return 0
      }
      return try mergeDifferences(differences, against)
    }
  }

  private func mergeDifferences(_ differences: [String?], _ against: String) throws(HarnessError) -> Int32 {
    let start = Clock.wallTime
    for (part, path) in zip(parts, differences) where path == nil {
      throw HarnessError(69, "\(part): it was not compared where it was rendered: render --compare does that")
    }
    let reference = try Reference(system.place(in: against))
    let merged = try DifferencePart.merge(differences.compactMap { $0 }, into: out, isPartial: partial)
    guard case .store(let store, _) = reference, store.state == merged.baseline else {
      throw HarnessError(69, "\(against): the parts were compared with another baseline where they were rendered")
    }
    tell(missing: merged.missing)
    let comparison = try Verification.compare(
      merged.found, reference, .run(merged.run, merged.manifest), missingShards: merged.missing)
    return try SnapshotCompare.conclude(
      comparison, merged.run, merged.manifest, decisions: decisions, start: start, isQuiet: quiet)
  }

  private func tell(missing: [Int]) {
    if missing.isEmpty { return }
    DiagnosticPrinter.fail("shards are missing: \(missing.map(String.init).joined(separator: ", "))")
  }
}
