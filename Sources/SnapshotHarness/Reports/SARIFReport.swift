import FoundationEssentials
import Primitives

/// The report as SARIF 2.1.0 (OASIS): a rule for each class of change or obstacle, a result for each cluster with up to
/// ten places and for each obstacle.
package enum SARIFReport {
  private struct Log: Encodable {
    var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case version, runs
    }
  }
  private struct Text: Encodable { var text: String }
  private struct Run: Encodable {
    struct Tool: Encodable {
      struct Driver: Encodable {
        var name = "typeset snapshot"
        var version: String
        var rules: [Rule]
      }
      var driver: Driver
    }
    var tool: Tool
    var columnKind = "utf16CodeUnits"
    var results: [Result]
  }
  private struct Rule: Encodable {
    var id: String
    var shortDescription: Text
  }
  private struct Location: Encodable {
    struct Physical: Encodable {
      struct Artifact: Encodable { var uri: String }
      var artifactLocation: Artifact
    }
    struct Logical: Encodable {
      var name: String
      var fullyQualifiedName: String
    }
    var physicalLocation: Physical
    var logicalLocations: [Logical]
  }
  private struct Suppression: Encodable {
    var kind = "external"
    var status = "accepted"
  }
  private struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: Text
    var locations: [Location]
    var partialFingerprints: [String: String]
    var suppressions: [Suppression]
  }

  private static let maximumLocations = 10

  /// - Parameter root: the folder of the work tree; paths of files are told from there.
  package static func bytes(_ report: RunReport, root: String = "") -> [UInt8] {
    var rules: [String] = []
    func index(of rule: String) -> Int {
      if let known = rules.firstIndex(of: rule) { return known }
      rules.append(rule)
      return rules.count - 1
    }
    var results = report.obstacles.map { obstacle in
      Result(
        ruleId: obstacle.kind.rawValue, ruleIndex: index(of: obstacle.kind.rawValue), level: "error",
        message: Text(text: obstacle.summary),
        locations: obstacle.key.map { [location(ClusterMember(key: $0, oldPage: nil, newPage: nil), report, root)] }
          ?? [],
        partialFingerprints: ["typesetObstacle/v1": obstacle.fingerprint], suppressions: [])
    }
    results += report.comparison.clusters.map { cluster in
      Result(
        ruleId: cluster.kind.rawValue, ruleIndex: index(of: cluster.kind.rawValue), level: level(cluster),
        message: Text(text: "\(cluster.summary): \(cluster.extent)"),
        locations: cluster.members.prefix(maximumLocations).map { location($0, report, root) },
        partialFingerprints: ["typesetCluster/v1": cluster.id],
        suppressions: cluster.isOpen ? [] : [Suppression()])
    }
    let driver = Run.Tool.Driver(
      version: report.comparison.new.engine,
      rules: rules.map { rule in
        Rule(id: rule, shortDescription: Text(text: rule.split(separator: "-").joined(separator: " ")))
      })
    return Files.json(Log(runs: [Run(tool: Run.Tool(driver: driver), results: results)]), isPretty: true)
  }

  private static func level(_ cluster: Cluster) -> String {
    if cluster.decision == .regression || cluster.severity == .high { return "error" }
    return cluster.severity == .medium ? "warning" : "note"
  }

  private static func location(_ member: ClusterMember, _ report: RunReport, _ root: String) -> Location {
    let name = (member.newPage ?? member.oldPage).map { "page \($0)" } ?? "whole book"
    return Location(
      physicalLocation: .init(
        artifactLocation: .init(
          uri: report.file(of: member.key, from: root).addingEscapes)),
      logicalLocations: [.init(name: name, fullyQualifiedName: "\(member.key): \(name)")])
  }
}
