import BoxGeneration
import CSS
import Graphics
import Layout
import Platform
import Primitives
import Styling

extension PagePainting {
  /// `clip: rect()` of an absolutely positioned box (CSS Masking 1, section 8.1); `auto` edges are those of the border box.
  func clipRect(of fragment: Fragment, at offset: LogicalOffset) -> Rect? {
    let style = tree[fragment.box].style
    guard let clip = context.styles[style.box].clip else { return nil }
    let rect = map.rect(offset, fragment.size)
    func edge(_ length: Length?, _ origin: LayoutUnit, _ fallback: LayoutUnit) -> LayoutUnit {
      length.map { origin + context.resolve($0, font: style.font) } ?? fallback
    }
    let left = edge(clip.left, rect.x, rect.x)
    let top = edge(clip.top, rect.y, rect.y)
    let right = edge(clip.right, rect.x, rect.maxX)
    let bottom = edge(clip.bottom, rect.y, rect.maxY)
    return Rect(x: left, y: top, width: Swift.max(.zero, right - left), height: Swift.max(.zero, bottom - top))
  }

  /// The reach of shadows and outlines beyond the boxes of a projected group, more or less.
  private static let inkReach = LayoutUnit(32)

  /// The groups that effects of a box have opened.
  struct OpenEffects {
    /// Those around the mask, and without one all.
    var outer = 0
    /// Those inside the mask's group.
    var inner = 0
    /// A group is open that the mask ends.
    var hasMask = false
  }

  /// Opens the groups for `transform`, `opacity` and the other effects, in the order of Filter Effects 1, section 5: filters
  /// are done first, then the clip, then the mask, then the opacity. The part of an inline box on a line is not transformed.
  mutating func openEffects(of id: FragmentID, at offset: LogicalOffset, _ matrix: Matrix4) -> OpenEffects {
    let fragment = page[id]
    let style = tree[fragment.box].style
    let box = context.styles[style.box]
    var effects = OpenEffects()
    if matrix != .identity {
      let projection = Projection(matrix)
      if !projection.isFinite {
        list.items.append(.saveTransform(AffineTransform(a: 0, d: 0)))
      } else if let affine = projection.affine {
        list.items.append(.saveTransform(affine))
      } else {
        list.items.append(.saveProjection(projection, source: extent(of: id, at: offset).grown(by: Self.inkReach)))
      }
      effects.outer += 1
    }
    filterBackdrop(of: fragment, at: offset)
    let isGroup = painter.traits.boxes[style.box.index].isIsolated
    var layer = layerStyle(of: id, at: offset) ?? (isGroup ? LayerStyle() : nil)
    guard layer != nil || box.clipPath != nil || box.hasMask else { return effects }
    var filters: [PixelFilter] = []
    if box.clipPath != nil || box.hasMask {
      filters = layer?.filters ?? []
      layer?.filters = []
    }
    if let layer, layer != LayerStyle() || isGroup {
      list.items.append(.saveLayer(layer))
      effects.outer += 1
    }
    if box.hasMask {
      list.items.append(.saveLayer(LayerStyle()))
      effects.hasMask = true
    }
    if let path = box.clipPath, let shape = clipShape(path, of: fragment, at: offset) {
      list.items.append(.saveClipPath(shape.path, isEvenOdd: shape.isEvenOdd))
      effects.inner += 1
    }
    if !filters.isEmpty {
      list.items.append(.saveLayer(LayerStyle(filters: filters)))
      effects.inner += 1
    }
    return effects
  }

  /// Applies `backdrop-filter` to the pixels behind a box (Filter Effects 2, section 2).
  private mutating func filterBackdrop(of fragment: Fragment, at offset: LogicalOffset) {
    let style = tree[fragment.box].style
    let box = context.styles[style.box]
    guard let functions = box.rare?.values.backdropFilter, !functions.isEmpty else { return }
    let rect = map.rect(offset, fragment.size)
    list.items.append(
      .filterBackdrop(
        rect, cornerRadii(of: fragment, rect: rect),
        pixelFilters(functions, style: style, of: rect, isOfBackdrop: true),
        opacity: Swift.max(0, Swift.min(1, box.opacity))))
  }

  /// Ends the groups that `openEffects` has opened for the same fragment.
  mutating func close(_ effects: OpenEffects, of fragment: Fragment, at offset: LogicalOffset) {
    for _ in 0..<effects.inner { close() }
    if effects.hasMask { endMask(of: fragment, at: offset) }
    for _ in 0..<effects.outer { close() }
  }

  /// The box that the places of a filter refer to: the border box, and those of boxes inside that are positioned or transformed, as in
  /// browsers.
  private func filterBox(of id: FragmentID, at offset: LogicalOffset) -> Rect {
    let own = map.rect(offset, page[id].size)
    var rect = own
    let parent = PlacedFragment(fragment: id, offset: offset)
    for child in children(of: id) {
      let fragment = page[child]
      let place = offset + fragment.offset
      var inner = filterBox(of: child, at: place)
      if fragment.kind == .box, !fragment.box.isNone {
        let box = context.styles[tree[fragment.box].style.box]
        let matrix = matrix(of: fragment, at: place, in: parent)
        if box.position == .static, matrix == .identity {
          inner = rest(of: inner, without: map.rect(place, fragment.size))
        }
        if let affine = Projection(matrix).affine { inner = Self.bounds(of: inner, affine) }
      } else {
        inner = rest(of: inner, without: map.rect(place, fragment.size))
      }
      if !inner.isEmpty { rect = rect.isEmpty && own.isEmpty && rect == own ? inner : rect.union(inner) }
    }
    return rect
  }

  private static func bounds(of rect: Rect, _ transform: AffineTransform) -> Rect {
    let corners = [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)].map {
      transform.point(SIMD2($0.float, $1.float))
    }
    let low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    let high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    return Rect(
      x: LayoutUnit(low.x), y: LayoutUnit(low.y), width: LayoutUnit(high.x - low.x), height: LayoutUnit(high.y - low.y))
  }

  /// What boxes inside have added to a box that does not count itself.
  private func rest(of rect: Rect, without own: Rect) -> Rect { rect == own ? Rect() : rect }

  /// The group that opacity, blending and filters ask for; nil when none of them does.
  mutating func layerStyle(of id: FragmentID, at offset: LogicalOffset) -> LayerStyle? {
    let style = tree[page[id].box].style
    let box = context.styles[style.box]
    guard box.opacity < 1 || box.blendMode != .normal || box.isIsolated || !box.filter.isEmpty else { return nil }
    let hasReference = box.filter.contains { if case .reference = $0 { true } else { false } }
    let rect = hasReference ? filterBox(of: id, at: offset) : map.rect(offset, page[id].size)
    return LayerStyle(
      opacity: Swift.max(0, Swift.min(1, box.opacity)), blend: BlendMode(rawValue: box.blendMode.rawValue) ?? .normal,
      filters: pixelFilters(box.filter, style: style, of: rect))
  }
}

extension BoxStyle {
  /// `backdrop-filter` or `will-change` make a group that `backdrop-filter` inside does not see beyond (Filter Effects
  /// 2, section 2.1).
  var isBackdropRoot: Bool {
    rare.map { !$0.values.backdropFilter.isEmpty || $0.values.willChange.contains(.backdropRoot) } ?? false
  }
}
