/// What keeps the gate closed beside differences of pages: something was not compared, or a figure is worse.
struct Obstacle: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A unit that the other side does not have (exit code 66).
    case missingBaseline = "missing-baseline"
    /// A unit that the run was to have and does not hold (69).
    case missingUnit = "missing-unit"
    /// A part of the run that is missing (69).
    case missingShard = "missing-shard"
    /// Time, memory or a counter is worse (4).
    case worseFigure = "worse-figure"

    /// `3 units without a baseline`.
    func count(_ number: Int) -> String {
      switch self {
      case .missingBaseline: number.counting("unit") + " without a baseline"
      case .missingUnit: number.counting("unit") + " not set"
      case .missingShard: number.counting("shard") + " missing"
      case .worseFigure: number.counting("figure") + " worse"
      }
    }
  }

  var kind: Kind
  /// nil for a shard.
  var key: UnitKey?
  /// `cases/lists (phone) has no baseline`.
  var summary: String

  /// The same as long as the obstacle is.
  var fingerprint: String { SHA256.hex(Array("\(kind.rawValue)|\(summary)".utf8)) }
}

extension RunReport {
  var obstacles: [Obstacle] {
    var found: [Obstacle] = []
    for key in comparison.unknown ?? [] {
      found.append(Obstacle(kind: .missingBaseline, key: key, summary: "\(key) has no baseline"))
    }
    for key in comparison.unset ?? [] {
      found.append(Obstacle(kind: .missingUnit, key: key, summary: "\(key) is not in the run"))
    }
    for shard in comparison.missingShards {
      found.append(Obstacle(kind: .missingShard, key: nil, summary: "shard \(shard) is missing"))
    }
    for finding in comparison.performance where finding.isOpen {
      found.append(Obstacle(kind: .worseFigure, key: finding.key, summary: "\(finding.key): \(finding.summary)"))
    }
    return found
  }

  /// The obstacles in one line for each kind, with their number and the first of them.
  var obstacleLines: [(kind: Obstacle.Kind, count: String, first: String)] {
    let byKind = Dictionary(grouping: obstacles, by: \.kind)
    return Obstacle.Kind.allCases.compactMap { kind in
      byKind[kind].map { (kind, kind.count($0.count), $0[0].summary) }
    }
  }

  /// The file of a unit's book from a folder on, or the book's name.
  func file(of key: UnitKey, from root: String) -> String {
    let path = units.first { $0.key == key }?.path ?? ""
    return path.isEmpty ? key.book : Self.relative(path, to: root)
  }
}
