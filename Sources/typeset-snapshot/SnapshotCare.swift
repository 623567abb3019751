import ArgumentParser
import Command
import FoundationEssentials
import Platform
import SnapshotHarness
import Typesetting

/// `typeset snapshot status`.
struct SnapshotStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what a run came to and what is still to be decided.",
    discussion:
      "With --gate the exit code is 1 while a difference is undecided, a regression is open, a book has no baseline or is not set."
  )

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Flag(help: "Exit with code 1 while a regression or an undecided change is open.") var gate = false

  func run() throws {
    try harness { () throws(HarnessError) in
      let folder = RunFolder(path)
      let manifest = try folder.manifest()
      let done = manifest.units.count { folder.unitFile($0) != nil }
      StandardStream.output.write("\(done) of \(manifest.units.count) units are rendered\n".utf8)
      guard var comparison = folder.comparison() else {
        StandardStream.output.write("the run has not been compared\n".utf8)
        return gate ? 1 : 0
      }
      try Decisions(contentsOf: manifest.decisionsPath).apply(to: &comparison)
      var summary = RunSummary(comparison)
      summary.rendered = done
      for line in SnapshotVerify.lines(comparison, summary) { StandardStream.output.write((line + "\n").utf8) }
      let isOpen =
        summary.undecided > 0 || summary.worse > 0 || done < manifest.units.count || !summary.missingBaselines.isEmpty
      return gate && isOpen ? 1 : 0
    }
  }
}

/// `typeset snapshot history`.
struct SnapshotHistory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show pages, time and memory of a book by revision.",
    discussion: "A step of more than 5 % in time or memory, or of any page, is marked.")

  @Argument(help: ArgumentHelp("The book's name in the corpus.", valueName: "book")) var book: String
  @Option(help: ArgumentHelp("The store.", valueName: "store"), completion: .directory) var store = "Snapshots"
  @Option(help: ArgumentHelp("Only this profile.", valueName: "name")) var profile: String?
  @Option(
    help: ArgumentHelp("Another figure to show, such as shaping.words; may be given several times.", valueName: "key"))
  var figure: [String] = []
  @Flag(help: "Write JSON Lines.") var json = false

  func run() throws {
    try harness { () throws(HarnessError) in
      let entries = SnapshotStore(store).history(book: book).filter { profile == nil || $0.profile == profile }
      guard !entries.isEmpty else { throw HarnessError(66, "\(store): there is no history of \(book)") }
      if json {
        for entry in entries { StandardStream.output.write(Files.json(entry)) }
        return 0
      }
      let names = ["time.total", "memory.peakBytes"] + figure
      func cell(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text + "  "
      }
      for name in Set(entries.map(\.profile)).sorted() {
        StandardStream.output.write("\(book) (\(name))\n".utf8)
        let head =
          cell("revision", 12) + cell("pages", 7) + cell("ms", 10) + cell("MiB", 8)
          + figure.map { cell($0, 16) }.joined()
        StandardStream.output.write((head + "\n").utf8)
        var last: HistoryEntry?
        for entry in entries where entry.profile == name {
          var line = cell(entry.revision.isEmpty ? "-" : entry.revision, 12) + cell(String(entry.pages), 7)
          line += cell(String((entry.statistics["time.total"] ?? 0).rounded()), 10)
          line += cell(String(Int((entry.statistics["memory.peakBytes"] ?? 0) / 1048576)), 8)
          for key in figure { line += cell(entry.statistics[key].map { String($0) } ?? "-", 16) }
          if let last {
            var steps: [String] = last.pages == entry.pages ? [] : ["pages"]
            for key in names {
              guard let was = last.statistics[key], let now = entry.statistics[key], was > 0 else { continue }
              if abs(now - was) > 0.05 * was { steps.append(key) }
            }
            if !steps.isEmpty { line += "<- " + steps.joined(separator: ", ") }
          }
          if entry.outcome != .ok, entry.outcome != .okWithWarnings { line += " \(entry.outcome.rawValue)" }
          StandardStream.output.write((line + "\n").utf8)
          last = entry
        }
      }
      return 0
    }
  }
}

/// `typeset snapshot doctor`.
struct SnapshotDoctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that equal input gives equal pages, whatever the machine is like.",
    discussion: """
      The corpus is rendered with 1, 2 and 8 threads, in two time zones and locales, with a cold and a warm font cache and \
      in another order. Every page that differs is named; the exit code is 1 then.
      """)

  @OptionGroup(title: "Corpus") var corpus: CorpusOptions
  @Option(help: ArgumentHelp("The folder for its runs.", valueName: "folder"), completion: .directory)
  var out = ".snapshot/doctor"
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions

  func run() throws {
    try harness { () throws(HarnessError) in
      let read = try corpus.read()
      for problem in read.fonts.problems { rendering.say("font: \(problem)") }
      let session = try rendering.session(read, corpus, into: out)
      if rendering.dryRun {
        rendering.list(session)
        return 0
      }
      let bar = ProgressBar(mode: rendering.progress, isQuiet: rendering.quiet)
      var examined = session
      let condition = Label()
      examined.pool.progress = { progress in
        bar.update(progress.fraction, "\(condition.text): \(progress.done)/\(progress.total) units")
      }
      let findings = try Doctor.examine(examined) { condition.text = $0 }
      bar.finish()
      for finding in findings { rendering.say("\(finding.condition): \(finding.key): \(finding.difference)") }
      let count = Doctor.conditions.count + 1
      rendering.say(
        findings.isEmpty
          ? "\(session.units.count) units are equal under \(count) conditions"
          : "\(findings.count) differences under \(count) conditions")
      return findings.isEmpty && read.fonts.problems.isEmpty ? 0 : 1
    }
  }

  /// A text that changes while another thread reads it.
  private final class Label: @unchecked Sendable {
    // Guarded by `monitor`.
    private var value = ""
    private let monitor = Monitor()
    var text: String {
      get { monitor.withLock { value } }
      set { monitor.withLock { value = newValue } }
    }
  }
}

/// `typeset snapshot gc`.
struct SnapshotGC: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc", abstract: "Drop stored pages, fonts and images that no kept baseline names.")

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .directory) var store: String
  @Option(
    help: ArgumentHelp(
      "Another baseline whose pages stay: a store's folder, or a Git revision of this one.",
      valueName: "store|revision"))
  var keep: [String] = []

  func run() throws {
    try harness { () throws(HarnessError) in
      let target = SnapshotStore(store)
      _ = try target.header()
      try FolderLock.hold(store: store)
      var kept: [[UInt8]] = []
      for name in keep {
        kept += SnapshotStore.isStore(name) ? SnapshotStore(name).texts() : try target.texts(at: name)
      }
      let collected = try target.collect(keeping: kept)
      StandardStream.output.write(
        "dropped \(collected.pages) parts of pages and \(collected.blobs) blobs, \(collected.bytes >> 10) KiB\n".utf8)
      return 0
    }
  }
}

/// `typeset snapshot bisect`.
struct SnapshotBisect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Find the first revision that shows a change.",
    discussion: """
      Revisions are built by a shell command that finds the revision in $REVISION and a folder of its own in $FOLDER, and \
      whose last line names the program. Without --make, the repository is taken for typeset's own.
      """)

  @Argument(
    help: ArgumentHelp("A corpus.yaml, a folder of books, or a book.", valueName: "corpus"), completion: .file())
  var corpus: [String]
  @Option(help: ArgumentHelp("A revision before the change.", valueName: "revision")) var good: String
  @Option(help: ArgumentHelp("A revision with it.", valueName: "revision")) var bad: String
  @Option(help: ArgumentHelp("The book's name in the corpus.", valueName: "book")) var book: String
  @Option(help: ArgumentHelp("The page as the good revision has it. (default: any page)", valueName: "n")) var page:
    Int?
  @Option(help: ArgumentHelp("Only this profile. (default: the first)", valueName: "name")) var profile: String?
  @Option(help: ArgumentHelp("The engine's repository.", valueName: "folder"), completion: .directory) var repository =
    "."
  @Option(
    help: ArgumentHelp(
      """
      The shell command that builds the revision in $REVISION in a folder of its own, $FOLDER, and prints the program's \
      path in its last line.
      """, valueName: "command")) var make: String?
  @Option(help: ArgumentHelp("Where builds and runs are kept.", valueName: "folder"), completion: .directory)
  var out = ".snapshot/bisect"

  func run() throws {
    try harness { () throws(HarnessError) in
      let read = try Corpus.read(corpus)
      var selection = UnitSelection()
      selection.books = [book]
      selection.profiles = [profile ?? read.profiles[0].name]
      let first = try Bisect.commit(good, repository: repository)
      let revisions = try Bisect.revisions(from: good, to: bad, repository: repository)
      let before = try pages(first, read, selection)
      guard let last = revisions.last, try isChanged(last, before, read, selection) else {
        throw HarnessError(66, "\(bad) shows no change against \(good)")
      }
      let found = try Bisect.first(of: revisions) { revision throws(HarnessError) in
        let isChanged = try self.isChanged(revision, before, read, selection)
        StandardStream.error.write("\(revision.prefix(12)): \(isChanged ? "changed" : "as before")\n".utf8)
        return isChanged
      }
      StandardStream.output.write("\(found ?? bad)\n".utf8)
      return 0
    }
  }

  private func pages(_ revision: String, _ read: Corpus, _ selection: UnitSelection) throws(HarnessError)
    -> [PageHashes]?
  {
    let program = try Bisect.program(
      of: revision, command: make ?? Bisect.defaultCommand, repository: repository, folder: out)
    let session = try Session(
      corpus: read, paths: corpus, selection: selection, into: Files.join(Files.absolute(out), revision + "/run"),
      program: program, revision: revision)
    try session.render()
    guard let unit = session.run.source(session.units[0]) else { throw HarnessError(69, "\(revision): no result") }
    return unit.result.outcome.isSuccess ? unit.result.pages : nil
  }

  private func isChanged(
    _ revision: String, _ before: [PageHashes]?, _ read: Corpus, _ selection: UnitSelection
  ) throws(HarnessError) -> Bool {
    let after = try pages(revision, read, selection)
    guard let page, let before, let after else { return before?.map(\.display) != after?.map(\.display) }
    guard page >= 1, page <= before.count else { throw HarnessError(64, "\(good) has no page \(page)") }
    return page > after.count || before[page - 1].display != after[page - 1].display
  }
}
