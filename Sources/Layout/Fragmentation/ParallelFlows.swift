import BoxGeneration
import Primitives

/// Parallel fragmentation flows (CSS Fragmentation 3, section 2.1): the content of floats, cells, flex and grid items, positioned
/// boxes and atomic inlines goes on behind a page's end by itself. A break in one of them is no break of those beside it.
extension LayoutContext {
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
    space.fragmentainer.earlyBreak = nil
    let token = token?.isBreakBefore == true ? nil : token
    let savepoint = page.savepoint()
    var inside = progress
    inside.forgetBreaks()
    let before = inside
    var result = layout(box, in: space, from: token, &inside)
    if result.next != nil, !result.fragment.isNone, let better = inside.betterBreak, !trials.isExhausted {
      page.goBack(to: savepoint)
      space.fragmentainer.earlyBreak = better.place
      inside.giveUp(to: before)
      trials.begin()
      result = layout(box, in: space, from: token, &inside)
      trials.end()
      page.check(
        inside.usedRank >= better.rank,
        "a break in a parallel flow is of rank \(inside.usedRank), and was noted as \(better.rank)")
    }
    guard !result.fragment.isNone else {
      // What it would leave to the next page goes there with it.
      progress.keepShortage(of: inside)
      return result
    }
    if let size = space.fragmentainer.size, result.next == nil,
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
