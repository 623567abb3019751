import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The outline, around the border edge (CSS Basic User Interface 4, section 3).
  mutating func paintOutline(of id: FragmentID, at offset: LogicalOffset) {
    let fragment = page[id]
    guard fragment.kind == .box || fragment.kind == .inlineBox, !fragment.box.isNone else { return }
    let box = tree[fragment.box]
    guard painter.traits.hasOutline[box.style.border.index], painter.traits.isVisible[box.style.text.index],
      !box.flags.contains(.anonymous)
    else { return }
    let group = context.styles[box.style.border]
    let width = context.resolve(group.outlineWidth, font: box.style.font)
    guard width > .zero else { return }
    let gap = context.resolve(group.outlineOffset, font: box.style.font)
    let color = group.outlineColor.resolved(context.styles[box.style.text].color)
    if group.outlineStyle == .auto { return paintRing(around: id, at: offset, width: width, gap: gap, color) }
    let edge = map.rect(offset, fragment.size)
    let rect = inside(edge, movedOut: gap).grown(by: width)
    let radii = cornerRadii(of: fragment, rect: edge).grown(by: gap + width)
    let side = BorderSide(width: width, style: group.outlineStyle.border, color: color)
    paintBorder([side, side, side, side], rect: rect, radii: radii.fitted(into: rect))
  }

  /// The inner edge of an outline, which does not turn inside out (section 3.5).
  private func inside(_ edge: Rect, movedOut gap: LayoutUnit) -> Rect {
    let (x, y) = (Swift.max(gap, -edge.width / 2), Swift.max(gap, -edge.height / 2))
    return edge.insetBy(top: -y, right: -x, bottom: -y, left: -x)
  }

  /// The share of its width that the ring of an `auto` outline is drawn with, and how round it is, as in browsers.
  private static let ringPart = 2.0 / 3
  private static let ringRadius = LayoutUnit(3)
  /// The boxes that a ring follows at most.
  private static let mostRinged = 64

  /// An outline of the style `auto`: a ring on the edge of the box and of the content that sticks out of it.
  private mutating func paintRing(
    around id: FragmentID, at offset: LogicalOffset, width: LayoutUnit, gap: LayoutUnit, _ color: Color
  ) {
    let union = RectangleUnion(ringed(id, at: offset).map { inside($0, movedOut: gap) })
    list.items.append(
      .strokePath(
        union.outline(radius: Self.ringRadius), width: (width * Self.ringPart).ceiling, .solid, color))
  }

  /// The edges of a box and of what sticks out of it, but for positioned boxes.
  private func ringed(_ id: FragmentID, at offset: LogicalOffset) -> [Rect] {
    var rects = [snapped(map.rect(offset, page[id].size))]
    var open = [(id: id, offset: offset)]
    while let (parent, place) = open.popLast() {
      if !page[parent].box.isNone, page[parent].kind == .box,
        painter.traits.boxes[tree[page[parent].box].style.box.index].clipsContent
      {
        continue
      }
      for child in children(of: parent) where !page[child].flags.contains(.positioned) {
        let fragment = page[child]
        let own = place + fragment.offset
        let rect = snapped(map.rect(own, fragment.size))
        if fragment.kind != .line, !rect.isEmpty, rects.count < Self.mostRinged,
          !rects.contains(where: { $0.union(rect) == $0 })
        {
          rects.append(rect)
        }
        open.append((child, own))
      }
    }
    return rects
  }

  private func snapped(_ rect: Rect) -> Rect {
    let (x, y) = (rect.x.rounded, rect.y.rounded)
    return Rect(x: x, y: y, width: rect.maxX.rounded - x, height: rect.maxY.rounded - y)
  }
}
