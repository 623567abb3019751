import BoxGeneration
import CSS
import Primitives
import Styling

extension GridModel {
  /// Grid containers (CSS Grid 1).
  static func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    ItemRowLayout.layout(box, in: space, from: token, context, &progress) { key in
      var model = GridModel(
        context: context, box: box, contentInline: key.inline, contentBlock: key.block, pageInline: key.pageInline,
        inherited: context.workspace.subgrids[key.tracks] ?? context.subgridTracks(of: box))
      return model.layOut(minimumBlock: key.least)
    }
  }

  /// Min-content and max-content of a grid container's content (section 5.2).
  static func contentSizes(of box: BoxID, _ context: LayoutContext) -> IntrinsicSizes {
    var model = GridModel(
      context: context, box: box, contentInline: nil, contentBlock: nil, inherited: context.subgridTracks(of: box))
    model.alignBaselinesAlongColumns()
    return IntrinsicSizes(minimum: model.inlineSize(.minContent), maximum: model.inlineSize(.maxContent))
  }
}

/// An item with what layout finds for it.
struct GridItem {
  var box: BoxID
  var columns: Range<Int>
  var rows: Range<Int>
  var margins: FlowEdges
  var justify: AlignmentValue
  var align: AlignmentValue
  /// A subgrid that takes the columns it spans, or the rows: it fills them.
  var takesColumns = false
  var takesRows = false
  /// Border box.
  var inline = LayoutUnit.zero
  var block = LayoutUnit.zero
  /// The end of its content, which may stick out of it.
  var contentBlock = LayoutUnit.zero
  var baselines = Baselines()
  /// Where it takes part in baseline alignment.
  var columnShim: BaselineShim?
  var rowShim: BaselineShim?
}

/// Tracks and items of a grid container that is `contentInline` wide.
struct GridModel {
  let context: LayoutContext
  let box: BoxID
  let style: BoxStyle
  private(set) var contentInline: LayoutUnit?
  let contentBlock: LayoutUnit?
  /// Line-left edge of the content box on the page.
  private(set) var pageInline: LayoutUnit
  let direction: TextDirection
  private(set) var columnGap: LayoutUnit
  private(set) var rowGap: LayoutUnit
  var columns: [GridTrack] = []
  var rows: [GridTrack] = []
  var items: [GridItem] = []
  /// By item.
  var subgrids: [Int: Subgrid] = [:]
  /// The axes that the grid around gives this one, a subgrid.
  private(set) var inherited: SubgridTracks?
  /// Subgrids around this one that gather its items.
  let depth: Int
  private(set) var outOfFlow: [BoxID] = []
  private(set) var columnAxis: GridAxis?
  private(set) var rowAxis: GridAxis?
  /// The content block size where the rows end elsewhere.
  private(set) var ownBlock: LayoutUnit?
  /// Implicit tracks before the explicit ones.
  private(set) var tracksBefore = (columns: 0, rows: 0)

  init(
    context: LayoutContext, box: BoxID, contentInline: LayoutUnit?, contentBlock: LayoutUnit?,
    pageInline: LayoutUnit = .zero, inherited: SubgridTracks? = nil, depth: Int = 0
  ) {
    self.inherited = inherited
    self.depth = depth
    self.pageInline = pageInline
    self.context = context
    self.box = box
    self.contentInline = contentInline
    self.contentBlock = contentBlock
    let value = context.tree.boxes[box.index]
    style = context.styles.boxes[value.style.box.index]
    direction = context.styles.paragraphs[value.style.paragraph.index].direction
    func gap(_ spacing: SpacingValue, _ base: LayoutUnit?, _ axis: SubgridAxis?) -> LayoutUnit {
      guard case .length(let length) = spacing else { return axis?.gap ?? .zero }
      return context.gap(length, font: value.style.font, base)
    }
    columnGap = gap(style.columnGap, contentInline, inherited?.columns)
    rowGap = gap(style.rowGap, contentBlock, inherited?.rows)
    place()
  }

  /// The same grid once its width and the places of its tracks are known; nil where these change the number of its columns.
  func resized(_ contentInline: LayoutUnit, at pageInline: LayoutUnit, _ tracks: SubgridTracks) -> GridModel? {
    guard tracks.columns != nil || style.grid?.values.columns.repetition == nil else { return nil }
    var model = self
    model.contentInline = contentInline
    model.pageInline = pageInline
    model.inherited = tracks
    if case .length(let length) = style.columnGap {
      model.columnGap = context.gap(length, font: context.tree.boxes[box.index].style.font, contentInline)
    }
    if let places = tracks.columns?.places { model.columns.take(places) }
    return model
  }

  private func length(_ value: LengthPercentage, _ base: LayoutUnit?) -> LayoutUnit? {
    context.resolve(value, font: context.tree.boxes[box.index].style.font, definite: base).map { Swift.max(.zero, $0) }
  }

  // MARK: Placement

  /// Number of repetitions of a `repeat(auto-fill)` that fit (section 7.2.3.2).
  private func repetitions(_ list: TrackList, _ gap: LayoutUnit, _ base: LayoutUnit?) -> Int {
    guard let repetition = list.repetition, !list.isSubgrid else { return 0 }
    guard let base else { return 1 }
    func size(_ track: TrackSize) -> LayoutUnit {
      func definite(_ breadth: TrackBreadth) -> LayoutUnit {
        if case .length(let value) = breadth { length(value, base) ?? .zero } else { .zero }
      }
      return Swift.max(definite(track.maximum), definite(track.minimum))
    }
    let fixed = list.tracks.reduce(LayoutUnit.zero) { $0 + size($1) + gap }
    let each = Swift.max(LayoutUnit(1), repetition.tracks.reduce(.zero) { $0 + size($1) + gap })
    let room = (base + gap - fixed).rawValue
    return Swift.max(1, Swift.min(ValueParser.mostTracks, Int(room / each.rawValue)))
  }

  private mutating func place() {
    let values = style.grid?.values ?? GridValues()
    var columnAreas: [String: Range<Int>] = [:]
    var rowAreas: [String: Range<Int>] = [:]
    for (row, cells) in values.areas.enumerated() {
      for (column, name) in cells.enumerated() where !name.isEmpty {
        let columns = columnAreas[name] ?? column..<column + 1
        columnAreas[name] = Swift.min(columns.lowerBound, column)..<Swift.max(columns.upperBound, column + 1)
        rowAreas[name] = (rowAreas[name]?.lowerBound ?? row)..<row + 1
      }
    }
    func areas(_ ranges: [String: Range<Int>]) -> [NamedArea] {
      ranges.map { NamedArea(name: $0.key, start: $0.value.lowerBound, end: $0.value.upperBound) }
        .sorted { $0.name < $1.name }
    }
    let columnAxis =
      inherited?.columns.map { GridAxis($0, values.columns, areas: areas(columnAreas)) }
      ?? GridAxis(
        values.columns, automatic: values.autoColumns,
        repetitions: repetitions(values.columns, columnGap, contentInline), areas: areas(columnAreas),
        areaTracks: values.areas.first?.count ?? 0)
    let rowAxis =
      inherited?.rows.map { GridAxis($0, values.rows, areas: areas(rowAreas)) }
      ?? GridAxis(
        values.rows, automatic: values.autoRows, repetitions: repetitions(values.rows, rowGap, contentBlock),
        areas: areas(rowAreas), areaTracks: values.areas.count)

    var hasSubgrids = false
    var children: [(box: BoxID, values: GridValues, order: Int32)] = []
    var child = context.tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = context.tree.boxes[child.index]
      if value.flags.contains(.outOfFlow) {
        outOfFlow.append(child)
      } else {
        var placed = context.styles.boxes[value.style.box.index].grid?.values ?? GridValues()
        if placed.columns.isSubgrid || placed.rows.isSubgrid, let axes = SubgriddedAxes(child, context) {
          placed = placed.spanning(axes)
          hasSubgrids = true
        }
        children.append((child, placed, context.styles.boxes[value.style.box.index].order))
      }
      child = value.nextSibling
    }
    if children.contains(where: { $0.order != 0 }) {
      children = children.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        .map(\.element)
    }
    let placement = GridPlacement(
      children.map { ($0.box, $0.values) }, columns: columnAxis, rows: rowAxis, flow: values.autoFlow)
    tracksBefore = (placement.columnsBefore, placement.rowsBefore)
    if context.isContainingBlockForPositioned(box) {
      self.columnAxis = columnAxis
      self.rowAxis = rowAxis
    }
    columns = (0..<placement.columnCount).map { GridTrack(size: columnAxis.track($0 - placement.columnsBefore)) }
    rows = (0..<placement.rowCount).map { GridTrack(size: rowAxis.track($0 - placement.rowsBefore)) }
    items = placement.areas.map { item(of: $0.box, columns: $0.columns, rows: $0.rows) }
    collapse(&columns, columnAxis.fitted, placement.columnsBefore, items.map(\.columns))
    collapse(&rows, rowAxis.fitted, placement.rowsBefore, items.map(\.rows))
    if let places = inherited?.columns?.places { columns.take(places) }
    if let places = inherited?.rows?.places { rows.take(places) }
    if hasSubgrids { findSubgrids(columns: columnAxis, rows: rowAxis) }
  }

  /// The item of a box that has its area, with the alignment that it is given. What has a ratio keeps it: it fills one axis, the
  /// inline one unless its block size is given (section 6.2).
  private func item(of box: BoxID, columns: Range<Int>, rows: Range<Int>) -> GridItem {
    let value = context.tree.boxes[box.index]
    let isReplaced = value.content == .replaced
    // By index: a copy of a style, with references to count, is dear for three of its values.
    let own = value.style.box.index
    let (justify, align) = (context.styles.boxes[own].justifySelf, context.styles.boxes[own].alignSelf)
    let hasRatio = context.styles.boxes[own].aspectRatio != nil
    var item = GridItem(
      box: box, columns: columns, rows: rows, margins: context.margins(of: box, availableInline: .zero),
      justify: justify == .auto ? style.justifyItems : justify, align: align == .auto ? style.alignItems : align)
    if item.justify == .auto || item.justify == .normal {
      let hasBlockSize = item.align == .stretch || context.blockSizes(value.style.box).size.isGiven
      item.justify = isReplaced || hasRatio && hasBlockSize ? .start : .stretch
    }
    if item.align == .auto || item.align == .normal {
      item.align = !hasRatio && !isReplaced ? .stretch : .start
    }
    return item
  }

  private func collapse(_ tracks: inout [GridTrack], _ fitted: Range<Int>, _ before: Int, _ used: [Range<Int>]) {
    guard !fitted.isEmpty else { return }
    var isUsed = [Bool](repeating: false, count: tracks.count)
    for range in used { for index in range { isUsed[index] = true } }
    for index in fitted where !isUsed[index + before] { tracks[index + before].isCollapsed = true }
  }

  // MARK: Columns

  func inlineContributions() -> [TrackContribution] {
    guard !subgrids.isEmpty else { return items.map { inlineContribution($0) } }
    return items.indices.flatMap { index -> [TrackContribution] in
      let item = items[index]
      guard item.takesColumns, let subgrid = subgrids[index] else { return [inlineContribution(item)] }
      return columnContributions(of: subgrid, item)
    }
  }

  private func inlineContribution(_ item: GridItem) -> TrackContribution {
    let geometry = context.borderAndPadding(of: item.box, availableInline: .zero)
    var sizes = context.intrinsicSizes(of: item.box)
    if let size = orthogonalInline(item) ?? transferredInline(item, geometry) {
      sizes = IntrinsicSizes(minimum: size, maximum: size)
    }
    let margins = item.margins.inlineSum + (item.columnShim?.size ?? .zero)
    var minimum = Swift.max(.zero, sizes.minimum + margins)
    let values = context.inlineSizes(context.tree.boxes[item.box.index].style.box)
    if context.isAutomatic(values.size), values.minimum == .auto {
      minimum = automaticMinimum(
        of: item, content: minimum, edges: geometry.border.inlineSum + geometry.padding.inlineSum + margins,
        columns[item.columns], gap: columnGap, contentInline)
    }
    return TrackContribution(
      tracks: item.columns, minimum: minimum,
      minContent: Swift.max(.zero, sizes.minimum + margins), maxContent: Swift.max(.zero, sizes.maximum + margins))
  }

  /// The automatic minimum size of an item in its tracks, margins included (section 6.6): nothing but its edges where it scrolls or
  /// spans flexible tracks among others, and no more than the tracks can hold.
  private func automaticMinimum(
    of item: GridItem, content: LayoutUnit, edges: LayoutUnit, _ tracks: ArraySlice<GridTrack>, gap: LayoutUnit,
    _ base: LayoutUnit?
  ) -> LayoutUnit {
    let scrolls = context.styles.boxes[context.tree.boxes[item.box.index].style.box.index].overflowX.isScrollable
    if scrolls || tracks.count > 1 && tracks.contains(where: { $0.flex > 0 }) {
      return Swift.min(content, edges)
    }
    var most = gap * Swift.max(0, tracks.count - 1)
    for track in tracks {
      guard case .length(let value) = track.size.maximum, let size = length(value, base) else { return content }
      most += size
    }
    return Swift.min(content, Swift.max(most, edges))
  }

  /// The height of the rows of an item, where it does not depend on what stands in them.
  func definiteRows(of item: GridItem) -> LayoutUnit? {
    if inherited?.rows?.places != nil { return extent(rows, item.rows).size }
    var size = rowGap * Swift.max(0, item.rows.count - 1)
    for track in rows[item.rows] {
      guard case .length(let value) = track.size.maximum, track.size.minimum == track.size.maximum,
        let length = length(value, contentBlock)
      else { return nil }
      size += length
    }
    return size
  }

  /// The inline size of an item whose lines are at right angles to those of the grid, by the height of its rows where
  /// that is known.
  func orthogonalInline(_ item: GridItem) -> LayoutUnit? {
    guard context.isOrthogonal(context.tree.boxes[item.box.index]) else { return nil }
    return context.orthogonalSize(item.box, containing: .zero, percentageBlock: definiteRows(of: item))
  }

  /// The inline size that a ratio gives an item by its definite block size, or by that of the rows that it fills.
  func transferredInline(_ item: GridItem, _ geometry: BoxGeometry) -> LayoutUnit? {
    let value = context.tree.boxes[item.box.index]
    guard value.content == .replaced || context.styles.boxes[value.style.box.index].aspectRatio != nil,
      context.inlineSizes(value.style.box).size == .auto, let rows = definiteRows(of: item)
    else { return nil }
    if let size = context.transferredInline(of: item.box, geometry: geometry, percentageBlock: rows),
      value.content != .replaced
    {
      return size
    }
    guard fillsRows(item) else { return nil }
    let block = context.stretchedBlock(
      Swift.max(.zero, rows - item.margins.blockSum), of: item.box, geometry: geometry, percentageBlock: rows)
    return value.content == .replaced
      ? context.replacedInline(of: item.box, geometry: geometry, block: block)
      : context.ratioInline(of: item.box, geometry: geometry, block: block)
  }

  /// An item is as high as its rows.
  func fillsRows(_ item: GridItem) -> Bool {
    let auto = autoMargins(of: item.box)
    return item.takesRows
      || item.align == .stretch && !auto.blockStart && !auto.blockEnd
        && context.blockSizes(context.tree.boxes[item.box.index].style.box).size == .auto
  }

  /// An item is as wide as its columns.
  func fillsColumns(_ item: GridItem) -> Bool {
    let auto = autoMargins(of: item.box)
    return item.takesColumns
      || item.justify == .stretch && !auto.lineLeft && !auto.lineRight
        && context.inlineSizes(context.tree.boxes[item.box.index].style.box).size == .auto
  }

  private func columnSizing(_ space: TrackSizing.Space) -> TrackSizing {
    TrackSizing(columns, gap: columnGap, space: space) { self.length($0, space.definite) }
  }

  func inlineSize(_ space: TrackSizing.Space) -> LayoutUnit {
    var sizing = columnSizing(space)
    sizing.run(inlineContributions(), stretches: false)
    return sizing.total
  }

  /// Sizes the columns and places them, those that a subgrid has from the grid around left alone.
  mutating func sizeColumns(_ space: TrackSizing.Space) {
    guard inherited?.columns?.places == nil else { return }
    alignBaselinesAlongColumns()
    var sizing = columnSizing(space)
    let stretches = space.definite != nil && (style.justifyContent == .normal || style.justifyContent == .stretch)
    sizing.run(inlineContributions(), stretches: stretches)
    columns = sizing.tracks
    align(&columns, gap: columnGap, size: space.definite ?? sizing.total, by: style.justifyContent)
  }

  mutating func measureItems() {
    for index in items.indices {
      items[index] = measured(items[index])
      if subgrids[index] == nil { measureBlock(of: index) }
    }
    alignBaselines(alongLines: true)
    for index in subgrids.keys.sorted() {
      measureItems(ofSubgrid: index)
      measureBlock(of: index)
    }
  }

  func blockContributions() -> [TrackContribution] {
    guard !subgrids.isEmpty else { return items.map { blockContribution($0) } }
    return items.indices.flatMap { index -> [TrackContribution] in
      let item = items[index]
      guard item.takesRows, let subgrid = subgrids[index] else { return [blockContribution(item)] }
      return rowContributions(of: subgrid, item)
    }
  }

  private func blockContribution(_ item: GridItem) -> TrackContribution {
    let margins = item.margins.blockSum + (item.rowShim?.size ?? .zero)
    let size = Swift.max(.zero, item.block + margins)
    var minimum = size
    let values = context.blockSizes(context.tree.boxes[item.box.index].style.box)
    if context.isAutomatic(values.size), values.minimum == .auto {
      let geometry = context.borderAndPadding(of: item.box, availableInline: extent(columns, item.columns).size)
      let edges = geometry.border.blockSum + geometry.padding.blockSum + margins
      minimum = automaticMinimum(
        of: item, content: size, edges: edges, rows[item.rows], gap: rowGap, contentBlock)
    }
    return TrackContribution(tracks: item.rows, minimum: minimum, minContent: size, maxContent: size)
  }

  /// Sizes and places the tracks of both axes and the items in them.
  mutating func layOut(minimumBlock: LayoutUnit) -> ItemRows {
    sizeColumns(.definite(contentInline ?? .zero))
    measureItems()
    alignBaselines(alongLines: false)
    if inherited?.rows?.places == nil { sizeRows(minimumBlock: minimumBlock) }
    return placedItems()
  }

  private mutating func sizeRows(minimumBlock: LayoutUnit) {
    let contributions = blockContributions()
    var sizing = rowSizing(contributions, contentBlock.map { .definite($0) } ?? .maxContent, base: contentBlock)
    if contentBlock == nil, sizing.total < minimumBlock {
      sizing = rowSizing(contributions, .definite(minimumBlock), base: nil)
    }
    let size = contentBlock ?? Swift.max(sizing.total, minimumBlock)
    if contentBlock == nil, rowsDependOnSize {
      if case .length(let length) = style.rowGap {
        rowGap = context.gap(length, font: context.tree.boxes[box.index].style.font, size)
      }
      sizing = rowSizing(contributions, .definite(size), base: size)
      ownBlock = size
    }
    rows = sizing.tracks
    align(&rows, gap: rowGap, size: size, by: style.alignContent)
  }

  /// Rows that are sized anew once they have given the grid its size (section 5.2): percentages refer to it, and so do fractions that leave a
  /// part of it free.
  private var rowsDependOnSize: Bool {
    if case .length(let length) = style.rowGap, context.hasPercentage(length), rows.count > 1 { return true }
    let factors = rows.reduce(Float(0)) { $0 + $1.flex }
    return factors > 0 && factors < 1
  }

  private func rowSizing(
    _ contributions: [TrackContribution], _ space: TrackSizing.Space, base: LayoutUnit?
  ) -> TrackSizing {
    var sizing = TrackSizing(rows, gap: rowGap, space: space) { self.length($0, base) }
    sizing.run(contributions, stretches: style.alignContent == .normal || style.alignContent == .stretch)
    return sizing
  }

  /// Sets the places at which tracks start (section 10.5).
  private func align(_ tracks: inout [GridTrack], gap: LayoutUnit, size: LayoutUnit, by value: AlignmentValue) {
    let open = tracks.reduce(0) { $0 + ($1.isCollapsed ? 0 : 1) }
    let used = tracks.reduce(gap * Swift.max(0, open - 1)) { $0 + $1.base }
    var (at, step) = value.distribution(free: size - used, count: open)
    var isFirst = true
    for index in tracks.indices {
      if !tracks[index].isCollapsed {
        if !isFirst { at += gap + step }
        isFirst = false
      }
      tracks[index].start = at
      at += tracks[index].base
    }
  }

  /// The size of a grid area.
  func extent(_ tracks: [GridTrack], _ range: Range<Int>) -> (start: LayoutUnit, size: LayoutUnit) {
    let start = tracks[range.lowerBound].start
    return (start, tracks[range.upperBound - 1].end - start)
  }
}

extension LayoutContext {
  /// A gap, where percentages refer to `base`.
  func gap(_ value: LengthPercentage, font: Identifier<FontStyleTag>, _ base: LayoutUnit?) -> LayoutUnit {
    Swift.max(.zero, resolve(value, font: font, percentage: base ?? .zero))
  }

  /// A preferred size says nothing before the size of the grid area is known (CSS Grid 1, section 11.5).
  fileprivate func isAutomatic(_ size: SizeValue) -> Bool { size == .auto || size == .stretch || isPercentage(size) }

  func isPercentage(_ size: SizeValue) -> Bool {
    if case .length(let length) = size { hasPercentage(length) } else { false }
  }
}
