import BoxGeneration
import CSS
import Primitives
import Styling

extension LayoutContext {
  /// What the boxes on both sides of a boundary say about breaking there (CSS Fragmentation 3, section 4.1).
  struct BreakBetweenSiblings {
    var isForced = false
    var isAvoided = false

    /// The forced break is one between pages: where columns are, their page ends too.
    var isForcedPage = false

    mutating func combine(_ value: BreakBetween, inColumns: Bool) {
      switch value {
      case .auto: break
      case .column: if inColumns { isForced = true }
      case .avoidColumn: if inColumns { isAvoided = true }
      case .avoidPage: if !inColumns { isAvoided = true }
      case .avoid: isAvoided = true
      case .always, .all: isForced = true
      case .page, .left, .right, .recto, .verso:
        isForced = true
        isForcedPage = true
      }
    }
  }

  /// The combined rule between two siblings; values at the edges of first and last children propagate to their parents. A forced
  /// break wins over any that avoid one.
  func breakBetween(_ previous: BoxID, _ next: BoxID) -> BreakBetweenSiblings {
    var rule = BreakBetweenSiblings()
    var box = next
    while !box.isNone {
      let value = tree.boxes[box.index]
      if value.style.page.index != 0 {
        rule.combine(styles.pages[value.style.page.index].breakBefore, inColumns: columns.depth > 0)
      }
      guard value.content == .boxes, value.kind == .block || value.kind == .table || value.kind == .tableRowGroup else {
        break
      }
      box = firstInFlowChild(of: box)
    }
    box = previous
    while !box.isNone {
      let value = tree.boxes[box.index]
      if value.style.page.index != 0 {
        rule.combine(styles.pages[value.style.page.index].breakAfter, inColumns: columns.depth > 0)
      }
      guard value.content == .boxes, value.kind == .block || value.kind == .table || value.kind == .tableRowGroup else {
        break
      }
      box = lastInFlowChild(of: box)
    }
    if rule.isForced { rule.isAvoided = false }
    return rule
  }

  func firstInFlowChild(of box: BoxID) -> BoxID {
    var child = tree.boxes[box.index].firstChild
    while !child.isNone, tree.boxes[child.index].flags.isOutOfNormalFlow { child = tree.boxes[child.index].nextSibling }
    return child
  }

  /// - Complexity: O(children); asked once for each pair of siblings.
  private func lastInFlowChild(of box: BoxID) -> BoxID {
    var last = BoxID.none
    var child = tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      if !value.flags.isOutOfNormalFlow { last = child }
      child = value.nextSibling
    }
    return last
  }
}

extension BoxFlags {
  /// Floats and absolutely positioned boxes.
  var isOutOfNormalFlow: Bool { !isDisjoint(with: [.float, .outOfFlow]) }
}

extension Box {
  /// Whether margins stop at the box and floats outside do not reach into it.
  var establishesFormattingContext: Bool {
    flags.contains(.formattingContext) || kind == .table || kind == .flex || kind == .columns || kind == .tableCell
      || kind == .tableCaption
  }
}
