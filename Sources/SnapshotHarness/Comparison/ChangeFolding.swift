/// Finds the changes of a run that follow from others of it, where only the run as a whole tells: they take the signature of what
/// they follow from (5.1), and are in its cluster.
enum ChangeFolding {
  /// The properties that all changes of one signature share.
  private struct Kind {
    var kind: ChangeClass
    /// The summary that fits all of them.
    var summary: String
    /// The signature between bars, without the origin.
    var fields: [String]
    var origin: ChangeOrigin?
    /// The summary of these and of those that follow from them.
    var general: String {
      if kind == .colour, fields.count == 4 { return "\(fields[3]) colours became \(fields[2])" }
      return isDistance ? summary + ", or in proportion" : summary
    }
    var units: Set<UnitKey> = []
    /// By unit and place among its pages.
    var pages: Set<Page> = []
    var count = 0

    /// The change is a matter of places alone.
    var isGeometry: Bool {
      switch kind {
      case .tableGeometry, .moved, .noteMoved, .lineBreakChanged, .pageBreakMoved: true
      case .pixelsOnly: fields.dropFirst().first == "\(ChangeKey.Variant.box)"
      default: false
      }
    }

    /// The change is that of a distance between blocks or lines.
    var isDistance: Bool {
      let variants: [ChangeKey.Variant] = [.gap, .lineSpacing, .top]
      return fields.count == 4 && fields[1].hasPrefix("dy=") && variants.contains { fields[2] == "\($0)" }
    }

    /// True of a distance that became greater; nil for changes that are not of distances.
    var isMore: Bool? { isDistance ? fields[1].hasPrefix("dy=+") : nil }
  }

  private struct Page: Hashable {
    var unit: Int
    var page: Int
  }

  /// A change is a consequence where its cause is on so many times more pages, at least.
  private static let leastWeight = 4

  static func fold(_ units: inout [UnitComparison]) {
    let targets = targets(kinds(of: units))
    if targets.isEmpty { return }
    for unit in units.indices {
      for page in units[unit].pages.indices { apply(targets, to: &units[unit].pages[page].changes) }
    }
  }

  private static func kinds(of units: [UnitComparison]) -> [String: Kind] {
    var kinds: [String: Kind] = [:]
    for (unitIndex, unit) in units.enumerated() {
      for (pageIndex, page) in unit.pages.enumerated() {
        for change in page.changes {
          var kind =
            kinds.removeValue(forKey: change.signature)
            ?? Kind(
              kind: change.kind, summary: change.general ?? change.summary,
              fields: change.signature.split(separator: "|", omittingEmptySubsequences: false).map(String.init),
              origin: change.origin)
          if kind.units.isEmpty, let origin = change.origin, kind.fields.last == origin.rawValue {
            kind.fields.removeLast()
          }
          kind.units.insert(unit.key)
          kind.pages.insert(Page(unit: unitIndex, page: pageIndex))
          kind.count += 1
          kinds[change.signature] = kind
        }
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
    guard (light.origin == .book) == (heavy.origin == .book) else { return false }
    return heavy.kind == light.kind && isOfOneCause(heavy, light) || isConsequence(light, of: heavy)
  }

  /// Changes of one class have one cause.
  private static func isOfOneCause(_ heavy: Kind, _ light: Kind) -> Bool {
    switch heavy.kind {
    case .colour where heavy.fields.count == 4 && heavy.fields.dropFirst(2) == light.fields.dropFirst(2):
      // Text that gets one colour whatever it had, in whatever book, got it from one rule.
      return true
    case .moved where heavy.origin == .style && light.origin == .style && heavy.isDistance && light.isDistance:
      // A length in `em` is another one at each size of the font.
      return heavy.fields.dropFirst(2) == light.fields.dropFirst(2) && heavy.isMore == light.isMore
    default: break
    }
    guard isWithin(light, heavy) else { return false }
    // Computed values change around what changes.
    if heavy.fields == light.fields { return true }
    switch heavy.kind {
    case .fontChanged:
      // If one family takes the place of another, text that the new one takes from a third, or that the old one leaves to a
      // third, follows.
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

  /// One change follows from another of another class: content that is set otherwise moves the content beside and below it.
  private static func isConsequence(_ light: Kind, of heavy: Kind) -> Bool {
    switch heavy.kind {
    case .textLost, .textAdded, .image:
      // If content came or went, so did its link, and its lines break elsewhere, on the same pages.
      guard light.kind == .link || light.kind == .lineBreakChanged || light.kind == .spacing else { return false }
      return light.pages.isSubset(of: heavy.pages)
    case .fontChanged, .glyphChanged, .sizeChanged:
      // Text of another width makes columns others, and tables that are scaled to fit another size.
      let isOfWidth =
        light.kind == .sizeChanged
        ? light.fields.last == ElementKind.table.name : light.isGeometry || light.kind == .spacing
      return isOfWidth && isWithin(light, heavy) && isHeavier(heavy, light)
    case .tableGeometry, .moved:
      guard heavy.kind == .tableGeometry || heavy.isDistance, light.isGeometry else { return false }
      if let more = heavy.isMore, let other = light.isMore, more != other { return false }
      return light.units.isSubset(of: heavy.units) && isHeavier(heavy, light)
    default: return false
    }
  }

  /// A change stands only in books that the other is in too. A letter or pair that is set otherwise is so in all books; it is not
  /// told by name where it is rare.
  private static func isWithin(_ light: Kind, _ heavy: Kind) -> Bool {
    light.units.isSubset(of: heavy.units)
      || heavy.kind == .glyphChanged && heavy.fields.count > 2 && !heavy.fields[2].isEmpty
        && heavy.units.count > light.units.count * leastWeight && isHeavier(heavy, light)
  }

  private static func isHeavier(_ heavy: Kind, _ light: Kind) -> Bool { light.count * leastWeight <= heavy.count }

  private static func apply(_ targets: [String: (signature: String, kind: Kind)], to changes: inout [Change]) {
    var result: [Change] = []
    for var change in changes {
      if let target = targets[change.signature] {
        change.signature = target.signature
        change.general = target.kind.general
        change.origin = target.kind.origin
        if change.kind != target.kind.kind {
          change.kind = target.kind.kind
          change.severity = change.kind.severity
          change.summary = target.kind.summary
        }
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
