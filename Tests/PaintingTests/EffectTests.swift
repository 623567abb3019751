import Graphics
import Primitives
import TestSupport
import Testing

/// Filters, blending, clip shapes, border images and the newer gradients, on pages of a few pixels.
@Suite(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
struct EffectTests {
  @Test func `Filters change the colours of a box and its content`() async throws {
    let picture = try await Picture(
      "<div class='a'><div></div></div><span class='b'></span>",
      style: """
        div { width: 2px; height: 1px; background: yellow } .a { filter: invert(1); width: 4px; background: white }
        .b { display: block; height: 1px; background: red; filter: hue-rotate(0deg) invert(0) contrast(100%) }
        """, width: 4, height: 2)
    #expect(picture.rows == ["BBKK", "RRRR"])
  }

  @Test func `A blended box meets only its own stacking context`() async throws {
    let picture = try await Picture(
      "<div class='a'><div class='m'></div></div><div class='a i'><div class='m'></div></div>",
      style: """
        .a { height: 1px; width: 4px; background: yellow } .i { background: none; isolation: isolate }
        .m { height: 1px; width: 2px; background: red; mix-blend-mode: difference }
        .a:first-child .m { background: yellow }
        """, width: 4, height: 2)
    #expect(picture.rows == ["KKYY", "RR.."])
  }

  @Test func `clip-path cuts a box and what is in it`() async throws {
    let picture = try await Picture(
      "<div class='a'><div></div></div><div class='b'></div>",
      style: """
        div { height: 3px; background: red } .a { clip-path: inset(1px 2px 0 1px) } .a div { background: blue }
        .b { clip-path: polygon(50% 0, 100% 0, 100% 100%, 50% 100%) }
        """, width: 6, height: 6)
    #expect(picture.rows == ["......", ".BBB..", ".BBB..", "...RRR", "...RRR", "...RRR"])
  }

  @Test func `A border image takes the place of the border`() async throws {
    let picture = try await Picture(
      "<div></div>",
      style: """
        div { height: 1px; margin: 1px; border: 1px solid red;
              border-image: linear-gradient(90deg, blue 50%, green 0) 1 / 1px / 1px }
        """, width: 6, height: 5)
    #expect(picture.rows == ["BBBGGG", "B....G", "B....G", "B....G", "BBBGGG"])
  }

  @Test func `A conic gradient turns clockwise from the top`() async throws {
    let picture = try await Picture(
      "<div></div>",
      style: """
        div { height: 4px; background: conic-gradient(red 90deg, green 0 180deg, blue 0 75%, yellow 0) }
        """, width: 4, height: 4)
    #expect(picture.rows == ["YYRR", "YYRR", "BBGG", "BBGG"])
  }

  @Test func `A hint at the start of a gradient makes a hard edge`() async throws {
    let picture = try await Picture(
      "<div></div>", style: "div { height: 1px; background: linear-gradient(90deg, red 50%, 50%, blue) }", width: 4,
      height: 1)
    #expect(picture.rows == ["RRBB"])
  }

  @Test func `A background clipped to text shows nowhere else`() async throws {
    let picture = try await Picture(
      "<p>x</p>", style: "p { margin: 0; font: 20px/20px serif; color: transparent; background: red text }",
      width: 40, height: 20)
    // The letters are drawn, in full black, as the mask of the group with the background; the text itself is not.
    var steps: [String] = []
    for item in picture.list.items {
      switch item {
      case .saveLayer(let style): steps.append(style.blend == .maskIn ? "mask" : "group")
      case .fillRect: steps.append("background")
      case .glyphs(_, _, let color, _, _, _): steps.append(color == .black ? "letters" : "text")
      case .restore: steps.append("end")
      default: break
      }
    }
    #expect(steps == ["group", "background", "mask", "letters", "end", "end"])
  }

  @Test func `A background clipped to the border area is seen under the strokes of the border alone`() async throws {
    func rows(_ style: String) async throws -> [String] {
      try await Picture(
        "<div></div>",
        style: "div { width: 2px; height: 1px; border: 1px solid transparent; background: blue border-area; \(style) }",
        width: 5, height: 3
      ).rows
    }
    #expect(try await rows("") == ["BBBB.", "B..B.", "BBBB."])
    #expect(try await rows("border-left-style: none; width: 3px") == ["BBBB.", "...B.", "BBBB."])
    // The layers below the one that is clipped have boxes of their own.
    let layers = "background: linear-gradient(blue, blue) border-area, red"
    #expect(try await rows(layers) == ["BBBB.", "BRRB.", "BBBB."])
  }

  @Test func `Tiles finer than pixels cover the whole background`() async throws {
    let picture = try await Picture(
      "<div></div>", style: "div { height: 40px; background: linear-gradient(blue, blue) 0 0 / 0.2px 0.2px }",
      width: 30, height: 40)
    #expect(picture.rows == Array(repeating: String(repeating: "B", count: 30), count: 40))
  }

  @Test func `Many tiles of stripes look as few do`() async throws {
    func rows(_ css: String, width: Int, height: Int) async throws -> [String] {
      let style = "div { height: \(height)px; background: \(css) }"
      return try await Picture("<div></div>", style: style, width: width, height: height).rows
    }
    for css in [
      "linear-gradient(red 1px, blue 1px) 0 1px / 3px 2px",
      "linear-gradient(to left, red 1px, transparent 1px) 2px 0 / 3px 2px",
      "linear-gradient(blue 2px, lime 2px) 0 1px / 2px 3px repeat-y, linear-gradient(90deg, red 1px, blue 1px) 0 0 / 2px 2px",
    ] {
      let few = try await rows(css, width: 24, height: 20)
      let many = try await rows(css, width: 240, height: 300)
      #expect(many.prefix(20).map { String($0.prefix(24)) } == few, "\(css)")
    }
  }

  @Test func `Dashes follow a rounded border`() async throws {
    let picture = try await Picture(
      "<div></div>", style: "div { width: 16px; height: 16px; border: 2px dashed red; border-radius: 10px }", width: 20,
      height: 20)
    // The border bends away from the box's corner and passes the middle of its sides.
    #expect(picture[0, 0] == ".")
    #expect(picture.rows.joined().contains("R"))
    #expect(picture.rows[3].prefix(6).contains { $0 != "." })
  }
}
