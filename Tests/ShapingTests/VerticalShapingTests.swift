import CSS
import Fonts
import Primitives
import TestSupport
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

  @Test func `V-3: quotation marks of vertical Chinese are the face's own, those of other faces turn`() {
    let (chinese, _) = shape("“国”", language: "zh-Hans")
    let (flat, _) = shape("“国”", mode: .horizontalTB, language: "zh-Hans")
    #expect(sideways(chinese) == "uuu")
    #expect(chinese.glyphs[0].id != flat.glyphs[0].id && chinese.glyphs[2].id != flat.glyphs[2].id)
    #expect(sideways(shape("“a”", language: "en").0).hasPrefix("s"))
  }

  @Test func `V-3: brackets, dashes and ellipses turn, stops stand top right or in the middle`() {
    let marks = "（「『—…～"
    let (shaped, _) = shape(marks)
    let (flat, _) = shape(marks, mode: .horizontalTB)
    #expect(shaped.glyphs.count == flat.glyphs.count)
    for (index, (vertical, horizontal)) in zip(shaped.glyphs, flat.glyphs).enumerated() {
      let run = shaped.runs.first { $0.glyphs.contains(index) }
      #expect(vertical.id != horizontal.id || run?.isSideways == true, "\(index)")
    }
    /// Where the middle of the ink is in the em box, from the top right, in em.
    func middle(_ language: String) -> (right: Double, top: Double) {
      let (shaped, helper) = shape("、", language: language)
      let face = helper.shaper.fonts.face(shaped.runs[0].font)!
      let ink = face.extents(shaped.glyphs[0].id)!
      let em = Double(face.unitsPerEm)
      let x = Double(shaped.glyphs[0].xOffset + ink.x) + Double(ink.width) / 2
      let y = Double(shaped.glyphs[0].yOffset + ink.y) + Double(ink.height) / 2
      return (x / em, y / em)
    }
    // The same place in simplified Chinese and Japanese, another one in traditional Chinese.
    let (hans, ja, hant) = (middle("zh-hans"), middle("ja"), middle("zh-hant"))
    #expect(abs(hans.right - ja.right) < 0.1 && abs(hans.top - ja.top) < 0.1)
    #expect(abs(hant.right - ja.right) > 0.15 && abs(hant.top - ja.top) > 0.15)
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
