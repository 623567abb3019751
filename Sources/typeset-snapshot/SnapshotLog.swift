import ArgumentParser
import Command
import SnapshotHarness

/// `typeset snapshot log`.
struct SnapshotLog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show the accepted changes of a page: revision, day, who and why.",
    discussion: """
      The history is that of the Git repository that holds the baseline. Reasons are those of decisions that moved the \
      baseline, or else the titles of commits.
      """)

  @Argument(help: ArgumentHelp("The book's name in the corpus.", valueName: "book")) var book: String
  @Option(help: ArgumentHelp("The number of the page.", valueName: "n")) var page: Int
  @Option(help: ArgumentHelp("Only this profile. (default: all)", valueName: "name")) var profile: String?
  @Option(help: ArgumentHelp("The store.", valueName: "store"), completion: .directory) var store = "Snapshots"
  @OptionGroup var system: VariantOptions
  @Option(
    help: ArgumentHelp("The decisions. (default: those of the run in .snapshot/run)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @Flag(help: "Write JSON Lines.") var json = false

  mutating func validate() throws {
    if page < 1 { throw ValidationError("--page takes a positive number") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let known = try? RunFolder(".snapshot/run").manifest().decisionsPath
      let entries = try PageHistory.entries(
        of: book, page: page, profile: profile, in: SnapshotStore(system.place(in: store)),
        decisions: try (decisions ?? known).map { path throws(HarnessError) in try Decisions(contentsOf: path) }
          ?? Decisions())
      for entry in entries {
        if json {
          StandardStream.output.write(Files.json(entry))
          continue
        }
        let revision = entry.revision.isEmpty ? "-" : entry.revision
        let what = entry.summary.isEmpty ? entry.change : "\(entry.change): \(entry.summary)"
        StandardStream.output.write(
          "\(entry.profile)\t\(revision)\t\(entry.date)\t\(entry.by)\t\(what)\t\(entry.reason)\n".utf8)
      }
      return 0
    }
  }
}
