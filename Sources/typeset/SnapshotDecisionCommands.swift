import ArgumentParser
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// Which changes of a run a decision is about, and where it is written.
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

  func isMeant(_ member: ClusterMember, of cluster: Cluster) -> Bool {
    all || self.cluster.contains(cluster.id) || book.contains(member.key.book)
      || page.compactMap(Self.page).contains { page in
        page.book == member.key.book && page.profile ?? member.key.profile == member.key.profile
          && page.number == member.newPage ?? member.oldPage
      }
  }

  /// Writes the decisions, gives the run's clusters their verdicts, and moves the baseline of units that are wholly accepted.
  ///
  /// - Parameter store: whose baseline moves; nil moves none.
  func decide(_ verdict: Verdict, alsoUntil: String? = nil, store: SnapshotStore? = nil) throws(HarnessError) {
    let run = RunFolder(path)
    let manifest = try run.manifest()
    guard var comparison = run.comparison() else {
      throw HarnessError(66, "\(path): the run has not been compared; typeset snapshot compare does it")
    }
    for id in cluster where !comparison.clusters.contains(where: { $0.id == id }) {
      throw HarnessError(64, "\(path): there is no cluster \(id)")
    }
    var made: [Decision] = []
    for cluster in comparison.clusters {
      let scope = Decisions.scope(of: cluster) { isMeant($0, of: cluster) }
      if scope.isEmpty { continue }
      made.append(
        Decision(
          signature: cluster.signature, summary: cluster.summary, verdict: verdict, reason: reason,
          revision: revision ?? manifest.revision, date: Decisions.today(), scope: scope, alsoUntil: alsoUntil))
    }
    let findings = comparison.performance.filter { finding in
      finding.isWorse && (all || book.contains(finding.key.book))
    }
    made += Decisions.decisions(
      on: findings, verdict, reason: reason, revision: revision ?? manifest.revision)
    guard !made.isEmpty else { throw HarnessError(64, "\(path): no change of the run is meant by that") }
    let file = decisions ?? manifest.decisionsPath
    let before = try Decisions(contentsOf: file)
    (before + made).apply(to: &comparison)
    var move: BaselineMove?
    if let store {
      move = try BaselineMove(of: comparison, run, manifest, in: store, decisions: before)
      if let moved = move?.moved, !moved.isEmpty { made[made.count - 1].moved = moved }
    }
    // A decision whose baseline did not move leaves its change open; the other way round nobody would be told.
    try Decisions.append(made, to: file)
    try Files.write(json: comparison, to: run.comparisonPath)
    var summary = RunSummary(comparison)
    if summary.exitCodes.isEmpty { summary.apply(0) }
    try Files.write(json: summary, to: run.summaryPath, isPretty: true)
    for decision in made {
      StandardStream.output.write("\(decision.verdict.rawValue): \(decision.summary)\n".utf8)
    }
    StandardStream.output.write("\(summary.undecided) of \(summary.clusters) kinds of change are open\n".utf8)
    if let move {
      let count = try move.perform(figures: Set(comparison.performance.filter { $0.decision == .accepted }.map(\.key)))
      StandardStream.output.write("the baseline of \(count) units moved\n".utf8)
    }
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
      a renamed one gets its new name. Where the baseline is no longer what the run was compared with, nothing is written, \
      the exit code is 66, and the decision that moved it is named.
      """)

  @OptionGroup var options: DecisionOptions
  @Option(
    help: ArgumentHelp("The store whose baseline moves; none moves without it.", valueName: "store"),
    completion: .directory)
  var store: String?
  @Option(name: .customLong("as"), help: "accepted; expected and skip settle a change and leave the baseline as it is.")
  var verdict: Settlement = .accepted
  @Flag(help: "Accept the same change also where it is yet to come, unless text is lost or the like.")
  var alsoFuture = false
  @Option(help: ArgumentHelp("The last day of --also-future. (default: in 90 days)", valueName: "yyyy-mm-dd"))
  var expires: String?

  enum Settlement: String, ExpressibleByArgument, CaseIterable { case accepted, expected, skip }

  mutating func validate() throws {
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
        verdict, alsoUntil: until, store: verdict == .accepted ? store.map { SnapshotStore($0) } : nil)
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
