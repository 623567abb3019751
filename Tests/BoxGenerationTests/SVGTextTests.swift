import BoxGeneration
import Fonts
import TestSupport
import Testing
import Text

@Suite struct SVGTextTests {
  /// The content of the `<svg>` that is drawn, with glyphs of ten px that are single points.
  private func drawn(_ content: String, level: UInt8 = 0) -> String {
    var drawn = ""
    var resources = BoxResources(inlineSVG: {
      drawn = String(decoding: $0, as: UTF8.self)
      return nil
    })
    resources.outlines = { store, id in
      store[id].units.indices.map {
        OutlinedCluster(
          unit: $0, advance: 10, level: level, steps: [.move(.zero)], ascent: 8, descent: 2, xHeight: 4, size: 2048)
      }
    }
    _ = boxes("<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>", resources: resources)
    return String(drawn.drop { $0 != ">" }.dropFirst().dropLast(6))
  }

  @Test func charactersStandWhereTheirElementsPlaceThem() {
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

  @Test func rightToLeftCharactersStandInVisualOrder() {
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

  @Test func textStandsOnTheTopOfAnArc() {
    let found = places(on: "M0 0A50 50 0 0 1 100 0", "startOffset='50%' text-anchor='middle'", "abc")
    #expect(found.count == 3 && abs(found[0].angle + found[2].angle) < 0.2 && found[0].angle < -5, "\(found)")
    let top = drawn(
      "<path id='p' d='M0 0A50 50 0 0 1 100 0'/><text><textPath href='#p' startOffset='50%' text-anchor='middle'>a</textPath></text>"
    )
    #expect(top.contains(" -49.") || top.contains(" -50"), "\(top)")
  }

  @Test func textsShareAPath() {
    let one = "<textPath href='#p'>ab</textPath>"
    let data = "<path id='p' d='M0 0h10v100'/>"
    func transforms(_ drawn: String) -> [String] { drawn.matches(of: /transform="[^"]*"/).map { String($0.0) } }
    let alone = transforms(drawn("\(data)<text>\(one)</text>"))
    #expect(!alone.isEmpty && transforms(drawn("\(data)<text>\(one)\(one)</text>")) == alone + alone)
  }

  @Test func textOnAPathIsLeftToTheDrawingLibrary() {
    #expect(drawn("<text><textPath>a</textPath></text>") == "<text><textPath>a</textPath></text>")
  }
}
