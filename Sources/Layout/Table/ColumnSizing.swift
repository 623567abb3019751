import BoxGeneration
import CSS
package import Primitives
import Styling

/// The sizes that a column asks for (CSS Tables 3, section 3.8).
struct ColumnSizes {
  var minimum = LayoutUnit.zero
  var maximum = LayoutUnit.zero
  /// The rest of `minimum` when words are broken: not less in a table wider than its page (`measureLeast`).
  var least = LayoutUnit.zero
  /// 0 to 100.
  var percentage: Double? = nil
  /// A cell or column names a length.
  var isConstrained = false
  /// A cell begins here.
  var hasCells = false
  /// The column is one of its own: not one that only spanning cells pass through, which stands for nothing.
  var isOwn: Bool { hasCells || isConstrained || minimum > .zero || (percentage ?? 0) > 0 }

  /// Takes in what a cell of this column alone asks for. `isConstrained`: it names a length.
  mutating func include(_ sizes: IntrinsicSizes, isConstrained names: Bool, percentage named: Double?) {
    minimum = Swift.max(minimum, sizes.minimum)
    if names {
      maximum = Swift.max(isConstrained ? maximum : .zero, sizes.maximum)
      isConstrained = true
    } else {
      maximum = Swift.max(maximum, isConstrained ? sizes.minimum : sizes.maximum)
    }
    if let named { percentage = Swift.max(percentage ?? 0, named) }
  }
}

extension LayoutContext {
  /// Border-box inline size that a cell or column names, and its percentage.
  private func specifiedInline(of box: BoxID) -> (length: LayoutUnit?, percentage: Double?) {
    let style = tree.boxes[box.index].style
    guard case .length(let length) = inlineSizes(style.box).size else { return (nil, nil) }
    if case .length(let plain) = length, plain.isPercentage {
      return (nil, Swift.max(0, Swift.min(100, Double(plain.value))))
    }
    if hasPercentage(length) { return (nil, nil) }
    let geometry =
      tree.boxes[box.index].kind == .tableCell ? borderAndPadding(of: box, availableInline: .zero) : BoxGeometry()
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    let used = resolve(length, font: style.font, percentage: .zero)
    let isBorderBox = styles.boxes[style.box.index].boxSizing == .borderBox
    let size = isBorderBox ? Swift.max(used, extra) : Swift.max(.zero, used) + extra
    // No `max-width` limits a column, as in browsers.
    guard tree.boxes[box.index].kind == .tableCell else { return (size, nil) }
    return (clampInline(size, of: box, style: style, geometry: geometry, availableInline: .zero), nil)
  }

  /// Collects minimum, maximum and percentage of every column.
  func measureColumns(of table: BoxID, _ model: TableModel) {
    let grid = model.grid
    var columns = (0..<grid.columnCount).map { specifiedSizes(of: $0, in: grid) }
    let isFixed = isFixedLayout(table)
    for cell in grid.cells { columns[cell.column].hasCells = true }
    model.columnGaps = columns.map { isFixed || $0.isOwn ? model.spacing.inline : .zero }
    if !isFixed {
      for cell in grid.cells where cell.columnSpan == 1 {
        let (sizes, specified) = contribution(of: cell)
        columns[cell.column].include(sizes, isConstrained: specified.length != nil, percentage: specified.percentage)
      }
      for column in columns.indices {
        columns[column].maximum = Swift.max(columns[column].maximum, columns[column].minimum)
      }
      distributeSpanningCells(of: model, in: &columns)
    }
    limitPercentages(of: &columns)
    model.columns = columns
  }

  /// Sizes named by the column element of a column and its group.
  private func specifiedSizes(of column: Int, in grid: TableGrid) -> ColumnSizes {
    var sizes = ColumnSizes()
    for box in [grid.columnGroups[column], grid.columnBoxes[column]] where !box.isNone {
      let specified = specifiedInline(of: box)
      if let length = specified.length {
        sizes.maximum = length
        sizes.minimum = .zero
        sizes.isConstrained = true
      }
      if let percentage = specified.percentage { sizes.percentage = percentage }
      let style = tree.boxes[box.index].style
      if case .length(let length) = inlineSizes(style.box).minimum, !hasPercentage(length),
        box == grid.columnBoxes[column]
      {
        sizes.minimum = Swift.max(sizes.minimum, resolve(length, font: style.font, percentage: .zero))
        sizes.maximum = Swift.max(sizes.maximum, sizes.minimum)
      }
    }
    return sizes
  }

  /// The contribution of a cell to its columns, and the width that it names.
  private func contribution(
    of cell: TableCell
  ) -> (sizes: IntrinsicSizes, specified: (length: LayoutUnit?, percentage: Double?)) {
    var sizes = cellSizes(of: cell.box)
    let specified = specifiedInline(of: cell.box)
    if let length = specified.length { sizes.maximum = Swift.max(sizes.minimum, length) }
    return (sizes, specified)
  }

  /// Cells over several columns hand on what the columns lack, short spans first (CSS Tables 3, section 3.8.3).
  private func distributeSpanningCells(of model: TableModel, in columns: inout [ColumnSizes]) {
    let cells = model.grid.cells
    let spanning = cells.indices.filter { cells[$0].columnSpan > 1 }
      .sorted { (cells[$0].columnSpan, $0) < (cells[$1].columnSpan, $1) }
    for index in spanning {
      let cell = cells[index]
      let (sizes, specified) = contribution(of: cell)
      let range = cell.column..<(cell.column + cell.columnSpan)
      distribute(sizes, percentage: specified.percentage, over: range, gaps: model.gaps(inside: range), in: &columns)
    }
  }

  /// Percentages beyond 100 in sum count as nothing more.
  private func limitPercentages(of columns: inout [ColumnSizes]) {
    var left = 100.0
    for column in columns.indices {
      guard let percentage = columns[column].percentage else { continue }
      columns[column].percentage = Swift.min(percentage, left)
      left -= Swift.min(percentage, left)
    }
  }

  /// The contribution of a cell to its columns. Formulas are not broken in a table unless it is too wide for its page.
  private func cellSizes(of cell: BoxID) -> IntrinsicSizes {
    var sizes = intrinsicSizes(of: cell)
    if !mode.measuresLeast, tree.boxes[cell.index].flags.contains(.formula) { sizes.minimum = sizes.maximum }
    return sizes
  }

  private func distribute(
    _ sizes: IntrinsicSizes, percentage: Double?, over range: Range<Int>, gaps: LayoutUnit,
    in columns: inout [ColumnSizes]
  ) {
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.zero
    var percentages = 0.0
    var weights = [Double](repeating: 0, count: range.count)
    for column in range {
      minimum += columns[column].minimum
      maximum += columns[column].maximum
      percentages += columns[column].percentage ?? 0
    }
    if let percentage, percentage > percentages {
      let free = range.filter { columns[$0].percentage == nil && columns[$0].isOwn }
      for column in free { columns[column].percentage = (percentage - percentages) / Double(free.count) }
    }
    // Columns that name no width take the surplus, in the ratio of what they ask for.
    let flexible = range.filter {
      !columns[$0].isConstrained && columns[$0].percentage == nil && columns[$0].isOwn
    }
    let takers = flexible.isEmpty ? range.filter { columns[$0].isOwn } : flexible
    let total = takers.reduce(0.0) { $0 + columns[$1].maximum.pixels }
    for column in takers {
      weights[column - range.lowerBound] = total > 0 ? columns[column].maximum.pixels / total : 1 / Double(takers.count)
    }
    let missingMinimum = sizes.minimum - gaps - minimum
    let missingMaximum = sizes.maximum - gaps - maximum
    if missingMinimum > .zero {
      // First up to what the columns would like to have, then by weight.
      let slack = maximum - minimum
      if slack >= missingMinimum, slack > .zero {
        for column in range {
          let own = columns[column].maximum - columns[column].minimum
          columns[column].minimum += missingMinimum * (own.pixels / slack.pixels)
        }
      } else {
        for column in range { columns[column].minimum = columns[column].maximum }
        let rest = missingMinimum - slack
        for column in takers { columns[column].minimum += rest * weights[column - range.lowerBound] }
      }
    }
    if missingMaximum > .zero {
      for column in takers { columns[column].maximum += missingMaximum * weights[column - range.lowerBound] }
    }
    for column in range { columns[column].maximum = Swift.max(columns[column].maximum, columns[column].minimum) }
  }

  /// `table-layout: fixed` counts only where the table's width is not `auto` (CSS 2.2, section 17.5.2).
  func isFixedLayout(_ table: BoxID) -> Bool {
    let style = styles.boxes[tree.boxes[table.index].style.box.index]
    return style.tableLayout == .fixed && inlineSizes(tree.boxes[table.index].style.box).size != .auto
  }

  /// Percentages that sum up to so much, but for rounding, leave nothing to other columns.
  private static let wholePercentage = 99.9
  /// The width, in px, that columns of tiny percentages ask for at most: wider than any page.
  private static let widestByPercentage = 1_000_000.0

  /// Min-content and max-content of a table's content box, captions included.
  func tableIntrinsicSizes(_ table: BoxID) -> IntrinsicSizes {
    let model = tableModel(table)
    var minimum = model.gaps
    var maximum = model.gaps
    var percentages = 0.0
    var byPercentage = 0.0
    var rest = 0.0
    for column in model.columns {
      minimum += column.minimum
      maximum += column.maximum
      if let percentage = column.percentage, percentage > 0 {
        percentages += percentage
        byPercentage = Swift.max(byPercentage, column.maximum.pixels * 100 / percentage)
      } else {
        rest += column.maximum.pixels
      }
    }
    if percentages > 0 {
      if percentages < Self.wholePercentage { byPercentage = Swift.max(byPercentage, rest * 100 / (100 - percentages)) }
      maximum = Swift.max(maximum, LayoutUnit(Swift.min(byPercentage, Self.widestByPercentage)) + model.gaps)
    }
    let geometry = borderAndPadding(of: table, availableInline: .zero)
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    for caption in model.grid.captions {
      // A caption is as wide as the border box.
      let margins = margins(of: caption, availableInline: .zero)
      minimum = Swift.max(minimum, intrinsicSizes(of: caption).minimum + margins.inlineSum - extra)
      maximum = Swift.max(maximum, minimum)
    }
    return IntrinsicSizes(minimum: minimum, maximum: maximum)
  }

  /// Border-box inline size that a table asks for (CSS 2.2, section 17.5.2).
  func wantedTableInlineSize(_ table: BoxID, available: LayoutUnit, containing: LayoutUnit) -> LayoutUnit {
    let style = tree.boxes[table.index].style
    let geometry = borderAndPadding(of: table, availableInline: containing)
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    let sizes = intrinsicContentSizes(of: table)
    let inline: LayoutUnit
    if let specified = borderBoxInline(
      inlineSizes(style.box).size, of: table, style: style, geometry: geometry, availableInline: containing)
    {
      inline = isFixedLayout(table) ? specified : Swift.max(specified, sizes.minimum + extra)
    } else {
      inline = Swift.max(sizes.minimum + extra, Swift.min(sizes.maximum + extra, available))
    }
    let clamped = clampInline(inline, of: table, style: style, geometry: geometry, availableInline: containing)
    return clamped < inline ? Swift.max(clamped, sizes.minimum + extra) : clamped
  }

  /// Border-box inline size of a table, which gives way where it would run out at the side of the page.
  func tableInlineSize(_ table: BoxID, available: LayoutUnit, containing: LayoutUnit) -> LayoutUnit {
    let inline = wantedTableInlineSize(table, available: available, containing: containing)
    let model = tableModel(table)
    // It leaves its container for the room beside it, then its columns give way and words break. If nothing is made
    // smaller, as in a browser, it takes all of the page first.
    let page = contentAreaSize.inline
    // Beside it stands something else in a column or an item.
    let mayGrow = inline > available && available < page && (isInPlainFlow(table) || isInCell(table))
    let room = mayGrow ? available + (page - available) / 2 : available
    guard inline > (settings.deviations.shrinksWideTables ? room : page), available <= page, model.grid.cells.count > 1
    else { return inline }
    let geometry = borderAndPadding(of: table, availableInline: containing)
    let edges = geometry.border.inlineSum + geometry.padding.inlineSum + model.gaps
    let given = Swift.max(room, Swift.min(page, edges))
    guard settings.deviations.shrinksWideTables else { return given }
    return Swift.max(given, model.columns.reduce(edges) { $0 + $1.least } * Self.leastTableScale)
  }

  /// Column widths of a table whose grid (without border and padding) is `inline` wide.
  func columnWidths(of table: BoxID, _ model: TableModel, inline: LayoutUnit) -> [LayoutUnit] {
    let count = model.grid.columnCount
    guard count > 0 else { return [] }
    let room = Swift.max(.zero, inline - model.gaps)
    return isFixedLayout(table) ? fixedWidths(model, room: room) : automaticWidths(model.columns, room: room)
  }

  /// CSS 2.2, section 17.5.2.1: column elements, then cells of the first row, then equal shares.
  private func fixedWidths(_ model: TableModel, room: LayoutUnit) -> [LayoutUnit] {
    let grid = model.grid
    var widths = [LayoutUnit?](repeating: nil, count: grid.columnCount)
    for column in 0..<grid.columnCount {
      if let percentage = model.columns[column].percentage {
        widths[column] = room * (percentage / 100)
      } else if model.columns[column].isConstrained {
        widths[column] = model.columns[column].maximum
      }
    }
    for cell in grid.cells where cell.row == 0 {
      let specified = specifiedInline(of: cell.box)
      guard let width = specified.length ?? specified.percentage.map({ room * ($0 / 100) }) else { continue }
      let range = cell.column..<(cell.column + cell.columnSpan)
      let free = range.filter { widths[$0] == nil }
      guard !free.isEmpty else { continue }
      let taken =
        range.reduce(LayoutUnit.zero) { $0 + (widths[$1] ?? .zero) } + model.gaps(inside: range)
      for column in free { widths[column] = Swift.max(.zero, width - taken) / free.count }
    }
    let known = widths.reduce(LayoutUnit.zero) { $0 + ($1 ?? .zero) }
    let free = widths.indices.filter { widths[$0] == nil }
    var result = widths.map { $0 ?? .zero }
    if !free.isEmpty {
      share(Swift.max(.zero, room - known), among: free, weights: free.map { _ in 1 }, into: &result)
    } else if room > known {
      share(room - known, among: Array(result.indices), weights: result.map { $0.pixels }, into: &result)
    }
    return result
  }

  /// The four guesses of CSS Tables 3, section 3.9.3: between two of them widths are interpolated, beyond the last they grow.
  private func automaticWidths(_ columns: [ColumnSizes], room: LayoutUnit) -> [LayoutUnit] {
    let minimum = columns.map { $0.minimum }
    let percentage = columns.map { column in
      column.percentage.map { Swift.max(column.minimum, room * ($0 / 100)) } ?? column.minimum
    }
    let specified = columns.indices.map {
      columns[$0].percentage == nil && columns[$0].isConstrained ? columns[$0].maximum : percentage[$0]
    }
    let maximum = columns.indices.map { columns[$0].percentage == nil ? columns[$0].maximum : percentage[$0] }
    func sum(_ widths: [LayoutUnit]) -> LayoutUnit { widths.reduce(.zero, +) }
    func between(_ low: [LayoutUnit], _ high: [LayoutUnit]) -> [LayoutUnit] {
      var result = low
      let growth = low.indices.map { (high[$0] - low[$0]).pixels }
      share(room - sum(low), among: Array(low.indices), weights: growth, into: &result)
      return result
    }
    let least = sum(minimum)
    if room <= least {
      guard least > .zero, room < least else { return minimum }
      // Only a table held inside the page comes here: words of its widest columns break, so that the others keep theirs.
      var result = columns.map { $0.least }
      var left = Swift.max(.zero, room - sum(result))
      let words = columns.map { $0.minimum - $0.least }
      let byWidth = words.indices.sorted { (words[$0], $0) < (words[$1], $1) }
      for (position, column) in byWidth.enumerated() {
        let share = Swift.min(words[column], left / (byWidth.count - position))
        result[column] += share
        left -= share
      }
      return result
    }
    if room <= sum(percentage) { return between(minimum, percentage) }
    if room <= sum(specified) { return between(percentage, specified) }
    if room <= sum(maximum) { return between(specified, maximum) }
    var result = maximum
    let surplus = room - sum(maximum)
    let flexible = columns.indices.filter {
      columns[$0].percentage == nil && !columns[$0].isConstrained && columns[$0].hasCells
    }
    let constrained = columns.indices.filter { columns[$0].isConstrained && columns[$0].percentage == nil }
    let byPercentage = columns.indices.filter { (columns[$0].percentage ?? 0) > 0 }
    if !flexible.isEmpty {
      let weights = flexible.map { columns[$0].maximum.pixels }
      share(
        surplus, among: flexible, weights: weights.contains { $0 > 0 } ? weights : weights.map { _ in 1 }, into: &result
      )
    } else if !constrained.isEmpty {
      let weights = constrained.map { columns[$0].maximum.pixels }
      share(
        surplus, among: constrained, weights: weights.contains { $0 > 0 } ? weights : weights.map { _ in 1 },
        into: &result)
    } else if !byPercentage.isEmpty {
      share(surplus, among: byPercentage, weights: byPercentage.map { columns[$0].percentage ?? 0 }, into: &result)
    } else {
      let own = columns.indices.filter { columns[$0].isOwn }
      let takers = own.isEmpty ? Array(columns.indices) : own
      share(surplus, among: takers, weights: takers.map { _ in 1 }, into: &result)
    }
    return result
  }

  /// Adds shares of `amount` in the ratio of the weights; rounding goes to the later ones so that the sum is exact.
  private func share(_ amount: LayoutUnit, among indices: [Int], weights: [Double], into widths: inout [LayoutUnit]) {
    var weightLeft = weights.reduce(0, +)
    var left = amount
    guard weightLeft > 0 else { return }
    for (position, index) in indices.enumerated() where weights[position] > 0 {
      let part = weightLeft <= weights[position] ? left : left * (weights[position] / weightLeft)
      widths[index] += part
      left -= part
      weightLeft -= weights[position]
    }
  }
}

extension LayoutInputs {
  /// The table or cell stands in the collapsing model, where the table paints all borders.
  package func hasCollapsedBorders(_ box: BoxID) -> Bool {
    switch tree.boxes[box.index].kind {
    case .table: styles.lists[tree.boxes[box.index].style.list.index].borderCollapse == .collapse
    case .tableCell: hasCollapsedBorders(table(of: box))
    default: false
    }
  }

  /// The table that a cell belongs to.
  func table(of cell: BoxID) -> BoxID {
    var box = tree.boxes[cell.index].parent
    while !box.isNone, tree.boxes[box.index].kind != .table { box = tree.boxes[box.index].parent }
    return box.isNone ? BoxTree.root : box
  }
}
