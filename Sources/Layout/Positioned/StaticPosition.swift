import BoxGeneration
import CSS
import Primitives
import Styling

extension OutOfFlowBox {
  /// A box of the line's level where no line stands: as if an empty one did, beside floats and set to the side that `align` says.
  mutating func standInEmptyLine(of space: InlineSpace, align: TextAlign) {
    let (left, right) = (space.bfcOffset.inline, space.bfcOffset.inline + space.contentInline)
    let room =
      space.exclusions.isEmpty
      ? (left: left, right: right)
      : space.exclusions.room(at: space.bfcOffset.block, height: .zero, left: left, right: right, isLine: true)
    let share = align.edge(in: staticDirection).share(of: Swift.max(.zero, room.right - room.left))
    staticOffset.inline += room.left - left + share
    staticInlineSize = .zero
  }
}

extension TextAlign {
  /// The side that lines are set to, from line-left to line-right (CSS Text 3, section 6).
  func edge(in direction: TextDirection) -> StaticEdge {
    switch self {
    case .left, .webkitLeft: .start
    case .right, .webkitRight: .end
    case .center, .webkitCenter: .center
    case .end: direction == .ltr ? .end : .start
    case .start, .justify, .justifyAll, .matchParent, .houseJustify: direction == .ltr ? .start : .end
    }
  }
}

extension LayoutContext {
  /// A positioned box would be of the line's level if it were in the flow.
  func isInlineLevelOutOfFlow(_ box: BoxID) -> Bool {
    let outside = styles.boxes[tree.boxes[box.index].style.box.index].originalDisplay.outside
    return outside == .inline || outside == .atomic
  }
}
