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

/// Grid values in a box style: one word there, nil where none is set.
package final class GridStyle: Hashable, Sendable {
  package let values: GridValues
  init(_ values: GridValues) { self.values = values }
  package static func == (a: GridStyle, b: GridStyle) -> Bool { a === b || a.values == b.values }
  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
