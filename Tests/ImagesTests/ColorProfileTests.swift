import Foundation
import Graphics
import Testing

@testable import Images

/// Colours of files that hold an ICC profile.
@Suite struct ColorProfileTests {
  private func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) } }
  private func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65536).rounded())) }

  /// A profile of the primaries of sRGB with another curve.
  private func profile(curve: [UInt8]) -> [UInt8] {
    func point(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ ".utf8) + word(0) + fixed(x) + fixed(y) + fixed(z)
    }
    let tags: [(String, [UInt8])] = [
      ("rXYZ", point(0.43607, 0.22249, 0.01392)), ("gXYZ", point(0.38515, 0.71687, 0.09708)),
      ("bXYZ", point(0.14307, 0.06061, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(16..<24, with: "RGB XYZ ".utf8)
    var table = word(tags.count)
    var data: [UInt8] = []
    for (name, value) in tags {
      table += Array(name.utf8) + word(132 + tags.count * 12 + data.count) + word(value.count)
      data += value
    }
    return bytes + table + data
  }

  private func gamma(_ value: Double) -> [UInt8] {
    Array("curv".utf8) + word(0) + word(1) + [UInt8(value), UInt8((value - value.rounded(.down)) * 256)]
  }

  @Test func `Linear light becomes the levels of sRGB`() throws {
    let linear = try #require(ColorProfile(profile(curve: Array("curv".utf8) + word(0) + word(0))))
    let (red, green, blue) = linear.color(128, 0, 255)
    #expect(abs(Int(red) - 188) <= 1 && green <= 1 && blue >= 254)
  }

  @Test func `A table and a function say what a gamma says`() throws {
    let samples = (0...255).flatMap { level -> [UInt8] in
      let value = Int((pow(Double(level) / 255, 1.5) * 65535).rounded())
      return [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    let curves = [
      gamma(1.5), Array("curv".utf8) + word(0) + word(256) + samples,
      Array("para".utf8) + word(0) + [0, 0, 0, 0] + fixed(1.5),
    ]
    let colors = try curves.map { try #require(ColorProfile(profile(curve: $0))).color(100, 150, 200) }
    for color in colors {
      #expect(abs(Int(color.red) - Int(colors[0].red)) <= 1 && abs(Int(color.blue) - Int(colors[0].blue)) <= 1)
    }
    #expect(colors[0].green > 160)
  }

  @Test func `The profile of sRGB itself changes nothing`() {
    let curve =
      Array("para".utf8) + word(0) + [0, 3, 0, 0] + fixed(2.4) + fixed(1 / 1.055) + fixed(0.055 / 1.055)
      + fixed(1 / 12.92) + fixed(0.04045)
    #expect(ColorProfile(profile(curve: curve)) == nil)
  }

  @Test func `What is cut off is no profile`() {
    let whole = profile(curve: gamma(1.5))
    for count in 0..<whole.count { _ = ColorProfile(Array(whole.prefix(count))) }
  }

  @Test func `The segments of a JPEG file are one profile`() {
    let parts: [[UInt8]] = [[1, 2, 3], [4, 5]]
    var file: [UInt8] = [0xFF, 0xD8]
    for (index, part) in parts.enumerated() {
      file += [0xFF, 0xE2, 0, UInt8(part.count + 16)] + Array("ICC_PROFILE".utf8) + [0, UInt8(index + 1), 2] + part
    }
    file += [0xFF, 0xDA, 0, 2]
    #expect(EmbeddedProfile.bytes(of: file, kind: .jpeg) == [1, 2, 3, 4, 5])
    for count in 0..<file.count { _ = EmbeddedProfile.bytes(of: Array(file.prefix(count)), kind: .jpeg) }
  }

  @Test func `The chunk of a PNG file is inflated`() {
    // "abc" as zlib stores it.
    let stored: [UInt8] = [0x78, 0x01, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0x02, 0x4D, 0x01, 0x27]
    let chunk = Array("x".utf8) + [0, 0] + stored
    let file = [UInt8](repeating: 0, count: 8) + word(chunk.count) + Array("iCCP".utf8) + chunk + word(0)
    #expect(EmbeddedProfile.bytes(of: file, kind: .png) == Array("abc".utf8))
    for count in 0..<file.count { _ = EmbeddedProfile.bytes(of: Array(file.prefix(count)), kind: .png) }
  }
}
