import BoxGeneration
import CSS
import Primitives

/// A column with the floats at its edges (CSS Page Floats 3, `float-reference: column`).
struct FloatColumn {
  var size: LogicalSize
  /// Those known to stand there.
  var floats: [PageFloat] = []
}

extension LayoutContext {
  /// Lays a column out between the floats at its edges: those that wait, and those whose places in its text are in it and stay there
  /// in the room that the floats leave it. A float whose place does not stay goes to the next column.
  ///
  /// - Parameter text: Lays out the text of the column in the space it is given.
  func layoutColumn(
    _ space: ConstraintSpace, _ progress: inout FlowProgress,
    text: (ConstraintSpace, inout FlowProgress) -> LayoutResult
  ) -> LayoutResult {
    let outer = page.column
    defer { page.column = outer }
    let block = space.fragmentainer.size ?? Fragmentainer.endlessSize
    let area = LogicalSize(inline: space.borderBoxInline, block: block)
    let savepoint = page.savepoint()
    let before = progress
    var floats = PageFloats()
    var space = space
    func isWaiting(_ float: CarriedFloat) -> Bool {
      float.token == nil && isPageFloat(float.box) && refersToColumn(float.box)
        && leavesRoomForText(float.box, in: area)
    }
    for carried in space.resumedFloats where isWaiting(carried) {
      let float = PageFloat(box: carried.box, isAtStart: pageSide(of: carried.box) != .bottom, isOfColumn: true)
      _ = floats.add(float, size: blockSizeOfPageFloat(float.box, in: area), page: block)
    }
    space.resumedFloats.removeAll(where: isWaiting)
    func compose() -> LayoutResult {
      page.goBack(to: savepoint)
      progress = before
      page.column = FloatColumn(size: area, floats: floats.placed)
      var inner = space
      inner.fragmentainer.offset = floats.startSize
      if block < Fragmentainer.endlessSize { inner.fragmentainer.size = block - floats.endSize }
      return text(inner, &progress)
    }
    var result = compose()
    while let next = progress.pageFloats.first(where: { $0.isOfColumn && !floats.holds($0) }) {
      let known = floats
      guard floats.add(next, size: blockSizeOfPageFloat(next.box, in: area), page: block) else { continue }
      result = compose()
      guard !progress.pageFloats.contains(where: { $0.box == next.box }) else { continue }
      floats = known
      floats.wait(next)
      result = compose()
    }
    guard !result.fragment.isNone else { return result }
    progress.carriedFloats += floats.carried
    if !floats.placed.isEmpty { place(floats.placed, from: floats.startSize, in: area, &result, &progress) }
    return result
  }

  /// Puts floats at the edges of a column whose text begins at `start`.
  private func place(
    _ floats: [PageFloat], from start: LayoutUnit, in area: LogicalSize, _ result: inout LayoutResult,
    _ progress: inout FlowProgress
  ) {
    page.moveContent(of: result.fragment, by: start)
    let down = LogicalOffset(inline: .zero, block: start)
    let boxes = result.outOfFlow
    result.outOfFlow = []
    result.outOfFlow.append(contentsOf: boxes, movedBy: down)
    result.baselines.move(by: start)
    let laid = floats.map { (float: $0, box: layoutPageFloat($0.box, in: area, &progress)) }
    func size(_ box: (result: LayoutResult, margins: FlowEdges, lineLeft: LayoutUnit)) -> LayoutUnit {
      box.result.size.block + box.margins.blockSum
    }
    let text = start + result.size.block
    let below = laid.filter { !$0.float.isAtStart }.map { size($0.box) }.reduce(.zero, +)
    // A column without an end is as high as its content.
    result.size.block = below > .zero ? (area.block < Fragmentainer.endlessSize ? area.block : text + below) : text
    var top = LayoutUnit.zero
    var bottom = result.size.block
    for (float, box) in laid {
      if !float.isAtStart { bottom = bottom - size(box) }
      let place = LogicalOffset(inline: box.lineLeft, block: (float.isAtStart ? top : bottom) + box.margins.blockStart)
      if float.isAtStart { top += size(box) }
      page.attach(box.result.fragment, to: result.fragment, at: place)
      result.outOfFlow.append(contentsOf: box.result.outOfFlow, movedBy: place)
    }
  }
}
