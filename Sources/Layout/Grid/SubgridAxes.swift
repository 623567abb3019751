import BoxGeneration
import CSS
import Primitives
import Styling

/// A named area along one axis: the lines at which it starts and ends, the other way round in a subgrid that runs against the grid
/// around.
struct NamedArea: Hashable {
  var name: String
  var start: Int
  var end: Int

  /// The part of it in a range of tracks, counted from the first of them.
  func within(_ tracks: Range<Int>) -> NamedArea {
    func line(_ line: Int) -> Int { min(max(line, tracks.lowerBound), tracks.upperBound) - tracks.lowerBound }
    return NamedArea(name: name, start: line(start), end: line(end))
  }
}

/// One axis of a subgrid as the grid around gives it (CSS Grid 2, section 9), in the order of the subgrid.
struct SubgridAxis: Hashable {
  var tracks: [TrackSize]
  /// Of the lines, edges of areas left out.
  var names: [[String]]
  var areas: [NamedArea]
  /// The gap of the grid around, which is that of a subgrid that gives none.
  var gap: LayoutUnit
  /// The places of the tracks from the subgrid's content edge, once they are known.
  var places: [Place]?

  struct Place: Hashable {
    var start: LayoutUnit
    var size: LayoutUnit
    var baselines = SharedBaselines()
  }

  /// The axis of an item over `range` of the tracks of `axis`, `before` of which come before the explicit ones.
  init(_ axis: GridAxis, _ range: Range<Int>, before: Int, gap: LayoutUnit, isReversed: Bool) {
    let explicit = range.lowerBound - before..<range.upperBound - before
    tracks = explicit.map { axis.track($0) }
    let own = (explicit.lowerBound...explicit.upperBound)
    names = own.map { axis.names.indices.contains($0) ? axis.names[$0] : [] }
    areas = axis.areas.compactMap { area in
      let (low, high) = (min(area.start, area.end), max(area.start, area.end))
      return low < explicit.upperBound && high > explicit.lowerBound ? area.within(explicit) : nil
    }
    self.gap = gap
    guard isReversed else { return }
    tracks.reverse()
    names.reverse()
    areas = areas.map { NamedArea(name: $0.name, start: explicit.count - $0.start, end: explicit.count - $0.end) }
  }
}

/// The axes that a subgrid has from the grid around.
struct SubgridTracks: Hashable {
  var columns: SubgridAxis?
  var rows: SubgridAxis?
}

/// A subgrid's tracks in the workspace.
struct SubgridID: Hashable, Sendable {
  fileprivate var rawValue: Int32
  /// Of boxes that are no subgrids.
  static let none = SubgridID(rawValue: 0)
}

/// The tracks of the subgrids of a chapter. Equal ones have the same number, so that what is measured in them is known.
struct SubgridStore {
  private var known: [SubgridTracks: SubgridID] = [:]
  private var tracks: [SubgridTracks] = []

  mutating func id(of value: SubgridTracks) -> SubgridID {
    if let known = known[value] { return known }
    tracks.append(value)
    let id = SubgridID(rawValue: Int32(tracks.count))
    known[value] = id
    return id
  }

  subscript(id: SubgridID) -> SubgridTracks? { id == .none ? nil : tracks[Int(id.rawValue) - 1] }
}

extension TrackList {
  /// The names that a subgrid gives its first lines, `count` of them at most: the repetition fills the list up.
  func lineNames(of count: Int) -> ArraySlice<[String]> {
    guard isSubgrid else { return [] }
    var list = names
    if let repetition {
      let times = max(0, count - names.count) / repetition.names.count
      list.insert(contentsOf: Array(repeating: repetition.names, count: times).joined(), at: repetition.index)
    }
    return list.prefix(count)
  }

  /// The automatic span of a subgrid (CSS Grid 2, section 9): as many tracks as it names lines around.
  fileprivate var automaticSpan: Int32 { isSubgrid ? Int32(max(1, names.count - 1)) : 1 }
}

/// The axes of a box that are subgridded.
struct SubgriddedAxes {
  /// In the terms of the subgrid.
  let columns: Bool
  let rows: Bool
  /// Its columns lie along the rows of the grid around.
  let isTurned: Bool
  /// Its columns run against the tracks around that they lie along, or its rows do.
  let reversesColumns: Bool
  let reversesRows: Bool

  /// In the terms of the grid around.
  var takesColumns: Bool { isTurned ? rows : columns }
  var takesRows: Bool { isTurned ? columns : rows }
  func takes(alongLines: Bool) -> Bool { alongLines ? takesColumns : takesRows }
  var reversesTakenColumns: Bool { isTurned ? reversesRows : reversesColumns }
  var reversesTakenRows: Bool { isTurned ? reversesColumns : reversesRows }

  /// Nil where the item of a grid is no subgrid: it is no grid container, or has to be independent (section 9).
  init?(_ item: BoxID, _ context: LayoutContext) {
    let value = context.tree.boxes[item.index]
    guard value.kind == .grid, let own = context.styles.boxes[value.style.box.index].grid?.values,
      own.columns.isSubgrid || own.rows.isSubgrid, !value.flags.contains(.outOfFlow), !value.parent.isNone,
      !context.containsPositioned(item), context.tree.boxes[value.parent.index].kind == .grid
    else { return nil }
    func style(_ box: BoxID) -> ParagraphStyle {
      context.styles.paragraphs[context.tree.boxes[box.index].style.paragraph.index]
    }
    let (inner, outer) = (style(item), style(value.parent))
    columns = own.columns.isSubgrid
    rows = own.rows.isSubgrid
    isTurned = inner.writingMode.isHorizontal != outer.writingMode.isHorizontal
    let along = (inner.runsBackAlongLines, inner.writingMode.runsBackAcrossLines)
    let around = (outer.runsBackAlongLines, outer.writingMode.runsBackAcrossLines)
    reversesColumns = along.0 != (isTurned ? around.1 : around.0)
    reversesRows = along.1 != (isTurned ? around.0 : around.1)
  }
}

extension GridValues {
  /// The values of a subgrid with the spans that its line names give it where its own are automatic.
  func spanning(_ axes: SubgriddedAxes) -> GridValues {
    var values = self
    func span(_ start: inout GridLine, _ end: inout GridLine, _ count: Int32) {
      guard count > 1 else { return }
      if case .span = start { return }
      if end == .auto {
        end = .span(count, name: nil)
      } else if start == .auto, case .line = end {
        start = .span(count, name: nil)
      }
    }
    if axes.takesColumns {
      span(&values.columnStart, &values.columnEnd, (axes.isTurned ? rows : columns).automaticSpan)
    }
    if axes.takesRows { span(&values.rowStart, &values.rowEnd, (axes.isTurned ? columns : rows).automaticSpan) }
    return values
  }
}

extension ParagraphStyle {
  /// Text runs to the left or up.
  fileprivate var runsBackAlongLines: Bool { (direction == .rtl) != (writingMode == .sidewaysLR) }
}
extension WritingMode {
  /// Lines follow each other to the left.
  fileprivate var runsBackAcrossLines: Bool { self == .verticalRL || self == .sidewaysRL }
}
