import BoxGeneration
import Primitives
package import Shaping

/// Lays boxes out and measures them by the formatting context that they establish. Each of these contexts asks for the content of
/// others through it, and knows none of them.
protocol BoxLayout {
  /// Lays out a box whose content is boxes or text, in the terms of its writing mode.
  func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult
  /// Min-content and max-content size of a box's content (CSS Sizing 3, section 5.1).
  func contentSizes(of box: BoxID, _ context: LayoutContext) -> IntrinsicSizes
}

extension LayoutContext {
  /// The box is a part of a formula that is placed by the rules of formulas.
  @inline(__always)
  fileprivate func isFormula(_ box: BoxID) -> Bool {
    tree.boxes[box.index].flags.contains(.formula) && tree.formulas[box] != nil
  }
}

/// The formatting contexts of CSS (CSS Display 3, section 2).
package struct FormattingContexts: BoxLayout {
  /// The workspace in which one worker lays a chapter out.
  package static func workspace(_ inputs: LayoutInputs, shaper: Shaper) -> LayoutWorkspace {
    LayoutWorkspace(inputs, shaper: shaper, boxLayout: FormattingContexts())
  }

  func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> LayoutResult {
    if context.isFormula(box) { return MathLayout.layout(box, in: space, context, &progress) }
    return switch context.tree.boxes[box.index].kind {
    case .table: TableLayout.layout(box, in: space, from: token, context, &progress)
    case .flex: FlexLayout.layout(box, in: space, from: token, context, &progress)
    case .grid: GridModel.layout(box, in: space, from: token, context, &progress)
    case .columns: ColumnLayout.layout(box, in: space, from: token, context, &progress)
    case .tableCell where context.isMulticol(box): ColumnLayout.layout(box, in: space, from: token, context, &progress)
    default: BlockFlow.layout(box, in: space, from: token, context, &progress)
    }
  }

  func contentSizes(of box: BoxID, _ context: LayoutContext) -> IntrinsicSizes {
    let value = context.tree.boxes[box.index]
    if context.isFormula(box) { return MathLayout.contentSizes(of: box, context) }
    if value.content == .text { return context.inlineIntrinsicSizes(box, text: value.text) }
    switch value.kind {
    case .table: return context.tableIntrinsicSizes(box)
    case .flex: return context.flexIntrinsicSizes(box)
    case .grid: return GridModel.contentSizes(of: box, context)
    case .columns: return context.columnIntrinsicSizes(box, content: context.blockContentSizes(of: box))
    case .tableCell where context.isMulticol(box):
      return context.columnIntrinsicSizes(box, content: context.blockContentSizes(of: box))
    default: return context.blockContentSizes(of: box)
    }
  }
}
