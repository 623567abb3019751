import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The background of the root, or of the body where the root has none, over the whole page (CSS Backgrounds 3, section 2.11), or
  /// on paper over the page's area (CSS Paged Media 3, section 3.2), unless it is set for readers.
  mutating func paintCanvas(root: FragmentID) {
    guard !painter.canvasBox.isNone else { return }
    let box = tree[painter.canvasBox]
    guard painter.traits.hasBackground[box.style.background.index] else { return }
    let rootFragment = page[root]
    let settings = painter.inputs.settings
    let endsAtArea = settings.isPrinted && !settings.deviations.paintsWholePages
    let whole = endsAtArea ? page.contentArea : Rect(width: page.size.width, height: page.size.height)
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
  mutating func paintDecorations(of id: FragmentID, at offset: LogicalOffset, line: BackgroundMask.Line? = nil) {
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
    let mask = BackgroundMask(fragment: id, offset: offset, line: line)
    let rect = map.rect(offset, fragment.size)
    guard let strip = strip(around: id, at: rect) else {
      return paint(decorations, of: fragment, rect: rect, mask: mask)
    }
    list.items.append(.saveClip(strip.clip, CornerRadii()))
    paint(decorations, of: strip.fragment, rect: strip.rect, mask: mask)
    close()
  }

  /// Decorations of a box: background, border and shadows.
  private struct Decorations {
    var hasBackground: Bool
    var hasBorder: Bool
    var hasShadow: Bool
  }

  /// Paints the decorations of a box, or of all of its parts in columns as if they were one.
  private mutating func paint(_ decorations: Decorations, of fragment: Fragment, rect: Rect, mask: BackgroundMask) {
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
      paintBackground(of: box, boxes: boxes, canvas: nil, mask: mask)
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
      case .borderBox, .text, .borderArea: border
      case .paddingBox: padding
      case .contentBox: content
      }
    }
    func radii(_ box: BackgroundBox) -> CornerRadii {
      switch box {
      case .borderBox, .text, .borderArea: radii
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
    for layer in group.layers.reversed() where layer.image != .none && !layer.clip.isMask {
      let area =
        isFixed(layer, of: box) ? Rect(width: page.size.width, height: page.size.height) : boxes.padding
      paint(layer, style: box.style, area: area, clip: boxes.border, radii: CornerRadii())
    }
    close()
  }

  /// A layer is placed in the page, as `background-attachment: fixed` wants it; transforms of the box or around it make that
  /// `scroll` (CSS Transforms 1, section 3).
  private func isFixed(_ layer: BackgroundLayer, of box: Box) -> Bool {
    guard layer.attachment == .fixed else { return false }
    var box = box
    while !box.parent.isNone {
      if !context.styles[box.style.box].transform.isEmpty { return false }
      box = tree[box.parent]
    }
    return true
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
    of box: Box, boxes: BackgroundBoxes, canvas: Rect?, mask: BackgroundMask? = nil
  ) {
    let group = context.styles[box.style.background]
    let current = context.styles[box.style.text].color
    let color = group.color.resolved(current)
    let bottomClip = group.layers.last?.clip ?? .borderBox
    // Layers blend among themselves, and not with what lies below the box (Compositing 1, section 10).
    let isGroup = group.layers.contains { $0.blendMode != .normal }
    if isGroup { list.items.append(.saveLayer(LayerStyle(bounds: canvas ?? boxes.border))) }
    defer { if isGroup { close() } }
    if !color.isTransparent, !bottomClip.isMask || mask != nil {
      let rect = canvas ?? boxes.rect(bottomClip)
      let radii = canvas == nil ? boxes.radii(bottomClip) : CornerRadii()
      // The colour of the paper, unless the canvas is seen through an effect.
      if let canvas, color.alpha == 255, list.items.isEmpty, canvas.width == list.size.width,
        canvas.height == list.size.height
      {
        list.background = color
      } else if !rect.isEmpty {
        let mask = bottomClip.isMask ? mask : nil
        if mask != nil { list.items.append(.saveLayer(LayerStyle(bounds: rect))) }
        if radii.isZero {
          list.items.append(.fillRect(rect, color))
        } else {
          let covered = bottomClip == .borderBox ? coveredEdge(of: box, boxes.borderWidths) : Insets()
          list.items.append(.fillRoundedRect(rect.inset(by: covered), radii.shrunk(by: covered), color))
        }
        if let mask { endGroup(maskedBy: mask, bottomClip, of: boxes) }
      }
    }
    for layer in group.layers.reversed() where layer.image != .none && (!layer.clip.isMask || mask != nil) {
      let clip = canvas ?? boxes.rect(layer.clip)
      guard !clip.isEmpty else { continue }
      let mask = layer.clip.isMask ? mask : nil
      if layer.blendMode != .normal {
        let blend = BlendMode(rawValue: layer.blendMode.rawValue) ?? .normal
        list.items.append(.saveLayer(LayerStyle(blend: blend, bounds: clip)))
      }
      defer { if layer.blendMode != .normal { close() } }
      if mask != nil { list.items.append(.saveLayer(LayerStyle(bounds: clip))) }
      defer { if let mask { endGroup(maskedBy: mask, layer.clip, of: boxes) } }
      let area =
        isFixed(layer, of: box) ? Rect(width: page.size.width, height: page.size.height) : boxes.rect(layer.origin)
      paint(
        layer, style: box.style, area: area, clip: clip, radii: canvas == nil ? boxes.radii(layer.clip) : CornerRadii())
    }
  }
}
