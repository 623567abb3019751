import BoxGeneration
import CSS
import Primitives
import Styling

/// The edges of a subgrid along one axis, margin, border and padding together, in the order of the tracks of the grid around.
struct SubgridEdges {
  var start: LayoutUnit
  var end: LayoutUnit
  /// Half of what its gap is larger than the gap around.
  var halfGap: LayoutUnit

  /// What surrounds something in the subgrid beside the tracks at its ends: the subgrid's edge, or its part of the gaps.
  func around(_ tracks: Range<Int>, in span: Range<Int>) -> LayoutUnit {
    before(.start, of: tracks.lowerBound, in: span) + before(.end, of: tracks.upperBound - 1, in: span)
  }

  /// What lies between an edge of a track and the subgrid's own track there.
  func before(_ edge: StaticEdge, of track: Int, in span: Range<Int>) -> LayoutUnit {
    edge == .start
      ? track == span.lowerBound ? start : halfGap : track == span.upperBound - 1 ? end : halfGap
  }
}

/// An item that is a subgrid, in the grid that it is an item of (CSS Grid 2, section 9).
struct Subgrid {
  let axes: SubgriddedAxes
  var tracks: SubgridTracks
  /// Its items, measured as far as this grid's tracks are known; nil where it is nested too deep.
  var model: GridModel?
}

/// Subgrids of a grid: their items size the tracks of this grid, and it places theirs.
extension GridModel {
  /// Levels of subgrids whose items a grid gathers. A turned one, whose items are measured twice, stands for several.
  private static let mostNested = 8
  private static let levelsOfTurned = 4

  mutating func findSubgrids(columns: GridAxis, rows: GridAxis) {
    for index in items.indices {
      let box = items[index].box
      guard let axes = SubgriddedAxes(box, context) else { continue }
      items[index].takesColumns = axes.takesColumns
      items[index].takesRows = axes.takesRows
      let alongColumns =
        axes.takesColumns
        ? SubgridAxis(
          columns, items[index].columns, before: tracksBefore.columns, gap: columnGap,
          isReversed: axes.reversesTakenColumns) : nil
      let alongRows =
        axes.takesRows
        ? SubgridAxis(
          rows, items[index].rows, before: tracksBefore.rows, gap: rowGap, isReversed: axes.reversesTakenRows) : nil
      let tracks =
        axes.isTurned
        ? SubgridTracks(columns: alongRows, rows: alongColumns)
        : SubgridTracks(columns: alongColumns, rows: alongRows)
      subgrids[index] = Subgrid(
        axes: axes, tracks: tracks, model: nestedModel(of: box, axes, tracks, contentInline: nil, pageInline: .zero))
    }
  }

  private func nestedModel(
    of box: BoxID, _ axes: SubgriddedAxes, _ tracks: SubgridTracks, contentInline: LayoutUnit?, pageInline: LayoutUnit
  ) -> GridModel? {
    let depth = depth + (axes.isTurned ? Self.levelsOfTurned : 1)
    guard depth <= Self.mostNested else { return nil }
    let value = context.tree.boxes[box.index]
    let own = context.with(context.styles.paragraphs[value.style.paragraph.index].writingMode)
    return GridModel(
      context: own, box: box, contentInline: contentInline, contentBlock: nil, pageInline: pageInline,
      inherited: tracks, depth: depth)
  }

  // MARK: Edges

  /// The edges of a subgrid along the columns; `area` is the size of its columns, once it is known.
  private func columnEdges(
    of item: GridItem, _ subgrid: Subgrid, _ geometry: BoxGeometry, area: LayoutUnit? = nil
  ) -> SubgridEdges {
    let left = item.margins.lineLeft + geometry.border.lineLeft + geometry.padding.lineLeft
    let right = item.margins.lineRight + geometry.border.lineRight + geometry.padding.lineRight
    return SubgridEdges(
      start: direction == .ltr ? left : right, end: direction == .ltr ? right : left,
      halfGap: halfGap(of: item, subgrid, columnGap, isAlongColumns: true, size: area.map { $0 - left - right }))
  }

  /// The edges of a subgrid along the rows; `area` is the size of its rows, once it is known.
  private func rowEdges(
    of item: GridItem, _ subgrid: Subgrid, _ geometry: BoxGeometry, area: LayoutUnit? = nil
  ) -> SubgridEdges {
    let start = item.margins.blockStart + geometry.border.blockStart + geometry.padding.blockStart
    let end = item.margins.blockEnd + geometry.border.blockEnd + geometry.padding.blockEnd
    return SubgridEdges(
      start: start, end: end,
      halfGap: halfGap(of: item, subgrid, rowGap, isAlongColumns: false, size: area.map { $0 - start - end }))
  }

  /// - Parameter size: The content size of the subgrid along the gaps, once it is known.
  private func halfGap(
    of item: GridItem, _ subgrid: Subgrid, _ gap: LayoutUnit, isAlongColumns: Bool, size: LayoutUnit?
  ) -> LayoutUnit {
    let computed = context.tree.boxes[item.box.index].style
    let own = context.styles.boxes[computed.box.index]
    let spacing = isAlongColumns != subgrid.axes.isTurned ? own.columnGap : own.rowGap
    guard case .length(let length) = spacing else { return .zero }
    return (context.gap(length, font: computed.font, size) - gap) / 2
  }

  // MARK: Contributions

  /// The contributions of a subgrid to the tracks that it takes: those of its items, and its own edges as if it were empty.
  private func contributions(
    of nested: [TrackContribution], over span: Range<Int>, _ edges: SubgridEdges, isReversed: Bool
  ) -> [TrackContribution] {
    func edge(_ tracks: Range<Int>, _ size: LayoutUnit) -> TrackContribution {
      let size = Swift.max(.zero, size)
      return TrackContribution(tracks: tracks, minimum: size, minContent: size, maxContent: size)
    }
    let first = span.lowerBound..<span.lowerBound + 1
    let last = span.upperBound - 1..<span.upperBound
    let own =
      first == last ? [edge(first, edges.start + edges.end)] : [edge(first, edges.start), edge(last, edges.end)]
    return own
      + nested.map { item in
        var item = item
        item.tracks =
          isReversed
          ? span.upperBound - item.tracks.upperBound..<span.upperBound - item.tracks.lowerBound
          : span.lowerBound + item.tracks.lowerBound..<span.lowerBound + item.tracks.upperBound
        let extra = edges.around(item.tracks, in: span)
        item.minimum = Swift.max(.zero, item.minimum + extra)
        item.minContent = Swift.max(.zero, item.minContent + extra)
        item.maxContent = Swift.max(.zero, item.maxContent + extra)
        return item
      }
  }

  /// The contributions of a subgrid to this grid's columns.
  func columnContributions(of subgrid: Subgrid, _ item: GridItem) -> [TrackContribution] {
    var nested: [TrackContribution] = []
    if var model = subgrid.model {
      if subgrid.axes.isTurned {
        // Its rows are wanted before the room for its columns is known.
        model.sizeColumns(.maxContent)
        model.measureItems()
        model.alignBaselines(alongLines: false)
        nested = model.blockContributions()
      } else {
        nested = model.inlineContributions()
      }
    }
    let geometry = context.borderAndPadding(of: item.box, availableInline: .zero)
    return contributions(
      of: nested, over: item.columns, columnEdges(of: item, subgrid, geometry),
      isReversed: subgrid.axes.reversesTakenColumns)
  }

  /// The contributions of a subgrid to this grid's rows.
  func rowContributions(of subgrid: Subgrid, _ item: GridItem) -> [TrackContribution] {
    let nested = subgrid.model.map { subgrid.axes.isTurned ? $0.inlineContributions() : $0.blockContributions() } ?? []
    return contributions(
      of: nested, over: item.rows, rowEdges(of: item, subgrid, geometry(of: item)),
      isReversed: subgrid.axes.reversesTakenRows)
  }

  // MARK: Tracks

  private func geometry(of item: GridItem) -> BoxGeometry {
    context.borderAndPadding(of: item.box, availableInline: extent(columns, item.columns).size)
  }

  /// The places of the tracks that a subgrid takes, from its content edge and in its own order. Its edges cover tracks; a gap of its
  /// own is centered on the one around.
  private func places(
    _ tracks: [GridTrack], _ span: Range<Int>, _ edges: SubgridEdges, isReversed: Bool
  ) -> [SubgridAxis.Place] {
    let origin = tracks[span.lowerBound].start + edges.start
    let limit = Swift.max(origin, tracks[span.upperBound - 1].end - edges.end)
    let places = span.map { index -> SubgridAxis.Place in
      let track = tracks[index]
      let before = edges.before(.start, of: index, in: span)
      let after = edges.before(.end, of: index, in: span)
      var start = track.start + before
      var end = track.end - after
      if end < start {
        end = (start + end) / 2
        start = end
      }
      start = Swift.min(Swift.max(start, origin), limit)
      end = Swift.min(Swift.max(end, origin), limit)
      let baselines = SharedBaselines(
        start: track.baselines.start.map { $0 - before }, end: track.baselines.end.map { $0 - after })
      return SubgridAxis.Place(
        start: isReversed ? limit - end : start - origin, size: end - start,
        baselines: isReversed ? SharedBaselines(start: baselines.end, end: baselines.start) : baselines)
    }
    return isReversed ? places.reversed() : places
  }

  private func placesAlongColumns(of subgrid: Subgrid, _ item: GridItem, _ geometry: BoxGeometry)
    -> [SubgridAxis.Place]
  {
    places(
      columns, item.columns,
      columnEdges(of: item, subgrid, geometry, area: extent(columns, item.columns).size),
      isReversed: subgrid.axes.reversesTakenColumns)
  }

  private func placesAlongRows(of subgrid: Subgrid, _ item: GridItem) -> [SubgridAxis.Place] {
    places(
      rows, item.rows, rowEdges(of: item, subgrid, geometry(of: item), area: extent(rows, item.rows).size),
      isReversed: subgrid.axes.reversesTakenRows)
  }

  /// The number of an item's tracks as far as the sizes of this grid's are known; none where it is no subgrid.
  func subgridTracks(of index: Int, knowsRows: Bool) -> SubgridID {
    guard let subgrid = subgrids[index] else { return .none }
    var tracks = subgrid.tracks
    let item = items[index]
    if knowsRows, subgrid.axes.takesRows {
      let places = placesAlongRows(of: subgrid, item)
      if subgrid.axes.isTurned { tracks.columns?.places = places } else { tracks.rows?.places = places }
    }
    return context.workspace.subgrids.id(of: tracks)
  }

  /// Gives a subgrid the columns that it takes and measures its items where they size rows of this grid.
  mutating func measureItems(ofSubgrid index: Int) {
    guard var subgrid = subgrids[index] else { return }
    let item = items[index]
    let geometry = geometry(of: item)
    if subgrid.axes.takesColumns {
      let places = placesAlongColumns(of: subgrid, item, geometry)
      if subgrid.axes.isTurned { subgrid.tracks.rows?.places = places } else { subgrid.tracks.columns?.places = places }
    }
    if subgrid.axes.takesRows, !subgrid.axes.isTurned {
      let contentInline = Swift.max(
        .zero, item.inline - geometry.border.inlineSum - geometry.padding.inlineSum)
      let inset = geometry.border.lineLeft + geometry.padding.lineLeft
      let place = pageInline + inlineOffset(item) + inset
      var model =
        subgrid.model?.resized(contentInline, at: place, subgrid.tracks)
        ?? nestedModel(of: item.box, subgrid.axes, subgrid.tracks, contentInline: contentInline, pageInline: place)
      model?.sizeColumns(.definite(contentInline))
      model?.measureItems()
      subgrid.model = model
    }
    subgrids[index] = subgrid
  }

  // MARK: Baselines

  /// The baselines that items of subgrids share in the tracks of this grid.
  func nestedBaselines(alongLines: Bool) -> [TrackBaseline] {
    var result: [TrackBaseline] = []
    for index in subgrids.keys.sorted() {
      guard let subgrid = subgrids[index], subgrid.axes.takes(alongLines: alongLines), let model = subgrid.model else {
        continue
      }
      let item = items[index]
      let span = alongLines ? item.columns : item.rows
      let geometry = geometry(of: item)
      let edges = alongLines ? columnEdges(of: item, subgrid, geometry) : rowEdges(of: item, subgrid, geometry)
      let isReversed = alongLines ? subgrid.axes.reversesTakenColumns : subgrid.axes.reversesTakenRows
      for var found in model.trackBaselines(alongLines: alongLines != subgrid.axes.isTurned) {
        if isReversed {
          found.track = span.count - 1 - found.track
          found.edge = found.edge.opposite
        }
        found.track += span.lowerBound
        found.distance += edges.before(found.edge, of: found.track, in: span)
        result.append(found)
      }
    }
    return result
  }

  /// Aligns items of subgrids on the baselines of this grid's tracks.
  mutating func alignNestedBaselines(alongLines: Bool) {
    for index in subgrids.keys.sorted() {
      guard var subgrid = subgrids[index], subgrid.axes.takes(alongLines: alongLines), subgrid.model != nil else {
        continue
      }
      let item = items[index]
      let places =
        alongLines ? placesAlongColumns(of: subgrid, item, geometry(of: item)) : placesAlongRows(of: subgrid, item)
      subgrid.model?.take(baselines: places, alongLines: alongLines != subgrid.axes.isTurned)
      subgrids[index] = subgrid
    }
  }
}

extension LayoutContext {
  /// The tracks of a subgrid that is laid out or measured where nobody says which they are: those of the grid around, as if its own
  /// size were not known.
  func subgridTracks(of box: BoxID) -> SubgridTracks? {
    guard SubgriddedAxes(box, self) != nil else { return nil }
    if let known = measurements.subgridTracks[box] { return known }
    let parent = tree.boxes[box.index].parent
    let around = with(styles.paragraphs[tree.boxes[parent.index].style.paragraph.index].writingMode)
    let model = GridModel(
      context: around, box: parent, contentInline: nil, contentBlock: nil, inherited: around.subgridTracks(of: parent))
    for (index, subgrid) in model.subgrids { measurements.subgridTracks[model.items[index].box] = subgrid.tracks }
    return measurements.subgridTracks[box]
  }
}
