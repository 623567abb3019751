import Graphics
import Primitives
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs
@testable import Images

/// BMP and ICO files, which tests write themselves: two rows of three pixels, red, green and blue over white, black and yellow.
@Suite struct BitmapFileTests {
  private static let colors: [[(UInt8, UInt8, UInt8)]] = [
    [(255, 0, 0), (0, 255, 0), (0, 0, 255)], [(255, 255, 255), (0, 0, 0), (255, 255, 0)],
  ]
  private static let shown = ["RGB", "WKY"]

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
  private static func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  /// A header of the length with the fields that it has room for, and masks.
  private static func header(
    _ length: Int = 40, width: Int = 3, height: Int = 2, bits: Int, compression: Int = 0, colors: Int = 0,
    masks: [UInt32] = []
  ) -> [UInt8] {
    if length == 12 { return long(12) + word(width) + word(height) + word(1) + word(bits) }
    var bytes = long(length) + long(width) + long(height) + word(1) + word(bits) + long(compression)
    bytes += long(0) + long(0) + long(0) + long(colors) + long(0)
    bytes += masks.flatMap { long(Int($0)) }
    return bytes + [UInt8](repeating: 0, count: Swift.max(0, length - bytes.count))
  }

  private static func file(_ header: [UInt8], _ pixels: [UInt8], gap: Int = 0) -> [UInt8] {
    let start = 14 + header.count + gap
    return Array("BM".utf8) + long(start + pixels.count) + long(0) + long(start) + header
      + [UInt8](repeating: 9, count: gap) + pixels
  }

  /// Rows from the bottom, padded to four bytes.
  private static func rows(isTopDown: Bool = false, _ pixel: ((UInt8, UInt8, UInt8)) -> [UInt8]) -> [UInt8] {
    (isTopDown ? colors : colors.reversed()).flatMap { row -> [UInt8] in
      let bytes = row.flatMap(pixel)
      return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
  }

  private static let palette: [UInt8] = [
    (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0), (255, 255, 0),
  ].flatMap { [$0.2, $0.1, $0.0, 0] as [UInt8] }

  private static func store(_ file: [UInt8]) -> (ImageStore, ImageID) {
    let store = ImageStore()
    return (store, store.image(path: "a", load: { file }))
  }

  /// A letter for the colour of each pixel: `.` for none, a small one for half of it, `?` for any other.
  private static func letters(_ file: [UInt8], width: Int = 3, height: Int = 2) -> [String] {
    let (store, id) = store(file)
    guard let bitmap = store.bitmap(id, width: width, height: height) else { return [] }
    return (0..<height).map { y in
      String(
        (0..<width).map { x -> Character in
          let pixel = bitmap.pixel(x: x, y: y)
          if pixel.alpha == 0 { return "." }
          let levels = [pixel.red, pixel.green, pixel.blue].map { Int($0) * 255 / Int(pixel.alpha) }
          guard levels.allSatisfy({ $0 < 8 || $0 > 247 }) else { return "?" }
          let letters: [Character] = ["K", "R", "G", "Y", "B", "M", "C", "W"]
          let letter = letters[(levels[0] > 8 ? 1 : 0) + (levels[1] > 8 ? 2 : 0) + (levels[2] > 8 ? 4 : 0)]
          return pixel.alpha == 255 ? letter : Character(letter.lowercased())
        })
    }
  }

  @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124])
  func `Pixels of 24 bits stand from the bottom behind headers of all versions`(_ length: Int) {
    let file = Self.file(Self.header(length, bits: 24), Self.rows { [$0.2, $0.1, $0.0] })
    let (store, id) = Self.store(file)
    let info = store.info(id)
    #expect(info.kind == .bmp && info.width == 3 && info.height == 2 && !info.isBroken)
    #expect(Self.letters(file) == Self.shown)
  }

  @Test func `Rows may stand from the top, and pixels behind a gap`() {
    let pixels = Self.rows(isTopDown: true) { [$0.2, $0.1, $0.0] }
    #expect(Self.letters(Self.file(Self.header(height: -2, bits: 24), pixels, gap: 7)) == Self.shown)
  }

  @Test func `Pixels of few bits are numbers of a palette`() {
    // White over red, and black; one row of eight pixels.
    let two: [UInt8] = [0, 0, 0, 0, 0, 0, 255, 0]
    let one = Self.file(Self.header(width: 8, height: 1, bits: 1, colors: 2) + two, [0b0101_1100, 0, 0, 0])
    #expect(Self.letters(one, width: 8, height: 1) == ["KRKRRRKK"])
    let four = Self.file(Self.header(bits: 4, colors: 6) + Self.palette, [0x34, 0x50, 0, 0, 0x01, 0x20, 0, 0])
    #expect(Self.letters(four) == Self.shown)
    // The ninth number is beyond the palette.
    let eight = Self.file(Self.header(bits: 8, colors: 6) + Self.palette, [3, 4, 5, 0, 0, 1, 9, 0])
    #expect(Self.letters(eight) == ["RGK", "WKY"])
    let short = Self.palette.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    let core = short + [UInt8](repeating: 0, count: 250 * 3)
    #expect(Self.letters(Self.file(Self.header(12, bits: 8) + core, [3, 4, 5, 0, 0, 1, 2, 0])) == Self.shown)
  }

  @Test func `Pixels of 16 and 32 bits have fields where the format or masks say`() {
    func small(_ color: (UInt8, UInt8, UInt8)) -> [UInt8] {
      Self.word(Int(color.0 >> 3) << 10 | Int(color.1 >> 3) << 5 | Int(color.2 >> 3))
    }
    #expect(Self.letters(Self.file(Self.header(bits: 16), Self.rows(small))) == Self.shown)
    func middle(_ color: (UInt8, UInt8, UInt8)) -> [UInt8] {
      Self.word(Int(color.0 >> 3) << 11 | Int(color.1 >> 2) << 5 | Int(color.2 >> 3))
    }
    let masks: [UInt32] = [0xF800, 0x07E0, 0x001F]
    let behind = Self.header(bits: 16, compression: 3, masks: masks)
    #expect(Self.letters(Self.file(behind, Self.rows(middle))) == Self.shown)
    let inside = Self.header(108, bits: 16, compression: 3, masks: masks)
    #expect(Self.letters(Self.file(inside, Self.rows(middle))) == Self.shown)
    // Without masks the fourth byte means nothing.
    #expect(Self.letters(Self.file(Self.header(bits: 32), Self.rows { [$0.2, $0.1, $0.0, 7] })) == Self.shown)
    let alpha: [UInt32] = [0xFF00_0000, 0x00FF_0000, 0x0000_FF00, 0x0000_00FF]
    func transparent(_ opacity: UInt8) -> [UInt8] {
      Self.file(
        Self.header(124, bits: 32, compression: 3, masks: alpha), Self.rows { [opacity, $0.2, $0.1, $0.0] })
    }
    #expect(Self.letters(transparent(128)) == ["rgb", "wky"])
    #expect(Self.letters(transparent(255)) == Self.shown)
    // Alpha that is nowhere was not meant.
    #expect(Self.letters(transparent(0)) == Self.shown)
  }

  @Test func `Runs are expanded, and what they pass over is transparent`() {
    let eight = Self.header(bits: 8, compression: 1, colors: 6) + Self.palette
    let absolute: [UInt8] = [0, 3, 3, 4, 5, 0, 0, 0, 1, 0, 1, 1, 1, 2, 0, 1]
    #expect(Self.letters(Self.file(eight, absolute)) == Self.shown)
    // A step to the right and up.
    #expect(Self.letters(Self.file(eight, [1, 3, 0, 2, 1, 1, 1, 5, 0, 1])) == ["..Y", "W.."])
    let four = Self.header(bits: 4, compression: 2, colors: 6) + Self.palette
    #expect(Self.letters(Self.file(four, [3, 0x34, 0, 0, 0, 3, 0x01, 0x20, 0, 1])) == ["RGB", "WKW"])
  }

  /// An icon of pictures with the sizes that its folder says they have.
  private static func icon(_ pictures: [(side: Int, bits: Int, bytes: [UInt8])], type: Int = 1) -> [UInt8] {
    var start = 6 + pictures.count * 16
    var folder = word(0) + word(type) + word(pictures.count)
    for picture in pictures {
      folder += [UInt8(picture.side & 255), UInt8(picture.side & 255), 0, 0] + word(1) + word(picture.bits)
      folder += long(picture.bytes.count) + long(start)
      start += picture.bytes.count
    }
    return folder + pictures.flatMap(\.bytes)
  }

  private static func square(_ side: Int, red: UInt8, alpha: UInt8, bits: Int = 32, mask: UInt8) -> [UInt8] {
    let stride = (side * bits + 31) / 32 * 4
    var row: [UInt8] = (0..<side).flatMap { _ in [0, 0, red] + (bits == 32 ? [alpha] : []) }
    row += [UInt8](repeating: 0, count: stride - row.count)
    let masks = [UInt8](repeating: 0, count: (side + 31) / 32 * 4).enumerated().map { $0.offset == 0 ? mask : 0 }
    return header(width: side, height: side * 2, bits: bits) + (0..<side).flatMap { _ in row }
      + (0..<side).flatMap { _ in masks }
  }

  @Test(arguments: [1, 2]) func `The largest picture of an icon is shown, of equal ones that of most colours`(
    _ type: Int
  ) {
    let icon = Self.icon(
      [
        (1, 32, Self.square(1, red: 0, alpha: 255, mask: 0)),
        (2, 24, Self.square(2, red: 0, alpha: 255, bits: 24, mask: 0)),
        (2, 32, Self.square(2, red: 255, alpha: 255, mask: 0)),
      ], type: type)
    let (store, id) = Self.store(icon)
    #expect(store.info(id).kind == .ico && store.info(id).width == 2 && store.info(id).height == 2)
    #expect(Self.letters(icon, width: 2, height: 2) == ["RR", "RR"])
  }

  @Test func `Pixels of an icon are transparent by their alpha, or by the mask behind them`() {
    let alpha = Self.icon([(2, 32, Self.square(2, red: 255, alpha: 128, mask: 0x80))])
    #expect(Self.letters(alpha, width: 2, height: 2) == ["rr", "rr"])
    let masked = Self.icon([(2, 32, Self.square(2, red: 255, alpha: 0, mask: 0x80))])
    #expect(Self.letters(masked, width: 2, height: 2) == [".R", ".R"])
    let few = Self.icon([(2, 24, Self.square(2, red: 255, alpha: 255, bits: 24, mask: 0x40))])
    #expect(Self.letters(few, width: 2, height: 2) == ["R.", "R."])
  }

  @Test func `A picture of an icon may be a PNG file`() {
    let png = PNGWriter().encode(
      unsafe Bitmap(width: 3, height: 3) { memory in
        for pixel in 0..<9 { unsafe memory.storeBytes(of: 0xFF00_00FF, toByteOffset: pixel * 4, as: UInt32.self) }
      })
    let icon = Self.icon([(2, 32, Self.square(2, red: 255, alpha: 255, mask: 0)), (3, 32, png)])
    #expect(Self.letters(icon, width: 3, height: 3) == ["BBB", "BBB", "BBB"])
  }

  @Test func `What is cut off or changed is drawn or broken, and never more`() {
    let runs: [UInt8] = [0, 3, 3, 4, 5, 0, 0, 0, 1, 0, 0, 2, 1, 0, 2, 2, 0, 1]
    for whole in [
      Self.file(
        Self.header(124, bits: 32, compression: 3, masks: [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]),
        Self.rows { [$0.2, $0.1, $0.0, 9] }),
      Self.file(Self.header(bits: 8, compression: 1, colors: 6) + Self.palette, runs),
      Self.icon([(2, 32, Self.square(2, red: 255, alpha: 0, mask: 0x80))]),
    ] {
      for count in 0..<whole.count {
        let (store, id) = Self.store(Array(whole.prefix(count)))
        _ = store.bitmap(id, width: 3, height: 2)
        var changed = whole
        changed[count] ^= 0xFF
        let (other, changedID) = Self.store(changed)
        _ = other.bitmap(changedID, width: 3, height: 2)
      }
    }
    // Rows that are not there stand above those that are.
    let half = Self.file(Self.header(bits: 24), Self.rows { [$0.2, $0.1, $0.0] }).dropLast(12)
    #expect(Self.letters(Array(half)) == ["...", "WKY"])
  }

  @Test(arguments: [(0, 2, 24), (3, 0, 24), (3, 2, 5), (3, 2, 64), (1 << 30, 1 << 30, 24)])
  func `Impossible sizes are broken`(_ width: Int, _ height: Int, _ bits: Int) {
    let (store, id) = Self.store(Self.file(Self.header(width: width, height: height, bits: bits), [0, 0, 0, 0]))
    #expect(store.info(id).isBroken)
  }
}
