import BoxGeneration
import Primitives
import Styling

/// Tables wider than their page: the white in the cells gives way first, then the type is made smaller, then words are broken; what
/// is still wider sticks out of the page, but no cell stands on another.
extension LayoutContext {
  /// The smallest that the type of a table is made to fit the page.
  static let leastTableScale = 0.6
  /// The room, in em, that a column may ask smaller type for: a longer word is broken instead.
  private static let longestKeptWord: Float = 8
  /// The share of its inline paddings that a cell keeps at least: letters of neighbours stay apart.
  private static let leastPaddingShare = 0.2
  /// The share that it keeps where smaller type makes up for it.
  private static let shareKeptBySmallerType = 0.4
  /// A table may ask its container for no less than such a part of the page.
  private static let leastPartOfPage = 4

  /// Takes from the cells of a table whose words are wider than the page as much of their inline paddings and spacing as there is
  /// and is missing: words are broken only after that.
  ///
  /// - Returns: `true` if columns have to be measured anew.
  func narrow(_ table: BoxID, _ model: TableModel) -> Bool {
    guard model.grid.cells.count > 1, !isFixedLayout(table) else { return false }
    let own = borderAndPadding(of: table, availableInline: .zero)
    let whole = model.columns.reduce(model.gaps + own.border.inlineSum + own.padding.inlineSum) { $0 + $1.minimum }
    guard whole > contentAreaSize.inline else { return false }
    var paddings = [LayoutUnit](repeating: .zero, count: model.columns.count)
    for cell in model.grid.cells where cell.columnSpan == 1 {
      paddings[cell.column] = Swift.max(
        paddings[cell.column], self.paddings(of: cell.box, availableInline: .zero).inlineSum)
    }
    let room = paddings.reduce(model.gaps, +)
    guard room > .zero else { return false }
    /// The share that is left when the table is to be so wide.
    func left(at inline: LayoutUnit) -> Double { 1 - (whole - inline).pixels / room.pixels }
    var share = left(at: contentAreaSize.inline)
    if settings.deviations.shrinksWideTables {
      // Smaller type leaves more of the white, if it is enough to keep words whole.
      share = Swift.min(
        Swift.max(Self.shareKeptBySmallerType, share), left(at: contentAreaSize.inline * (1 / Self.leastTableScale)))
    }
    share = Swift.max(Self.leastPaddingShare, share)
    model.paddingShare = share
    model.spacing.inline = (model.spacing.inline * share).floor
    return true
  }

  /// What a table asks of its container. One wider than the page can be made as small as its least columns in the
  /// smallest type. Columns of a fixed layout do not follow their content: in per cent the table takes what room there is.
  func fit(_ sizes: inout IntrinsicSizes, ofTable table: BoxID, extra: LayoutUnit) {
    if isFixedLayout(table) {
      guard isPercentage(inlineSizes(tree.boxes[table.index].style.box).size) else { return }
      sizes.maximum = Swift.max(sizes.maximum, contentAreaSize.inline)
      return
    }
    guard settings.deviations.shrinksWideTables, sizes.minimum > contentAreaSize.inline, !isInCell(table)
    else { return }
    let model = tableModel(table)
    guard model.grid.cells.count > 1 else { return }
    let least = model.columns.reduce(extra + model.gaps) { $0 + $1.least } * Self.leastTableScale
    sizes.minimum = Swift.min(sizes.minimum, Swift.max(least, contentAreaSize.inline / Self.leastPartOfPage))
  }

  /// A table stands in another one, which gives way as a whole.
  func isInCell(_ table: BoxID) -> Bool {
    var box = tree.boxes[table.index].parent
    while !box.isNone {
      if tree.boxes[box.index].kind == .tableCell { return true }
      box = tree.boxes[box.index].parent
    }
    return false
  }

  private func isFormula(_ table: BoxID) -> Bool { tree.boxes[table.index].flags.contains(.formula) }

  /// Measures how narrow the columns of a table wider than the page become when its words are broken.
  func measureLeast(of table: BoxID, _ model: TableModel) {
    guard model.grid.cells.count > 1, !isFixedLayout(table) else { return }
    let own = borderAndPadding(of: table, availableInline: .zero)
    let edges = own.border.inlineSum + own.padding.inlineSum
    guard model.columns.reduce(model.gaps + edges, { $0 + $1.minimum }) > contentAreaSize.inline else { return }
    var columns = model.columns
    var least = mode
    least.measuresLeast = true
    // Formulas break between their terms only.
    least.measuresBrokenWords = !isFormula(table)
    with(least).measureColumns(of: table, model)
    for column in columns.indices {
      columns[column].least = Swift.min(columns[column].minimum, model.columns[column].minimum)
    }
    model.columns = columns
  }

  /// The factor that lets a table fit its border-box inline size, the size it is laid out with before it is scaled, and the one it
  /// would need to keep its words whole.
  func tableScale(
    _ table: BoxID, inline: LayoutUnit
  ) -> (scale: Double, inline: LayoutUnit, wanted: LayoutUnit) {
    guard settings.deviations.shrinksWideTables, mode.contentScale == 1 else { return (1, inline, inline) }
    let model = tableModel(table)
    guard model.grid.cells.count > 1, !isFixedLayout(table) else { return (1, inline, inline) }
    let own = borderAndPadding(of: table, availableInline: .zero)
    let longest =
      isFormula(table) ? .max : LayoutUnit(fontSize(tree.boxes[table.index].style.font) * Self.longestKeptWord)
    let wanted = model.columns.reduce(model.gaps + own.border.inlineSum + own.padding.inlineSum) {
      $0 + Swift.min($1.minimum, $1.least + longest)
    }
    guard inline > .zero, wanted > inline else { return (1, inline, inline) }
    let scale = inline.pixels / wanted.pixels
    return scale >= Self.leastTableScale
      ? (scale, wanted, wanted) : (Self.leastTableScale, inline * (1 / Self.leastTableScale) + .epsilon, wanted)
  }
}

extension TableLayout {
  /// Lays out a table at its own size in a space enlarged by `1 / scale`, then makes all of it smaller.
  static func layoutScaled(
    _ table: BoxID, in space: ConstraintSpace, from token: BreakToken?, scale: Double, inline: LayoutUnit,
    _ context: LayoutContext, _ progress: inout FlowProgress
  ) -> LayoutResult {
    var inner = space.enlarged(by: 1 / scale)
    inner.imposed.inline = inline
    inner.mode.contentScale = scale
    let savepoint = context.page.savepoint()
    var result = layoutStanding(table, in: inner, from: token, context.with(inner.mode), &progress)
    context.page.scale(since: savepoint, by: scale)
    result.size = result.size.scaled(by: scale)
    result.bfcBlock = .zero
    result.baselines.first = result.baselines.first.map { $0 * scale }
    for index in result.outOfFlow.indices { result.outOfFlow[index].scale(by: scale) }
    return result
  }
}

extension ConstraintSpace {
  /// The same room in smaller units, for a box with a formatting context of its own.
  fileprivate func enlarged(by factor: Double) -> ConstraintSpace {
    var inner = self
    inner.availableInline = availableInline * factor
    inner.percentageBlock = percentageBlock.map { $0 * factor }
    inner.imposed.block = imposed.block.map { $0 * factor }
    inner.geometry = nil
    inner.fragmentainer.size = fragmentainer.size.map { $0 * factor }
    inner.fragmentainer.offset = fragmentainer.offset * factor
    inner.fragmentainer.inlineOffset = fragmentainer.inlineOffset * factor
    return inner
  }
}

extension OutOfFlowBox {
  fileprivate mutating func scale(by factor: Double) {
    staticOffset = staticOffset.scaled(by: factor)
    staticInlineSize = staticInlineSize * factor
    staticBlockSize = staticBlockSize * factor
  }
}
