import Fonts
import Graphics
import Images
import Primitives
import TestSupport
import Testing

@testable import RasterRendering

/// Big-endian bytes of font tables.
private struct Bytes {
  var all: [UInt8] = []
  mutating func put(_ values: Int..., size: Int = 2) {
    for value in values {
      for byte in stride(from: size - 1, through: 0, by: -1) {
        all.append(UInt8(truncatingIfNeeded: value >> (byte * 8)))
      }
    }
  }
  static func of(_ values: Int...) -> [UInt8] {
    var bytes = Bytes()
    for value in values { bytes.put(value) }
    return bytes.all
  }
}

/// A font of boxes: glyph 1 is its em square, glyph 2 the square's left half; `A`, `B` … are the glyphs from 1 on.
private enum BoxFont {
  /// - Parameter layers: Glyph and palette entry of the layers that glyph 1 has instead of paints, by version 0 of `COLR`.
  static func make(paints: [Int: [UInt8]], layers: [(Int, Int)] = [], glyphs count: Int = 8) -> [UInt8] {
    func box(_ width: Int) -> [UInt8] {
      // One contour of four points that are on the curve, in words.
      var glyph = Bytes()
      glyph.put(1, 0, 0, width, 1000, 3, 0)
      for _ in 0..<4 { glyph.all.append(1) }
      glyph.put(0, 0, width, 0, 0, 1000, 0, -1000)
      return glyph.all
    }
    var glyf: [UInt8] = []
    var loca = Bytes()
    for glyph in 0..<count {
      loca.put(glyf.count, size: 4)
      glyf += box(glyph == 2 ? 500 : 1000)
    }
    loca.put(glyf.count, size: 4)
    var head = Bytes()
    head.put(0x10000, 0x10000, 0, 0x5F0F_3CF5, size: 4)
    head.put(0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 0, 8, 2, 1, 0)
    // Created and modified take four words each of the zeros above.
    head.all = Array(head.all.prefix(36)) + Bytes.of(0, 0, 1000, 1000, 0, 8, 2, 1, 0)
    var cmap = Bytes()
    cmap.put(0, 1, 3, 10)
    cmap.put(12, size: 4)
    cmap.put(12, 0)
    cmap.put(28, 0, 1, 0x41, 0x41 + count - 2, 1, size: 4)
    var hmtx = Bytes()
    for _ in 0..<count { hmtx.put(1000, 0) }
    var maxp = Bytes()
    maxp.put(0x10000, size: 4)
    maxp.put(count, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    let hhea = Bytes.of(1, 0, 1000, 0, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, count)
    // Red and blue; for dark backgrounds blue and red; for light ones both green.
    var cpal = Bytes()
    cpal.put(1, 2, 3, 6)
    cpal.put(30, size: 4)
    cpal.put(0, 2, 4)
    cpal.put(54, 0, 0, size: 4)
    cpal.put(0x0000_FFFF, 0xFF00_00FF, 0xFF00_00FF, 0x0000_FFFF, 0x00FF_00FF, 0x00FF_00FF, size: 4)
    cpal.put(0, 2, 1, size: 4)
    var colr = Bytes()
    colr.put(1, 0)
    colr.put(0, 0, size: 4)
    colr.put(0)
    colr.put(34, 0, 0, 0, 0, size: 4)
    colr.put(paints.count, size: 4)
    var offset = 4 + paints.count * 6
    for (glyph, paint) in paints.sorted(by: { $0.key < $1.key }) {
      colr.put(glyph)
      colr.put(offset, size: 4)
      offset += paint.count
    }
    for (_, paint) in paints.sorted(by: { $0.key < $1.key }) { colr.all += paint }
    if !layers.isEmpty {
      colr = Bytes()
      colr.put(0, 1)
      colr.put(14, 20, size: 4)
      colr.put(layers.count, 1, 0, layers.count)
      for (glyph, color) in layers { colr.put(glyph, color) }
    }
    let tables: [(String, [UInt8])] = [
      ("COLR", colr.all), ("CPAL", cpal.all), ("cmap", cmap.all), ("glyf", glyf), ("head", head.all), ("hhea", hhea),
      ("hmtx", hmtx.all), ("loca", loca.all), ("maxp", maxp.all),
    ]
    var directory = Bytes()
    directory.put(0x10000, size: 4)
    directory.put(tables.count, 0, 0, 0)
    var place = 12 + tables.count * 16
    var body: [UInt8] = []
    for (name, data) in tables {
      directory.all += Array(name.utf8)
      directory.put(0, place, data.count, size: 4)
      let padded = data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      body += padded
      place += padded.count
    }
    return directory.all + body
  }

  static func solid(_ color: Int) -> [UInt8] { [2] + Bytes.of(color, 0x4000) }
  /// A paint inside a glyph's outline.
  static func glyph(_ glyph: Int, _ paint: [UInt8]) -> [UInt8] { [10, 0, 0, 6] + Bytes.of(glyph) + paint }
}

@Suite(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
struct ColorGlyphTests {
  /// The colours of one row of a glyph of 8 px: `r`, `b`, `.` for white, `k` for black, `+` for others.
  private func row(
    _ paints: [Int: [UInt8]], layers: [(Int, Int)] = [], glyph: Int, color: Color = .black, y: Int = 3,
    palette: FontPalette = .normal, palettes: [FontPaletteValues] = []
  ) throws -> String {
    let library = FontLibrary(usesSystemFonts: false)
    let data = BoxFont.make(paints: paints, layers: layers)
    let book = FontBook(
      library: library, rules: [FontFaceDefinition(family: "Box", sources: [.data(key: "box.ttf", load: { data })])],
      palettes: palettes)
    var description = FontDescription(families: [.named("Box")])
    description.palette = palette
    let face = book.primaryFace(for: description)
    #expect(face.isColor)
    var list = DisplayList(size: Size(width: LayoutUnit(8), height: LayoutUnit(8)))
    list.glyphs = [PositionedGlyph(glyph: UInt16(glyph), x: .zero, y: LayoutUnit(8))]
    list.items = [.glyphs(font: face.id, size: LayoutUnit(8), color: color, rotation: .none, glyphs: 0..<1)]
    let page = RasterRenderer(fonts: library, images: ImageStore()).render(list, scale: 1)
    return String(
      (0..<8).map { x -> Character in
        let pixel = page.pixel(x: x, y: y)
        return switch (pixel.red, pixel.green, pixel.blue) {
        case (255, 0, 0): "r"
        case (0, 0, 255): "b"
        case (0, 255, 0): "g"
        case (255, 255, 255): "."
        case (0, 0, 0): "k"
        default: "+"
        }
      })
  }

  @Test func `Solid paints take palette colours and the text's own`() throws {
    let paints = [1: BoxFont.glyph(1, BoxFont.solid(1)), 3: BoxFont.glyph(2, BoxFont.solid(0xFFFF))]
    #expect(try row(paints, glyph: 1) == "bbbbbbbb")
    #expect(try row(paints, glyph: 3, color: Color(red: 255, green: 0, blue: 0)) == "rrrr....")
    // A glyph without a paint is its outline.
    #expect(try row(paints, glyph: 2) == "kkkk....")
  }

  @Test(arguments: [false, true])
  func `Palettes of the font are chosen, and changed, by name`(hasLayers: Bool) throws {
    // The em square in the second colour, its left half in the first.
    let source = BoxFont.glyph(2, BoxFont.solid(0))
    let paint: [UInt8] = [32, 0, 0, 8, 3, 0, 0, UInt8(8 + source.count)] + source + BoxFont.glyph(4, BoxFont.solid(1))
    func row(_ palette: FontPalette, _ palettes: [FontPaletteValues] = []) throws -> String {
      try self.row(
        hasLayers ? [:] : [1: paint], layers: hasLayers ? [(4, 1), (2, 0)] : [], glyph: 1, palette: palette,
        palettes: palettes)
    }
    func values(_ base: PaletteSelection.Base, _ overrides: [(Int, Color)] = [], family: String = "box")
      -> FontPaletteValues
    {
      var values = FontPaletteValues(name: "--x", families: ["Other", family])
      values.selection = PaletteSelection(
        base: base, overrides: overrides.map { PaletteSelection.Override(entry: $0, color: $1) })
      return values
    }
    let green = Color(red: 0, green: 255, blue: 0)
    #expect(try row(.normal) == "rrrrbbbb")
    #expect(try row(.dark) == "bbbbrrrr")
    #expect(try row(.light) == "gggggggg")
    #expect(try row(.named("--x")) == "rrrrbbbb")
    #expect(try row(.named("--x"), [values(.index(1))]) == "bbbbrrrr")
    #expect(try row(.named("--x"), [values(.index(7), [(1, green), (9, green)])]) == "rrrrgggg")
    #expect(try row(.named("--x"), [values(.dark, [(0, green)])]) == "ggggrrrr")
    // The last rule of the name holds; one for another family says nothing.
    #expect(
      try row(.named("--x"), [values(.index(2)), values(.index(1)), values(.index(2), family: "a")]) == "bbbbrrrr")
    #expect(try row(.named("--y"), [values(.index(1))]) == "rrrrbbbb")
  }

  @Test func `Transforms and composites`() throws {
    // Moved by half an em.
    let moved: [UInt8] = [14, 0, 0, 8] + Bytes.of(500, 0) + BoxFont.glyph(2, BoxFont.solid(0))
    #expect(try row([3: moved], glyph: 3) == "....rrrr")
    let source = BoxFont.glyph(1, BoxFont.solid(0))
    let backdrop = BoxFont.glyph(2, BoxFont.solid(1))
    // The source inside the backdrop, and outside it.
    for (mode, expected) in [(5, "rrrr...."), (7, "....rrrr"), (4, "bbbbrrrr")] {
      let composite: [UInt8] = [32, 0, 0, 8, UInt8(mode), 0, 0, UInt8(8 + source.count)] + source + backdrop
      #expect(try row([3: composite], glyph: 3) == expected)
    }
  }

  @Test func `Gradients run between their stops`() throws {
    func line(_ x0: Int, _ x1: Int) -> [UInt8] {
      let colors = [0] + Bytes.of(2, 0, 0, 0x4000, 0x4000, 1, 0x4000)
      return [4, 0, 0, 16] + Bytes.of(x0, 0, x1, 0, x0, 1000) + colors
    }
    #expect(try row([3: BoxFont.glyph(1, line(500, 501))], glyph: 3) == "rrrrbbbb")
    #expect(try row([3: BoxFont.glyph(1, line(250, 750))], glyph: 3) == "rr++++bb")
    let colors = [0] + Bytes.of(2, 0, 0, 0x4000, 0x4000, 1, 0x4000)
    let radial: [UInt8] = [6, 0, 0, 16] + Bytes.of(500, 500, 250, 500, 500, 251) + colors
    #expect(try row([3: BoxFont.glyph(1, radial)], glyph: 3) == "bbrrrrbb")
    // Half a turn from the right, upwards: red to blue.
    let hard = [0] + Bytes.of(4, 0, 0, 0x4000, 0x2000, 0, 0x4000, 0x2000, 1, 0x4000, 0x4000, 1, 0x4000)
    let sweep: [UInt8] = [8, 0, 0, 12] + Bytes.of(500, 500, -0x4000, 0x4000) + hard
    #expect(try row([3: BoxFont.glyph(1, sweep)], glyph: 3, y: 1) == "rrrrrrrr")
    #expect(try row([3: BoxFont.glyph(1, sweep)], glyph: 3, y: 6) == "bbbbbbbb")
  }

  @Test func `A graph that is a ring ends, and one that is cut off is no picture`() throws {
    let ring: [UInt8] = [11] + Bytes.of(3)
    #expect(try row([3: ring], glyph: 3) == "........")
    #expect(try row([3: [10, 0xFF, 0xFF, 0xFF]], glyph: 3) == "........")
    #expect(try row([3: [1, 255] + Bytes.of(0xFFFF, 0xFFFF)], glyph: 3) == "........")
  }
}
