import CSS
import Fonts
import Primitives
import Shaping
import TestSupport
import Testing
import Text

/// Characters that no font has.
@Suite struct LastResortTests {
  /// A system without a single font.
  private static let bare = FontLibrary(usesSystemFonts: false)

  private let helper = ShapingHelper(library: bare)

  /// The glyphs of a cluster, by their ids.
  private func glyphs(_ cluster: Int, of shaped: ShapedText) -> [UInt16] {
    shaped.glyphs[Int(shaped.clusters[cluster].glyph)..<Int(shaped.clusters[cluster + 1].glyph)].map(\.id)
  }

  /// The glyphs of a box with these digits.
  private func box(_ digits: String) -> [UInt16] {
    [LastResort.box] + digits.map { UInt16($0.hexDigitValue ?? 0) + (digits.count == 4 ? 4 : 20) }
  }

  @Test func `each cluster is a box of an em with its code point`() {
    let shaped = helper.shape("红\u{1F600}a", helper.attributes(language: "zh"))
    #expect(shaped.isConsistent(units: 4))
    #expect(shaped.clusters.dropLast().map(\.text) == [0, 1, 3])
    #expect(shaped.clusters.dropLast().map(\.advance) == [1000, 1000, 1000])
    #expect(shaped.offsets(.missingGlyph) == [0, 1, 3])
    #expect((0..<3).map { glyphs($0, of: shaped) } == [box("7EA2"), box("01F600"), box("0061")])
    #expect(shaped.runs.allSatisfy { $0.font == Self.bare.lastResort.id })
    #expect(helper.missing == [0x7EA2, 0x1F600, 0x61])
  }

  @Test(
    arguments: [
      // Texts, the advances of their clusters, and the characters that are told.
      ("x\u{301}\u{323}", [1000], [0x78, 0x301, 0x323]),
      ("क\u{94D}\u{937}\u{93F}", [1000, 1000], [0x915, 0x94D, 0x937, 0x93F]),
      ("\u{200D}\u{FE0F}", [0], []), ("一\u{E0100}", [1000], [0x4E00]), ("👩\u{200D}🚀", [1000], [0x1F469, 0x1F680]),
      ("\u{301}", [0], [0x301]), ("한\u{1100}\u{1161}", [1000, 1000], [0xD55C, 0x1100, 0x1161]),
      ("一 二", [1000, 250, 1000], [0x4E00, 0x4E8C]), ("一\u{3000}\u{2009}\u{A0}二", nil, [0x4E00, 0x4E8C]),
      ("一\u{2028}\u{0B}二", nil, [0x4E00, 0x4E8C]), ("-\u{2010}", [350, 350], []),
    ] as [(String, [Int32]?, [UInt32])])
  func `marks, joiners, spaces and controls are no boxes`(_ text: String, _ advances: [Int32]?, _ missing: [UInt32]) {
    let shaped = helper.shape(text, helper.attributes())
    #expect(shaped.isConsistent(units: text.utf16.count))
    if let advances { #expect(shaped.clusters.dropLast().map(\.advance) == advances) }
    #expect(helper.missing == missing)
    #expect(!shaped.glyphs.contains { $0.id == 0 })
  }

  @Test func `text from right to left keeps each box whole`() {
    let shaped = helper.shape("שלום عليكم", helper.attributes(), direction: .rtl)
    #expect(shaped.isConsistent(units: 10))
    #expect(shaped.clusters.dropLast().map(\.text) == Array(0..<10))
    #expect(glyphs(0, of: shaped) == box("05E9") && glyphs(9, of: shaped) == box("0645"))
    // The digits lie within the frame before them.
    for cluster in [0, 9] {
      let first = Int(shaped.clusters[cluster].glyph)
      let digits = shaped.glyphs[first + 1..<first + 5]
      #expect(digits.allSatisfy { $0.advance == 0 && (-1000 + 100...(-300)).contains($0.xOffset) })
    }
  }

  @Test func `upright boxes in vertical lines are an em high, and hold their digits`() throws {
    let id = helper.add([("红楼", helper.attributes(language: "zh"), .text)])
    let shaped = helper.shape(id, writingMode: .verticalRL)
    #expect(shaped.clusters.dropLast().map(\.advance) == [1000, 1000])
    let face = Self.bare.lastResort
    let frame = face.verticalMetrics(LastResort.box)
    for glyph in shaped.glyphs[1..<5] {
      let ink = try #require(face.extents(glyph.id))
      // Down the line from the frame's top, and from the middle of the line to its right.
      let top = 1000 + glyph.xOffset - ink.y
      let left = glyph.yOffset + ink.x
      #expect(top > 100 && top - ink.height < 900 && left > -400 && left + ink.width < 400)
    }
    #expect(shaped.glyphs[0].xOffset == frame.originY && shaped.glyphs[0].yOffset == -frame.originX)
  }

  @Test func `a mark that the letter's face lacks is left out`() {
    // A face has the letter, and no face has both.
    let helper = ShapingHelper()
    let shaped = helper.shape("ax\u{E47}b", helper.attributes(families: [.named("Liberation Serif")]))
    #expect(shaped.isConsistent(units: 4))
    #expect(shaped.clusters.dropLast().map(\.text) == [0, 1, 3])
    #expect(glyphs(1, of: shaped).count == 1 && !shaped.glyphs.contains { $0.id == 0 })
    #expect(shaped.runs.count == 1 && helper.missing == [0xE47])
  }

  @Test func `boxes part the runs of other faces, and a part of a line is shaped like the whole`() {
    let helper = ShapingHelper()
    let id = helper.add([("fi\u{E123}\u{E124}fi", helper.attributes(families: [.named("Liberation Serif")]), .text)])
    let whole = helper.shape(id)
    #expect(whole.runs.map(\.clusters.count) == [2, 2, 2] && whole.isConsistent(units: 6))
    var part = ShapedText()
    helper.shaper.reshape(1..<5, of: id, in: helper.store, from: whole, into: &part)
    #expect(part.clusters.count == 5 && part.clusters[1].advance == 1000 && part.clusters[2].advance == 1000)
    #expect(glyphs(1, of: part) == box("E123"))
    // Nothing is told twice.
    #expect(helper.missing == [0xE123, 0xE124])
    _ = helper.shape(id)
    #expect(helper.missing == [0xE123, 0xE124])
  }

  @Test func `marks of punctuation that are boxes are not trimmed`() {
    let attributes = helper.attributes(language: "zh") { $0.spacingTrim = .trimBoth }
    let shaped = helper.shape("「（一，」。）", attributes)
    #expect(shaped.clusters.dropLast().allSatisfy { $0.advance == 1000 })
  }

  @Test func `without a font lines have the measures of the last-resort face`() {
    let face = FontBook(library: Self.bare).primaryFace(for: FontDescription())
    #expect(face === Self.bare.lastResort && face.isEmbeddable)
    #expect(face.metrics.ascent == 880 && face.metrics.descent == 120 && face.metrics.spaceAdvance == 250)
    #expect(face.extents(LastResort.box)?.width == 880)
  }
}
