import BoxGeneration
import Primitives

extension LayoutContext {
  /// Lays out any block-level, atomic or out-of-flow box whose inline size the caller has decided, under the mode of its space.
  func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ progress: inout FlowProgress
  ) -> LayoutResult {
    let context = with(space.mode)
    let value = tree.boxes[box.index]
    workspace.trials.count()
    if isCancelled {
      return LayoutResult(fragment: page.appendBox(box, size: .zero, geometry: BoxGeometry()), size: .zero)
    }
    if value.content == .replaced { return context.layoutReplaced(box, in: space) }
    if hasTurnedFlows, context.turns(value) { return context.layoutTurned(box, in: space, from: token, &progress) }
    switch value.kind {
    case .table: return TableLayout.layout(box, in: space, from: token, context, &progress)
    case .flex: return FlexLayout.layout(box, in: space, from: token, context, &progress)
    case .grid: return GridModel.layout(box, in: space, from: token, context, &progress)
    case .columns: return ColumnLayout.layout(box, in: space, from: token, context, &progress)
    default: return BlockFlow.layout(box, in: space, from: token, context, &progress)
    }
  }
}
