import BoxGeneration
import CSS
import Primitives
import Styling

/// The border that wins an edge between cells.
struct CollapsedEdge {
  var width = LayoutUnit.zero
  var style = BorderStyle.none
  var color = Color.transparent
  /// Cell 5, row 4, row group 3, column 2, column group 1, table 0.
  var origin = 0

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
  /// Whether `other` is drawn over this one where they meet: by width, style, and the kind of box.
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
  private func edges(of box: BoxID, origin: Int) -> (
    blockStart: CollapsedEdge, lineRight: CollapsedEdge, blockEnd: CollapsedEdge, lineLeft: CollapsedEdge
  ) {
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
  func resolveCollapsedBorders(of table: BoxID, _ model: TableModel) {
    let grid = model.grid
    let columns = grid.columnCount
    let rows = grid.rows.count
    let isRTL = styles.paragraphs[tree.boxes[table.index].style.paragraph.index].direction == .rtl
    model.vertical = [CollapsedEdge](repeating: CollapsedEdge(), count: rows * (columns + 1))
    model.horizontal = [CollapsedEdge](repeating: CollapsedEdge(), count: (rows + 1) * columns)
    model.cellBorders = [FlowEdges](repeating: .zero, count: grid.cells.count)
    guard columns > 0, rows > 0 else { return }
    /// Lines are counted from line-left.
    func left(_ column: Int, _ span: Int) -> Int { isRTL ? columns - column - span : column }

    func contestVertical(_ row: Int, _ line: Int, _ edge: CollapsedEdge) {
      model.vertical[row * (columns + 1) + line].contest(edge)
    }
    func contestHorizontal(_ line: Int, _ column: Int, _ edge: CollapsedEdge) {
      model.horizontal[line * columns + column].contest(edge)
    }

    for cell in grid.cells {
      let own = edges(of: cell.box, origin: 5)
      let start = left(cell.column, cell.columnSpan)
      for row in cell.row..<(cell.row + cell.rowSpan) {
        contestVertical(row, start, own.lineLeft)
        contestVertical(row, start + cell.columnSpan, own.lineRight)
      }
      for column in start..<(start + cell.columnSpan) {
        contestHorizontal(cell.row, column, own.blockStart)
        contestHorizontal(cell.row + cell.rowSpan, column, own.blockEnd)
      }
    }
    var row = 0
    while row < rows {
      let own = edges(of: grid.rows[row].box, origin: 4)
      for column in 0..<columns {
        contestHorizontal(row, column, own.blockStart)
        contestHorizontal(row + 1, column, own.blockEnd)
      }
      contestVertical(row, 0, own.lineLeft)
      contestVertical(row, columns, own.lineRight)
      row += 1
    }
    row = 0
    while row < rows {
      var end = row + 1
      while end < rows, grid.rows[end].group == grid.rows[row].group { end += 1 }
      let own = edges(of: grid.rows[row].group, origin: 3)
      for column in 0..<columns {
        contestHorizontal(row, column, own.blockStart)
        contestHorizontal(end, column, own.blockEnd)
      }
      for inner in row..<end {
        contestVertical(inner, 0, own.lineLeft)
        contestVertical(inner, columns, own.lineRight)
      }
      row = end
    }
    for column in 0..<columns {
      for (box, origin) in [(grid.columnBoxes[column], 2), (grid.columnGroups[column], 1)] where !box.isNone {
        let own = edges(of: box, origin: origin)
        let line = left(column, 1)
        contestHorizontal(0, line, own.blockStart)
        contestHorizontal(rows, line, own.blockEnd)
        let isGroup = origin == 1
        let startsGroup = !isGroup || column == 0 || grid.columnGroups[column - 1] != box
        let endsGroup = !isGroup || column + 1 == columns || grid.columnGroups[column + 1] != box
        for row in 0..<rows {
          if startsGroup { contestVertical(row, isRTL ? line + 1 : line, isRTL ? own.lineRight : own.lineLeft) }
          if endsGroup { contestVertical(row, isRTL ? line : line + 1, isRTL ? own.lineLeft : own.lineRight) }
        }
      }
    }
    let own = edges(of: table, origin: 0)
    for column in 0..<columns {
      contestHorizontal(0, column, own.blockStart)
      contestHorizontal(rows, column, own.blockEnd)
    }
    for row in 0..<rows {
      contestVertical(row, 0, own.lineLeft)
      contestVertical(row, columns, own.lineRight)
    }

    // An edge inside a spanning cell is no edge.
    for cell in grid.cells where cell.rowSpan > 1 || cell.columnSpan > 1 {
      let start = left(cell.column, cell.columnSpan)
      for row in cell.row..<(cell.row + cell.rowSpan) {
        for line in (start + 1)..<Swift.max(start + 1, start + cell.columnSpan) {
          model.vertical[row * (columns + 1) + line] = CollapsedEdge()
        }
      }
      for line in (cell.row + 1)..<Swift.max(cell.row + 1, cell.row + cell.rowSpan) {
        for column in start..<(start + cell.columnSpan) { model.horizontal[line * columns + column] = CollapsedEdge() }
      }
    }

    // Half of each edge lies in the cell.
    for (index, cell) in grid.cells.enumerated() {
      let start = left(cell.column, cell.columnSpan)
      var border = FlowEdges.zero
      for row in cell.row..<(cell.row + cell.rowSpan) {
        let line = row * (columns + 1) + start
        border.lineLeft = Swift.max(border.lineLeft, model.vertical[line].used / 2)
        border.lineRight = Swift.max(border.lineRight, model.vertical[line + cell.columnSpan].used / 2)
      }
      for column in start..<(start + cell.columnSpan) {
        let after = (cell.row + cell.rowSpan) * columns + column
        border.blockStart = Swift.max(border.blockStart, model.horizontal[cell.row * columns + column].used / 2)
        border.blockEnd = Swift.max(border.blockEnd, model.horizontal[after].used / 2)
      }
      model.cellBorders[index] = border
      collapsedBorders[cell.box] = border
    }
    for row in 0..<rows {
      let first = row * (columns + 1)
      model.tableBorder.lineLeft = Swift.max(model.tableBorder.lineLeft, model.vertical[first].used / 2)
      model.tableBorder.lineRight = Swift.max(model.tableBorder.lineRight, model.vertical[first + columns].used / 2)
    }
    for column in 0..<columns {
      let last = rows * columns + column
      model.tableBorder.blockStart = Swift.max(model.tableBorder.blockStart, model.horizontal[column].used / 2)
      model.tableBorder.blockEnd = Swift.max(model.tableBorder.blockEnd, model.horizontal[last].used / 2)
    }
  }

  /// Adds the segments of the rows on this page; `columnLines` are the inline offsets of the column lines from the table's border
  /// box, `rowLines` the block offsets of the rows' edges.
  ///
  /// A segment covers the joint at its end, or stops before it, as it wins or loses against the other edges that meet there;
  /// of two that are alike the earlier one on a line covers it, and both of those that cross.
  func appendCollapsedBorders(
    _ model: TableModel, columnLines: [LayoutUnit], rowLines: [(row: Int, start: LayoutUnit, end: LayoutUnit)]
  )
    -> Range<UInt32>
  {
    let first = UInt32(page.collapsedBorders.count)
    let columns = model.grid.columnCount
    guard columns > 0, !rowLines.isEmpty else { return first..<first }
    let none = CollapsedEdge()
    func vertical(_ row: Int, _ line: Int) -> CollapsedEdge {
      guard rowLines.indices.contains(row) else { return none }
      return model.vertical[rowLines[row].row * (columns + 1) + line]
    }
    /// Where rows meet that are no neighbours in the table (below a repeated header), what each would have there contends.
    func horizontal(_ line: Int, _ column: Int) -> CollapsedEdge {
      guard column >= 0, column < columns else { return none }
      var edge = line == 0 ? none : model.horizontal[(rowLines[line - 1].row + 1) * columns + column]
      if line < rowLines.count, line == 0 || rowLines[line].row != rowLines[line - 1].row + 1 {
        edge.contest(model.horizontal[rowLines[line].row * columns + column])
      }
      return edge
    }
    func wins(
      _ edge: CollapsedEdge, over before: CollapsedEdge, orLikeIt: Bool, _ a: CollapsedEdge, _ b: CollapsedEdge
    ) -> Bool {
      !edge.isBeaten(by: a) && !edge.isBeaten(by: b)
        && (before.isBeaten(by: edge) || orLikeIt && !edge.isBeaten(by: before))
    }
    func append(_ edge: CollapsedEdge, isInlineAxis: Bool, line: LayoutUnit, from: LayoutUnit, to: LayoutUnit) {
      guard to > from else { return }
      let across = line - edge.used / 2
      page.collapsedBorders.append(
        CollapsedBorder(
          rect: LogicalRect(
            offset: isInlineAxis
              ? LogicalOffset(inline: from, block: across) : LogicalOffset(inline: across, block: from),
            size: isInlineAxis
              ? LogicalSize(inline: to - from, block: edge.used) : LogicalSize(inline: edge.used, block: to - from)),
          isInlineAxis: isInlineAxis, style: edge.style.rawValue, color: edge.color))
    }
    for line in 0...rowLines.count {
      let block = line < rowLines.count ? rowLines[line].start : rowLines[line - 1].end
      for column in 0..<columns {
        let edge = horizontal(line, column)
        guard edge.used > .zero else { continue }
        let above = (vertical(line - 1, column), vertical(line - 1, column + 1))
        let below = (vertical(line, column), vertical(line, column + 1))
        let startJoint = Swift.max(above.0.used, below.0.used) / 2
        let endJoint = Swift.max(above.1.used, below.1.used) / 2
        let coversStart = wins(edge, over: horizontal(line, column - 1), orLikeIt: false, above.0, below.0)
        let coversEnd = wins(edge, over: horizontal(line, column + 1), orLikeIt: true, above.1, below.1)
        append(
          edge, isInlineAxis: true, line: block,
          from: columnLines[column] + (coversStart ? -startJoint : startJoint),
          to: columnLines[column + 1] + (coversEnd ? endJoint : -endJoint))
      }
      guard line < rowLines.count else { break }
      for column in 0...columns {
        let edge = vertical(line, column)
        guard edge.used > .zero else { continue }
        let left = (horizontal(line, column - 1), horizontal(line + 1, column - 1))
        let right = (horizontal(line, column), horizontal(line + 1, column))
        let startJoint = Swift.max(left.0.used, right.0.used) / 2
        let endJoint = Swift.max(left.1.used, right.1.used) / 2
        let coversStart = wins(edge, over: vertical(line - 1, column), orLikeIt: false, left.0, right.0)
        let coversEnd = wins(edge, over: vertical(line + 1, column), orLikeIt: true, left.1, right.1)
        append(
          edge, isInlineAxis: false, line: columnLines[column],
          from: rowLines[line].start + (coversStart ? -startJoint : startJoint),
          to: rowLines[line].end + (coversEnd ? endJoint : -endJoint))
      }
    }
    return first..<UInt32(page.collapsedBorders.count)
  }
}

private enum SideIndex { case top, right, bottom, left }
