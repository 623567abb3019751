import BoxGeneration
import Primitives

extension LayoutContext {
  func layoutTable(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    layoutBlock(box, in: space, from: token)
  }
  func tableInlineSize(_ box: BoxID, available: LayoutUnit, containing: LayoutUnit) -> LayoutUnit { available }
  func tableIntrinsicSizes(_ box: BoxID) -> IntrinsicSizes { IntrinsicSizes() }
}
