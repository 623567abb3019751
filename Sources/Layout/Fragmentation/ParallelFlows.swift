import BoxGeneration
import Primitives

/// Parallel fragmentation flows (CSS Fragmentation 3, section 2.1): the content of floats, cells, flex and grid items, positioned
/// boxes, atomic inlines and footnotes goes on behind a page's end by itself. A break in one of them is no break of those beside it.
extension LayoutContext {
  /// Lays out a part of a flow, and once more where its break fails a rule that an earlier one keeps (section 4.4).
  ///
  /// - Parameters:
  ///   - progress: The breaks that the flow has met so far, with no breaks of another one.
  ///   - attempt: Lays the part out, broken at a place if one is given.
  func layoutAtBestBreak(
    _ progress: inout FlowProgress, _ attempt: (Breakpoint?, inout FlowProgress) -> LayoutResult
  ) -> LayoutResult {
    let savepoint = page.savepoint()
    let before = progress
    let result = attempt(nil, &progress)
    guard result.next != nil, !result.fragment.isNone, progress.columns.spanner.isNone,
      let better = progress.betterBreak, !trials.isExhausted
    else { return result }
    page.rollBack(to: savepoint)
    progress.rollBack(to: before)
    trials.begin()
    let second = attempt(better.place, &progress)
    trials.end()
    page.check(
      progress.usedRank >= better.rank, "a break is of rank \(progress.usedRank), and was noted as \(better.rank)")
    return second
  }

  /// Lays out the part of such a box that stands on this page. Where its break fails a rule that an earlier one in the same box
  /// keeps, it is broken there (section 4.4).
  ///
  /// - Parameters:
  ///   - token: Where to go on, or the break before the box.
  ///   - isInFlow: The page is broken where the box is, so that the rank of its break is the page's: that of a box in one that is
  ///     not to be broken is `violatesAvoid` for the page, but not for the rules inside.
  func layoutParallelFlow(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, isInFlow: Bool, _ progress: inout FlowProgress
  ) -> LayoutResult {
    let avoidsBreaks = space.fragmentainer.avoidsBreaks
    var space = space
    space.fragmentainer.avoidsBreaks = false
    let token = token?.isBreakBefore == true ? nil : token
    var inside = progress
    inside.forgetBreaks()
    let result = layoutAtBestBreak(&inside) { place, inside in
      space.fragmentainer.earlyBreak = place
      return layout(box, in: space, from: token, &inside)
    }
    guard !result.fragment.isNone else {
      // The rest that it would leave to the next page goes there with it.
      progress.keepShortage(of: inside)
      return result
    }
    // An orthogonal flow that goes on is divided along its own lines: here it stays whole.
    if let size = space.fragmentainer.size, result.next == nil || isOrthogonal(tree.boxes[box.index]),
      space.fragmentainer.offset + result.size.block > size
    {
      page.insert(.overflows, into: result.fragment)
    }
    let rank = inside.usedRank
    progress.takeOver(inside)
    if isInFlow, result.next != nil { progress.use(avoidsBreaks ? .violatesAvoid : rank) }
    return result
  }
}
