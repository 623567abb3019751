import BoxGeneration
import Fonts
import Testing
import Text

@Suite struct SVGTextTests {
  /// What is inside the `<svg>` that is drawn, with glyphs of ten px that are single points.
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

  @Test func textOnAPathIsLeftToTheDrawingLibrary() {
    #expect(drawn("<text><textPath>a</textPath></text>") == "<text><textPath>a</textPath></text>")
  }
}
