import ArgumentParser
import Command
import FoundationEssentials
import SnapshotHarness

/// `typeset snapshot trends`.
struct SnapshotTrends: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends", abstract: "Keep time, memory and counters of a run in a file of such runs.",
    discussion: """
      The file has a line for each run, so that it can be committed, or kept as an artifact or a cache of the service that runs \
      this. Runs of one revision on machines of one kind take each other's place. typeset snapshot report --trends FILE draws \
      charts of it.
      """)

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Option(
    help: ArgumentHelp("The file; it is made where there is none.", valueName: "file"),
    completion: .file(extensions: ["ndjson"]))
  var into = "trends.ndjson"
  @Option(help: ArgumentHelp("Keep at most so many runs, the latest.", valueName: "n")) var keep = 200
  @Flag(help: "Say only what is wrong.") var quiet = false

  mutating func validate() throws {
    if keep < 1 { throw ValidationError("--keep takes a positive number") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let run = RunFolder(path)
      let manifest = try run.manifest()
      var trends = try Trends(contentsOf: into)
      let entry = TrendEntry(of: run, manifest: manifest)
      guard !entry.units.isEmpty else { throw HarnessError(66, "\(path): no book of the run was set to its end") }
      trends.add(entry, keep: keep)
      try trends.write(to: Files.absolute(into))
      if quiet { return 0 }
      let same = trends.on(manifest.host)
      StandardStream.output.write(
        "\(into): \(trends.entries.count.counting("run")), \(same.entries.count) of them on machines like this one\n"
          .utf8)
      for step in same.steps where step.revision == manifest.revision {
        let share = ((step.new - step.old) / step.old * 1000).rounded() / 10
        StandardStream.output.write("\(step.name): \(share > 0 ? "+" : "")\(share) %\n".utf8)
      }
      return 0
    }
  }
}
