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
      return isDistance || isAttached ? summary + ", or in proportion" : summary
    }
    var units: Set<UnitKey> = []
    /// By unit and place among its pages.
    var pages: Set<Page> = []
    var count = 0

    /// Takes in changes that have the same cause.
    mutating func merge(_ other: Kind) {
      units.formUnion(other.units)
      pages.formUnion(other.pages)
      count += other.count
    }

    /// The change is a matter of places alone.
    var isGeometry: Bool {
      switch kind {
      case .tableGeometry, .moved, .noteMoved, .lineBreakChanged, .hyphensChanged, .pageBreakMoved: true
      case .pixelsOnly: fields.dropFirst().first == "\(ChangeKey.Variant.box)"
      default: false
      }
    }

    /// The change is that of a distance between blocks or lines.
    var isDistance: Bool {
      let variants: [ChangeKey.Variant] = [.gap, .lineSpacing, .top]
      return fields.count == 4 && fields[1].hasPrefix("dy=") && variants.contains { fields[2] == "\($0)" }
    }

    /// The distance by which blocks, lines or images moved, as the signature has it; nil for other changes.
    var distance: String? {
      switch kind {
      case .moved where fields.count == 4: fields[1]
      case .image where fields.count == 3 && fields[1] == "\(ChangeKey.Variant.displaced)": fields[2]
      default: nil
      }
    }

    /// What moved is attached to lines: list markers, ruby, raised text and the like.
    var isAttached: Bool { kind == .moved && fields.count == 4 && fields[2] == "\(ChangeKey.Variant.attached)" }
    static let attachedField = "|\(ChangeKey.Variant.attached)|"

    /// Nothing but the alternative texts of a page is another in its PDF.
    var isOfAlternatives: Bool {
      kind == .taggingChanged && fields.count > 1 && TagAspects.alternatives.contains(fields[1])
    }

    /// The distance is one between lines of a block.
    var isOfLineSpacing: Bool { fields.count == 4 && fields[2] == "\(ChangeKey.Variant.lineSpacing)" }

    /// The sizes of text, in CSS px; nil for other changes, and where they are too near to be told apart.
    var sizes: SizeStep? {
      guard kind == .sizeChanged, fields.count == 4, let old = Double(fields[1]), let new = Double(fields[2]) else {
        return nil
      }
      return SizeStep(old: old, new: new)
    }

    /// True of a distance that became greater; nil for changes that are not of distances.
    var isMore: Bool? { isDistance ? fields[1].hasPrefix("dy=+") : nil }
  }

  /// A size that became another, both rounded to eighths of a px.
  private struct SizeStep {
    var old: Double
    var new: Double

    private static let rounding = 1.0 / 16

    /// Both steps are of one length, or of one factor, as far as rounding tells.
    func isChangedAs(_ other: SizeStep) -> Bool {
      guard (new > old) == (other.new > other.old) else { return false }
      if abs(new - old - (other.new - other.old)) <= 2 * Self.rounding { return true }
      func factors(_ step: SizeStep) -> ClosedRange<Double> {
        let least = max(step.old - Self.rounding, Self.rounding)
        return (step.new - Self.rounding) / (step.old + Self.rounding)...(step.new + Self.rounding) / least
      }
      return factors(self).overlaps(factors(other))
    }
  }

  private struct Page: Hashable {
    var unit: Int
    var page: Int
  }

  /// A change is a consequence where its cause is on so many times more pages, at least.
  static let leastWeight = 4

  static func fold(_ units: inout [UnitComparison]) {
    foldHyphens(&units)
    foldCauses(of: .drawingChanged, in: &units, precedes: { DrawingCauses.rank($0) < DrawingCauses.rank($1) }) {
      DrawingCauses.summary([$0])
    }
    foldPlaces(&units)
    foldCauses(of: .taggingChanged, in: &units, precedes: { TagAspects.rank($0) < TagAspects.rank($1) }) {
      TagAspects.summary([$0])
    }
    foldBeyondPages(&units)
    let targets = targets(kinds(of: units))
    for unit in units.indices {
      for page in units[unit].pages.indices { apply(targets, to: &units[unit].pages[page].changes) }
    }
  }

  static func changePages(of units: inout [UnitComparison], _ body: (inout Change, UnitComparison) -> Void) {
    for index in units.indices {
      let unit = units[index]
      for page in unit.pages.indices {
        for change in unit.pages[page].changes.indices { body(&units[index].pages[page].changes[change], unit) }
      }
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
    // The heaviest first; each takes in the lighter ones that nothing has explained yet.
    func precedes(_ left: (key: String, value: Kind), _ right: (key: String, value: Kind)) -> Bool {
      if left.value.count != right.value.count { return left.value.count > right.value.count }
      return left.value.isAttached != right.value.isAttached ? left.value.isAttached : left.key < right.key
    }
    // Changes of one rule weigh together, and what follows from them stands where any of them does.
    var causes: [(key: String, value: Kind)] = []
    var members: [String: [String]] = [:]
    for kind in kinds.sorted(by: precedes) {
      let place = causes.firstIndex { isOfOneOrigin($0.value, kind.value) && isOfOneRule($0.value, kind.value) }
      if let place {
        causes[place].value.merge(kind.value)
        members[causes[place].key, default: []].append(kind.key)
      } else {
        causes.append(kind)
      }
    }
    causes.sort(by: precedes)
    var targets: [String: (signature: String, kind: Kind)] = [:]
    for (place, heavy) in causes.enumerated() where targets[heavy.key] == nil {
      for name in members[heavy.key] ?? [] { targets[name] = (heavy.key, heavy.value) }
      for light in causes[(place + 1)...]
      where targets[light.key] == nil && isOfOneOrigin(heavy.value, light.value)
        && (isOfOneCause(heavy.value, light.value) || isConsequence(light.value, of: heavy.value))
      {
        for name in [light.key] + (members[light.key] ?? []) { targets[name] = (heavy.key, heavy.value) }
      }
    }
    return targets
  }

  /// Both are changes of books, or both changes of the engine.
  private static func isOfOneOrigin(_ heavy: Kind, _ light: Kind) -> Bool {
    (light.origin == .book) == (heavy.origin == .book)
  }

  /// Changes of one class are made by one rule, or by one step of the engine.
  private static func isOfOneRule(_ heavy: Kind, _ light: Kind) -> Bool {
    guard heavy.kind == light.kind else { return false }
    switch heavy.kind {
    case .colour where heavy.fields.count == 4 && heavy.fields.dropFirst(2) == light.fields.dropFirst(2):
      // Text that gets one colour whatever it had, in whatever book, got it from one rule.
      return true
    case .moved where heavy.origin == .style && light.origin == .style && heavy.isDistance && light.isDistance:
      // A length in `em` is another one at each size of the font.
      return heavy.fields.dropFirst(2) == light.fields.dropFirst(2) && heavy.isMore == light.isMore
    case .moved where heavy.origin == .layout && light.origin == .layout && heavy.isDistance:
      // An engine that sets blocks at another distance does so between all kinds of them, and in each book that has most of
      // one kind it is named by that; in vertical text it is a move of the lines. Where a book has both, they are two.
      if heavy.distance == light.distance, heavy.isOfLineSpacing == light.isOfLineSpacing,
        light.isDistance || light.units.isDisjoint(with: heavy.units)
      {
        return true
      }
    case .moved where heavy.isAttached && light.isAttached && heavy.fields[3] == light.fields[3]:
      // They move by a part of the size of the text, to another side in vertical text, and to the other one in text
      // that runs the other way.
      let (one, other) = (heavy.fields[1], light.fields[1])
      if one.prefix(4) == other.prefix(4) { return true }
      return one.dropFirst(4) == other.dropFirst(4) && light.units.isDisjoint(with: heavy.units)
        && (one.prefix(2) != other.prefix(2) || one.hasPrefix("dx"))
    case .tableGeometry where heavy.origin == light.origin:
      // Where a table's columns are others, so are its rows, and it may have another scale or stand otherwise. A book may have
      // tables of which only these are others.
      let isOfFit = ["\(ChangeKey.Variant.scaled)", "\(ChangeKey.Variant.turned)"].contains(light.fields[1])
      let common = light.units.intersection(heavy.units).count
      if isHeavier(heavy, light), isOfFit || common * 4 >= light.units.count * 3 { return true }
    case .sizeChanged where heavy.origin == .style && light.origin == .style:
      // So is type that one rule makes larger by a length or by a factor, at each size that it had.
      if heavy.fields.last == light.fields.last, let one = heavy.sizes, let other = light.sizes,
        one.isChangedAs(other)
      {
        return true
      }
    default: break
    }
    return false
  }

  /// Changes of one class have one cause.
  private static func isOfOneCause(_ heavy: Kind, _ light: Kind) -> Bool {
    guard heavy.kind == light.kind, isWithin(light, heavy) else { return false }
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
      // If content came or went, so did its link and its boxes, and its lines break elsewhere, on the same pages.
      switch light.kind {
      case .link, .lineBreakChanged, .hyphensChanged, .spacing: return light.pages.isSubset(of: heavy.pages)
      case .pixelsOnly where light.isGeometry:
        return light.pages.isSubset(of: heavy.pages) && isHeavier(heavy, light)
      // Layout records do not tell the alternative texts of all pictures that PDFs do.
      case .taggingChanged:
        return heavy.fields[1].hasPrefix("\(ChangeKey.Variant.alternative)") && light.isOfAlternatives
          && isHeavier(heavy, light)
      default: return false
      }
    case .fontChanged, .glyphChanged, .sizeChanged, .hyphensChanged:
      // Text of another width, or of parts of another width, makes columns others, and tables that are scaled to fit
      // smaller.
      return (light.isGeometry || light.kind == .spacing) && isWithin(light, heavy) && isHeavier(heavy, light)
    case .moved where heavy.isAttached:
      // Lines have room for what is attached to them, and what it takes moves what stands below.
      if light.kind == .pixelsOnly { return light.isGeometry && light.pages.isSubset(of: heavy.pages) }
      // What is painted together with its line seems to be set apart from it.
      if light.kind == .spacing { return light.pages.isSubset(of: heavy.pages) && isHeavier(heavy, light) }
      // Emphasis marks stand where ruby does, and some ruby is taken for them.
      if light.isAttached {
        return Set([heavy.fields[3], light.fields[3]]) == [ElementKind.ruby.name, ElementKind.emphasis.name]
          && heavy.distance?.dropFirst(4) == light.distance?.dropFirst(4) && light.pages.isSubset(of: heavy.pages)
          && isHeavier(heavy, light)
      }
      guard light.isDistance || [.noteMoved, .tableGeometry, .pageBreakMoved].contains(light.kind) else { return false }
      return light.pages.isSubset(of: heavy.pages) || light.units.isSubset(of: heavy.units) && isHeavier(heavy, light)
    case .tableGeometry, .moved:
      // An image that moved with the blocks is none of the lines that tell so.
      let isMovedAlike = light.kind == .image && light.distance != nil && light.distance == heavy.distance
      guard heavy.kind == .tableGeometry || heavy.isDistance, light.isGeometry || isMovedAlike else { return false }
      if let more = heavy.isMore, let other = light.isMore, more != other, !isCentred(light, heavy) { return false }
      return light.units.isSubset(of: heavy.units) && isHeavier(heavy, light)
    default: return false
    }
  }

  /// Content centred on its page begins higher, by half at most, where it became longer.
  private static func isCentred(_ light: Kind, _ heavy: Kind) -> Bool {
    func length(_ kind: Kind) -> Double? { kind.distance.flatMap { Double($0.drop { !$0.isNumber }) } }
    guard light.fields.dropFirst(2).first == "\(ChangeKey.Variant.top)", let own = length(light),
      let other = length(heavy)
    else { return false }
    return own * 2 <= other
  }

  /// A change stands only in books that the other is in too. A letter or pair that is set otherwise is so in all books; it is not
  /// told by name where it is rare. Words are divided otherwise in all books, too; some show that by the columns of
  /// tables alone.
  private static func isWithin(_ light: Kind, _ heavy: Kind) -> Bool {
    light.units.isSubset(of: heavy.units)
      || (heavy.kind == .hyphensChanged
        || heavy.kind == .glyphChanged && heavy.fields.count > 2 && !heavy.fields[2].isEmpty)
        && heavy.units.count > light.units.count * leastWeight && isHeavier(heavy, light)
  }

  private static func isHeavier(_ heavy: Kind, _ light: Kind) -> Bool { light.count * leastWeight <= heavy.count }

  private static func apply(_ targets: [String: (signature: String, kind: Kind)], to changes: inout [Change]) {
    var result: [Change] = []
    for var change in changes {
      if let target = targets[change.signature] {
        let isOther =
          change.kind != target.kind.kind || target.kind.isAttached && !change.signature.contains(Kind.attachedField)
        change.signature = target.signature
        change.general = isOther && target.kind.isAttached ? target.kind.summary : target.kind.general
        change.origin = target.kind.origin
        if isOther {
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
