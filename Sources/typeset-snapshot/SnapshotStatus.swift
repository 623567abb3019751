import ArgumentParser
import Command
import SnapshotHarness

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
