import BoxGeneration
import CSS
import Graphics
import Layout
import Platform
import Primitives
import Styling

extension PagePainting {
  /// `clip: rect()` of an absolutely positioned box (CSS 2.2, section 11.1.2); `auto` edges reach without end.
  func clipRect(of fragment: Fragment, at offset: LogicalOffset) -> Rect? {
    let style = tree[fragment.box].style
    guard let clip = context.styles[style.box].clip else { return nil }
    let rect = map.rect(offset, fragment.size)
    func edge(_ length: Length?, _ origin: LayoutUnit, _ fallback: LayoutUnit) -> LayoutUnit {
      length.map { origin + context.resolve($0, font: style.font) } ?? fallback
    }
    let left = edge(clip.left, rect.x, -list.size.width)
    let top = edge(clip.top, rect.y, -list.size.height)
    let right = edge(clip.right, rect.x, list.size.width * 2)
    let bottom = edge(clip.bottom, rect.y, list.size.height * 2)
    return Rect(x: left, y: top, width: Swift.max(.zero, right - left), height: Swift.max(.zero, bottom - top))
  }

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
  mutating func openEffects(of fragment: Fragment, at offset: LogicalOffset) -> OpenEffects {
    let style = tree[fragment.box].style
    let box = context.styles[style.box]
    var effects = OpenEffects()
    if !box.transform.isEmpty, fragment.kind != .inlineBox {
      list.items.append(.saveTransform(transform(box, style: style, rect: transformArea(of: fragment, at: offset))))
      effects.outer += 1
    }
    var layer = layerStyle(of: style)
    guard layer != nil || box.clipPath != nil || box.hasMask else { return effects }
    var filters: [PixelFilter] = []
    if box.clipPath != nil || box.hasMask {
      filters = layer?.filters ?? []
      layer?.filters = []
    }
    if let layer, layer != LayerStyle() || box.isIsolated {
      list.items.append(.saveLayer(layer))
      effects.outer += 1
    }
    if box.hasMask {
      list.items.append(.saveLayer(LayerStyle()))
      effects.hasMask = true
    }
    if let path = box.clipPath {
      let shape = clipShape(path, of: fragment, at: offset)
      list.items.append(.saveClipPath(shape.path, isEvenOdd: shape.isEvenOdd))
      effects.inner += 1
    }
    if !filters.isEmpty {
      list.items.append(.saveLayer(LayerStyle(filters: filters)))
      effects.inner += 1
    }
    return effects
  }

  /// Ends the groups that `openEffects` has opened for the same fragment.
  mutating func close(_ effects: OpenEffects, of fragment: Fragment, at offset: LogicalOffset) {
    for _ in 0..<effects.inner { close() }
    if effects.hasMask { endMask(of: fragment, at: offset) }
    for _ in 0..<effects.outer { close() }
  }

  /// The group that opacity, blending and filters ask for; nil when none of them does.
  func layerStyle(of style: ComputedStyle) -> LayerStyle? {
    let box = context.styles[style.box]
    guard box.opacity < 1 || box.blendMode != .normal || box.isIsolated || !box.filter.isEmpty else { return nil }
    return LayerStyle(
      opacity: Swift.max(0, Swift.min(1, box.opacity)), blend: BlendMode(rawValue: box.blendMode.rawValue) ?? .normal,
      filters: pixelFilters(box.filter, style: style))
  }

  /// The reference box of transforms (CSS Transforms 1, section 6.1).
  private func transformArea(of fragment: Fragment, at offset: LogicalOffset) -> Rect {
    switch context.styles[tree[fragment.box].style.box].rare?.values.transformBox {
    case .contentBox, .fillBox: contentRect(of: fragment, at: offset)
    default: map.rect(offset, fragment.size)
    }
  }

  /// The current transformation matrix around `transform-origin` (CSS Transforms 1, section 6).
  private func transform(_ box: BoxStyle, style: ComputedStyle, rect: Rect) -> AffineTransform {
    func length(_ value: LengthPercentage, _ base: LayoutUnit) -> Float {
      context.resolve(value, font: style.font, percentage: base).float
    }
    let originX = rect.x.float + length(box.transformOrigin.x, rect.width)
    let originY = rect.y.float + length(box.transformOrigin.y, rect.height)
    // The last function is the first to be applied to a point.
    var result = AffineTransform(tx: -originX, ty: -originY)
    for function in box.transform.reversed() {
      let step: AffineTransform
      switch function {
      case .matrix(let a, let b, let c, let d, let tx, let ty):
        step = AffineTransform(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
      case .translate(let x, let y): step = AffineTransform(tx: length(x, rect.width), ty: length(y, rect.height))
      case .scale(let x, let y): step = AffineTransform(a: x, d: y)
      case .rotate(let degrees):
        let (sine, cosine) = AffineTransform.sineAndCosine(degrees)
        step = AffineTransform(a: cosine, b: sine, c: -sine, d: cosine)
      case .skew(let x, let y):
        step = AffineTransform(b: tanf(y * .pi / 180), c: tanf(x * .pi / 180))
      }
      result = result.concatenating(step)
    }
    result = result.concatenating(AffineTransform(tx: originX, ty: originY))
    let numbers = [result.a, result.b, result.c, result.d, result.tx, result.ty]
    return numbers.allSatisfy { $0.isFinite && abs($0) < 1e6 } ? result : AffineTransform(a: 0, d: 0)
  }
}
