import FoundationEssentials
import Primitives
import Typesetting

/// What somebody said of a change (6.4): a line of `decisions.ndjson`, which lies in Git beside the corpus.
package struct Decision: Hashable, Codable, Sendable {
  /// The cluster's.
  package var signature: String
  package var summary: String
  package var verdict: Verdict
  package var reason: String
  /// The engine's, when it was decided.
  package var revision: String
  /// `yyyy-mm-dd`.
  package var date: String
  /// By unit: which members of the cluster are meant, or a figure that it may reach. `12 pages 9f3c…` is all of the unit, known by a hash of their
  /// fingerprints; `page 9f3c… page 1b2a…` is single pages. What is not equal to it is open again.
  package var scope: [String: String]
  /// Until this day (included) the verdict also holds for what is yet to come with the same signature, unless that is of
  /// high severity; nil decides on what was seen alone.
  package var alsoUntil: String?

  package init(
    signature: String, summary: String, verdict: Verdict, reason: String, revision: String = "", date: String,
    scope: [String: String] = [:], alsoUntil: String? = nil
  ) {
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

/// The decisions of a corpus, oldest first. Later ones count more.
package struct Decisions: Hashable, Sendable {
  package static let fileName = "decisions.ndjson"

  package private(set) var list: [Decision]

  package init(_ list: [Decision] = []) { self.list = list }

  /// Reads a file; one that is not there holds no decisions. Fails for a line that is none, since a verdict must not get
  /// lost.
  package init(contentsOf path: String) throws(HarnessError) {
    list = []
    guard let text = Files.text(path) else { return }
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      guard let decision = try? JSONDecoder().decode(Decision.self, from: Data(line.utf8)) else {
        throw HarnessError(65, "\(path): line \(number + 1) is no decision")
      }
      list.append(decision)
    }
  }

  /// Adds decisions to a file, a line each.
  package static func append(_ decisions: [Decision], to path: String) throws(HarnessError) {
    for decision in decisions { try Files.append(line: Files.json(decision), to: path) }
  }

  /// The day it is, in universal time.
  package static func today(plus days: Int = 0) -> String {
    String(Date(timeIntervalSinceNow: Double(days) * 86400).ISO8601Format().prefix(10))
  }

  // MARK: Scope

  /// What a decision on some members of a cluster is written down as.
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

  /// What a decision on a figure that got worse is known by: all units of which it is.
  package static func signature(of finding: PerformanceFinding) -> String { "performance|\(finding.metric)" }

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

  /// Gives every cluster the verdict that holds for all of its members. What has drifted since it was decided, or was
  /// never decided, leaves the cluster open; a regression among its members makes it one.
  package func apply(to comparison: inout RunComparison, today: String = Decisions.today()) {
    let bySignature = Dictionary(grouping: list, by: \.signature)
    for index in comparison.clusters.indices {
      comparison.clusters[index].decision = bySignature[comparison.clusters[index].signature].flatMap {
        verdict(on: comparison.clusters[index], by: $0, today: today)
      }
    }
    for (index, finding) in comparison.performance.enumerated() {
      let decision = bySignature[Self.signature(of: finding)]?.last { $0.scope[finding.key.description] != nil }
      let accepted = decision?.scope[finding.key.description].flatMap { Double($0) }
      comparison.performance[index].decision =
        accepted.map { Performance.isWithin(finding, accepted: $0) } == true ? decision?.verdict : nil
    }
  }

  private func verdict(on cluster: Cluster, by decisions: [Decision], today: String) -> Verdict? {
    var verdicts: Set<Verdict> = []
    for (key, members) in Self.byUnit(cluster) {
      let name = key.description
      let whole = Self.whole(members)
      let seen = decisions.last { $0.scope[name] == whole }?.verdict
      for member in members {
        let single = Self.page(member)
        let verdict =
          seen ?? decisions.last { " \($0.scope[name] ?? "") ".contains(" \(single) ") }?.verdict
          ?? decisions.last { decision in
            cluster.severity != .high && (decision.alsoUntil.map { today <= $0 } ?? false)
          }?.verdict
        guard let verdict else { return nil }
        verdicts.insert(verdict)
        if seen != nil { break }
      }
    }
    if verdicts.contains(.regression) { return .regression }
    return [Verdict.skip, .expected, .accepted].first { verdicts.contains($0) }
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
  /// Where the decisions on a run are: beside its corpus, unless it names another file.
  package var decisionsPath: String {
    if let decisions { return decisions }
    let path = corpus.first ?? "."
    return Files.join(Files.isFolder(path) ? path : OutputFiles.folder(of: path), Decisions.fileName)
  }
}
