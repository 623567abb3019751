import Primitives

/// A rectangle of whole device pixels.
struct PixelRect: Equatable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  var width: Int { right - left }
  var height: Int { bottom - top }
  var isEmpty: Bool { right <= left || bottom <= top }

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
struct GrayTarget {
  var pixels: UnsafeMutablePointer<UInt8>
  var width: Int
  var height: Int

  func fill(_ rect: PixelRect, gray: UInt8, alpha: UInt8) {
    guard !rect.isEmpty, alpha > 0 else { return }
    for y in rect.top..<rect.bottom {
      let row = pixels + y * width
      if alpha == 255 {
        (row + rect.left).update(repeating: gray, count: rect.width)
      } else {
        let add = UInt32(gray) &* UInt32(alpha)
        let keep = 255 &- UInt32(alpha)
        for x in rect.left..<rect.right {
          row[x] = UInt8(truncatingIfNeeded: divideBy255(UInt32(row[x]) &* keep &+ add))
        }
      }
    }
  }

  /// Blends a grey through a mask whose top left corner lies at (x, y).
  @inline(__always)
  func blend(
    _ mask: UnsafePointer<UInt8>, x: Int, y: Int, width maskWidth: Int, height maskHeight: Int, clip: PixelRect,
    gray: UInt8, alpha: UInt8
  ) {
    let left = Swift.max(x, clip.left)
    let right = Swift.min(x &+ maskWidth, clip.right)
    let top = Swift.max(y, clip.top)
    let bottom = Swift.min(y &+ maskHeight, clip.bottom)
    guard left < right, top < bottom else { return }
    let color = UInt32(gray)
    var row = top
    while row < bottom {
      let source = mask + ((row &- y) &* maskWidth &- x)
      let target = pixels + row &* width
      var column = left
      while column < right {
        var coverage = UInt32(source[column])
        if coverage != 0 {
          if alpha != 255 { coverage = divideBy255(coverage &* UInt32(alpha)) }
          let old = UInt32(target[column])
          target[column] = UInt8(truncatingIfNeeded: divideBy255(old &* (255 &- coverage) &+ color &* coverage))
        }
        column &+= 1
      }
      row &+= 1
    }
  }
}

/// Memory of premultiplied BGRA pixels, without padding.
struct ColorTarget {
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
      let row = pixels + y * width
      if keep == 0 {
        (row + rect.left).update(repeating: source, count: rect.width)
      } else {
        for x in rect.left..<rect.right { row[x] = Self.scale(row[x], keep) &+ source }
      }
    }
  }

  @inline(__always)
  func blend(
    _ mask: UnsafePointer<UInt8>, x: Int, y: Int, width maskWidth: Int, height maskHeight: Int, clip: PixelRect,
    source: UInt32
  ) {
    let left = Swift.max(x, clip.left)
    let right = Swift.min(x &+ maskWidth, clip.right)
    let top = Swift.max(y, clip.top)
    let bottom = Swift.min(y &+ maskHeight, clip.bottom)
    guard left < right, top < bottom else { return }
    var row = top
    while row < bottom {
      let coverage = mask + ((row &- y) &* maskWidth &- x)
      let target = pixels + row &* width
      var column = left
      while column < right {
        let amount = UInt32(coverage[column])
        if amount != 0 {
          let ink = amount == 255 ? source : Self.scale(source, amount)
          target[column] = ink &+ Self.scale(target[column], 255 &- ink >> 24)
        }
        column &+= 1
      }
      row &+= 1
    }
  }

  /// Draws a premultiplied pixel over another.
  @inline(__always)
  func over(_ source: UInt32, at index: Int) {
    let alpha = source >> 24
    if alpha == 255 {
      pixels[index] = source
    } else if source != 0 {
      pixels[index] = source &+ Self.scale(pixels[index], 255 &- alpha)
    }
  }
}
