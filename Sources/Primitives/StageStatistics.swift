/// Counters of one stage over one chapter; `--stats` adds them up.
package struct StageStatistics: Sendable, Hashable {
  /// Values by name, such as `attributes.longestProbe`.
  package var counters: [String: Int] = [:]
  /// No counters.
  package init() {}
  /// Counts up.
  package mutating func add(_ name: String, _ amount: Int = 1) { counters[name, default: 0] += amount }
  /// Counters of which the larger value is kept when those of two stages come together.
  private static let maxima: Set = ["attributes.longestProbe"]

  /// Adds another stage's counters.
  package mutating func merge(_ other: StageStatistics) {
    for (name, value) in other.counters {
      if Self.maxima.contains(name) {
        counters[name] = Swift.max(counters[name] ?? 0, value)
      } else {
        counters[name, default: 0] += value
      }
    }
  }
}
