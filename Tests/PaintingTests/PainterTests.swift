import Graphics
import Primitives
import TestSupport
import Testing

@Suite struct PainterTests {
  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Borders of different colours meet in a mitre`() async throws {
    let picture = try await Picture(
      "<div></div>",
      style: """
        div { width: 0; border: 6px solid; border-color: red green blue yellow }
        """, width: 12, height: 12)
    // On the diagonals the colours mix; beside them each side is pure.
    for y in 0..<12 {
      for x in 0..<12 where x != y && x != 11 - y {
        let expected: Character = y < x ? (y < 11 - x ? "R" : "G") : (y < 11 - x ? "Y" : "B")
        #expect(picture[x, y] == expected, "at \(x), \(y)")
      }
    }
  }

  @Test func `A frame of one colour is four bars`() async throws {
    let picture = try await Picture(
      "<div></div>", style: "div { width: 2px; height: 2px; margin: 1px; border: 1px solid black }", width: 6, height: 6
    )
    #expect(picture.rows == ["......", ".KKKK.", ".K..K.", ".K..K.", ".KKKK.", "......"])
  }

  @Test func `Layers of the flow lie in the order of CSS 2.2, Appendix E`() async throws {
    // Each box covers the one before it in the order of painting, and leaves one column of it in sight.
    let picture = try await Picture(
      """
      <div id="front"></div><div id="positioned"></div><div id="float"></div><div id="block"></div><div id="back"></div>
      """,
      style: """
        div { height: 2px }
        #back { position: absolute; z-index: -1; left: 0; top: 0; width: 6px; background: black }
        #block { background: red; width: 5px; margin-left: 1px }
        #float { float: left; background: green; width: 4px; margin-left: 2px; margin-right: -6px }
        #positioned { position: absolute; background: blue; width: 3px; left: 3px; top: 0 }
        #front { position: absolute; z-index: 1; background: yellow; width: 2px; left: 4px; top: 0 }
        """, width: 6, height: 2)
    #expect(picture.rows == ["KRGBYY", "KRGBYY"])
  }

  @Test func `The body's background covers the whole page`() async throws {
    let picture = try await Picture("<p></p>", style: "body { background: green; margin: 2px }", width: 4, height: 3)
    #expect(picture.rows == ["GGGG", "GGGG", "GGGG"])
    #expect(picture.list.background.green == 128)
  }

  @Test func `overflow hidden clips content, also positioned content inside`() async throws {
    let picture = try await Picture(
      "<div class='clip'><div class='wide'></div><div class='place'></div></div>",
      style: """
        .clip { overflow: hidden; width: 3px; height: 3px; position: relative }
        .wide { width: 8px; height: 1px; background: red }
        .place { position: absolute; left: 1px; top: 2px; width: 8px; height: 8px; background: blue }
        """, width: 5, height: 4)
    #expect(picture.rows == ["RRR..", ".....", ".BB..", "....."])
  }

  @Test func `A hidden box keeps its room and shows nothing`() async throws {
    let picture = try await Picture(
      "<div class='a'></div><div class='b'></div>",
      style: ".a, .b { height: 1px; background: red } .a { visibility: hidden }", width: 2, height: 3)
    #expect(picture.rows == ["..", "RR", ".."])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `Gradients without repeat fill their tile only`() async throws {
    let picture = try await Picture(
      "<div></div>",
      style: """
        div { height: 3px; background: linear-gradient(red, red) 1px 1px / 2px 1px no-repeat }
        """, width: 4, height: 3)
    #expect(picture.rows == ["....", ".RR.", "...."])
  }

  @Test func `Opacity and transforms are groups that end`() async throws {
    let picture = try await Picture(
      "<div class='a'></div><div class='b'></div>",
      style: """
        .a { width: 2px; height: 1px; background: blue; transform: translate(1px, 1px) }
        .b { width: 2px; height: 1px; background: red; opacity: 0.5 }
        """, width: 4, height: 3)
    var depth = 0
    var groups = 0
    for item in picture.list.items {
      switch item {
      case .saveTransform, .saveLayer, .saveClip:
        depth += 1
        groups += 1
      case .restore: depth -= 1
      default: break
      }
    }
    #expect(depth == 0)
    #expect(groups == 2)
    #expect(picture[1, 1] == "B" || picture[2, 1] == "B")
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `A quarter turn moves no pixel off the grid`() async throws {
    let picture = try await Picture(
      "<div></div>",
      style:
        "div { width: 4px; height: 2px; background: green; transform: rotate(90deg); transform-origin: 0 0; margin-left: 2px }",
      width: 4, height: 4)
    #expect(picture.rows == ["GG..", "GG..", "GG..", "GG.."])
  }

  @Test func `The wider of two collapsed borders covers the joint where they meet`() async throws {
    let picture = try await Picture(
      "<table><tr><td></td></tr></table>",
      style: """
        table { border-collapse: collapse }
        td { padding: 0; width: 2px; height: 2px; border: 2px solid blue; border-left: 4px solid red }
        """, width: 8, height: 6)
    #expect(picture.rows == ["RRRRBBBB", "RRRRBBBB", "RRRR..BB", "RRRR..BB", "RRRRBBBB", "RRRRBBBB"])
  }

  @Test func `Which model a cell's borders follow is for its table to say`() async throws {
    let picture = try await Picture(
      "<table><tr><td></td></tr></table>",
      style: "table { border-spacing: 0 } td { border-collapse: collapse; padding: 0; border: 1px solid red }",
      width: 2, height: 2)
    #expect(picture.rows == ["RR", "RR"])
  }

  @Test func `Positioned boxes of one level lie in the order of the document`() async throws {
    let picture = try await Picture(
      "<p><b></b><i></i></p>",
      style: """
        p, i { position: relative; margin: 0 } i { display: block; width: 2px; height: 1px; background: green }
        b { position: absolute; width: 4px; height: 1px; background: red }
        """, width: 4, height: 1)
    #expect(picture.rows == ["GGRR"])
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Images of the canvas are placed from the root's padding edge, those of a column group once for all columns`()
    async throws
  {
    let gradient = "linear-gradient(red 1px, blue 1px) 0 0 / 1px 2px no-repeat"
    let canvas = try await Picture(
      "", style: "html { border: 1px solid green; background: \(gradient) } body { height: 2px }", width: 3, height: 4)
    #expect(canvas.rows == ["GGG", "GRG", "GBG", "GGG"])
    let columns = try await Picture(
      "<table><colgroup><col><col></colgroup><tr><td></td><td></td></tr></table>",
      style: """
        table { border-spacing: 0 } td { padding: 0; width: 2px; height: 1px }
        colgroup { background: linear-gradient(green, green) 0 0 / 1px 1px no-repeat }
        """, width: 4, height: 1)
    #expect(columns.rows == ["G..."])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `translate, rotate and scale come before the functions of transform`() async throws {
    let style = "div { width: 2px; height: 2px; background: red; transform-origin: 0 0; "
    let single = try await Picture(
      "<div></div>", style: style + "translate: 1px 2px; rotate: 90deg; scale: 2 1; transform: translateX(1px) }",
      width: 8, height: 8)
    let list = try await Picture(
      "<div></div>", style: style + "transform: translate(1px, 2px) rotate(90deg) scale(2, 1) translateX(1px) }",
      width: 8, height: 8)
    #expect(single.rows == list.rows)
    #expect(list.rows.joined().contains("R"))
  }
}
