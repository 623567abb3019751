/// A part of a run: the `index`th of `count`, from 1.
package struct Shard: Hashable, Codable, Sendable, CustomStringConvertible {
  package var index: Int
  package var count: Int

  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// `2/7`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), index >= 1, index <= count,
      count <= Self.maximumCount
    else { return nil }
    self.init(index: index, count: count)
  }

  package static let maximumCount = 100_000

  package var description: String { "\(index)/\(count)" }

  package static let whole = Shard(index: 1, count: 1)

  /// The units of this part, in the order of all. Heavy units are dealt out first, each to the part that has least to
  /// do: the same on every machine that knows the same weights.
  ///
  /// - Parameter weights: Seconds that each unit is expected to take.
  /// - Complexity: O(n log n + n log count).
  package func units(of all: [UnitKey], weights: [Double]) -> [UnitKey] {
    guard count > 1 else { return all }
    let order = all.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
    var loads = PartLoads(count: count)
    var mine: [Int] = []
    for unit in order where loads.deal(max(weights[unit], 1e-9)) == index - 1 { mine.append(unit) }
    return mine.sorted().map { all[$0] }
  }

  static func longestFirst(_ units: [UnitKey], weight: (UnitKey) -> Double) -> [UnitKey] {
    units.map { (key: $0, weight: weight($0)) }.sorted { ($1.weight, $0.key) < ($0.weight, $1.key) }.map(\.key)
  }
}

/// What each part of a run has to do by now: a binary heap with the least, and of equals the first, on top.
private struct PartLoads {
  private var heap: [(load: Double, part: Int)]

  init(count: Int) { heap = (0..<count).map { (0, $0) } }

  /// Gives work to the part that has least.
  ///
  /// - Returns: The part, from 0.
  mutating func deal(_ weight: Double) -> Int {
    let part = heap[0].part
    heap[0].load += weight
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == place { return part }
      heap.swapAt(place, least)
      place = least
    }
  }
}
