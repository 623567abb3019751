import Cairo
package import Fonts
package import Graphics
package import Images
import Primitives
import Synchronization

/// Draws display lists into pixels. One worker owns one: it keeps FreeType faces between pages, and has the glyph masks of the store
/// that it shares with others.
///
/// Text, which is nearly all ink of a book page, is composited from cached masks; everything else goes through cairo on
/// the same memory. Equal lists give equal pixels, whatever was drawn before.
package final class RasterRenderer {
  private let fonts: FontLibrary
  private let images: ImageStore
  let cache: GlyphMaskCache
  /// The number of glyphs drawn so far.
  package internal(set) var glyphsDrawn = 0
  /// The number of glyph masks that FreeType had to make.
  package var glyphsRasterised: Int { cache.rasterised }

  /// - Parameter masks: The masks that the renderers of `fonts` share; of no other library.
  package init(fonts: FontLibrary, images: ImageStore, masks: GlyphMaskStore = GlyphMaskStore()) {
    self.fonts = fonts
    self.images = images
    cache = GlyphMaskCache(faces: GlyphFaces(fonts: fonts), store: masks)
  }

  /// A drawing needed cairo, which is not installed: it is missing on its page.
  package static var lacksCairo: Bool { isCairoMissing.load(ordering: .relaxed) }
  private static let isCairoMissing = Atomic<Bool>(false)
  static func noteMissingCairo() { isCairoMissing.store(true, ordering: .relaxed) }

  /// The largest side of a page in device pixels.
  package static let largestSide = 16384

  /// The size of a page in device pixels.
  package static func area(of list: DisplayList, scale: Double) -> PixelRect {
    let scale = scale.isFinite && scale > 0 ? scale : 1
    return PixelRect(left: 0, top: 0, right: side(list.size.width, scale), bottom: side(list.size.height, scale))
  }

  /// Draws a page at `scale` device pixels per CSS px. The bitmap is grey when what is drawn has no colour.
  ///
  /// - Parameter clip: The device pixels wanted; nil for all of the page.
  package func render(_ list: DisplayList, scale: Double, clip: PixelRect? = nil) -> PageBitmap {
    let scale = scale.isFinite && scale > 0 ? scale : 1
    let clip = clip ?? Self.area(of: list, scale: scale)
    let (width, height) = (clip.width, clip.height)
    if isGray(list, scale: scale) {
      // With room for the filter types of a PNG file's rows.
      let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height + height) { buffer, count in
        let target = unsafe GrayTarget(pixels: buffer.baseAddress!, width: width, height: height)
        unsafe target.pixels.initialize(repeating: Self.paper(list.background).red, count: width * height)
        drawGray(list, on: target, scale: scale, from: clip)
        count = width * height
      }
      return PageBitmap(width: width, height: height, format: .gray8, pixels: pixels)
    }
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      unsafe buffer.withMemoryRebound(to: UInt32.self) { words in
        unsafe words.initialize(repeating: ColorTarget.premultiplied(Self.paper(list.background)))
        var painter = unsafe ColorPainter(
          list: list, scale: scale, from: clip, cache: cache, images: images,
          target: ColorTarget(pixels: words.baseAddress!, width: width, height: height))
        painter.draw()
        glyphsDrawn += painter.glyphsDrawn
      }
      count = width * height * 4
    }
    return PageBitmap(width: width, height: height, format: .bgra32, pixels: pixels).withoutColorIfGray()
  }

  private static func side(_ length: LayoutUnit, _ scale: Double) -> Int {
    let pixels = (length.pixels * scale).rounded()
    return pixels < 1 ? 1 : pixels > Double(largestSide) ? largestSide : Int(pixels)
  }

  /// The paper's colour: a translucent background lies on white.
  private static func paper(_ color: Color) -> Color {
    func mix(_ channel: UInt8) -> UInt8 {
      UInt8(truncatingIfNeeded: divideBy255(UInt32(channel) * UInt32(color.alpha) + 255 * (255 - UInt32(color.alpha))))
    }
    return Color(red: mix(color.red), green: mix(color.green), blue: mix(color.blue))
  }

  /// The page can be drawn in one byte a pixel: grey rectangles, lines and text only.
  private func isGray(_ list: DisplayList, scale: Double) -> Bool {
    func gray(_ color: Color) -> Bool { color.red == color.green && color.green == color.blue }
    guard gray(list.background) else { return false }
    for item in list.items {
      switch item {
      case .fillRect(_, let color): guard gray(color) else { return false }
      case .glyphs(let font, let size, let color, _, _, _):
        guard gray(color), Device.glyphSize(size, scale) <= GlyphMaskCache.largestSize,
          fonts.face(font)?.isColor != true
        else { return false }
      case .strokeLine(let from, let to, _, let style, let color):
        guard gray(color), style == .solid, from.x == to.x || from.y == to.y else { return false }
      case .saveClip(_, let radii): guard radii.isZero else { return false }
      case .restore: break
      default: return false
      }
    }
    return true
  }

  private func drawGray(_ list: DisplayList, on target: GrayTarget, scale: Double, from origin: PixelRect) {
    let page = PixelRect(left: 0, top: 0, right: target.width, bottom: target.height)
    var clip = page
    var saved: [PixelRect] = []
    let device = Device(scaleX: scale, scaleY: scale, x: -Double(origin.left), y: -Double(origin.top))
    for item in list.items {
      switch item {
      case .fillRect(let rect, let color):
        target.fill(device.snap(rect).intersection(clip), gray: color.red, alpha: color.alpha)
      case .strokeLine(let from, let to, let width, _, let color):
        target.fill(device.snapLine(from, to, width).intersection(clip), gray: color.red, alpha: color.alpha)
      case .saveClip(let rect, _):
        saved.append(clip)
        clip = clip.intersection(device.snap(rect))
      case .restore: if let last = saved.popLast() { clip = last }
      case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
        let range = range.clamped(to: 0..<list.glyphs.count)
        let key = GlyphMaskCache.StrikeKey(
          font: font, size: Device.glyphSize(size, scale), rotation: rotation, expansion: expansion)
        guard color.alpha > 0, !range.isEmpty, let strike = cache.strike(key) else { continue }
        glyphsDrawn += range.count
        unsafe list.glyphs.withUnsafeBufferPointer { glyphs in
          for index in range {
            let place = unsafe device.place(glyphs[index], rotation: rotation)
            let known = unsafe cache.mask(glyphs[index].glyph, phase: place.phase, strike: strike)
            let mask = known.mask
            guard mask.width > 0 else { continue }
            unsafe target.blend(
              known.rows, mask, x: place.x &+ Int(mask.left), y: place.y &- Int(mask.top), clip: clip,
              gray: color.red, alpha: color.alpha)
          }
        }
      default: break
      }
    }
  }
}

/// The map from CSS px to device pixels where it only scales and moves.
struct Device {
  var scaleX: Double
  var scaleY: Double
  var x: Double
  var y: Double

  static func glyphSize(_ size: LayoutUnit, _ scale: Double) -> Int {
    let value = (Double(size.rawValue) * scale).rounded()
    return value > 1e9 ? 1_000_000_000 : Int(value)
  }

  /// The nearest whole pixel; far ones are clamped well outside any page.
  static func round(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(Swift.max(-1e8, Swift.min(1e8, (value + 0.5).rounded(.down))))
  }

  func snap(_ rect: Rect) -> PixelRect {
    PixelRect(
      left: Self.round(rect.x.pixels * scaleX + x), top: Self.round(rect.y.pixels * scaleY + y),
      right: Self.round(rect.maxX.pixels * scaleX + x), bottom: Self.round(rect.maxY.pixels * scaleY + y))
  }

  /// The pixels of a solid horizontal or vertical line: at least one thick, whole pixels thick.
  func snapLine(_ from: Point, _ to: Point, _ width: LayoutUnit) -> PixelRect {
    if from.y == to.y {
      let thickness = Swift.max(1, Self.round(width.pixels * scaleY))
      let top = Self.round((from.y.pixels - width.pixels / 2) * scaleY + y)
      let first = Self.round(Swift.min(from.x, to.x).pixels * scaleX + x)
      let last = Self.round(Swift.max(from.x, to.x).pixels * scaleX + x)
      return PixelRect(left: first, top: top, right: last, bottom: top + thickness)
    }
    let thickness = Swift.max(1, Self.round(width.pixels * scaleX))
    let left = Self.round((from.x.pixels - width.pixels / 2) * scaleX + x)
    let first = Self.round(Swift.min(from.y, to.y).pixels * scaleY + y)
    let last = Self.round(Swift.max(from.y, to.y).pixels * scaleY + y)
    return PixelRect(left: left, top: first, right: left + thickness, bottom: last)
  }

  /// The pixel of a glyph's origin and its phase in quarters along the line; across it the origin is rounded.
  @inline(__always)
  func place(_ glyph: PositionedGlyph, rotation: GlyphRotation) -> (x: Int, y: Int, phase: Int) {
    let fineX = Self.fixed(Double(glyph.x.rawValue) * scaleX + x * 64)
    let fineY = Self.fixed(Double(glyph.y.rawValue) * scaleY + y * 64)
    if rotation == .none {
      let rounded = fineX &+ 8
      return (rounded >> 6, (fineY &+ 32) >> 6, (rounded >> 4) & 3)
    }
    let rounded = fineY &+ 8
    return ((fineX &+ 32) >> 6, rounded >> 6, (rounded >> 4) & 3)
  }

  @inline(__always)
  private static func fixed(_ value: Double) -> Int { Int(Swift.max(-1e12, Swift.min(1e12, value.rounded()))) }
}
