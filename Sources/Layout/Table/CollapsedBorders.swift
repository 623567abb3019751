import BoxGeneration
import CSS
import Primitives
import Styling

/// The border that wins an edge between cells.
struct CollapsedEdge {
  var width = LayoutUnit.zero
  var style = BorderStyle.none
  var color = Color.transparent
  /// Whose border it is: that of a later kind wins.
  var origin = Origin.table

  enum Origin: Int, Comparable {
    case table, columnGroup, column, rowGroup, row, cell
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// Conflict resolution (CSS 2.2, section 17.6.2.1): `hidden` wins, then width, style, and the kind of box.
  mutating func contest(_ other: CollapsedEdge) {
    if style == .hidden { return }
    if other.style == .hidden {
      self = other
      return
    }
    guard other.style != .none else { return }
    if style == .none || other.width > width {
      self = other
    } else if other.width == width {
      if other.rank > rank || (other.rank == rank && other.origin > origin) { self = other }
    }
  }
  /// The border `other` is drawn over this one where they meet: by width, style, and the kind of box.
  func isBeaten(by other: CollapsedEdge) -> Bool {
    guard other.used > .zero else { return false }
    return (used, rank, origin) < (other.used, other.rank, other.origin)
  }
  private var rank: Int {
    switch style {
    case .double: 8
    case .solid: 7
    case .dashed: 6
    case .dotted: 5
    case .ridge: 4
    case .outset: 3
    case .groove: 2
    case .inset: 1
    case .none, .hidden: 0
    }
  }
  var used: LayoutUnit { style == .none || style == .hidden ? .zero : width }
}

extension LayoutContext {
  /// The four borders a box brings into the contest, line-relative.
  private func edges(of box: BoxID, origin: CollapsedEdge.Origin) -> CollapsedBorders.Edges {
    let style = tree.boxes[box.index].style
    let none = CollapsedEdge()
    guard style.border.index != 0 else { return (none, none, none, none) }
    let group = styles.borders[style.border.index]
    let current = styles.texts[style.text.index].color
    func edge(_ width: Length, _ line: BorderStyle, _ color: ColorValue) -> CollapsedEdge {
      if line == .none { return CollapsedEdge() }
      var used = Swift.max(.zero, resolve(width, font: style.font))
      used = used > .zero && used < LayoutUnit(1) ? LayoutUnit(1) : used.floor
      return CollapsedEdge(width: used, style: line, color: color.resolved(current), origin: origin)
    }
    let sides = flow(
      Sides(
        top: SideIndex.top, right: SideIndex.right, bottom: SideIndex.bottom, left: SideIndex.left))
    func edge(_ side: SideIndex) -> CollapsedEdge {
      switch side {
      case .top: edge(group.width.top, group.style.top, group.color.top)
      case .right: edge(group.width.right, group.style.right, group.color.right)
      case .bottom: edge(group.width.bottom, group.style.bottom, group.color.bottom)
      case .left: edge(group.width.left, group.style.left, group.color.left)
      }
    }
    return (edge(sides.blockStart), edge(sides.lineRight), edge(sides.blockEnd), edge(sides.lineLeft))
  }

  /// Resolves all edges of a table in the collapsing model and the half widths its cells get.
  func resolveCollapsedBorders(of table: BoxID, _ grid: TableGrid) -> CollapsedBorders {
    let isRTL = styles.paragraphs[tree.boxes[table.index].style.paragraph.index].direction == .rtl
    var borders = CollapsedBorders(columns: grid.columnCount, rows: grid.rows.count, isRTL: isRTL)
    guard grid.columnCount > 0, !grid.rows.isEmpty else { return borders }
    for cell in grid.cells {
      borders.contest(
        edges(of: cell.box, origin: .cell), rows: cell.row..<cell.row + cell.rowSpan,
        columns: cell.column..<cell.column + cell.columnSpan)
    }
    let columns = 0..<grid.columnCount
    for row in grid.rows.indices {
      borders.contest(edges(of: grid.rows[row].box, origin: .row), rows: row..<row + 1, columns: columns)
    }
    for group in grid.rowGroups {
      borders.contest(edges(of: grid.rows[group.lowerBound].group, origin: .rowGroup), rows: group, columns: columns)
    }
    let rows = 0..<grid.rows.count
    for column in columns {
      let box = grid.columnBoxes[column]
      if !box.isNone { borders.contest(edges(of: box, origin: .column), rows: rows, columns: column..<column + 1) }
      let group = grid.columnGroups[column]
      if !group.isNone {
        borders.contest(
          edges(of: group, origin: .columnGroup), rows: rows, columns: column..<column + 1,
          beginsHere: column == 0 || grid.columnGroups[column - 1] != group,
          endsHere: column + 1 == grid.columnCount || grid.columnGroups[column + 1] != group)
      }
    }
    borders.contest(edges(of: table, origin: .table), rows: rows, columns: columns)
    for cell in grid.cells { borders.clearInside(cell) }
    for cell in grid.cells { borders.halveEdges(of: cell) }
    borders.halveOuterEdges()
    return borders
  }

  /// The border widths of a cell in the collapsing model: half of each edge lies in it. Nil in the separated model.
  func collapsedBorders(ofCell cell: BoxID) -> FlowEdges? {
    guard inputs.hasCollapsedBorders(cell) else { return nil }
    return tableModel(inputs.table(of: cell)).collapsed?.cells[cell]
  }
}

/// The edges of a table in the collapsing model after conflict resolution. Lines are counted from line-left and block-start.
struct CollapsedBorders {
  private let columns: Int
  private let rows: Int
  private let isRTL: Bool
  /// `vertical[row * (columns + 1) + line]`
  private var vertical: [CollapsedEdge]
  /// `horizontal[line * columns + column]`
  private var horizontal: [CollapsedEdge]
  /// Border widths of the cells.
  private(set) var cells: [BoxID: FlowEdges] = [:]
  /// Border of the table box: half of the outer edges.
  private(set) var table = FlowEdges.zero

  /// The edges that one box asks for.
  typealias Edges = (
    blockStart: CollapsedEdge, lineRight: CollapsedEdge, blockEnd: CollapsedEdge, lineLeft: CollapsedEdge
  )

  init(columns: Int, rows: Int, isRTL: Bool) {
    self.columns = columns
    self.rows = rows
    self.isRTL = isRTL
    vertical = [CollapsedEdge](repeating: CollapsedEdge(), count: rows * (columns + 1))
    horizontal = [CollapsedEdge](repeating: CollapsedEdge(), count: (rows + 1) * columns)
  }

  /// The vertical lines around columns, or inside them, from line-left.
  private func lines(_ columns: Range<Int>) -> Range<Int> {
    isRTL ? self.columns - columns.upperBound..<self.columns - columns.lowerBound : columns
  }

  // MARK: Conflicts

  /// Lets the edges of a box that covers these rows and columns contend with those known.
  mutating func contest(
    _ edges: Edges, rows: Range<Int>, columns: Range<Int>, beginsHere: Bool = true, endsHere: Bool = true
  ) {
    let lines = lines(columns)
    let (hasLeft, hasRight) = isRTL ? (endsHere, beginsHere) : (beginsHere, endsHere)
    for row in rows {
      if hasLeft { vertical[row * (self.columns + 1) + lines.lowerBound].contest(edges.lineLeft) }
      if hasRight { vertical[row * (self.columns + 1) + lines.upperBound].contest(edges.lineRight) }
    }
    for column in lines {
      horizontal[rows.lowerBound * self.columns + column].contest(edges.blockStart)
      horizontal[rows.upperBound * self.columns + column].contest(edges.blockEnd)
    }
  }

  /// An edge inside a spanning cell is no edge.
  mutating func clearInside(_ cell: TableCell) {
    guard cell.rowSpan > 1 || cell.columnSpan > 1 else { return }
    let lines = lines(cell.column..<cell.column + cell.columnSpan)
    for row in cell.row..<(cell.row + cell.rowSpan) {
      for line in lines.dropFirst() { vertical[row * (columns + 1) + line] = CollapsedEdge() }
    }
    for line in (cell.row..<(cell.row + cell.rowSpan)).dropFirst() {
      for column in lines { horizontal[line * columns + column] = CollapsedEdge() }
    }
  }

  /// Half of each edge lies in the cell.
  mutating func halveEdges(of cell: TableCell) {
    let lines = lines(cell.column..<cell.column + cell.columnSpan)
    var border = FlowEdges.zero
    for row in cell.row..<(cell.row + cell.rowSpan) {
      let first = row * (columns + 1)
      border.lineLeft = Swift.max(border.lineLeft, vertical[first + lines.lowerBound].used / 2)
      border.lineRight = Swift.max(border.lineRight, vertical[first + lines.upperBound].used / 2)
    }
    for column in lines {
      let after = (cell.row + cell.rowSpan) * columns + column
      border.blockStart = Swift.max(border.blockStart, horizontal[cell.row * columns + column].used / 2)
      border.blockEnd = Swift.max(border.blockEnd, horizontal[after].used / 2)
    }
    cells[cell.box] = border
  }

  mutating func halveOuterEdges() {
    for row in 0..<rows {
      let first = row * (columns + 1)
      table.lineLeft = Swift.max(table.lineLeft, vertical[first].used / 2)
      table.lineRight = Swift.max(table.lineRight, vertical[first + columns].used / 2)
    }
    for column in 0..<columns {
      table.blockStart = Swift.max(table.blockStart, horizontal[column].used / 2)
      table.blockEnd = Swift.max(table.blockEnd, horizontal[rows * columns + column].used / 2)
    }
  }

  // MARK: Segments

  /// The segments of the rows on a page; `columnLines` are the inline offsets of the column lines from the table's border
  /// box, `rowLines` the block offsets of the rows' edges.
  ///
  /// A segment covers the joint at its end, or stops before it, as it wins or loses against the other edges that meet there;
  /// of two that are alike the earlier one on a line covers it, and both of those that cross.
  func segments(
    columnLines: [LayoutUnit], rowLines: [RowLine]
  ) -> [CollapsedBorder] {
    guard columns > 0, !rowLines.isEmpty else { return [] }
    var segments: [CollapsedBorder] = []
    for line in 0...rowLines.count {
      let block = line < rowLines.count ? rowLines[line].start : rowLines[line - 1].end
      for column in 0..<columns {
        let edge = horizontalEdge(line, column, rowLines)
        guard edge.used > .zero else { continue }
        let start = joint(
          of: edge, with: horizontalEdge(line, column - 1, rowLines), orLikeIt: false,
          verticalEdge(line - 1, column, rowLines), verticalEdge(line, column, rowLines))
        let end = joint(
          of: edge, with: horizontalEdge(line, column + 1, rowLines), orLikeIt: true,
          verticalEdge(line - 1, column + 1, rowLines), verticalEdge(line, column + 1, rowLines))
        edge.append(
          to: &segments, isInlineAxis: true, line: block, from: columnLines[column] - start,
          to: columnLines[column + 1] + end)
      }
      guard line < rowLines.count else { break }
      for column in 0...columns {
        let edge = verticalEdge(line, column, rowLines)
        guard edge.used > .zero else { continue }
        let start = joint(
          of: edge, with: verticalEdge(line - 1, column, rowLines), orLikeIt: false,
          horizontalEdge(line, column - 1, rowLines), horizontalEdge(line, column, rowLines))
        let end = joint(
          of: edge, with: verticalEdge(line + 1, column, rowLines), orLikeIt: true,
          horizontalEdge(line + 1, column - 1, rowLines), horizontalEdge(line + 1, column, rowLines))
        edge.append(
          to: &segments, isInlineAxis: false, line: columnLines[column], from: rowLines[line].start - start,
          to: rowLines[line].end + end)
      }
    }
    return segments
  }

  private func verticalEdge(_ row: Int, _ line: Int, _ rowLines: [RowLine]) -> CollapsedEdge {
    guard rowLines.indices.contains(row) else { return CollapsedEdge() }
    return vertical[rowLines[row].row * (columns + 1) + line]
  }
  /// The edge between rows that are no neighbours in the table (below a repeated header): all that each would have
  /// there contend.
  private func horizontalEdge(_ line: Int, _ column: Int, _ rowLines: [RowLine]) -> CollapsedEdge {
    guard column >= 0, column < columns else { return CollapsedEdge() }
    let isOpenAbove = line == 0 || rowLines[line - 1].goesOn
    var edge = isOpenAbove ? CollapsedEdge() : horizontal[(rowLines[line - 1].row + 1) * columns + column]
    if line < rowLines.count, !rowLines[line].isBegun, line == 0 || rowLines[line].row != rowLines[line - 1].row + 1 {
      edge.contest(horizontal[rowLines[line].row * columns + column])
    }
    return edge
  }

  /// The reach of an edge over the joint at one of its ends, where it meets the next one on its line and two that cross
  /// it; negative where it stops before it.
  private func joint(
    of edge: CollapsedEdge, with next: CollapsedEdge, orLikeIt: Bool, _ a: CollapsedEdge, _ b: CollapsedEdge
  ) -> LayoutUnit {
    let covers =
      !edge.isBeaten(by: a) && !edge.isBeaten(by: b)
      && (next.isBeaten(by: edge) || orLikeIt && !edge.isBeaten(by: next))
    let half = Swift.max(a.used, b.used) / 2
    return covers ? half : -half
  }
}

extension CollapsedEdge {
  fileprivate func append(
    to segments: inout [CollapsedBorder], isInlineAxis: Bool, line: LayoutUnit, from: LayoutUnit, to: LayoutUnit
  ) {
    guard to > from else { return }
    let across = line - used / 2
    segments.append(
      CollapsedBorder(
        rect: LogicalRect(
          offset: isInlineAxis
            ? LogicalOffset(inline: from, block: across) : LogicalOffset(inline: across, block: from),
          size: isInlineAxis
            ? LogicalSize(inline: to - from, block: used) : LogicalSize(inline: used, block: to - from)),
        isInlineAxis: isInlineAxis, style: style.rawValue, color: color))
  }
}

private enum SideIndex { case top, right, bottom, left }
