import BoxGeneration
import CSS
import Primitives
import Styling

/// The block-end edge of a block container: its size, the margins that collapse through it, and where a page or column cuts it.
extension BlockFlow {
  mutating func finish() -> LayoutResult {
    var result = LayoutResult(fragment: fragment, size: LogicalSize(inline: inlineSize))
    let floats = takeOwnFloats()
    if !floats.isEmpty, continuation.next == nil {
      continuation.next = BreakToken(box: box, consumedBlockSize: consumed(offset), .end(held: nil))
    }
    let goesOn = continuation.next != nil
    let isEnded = endAtOwnSize(&result)
    if goesOn, continuation.next == nil {
      if isEnded { context.page.insert([.continuesAfter, .paintsNothing], into: fragment) }
    } else if continuation.next != nil {
      result.size.block = blockSizeToPageEnd()
      context.page.insert(.continuesAfter, into: fragment)
    } else {
      let endsWithContent = closeBox(&result)
      if margins.contradictedPlace != nil { return breakBeforeResult() }
      cutAtPageEnd(&result, endsWithContent: endsWithContent)
      if continuation.breaksBefore { return breakBeforeResult() }
      // What sticks out of a box that has ended before is not framed.
      if token != nil, result.size.block == .zero { context.page.insert(.paintsNothing, into: fragment) }
    }
    if token != nil { context.page.insert(.continuesBefore, into: fragment) }
    leaveParallel(&result)
    if !floats.isEmpty {
      result.next = result.next?.carrying(floats)
      result.overflow = result.overflow?.carrying(floats)
    }
    if let rest = result.next, space.fragmentainer.isStrict, progress.columns.spanner.isNone {
      // In columns and on paper, what an unbreakable box leaves empty is part of the box. Edges at each break are not.
      let edges = clonesEdges ? startEdge + endEdge : .zero
      result.next = rest.consuming(consumedBefore + Swift.max(.zero, result.size.block - edges))
    }
    context.page.setSize(result.size, of: fragment)
    result.bfcBlock = margins.block
    result.collapsed.assumedBFCBlock = margins.block == nil ? margins.assumed : nil
    result.exclusions = exclusions
    result.baselines = baselines
    result.end.spaceBelow = endEdge == .zero ? spaceBelow : .zero
    result.outOfFlow = outOfFlow
    if let left = clamped.left, let before = space.linesLeft, space.flow != nil {
      result.lines = CountedLines(count: before - left, endsShown: clamped.end != nil)
    }
    if space.column != .column, context.isContainingBlockForPositioned(box) {
      context.layoutPositioned(
        in: &result, of: box, in: space, geometry: geometry, direction: direction, from: token,
        inColumn: context.columnPlace(
          of: box, in: space, at: pageBlock(margins.block ?? margins.expected), from: token, geometry: geometry),
        progress: &progress)
    }
    return result
  }

  /// The rests of the floats in the formatting context that the box starts: they go on in its next part, so that the box is as high as
  /// they are (CSS 2.2, section 10.6.7). A table that lets text go before it waits in the root.
  private mutating func takeOwnFloats() -> [PushedFloat] {
    guard let outerFloats else { return [] }
    let own = progress.pushedFloats
    if own.isEmpty, outerFloats.isEmpty { return [] }
    progress.pushedFloats = outerFloats + own.filter(context.isWaitingTable)
    return own.filter { !context.isWaitingTable($0) }
  }

  private var consumedBefore: LayoutUnit { token?.consumedBlockSize ?? .zero }

  /// The block size of a box that goes on: it reaches to the end of its page or column.
  private mutating func blockSizeToPageEnd() -> LayoutUnit {
    var size = space.column == .column ? offset + margins.strut.sum : offset
    margins.resolve()
    let isBeforeSpanner = !progress.columns.spanner.isNone
    if space.column == .column, isBeforeSpanner, let floats = floatsEnd {
      // A spanner stands below the floats of the columns before it.
      size = Swift.max(size, floats)
    }
    if let page = space.fragmentainer.size, let block = margins.block, page < Fragmentainer.endlessSize,
      !isBeforeSpanner
    {
      size = Swift.max(size, page - pageBlock(block))
    }
    if context.inputs.hasSpanners, let limit = ownBlockInColumn() {
      // A box goes on to the last spanner in it; its parts are no higher than its own height all the same.
      size = Swift.min(size, Swift.max(.zero, limit - consumedBefore))
    }
    return size
  }

  /// Block end of the floats and initial letters of the formatting context, from the border box's block-start edge.
  private var floatsEnd: LayoutUnit? {
    let end = exclusions.blockClearance(left: true, right: true)
    return end > .min ? end + startEdge : nil
  }

  private mutating func hasFixedBlockSize() -> Bool {
    let style = context.tree.boxes[box.index].style
    return space.imposed.block != nil
      || context.borderBoxBlock(
        context.blockSizes(style.box).size, of: box, geometry: geometry, percentageBlock: space.percentageBlock)
        != nil
  }

  /// The room that content leaves at the end of a page for the edge which is cloned there: none where a box of a given
  /// height ends before, for what sticks out of that stands behind its edge (CSS Fragmentation 3, section 5.4).
  var clonedEndEdge: LayoutUnit {
    guard clonesEdges else { return .zero }
    guard space.fragmentainer.isStrict, let size = space.fragmentainer.size, let block = margins.block,
      let own = context.ownBlock(of: box, geometry: geometry, space: space)
    else { return endEdge }
    return pageBlock(block) + own - consumedBefore > size ? endEdge : .zero
  }

  var growsWithContent: Bool {
    context.blockSizes(context.tree.boxes[box.index].style.box).size == .auto
  }

  /// The room that the end edges of boxes need below a child, where they end with it. A frame on a screen is closed below
  /// its last line (CSS Fragmentation 3, section 5.4); no page is begun for padding alone.
  func endReserve(below child: BoxID) -> LayoutUnit {
    guard !space.fragmentainer.isStrict, space.fragmentainer.size != nil, growsWithContent,
      context.tree.boxes[child.index].nextSibling.isNone
    else { return .zero }
    let own = clonesEdges || geometry.border.blockEnd == .zero ? .zero : endEdge
    return space.endReserve + own
  }

  /// The used block size of a box that ends here, and the margins that adjoin what follows it (CSS 2.2, sections 8.3.1, 10.6.3).
  ///
  /// - Returns: `true` if the box is no higher than its content.
  private mutating func closeBox(_ result: inout LayoutResult) -> Bool {
    if endEdge > .zero { margins.resolve() }
    var end = clamped.end ?? offset
    if clamped.end != nil || marginTrim.contains(.blockEnd) && margins.block != nil { margins.strut = MarginStrut() }
    var strut = margins.strut
    if endEdge > .zero || space.isNewFormattingContext || margins.strutStaysInside {
      end += strut.sum
      strut = MarginStrut()
    }
    if space.isNewFormattingContext, let floats = floatsEnd { end = Swift.max(end, floats) }
    let auto = end + endEdge
    var used =
      context.usedBlock(auto: auto + consumedBefore, of: box, geometry: geometry, space: space) - consumedBefore
    // On a screen a broken box goes on with its content, and its end edge stands below that.
    let least = token == nil || space.fragmentainer.isStrict || space.fragmentainer.size == nil ? .zero : auto
    used = token?.isAtEnd == true && box == BoxTree.root ? auto : Swift.max(used, least)
    if token?.isEnded == true { used = .zero }
    result.size.block = used
    let ownEnd = context.endMargin(of: box, availableInline: space.availableInline)
    guard margins.block == nil else {
      if hasFixedBlockSize() || used != auto { strut = MarginStrut() }
      if space.flow?.isPlaced == true, token == nil, used == .zero, !hasPlacedContent {
        // Margins collapse through the box below its clearance: what follows starts from its start margin.
        let start = context.startMargin(of: box, availableInline: space.availableInline)
        strut.append(start)
        result.collapsed.clearedStart = start
      }
      strut.append(ownEnd)
      result.end.strut = strut
      return used <= auto
    }
    if used > .zero {
      margins.resolve()
      strut = MarginStrut()
    } else {
      // Margins collapse through the box.
      result.collapsed.emptyBlock = margins.expected
      strut = margins.strut
    }
    strut.append(ownEnd)
    result.end.strut = strut
    return used <= auto
  }

  /// Cuts a box off where its page or column ends. A column ends with its content: margins and room below it are cut off anyway.
  private mutating func cutAtPageEnd(_ result: inout LayoutResult, endsWithContent: Bool) {
    guard let size = space.fragmentainer.size, let block = margins.block, !space.fragmentainer.isMeasuring,
      space.column != .column, result.size.block > .zero
    else { return }
    let shortage = pageBlock(block) + result.size.block - size
    guard shortage > .zero else { return }
    noteShortage(shortage, stays: !hasFixedBlockSize())
    // An empty box that would be cut moves whole on a screen: what fixed heights leave empty is not carried to another
    // page. On paper it does where margins alone stand before it, as before the first child of a box.
    let mayBegin = space.fragmentainer.isStrict ? pageBlock(block) < size : result.size.block > size
    if !hasPlacedContent, token == nil, !mayBegin, !isAtPageStart(block) {
      continuation.breaksBefore = true
      return
    }
    let cut = Swift.max(size - pageBlock(block), Swift.min(offset, result.size.block))
    guard cut < result.size.block else { return }
    // Between the content and the end edge of a box that ends with it is no place for a break (CSS Fragmentation 3,
    // section 4.1, class C). On a screen no page is begun for padding.
    if endsWithContent, (space.fragmentainer.isStrict ? endEdge : geometry.border.blockEnd) > .zero {
      progress.useEndEdge()
    }
    result.size.block = cut
    // Where nothing of it goes on, its end edge stands where it is cut.
    guard space.fragmentainer.carriesEmptyRoom(after: consumedBefore + cut) else { return }
    continuation.next = BreakToken(box: box, consumedBlockSize: consumedBefore + cut, .end(held: nil))
    result.end.strut = MarginStrut()
    context.page.insert(.continuesAfter, into: fragment)
  }
}
