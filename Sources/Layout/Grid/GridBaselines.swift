import CSS
import Primitives
import Styling

/// Items aligned on the first baseline of their first row or on the last one of their last row (CSS Grid 1, section 10.6). Items of
/// subgrids share the rows of the grid around (CSS Grid 2, section 9).
extension GridModel {
  private func isAligned(_ item: GridItem, _ value: AlignmentValue) -> Bool {
    guard item.align == value, !item.takesRows else { return false }
    let auto = autoMargins(of: item.box)
    return !auto.blockStart && !auto.blockEnd
  }

  /// The distance of an item's first baseline from the start of its row.
  private func reach(_ item: GridItem) -> LayoutUnit { item.margins.blockStart + (item.baseline ?? item.block) }
  /// The distance of an item's last baseline from the end of its row.
  private func lastReach(_ item: GridItem) -> LayoutUnit {
    item.margins.blockEnd + item.block - (item.lastBaseline ?? item.block)
  }

  /// The distances from the edges of their rows at which items have the baselines that they are aligned on.
  func ownBaselines() -> [(row: Int, baseline: LayoutUnit?, lastBaseline: LayoutUnit?)] {
    items.compactMap { item in
      if isAligned(item, .baseline) { return (item.rows.lowerBound, reach(item), nil) }
      if isAligned(item, .lastBaseline) { return (item.rows.upperBound - 1, nil, lastReach(item)) }
      return nil
    }
  }

  mutating func alignBaselines() {
    if inherited?.rows?.places == nil {
      for (row, baseline, last) in ownBaselines() + nestedBaselines() {
        if let baseline { rows[row].baseline = Swift.max(rows[row].baseline ?? .min, baseline) }
        if let last { rows[row].lastBaseline = Swift.max(rows[row].lastBaseline ?? .min, last) }
      }
    }
    shiftToBaselines()
  }

  private mutating func shiftToBaselines() {
    for index in items.indices {
      let item = items[index]
      if isAligned(item, .baseline), let baseline = rows[item.rows.lowerBound].baseline {
        items[index].shim = baseline - reach(item)
      } else if isAligned(item, .lastBaseline), let baseline = rows[item.rows.upperBound - 1].lastBaseline {
        items[index].shim = baseline - lastReach(item)
      }
    }
    if !subgrids.isEmpty { alignNestedBaselines() }
  }

  /// The items whose baselines are the container's: those aligned in the first row and in the last one, or the first and the last in
  /// the order of the grid.
  func baselineItems() -> (first: Int, last: Int)? {
    func least(_ key: (GridItem) -> (Int, Int, Int)) -> Int? {
      var found: (index: Int, key: (Int, Int, Int))?
      for index in items.indices {
        let key = key(items[index])
        if found.map({ key < $0.key }) ?? true { found = (index, key) }
      }
      return found?.index
    }
    let first = least { item in
      let isShared = item.rows.lowerBound == 0 && isAligned(item, .baseline)
      return (isShared ? 0 : 1, item.rows.lowerBound, item.columns.lowerBound)
    }
    let last = least { item in
      let isShared = item.rows.upperBound == rows.count && isAligned(item, .lastBaseline)
      return (isShared ? 0 : 1, -item.rows.lowerBound, -item.columns.lowerBound)
    }
    guard let first, let last else { return nil }
    return (first, last)
  }

  /// Aligns the items on the baselines that the grid around has found.
  mutating func take(baselines places: [SubgridAxis.Place]) {
    for index in rows.indices {
      rows[index].baseline = places[index].baseline
      rows[index].lastBaseline = places[index].lastBaseline
    }
    shiftToBaselines()
  }
}
