import BoxGeneration
import Primitives
import Styling

extension LayoutContext {
  /// The growth allowed to a gap between paragraphs, of the distance between the lines on its sides.
  private static let mostGrowth = 0.15

  /// Spreads what the page has left at its end over the gaps between its paragraphs, so that it ends as deep as the page that
  /// faces it. A page that lacks more than its gaps can take stays as it is, and so does one with floats or positioned boxes,
  /// whose places are tied to the lines beside them.
  ///
  /// - Parameter most: How much is spread at most.
  func balancePage(by most: LayoutUnit = .max) {
    guard !settings.composition.baselineGrid, !page.root.isNone, let parent = paragraphsParent() else { return }
    var gaps: [(child: FragmentID, distance: LayoutUnit)] = []
    var previousBottom: LayoutUnit?
    var last = FragmentID.none
    var child = page[parent].firstChild
    while !child.isNone {
      let fragment = page[child]
      let pitch = lineMetrics(tree.boxes[fragment.box.index].style.font).lineHeight
      if let previousBottom { gaps.append((child, fragment.offset.block - previousBottom + pitch)) }
      previousBottom = fragment.offset.block + fragment.size.block
      last = child
      child = fragment.nextSibling
    }
    guard !gaps.isEmpty, !last.isNone else { return }
    let end = end(ofContentIn: last)
    var top = page[parent].offset.block
    var id = page.root
    while id != parent {
      top += page[id].offset.block
      id = page[id].firstChild
    }
    let spare = Swift.min(most, contentAreaSize.block - (top + page[last].offset.block + end))
    let room = gaps.reduce(LayoutUnit.zero) { $0 + Swift.max(.zero, $1.distance) * Self.mostGrowth }
    guard spare > .zero, room >= spare, room > .zero else { return }
    var spread = LayoutUnit.zero
    for (index, gap) in gaps.enumerated() {
      let share = spare.pixels * Swift.max(0, gap.distance.pixels) * Self.mostGrowth / room.pixels
      spread = index == gaps.count - 1 ? spare : spread + LayoutUnit(share)
      page.setBlockOffset(page[gap.child].offset.block + spread, of: gap.child)
    }
    // The paragraph that goes on on the next page reached down to this one's end.
    if page[last].flags.contains(.continuesAfter) {
      page.setBlockSize(Swift.max(end, page[last].size.block - spare), of: last)
    }
  }

  /// The box that holds the page's paragraphs one below the other: the innermost one that holds all of them. Nil where there is
  /// anything else.
  private func paragraphsParent() -> FragmentID? {
    guard
      !page.fragments.elements.contains(where: {
        $0.kind == .box && tree.boxes[$0.box.index].flags.isOutOfNormalFlow
      })
    else { return nil }
    var parent = page.root
    while true {
      let first = page[parent].firstChild
      guard !first.isNone, page[first].kind == .box, tree.boxes[page[parent].box.index].kind == .block else {
        return nil
      }
      guard page[first].nextSibling.isNone else { return parent }
      parent = first
    }
  }

  /// The lower edge of the lowest line, picture or box in a fragment: of a row that is not the last cell's.
  private func end(ofContentIn id: FragmentID) -> LayoutUnit {
    let fragment = page[id]
    guard !fragment.firstChild.isNone, fragment.kind == .box else { return fragment.size.block }
    var lowest = LayoutUnit.zero
    var child = fragment.firstChild
    while !child.isNone {
      lowest = Swift.max(lowest, page[child].offset.block + end(ofContentIn: child))
      child = page[child].nextSibling
    }
    return lowest
  }
}
