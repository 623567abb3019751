import FoundationEssentials

/// The report for programs: a `RunReport` as JSON with sorted keys, its schema's version in `schema`.
package enum JSONReport {
  package static func bytes(_ report: RunReport) -> [UInt8] { Files.json(report, isPretty: true) }

  /// nil for what is no report, or one of another schema.
  package static func read(_ bytes: [UInt8]) -> RunReport? {
    guard let report = try? JSONDecoder().decode(RunReport.self, from: Data(bytes)),
      report.schema == RunReport.currentSchema
    else { return nil }
    return report
  }
}
