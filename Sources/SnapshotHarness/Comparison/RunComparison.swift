/// A figure of a unit that got worse or better beyond what noise explains (8.3), or a counter that changed.
package struct PerformanceFinding: Hashable, Codable, Sendable {
  package var key: UnitKey
  /// A key of the statistics.
  package var metric: String
  package var old: Double
  package var new: Double
  /// The figure got worse.
  package var isWorse: Bool
  /// nil while nobody has decided.
  package var decision: Verdict?

  package init(key: UnitKey, metric: String, old: Double, new: Double, isWorse: Bool) {
    self.key = key
    self.metric = metric
    self.old = old
    self.new = new
    self.isWorse = isWorse
  }

  /// The figure is one of memory, in bytes.
  package var isOfMemory: Bool { metric.hasSuffix("Bytes") }

  /// For people: `peak of memory 48 MiB, was 40 MiB`.
  package var summary: String {
    func text(_ value: Double) -> String {
      if isOfMemory { return "\(ChangeTable.format((value / 1_048_576).rounded())) MiB" }
      return ChangeTable.format(value) + (metric.hasPrefix("time.") ? " ms" : "")
    }
    return "\(isOfMemory ? "peak of memory" : metric) \(text(new)), was \(text(old))"
  }

  /// The finding keeps the gate closed.
  package var isOpen: Bool { isWorse && (decision == nil || decision == .regression) }
}

/// Two runs compared: what every report is made from.
package struct RunComparison: Hashable, Codable, Sendable {
  package static let schemaVersion = 1

  package var old: RunVersions
  package var new: RunVersions
  /// Units whose books were set in both runs, and how many pages those have in the new one.
  package var unitCount: Int
  package var pageCount: Int
  /// Units that differ, in order.
  package var units: [UnitComparison]
  /// By severity, then books, then pages.
  package var clusters: [Cluster]
  package var performance: [PerformanceFinding]
  /// Shards that are missing when a partial run is reported.
  package var missingShards: [Int]
  /// The store or the run that it was compared with: where old pages come from.
  package var against: String?
  /// Faults of the comparison itself, such as masks that hide nothing; nil for nothing.
  package var warnings: [String]?
  /// Books that are others than those of the other side, whether pages differ or not; nil for none.
  package var changedBooks: [String]?
  /// Units of the new run that the other side does not have; nil for none.
  package var unknown: [UnitKey]?
  /// Units that the new run was to have and does not hold; nil for none.
  package var unset: [UnitKey]?
  /// By unit of the other side, of those that differ: what it was known by when it was compared (`UnitText.identity`). The
  /// baseline may move only from there.
  package var identities: [String: String]?
  /// By unit that differs: how many decisions had moved its baseline when it was compared. nil counts all that there are.
  package var moves: [String: Int]?

  package init(
    old: RunVersions, new: RunVersions, unitCount: Int = 0, pageCount: Int = 0, units: [UnitComparison] = [],
    clusters: [Cluster] = [], performance: [PerformanceFinding] = [], missingShards: [Int] = [],
    warnings: [String]? = nil
  ) {
    self.old = old
    self.new = new
    self.unitCount = unitCount
    self.pageCount = pageCount
    self.units = units
    self.clusters = clusters
    self.performance = performance
    self.missingShards = missingShards
    self.warnings = warnings
  }

  /// By unit whose book was renamed: what the other side calls it.
  package var renamed: [UnitKey: UnitKey] {
    var renamed: [UnitKey: UnitKey] = [:]
    for unit in units where unit.oldBook != nil { renamed[unit.key] = unit.oldKey }
    return renamed
  }

  /// The variant of the baseline that it was compared with; nil for none.
  package var variant: String? { against.flatMap { RunFolder.isRun($0) ? nil : SnapshotStore($0).variant } }

  /// Adds to what is said of the comparison itself.
  package mutating func warn(_ line: String) { warnings = (warnings ?? []) + [line] }

  /// Those that differ.
  package var changedUnits: Set<UnitKey> { Set(units.map(\.key)) }
}

extension RunFolder {
  /// The comparison with an older run, once one has been made.
  package func comparison() -> RunComparison? { ComparisonFile.read(comparisonPath) }

  /// The units that differed, had no baseline, failed, or are missing. Fails with 66 where there is none.
  package func unsettledUnits() throws(HarnessError) -> Set<UnitKey> {
    let comparison = comparison()
    var units = Set(try manifest().units.filter { unitFile($0)?.result.outcome.isSuccess != true })
    units.formUnion(comparison?.changedUnits ?? [])
    units.formUnion((comparison?.unknown ?? []) + (comparison?.unset ?? []))
    guard !units.isEmpty else { throw HarnessError.missing("\(path): nothing differed or failed in the run") }
    return units
  }
}
