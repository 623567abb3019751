import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

/// The border of one side as it is drawn.
struct BorderSide: Hashable {
  var width: LayoutUnit
  var style: BorderStyle
  var color: Color
  /// The side is opaque: nothing is seen through it.
  var coversItsBand: Bool {
    guard width > .zero, color.alpha == 255 else { return false }
    switch style {
    case .solid, .inset, .outset: return true
    default: return false
    }
  }
  var isDrawn: Bool { width > .zero && style != .none && style != .hidden && !color.isTransparent }
}

extension BorderStyle {
  /// The style makes its own shades of the colour.
  var isThreeDimensional: Bool { self == .groove || self == .ridge || self == .inset || self == .outset }
  /// The pattern of a dotted or dashed border.
  var stroke: StrokeStyle? {
    switch self {
    case .dotted: .dotted
    case .dashed: .dashed
    default: nil
    }
  }
}

extension Color {
  /// The shadowed and the lit face of a three-dimensional border. A border too dark to be shadowed is lit instead, as in
  /// browsers.
  var faces: (dark: Color, light: Color) {
    func square(_ value: Int) -> Int { value * value }
    let fromBlack = square(Int(red)) + square(Int(green)) + square(Int(blue))
    if fromBlack <= 3 * square(0x20) { return (lightened, lightened.lightened) }
    let fromWhite = square(255 - Int(red)) + square(255 - Int(green)) + square(255 - Int(blue))
    return (darkened, fromWhite <= 3 * square(255 - 0xEB) ? self : lightened)
  }
  private var darkened: Color {
    let value = Float(Swift.max(red, green, blue)) / 255
    return value > 0 ? scaled(by: Swift.max(0, (value - 0.33) / value)) : self
  }
  private var lightened: Color {
    let value = Float(Swift.max(red, green, blue)) / 255
    if value == 0 { return Color(red: 84, green: 84, blue: 84, alpha: alpha) }
    return scaled(by: Swift.min(1, value + 0.33) / value)
  }
  private func scaled(by factor: Float) -> Color {
    func part(_ channel: UInt8) -> UInt8 { UInt8(Swift.max(0, Swift.min(255, (Float(channel) * factor).rounded()))) }
    return Color(red: part(red), green: part(green), blue: part(blue), alpha: alpha)
  }
}

extension CornerRadii {
  fileprivate mutating func square(_ side: PhysicalSide) {
    switch side {
    case .top: (topLeft, topRight) = (.zero, .zero)
    case .right: (topRight, bottomRight) = (.zero, .zero)
    case .bottom: (bottomLeft, bottomRight) = (.zero, .zero)
    case .left: (topLeft, bottomLeft) = (.zero, .zero)
    }
  }
}

extension PagePainting {
  /// The corners of a box's border edge, scaled down where they overlap (CSS Backgrounds 3, section 5.5). Where a break cuts
  /// the box its corners are square.
  func cornerRadii(of fragment: Fragment, rect: Rect) -> CornerRadii {
    let style = tree[fragment.box].style
    var radii = context.borderRadii(
      of: context.styles[style.border], font: style.font, rect: rect, turn: fragment.flags.contains(.rotated) ? 1 : 0)
    guard !radii.isZero else { return radii }
    if !context.inputs.clonesEdges(fragment.box) {
      let flow = fragment.kind == .inlineBox ? page.writingMode : flow(of: fragment)
      let isRightToLeft = context.styles[style.paragraph].direction == .rtl
      let start =
        fragment.kind == .inlineBox
        ? flow.isHorizontal ? isRightToLeft ? PhysicalSide.right : .left : isRightToLeft ? .bottom : .top
        : flow.blockStart
      if fragment.flags.contains(.continuesBefore) { radii.square(start) }
      if fragment.flags.contains(.continuesAfter) { radii.square(start.opposite) }
    }
    return radii.fitted(into: rect)
  }

  /// The used border of each side, from the widths that layout left room for.
  func borderSides(of fragment: Fragment, insets: Insets) -> [BorderSide] {
    let style = tree[fragment.box].style
    let group = context.styles[style.border]
    let current = context.styles[style.text].color
    let isTablePart = hasTableBorders(tree[fragment.box])
    func side(_ width: LayoutUnit, _ style: BorderStyle, _ color: ColorValue) -> BorderSide {
      // As in browsers, a three-dimensional border without a colour is a light grey, whatever the text's colour; those of
      // tables are not.
      let resolved =
        color == .currentColor && style.isThreeDimensional && !isTablePart ? Self.neutral : color.resolved(current)
      return BorderSide(width: width, style: style, color: resolved)
    }
    let (styles, colors) = (group.style, group.color)
    // The sides of what is rotated, from the one that is now at the top.
    if fragment.flags.contains(.rotated) {
      return [
        side(insets.top, styles.right, colors.right), side(insets.right, styles.bottom, colors.bottom),
        side(insets.bottom, styles.left, colors.left), side(insets.left, styles.top, colors.top),
      ]
    }
    return [
      side(insets.top, styles.top, colors.top), side(insets.right, styles.right, colors.right),
      side(insets.bottom, styles.bottom, colors.bottom), side(insets.left, styles.left, colors.left),
    ]
  }

  private static let neutral = Color(red: 238, green: 238, blue: 238)

  mutating func paintBorder(_ sides: [BorderSide], rect: Rect, radii: CornerRadii) {
    guard sides.contains(where: \.isDrawn) else { return }
    let insets = Insets(top: sides[0].width, right: sides[1].width, bottom: sides[2].width, left: sides[3].width)
    let drawn = sides.filter { $0.width > .zero }
    if let first = drawn.first, drawn.allSatisfy({ $0.style == first.style && $0.color == first.color }) {
      if first.style == .solid {
        paintRing(rect, radii, insets, from: 0, to: 1, first.color)
        return
      }
      // Rings have no seams at the corners, where the sides of a double border would meet.
      if first.style == .double, drawn.count == 4, drawn.allSatisfy({ $0.width >= LayoutUnit(3) }) {
        paintRing(rect, radii, insets, from: 0, to: 1 / 3, first.color)
        paintRing(rect, radii, insets, from: 2 / 3, to: 1, first.color)
        return
      }
    }
    if !radii.isZero, sides.allSatisfy({ $0 == sides[0] }), let stroke = sides[0].style.stroke {
      paintStroke(stroke, sides[0], rect: rect, insets: insets, radii: radii)
      return
    }
    for side in PhysicalSide.allCases where sides[side.rawValue].isDrawn {
      paint(side, sides, rect: rect, insets: insets, radii: radii)
    }
  }

  /// All sides of a border of one colour between two fractions of their widths.
  private mutating func paintRing(
    _ rect: Rect, _ radii: CornerRadii, _ insets: Insets, from: Double, to: Double, _ color: Color
  ) {
    let (outside, inside) = (insets.share(from), insets.share(to))
    let outer = rect.inset(by: outside)
    let inner = rect.inset(by: inside)
    if radii.isZero {
      paintFrame(
        outer,
        Insets(
          top: inside.top - outside.top, right: inside.right - outside.right, bottom: inside.bottom - outside.bottom,
          left: inside.left - outside.left), color)
    } else {
      list.items.append(
        .fillRing(
          outer: outer, outerRadii: radii.shrunk(by: outside), inner: inner, innerRadii: radii.shrunk(by: inside), color
        ))
    }
  }

  /// A rectangular frame of one colour: four bars that do not overlap.
  private mutating func paintFrame(_ rect: Rect, _ insets: Insets, _ color: Color) {
    let top = Swift.min(insets.top, rect.height)
    let bottom = Swift.min(insets.bottom, rect.height - top)
    let bars = [
      Rect(x: rect.x, y: rect.y, width: rect.width, height: top),
      Rect(x: rect.x, y: rect.maxY - bottom, width: rect.width, height: bottom),
      Rect(x: rect.x, y: rect.y + top, width: insets.left, height: rect.height - top - bottom),
      Rect(x: rect.maxX - insets.right, y: rect.y + top, width: insets.right, height: rect.height - top - bottom),
    ]
    for bar in bars where !bar.isEmpty { list.items.append(.fillRect(bar, color)) }
  }

  private mutating func paint(
    _ side: PhysicalSide, _ sides: [BorderSide], rect: Rect, insets: Insets, radii: CornerRadii
  ) {
    let border = sides[side.rawValue]
    let isFirst = side == .top || side == .left
    let faces = border.color.faces
    switch border.style {
    case .none, .hidden: return
    case .solid: paintBand(side, sides, rect, insets, radii, from: 0, to: 1, border.color)
    case .inset:
      paintBand(
        side, sides, rect, insets, radii, from: 0, to: 1, isFirst ? faces.dark : faces.light)
    case .outset:
      paintBand(
        side, sides, rect, insets, radii, from: 0, to: 1, isFirst ? faces.light : faces.dark)
    case .groove, .ridge:
      let outer = (border.style == .groove) == isFirst ? faces.dark : faces.light
      let inner = (border.style == .groove) == isFirst ? faces.light : faces.dark
      if border.width < LayoutUnit(2) {
        paintBand(side, sides, rect, insets, radii, from: 0, to: 1, outer)
      } else {
        paintBand(side, sides, rect, insets, radii, from: 0, to: 0.5, outer)
        paintBand(side, sides, rect, insets, radii, from: 0.5, to: 1, inner)
      }
    case .double:
      if border.width < LayoutUnit(3) {
        paintBand(side, sides, rect, insets, radii, from: 0, to: 1, border.color)
      } else {
        paintBand(side, sides, rect, insets, radii, from: 0, to: 1 / 3, border.color)
        paintBand(side, sides, rect, insets, radii, from: 2 / 3, to: 1, border.color)
      }
    case .dotted, .dashed:
      let stroke = border.style.stroke ?? .dashed
      if !radii.isZero {
        list.items.append(.saveClipPath(Self.share(of: side, rect, insets), isEvenOdd: false))
        paintStroke(stroke, border, rect: rect, insets: insets, radii: radii)
        close()
        return
      }
      let half = border.width / 2
      let (from, to): (Point, Point)
      switch side {
      case .top:
        (from, to) = (
          Point(x: rect.x + radii.topLeft.width, y: rect.y + half),
          Point(x: rect.maxX - radii.topRight.width, y: rect.y + half)
        )
      case .bottom:
        (from, to) = (
          Point(x: rect.x + radii.bottomLeft.width, y: rect.maxY - half),
          Point(x: rect.maxX - radii.bottomRight.width, y: rect.maxY - half)
        )
      case .left:
        (from, to) = (
          Point(x: rect.x + half, y: rect.y + radii.topLeft.height),
          Point(x: rect.x + half, y: rect.maxY - radii.bottomLeft.height)
        )
      case .right:
        (from, to) = (
          Point(x: rect.maxX - half, y: rect.y + radii.topRight.height),
          Point(x: rect.maxX - half, y: rect.maxY - radii.bottomRight.height)
        )
      }
      list.items.append(.strokeLine(from: from, to: to, width: border.width, stroke, border.color))
    }
  }

  /// Dots or dashes along the middle of a rounded border, all the way round.
  private mutating func paintStroke(
    _ stroke: StrokeStyle, _ border: BorderSide, rect: Rect, insets: Insets, radii: CornerRadii
  ) {
    let halves = Insets(
      top: insets.top / 2, right: insets.right / 2, bottom: insets.bottom / 2, left: insets.left / 2)
    let middle = rect.inset(by: halves)
    list.items.append(
      .strokePath(
        RoundedBand.outline(middle, radii.shrunk(by: halves)), width: border.width, stroke, border.color))
  }

  /// The part of a box that belongs to one side's border: from the side inwards, between the lines through the corners of
  /// both edges, as far as the middle or where these lines meet.
  private static func share(of side: PhysicalSide, _ rect: Rect, _ insets: Insets) -> [PathElement] {
    let inner = rect.inset(by: insets)
    func corners(_ rect: Rect) -> [(x: Double, y: Double)] {
      let (left, right, top, bottom) = (rect.x.pixels, rect.maxX.pixels, rect.y.pixels, rect.maxY.pixels)
      return [(left, top), (right, top), (right, bottom), (left, bottom)]
    }
    let outside = corners(rect)
    let inside = corners(inner)
    let (a, b) = (side.rawValue, (side.rawValue + 1) % 4)
    let isHorizontal = side == .top || side == .bottom
    let width = isHorizontal ? abs(inside[a].y - outside[a].y) : abs(inside[a].x - outside[a].x)
    let length = isHorizontal ? rect.width.pixels : rect.height.pixels
    let taken =
      isHorizontal
      ? abs(inside[a].x - outside[a].x) + abs(inside[b].x - outside[b].x)
      : abs(inside[a].y - outside[a].y) + abs(inside[b].y - outside[b].y)
    let depth = (isHorizontal ? rect.height.pixels : rect.width.pixels) / 2
    let reach = Swift.min(width > 0 ? depth / width : 1, taken > 0 ? length / taken : .infinity)
    func point(_ index: Int, _ factor: Double) -> Point {
      Point(
        x: LayoutUnit(outside[index].x + (inside[index].x - outside[index].x) * factor),
        y: LayoutUnit(outside[index].y + (inside[index].y - outside[index].y) * factor))
    }
    return [.move(point(a, 0)), .line(point(b, 0)), .line(point(b, reach)), .line(point(a, reach)), .close]
  }

  /// One side's share of the border between two fractions of its width, mitred against the neighbouring sides.
  private mutating func paintBand(
    _ side: PhysicalSide, _ sides: [BorderSide], _ rect: Rect, _ insets: Insets, _ radii: CornerRadii, from: Double,
    to: Double,
    _ color: Color
  ) {
    let outerInsets = insets.share(from)
    let innerInsets = insets.share(to)
    let outer = rect.inset(by: outerInsets)
    let inner = rect.inset(by: innerInsets)
    if !radii.isZero {
      list.items.append(
        .fillPath(
          RoundedBand(
            outer: outer, outerRadii: radii.shrunk(by: outerInsets), inner: inner,
            innerRadii: radii.shrunk(by: innerInsets)
          )
          .path(side), color))
      return
    }
    // An end is square and pixel-exact where no border meets the side at a corner.
    func meets(_ neighbour: PhysicalSide) -> Bool { sides[neighbour.rawValue].width > .zero }
    if !meets(side.before), !meets(side.after) {
      let bar: Rect
      switch side {
      case .top: bar = Rect(x: outer.x, y: outer.y, width: outer.width, height: inner.y - outer.y)
      case .bottom: bar = Rect(x: outer.x, y: inner.maxY, width: outer.width, height: outer.maxY - inner.maxY)
      case .left: bar = Rect(x: outer.x, y: outer.y, width: inner.x - outer.x, height: outer.height)
      case .right: bar = Rect(x: inner.maxX, y: outer.y, width: outer.maxX - inner.maxX, height: outer.height)
      }
      if !bar.isEmpty { list.items.append(.fillRect(bar, color)) }
      return
    }
    func corners(_ rect: Rect) -> [Point] {
      let left = rect.x.rounded
      let right = rect.maxX.rounded
      let top = rect.y.rounded
      let bottom = rect.maxY.rounded
      return [Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom)]
    }
    let outside = corners(outer)
    let inside = corners(inner)
    let first = side.rawValue
    let second = (side.rawValue + 1) % 4
    /// The end of the side at a corner: in the mitre, or square when the neighbour is drawn over it later, so that
    /// nothing shows through along the mitre.
    func end(_ corner: Int, _ neighbour: PhysicalSide) -> Point {
      let isCovered =
        from == 0 && to == 1 && neighbour.rawValue > side.rawValue && sides[neighbour.rawValue].coversItsBand
      guard isCovered else { return inside[corner] }
      return side == .top || side == .bottom
        ? Point(x: outside[corner].x, y: inside[corner].y) : Point(x: inside[corner].x, y: outside[corner].y)
    }
    list.items.append(
      .fillPath(
        [
          .move(outside[first]), .line(outside[second]), .line(end(second, side.after)), .line(end(first, side.before)),
          .close,
        ], color))
  }

  /// The box is a table or a part of one, whose borders follow rules of their own.
  private func hasTableBorders(_ box: Box) -> Bool {
    switch box.kind {
    case .table, .tableCell, .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn,
      .tableColumnGroup:
      true
    default: false
    }
  }

  /// The resolved borders of a table in the collapsing model (CSS 2.2, section 17.6.2), and the rules of columns.
  mutating func paintCollapsedBorders(of fragment: Fragment, at offset: LogicalOffset) {
    guard fragment.kind == .box, painter.traits.isVisible[tree[fragment.box].style.text.index] else { return }
    let range = geometry(fragment).collapsedBorders
    guard !range.isEmpty, Int(range.upperBound) <= page.collapsedBorders.count else { return }
    for index in range {
      let segment = page.collapsedBorders[Int(index)]
      guard let style = BorderStyle(rawValue: segment.style), style != .none, style != .hidden else { continue }
      let exact = map.rect(offset + segment.rect.offset, segment.rect.size)
      let rect = Rect(
        x: exact.x.rounded, y: exact.y.rounded, width: exact.maxX.rounded - exact.x.rounded,
        height: exact.maxY.rounded - exact.y.rounded)
      let isHorizontal = segment.isInlineAxis == page.writingMode.isHorizontal
      let width = isHorizontal ? rect.height : rect.width
      switch style {
      case .solid, .none, .hidden: list.items.append(.fillRect(rect, segment.color))
      case .dotted, .dashed:
        let from = isHorizontal ? Point(x: rect.x, y: rect.y + width / 2) : Point(x: rect.x + width / 2, y: rect.y)
        let to = isHorizontal ? Point(x: rect.maxX, y: rect.y + width / 2) : Point(x: rect.x + width / 2, y: rect.maxY)
        list.items.append(
          .strokeLine(from: from, to: to, width: width, style == .dotted ? .dotted : .dashed, segment.color))
      case .double where width >= LayoutUnit(3):
        let line = (width * (1.0 / 3)).rounded
        appendStripes(rect, isHorizontal, [(.zero, line, segment.color), (width - line, line, segment.color)])
      case .double: list.items.append(.fillRect(rect, segment.color))
      // In the collapsing model `inset` is drawn as `ridge`, `outset` as `groove`.
      case .groove, .outset, .ridge, .inset:
        let isSunken = style == .groove || style == .outset
        let half = (width / 2).rounded
        let first = isSunken ? segment.color.faces.dark : segment.color.faces.light
        let second = isSunken ? segment.color.faces.light : segment.color.faces.dark
        appendStripes(rect, isHorizontal, [(.zero, half, first), (half, width - half, second)])
      }
    }
  }

  private mutating func appendStripes(
    _ rect: Rect, _ isHorizontal: Bool, _ stripes: [(offset: LayoutUnit, width: LayoutUnit, color: Color)]
  ) {
    for stripe in stripes where stripe.width > .zero {
      let bar =
        isHorizontal
        ? Rect(x: rect.x, y: rect.y + stripe.offset, width: rect.width, height: stripe.width)
        : Rect(x: rect.x + stripe.offset, y: rect.y, width: stripe.width, height: rect.height)
      list.items.append(.fillRect(bar, stripe.color))
    }
  }
}

extension Insets {
  /// The outer part of the widths of a border.
  fileprivate func share(_ fraction: Double) -> Insets {
    if fraction == 0 { return Insets() }
    if fraction == 1 { return self }
    func share(_ width: LayoutUnit) -> LayoutUnit {
      // Whole px on both sides of the cut keep the lines of a double border equally wide.
      let exact = width * fraction
      return fraction < 0.5
        ? Swift.max(exact.rounded, .epsilon)
        : fraction > 0.5 ? width - (width * (1 - fraction)).rounded : exact.rounded
    }
    return Insets(top: share(top), right: share(right), bottom: share(bottom), left: share(left))
  }
}
