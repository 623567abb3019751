import ArgumentParser
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// The changes of a run that a decision is about, and the file that it is written to.
struct DecisionOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Option(help: ArgumentHelp("A cluster's id; may be given several times.", valueName: "id"))
  var cluster: [String] = []
  @Option(
    help: ArgumentHelp(
      "All changes of a book, and its figures that got worse; may be given several times.", valueName: "name"))
  var book: [String] = []
  @Option(
    help: ArgumentHelp("All changes of a page of the new run: book:12, or book:profile:12.", valueName: "book:page"))
  var page: [String] = []
  @Flag(help: "All changes of the run, and all figures that got worse.") var all = false
  @Option(help: ArgumentHelp("Why; it is kept with the decision.", valueName: "text"))
  var reason: String
  @Option(
    help: ArgumentHelp(
      "The decisions. (default: those of the run: decisions.ndjson beside the corpus)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @Option(help: ArgumentHelp("Who decides. (default: Git's user.name)", valueName: "name"))
  var by: String?
  @Option(help: ArgumentHelp("The engine's revision. (default: that of the run)", valueName: "name"))
  var revision: String?

  mutating func validate() throws {
    guard all || !(cluster.isEmpty && book.isEmpty && page.isEmpty) else {
      throw ValidationError("one of --cluster, --book, --page and --all says what is meant")
    }
    if reason.allSatisfy(\.isWhitespace) { throw ValidationError("--reason is what the next reader goes by: say why") }
    for text in page where Self.page(text) == nil { throw ValidationError("--page takes a book, a colon and a page") }
  }

  private static func page(_ text: String) -> (book: String, profile: String?, number: Int)? {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 2 || parts.count == 3, let number = Int(parts[parts.count - 1]) else { return nil }
    return (parts[0], parts.count == 3 ? parts[1] : nil, number)
  }

  private var scope: ReviewScope {
    let pages = page.compactMap(Self.page).map {
      ReviewScope.Page(book: $0.book, profile: $0.profile, number: $0.number)
    }
    return ReviewScope(all: all, clusters: cluster, books: book, pages: pages)
  }

  /// Writes the decisions, gives the run's clusters their verdicts, and moves the baseline of units that are wholly accepted.
  ///
  /// - Parameter store: whose baseline moves; nil moves none.
  func decide(
    _ verdict: Verdict, alsoUntil: String? = nil, alsoMore: Double? = nil, store: SnapshotStore? = nil
  ) throws(HarnessError) {
    var review = try Review(path, decisions: decisions)
    var statement = Review.Statement(
      verdict, reason: reason, by: by ?? Git.author(in: FileManager.default.currentDirectoryPath), revision: revision,
      alsoUntil: alsoUntil)
    statement.alsoMore = alsoMore
    let (made, moved) = try review.decide(statement, on: scope, store: store)
    for decision in made {
      StandardStream.output.write("\(decision.verdict.rawValue): \(decision.summary)\n".utf8)
    }
    let summary = review.summary
    StandardStream.output.write("\(summary.undecided) of \(summary.clusters) kinds of change are open\n".utf8)
    if let moved { StandardStream.output.write("the baseline of \(moved) units moved\n".utf8) }
  }
}

/// `typeset snapshot accept`.
struct SnapshotAccept: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept changes of a run: they become the baseline.",
    discussion: """
      The decision is a line of decisions.ndjson; it holds for what the run showed, and what looks otherwise in a later run \
      is open again. The baseline of a book moves when all of its changes are accepted; decisions on it have done their work \
      then, and the same change is open when it comes again. A book that is gone from the corpus leaves the baseline so, and \
      a renamed one gets its new name. Of a run that was compared with a variant of the baseline, the variant moves. \
      Where the baseline is no longer what the run was compared with, nothing is written, the exit code is 5, and the \
      decision that moved it is named.
      """)

  @OptionGroup var options: DecisionOptions
  @Option(
    help: ArgumentHelp("The store whose baseline moves; none moves without it.", valueName: "store"),
    completion: .directory)
  var store: String?
  @Option(name: .customLong("as"), help: "accepted; expected and skip settle a change and leave the baseline as it is.")
  var verdict: Resolution = .accepted
  @Flag(help: "Accept the same change also where it is yet to come, unless text is lost or the like.")
  var alsoFuture = false
  @Option(help: ArgumentHelp("The last day of --also-future. (default: in 90 days)", valueName: "yyyy-mm-dd"))
  var expires: String?
  @Option(
    help: ArgumentHelp(
      "By how many per cent more pages may have the change under --also-future than have it now. (default: 10)",
      valueName: "n"))
  var more: Double?

  enum Resolution: String, ExpressibleByArgument, CaseIterable { case accepted, expected, skip }

  mutating func validate() throws {
    if let more, !alsoFuture || !(0...10_000).contains(more) {
      throw ValidationError("--more takes a number of per cent, beside --also-future")
    }
    guard let expires else { return }
    let digits = expires.split(separator: "-", omittingEmptySubsequences: false)
    guard alsoFuture, digits.map(\.count) == [4, 2, 2], digits.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
      throw ValidationError("--expires takes a day such as 2027-03-31, beside --also-future")
    }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let until = alsoFuture ? expires ?? Decisions.today(plus: 90) : nil
      let verdict = Verdict(rawValue: verdict.rawValue) ?? .accepted
      try options.decide(
        verdict, alsoUntil: until, alsoMore: more, store: verdict == .accepted ? store.map { SnapshotStore($0) } : nil)
      return 0
    }
  }
}

/// `typeset snapshot reject`.
struct SnapshotReject: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject", abstract: "Call changes of a run a regression: the gate stays closed while they are there.")

  @OptionGroup var options: DecisionOptions

  func run() throws {
    try harness { () throws(HarnessError) in
      try options.decide(.regression)
      return 0
    }
  }
}
