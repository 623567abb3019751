import BoxGeneration
import CSS
import Primitives
import Styling

/// The boxes with a forced break between the boxes in them (CSS Fragmentation 3, section 3.1). Such a box is not set
/// whole because it fits a page: cells, items, floats and captions ask here before they measure their content.
///
/// It may name a box whose break has no effect, where the break is that of a box around it: who asks lays the box out
/// in parts, and sees whether it goes on.
struct ForcedBreakIndex: Sendable {
  /// No style forces a break.
  let isEmpty: Bool
  private var inPages: Set<BoxID> = []
  private var inColumns: Set<BoxID> = []

  /// - Complexity: O(boxes), where any style forces a break.
  init(_ tree: BoxTree, _ styles: StyleTable) {
    func isForced(_ value: BreakBetween) -> Bool { value.asksForPage || value == .column }
    isEmpty = !styles.pages.contains { isForced($0.breakBefore) || isForced($0.breakAfter) }
    guard !isEmpty else { return }
    for index in tree.boxes.indices {
      let style = tree.boxes[index].style.page
      guard style.index != 0 else { continue }
      let page = styles.pages[style.index]
      if isForced(page.breakBefore) { note(page.breakBefore, at: .before, BoxID(index), tree) }
      if isForced(page.breakAfter) { note(page.breakAfter, at: .after, BoxID(index), tree) }
    }
  }

  func contains(_ box: BoxID, inColumns isInColumns: Bool) -> Bool {
    isInColumns ? inColumns.contains(box) : inPages.contains(box)
  }

  private enum Side { case before, after }

  /// Notes the boxes around a break at an edge of `box`: those whose own edge it is are none of them.
  private mutating func note(_ value: BreakBetween, at side: Side, _ box: BoxID, _ tree: BoxTree) {
    var box = box
    while !tree.boxes[box.index].flags.isOutOfNormalFlow, tree.boxes[box.index].kind != .tableCaption,
      !Self.hasSibling(side, box, tree)
    {
      box = tree.boxes[box.index].parent
      if box.isNone { return }
    }
    // Nothing comes before or after what stands out of the flow.
    guard !tree.boxes[box.index].flags.isOutOfNormalFlow else { return }
    var around = tree.boxes[box.index].parent
    while !around.isNone {
      let isNew = inColumns.insert(around).inserted
      let isNewInPages = value.asksForPage && inPages.insert(around).inserted
      // Positioned boxes are broken apart from the flow around them.
      guard isNew || isNewInPages, !tree.boxes[around.index].flags.contains(.outOfFlow) else { return }
      around = tree.boxes[around.index].parent
    }
  }

  /// A sibling in the flow stands on that side of the box.
  private static func hasSibling(_ side: Side, _ box: BoxID, _ tree: BoxTree) -> Bool {
    let parent = tree.boxes[box.index].parent
    guard !parent.isNone else { return false }
    var sibling = side == .before ? tree.boxes[parent.index].firstChild : tree.boxes[box.index].nextSibling
    while !sibling.isNone, sibling != box {
      if !tree.boxes[sibling.index].flags.isOutOfNormalFlow { return true }
      sibling = tree.boxes[sibling.index].nextSibling
    }
    return false
  }
}

extension LayoutContext {
  /// A break is forced in the box, so that it goes on behind a page or column that could hold it.
  func forcesBreak(inside box: BoxID, in fragmentainer: Fragmentainer) -> Bool {
    fragmentainer.size != nil && !fragmentainer.isMeasuring
      && inputs.forcedBreaks.contains(box, inColumns: fragmentainer.columnDepth > 0)
      && !isMonolithic(box, in: fragmentainer)
  }
}
