import BoxGeneration
import CSS
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

  /// The inline box has its edges on each of its lines (CSS Fragmentation 3, section 5.4).
  func clonesInlineEdges(_ box: BoxID) -> Bool {
    guard inputs.hasClonedEdges else { return false }
    let style = tree.boxes[box.index].style.page
    return style.index != 0 && styles.pages[style.index].decorationBreak == .clone
  }

  /// The width of both edges of an inline box.
  func inlineEdges(of box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    inlineEdge(of: box, isStart: true, availableInline: availableInline)
      + inlineEdge(of: box, isStart: false, availableInline: availableInline)
  }

  /// The widths of the edges that a line in an inline box has though the box neither begins nor ends on it: those of
  /// this box and of the boxes around it.
  func clonedEdges(
    around box: BoxID, in container: BoxID, availableInline: LayoutUnit
  ) -> (start: LayoutUnit, end: LayoutUnit) {
    var widths = (start: LayoutUnit.zero, end: LayoutUnit.zero)
    guard inputs.hasClonedEdges else { return widths }
    var box = box
    while box != container {
      if clonesInlineEdges(box) {
        widths.start += inlineEdge(of: box, isStart: true, availableInline: availableInline)
        widths.end += inlineEdge(of: box, isStart: false, availableInline: availableInline)
      }
      box = inlineParent(of: box, container: container)
    }
    return widths
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
