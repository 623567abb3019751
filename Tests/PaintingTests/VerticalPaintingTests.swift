import Graphics
import Primitives
import TestSupport
import Testing

/// Pages whose lines run downwards: CSS Writing Modes 4.
@Suite struct VerticalPaintingTests {
  private let boxes = """
    #a { inline-size: 2px; block-size: 3px; background: red; border-top: 1px solid black }
    #b { inline-size: 3px; block-size: 2px; background: blue; border-left: 1px solid green }
    """

  @Test func `V-6: blocks follow each other from right to left, or from left to right`() async throws {
    let rl = try await Picture(
      "<div id=a></div><div id=b></div>", style: "html { writing-mode: vertical-rl } \(boxes)", width: 7, height: 4)
    #expect(rl.rows == [".GBBKKK", ".GBBRRR", ".GBBRRR", "......."])
    let lr = try await Picture(
      "<div id=a></div><div id=b></div>", style: "html { writing-mode: vertical-lr } \(boxes)", width: 7, height: 4)
    #expect(lr.rows == ["KKKGBB.", "RRRGBB.", "RRRGBB.", "......."])
    let sideways = try await Picture(
      "<div id=a></div><div id=b></div>", style: "html { writing-mode: sideways-lr } \(boxes)", width: 7, height: 4)
    #expect(sideways.rows == [".......", "KKKGBB.", "RRRGBB.", "RRRGBB."])
  }

  @Test func `V-6: a turned box is painted where it lies`() async throws {
    let picture = try await Picture(
      "<div id=t><div id=a></div><div id=b></div></div>",
      style: "#t { writing-mode: vertical-rl; margin-left: 1px; width: 7px; height: 4px; background: yellow } \(boxes)",
      width: 9, height: 5)
    #expect(picture.rows == [".YGBBKKK.", ".YGBBRRR.", ".YGBBRRR.", ".YYYYYYY.", "........."])
  }

  @Test(arguments: [("ja", true), ("zh", false), ("en", false)])
  func `V-6: underlines lie right of vertical Japanese, left of other text`(language: String, isRight: Bool)
    async throws
  {
    func columns(_ line: String) async throws -> [Int] {
      let picture = try await Picture(
        "<p lang='\(language)'>　</p>",
        style: """
          html { writing-mode: vertical-rl } p { margin: 0; font-size: 8px; line-height: 20px }
          p { text-decoration: \(line) 1px red; white-space: pre }
          """, width: 20, height: 10)
      return (0..<20).filter { picture[$0, 2] == "R" }
    }
    let (under, over) = (try await columns("underline"), try await columns("overline"))
    #expect(under.count == 1 && over.count == 1)
    #expect(under.allSatisfy { ($0 > 10) == isRight } && over.allSatisfy { ($0 > 10) != isRight })
  }

  @Test func `E2: marks stand on the right of vertical text, in its middle`() async throws {
    let page = try await Picture(
      "<p lang='ja'>山</p>",
      style:
        "html { writing-mode: vertical-rl } p { margin: 0; font-size: 20px; line-height: 60px; text-emphasis: dot }",
      width: 60, height: 30)
    let places = page.list.items.compactMap { item -> (size: LayoutUnit, at: PositionedGlyph)? in
      guard case .glyphs(_, let size, _, _, _, let range) = item, let first = range.first else { return nil }
      return (size, page.list.glyphs[first])
    }
    #expect(places.map(\.size) == [LayoutUnit(20), LayoutUnit(10)])
    // The em box of the text ends 10 px right of the middle; that of the mark joins it.
    #expect(places[1].at.x >= LayoutUnit(36) && places[1].at.x <= LayoutUnit(46))
  }
}
