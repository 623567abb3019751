import BoxGeneration
import CSS
import Primitives
import Styling

/// An absolutely positioned box, or what is left of one, that stands on a later page.
struct CarriedPositioned {
  var box: BoxID
  /// Where to go on with it; nil to start.
  var token: BreakToken?
  /// Its border box, from the corner of the area of the page that it was carried from.
  var place: LogicalOffset
  var space: ConstraintSpace
}

/// Positioned boxes over page ends (CSS Positioned Layout 3, section 2.1): they stand in their containing block as if the pages
/// were one long strip. What reaches over a page's end is found once the page is laid out, and then the page is made again.
extension LayoutContext {
  /// How many pages further content may stand: what is put off farther is meant to be seen nowhere.
  private static let farthestPage = 50

  /// Where the paper ends, from the start of the page's area.
  var paperEnd: LayoutUnit { contentAreaSize.block + pageMargins.blockEnd }
  private var pageMargins: FlowEdges {
    FlowEdges(
      top: settings.margins[0], right: settings.margins[1], bottom: settings.margins[2], left: settings.margins[3],
      in: tree.writingMode)
  }

  func carry(_ positioned: CarriedPositioned) {
    var positioned = positioned
    positioned.place.block -= contentAreaSize.block
    // Boxes may be tried several times before they have their place.
    carriedPositioned.removeAll { $0.box == positioned.box }
    carriedPositioned.append(positioned)
  }

  /// One part of a positioned box between page ends. Breaks inside it are none of the page's.
  func layoutPart(of box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    let noted = (bestBreakpoint, usedRank, earlyBreak, avoidDepth, columns)
    (earlyBreak, avoidDepth, columns) = (nil, 0, ColumnState())
    defer { (bestBreakpoint, usedRank, earlyBreak, avoidDepth, columns) = noted }
    return layout(box, in: space, from: token)
  }

  /// Goes on with a box carried from the page before.
  func resume(_ positioned: CarriedPositioned, root: FragmentID, size: LogicalSize, mayPart: Bool) {
    guard positioned.place.block < size.block else { return carry(positioned) }
    var space = positioned.space
    space.fragmentainerSize = mayPart ? size.block : nil
    space.fragmentainerOffset = positioned.place.block
    space.isAtPageStart = true
    let result = layoutPart(of: positioned.box, in: space, from: positioned.token)
    guard !result.fragment.isNone else { return }
    let place = positioned.place - page[root].offset
    page.attach(result.fragment, to: root, at: place)
    placedPositioned[result.fragment] = positioned.box
    if let next = result.next {
      var rest = positioned
      rest.token = next
      rest.place.block = size.block
      carry(rest)
    }
    layoutInitialContainingBlock(
      result.outOfFlow.map { entry in
        var moved = entry
        moved.staticOffset = moved.staticOffset + place
        return moved
      }, root: root, size: size)
  }

  /// Looks for lines and pictures of positioned boxes that the end of the paper cuts or hides.
  ///
  /// - Returns: whether there are some not known before, so that the page has to be made again.
  func findPositionedOverPageEnd() -> Bool {
    guard !placedPositioned.isEmpty, !page.root.isNone else { return false }
    let end = paperEnd
    let farthest = contentAreaSize.block * Self.farthestPage
    let margins = pageMargins
    var found = false
    var stack: [(fragment: FragmentID, origin: LogicalOffset, around: (box: BoxID, place: LogicalOffset)?)] = [
      (page.root, .zero, nil)
    ]
    while let (id, origin, outer) = stack.popLast() {
      let fragment = page[id]
      let offset = origin + fragment.offset
      var around = outer
      var isClipping = false
      if fragment.kind == .box {
        let box = tree.boxes[fragment.box.index]
        let style = styles.boxes[box.style.box.index]
        if placedPositioned[id] == fragment.box {
          // A fixed box belongs to its page, and what stands beside the paper stays there.
          let isBeside =
            offset.inline >= contentAreaSize.inline + margins.lineRight
            || offset.inline + fragment.size.inline <= -margins.lineLeft
          around = style.position == .fixed || isBeside ? nil : (fragment.box, offset)
        }
        isClipping = style.overflowY != .visible && fragment.box != BoxTree.root && box.parent != BoxTree.root
      }
      let bottom = offset.block + fragment.size.block
      if let around, bottom > end, placesOverPageEnd[around.box] == nil, around.place.block < farthest,
        fragment.kind == .line
          || fragment.kind == .box && tree.boxes[fragment.box.index].content == .replaced
      {
        placesOverPageEnd[around.box] = around.place
        found = true
      }
      if isClipping, bottom <= end { continue }
      var child = fragment.firstChild
      while !child.isNone {
        stack.append((child, offset, around))
        child = page[child].nextSibling
      }
    }
    return found
  }
}
