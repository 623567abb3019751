import BoxGeneration
import Primitives

extension LayoutContext {
  func layoutFlex(_ box: BoxID, in space: ConstraintSpace, from token: BreakToken?) -> LayoutResult {
    layoutBlock(box, in: space, from: token)
  }
  func flexIntrinsicSizes(_ box: BoxID) -> IntrinsicSizes { IntrinsicSizes() }
}
