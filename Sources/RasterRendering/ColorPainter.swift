import CCairo
import CFreeType
import Cairo
import Fonts
import Graphics
import Images
import Primitives

/// Memory that can be drawn on by cairo and by the glyph compositor alike: the page, or a group over a part of it. Both
/// count pixels from the page's corner.
@safe final class Layer {
  let target: ColorTarget
  /// The pixels of the page that the memory holds.
  let bounds: PixelRect
  private let memory: UnsafeMutablePointer<UInt32>
  private let isOwner: Bool
  private var drawing: (context: CairoContext, surface: CairoSurface?)?

  /// The whole page.
  convenience init(_ target: ColorTarget) {
    unsafe self.init(
      target.pixels, bounds: PixelRect(left: 0, top: 0, right: target.width, bottom: target.height), isOwner: false)
  }

  /// A transparent layer over a part of the page.
  convenience init(bounds: PixelRect) {
    let count = Swift.max(1, bounds.width * bounds.height)
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe self.init(memory, bounds: bounds, isOwner: true)
  }

  private init(_ memory: UnsafeMutablePointer<UInt32>, bounds: PixelRect, isOwner: Bool) {
    target = unsafe ColorTarget(
      pixels: memory - (bounds.top * bounds.width + bounds.left), width: bounds.width, height: bounds.height)
    unsafe self.memory = unsafe memory
    self.bounds = bounds
    self.isOwner = isOwner
  }

  deinit {
    if drawing?.surface != nil { drawing?.context.destroy() }
    drawing = nil
    if isOwner { unsafe memory.deallocate() }
  }

  /// For what the compositor cannot draw; a page of text and pictures does without.
  var cairo: CairoContext { makeDrawing().context }
  /// The memory as a source; nil where cairo is not installed.
  var surface: CairoSurface? { makeDrawing().surface }

  private func makeDrawing() -> (context: CairoContext, surface: CairoSurface?) {
    if let drawing { return drawing }
    let surface = unsafe CairoSurface.image(
      over: UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32,
      width: bounds.width, height: bounds.height, stride: bounds.width * 4)
    surface?.setDeviceOffset(Double(-bounds.left), Double(-bounds.top))
    let context = surface?.makeContext()
    if context == nil { RasterRenderer.noteMissingCairo() }
    let made = (context ?? .absent, context == nil ? nil : surface)
    drawing = made
    return made
  }

  /// Finishes what cairo was asked to draw, before the memory is read.
  func flush() { drawing?.surface?.flush() }
}

/// Draws a display list in colour.
struct ColorPainter {
  enum Saved {
    case clip(PixelRect, isRect: Bool)
    case layer(LayerStyle, clip: PixelRect, isRect: Bool)
    case transform(AffineTransform, clip: PixelRect, isRect: Bool)
    case projection(Projection, AffineTransform, clip: PixelRect, isRect: Bool)
    case nothing
  }

  let list: DisplayList
  let cache: GlyphMaskCache
  let images: ImageStore
  var layers: [Layer] = []
  var saved: [Saved] = []
  /// The bounds of the clip; the clip itself when `clipIsRect`.
  var clip: PixelRect
  var clipIsRect = true
  /// From CSS px to device pixels.
  var transform: AffineTransform
  var glyphsDrawn = 0
  /// The budget of steps through a pixel that the page's groups may still take.
  var layerBudget = 4_000_000_000
  private let page: ColorTarget

  /// - Parameter origin: The device pixel of the page that is the target's first.
  init(
    list: DisplayList, scale: Double, from origin: PixelRect, cache: GlyphMaskCache, images: ImageStore,
    target: ColorTarget
  ) {
    self.list = list
    self.cache = cache
    self.images = images
    page = target
    clip = PixelRect(left: 0, top: 0, right: target.width, bottom: target.height)
    transform = AffineTransform(
      a: Float(scale), d: Float(scale), tx: -Float(origin.left), ty: -Float(origin.top))
  }

  var layer: Layer { layers[layers.count - 1] }
  var cairo: CairoContext { layers[layers.count - 1].cairo }

  /// The map to pixels, when it neither turns nor shears nor mirrors.
  var device: Device? {
    guard transform.b == 0, transform.c == 0, transform.a > 0, transform.d > 0 else { return nil }
    return Device(
      scaleX: Double(transform.a), scaleY: Double(transform.d), x: Double(transform.tx), y: Double(transform.ty))
  }

  mutating func draw() {
    let base = Layer(page)
    layers = [base]
    for item in list.items { draw(item) }
    while !saved.isEmpty { restore() }
    base.flush()
    layers = []
  }

  private mutating func draw(_ item: DisplayItem) {
    switch item {
    case .fillRect(let rect, let color): fill(rect, color)
    case .fillRoundedRect(let rect, let radii, let color):
      if radii.isZero {
        fill(rect, color)
      } else if color.alpha > 0 {
        withShapes { canvas in
          canvas.addRoundedRect(rect, radii)
          canvas.fill(color)
        }
      }
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      guard color.alpha > 0 else { return }
      withShapes { canvas in
        canvas.addRoundedRect(outer, outerRadii)
        if !inner.isEmpty { canvas.addRoundedRect(inner, innerRadii) }
        canvas.fill(color, evenOdd: true)
      }
    case .fillPath(let elements, let color):
      guard color.alpha > 0 else { return }
      withShapes { canvas in
        canvas.addPath(elements)
        canvas.fill(color)
      }
    case .strokeLine(let from, let to, let width, let style, let color):
      guard color.alpha > 0, width > .zero else { return }
      if style == .solid, from.x == to.x || from.y == to.y, let device, clipIsRect {
        layer.target.fill(device.snapLine(from, to, width).intersection(clip), color)
      } else {
        withShapes { $0.strokeLine(from, to, width, style, color) }
      }
    case .fillGradient(let rect, let radii, let gradient):
      withShapes { canvas in
        canvas.addRoundedRect(rect, radii)
        canvas.fill(gradient)
      }
    case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
      drawGlyphs(
        font: font, size: size, color: color, rotation: rotation, expansion: expansion,
        range: range.clamped(to: 0..<list.glyphs.count))
    case .strokePath(let elements, let width, let style, let color):
      guard color.alpha > 0, width > .zero else { return }
      withShapes { $0.strokePath(elements, width, style, color) }
    case .image(let id, let rect): drawImage(id, rect)
    case .imagePart(let id, let part, let whole, let rect): drawPart(id, part, of: whole, rect)
    case .tiledImage(let id, let tile, let spacing, let area): drawTiles(id, tile: tile, spacing: spacing, area: area)
    case .shadow(let rect, let radii, let blur, let color, let inset, let clipOut):
      guard color.alpha > 0 else { return }
      withShapes { $0.shadow(rect, radii, blur: blur, color, inset: inset, clipOut: clipOut, bounds: clip) }
    case .saveClip(let rect, let radii): saveClip(rect, radii)
    case .saveClipPath(let elements, let isEvenOdd): saveClip(elements, isEvenOdd: isEvenOdd)
    case .saveLayer(let style): saveLayer(style)
    case .saveTransform(let next): saveTransform(next)
    case .filterBackdrop(let rect, let radii, let filters, let opacity):
      filterBackdrop(rect, radii, filters, opacity: opacity)
    case .saveProjection(let projection, let source): saveProjection(projection, source: source)
    case .restore: restore()
    }
  }

  /// Runs `body` with cairo's matrix set for the current transform.
  func withShapes(_ body: (VectorCanvas) -> Void) {
    if clip.isEmpty { return }
    var matrix = CairoContext.identity
    let device = device
    if device == nil {
      matrix = cairo_matrix_t(
        xx: Double(transform.a), yx: Double(transform.b), xy: Double(transform.c), yy: Double(transform.d),
        x0: Double(transform.tx), y0: Double(transform.ty))
      // A map that flattens the plane would put the context into an error state for good.
      guard abs(matrix.xx * matrix.yy - matrix.xy * matrix.yx) > 1e-12 else { return }
    }
    cairo.setMatrix(matrix)
    cairo.newPath()
    body(VectorCanvas(cairo: cairo, device: device))
  }

  private func fill(_ rect: Rect, _ color: Color) {
    guard color.alpha > 0 else { return }
    if let device, clipIsRect {
      layer.target.fill(device.snap(rect).intersection(clip), color)
    } else {
      withShapes { canvas in
        canvas.addRect(rect)
        canvas.fill(color)
      }
    }
  }

  // MARK: Saved states

  private mutating func saveClip(_ rect: Rect, _ radii: CornerRadii) {
    guard saved.count < 1024 else { return saved.append(.nothing) }
    saved.append(.clip(clip, isRect: clipIsRect))
    cairo.save()
    withShapes { canvas in
      canvas.addRoundedRect(rect, radii)
      canvas.cairo.clip()
    }
    if let device {
      clip = clip.intersection(device.snap(rect))
      if !radii.isZero { clipIsRect = false }
    } else {
      clipIsRect = false
    }
  }

  private mutating func saveClip(_ elements: [PathElement], isEvenOdd: Bool) {
    guard saved.count < 1024 else { return saved.append(.nothing) }
    saved.append(.clip(clip, isRect: clipIsRect))
    cairo.save()
    clipIsRect = false
    withShapes { canvas in
      canvas.addPath(elements, snapsPolygons: false)
      canvas.cairo.setFillRule(isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
      canvas.cairo.clip()
    }
  }

  private mutating func saveLayer(_ style: LayerStyle) {
    // Ink outside of the clip is seen through filters that move it.
    var bounds = clip.grown(
      by: Swift.min(Self.farthestReach, Int((reach(of: style.filters) * pixelScale).rounded(.up))))
    if let ink = style.bounds { bounds = bounds.intersection(deviceBounds(ink, style.filters)) }
    if bounds.isEmpty { bounds = PixelRect(left: clip.left, top: clip.top, right: clip.left + 1, bottom: clip.top + 1) }
    // Each layer costs memory, and time; deeper ones, and too many on a page, are drawn without their effect.
    let cost = bounds.width * bounds.height * (1 + style.filters.reduce(0) { $0 + $1.cost })
    guard layers.count < 12, cost <= layerBudget else { return saved.append(.nothing) }
    layerBudget -= cost
    saved.append(.layer(style, clip: clip, isRect: clipIsRect))
    layers.append(Layer(bounds: bounds))
    // The group is clipped by shape when it is put down; inside it only the bounds matter.
    clip = bounds
    clipIsRect = true
  }

  private static let farthestReach = 4096

  /// The distance to which filters carry ink, in CSS px.
  private func reach(of filters: [PixelFilter]) -> Double { filters.reduce(0) { $0 + $1.reach.pixels } }

  /// The corners of a rectangle in device pixels.
  func deviceCorners(of rect: Rect) -> [(x: Double, y: Double)] {
    [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)].map {
      let (x, y) = ($0.pixels, $1.pixels)
      return (
        x: Double(transform.a) * x + Double(transform.c) * y + Double(transform.tx),
        y: Double(transform.b) * x + Double(transform.d) * y + Double(transform.ty)
      )
    }
  }

  /// The pixels that ink inside a rectangle can reach through filters.
  func deviceBounds(_ rect: Rect, _ filters: [PixelFilter]) -> PixelRect {
    let corners = deviceCorners(of: rect)
    let margin = (2 + reach(of: filters)) * pixelScale
    func place(_ value: Double) -> Int { Device.round(value) }
    return PixelRect(
      left: place((corners.map(\.x).min() ?? 0) - margin), top: place((corners.map(\.y).min() ?? 0) - margin),
      right: place((corners.map(\.x).max() ?? 0) + margin), bottom: place((corners.map(\.y).max() ?? 0) + margin))
  }

  /// Device pixels a CSS px, on the whole, of the current transform.
  var pixelScale: Double {
    abs(Double(transform.a) * Double(transform.d) - Double(transform.b) * Double(transform.c)).squareRoot()
  }

  mutating func saveTransform(_ next: AffineTransform) {
    let combined = next.concatenating(transform)
    let values = [combined.a, combined.b, combined.c, combined.d, combined.tx, combined.ty]
    guard saved.count < 1024, values.allSatisfy({ $0.isFinite && abs($0) < 1e7 }) else { return saved.append(.nothing) }
    saved.append(.transform(transform, clip: clip, isRect: clipIsRect))
    transform = combined
  }

  private mutating func restore() {
    switch saved.popLast() {
    case nil, .nothing?: break
    case .clip(let rect, let isRect)?:
      cairo.restore()
      clip = rect
      clipIsRect = isRect
    case .transform(let previous, _, _)?: transform = previous
    case .layer(let style, let rect, let isRect)?:
      let group = layers.removeLast()
      clip = rect
      clipIsRect = isRect
      group.flush()
      run(style.filters, on: group)
      put(group, style)
    case .projection(let projection, let previous, let rect, let isRect)?:
      let group = layers.removeLast()
      clip = rect
      clipIsRect = isRect
      transform = previous
      group.flush()
      if let image = projected(group, projection) { put(image, LayerStyle()) }
    }
  }

  /// Puts the pixels of a group down.
  func put(_ group: Layer, _ style: LayerStyle) {
    group.surface?.markDirty()
    cairo.setMatrix(CairoContext.identity)
    cairo.save()
    cairo.setOperator(style.blend.cairoOperator)
    if let surface = group.surface { cairo.setSource(surface, 0, 0) }
    let opacity = style.opacity.isNaN ? 1 : Double(Swift.max(0, Swift.min(1, style.opacity)))
    cairo.paint(alpha: opacity)
    cairo.restore()
    // The group's memory goes before a next source is set.
    cairo.setSource(0, 0, 0, 1)
  }

  // MARK: Text

  private mutating func drawGlyphs(
    font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, expansion: Int16, range: Range<Int>
  ) {
    guard !range.isEmpty, size > .zero, !clip.isEmpty else { return }
    glyphsDrawn += range.count
    guard let device, device.scaleX == device.scaleY else {
      drawGlyphPaths(
        font: font, size: size, color: color, rotation: rotation, expansion: expansion, range: range)
      return
    }
    let key = GlyphMaskCache.StrikeKey(
      font: font, size: Device.glyphSize(size, device.scaleX), rotation: rotation, expansion: expansion)
    guard let strike = cache.strike(key) else { return }
    let entry = cache.entry(of: strike)
    guard key.size <= GlyphMaskCache.largestSize || entry.face.isColor else {
      drawGlyphPaths(
        font: font, size: size, color: color, rotation: rotation, expansion: expansion, range: range)
      return
    }
    let source = ColorTarget.premultiplied(color)
    for index in range {
      let glyph = list.glyphs[index]
      if entry.face.isColor, let picture = cache.colorGlyph(glyph.glyph, strike: strike, foreground: color) {
        let x = glyph.x.pixels * device.scaleX + device.x
        let y = glyph.y.pixels * device.scaleY + device.y
        drawPicture(picture, x: x, y: y, opacity: Double(color.alpha) / 255)
        continue
      }
      guard color.alpha > 0 else { continue }
      let place = device.place(glyph, rotation: rotation)
      let known = cache.mask(glyph.glyph, phase: place.phase, strike: strike)
      let mask = known.mask
      guard mask.width > 0 else { continue }
      let x = place.x &+ Int(mask.left)
      let y = place.y &- Int(mask.top)
      if clipIsRect {
        unsafe layer.target.blend(known.rows, mask, x: x, y: y, clip: clip, source: source)
      } else {
        drawMask(known, x: x, y: y, color: color)
      }
    }
  }

  /// A mask under a clip that is no rectangle of whole pixels.
  private func drawMask(_ known: GlyphMaskReference, x: Int, y: Int, color: Color) {
    let mask = known.mask
    let width = Int(mask.width)
    let height = Int(mask.height)
    guard let surface = CairoSurface.image(CAIRO_FORMAT_A8, width: width, height: height),
      let memory = unsafe surface.memory
    else { return }
    surface.flush()
    let stride = surface.stride
    let rows = unsafe known.rows
    for row in 0..<height { unsafe (memory + row * stride).update(from: rows + row * Int(mask.pitch), count: width) }
    surface.markDirty()
    cairo.setMatrix(CairoContext.identity)
    VectorCanvas.setSource(cairo, color)
    cairo.mask(surface, Double(x), Double(y))
  }

  private func drawPicture(_ picture: ColorGlyph, x: Double, y: Double, opacity: Double) {
    cairo.setMatrix(CairoContext.identity)
    cairo.save()
    cairo.translate((x + picture.left).rounded(), (y - picture.top).rounded())
    cairo.scale(picture.scale, picture.scale)
    VectorCanvas.paint(cairo, picture.bitmap, opacity: opacity)
    cairo.restore()
  }

  /// Glyphs as outlines: turned, sheared, or too large for masks.
  private func drawGlyphPaths(
    font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, expansion: Int16, range: Range<Int>
  ) {
    guard let entry = cache.faces.entry(font), size > .zero else { return }
    // The outline is loaded large, so that its 1/64 px grid does not show, and scaled down by the matrix.
    let em = 1024 * 64
    if entry.paints != nil { drawGlyphPictures(entry, size: size, color: color, range: range) }
    guard cache.faces.setSize(em, of: entry) else {
      drawGlyphPictures(entry, size: size, color: color, range: range)
      return
    }
    guard color.alpha > 0 || entry.face.isColor else { return }
    let unit = size.pixels / Double(em)
    let along = unit * (1 + Double(expansion) / 1000)
    let base = cairo_matrix_t(
      xx: Double(transform.a), yx: Double(transform.b), xy: Double(transform.c), yy: Double(transform.d),
      x0: Double(transform.tx), y0: Double(transform.ty))
    guard abs(base.xx * base.yy - base.xy * base.yx) * unit * unit > 1e-18 else { return }
    cairo.newPath()
    for index in range {
      let glyph = list.glyphs[index]
      guard !entry.hasPaint(glyph.glyph), let outline = unsafe cache.faces.outline(glyph.glyph, of: entry) else {
        continue
      }
      let (x, y) = (glyph.x.pixels, glyph.y.pixels)
      var local =
        switch rotation {
        case .none: cairo_matrix_t(xx: along, yx: 0, xy: 0, yy: -unit, x0: x, y0: y)
        case .clockwise90: cairo_matrix_t(xx: 0, yx: along, xy: unit, yy: 0, x0: x, y0: y)
        case .counterclockwise90: cairo_matrix_t(xx: 0, yx: -along, xy: -unit, yy: 0, x0: x, y0: y)
        }
      var matrix = cairo_matrix_t()
      var base = base
      unsafe cairo_matrix_multiply(&matrix, &local, &base)
      cairo.setMatrix(matrix)
      unsafe VectorCanvas.append(outline, to: cairo)
    }
    cairo.setMatrix(CairoContext.identity)
    VectorCanvas.setSource(cairo, color)
    cairo.setFillRule(CAIRO_FILL_RULE_WINDING)
    cairo.fill()
  }

  /// Pictures of a face without outlines, under a transform.
  private func drawGlyphPictures(_ entry: GlyphFaces.Entry, size: LayoutUnit, color: Color, range: Range<Int>) {
    for index in range {
      let glyph = list.glyphs[index]
      guard
        let picture = cache.faces.colorGlyph(
          glyph.glyph, of: entry, size: Swift.max(1, Int(size.rawValue)), foreground: color)
      else { continue }
      withShapes { canvas in
        guard canvas.device == nil else { return }
        canvas.cairo.save()
        canvas.cairo.translate(glyph.x.pixels + picture.left, glyph.y.pixels - picture.top)
        canvas.cairo.scale(picture.scale, picture.scale)
        VectorCanvas.paint(canvas.cairo, picture.bitmap, opacity: Double(color.alpha) / 255)
        canvas.cairo.restore()
      }
    }
  }
}
