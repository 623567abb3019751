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
      count <= 100_000
    else { return nil }
    self.init(index: index, count: count)
  }

  package var description: String { "\(index)/\(count)" }

  package static let whole = Shard(index: 1, count: 1)

  /// The units of this part, in order. Heavy units are dealt out first, each to the part that has least to do: the same on
  /// every machine that knows the same weights.
  package func units(of all: [UnitKey], weight: (UnitKey) -> Double) -> [UnitKey] {
    guard count > 1 else { return all }
    let sorted = Self.longestFirst(all, weight: weight)
    var loads = [Double](repeating: 0, count: count)
    var mine: [UnitKey] = []
    for unit in sorted {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[least] += max(weight(unit), 1e-9)
      if least == index - 1 { mine.append(unit) }
    }
    return mine.sorted()
  }

  static func longestFirst(_ units: [UnitKey], weight: (UnitKey) -> Double) -> [UnitKey] {
    units.map { (key: $0, weight: weight($0)) }.sorted { ($1.weight, $0.key) < ($0.weight, $1.key) }.map(\.key)
  }
}
