import BoxGeneration
import CSS
import Primitives
import Styling

/// Boxes whose size does not depend on their content (CSS Containment 2, section 3.1): it is that of `contain-intrinsic-size`, or nothing.
extension LayoutContext {
  private func containment(of box: BoxID) -> RareBoxStyle? {
    let index = tree.boxes[box.index].style.box.index
    guard index != 0, let rare = styles.boxes[index].rare, !rare.values.usedContainment.isEmpty else { return nil }
    switch tree.boxes[box.index].kind {
    case .inline, .table, .tableCell, .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: return nil
    default: return rare
    }
  }

  private func intrinsicSize(of box: BoxID, isInline: Bool) -> LayoutUnit? {
    guard let rare = containment(of: box), rare.values.usedContainment.contains(isInline ? .inlineSize : .blockSize)
    else { return nil }
    let length =
      isInline == writingMode.isHorizontal ? rare.values.containIntrinsicWidth : rare.values.containIntrinsicHeight
    return length.map { resolve($0, font: tree.boxes[box.index].style.font) } ?? .zero
  }

  /// The content inline size of a box under inline-size containment; nil for any other box.
  func containedInline(of box: BoxID) -> LayoutUnit? { intrinsicSize(of: box, isInline: true) }

  /// The content block size of a box under size containment; nil for any other box.
  func containedBlock(of box: BoxID) -> LayoutUnit? { intrinsicSize(of: box, isInline: false) }

  /// The box is monolithic, that is, never broken (CSS Fragmentation 3, section 2): a picture, a formula, one whose lines turn, one
  /// under size containment (CSS Containment 2, section 3.1), or one whose lines are clamped.
  func isMonolithic(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    return value.content == .replaced || containedBlock(of: box) != nil || isOrthogonal(value)
      || value.kind == .math || lineClamp(of: box) != nil
  }

  /// The box is monolithic there: in columns, one whose overflow can be scrolled to is, too, on a screen.
  func isMonolithic(_ box: BoxID, in fragmentainer: Fragmentainer) -> Bool {
    isMonolithic(box) || isScrolledInColumn(box, fragmentainer)
  }

  /// The box stands in a column on a screen and is scrolled, or cuts off what its height does not hold (CSS
  /// Fragmentation 3, section 2).
  func isScrolledInColumn(_ box: BoxID, _ fragmentainer: Fragmentainer) -> Bool {
    guard fragmentainer.columnDepth > 0, fragmentainer.size != nil, !fragmentainer.isPaper, isScrollContainer(box)
    else { return false }
    let style = tree.boxes[box.index].style.box
    let overflow = styles.boxes[style.index].blockOverflow(in: writingMode)
    let sizes = blockSizes(style)
    return overflow != .hidden || !sizes.size.isAutomatic && sizes.maximum == .none
  }

  /// The box clips its block end, so that nothing of it goes on behind the box (CSS Overflow 3, section 3.1).
  func clipsBlockEnd(_ box: BoxID) -> Bool {
    let index = tree.boxes[box.index].style.box.index
    guard index != 0, box != BoxTree.root else { return false }
    return styles.boxes[index].blockOverflow(in: writingMode) == .clip
  }

  /// Layout or paint containment makes a box contain its positioned descendants (sections 3.2 and 3.4).
  func containsPositioned(_ box: BoxID) -> Bool {
    containment(of: box)?.values.containsPositioned ?? false
  }
}

extension BoxStyle {
  /// `overflow-block`: what becomes of content beyond the block-end edge (CSS Overflow 3, section 3.1).
  @inline(__always)
  func blockOverflow(in writingMode: WritingMode) -> Overflow { writingMode.isHorizontal ? overflowY : overflowX }
}
