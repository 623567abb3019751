import Graphics
import Primitives
import TestSupport
import Testing

/// Order and clips of positioned boxes: CSS 2.2, Appendix E and section 11.1.2.
@Suite struct PositionedOrderTests {
  @Test func `Positioned boxes of one level are painted in tree order`() async throws {
    let picture = try await Picture(
      """
      <section><p style="position: absolute; top: 0; left: 0; background: red"></p>\
      <p style="position: relative; background: green"></p></section>
      """, style: "section { position: relative } p { margin: 0; width: 2px; height: 2px }", width: 2, height: 2)
    #expect(picture.rows == ["GG", "GG"])
  }

  @Test func `clip holds for positioned descendants`() async throws {
    let picture = try await Picture(
      """
      <div style="position: absolute; clip: rect(0, 2px, 2px, 0); width: 2px; height: 2px; background: green">\
      <p style="position: absolute; left: 1px; top: 1px; margin: 0; width: 3px; height: 3px; background: red"></p></div>
      """, width: 4, height: 4)
    #expect(picture.rows == ["GG..", "GR..", "....", "...."])
  }

  @Test func `An absolutely positioned body paints the canvas of a root that is a table`() async throws {
    let picture = try await Picture(
      "", style: "html { display: table } body { position: absolute; left: 1px; top: 1px; background: green }",
      width: 3, height: 2)
    #expect(picture.rows == ["GGG", "GGG"])
  }
}
