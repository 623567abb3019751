package import BoxGeneration
package import Primitives

/// Where to go on with a box on the next page: immutable, a tree along the boxes that a break crossed.
package final class BreakToken: Sendable {
  package let box: BoxID
  /// The box has produced nothing yet: the break is before it.
  package let isBreakBefore: Bool
  /// Block size of the box (border box) on earlier pages.
  package let consumedBlockSize: LayoutUnit
  /// Children to resume, in order: at most one in-flow block child, the cells of a row, floats that continue.
  package let children: [BreakToken]
  /// The first child not started yet, `.none` when all have been started.
  package let nextChild: BoxID
  /// For an inline formatting context: where the next line starts.
  package let inline: InlineBreak?
  /// For a table or flex container: the row or item index to go on with, and kind-specific state.
  package let index: Int
  /// For the rest of an atomic inline: where it stands along its line, from the content edge of the block container.
  package let lineOffset: LayoutUnit
  /// Whether `break-before`, `break-after` or `page` forced the break, and what page they ask for.
  package let forced: ForcedBreak
  package var isForced: Bool { forced != .none }
  /// All in-flow content has been laid out; only the box's remaining fixed height goes on.
  package let isAtBlockEnd: Bool
  /// Floats of a multi-column container that the next page begins with.
  package let floats: [CarriedFloat]
  /// Absolutely positioned boxes that stand from the end of the box, so in its last part.
  package let positioned: [OutOfFlowBox]

  package init(
    box: BoxID, isBreakBefore: Bool = false, consumedBlockSize: LayoutUnit = .zero, children: [BreakToken] = [],
    nextChild: BoxID = .none,
    inline: InlineBreak? = nil, index: Int = 0, lineOffset: LayoutUnit = .zero, forced: ForcedBreak = .none,
    isAtBlockEnd: Bool = false,
    floats: [CarriedFloat] = [], positioned: [OutOfFlowBox] = []
  ) {
    self.box = box
    self.isBreakBefore = isBreakBefore
    self.consumedBlockSize = consumedBlockSize
    self.children = children
    self.nextChild = nextChild
    self.inline = inline
    self.index = index
    self.lineOffset = lineOffset
    self.forced = forced
    self.isAtBlockEnd = isAtBlockEnd
    self.floats = floats
    self.positioned = positioned
  }

  package static func before(_ box: BoxID, forced: ForcedBreak = .none) -> BreakToken {
    BreakToken(box: box, isBreakBefore: true, forced: forced)
  }
  /// The same place with positioned boxes that wait for the box's last part.
  func holding(_ positioned: [OutOfFlowBox]) -> BreakToken {
    BreakToken(
      box: box, isBreakBefore: isBreakBefore, consumedBlockSize: consumedBlockSize, children: children,
      nextChild: nextChild, inline: inline, index: index, lineOffset: lineOffset, forced: forced,
      isAtBlockEnd: isAtBlockEnd, floats: floats,
      positioned: positioned)
  }
  /// Whether both go on at the same content: the page between them has set none.
  func isSamePlace(as other: BreakToken) -> Bool {
    box == other.box && isBreakBefore == other.isBreakBefore && nextChild == other.nextChild
      && inline == other.inline && index == other.index && isAtBlockEnd == other.isAtBlockEnd
      && children.count == other.children.count && floats.count == other.floats.count
      && zip(children, other.children).allSatisfy { $0.isSamePlace(as: $1) }
  }
  /// The last node, in document order, of a box in which the page ended or which comes next; nil where an anonymous box was
  /// divided, which may change with the siblings that are to come.
  package func furthestNode(in tree: BoxTree) -> NodeID? {
    let node = tree.boxes[box.index].node
    var furthest = node
    if !nextChild.isNone { furthest = Swift.max(furthest, tree.boxes[nextChild.index].node) }
    for child in children {
      guard tree.boxes[child.box.index].node != node, let found = child.furthestNode(in: tree) else { return nil }
      furthest = Swift.max(furthest, found)
    }
    return furthest
  }
  package func child(for box: BoxID) -> BreakToken? { children.first { $0.box == box } }
}

/// Where a paragraph goes on.
package struct InlineBreak: Sendable, Hashable {
  /// First UTF-16 unit of the next line.
  package var unit: UInt32
  /// Index of the first run not consumed, counted in the paragraph's runs (zero-width runs at `unit` may be done or not).
  package var run: UInt32
  /// The next line follows a forced break, so it counts as a first line for `text-indent: each-line`.
  package var afterForcedBreak: Bool
  /// Lines already set, and how many of the last ones in a row end in a hyphen.
  package var linesBefore: UInt32
  package var hyphensInARow: UInt16
  package init(unit: UInt32, run: UInt32, afterForcedBreak: Bool, linesBefore: UInt32, hyphensInARow: UInt16) {
    self.unit = unit
    self.run = run
    self.afterForcedBreak = afterForcedBreak
    self.linesBefore = linesBefore
    self.hyphensInARow = hyphensInARow
  }
}
