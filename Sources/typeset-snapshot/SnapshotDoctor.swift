import ArgumentParser
import Command
import Platform
import SnapshotHarness

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
