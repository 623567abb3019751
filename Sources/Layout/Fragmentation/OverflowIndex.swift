import BoxGeneration
import CSS
import Primitives
import Styling

/// The boxes that content may stick out of at their block end, because they, or boxes in them, have a block size of
/// their own (CSS Overflow 3, section 2). Such a box does not fit a page because its size does: cells and floats ask
/// here.
struct OverflowIndex: Sendable {
  private var boxes: Set<BoxID> = []

  /// - Complexity: O(boxes), where any style gives a block size.
  init(_ tree: BoxTree, _ styles: StyleTable) {
    let givesSize = styles.boxes.map { Self.givesBlockSize($0, in: tree.writingMode) }
    guard givesSize.contains(true) else { return }
    func clips(_ box: BoxID) -> Bool {
      styles.boxes[tree.boxes[box.index].style.box.index].blockOverflow(in: tree.writingMode) != .visible
    }
    for index in tree.boxes.indices {
      let box = tree.boxes[index]
      guard givesSize[box.style.box.index], box.content != .replaced, !Self.growsWithContent(box.kind) else { continue }
      var around = BoxID(index)
      // What is clipped sticks out of no box, and positioned boxes are broken apart from the flow around them.
      while !around.isNone, !tree.boxes[around.index].flags.contains(.outOfFlow), !clips(around),
        boxes.insert(around).inserted
      {
        around = tree.boxes[around.index].parent
      }
    }
  }

  func contains(_ box: BoxID) -> Bool { boxes.contains(box) }

  private static func givesBlockSize(_ style: BoxStyle, in writingMode: WritingMode) -> Bool {
    let isHorizontal = writingMode.isHorizontal
    let (size, maximum) = isHorizontal ? (style.height, style.maxHeight) : (style.width, style.maxWidth)
    return !size.isAutomatic && !size.isContentSize || maximum.isGiven
  }

  /// The height of a table, or of a part of one, is its least (CSS 2.2, section 17.5.3).
  private static func growsWithContent(_ kind: BoxKind) -> Bool {
    switch kind {
    case .table, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell: true
    default: false
    }
  }
}
