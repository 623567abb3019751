/// Finds the changes of a run that follow from others of it, where only the run as a whole tells: they take the signature of what
/// they follow from (5.1), and are in its cluster.
enum ChangeFolding {
  /// What is known of all changes of one signature.
  private struct Kind {
    var kind: ChangeClass
    /// What they have in common.
    var summary: String
    /// The signature between bars, without the origin.
    var fields: [String]
    var origin: ChangeOrigin?
    /// What is said of these and of those that follow from them.
    var general: String {
      kind == .colour && fields.count == 4 ? "\(fields[3]) colours became \(fields[2])" : summary
    }
    var units: Set<UnitKey> = []
    var count = 0
  }

  static func fold(_ units: inout [UnitComparison]) {
    let targets = targets(kinds(of: units))
    if targets.isEmpty { return }
    for unit in units.indices {
      for page in units[unit].pages.indices { apply(targets, to: &units[unit].pages[page].changes) }
    }
  }

  private static func kinds(of units: [UnitComparison]) -> [String: Kind] {
    var kinds: [String: Kind] = [:]
    for unit in units {
      for change in unit.pages.lazy.flatMap(\.changes) {
        var kind =
          kinds[change.signature]
          ?? Kind(
            kind: change.kind, summary: change.general ?? change.summary,
            fields: change.signature.split(separator: "|", omittingEmptySubsequences: false).map(String.init),
            origin: change.origin)
        if kind.units.isEmpty, let origin = change.origin, kind.fields.last == origin.rawValue {
          kind.fields.removeLast()
        }
        kind.units.insert(unit.key)
        kind.count += 1
        kinds[change.signature] = kind
      }
    }
    return kinds
  }

  /// By signature: the one that explains it.
  private static func targets(_ kinds: [String: Kind]) -> [String: (signature: String, kind: Kind)] {
    var targets: [String: (signature: String, kind: Kind)] = [:]
    // The heaviest first; each takes in the lighter ones that nothing has explained yet.
    let order = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (place, heavy) in order.enumerated() where targets[heavy.key] == nil {
      for light in order[(place + 1)...] where targets[light.key] == nil && explains(heavy.value, light.value) {
        targets[light.key] = (heavy.key, heavy.value)
      }
    }
    return targets
  }

  private static func explains(_ heavy: Kind, _ light: Kind) -> Bool {
    guard heavy.kind == light.kind, (light.origin == .book) == (heavy.origin == .book) else { return false }
    // What gets one colour whatever it had, in whatever book, got it from one rule.
    if heavy.kind == .colour, heavy.fields.count == 4, heavy.fields.dropFirst(2) == light.fields.dropFirst(2) {
      return true
    }
    guard light.units.isSubset(of: heavy.units) else { return false }
    // Computed values change around what changes.
    if heavy.fields == light.fields { return true }
    switch heavy.kind {
    case .fontChanged:
      // Where one family takes the place of another, what this had from a third, or that leaves to one, follows.
      return heavy.fields.count == 3 && light.fields.count == 3
        && (heavy.fields[1] == light.fields[1] || heavy.fields[2] == light.fields[2])
    case .glyphChanged:
      // One letter or pair that is set otherwise explains fonts that have too many pairs of it to name.
      return heavy.fields.count > 2 && light.fields.count > 2 && !heavy.fields[2].isEmpty
        && (light.fields[2].isEmpty || light.fields[2].contains(heavy.fields[2])
          || heavy.fields[2].contains(light.fields[2]))
    case .colour: return heavy.fields.dropFirst().prefix(2) == light.fields.dropFirst().prefix(2)
    default: return false
    }
  }

  private static func apply(_ targets: [String: (signature: String, kind: Kind)], to changes: inout [Change]) {
    var result: [Change] = []
    for var change in changes {
      if let target = targets[change.signature] {
        change.signature = target.signature
        change.general = target.kind.general
        change.origin = target.kind.origin
      }
      if let known = result.firstIndex(where: { $0.signature == change.signature }) {
        result[known].oldBoxes += change.oldBoxes
        result[known].newBoxes += change.newBoxes
      } else {
        result.append(change)
      }
    }
    changes = result
  }
}
