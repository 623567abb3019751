import BoxGeneration
import CSS
import Graphics
import Primitives
import Styling

/// The float area of a float with `shape-outside` (CSS Shapes 1, section 2): lines beside the float end at its edge, not at that
/// of the margin box. In CSS px from the line-left and block-start corner of the margin box.
package struct FloatShape {
  /// A radius along the lines, and one across them.
  typealias Radius = SIMD2<Double>
  /// A place along the lines, and one across them.
  typealias Place = SIMD2<Double>

  enum Outline {
    /// A rounded rectangle by two of its corners; the radii are those of the line-left start corner, then of the line-right start,
    /// the line-right end and the line-left end corner.
    case rounded(from: Place, to: Place, radii: [Radius])
    /// Its corners, and how far the area reaches beyond them.
    case polygon([Place], margin: Double)
    /// The extent of each px across the lines, from `start` on; nil where there is nothing.
    case rows([ClosedRange<Double>?], start: Double)
  }

  let outline: Outline

  /// The extent of the area along the lines between two places across them; nil where it does not reach there at all.
  func extent(from start: Double, to end: Double) -> (left: Double, right: Double)? {
    switch outline {
    case .rounded(let first, let last, let radii):
      guard first.x < last.x, first.y < last.y, start < last.y, end > first.y else { return nil }
      let (start, end) = (Swift.max(start, first.y), Swift.min(end, last.y))
      /// The distance by which the corners draw the side in where it reaches farthest out.
      func inset(_ before: Radius, _ after: Radius) -> Double {
        let (from, to) = (first.y + before.y, last.y - after.y)
        if end < from, before.y > 0 { return Self.arc(before, distance: from - end) }
        if start > to, after.y > 0 { return Self.arc(after, distance: start - to) }
        return 0
      }
      return (first.x + inset(radii[0], radii[3]), last.x - inset(radii[1], radii[2]))
    case .polygon(let corners, let margin): return Self.extent(of: corners, margin: margin, from: start, to: end)
    case .rows(let rows, let offset):
      let from = Int((start - offset).rounded(.down).clamped(to: 0...Double(rows.count)))
      let to = Int((end - offset).rounded(.up).clamped(to: 0...Double(rows.count)))
      var extent: (left: Double, right: Double)?
      for row in from..<Swift.max(from, to) {
        guard let range = rows[row] else { continue }
        extent = (
          Swift.min(extent?.left ?? range.lowerBound, range.lowerBound),
          Swift.max(extent?.right ?? range.upperBound, range.upperBound)
        )
      }
      return extent
    }
  }

  /// The distance of an ellipse's edge from its outermost place, `distance` across from there.
  private static func arc(_ radius: Radius, distance: Double) -> Double {
    let share = Swift.min(1, distance / radius.y)
    return radius.x * (1 - (1 - share * share).squareRoot())
  }

  /// The area of a polygon is the union of its edges, each as wide as the margin, and of what lies between them.
  private static func extent(
    of corners: [Place], margin: Double, from start: Double, to end: Double
  ) -> (left: Double, right: Double)? {
    var extent: (left: Double, right: Double)?
    func add(_ x: Double) {
      extent = (Swift.min(extent?.left ?? x, x), Swift.max(extent?.right ?? x, x))
    }
    func add(_ a: Place, _ b: Place) {
      let (low, high) = a.y <= b.y ? (a, b) : (b, a)
      // Edges along the lines say no more than those that they meet.
      guard low.y < end, high.y > start, low.y < high.y else { return }
      func x(at y: Double) -> Double { low.x + (high.x - low.x) * (y - low.y) / (high.y - low.y) }
      add(x(at: Swift.max(start, low.y)))
      add(x(at: Swift.min(end, high.y)))
    }
    for index in corners.indices {
      let a = corners[index]
      let b = corners[(index + 1) % corners.count]
      guard margin > 0 else {
        add(a, b)
        continue
      }
      let direction = b - a
      let length = (direction * direction).sum().squareRoot()
      if length > 0 {
        let normal = Place(-direction.y, direction.x) * (margin / length)
        add(a + normal, b + normal)
        add(a - normal, b - normal)
      }
      guard a.y - margin < end, a.y + margin > start else { continue }
      let distance = Swift.max(0, Swift.max(start - a.y, a.y - end))
      let reach = (margin * margin - distance * distance).squareRoot()
      add(a.x - reach)
      add(a.x + reach)
    }
    return extent
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.max(range.lowerBound, Swift.min(range.upperBound, self))
  }
}

extension LayoutContext {
  /// The float area of a float whose margin box has the size given; nil where that is the margin box.
  func floatShape(of box: BoxID, marginBox size: LogicalSize, margins: FlowEdges, available: LayoutUnit) -> FloatShape?
  {
    let style = tree.boxes[box.index].style
    guard let rare = styles.boxes[style.box.index].rare?.values, let outside = rare.shapeOutside else { return nil }
    let physical = writingMode.physical(size)
    let area = Rect(width: physical.width, height: physical.height)
    let margin = resolve(rare.shapeMargin, font: style.font, percentage: available)
    let geometry = borderAndPadding(of: box, availableInline: available)
    func insets(_ edges: FlowEdges) -> Insets {
      let sides = edges.sides(in: writingMode)
      return Insets(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left)
    }
    let (outer, border, padding) = (insets(margins), insets(geometry.border), insets(geometry.padding))
    let borderBox = area.inset(by: outer)
    let path: ClipPath
    switch outside {
    case .shape(let shape): path = shape
    case .image(let image):
      return outline(
        of: image, in: borderBox.inset(by: border + padding), area: area, margin: margin,
        threshold: rare.shapeImageThreshold, style: style
      ).map { FloatShape(outline: $0) }
    }
    let reference: Rect =
      switch path.box {
      case .marginBox: area
      case .borderBox: borderBox
      case .paddingBox: borderBox.inset(by: border)
      case .contentBox: borderBox.inset(by: border + padding)
      }
    let used: ShapeOutline
    if let shape = path.shape {
      used = outline(of: shape, in: reference, font: style.font)
    } else {
      let radii = borderRadii(of: styles.borders[style.border.index], font: style.font, rect: borderBox)
        .fitted(into: borderBox)
      let corners: CornerRadii =
        switch path.box {
        case .marginBox: radii.expanded(by: outer)
        case .borderBox: radii
        case .paddingBox: radii.shrunk(by: border)
        case .contentBox: radii.shrunk(by: border + padding)
        }
      used = .rounded(reference, corners.fitted(into: reference))
    }
    return FloatShape(outline: logical(used, in: area, margin: margin))
  }

  /// An outline in the terms of the lines beside it.
  private func logical(_ outline: ShapeOutline, in area: Rect, margin: LayoutUnit) -> FloatShape.Outline {
    let margin = margin.pixels
    switch outline {
    case .path(let elements, let isEvenOdd):
      return logical(.polygon(elements.corners, isEvenOdd: isEvenOdd), in: area, margin: LayoutUnit(margin))
    case .polygon(let points, _):
      let places = points.map { point in
        let place = writingMode.logical(Rect(x: point.x, y: point.y), in: area).offset
        return FloatShape.Place(place.inline.pixels, place.block.pixels)
      }
      return .polygon(places, margin: margin)
    case .rounded(let rect, let radii):
      let logical = writingMode.logical(rect, in: area)
      let corners =
        switch writingMode {
        case .horizontalTB: [radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft]
        case .verticalRL, .sidewaysRL: [radii.topRight, radii.bottomRight, radii.bottomLeft, radii.topLeft]
        case .verticalLR: [radii.topLeft, radii.bottomLeft, radii.bottomRight, radii.topRight]
        case .sidewaysLR: [radii.bottomLeft, radii.topLeft, radii.topRight, radii.bottomRight]
        }
      let isEmpty = rect.isEmpty
      return .rounded(
        from: [logical.offset.inline.pixels - margin, logical.offset.block.pixels - margin],
        to: isEmpty
          ? [logical.offset.inline.pixels - margin, logical.offset.block.pixels - margin]
          : [logical.inlineEnd.pixels + margin, logical.blockEnd.pixels + margin],
        radii: corners.map { corner in
          let size = writingMode.logical(corner)
          return [size.inline.pixels + margin, size.block.pixels + margin]
        })
    }
  }
}
