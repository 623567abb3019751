/// Counters of one stage over one chapter; `--stats` adds them up.
public struct StageStatistics: Sendable, Hashable {
  public var counters: [String: Int] = [:]
  public init() {}
  public mutating func add(_ name: String, _ amount: Int = 1) { counters[name, default: 0] += amount }
  /// Adds another stage's counters; names with `longest` or `peak` in them keep the larger value.
  public mutating func merge(_ other: StageStatistics) {
    for (name, value) in other.counters {
      if name.contains("longest") || name.contains("peak") {
        counters[name] = Swift.max(counters[name] ?? 0, value)
      } else {
        counters[name, default: 0] += value
      }
    }
  }
}
