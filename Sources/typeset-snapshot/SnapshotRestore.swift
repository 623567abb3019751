import ArgumentParser
import BookOutput
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// `typeset snapshot restore`.
struct SnapshotRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make old pages of a run's baseline again that only their hashes are kept of.",
    discussion: """
      In a fresh clone a baseline tells which pages differ, and not how. The engine that recorded the books that differ makes \
      their old pages again: --old names it, or else the revision that recorded them last is built in a work tree of its own, \
      by the command of --make as in bisect. In a repository that is not the engine's this program does it \
      itself, where it is of the version that recorded the baseline; --repository names the engine's, whose \
      tag of that version is built. What it gives is taken only where it has the hashes of the baseline. \
      Then the run is compared once more and its report is written.
      """)

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Option(help: ArgumentHelp("The typeset that recorded the baseline.", valueName: "program"), completion: .file())
  var old: String?
  @Option(
    help: ArgumentHelp("The engine's repository. (default: the one that the baseline is in)", valueName: "folder"),
    completion: .directory)
  var repository: String?
  @Option(
    help: ArgumentHelp(
      """
      The shell command that builds the revision in $REVISION in a folder of its own, $FOLDER, and prints the program's \
      path in its last line.
      """, valueName: "command")) var make: String?
  @Option(help: ArgumentHelp("Where builds are kept.", valueName: "folder"), completion: .directory)
  var builds = ".snapshot/builds"
  @Option(help: ArgumentHelp("Books in work at once. (default: one for each core)", valueName: "n")) var jobs: Int?
  @Option(
    help: ArgumentHelp("Show a progress bar: on a terminal (auto), always or never.", valueName: "auto|always|never"))
  var progress: ProgressMode = .auto
  @Flag(help: "Say only what is wrong.") var quiet = false

  func run() throws {
    try harness { () throws(HarnessError) in
      let run = RunFolder(path)
      let manifest = try run.manifest()
      guard let comparison = run.comparison(), let against = comparison.against else {
        throw HarnessError(66, "\(path): the run has not been compared; typeset snapshot compare does it")
      }
      guard SnapshotStore.isStore(against) else {
        throw HarnessError(66, "\(against): what the run was compared with is no store; a run has its pages")
      }
      let restoration = try Restoration(SnapshotStore(against), manifest: manifest)
      let units = restoration.units(of: comparison)
      guard !units.isEmpty else {
        say("all old pages of books that differ are there")
        return 0
      }
      try FolderLock.hold(store: SnapshotStore(against))
      var missing: [UnitKey] = []
      for (program, units) in try programs(for: units, restoration) {
        let folder = Files.join(run.path + "-restored", ProgramIdentity.hash(program) ?? "")
        var session = try restoration.session(units, program: program, into: folder)
        session.pool.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        let bar = ProgressBar(mode: progress, isQuiet: quiet)
        session.pool.progress = {
          bar.update($0.fraction, "old pages: \($0.done)/\($0.total) units, \($0.pages) pages")
        }
        try session.render()
        bar.finish()
        for outcome in try restoration.keep(session) where outcome.there < outcome.all {
          missing.append(outcome.key)
          DiagnosticPrinter.fail(
            "\(outcome.key): \(program) gives \(outcome.there) of \(outcome.all) pages as they were recorded; "
              + "it is another build, or the book or the fonts are others")
        }
      }
      say("\(units.count - missing.count) of \(units.count) units have their old pages again")
      var compare = try parsed { () throws in
        try SnapshotCompare.parse(
          [against, run.path, "--quiet"] + (manifest.decisions.map { ["--decisions", $0] } ?? []))
      }
      compare.jobs = jobs
      _ = try compare.compare()
      let report = try parsed { () throws in try SnapshotReport.parse([run.path] + (quiet ? ["--quiet"] : [])) }
      try report.write()
      return missing.isEmpty ? 0 : 1
    }
  }

  private func parsed<Command>(_ body: () throws -> Command) throws(HarnessError) -> Command {
    do { return try body() } catch { throw HarnessError(64, "\(error)") }
  }

  private func say(_ text: String) { if !quiet { StandardStream.output.write((text + "\n").utf8) } }

  /// The programs that recorded units, and which.
  private func programs(
    for units: [UnitKey], _ restoration: Restoration
  ) throws(HarnessError) -> [(program: String, units: [UnitKey])] {
    if let old { return [(Files.absolute(old), units)] }
    let own = try? restoration.repository()
    if let repository = try repository.map({ folder throws(HarnessError) in try Git.workTree(of: folder) }),
      repository != own
    {
      return [(try program(of: restoration.revision(in: repository), in: repository, units), units)]
    }
    guard make != nil || own.map(Bisect.isEngine) == true else {
      // Beside the engine's repository there are releases.
      guard restoration.engine == EngineVersion.current else {
        throw HarnessError(
          66,
          "\(own ?? path): the engine is not built from here, and this is \(EngineVersion.current), not "
            + "\(restoration.engine), which recorded the baseline; --old names that program, --repository the engine's "
            + "repository")
      }
      return [(ProgramFile.own, units)]
    }
    let revisions = try restoration.revisions(of: units)
    let known = revisions.values.reduce(0) { $0 + $1.count }
    guard known > 0 else {
      throw HarnessError(66, "no revision of a repository has recorded the baseline; --old names a build that has")
    }
    if known < units.count {
      DiagnosticPrinter.fail("\(units.count - known) units are in no revision of the repository")
    }
    let place = try restoration.repository()
    var programs: [(program: String, units: [UnitKey])] = []
    for (revision, units) in revisions.sorted(by: { $0.key < $1.key }) {
      programs.append((try program(of: revision, in: place, units), units))
    }
    return programs
  }

  /// Builds a revision that recorded some units.
  private func program(
    of revision: String, in repository: String, _ units: [UnitKey]
  ) throws(HarnessError) -> String {
    if !quiet {
      StandardStream.error.write(
        "building revision \(revision.prefix(12)), which recorded \(units.count.counting("unit")), in \(builds)\n".utf8)
    }
    return try Bisect.program(
      of: revision, command: make ?? Bisect.defaultCommand, repository: repository, folder: builds)
  }
}
