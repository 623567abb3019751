import BoxGeneration
import Primitives
import Styling

/// Inline-axis edges of an inline box: margin, border and padding at its start or end.
extension LayoutContext {
  /// The width of one edge of an inline box, in the box's own direction (CSS 2.2, section 8.6).
  func inlineEdge(of box: BoxID, isStart: Bool, availableInline: LayoutUnit) -> LayoutUnit {
    let value = tree.boxes[box.index]
    guard value.style.box.index != 0 || value.style.border.index != 0 else { return .zero }
    guard !value.flags.contains(isStart ? .continuesBefore : .continuesAfter) else { return .zero }
    let margins = margins(of: box, availableInline: availableInline)
    let geometry = borderAndPadding(of: box, availableInline: availableInline)
    let isLeft = (styles.paragraphs[value.style.paragraph.index].direction == .ltr) == isStart
    return isLeft
      ? margins.lineLeft + geometry.border.lineLeft + geometry.padding.lineLeft
      : margins.lineRight + geometry.border.lineRight + geometry.padding.lineRight
  }

  /// The inline box has an edge that makes a line box exist, be its width negative or cancelled out.
  func hasInlineEdge(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard value.style.box.index != 0 || value.style.border.index != 0 else { return false }
    let margins = margins(of: box, availableInline: LayoutUnit(100))
    let geometry = borderAndPadding(of: box, availableInline: LayoutUnit(100))
    let edges = geometry.border + geometry.padding
    return margins.lineLeft != .zero || margins.lineRight != .zero || edges.lineLeft != .zero
      || edges.lineRight != .zero
  }
}
