import BoxGeneration
import CSS
package import Primitives
import Styling

extension WritingMode {
  /// Any four side values, line-relative.
  func flow<Value>(_ sides: Sides<Value>) -> (blockStart: Value, lineRight: Value, blockEnd: Value, lineLeft: Value) {
    switch self {
    case .horizontalTB: (sides.top, sides.right, sides.bottom, sides.left)
    case .verticalRL, .sidewaysRL: (sides.right, sides.bottom, sides.left, sides.top)
    case .verticalLR: (sides.left, sides.bottom, sides.right, sides.top)
    case .sidewaysLR: (sides.left, sides.top, sides.right, sides.bottom)
    }
  }
}

extension LayoutContext {
  func boxStyle(_ box: BoxID) -> Int { tree.boxes[box.index].style.box.index }

  /// Physical sides as line-relative ones.
  func flow(top: LayoutUnit, right: LayoutUnit, bottom: LayoutUnit, left: LayoutUnit) -> FlowEdges {
    FlowEdges(top: top, right: right, bottom: bottom, left: left, in: writingMode)
  }
  /// Any four side values, line-relative.
  func flow<Value>(_ sides: Sides<Value>) -> (blockStart: Value, lineRight: Value, blockEnd: Value, lineLeft: Value) {
    writingMode.flow(sides)
  }
  /// The inline size is what room there is, in a block formatting context.
  func fillsContainingBlock(_ box: BoxID) -> Bool {
    let size = inlineSizes(tree.boxes[box.index].style.box).size
    return size == .auto || size == .stretch
  }
  // By id: a copy of a whole style, with references to count, is dear for three of its values.
  func inlineSizes(_ id: Identifier<BoxStyleTag>) -> (size: SizeValue, minimum: SizeValue, maximum: SizeValue) {
    writingMode.isHorizontal ? widths(id) : heights(id)
  }
  func blockSizes(_ id: Identifier<BoxStyleTag>) -> (size: SizeValue, minimum: SizeValue, maximum: SizeValue) {
    writingMode.isHorizontal ? heights(id) : widths(id)
  }
  private func widths(_ id: Identifier<BoxStyleTag>) -> (SizeValue, SizeValue, SizeValue) {
    (styles.boxes[id.index].width, styles.boxes[id.index].minWidth, styles.boxes[id.index].maxWidth)
  }
  private func heights(_ id: Identifier<BoxStyleTag>) -> (SizeValue, SizeValue, SizeValue) {
    (styles.boxes[id.index].height, styles.boxes[id.index].minHeight, styles.boxes[id.index].maxHeight)
  }

  /// Used border widths; 0 where the style is `none` or `hidden` (CSS Backgrounds 3, section 4.3).
  package func borders(of box: BoxID) -> FlowEdges {
    let style = tree.boxes[box.index].style
    let kind = tree.boxes[box.index].kind
    if kind == .table, styles.lists[style.list.index].borderCollapse == .collapse {
      return tableModel(box).collapsed?.table ?? .zero
    }
    if kind == .tableCell, let known = collapsedBorders(ofCell: box) { return known }
    guard style.border.index != 0 else { return .zero }
    if kind == .tableRow || kind == .tableRowGroup || kind == .tableHeaderGroup || kind == .tableFooterGroup {
      return .zero
    }
    let group = styles.borders[style.border.index]
    func width(_ length: Length, _ side: CSS.BorderStyle) -> LayoutUnit {
      if side == .none || side == .hidden { return .zero }
      let width = Swift.max(.zero, resolve(length, font: style.font))
      // Borders are snapped down to whole pixels, but one that is asked for is never invisible.
      return width > .zero && width < LayoutUnit(1) ? LayoutUnit(1) : width.floor
    }
    var edges = flow(
      top: width(group.width.top, group.style.top), right: width(group.width.right, group.style.right),
      bottom: width(group.width.bottom, group.style.bottom), left: width(group.width.left, group.style.left))
    let flags = tree.boxes[box.index].flags
    if flags.contains(.continuesBefore) { edges.lineLeft = .zero }
    if flags.contains(.continuesAfter) { edges.lineRight = .zero }
    return edges
  }

  /// Used paddings; percentages are of the containing block's inline size (CSS 2.2, section 8.4). Cells of a table that is wider
  /// than the page give some of theirs up.
  func paddings(of box: BoxID, availableInline: LayoutUnit) -> FlowEdges {
    var paddings = specifiedPaddings(of: box, availableInline: availableInline)
    if tree.boxes[box.index].kind == .tableCell, paddings.inlineSum > .zero,
      let share = tableModel(inputs.table(of: box)).paddingShare
    {
      paddings.lineLeft = (paddings.lineLeft * share).floor
      paddings.lineRight = (paddings.lineRight * share).floor
    }
    return paddings
  }

  func specifiedPaddings(of box: BoxID, availableInline: LayoutUnit) -> FlowEdges {
    let style = tree.boxes[box.index].style
    guard style.box.index != 0 else { return .zero }
    switch tree.boxes[box.index].kind {
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup: return .zero
    case .table where styles.lists[style.list.index].borderCollapse == .collapse: return .zero
    default: break
    }
    let padding = styles.boxes[style.box.index].padding
    @inline(__always)
    func used(_ value: LengthPercentage) -> LayoutUnit {
      value.isZero ? .zero : Swift.max(.zero, resolve(value, font: style.font, percentage: availableInline))
    }
    return flow(
      top: used(padding.top), right: used(padding.right), bottom: used(padding.bottom), left: used(padding.left))
  }

  /// Used border and padding of a box in a containing block of that inline size.
  package func borderAndPadding(of box: BoxID, availableInline: LayoutUnit) -> BoxGeometry {
    BoxGeometry(border: borders(of: box), padding: paddings(of: box, availableInline: availableInline))
  }

  /// Used margins with `auto` as 0.
  package func margins(of box: BoxID, availableInline: LayoutUnit) -> FlowEdges {
    let style = tree.boxes[box.index].style
    guard style.box.index != 0 else { return .zero }
    switch tree.boxes[box.index].kind {
    case .tableCell, .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup:
      return .zero
    default: break
    }
    let margin = styles.boxes[style.box.index].margin
    @inline(__always)
    func used(_ value: MarginValue) -> LayoutUnit {
      switch value {
      case .auto: .zero
      case .length(let length): length.isZero ? .zero : resolve(length, font: style.font, percentage: availableInline)
      }
    }
    let edges = flow(
      top: used(margin.top), right: used(margin.right), bottom: used(margin.bottom), left: used(margin.left))
    return settings.composition.widensText && inputs.holdsWholeText(box)
      ? leavingText(edges, availableInline: availableInline) : edges
  }

  /// The part of the measure, a quarter, that the margins of the whole text take at most.
  private static let mostSidePart = 4

  /// The margins of a text that its author has set for the window of a browser are smaller, in proportion, on a page
  /// that has margins of its own.
  private func leavingText(_ edges: FlowEdges, availableInline: LayoutUnit) -> FlowEdges {
    let most = availableInline / Self.mostSidePart
    guard edges.lineLeft >= .zero, edges.lineRight >= .zero, edges.inlineSum > most else { return edges }
    var edges = edges
    edges.lineLeft = most * (edges.lineLeft.pixels / edges.inlineSum.pixels)
    edges.lineRight = most - edges.lineLeft
    return edges
  }

  /// The border-box inline size a size value asks for; nil for `auto`, `none`.
  ///
  /// - Parameter room: What `stretch` fills with the margins, where that is not the containing block.
  func borderBoxInline(
    _ value: SizeValue, of box: BoxID, style: ComputedStyle, geometry: BoxGeometry, availableInline: LayoutUnit,
    room: LayoutUnit? = nil
  ) -> LayoutUnit? {
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    switch value {
    case .auto, .none: return nil
    case .minContent, .maxContent, .fitContent:
      // Both content sizes are the one that a definite height gives (CSS Sizing 4, section 5.1).
      if let size = transferredInline(of: box, geometry: geometry, percentageBlock: nil) { return size }
      if value == .minContent { return intrinsicContentSizes(of: box).minimum + extra }
      if value == .maxContent { return intrinsicContentSizes(of: box).maximum + extra }
      return fitContent(box, available: availableInline - extra, extra: extra)
    case .stretch:
      let margins = margins(of: box, availableInline: availableInline).inlineSum
      return Swift.max(extra, (room ?? availableInline) - margins)
    case .calculated(let basis, _):
      return borderBoxInline(
        basis.size, of: box, style: style, geometry: geometry, availableInline: availableInline
      ).map { calculated(value, $0, style: style, edges: extra) }
    case .length(let length):
      let size = resolve(length, font: style.font, percentage: availableInline)
      let isBorderBox = styles.boxes[style.box.index].boxSizing == .borderBox
      return isBorderBox ? Swift.max(size, extra) : Swift.max(.zero, size) + extra
    }
  }

  /// The border-box size that `calc-size()` makes of the one that its basis gives; other values leave it.
  func calculated(_ value: SizeValue, _ size: LayoutUnit, style: ComputedStyle, edges: LayoutUnit) -> LayoutUnit {
    guard case .calculated(_, let sum) = value, size < .max else { return size }
    let isBorderBox = styles.boxes[style.box.index].boxSizing == .borderBox
    let base = isBorderBox ? size : Swift.max(.zero, size - edges)
    let result = resolve(sum, font: style.font, percentage: base)
    return isBorderBox ? Swift.max(result, edges) : Swift.max(.zero, result) + edges
  }

  /// The same where the basis is `auto`, which the caller knows the size of.
  private func calculatedFromAuto(
    _ value: SizeValue, _ size: LayoutUnit, style: ComputedStyle, geometry: BoxGeometry
  ) -> LayoutUnit {
    guard case .calculated(.auto, _) = value else { return size }
    return calculated(value, size, style: style, edges: geometry.border.inlineSum + geometry.padding.inlineSum)
  }

  /// The border-box inline size of a box that fits its content (CSS Sizing 3, section 2.1). Lines that do not wrap make none
  /// wider than the page of a book: they are broken there.
  private func fitContent(_ box: BoxID, available: LayoutUnit, extra: LayoutUnit) -> LayoutUnit {
    let sizes = intrinsicContentSizes(of: box)
    var least = sizes.minimum
    if settings.deviations.shrinksWideTables, mode.contentScale == 1, tree.boxes[box.index].kind == .block {
      least = Swift.min(least, Swift.max(contentAreaSize.inline - extra, available))
    }
    return Swift.max(least, Swift.min(sizes.maximum, available)) + extra
  }

  /// Applies `min-width` and `max-width` (CSS 2.2, section 10.4) to a border-box inline size, and the limits of the block size
  /// through a ratio.
  func clampInline(
    _ size: LayoutUnit, of box: BoxID, style: ComputedStyle, geometry: BoxGeometry, availableInline: LayoutUnit,
    room: LayoutUnit? = nil, percentageBlock: LayoutUnit? = nil
  ) -> LayoutUnit {
    let values = inlineSizes(style.box)
    var size = limitedByRatio(size, of: box, geometry: geometry, percentageBlock: percentageBlock)
    if let maximum = borderBoxInline(
      values.maximum, of: box, style: style, geometry: geometry, availableInline: availableInline, room: room)
    {
      size = Swift.min(size, maximum)
    }
    if let minimum = borderBoxInline(
      values.minimum, of: box, style: style, geometry: geometry, availableInline: availableInline, room: room)
    {
      size = Swift.max(size, minimum)
    }
    return Swift.max(size, geometry.border.inlineSum + geometry.padding.inlineSum)
  }

  /// The border-box block size a size value asks for; nil for `auto`, `none`, content sizes, and what refers to an
  /// indefinite size.
  ///
  /// - Parameter room: What `stretch` fills with the margins, where that is not the containing block.
  func borderBoxBlock(
    _ value: SizeValue, of box: BoxID, geometry: BoxGeometry, percentageBlock: LayoutUnit?, room: LayoutUnit? = nil
  ) -> LayoutUnit? {
    let extra = geometry.border.blockSum + geometry.padding.blockSum
    switch value {
    case .stretch: return (room ?? percentageBlock).map { Swift.max(extra, $0 - stretchMargins(of: box)) }
    case .length(let length):
      let style = tree.boxes[box.index].style
      guard let size = resolve(length, font: style.font, definite: percentageBlock) else { return nil }
      let isBorderBox = styles.boxes[style.box.index].boxSizing == .borderBox
      return isBorderBox ? Swift.max(size, extra) : Swift.max(.zero, size) + extra
    default: return nil
    }
  }

  /// The margins that `stretch` leaves room for in the block axis: not those that would meet a margin of the parent if
  /// the size of that were `auto` (CSS Sizing 4, section 6.1). Percentages count as nothing.
  func stretchMargins(of box: BoxID) -> LayoutUnit {
    let margins = margins(of: box, availableInline: .zero)
    let (parent, flags) = (tree.boxes[box.index].parent, tree.boxes[box.index].flags)
    guard !parent.isNone, !flags.isOutOfNormalFlow, !flags.contains(.atomicInline),
      tree.boxes[parent.index].kind == .block, !tree.boxes[parent.index].establishesFormattingContext
    else { return margins.blockSum }
    let around = borderAndPadding(of: parent, availableInline: .zero)
    let start = around.border.blockStart + around.padding.blockStart
    let end = around.border.blockEnd + around.padding.blockEnd
    return (start > .zero ? margins.blockStart : .zero) + (end > .zero ? margins.blockEnd : .zero)
  }

  /// A border-box block size within the limits of `min-height` and `max-height`.
  ///
  /// - Parameter content: The block size that content sizes as limits mean; nil where it is not known, which makes them none.
  func clampBlock(
    _ size: LayoutUnit, of box: BoxID, geometry: BoxGeometry, percentageBlock: LayoutUnit?, room: LayoutUnit? = nil,
    content: LayoutUnit? = nil
  ) -> LayoutUnit {
    let values = blockSizes(tree.boxes[box.index].style.box)
    func used(_ value: SizeValue) -> LayoutUnit? {
      value.isContentSize
        ? content
        : borderBoxBlock(value, of: box, geometry: geometry, percentageBlock: percentageBlock, room: room)
    }
    var size = size
    if let maximum = used(values.maximum) { size = Swift.min(size, maximum) }
    if let minimum = used(values.minimum) { size = Swift.max(size, minimum) }
    return size
  }

  /// The border-box block size of a box that fills some room, within its limits.
  ///
  /// - Parameter outer: The room with the margins, where that is not the containing block.
  func stretchedBlock(
    _ room: LayoutUnit, of box: BoxID, geometry: BoxGeometry, percentageBlock: LayoutUnit?, outer: LayoutUnit? = nil
  ) -> LayoutUnit {
    let size = clampBlock(room, of: box, geometry: geometry, percentageBlock: percentageBlock, room: outer)
    return Swift.max(geometry.border.blockSum + geometry.padding.blockSum, size)
  }

  /// The border-box block size that a box has whatever its content; nil where it grows with it.
  func ownBlock(of box: BoxID, geometry: BoxGeometry, space: ConstraintSpace) -> LayoutUnit? {
    let size = usedBlock(auto: .max, of: box, geometry: geometry, space: space)
    return size < .max ? size : nil
  }

  /// The rest of a box begins with its border and padding: they are cloned at breaks (CSS Fragmentation 3, section 5.4), but not
  /// around content that sticks out of a box that has ended.
  func clonesStartEdge(of box: BoxID, from token: BreakToken, geometry: BoxGeometry, space: ConstraintSpace) -> Bool {
    guard inputs.clonesEdges(box) else { return false }
    guard space.fragmentainer.isStrict else { return true }
    return ownBlock(of: box, geometry: geometry, space: space).map { $0 > token.consumedBlockSize } ?? true
  }

  /// The used border-box block size from `height`, `min-height` and `max-height`, given what `auto` would be (CSS 2.2, section 10.7).
  func usedBlock(auto: LayoutUnit, of box: BoxID, geometry: BoxGeometry, space: ConstraintSpace) -> LayoutUnit {
    if let fixed = space.imposed.block, !space.imposed.growsWithContent { return fixed }
    var auto = auto
    if auto != .max, let contained = containedBlock(of: box) {
      auto = contained + geometry.border.blockSum + geometry.padding.blockSum
    }
    if space.imposed.ignoresBlockSize { return auto }
    let style = tree.boxes[box.index].style
    let values = blockSizes(style.box)
    // Fallback content, such as that of a film, has a height of its own.
    let isFallback = isFallback(box)
    if isFallback, auto == .max { return .max }
    let ratio = ratioBlock(of: box, inline: space.borderBoxInline, geometry: geometry)
    let specified =
      borderBoxBlock(values.size, of: box, geometry: geometry, percentageBlock: space.percentageBlock)
      ?? ratio.map { hasAutomaticMinimumBlock(box) ? Swift.max($0, auto) : $0 }
    let wanted = calculated(
      values.size, specified ?? auto, style: style, edges: geometry.border.blockSum + geometry.padding.blockSum)
    var size = clampBlock(
      wanted, of: box, geometry: geometry, percentageBlock: space.percentageBlock,
      content: ratio ?? (auto == .max ? nil : auto))
    if let least = space.imposed.block { size = Swift.max(size, least) }
    // A cell's height is the least one of its row (section 17.5.3).
    return isFallback || tree.boxes[box.index].kind == .tableCell ? Swift.max(size, auto) : size
  }

  /// The box is that of embedded content for which its children stand as fallback: they make room for themselves, whatever height
  /// the author gave the content.
  func isFallback(_ box: BoxID) -> Bool { !tree.fallbacks.isEmpty && tree.fallbacks.contains(box) }

  /// The definite content block size of a box before its content is laid out, for its children's percentages.
  func definiteContentBlock(of box: BoxID, geometry: BoxGeometry, space: ConstraintSpace) -> LayoutUnit? {
    let extra = geometry.border.blockSum + geometry.padding.blockSum
    if space.imposed.isIndefinite { return nil }
    if let fixed = space.imposed.block { return Swift.max(.zero, fixed - extra) }
    let style = tree.boxes[box.index].style
    let values = blockSizes(style.box)
    let ratio = ratioBlock(of: box, inline: space.borderBoxInline, geometry: geometry)
    guard
      let specified =
        borderBoxBlock(values.size, of: box, geometry: geometry, percentageBlock: space.percentageBlock) ?? ratio
    else { return nil }
    let size = clampBlock(
      calculated(values.size, specified, style: style, edges: extra), of: box, geometry: geometry,
      percentageBlock: space.percentageBlock, content: ratio)
    return Swift.max(.zero, size - extra)
  }

  /// Inline size and margins of a block-level box in normal flow.
  struct InlineSizing {
    var geometry: BoxGeometry
    var margins: FlowEdges
    /// Border box.
    var inlineSize: LayoutUnit
    /// Line-left border edge, from the containing block's content edge.
    var lineLeft: LayoutUnit
  }

  /// Solves the equation of CSS 2.2, section 10.3.3 (block-level boxes in normal flow) for `box` in a containing block that is
  /// `available` wide. `intrinsicInline` is the border-box size of boxes that do not fill it (tables, replaced elements).
  func inlineSizing(of box: BoxID, available: LayoutUnit, space: ConstraintSpace, intrinsicInline: LayoutUnit? = nil)
    -> InlineSizing
  {
    let style = tree.boxes[box.index].style
    var geometry = borderAndPadding(of: box, availableInline: space.availableInline)
    var margins = margins(of: box, availableInline: space.availableInline)
    let values = inlineSizes(style.box)
    let specified =
      borderBoxInline(
        values.size, of: box, style: style, geometry: geometry, availableInline: space.availableInline,
        room: available)
      ?? transferredInline(of: box, geometry: geometry, percentageBlock: space.percentageBlock)
    if specified == nil, intrinsicInline == nil, space.imposed.inline == nil {
      keepReadable(&margins, &geometry, space: space, available: available)
    }
    var size: LayoutUnit
    if let fixed = space.imposed.inline ?? intrinsicInline {
      size = fixed
    } else {
      let wanted = calculatedFromAuto(
        values.size, specified ?? (available - margins.inlineSum), style: style, geometry: geometry)
      size = clampInline(
        wanted, of: box, style: style, geometry: geometry, availableInline: space.availableInline, room: available,
        percentageBlock: space.percentageBlock)
      if specified != nil { keepOnPage(&size, margins, geometry, space: space, available: available) }
    }
    let sides = style.box.index == 0 ? nil : Optional(flow(styles.boxes[style.box.index].margin))
    let rest = available - size - margins.inlineSum
    // In a box that is too wide, `auto` is zero.
    let leftIsAuto = rest > .zero && sides.map { $0.lineLeft == .auto } ?? false
    let rightIsAuto = rest > .zero && sides.map { $0.lineRight == .auto } ?? false
    if leftIsAuto && rightIsAuto {
      margins.lineLeft = rest / 2
      margins.lineRight = rest - rest / 2
    } else if leftIsAuto {
      margins.lineLeft = rest
    } else if rightIsAuto {
      margins.lineRight = rest
    } else if rest > .zero, let shift = legacyAlignment(of: box, rest: rest, direction: space.direction) {
      margins.lineLeft += shift
      margins.lineRight = available - size - margins.lineLeft
    } else if space.direction == .ltr {
      margins.lineRight += rest
    } else {
      margins.lineLeft += rest
    }
    return InlineSizing(geometry: geometry, margins: margins, inlineSize: size, lineLeft: margins.lineLeft)
  }

  /// A box that would leave the page by its given width is as wide as its containing block has room (G4).
  private func keepOnPage(
    _ size: inout LayoutUnit, _ margins: FlowEdges, _ geometry: BoxGeometry, space: ConstraintSpace,
    available: LayoutUnit
  ) {
    let room = available - margins.inlineSum
    guard settings.deviations.shrinksWideTables, mode.contentScale == 1, space.fragmentainer.size != nil, size > room
    else { return }
    let start = space.fragmentainer.inlineOffset + (space.flow?.inline ?? .zero) + margins.lineLeft
    guard start >= .zero, start + size > contentAreaSize.inline else { return }
    let edges = geometry.border.inlineSum + geometry.padding.inlineSum
    size = Swift.max(room, Swift.min(size, edges + contentAreaSize.inline / Self.readablePart))
  }

  /// Distance by which `align="center"` and the like on the parent move a block (HTML, section 15.3.2).
  private func legacyAlignment(of box: BoxID, rest: LayoutUnit, direction: TextDirection) -> LayoutUnit? {
    let parent = tree.boxes[box.index].parent
    guard !parent.isNone else { return nil }
    switch styles.paragraphs[tree.boxes[parent.index].style.paragraph.index].align {
    case .webkitCenter: return rest / 2
    case .webkitRight: return rest
    case .webkitLeft: return direction == .rtl ? .zero : nil
    default: return nil
    }
  }

  /// Lines stay readable that are a quarter of the page wide, or as wide as this many em of body text if that is less.
  private static let readablePart = 4
  private static let readableEms: Float = 6

  /// Indents that add up beyond the page (lists nested in lists without end) stop growing where too little room for text would be left.
  /// In columns they are as they are in all of them.
  private func keepReadable(
    _ margins: inout FlowEdges, _ geometry: inout BoxGeometry, space: ConstraintSpace, available: LayoutUnit
  ) {
    let page = contentAreaSize.inline
    let least = Swift.min(page / Self.readablePart, LayoutUnit(settings.rootFontSize * Self.readableEms))
    let start = space.fragmentainer.inlineOffset + (space.flow?.inline ?? .zero)
    let taken = margins.inlineSum + geometry.border.inlineSum + geometry.padding.inlineSum
    guard taken > .zero, available - taken < least, space.fragmentainer.columnDepth == 0 else { return }
    let room = Swift.min(available, page - start)
    guard room - taken < least, start + margins.lineLeft + geometry.padding.lineLeft > page - least else { return }
    margins.lineLeft = Swift.min(margins.lineLeft, .zero)
    margins.lineRight = Swift.min(margins.lineRight, .zero)
    geometry.padding.lineLeft = .zero
    geometry.padding.lineRight = .zero
  }

  /// Shrink-to-fit border-box inline size (CSS 2.2, section 10.3.5) or the specified one, for floats, inline-blocks and positioned boxes.
  func shrinkToFit(_ box: BoxID, available: LayoutUnit, containing: LayoutUnit, percentageBlock: LayoutUnit?)
    -> LayoutUnit
  {
    let style = tree.boxes[box.index].style
    let geometry = borderAndPadding(of: box, availableInline: containing)
    let values = inlineSizes(style.box)
    let extra = geometry.border.inlineSum + geometry.padding.inlineSum
    let size: LayoutUnit
    if let specified = borderBoxInline(
      values.size, of: box, style: style, geometry: geometry, availableInline: containing)
      ?? transferredInline(of: box, geometry: geometry, percentageBlock: percentageBlock)
    {
      size = calculatedFromAuto(values.size, specified, style: style, geometry: geometry)
    } else {
      size = calculatedFromAuto(
        values.size, fitContent(box, available: available - extra, extra: extra), style: style, geometry: geometry)
    }
    return clampInline(
      size, of: box, style: style, geometry: geometry, availableInline: containing, percentageBlock: percentageBlock)
  }
}
