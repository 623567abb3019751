import Fonts
import Graphics
import Images
import Primitives
import TestSupport
import Testing

@testable import RasterRendering

private func px(_ value: Double) -> LayoutUnit { LayoutUnit(value) }

private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rect {
  Rect(x: px(x), y: px(y), width: px(width), height: px(height))
}

private let red = Color(red: 255, green: 0, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 255)

@Suite struct RasterRendererTests {
  let library = FontLibrary()

  private func render(
    _ width: Int, _ height: Int, scale: Double = 1, _ items: [DisplayItem], glyphs: [PositionedGlyph] = []
  )
    -> PageBitmap
  {
    var list = DisplayList(size: Size(width: LayoutUnit(width), height: LayoutUnit(height)))
    list.items = items
    list.glyphs = glyphs
    return RasterRenderer(fonts: library, images: ImageStore()).render(list, scale: scale)
  }

  /// One character a pixel: `#` black, `.` white, `r` and `b` for the two colours, `+` anything between.
  private func art(_ page: PageBitmap) -> [String] {
    (0..<page.height).map { y in
      String(
        (0..<page.width).map { x -> Character in
          let pixel = page.pixel(x: x, y: y)
          return switch (pixel.red, pixel.green, pixel.blue) {
          case (0, 0, 0): "#"
          case (255, 255, 255): "."
          case (255, 0, 0): "r"
          case (0, 0, 255): "b"
          default: "+"
          }
        })
    }
  }

  @Test func `Rectangles snap to pixels`() {
    let page = render(6, 4, [.fillRect(rect(0.6, 1.4, 3, 1.2), .black), .fillRect(rect(5, 0, 9, 9), .black)])
    #expect(page.format == .gray8)
    #expect(art(page) == [".....#", ".###.#", ".###.#", ".....#"])
  }

  @Test func `Colour and grey paths agree`() {
    let items: [DisplayItem] = [
      .saveClip(rect(1, 1, 3, 3), CornerRadii()), .fillRect(rect(0, 0, 9, 2), .black), .restore,
      .strokeLine(from: Point(x: px(0), y: px(4.5)), to: Point(x: px(6), y: px(4.5)), width: px(1), .solid, .black),
    ]
    let gray = render(6, 5, items)
    // A ring is never drawn by the grey path.
    let ring = DisplayItem.fillRing(
      outer: rect(5, 0, 1, 1), outerRadii: CornerRadii(), inner: rect(5, 0, 0, 0), innerRadii: CornerRadii(), .white)
    let color = render(6, 5, items + [ring])
    #expect(gray == color)
    #expect(art(gray) == ["......", ".###..", "......", "......", "######"])
  }

  @Test func `Transparent colours mix`() {
    let page = render(2, 1, [.fillRect(rect(0, 0, 1, 1), Color(red: 255, green: 0, blue: 0, alpha: 128))])
    #expect(page.pixel(x: 0, y: 0) == (255, 127, 127))
    let gray = render(1, 1, [.fillRect(rect(0, 0, 1, 1), Color.black.withAlpha(multipliedBy: 0.5))])
    #expect(gray.pixels == [127])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Rings and rounded corners are drawn`() {
    let ring = render(
      5, 4,
      [
        .fillRing(
          outer: rect(0, 0, 5, 4), outerRadii: CornerRadii(), inner: rect(1, 1, 3, 2), innerRadii: CornerRadii(), red)
      ])
    #expect(art(ring) == ["rrrrr", "r...r", "r...r", "rrrrr"])
    var radii = CornerRadii()
    radii.topLeft = Size(width: px(4), height: px(4))
    let rounded = render(8, 8, [.fillRoundedRect(rect(0, 0, 8, 8), radii, red)])
    #expect(rounded.pixel(x: 0, y: 0) == (255, 255, 255))
    #expect(rounded.pixel(x: 7, y: 0) == (255, 0, 0) && rounded.pixel(x: 0, y: 7) == (255, 0, 0))
    #expect(art(rounded)[2].first == "+")
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Lines of every style are drawn`() {
    let from = Point(x: px(0), y: px(1))
    let to = Point(x: px(12), y: px(1))
    #expect(
      art(render(12, 3, [.strokeLine(from: from, to: to, width: px(2), .dashed, red)]))[0] == "rrrrrrrrrrrr"
        ? false : true)
    let dotted = art(
      render(
        11, 1,
        [.strokeLine(from: Point(x: px(0), y: px(0.5)), to: Point(x: px(11), y: px(0.5)), width: px(1), .dotted, red)]))
    #expect(dotted == ["r.r.r.r.r.r"])
    let double = art(
      render(
        4, 3,
        [.strokeLine(from: Point(x: px(0), y: px(1.5)), to: Point(x: px(4), y: px(1.5)), width: px(3), .double, red)]))
    #expect(double == ["rrrr", "....", "rrrr"])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) func `Groups are blended once`() {
    let page = render(
      3, 1,
      [
        .saveLayer(LayerStyle(opacity: 0.5)), .fillRect(rect(0, 0, 2, 1), blue), .fillRect(rect(1, 0, 2, 1), blue),
        .restore,
      ])
    #expect(page.pixel(x: 1, y: 0) == page.pixel(x: 0, y: 0))
    #expect(page.pixel(x: 0, y: 0).blue == 255 && abs(Int(page.pixel(x: 0, y: 0).red) - 127) <= 1)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) func `Transforms turn shapes`() {
    // A quarter turn about the origin, moved back into view.
    let turn = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 3, ty: 0)
    let page = render(3, 3, [.saveTransform(turn), .fillRect(rect(0, 0, 3, 1), red), .restore])
    #expect(art(page) == ["..r", "..r", "..r"])
    let flat = render(
      3, 1,
      [
        .saveTransform(AffineTransform(a: 0, d: 0)), .fillRect(rect(0, 0, 3, 1), red), .restore,
        .fillRect(rect(0, 0, 1, 1), red),
      ])
    #expect(art(flat) == ["r.."])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Gradients run from stop to stop`() {
    let stops = [GradientStop(offset: 0, color: .black), GradientStop(offset: 1, color: .white)]
    let page = render(
      10, 1,
      [
        .fillGradient(
          rect(0, 0, 10, 1), CornerRadii(),
          .linear(from: .zero, to: Point(x: px(10), y: .zero), stops: stops, repeating: false))
      ])
    let values = (0..<10).map { page.pixel(x: $0, y: 0).red }
    #expect(values == values.sorted() && values[0] < 20 && values[9] > 235)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) func `Shadows fade outside`() {
    let page = render(
      40, 40,
      [.shadow(rect(15, 15, 10, 10), CornerRadii(), blur: px(8), .black, inset: false, clipOut: rect(15, 15, 10, 10))])
    #expect(page.pixel(x: 20, y: 20).red == 255)
    let (near, far) = (page.pixel(x: 20, y: 13).red, page.pixel(x: 20, y: 9).red)
    #expect(near < far && far < 255)
    #expect(page.pixel(x: 0, y: 0).red == 255)
    // The blur is centred.
    #expect(page.pixel(x: 20, y: 12) == page.pixel(x: 20, y: 27))
    #expect(page.pixel(x: 12, y: 20) == page.pixel(x: 27, y: 20))
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Text is drawn where its origin is`()
    throws
  {
    let book = FontBook(library: library)
    let face = book.cascade(for: FontDescription(families: [.named("DejaVu Sans Mono")])).primary
    let dash = face.glyph(0x2588)  // A full block.
    #expect(dash != 0)
    func page(_ x: Double, _ color: Color, _ rotation: GlyphRotation = .none, extra: [DisplayItem] = []) -> PageBitmap {
      render(
        40, 40,
        extra + [.glyphs(font: face.id, size: px(20), color: color, rotation: rotation, glyphs: 0..<1)],
        glyphs: [PositionedGlyph(glyph: dash, x: px(x), y: px(20))])
    }
    let upright = page(10, .black)
    #expect(upright.pixel(x: 15, y: 10).red == 0 && upright.pixel(x: 15, y: 22).red == 0)
    #expect(upright.pixel(x: 5, y: 15).red == 255 && upright.pixel(x: 25, y: 15).red == 255)
    // A quarter of a pixel shows as grey; less does not.
    #expect(page(10.25, .black) != upright && page(10.1, .black) == upright)
    // Turned: up becomes right.
    let turned = page(10, .black, .clockwise90)
    #expect(turned.pixel(x: 20, y: 25).red == 0 && turned.pixel(x: 20, y: 10).red == 255)
    #expect(page(10, red).pixel(x: 15, y: 10) == (255, 0, 0))
    // The colour path draws the same pixels, under a rounded clip too.
    let ring = DisplayItem.fillRing(
      outer: rect(0, 0, 1, 1), outerRadii: CornerRadii(), inner: rect(0, 0, 1, 1), innerRadii: CornerRadii(), .white)
    #expect(page(10, .black, extra: [ring]) == upright)
    var radii = CornerRadii()
    radii.topLeft = Size(width: px(1), height: px(1))
    let clipped = page(10, .black, extra: [.saveClip(rect(0, 0, 40, 40), radii)])
    #expect(clipped.pixel(x: 15, y: 10).red == 0 && clipped.pixel(x: 5, y: 15).red == 255)
    // As a path, in a mirrored world.
    let mirrored = page(10, .black, extra: [.saveTransform(AffineTransform(a: -1, d: 1, tx: 40))])
    #expect(mirrored.pixel(x: 25, y: 10).red == 0 && mirrored.pixel(x: 15, y: 10).red == 255)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `B12 Expanded glyphs are wider from their origin on, as masks and as paths`() throws {
    let book = FontBook(library: library)
    let face = book.cascade(for: FontDescription(families: [.named("DejaVu Sans Mono")])).primary
    let block = face.glyph(0x2588)
    func page(_ expansion: Int16, _ rotation: GlyphRotation = .none, extra: [DisplayItem] = []) -> PageBitmap {
      render(
        200, 200,
        extra + [
          .glyphs(font: face.id, size: px(100), color: .black, rotation: rotation, expansion: expansion, glyphs: 0..<1)
        ], glyphs: [PositionedGlyph(glyph: block, x: px(80), y: px(100))])
    }
    /// Black pixels of a row, or of a column.
    func ink(_ page: PageBitmap, row: Bool = true) -> [Int] {
      (0..<200).filter { page.pixel(x: row ? $0 : 100, y: row ? 80 : $0).red < 128 }
    }
    let natural = ink(page(0))
    func isWider(_ ink: [Int], _ factor: Double) -> Bool {
      let first = 80 - Double(80 - natural[0]) * factor
      return abs(Double(ink.count) - Double(natural.count) * factor) <= 1 && abs(Double(ink[0]) - first) <= 1
    }
    #expect(natural.count > 55)
    #expect(isWider(ink(page(100)), 1.1))
    #expect(isWider(ink(page(-100)), 0.9))
    #expect(ink(page(100), row: false) == ink(page(0), row: false))
    // It is turned after it has been expanded: it goes down from its origin.
    #expect(ink(page(100, .clockwise90), row: false).count == ink(page(100)).count)
    // The colour path draws the same pixels; paths are as wide.
    let ring = DisplayItem.fillRing(
      outer: rect(0, 0, 1, 1), outerRadii: CornerRadii(), inner: rect(0, 0, 1, 1), innerRadii: CornerRadii(), .white)
    #expect(page(20, extra: [ring]) == page(20))
    let sheared = AffineTransform(a: 1, b: 0.0001, c: 0, d: 1)
    #expect(isWider(ink(page(100, extra: [.saveTransform(sheared)])), 1.1))
  }

  /// A line of text in the default face.
  private func line(_ text: String) throws -> DisplayList {
    let book = FontBook(library: library)
    let face = book.cascade(for: FontDescription()).primary
    var list = DisplayList(size: Size(width: px(200), height: px(40)))
    var x = 3.0
    for scalar in text.unicodeScalars {
      let glyph = face.glyph(scalar.value)
      list.glyphs.append(PositionedGlyph(glyph: glyph, x: px(x), y: px(30)))
      x += Double(face.advance(glyph)) * 20 / Double(face.unitsPerEm)
    }
    list.items = [.glyphs(font: face.id, size: px(20), color: .black, rotation: .none, glyphs: 0..<list.glyphs.count)]
    return list
  }

  @Test func `Pages do not depend on what was drawn before`() throws {
    let list = try line("Hamburgefonts")
    let renderer = RasterRenderer(fonts: library, images: ImageStore())
    let first = renderer.render(list, scale: 1)
    _ = renderer.render(list, scale: 2)
    #expect(renderer.render(list, scale: 1) == first)
    #expect(RasterRenderer(fonts: library, images: ImageStore()).render(list, scale: 1) == first)
    #expect(first.pixels.contains { $0 < 64 })
  }

  @Test func `Renderers share masks`() throws {
    let list = try line("Hamburgefonts")
    let masks = GlyphMaskStore()
    let first = RasterRenderer(fonts: library, images: ImageStore(), masks: masks)
    let second = RasterRenderer(fonts: library, images: ImageStore(), masks: masks)
    let page = first.render(list, scale: 1)
    #expect(first.glyphsRasterised > 0)
    #expect(second.render(list, scale: 1) == page)
    #expect(second.glyphsRasterised == 0)
  }

  @Test func `A full store is begun anew`() throws {
    let lists = try ["Hamburgefonts", "quick", "jovial zebra"].map(line)
    let pages = lists.map { RasterRenderer(fonts: library, images: ImageStore()).render($0, scale: 3) }
    // Less than the masks of one line take.
    let masks = GlyphMaskStore(capacity: 1 << 16)
    let renderer = RasterRenderer(fonts: library, images: ImageStore(), masks: masks)
    for _ in 0..<3 {
      for (list, page) in zip(lists, pages) { #expect(renderer.render(list, scale: 3) == page) }
      #expect(masks.byteCount <= masks.capacity)
    }
  }

  @Test func `Many renderers draw the same`() async throws {
    let list = try line("Sphinx of black quartz")
    let page = RasterRenderer(fonts: library, images: ImageStore()).render(list, scale: 4)
    let masks = GlyphMaskStore(capacity: 1 << 18)
    let library = library
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let renderer = RasterRenderer(fonts: library, images: ImageStore(), masks: masks)
          return (0..<10).allSatisfy { _ in renderer.render(list, scale: 4) == page }
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) func `Emoji have colours`() throws {
    let book = FontBook(library: library)
    let cascade = book.cascade(for: FontDescription())
    let face = try #require(book.fallback(for: [0x1F600], in: cascade, script: "Zyyy", prefersEmoji: true))
    let page = render(
      30, 30, [.glyphs(font: face.id, size: px(20), color: .black, rotation: .none, glyphs: 0..<1)],
      glyphs: [PositionedGlyph(glyph: face.glyph(0x1F600), x: px(3), y: px(23))])
    #expect(page.format == .bgra32)
    let pixel = page.pixel(x: 14, y: 10)
    #expect(pixel.red > 200 && pixel.blue < 150)
  }

  @Test func `Absurd lists are harmless`() {
    var list = DisplayList(size: Size(width: .max, height: px(1)))
    list.items = [
      .restore, .restore, .fillRect(Rect(x: .min, y: .min, width: .max, height: .max), .black),
      .glyphs(font: FontID(99999), size: .max, color: .black, rotation: .none, glyphs: 0..<50),
      .strokeLine(from: Point(x: .min, y: .min), to: Point(x: .max, y: .max), width: .max, .wavy, red),
      .image(ImageID(7), rect(0, 0, 1e9, 1e9)),
      .saveTransform(AffineTransform(a: .infinity)), .saveLayer(LayerStyle(opacity: .nan)),
      .saveClip(rect(0, 0, -5, 3), CornerRadii()),
    ]
    let page = RasterRenderer(fonts: library, images: ImageStore()).render(list, scale: 1)
    #expect(page.width == RasterRenderer.largestSide && page.height == 1)
    let everything = rect(-1e6, 0, 1e7, 1e7)
    _ = render(9, 9, [.shadow(rect(0, 0, 1e6, 1e6), CornerRadii(), blur: .max, red, inset: true, clipOut: everything)])
  }
}
