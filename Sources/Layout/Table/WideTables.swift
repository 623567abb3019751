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

  /// Takes from the cells of a table whose words are wider than the page as much of their inline paddings and spacing as there is
  /// and is missing: words are broken only after that.
  ///
  /// - Returns: whether columns have to be measured anew.
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
    if settings.shrinksWideTables {
      // Smaller type leaves more of the white, if it is enough to keep words whole.
      share = Swift.min(Swift.max(0.4, share), left(at: contentAreaSize.inline * (1 / Self.leastTableScale)))
    }
    share = Swift.max(0.2, share)
    narrowTables[table] = share
    model.spacing.inline = (model.spacing.inline * share).floor
    for cell in model.grid.cells { intrinsicCache[cell.box] = nil }
    return true
  }

  /// What a table wider than the page asks of a container that gives it room: it can be made as small as its least columns in
  /// the smallest type.
  func narrow(_ sizes: inout IntrinsicSizes, ofTable table: BoxID, extra: LayoutUnit) {
    guard settings.shrinksWideTables, sizes.minimum > contentAreaSize.inline, !isFixedLayout(table),
      !isInCell(table)
    else { return }
    let model = tableModel(table)
    guard model.grid.cells.count > 1 else { return }
    let least = model.columns.reduce(extra + model.gaps) { $0 + $1.least } * Self.leastTableScale
    sizes.minimum = Swift.min(sizes.minimum, Swift.max(least, contentAreaSize.inline / 4))
  }

  /// Whether a table stands in another one, which gives way as a whole.
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
    let known = (intrinsicCache, measuresLeast, measuresBrokenWords)
    intrinsicCache = [:]
    measuresLeast = true
    // Formulas break between their terms only.
    measuresBrokenWords = !isFormula(table)
    measureColumns(of: table, model)
    (intrinsicCache, measuresLeast, measuresBrokenWords) = known
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
    guard settings.shrinksWideTables, contentScale == 1 else { return (1, inline, inline) }
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

  /// Lays out a table at its own size in a space enlarged by `1 / scale`, then makes all of it smaller.
  func layoutScaledTable(
    _ table: BoxID, in space: ConstraintSpace, from token: BreakToken?, scale: Double, inline: LayoutUnit
  ) -> LayoutResult {
    var inner = space.enlarged(by: 1 / scale)
    inner.fixedInline = inline
    contentScale = scale
    defer { contentScale = 1 }
    let mark = mark()
    let pending = pendingOutOfFlow.count
    var table = TableLayout(context: self, table: table, space: inner, token: token)
    var result = table.run()
    page.scale(since: mark.page, by: scale)
    for index in pendingOutOfFlow.indices.dropFirst(pending) { pendingOutOfFlow[index].scale(by: scale) }
    result.size = result.size.scaled(by: scale)
    result.bfcBlock = space.bfcBlock
    result.firstBaseline = result.firstBaseline.map { $0 * scale }
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
    inner.fixedBlock = fixedBlock.map { $0 * factor }
    inner.geometry = nil
    inner.spaceAbove = spaceAbove * factor
    inner.fragmentainerSize = fragmentainerSize.map { $0 * factor }
    inner.fragmentainerOffset = fragmentainerOffset * factor
    inner.pageInline = pageInline * factor
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

extension LogicalOffset {
  fileprivate func scaled(by factor: Double) -> Self { Self(inline: inline * factor, block: block * factor) }
}

extension LogicalSize {
  fileprivate func scaled(by factor: Double) -> Self { Self(inline: inline * factor, block: block * factor) }
}

extension FlowEdges {
  /// Edges that are there stay as wide as `least`.
  fileprivate func scaled(by factor: Double, least: LayoutUnit = .zero) -> Self {
    func scaled(_ edge: LayoutUnit) -> LayoutUnit { Swift.max(edge * factor, Swift.min(edge, least)) }
    return Self(
      blockStart: scaled(blockStart), lineRight: scaled(lineRight), blockEnd: scaled(blockEnd),
      lineLeft: scaled(lineLeft))
  }
}

extension CollapsedBorder {
  /// Makes the segment smaller; its line stays visible, in the same place.
  fileprivate mutating func scale(by factor: Double) {
    let old = isInlineAxis ? rect.size.block : rect.size.inline
    rect = LogicalRect(offset: rect.offset.scaled(by: factor), size: rect.size.scaled(by: factor))
    let missing = Swift.min(old, LayoutUnit(1)) - old * factor
    guard missing > .zero else { return }
    if isInlineAxis {
      rect.offset.block -= missing / 2
      rect.size.block += missing
    } else {
      rect.offset.inline -= missing / 2
      rect.size.inline += missing
    }
  }
}

extension PageLayout {
  /// Makes all that was added since a mark smaller.
  fileprivate mutating func scale(since mark: Mark, by factor: Double) {
    for index in fragments.indices.dropFirst(mark.fragments) {
      fragments[index].offset = fragments[index].offset.scaled(by: factor)
      fragments[index].size = fragments[index].size.scaled(by: factor)
    }
    for index in geometries.indices.dropFirst(mark.geometries) {
      geometries[index].border = geometries[index].border.scaled(by: factor, least: LayoutUnit(1))
      geometries[index].padding = geometries[index].padding.scaled(by: factor)
      geometries[index].relativeShift = geometries[index].relativeShift.scaled(by: factor)
    }
    for index in lines.indices.dropFirst(mark.lines) {
      lines[index].baseline = lines[index].baseline * factor
      lines[index].contentOffset = lines[index].contentOffset * factor
      lines[index].contentWidth = lines[index].contentWidth * factor
    }
    for index in texts.indices.dropFirst(mark.texts) {
      texts[index].size *= Float(factor)
      texts[index].scale *= Float(factor)
      texts[index].baseline = texts[index].baseline * factor
      texts[index].stretchShift = texts[index].stretchShift * factor
      texts[index].annotationReach = texts[index].annotationReach * factor
    }
    for index in glyphs.indices.dropFirst(mark.glyphs) {
      glyphs[index].x = glyphs[index].x * factor
      glyphs[index].y = glyphs[index].y * factor
    }
    for index in clusters.indices.dropFirst(mark.clusters) {
      clusters[index].left = clusters[index].left * factor
      clusters[index].right = clusters[index].right * factor
    }
    for index in collapsedBorders.indices.dropFirst(mark.collapsedBorders) {
      collapsedBorders[index].scale(by: factor)
    }
  }
}
