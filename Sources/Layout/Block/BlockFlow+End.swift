import BoxGeneration
import CSS
import Primitives
import Styling

extension BlockFlow {
  // MARK: The box itself

  mutating func finish() -> LayoutResult {
    let consumedBefore = token?.consumedBlockSize ?? .zero
    let ownEnd = context.endMargin(of: box, availableInline: space.availableInline)
    var result = LayoutResult(fragment: fragment, size: LogicalSize(inline: inlineSize))
    var blockSize: LayoutUnit
    if next != nil {
      blockSize = space.column == .column ? offset + strut.sum : offset
      if bfcBlock == nil { resolve() }
      if space.column == .column, !context.columns.spanner.isNone {
        // A spanner stands below the floats of the columns before it.
        let floats = exclusions.clearance(left: true, right: true)
        if floats > .min { blockSize = Swift.max(blockSize, floats + startEdge) }
      }
      if let size = space.fragmentainerSize, let bfcBlock, size < ColumnLayout.unboundedSize,
        context.columns.spanner.isNone
      {
        blockSize = Swift.max(blockSize, size - pageBlock(bfcBlock))
      }
      context.page.fragments[fragment.index].flags.insert(.continuesAfter)
    } else {
      let values = context.blockSizes(context.tree.boxes[box.index].style.box)
      let isFixed =
        space.fixedBlock != nil
        || context.borderBoxBlock(
          values.size, style: context.tree.boxes[box.index].style, geometry: geometry,
          percentageBlock: space.percentageBlock)
          != nil
      if endEdge > .zero && bfcBlock == nil { resolve() }
      var end = offset
      var inner = strut
      if endEdge > .zero || space.isNewFormattingContext || strutStaysInside {
        end += strut.sum
        inner = MarginStrut()
      }
      if space.isNewFormattingContext {
        let floats = exclusions.clearance(left: true, right: true)
        if floats > .min { end = Swift.max(end, floats + startEdge) }
      }
      let auto = end + endEdge
      var used =
        context.usedBlock(auto: auto + consumedBefore, of: box, geometry: geometry, space: space) - consumedBefore
      used = token?.isAtBlockEnd == true && box == BoxTree.root ? auto : Swift.max(used, .zero)
      if bfcBlock == nil {
        if used > .zero {
          resolve()
          inner = MarginStrut()
          inner.append(ownEnd)
          result.endStrut = inner
        } else {
          result.emptyBlock = expectedBlock
          result.endStrut = strut
          result.endStrut.append(ownEnd)
        }
      } else {
        if isFixed || used != auto { inner = MarginStrut() }
        if space.isPlaced, token == nil, used == .zero, !hasPlacedContent {
          // Margins collapse through the box below its clearance (section 8.3.1): what follows starts from its start margin.
          let start = context.startMargin(of: box, availableInline: space.availableInline)
          inner.append(start)
          result.clearedStart = start
        }
        inner.append(ownEnd)
        result.endStrut = inner
      }
      blockSize = used
      if contradictedPlace != nil { return breakBeforeResult() }
      // A column ends with its content: margins and room below it are cut off.
      if let size = space.fragmentainerSize, let bfcBlock, !space.isMeasuring, space.column != .column {
        let pageEnd = pageBlock(bfcBlock) + blockSize
        if pageEnd > size, blockSize > .zero {
          // An empty box that would be cut moves whole; what fixed heights leave empty is not carried to another page.
          context.noteShortage(pageEnd - size, stays: !isFixed)
          if !hasPlacedContent, token == nil, blockSize <= size, !isAtPageStart(bfcBlock), context.columns.depth == 0 {
            breaksBefore = true
            return breakBeforeResult()
          }
          let cut = Swift.max(size - pageBlock(bfcBlock), Swift.min(offset, blockSize))
          if cut < blockSize {
            // Between columns, what a fixed height leaves empty is carried on.
            if context.columns.depth > 0 {
              next = BreakToken(box: box, consumedBlockSize: consumedBefore + cut, isAtBlockEnd: true)
              result.endStrut = MarginStrut()
            }
            blockSize = cut
            context.page.fragments[fragment.index].flags.insert(.continuesAfter)
          }
        }
      }
    }
    if token != nil { context.page.fragments[fragment.index].flags.insert(.continuesBefore) }
    result.size = LogicalSize(inline: inlineSize, block: blockSize)
    context.page.fragments[fragment.index].size = result.size
    result.bfcBlock = bfcBlock
    result.assumedBFCBlock = bfcBlock == nil ? assumed : nil
    result.exclusions = exclusions
    result.firstBaseline = firstBaseline
    result.lastBaseline = lastBaseline
    result.spaceBelow = endEdge == .zero ? spaceBelow : .zero
    result.next = next
    result.outOfFlow = outOfFlow
    if space.column != .column, context.isContainingBlockForPositioned(box) {
      context.layoutPositioned(in: &result, of: box, geometry: geometry, direction: direction, from: token)
    }
    return result
  }
}
