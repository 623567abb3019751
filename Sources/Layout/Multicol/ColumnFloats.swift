import BoxGeneration
import Primitives

/// A column with the floats at its edges (CSS Page Floats 3, `float-reference: column`).
struct FloatColumn {
  var size: LogicalSize
  /// Those known to stand there.
  var floats: [PageFloat] = []
}

extension LayoutContext {
  /// Lays a column out between the floats at its edges.
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
    func isWaiting(_ float: PushedFloat) -> Bool {
      float.token == nil && isPageFloat(float.box) && refersToColumn(float.box)
        && leavesRoomForText(float.box, in: area)
    }
    let waiting = space.resumedFloats.filter(isWaiting)
    var space = space
    space.resumedFloats.removeAll(where: isWaiting)
    let settled = settleFloats(waiting, areOfColumn: true, in: area) { floats in
      page.rollBack(to: savepoint)
      progress = before
      page.column = FloatColumn(size: area, floats: floats.placed)
      var inner = space
      inner.fragmentainer.offset = floats.startSize
      if block < Fragmentainer.endlessSize { inner.fragmentainer.size = block - floats.endSize }
      return (text(inner, &progress), progress.pageFloats)
    }
    let floats = settled.floats
    var result = settled.result
    guard !result.fragment.isNone else { return result }
    progress.pushedFloats += floats.pushed
    guard !floats.placed.isEmpty else { return result }
    page.moveContent(of: result.fragment, by: floats.startSize)
    let boxes = result.outOfFlow
    result.outOfFlow = []
    result.outOfFlow.append(contentsOf: boxes, movedBy: LogicalOffset(inline: .zero, block: floats.startSize))
    result.baselines.move(by: floats.startSize)
    // A column without an end is as high as its content.
    result.size.block =
      floats.endSize > .zero && block < Fragmentainer.endlessSize
      ? block : floats.startSize + result.size.block + floats.endSize
    result.outOfFlow += attach(
      floats.placed, in: area, from: .zero, to: result.size.block, parent: result.fragment, origin: .zero, &progress)
    return result
  }
}
