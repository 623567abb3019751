import CCairo
import CFreeType
import Fonts
import Graphics
import Images
import Primitives

/// Memory that can be drawn on by cairo and by the glyph compositor alike: the page, or a group with an opacity.
final class Layer {
  let target: ColorTarget
  let surface: OpaquePointer
  let cairo: OpaquePointer
  private let owned: UnsafeMutablePointer<UInt32>?

  init?(_ target: ColorTarget, owned: UnsafeMutablePointer<UInt32>? = nil) {
    let bytes = UnsafeMutableRawPointer(target.pixels).assumingMemoryBound(to: UInt8.self)
    guard
      let surface = cairo_image_surface_create_for_data(
        bytes, CAIRO_FORMAT_ARGB32, Int32(target.width), Int32(target.height), Int32(target.width * 4)),
      let cairo = cairo_create(surface)
    else { return nil }
    self.target = target
    self.surface = surface
    self.cairo = cairo
    self.owned = owned
  }

  /// A transparent layer.
  convenience init?(width: Int, height: Int) {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: width * height)
    memory.initialize(repeating: 0, count: width * height)
    self.init(ColorTarget(pixels: memory, width: width, height: height), owned: memory)
  }

  deinit {
    cairo_destroy(cairo)
    cairo_surface_destroy(surface)
    owned?.deallocate()
  }
}

/// Draws a display list in colour.
struct ColorPainter {
  private enum Saved {
    case clip(PixelRect, isRect: Bool)
    case layer(opacity: Float)
    case transform(AffineTransform, clip: PixelRect, isRect: Bool)
    case nothing
  }

  let list: DisplayList
  let cache: GlyphMaskCache
  let images: ImageStore
  var layers: [Layer] = []
  private var saved: [Saved] = []
  /// The bounds of the clip; the clip itself when `clipIsRect`.
  var clip: PixelRect
  var clipIsRect = true
  /// From CSS px to device pixels.
  var transform: AffineTransform
  var glyphsDrawn = 0
  private let page: ColorTarget

  init(list: DisplayList, scale: Double, cache: GlyphMaskCache, images: ImageStore, target: ColorTarget) {
    self.list = list
    self.cache = cache
    self.images = images
    page = target
    clip = PixelRect(left: 0, top: 0, right: target.width, bottom: target.height)
    transform = AffineTransform(a: Float(scale), d: Float(scale))
  }

  var layer: Layer { layers[layers.count - 1] }
  var cairo: OpaquePointer { layers[layers.count - 1].cairo }

  /// The map to pixels, when it neither turns nor shears nor mirrors.
  var device: Device? {
    guard transform.b == 0, transform.c == 0, transform.a > 0, transform.d > 0 else { return nil }
    return Device(
      scaleX: Double(transform.a), scaleY: Double(transform.d), x: Double(transform.tx), y: Double(transform.ty))
  }

  mutating func draw() {
    guard let base = Layer(page) else { return }
    layers = [base]
    for item in list.items { draw(item) }
    while !saved.isEmpty { restore() }
    cairo_surface_flush(base.surface)
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
    case .glyphs(let font, let size, let color, let rotation, let range):
      drawGlyphs(
        font: font, size: size, color: color, rotation: rotation, range: range.clamped(to: 0..<list.glyphs.count))
    case .image(let id, let rect): drawImage(id, rect)
    case .tiledImage(let id, let tile, let spacing, let area): drawTiles(id, tile: tile, spacing: spacing, area: area)
    case .shadow(let rect, let radii, let blur, let color, let inset, let clipOut):
      guard color.alpha > 0 else { return }
      withShapes { $0.shadow(rect, radii, blur: blur, color, inset: inset, clipOut: clipOut, bounds: clip) }
    case .saveClip(let rect, let radii): saveClip(rect, radii)
    case .saveLayer(let opacity): saveLayer(opacity)
    case .saveTransform(let next): saveTransform(next)
    case .restore: restore()
    }
  }

  /// Runs `body` with cairo's matrix set for the current transform.
  private func withShapes(_ body: (VectorCanvas) -> Void) {
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
    cairo_set_matrix(cairo, &matrix)
    cairo_new_path(cairo)
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
    cairo_save(cairo)
    withShapes { canvas in
      canvas.addRoundedRect(rect, radii)
      cairo_clip(canvas.cairo)
    }
    if let device {
      clip = clip.intersection(device.snap(rect))
      if !radii.isZero { clipIsRect = false }
    } else {
      clipIsRect = false
    }
  }

  private mutating func saveLayer(_ opacity: Float) {
    // Each layer costs a page of memory; deeper ones are drawn as if opaque.
    guard layers.count < 8, opacity < 1, let next = Layer(width: page.width, height: page.height) else {
      saved.append(.nothing)
      return
    }
    saved.append(.layer(opacity: opacity.isNaN ? 1 : Swift.max(0, opacity)))
    // The group is clipped when it is put down; inside it only the bounds matter.
    layers.append(next)
  }

  private mutating func saveTransform(_ next: AffineTransform) {
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
      cairo_restore(cairo)
      clip = rect
      clipIsRect = isRect
    case .transform(let previous, _, _)?: transform = previous
    case .layer(let opacity)?:
      let group = layers.removeLast()
      cairo_surface_flush(group.surface)
      var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
      cairo_set_matrix(cairo, &identity)
      cairo_surface_mark_dirty(group.surface)
      cairo_set_source_surface(cairo, group.surface, 0, 0)
      cairo_paint_with_alpha(cairo, Double(opacity))
    }
  }

  // MARK: Text

  private mutating func drawGlyphs(
    font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, range: Range<Int>
  ) {
    guard !range.isEmpty, size > .zero, !clip.isEmpty else { return }
    glyphsDrawn += range.count
    guard let device, device.scaleX == device.scaleY else {
      drawGlyphPaths(font: font, size: size, color: color, rotation: rotation, range: range)
      return
    }
    let key = GlyphMaskCache.StrikeKey(font: font, size: Device.glyphSize(size, device.scaleX), rotation: rotation)
    guard let strike = cache.strike(key) else { return }
    let entry = cache.entry(of: strike)
    guard key.size <= GlyphMaskCache.largestSize || entry.face.isColor else {
      drawGlyphPaths(font: font, size: size, color: color, rotation: rotation, range: range)
      return
    }
    let source = ColorTarget.premultiplied(color)
    for index in range {
      let glyph = list.glyphs[index]
      if entry.face.isColor, let picture = cache.colorGlyph(glyph.glyph, strike: strike) {
        let x = glyph.x.pixels * device.scaleX + device.x
        let y = glyph.y.pixels * device.scaleY + device.y
        drawPicture(picture, x: x, y: y, opacity: Double(color.alpha) / 255)
        continue
      }
      guard color.alpha > 0 else { continue }
      let place = device.place(glyph, rotation: rotation)
      let mask = cache.mask(glyph.glyph, phase: place.phase, strike: strike)
      guard mask.width > 0 else { continue }
      let x = place.x &+ Int(mask.left)
      let y = place.y &- Int(mask.top)
      if clipIsRect {
        layer.target.blend(
          cache.rows(mask), mask, x: x, y: y, clip: clip, source: source)
      } else {
        drawMask(mask, x: x, y: y, color: color)
      }
    }
  }

  /// A mask under a clip that is no rectangle of whole pixels.
  private func drawMask(_ mask: GlyphMask, x: Int, y: Int, color: Color) {
    let width = Int(mask.width)
    let height = Int(mask.height)
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, mask.width, mask.height),
      let memory = cairo_image_surface_get_data(surface)
    else { return }
    defer { cairo_surface_destroy(surface) }
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    let rows = cache.rows(mask)
    for row in 0..<height { (memory + row * stride).update(from: rows + row * Int(mask.pitch), count: width) }
    cairo_surface_mark_dirty(surface)
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    cairo_set_matrix(cairo, &identity)
    VectorCanvas.setSource(cairo, color)
    cairo_mask_surface(cairo, surface, Double(x), Double(y))
  }

  private func drawPicture(_ picture: ColorGlyph, x: Double, y: Double, opacity: Double) {
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    cairo_set_matrix(cairo, &identity)
    cairo_save(cairo)
    cairo_translate(cairo, (x + picture.left).rounded(), (y - picture.top).rounded())
    cairo_scale(cairo, picture.scale, picture.scale)
    VectorCanvas.paint(cairo, picture.bitmap, opacity: opacity)
    cairo_restore(cairo)
  }

  /// Glyphs as outlines: turned, sheared, or too large for masks.
  private func drawGlyphPaths(font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, range: Range<Int>)
  {
    guard let entry = cache.faces.entry(font), size > .zero else { return }
    // The outline is loaded large, so that its 1/64 px grid does not show, and scaled down by the matrix.
    let em = 1024 * 64
    guard cache.faces.setSize(em, of: entry) else {
      drawGlyphPictures(entry, size: size, color: color, range: range)
      return
    }
    guard color.alpha > 0 || entry.face.isColor else { return }
    let unit = size.pixels / Double(em)
    let base = cairo_matrix_t(
      xx: Double(transform.a), yx: Double(transform.b), xy: Double(transform.c), yy: Double(transform.d),
      x0: Double(transform.tx), y0: Double(transform.ty))
    guard abs(base.xx * base.yy - base.xy * base.yx) * unit * unit > 1e-18 else { return }
    cairo_new_path(cairo)
    for index in range {
      let glyph = list.glyphs[index]
      guard let outline = cache.faces.outline(glyph.glyph, of: entry) else { continue }
      let (x, y) = (glyph.x.pixels, glyph.y.pixels)
      var local =
        switch rotation {
        case .none: cairo_matrix_t(xx: unit, yx: 0, xy: 0, yy: -unit, x0: x, y0: y)
        case .clockwise90: cairo_matrix_t(xx: 0, yx: unit, xy: unit, yy: 0, x0: x, y0: y)
        case .counterclockwise90: cairo_matrix_t(xx: 0, yx: -unit, xy: -unit, yy: 0, x0: x, y0: y)
        }
      var matrix = cairo_matrix_t()
      var base = base
      cairo_matrix_multiply(&matrix, &local, &base)
      cairo_set_matrix(cairo, &matrix)
      VectorCanvas.append(outline, to: cairo)
    }
    var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
    cairo_set_matrix(cairo, &identity)
    VectorCanvas.setSource(cairo, color)
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_WINDING)
    cairo_fill(cairo)
  }

  /// Pictures of a face without outlines, under a transform.
  private func drawGlyphPictures(_ entry: GlyphFaces.Entry, size: LayoutUnit, color: Color, range: Range<Int>) {
    for index in range {
      let glyph = list.glyphs[index]
      guard let picture = cache.faces.colorGlyph(glyph.glyph, of: entry, size: Swift.max(1, Int(size.rawValue))) else {
        continue
      }
      withShapes { canvas in
        guard canvas.device == nil else { return }
        cairo_save(canvas.cairo)
        cairo_translate(canvas.cairo, glyph.x.pixels + picture.left, glyph.y.pixels - picture.top)
        cairo_scale(canvas.cairo, picture.scale, picture.scale)
        VectorCanvas.paint(canvas.cairo, picture.bitmap, opacity: Double(color.alpha) / 255)
        cairo_restore(canvas.cairo)
      }
    }
  }

  // MARK: Images

  /// The most pixels an image is decoded to; larger ones, mostly outside the page, are enlarged while drawn.
  private static let largestImage = 16_000_000.0

  private func drawImage(_ id: ImageID, _ rect: Rect) {
    guard !rect.isEmpty, !clip.isEmpty else { return }
    if let device {
      let place = device.snap(rect)
      guard !place.intersection(clip).isEmpty else { return }
      let width = Swift.max(1, place.width)
      let height = Swift.max(1, place.height)
      let shrink = Swift.max(1, (Double(width) * Double(height) / Self.largestImage).squareRoot())
      guard
        let bitmap = images.bitmap(
          id, width: Swift.max(1, Int(Double(width) / shrink)), height: Swift.max(1, Int(Double(height) / shrink)))
      else { return }
      var matrix = cairo_matrix_t(
        xx: Double(width) / Double(bitmap.width), yx: 0, xy: 0, yy: Double(height) / Double(bitmap.height),
        x0: Double(place.left), y0: Double(place.top))
      cairo_set_matrix(cairo, &matrix)
      VectorCanvas.paint(cairo, bitmap, opacity: 1)
      return
    }
    let along = Double((transform.a * transform.a + transform.b * transform.b).squareRoot())
    let across = Double((transform.c * transform.c + transform.d * transform.d).squareRoot())
    let width = Swift.max(1, Swift.min(4096, rect.width.pixels * along)).rounded(.up)
    let height = Swift.max(1, Swift.min(4096, rect.height.pixels * across)).rounded(.up)
    guard let bitmap = images.bitmap(id, width: Int(width), height: Int(height)) else { return }
    withShapes { canvas in
      cairo_save(canvas.cairo)
      cairo_translate(canvas.cairo, rect.x.pixels, rect.y.pixels)
      cairo_scale(
        canvas.cairo, rect.width.pixels / Double(bitmap.width), rect.height.pixels / Double(bitmap.height))
      VectorCanvas.paint(canvas.cairo, bitmap, opacity: 1)
      cairo_restore(canvas.cairo)
    }
  }

  /// Tiles without a seam: each pixel of the area finds its pixel in the tile.
  private func drawTiles(_ id: ImageID, tile: Rect, spacing: Size, area: Rect) {
    guard !tile.isEmpty, !area.isEmpty, !clip.isEmpty else { return }
    guard let device else { return drawTurnedTiles(id, tile: tile, spacing: spacing, area: area) }
    let place = device.snap(tile)
    let width = Swift.max(1, place.width)
    let height = Swift.max(1, place.height)
    let bounds = device.snap(area).intersection(clip)
    guard !bounds.isEmpty, Double(width) * Double(height) <= Self.largestImage,
      let bitmap = images.bitmap(id, width: width, height: height)
    else { return }
    // Without spacing tiles abut exactly, in whole pixels.
    let stepX = spacing.width > .zero ? (tile.width + spacing.width).pixels * device.scaleX : Double(width)
    let stepY = spacing.height > .zero ? (tile.height + spacing.height).pixels * device.scaleY : Double(height)
    func positions(_ range: Range<Int>, origin: Int, step: Double, size: Int) -> [Int] {
      range.map { pixel in
        let offset = Double(pixel - origin)
        let tile = ((offset + 0.5) / step).rounded(.down)
        let inside = pixel - origin - Int((tile * step).rounded())
        return inside >= 0 && inside < size ? inside : -1
      }
    }
    let columns = positions(
      bounds.left..<bounds.right, origin: place.left, step: stepX, size: Swift.min(width, bitmap.width))
    let rows = positions(
      bounds.top..<bounds.bottom, origin: place.top, step: stepY, size: Swift.min(height, bitmap.height))
    // A clip that is no rectangle needs cairo: the tiles are drawn aside and put down as one picture.
    if !clipIsRect {
      guard let aside = Layer(width: bounds.width, height: bounds.height) else { return }
      copyTiles(bitmap, columns: columns, rows: rows, to: aside.target, left: 0, top: 0)
      cairo_surface_mark_dirty(aside.surface)
      var identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
      cairo_set_matrix(cairo, &identity)
      cairo_set_source_surface(cairo, aside.surface, Double(bounds.left), Double(bounds.top))
      cairo_paint(cairo)
      return
    }
    copyTiles(bitmap, columns: columns, rows: rows, to: layer.target, left: bounds.left, top: bounds.top)
  }

  private func copyTiles(_ bitmap: Bitmap, columns: [Int], rows: [Int], to target: ColorTarget, left: Int, top: Int) {
    for (y, sourceY) in rows.enumerated() where sourceY >= 0 {
      let source = bitmap.pixels.baseAddress! + sourceY * bitmap.stride
      let start = (top + y) * target.width + left
      for (x, sourceX) in columns.enumerated() where sourceX >= 0 {
        target.over(source.load(fromByteOffset: sourceX * 4, as: UInt32.self), at: start + x)
      }
    }
  }

  private func drawTurnedTiles(_ id: ImageID, tile: Rect, spacing: Size, area: Rect) {
    let stepX = (tile.width + spacing.width).pixels
    let stepY = (tile.height + spacing.height).pixels
    guard stepX > 0, stepY > 0, area.width.pixels / stepX * (area.height.pixels / stepY) < 20000 else { return }
    withShapes { canvas in
      cairo_save(canvas.cairo)
      canvas.addRect(area)
      cairo_clip(canvas.cairo)
    }
    var y = tile.y.pixels + ((area.y.pixels - tile.y.pixels) / stepY).rounded(.down) * stepY
    while y < area.maxY.pixels {
      var x = tile.x.pixels + ((area.x.pixels - tile.x.pixels) / stepX).rounded(.down) * stepX
      while x < area.maxX.pixels {
        drawImage(id, Rect(x: LayoutUnit(x), y: LayoutUnit(y), width: tile.width, height: tile.height))
        x += stepX
      }
      y += stepY
    }
    cairo_restore(cairo)
  }
}
