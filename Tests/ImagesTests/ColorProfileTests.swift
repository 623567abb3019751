import Foundation
import Graphics
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs
@testable import Images

/// Colours of files that hold an ICC profile.
@Suite(.enabled(if: LoadedLibrary.lcms.isInstalled, "Little CMS is not installed")) struct ColorProfileTests {
  private typealias RGB = (red: Int, green: Int, blue: Int)

  /// The only pixel of a file.
  private func pixel(_ file: [UInt8]) throws -> RGB {
    let store = ImageStore()
    let bitmap = try #require(store.bitmap(store.image(path: "a", load: { file }), width: 1, height: 1))
    let pixel = bitmap.pixel(x: 0, y: 0)
    return (Int(pixel.red), Int(pixel.green), Int(pixel.blue))
  }

  private func isNear(_ one: RGB, _ other: RGB, by distance: Int = 2) -> Bool {
    [one.red - other.red, one.green - other.green, one.blue - other.blue].allSatisfy { abs($0) <= distance }
  }

  // MARK: Profiles

  private func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) } }
  private func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65536).rounded())) }
  private func point(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + word(0) + fixed(x) + fixed(y) + fixed(z)
  }

  private func profile(_ space: String, connection: String = "XYZ ", _ tags: [(name: String, value: [UInt8])])
    -> [UInt8]
  {
    var table = word(tags.count)
    var data: [UInt8] = []
    for (name, value) in tags {
      table += Array(name.utf8) + word(132 + tags.count * 12 + data.count) + word(value.count)
      data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(0..<4, with: word(128 + table.count + data.count))
    header.replaceSubrange(8..<12, with: [2, 0x10, 0, 0])
    header.replaceSubrange(
      12..<24, with: Array((space == "CMYK" ? "prtr" : "mntr").utf8) + Array((space + connection).utf8))
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    header.replaceSubrange(68..<80, with: fixed(0.9642) + fixed(1) + fixed(0.8249))
    return header + table + data
  }

  /// A profile of the primaries of sRGB with another curve.
  private func profile(curve: [UInt8]) -> [UInt8] {
    profile(
      "RGB ",
      [
        ("wtpt", point(0.9642, 1, 0.8249)), ("rXYZ", point(0.43607, 0.22249, 0.01392)),
        ("gXYZ", point(0.38515, 0.71687, 0.09708)), ("bXYZ", point(0.14307, 0.06061, 0.7141)), ("rTRC", curve),
        ("gTRC", curve), ("bTRC", curve),
      ])
  }

  private func gamma(_ value: Double) -> [UInt8] {
    Array("curv".utf8) + word(0) + word(1) + [UInt8(value), UInt8((value - value.rounded(.down)) * 256)]
  }
  private var linear: [UInt8] { gamma(1) }

  /// Inks whose lightness is what black leaves, or half of it where there is any other ink: a table of two nodes an ink.
  private var press: [UInt8] {
    let straight = (0...255).map { UInt8($0) }
    var table = Array("mft1".utf8) + word(0) + [4, 3, 2, 0]
    for index in 0..<9 { table += fixed(index % 4 == 0 ? 1 : 0) }
    for _ in 0..<4 { table += straight }
    for node in 0..<16 { table += [node & 1 == 1 ? 0 : node == 0 ? 255 : 128, 128, 128] }
    for _ in 0..<3 { table += straight }
    return profile("CMYK", connection: "Lab ", [("wtpt", point(0.9642, 1, 0.8249)), ("A2B0", table)])
  }

  // MARK: Files

  private func checksum(_ data: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in data {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    return word(high << 16 | low)
  }
  /// A zlib stream (RFC 1950) that stores its bytes.
  private func stored(_ data: [UInt8]) -> [UInt8] {
    let count = [UInt8(data.count & 0xFF), UInt8(data.count >> 8)]
    return [0x78, 0x01, 1] + count + count.map { ~$0 } + data + checksum(data)
  }

  /// A PNG file of one pixel: grey, true colour, or this with alpha.
  private func png(_ pixel: [UInt8], _ profile: [UInt8]) -> [UInt8] {
    // Checksums of chunks are not heeded.
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] { word(data.count) + Array(name.utf8) + data + word(0) }
    let type: UInt8 = pixel.count == 1 ? 0 : pixel.count == 3 ? 2 : 6
    return [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + chunk("IHDR", word(1) + word(1) + [8, type, 0, 0, 0])
      + (profile.isEmpty ? [] : chunk("iCCP", Array("x".utf8) + [0, 0] + stored(profile)))
      + chunk("IDAT", stored([0] + pixel)) + chunk("IEND", [])
  }

  /// A JPEG file with a profile in two segments.
  private func jpeg(_ base64: String, _ profile: [UInt8]) throws -> [UInt8] {
    let file = Array(try #require(Data(base64Encoded: base64)))
    var segments: [UInt8] = []
    for (index, part) in [profile.prefix(100), profile.dropFirst(100)].enumerated() {
      let count = part.count + 16
      segments += [0xFF, 0xE2, UInt8(count >> 8), UInt8(count & 0xFF)] + Array("ICC_PROFILE".utf8)
      segments += [0, UInt8(index + 1), 2] + part
    }
    return file[..<2] + segments + file[2...]
  }
  /// A pixel of the level 128.
  private let gray =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/"
    + "wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"
  /// A pixel of black ink, inverted as Adobe has it.
  private let black =
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AA"
    + "FAgAAQABBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAkK/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwB/D+H8T/v/2Q=="
  /// A pixel of cyan ink.
  private let cyan =
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AA"
    + "FAgAAQABBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAkK/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwCf8/h/D+P/2Q=="

  // MARK: What holds

  @Test func `Linear light becomes the levels of sRGB`() throws {
    #expect(isNear(try pixel(png([128, 0, 255], profile(curve: linear))), (188, 0, 255)))
    #expect(isNear(try pixel(png([128, 0, 255], [])), (128, 0, 255), by: 0))
  }

  @Test func `Colours are converted under their alpha, which stays`() throws {
    let store = ImageStore()
    let file = png([128, 0, 255, 128], profile(curve: linear))
    let pixel = try #require(store.bitmap(store.image(path: "a", load: { file }), width: 1, height: 1)).pixel(
      x: 0, y: 0)
    #expect(pixel.alpha == 128 && abs(Int(pixel.red) - 94) <= 1 && pixel.green <= 1 && pixel.blue >= 127)
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
    let colors = try curves.map { try pixel(png([100, 150, 200], profile(curve: $0))) }
    for color in colors { #expect(isNear(color, colors[0], by: 1)) }
    #expect(colors[0].green > 160)
  }

  @Test func `Grey pixels have a profile of grey`() throws {
    let profile = profile("GRAY", [("wtpt", point(0.9642, 1, 0.8249)), ("kTRC", linear)])
    #expect(isNear(try pixel(png([128], profile)), (188, 188, 188)))
    #expect(isNear(try pixel(jpeg(gray, profile)), (188, 188, 188)))
  }

  @Test func `A profile of other pixels is ignored`() throws {
    let grey = profile("GRAY", [("wtpt", point(0.9642, 1, 0.8249)), ("kTRC", linear)])
    #expect(isNear(try pixel(png([128, 0, 255], grey)), (128, 0, 255), by: 0))
    #expect(isNear(try pixel(jpeg(black, grey)), (0, 0, 0), by: 0))
    #expect(isNear(try pixel(jpeg(gray, press)), (128, 128, 128), by: 0))
  }

  @Test func `Inks are what the table of their profile says`() throws {
    #expect(isNear(try pixel(jpeg(black, press)), (0, 0, 0)))
    // L* = 50.
    #expect(isNear(try pixel(jpeg(cyan, press)), (119, 119, 119)))
  }

  @Test func `Inks are inverted whether a file says so by the marker of Adobe or not`() throws {
    for (ink, color) in [(black, (0, 0, 0)), (cyan, (0, 255, 255))] {
      let marked = Array(try #require(Data(base64Encoded: ink)))
      let segment = 2..<2 + 2 + 14
      #expect(marked[segment].starts(with: [0xFF, 0xEE]))
      #expect(isNear(try pixel(marked), color))
      #expect(isNear(try pixel(Array(marked[..<2] + marked[segment.upperBound...])), color))
    }
  }

  @Test func `The profile of sRGB itself changes nothing`() {
    let curve =
      Array("para".utf8) + word(0) + [0, 3, 0, 0] + fixed(2.4) + fixed(1 / 1.055) + fixed(0.055 / 1.055)
      + fixed(1 / 12.92) + fixed(0.04045)
    #expect(ColorProfile(EmbeddedProfile(bytes: profile(curve: curve), channels: 3)) == nil)
  }

  @Test(arguments: [3, 4]) func `What is cut off is no profile`(_ channels: Int) {
    let whole = channels == 3 ? profile(curve: gamma(1.5)) : press
    #expect(ColorProfile(EmbeddedProfile(bytes: whole, channels: channels)) != nil)
    for count in stride(from: 0, to: whole.count, by: 7) {
      _ = ColorProfile(EmbeddedProfile(bytes: Array(whole.prefix(count)), channels: channels))
    }
  }

  @Test func `The profile in a file is that of its chunk or its segments`() throws {
    let profile = profile(curve: gamma(1.5))
    try check(png([1, 2, 3], profile), .png, holds: profile)
    try check(jpeg(gray, profile), .jpeg, holds: profile)
  }

  @Test(.enabled(if: LoadedLibrary.webp.isInstalled, "libwebp is not installed"))
  func `WebP has a chunk for it`() throws {
    let profile = profile(curve: gamma(1.5))
    // A pixel of 100, 150, 200, and the head of the extended format.
    let lossless = Array(try #require(Data(base64Encoded: "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAdQy5IVuf+BiOh/AAA=")))
    let head = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0x20, 0, 0, 0] + [0, 0, 0, 0, 0, 0]
    let body = head + Array("ICCP".utf8) + word(profile.count).reversed() + profile + lossless[12...]
    let file = Array("RIFF".utf8) + word(body.count).reversed() + body
    try check(file, .webp, holds: profile)
    #expect(isNear(try pixel(file), try pixel(png([100, 150, 200], profile)), by: 0))
  }

  /// Parts of the file have it or have none.
  private func check(_ file: [UInt8], _ kind: ImageKind, holds profile: [UInt8]) throws {
    #expect(EmbeddedProfile(of: file, kind: kind)?.bytes == profile)
    for count in 0..<file.count {
      let part = EmbeddedProfile(of: Array(file.prefix(count)), kind: kind)
      #expect(part == nil || part?.bytes == profile)
    }
  }
}
