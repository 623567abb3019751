import Primitives

/// The report as GitLab's code quality: an issue for each cluster that is open, at the book it is seen best in, and for
/// each obstacle.
package enum CodeQualityReport {
  private struct Issue: Encodable {
    struct Location: Encodable {
      struct Lines: Encodable { var begin: Int }
      var path: String
      var lines: Lines
    }

    var description: String
    var check_name: String
    /// The same as long as the cluster is: what tells issues that are new on a branch.
    var fingerprint: String
    var severity: String
    var location: Location
  }

  /// - Parameter root: the folder of the work tree; paths of files are told from there.
  package static func bytes(_ report: RunReport, root: String = "") -> [UInt8] {
    let obstacles = report.obstacles.map { obstacle in
      Issue(
        description: obstacle.summary, check_name: "typeset.\(obstacle.kind.rawValue)",
        fingerprint: obstacle.fingerprint, severity: obstacle.kind == .worseFigure ? "major" : "blocker",
        location: Issue.Location(
          path: obstacle.key.map { report.file(of: $0, from: root) } ?? "", lines: .init(begin: 1)))
    }
    return Files.json(
      obstacles
        + report.openClusters.map { cluster in
          let place = report.place(of: cluster)
          return Issue(
            description: "\(cluster.summary): \(cluster.extent)" + (place.map { "; see \($0.description)" } ?? ""),
            check_name: "typeset.\(cluster.kind.rawValue)", fingerprint: SHA256.hex(Array(cluster.signature.utf8)),
            severity: severity(cluster),
            location: Issue.Location(
              path: place.map { $0.file.map { RunReport.relative($0, to: root) } ?? $0.key.book } ?? "",
              lines: .init(begin: 1)))
        }, isPretty: true)
  }

  private static func severity(_ cluster: Cluster) -> String {
    if cluster.decision == .regression || cluster.kind == .newFailure { return "blocker" }
    switch cluster.severity {
    case .high: return "critical"
    case .medium: return "major"
    case .low: return "minor"
    case .improvement: return "info"
    }
  }
}
