import Primitives
import Testing

@testable import Fonts

private struct Face: MatchableFace {
  var weight: ClosedRange<UInt16> = 400...400
  var slant: FontSlant = .normal
  var angles: ClosedRange<Float> = 14...14
  var stretch: ClosedRange<Float> = 100...100
}

@Suite struct FontMatchingTests {
  private func best(_ faces: [Face], weight: UInt16 = 400, slant: FontSlant = .normal, stretch: Float = 100) -> Int? {
    FontMatching.order(faces, for: FontDescription(weight: weight, slant: slant, stretch: stretch)).first
  }

  @Test func `Weights follow the specification`() {
    let faces = [100, 300, 500, 700, 900].map { Face(weight: $0...$0) }
    #expect(best(faces, weight: 400) == 2)
    #expect(best(faces, weight: 500) == 2)
    #expect(best(faces, weight: 450) == 2)
    #expect(best(faces, weight: 200) == 0)
    #expect(best(faces, weight: 350) == 1)
    #expect(best(faces, weight: 600) == 3)
    #expect(best(faces, weight: 1000) == 4)
    #expect(best([Face(weight: 300...300), Face(weight: 600...600)], weight: 400) == 0)
    #expect(best([Face(weight: 700...700), Face(weight: 200...650)], weight: 600) == 1)
  }

  @Test func `Slant precedes weight and stretch precedes slant`() {
    let faces = [Face(weight: 700...700), Face(slant: .italic), Face(slant: .oblique)]
    #expect(best(faces, weight: 700, slant: .italic) == 1)
    #expect(best(faces, slant: .oblique) == 2)
    #expect(best(faces) == 0)
    let widths = [Face(slant: .italic, stretch: 75...75), Face(stretch: 100...100), Face(stretch: 125...125)]
    #expect(best(widths, slant: .italic, stretch: 80) == 0)
    #expect(best(widths, stretch: 110) == 2)
  }

  @Test func `Of oblique faces the one of the angle is taken, or the next steeper or flatter one`() {
    let faces = ([(10, 20), (30, 40), (2, 5)] as [(Float, Float)]).map { Face(slant: .oblique, angles: $0.0...$0.1) }
    func best(_ angle: Float) -> Int? {
      FontMatching.order(faces, for: FontDescription(slant: .oblique, obliqueAngle: angle)).first
    }
    #expect([15, 25, 8, 60].map { best($0) } == [0, 1, 2, 1])
  }

  @Test func `Styles are synthetic only where needed`() {
    let bold = FontDescription(weight: 700, slant: .italic)
    #expect(FontMatching.needsBold(400...400, bold))
    #expect(!FontMatching.needsBold(100...900, bold))
    #expect(!FontMatching.needsBold(400...400, FontDescription(weight: 500)))
    #expect(FontMatching.needsOblique(.normal, isCJK: false, bold))
    #expect(!FontMatching.needsOblique(.normal, isCJK: true, bold))
    #expect(!FontMatching.needsOblique(.normal, isCJK: false, FontDescription(slant: .italic, synthesizesStyle: false)))
  }

  @Test func `Oblique angles are those asked for where the face has them`() {
    let leaning = FontDescription(slant: .oblique, obliqueAngle: 30)
    let face = Face(slant: .oblique, angles: 0...20)
    let slnt = UInt32(tag: "slnt")
    func value(_ description: FontDescription) -> Float? {
      FontMatching.variations(of: face, description).last { $0.tag == slnt }?.value
    }
    #expect([leaning, FontDescription(slant: .italic), FontDescription()].map(value) == [-20, -14, 0])
    // A face that can stand upright is as good as an upright one.
    #expect(FontMatching.order([face, Face()], for: FontDescription()) == [0, 1])
    #expect(FontMatching.order([Face(slant: .oblique), Face()], for: FontDescription()) == [1, 0])
    #expect(FontMatching.syntheticSlant(.normal, isCJK: false, leaning) == 30)
    #expect(FontMatching.syntheticSlant(.normal, isCJK: false, FontDescription(slant: .italic)) == 14)
    #expect(FontMatching.syntheticSlant(.normal, isCJK: true, leaning) == 0)
    #expect(FontMatching.syntheticSlant(.oblique, isCJK: false, leaning) == 0)
  }

  @Test func `Axes are clamped to the rule and text settings win`() {
    let face = Face(weight: 300...600, slant: .oblique, stretch: 75...100)
    let tag = UInt32.init(tag:)
    let own = [FontSetting(tag: tag("GRAD"), value: 5)]
    let text = [FontSetting(tag: tag("wght"), value: 333)]
    let description = FontDescription(weight: 900, slant: .italic, stretch: 50, variations: text, opticalSize: 12)
    #expect(
      FontMatching.variations(of: face, description, settings: own)
        == [
          FontSetting(tag: tag("wght"), value: 600), FontSetting(tag: tag("wdth"), value: 75),
          FontSetting(tag: tag("slnt"), value: -14), FontSetting(tag: tag("opsz"), value: 12),
        ] + own + text)
  }

  @Test func `Regional Han forms follow the language`() {
    #expect(HanRegion(language: "zh-CN", script: "Hani") == .simplified)
    #expect(HanRegion(language: "zh-Hant", script: "Hani") == .traditional)
    #expect(HanRegion(language: "zh-Hant-HK", script: "Hani") == .hongKong)
    #expect(HanRegion(language: "ja-JP", script: "Hani") == .japanese)
    #expect(HanRegion(language: "en", script: "Hang") == .korean)
    #expect(HanRegion(language: nil, script: "Kana") == .japanese)
  }

  @Test func `Damaged fonts are refused`() {
    #expect(throws: FontError.self) { try FontFile(data: [], name: "empty") }
    #expect(throws: FontError.self) { try FontFile(data: [UInt8](repeating: 7, count: 4096), name: "noise") }
    var directory: [UInt8] = [0, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]
    directory += [UInt8](repeating: 0xFF, count: 64)
    #expect(throws: FontError.self) { try FontFile(data: directory, name: "lying directory") }
    #expect(throws: FontError.self) {
      try FontFile(data: Array("wOF2".utf8) + [UInt8](repeating: 1, count: 60), name: "lying WOFF")
    }
  }
}
