import BoxGeneration
import CSS
import Graphics
import Layout
import Markup
import Primitives
import Styling

extension PagePainting {
  /// Ends the group of a masked box: what its mask leaves of it stays (CSS Masking 1, section 7).
  mutating func endMask(of fragment: Fragment, at offset: LogicalOffset) {
    if case .saveLayer? = list.items.last { return close() }
    let box = tree[fragment.box]
    guard let mask = context.styles[box.style.box].rare?.values.mask else { return close() }
    let boxes = shapeBoxes(of: fragment, at: offset)
    list.items.append(.saveLayer(LayerStyle(blend: .maskIn)))
    let layers = mask.layers
    // The top layer comes first, and how the lowest one is composited is of no account.
    for (index, layer) in layers.enumerated().reversed() {
      let isLowest = index == layers.count - 1
      let blend: BlendMode =
        switch layer.composite {
        case .add: .normal
        case .subtract: .maskOut
        case .intersect: .maskIn
        case .exclude: .maskXor
        }
      let reference = maskElement(of: layer)
      let isLuminance = layer.mode == .luminance && reference == nil
      let isPlain = !isLuminance && (isLowest || blend == .normal)
      if !isPlain {
        list.items.append(
          .saveLayer(LayerStyle(blend: isLowest ? .normal : blend, filters: isLuminance ? [Self.luminanceToAlpha] : []))
        )
      }
      if isLuminance { list.items.append(.fillRect(everything, .black)) }
      if let reference {
        paint(reference, mode: layer.mode, in: boxes.rect(.borderBox))
      } else {
        paint(layer, style: box.style, boxes: boxes)
      }
      if !isPlain { list.items.append(.restore) }
    }
    list.items.append(.restore)
    list.items.append(.restore)
  }

  /// The `<mask>` of the document that is the image of a layer; nil for other images.
  private mutating func maskElement(of layer: MaskLayer) -> NodeID? {
    guard case .url(let url) = layer.image, let element = referencedElement(url),
      document.isElement(element, .mask, in: .svg)
    else { return nil }
    return element
  }

  /// The distance around a box at which a mask still shows what sticks out of it, such as shadows.
  private static let maskReach = LayoutUnit(128)

  /// The place, the size and the clip of a layer have no effect on a `<mask>` (section 7.1).
  private mutating func paint(_ mask: NodeID, mode: MaskMode, in rect: Rect) {
    let size = Size(width: rect.width, height: rect.height)
    guard let image = painter.images.mask(mask, size, Self.maskReach, mode) else { return }
    list.items.append(.image(image, rect.grown(by: Self.maskReach)))
  }

  private mutating func paint(_ layer: MaskLayer, style: ComputedStyle, boxes: ShapeBoxes) {
    guard layer.image != .none else { return }
    var background = BackgroundLayer()
    background.image = layer.image
    background.position = layer.position
    background.size = layer.size
    background.repeatX = layer.repeatX
    background.repeatY = layer.repeatY
    let clip = GeometryBox(rawValue: layer.clip.rawValue)
    paint(
      background, style: style, area: boxes.rect(layer.origin), clip: clip.map { boxes.rect($0) } ?? everything,
      radii: clip.map { boxes.radii($0) } ?? CornerRadii())
  }

  /// The page and what a transform could bring onto it.
  private var everything: Rect {
    let (width, height) = (page.size.width, page.size.height)
    return Rect(x: -width * 4, y: -height * 4, width: width * 9, height: height * 9)
  }

  /// Opaque colours become as opaque as they are bright (CSS Masking 1, section 7.10.1).
  private static let luminanceToAlpha = PixelFilter.colorMatrix([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2125, 0.7154, 0.0721, 0, 0,
  ])
}
