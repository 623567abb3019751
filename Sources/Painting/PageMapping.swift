import Graphics
package import Layout
package import Primitives

/// The one place where logical coordinates of a page become physical ones (CSS Writing Modes 4, section 6).
///
/// Logical offsets count from the line-left and block-start corner of the content area; inside a line that does not run as the
/// page does, from that of the line (`PagePainting.paintText`).
struct PageMapping {
  let writingMode: WritingMode
  let contentArea: Rect

  func rect(_ offset: LogicalOffset, _ size: LogicalSize) -> Rect {
    writingMode.physical(LogicalRect(offset: offset, size: size), in: contentArea)
  }

  func point(_ offset: LogicalOffset) -> Point {
    let rect = rect(offset, .zero)
    return Point(x: rect.x, y: rect.y)
  }

  func insets(_ edges: FlowEdges) -> Insets {
    let sides = edges.sides(in: writingMode)
    return Insets(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left)
  }
}

extension PageLayout {
  /// The physical rectangle of a logical one, whose offset counts from the content area's line-left, block-start corner.
  package func physicalRect(_ offset: LogicalOffset, _ size: LogicalSize) -> Rect {
    PageMapping(writingMode: writingMode, contentArea: contentArea).rect(offset, size)
  }
}
