import BoxGeneration
import CSS
import Primitives
import Styling

/// One axis of a grid: the tracks and line names the author gave (CSS Grid 1, section 7).
struct GridAxis {
  var tracks: [TrackSize]
  var names: [[String]]
  var automatic: [TrackSize]
  /// Tracks of `repeat(auto-fit)`, which collapse when they stay empty.
  var fitted: Range<Int>
  /// Named areas, whose edges are named lines too (section 7.3.2).
  var areas: [NamedArea]
  /// There are no implicit tracks: areas end with the explicit ones.
  var isBounded = false

  init(_ list: TrackList, automatic: [TrackSize], repetitions: Int, areas: [NamedArea], areaTracks: Int) {
    tracks = list.tracks
    // Names of a subgrid mean nothing where there is none (CSS Grid 2, section 9).
    names = list.isSubgrid ? [[]] : list.names
    self.automatic = automatic.isEmpty ? [.auto] : automatic
    self.areas = areas
    fitted = 0..<0
    defer { nameEdgesOfAreas() }
    if !list.isSubgrid, let repetition = list.repetition {
      let at = repetition.index
      var repeated: [TrackSize] = []
      var inner: [[String]] = [[]]
      for _ in 0..<repetitions where repeated.count + tracks.count < ValueParser.mostTracks {
        inner[inner.count - 1] += repetition.names[0]
        repeated += repetition.tracks
        inner += repetition.names.dropFirst()
      }
      let (before, after) = (names[at].prefix(repetition.namesBefore), names[at].dropFirst(repetition.namesBefore))
      tracks.insert(contentsOf: repeated, at: at)
      // The line at the place of the repetition is split in its first and its last line.
      names.replaceSubrange(at...at, with: inner)
      names[at].insert(contentsOf: before, at: 0)
      names[at + repeated.count] += after
      if repetition.isFit { fitted = at..<at + repeated.count }
    }
    appendTracks(to: areaTracks, after: list.tracks.count)
  }

  /// The axis of a subgrid: its lines have the names of those of the grid around, and its own.
  init(_ inherited: SubgridAxis, _ list: TrackList, areas: [NamedArea]) {
    tracks = inherited.tracks
    automatic = [.auto]
    fitted = 0..<0
    isBounded = true
    names = inherited.names
    for (line, own) in list.lineNames(of: names.count).enumerated() { names[line] += own }
    self.areas = inherited.areas + areas.map { $0.within(0..<inherited.tracks.count) }
    nameEdgesOfAreas()
  }

  private mutating func appendTracks(to count: Int, after explicit: Int) {
    while tracks.count < count {
      tracks.append(automatic[(tracks.count - explicit) % automatic.count])
      names.append([])
    }
  }

  private mutating func nameEdgesOfAreas() {
    for area in areas {
      names[area.start].append(area.name + "-start")
      names[area.end].append(area.name + "-end")
    }
  }

  /// The explicit or implicit track at `index`, which may be before the first.
  func track(_ index: Int) -> TrackSize {
    if tracks.indices.contains(index) { return tracks[index] }
    let beyond = index < 0 ? index : index - tracks.count
    return automatic[((beyond % automatic.count) + automatic.count) % automatic.count]
  }

  private func lines(named name: String) -> [Int] { names.indices.filter { names[$0].contains(name) } }

  private func line(_ number: Int, named name: String, isPlain: Bool, isStart: Bool) -> Int {
    if isPlain, let edge = lines(named: name + (isStart ? "-start" : "-end")).first { return edge }
    let found = lines(named: name)
    // Implicit lines are taken to have every name.
    if number > 0 { return number <= found.count ? found[number - 1] : tracks.count + number - found.count }
    return -number <= found.count ? found[found.count + number] : -(-number - found.count)
  }

  private func index(_ line: GridLine, isStart: Bool) -> Int? {
    switch line {
    case .auto, .span: nil
    case .line(let number, let name?, let isPlain):
      self.line(Int(number), named: name, isPlain: isPlain, isStart: isStart)
    case .line(let number, nil, _): number > 0 ? Int(number) - 1 : tracks.count + 1 + Int(number)
    }
  }

  /// The tracks two line values name, or how many tracks are wanted anywhere, within the tracks that there can be.
  func resolve(_ start: GridLine, _ end: GridLine) -> (tracks: Range<Int>?, span: Int) {
    var wanted = named(start, end)
    guard isBounded else { return wanted }
    wanted.tracks = wanted.tracks.map { bounded($0) }
    wanted.span = min(wanted.span, tracks.count)
    return wanted
  }

  /// The part of an area that the axis has; its nearest track where it has none of it (CSS Grid 2, section 9).
  func bounded(_ range: Range<Int>) -> Range<Int> {
    guard isBounded else { return range }
    let start = max(0, min(range.lowerBound, tracks.count - 1))
    return start..<max(start + 1, min(range.upperBound, tracks.count))
  }

  /// The tracks two line values name, or how many tracks are wanted anywhere (section 8.3.1).
  private func named(_ start: GridLine, _ end: GridLine) -> (tracks: Range<Int>?, span: Int) {
    func spanEnd(_ count: Int32, _ name: String?, from line: Int) -> Int {
      guard let name else { return line + Int(count) }
      let found = lines(named: name).filter { $0 > line }
      return found.count >= Int(count) ? found[Int(count) - 1] : max(line, tracks.count) + Int(count) - found.count
    }
    func spanStart(_ count: Int32, _ name: String?, to line: Int) -> Int {
      guard let name else { return line - Int(count) }
      let found = lines(named: name).filter { $0 < line }
      return found.count >= Int(count) ? found[found.count - Int(count)] : min(line, 0) - (Int(count) - found.count)
    }
    switch (index(start, isStart: true), index(end, isStart: false)) {
    case (let a?, let b?): return (a == b ? a..<a + 1 : min(a, b)..<max(a, b), 1)
    case (let a?, nil):
      if case .span(let count, let name) = end { return (a..<spanEnd(count, name, from: a), 1) }
      return (a..<a + 1, 1)
    case (nil, let b?):
      if case .span(let count, let name) = start { return (spanStart(count, name, to: b)..<b, 1) }
      return (b - 1..<b, 1)
    case (nil, nil):
      if case .span(let count, name: nil) = start { return (nil, Int(count)) }
      if case .span(let count, name: nil) = end, start == .auto { return (nil, Int(count)) }
      return (nil, 1)
    }
  }
}

extension GridAxis {
  /// The lines that a positioned box names (CSS Grid 1, section 9): nil for `auto`, and for a span alone.
  func positionedLines(_ start: GridLine, _ end: GridLine) -> (start: Int?, end: Int?) {
    switch (index(start, isStart: true), index(end, isStart: false)) {
    case (let a?, let b?): return a == b ? (a, nil) : (min(a, b), max(a, b))
    case (let a?, nil):
      guard case .span = end else { return (a, nil) }
      return (a, named(start, end).tracks?.upperBound)
    case (nil, let b?):
      guard case .span = start else { return (nil, b) }
      return (named(start, end).tracks?.lowerBound, b)
    case (nil, nil): return (nil, nil)
    }
  }
}

/// The area of an item: tracks counted from the first explicit one until `GridPlacement` is finished, then from the
/// first.
struct GridArea {
  var box: BoxID
  var columns: Range<Int>
  var rows: Range<Int>
}

/// Places items in a grid (CSS Grid 1, section 8.5).
struct GridPlacement {
  private(set) var areas: [GridArea] = []
  /// Implicit tracks before the explicit ones.
  private(set) var columnsBefore = 0
  private(set) var rowsBefore = 0
  private(set) var columnCount = 0
  private(set) var rowCount = 0

  /// Cells that are looked at or marked for one grid: some milliseconds.
  private static let mostLookedAt = 5_000_000
  /// Items of a grid that is packed densely: looking for each takes as long as all before it.
  private static let mostDenseItems = 2000

  /// Occupied cells by track of the major axis (the one items are filled along), counted from `majorBase`.
  private var cells: [[Bool]] = []
  private var majorBase = 0
  private var minorBase = 0
  /// Cells that may still be looked at or marked: areas of hostile size overlap instead.
  private var budget = Self.mostLookedAt

  /// An item along the major axis and across it: the tracks that it names, or how many it wants anywhere.
  private struct Wanted {
    var major: (tracks: Range<Int>?, span: Int)
    var minor: (tracks: Range<Int>?, span: Int)
    var place: (major: Range<Int>, minor: Range<Int>)?
  }

  init(_ items: [(box: BoxID, values: GridValues)], columns: GridAxis, rows: GridAxis, flow: GridAutoFlow) {
    let isColumnFlow = flow.contains(.column)
    let isDense = flow.contains(.dense) && items.count <= Self.mostDenseItems
    var wanted = items.map { item in
      let column = columns.resolve(item.values.columnStart, item.values.columnEnd)
      let row = rows.resolve(item.values.rowStart, item.values.rowEnd)
      return isColumnFlow ? Wanted(major: column, minor: row) : Wanted(major: row, minor: column)
    }
    majorBase = wanted.reduce(0) { min($0, $1.major.tracks?.lowerBound ?? 0) }
    minorBase = wanted.reduce(0) { min($0, $1.minor.tracks?.lowerBound ?? 0) }
    placeDefinite(&wanted)
    placeLocked(&wanted, minor: isColumnFlow ? rows : columns, isDense: isDense)
    let explicit = isColumnFlow ? (columns.tracks.count, rows.tracks.count) : (rows.tracks.count, columns.tracks.count)
    let minorEnd = wanted.reduce(explicit.1) { end, item in
      max(end, item.place?.minor.upperBound ?? item.minor.tracks?.upperBound ?? 0, minorBase + item.minor.span)
    }
    placeRemaining(&wanted, minorEnd: minorEnd, isDense: isDense)
    let majorAxis = isColumnFlow ? columns : rows
    if majorAxis.isBounded {
      for index in wanted.indices {
        wanted[index].place = wanted[index].place.map { (majorAxis.bounded($0.major), $0.minor) }
      }
    }
    let majorEnd = wanted.reduce(explicit.0) { max($0, $1.place?.major.upperBound ?? 0) }
    (columnsBefore, rowsBefore) = isColumnFlow ? (-majorBase, -minorBase) : (-minorBase, -majorBase)
    (columnCount, rowCount) =
      isColumnFlow
      ? (majorEnd - majorBase, minorEnd - minorBase) : (minorEnd - minorBase, majorEnd - majorBase)
    for (item, wanted) in zip(items, wanted) {
      guard let place = wanted.place else { continue }
      let major = place.major.lowerBound - majorBase..<place.major.upperBound - majorBase
      let minor = place.minor.lowerBound - minorBase..<place.minor.upperBound - minorBase
      areas.append(GridArea(box: item.box, columns: isColumnFlow ? major : minor, rows: isColumnFlow ? minor : major))
    }
  }

  /// Step 1: items that name where they stand on both axes.
  private mutating func placeDefinite(_ wanted: inout [Wanted]) {
    for index in wanted.indices {
      guard let major = wanted[index].major.tracks, let minor = wanted[index].minor.tracks else { continue }
      wanted[index].place = (major, minor)
      mark(major, minor)
    }
  }

  /// Step 2: items that name only where they stand on the major axis.
  private mutating func placeLocked(_ wanted: inout [Wanted], minor axis: GridAxis, isDense: Bool) {
    var ends: [Int: Int] = [:]
    for index in wanted.indices where wanted[index].place == nil {
      guard let major = wanted[index].major.tracks else { continue }
      let span = wanted[index].minor.span
      var at = isDense ? minorBase : ends[major.lowerBound] ?? minorBase
      while at < ValueParser.mostTracks, !isFree(major, at..<at + span) { at += 1 }
      let minor = axis.bounded(at..<at + span)
      wanted[index].place = (major, minor)
      ends[major.lowerBound] = minor.upperBound
      mark(major, minor)
    }
  }

  /// Step 4: the rest follow a cursor. The tracks across the major axis end at `minorEnd` (step 3).
  private mutating func placeRemaining(_ wanted: inout [Wanted], minorEnd: Int, isDense: Bool) {
    var major = majorBase
    var minor = minorBase
    for index in wanted.indices where wanted[index].place == nil {
      if isDense { (major, minor) = (majorBase, minorBase) }
      let length = wanted[index].major.span
      let span = wanted[index].minor.span
      let fixed = wanted[index].minor.tracks
      if let fixed {
        if fixed.lowerBound < minor { major += 1 }
        while !isFree(major..<major + length, fixed) { major += 1 }
        minor = fixed.lowerBound
      } else {
        while minor + span > minorEnd || !isFree(major..<major + length, minor..<minor + span) {
          if minor + span > minorEnd {
            major += 1
            minor = minorBase
          } else {
            minor += 1
          }
        }
      }
      let place = (major: major..<major + length, minor: fixed ?? minor..<minor + span)
      wanted[index].place = place
      mark(place.major, place.minor)
      if fixed == nil { minor = place.minor.upperBound }
    }
  }

  private mutating func isFree(_ major: Range<Int>, _ minor: Range<Int>) -> Bool {
    guard budget > 0 else { return true }
    budget -= 1
    for at in major.lowerBound - majorBase..<major.upperBound - majorBase where cells.indices.contains(at) {
      let first = minor.lowerBound - minorBase
      let end = max(first, min(cells[at].count, minor.upperBound - minorBase))
      budget -= end - first
      for cell in first..<end where cells[at][cell] { return false }
    }
    return true
  }

  private mutating func mark(_ major: Range<Int>, _ minor: Range<Int>) {
    budget -= major.count * minor.count
    guard budget > 0 else { return }
    let end = minor.upperBound - minorBase
    for at in major.lowerBound - majorBase..<major.upperBound - majorBase {
      while cells.count <= at { cells.append([]) }
      while cells[at].count < end { cells[at].append(false) }
      for cell in minor.lowerBound - minorBase..<end { cells[at][cell] = true }
    }
  }
}
