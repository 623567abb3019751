import BoxGeneration
import CSS
import Primitives
import Styling

/// A float at an edge of a page or column (CSS Page Floats 3).
struct PageFloat: Sendable {
  var box: BoxID
  /// It stands at the start; else at the end.
  var isAtStart: Bool
  /// Of the column around it, not of the page.
  var isOfColumn = false
}

/// The floats at the edges of the page or column being made, outermost first, and those that later ones begin with.
struct PageFloats {
  /// The share of a page or column that its floats may take: the rest is its text's.
  static let mostOfPage = 0.75

  private(set) var placed: [PageFloat] = []
  private(set) var waiting: [PageFloat] = []
  /// The block size of the floats at the start, and of those at the end, with their margins.
  private(set) var startSize = LayoutUnit.zero
  private(set) var endSize = LayoutUnit.zero

  var isEmpty: Bool { placed.isEmpty && waiting.isEmpty }

  /// The floats that wait, for the checkpoint.
  var pushed: [PushedFloat] {
    waiting.map { PushedFloat(box: $0.box, token: nil, left: .zero, right: .zero) }
  }

  func holds(_ float: PageFloat) -> Bool { (placed + waiting).contains { $0.box == float.box } }

  /// Adds a float of some block size; it waits where floats before it do, or the page has no room for it.
  ///
  /// - Returns: `true` if it stands on the page.
  mutating func add(_ float: PageFloat, size: LayoutUnit, page: LayoutUnit) -> Bool {
    guard waiting.isEmpty, startSize + endSize + size <= page * Self.mostOfPage else {
      wait(float)
      return false
    }
    placed.append(float)
    if float.isAtStart { startSize += size } else { endSize += size }
    return true
  }

  mutating func wait(_ float: PageFloat) { waiting.append(float) }
}

extension FloatValue {
  /// It goes to an edge of the page or column.
  var isOfPage: Bool {
    switch self {
    case .top, .bottom, .snapBlock: true
    case .none, .left, .right, .inlineStart, .inlineEnd, .footnote: false
    }
  }
}

extension LayoutContext {
  func isPageFloat(_ box: BoxID) -> Bool {
    inputs.hasPageFloats && tree.boxes[box.index].flags.contains(.float) && pageSide(of: box).isOfPage
  }

  func pageSide(of box: BoxID) -> FloatValue { styles.boxes[tree.boxes[box.index].style.box.index].float }

  func refersToColumn(_ box: BoxID) -> Bool {
    styles.pages[tree.boxes[box.index].style.page.index].floatReference == .column
  }

  /// A float of the page that earlier ones had no room for.
  func isWaitingPageFloat(_ float: PushedFloat) -> Bool {
    float.token == nil && isPageFloat(float.box) && leavesRoomForText(float.box, in: contentAreaSize)
  }

  func leavesRoomForText(_ box: BoxID, in area: LogicalSize) -> Bool {
    blockSizeOfPageFloat(box, in: area) <= area.block * PageFloats.mostOfPage
  }

  /// The edge of the page or column that a float goes to whose place in the flow is `block`; nil for one that stands there, as
  /// others do: beside text, too large for a page of its text's, or not near to an edge that it would snap to.
  func pageFloat(_ box: BoxID, at block: LayoutUnit, in space: InlineSpace) -> PageFloat? {
    guard isPageFloat(box) else { return nil }
    let column = space.fragmentainer.columnDepth > 0 && refersToColumn(box) ? page.column : nil
    if let known = (column?.floats ?? page.pageFloats).first(where: { $0.box == box }) { return known }
    let area = column?.size ?? contentAreaSize
    guard leavesRoomForText(box, in: area) else { return nil }
    var float = PageFloat(box: box, isAtStart: true, isOfColumn: column != nil)
    switch pageSide(of: box) {
    case .top: return float
    case .bottom:
      float.isAtStart = false
      return float
    default:
      let style = tree.boxes[box.index].style
      let snap = styles.boxes[style.box.index].rare?.values.snapBlock ?? SnapBlock()
      let near = resolve(snap.distance, font: style.font)
      let top = space.fragmentainer.offset + block
      let below = area.block - top - blockSizeOfPageFloat(box, in: area)
      if snap.edge != .end, top <= near, top <= below || snap.edge == .start { return float }
      // What does not fit where it stands goes to the start of the next page.
      float.isAtStart = false
      return snap.edge != .start && below <= near && below >= .zero ? float : nil
    }
  }

  /// The block size of a float at the edge of a page or column of some size, with its margins.
  func blockSizeOfPageFloat(_ box: BoxID, in area: LogicalSize) -> LayoutUnit {
    let savepoint = page.savepoint()
    defer { page.rollBack(to: savepoint) }
    var nothing = FlowProgress()
    let laid = layoutPageFloat(box, in: area, &nothing)
    return laid.result.size.block + laid.margins.blockSum
  }

  /// Lays out a float as wide as the area of a page or column, unless it has a width of its own.
  func layoutPageFloat(_ box: BoxID, in area: LogicalSize, _ progress: inout FlowProgress) -> (
    result: LayoutResult, margins: FlowEdges, lineLeft: LayoutUnit
  ) {
    let direction = styles.paragraphs[tree.boxes[BoxTree.root.index].style.paragraph.index].direction
    var space = ConstraintSpace(
      mode: mode, availableInline: area.inline, percentageBlock: area.block, direction: direction)
    let sizing = inlineSizing(of: box, available: area.inline, space: space)
    space.imposed.inline = sizing.inlineSize
    space.geometry = sizing.geometry
    let result = layout(box, in: space, from: nil, &progress)
    return (result, margins(of: box, availableInline: area.inline), sizing.lineLeft)
  }

  /// Lays out text between the floats at the edges of an area: those that wait, and those whose places in the text are there and stay
  /// there in the room that the floats leave it. A float whose place does not stay waits for the next page or column.
  ///
  /// - Parameter text: Lays out the text between floats, and tells which floats it has met.
  func settleFloats(
    _ waiting: [PushedFloat], areOfColumn: Bool, in area: LogicalSize,
    text: (PageFloats) -> (result: LayoutResult, met: [PageFloat])
  ) -> (floats: PageFloats, result: LayoutResult) {
    var floats = PageFloats()
    func add(_ float: PageFloat) -> Bool {
      floats.add(float, size: blockSizeOfPageFloat(float.box, in: area), page: area.block)
    }
    for pushed in waiting {
      _ = add(
        PageFloat(box: pushed.box, isAtStart: pageSide(of: pushed.box) != .bottom, isOfColumn: areOfColumn))
    }
    var (result, met) = text(floats)
    while let next = met.first(where: { $0.isOfColumn == areOfColumn && !floats.holds($0) }) {
      let before = floats
      guard add(next) else { continue }
      (result, met) = text(floats)
      guard !met.contains(where: { $0.box == next.box }) else { continue }
      floats = before
      floats.wait(next)
      (result, met) = text(floats)
    }
    return (floats, result)
  }

  /// Hangs floats into a fragment whose corner is at `origin` of their area, from `start` on and up to `end`.
  ///
  /// - Returns: The positioned boxes in them, by their places from the fragment.
  func attach(
    _ floats: [PageFloat], in area: LogicalSize, from start: LayoutUnit, to end: LayoutUnit, parent: FragmentID,
    origin: LogicalOffset, _ progress: inout FlowProgress
  ) -> [OutOfFlowBox] {
    var (start, end) = (start, end)
    var outOfFlow: [OutOfFlowBox] = []
    for float in floats {
      let (result, margins, lineLeft) = layoutPageFloat(float.box, in: area, &progress)
      let size = result.size.block + margins.blockSum
      if !float.isAtStart { end = end - size }
      let place = LogicalOffset(
        inline: lineLeft - origin.inline, block: (float.isAtStart ? start : end) + margins.blockStart - origin.block)
      if float.isAtStart { start += size }
      page.attach(result.fragment, to: parent, at: place)
      outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place)
    }
    return outOfFlow
  }
}

extension PageComposer {
  /// Lays the page out between the floats at its edges.
  mutating func composeWithPageFloats() -> LayoutResult {
    let context = context
    let footnotes = state.footnotes
    let settled = context.settleFloats(
      state.pushed.filter(context.isWaitingPageFloat), areOfColumn: false, in: context.contentAreaSize
    ) { floats in
      pageFloats = floats
      state.footnotes = footnotes
      return (composeText(), progress.pageFloats)
    }
    pageFloats = settled.floats
    if context.page.root.isNone {
      for float in pageFloats.placed { pageFloats.wait(float) }
    } else {
      placePageFloats()
    }
    return settled.result
  }

  private mutating func placePageFloats() {
    let page = context.page
    let area = context.contentAreaSize
    let root = page[page.root].offset
    var end = area.block
    if state.footnotes.areOnPage, let notes = page.last(of: context.tree.footnoteArea) {
      let margins = context.margins(of: context.tree.footnoteArea, availableInline: area.inline)
      end = root.block + page[notes].offset.block - margins.blockStart
    }
    let outOfFlow = context.attach(
      pageFloats.placed, in: area, from: .zero, to: end, parent: page.root, origin: root, &progress)
    context.layoutInitialContainingBlock(outOfFlow, root: page.root, size: area, progress: &progress)
    // Floats of the page inside those that stand on it.
    for float in progress.pageFloats where !pageFloats.holds(float) { pageFloats.wait(float) }
  }
}
