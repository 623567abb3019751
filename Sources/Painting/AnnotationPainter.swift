package import Graphics
package import Primitives

/// Draws what readers add to a page, over what the book has on it.
package struct AnnotationPainter {
  private var list: DisplayList
  private let isDark: Bool

  /// - Parameter isDark: `true` if the paper is darker than the ink.
  package init(on list: DisplayList, isDark: Bool) {
    self.list = list
    self.isDark = isDark
  }

  /// The page with all that was drawn.
  package var result: DisplayList { list }

  /// Colours the ground under text: darker on light paper and lighter on dark, so that the text stays as it is.
  package mutating func highlight(_ rects: [Rect], _ color: Color) {
    guard let first = rects.first else { return }
    let bounds = rects.dropFirst().reduce(first) { $0.union($1) }
    list.items.append(.saveLayer(LayerStyle(blend: isDark ? .screen : .multiply, bounds: bounds)))
    for rect in rects { list.items.append(.fillRect(rect, color)) }
    list.items.append(.restore)
  }

  /// A line under horizontal lines of text and on the right of vertical ones.
  package mutating func underline(_ rects: [(rect: Rect, isVertical: Bool)], _ style: StrokeStyle, _ color: Color) {
    for (rect, isVertical) in rects {
      let thickness = Swift.max(LayoutUnit(1), (isVertical ? rect.width : rect.height) / 14)
      let half = thickness / 2
      let (from, to) =
        isVertical
        ? (Point(x: rect.maxX - half, y: rect.y), Point(x: rect.maxX - half, y: rect.maxY))
        : (Point(x: rect.x, y: rect.maxY - half), Point(x: rect.maxX, y: rect.maxY - half))
      list.items.append(.strokeLine(from: from, to: to, width: thickness, style, color))
    }
  }

  /// A small flag at the end of a line of text.
  package mutating func mark(at rect: Rect, isVertical: Bool, _ color: Color) {
    let side = Swift.max(LayoutUnit(5), (isVertical ? rect.width : rect.height) / 3)
    let corner =
      isVertical ? Point(x: rect.maxX - side, y: rect.maxY) : Point(x: rect.maxX, y: rect.y)
    let path: [PathElement] = [
      .move(corner), .line(Point(x: corner.x + side, y: corner.y)),
      .line(Point(x: corner.x + side, y: corner.y + side)),
      .line(Point(x: corner.x + side / 2, y: corner.y + side * 2 / 3)),
      .line(Point(x: corner.x, y: corner.y + side)), .close,
    ]
    list.items.append(.fillPath(path, color))
  }
}
