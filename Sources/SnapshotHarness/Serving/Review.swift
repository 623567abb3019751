import FoundationEssentials
import Typesetting

/// The changes of a run that a decision is about.
package struct ReviewScope: Hashable, Sendable {
  /// A page of the new run; of the old one where it is gone.
  package struct Page: Hashable, Sendable {
    package var book: String
    /// nil is any.
    package var profile: String?
    package var number: Int

    package init(book: String, profile: String? = nil, number: Int) {
      self.book = book
      self.profile = profile
      self.number = number
    }
  }

  package var all = false
  /// Identifiers of clusters.
  package var clusters: [String] = []
  package var books: [String] = []
  package var pages: [Page] = []

  package init(all: Bool = false, clusters: [String] = [], books: [String] = [], pages: [Page] = []) {
    self.all = all
    self.clusters = clusters
    self.books = books
    self.pages = pages
  }

  /// The scope contains a change. A page narrows clusters down, where both are named.
  func contains(_ member: ClusterMember, of cluster: Cluster) -> Bool {
    let isOnPage = pages.contains { page in
      page.book == member.key.book && page.profile ?? member.key.profile == member.key.profile
        && page.number == member.newPage ?? member.oldPage
    }
    let isNamed = clusters.contains(cluster.id)
    return all || books.contains(member.key.book)
      || (clusters.isEmpty ? isOnPage : pages.isEmpty ? isNamed : isNamed && isOnPage)
  }

  func contains(_ finding: PerformanceFinding) -> Bool {
    finding.isWorse && (all || books.contains(finding.key.book))
  }
}

/// A run whose changes people decide on: what `accept` and `reject` do, and the server for as many at once as there are.
package struct Review: Sendable {
  package let run: RunFolder
  package let manifest: RunManifest
  /// With the verdicts of the decisions that there were when it was read.
  package private(set) var comparison: RunComparison
  package private(set) var decisions: Decisions
  /// The file of decisions.
  package let path: String

  /// Reads a run that was compared.
  ///
  /// - Parameter decisions: the file of decisions; nil is that of the run.
  package init(_ folder: String, decisions: String? = nil) throws(HarnessError) {
    run = RunFolder(folder)
    manifest = try run.manifest()
    guard let comparison = run.comparison() else {
      throw HarnessError(66, "\(folder): the run has not been compared; typeset snapshot compare does it")
    }
    self.comparison = comparison
    path = decisions.map(Files.absolute) ?? manifest.decisionsPath
    self.decisions = Decisions()
    try update()
  }

  /// Takes up what others have decided.
  package mutating func update() throws(HarnessError) {
    decisions = try Decisions(contentsOf: path)
    decisions.apply(to: &comparison)
  }

  package var summary: RunSummary {
    var summary = RunSummary(comparison)
    if let written = Files.read(json: run.summaryPath, as: RunSummary.self) {
      summary.rendered = written.rendered
      summary.seconds = written.seconds
      summary.failures = written.failures
    }
    if summary.exitCodes.isEmpty { summary.apply(0) }
    return summary
  }

  /// The statement of a reviewer beside the changes that are meant.
  package struct Statement: Sendable {
    package var verdict: Verdict
    package var reason: String
    package var by: String?
    /// The engine's; nil is that of the run.
    package var revision: String?
    /// The last day on which it also holds for what is yet to come.
    package var alsoUntil: String?
    /// By how many per cent more pages may have the change then; nil is 10.
    package var alsoMore: Double?

    package init(
      _ verdict: Verdict, reason: String, by: String? = nil, revision: String? = nil, alsoUntil: String? = nil
    ) {
      self.verdict = verdict
      self.reason = reason
      self.by = by
      self.revision = revision
      self.alsoUntil = alsoUntil
    }
  }

  /// The id of the cluster that a beginning of it names.
  private func cluster(named beginning: String) throws(HarnessError) -> String {
    let found = comparison.clusters.map(\.id).filter { $0.hasPrefix(beginning) }
    if found.contains(beginning) { return beginning }
    guard let id = found.first, !beginning.isEmpty else {
      throw HarnessError(64, "\(run.path): there is no cluster \(beginning)")
    }
    guard found.count == 1 else {
      throw HarnessError(
        64, "\(run.path): \(beginning) may be any of \(found.sorted().prefix(5).joined(separator: ", "))")
    }
    return id
  }

  /// Writes decisions, gives the clusters their verdicts, and moves the baseline of units that are wholly accepted.
  ///
  /// - Parameters:
  ///   - store: whose baseline moves, or that of its variant which the run was compared with; nil moves none.
  ///   - keepsVerdicts: `true` if comparison.json gets the verdicts too, which takes seconds for tens of thousands of pages. Whoever reads a
  ///     run gives them anew.
  /// - Returns: the decisions, and how many units moved; nil where none was to.
  @discardableResult
  package mutating func decide(
    _ statement: Statement, on scope: ReviewScope, store: SnapshotStore? = nil, keepsVerdicts: Bool = true
  ) throws(HarnessError) -> (made: [Decision], moved: Int?) {
    var scope = scope
    for index in scope.clusters.indices { scope.clusters[index] = try cluster(named: scope.clusters[index]) }
    // Two that accept at once must not both move the same baseline from where it was.
    let store = try store.map { store throws(HarnessError) in try store.judging(comparison) }
    let lock = try store.map { store throws(HarnessError) in try FolderLock(store.root, isStore: true) }
    defer { withExtendedLifetime(lock) {} }
    try update()
    let revision = statement.revision ?? manifest.revision
    let time = Decisions.now()
    var made: [Decision] = []
    for cluster in comparison.clusters {
      let meant = Decisions.scope(of: cluster) { scope.contains($0, of: cluster) }
      if meant.isEmpty { continue }
      made.append(
        Decision(
          signature: cluster.signature, summary: cluster.summary, verdict: statement.verdict, reason: statement.reason,
          revision: revision, date: Decisions.today(), by: statement.by, time: time, scope: meant,
          alsoUntil: statement.alsoUntil))
      if let more = statement.alsoMore { made[made.count - 1].alsoMore = more }
    }
    made += Decisions.decisions(
      on: comparison.performance.filter(scope.contains), statement.verdict, reason: statement.reason,
      revision: revision
    ).map {
      var decision = $0
      decision.by = statement.by
      decision.time = time
      return decision
    }
    guard !made.isEmpty else { throw HarnessError(64, "\(run.path): no change of the run is meant by that") }
    var judged = comparison
    (decisions + made).apply(to: &judged)
    var move: BaselineMove?
    if let store {
      move = try BaselineMove(of: judged, run, manifest, in: store, decisions: decisions)
      if let moved = move?.moved, !moved.isEmpty { made[made.count - 1].moved = moved }
    }
    // A decision whose baseline did not move leaves its change open; the other way round nobody would be told.
    try Decisions.append(made, to: path)
    comparison = judged
    if keepsVerdicts { try ComparisonFile.write(comparison, to: run.comparisonPath) }
    try Files.write(json: summary, to: run.summaryPath, isPretty: true)
    decisions = try Decisions(contentsOf: path)
    let figures = Set(comparison.performance.filter { $0.decision == .accepted }.map(\.key))
    return (made, try move.map { move throws(HarnessError) in try move.perform(figures: figures) })
  }

  /// Writes a comment on a cluster, or whose it is to decide.
  package mutating func addNote(
    on id: String, by: String, comment: String? = nil, assignee: String? = nil
  ) throws(HarnessError) {
    guard let cluster = comparison.clusters.first(where: { $0.id == id }) else {
      throw HarnessError(64, "\(run.path): there is no cluster \(id)")
    }
    let note = ReviewNote(
      signature: cluster.signature, summary: cluster.summary, by: by, time: Decisions.now(), comment: comment,
      assignee: assignee)
    try Decisions.append([], notes: [note], to: path)
    try update()
  }
}
