import CImageCodecs
package import Graphics
package import Primitives

/// Turns the bytes of a raster image into pixels at a size.
package enum ImageDecoder {
  /// The image in sRGB, upright and resampled to exactly the given size. `nil` when nothing could be read.
  ///
  /// - Parameter colors: The profile of the file, where its colours are not those of sRGB.
  package static func decode(
    _ data: [UInt8], colors: ColorProfile?, orientation: UInt8, width: Int, height: Int, limits: Limits
  ) -> Bitmap? {
    if isUpright(orientation) {
      return unsafe Bitmap(decodedWidth: width, height: height) { out in
        var target = unsafe makeTarget(width: width, height: height, limits: limits)
        unsafe target.pixels = unsafe out.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe target.stride = width * 4
        return unsafe decode(data, colors: colors, to: &target).map { unsafe $0.is_opaque != 0 }
      }
    }
    let turned = orientation >= 5
    var target = unsafe makeTarget(width: turned ? height : width, height: turned ? width : height, limits: limits)
    guard let raw = unsafe decode(data, colors: colors, to: &target), let pixels = unsafe raw.pixels else { return nil }
    defer { unsafe codec_free(pixels) }
    let upright = unsafe rotate(
      PixelRows(pixels: UnsafePointer(pixels), width: Int(raw.width), height: Int(raw.height), stride: raw.stride),
      orientation: orientation)
    return unsafe upright.pixels.withMemoryRebound(to: UInt8.self) { bytes in
      unsafe Resampler.resample(
        PixelRows(pixels: bytes.baseAddress!, width: upright.width, height: upright.height, stride: upright.stride),
        width: width, height: height, isOpaque: raw.is_opaque != 0)
    }
  }

  /// Draws an upright image that has no transparency over pixels `stride` bytes a row; false when nothing of it could
  /// be read.
  package static func draw(
    _ data: [UInt8], colors: ColorProfile?, over pixels: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int,
    limits: Limits
  ) -> Bool {
    var target = unsafe makeTarget(width: width, height: height, limits: limits)
    unsafe target.pixels = unsafe pixels.assumingMemoryBound(to: UInt8.self)
    unsafe target.stride = stride
    unsafe target.is_drawn_over = 1
    return unsafe decode(data, colors: colors, to: &target) != nil
  }

  /// Pixels are stored in the order in which they are shown.
  package static func isUpright(_ orientation: UInt8) -> Bool { orientation <= 1 || orientation > 8 }

  /// Averaged down while it is read to no less than twice the size; the rest is the cubic's, which is sharper.
  private static func makeTarget(width: Int, height: Int, limits: Limits) -> codec_target {
    var target = unsafe codec_target()
    unsafe target.least_width = UInt32(clamping: width * 2)
    unsafe target.least_height = UInt32(clamping: height * 2)
    unsafe target.max_pixels = UInt64(limits.imagePixels)
    unsafe target.width = UInt32(clamping: width)
    unsafe target.height = UInt32(clamping: height)
    return unsafe target
  }

  private static func decode(_ data: [UInt8], colors: ColorProfile?, to target: inout codec_target) -> codec_bitmap? {
    var raw = unsafe codec_bitmap()
    func decode() -> Bool {
      unsafe data.withUnsafeBufferPointer { unsafe codec_decode($0.baseAddress, $0.count, &target, &raw) != 0 }
    }
    let isDone =
      unsafe colors?.withColors { colors in
        unsafe target.colors = colors
        return decode()
      } ?? decode()
    return unsafe isDone ? raw : nil
  }

  /// Turns and mirrors as EXIF (tag 0x0112) says.
  private static func rotate(_ source: PixelRows, orientation: UInt8) -> Bitmap {
    let turned = orientation >= 5
    let width = turned ? source.height : source.width
    let height = turned ? source.width : source.height
    return unsafe Bitmap(width: width, height: height) { out in
      for y in 0..<height {
        for x in 0..<width {
          let (sx, sy): (Int, Int) =
            switch orientation {
            case 2: (source.width - 1 - x, y)
            case 3: (source.width - 1 - x, source.height - 1 - y)
            case 4: (x, source.height - 1 - y)
            case 5: (y, x)
            case 6: (y, source.height - 1 - x)
            case 7: (source.width - 1 - y, source.height - 1 - x)
            default: (source.width - 1 - y, x)
            }
          let pixel = unsafe UnsafeRawPointer(source.pixels).loadUnaligned(
            fromByteOffset: sy * source.stride + sx * 4, as: UInt32.self)
          unsafe out.storeBytes(of: pixel, toByteOffset: (y * width + x) * 4, as: UInt32.self)
        }
      }
    }
  }
}

/// A view of premultiplied BGRA rows.
@safe struct PixelRows {
  var pixels: UnsafePointer<UInt8>
  var width: Int
  var height: Int
  var stride: Int
}

/// Separable resampling: a cubic when shrinking, linear when enlarging, as browsers do.
enum Resampler {
  static func resample(_ source: PixelRows, width: Int, height: Int, isOpaque: Bool) -> Bitmap {
    unsafe Bitmap(width: width, height: height, isOpaque: isOpaque) { out in
      guard
        let resampler = unsafe codec_resampler_create(
          UInt32(clamping: source.width), UInt32(clamping: source.height),
          out.baseAddress?.assumingMemoryBound(to: UInt8.self), width * 4, UInt32(clamping: width),
          UInt32(clamping: height))
      else { return }
      defer { unsafe codec_resampler_destroy(resampler) }
      for y in 0..<source.height { unsafe codec_resampler_row(resampler, source.pixels + y * source.stride) }
    }
  }
}
