import CCairo
import Cairo
import Graphics
import Images
import Primitives

extension ColorPainter {
  /// The most pixels an image is decoded to; larger ones, mostly outside the page, are enlarged while drawn.
  private static let largestImage = 16_000_000.0

  func drawImage(_ id: ImageID, _ rect: Rect) {
    guard !rect.isEmpty, !clip.isEmpty else { return }
    if let device {
      let place = device.snap(rect)
      guard !place.intersection(clip).isEmpty else { return }
      let width = Swift.max(1, place.width)
      let height = Swift.max(1, place.height)
      if clipIsRect, place == place.intersection(clip), layer.target.draw(id, of: images, in: place) { return }
      let shrink = Swift.max(1, (Double(width) * Double(height) / Self.largestImage).squareRoot())
      guard
        let bitmap = images.bitmap(
          id, width: Swift.max(1, Int(Double(width) / shrink)), height: Swift.max(1, Int(Double(height) / shrink)),
          area: rect.area)
      else { return }
      if clipIsRect, bitmap.width == width, bitmap.height == height {
        layer.target.draw(bitmap, x: place.left, y: place.top, clip: clip)
        return
      }
      let matrix = cairo_matrix_t(
        xx: Double(width) / Double(bitmap.width), yx: 0, xy: 0, yy: Double(height) / Double(bitmap.height),
        x0: Double(place.left), y0: Double(place.top))
      cairo.setMatrix(matrix)
      VectorCanvas.paint(cairo, bitmap, opacity: 1)
      return
    }
    let along = Double((transform.a * transform.a + transform.b * transform.b).squareRoot())
    let across = Double((transform.c * transform.c + transform.d * transform.d).squareRoot())
    let width = Swift.max(1, Swift.min(4096, rect.width.pixels * along)).rounded(.up)
    let height = Swift.max(1, Swift.min(4096, rect.height.pixels * across)).rounded(.up)
    guard let bitmap = images.bitmap(id, width: Int(width), height: Int(height), area: rect.area) else { return }
    withShapes { canvas in
      canvas.cairo.save()
      canvas.cairo.translate(rect.x.pixels, rect.y.pixels)
      canvas.cairo.scale(rect.width.pixels / Double(bitmap.width), rect.height.pixels / Double(bitmap.height))
      VectorCanvas.paint(canvas.cairo, bitmap, opacity: 1)
      canvas.cairo.restore()
    }
  }

  /// A part of an image over a rectangle; the edges of the part repeat, so that nothing beside it shows.
  func drawPart(_ id: ImageID, _ part: Rect, of whole: Size, _ rect: Rect) {
    guard !rect.isEmpty, !part.isEmpty, !clip.isEmpty, whole.width > .zero, whole.height > .zero else { return }
    let scale = Double(Swift.max(abs(transform.a) + abs(transform.c), abs(transform.b) + abs(transform.d)))
    let wanted = whole.width.pixels * whole.height.pixels * scale * scale
    let used = wanted > Self.largestImage ? scale * (Self.largestImage / wanted).squareRoot() : scale
    guard
      let bitmap = images.bitmap(
        id, width: Swift.max(1, Int((whole.width.pixels * used).rounded())),
        height: Swift.max(1, Int((whole.height.pixels * used).rounded())),
        area: SIMD2(whole.width.float, whole.height.float))
    else { return }
    let scaleX = Double(bitmap.width) / whole.width.pixels
    let scaleY = Double(bitmap.height) / whole.height.pixels
    let left = Swift.max(0, Swift.min(bitmap.width - 1, Device.round(part.x.pixels * scaleX)))
    let top = Swift.max(0, Swift.min(bitmap.height - 1, Device.round(part.y.pixels * scaleY)))
    let right = Swift.max(left + 1, Swift.min(bitmap.width, Device.round(part.maxX.pixels * scaleX)))
    let bottom = Swift.max(top + 1, Swift.min(bitmap.height, Device.round(part.maxY.pixels * scaleY)))
    let bytes = unsafe (bitmap.pixels.baseAddress! + top * bitmap.stride + left * 4).assumingMemoryBound(to: UInt8.self)
    guard
      let surface = unsafe CairoSurface.image(
        over: bytes, bitmap.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width: right - left,
        height: bottom - top, stride: bitmap.stride),
      let pattern = CairoPattern.surface(surface)
    else { return }
    withShapes { canvas in
      let box = canvas.place(rect)
      guard box.width > 0, box.height > 0 else { return }
      canvas.addRect(rect)
      let (perX, perY) = (Double(right - left) / box.width, Double(bottom - top) / box.height)
      pattern.setMatrix(
        cairo_matrix_t(xx: perX, yx: 0, xy: 0, yy: perY, x0: -box.x * perX, y0: -box.y * perY))
      pattern.setExtend(CAIRO_EXTEND_PAD)
      pattern.setFilter(CAIRO_FILTER_GOOD)
      canvas.cairo.setSource(pattern)
      canvas.cairo.fill()
      canvas.cairo.setSource(0, 0, 0, 1)
    }
  }

  /// Tiles without a seam: each pixel of the area finds its pixel in the tile.
  func drawTiles(_ id: ImageID, tile: Rect, spacing: Size, area: Rect) {
    guard !tile.isEmpty, !area.isEmpty, !clip.isEmpty else { return }
    guard let device else { return drawTurnedTiles(id, tile: tile, spacing: spacing, area: area) }
    let place = device.snap(tile)
    let width = Swift.max(1, place.width)
    let height = Swift.max(1, place.height)
    let bounds = device.snap(area).intersection(clip)
    guard !bounds.isEmpty, Double(width) * Double(height) <= Self.largestImage,
      let bitmap = images.bitmap(id, width: width, height: height, area: tile.area)
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
      let aside = Layer(bounds: bounds)
      copyTiles(bitmap, columns: columns, rows: rows, to: aside.target, left: bounds.left, top: bounds.top)
      aside.surface?.markDirty()
      cairo.setMatrix(CairoContext.identity)
      if let surface = aside.surface { cairo.setSource(surface, 0, 0) }
      cairo.paint()
      cairo.setSource(0, 0, 0, 1)
      return
    }
    copyTiles(bitmap, columns: columns, rows: rows, to: layer.target, left: bounds.left, top: bounds.top)
  }

  private func copyTiles(_ bitmap: Bitmap, columns: [Int], rows: [Int], to target: ColorTarget, left: Int, top: Int) {
    for (y, sourceY) in rows.enumerated() where sourceY >= 0 {
      let source = unsafe bitmap.pixels.baseAddress! + sourceY * bitmap.stride
      let start = (top + y) * target.width + left
      for (x, sourceX) in columns.enumerated() where sourceX >= 0 {
        unsafe target.over(source.load(fromByteOffset: sourceX * 4, as: UInt32.self), at: start + x)
      }
    }
  }

  private func drawTurnedTiles(_ id: ImageID, tile: Rect, spacing: Size, area: Rect) {
    let stepX = (tile.width + spacing.width).pixels
    let stepY = (tile.height + spacing.height).pixels
    guard stepX > 0, stepY > 0, area.width.pixels / stepX * (area.height.pixels / stepY) < 20000 else { return }
    withShapes { canvas in
      canvas.cairo.save()
      canvas.addRect(area)
      canvas.cairo.clip()
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
    cairo.restore()
  }
}

extension Rect {
  /// Width and height in px.
  fileprivate var area: SIMD2<Float> { SIMD2(width.float, height.float) }
}
