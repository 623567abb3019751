import BookOutput
import FoundationEssentials
import Primitives
import Typesetting

/// A decision of somebody on a change (6.4): a line of `decisions.ndjson`, which lies in Git beside the corpus.
package struct Decision: Hashable, Codable, Sendable {
  /// The cluster's.
  package var signature: String
  package var summary: String
  package var verdict: Verdict
  package var reason: String
  /// The engine's, when it was decided.
  package var revision: String
  /// `yyyy-mm-dd`.
  package let date: String
  /// The person who decided, and the time to the second (ISO 8601); nil where that is not known.
  package var by: String?
  package var time: String?
  /// By unit: which members of the cluster are meant, or a figure that it may reach. `12 pages 9f3c…` is all of the unit, known by a hash of their
  /// fingerprints; `page 9f3c… page 1b2a…` is single pages. What is not equal to it is open again.
  package var scope: [String: String]
  /// Until this day (included) the verdict also holds for what is yet to come with the same signature, unless that is of
  /// high severity; nil decides on what was seen alone.
  package var alsoUntil: String?
  /// By how many per cent more pages may have the change then than had it when it was decided; nil is 10.
  package var alsoMore: Double?
  /// By unit whose baseline moved with it, of a variant as `one (phone) in debian13`: what the baseline was known by
  /// before and after, `9f3c… > 1b2a…`. Decisions on
  /// such a unit, up to this one, have done their work: what comes again is open again.
  package var moved: [String: String]?
  /// The lines that were the last when this one was written (`CausalOrder`).
  package var after: [String]?

  package init(
    signature: String, summary: String, verdict: Verdict, reason: String, revision: String = "", date: String,
    by: String? = nil, time: String? = nil, scope: [String: String] = [:], alsoUntil: String? = nil,
    moved: [String: String]? = nil
  ) {
    self.by = by
    self.time = time
    self.moved = moved
    self.signature = signature
    self.summary = summary
    self.verdict = verdict
    self.reason = reason
    self.revision = revision
    self.date = date
    self.scope = scope
    self.alsoUntil = alsoUntil
  }
}

/// A comment of somebody on a cluster without deciding on it, or the name of the one to decide: a line of `decisions.ndjson` too.
package struct ReviewNote: Hashable, Codable, Sendable {
  /// The cluster's.
  package var signature: String
  package var summary: String
  package var by: String
  /// ISO 8601, in universal time.
  package var time: String
  package var comment: String?
  /// The person who is to decide; empty for nobody.
  package var assignee: String?
  package var after: [String]?

  package init(
    signature: String, summary: String, by: String, time: String, comment: String? = nil, assignee: String? = nil
  ) {
    self.signature = signature
    self.summary = summary
    self.by = by
    self.time = time
    self.comment = comment
    self.assignee = assignee
  }
}

extension Decision {
  /// The pages that it was made on.
  private var seenPages: Int { scope.keys.reduce(0) { $0 + seenPages(of: $1) } }

  /// Those of a unit.
  fileprivate func seenPages(of unit: String) -> Int {
    guard let scope = scope[unit] else { return 0 }
    return scope.hasPrefix("page ") ? scope.split(separator: " ").count / 2 : Int(scope.prefix { $0 != " " }) ?? 0
  }

  /// The pages that may have the change while it holds for what is yet to come.
  fileprivate var mostPages: Int { Int((Double(seenPages) * (1 + (alsoMore ?? 10) / 100)).rounded(.up)) }

  /// The decision is about time, memory or counters, whose baseline is the history of a machine.
  fileprivate var isOnFigures: Bool { Decisions.isOnFigures(self) }
}

/// The decisions of a corpus in the order of their lines. Of those that hold for the same, later ones count more.
package struct Decisions: Hashable, Sendable {
  package static let fileName = "decisions.ndjson"

  package private(set) var list: [Decision] = []
  package private(set) var notes: [ReviewNote] = []
  private var causalOrder = CausalOrder()
  /// By decision: its line.
  private var lines: [Int] = []
  private var lineCount = 0

  package init(_ list: [Decision] = []) { for decision in list { add(decision) } }

  /// Reads a file; one that is not there holds no decisions. Fails for a line that is none, since a verdict must not get
  /// lost.
  package init(contentsOf path: String) throws(HarnessError) {
    guard let bytes = Files.read(path) else { return }
    let decoder = JSONDecoder()
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      if let decision = try? decoder.decode(Decision.self, from: Data(line)) {
        add(decision, named: Self.name(line))
      } else if let note = try? decoder.decode(ReviewNote.self, from: Data(line)),
        note.comment != nil || note.assignee != nil
      {
        add(note, named: Self.name(line))
      } else {
        throw HarnessError(65, "\(path): line \(number + 1) is no decision")
      }
    }
  }

  private mutating func add(_ decision: Decision, named name: String? = nil) {
    lines.append(lineCount)
    list.append(decision)
    addLine(name, after: decision.after)
  }

  private mutating func add(_ note: ReviewNote, named name: String? = nil) {
    notes.append(note)
    addLine(name, after: note.after)
  }

  /// A line that is not written yet comes after all that are there.
  private mutating func addLine(_ name: String?, after: [String]?) {
    causalOrder.append(name ?? "\(lineCount)", after: name == nil ? nil : after)
    lineCount += 1
  }

  /// The name of a line in those that are written after it: the beginning of its hash.
  private static func name(_ line: some Sequence<UInt8>) -> String { String(SHA256.hex(Array(line)).prefix(12)) }

  /// Adds decisions and notes to a file, a line each.
  package static func append(
    _ decisions: [Decision], notes: [ReviewNote] = [], to path: String
  ) throws(HarnessError) {
    var after = try Decisions(contentsOf: path).causalOrder.heads
    var bytes: [UInt8] = []
    func add(_ line: [UInt8]) {
      after = [name(line.dropLast())]
      bytes += line
    }
    for var decision in decisions {
      decision.after = after
      add(Files.json(decision))
    }
    for var note in notes {
      note.after = after
      add(Files.json(note))
    }
    if bytes.isEmpty { return }
    GitMerging.attribute(path)
    try Files.append(line: bytes, to: path)
  }

  /// The day it is, in universal time.
  package static func today(plus days: Int = 0) -> String {
    String(Date(timeIntervalSinceNow: Double(days) * 86400).ISO8601Format().prefix(10))
  }

  /// These and others that were made after them.
  package static func + (decisions: Decisions, later: [Decision]) -> Decisions {
    var all = decisions
    for decision in later { all.add(decision) }
    return all
  }

  /// The second it is, in universal time: `2026-03-31T12:00:00Z`.
  package static func now() -> String { Date().ISO8601Format() }

  // MARK: Moves of the baseline

  /// The name of a unit in the moves of a baseline, or of a variant of it.
  static func movable(_ unit: some CustomStringConvertible, in variant: String?) -> String {
    variant.map { "\(unit) in \($0)" } ?? unit.description
  }

  /// By unit: the places in the list of decisions that moved its baseline.
  private var moves: [String: [Int]] {
    var moves: [String: [Int]] = [:]
    for (index, decision) in list.enumerated() {
      for unit in (decision.moved ?? [:]).keys { moves[unit, default: []].append(index) }
    }
    return moves
  }

  /// The decision that moved the baseline of a unit last.
  package func lastMove(of unit: UnitKey, in variant: String? = nil) -> Decision? {
    let name = Self.movable(unit, in: variant)
    return list.last { $0.moved?[name] != nil }
  }

  /// The baseline of a unit has been moved from one state to another since a comparison was made.
  func hasMoved(_ unit: UnitKey, from old: String, to new: String, since comparison: RunComparison) -> Bool {
    let name = Self.movable(unit, in: comparison.variant)
    return (moves[name] ?? []).dropFirst(comparison.moves?[name] ?? 0).contains {
      list[$0].moved?[name] == Self.move(from: old, to: new)
    }
  }

  /// The written form of a move.
  static func move(from old: String, to new: String) -> String { "\(old) > \(new)" }

  /// A decision has done its work on a unit whose baseline some decisions have moved: it was one of them, or was there when one
  /// of them was written.
  private func isSpent(_ index: Int, by moves: ArraySlice<Int>) -> Bool {
    moves.contains { $0 == index || causalOrder.isBefore(lines[index], lines[$0]) }
  }

  /// Two branches have moved the baseline of a unit, and nobody since they were merged: a decision that only one of
  /// them knew of.
  ///
  /// A page that both moved is in the merged baseline as one of them left it, so what the other accepted shows on it.
  private func isOfOneBranch(_ index: Int, _ moves: ArraySlice<Int>) -> Bool {
    let heads = moves.filter { move in !moves.contains { causalOrder.isBefore(lines[move], lines[$0]) } }
    return heads.contains { $0 == index || causalOrder.isBefore(lines[index], lines[$0]) }
      && heads.contains { $0 != index && !causalOrder.isBefore(lines[index], lines[$0]) }
  }

  /// Units of those given on which there are decisions that have not done their work on a baseline, or a variant of it.
  package func unspent(_ units: [UnitKey], in variant: String? = nil) -> [UnitKey] {
    let moves = moves
    var scopes: Set<String> = []
    for (index, decision) in list.enumerated() where !decision.isOnFigures {
      for unit in decision.scope.keys where !isSpent(index, by: moves[Self.movable(unit, in: variant)]?[...] ?? []) {
        scopes.insert(unit)
      }
    }
    return units.filter { scopes.contains($0.description) }
  }

  /// The regressions of units whose baseline, or variant of it, has not moved since, unless a later decision on the
  /// same change says otherwise.
  package func openRegressions(of units: [UnitKey], in variant: String? = nil) -> [Decision] {
    let moves = moves
    let names = Set(units.map(\.description))
    return list.enumerated().filter { index, decision in
      guard decision.verdict == .regression, !decision.isOnFigures else { return false }
      return decision.scope.keys.contains { unit in
        let moves = moves[Self.movable(unit, in: variant)] ?? []
        guard names.contains(unit), !isSpent(index, by: moves[...]) else { return false }
        return list[(index + 1)...].allSatisfy { $0.signature != decision.signature || $0.scope[unit] == nil }
      }
    }.map(\.element)
  }

  // MARK: Scope

  /// The written scope of a decision on some members of a cluster.
  package static func scope(
    of cluster: Cluster, where isMeant: (ClusterMember) -> Bool = { _ in true }
  ) -> [String: String] {
    var scope: [String: String] = [:]
    for (key, members) in byUnit(cluster) {
      let meant = members.filter(isMeant)
      if meant.isEmpty { continue }
      scope[key.description] =
        meant.count == members.count ? whole(members) : meant.map { page($0) }.sorted().joined(separator: " ")
    }
    return scope
  }

  private static func byUnit(_ cluster: Cluster) -> [UnitKey: [ClusterMember]] {
    Dictionary(grouping: cluster.members, by: \.key)
  }

  private static func whole(_ members: [ClusterMember]) -> String {
    var hasher = StableHasher()
    for fingerprint in members.map(\.fingerprint).sorted() { hasher.combine(fingerprint) }
    return "\(members.count) pages \(String(hasher.value, radix: 16))"
  }

  private static func page(_ member: ClusterMember) -> String {
    "page \(String(member.fingerprint == 0 ? UInt64(member.newPage ?? member.oldPage ?? 0) : member.fingerprint, radix: 16))"
  }

  private static let figures = "performance|"

  /// The signature of a decision on a figure that got worse: one for all units.
  package static func signature(of finding: PerformanceFinding) -> String { figures + finding.metric }

  fileprivate static func isOnFigures(_ decision: Decision) -> Bool { decision.signature.hasPrefix(figures) }

  /// Decisions on figures that got worse, one for each kind of figure.
  package static func decisions(
    on findings: [PerformanceFinding], _ verdict: Verdict, reason: String, revision: String
  ) -> [Decision] {
    Dictionary(grouping: findings, by: signature).sorted { $0.key < $1.key }.map { signature, findings in
      Decision(
        signature: signature, summary: "\(findings[0].metric) of \(findings.count) units", verdict: verdict,
        reason: reason, revision: revision, date: today(),
        scope: Dictionary(findings.map { ($0.key.description, "\($0.new)") }, uniquingKeysWith: { first, _ in first }))
    }
  }

  // MARK: Verdicts

  /// Judges a comparison that was just made: decisions that have moved a baseline until now say nothing of it.
  package func judge(_ comparison: inout RunComparison, today: String = Decisions.today()) {
    let moves = moves
    var counts: [String: Int] = [:]
    let variant = comparison.variant
    for unit in comparison.units {
      let name = Self.movable(unit.key, in: variant)
      counts[name] = moves[name]?.count
    }
    comparison.moves = counts
    apply(to: &comparison, today: today)
  }

  /// Gives every cluster the verdict that holds for all of its members. What has drifted since it was decided, or was
  /// never decided, leaves the cluster open; a regression among its members makes it one.
  package func apply(to comparison: inout RunComparison, today: String = Decisions.today()) {
    let bySignature = Dictionary(grouping: list.enumerated().map { $0 }, by: \.element.signature)
    // Moves that were there when the runs were compared.
    var moves: [String: ArraySlice<Int>] = [:]
    for (unit, places) in self.moves {
      moves[unit] = places.prefix(comparison.moves.map { $0[unit] ?? 0 } ?? places.count)
    }
    let variant = comparison.variant
    for index in comparison.clusters.indices {
      comparison.clusters[index].decision = bySignature[comparison.clusters[index].signature].flatMap {
        verdict(on: comparison.clusters[index], by: $0, in: variant, moves: moves, today: today)
      }
    }
    for (index, finding) in comparison.performance.enumerated() {
      let decision = bySignature[Self.signature(of: finding)]?.last {
        $0.element.scope[finding.key.description] != nil
      }?.element
      let accepted = decision?.scope[finding.key.description].flatMap { Double($0) }
      comparison.performance[index].decision =
        accepted.map { Performance.isWithin(finding, accepted: $0) } == true ? decision?.verdict : nil
    }
  }

  private func verdict(
    on cluster: Cluster, by all: [(offset: Int, element: Decision)], in variant: String?,
    moves: [String: ArraySlice<Int>], today: String
  ) -> Verdict? {
    var verdicts: Set<Verdict> = []
    for (key, members) in Self.byUnit(cluster) {
      let name = key.description
      let past = moves[Self.movable(name, in: variant)] ?? []
      let decisions = all.filter { !isSpent($0.offset, by: past) }
      let whole = Self.whole(members)
      let standing = decisions.filter { decision in
        cluster.severity != .high && (decision.element.alsoUntil.map { today <= $0 } ?? false)
          && cluster.members.count <= decision.element.mostPages
      }
      // What a branch has accepted holds for as many pages after it was merged with another.
      let merged = all.filter { decision in
        cluster.severity != .high && isOfOneBranch(decision.offset, past)
          && members.count <= decision.element.seenPages(of: name)
      }
      for member in members {
        let single = " \(Self.page(member)) "
        let seen = decisions.filter { decision in
          guard let scope = decision.element.scope[name] else { return false }
          return scope == whole || " \(scope) ".contains(single)
        }
        guard let verdict = self.verdict(of: seen) ?? self.verdict(of: standing) ?? self.verdict(of: merged),
          verdict != .reopened
        else { return nil }
        verdicts.insert(verdict)
        // No decision tells one member from another.
        if seen.allSatisfy({ $0.element.scope[name] == whole }), !decisions.contains(where: isOnPages(name)) { break }
      }
    }
    if verdicts.contains(.regression) { return .regression }
    return [Verdict.skip, .expected, .accepted].first { verdicts.contains($0) }
  }

  private func isOnPages(_ unit: String) -> ((offset: Int, element: Decision)) -> Bool {
    { $0.element.scope[unit]?.hasPrefix("page ") == true }
  }

  /// The last word on a change. Where two branches have decided, neither knowing of the other, a regression keeps it closed and
  /// what was taken back keeps it open.
  private func verdict(of decisions: [(offset: Int, element: Decision)]) -> Verdict? {
    guard let last = decisions.last else { return nil }
    let latest = decisions.filter { !causalOrder.isBefore(lines[$0.offset], lines[last.offset]) }.map(\.element.verdict)
    return [.regression, .reopened].first { latest.contains($0) } ?? last.element.verdict
  }
}

extension RunComparison {
  /// The units all of whose changes are accepted: their baseline may move.
  package var acceptedUnits: [UnitKey] {
    var open: Set<UnitKey> = []
    var accepted: Set<UnitKey> = []
    for cluster in clusters {
      for member in cluster.members {
        if cluster.decision == .accepted { accepted.insert(member.key) } else { open.insert(member.key) }
      }
    }
    return accepted.subtracting(open).sorted()
  }
}

extension RunManifest {
  /// The file of the decisions on a run: beside its corpus, unless it names another file.
  package var decisionsPath: String {
    if let decisions { return decisions }
    let path = corpus.first ?? "."
    return Files.join(Files.isFolder(path) ? path : OutputFiles.folder(of: path), Decisions.fileName)
  }
}
