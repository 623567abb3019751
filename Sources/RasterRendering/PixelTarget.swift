import Graphics
import Images
import Primitives

/// A rectangle of whole device pixels.
package struct PixelRect: Equatable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  package init(left: Int, top: Int, right: Int, bottom: Int) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  package var width: Int { right - left }
  package var height: Int { bottom - top }
  var isEmpty: Bool { right <= left || bottom <= top }

  func grown(by margin: Int) -> PixelRect {
    PixelRect(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  func intersection(_ other: PixelRect) -> PixelRect {
    PixelRect(
      left: Swift.max(left, other.left), top: Swift.max(top, other.top), right: Swift.min(right, other.right),
      bottom: Swift.min(bottom, other.bottom))
  }
}

/// x / 255, rounded, for x up to 255 * 255.
@inline(__always)
func divideBy255(_ x: UInt32) -> UInt32 {
  let t = x &+ 128
  return (t &+ t >> 8) >> 8
}

/// Memory of one byte a pixel.
@safe struct GrayTarget {
  var pixels: UnsafeMutablePointer<UInt8>
  var width: Int
  var height: Int

  func fill(_ rect: PixelRect, gray: UInt8, alpha: UInt8) {
    guard !rect.isEmpty, alpha > 0 else { return }
    for y in rect.top..<rect.bottom {
      let row = unsafe pixels + y * width
      if alpha == 255 {
        unsafe (row + rect.left).update(repeating: gray, count: rect.width)
      } else {
        let add = UInt32(gray) &* UInt32(alpha)
        let keep = 255 &- UInt32(alpha)
        for x in rect.left..<rect.right {
          unsafe row[x] = unsafe UInt8(truncatingIfNeeded: divideBy255(UInt32(row[x]) &* keep &+ add))
        }
      }
    }
  }

  /// Blends a grey through a mask whose top left corner lies at (x, y).
  @inline(__always)
  func blend(
    _ rows: UnsafePointer<UInt8>, _ mask: GlyphMask, x: Int, y: Int, clip: PixelRect, gray: UInt8, alpha: UInt8
  ) {
    let maskWidth = Int(mask.width)
    let maskHeight = Int(mask.height)
    let pitch = Int(mask.pitch)
    if alpha == 255, x >= clip.left, y >= clip.top, x &+ maskWidth <= clip.right, y &+ maskHeight <= clip.bottom,
      x &+ pitch <= width
    {
      unsafe blendWhole(rows, x: x, y: y, pitch: pitch, height: maskHeight, gray: gray)
      return
    }
    let left = Swift.max(x, clip.left)
    let right = Swift.min(x &+ maskWidth, clip.right)
    let top = Swift.max(y, clip.top)
    let bottom = Swift.min(y &+ maskHeight, clip.bottom)
    guard left < right, top < bottom else { return }
    let color = UInt32(gray)
    for row in top..<bottom {
      let source = unsafe rows + ((row &- y) &* pitch &- x)
      let target = unsafe pixels + row &* width
      for column in left..<right {
        var coverage = unsafe UInt32(source[column])
        if coverage != 0 {
          if alpha != 255 { coverage = divideBy255(coverage &* UInt32(alpha)) }
          let old = unsafe UInt32(target[column])
          unsafe target[column] = UInt8(truncatingIfNeeded: divideBy255(old &* (255 &- coverage) &+ color &* coverage))
        }
      }
    }
  }

  /// Eight pixels at a time; the padding of a mask's rows covers nothing.
  @inline(__always)
  private func blendWhole(_ rows: UnsafePointer<UInt8>, x: Int, y: Int, pitch: Int, height: Int, gray: UInt8) {
    let ink = SIMD8<UInt16>(repeating: UInt16(gray))
    var source = unsafe UnsafeRawPointer(rows)
    var target = unsafe UnsafeMutableRawPointer(pixels + (y &* width &+ x))
    for _ in 0..<height {
      var column = 0
      while column < pitch {
        let bytes = unsafe source.loadUnaligned(fromByteOffset: column, as: UInt64.self)
        if bytes != 0 {
          let coverage = unsafe SIMD8<UInt16>(truncatingIfNeeded: unsafeBitCast(bytes, to: SIMD8<UInt8>.self))
          let old = unsafe SIMD8<UInt16>(
            truncatingIfNeeded: target.loadUnaligned(fromByteOffset: column, as: SIMD8<UInt8>.self))
          var mixed = old &* (255 &- coverage) &+ ink &* coverage &+ 128
          mixed = (mixed &+ (mixed &>> 8)) &>> 8
          unsafe target.storeBytes(
            of: SIMD8<UInt8>(truncatingIfNeeded: mixed), toByteOffset: column, as: SIMD8<UInt8>.self)
        }
        column &+= 8
      }
      unsafe source += pitch
      unsafe target += width
    }
  }
}

/// Memory of premultiplied BGRA pixels, without padding.
@safe struct ColorTarget {
  var pixels: UnsafeMutablePointer<UInt32>
  var width: Int
  var height: Int

  /// The premultiplied pixel of a colour.
  static func premultiplied(_ color: Color) -> UInt32 {
    let alpha = UInt32(color.alpha)
    return alpha << 24 | divideBy255(UInt32(color.red) * alpha) << 16 | divideBy255(UInt32(color.green) * alpha) << 8
      | divideBy255(UInt32(color.blue) * alpha)
  }

  /// Every channel times `factor` / 255.
  @inline(__always)
  static func scale(_ pixel: UInt32, _ factor: UInt32) -> UInt32 {
    var even = (pixel & 0x00FF_00FF) &* factor &+ 0x0080_0080
    even = ((even &+ (even >> 8 & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
    var odd = (pixel >> 8 & 0x00FF_00FF) &* factor &+ 0x0080_0080
    odd = (odd &+ (odd >> 8 & 0x00FF_00FF)) & 0xFF00_FF00
    return even | odd
  }

  func fill(_ rect: PixelRect, _ color: Color) {
    guard !rect.isEmpty, color.alpha > 0 else { return }
    let source = Self.premultiplied(color)
    let keep = 255 &- UInt32(color.alpha)
    for y in rect.top..<rect.bottom {
      let row = unsafe pixels + y * width
      if keep == 0 {
        unsafe (row + rect.left).update(repeating: source, count: rect.width)
      } else {
        for x in rect.left..<rect.right { unsafe row[x] = unsafe Self.scale(row[x], keep) &+ source }
      }
    }
  }

  @inline(__always)
  func blend(_ rows: UnsafePointer<UInt8>, _ mask: GlyphMask, x: Int, y: Int, clip: PixelRect, source: UInt32) {
    let left = Swift.max(x, clip.left)
    let right = Swift.min(x &+ Int(mask.width), clip.right)
    let top = Swift.max(y, clip.top)
    let bottom = Swift.min(y &+ Int(mask.height), clip.bottom)
    guard left < right, top < bottom else { return }
    for row in top..<bottom {
      let coverage = unsafe rows + ((row &- y) &* Int(mask.pitch) &- x)
      let target = unsafe pixels + row &* width
      for column in left..<right {
        let amount = unsafe UInt32(coverage[column])
        if amount != 0 {
          let ink = amount == 255 ? source : Self.scale(source, amount)
          unsafe target[column] = unsafe ink &+ Self.scale(target[column], 255 &- ink >> 24)
        }
      }
    }
  }

  /// Has a picture that allows it draw itself over a rectangle that lies within the target.
  func draw(_ id: ImageID, of images: ImageStore, in rect: PixelRect) -> Bool {
    unsafe images.draw(
      id, over: UnsafeMutableRawPointer(pixels + (rect.top * width + rect.left)), stride: width * 4, width: rect.width,
      height: rect.height)
  }

  /// Draws a picture, pixel for pixel, whose top left corner lies at (x, y).
  func draw(_ bitmap: Bitmap, x: Int, y: Int, clip: PixelRect) {
    let area = PixelRect(left: x, top: y, right: x + bitmap.width, bottom: y + bitmap.height).intersection(clip)
    guard !area.isEmpty, let source = unsafe bitmap.pixels.baseAddress else { return }
    for row in area.top..<area.bottom {
      let line = unsafe source + ((row - y) * bitmap.stride + (area.left - x) * 4)
      let start = row * width + area.left
      if bitmap.isOpaque {
        unsafe UnsafeMutableRawPointer(pixels + start).copyMemory(from: line, byteCount: area.width * 4)
      } else {
        for column in 0..<area.width {
          unsafe over(line.load(fromByteOffset: column * 4, as: UInt32.self), at: start + column)
        }
      }
    }
  }

  /// Draws a premultiplied pixel over another.
  @inline(__always)
  func over(_ source: UInt32, at index: Int) {
    let alpha = source >> 24
    if alpha == 255 {
      unsafe pixels[index] = source
    } else if source != 0 {
      unsafe pixels[index] = unsafe source &+ Self.scale(pixels[index], 255 &- alpha)
    }
  }
}
