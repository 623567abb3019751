import Graphics
import ImageCodecs
import Images
import Primitives
import RasterRendering

/// Pictures of a content stream (ISO 32000-1, section 8.9).
extension ContentStream {
  /// Pixels a CSS px of pictures that are drawn or made smaller: 288 a printed inch.
  static let density = 3.0
  /// The most pixels of one picture.
  private static let mostPixels = 12_000_000.0
  /// The most tiles that are put down one by one.
  private static let mostTiles = 2000

  /// Puts a picture of the page's resources on the unit square's image under a matrix.
  mutating func put(
    picture: Int, _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) {
    bytes.raw("q ")
    for value in [a, b, c, d, e, f] { bytes.real(value, decimals: 2) }
    bytes.raw(" cm/I")
    bytes.raw(String(picture).utf8)
    bytes.raw(" Do Q\n")
  }

  mutating func drawImage(_ image: ImageID, _ rect: Rect) {
    guard !rect.isEmpty, let source = encoder.source(of: image, size: drawnSize(image, rect)) else { return }
    put(source, on: rect)
  }

  private mutating func put(_ source: PictureSource, on rect: Rect) {
    let name = resources.picture(source)
    let (w, h) = (Double(rect.width.rawValue), Double(rect.height.rawValue))
    let (x, y) = (Double(rect.x.rawValue), Double(self.y(rect.maxY)))
    var orientation: UInt8 = 1
    if case .file(let image) = source { orientation = encoder.images.info(image).orientation }
    // The rotation and mirroring of the stored rows (EXIF, tag 0x0112).
    switch orientation {
    case 2: put(picture: name, -w, 0, 0, h, x + w, y)
    case 3: put(picture: name, -w, 0, 0, -h, x + w, y + h)
    case 4: put(picture: name, w, 0, 0, -h, x, y + h)
    case 5: put(picture: name, 0, -h, -w, 0, x + w, y + h)
    case 6: put(picture: name, 0, -h, w, 0, x, y + h)
    case 7: put(picture: name, 0, h, w, 0, x, y)
    case 8: put(picture: name, 0, h, -w, 0, x + w, y)
    default: put(picture: name, w, 0, 0, h, x, y)
    }
  }

  /// The size in pixels that an image is kept at: its own where that is not much more than can be seen.
  private func drawnSize(_ image: ImageID, _ rect: Rect) -> (width: Int, height: Int) {
    let info = encoder.images.info(image)
    var width = rect.width.pixels * Self.density
    var height = rect.height.pixels * Self.density
    if info.kind != .svg, let own = info.width, let ownHeight = info.height,
      Double(own) <= width || Double(ownHeight) <= height
    {
      (width, height) = (Double(own), Double(ownHeight))
    }
    let shrink = Swift.max(1, (width * height / Self.mostPixels).squareRoot())
    return (Swift.max(1, Int((width / shrink).rounded())), Swift.max(1, Int((height / shrink).rounded())))
  }

  mutating func drawPart(_ image: ImageID, _ part: Rect, of whole: Size, _ rect: Rect) {
    guard !rect.isEmpty, !part.isEmpty, whole.width > .zero, whole.height > .zero else { return }
    let scaleX = rect.width.pixels / part.width.pixels
    let scaleY = rect.height.pixels / part.height.pixels
    let full = Rect(
      x: rect.x - part.x * scaleX, y: rect.y - part.y * scaleY, width: whole.width * scaleX,
      height: whole.height * scaleY)
    withSavedState {
      $0.addRect(rect)
      $0.bytes.raw(" W n\n")
      $0.drawImage(image, full)
    }
  }

  /// - Returns: `true` if there are few enough tiles to put them down.
  mutating func drawTiles(_ image: ImageID, tile: Rect, spacing: Size, clip: Rect) -> Bool {
    guard !tile.isEmpty, !clip.isEmpty else { return true }
    let stepX = (tile.width + spacing.width).pixels
    let stepY = (tile.height + spacing.height).pixels
    guard stepX > 0, stepY > 0 else { return true }
    func first(_ origin: LayoutUnit, _ start: LayoutUnit, _ step: Double) -> Int {
      Int(((start.pixels - origin.pixels) / step).rounded(.down))
    }
    let columns = first(tile.x, clip.x, stepX)...first(tile.x, clip.maxX - .epsilon, stepX)
    let rows = first(tile.y, clip.y, stepY)...first(tile.y, clip.maxY - .epsilon, stepY)
    guard columns.count * rows.count <= Self.mostTiles else { return false }
    guard let source = encoder.source(of: image, size: drawnSize(image, tile)) else { return true }
    withSavedState {
      $0.addRect(clip)
      $0.bytes.raw(" W n\n")
      for row in rows {
        for column in columns {
          $0.put(
            source,
            on: tile.offsetBy(x: LayoutUnit(Double(column) * stepX), y: LayoutUnit(Double(row) * stepY)))
        }
      }
    }
    return true
  }

  /// Draws items as a picture with an alpha channel.
  mutating func drawPixels(of range: Range<Int>, in area: Rect) {
    let page = Rect(width: list.size.width, height: list.size.height)
    let area = area.intersection(page)
    guard !area.isEmpty else { return }
    var part = DisplayList(size: list.size)
    part.glyphs = list.glyphs
    part.items = Array(list.items[range])
    guard let (bitmap, rect) = encoder.pixels(of: part, in: area) else { return }
    text.end(into: &bytes)
    put(PictureSource(bitmap), on: rect)
  }
}

extension PictureSource {
  init(_ bitmap: Bitmap) {
    var hasher = StableHasher()
    bitmap.withBytes { hasher.combine($0) }
    self = .bitmap(bitmap, hash: hasher.value)
  }
}

extension PageEncoder {
  /// Pixels a CSS px of what is drawn for lack of operators.
  private static let density = 2.0

  /// The source of an image's pixels; nil for a broken one.
  func source(of image: ImageID, size: (width: Int, height: Int)) -> PictureSource? {
    let info = images.info(image)
    guard !info.isBroken else { return nil }
    if info.kind == .jpeg, passesThrough(image) { return .file(image) }
    return .image(image, width: size.width, height: size.height)
  }

  /// Draws a list on nothing: what is the same on white and on black paper is opaque, what differs most is not there.
  ///
  /// - Returns: The pixels that are not transparent, and where they lie; nil without any.
  func pixels(of list: DisplayList, in area: Rect) -> (bitmap: Bitmap, rect: Rect)? {
    var list = list
    list.background = .white
    let white = renderer.render(list, scale: Self.density)
    list.background = .black
    let black = renderer.render(list, scale: Self.density)
    let scale = Self.density
    let left = Swift.max(0, Int((area.x.pixels * scale).rounded(.down)))
    let top = Swift.max(0, Int((area.y.pixels * scale).rounded(.down)))
    let right = Swift.min(white.width, Int((area.maxX.pixels * scale).rounded(.up)))
    let bottom = Swift.min(white.height, Int((area.maxY.pixels * scale).rounded(.up)))
    guard left < right, top < bottom, white.width == black.width, white.height == black.height else { return nil }
    var hasInk = false
    let bitmap = Bitmap.written(width: right - left, height: bottom - top) { out in
      for y in top..<bottom {
        for x in left..<right {
          let (onWhite, onBlack) = (white.pixel(x: x, y: y), black.pixel(x: x, y: y))
          let transparency = Swift.max(
            Int(onWhite.red) - Int(onBlack.red), Int(onWhite.green) - Int(onBlack.green),
            Int(onWhite.blue) - Int(onBlack.blue))
          let alpha = UInt8(255 - Swift.max(0, Swift.min(255, transparency)))
          if alpha > 0 { hasInk = true }
          let at = ((y - top) * (right - left) + x - left) * 4
          out[at] = Swift.min(onBlack.blue, alpha)
          out[at + 1] = Swift.min(onBlack.green, alpha)
          out[at + 2] = Swift.min(onBlack.red, alpha)
          out[at + 3] = alpha
        }
      }
    }
    guard hasInk else { return nil }
    let rect = Rect(
      x: LayoutUnit(Double(left) / scale), y: LayoutUnit(Double(top) / scale),
      width: LayoutUnit(Double(right - left) / scale), height: LayoutUnit(Double(bottom - top) / scale))
    return (bitmap, rect)
  }
}
