import Primitives

/// Physical sides, which alignment by a box's own writing mode compares (CSS Box Alignment 3, section 4.1).
extension WritingMode {
  /// The edge along the lines of this mode at which a box of another one has its start: at their line-left or their
  /// line-right side.
  func lineLeftEdge(ofStartOf mode: WritingMode, _ direction: TextDirection) -> StaticEdge {
    let start = isHorizontal == mode.isHorizontal ? mode.inlineStart(direction) : mode.blockStart
    return start == lineLeft ? .start : .end
  }

  /// The edge across the lines of this mode at which a box of another one has its start.
  func blockStartEdge(ofStartOf mode: WritingMode, _ direction: TextDirection) -> StaticEdge {
    let start = isHorizontal == mode.isHorizontal ? mode.blockStart : mode.inlineStart(direction)
    return start == blockStart ? .start : .end
  }

  /// The sides of this mode that those of another one are, line-left to line-right and block-start to block-end.
  func edges(
    of edges: (inline: StaticEdge, block: StaticEdge), in mode: WritingMode
  ) -> (inline: StaticEdge, block: StaticEdge) {
    func turned(_ edge: StaticEdge, isSame: Bool) -> StaticEdge { isSame ? edge : edge.opposite }
    if isHorizontal == mode.isHorizontal {
      return (
        turned(edges.inline, isSame: lineLeft == mode.lineLeft),
        turned(edges.block, isSame: blockStart == mode.blockStart)
      )
    }
    return (
      turned(edges.block, isSame: lineLeft == mode.blockStart),
      turned(edges.inline, isSame: blockStart == mode.lineLeft)
    )
  }
}
