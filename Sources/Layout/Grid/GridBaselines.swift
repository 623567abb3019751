import BoxGeneration
import CSS
import Primitives
import Styling

/// The distance from an edge of a track at which an item has the baseline that it is aligned on.
struct TrackBaseline {
  var track: Int
  /// The start of the track or its end.
  var edge: StaticEdge
  var distance: LayoutUnit
}

/// The distance by which baseline alignment moves an item away from an edge of its area, that of its baseline-sharing
/// group.
struct BaselineShim {
  /// In the order of the tracks.
  var edge: StaticEdge
  var size: LayoutUnit
}

/// Items aligned on the baselines that they share in their first row or column, or in their last one (CSS Grid 1,
/// section 10.6). Items of subgrids share the tracks of the grid around (CSS Grid 2, section 9).
extension GridModel {
  private func tracks(alongLines: Bool) -> WritableKeyPath<GridModel, [GridTrack]> {
    alongLines ? \.columns : \.rows
  }

  /// The item asks to be aligned on a baseline along an axis.
  private func isAligned(_ item: GridItem, alongLines: Bool) -> Bool {
    let value = alongLines ? item.justify : item.align
    guard value == .baseline || value == .lastBaseline, !(alongLines ? item.takesColumns : item.takesRows) else {
      return false
    }
    let auto = autoMargins(of: item.box)
    return alongLines ? !auto.lineLeft && !auto.lineRight : !auto.blockStart && !auto.blockEnd
  }

  /// The baseline that an item shares along an axis; nil where it takes no part in the alignment. One whose size
  /// follows from tracks that follow from it does not.
  func trackBaseline(of item: GridItem, alongLines: Bool) -> TrackBaseline? {
    guard isAligned(item, alongLines: alongLines) else { return nil }
    let span = alongLines ? item.columns : item.rows
    let shared = context.sharedBaseline(
      of: item.box, item.baselines, size: alongLines ? item.inline : item.block,
      isLast: (alongLines ? item.justify : item.align) == .lastBaseline, alongLines: alongLines)
    if shared.isSynthesized, dependsOnArea(item, alongLines: alongLines),
      self[keyPath: tracks(alongLines: alongLines)][span].contains(where: { !$0.hasFixedSize })
    {
      return nil
    }
    let isAtStart = shared.edge == .start
    let isReversed = alongLines && direction == .rtl
    let margins = item.margins
    let margin =
      alongLines
      ? isAtStart ? margins.lineLeft : margins.lineRight : isAtStart ? margins.blockStart : margins.blockEnd
    return TrackBaseline(
      track: isAtStart != isReversed ? span.lowerBound : span.upperBound - 1,
      edge: isReversed ? shared.edge.opposite : shared.edge, distance: margin + shared.distance)
  }

  /// The alignment of an item that takes no part in baseline alignment (CSS Box Alignment 3, section 9.3).
  func fallback(_ value: AlignmentValue) -> AlignmentValue {
    value == .baseline ? .safeSelfStart : value == .lastBaseline ? .safeSelfEnd : value
  }

  /// The baselines that items share, those of subgrids among them.
  func trackBaselines(alongLines: Bool) -> [TrackBaseline] {
    items.compactMap { trackBaseline(of: $0, alongLines: alongLines) } + nestedBaselines(alongLines: alongLines)
  }

  /// Nothing is aligned on baselines in most grids.
  private func aligns(alongLines: Bool) -> Bool {
    !subgrids.isEmpty || items.contains { isAligned($0, alongLines: alongLines) }
  }

  /// Finds the baselines of the tracks, unless the grid around has, and the place of items at them.
  mutating func alignBaselines(alongLines: Bool) {
    guard aligns(alongLines: alongLines) else { return }
    if (alongLines ? inherited?.columns : inherited?.rows)?.places == nil {
      let tracks = tracks(alongLines: alongLines)
      for index in self[keyPath: tracks].indices { self[keyPath: tracks][index].baselines = SharedBaselines() }
      for found in trackBaselines(alongLines: alongLines) {
        self[keyPath: tracks][found.track].baselines.include(found.distance, from: found.edge)
      }
    }
    shiftToBaselines(alongLines: alongLines)
  }

  /// Finds the baselines of columns before these have sizes: those of items whose blocks follow each other along them.
  mutating func alignBaselinesAlongColumns() {
    guard aligns(alongLines: true) else { return }
    for index in items.indices {
      if isAligned(items[index], alongLines: true), let size = orthogonalInline(items[index]) {
        items[index].inline = size
        let space = ConstraintSpace(
          mode: context.mode, availableInline: .zero, percentageBlock: definiteRows(of: items[index]))
        items[index].baselines = context.measuredBlock(of: items[index].box, in: space).baselines
      }
      subgrids[index]?.model?.alignBaselinesAlongColumns()
    }
    alignBaselines(alongLines: true)
  }

  private mutating func shiftToBaselines(alongLines: Bool) {
    let tracks = self[keyPath: tracks(alongLines: alongLines)]
    for index in items.indices {
      var shim: BaselineShim?
      if let own = trackBaseline(of: items[index], alongLines: alongLines) {
        shim = tracks[own.track].baselines[own.edge].map { BaselineShim(edge: own.edge, size: $0 - own.distance) }
      }
      if alongLines { items[index].columnShim = shim } else { items[index].rowShim = shim }
    }
    if !subgrids.isEmpty { alignNestedBaselines(alongLines: alongLines) }
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
      let isShared = item.rows.lowerBound == 0 && item.rowShim?.edge == .start
      return (isShared ? 0 : 1, item.rows.lowerBound, item.columns.lowerBound)
    }
    let last = least { item in
      let isShared = item.rows.upperBound == rows.count && item.rowShim?.edge == .end
      return (isShared ? 0 : 1, -item.rows.lowerBound, -item.columns.lowerBound)
    }
    guard let first, let last else { return nil }
    return (first, last)
  }

  /// Aligns the items on the baselines that the grid around has found.
  mutating func take(baselines places: [SubgridAxis.Place], alongLines: Bool) {
    let tracks = tracks(alongLines: alongLines)
    for index in self[keyPath: tracks].indices { self[keyPath: tracks][index].baselines = places[index].baselines }
    shiftToBaselines(alongLines: alongLines)
  }
}
