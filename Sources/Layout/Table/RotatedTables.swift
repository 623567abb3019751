import BoxGeneration
import Primitives
import Styling

/// Tables rotated by a quarter turn to the left, their head at the left: those whose words would be broken on a page that is too
/// narrow, and that the height of the page has room for.
extension LayoutContext {
  /// The least proportion of length to width of a page on which tables are rotated.
  private static let leastGain = 1.2

  /// The factor that makes a rotated table fit the height of the page, and the inline size it is laid out with before it is made
  /// smaller; nil for a table that stays upright.
  ///
  /// - Parameters:
  ///   - inline: The table's border-box inline size if it stays upright.
  ///   - wanted: The inline size that keeps its words whole.
  func rotatedScale(
    _ table: BoxID, in space: ConstraintSpace, inline: LayoutUnit, wanted: LayoutUnit
  ) -> (scale: Double, inline: LayoutUnit)? {
    guard wanted * Self.leastTableScale > inline, space.fragmentainer.size != nil, !space.fragmentainer.isMeasuring,
      !mode.isRotated,
      space.column == .none, writingMode.isHorizontal, !hasSeveralWritingModes, isInPlainFlow(table)
    else { return nil }
    let length = contentAreaSize.block
    guard length > contentAreaSize.inline * Self.leastGain, length > inline * Self.leastGain else { return nil }
    let rotated = with(rotatedMode)
    let inlineSize = rotated.tableInlineSize(table, available: length, containing: length)
    let (scale, enlarged, needed) = rotated.tableScale(table, inline: inlineSize)
    return needed * Self.leastTableScale > inlineSize ? nil : (scale, enlarged)
  }

  /// All boxes around a box are blocks one below the other.
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

  /// Lets the page's height be the measure.
  fileprivate var rotatedMode: MeasureMode {
    var mode = mode
    mode.isRotated = true
    return mode
  }
}

extension TableLayout {
  /// A table that begins far from the line-left edge has such a part of the page's width at least.
  private static let leastPartOfWidth = 4

  /// Lays out a table, or what is left of it, on its side: as far as the page is wide.
  static func layoutRotated(
    _ table: BoxID, in space: ConstraintSpace, from token: BreakToken?, scale: Double, inline: LayoutUnit,
    _ context: LayoutContext, _ progress: inout FlowProgress
  ) -> LayoutResult {
    let savepoint = context.page.savepoint()
    let before = progress
    let width = context.contentAreaSize.inline - space.fragmentainer.inlineOffset
    var inner = ConstraintSpace(
      mode: context.rotatedMode, availableInline: context.contentAreaSize.block, direction: space.direction)
    inner.imposed.inline = inline
    inner.fragmentainer = space.fragmentainer.unbroken
    inner.fragmentainer.earlyBreak = space.fragmentainer.earlyBreak
    inner.fragmentainer.size = Swift.max(width, context.contentAreaSize.inline / Self.leastPartOfWidth)
    inner.fragmentainer.isAtStart = true
    let rotated = context.with(inner.mode)
    let laidOut =
      scale == 1
      ? layoutStanding(table, in: inner, from: token, rotated, &progress)
      : layoutScaled(table, in: inner, from: token, scale: scale, inline: inline, rotated, &progress)
    guard !laidOut.fragment.isNone else { return laidOut }
    let room = space.fragmentainer.size.map { $0 - space.fragmentainer.offset }
    if let room, !space.fragmentainer.isAtStart, laidOut.size.inline > room || !progress.pushedFloats.isEmpty {
      context.page.rollBack(to: savepoint)
      progress.rollBack(to: before)
      var result = LayoutResult(fragment: .none, size: .zero, next: token ?? .before(table))
      result.isRotatedTable = true
      return result
    }
    context.page.markRotated(since: savepoint)
    context.page.turn(laidOut.fragment, from: .sidewaysLR, to: context.writingMode)
    // In the middle of the measure.
    let size = LogicalSize(
      inline: Swift.max(space.borderBoxInline, laidOut.size.block), block: laidOut.size.inline)
    let place = LogicalOffset(inline: (size.inline - laidOut.size.block) / 2, block: .zero)
    let wrapper = context.page.appendBox(table, size: size, geometry: BoxGeometry(), flags: .paintsNothing)
    context.page.attach(laidOut.fragment, to: wrapper, at: place)
    var result = LayoutResult(fragment: wrapper, size: size, next: laidOut.next)
    result.bfcBlock = .zero
    result.outOfFlow = laidOut.outOfFlow.map { entry in
      var entry = entry
      entry.staticOffset = place
      return entry
    }
    return result
  }
}

// Text goes on before a rotated table that the page has no room for, as it does before floats.
extension BlockFlow {
  /// Boxes with no more children than these are a frame of their table, such as one for it and its title.
  private static let mostInFrame = 3

  /// A rotated table may come after the content that follows it: nothing holds it to the content before it.
  func mayWait(_ table: BoxID) -> Bool {
    guard !avoidsBreaks, !progress.isBelowHeading else { return false }
    let tree = context.tree
    var parent = tree.boxes[table.index].parent
    var isFrame = true
    while parent != BoxTree.root, !parent.isNone {
      let box = tree.boxes[parent.index]
      guard box.style.border.index == 0, box.style.background.index == 0 else { return false }
      if isFrame {
        let siblings = context.children(of: parent, upTo: Self.mostInFrame + 1)
        guard siblings == 1 || siblings > Self.mostInFrame else { return false }
        isFrame = siblings == 1
      }
      parent = box.parent
    }
    return true
  }
}

extension LayoutContext {
  /// The content carried to the next page is a table that lets text go before it.
  func isWaitingTable(_ float: PushedFloat) -> Bool { !tree.boxes[float.box.index].flags.contains(.float) }

  /// Number of the children of a box that are in the flow, as far as they are counted.
  fileprivate func children(of box: BoxID, upTo most: Int) -> Int {
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
    _ table: PushedFloat, in space: InlineSpace, exclusions: inout ExclusionSpace, parent: FragmentID,
    parentOrigin: LogicalOffset, progress: inout FlowProgress
  ) -> PlacedFloat {
    let box = table.box
    let available = Swift.max(.zero, table.right - table.left)
    let margins = margins(of: box, availableInline: available)
    let top = Swift.max(.zero, exclusions.blockClearance(left: true, right: true))
    var child = ConstraintSpace(mode: mode, availableInline: available, percentageBlock: space.percentageBlock)
    child.fragmentainer = space.fragmentainer.unbroken
    child.imposed.inline = tableInlineSize(box, available: available - margins.inlineSum, containing: available)
    child.fragmentainer.size = space.fragmentainer.size
    child.fragmentainer.offset = space.fragmentainer.offset + top
    child.fragmentainer.isAtStart = top == .zero
    child.fragmentainer.inlineOffset = table.left
    let result = layoutParallelFlow(box, in: child, from: table.token, isInFlow: false, &progress)
    guard !result.fragment.isNone else {
      progress.pushedFloats.append(table)
      return .pushed
    }
    if let next = result.next {
      progress.pushedFloats.append(PushedFloat(box: box, token: next, left: table.left, right: table.right))
    }
    let measure = LogicalOffset(inline: Swift.min(space.bfcOffset.inline, table.left), block: top)
    let size = LogicalSize(
      inline: Swift.max(space.bfcOffset.inline + space.contentInline, table.right) - measure.inline,
      block: result.size.block + (result.next == nil ? margins.blockEnd : .zero))
    exclusions.add(LogicalRect(offset: measure, size: size), isLeft: true)
    let left = table.left + (available - result.size.inline) / 2
    let offset = LogicalOffset(inline: left - parentOrigin.inline, block: top - parentOrigin.block)
    page.attach(result.fragment, to: parent, at: offset, shift: .zero)
    var placed = PlacedFloat()
    placed.outOfFlow.append(contentsOf: result.outOfFlow, movedBy: offset)
    return placed
  }
}
