/// The result of a run: `summary.json`, and the exit code (snapshot harness, 10).
package struct RunSummary: Hashable, Codable, Sendable {
  package var units = 0
  package var pages = 0
  package var rendered = 0
  package var differingUnits = 0
  package var differingPages = 0
  package var consequences = 0
  package var clusters = 0
  package var undecided = 0
  package var newFailures: [String] = []
  package var fixedFailures: [String] = []
  package var failures: [String] = []
  package var worse = 0
  package var missingBaselines: [String] = []
  /// Books that the baseline has and the corpus no longer, and those that it calls otherwise.
  package var goneBooks: [String]?
  package var renamedBooks: [String]?
  /// Units that the run was to have and does not hold.
  package var missingUnits: [String]?
  package var seconds = 0.0
  /// All exit codes that apply, the strongest first.
  package var exitCodes: [Int32] = []

  package var exitCode: Int32 { exitCodes.first ?? 0 }

  /// The order of strength.
  package static let order: [Int32] = [64, 66, 69, 73, 3, 1, 4, 0]

  package init() {}

  package init(_ comparison: RunComparison) {
    units = comparison.unitCount
    pages = comparison.pageCount
    differingUnits = comparison.units.count
    differingPages = comparison.units.reduce(0) { $0 + $1.pages.count }
    consequences = comparison.units.reduce(0) { $0 + $1.pages.reduce(0) { $0 + $1.consequences } }
    clusters = comparison.clusters.count
    for unit in comparison.units {
      for change in unit.changes {
        if change.kind == .newFailure { newFailures.append(unit.key.description) }
        if change.kind == .fixedFailure { fixedFailures.append(unit.key.description) }
        if change.kind == .bookGone { goneBooks = (goneBooks ?? []) + [unit.key.description] }
        if change.kind == .bookRenamed { renamedBooks = (renamedBooks ?? []) + ["\(unit.oldKey) is now \(unit.key)"] }
      }
    }
    let isSettled: (Verdict?) -> Bool = { $0 == .accepted || $0 == .expected || $0 == .skip }
    undecided =
      comparison.clusters.isEmpty ? differingUnits : comparison.clusters.count { !isSettled($0.decision) }
    let undecidedFailures =
      comparison.clusters.isEmpty
      ? !newFailures.isEmpty : comparison.clusters.contains { $0.kind == .newFailure && !isSettled($0.decision) }
    worse = comparison.performance.count(where: \.isOpen)
    missingBaselines = (comparison.unknown ?? []).map(\.description)
    missingUnits = comparison.unset.map { $0.map(\.description) }
    if !missingBaselines.isEmpty { apply(66) }
    if !comparison.missingShards.isEmpty || comparison.unset != nil { apply(69) }
    if undecidedFailures { apply(3) }
    if undecided > 0 { apply(1) }
    if worse > 0 { apply(4) }
  }

  /// What keeps a run without differences from being equal to what it was compared with; nil for nothing.
  package var gaps: String? {
    var parts: [String] = []
    if !missingBaselines.isEmpty { parts.append("\(missingBaselines.count.counting("unit")) without a baseline") }
    if let missingUnits { parts.append("\(missingUnits.count.counting("unit")) not set") }
    if exitCodes.contains(69), missingUnits == nil { parts.append("shards are missing") }
    return parts.isEmpty ? nil : "no difference in what was compared; " + parts.joined(separator: ", ")
  }

  package mutating func apply(_ code: Int32) {
    guard !exitCodes.contains(code) else { return }
    exitCodes.append(code)
    let strength: (Int32) -> Int = { Self.order.firstIndex(of: $0) ?? 0 }
    exitCodes.sort { strength($0) < strength($1) }
  }
}
