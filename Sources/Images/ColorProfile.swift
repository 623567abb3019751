import Graphics
import Platform
import Primitives

/// The colours of an RGB profile with a curve for each channel and three primaries, as sRGB (ICC.1:2022, annex F.3).
final class ColorProfile: Sendable {
  /// Linear light of the 256 levels of red, green and blue.
  private let light: [[Float]]
  /// Linear light of the profile's channels to that of sRGB, by rows.
  private let matrix: [Float]

  /// Levels of sRGB by linear light in 4,095 parts.
  private static let levels: [UInt8] = (0...4095).map { Color.encoded(Double($0) / 4095) }
  /// XYZ under D50 to linear sRGB: the inverse of the primaries of IEC 61966-2-1, adapted to D50.
  private static let linearRGB: [Double] = [
    3.1341359, -1.6173863, -0.4906619, -0.9787955, 1.9162544, 0.0334427, 0.0719553, -0.2289769, 1.4053860,
  ]

  /// `nil` for profiles of other kinds, and for those whose colours are those of sRGB.
  init?(_ profile: [UInt8]) {
    let reader = ProfileReader(bytes: profile)
    guard profile.count > 132, profile[16..<20].elementsEqual("RGB ".utf8), profile[20..<24].elementsEqual("XYZ ".utf8),
      let red = reader.point("rXYZ"), let green = reader.point("gXYZ"), let blue = reader.point("bXYZ"),
      let redCurve = reader.curve("rTRC"), let greenCurve = reader.curve("gTRC"), let blueCurve = reader.curve("bTRC")
    else { return nil }
    light = [redCurve, greenCurve, blueCurve]
    matrix = (0..<9).map { index in
      let row = index / 3 * 3
      let column = [red, green, blue][index % 3]
      return Float((0..<3).reduce(0) { $0 + Self.linearRGB[row + $1] * column[$1] })
    }
    if isStandard { return nil }
  }

  /// No colour of a coarse grid differs from that of sRGB by more than rounding does.
  private var isStandard: Bool {
    let steps = stride(from: UInt8(0), through: 255, by: 51)
    for red in steps {
      for green in steps {
        for blue in steps {
          let color = color(red, green, blue)
          if abs(Int(color.red) - Int(red)) > 2 || abs(Int(color.green) - Int(green)) > 2
            || abs(Int(color.blue) - Int(blue)) > 2
          {
            return false
          }
        }
      }
    }
    return true
  }

  /// A colour in sRGB.
  func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let (r, g, b) = (light[0][Int(red)], light[1][Int(green)], light[2][Int(blue)])
    func level(_ row: Int) -> UInt8 {
      let value = matrix[row] * r + matrix[row + 1] * g + matrix[row + 2] * b
      return Self.levels[Int(Swift.max(0, Swift.min(1, value)) * 4095 + 0.5)]
    }
    return (level(0), level(3), level(6))
  }

  /// A bitmap of the profile's colours in sRGB.
  func converted(_ bitmap: Bitmap) -> Bitmap {
    unsafe Bitmap(width: bitmap.width, height: bitmap.height, isOpaque: bitmap.isOpaque) { out in
      bitmap.withBytes { pixels in
        // Neighbours are often alike.
        var last: (from: (UInt8, UInt8, UInt8), to: (red: UInt8, green: UInt8, blue: UInt8)) = (
          (0, 0, 0), color(0, 0, 0)
        )
        for at in stride(from: 0, to: bitmap.byteCount, by: 4) {
          let alpha = Int(pixels[at + 3])
          if alpha == 0 { continue }
          func straight(_ value: UInt8) -> UInt8 {
            alpha == 255 ? value : UInt8(Swift.min(255, (Int(value) * 255 + alpha / 2) / alpha))
          }
          func premultiplied(_ value: UInt8) -> UInt8 {
            alpha == 255 ? value : UInt8((Int(value) * alpha + 127) / 255)
          }
          let from = (straight(pixels[at + 2]), straight(pixels[at + 1]), straight(pixels[at]))
          if from != last.from { last = (from, color(from.0, from.1, from.2)) }
          unsafe out[at] = premultiplied(last.to.blue)
          unsafe out[at + 1] = premultiplied(last.to.green)
          unsafe out[at + 2] = premultiplied(last.to.red)
          unsafe out[at + 3] = pixels[at + 3]
        }
      }
    }
  }
}

/// Reads the tags of an ICC profile (ICC.1:2022, sections 7.3 and 10).
private struct ProfileReader {
  let bytes: [UInt8]

  private func number(_ at: Int, bytes count: Int = 4) -> Int? {
    guard at >= 0, at + count <= bytes.count else { return nil }
    return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }
  private func fixed(_ at: Int) -> Double? {
    number(at).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
  }

  private func tag(_ name: String) -> Int? {
    guard let count = number(128), count <= 256 else { return nil }
    for index in 0..<count {
      let entry = 132 + index * 12
      guard entry + 12 <= bytes.count else { return nil }
      if bytes[entry..<entry + 4].elementsEqual(name.utf8) { return number(entry + 4) }
    }
    return nil
  }

  func point(_ name: String) -> [Double]? {
    guard let at = tag(name), let x = fixed(at + 8), let y = fixed(at + 12), let z = fixed(at + 16) else { return nil }
    return [x, y, z]
  }

  /// The linear light of 256 levels.
  func curve(_ name: String) -> [Float]? {
    guard let at = tag(name), at + 12 <= bytes.count else { return nil }
    let function: ((Double) -> Double)?
    if bytes[at..<at + 4].elementsEqual("curv".utf8) {
      function = sampled(at)
    } else if bytes[at..<at + 4].elementsEqual("para".utf8) {
      function = parametric(at)
    } else {
      function = nil
    }
    guard let function else { return nil }
    return (0..<256).map { level in
      let light = function(Double(level) / 255)
      return light.isFinite ? Float(Swift.max(0, Swift.min(1, light))) : 0
    }
  }

  private func sampled(_ at: Int) -> ((Double) -> Double)? {
    guard let count = number(at + 8) else { return nil }
    if count == 0 { return { $0 } }
    if count == 1 {
      guard let gamma = number(at + 12, bytes: 2).map({ Double($0) / 256 }) else { return nil }
      return { pow($0, gamma) }
    }
    guard count <= 65536, at + 12 + count * 2 <= bytes.count else { return nil }
    let samples = (0..<count).map { Double(number(at + 12 + $0 * 2, bytes: 2) ?? 0) / 65535 }
    return { value in
      let place = value * Double(count - 1)
      let low = Swift.min(count - 2, Int(place))
      return samples[low] + (samples[low + 1] - samples[low]) * (place - Double(low))
    }
  }

  private func parametric(_ at: Int) -> ((Double) -> Double)? {
    let counts = [1, 3, 4, 5, 7]
    guard let kind = number(at + 8, bytes: 2), kind < counts.count else { return nil }
    let p = (0..<counts[kind]).compactMap { fixed(at + 12 + $0 * 4) }
    guard p.count == counts[kind] else { return nil }
    let g = p[0]
    switch kind {
    case 0: return { pow($0, g) }
    case 1: return { $0 >= -p[2] / p[1] ? pow(p[1] * $0 + p[2], g) : 0 }
    case 2: return { $0 >= -p[2] / p[1] ? pow(p[1] * $0 + p[2], g) + p[3] : p[3] }
    case 3: return { $0 >= p[4] ? pow(p[1] * $0 + p[2], g) : p[3] * $0 }
    default: return { $0 >= p[4] ? pow(p[1] * $0 + p[2], g) + p[5] : p[3] * $0 + p[6] }
    }
  }
}
