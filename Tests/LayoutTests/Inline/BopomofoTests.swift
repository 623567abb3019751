import Layout
import Primitives
import TestSupport
import Testing

/// Bopomofo beside its bases: CLREQ, positioning of bopomofo.
@Suite struct BopomofoTests {
  private func page(
    _ annotation: String, mode: String = "horizontal-tb", width: Int = 300, size: String = ""
  ) -> LaidOut {
    LaidOut(
      "<p>是<ruby style='ruby-position: inter-character'>注<rt>\(annotation)</rt></ruby>音</p>",
      css: "html { line-height: 40px; writing-mode: \(mode) } \(size)", width: width, language: "zh-Hant")
  }
  private func placed(_ page: LaidOut, _ string: String) -> LaidOut.Placed {
    page.texts.first { $0.string == string }!.placed
  }
  /// The glyphs of the annotation in the order of its text, along its line and downwards across it.
  private func glyphs(_ page: LaidOut) -> [(x: LayoutUnit, y: LayoutUnit)] {
    let isTurned = page.line(page.fragments(.line)[0]).writingMode == .horizontalTB
    return page.texts.filter { !"是注音".contains($0.string) }.flatMap { (_, placed) in
      let range = page.text(placed).glyphs
      let start = isTurned ? placed.offset.block : placed.offset.inline
      return page.pages[0].glyphs[Int(range.lowerBound)..<Int(range.upperBound)].map { (start + $0.x, $0.y) }
    }
  }

  @Test func `R8: bopomofo stands right of its base in a vertical line`() {
    let page = self.page("ㄓㄨ")
    let base = placed(page, "注")
    let annotation = placed(page, "ㄓㄨ")
    #expect(page.fragments(.line).map { page.line($0).writingMode } == [.horizontalTB, .verticalRL])
    // Three tenths of the base for the letters, two for tone marks beside them.
    #expect(page.text(annotation).size == 16 * 0.3)
    #expect(placed(page, "音").offset.inline.distance(to: base.right + LayoutUnit(8)) < 0.05)
    // In the middle of the base.
    #expect(annotation.fragment.size.block.distance(to: LayoutUnit(9.6)) < 0.05)
    let middle = page.line(page.fragments(.line)[0]).baseline - LayoutUnit(16 * 0.38)
    #expect((annotation.offset.block + LayoutUnit(4.8)).distance(to: middle) < 0.05)
    #expect(annotation.offset.inline.distance(to: base.right) < 1)
    // In a vertical line it stands where all annotations do.
    let vertical = self.page("ㄓㄨ", mode: "vertical-rl")
    #expect(vertical.fragments(.line).count == 1)
    #expect(vertical.text(placed(vertical, "ㄓㄨ")).size == 16 * 0.3)
    // An author's size holds.
    let large = self.page("ㄓㄨ", size: "rt { font-size: 40% }")
    #expect(large.text(placed(large, "ㄓㄨ")).size == 16 * 0.4)
  }

  @Test(arguments: ["horizontal-tb", "vertical-rl"])
  func `R8: tone marks stand right of the letters, the neutral dot above them, and take no length`(mode: String) {
    let bare = page("ㄓㄨ", mode: mode)
    let toned = page("ㄓㄨˋ", mode: mode)
    let (letter, mark) = (glyphs(toned)[1], glyphs(toned)[2])
    // Glyphs are placed by their origins, left of their ink: the mark's is at least half an em further right.
    #expect(mark.y <= letter.y - LayoutUnit(2.4))
    #expect(mark.x < letter.x + LayoutUnit(2.4))
    #expect(glyphs(bare)[0].x.distance(to: glyphs(toned)[0].x) < 0.05)
    #expect(placed(toned, "音").offset.inline == placed(bare, "音").offset.inline)
    let before = glyphs(page("˙ㄉㄜ", mode: mode))
    let after = glyphs(page("ㄉㄜ˙", mode: mode))
    #expect(before[1].x.distance(to: after[0].x) < 1 && after[2].x < after[0].x)
    #expect(before[0].x < before[1].x)
  }

  @Test func `R8: bopomofo never begins a line`() {
    for width in 24...80 {
      let page = self.page("ㄓㄨ", width: width)
      let base = placed(page, "注")
      let annotation = placed(page, "ㄓㄨ")
      #expect(annotation.offset.inline >= base.right - LayoutUnit(1), "\(width)")
      #expect(annotation.offset.inline + LayoutUnit(7) <= LayoutUnit(width), "\(width)")
      #expect(abs(annotation.offset.block.float - base.offset.block.float) < 24, "\(width)")
    }
  }
}

extension LayoutUnit {
  fileprivate func distance(to other: LayoutUnit) -> Float { abs(float - other.float) }
}
