import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The outline of `clip-path` on the page (CSS Shapes 1, section 3); nil for a reference to nothing, which does not clip.
  mutating func clipShape(
    _ clip: ClipPath, of fragment: Fragment, at offset: LogicalOffset
  ) -> (path: [PathElement], isEvenOdd: Bool)? {
    let style = tree[fragment.box].style
    let boxes = shapeBoxes(of: fragment, at: offset)
    let reference = boxes.rect(clip.box)
    if let url = clip.reference { return referencedClip(url, in: reference) }
    let shape: ShapeOutline
    if let basic = clip.shape {
      shape = context.outline(of: basic, in: reference, font: style.font)
    } else {
      shape = .rounded(reference, boxes.radii(clip.box))
    }
    switch shape {
    case .rounded(let rect, let radii): return (RoundedBand.outline(rect, radii), false)
    case .polygon(let points, let isEvenOdd):
      var path = points.map { PathElement.line($0) }
      if let first = points.first { path[0] = .move(first) }
      return (path + [.close], isEvenOdd)
    case .path(let path, let isEvenOdd): return (path, isEvenOdd)
    }
  }

  /// The boxes that shapes and masks refer to.
  func shapeBoxes(of fragment: Fragment, at offset: LogicalOffset) -> ShapeBoxes {
    let style = tree[fragment.box].style
    let geometry = geometry(fragment)
    let border = map.rect(offset, fragment.size)
    let margin = context.styles[style.box].margin
    // Layout keeps no margins: percentages, whose base is not known any more, count as nothing.
    func outer(_ value: MarginValue) -> LayoutUnit {
      guard case .length(let length) = value else { return .zero }
      return context.resolve(length, font: style.font, percentage: .zero)
    }
    return ShapeBoxes(
      border: border, radii: cornerRadii(of: fragment, rect: border),
      margins: Insets(
        top: outer(margin.top), right: outer(margin.right), bottom: outer(margin.bottom), left: outer(margin.left)),
      borders: map.insets(geometry.border), paddings: map.insets(geometry.padding))
  }
}

/// The edges of a box (CSS Box 3, section 2), with their corners.
struct ShapeBoxes {
  var border: Rect
  var radii: CornerRadii
  var margins: Insets
  var borders: Insets
  var paddings: Insets

  func rect(_ box: GeometryBox) -> Rect {
    switch box {
    case .borderBox: border
    case .marginBox:
      border.insetBy(top: -margins.top, right: -margins.right, bottom: -margins.bottom, left: -margins.left)
    case .paddingBox: border.inset(by: borders)
    case .contentBox: border.inset(by: borders + paddings)
    }
  }

  func radii(_ box: GeometryBox) -> CornerRadii {
    switch box {
    case .borderBox: radii
    case .marginBox: radii.expanded(by: margins).fitted(into: rect(.marginBox))
    case .paddingBox: radii.shrunk(by: borders)
    case .contentBox: radii.shrunk(by: borders + paddings)
    }
  }
}
