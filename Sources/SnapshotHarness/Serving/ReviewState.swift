/// The statements of people on the clusters of a run, as `report.js` reads them.
struct ReviewState: Encodable, Sendable {
  struct Entry: Encodable, Hashable, Sendable {
    /// `decision`, `comment` or `assignment`.
    var kind: String
    /// The verdict, the comment, or whose it is.
    var text: String
    var reason: String?
    var by: String
    var time: String
  }

  struct Cluster: Encodable, Hashable, Sendable {
    var decision: String?
    var assignee: String?
    /// The number of statements on it: a reviewer who decides has seen them.
    var seen: Int
    /// The latest ones, oldest first.
    var entries: [Entry]
  }

  /// Another one when anything has been said.
  var version: String
  var undecided: Int
  /// By identifier; clusters of which nobody has said anything are left out.
  var clusters: [String: Cluster] = [:]

  private static let maximumEntries = 20

  init(_ review: Review, version: String) {
    self.version = version
    undecided = review.summary.undecided
    var entries: [String: [Entry]] = [:]
    var assignees: [String: String] = [:]
    for decision in review.decisions.list {
      entries[decision.signature, default: []].append(
        Entry(
          kind: "decision", text: decision.verdict.rawValue, reason: decision.reason, by: decision.by ?? "",
          time: decision.time ?? decision.date))
    }
    for note in review.decisions.notes {
      if let comment = note.comment {
        entries[note.signature, default: []].append(
          Entry(kind: "comment", text: comment, by: note.by, time: note.time))
      }
      if let assignee = note.assignee {
        assignees[note.signature] = assignee
        entries[note.signature, default: []].append(
          Entry(kind: "assignment", text: assignee, by: note.by, time: note.time))
      }
    }
    for cluster in review.comparison.clusters {
      guard let said = entries[cluster.signature] else { continue }
      let order = said.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      let assignee = assignees[cluster.signature].flatMap { $0.isEmpty ? nil : $0 }
      clusters[cluster.id] = Cluster(
        decision: cluster.decision?.rawValue, assignee: assignee, seen: said.count,
        entries: order.suffix(Self.maximumEntries).map(\.element))
    }
  }

  /// The number of statements on a cluster.
  func seen(_ id: String) -> Int { clusters[id]?.seen ?? 0 }
}
