import BoxGeneration
import CSS
import Primitives
import Styling

/// Sticky positions (CSS Positioned Layout 3, section 3.4). A page is not scrolled, so that its area moves nothing; a
/// scroll container is seen as it is before anybody scrolls.
extension LayoutContext {
  /// Moves the sticky boxes on the page into the views of the scroll containers around them, as far as their containing
  /// blocks let them. A scroll container that goes on over pages has no view of its own.
  func placeStickyBoxes(in root: FragmentID) {
    guard inputs.hasStickyBoxes, !hasSeveralWritingModes else { return }
    placeStickyBoxes(in: root, at: page[root].offset, view: nil, containing: LogicalRect(offset: .zero))
  }

  /// - Parameters:
  ///   - origin: The fragment's place on the page.
  ///   - view: The scrollport around it.
  ///   - containing: The content box of the block container around it.
  private func placeStickyBoxes(
    in id: FragmentID, at origin: LogicalOffset, view: LogicalRect?, containing: LogicalRect
  ) {
    let fragment = page[id]
    var (view, containing) = (view, containing)
    switch fragment.kind {
    case .box:
      let geometry = page.geometries[Int(fragment.payload)]
      if isScrollContainer(fragment.box) {
        let isWhole = fragment.flags.isDisjoint(with: [.continuesBefore, .continuesAfter])
        let border = geometry.border
        view =
          isWhole
          ? LogicalRect(
            offset: origin + LogicalOffset(inline: border.lineLeft, block: border.blockStart),
            size: LogicalSize(
              inline: fragment.size.inline - border.inlineSum, block: fragment.size.block - border.blockSum))
          : nil
      }
      containing = LogicalRect(
        offset: origin + geometry.contentOffset,
        size: LogicalSize(
          inline: fragment.size.inline - geometry.edges.inline, block: fragment.size.block - geometry.edges.block))
    case .line: break
    default: return
    }
    var child = fragment.firstChild
    while !child.isNone {
      var place = origin + page[child].offset
      if let view, page[child].kind == .box {
        let shift = stickyShift(of: page[child], at: place, view: view, containing: containing)
        if shift != .zero {
          page.change(child) { $0.offset = $0.offset + shift }
          page.change(geometryOf: child) { $0.relativeShift = $0.relativeShift + shift }
          place = place + shift
        }
      }
      placeStickyBoxes(in: child, at: place, view: view, containing: containing)
      child = page[child].nextSibling
    }
  }

  /// The box scrolls its overflow, if only by program (CSS Overflow 3, section 3).
  func isScrollContainer(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard value.style.box.index != 0, box != BoxTree.root, value.flags.contains(.formattingContext) else {
      return false
    }
    return styles.boxes[value.style.box.index].overflowX.isScrollable
  }

  private func stickyShift(
    of fragment: Fragment, at place: LogicalOffset, view: LogicalRect, containing: LogicalRect
  ) -> LogicalOffset {
    let style = tree.boxes[fragment.box.index].style
    guard style.box.index != 0, styles.boxes[style.box.index].position == .sticky else { return .zero }
    let inset = flow(styles.boxes[style.box.index].inset)
    let margins = margins(of: fragment.box, availableInline: containing.size.inline)
    func used(_ value: MarginValue, _ base: LayoutUnit) -> LayoutUnit? {
      guard case .length(let length) = value else { return nil }
      return resolve(length, font: style.font, percentage: base)
    }
    /// Along one axis, from the start of the box to its end; its start edge wins.
    func shift(
      _ start: LayoutUnit, _ end: LayoutUnit, least: LayoutUnit?, most: LayoutUnit?, back: LayoutUnit, on: LayoutUnit
    ) -> LayoutUnit {
      var shift = LayoutUnit.zero
      if let most, end > most { shift = -Swift.min(end - most, Swift.max(.zero, back)) }
      if let least, start + shift < least { shift = Swift.min(least - start, Swift.max(shift, on)) }
      return shift
    }
    let size = fragment.size
    return LogicalOffset(
      inline: shift(
        place.inline, place.inline + size.inline,
        least: used(inset.lineLeft, view.size.inline).map { view.offset.inline + $0 },
        most: used(inset.lineRight, view.size.inline).map { view.inlineEnd - $0 },
        back: place.inline - margins.lineLeft - containing.offset.inline,
        on: containing.inlineEnd - margins.lineRight - place.inline - size.inline),
      block: shift(
        place.block, place.block + size.block,
        least: used(inset.blockStart, view.size.block).map { view.offset.block + $0 },
        most: used(inset.blockEnd, view.size.block).map { view.blockEnd - $0 },
        back: place.block - margins.blockStart - containing.offset.block,
        on: containing.blockEnd - margins.blockEnd - place.block - size.block))
  }
}
