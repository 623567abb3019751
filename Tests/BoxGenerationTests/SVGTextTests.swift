import BoxGeneration
import Drawings
import Fonts
import Graphics
import Images
import Primitives
import TestSupport
import Testing
import Text

@Suite struct SVGTextTests {
  /// The content of the `<svg>` that is drawn, with glyphs of ten px that are single points.
  private func drawn(_ content: String, level: UInt8 = 0) -> String {
    var tree = BoxTree()
    return drawn(content, level: level, "", &tree)
  }
  private func drawn(_ content: String, level: UInt8 = 0, _ attributes: String, _ tree: inout BoxTree) -> String {
    var drawn = ""
    var resources = BoxResources(inlineSVG: {
      drawn = String(decoding: $0.completed($0.markup), as: UTF8.self)
      return nil
    })
    resources.shape = { store, id in
      let face = ShapedDrawingText.Face(
        font: FontID(0), size: 2048, scale: 1, ascent: 8, descent: 2, xHeight: 4)
      var shaped = ShapedDrawingText()
      for unit in store[id].units.indices {
        shaped.clusters.append(.init(unit: unit, advance: 10, level: level, glyphs: unit..<unit + 1, face: face))
        shaped.glyphs.append(.init(id: 7, origin: .zero))
      }
      return shaped
    }
    resources.outlines = { _, glyph in glyph == 7 ? [.move(.zero)] : [] }
    tree = BoxGenerator.generate(
      styledTree("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>"), resources: resources)
    return String(drawn.drop { $0 != ">" }.dropFirst().dropLast(6))
  }

  @Test func `Characters stand where their elements place them`() {
    #expect(drawn("<text x='5' y='7'>ab</text>") == "<g><path d=\"M 5 7M 15 7\"/></g>")
    #expect(drawn("<text> a  b </text>") == "<g><path d=\"M 0 0M 10 0M 20 0\"/></g>")
    #expect(
      drawn("<text x='5' y='20' text-anchor='end' fill='red'>ab<tspan x='40 60' dy='2'>cd</tspan></text>")
        == "<g text-anchor=\"end\" fill=\"red\"><path d=\"M-15 20M-5 20\"/><g><path d=\"M 30 22M 50 22\"/></g></g>")
    #expect(drawn("<text dx='0 3'>abc</text>") == "<g><path d=\"M 0 0M 13 0M 23 0\"/></g>")
    #expect(drawn("<text textLength='50'>abc</text>") == "<g><path d=\"M 0 0M 20 0M 40 0\"/></g>")
    #expect(
      drawn("<text dominant-baseline='middle'>a</text>") == "<g dominant-baseline=\"middle\"><path d=\"M 0 2\"/></g>")
    #expect(
      drawn("<text x='9' rotate='30'>a</text>")
        == "<g><path transform=\"translate(9.0 0.0) rotate(30.0)\" d=\"M 0 0\"/></g>")
  }

  @Test func `Drawings are one where their markup and the places of their glyphs are`() {
    func drawing(_ content: String) -> (markup: [UInt8], identity: [UInt8]) {
      var drawing: (markup: [UInt8], identity: [UInt8]) = ([], [])
      var resources = BoxResources(inlineSVG: {
        drawing = ($0.markup, $0.identity)
        return nil
      })
      resources.shape = { store, id in
        var shaped = ShapedDrawingText()
        for (index, place) in store[id].units.enumerated() {
          let unit = store.units[place]
          let face = ShapedDrawingText.Face(font: FontID(0), size: 9, scale: 1, ascent: 8, descent: 2, xHeight: 4)
          shaped.clusters.append(.init(unit: index, advance: 10, level: 0, glyphs: index..<index + 1, face: face))
          shaped.glyphs.append(.init(id: unit, origin: .zero))
        }
        return shaped
      }
      _ = BoxGenerator.generate(
        styledTree("<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>"), resources: resources)
      return drawing
    }
    let drawn = drawing("<text x='5'>ab</text>")
    #expect(drawn == drawing("<text x='5'>ab</text>"))
    for other in ["<text x='6'>ab</text>", "<text x='5'>ac</text>", "<text x='5' rotate='1'>ab</text>"] {
      #expect(drawing(other).markup == drawn.markup && drawing(other).identity != drawn.identity)
    }
    #expect(drawing("<rect/>").identity.isEmpty)
  }

  @Test func `Lines of a drawing are told with their places in it`() throws {
    var tree = BoxTree()
    _ = drawn(
      "<g><text x='5'>ab<tspan rotate='90'>c</tspan></text></g><defs><text>d</text></defs>",
      "viewBox='1 0 50 50' preserveAspectRatio='xMinYMax meet'", &tree)
    let text = try #require(tree.drawnTexts.values.first)
    #expect(tree.drawnTexts.count == 1 && text.lines.map(\.angle) == [0, 90])
    let first = try #require(text.lines.first)
    #expect(first.clusters.map(\.units) == [[0x61], [0x62]] && first.clusters.map(\.glyph) == [7, 7])
    #expect(first.clusters.map { first.map.point($0.pen) } == [SIMD2(5, 0), SIMD2(15, 0)])
    // Twice as large, from the left, at the foot of the area.
    #expect(text.viewport.map(to: SIMD2(100, 120), natural: nil) == AffineTransform(a: 2, d: 2, tx: -2, ty: 20))
  }

  @Test(arguments: [
    ("rotate(90 10 0)", SIMD2<Float>(10, -10)), ("matrix(1 0 1 1 5 6)", SIMD2(5, 6)),
    ("skewX(45) translate(0, 2)", SIMD2(2, 2)), ("translate(1)scale(3 2)", SIMD2(1, 0)),
  ])
  func `Functions of a transform are done from the last on`(_ functions: String, _ origin: SIMD2<Float>) throws {
    var tree = BoxTree()
    _ = drawn("<text transform='\(functions)'>a</text>", "", &tree)
    let line = try #require(tree.drawnTexts.values.first?.lines.first)
    let place = line.map.point(.zero)
    #expect(abs(place.x - origin.x) < 1e-4 && abs(place.y - origin.y) < 1e-4)
  }

  @Test func `Right-to-left characters stand in visual order`() {
    #expect(drawn("<text x='5'>ab</text>", level: 1) == "<g><path d=\"M 15 0M 5 0\"/></g>")
  }

  /// Where the glyphs of a text on a path stand, and how they are turned.
  private func places(on data: String, _ attributes: String, _ text: String) -> [(x: Double, y: Double, angle: Double)]
  {
    let drawn = drawn("<path id='p' d='\(data)'/><text><textPath href='#p' \(attributes)>\(text)</textPath></text>")
    return drawn.matches(of: /translate\(([-.e0-9]+) ([-.e0-9]+)\) rotate\(([-.e0-9]+)\)/).map {
      (Double($0.1)!, Double($0.2)!, Double($0.3)!)
    }
  }
  private func isNear(_ place: (x: Double, y: Double, angle: Double)?, _ x: Double, _ y: Double, _ angle: Double)
    -> Bool
  {
    place.map { abs($0.x - x) < 0.2 && abs($0.y - y) < 0.2 && abs($0.angle - angle) < 0.2 } ?? false
  }

  @Test(arguments: ["M0 0h10v100", "m0,0 10,0 0,100", "M0 0H10L10 50Q10 75 10 100"])
  func `Text runs along its path, and ends with it`(_ data: String) {
    let found = places(on: data, "startOffset='6'", "abcdefghijklm")
    // 110 px have room for the middles of ten.
    #expect(found.count == 10 && isNear(found.first, 10, -4, 90) && isNear(found.last, 10, 86, 90), "\(found)")
  }

  @Test func `Text stands on the top of an arc`() {
    let found = places(on: "M0 0A50 50 0 0 1 100 0", "startOffset='50%' text-anchor='middle'", "abc")
    #expect(found.count == 3 && abs(found[0].angle + found[2].angle) < 0.2 && found[0].angle < -5, "\(found)")
    let top = drawn(
      "<path id='p' d='M0 0A50 50 0 0 1 100 0'/><text><textPath href='#p' startOffset='50%' text-anchor='middle'>a</textPath></text>"
    )
    #expect(top.contains(" -49.") || top.contains(" -50"), "\(top)")
  }

  @Test func `Texts share a path`() {
    let one = "<textPath href='#p'>ab</textPath>"
    let data = "<path id='p' d='M0 0h10v100'/>"
    func transforms(_ drawn: String) -> [String] { drawn.matches(of: /transform="[^"]*"/).map { String($0.0) } }
    let alone = transforms(drawn("\(data)<text>\(one)</text>"))
    #expect(!alone.isEmpty && transforms(drawn("\(data)<text>\(one)\(one)</text>")) == alone + alone)
  }

  @Test(arguments: [
    // The path as an attribute, the other side of a path, its own transform, its author's count of its length, a basic shape.
    ("", "path='M5 0v100'", 5.0, 0.0, 90.0), ("<path id='p' d='M0 0h40'/>", "href='#p' side='right'", 40, 0, 180),
    ("<path id='p' d='M0 0h40' transform='translate(3 4) rotate(90)'/>", "href='#p'", 3, 4, 90),
    ("<path id='p' d='M0 0v40' pathLength='4'/>", "href='#p' startOffset='1'", 0, 10, 90),
    ("<rect id='p' x='7' y='8' width='0' height='50'/>", "href='#p'", 7, 8, 90),
    ("<line id='p' x1='1' y1='2' x2='1' y2='99'/>", "href='#p' startOffset='10%'", 1, 11.7, 90),
    ("<path id='p' d='M0 0v40'/>", "href='#p' dy='-2'", 2, 0, 90),
    ("<path id='p' d='M0 0v40'/>", "href='#p' rotate='-45'", 0, 0, 45),
  ])
  func `A text finds its path, and its place there`(
    _ path: String, _ attributes: String, _ x: Double, _ y: Double, _ angle: Double
  ) {
    let drawn = drawn("\(path)<text><textPath \(attributes)>a</textPath></text>")
    let found = drawn.firstMatch(of: /translate\(([-.e0-9]+) ([-.e0-9]+)\) rotate\(([-.e0-9]+)\)/)
    #expect(isNear(found.map { (Double($0.1)!, Double($0.2)!, Double($0.3)!) }, x, y, angle), "\(drawn)")
  }

  @Test func `Text on a path is left to the drawing library`() {
    #expect(drawn("<text><textPath>a</textPath></text>") == "<text><textPath>a</textPath></text>")
  }
}
