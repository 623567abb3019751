import CSS
import Fonts
import Primitives
import Testing
import Text

@testable import Shaping

/// Vertical lines: UAX #50, CSS Writing Modes 4, section 5.
@Suite struct VerticalShapingTests {
  private func shape(
    _ text: String, mode: WritingMode = .verticalRL, language: String = "ja",
    configure: (inout ShapingAttributes) -> Void = { _ in }
  ) -> (ShapedText, ShapingHelper) {
    let helper = ShapingHelper()
    let id = helper.add([(text, helper.attributes(language: language, configure: configure), .text)])
    var shaped = ShapedText()
    helper.shaper.shape(id, in: helper.store, writingMode: mode, into: &shaped)
    #expect(shaped.isConsistent(units: text.utf16.count))
    return (shaped, helper)
  }
  /// For each unit whether it lies on its side.
  private func sideways(_ shaped: ShapedText) -> String {
    shaped.runs.map { String(repeating: $0.isSideways ? "s" : "u", count: $0.clusters.count) }.joined()
  }

  @Test func `V-2: characters stand as UAX 50 says, one glyph each`() {
    let (shaped, _) = shape("、。（「ーA1%字")
    #expect(sideways(shaped) == "uuuuusssu")
    #expect(shaped.glyphs.count == 9)
    let (flat, _) = shape("、。（「ーA1%字", mode: .horizontalTB)
    // Marks have glyphs of their own for vertical lines, ideographs and letters not.
    #expect(
      zip(shaped.glyphs, flat.glyphs).map { $0.id == $1.id ? "=" : "v" } == [
        "v", "v", "v", "v", "v", "=", "=", "=", "=",
      ])
  }

  @Test func `R8: tone marks stand upright with bopomofo`() {
    #expect(sideways(shape("ㄓㄨˋ", language: "zh-Hant").0) == "uuu")
    #expect(sideways(shape("aˋ", language: "zh-Hant").0) == "ss")
  }

  @Test func `V-4: text-orientation turns everything, or nothing`() {
    #expect(sideways(shape("山a1、") { $0.textOrientation = .upright }.0) == "uuuu")
    #expect(sideways(shape("山a1、") { $0.textOrientation = .sideways }.0) == "ssss")
    #expect(sideways(shape("山a1、", mode: .sidewaysRL).0) == "ssss")
  }

  @Test func `V-5: upright ideographs are one em high and stand in the middle of the line`() {
    let (shaped, helper) = shape("山あ")
    let em = helper.shaper.fonts.face(shaped.runs[0].font)!.unitsPerEm
    for glyph in shaped.glyphs {
      #expect(glyph.advance == em)
      #expect(glyph.yOffset == -em / 2)
    }
  }

  @Test func `V-8: words on their side have the advances they have in a horizontal line`() {
    let (vertical, _) = shape("AVAVA Tokyo")
    let (flat, _) = shape("AVAVA Tokyo", mode: .horizontalTB)
    #expect(vertical.glyphs.map(\.id) == flat.glyphs.map(\.id))
    #expect(vertical.glyphs.map(\.advance) == flat.glyphs.map(\.advance))
    #expect(vertical.runs.allSatisfy { $0.isSideways && $0.lowering > 0 })
    // Words from the cache too.
    let (again, _) = shape("AVAVA Tokyo AVAVA Tokyo 山 AVAVA")
    #expect(Set(again.runs.filter(\.isSideways).flatMap { again.glyphs[$0.glyphs].map(\.yOffset) }).count == 1)
  }

  @Test func `The same text has other shapes in horizontal lines, before and after`() {
    let helper = ShapingHelper()
    let id = helper.add([("山、（a）", helper.attributes(language: "ja"), .text)])
    func glyphs(_ mode: WritingMode) -> [ShapedGlyph] {
      var shaped = ShapedText()
      helper.shaper.shape(id, in: helper.store, writingMode: mode, into: &shaped)
      return shaped.glyphs
    }
    let (first, turned, last) = (glyphs(.horizontalTB), glyphs(.verticalRL), glyphs(.horizontalTB))
    #expect(first == last)
    #expect(first != turned)
    #expect(turned == glyphs(.verticalLR))
  }
}
