import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

/// The layers of a table between its own background and that of its cells (CSS 2.2, section 17.5.1).
extension PagePainting {
  /// Paints the background of a row, column or group of them: only inside the cells that begin in it, though its images are
  /// placed in the whole part.
  ///
  /// - Returns: `true` if the fragment is such a part; else it is painted like any box.
  mutating func paintTablePart(
    _ id: FragmentID, at offset: LogicalOffset, in parent: FragmentID, at parentOffset: LogicalOffset
  )
    -> Bool
  {
    let fragment = page[id]
    guard !fragment.box.isNone else { return false }
    let box = tree[fragment.box]
    let isColumn: Bool
    switch box.kind {
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: isColumn = false
    case .tableColumn, .tableColumnGroup: isColumn = true
    default: return false
    }
    guard painter.traits.hasBackground[box.style.background.index], painter.traits.isVisible[box.style.text.index],
      !box.flags.contains(.anonymous)
    else { return true }
    var cells: [Rect] = []
    let area = map.rect(offset, fragment.size)
    if isColumn {
      // The columns are in the order of the table: direction and writing mode do not apply to them.
      let flow = flow(of: page[parent])
      let isReversed =
        (context.styles[tree[page[parent].box].style.paragraph].direction == .rtl) != (flow == .sidewaysLR)
      collectCells(in: parent, at: parentOffset, into: &cells)
      let isHorizontal = flow.isHorizontal
      func span(_ rect: Rect) -> (start: LayoutUnit, end: LayoutUnit) {
        isHorizontal ? (rect.x, rect.maxX) : (rect.y, rect.maxY)
      }
      let column = span(area)
      cells.removeAll {
        let cell = span($0)
        return isReversed
          ? cell.end <= column.start || cell.end > column.end : cell.start < column.start || cell.start >= column.end
      }
    } else {
      collectCells(in: id, at: offset, into: &cells)
    }
    let whole = strip(around: id, at: area)?.rect ?? area
    let boxes = BackgroundBoxes(
      border: whole, padding: whole, content: whole, radii: CornerRadii(), borderWidths: Insets(),
      paddingWidths: Insets())
    for cell in cells { paintBackground(of: box, boxes: boxes, clippedTo: cell) }
    return true
  }

  private func collectCells(in id: FragmentID, at offset: LogicalOffset, into cells: inout [Rect]) {
    for child in children(of: id) {
      let fragment = page[child]
      guard fragment.kind == .box, !fragment.box.isNone else { continue }
      switch tree[fragment.box].kind {
      case .tableCell:
        if !fragment.flags.contains(.paintsNothing) { cells.append(map.rect(offset + fragment.offset, fragment.size)) }
      case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup:
        collectCells(in: child, at: offset + fragment.offset, into: &cells)
      default: continue
      }
    }
  }
}
