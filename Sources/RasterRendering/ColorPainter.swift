import CCairo
import CFreeType
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
  private var context: OpaquePointer?

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
    if let context = unsafe context { unsafe cairo_destroy(context) }
    if isOwner { unsafe memory.deallocate() }
  }

  /// For what the compositor cannot draw; a page of text and pictures does without.
  var cairo: OpaquePointer {
    if let context = unsafe context { return unsafe context }
    let surface: OpaquePointer? = unsafe cairo_image_surface_create_for_data(
      UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(bounds.width),
      Int32(bounds.height), Int32(bounds.width * 4))
    unsafe cairo_surface_set_device_offset(surface, Double(-bounds.left), Double(-bounds.top))
    let context: OpaquePointer? = unsafe cairo_create(surface)
    if unsafe context == nil { RasterRenderer.noteMissingCairo() }
    let made = unsafe context ?? Self.absent
    // The context keeps its surface.
    unsafe cairo_surface_destroy(surface)
    unsafe self.context = unsafe made
    return unsafe made
  }

  /// A placeholder for a context or a surface where cairo is not installed: its functions look at nothing then.
  private static var absent: OpaquePointer { unsafe OpaquePointer(bitPattern: 16)! }

  var surface: OpaquePointer {
    let target: OpaquePointer? = unsafe cairo_get_target(cairo)
    return unsafe target ?? Self.absent
  }

  /// Finishes what cairo was asked to draw, before the memory is read.
  func flush() {
    if let context = unsafe context { unsafe cairo_surface_flush(cairo_get_target(context)) }
  }
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
  var cairo: OpaquePointer { unsafe layers[layers.count - 1].cairo }

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
    var matrix = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    let device = device
    if device == nil {
      matrix = cairo_matrix_t(
        xx: Double(transform.a), yx: Double(transform.b), xy: Double(transform.c), yy: Double(transform.d),
        x0: Double(transform.tx), y0: Double(transform.ty))
      // A map that flattens the plane would put the context into an error state for good.
      guard abs(matrix.xx * matrix.yy - matrix.xy * matrix.yx) > 1e-12 else { return }
    }
    unsafe cairo_set_matrix(cairo, &matrix)
    unsafe cairo_new_path(cairo)
    unsafe body(VectorCanvas(cairo: cairo, device: device))
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
    unsafe cairo_save(cairo)
    withShapes { canvas in
      canvas.addRoundedRect(rect, radii)
      unsafe cairo_clip(canvas.cairo)
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
    unsafe cairo_save(cairo)
    clipIsRect = false
    withShapes { canvas in
      canvas.addPath(elements, snapsPolygons: false)
      unsafe cairo_set_fill_rule(canvas.cairo, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
      unsafe cairo_clip(canvas.cairo)
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
      unsafe cairo_restore(cairo)
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
    unsafe cairo_surface_mark_dirty(group.surface)
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    unsafe cairo_set_matrix(cairo, &identity)
    unsafe cairo_save(cairo)
    unsafe cairo_set_operator(cairo, style.blend.cairoOperator)
    unsafe cairo_set_source_surface(cairo, group.surface, 0, 0)
    let opacity = style.opacity.isNaN ? 1 : Double(Swift.max(0, Swift.min(1, style.opacity)))
    unsafe cairo_paint_with_alpha(cairo, opacity)
    unsafe cairo_restore(cairo)
    // The group's memory goes before a next source is set.
    unsafe cairo_set_source_rgba(cairo, 0, 0, 0, 1)
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
    guard let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_A8, mask.width, mask.height),
      let memory = unsafe cairo_image_surface_get_data(surface)
    else { return }
    defer { unsafe cairo_surface_destroy(surface) }
    unsafe cairo_surface_flush(surface)
    let stride = unsafe Int(cairo_image_surface_get_stride(surface))
    let rows = unsafe known.rows
    for row in 0..<height { unsafe (memory + row * stride).update(from: rows + row * Int(mask.pitch), count: width) }
    unsafe cairo_surface_mark_dirty(surface)
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    unsafe cairo_set_matrix(cairo, &identity)
    unsafe VectorCanvas.setSource(cairo, color)
    unsafe cairo_mask_surface(cairo, surface, Double(x), Double(y))
  }

  private func drawPicture(_ picture: ColorGlyph, x: Double, y: Double, opacity: Double) {
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    unsafe cairo_set_matrix(cairo, &identity)
    unsafe cairo_save(cairo)
    unsafe cairo_translate(cairo, (x + picture.left).rounded(), (y - picture.top).rounded())
    unsafe cairo_scale(cairo, picture.scale, picture.scale)
    unsafe VectorCanvas.paint(cairo, picture.bitmap, opacity: opacity)
    unsafe cairo_restore(cairo)
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
    unsafe cairo_new_path(cairo)
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
      unsafe cairo_set_matrix(cairo, &matrix)
      unsafe VectorCanvas.append(outline, to: cairo)
    }
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    unsafe cairo_set_matrix(cairo, &identity)
    unsafe VectorCanvas.setSource(cairo, color)
    unsafe cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_WINDING)
    unsafe cairo_fill(cairo)
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
        unsafe cairo_save(canvas.cairo)
        unsafe cairo_translate(canvas.cairo, glyph.x.pixels + picture.left, glyph.y.pixels - picture.top)
        unsafe cairo_scale(canvas.cairo, picture.scale, picture.scale)
        unsafe VectorCanvas.paint(canvas.cairo, picture.bitmap, opacity: Double(color.alpha) / 255)
        unsafe cairo_restore(canvas.cairo)
      }
    }
  }
}
