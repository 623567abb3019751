import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The background of the root, or of the body where the root has none, over the whole page (CSS Backgrounds 3, section 2.11), or
  /// on paper over the page's area (CSS Paged Media 3, section 3.2).
  mutating func paintCanvas(root: FragmentID) {
    guard !painter.canvasBox.isNone else { return }
    let box = tree[painter.canvasBox]
    guard painter.traits.hasBackground[box.style.background.index] else { return }
    let rootFragment = page[root]
    let isPrinted = painter.inputs.settings.isPrinted
    let whole = isPrinted ? page.contentArea : Rect(width: page.size.width, height: page.size.height)
    // Images are placed as if for the root element alone.
    let area = map.rect(rootFragment.offset, rootFragment.size)
    let edges = geometry(rootFragment)
    let border = map.insets(edges.border)
    let padding = map.insets(edges.padding)
    let boxes = BackgroundBoxes(
      border: area, padding: area.inset(by: border), content: area.inset(by: border + padding), radii: CornerRadii(),
      borderWidths: border, paddingWidths: padding)
    paintBackground(of: box, boxes: boxes, canvas: whole)
  }

  /// Shadow, background and border of a box or of an inline box's part on a line.
  ///
  /// - Parameter line: The line an inline box stands on, which also holds its text.
  mutating func paintDecorations(of id: FragmentID, at offset: LogicalOffset, line: TextMask.Line? = nil) {
    let fragment = page[id]
    guard fragment.kind == .box || fragment.kind == .inlineBox, !fragment.box.isNone,
      !fragment.flags.contains(.paintsNothing)
    else { return }
    let box = tree[fragment.box]
    guard !box.flags.contains(.anonymous), painter.traits.isVisible[box.style.text.index] else { return }
    let decorations = Decorations(
      hasBackground: painter.traits.hasBackground[box.style.background.index] && fragment.box != painter.canvasBox,
      hasBorder: painter.traits.hasBorder[box.style.border.index] && !context.inputs.hasCollapsedBorders(fragment.box),
      hasShadow: painter.traits.hasShadow[box.style.border.index])
    guard decorations.hasBackground || decorations.hasBorder || decorations.hasShadow else { return }
    let text = TextMask(fragment: id, offset: offset, line: line)
    let rect = map.rect(offset, fragment.size)
    guard let strip = strip(around: id, at: rect) else {
      return paint(decorations, of: fragment, rect: rect, text: text)
    }
    list.items.append(.saveClip(strip.clip, CornerRadii()))
    paint(decorations, of: strip.fragment, rect: strip.rect, text: text)
    close()
  }

  /// Decorations of a box: background, border and shadows.
  private struct Decorations {
    var hasBackground: Bool
    var hasBorder: Bool
    var hasShadow: Bool
  }

  /// Paints the decorations of a box, or of all of its parts in columns as if they were one.
  private mutating func paint(_ decorations: Decorations, of fragment: Fragment, rect: Rect, text: TextMask) {
    let box = tree[fragment.box]
    let geometry = geometry(fragment)
    let border = map.insets(geometry.border)
    let radii = cornerRadii(of: fragment, rect: rect)
    if decorations.hasShadow { paintShadows(of: box, rect: rect, border: border, radii: radii, isInset: false) }
    if decorations.hasBackground {
      let padding = map.insets(geometry.padding)
      let boxes = BackgroundBoxes(
        border: rect, padding: rect.inset(by: border), content: rect.inset(by: border + padding), radii: radii,
        borderWidths: border, paddingWidths: padding)
      paintBackground(of: box, boxes: boxes, canvas: nil, text: text)
    }
    if decorations.hasShadow { paintShadows(of: box, rect: rect, border: border, radii: radii, isInset: true) }
    if decorations.hasBorder, !paintBorderImage(of: box, rect: rect, border: border) {
      paintBorder(borderSides(of: fragment, insets: border), rect: rect, radii: radii)
    }
  }

  private mutating func paintShadows(of box: Box, rect: Rect, border: Insets, radii: CornerRadii, isInset: Bool) {
    let current = context.styles[box.style.text].color
    // The first shadow lies on top.
    for shadow in context.styles[box.style.border].shadows.reversed() where shadow.isInset == isInset {
      let color = shadow.color.resolved(current)
      guard !color.isTransparent else { continue }
      func length(_ value: Length) -> LayoutUnit { context.resolve(value, font: box.style.font) }
      let blur = Swift.max(.zero, length(shadow.blur))
      let spread = length(shadow.spread)
      let edge = isInset ? rect.inset(by: border) : rect
      let edgeRadii = isInset ? radii.shrunk(by: border) : radii
      let grown = (isInset ? edge.grown(by: -spread) : edge.grown(by: spread)).offsetBy(
        x: length(shadow.x), y: length(shadow.y))
      let shape = Rect(
        x: grown.x, y: grown.y, width: Swift.max(.zero, grown.width), height: Swift.max(.zero, grown.height))
      if !isInset && (shape.isEmpty || blur == .zero && shape == edge) { continue }
      let growth = isInset ? -spread : spread
      let shapeRadii =
        edgeRadii.isZero
        ? edgeRadii : edgeRadii.shrunk(by: Insets(top: -growth, right: -growth, bottom: -growth, left: -growth))
      list.items.append(.shadow(shape, shapeRadii, blur: blur, color, inset: isInset, clipOut: edge))
    }
  }

  struct BackgroundBoxes {
    var border: Rect
    var padding: Rect
    var content: Rect
    var radii: CornerRadii
    var borderWidths: Insets
    var paddingWidths: Insets

    func rect(_ box: BackgroundBox) -> Rect {
      switch box {
      case .borderBox, .text: border
      case .paddingBox: padding
      case .contentBox: content
      }
    }
    func radii(_ box: BackgroundBox) -> CornerRadii {
      switch box {
      case .borderBox, .text: radii
      case .paddingBox: radii.shrunk(by: borderWidths)
      case .contentBox: radii.shrunk(by: borderWidths + paddingWidths)
      }
    }
  }

  /// A background in sight only where it lies under a cell.
  mutating func paintBackground(of box: Box, boxes: BackgroundBoxes, clippedTo cell: Rect) {
    let group = context.styles[box.style.background]
    let color = group.color.resolved(context.styles[box.style.text].color)
    if !color.isTransparent { list.items.append(.fillRect(cell, color)) }
    guard !group.layers.isEmpty else { return }
    // A cell that spans reaches beyond the part, and the part's images with it.
    var boxes = boxes
    boxes.border = boxes.border.union(cell)
    list.items.append(.saveClip(cell, CornerRadii()))
    for layer in group.layers.reversed() where layer.image != .none && layer.clip != .text {
      let area =
        layer.attachment == .fixed ? Rect(width: page.size.width, height: page.size.height) : boxes.padding
      paint(layer, style: box.style, area: area, clip: boxes.border, radii: CornerRadii())
    }
    close()
  }

  /// Widths by which a border with a round outer edge covers a background: its colour does not shine through the edge's
  /// pixels that both cover in part.
  private func coveredEdge(of box: Box, _ widths: Insets) -> Insets {
    let border = context.styles[box.style.border]
    let current = context.styles[box.style.text].color
    func covered(_ width: LayoutUnit, _ style: BorderStyle, _ color: ColorValue) -> LayoutUnit? {
      let isOpaque =
        switch style {
        case .solid, .inset, .outset, .groove, .ridge: color.resolved(current).alpha == 255
        default: false
        }
      return isOpaque && width >= LayoutUnit(2) ? LayoutUnit(1) : nil
    }
    guard border.image == nil, let top = covered(widths.top, border.style.top, border.color.top),
      let right = covered(widths.right, border.style.right, border.color.right),
      let bottom = covered(widths.bottom, border.style.bottom, border.color.bottom),
      let left = covered(widths.left, border.style.left, border.color.left)
    else { return Insets() }
    return Insets(top: top, right: right, bottom: bottom, left: left)
  }

  private mutating func paintBackground(
    of box: Box, boxes: BackgroundBoxes, canvas: Rect?, text: TextMask? = nil
  ) {
    let group = context.styles[box.style.background]
    let current = context.styles[box.style.text].color
    let color = group.color.resolved(current)
    let bottomClip = group.layers.last?.clip ?? .borderBox
    if !color.isTransparent, bottomClip != .text || text != nil {
      let rect = canvas ?? boxes.rect(bottomClip)
      let radii = canvas == nil ? boxes.radii(bottomClip) : CornerRadii()
      // The colour of the paper, unless the canvas is seen through an effect.
      if let canvas, color.alpha == 255, list.items.isEmpty, canvas.width == list.size.width,
        canvas.height == list.size.height
      {
        list.background = color
      } else if !rect.isEmpty {
        let mask = bottomClip == .text ? text : nil
        if mask != nil { list.items.append(.saveLayer(LayerStyle(bounds: rect))) }
        if radii.isZero {
          list.items.append(.fillRect(rect, color))
        } else {
          let covered = bottomClip == .borderBox ? coveredEdge(of: box, boxes.borderWidths) : Insets()
          list.items.append(.fillRoundedRect(rect.inset(by: covered), radii.shrunk(by: covered), color))
        }
        if let mask { endGroup(maskedBy: mask, bounds: rect) }
      }
    }
    for layer in group.layers.reversed() where layer.image != .none && (layer.clip != .text || text != nil) {
      let clip = canvas ?? boxes.rect(layer.clip)
      guard !clip.isEmpty else { continue }
      let mask = layer.clip == .text ? text : nil
      if mask != nil { list.items.append(.saveLayer(LayerStyle(bounds: clip))) }
      defer { if let mask { endGroup(maskedBy: mask, bounds: clip) } }
      let area =
        layer.attachment == .fixed ? Rect(width: page.size.width, height: page.size.height) : boxes.rect(layer.origin)
      paint(
        layer, style: box.style, area: area, clip: clip, radii: canvas == nil ? boxes.radii(layer.clip) : CornerRadii())
    }
  }

  mutating func paint(
    _ layer: BackgroundLayer, style: ComputedStyle, area: Rect, clip: Rect, radii: CornerRadii
  ) {
    var image = ImageID.none
    var natural = NaturalDimensions()
    if case .url(let url) = layer.image {
      guard let found = painter.images.image(url), !found.isNone else { return }
      image = found
      natural = painter.images.natural(found)
      if natural.width.map({ $0 <= .zero }) ?? false || natural.height.map({ $0 <= .zero }) ?? false { return }
    }
    var tile = tileSize(layer, style: style, area: area, natural: natural)
    func round(_ length: inout LayoutUnit, _ room: LayoutUnit) {
      let count = Swift.max(1, (room.pixels / Swift.max(length.pixels, 1.0 / 64)).rounded())
      length = LayoutUnit(room.pixels / count)
    }
    // A side that is `auto` follows the one that is rounded (section 2.9).
    let unrounded = tile
    if layer.repeatX == .round { round(&tile.width, area.width) }
    if layer.repeatY == .round { round(&tile.height, area.height) }
    if case .size(let width, let height) = layer.size, unrounded.width > .zero, unrounded.height > .zero {
      if layer.repeatX == .round, layer.repeatY != .round, height == nil {
        tile.height = tile.width * (unrounded.height.pixels / unrounded.width.pixels)
      } else if layer.repeatY == .round, layer.repeatX != .round, width == nil {
        tile.width = tile.height * (unrounded.width.pixels / unrounded.height.pixels)
      }
    }
    guard tile.width > .zero, tile.height > .zero else { return }

    var spacing = Size.zero
    var x = area.x + context.resolve(layer.position.x, font: style.font, percentage: area.width - tile.width)
    var y = area.y + context.resolve(layer.position.y, font: style.font, percentage: area.height - tile.height)
    var repeatsX = layer.repeatX != .noRepeat
    var repeatsY = layer.repeatY != .noRepeat
    /// `space`: as many whole tiles as fit, the first and last touching the edges.
    func spaced(_ length: LayoutUnit, _ room: LayoutUnit) -> LayoutUnit? {
      let count = Int(clamping: Int64(room.rawValue) / Int64(Swift.max(1, length.rawValue)))
      return count > 1 ? (room - length * count) / (count - 1) : nil
    }
    if layer.repeatX == .space {
      if let gap = spaced(tile.width, area.width) { (spacing.width, x) = (gap, area.x) } else { repeatsX = false }
    }
    if layer.repeatY == .space {
      if let gap = spaced(tile.height, area.height) { (spacing.height, y) = (gap, area.y) } else { repeatsY = false }
    }
    let first = Rect(x: x, y: y, width: tile.width, height: tile.height)
    var covered = clip
    if !repeatsX {
      covered = covered.intersection(Rect(x: first.x, y: covered.y, width: first.width, height: covered.height))
    }
    if !repeatsY {
      covered = covered.intersection(Rect(x: covered.x, y: first.y, width: covered.width, height: first.height))
    }
    covered = covered.intersection(Rect(width: page.size.width, height: page.size.height))
    guard !covered.isEmpty else { return }

    if !radii.isZero { list.items.append(.saveClip(clip, radii)) }
    defer { if !radii.isZero { close() } }
    if !image.isNone {
      if !repeatsX, !repeatsY, covered == first {
        list.items.append(.image(image, first))
      } else {
        list.items.append(.tiledImage(image, tile: first, spacing: spacing, clip: covered))
      }
      return
    }
    // Gradients: one fill for each tile in sight.
    let stepX = first.width + spacing.width
    let stepY = first.height + spacing.height
    func start(_ origin: LayoutUnit, _ step: LayoutUnit, _ edge: LayoutUnit) -> LayoutUnit {
      origin + step * Int(((edge.pixels - origin.pixels) / step.pixels).rounded(.down))
    }
    let needsClip = covered != first
    if needsClip { list.items.append(.saveClip(covered, CornerRadii())) }
    var count = 0
    var top = repeatsY ? start(first.y, stepY, covered.y) : first.y
    rows: repeat {
      var left = repeatsX ? start(first.x, stepX, covered.x) : first.x
      repeat {
        let rect = Rect(x: left, y: top, width: first.width, height: first.height)
        if case .gradient(let value) = layer.image, let gradient = context.gradient(value, in: rect, style: style) {
          list.items.append(.fillGradient(rect, CornerRadii(), gradient))
        }
        count += 1
        if count >= 10_000 { break rows }
        left += stepX
      } while repeatsX && left < covered.maxX
      top += stepY
    } while repeatsY && top < covered.maxY
    if needsClip { close() }
  }

  /// The size of one tile (CSS Backgrounds 3, section 2.9).
  private func tileSize(
    _ layer: BackgroundLayer, style: ComputedStyle, area: Rect, natural: NaturalDimensions
  ) -> Size {
    let room = Size(width: area.width, height: area.height)
    switch layer.size {
    case .cover: return natural.fitted(into: room, covers: true)
    case .contain: return natural.fitted(into: room, covers: false)
    case .size(let width, let height):
      func length(_ value: LengthPercentage?, _ room: LayoutUnit) -> LayoutUnit? {
        value.map { Swift.max(.zero, context.resolve($0, font: style.font, percentage: room)) }
      }
      return natural.size(specified: (length(width, room.width), length(height, room.height)), in: room)
    }
  }
}
