import BoxGeneration
import CSS
import Graphics
import Layout
import Platform
import Primitives
import Styling

/// A box, and what is painted with it, as a plane in space (CSS Transforms 2, section 5).
struct Plane {
  var fragment: FragmentID
  /// Of the fragment's border box, from the content area's corner.
  var offset: LogicalOffset
  var clip: Int32
  var isStackingContext: Bool
  /// From the plane to the space that the page is seen from.
  var matrix: Matrix4
  /// Items painted after the flow, where that is not all that is found inside.
  var hoisted: [HoistedItem]?
  /// The box's own decorations are not seen.
  var isBare = false
}

/// A box around others, at its place.
struct PlacedFragment {
  var fragment: FragmentID
  var offset: LogicalOffset
}

extension PagePainting {
  /// The accumulated matrix of a box in the plane of its parent: the parent's perspective and the box's own transform
  /// (CSS Transforms 2, sections 5.2 and 7.1).
  func matrix(of fragment: Fragment, at offset: LogicalOffset, in parent: PlacedFragment?) -> Matrix4 {
    guard fragment.kind == .box, !fragment.box.isNone else { return .identity }
    let style = tree[fragment.box].style
    let traits = painter.traits.boxes[style.box.index]
    guard traits.hasTransform || traits.preservesSpace else { return .identity }
    var matrix = Matrix4.identity
    if traits.hasTransform {
      matrix = transform(context.styles[style.box], style: style, rect: transformArea(of: fragment, at: offset))
    }
    if let parent, page[parent.fragment].box == self.parent(of: fragment.box),
      let perspective = perspective(of: parent)
    {
      matrix = perspective * matrix
    }
    return matrix
  }

  private func perspective(of parent: PlacedFragment) -> Matrix4? {
    let fragment = page[parent.fragment]
    let style = tree[fragment.box].style
    guard let values = context.styles[style.box].rare?.values, let distance = values.perspective else { return nil }
    let rect = map.rect(parent.offset, fragment.size)
    let x = rect.x + context.resolve(values.perspectiveOrigin.x, font: style.font, percentage: rect.width)
    let y = rect.y + context.resolve(values.perspectiveOrigin.y, font: style.font, percentage: rect.height)
    return Matrix4.perspective(context.resolve(distance, font: style.font).pixels).around(x.pixels, y.pixels)
  }

  /// The reference box of transforms (CSS Transforms 1, section 6.1).
  private func transformArea(of fragment: Fragment, at offset: LogicalOffset) -> Rect {
    switch context.styles[tree[fragment.box].style.box].rare?.values.transformBox {
    case .contentBox, .fillBox: contentRect(of: fragment, at: offset)
    default: map.rect(offset, fragment.size)
    }
  }

  /// The transformation matrix around `transform-origin` (CSS Transforms 2, section 11).
  private func transform(_ box: BoxStyle, style: ComputedStyle, rect: Rect) -> Matrix4 {
    func length(_ value: LengthPercentage, _ base: LayoutUnit) -> Double {
      context.resolve(value, font: style.font, percentage: base).pixels
    }
    var result = Matrix4.identity
    for function in box.transform {
      switch function {
      case .matrix(let a, let b, let c, let d, let tx, let ty):
        result = result * Matrix4(AffineTransform(a: a, b: b, c: c, d: d, tx: tx, ty: ty))
      case .translate(let x, let y):
        result = result * .translation(length(x, rect.width), length(y, rect.height))
      case .translate3D(let x, let y, let z):
        result = result * .translation(length(x, rect.width), length(y, rect.height), length(z, .zero))
      case .scale(let x, let y): result = result * Matrix4(AffineTransform(a: x, d: y))
      case .rotate(let degrees):
        let (sine, cosine) = AffineTransform.sineAndCosine(degrees)
        result = result * Matrix4(AffineTransform(a: cosine, b: sine, c: -sine, d: cosine))
      case .skew(let x, let y):
        result = result * Matrix4(AffineTransform(b: tanf(y * .pi / 180), c: tanf(x * .pi / 180)))
      case .matrix3D(let numbers):
        func column(_ start: Int) -> SIMD4<Double> {
          SIMD4(
            Double(numbers[start]), Double(numbers[start + 1]), Double(numbers[start + 2]), Double(numbers[start + 3]))
        }
        if numbers.count == 16 { result = result * Matrix4(column(0), column(4), column(8), column(12)) }
      case .perspective(let distance):
        if let distance { result = result * .perspective(length(distance, .zero)) }
      }
    }
    let depth = box.rare.map { context.resolve($0.values.transformOriginZ, font: style.font).pixels } ?? 0
    return result.around(
      rect.x.pixels + length(box.transformOrigin.x, rect.width),
      rect.y.pixels + length(box.transformOrigin.y, rect.height), depth)
  }

  /// Paints the box that a 3D rendering context begins with and all boxes in it, the farthest first (CSS Transforms 2,
  /// section 5.1). Planes that meet are not cut.
  mutating func paintSpace(_ root: Plane) {
    var planes: [Plane] = []
    collectPlanes(root, into: &planes)
    for plane in sorted(planes) { paintPlane(plane) }
  }

  /// The farthest first; planes of one depth keep their order.
  private func sorted(_ planes: [Plane]) -> [Plane] {
    let depths = planes.map { depth(of: $0) }
    return planes.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }.map { planes[$0] }
  }

  /// The plane of a box, and then what is painted after its flow: its children stand in the same space, others in its plane.
  private mutating func collectPlanes(_ plane: Plane, into planes: inout [Plane]) {
    let hoisted = self.hoisted(in: plane)
    let place = planes.count
    planes.append(plane)
    planes[place].hoisted = hoisted.filter { !$0.inline.isNone }
    for item in hoisted where item.inline.isNone {
      let fragment = page[item.fragment]
      let traits = painter.traits.boxes[tree[fragment.box].style.box.index]
      let child = Plane(
        fragment: item.fragment, offset: item.offset, clip: item.clip, isStackingContext: traits.isStackingContext,
        matrix: matrix(of: fragment, at: item.offset, in: item.parent))
      var inner: [Plane] = []
      if traits.preservesSpace { collectPlanes(child, into: &inner) } else { inner.append(child) }
      let isInSpace = parent(of: fragment.box) == page[plane.fragment].box
      if !isInSpace { inner = sorted(inner) }
      for var part in inner {
        part.matrix = plane.matrix * (isInSpace ? part.matrix : part.matrix.flattened)
        planes.append(part)
      }
    }
  }

  /// The box of the parent element.
  private func parent(of box: BoxID) -> BoxID {
    var parent = tree[box].parent
    while !parent.isNone, tree[parent].flags.contains(.anonymous) { parent = tree[parent].parent }
    return parent
  }

  /// The depth of the middle of a plane, in steps of 1/64 px, so that planes of one depth keep their order.
  private func depth(of plane: Plane) -> Double {
    let rect = map.rect(plane.offset, page[plane.fragment].size)
    let middle = plane.matrix([(rect.x + rect.width / 2).pixels, (rect.y + rect.height / 2).pixels, 0, 1])
    let depth = middle.w > 0 ? middle.z / middle.w : .infinity
    return depth.isNaN ? 0 : (depth * 64).rounded()
  }

  /// Ink bounds of a box and all that is inside it, roughly.
  func extent(of id: FragmentID, at offset: LogicalOffset) -> Rect {
    var extent = map.rect(offset, page[id].size)
    for child in children(of: id) {
      let inner = self.extent(of: child, at: offset + page[child].offset)
      extent = extent.union(inner)
    }
    return extent
  }
}
