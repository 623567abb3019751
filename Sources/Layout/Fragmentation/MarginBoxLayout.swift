import BoxGeneration
import CSS
package import Primitives
package import Styling

/// Lays out what stands around the content of a page: its margin boxes, its background and its border.
package struct PageMarginLayout {
  private let workspace: LayoutWorkspace
  private var context: LayoutContext { workspace.context }

  package init(_ workspace: LayoutWorkspace) { self.workspace = workspace }

  /// Places the margin boxes of a page around its content (CSS Paged Media 3, section 5.3).
  ///
  /// - Parameters:
  ///   - boxes: The generated boxes, children of the tree's root.
  ///   - geometry: The page box.
  /// - Returns: a page of nothing but margin boxes.
  package func layoutMarginBoxes(_ boxes: [(kind: PageMarginBox, box: BoxID)], around geometry: PageGeometry)
    -> PageLayout
  {
    let size = geometry.size
    beginPage(size)
    let byKind = Dictionary(uniqueKeysWithValues: boxes.map { ($0.kind, $0.box) })
    let inner = geometry.borderBox
    func corner(_ kind: PageMarginBox, _ area: Rect) {
      if let box = byKind[kind] {
        var marginBox = MarginBox(context, box, area: area)
        marginBox.solveHeight(isAtTop: area.y == .zero)
        marginBox.solveCornerWidth(isAtLeft: area.x == .zero)
        place(marginBox)
      }
    }
    corner(.topLeftCorner, Rect(width: inner.x, height: inner.y))
    corner(.topRightCorner, Rect(x: inner.maxX, width: size.width - inner.maxX, height: inner.y))
    corner(.bottomLeftCorner, Rect(y: inner.maxY, width: inner.x, height: size.height - inner.maxY))
    corner(
      .bottomRightCorner,
      Rect(x: inner.maxX, y: inner.maxY, width: size.width - inner.maxX, height: size.height - inner.maxY))

    func edge(_ kinds: [PageMarginBox], _ area: Rect, isHorizontal: Bool) {
      var three = kinds.map { kind in byKind[kind].map { MarginBox(context, $0, area: area) } }
      MarginBox.share(&three, isHorizontal: isHorizontal)
      for case var marginBox? in three {
        if isHorizontal {
          marginBox.solveHeight(isAtTop: area.y == .zero)
        } else {
          marginBox.solveCornerWidth(isAtLeft: area.x == .zero)
        }
        place(marginBox)
      }
    }
    edge(
      [.topLeft, .topCenter, .topRight], Rect(x: inner.x, width: inner.width, height: inner.y), isHorizontal: true)
    edge(
      [.bottomLeft, .bottomCenter, .bottomRight],
      Rect(x: inner.x, y: inner.maxY, width: inner.width, height: size.height - inner.maxY), isHorizontal: true)
    edge(
      [.leftTop, .leftMiddle, .leftBottom], Rect(y: inner.y, width: inner.x, height: inner.height),
      isHorizontal: false)
    edge(
      [.rightTop, .rightMiddle, .rightBottom],
      Rect(x: inner.maxX, y: inner.y, width: size.width - inner.maxX, height: inner.height), isHorizontal: false)
    return context.page.layout
  }

  private func beginPage(_ size: Size) {
    context.page.begin(
      PageGeometry(size: size, margin: Sides(all: .zero)), writingMode: context.writingMode, isOfFlow: false)
    let root = context.page.appendBox(
      BoxTree.root, size: LogicalSize(inline: size.width, block: size.height), geometry: BoxGeometry())
    context.page.setRoot(root, at: .zero)
  }

  /// A page of one box without content: the background or the border of the page box.
  package func layoutPageDecoration(_ box: BoxID, on rect: Rect, of geometry: PageGeometry) -> PageLayout {
    beginPage(geometry.size)
    let fragment = context.page.appendBox(
      box, size: LogicalSize(inline: rect.width, block: rect.height),
      geometry: context.borderAndPadding(of: box, availableInline: geometry.size.width))
    context.page.attach(fragment, to: context.page.root, at: LogicalOffset(inline: rect.x, block: rect.y))
    return context.page.layout
  }

  private func place(_ marginBox: MarginBox) {
    let rect = marginBox.borderBox
    guard rect.width > .zero, rect.height > .zero else { return }
    var space = ConstraintSpace(
      mode: context.mode, availableInline: marginBox.area.width, percentageBlock: marginBox.area.height)
    space.imposed.inline = rect.width
    space.imposed.ignoresBlockSize = true
    var nothing = FlowProgress()
    var result = context.layout(marginBox.box, in: space, from: nil, &nothing)
    guard !result.fragment.isNone else { return }
    let free = rect.height - result.size.block
    let style = context.styles[context.tree[marginBox.box].style.box]
    let shift: LayoutUnit =
      switch style.verticalAlign {
      case .middle: free / 2
      case .bottom, .textBottom: free
      default: .zero
      }
    context.page.setBlockSize(rect.height, of: result.fragment)
    context.page.moveContent(of: result.fragment, by: shift)
    context.page.attach(result.fragment, to: context.page.root, at: LogicalOffset(inline: rect.x, block: rect.y))
    result.size = context.page[result.fragment].size
    context.layoutPositioned(
      in: &result, of: marginBox.box, in: space, geometry: marginBox.geometry, direction: .ltr, from: nil,
      inColumn: nil,
      progress: &nothing)
  }
}

/// A page-margin box while its place is sought, physical.
private struct MarginBox {
  let context: LayoutContext
  let box: BoxID
  /// The part of the page margins that the box shares with its siblings.
  let area: Rect
  let geometry: BoxGeometry
  /// Used margins, `auto` as 0.
  let margin: Sides<LayoutUnit>
  let isAuto: Sides<Bool>
  /// Border boxes as the style asks for them, nil for `auto`.
  let width: LayoutUnit?
  let height: LayoutUnit?
  var borderBox: Rect

  init(_ context: LayoutContext, _ box: BoxID, area: Rect) {
    self.context = context
    self.box = box
    self.area = area
    geometry = context.borderAndPadding(of: box, availableInline: area.width)
    let style = context.tree[box].style
    let values = context.styles[style.box]
    func used(_ value: MarginValue, _ base: LayoutUnit) -> LayoutUnit {
      guard case .length(let length) = value else { return .zero }
      return context.resolve(length, font: style.font, percentage: base)
    }
    margin = Sides(
      top: used(values.margin.top, area.height), right: used(values.margin.right, area.width),
      bottom: used(values.margin.bottom, area.height), left: used(values.margin.left, area.width))
    isAuto = Sides(
      top: values.margin.top == .auto, right: values.margin.right == .auto, bottom: values.margin.bottom == .auto,
      left: values.margin.left == .auto)
    func size(
      _ value: SizeValue, _ minimum: SizeValue, _ maximum: SizeValue, base: LayoutUnit, extra: LayoutUnit
    ) -> LayoutUnit? {
      func length(_ value: SizeValue) -> LayoutUnit? {
        guard case .length(let length) = value else { return nil }
        let size = Swift.max(.zero, context.resolve(length, font: style.font, percentage: base))
        return values.boxSizing == .borderBox ? Swift.max(size, extra) : size + extra
      }
      guard var size = length(value) else { return nil }
      if let maximum = length(maximum) { size = Swift.min(size, maximum) }
      if let minimum = length(minimum) { size = Swift.max(size, minimum) }
      return size
    }
    width = size(
      values.width, values.minWidth, values.maxWidth, base: area.width,
      extra: geometry.border.inlineSum + geometry.padding.inlineSum)
    height = size(
      values.height, values.minHeight, values.maxHeight, base: area.height,
      extra: geometry.border.blockSum + geometry.padding.blockSum)
    borderBox = area.inset(by: margin)
  }

  /// The fixed dimension of the boxes above and below the page area (section 5.3.1): with a height of its own, a box stands
  /// against the page area unless `auto` margins say otherwise.
  mutating func solveHeight(isAtTop: Bool) {
    guard let height else { return }
    let free = area.height - height - margin.top - margin.bottom
    let before: LayoutUnit =
      switch (isAuto.top, isAuto.bottom) {
      case (true, true): free / 2
      case (true, false): free
      case (false, true): .zero
      case (false, false): isAtTop ? free : .zero
      }
    borderBox.y = area.y + margin.top + before
    borderBox.height = height
  }

  /// The fixed dimension of the boxes at the sides, and of corners.
  mutating func solveCornerWidth(isAtLeft: Bool) {
    guard let width else { return }
    let free = area.width - width - margin.left - margin.right
    let before: LayoutUnit =
      switch (isAuto.left, isAuto.right) {
      case (true, true): free / 2
      case (true, false): free
      case (false, true): .zero
      case (false, false): isAtLeft ? free : .zero
      }
    borderBox.x = area.x + margin.left + before
    borderBox.width = width
  }

  // MARK: The variable dimension (section 5.3.2)

  /// Outer sizes along the edge.
  private struct Extent {
    var minimum: LayoutUnit
    var maximum: LayoutUnit
    var definite: LayoutUnit?
  }

  private func extent(isHorizontal: Bool) -> Extent {
    if isHorizontal {
      let outer = margin.left + margin.right
      let sizes = context.intrinsicSizes(of: box)
      return Extent(minimum: sizes.minimum + outer, maximum: sizes.maximum + outer, definite: width.map { $0 + outer })
    }
    let outer = margin.top + margin.bottom
    if let height { return Extent(minimum: height + outer, maximum: height + outer, definite: height + outer) }
    var space = ConstraintSpace(mode: context.mode, availableInline: area.width, percentageBlock: area.height)
    space.imposed.inline = width ?? Swift.max(.zero, area.width - margin.left - margin.right)
    let content = context.measuredBlock(of: box, in: space).block + outer
    return Extent(minimum: content, maximum: content, definite: nil)
  }

  /// Gives the boxes at the start, the middle and the end of an edge their sizes and places along it.
  static func share(_ boxes: inout [MarginBox?], isHorizontal: Bool) {
    guard let any = boxes.lazy.compactMap({ $0 }).first else { return }
    let room = isHorizontal ? any.area.width : any.area.height
    let extents = boxes.map { $0?.extent(isHorizontal: isHorizontal) }
    var sizes = extents.map { $0?.definite ?? .zero }
    if let middle = extents[1] {
      if middle.definite == nil {
        // The middle box stays in the middle: it is weighed against twice the larger of its neighbours.
        let ends = [extents[0], extents[2]].compactMap { $0 }
        let own = ends.compactMap(\.definite)
        let both = Extent(
          minimum: (ends.map { $0.definite ?? $0.minimum }.max() ?? .zero) * 2,
          maximum: (ends.map { $0.definite ?? $0.maximum }.max() ?? .zero) * 2, definite: nil)
        // Neighbours of given sizes leave it the rest.
        sizes[1] =
          own.count == ends.count
          ? Swift.max(.zero, room - (own.max() ?? .zero) * 2) : split(room, middle, both).0
      }
      let rest = Swift.max(.zero, (room - sizes[1]) / 2)
      for end in [0, 2] where extents[end] != nil && extents[end]?.definite == nil { sizes[end] = rest }
    } else if let first = extents[0], let last = extents[2] {
      switch (first.definite, last.definite) {
      case (nil, nil): (sizes[0], sizes[2]) = split(room, first, last)
      case (nil, let size?): sizes[0] = Swift.max(.zero, room - size)
      case (let size?, nil): sizes[2] = Swift.max(.zero, room - size)
      default: break
      }
    } else {
      for end in [0, 2] where extents[end] != nil && extents[end]?.definite == nil { sizes[end] = room }
    }
    for (index, size) in sizes.enumerated() where boxes[index] != nil {
      let start = index == 0 ? .zero : index == 1 ? (room - size) / 2 : room - size
      boxes[index]!.set(start: start, size: size, isHorizontal: isHorizontal)
    }
  }

  /// Room shared by two boxes of automatic size (section 5.3.2.3).
  private static func split(_ room: LayoutUnit, _ a: Extent, _ b: Extent) -> (LayoutUnit, LayoutUnit) {
    func part(_ free: LayoutUnit, _ a: LayoutUnit, _ b: LayoutUnit) -> LayoutUnit {
      let sum = a + b
      return sum > .zero ? LayoutUnit(free.pixels * (a.pixels / sum.pixels)) : free / 2
    }
    let first: LayoutUnit
    if a.maximum + b.maximum <= room {
      first = a.maximum + part(room - a.maximum - b.maximum, a.maximum, b.maximum)
    } else if a.minimum + b.minimum <= room {
      first =
        a.minimum + part(room - a.minimum - b.minimum, a.maximum - a.minimum, b.maximum - b.minimum)
    } else {
      first = part(room, a.minimum, b.minimum)
    }
    return (first, room - first)
  }

  private mutating func set(start: LayoutUnit, size: LayoutUnit, isHorizontal: Bool) {
    if isHorizontal {
      borderBox.x = area.x + start + margin.left
      borderBox.width = Swift.max(.zero, size - margin.left - margin.right)
    } else {
      borderBox.y = area.y + start + margin.top
      borderBox.height = Swift.max(.zero, size - margin.top - margin.bottom)
    }
  }
}
