import BoxGeneration
import CSS
import Primitives
import Styling

/// Boxes that show no more than some of their lines (CSS Overflow 4, section 5.2).
extension LayoutContext {
  /// The number of lines that a block container shows; nil where it shows all.
  func lineClamp(of box: BoxID) -> Int32? {
    guard inputs.clampsLines else { return nil }
    let value = tree.boxes[box.index]
    guard value.kind == .block, value.content != .replaced, let rare = styles.boxes[value.style.box.index].rare?.values,
      rare.boxOrient.isVertical, value.establishesFormattingContext
    else { return nil }
    return rare.lineClamp
  }

  /// Lines follow a text in the box that clamps it.
  func hasClampedLines(after box: BoxID) -> Bool {
    var box = box
    while lineClamp(of: box) == nil {
      let value = tree.boxes[box.index]
      guard !value.parent.isNone else { return false }
      var sibling = value.nextSibling
      while !sibling.isNone {
        if countsLines(in: sibling) { return true }
        sibling = tree.boxes[sibling.index].nextSibling
      }
      box = value.parent
    }
    return false
  }

  /// A box has lines that count: those of other formatting contexts do not.
  private func countsLines(in box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard value.kind == .block, !value.flags.isOutOfNormalFlow, !value.establishesFormattingContext,
      value.content != .replaced
    else { return false }
    if value.content == .text { return hasLines(value.text) }
    var child = value.firstChild
    while !child.isNone {
      if countsLines(in: child) { return true }
      child = tree.boxes[child.index].nextSibling
    }
    return false
  }
}

/// The lines that a box may still show, in the box that clamps them.
struct ClampedLines: Sendable {
  /// Lines left; nil where all are shown.
  var left: Int32?
  /// The end of the part of the box that is shown, from its block-start edge.
  var end: LayoutUnit?

  /// Counts the lines of a child or a text that ends at `block`.
  mutating func take(_ lines: CountedLines, at block: LayoutUnit) {
    guard let before = left else { return }
    left = before - lines.count
    if lines.endsShown, end == nil { end = block }
  }
}

/// Lines of a box or a text that count in a box around it which clamps its lines.
struct CountedLines: Sendable {
  var count: Int32 = 0
  /// The last line shown is among them.
  var endsShown = false
}
