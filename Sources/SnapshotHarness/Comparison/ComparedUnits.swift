/// What comparing a unit has found.
enum ComparedUnit: Codable, Sendable {
  /// - pages: those of the new side.
  case equal(pages: Int, isOtherBook: Bool)
  /// - identity: what the other side's unit is known by (`UnitText.identity`).
  case differs(pages: Int, UnitDiff.Result, identity: String, isOtherBook: Bool)
  /// The old side does not have it.
  case unknown
  /// The new side does not have it.
  case unset
}

/// What comparing units has found of each of them: all that can be told where they were rendered, apart from what
/// only the run as a whole tells.
package struct ComparedUnits: Sendable {
  /// Units that are equal, and their pages.
  private(set) var equalUnits = 0
  private(set) var equalPages = 0
  /// Books that are others than those of the old side.
  private(set) var changedBooks: Set<String> = []
  /// All other units.
  private(set) var others: [UnitKey: ComparedUnit] = [:]
  /// What was left out of units.
  private(set) var gaps: [UnitKey: ComparisonGaps] = [:]
  /// Memory and counters that are worse or better.
  var performance: [PerformanceFinding] = []

  init() {}

  mutating func add(_ key: UnitKey, _ unit: ComparedUnit, _ gap: ComparisonGaps) {
    switch unit {
    case .equal(let pages, let isOtherBook):
      equalUnits += 1
      equalPages += pages
      if isOtherBook { changedBooks.insert(key.book) }
    case .differs(_, _, _, let isOtherBook):
      if isOtherBook { changedBooks.insert(key.book) }
      others[key] = unit
    case .unknown, .unset: others[key] = unit
    }
    if gap != ComparisonGaps() { gaps[key] = gap }
  }

  /// Takes what was found of other units, or of some that were unknown.
  mutating func merge(_ found: ComparedUnits) {
    equalUnits += found.equalUnits
    equalPages += found.equalPages
    changedBooks.formUnion(found.changedBooks)
    others.merge(found.others) { $1 }
    gaps.merge(found.gaps) { $1 }
    performance += found.performance
  }

  func keys(where isMeant: (ComparedUnit) -> Bool) -> [UnitKey] {
    others.filter { isMeant($0.value) }.map(\.key).sorted()
  }
}

/// In an order that does not depend on hashing.
extension ComparedUnits: Codable {
  private struct Row: Codable {
    var key: UnitKey
    var unit: ComparedUnit?
    var gaps: ComparisonGaps?
  }

  private enum CodingKeys: String, CodingKey { case equalUnits, equalPages, changedBooks, rows, performance }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    equalUnits = try values.decode(Int.self, forKey: .equalUnits)
    equalPages = try values.decode(Int.self, forKey: .equalPages)
    changedBooks = Set(try values.decode([String].self, forKey: .changedBooks))
    performance = try values.decode([PerformanceFinding].self, forKey: .performance)
    for row in try values.decode([Row].self, forKey: .rows) {
      others[row.key] = row.unit
      gaps[row.key] = row.gaps
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(equalUnits, forKey: .equalUnits)
    try values.encode(equalPages, forKey: .equalPages)
    try values.encode(changedBooks.sorted(), forKey: .changedBooks)
    try values.encode(performance, forKey: .performance)
    let keys = Set(others.keys).union(gaps.keys).sorted()
    try values.encode(keys.map { Row(key: $0, unit: others[$0], gaps: gaps[$0]) }, forKey: .rows)
  }
}
