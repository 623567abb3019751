import ArgumentParser
import BookOutput
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// `typeset snapshot index`.
struct SnapshotIndex: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "List the books of a corpus in one file, so that parts of a run read their own alone.",
    discussion: """
      The index has a line for each book: name, path, hash, size, the time that setting it may take, and what it uses. \
      Where it is there already, only books that changed are read. --index of the verbs that render takes it in place \
      of the corpus's books; a book that is another by then is refused.
      """)

  @Argument(
    help: ArgumentHelp("A corpus.yaml, a folder of books, or a book.", valueName: "corpus"), completion: .file())
  var corpus: String
  @Option(help: ArgumentHelp("The index.", valueName: "file"), completion: .file())
  var out: String
  @Option(
    help: ArgumentHelp("A store or a run that says how long books take.", valueName: "store|run"),
    completion: .directory)
  var history: String?
  @Option(help: ArgumentHelp("Books in work at once. (default: one for each core)", valueName: "n"))
  var jobs: Int?
  @Flag(help: "Say only what is wrong.") var quiet = false

  mutating func validate() throws {
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes a number from 1 to 1024") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      var indexer = CorpusIndexer(corpus, path: out, worker: [ProgramFile.own, "snapshot", "look-into"])
      indexer.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
      if let history { indexer.history = try Reference(history).statistics() }
      let outcome = try indexer.update()
      for problem in outcome.problems { DiagnosticPrinter.fail(problem) }
      if !outcome.unknown.isEmpty {
        let rest = outcome.unknown.count - 5
        DiagnosticPrinter.fail(
          "nobody can look into \(outcome.unknown.prefix(5).joined(separator: ", "))"
            + (rest > 0 ? " and \(rest) more" : "") + ": --uses always takes them")
      }
      if !quiet {
        let gone = outcome.gone > 0 ? ", \(outcome.gone) gone" : ""
        StandardStream.output.write(
          "\(outcome.books.counting("book")), \(outcome.read) read\(gone); in \(out)\n".utf8)
      }
      return 0
    }
  }
}
