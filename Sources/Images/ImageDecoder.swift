import CImageCodecs
import Glibc
import Graphics
import Primitives

/// Turns the bytes of a raster image into pixels at a size.
enum ImageDecoder {
  /// The image, upright and resampled to exactly the given size. `nil` when nothing could be read.
  static func decode(_ data: [UInt8], orientation: UInt8, width: Int, height: Int, limits: Limits) -> Bitmap? {
    let turned = orientation >= 5
    var raw = codec_bitmap()
    // Averaged down while it is read to no less than twice the size; the rest is the cubic's, which is sharper.
    let done = data.withUnsafeBufferPointer {
      codec_decode(
        $0.baseAddress, $0.count, UInt32(clamping: (turned ? height : width) * 2),
        UInt32(clamping: (turned ? width : height) * 2), UInt64(limits.imagePixels), &raw) != 0
    }
    guard done, let pixels = raw.pixels else { return nil }
    defer { codec_free(raw.pixels) }
    let source = PixelRows(
      pixels: UnsafePointer(pixels), width: Int(raw.width), height: Int(raw.height), stride: raw.stride)
    let opaque = raw.is_opaque != 0
    if orientation <= 1 || orientation > 8 {
      return Resampler.resample(source, width: width, height: height, isOpaque: opaque)
    }
    let upright = rotate(source, orientation: orientation)
    return upright.pixels.withMemoryRebound(to: UInt8.self) { bytes in
      Resampler.resample(
        PixelRows(pixels: bytes.baseAddress!, width: upright.width, height: upright.height, stride: upright.stride),
        width: width, height: height, isOpaque: opaque)
    }
  }

  /// Turns and mirrors as EXIF (tag 0x0112) says.
  private static func rotate(_ source: PixelRows, orientation: UInt8) -> Bitmap {
    let turned = orientation >= 5
    let width = turned ? source.height : source.width
    let height = turned ? source.width : source.height
    return Bitmap(width: width, height: height) { out in
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
          let pixel = UnsafeRawPointer(source.pixels).loadUnaligned(
            fromByteOffset: sy * source.stride + sx * 4, as: UInt32.self)
          out.storeBytes(of: pixel, toByteOffset: (y * width + x) * 4, as: UInt32.self)
        }
      }
    }
  }
}

/// A view of premultiplied BGRA rows.
struct PixelRows {
  var pixels: UnsafePointer<UInt8>
  var width: Int
  var height: Int
  var stride: Int
}

/// Separable resampling: a cubic when shrinking, linear when enlarging, as browsers do.
enum Resampler {
  private struct Weights {
    /// The first source pixel of each target pixel, and where its weights start.
    var starts: [Int32] = []
    var counts: [Int32] = []
    var values: [Float] = []
    var longest = 0
  }

  private static func weights(from source: Int, to target: Int) -> Weights {
    var result = Weights()
    let scale = Double(source) / Double(target)
    let shrinks = scale > 1
    let filterScale = Swift.max(scale, 1)
    let support = (shrinks ? 2.0 : 1.0) * filterScale
    result.longest = Int(support.rounded(.up)) * 2 + 1
    result.values = [Float](repeating: 0, count: result.longest * target)
    for position in 0..<target {
      let center = (Double(position) + 0.5) * scale
      let first = Swift.max(0, Int((center - support + 0.5).rounded(.down)))
      let last = Swift.min(source, Int((center + support + 0.5).rounded(.down)))
      var sum = 0.0
      var raw: [Double] = []
      for index in first..<Swift.max(last, first + 1) {
        let distance = abs((Double(index) + 0.5 - center) / filterScale)
        let weight = shrinks ? cubic(distance) : Swift.max(0, 1 - distance)
        raw.append(weight)
        sum += weight
      }
      if sum == 0 {
        raw[0] = 1
        sum = 1
      }
      result.starts.append(Int32(Swift.min(first, source - 1)))
      let count = Swift.min(raw.count, result.longest)
      result.counts.append(Int32(count))
      for offset in 0..<count { result.values[position * result.longest + offset] = Float(raw[offset] / sum) }
    }
    return result
  }

  /// The cubic convolution kernel with a = -0.5 (Catmull-Rom).
  private static func cubic(_ x: Double) -> Double {
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }

  static func resample(_ source: PixelRows, width: Int, height: Int, isOpaque: Bool) -> Bitmap {
    if width == source.width, height == source.height {
      return Bitmap(width: width, height: height, isOpaque: isOpaque) { out in
        for y in 0..<height {
          memcpy(out.baseAddress! + y * width * 4, source.pixels + y * source.stride, width * 4)
        }
      }
    }
    let across = weights(from: source.width, to: width)
    let down = weights(from: source.height, to: height)
    // Rows are widened or narrowed when the vertical pass first needs them, and kept in a ring.
    let ringSize = down.longest
    let ringRowSize = (width + 3) / 4 * 16
    let ring = UnsafeMutablePointer<Float>.allocate(capacity: ringSize * ringRowSize)
    ring.initialize(repeating: 0, count: ringSize * ringRowSize)
    let line = UnsafeMutablePointer<Float>.allocate(capacity: source.width * 4)
    let rows = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: ringSize)
    defer {
      ring.deallocate()
      line.deallocate()
      rows.deallocate()
    }
    var ringRow = [Int](repeating: -1, count: ringSize)
    return Bitmap(width: width, height: height, isOpaque: isOpaque) { out in
      let target = out.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
      for y in 0..<height {
        let first = Int(down.starts[y])
        let count = Int(down.counts[y])
        for offset in 0..<count {
          let slot = (first + offset) % ringSize
          let row = ring + slot * ringRowSize
          if ringRow[slot] != first + offset {
            ringRow[slot] = first + offset
            resample_widen(source.pixels + (first + offset) * source.stride, line, source.width)
            resample_across(
              line, across.starts, across.counts, across.values, across.longest, row, width)
          }
          (rows + offset).initialize(to: UnsafePointer(row))
        }
        down.values.withUnsafeBufferPointer {
          resample_down(rows, $0.baseAddress! + y * down.longest, count, target + y * width * 4, width)
        }
      }
    }
  }
}
