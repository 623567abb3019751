import Layout
import Primitives
import TestSupport
import Testing

/// Annotations of one word set together: CSS Ruby 1, section 4.2; JLREQ 3.3.7.
@Suite struct RubyMergeTests {
  private func page(
    _ merge: String, _ bases: [String], _ annotations: [String], width: Int = 300, mode: String = "horizontal-tb"
  ) -> LaidOut {
    let pairs = bases.map { "<rb>\($0)</rb>" }.joined() + annotations.map { "<rt>\($0)</rt>" }.joined()
    return LaidOut(
      "<p>山<ruby style='ruby-merge: \(merge)'>\(pairs)</ruby>川</p>", css: "html { writing-mode: \(mode) }",
      width: width, height: width, language: "ja")
  }
  private func placed(_ page: LaidOut, _ string: String) -> LaidOut.Placed {
    page.texts.first { $0.string == string }!.placed
  }

  @Test(arguments: ["horizontal-tb", "vertical-rl"])
  func `R3: annotations of a jukugo that are wide share the width of all its bases`(mode: String) {
    func width(_ merge: String, _ first: String, _ second: String) -> LayoutUnit {
      let laid = self.page(merge, ["東", "京"], [first, second], mode: mode)
      return placed(laid, "川").offset.inline - placed(laid, "山").right
    }
    // 32 and 8 px over bases of 16 px.
    #expect(width("separate", "とうとう", "き") == LayoutUnit(48))
    #expect(width("merge", "とうとう", "き") == LayoutUnit(40))
    #expect(width("auto", "とうとう", "き") == LayoutUnit(40))
    #expect(width("merge", "き", "とうとう") == LayoutUnit(40))
    #expect(width("merge", "き", "とうと") == LayoutUnit(32))
    // Annotations follow each other without a gap, over the first base's edge.
    let page = self.page("merge", ["東", "京"], ["とうとう", "き"], mode: mode)
    #expect(placed(page, "とうとう").offset.inline == placed(page, "山").right)
    #expect(placed(page, "き").offset.inline == placed(page, "とうとう").right)
  }

  @Test func `R3: annotations that fit stand over their own bases, unless they are to be merged`() {
    func starts(_ merge: String) -> [LayoutUnit] {
      let page = self.page(merge, ["東", "京"], ["と", "き"])
      return ["と", "き"].map {
        placed(page, $0).offset.inline + page.pages[0].glyphs[Int(page.text(placed(page, $0)).glyphs.lowerBound)].x
      }
    }
    #expect(starts("separate") == [LayoutUnit(20), LayoutUnit(36)])
    #expect(starts("auto") == starts("separate"))
    let narrow = page("merge", ["東", "京都"], ["と", "き"])
    // 16 px of annotation over 48 px of bases: a quarter of what is left before and after, half between.
    #expect(placed(narrow, "と").offset.inline == LayoutUnit(24))
    #expect(placed(narrow, "き").offset.inline == LayoutUnit(48))
  }

  @Test func `R3: a jukugo breaks between its units, each with its own annotation`() {
    // Whole it needs 56 px with the character before.
    let whole = page("merge", ["東", "京"], ["とうとう", "き"], width: 56)
    #expect(whole.lines == ["山東京", "川"])
    #expect(page("separate", ["東", "京"], ["とうとう", "き"], width: 56).lines == ["山東", "京川"])
    let broken = page("merge", ["東", "京"], ["とうとう", "きょう"], width: 50)
    #expect(broken.lines == ["山東", "京川"])
    #expect(placed(broken, "とうとう").offset.inline == LayoutUnit(16))
    #expect(placed(broken, "きょう").offset.inline == .zero)
    #expect(placed(broken, "川").offset.inline == LayoutUnit(24))
    // Not inside a unit.
    #expect(page("merge", ["東西", "京"], ["とう", "き"], width: 34).lines == ["山", "東西", "京川"])
    for width in 17...120 {
      let page = self.page("merge", ["東", "京", "都"], ["とうとう", "き", "みやこ"], width: width)
      #expect(page.lines.joined() == "山東京都川")
      for text in page.texts where width >= 32 {
        #expect(text.placed.offset.inline >= .zero && text.placed.right <= LayoutUnit(width) + .epsilon, "\(width)")
      }
    }
  }

  @Test func `Merged annotations reach over kana beside the word`() {
    func width(_ merge: String) -> LayoutUnit {
      let pairs = "<rb>東</rb><rb>京</rb><rt>とうとう</rt><rt>きょ</rt>"
      let page = LaidOut(
        "<p>の<ruby style='ruby-merge: \(merge)'>\(pairs)</ruby>は</p>", language: "ja")
      return placed(page, "は").offset.inline - placed(page, "の").right
    }
    // 48 px over 32 px: half an em of annotation on each side.
    #expect(width("merge") == LayoutUnit(32))
  }

  @Test func `Columns as narrow as they may be hold each unit`() {
    func table(_ merge: String) -> LayoutUnit {
      let page = LaidOut(
        """
        <table style='border-spacing: 0; width: 1px'><tr><td style='padding: 0'><ruby style='ruby-merge: \(merge)'>
        <rb>東</rb><rb>京</rb><rt>とうとう</rt><rt>き</rt></ruby></td></tr></table>
        """, language: "ja")
      return page.fragments(.line)[0].fragment.size.inline
    }
    #expect(table("merge") == LayoutUnit(32))
  }
}
