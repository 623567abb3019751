import BoxGeneration
import CSS
import Primitives
import Styling

/// An absolutely positioned box, or what is left of one, that stands on a later page.
struct PushedPositioned: Sendable {
  var box: BoxID
  /// The continuation; nil to start.
  var token: BreakToken?
  /// Its border box, from the corner of the area of the page that it was carried from.
  var place: LogicalOffset
  var space: ConstraintSpace
}

/// An absolutely positioned box that does not stand on the page that it is met on, or not whole.
struct DisplacedPlace {
  enum Edge { case start, end }
  /// Its border box, from the corner of the page's area.
  var offset: LogicalOffset
  /// It stands above the page's start, or reaches over its end.
  var edge: Edge
}

/// Positioned boxes over page ends (CSS Positioned Layout 3, section 2.1): they stand in their containing block as if the pages
/// were one long strip. What reaches over a page's end is found once the page is laid out, and then the page is made again.
extension LayoutContext {
  /// The number of pages that further content may stand away: what is put off farther is meant to be seen nowhere.
  private static let farthestPage = 50

  /// The place below which positioned boxes are not seen, from the start of the page's area: the end of the paper, or where the
  /// page was laid out for paper, of its area.
  var positionedEnd: LayoutUnit { contentAreaSize.block + (settings.isPrinted ? .zero : pageMargins.blockEnd) }
  private var pageMargins: FlowEdges { pageBox.flowMargins(in: tree.writingMode) }

  /// Puts a box off to the next page; its place is given from the corner of this one.
  func push(_ positioned: PushedPositioned, to progress: inout FlowProgress) {
    var positioned = positioned
    positioned.place.block -= contentAreaSize.block
    progress.push(positioned)
  }

  /// One part of a positioned box between page ends, which knows nothing of the flow before it.
  func layoutPart(
    of box: BoxID, in space: ConstraintSpace, from token: BreakToken?, progress: inout FlowProgress
  ) -> LayoutResult {
    var own = FlowProgress()
    own.pushedFloats = progress.pushedFloats
    let result = layoutParallelFlow(box, in: space, from: token, isInFlow: false, &own)
    progress.pushedFloats = own.pushedFloats
    progress.pushedPositioned += own.pushedPositioned
    progress.raisedPositioned += own.raisedPositioned
    for float in own.pageFloats { progress.meet(float) }
    return result
  }

  /// Goes on with a box carried from the page before.
  func resume(
    _ positioned: PushedPositioned, root: FragmentID, size: LogicalSize, mayPart: Bool, progress: inout FlowProgress
  ) {
    trials.countPositioned()
    guard positioned.place.block < size.block else { return push(positioned, to: &progress) }
    var space = positioned.space
    space.fragmentainer.size = mayPart ? size.block : nil
    space.fragmentainer.offset = positioned.place.block
    space.fragmentainer.isPaper = settings.isPrinted
    space.fragmentainer.isAtStart = positioned.place.block <= .zero || positioned.token != nil
    let result = layoutPart(of: positioned.box, in: space, from: positioned.token, progress: &progress)
    guard !result.fragment.isNone else {
      if !space.fragmentainer.isAtStart {
        var positioned = positioned
        positioned.place.block = size.block
        push(positioned, to: &progress)
      }
      return
    }
    let place = positioned.place - page[root].offset
    page.attach(result.fragment, to: root, at: place)
    page.insert(.positioned, into: result.fragment)
    if let next = result.rest {
      var rest = positioned
      rest.token = next
      rest.place.block = size.block
      push(rest, to: &progress)
    }
    var outOfFlow: [OutOfFlowBox] = []
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place)
    layoutInitialContainingBlock(outOfFlow, root: root, size: size, progress: &progress)
  }

  /// A positioned box stands on the next page, where its containing block goes on anyway: it is seen there though it
  /// has nothing but a background, and begins no page.
  private func isOnNextPage(_ positioned: Visit.Positioned) -> Bool {
    positioned.isInParts && positioned.place.block >= contentAreaSize.block
      && positioned.place.block < contentAreaSize.block * 2
  }

  /// Looks for lines and pictures of positioned boxes that the page's end cuts or hides, and for boxes above its start.
  ///
  /// - Parameter mayRaise: There is a page before.
  /// - Returns: those not known before, by their places: the page has to be made again where there are some.
  func positionedOffPage(mayRaise: Bool) -> [BoxID: DisplacedPlace] {
    guard !page.root.isNone, page.hasPositioned else { return [:] }
    let end = positionedEnd
    let farthest = contentAreaSize.block * Self.farthestPage
    let margins = pageMargins
    // On screens what stands in the margin is seen there.
    let start = settings.isPrinted ? .zero : -margins.blockStart
    var found: [BoxID: DisplacedPlace] = [:]
    var stack: [Visit] = [Visit(fragment: page.root, origin: .zero)]
    while let visit = stack.popLast() {
      let id = visit.fragment
      let fragment = page[id]
      let offset = visit.origin + fragment.offset
      var around = visit.around
      var isClipping = false
      if fragment.kind == .box {
        let box = tree.boxes[fragment.box.index]
        let style = styles.boxes[box.style.box.index]
        if fragment.flags.contains(.positioned) {
          // A fixed box belongs to its page, and what stands beside the paper stays there.
          let isBeside =
            offset.inline >= contentAreaSize.inline + margins.lineRight
            || offset.inline + fragment.size.inline <= -margins.lineLeft
          around = style.position == .fixed || isBeside ? nil : Visit.Positioned(box: fragment.box, place: offset)
          around?.isInParts = visit.isInParts
        }
        isClipping = style.overflowY != .visible && fragment.box != BoxTree.root && box.parent != BoxTree.root
      }
      let bottom = offset.block + fragment.size.block
      if fragment.flags.contains(.positioned), around?.box == fragment.box, page.displaced[fragment.box] == nil,
        inputs.forcedBreaks.contains(fragment.box, inColumns: false)
      {
        found[fragment.box] = DisplacedPlace(offset: offset, edge: .end)
      }
      // What is put off by more than a page is meant to be seen nowhere.
      if mayRaise, fragment.flags.contains(.positioned), around?.box == fragment.box, bottom <= start,
        offset.block >= -contentAreaSize.block, page.displaced[fragment.box] == nil
      {
        found[fragment.box] = DisplacedPlace(offset: offset, edge: .start)
      }
      if let around, bottom > (around.isInParts ? contentAreaSize.block : end),
        page.displaced[around.box] == nil, found[around.box] == nil,
        around.place.block < farthest || around.isInParts,
        fragment.kind == .line
          || fragment.kind == .box
            && (settings.isPrinted || tree.boxes[fragment.box.index].content == .replaced || isOnNextPage(around))
      {
        found[around.box] = DisplacedPlace(offset: around.place, edge: .end)
      }
      if isClipping, bottom <= end, !fragment.flags.contains(.continuesAfter) { continue }
      var child = fragment.firstChild
      while !child.isNone {
        stack.append(
          Visit(
            fragment: child, origin: offset, around: around, isInParts: fragment.flags.contains(.continuesAfter)))
        child = page[child].nextSibling
      }
    }
    return found
  }
}

/// A fragment on the way through those of a page.
private struct Visit {
  /// The innermost positioned box around a fragment, and its place on the page.
  struct Positioned {
    var box: BoxID
    var place: LogicalOffset
    /// Its containing block goes on on the next page, directly below the end of this one.
    var isInParts = false
  }

  var fragment: FragmentID
  var origin: LogicalOffset
  var around: Positioned?
  /// The fragment that it hangs in goes on on the next page.
  var isInParts = false
}
