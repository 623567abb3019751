import BoxGeneration
import CSS
import Primitives
import Styling

/// Content of block containers that sticks out of them at the end of a column (CSS Fragmentation 3, section 2.1): the box ends
/// with its own height, what follows stands directly below it, and the rest of its content goes on in the next column beside that.
extension BlockFlow {
  /// A box of a given height ends in its column and clips its overflow: its content is not broken there, so that the part of it
  /// that `overflow-clip-margin` or a shift leaves visible stands together (CSS Overflow 3, section 3.1).
  mutating func endsClipped() -> Bool {
    guard let size = space.fragmentainer.size, context.clipsBlockEnd(box), let block = margins.block,
      let limit = ownBlockInColumn()
    else { return false }
    return pageBlock(block) + Swift.max(.zero, limit - (token?.consumedBlockSize ?? .zero)) <= size
  }

  /// Ends a box whose content the column cuts, but whose own block size it holds.
  ///
  /// - Returns: `true` if nothing of the box itself was left.
  mutating func endAtOwnSize(_ result: inout LayoutResult) -> Bool {
    guard let rest = continuation.next, progress.columns.spanner.isNone, let size = space.fragmentainer.size,
      let limit = ownBlockInColumn(), !context.holdsSpanner(box, from: rest)
    else { return false }
    margins.resolve()
    let before = token?.consumedBlockSize ?? .zero
    let left = Swift.max(.zero, limit - before)
    guard let block = margins.block, pageBlock(block) + left <= size else { return false }
    result.size.block = left
    if !context.clipsBlockEnd(box) { result.overflow = rest.consuming(Swift.max(limit, before)) }
    continuation.next = nil
    let isEnded = token != nil && left == .zero
    if !isEnded { result.end.strut.append(context.endMargin(of: box, availableInline: space.availableInline)) }
    return isEnded
  }

  /// A box in columns has ended with a height of its own: its content would go on beside what follows, so that a break in it is
  /// none of the flow.
  mutating func endsWithOwnSize(_ result: LayoutResult) -> Bool { result.next == nil && ownBlockInColumn() != nil }

  /// The block size that a box in a column has of its own; nil where it grows with its content.
  mutating func ownBlockInColumn() -> LayoutUnit? {
    guard space.fragmentainer.isStrict, space.column != .column else { return nil }
    return context.ownBlock(of: box, geometry: geometry, space: space)
  }

  /// Hands on where the content goes on that sticks out of children.
  mutating func leaveParallel(_ result: inout LayoutResult) {
    result.next = continuation.next?.beside(continuation.parallel)
    guard continuation.next == nil, !continuation.parallel.isEmpty, !context.clipsBlockEnd(box) else { return }
    if let overflow = result.overflow {
      result.overflow = overflow.beside(continuation.parallel)
      return
    }
    let rest = BreakToken(
      box: box, consumedBlockSize: consumed(result.size.block), .ended, parallel: continuation.parallel)
    // A column has no end of its own.
    if space.column == .column { result.next = rest } else { result.overflow = rest }
  }

  /// Goes on with content that sticks out of boxes which have ended in columns before: it stands beside what comes next.
  mutating func continueParallel(_ tokens: [BreakToken]) {
    margins.resolve()
    let top = margins.expected + offset
    for rest in tokens {
      var child = childSpace()
      child.column = columnRole(of: rest.box)
      let intrinsic = context.intrinsicInline(
        of: rest.box,
        available: contentInline - context.margins(of: rest.box, availableInline: contentInline).inlineSum,
        containing: contentInline, percentageBlock: contentBlock)
      let sizing = context.inlineSizing(
        of: rest.box, available: contentInline, space: child, intrinsicInline: intrinsic)
      child.imposed.inline = sizing.inlineSize
      child.geometry = sizing.geometry
      child.fragmentainer.offset = pageBlock(top)
      child.fragmentainer.inlineOffset = pageInline + contentLeft + sizing.lineLeft
      child.fragmentainer.isAtStart = true
      child.fragmentainer.keptFrom = nil
      let result = context.layoutParallelFlow(rest.box, in: child, from: rest, isInFlow: false, &progress)
      guard !result.fragment.isNone else {
        continuation.parallel.append(rest)
        continue
      }
      let before = baselines
      attach(result, of: rest.box, lineLeft: sizing.lineLeft, at: offset)
      baselines = before
      if let rest = result.rest { continuation.parallel.append(rest) }
    }
  }
}
