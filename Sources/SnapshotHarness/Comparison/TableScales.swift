/// The sizes of text in the tables of a unit: a table that is wider than its page is made smaller as a whole, so that another width
/// of its columns is another size of its text.
///
/// Nothing in a record tells the scale of a table. Its text shows it: nearly all of it changed by one factor, which other tables of the
/// unit do not have. A rule that sets type otherwise changes more tables alike, or only what it selects.
struct TableScales {
  /// The sizes of the text of one table.
  struct Sizes {
    /// By pair of an old and a new size: the pieces of text that have it.
    private(set) var pairs: [SizePair: Int] = [:]
    /// The style of some of its text is another.
    private(set) var hasOtherStyle = false
    private(set) var knowsStyle = false

    /// - Parameters:
    ///   - old: a size in CSS px, and the one that it became.
    ///   - styles: the style of the text in both runs.
    mutating func take(_ old: Double, _ new: Double, styles: (old: String?, new: String?)) {
      pairs[SizePair(old: old, new: new), default: 0] += 1
      if styles.old != nil, styles.new != nil { knowsStyle = true }
      if styles.old != styles.new { hasOtherStyle = true }
    }

    /// The factors by which nearly all sizes may have changed, as far as rounding tells; nil where there is none. Pieces of lines that
    /// break elsewhere are not always those that they are taken for.
    var factor: ClosedRange<Double>? {
      let order = pairs.sorted { ($1.value, $0.key.old, $0.key.new) < ($0.value, $1.key.old, $1.key.new) }
      guard var common = order.first?.key.factor else { return nil }
      var (own, all) = (0, 0)
      for (pair, count) in order {
        all += count
        guard pair.factor.overlaps(common) else { continue }
        common = common.clamped(to: pair.factor)
        own += count
      }
      return (all - own) * TableScales.leastOfText <= all ? common : nil
    }

    /// Half of the text has another size, or more.
    var isChanged: Bool {
      let changed = pairs.reduce(0) { $1.key.old == $1.key.new ? $0 : $0 + $1.value }
      return changed > 0 && changed * 2 >= pairs.values.reduce(0, +)
    }
  }

  struct SizePair: Hashable {
    var old: Double
    var new: Double

    /// The factors between them, as far as rounding tells.
    var factor: ClosedRange<Double> {
      let least = max(0, new - TableScales.rounding) / (old + TableScales.rounding)
      return least...max(least, (new + TableScales.rounding) / max(old - TableScales.rounding, TableScales.rounding))
    }
  }

  /// One piece of text in so many may have another factor.
  private static let leastOfText = 10
  /// A size in 1/64 px was rounded to it before the table was scaled and after that.
  private static let rounding = 1.0 / 64

  /// The tables that are scaled otherwise, by number.
  ///
  /// - Parameters:
  ///   - tables: the tables of a unit.
  ///   - others: the sizes of text outside of tables that has another one.
  static func rescaled(_ tables: [Sizes], others: Set<SizePair>) -> Set<Int> {
    let factors = tables.map(\.factor)
    return Set(
      tables.indices.filter { table in
        guard let factor = factors[table], tables[table].isChanged else { return false }
        // Tables of other rules tell nothing.
        let peers = tables.indices.filter { $0 != table && tables[$0].hasOtherStyle == tables[table].hasOtherStyle }
        let alike = peers.count { factors[$0]?.overlaps(factor) == true }
        if tables[table].knowsStyle, !tables[table].hasOtherStyle {
          // No rule has set it: the engine has, but not by one step for all type.
          return (peers.isEmpty || alike < peers.count) && !others.contains { $0.factor.overlaps(factor) }
        }
        if peers.isEmpty { return false }
        // Of tables with the same new style, some may have one factor by chance, but not most.
        return alike == 0 || tables[table].knowsStyle && alike * 2 < peers.count
      })
  }
}

extension ChapterDiff {
  /// Takes down the sizes of a piece of text in both runs.
  mutating func noteSizes(_ old: LineRecord, _ new: LineRecord, _ oldSize: Double, _ newSize: Double) {
    if let table = new.table, old.table != nil {
      tableSizes[table, default: TableScales.Sizes()].take(oldSize, newSize, styles: (old.style, new.style))
    } else if oldSize != newSize {
      otherSizes.insert(TableScales.SizePair(old: oldSize, new: newSize))
    }
  }

  /// Tells of tables that were scaled otherwise as such, not by the sizes of their text. Text of another factor keeps its size.
  mutating func nameScales(of rescaled: Set<String>) {
    let factors = tableSizes.filter { rescaled.contains($0.key) }.compactMapValues(\.factor)
    for index in entries.indices {
      let key = table.keys[Int(entries[index].key)]
      guard key.kind == .sizeChanged, let factor = tables[entries[index].block].flatMap({ factors[$0] }),
        key.sizeFactor.overlaps(factor)
      else { continue }
      entries[index].detail = table.string(table.summary(key))
      entries[index].key = table.number(of: ChangeKey(kind: .tableGeometry, variant: .scaled, element: .table))
    }
  }
}

extension [ChapterDiff] {
  /// Finds the tables of a unit that were scaled otherwise.
  mutating func nameTableScales(_ table: inout ChangeTable) {
    let names = flatMap { chapter in chapter.tableSizes.keys.sorted() }
    let places = indices.flatMap { chapter in [Int](repeating: chapter, count: self[chapter].tableSizes.count) }
    let sizes = zip(places, names).map { self[$0].tableSizes[$1] ?? TableScales.Sizes() }
    var rescaled: [Int: Set<String>] = [:]
    let others = reduce(into: Set<TableScales.SizePair>()) { $0.formUnion($1.otherSizes) }
    for index in TableScales.rescaled(sizes, others: others) {
      rescaled[places[index], default: []].insert(names[index])
    }
    for (chapter, names) in rescaled.sorted(by: { $0.key < $1.key }) {
      self[chapter].table = table
      self[chapter].nameScales(of: names)
      table = self[chapter].table
    }
  }
}
