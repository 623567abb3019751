import Primitives

/// Physical sides, which alignment by a box's own writing mode compares (CSS Box Alignment 3, section 4.1).
extension WritingMode {
  enum PhysicalSide { case top, right, bottom, left }

  var blockStartSide: PhysicalSide {
    switch self {
    case .horizontalTB: .top
    case .verticalRL, .sidewaysRL: .right
    case .verticalLR, .sidewaysLR: .left
    }
  }
  private var lineLeftSide: PhysicalSide {
    switch self {
    case .horizontalTB: .left
    case .verticalRL, .sidewaysRL, .verticalLR: .top
    case .sidewaysLR: .bottom
    }
  }
  private func inlineStartSide(_ direction: TextDirection) -> PhysicalSide {
    let side = lineLeftSide
    guard direction == .rtl else { return side }
    switch side {
    case .top: return .bottom
    case .bottom: return .top
    case .left: return .right
    case .right: return .left
    }
  }

  /// Where along the lines of this mode a box of another one has its start: at their line-left or their line-right side.
  func lineLeftEdge(ofStartOf mode: WritingMode, _ direction: TextDirection) -> StaticEdge {
    let start = isHorizontal == mode.isHorizontal ? mode.inlineStartSide(direction) : mode.blockStartSide
    return start == lineLeftSide ? .start : .end
  }

  /// Where across the lines of this mode a box of another one has its start.
  func blockStartEdge(ofStartOf mode: WritingMode, _ direction: TextDirection) -> StaticEdge {
    let start = isHorizontal == mode.isHorizontal ? mode.blockStartSide : mode.inlineStartSide(direction)
    return start == blockStartSide ? .start : .end
  }

  /// The sides of this mode that those of another one are, line-left to line-right and block-start to block-end.
  func edges(
    of edges: (inline: StaticEdge, block: StaticEdge), in mode: WritingMode
  ) -> (inline: StaticEdge, block: StaticEdge) {
    func turned(_ edge: StaticEdge, isSame: Bool) -> StaticEdge { isSame ? edge : edge.opposite }
    if isHorizontal == mode.isHorizontal {
      return (
        turned(edges.inline, isSame: lineLeftSide == mode.lineLeftSide),
        turned(edges.block, isSame: blockStartSide == mode.blockStartSide)
      )
    }
    return (
      turned(edges.block, isSame: lineLeftSide == mode.blockStartSide),
      turned(edges.inline, isSame: blockStartSide == mode.lineLeftSide)
    )
  }
}
