import BoxGeneration
import CSS
import Primitives
import Styling

extension InlineLayouter {
  /// An outside marker, not attached yet. `width` includes `gap`, the distance that it keeps from its item by itself.
  struct OutsideMarker {
    var fragment: FragmentID
    var width: LayoutUnit
    var gap: LayoutUnit
    var height: LayoutUnit
    var baseline: LayoutUnit
  }

  /// Sets the line of an outside marker (CSS Lists 3, section 3.2).
  static func layoutMarker(
    _ marker: BoxID, direction: TextDirection, isMeasuring: Bool, _ context: LayoutContext
  ) -> OutsideMarker? {
    let value = context.tree.boxes[marker.index]
    guard !value.text.isNone else { return nil }
    let width = context.inlineIntrinsicSizes(marker, text: value.text).maximum
    let fragment = context.page.appendBox(marker, size: LogicalSize(inline: width), geometry: BoxGeometry())
    var space = InlineSpace(contentInline: width)
    space.fragmentainer.isMeasuring = isMeasuring
    var nothing = FlowProgress()
    let set = layout(
      marker, text: value.text, in: space, parent: fragment, contentOffset: .zero, direction: direction, context,
      &nothing)
    guard set.lineCount > 0, let baseline = set.baselines.first else { return nil }
    context.page.setBlockSize(set.blockSize, of: fragment)
    // An image has no space behind it: browsers keep 7 px.
    let gap = value.symbol == .image ? LayoutUnit(7) : .zero
    return OutsideMarker(
      fragment: fragment, width: width + gap, gap: gap, height: set.blockSize, baseline: baseline)
  }
}

extension BlockFlow {
  /// Moves the lines of an item down to where its marker, higher than they are, begins at their start.
  mutating func makeRoom(for marker: BoxID, above start: LayoutUnit) {
    var child = context.page[fragment].firstChild
    while !child.isNone, context.page[child].box != marker || context.page[child].kind != .box {
      child = context.page[child].nextSibling
    }
    guard !child.isNone else { return }
    let shift = start - context.page[child].offset.block
    guard shift > .zero else { return }
    // Not over the end of the page.
    if let size = space.fragmentainer.size, let block = margins.block,
      pageBlock(block) + offset + shift + endEdge > size
    {
      return
    }
    context.page.moveContent(of: fragment, by: shift)
    offset += shift
    baselines.move(by: shift)
  }

  /// Hangs the marker of an item into it from the first boxes in it, where one of them cuts off what reaches over its edges.
  mutating func freeMarker(_ marker: BoxID) {
    var inner = box
    var isClipped = false
    for _ in 0..<LayoutContext.mostBoxesBegun {
      let child = context.firstInFlowChild(of: inner)
      guard !child.isNone, context.boxBegun(by: child) == inner else { break }
      isClipped =
        isClipped || context.styles.boxes[context.tree.boxes[child.index].style.box.index].overflowX != .visible
      inner = child
    }
    guard isClipped else { return }
    var place = LogicalOffset.zero
    var parent = fragment
    while true {
      var child = context.page[parent].firstChild
      var begun = FragmentID.none
      while !child.isNone {
        let value = context.page[child]
        if value.kind == .box, value.box == marker {
          guard parent != fragment else { return }
          context.page.detach(child, from: parent)
          context.page.attach(child, to: fragment, at: place + value.offset)
          return
        }
        if begun.isNone, value.kind == .box, context.boxBegun(by: value.box) != nil { begun = child }
        child = value.nextSibling
      }
      guard !begun.isNone else { return }
      place = place + context.page[begun].offset
      parent = begun
    }
  }

  /// Places the marker of an item without a line of its own, at the item's start: it is as high as its marker at least.
  mutating func placeLonelyMarker(_ marker: BoxID) {
    guard !context.page.holds(marker, since: fragment) else { return freeMarker(marker) }
    // The first line, and the marker with it, may stand on a later page.
    if continuation.next != nil, context.beginsWithLine(box) { return }
    margins.resolve()
    guard margins.contradictedPlace == nil,
      let set = InlineLayouter.layoutMarker(
        marker, direction: direction, isMeasuring: space.fragmentainer.isMeasuring, context)
    else { return }
    let inline = direction == .ltr ? -set.width : inlineSize + set.gap
    context.page.attach(set.fragment, to: fragment, at: LogicalOffset(inline: inline, block: .zero))
    if continuation.next == nil { offset = Swift.max(offset, set.height) }
    hasPlacedContent = true
  }
}
