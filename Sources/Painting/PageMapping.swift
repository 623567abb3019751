package import Layout
package import Primitives

/// Widths on the four physical sides of a box.
struct Insets: Hashable {
  var top = LayoutUnit.zero
  var right = LayoutUnit.zero
  var bottom = LayoutUnit.zero
  var left = LayoutUnit.zero

  var isZero: Bool { top == .zero && right == .zero && bottom == .zero && left == .zero }
  static func + (a: Self, b: Self) -> Self {
    Self(top: a.top + b.top, right: a.right + b.right, bottom: a.bottom + b.bottom, left: a.left + b.left)
  }
}

extension Rect {
  func inset(by insets: Insets) -> Rect {
    let smaller = insetBy(top: insets.top, right: insets.right, bottom: insets.bottom, left: insets.left)
    return Rect(
      x: smaller.x, y: smaller.y, width: Swift.max(.zero, smaller.width), height: Swift.max(.zero, smaller.height))
  }
  func grown(by amount: LayoutUnit) -> Rect {
    Rect(x: x - amount, y: y - amount, width: width + amount * 2, height: height + amount * 2)
  }
}

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
