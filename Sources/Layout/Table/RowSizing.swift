import BoxGeneration
import CSS
import Primitives
import Styling

/// The measures of rows before they are placed.
struct RowSizes {
  var heights: [LayoutUnit] = []
  /// From the row's start; nil where no cell has a baseline to align.
  var baselines: [LayoutUnit?] = []
}

/// The height and baseline of a row as its cells make them (CSS 2.2, section 17.5.3).
struct RowExtent {
  /// Of the cells aligned at their baselines, the greatest distance of a baseline from the top; nil without such a cell.
  private(set) var baseline: LayoutUnit?
  private var belowBaseline = LayoutUnit.zero
  private var highest = LayoutUnit.zero

  /// - Parameter baseline: First baseline of a cell that is aligned there.
  mutating func add(_ block: LayoutUnit, baseline: LayoutUnit?, spansRows: Bool) {
    if let baseline {
      self.baseline = Swift.max(self.baseline ?? .min, baseline)
      if !spansRows { belowBaseline = Swift.max(belowBaseline, block - baseline) }
    }
    if !spansRows { highest = Swift.max(highest, block) }
  }

  var height: LayoutUnit { Swift.max(highest, (baseline ?? .zero) + belowBaseline) }
}

/// Row heights (CSS 2.2, section 17.5.3; CSS Tables 3, section 3.10).
extension TableLayout {
  /// Height and baseline of every row, 0 for collapsed ones.
  func measuredRows() -> RowSizes {
    let key = space.key(of: table)
    if let known = context.measurements.rowSizes[key] { return known }
    let rows = model.grid.rows
    var sizes = RowSizes()
    sizes.heights = [LayoutUnit](repeating: .zero, count: rows.count)
    sizes.baselines = [LayoutUnit?](repeating: nil, count: rows.count)
    var kinds = [RowKind](repeating: RowKind(), count: rows.count)
    var spanning: [(cell: TableCell, height: LayoutUnit)] = []
    for (index, row) in rows.enumerated() {
      var extent = RowExtent()
      for at in row.cells {
        let cell = model.grid.cells[at]
        let measured = context.measuredBlock(of: cell.box, in: cellSpace(cell))
        extent.add(
          measured.block, baseline: isBaselineAligned(cell) ? measured.baselines.first : nil,
          spansRows: cell.rowSpan > 1)
        if cell.rowSpan > 1 {
          spanning.append((cell, measured.block))
          kinds[index].beginsSpan = true
        } else {
          kinds[index].read(blockSize(of: cell.box))
        }
      }
      kinds[index].read(blockSize(of: row.box))
      let specified = specifiedBlock(of: row.box) ?? .zero
      sizes.heights[index] = Swift.max(extent.height, specified)
      sizes.baselines[index] = extent.baseline
    }
    for (cell, height) in spanning.sorted(by: { ($0.cell.rowSpan, $0.cell.row) < ($1.cell.rowSpan, $1.cell.row) }) {
      grow(cell.row..<(cell.row + cell.rowSpan), to: height, kinds, isSpan: true, in: &sizes.heights)
    }
    var first = 0
    while first < rows.count {
      var end = first + 1
      while end < rows.count, rows[end].group == rows[first].group { end += 1 }
      if let height = specifiedBlock(of: rows[first].group) {
        grow(first..<end, to: height, kinds, isSpan: false, in: &sizes.heights)
      }
      first = end
    }
    if let height = wantedHeight {
      let edges = geometry.border.blockSum + geometry.padding.blockSum + model.spacing.block * 2
      let inner = Swift.max(.zero, height - edges)
      for row in rows.indices {
        guard let percentage = kinds[row].percentage else { continue }
        let room = inner - sizes.heights.reduce(.zero, +) - model.spacing.block * (rows.count - 1)
        let share = inner * (percentage / 100) - sizes.heights[row]
        sizes.heights[row] += Swift.max(.zero, Swift.min(room, share))
      }
      grow(rows.indices, to: inner, kinds, isSpan: false, in: &sizes.heights)
    }
    for row in rows.indices where model.isRowCollapsed[row] { sizes.heights[row] = .zero }
    context.measurements.rowSizes[key] = sizes
    return sizes
  }

  /// The properties of a row that decide on its share of the space that rows have too much.
  private struct RowKind {
    var isConstrained = false
    var beginsSpan = false
    /// 0 to 100.
    var percentage: Double?

    mutating func read(_ size: SizeValue) {
      guard case .length(let length) = size else { return }
      if case .length(let plain) = length, plain.isPercentage {
        percentage = Swift.max(percentage ?? 0, Swift.max(0, Swift.min(100, Double(plain.value))))
      } else {
        isConstrained = true
      }
    }
  }

  private func blockSize(of box: BoxID) -> SizeValue {
    context.blockSizes(context.tree.boxes[box.index].style.box).size
  }
  /// The height a row or row group names.
  func specifiedBlock(of box: BoxID) -> LayoutUnit? {
    context.borderBoxBlock(
      blockSize(of: box), of: box, geometry: BoxGeometry(), percentageBlock: nil)
  }

  /// Percentages in the cell refer to its height: it, its row, the group of that or the table has one of its own
  /// (CSS 2.2, section 10.5).
  func hasGivenHeight(_ cell: TableCell) -> Bool {
    let row = model.grid.rows[cell.row]
    return blockSize(of: cell.box).isGiven || wantedHeight != nil || specifiedBlock(of: row.box) != nil
      || specifiedBlock(of: row.group) != nil
  }

  /// What the height that the container imposes leaves to the grid beside the captions.
  var imposedHeight: LayoutUnit? {
    space.imposed.block.map { Swift.max(.zero, $0 - context.captionsBlock(ofTable: table, inline: inlineSize)) }
  }

  /// The border-box height the grid itself asks for.
  var wantedHeight: LayoutUnit? {
    if let imposedHeight { return imposedHeight }
    let values = context.blockSizes(context.tree.boxes[table.index].style.box)
    func used(_ value: SizeValue) -> LayoutUnit? {
      context.borderBoxBlock(value, of: table, geometry: geometry, percentageBlock: space.percentageBlock)
    }
    var wanted = used(values.size)
    if let height = wanted, let maximum = used(values.maximum) { wanted = Swift.min(height, maximum) }
    if let minimum = used(values.minimum) { wanted = Swift.max(wanted ?? .zero, minimum) }
    return wanted
  }

  /// Gives rows what a spanning cell, a row group or the table has beyond their sum: to rows that name no height in the ratio
  /// of theirs, else to empty ones, else to all.
  private func grow(
    _ range: Range<Int>, to height: LayoutUnit, _ kinds: [RowKind], isSpan: Bool, in heights: inout [LayoutUnit]
  ) {
    guard !range.isEmpty else { return }
    let extra = height - range.reduce(LayoutUnit.zero) { $0 + heights[$1] } - model.spacing.block * (range.count - 1)
    guard extra > .zero else { return }
    let old = heights
    func isFree(_ row: Int) -> Bool { !kinds[row].isConstrained && kinds[row].percentage == nil }
    let spanning = isSpan ? range.dropFirst().filter { kinds[$0].beginsSpan && old[$0] == .zero } : []
    let free = range.filter { isFree($0) && old[$0] > .zero }
    let empty = range.filter { old[$0] == .zero }
    let rows: [Int]
    if !spanning.isEmpty {
      rows = spanning
    } else if !free.isEmpty {
      rows = free
    } else if empty.count == range.count {
      let freeEmpty = empty.filter(isFree)
      rows = isSpan ? [empty[empty.count - 1]] : freeEmpty.isEmpty ? empty : freeEmpty
    } else {
      rows = range.filter { old[$0] > .zero }
    }
    let total = rows.reduce(0.0) { $0 + old[$1].pixels }
    var left = extra
    for (position, row) in rows.enumerated() {
      let weight = total > 0 ? old[row].pixels / total : 1 / Double(rows.count)
      let part = position == rows.count - 1 ? left : extra * weight
      heights[row] += part
      left -= part
    }
  }

  /// The lowest content edge of a row's cells: its baseline where no cell has one.
  func contentEnd(of row: Int, height: LayoutUnit) -> LayoutUnit {
    let edges = model.grid.rows[row].cells.map {
      let geometry = context.borderAndPadding(of: model.grid.cells[$0].box, availableInline: inlineSize)
      return geometry.border.blockEnd + geometry.padding.blockEnd
    }
    return height - (edges.min() ?? .zero)
  }
}
