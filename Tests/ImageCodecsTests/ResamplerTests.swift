import Graphics
import Testing

@testable import ImageCodecs

@Suite struct ResamplerTests {
  /// The weights of the source's positions for each of the target's: a cubic (Catmull-Rom) when shrinking, linear when growing.
  private func weights(_ source: Int, _ target: Int) -> [[(Int, Double)]] {
    let scale = Double(source) / Double(target)
    let width = max(scale, 1)
    func kernel(_ x: Double) -> Double {
      if scale <= 1 { return x < 1 ? 1 - x : 0 }
      if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
      return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }
    return (0..<target).map { position in
      let center = (Double(position) + 0.5) * scale
      let all = (0..<source).map { ($0, kernel(abs(Double($0) + 0.5 - center) / width)) }.filter { $0.1 != 0 }
      let sum = all.reduce(0) { $0 + $1.1 }
      return all.map { ($0.0, $0.1 / sum) }
    }
  }

  @Test(arguments: [
    (64, 50, 60, 40), (64, 50, 33, 25), (37, 41, 5, 6), (9, 7, 90, 71), (3, 3, 64, 2), (1, 1, 30, 30), (50, 1, 49, 1),
    (16, 16, 16, 16),
  ])
  func `Rows and columns are weighed as the kernel says`(sourceWidth: Int, sourceHeight: Int, width: Int, height: Int) {
    var state: UInt32 = 7
    let source = (0..<(sourceWidth * sourceHeight * 4)).map { index -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return index % 4 == 3 ? 255 : UInt8(state >> 24)
    }
    let made = source.withUnsafeBufferPointer {
      Resampler.resample(
        PixelRows(pixels: $0.baseAddress!, width: sourceWidth, height: sourceHeight, stride: sourceWidth * 4),
        width: width, height: height, isOpaque: true)
    }
    let (across, down) = (weights(sourceWidth, width), weights(sourceHeight, height))
    for y in 0..<height {
      for x in 0..<width {
        let pixel = made.pixel(x: x, y: y)
        #expect(pixel.alpha == 255)
        for (channel, value) in [pixel.blue, pixel.green, pixel.red].enumerated() {
          var sum = 0.0
          for (row, weight) in down[y] {
            for (column, other) in across[x] {
              sum += weight * other * Double(source[(row * sourceWidth + column) * 4 + channel])
            }
          }
          let wanted = min(max(sum, 0), 255)
          if abs(Double(value) - wanted) > 0.51 {
            Issue.record("\(value) and not \(wanted) at \(x), \(y)")
            return
          }
        }
      }
    }
  }
}
