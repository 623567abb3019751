/// One bound of a grid track's size (CSS Grid 1, section 7.2).
package enum TrackBreadth: Hashable, Sendable {
  case auto, minContent, maxContent
  /// A share of the free space, in `fr`.
  case fraction(Float)
  case length(LengthPercentage)
}

/// The sizing function of a grid track (CSS Grid 1, section 7.2.1).
package struct TrackSize: Hashable, Sendable {
  package var minimum: TrackBreadth
  package var maximum: TrackBreadth
  /// The argument of `fit-content()`, which caps a `max-content` maximum.
  package var limit: LengthPercentage?

  package init(_ minimum: TrackBreadth, _ maximum: TrackBreadth, limit: LengthPercentage? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.limit = limit
  }
  package static let auto = TrackSize(.auto, .auto)
}

/// A list of tracks with the names of the lines between them; `repeat()` with a number is written out.
package struct TrackList: Hashable, Sendable {
  package var tracks: [TrackSize] = []
  /// Names of the line before each track, and of the last line; of a subgrid, those of the lines that the list names.
  package var names: [[String]] = [[]]
  /// The tracks are those of the grid around (`subgrid`; CSS Grid 2, section 9): the list has names alone, and its repetition
  /// comes before the names at `index`.
  package var isSubgrid = false
  /// `repeat(auto-fill | auto-fit, ...)`: its tracks, with their line names, come before the track at `index`.
  package struct Repetition: Hashable, Sendable {
    package var index: Int
    package var tracks: [TrackSize]
    package var names: [[String]]
    /// The number of names of the line at `index` that stand before the repetition; the others are those of the line
    /// behind it.
    package var namesBefore: Int
    /// Tracks without items collapse: `auto-fit`.
    package var isFit: Bool
  }
  package var repetition: Repetition?
  package init() {}
}

/// `grid-row-start` and its kin (CSS Grid 1, section 8.3).
package enum GridLine: Hashable, Sendable {
  case auto
  /// Counted from 1, or from the end where negative; a name without a number is 1 and `isPlain`.
  case line(Int32, name: String?, isPlain: Bool)
  case span(Int32, name: String?)
}

/// `grid-auto-flow` (CSS Grid 1, section 7.7).
package struct GridAutoFlow: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let column = Self(rawValue: 1)
  package static let dense = Self(rawValue: 2)
}

extension ValueParser {
  mutating func gridFlowValue() -> PropertyValue? { gridAutoFlow().map { .flags(UInt32($0.rawValue)) } }

  /// The limit of tracks in one list, and of line numbers.
  package static let mostTracks = 1000

  private mutating func breadth(inflexible: Bool = false) -> TrackBreadth? {
    if peek().kind == .ident {
      return attempt { parser in
        switch parser.ident() {
        case "auto": .auto
        case "min-content", "-webkit-min-content", "-moz-min-content": .minContent
        case "max-content", "-webkit-max-content", "-moz-max-content": .maxContent
        default: nil
        }
      }
    }
    let token = peek()
    if token.kind == .dimension, cursor.lowercasedText == "fr" {
      guard !inflexible, token.number >= 0 else { return nil }
      cursor.advance()
      return .fraction(Float(token.number))
    }
    return lengthPercentage([.percent, .nonNegative]).map { .length($0) }
  }

  mutating func trackSize() -> TrackSize? {
    if peek().kind == .function {
      if let limit = function("fit-content", { $0.lengthPercentage([.percent, .nonNegative]) }) {
        return TrackSize(.auto, .maxContent, limit: limit)
      }
      if let size = function(
        "minmax",
        { parser -> TrackSize? in
          guard let minimum = parser.breadth(inflexible: true), parser.comma(), let maximum = parser.breadth() else {
            return nil
          }
          return TrackSize(minimum, maximum)
        })
      {
        return size
      }
    }
    guard let breadth = breadth() else { return nil }
    if case .fraction = breadth { return TrackSize(.auto, breadth) }
    return TrackSize(breadth, breadth)
  }

  /// `[name ...]`; empty when there is none.
  private mutating func lineNames() -> [String]? {
    guard peek().kind == .openSquare else { return [] }
    return block { parser in
      var names: [String] = []
      while !parser.isAtEnd {
        guard let name = parser.customIdent() else { return nil }
        names.append(name)
      }
      return names
    }
  }

  /// Tracks with line names, up to the end of the value or what is no track.
  private mutating func appendTracks(to list: inout TrackList, allowsRepeat: Bool) -> Bool {
    while true {
      guard let names = lineNames() else { return false }
      list.names[list.names.count - 1] += names
      if peek().kind == .function, cursor.isFunction("repeat") {
        guard allowsRepeat, repetition(into: &list) else { return false }
      } else if let size = trackSize() {
        if list.tracks.count < Self.mostTracks {
          list.tracks.append(size)
          list.names.append([])
        }
      } else {
        return true
      }
    }
  }

  private mutating func repetition(into list: inout TrackList) -> Bool {
    enum Count { case times(Int), fill, fit }
    let parsed = function("repeat") { parser -> (Count, TrackList)? in
      let count: Count
      if parser.keyword("auto-fill") {
        count = .fill
      } else if parser.keyword("auto-fit") {
        count = .fit
      } else if let number = parser.integer(atLeast: 1) {
        count = .times(Int(number))
      } else {
        return nil
      }
      var inner = TrackList()
      guard parser.comma(), parser.appendTracks(to: &inner, allowsRepeat: false), !inner.tracks.isEmpty else {
        return nil
      }
      return (count, inner)
    }
    guard let (count, inner) = parsed else { return false }
    switch count {
    case .times(let times):
      for _ in 0..<min(times, Self.mostTracks) where list.tracks.count + inner.tracks.count <= Self.mostTracks {
        list.names[list.names.count - 1] += inner.names[0]
        list.tracks += inner.tracks
        list.names += inner.names.dropFirst()
      }
    case .fill, .fit:
      // As many as fit is known of definite sizes only (CSS Grid 1, section 7.2.3.1).
      guard list.repetition == nil, inner.tracks.allSatisfy(\.isFixed) else { return false }
      let isFit = if case .fit = count { true } else { false }
      list.repetition = .init(
        index: list.tracks.count, tracks: inner.tracks, names: inner.names,
        namesBefore: list.names[list.names.count - 1].count, isFit: isFit)
    }
    return true
  }

  /// `subgrid <line-name-list>?` behind the keyword (CSS Grid 2, section 9).
  private mutating func subgrid() -> TrackList? {
    var list = TrackList()
    list.isSubgrid = true
    list.names = []
    while true {
      if peek().kind == .openSquare {
        guard let names = lineNames() else { return nil }
        if list.names.count <= Self.mostTracks { list.names.append(names) }
      } else if peek().kind == .function, cursor.isFunction("repeat") {
        guard nameRepetition(into: &list) else { return nil }
      } else {
        return list
      }
    }
  }

  /// `repeat([ <integer> | auto-fill ], <line-names>+)`.
  private mutating func nameRepetition(into list: inout TrackList) -> Bool {
    let parsed = function("repeat") { parser -> (times: Int?, names: [[String]])? in
      var times: Int?
      if !parser.keyword("auto-fill") {
        guard let number = parser.integer(atLeast: 1) else { return nil }
        times = Int(number)
      }
      guard parser.comma() else { return nil }
      var inner: [[String]] = []
      while parser.peek().kind == .openSquare {
        guard let names = parser.lineNames() else { return nil }
        if inner.count <= Self.mostTracks { inner.append(names) }
      }
      return inner.isEmpty ? nil : (times, inner)
    }
    guard let (times, names) = parsed else { return false }
    if let times {
      for _ in 0..<min(times, Self.mostTracks + 1) where list.names.count + names.count <= Self.mostTracks + 1 {
        list.names += names
      }
    } else {
      guard list.repetition == nil else { return false }
      list.repetition = .init(index: list.names.count, tracks: [], names: names, namesBefore: 0, isFit: false)
    }
    return true
  }

  /// `grid-template-columns`, `grid-template-rows`.
  mutating func trackList() -> TrackList? {
    if keyword("none") { return TrackList() }
    if keyword("subgrid") { return subgrid() }
    var list = TrackList()
    guard appendTracks(to: &list, allowsRepeat: true), !list.tracks.isEmpty || list.repetition != nil else {
      return nil
    }
    return list
  }

  /// `grid-auto-columns`, `grid-auto-rows`: sizes only.
  mutating func trackSizes() -> TrackList? {
    var list = TrackList()
    while let size = trackSize() {
      list.tracks.append(size)
      list.names.append([])
    }
    return list.tracks.isEmpty ? nil : list
  }

  /// The cells of one row of `grid-template-areas`: names, or empty for dots.
  private static func cells(_ row: String) -> [String] {
    row.split(whereSeparator: \.isWhitespace).map { cell in
      cell.allSatisfy { $0 == "." } ? "" : String(cell)
    }
  }

  /// `grid-template-areas`, rows of equal length.
  mutating func gridAreas() -> [[String]]? {
    if keyword("none") { return [] }
    var rows: [[String]] = []
    while let row = string() { rows.append(Self.cells(row)) }
    guard let first = rows.first, !first.isEmpty, rows.allSatisfy({ $0.count == first.count }) else { return nil }
    return Self.areRectangles(rows) ? rows : nil
  }

  /// The cells of each name fill a rectangle (CSS Grid 1, section 7.3).
  private static func areRectangles(_ rows: [[String]]) -> Bool {
    var bounds: [String: (rows: ClosedRange<Int>, columns: ClosedRange<Int>, cells: Int)] = [:]
    for (row, cells) in rows.enumerated() {
      for (column, name) in cells.enumerated() where !name.isEmpty {
        let known = bounds[name] ?? (row...row, column...column, 0)
        bounds[name] = (
          known.rows.lowerBound...row,
          min(known.columns.lowerBound, column)...max(known.columns.upperBound, column), known.cells + 1
        )
      }
    }
    return bounds.values.allSatisfy { $0.cells == $0.rows.count * $0.columns.count }
  }

  mutating func gridLine() -> GridLine? {
    if keyword("auto") { return .auto }
    var isSpan = false
    var number: Int32?
    var name: String?
    while true {
      if !isSpan, keyword("span") {
        isSpan = true
      } else if number == nil, let next = integer() {
        number = next
      } else if name == nil, let next = customIdent() {
        name = next
      } else {
        break
      }
    }
    guard number != nil || name != nil, number != 0 else { return nil }
    let limit = Int32(Self.mostTracks)
    let bounded = number.map { max(-limit, min(limit, $0)) }
    if isSpan { return (bounded ?? 1) > 0 ? .span(bounded ?? 1, name: name) : nil }
    return .line(bounded ?? 1, name: name, isPlain: number == nil)
  }

  /// `grid-auto-flow`.
  mutating func gridAutoFlow() -> GridAutoFlow? {
    var flow = GridAutoFlow()
    var words = 0
    while !isAtEnd {
      if keyword("column") {
        flow.insert(.column)
      } else if keyword("dense") {
        flow.insert(.dense)
      } else if !keyword("row") {
        return nil
      }
      words += 1
    }
    return words == 1 || words == 2 ? flow : nil
  }

  /// `grid-template`: `none`, rows and columns, or areas with the sizes of their rows.
  mutating func gridTemplate() -> (rows: TrackList, columns: TrackList, areas: [[String]])? {
    if keyword("none") { return (TrackList(), TrackList(), []) }
    if let plain = attempt({ parser -> (TrackList, TrackList)? in
      guard let rows = parser.trackList(), parser.slash(), let columns = parser.trackList() else { return nil }
      return (rows, columns)
    }) {
      return (plain.0, plain.1, [])
    }
    var rows = TrackList()
    var areas: [[String]] = []
    while true {
      guard let before = lineNames() else { return nil }
      rows.names[rows.names.count - 1] += before
      guard let row = string() else { break }
      areas.append(Self.cells(row))
      rows.tracks.append(trackSize() ?? .auto)
      guard let after = lineNames() else { return nil }
      rows.names.append(after)
    }
    guard let first = areas.first, !first.isEmpty, areas.allSatisfy({ $0.count == first.count }) else { return nil }
    var columns = TrackList()
    if slash() {
      guard let given = trackList(), !given.isSubgrid else { return nil }
      columns = given
    }
    return (rows, columns, areas)
  }
}

extension TrackSize {
  /// A `<fixed-size>`: one of its limits is a length.
  fileprivate var isFixed: Bool {
    func isLength(_ breadth: TrackBreadth) -> Bool { if case .length = breadth { true } else { false } }
    guard limit == nil else { return false }
    if case .fraction = minimum { return false }
    return isLength(maximum) || isLength(minimum)
  }
}
