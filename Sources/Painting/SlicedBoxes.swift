import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

/// Boxes that columns divide (CSS Fragmentation 3, section 5.4): with `box-decoration-break: slice` backgrounds, corners, shadows
/// and border images are those of the box as if its parts were one, cut where the columns end.
extension PagePainting {
  /// All parts of a box on the page as one.
  struct Strip {
    /// The part at hand without the breaks that are made on the page.
    var fragment: Fragment
    /// The border box of all parts, placed so that the part at hand is in its own place.
    var rect: Rect
    /// The part at hand, with what is beside it but before and behind its breaks.
    var clip: Rect
  }

  /// The parts of the box that a fragment at `rect` is one of; nil where it is the only one, or looks the same by itself.
  mutating func strip(around id: FragmentID, at rect: Rect) -> Strip? {
    let fragment = page[id]
    guard fragment.kind == .box, fragment.flags.isDisjoint(with: [.repeated, .rotated]), isSliced(fragment),
      let parts = parts(of: fragment.box), parts.count > 1, let index = parts.firstIndex(of: id)
    else { return nil }
    let flow = flow(of: fragment)
    func block(_ parts: some Sequence<FragmentID>) -> LayoutUnit {
      parts.reduce(LayoutUnit.zero) {
        let size = map.rect(.zero, page[$1].size)
        return $0 + (flow.isHorizontal ? size.height : size.width)
      }
    }
    var whole = fragment.whole
    whole.flags.formUnion(page[parts[0]].flags.intersection(.continuesBefore))
    whole.flags.formUnion(page[parts[parts.count - 1]].flags.intersection(.continuesAfter))
    let room = Swift.max(page.size.width, page.size.height)
    let isLast = index == parts.count - 1
    return Strip(
      fragment: whole, rect: rect.grown(from: flow.blockStart, block(parts[..<index]), block(parts[(index + 1)...])),
      clip: rect.grown(from: flow.blockStart.after, room, room).grown(
        from: flow.blockStart, index == 0 ? room : .zero, isLast ? room : .zero))
  }

  /// The break cuts a fragment whose decorations depend on all of the box.
  private func isSliced(_ fragment: Fragment) -> Bool {
    let box = tree[fragment.box]
    let style = box.style
    guard !context.inputs.clonesEdges(fragment.box) else { return false }
    let hasImages = context.styles[style.background].layers.contains { $0.image != .none }
    switch box.kind {
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup:
      return hasImages
    default: break
    }
    guard !fragment.flags.isDisjoint(with: [.continuesBefore, .continuesAfter]) else { return false }
    let border = context.styles[style.border]
    return hasImages || border.image != nil || painter.traits.hasShadow[style.border.index]
      || !cornerRadii(of: fragment.whole, rect: map.rect(.zero, fragment.size)).isZero
  }

  private mutating func parts(of box: BoxID) -> [FragmentID]? {
    if parts == nil {
      var found: [BoxID: [FragmentID]] = [:]
      var open = [page.root]
      while let id = open.popLast() {
        let fragment = page[id]
        if fragment.kind == .box, !fragment.box.isNone, fragment.flags.isDisjoint(with: [.paintsNothing, .repeated]) {
          found[fragment.box, default: []].append(id)
        }
        open.append(contentsOf: children(of: id).reversed())
      }
      parts = found
    }
    return parts?[box]
  }
}

extension Rect {
  /// Grown at one side, and at the opposite one.
  fileprivate func grown(from side: PhysicalSide, _ start: LayoutUnit, _ end: LayoutUnit) -> Rect {
    switch side {
    case .top: Rect(x: x, y: y - start, width: width, height: height + start + end)
    case .bottom: Rect(x: x, y: y - end, width: width, height: height + start + end)
    case .left: Rect(x: x - start, y: y, width: width + start + end, height: height)
    case .right: Rect(x: x - end, y: y, width: width + start + end, height: height)
    }
  }
}

extension Fragment {
  /// The fragment as if no break cut it.
  fileprivate var whole: Fragment {
    var whole = self
    whole.flags.remove([.continuesBefore, .continuesAfter])
    return whole
  }
}
