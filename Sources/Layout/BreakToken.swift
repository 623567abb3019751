package import BoxGeneration
package import Primitives

/// A break token, the place to go on with a box on the next page: immutable, a tree along the boxes that a break
/// crossed.
package final class BreakToken: Sendable {
  package let box: BoxID
  /// Block size of the box (border box) on earlier pages.
  let consumedBlockSize: LayoutUnit
  let place: Place
  /// Absolutely positioned boxes that stand in later parts: from the end of the box, or where the strip of its columns
  /// has them.
  let positioned: [OutOfFlowBox]
  /// Continuations of the content of boxes that have ended themselves: it sticks out of them, and what follows them is
  /// beside it.
  let parallel: [BreakToken]
  /// The rests of floats in the formatting context of the box: its next part begins with them.
  let floats: [PushedFloat]

  /// The place in the box, by what it holds.
  enum Place: Sendable {
    /// Nothing of the box has been produced: the break is before it.
    case before(forced: ForcedBreak)
    /// In or between block-level children.
    ///
    /// - resumed: The child that the page ended in.
    /// - next: The first child that was not started, `.none` when all were.
    case blocks(resumed: BreakToken?, next: BoxID, forced: ForcedBreak)
    /// Between the lines of a text; nil where none has been set. The rests of atomic inlines come first.
    case lines(at: InlineBreak?, parts: [AtomicPart])
    /// In or before a row of a table, or one of its captions.
    ///
    /// - cells: Those that go on: the row's own, and those that reach into it from above. A caption above the first row, or below
    ///   the last.
    /// - isInRow: The row was begun.
    case tableRow(Int, cells: [BreakToken], isInRow: Bool, forced: ForcedBreak)
    /// In or before a row of flex or grid items.
    ///
    /// - items: Those of the row that go on; none where it was not begun.
    /// - inline: The inline size of the content box, which the rows depend on: further parts have the same.
    case itemRow(Int, items: [BreakToken], inline: LayoutUnit, forced: ForcedBreak)
    /// In rows of flex or grid items in a column: where each of the runs of rows beside each other goes on.
    case items([ItemTrack], inline: LayoutUnit, forced: ForcedBreak)
    /// In columns, with the floats that the next ones begin with.
    ///
    /// - spanner: A `column-span: all` box before what follows.
    /// - rest: Where the content goes on in columns: a token of the same box.
    case columns(spanner: BreakToken?, rest: BreakToken?, floats: [PushedFloat], forced: ForcedBreak)
    /// Behind all content: only the remaining height of the box goes on.
    ///
    /// - held: Of the root, where the flow goes on behind the tables that it waits for.
    case end(held: BreakToken?)
    /// Behind the box, which has ended, end edge and all: only what sticks out of it goes on (`parallel`).
    case ended
    /// In a picture.
    case slice
  }

  /// The rest of an atomic inline.
  struct AtomicPart: Sendable {
    let token: BreakToken
    /// The offset along its line, from the content edge of the block container.
    let lineOffset: LayoutUnit
  }

  init(
    box: BoxID, consumedBlockSize: LayoutUnit = .zero, _ place: Place, positioned: [OutOfFlowBox] = [],
    parallel: [BreakToken] = [], floats: [PushedFloat] = []
  ) {
    self.box = box
    // Negative margins can draw all of the content above the box.
    self.consumedBlockSize = Swift.max(.zero, consumedBlockSize)
    self.place = place
    self.positioned = positioned
    self.parallel = parallel
    self.floats = floats
  }

  static func before(_ box: BoxID, forced: ForcedBreak = .none) -> BreakToken {
    BreakToken(box: box, .before(forced: forced))
  }
  /// The same token but for what is named.
  private func with(
    consumedBlockSize: LayoutUnit? = nil, place: Place? = nil, positioned: [OutOfFlowBox]? = nil,
    parallel: [BreakToken]? = nil, floats: [PushedFloat]? = nil
  ) -> BreakToken {
    BreakToken(
      box: box, consumedBlockSize: consumedBlockSize ?? self.consumedBlockSize, place ?? self.place,
      positioned: positioned ?? self.positioned, parallel: parallel ?? self.parallel, floats: floats ?? self.floats)
  }
  /// The same place with further positioned boxes that wait.
  func holding(_ positioned: [OutOfFlowBox]) -> BreakToken { with(positioned: self.positioned + positioned) }
  /// The same place beside the rests of floats.
  func carrying(_ floats: [PushedFloat]) -> BreakToken { with(floats: floats) }
  /// The same place beside content that sticks out of boxes before it.
  func beside(_ parallel: [BreakToken]) -> BreakToken {
    parallel.isEmpty ? self : with(parallel: self.parallel + parallel)
  }
  /// The same content of a box that goes on with it, though it has ended itself, as a cell does with its row.
  var reopened: BreakToken { isEnded ? with(place: .end(held: nil)) : self }
  /// The same place behind parts of the box that are so high.
  func consuming(_ blockSize: LayoutUnit) -> BreakToken { with(consumedBlockSize: blockSize) }

  /// The break that `break-before`, `break-after` or `page` forced, and what page they ask for.
  package var forced: ForcedBreak {
    switch place {
    case .before(let forced), .blocks(_, _, let forced), .tableRow(_, _, _, let forced), .itemRow(_, _, _, let forced),
      .items(_, _, let forced), .columns(_, _, _, let forced):
      forced
    case .lines, .end, .ended, .slice: .none
    }
  }
  package var isForced: Bool { forced != .none }
  /// The page or column ends in the box because of a break that is forced in it, be it in a float.
  var endsByForce: Bool {
    isForced || children.contains(where: \.endsByForce) || floats.contains { $0.token?.endsByForce == true }
  }
  var isBreakBefore: Bool { if case .before = place { true } else { false } }
  /// All content in the flow is on earlier pages.
  var isAtEnd: Bool { if case .end = place { true } else { isEnded } }
  /// The box itself has ended.
  var isEnded: Bool { if case .ended = place { true } else { false } }
  /// Nothing is left of the box, neither height nor content that sticks out, as of an atomic inline that has ended
  /// before the text of its line is set.
  var isEmpty: Bool { isEnded && parallel.isEmpty && positioned.isEmpty && floats.isEmpty }

  /// The tokens of boxes in the box, and of its own content in columns, in order; content that sticks out comes last.
  var children: [BreakToken] { parallel.isEmpty ? inFlowChildren : inFlowChildren + parallel }

  private var inFlowChildren: [BreakToken] {
    switch place {
    case .before, .ended, .slice: []
    case .blocks(let resumed, _, _): resumed.map { [$0] } ?? []
    case .lines(_, let parts): parts.map(\.token)
    case .tableRow(_, let cells, _, _): cells
    case .itemRow(_, let items, _, _): items
    case .items(let tracks, _, _): tracks.flatMap(\.items)
    case .columns(let spanner, let rest, _, _): [spanner, rest].compactMap { $0 }
    case .end(let held): held.map { [$0] } ?? []
    }
  }
  /// The inline size of the content box of a container whose items go on.
  var itemsInline: LayoutUnit? {
    switch place {
    case .itemRow(_, _, let inline, _), .items(_, let inline, _): inline
    default: nil
    }
  }
  /// The first block-level child that was not started.
  var nextChild: BoxID { if case .blocks(_, let next, _) = place { next } else { .none } }

  /// Both tokens go on at the same content: the page between them has set none.
  func isSamePlace(as other: BreakToken) -> Bool {
    guard box == other.box else { return false }
    let isSame =
      switch (place, other.place) {
      case (.before, .before), (.ended, .ended): true
      // The rest of a box that columns divide becomes less.
      case (.end, .end): box == BoxTree.root || consumedBlockSize == other.consumedBlockSize
      case (.slice, .slice): consumedBlockSize == other.consumedBlockSize
      case (.blocks(_, let next, _), .blocks(_, let otherNext, _)): next == otherNext
      case (.lines(let line, _), .lines(let otherLine, _)): line == otherLine
      case (.tableRow(let row, _, let isInRow, _), .tableRow(let otherRow, _, let isInOther, _)):
        row == otherRow && isInRow == isInOther
      case (.itemRow(let row, _, _, _), .itemRow(let otherRow, _, _, _)): row == otherRow
      case (.items(let tracks, _, _), .items(let others, _, _)):
        tracks.map(\.row) == others.map(\.row) && tracks.map(\.isInRow) == others.map(\.isInRow)
          && consumedBlockSize == other.consumedBlockSize
      case (.columns(_, _, let floats, _), .columns(_, _, let otherFloats, _)): floats.isSamePlace(as: otherFloats)
      default: false
      }
    guard isSame, floats.isSamePlace(as: other.floats) else { return false }
    let (children, others) = (children, other.children)
    return children.count == others.count && zip(children, others).allSatisfy { $0.isSamePlace(as: $1) }
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
}

extension [BreakToken] {
  /// The break that any of the boxes forced which stand beside each other.
  var forced: ForcedBreak { map(\.forced).strongest }
}

/// The break in a paragraph: the line to go on with.
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
  /// Lines more than the best choice of lines has that the whole text is set in.
  package var looseness: Int8
  package init(
    unit: UInt32, run: UInt32, afterForcedBreak: Bool, linesBefore: UInt32, hyphensInARow: UInt16, looseness: Int8 = 0
  ) {
    self.unit = unit
    self.run = run
    self.afterForcedBreak = afterForcedBreak
    self.linesBefore = linesBefore
    self.hyphensInARow = hyphensInARow
    self.looseness = looseness
  }
}
