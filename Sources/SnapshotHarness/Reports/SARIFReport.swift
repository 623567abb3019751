import FoundationEssentials
import Primitives

/// The report as SARIF 2.1.0 (OASIS): a rule for each class of change, a result for each cluster with up to ten places.
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
    var rules: [ChangeClass] = []
    let results = report.comparison.clusters.map { cluster in
      let rule = rules.firstIndex(of: cluster.kind) ?? rules.count
      if rule == rules.count { rules.append(cluster.kind) }
      return Result(
        ruleId: cluster.kind.rawValue, ruleIndex: rule, level: level(cluster),
        message: Text(text: "\(cluster.summary): \(cluster.extent)"),
        locations: cluster.members.prefix(maximumLocations).map { location($0, report, root) },
        partialFingerprints: ["typesetCluster/v1": cluster.id],
        suppressions: cluster.isOpen ? [] : [Suppression()])
    }
    let driver = Run.Tool.Driver(
      version: report.comparison.new.engine,
      rules: rules.map { kind in
        Rule(
          id: kind.rawValue,
          shortDescription: Text(text: kind.rawValue.split(separator: "-").joined(separator: " ")))
      })
    return Files.json(Log(runs: [Run(tool: Run.Tool(driver: driver), results: results)]), isPretty: true)
  }

  private static func level(_ cluster: Cluster) -> String {
    if cluster.decision == .regression || cluster.severity == .high { return "error" }
    return cluster.severity == .medium ? "warning" : "note"
  }

  private static func location(_ member: ClusterMember, _ report: RunReport, _ root: String) -> Location {
    let path = report.units.first { $0.key == member.key }?.path ?? ""
    let name = (member.newPage ?? member.oldPage).map { "page \($0)" } ?? "whole book"
    return Location(
      physicalLocation: .init(
        artifactLocation: .init(
          uri: (path.isEmpty ? member.key.book : RunReport.relative(path, to: root)).addingEscapes)),
      logicalLocations: [.init(name: name, fullyQualifiedName: "\(member.key): \(name)")])
  }
}
