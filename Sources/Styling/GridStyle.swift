package import CSS

/// The values of CSS Grid 1 that are not inherited, of containers and of items.
package struct GridValues: Hashable, Sendable {
  package var columns = TrackList()
  package var rows = TrackList()
  /// Rows of names, empty for cells without one.
  package var areas: [[String]] = []
  package var autoColumns: [TrackSize] = []
  package var autoRows: [TrackSize] = []
  package var autoFlow = GridAutoFlow()
  package var columnStart = GridLine.auto
  package var columnEnd = GridLine.auto
  package var rowStart = GridLine.auto
  package var rowEnd = GridLine.auto
  package init() {}
}

extension GridValues {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: GridProperty, _ table: StyleTable) -> String {
    switch property {
    case .gridTemplateColumns: table.css(columns)
    case .gridTemplateRows: table.css(rows)
    case .gridTemplateAreas: areas.isEmpty ? "none" : areas.map { quoted(Self.line($0)) }.joined(separator: " ")
    case .gridAutoColumns: table.css(autoColumns, none: "auto")
    case .gridAutoRows: table.css(autoRows, none: "auto")
    case .gridAutoFlow: table.css(autoFlow, [(.column, "column"), (.dense, "dense")], none: "row")
    case .gridColumnStart: table.css(columnStart)
    case .gridColumnEnd: table.css(columnEnd)
    case .gridRowStart: table.css(rowStart)
    case .gridRowEnd: table.css(rowEnd)
    }
  }

  private static func line(_ cells: [String]) -> String {
    cells.map { $0.isEmpty ? "." : $0 }.joined(separator: " ")
  }
}

/// Grid values in a box style: one word there, nil where none is set.
package final class GridStyle: Hashable, Sendable {
  package let values: GridValues
  init(_ values: GridValues) { self.values = values }
  package static func == (a: GridStyle, b: GridStyle) -> Bool { a === b || a.values == b.values }
  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
