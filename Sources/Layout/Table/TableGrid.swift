import BoxGeneration
import CSS
import Primitives
import Styling

/// A cell's place in the grid.
struct TableCell {
  var box: BoxID
  var row: Int
  var column: Int
  var rowSpan: Int
  var columnSpan: Int
}

struct TableRow {
  /// `.none` never: every row has a box, if an anonymous one.
  var box: BoxID
  var group: BoxID
  /// Its cells' positions in `TableGrid.cells`.
  var cells: Range<Int>
  var isHeader: Bool
}

/// The rows, columns and cells of a table (CSS 2.2, section 17.5; HTML, section 4.9.12): header groups first, footer groups last.
struct TableGrid {
  var rows: [TableRow] = []
  var cells: [TableCell] = []
  var columnCount = 0
  /// The `tableColumn` or `tableColumnGroup` box of each column, `.none` without one.
  var columnBoxes: [BoxID] = []
  var columnGroups: [BoxID] = []
  var captions: [BoxID] = []
  var headerRowCount = 0
  /// The first row of the footer group, the number of rows without one.
  var footerStart = 0
  /// Cells that cover a row and began above it, by row: only rows in the reach of such a cell have an entry.
  var isCoveredFromAbove: [Bool] = []

  private static let maximumColumns = 20_000

  init(table: BoxID, tree: BoxTree) {
    var header = BoxID.none
    var footer = BoxID.none
    var bodies: [BoxID] = []
    var child = tree.boxes[table.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      switch value.kind {
      case .tableCaption: captions.append(child)
      case .tableColumnGroup:
        var column = value.firstChild
        if column.isNone {
          appendColumns(Int(value.columnSpan), box: child, group: child)
        }
        while !column.isNone {
          appendColumns(Int(tree.boxes[column.index].columnSpan), box: column, group: child)
          column = tree.boxes[column.index].nextSibling
        }
      case .tableColumn: appendColumns(Int(value.columnSpan), box: child, group: .none)
      case .tableHeaderGroup where header.isNone: header = child
      case .tableFooterGroup where footer.isNone: footer = child
      case .tableHeaderGroup, .tableFooterGroup, .tableRowGroup: bodies.append(child)
      default: break
      }
      child = value.nextSibling
    }
    columnCount = columnBoxes.count
    if !header.isNone { append(group: header, tree: tree, isHeader: true) }
    headerRowCount = rows.count
    for body in bodies { append(group: body, tree: tree, isHeader: false) }
    footerStart = rows.count
    if !footer.isNone { append(group: footer, tree: tree, isHeader: false) }
    while columnBoxes.count < columnCount {
      columnBoxes.append(.none)
      columnGroups.append(.none)
    }
    isCoveredFromAbove = [Bool](repeating: false, count: rows.count)
    for cell in cells where cell.rowSpan > 1 {
      for row in (cell.row + 1)..<(cell.row + cell.rowSpan) { isCoveredFromAbove[row] = true }
    }
  }

  private mutating func appendColumns(_ count: Int, box: BoxID, group: BoxID) {
    for _ in 0..<Swift.min(Swift.max(1, count), Self.maximumColumns - columnBoxes.count) {
      columnBoxes.append(box)
      columnGroups.append(group)
    }
  }

  private mutating func append(group: BoxID, tree: BoxTree, isHeader: Bool) {
    // Rows that a cell above still covers, by column.
    var covered: [Int] = []
    var toTheEnd: [Int] = []
    var row = tree.boxes[group.index].firstChild
    while !row.isNone {
      let value = tree.boxes[row.index]
      defer { row = value.nextSibling }
      guard value.kind == .tableRow else { continue }
      let index = rows.count
      let start = cells.count
      var column = 0
      var cell = value.firstChild
      while !cell.isNone {
        let entry = tree.boxes[cell.index]
        defer { cell = entry.nextSibling }
        guard entry.kind == .tableCell else { continue }
        while column < covered.count, covered[column] > 0 { column += 1 }
        guard column < Self.maximumColumns else { break }
        let columnSpan = Swift.min(Swift.max(1, Int(entry.columnSpan)), Self.maximumColumns - column)
        let rowSpan = entry.rowSpan == 0 ? Int.max / 2 : Int(entry.rowSpan)
        while covered.count < column + columnSpan { covered.append(0) }
        for at in column..<(column + columnSpan) { covered[at] = Swift.max(covered[at], rowSpan) }
        if rowSpan > 1 { toTheEnd.append(cells.count) }
        cells.append(TableCell(box: cell, row: index, column: column, rowSpan: rowSpan, columnSpan: columnSpan))
        column += columnSpan
      }
      columnCount = Swift.max(columnCount, covered.count)
      for at in covered.indices where covered[at] > 0 { covered[at] -= 1 }
      rows.append(TableRow(box: row, group: group, cells: start..<cells.count, isHeader: isHeader))
    }
    // A cell never reaches beyond its row group.
    for index in toTheEnd { cells[index].rowSpan = Swift.min(cells[index].rowSpan, rows.count - cells[index].row) }
  }

  /// The rows of each row group.
  var rowGroups: [Range<Int>] {
    var groups: [Range<Int>] = []
    for row in rows.indices {
      if let last = groups.last, rows[last.lowerBound].group == rows[row].group {
        groups[groups.count - 1] = last.lowerBound..<row + 1
      } else {
        groups.append(row..<row + 1)
      }
    }
    return groups
  }
}

/// The model that layout keeps of a table between its passes.
// Tables ask for it while it is being made: their borders and paddings come first, then the columns.
final class TableModel {
  let grid: TableGrid
  var columns: [ColumnSizes] = []
  /// The edges in the collapsing model.
  var collapsed: CollapsedBorders?
  var spacing = LogicalSize.zero
  /// Space before each column: none before one that no cell begins in and that names no width, nor before a collapsed one.
  var columnGaps: [LayoutUnit] = []
  /// Columns and rows of `visibility: collapse`: they take part in sizing, then vanish (CSS 2.2, section 17.5.5).
  var isColumnCollapsed: [Bool] = []
  var isRowCollapsed: [Bool] = []
  /// The share of their inline paddings that the cells keep of a table whose words are wider than the page.
  var paddingShare: Double?
  /// The rows are as high as their cells make them, whose content is the same in rows of any height; nil where nobody has asked.
  var hasPlainRows: Bool?

  init(grid: TableGrid) { self.grid = grid }

  var isCollapsed: Bool { collapsed != nil }

  /// Space between the columns and at both ends.
  var gaps: LayoutUnit { grid.columnCount == 0 ? .zero : columnGaps.reduce(spacing.inline, +) }
  /// Space between the columns that a cell spans.
  func gaps(inside columns: Range<Int>) -> LayoutUnit { columnGaps[columns].dropFirst().reduce(.zero, +) }
  /// Space below a row.
  func gap(below row: Int) -> LayoutUnit { isRowCollapsed[row] ? .zero : spacing.block }
}

extension LayoutContext {
  /// The model of a table, made once.
  func tableModel(_ table: BoxID) -> TableModel {
    if let known = measurements.tableModels[table] { return known }
    let measuring = with(mode.ofTableModels)
    guard measuring === self else {
      let model = measuring.tableModel(table)
      measurements.tableModels[table] = model
      return model
    }
    let model = TableModel(grid: TableGrid(table: table, tree: tree))
    measurements.tableModels[table] = model
    let style = tree.boxes[table.index].style
    let list = styles.lists[style.list.index]
    if list.borderCollapse == .collapse {
      model.collapsed = resolveCollapsedBorders(of: table, model.grid)
    } else {
      model.spacing = LogicalSize(
        inline: Swift.max(.zero, resolve(list.borderSpacingX, font: style.font)).floor,
        block: Swift.max(.zero, resolve(list.borderSpacingY, font: style.font)).floor)
    }
    func isCollapsed(_ box: BoxID) -> Bool {
      !box.isNone && styles.texts[tree.boxes[box.index].style.text.index].visibility == .collapse
    }
    model.isRowCollapsed = model.grid.rows.map { isCollapsed($0.box) || isCollapsed($0.group) }
    model.isColumnCollapsed = model.grid.columnBoxes.indices.map {
      isCollapsed(model.grid.columnBoxes[$0]) || isCollapsed(model.grid.columnGroups[$0])
    }
    measureColumns(of: table, model)
    if narrow(table, model) { measureColumns(of: table, model) }
    if settings.deviations.shrinksWideTables { measureLeast(of: table, model) }
    return model
  }
}
