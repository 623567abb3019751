import BoxGeneration
import Primitives
import Styling

/// Tables that lie on their side, their head at the left: those whose words would be broken on a page that is too narrow, and
/// that the height of the page has room for.
extension LayoutContext {
  /// How much longer than wide a page is on which tables lie.
  private static let leastGain = 1.2

  /// The factor that makes a lying table fit the height of the page, and the inline size it is laid out with before it is made
  /// smaller; nil for a table that stands.
  ///
  /// - Parameters:
  ///   - inline: The table's border-box inline size if it stands.
  ///   - wanted: What it needs to keep its words whole.
  func lyingScale(
    _ table: BoxID, in space: ConstraintSpace, inline: LayoutUnit, wanted: LayoutUnit
  ) -> (scale: Double, inline: LayoutUnit)? {
    guard wanted * Self.leastTableScale > inline, space.fragmentainerSize != nil, !space.isMeasuring, !liesDown,
      space.column == .none, writingMode.isHorizontal, !hasTurnedFlows, isInPlainFlow(table)
    else { return nil }
    let length = contentAreaSize.block
    guard length > contentAreaSize.inline * Self.leastGain, length > inline * Self.leastGain else { return nil }
    return lie {
      let inline = tableInlineSize(table, available: length, containing: length)
      let (scale, enlarged, wanted) = tableScale(table, inline: inline)
      return wanted * Self.leastTableScale > inline ? nil : (scale, enlarged)
    }
  }

  /// Whether all boxes around a box are blocks one below the other.
  func isInPlainFlow(_ box: BoxID) -> Bool {
    var box = box
    while box != BoxTree.root, !box.isNone {
      let value = tree.boxes[box.index]
      guard value.kind == .block || value.kind == .table, !value.flags.isOutOfNormalFlow,
        !value.flags.contains(.atomicInline)
      else { return false }
      box = value.parent
      if !box.isNone, tree.boxes[box.index].kind == .table { return false }
    }
    return true
  }

  /// Lets the page's height be the measure. Sizes that were measured for its width are put by.
  private func lie<Result>(_ body: () -> Result) -> Result {
    liesDown = true
    swapSizes()
    defer {
      liesDown = false
      swapSizes()
    }
    return body()
  }
  private func swapSizes() {
    swap(&intrinsicCache, &lyingSizes.intrinsic)
    swap(&measureCache, &lyingSizes.measured)
    swap(&tableModels, &lyingSizes.models)
    swap(&narrowTables, &lyingSizes.narrow)
  }

  /// Lays out a table, or what is left of it, on its side: as far as the page is wide.
  func layoutLyingTable(
    _ table: BoxID, in space: ConstraintSpace, from token: BreakToken?, scale: Double, inline: LayoutUnit
  ) -> LayoutResult {
    let mark = mark()
    let width = contentAreaSize.inline - space.pageInline
    var inner = ConstraintSpace(
      availableInline: contentAreaSize.block, direction: space.direction, isNewFormattingContext: true)
    inner.fixedInline = inline
    inner.fragmentainerSize = Swift.max(width, contentAreaSize.inline / 4)
    inner.isAtPageStart = true
    let laidOut = lie {
      guard scale == 1 else { return layoutScaledTable(table, in: inner, from: token, scale: scale, inline: inline) }
      var layout = TableLayout(context: self, table: table, space: inner, token: token)
      return layout.run()
    }
    guard !laidOut.fragment.isNone else { return laidOut }
    let room = space.fragmentainerSize.map { $0 - space.fragmentainerOffset }
    if let room, !space.isAtPageStart, laidOut.size.inline > room || !carriedFloats.isEmpty {
      rewind(to: mark)
      var result = LayoutResult(fragment: .none, size: .zero, next: token ?? .before(table))
      result.isLyingTable = true
      return result
    }
    page.lieDown(since: mark.page)
    turnFragments(laidOut.fragment, from: .sidewaysLR, to: writingMode)
    // In the middle of the measure.
    let size = LogicalSize(
      inline: Swift.max(space.fixedInline ?? space.availableInline, laidOut.size.block), block: laidOut.size.inline)
    let place = LogicalOffset(inline: (size.inline - laidOut.size.block) / 2, block: .zero)
    let wrapper = page.appendBox(table, size: size, geometry: BoxGeometry(), flags: .paintsNothing)
    page.attach(laidOut.fragment, to: wrapper, at: place)
    var result = LayoutResult(fragment: wrapper, size: size, next: laidOut.next)
    result.bfcBlock = space.bfcBlock
    result.outOfFlow = laidOut.outOfFlow.map { entry in
      var entry = entry
      entry.staticOffset = place
      return entry
    }
    return result
  }
}

// Text goes on before a lying table that the page has no room for, as it does before floats.
extension LayoutContext {
  /// Boxes with no more children than these are a frame of their table, such as one for it and its title.
  private static let mostInFrame = 3

  /// Whether a lying table may come after what follows it: nothing holds it to what is before it.
  func mayWait(_ table: BoxID) -> Bool {
    guard avoidDepth == 0, linesBelowHeading >= Self.linesKeptWithHeading else { return false }
    var parent = tree.boxes[table.index].parent
    var isFrame = true
    while parent != BoxTree.root, !parent.isNone {
      let box = tree.boxes[parent.index]
      guard box.style.border.index == 0, box.style.background.index == 0 else { return false }
      if isFrame {
        let siblings = children(of: parent, upTo: Self.mostInFrame + 1)
        guard siblings == 1 || siblings > Self.mostInFrame else { return false }
        isFrame = siblings == 1
      }
      parent = box.parent
    }
    return true
  }

  /// Whether what was carried to the next page is a table that lets text go before it.
  func isWaitingTable(_ float: CarriedFloat) -> Bool { !tree.boxes[float.box.index].flags.contains(.float) }

  /// How many children of a box are in the flow, as far as they are counted.
  private func children(of box: BoxID, upTo most: Int) -> Int {
    var count = 0
    var child = tree.boxes[box.index].firstChild
    while !child.isNone, count < most {
      if !tree.boxes[child.index].flags.isOutOfNormalFlow { count += 1 }
      child = tree.boxes[child.index].nextSibling
    }
    return count
  }

  /// Places a table that has waited, above all that follows on the page.
  func placeWaitingTable(
    _ table: CarriedFloat, in space: InlineSpace, exclusions: inout ExclusionSpace, parent: FragmentID,
    parentOrigin: LogicalOffset
  ) {
    let box = table.box
    let available = Swift.max(.zero, table.right - table.left)
    let margins = margins(of: box, availableInline: available)
    let top = Swift.max(.zero, exclusions.clearance(left: true, right: true))
    var child = ConstraintSpace(
      availableInline: available, percentageBlock: space.percentageBlock, direction: .ltr, isNewFormattingContext: true)
    child.fixedInline = tableInlineSize(box, available: available - margins.inlineSum, containing: available)
    child.fragmentainerSize = space.fragmentainerSize
    child.fragmentainerOffset = space.fragmentainerOffset + top
    child.isAtPageStart = top == .zero
    child.pageInline = table.left
    let result = layout(box, in: child, from: table.token)
    guard !result.fragment.isNone else { return carriedFloats.append(table) }
    if let next = result.next {
      carriedFloats.append(CarriedFloat(box: box, token: next, left: table.left, right: table.right))
    }
    let measure = LogicalOffset(inline: Swift.min(space.bfcInline, table.left), block: top)
    let size = LogicalSize(
      inline: Swift.max(space.bfcInline + space.contentInline, table.right) - measure.inline,
      block: result.size.block + (result.next == nil ? margins.blockEnd : .zero))
    exclusions.add(LogicalRect(offset: measure, size: size), isLeft: true)
    let left = table.left + (available - result.size.inline) / 2
    let offset = LogicalOffset(inline: left - parentOrigin.inline, block: top - parentOrigin.block)
    attach(result.fragment, to: parent, at: offset, shift: .zero)
    for var entry in result.outOfFlow {
      entry.staticOffset = entry.staticOffset + offset
      pendingOutOfFlow.append(entry)
    }
  }
}

extension PageLayout {
  /// Marks all that was added since a mark as lying on its side.
  fileprivate mutating func lieDown(since mark: Mark) {
    for index in fragments.indices.dropFirst(mark.fragments) { fragments[index].flags.insert(.liesDown) }
    for index in lines.indices.dropFirst(mark.lines) { lines[index].writingMode = .sidewaysLR }
    for index in texts.indices.dropFirst(mark.texts) { texts[index].isSideways = true }
  }
}

/// What `LayoutContext` keeps of sizes, for boxes that lie on their side.
struct LyingSizes {
  var intrinsic: [BoxID: IntrinsicSizes] = [:]
  var measured: [MeasureKey: (block: LayoutUnit, firstBaseline: LayoutUnit?)] = [:]
  var models: [BoxID: TableModel] = [:]
  var narrow: [BoxID: Double] = [:]
}
