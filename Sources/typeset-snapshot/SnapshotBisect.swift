import ArgumentParser
import Command
import SnapshotHarness

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
