import Graphics
import Primitives
import TestSupport
import Testing
import Typesetting

/// Underlines and their kin, by the bars they are drawn with.
@Suite struct DecorationTests {
  private func bars(_ style: String, _ text: String = "gypsy") async throws -> [Rect] {
    let picture = try await Picture(
      "<p>\(text)</p>", style: "p { margin: 0; font: 20px/30px serif; text-decoration: underline; \(style) }",
      width: 200, height: 40)
    return picture.list.items.compactMap { if case .fillRect(let rect, _) = $0 { rect } else { nil } }
  }

  @Test func `An underline makes way for the ink below the baseline`() async throws {
    let whole = try await bars("text-decoration-skip-ink: none")
    #expect(whole.count == 1)
    let cut = try await bars("")
    #expect(cut.count > 2)
    let line = try #require(whole.first)
    #expect(cut.allSatisfy { $0.y == line.y && $0.height == line.height && $0.x >= line.x && $0.maxX <= line.maxX })
    #expect(try await bars("", "nun").count == 1)
    // A line through the text is drawn over it.
    #expect(try await bars("text-decoration-line: line-through").count == 1)
  }

  @Test func `B12 An underline makes way for expanded ink where that is`() async throws {
    let text = "gypsy gypsy gypsy gypsy gypsy"
    func bars(_ micro: Typesetting.ReaderChoice) async throws -> [Rect] {
      let picture = try await Picture(
        "<p>\(text)</p>",
        style: """
          p { margin: 0; width: 250px; font: 20px/30px 'Liberation Serif'; text-decoration: underline;
            text-align: justify; text-align-last: justify }
          """, width: 260, height: 40, micro: micro)
      let expansions = picture.list.items.compactMap {
        if case .glyphs(_, _, _, _, let expansion, _) = $0 { expansion } else { nil }
      }
      #expect(expansions.count == 1 && (expansions[0] > 0) == (micro == .on))
      return picture.list.items.compactMap { if case .fillRect(let rect, _) = $0 { rect } else { nil } }
    }
    let (natural, fitted) = (try await bars(.off), try await bars(.on))
    try #require(natural.count == fitted.count && natural.count > 5)
    // The line still ends where it did.
    let last = (try #require(natural.last), try #require(fitted.last))
    #expect(last.0.maxX == last.1.maxX)
    for (one, other) in zip(natural, fitted).dropFirst().dropLast() {
      #expect(abs((other.x - one.x).float) < 6 && abs((other.width - one.width).float) < 6)
    }
  }

  @Test func `Thickness and offset place an underline`() async throws {
    let plain = try #require(try await bars("", "nun").first)
    let thick = try #require(try await bars("text-decoration-thickness: 25%", "nun").first)
    #expect(thick.height == LayoutUnit(5))
    let deep = try #require(try await bars("text-underline-offset: 7px", "nun").first)
    #expect(deep.y - plain.y == LayoutUnit(6))
    let under = try #require(try await bars("text-underline-position: under", "nun").first)
    #expect(under.y > plain.y)
    #expect(try await bars("text-decoration-style: double", "nun").count == 2)
  }

  @Test func `E4 Lines of two Chinese names side by side do not touch`() async throws {
    func bars(_ body: String) async throws -> [Rect] {
      let picture = try await Picture(
        "<p lang='zh'>\(body)</p>", style: "p { margin: 0; font: 32px/60px 'Noto Serif CJK SC'; text-indent: 0 }",
        width: 200,
        height: 60, isHouse: true)
      return picture.list.items.compactMap { if case .fillRect(let rect, _) = $0 { rect } else { nil } }
    }
    let names = try await bars("<u>王維</u><u>李白</u>")
    try #require(names.count == 2)
    #expect(names[1].x - names[0].maxX == LayoutUnit(4) && names[0].x == LayoutUnit(2))
    #expect(names[0].width == LayoutUnit(60))
    // A change of colour within a name parts nothing.
    let one = try await bars("<u>王<span style='color: red'>維</span></u>")
    #expect(one.map(\.width).reduce(.zero, +) == LayoutUnit(60))
  }

  @Test func `G8 The borders of a table that lies on its side go with it`() async throws {
    let words = ["barley", "wheat", "millet", "sorghum", "fonio", "maize"].map { "<td>\($0)</td>" }.joined()
    let picture = try await Picture(
      "<table><tr>\(words)</tr></table>",
      style: "table { border-spacing: 0 } td { font: 16px Liberation Mono; padding: 0; border-bottom: 2px solid blue }",
      width: 122, height: 302, margin: 1)
    let bars = picture.list.items.compactMap { if case .fillRect(let rect, _) = $0 { rect } else { nil } }
    #expect(!bars.isEmpty && bars.allSatisfy { $0.height > $0.width * 3 })
    let turns = picture.list.items.compactMap {
      if case .glyphs(_, _, _, let rotation, _, _) = $0 { rotation } else { nil }
    }
    #expect(!turns.isEmpty && turns.allSatisfy { $0 == .counterclockwise90 })
  }

  @Test func `A blurred shadow is a group below its text`() async throws {
    let picture = try await Picture(
      "<p>x</p>", style: "p { font: 20px serif; text-shadow: 1px 1px red, 0 0 4px blue }", width: 60, height: 60)
    var steps: [String] = []
    for item in picture.list.items {
      switch item {
      case .saveLayer(let style): steps.append(style.filters == [.blur(LayoutUnit(2))] ? "blur" : "layer")
      case .glyphs(_, _, let color, _, _, _): steps.append(color.description)
      case .restore: steps.append("end")
      default: break
      }
    }
    #expect(steps == ["blur", "#0000ff", "end", "#ff0000", "#000000"])
  }

  @Test func `Positioned boxes of one level lie in tree order`() async throws {
    let picture = try await Picture(
      "<div class='a'></div><div class='r'></div>",
      style: """
        .a { position: absolute; width: 2px; height: 2px; background: red }
        .r { position: relative; width: 2px; height: 2px; background: green }
        """, width: 2, height: 2)
    #expect(picture.rows == ["GG", "GG"])
  }

  /// The glyphs of a line with their sizes and left edges.
  private func glyphs(_ text: String, _ style: String) async throws -> [(size: LayoutUnit, at: PositionedGlyph)] {
    let picture = try await Picture(
      "<p lang='ja'>\(text)</p>", style: "p { margin: 0; font: 20px/60px 'Noto Serif CJK JP'; \(style) }",
      width: 200, height: 60)
    return picture.list.items.flatMap { item -> [(size: LayoutUnit, at: PositionedGlyph)] in
      guard case .glyphs(_, let size, _, _, _, let range) = item else { return [] }
      return range.map { (size, picture.list.glyphs[$0]) }
    }
  }

  @Test func `E1: emphasis marks stand centred on each character, half its size, not on spaces and punctuation`()
    async throws
  {
    let found = try await glyphs("山、川 a。", "text-emphasis: dot")
    let marks = found.filter { $0.size == LayoutUnit(10) }
    #expect(marks.count == 3)
    // The same distance from each ideograph.
    #expect(marks[1].at.x - marks[0].at.x == LayoutUnit(40))
    #expect(try await glyphs("山", "text-emphasis: none").count == 1)
  }

  @Test func `E2: circles in horizontal text, sesame in vertical text, where only the fill is given`() async throws {
    let dot = try await glyphs("山", "text-emphasis: circle").last?.at.glyph
    #expect(try await glyphs("山", "text-emphasis: filled").last?.at.glyph == dot)
    let sesame = try await glyphs("山", "writing-mode: vertical-rl; text-emphasis: sesame").last?.at.glyph
    #expect(try await glyphs("山", "writing-mode: vertical-rl; text-emphasis: filled").last?.at.glyph == sesame)
    #expect(sesame != dot)
  }

  @Test func `emphasis marks stand outside of the ruby of their base`() async throws {
    for style in ["", "writing-mode: vertical-rl; height: 60px"] {
      let found = try await glyphs("<ruby>山<rt>やま</rt></ruby>", "text-emphasis: circle; \(style)")
      // The ruby's size is that of the marks, which come right after their base.
      #expect(found.map(\.size) == [20, 10, 10, 10].map { LayoutUnit($0) })
      let isVertical = !style.isEmpty
      let (base, mark, ruby) = (found[0].at, found[1].at, found[2].at)
      let reach = isVertical ? mark.x - base.x : base.y - mark.y
      let rubyReach = isVertical ? ruby.x - base.x : base.y - ruby.y
      #expect(reach > rubyReach + LayoutUnit(5))
    }
  }

  @Test func `E3: emphasis marks stay centred where gaps are widened`() async throws {
    let alone = try await glyphs("山", "text-emphasis: dot").map(\.at.x)
    for style in ["letter-spacing: 7px", "width: 100px; text-align: justify"] {
      let found = try await glyphs("山川草木花鳥", "text-emphasis: dot; \(style)")
      let bases = found.filter { $0.size == LayoutUnit(20) }.map(\.at.x)
      let marks = found.filter { $0.size == LayoutUnit(10) }.map(\.at.x)
      #expect(bases.count >= 5 && zip(marks, bases).allSatisfy { $0 - $1 == alone[1] - alone[0] })
    }
  }
}
