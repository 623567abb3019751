import CSS
import Fonts
import Primitives
import TestSupport
import Testing
import Text

@testable import Shaping

/// Rules of shaping by their numbers in the typography checklist, with the machine's fonts.
@Suite struct TypographyRuleTests {
  private func tag(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  /// The glyph ids of a text with a feature set, in Linux Libertine.
  private func glyphs(_ text: String, _ features: [(String, Float)] = [], language: String = "en") -> [UInt16] {
    let helper = ShapingHelper()
    let attributes = helper.attributes(language: language)
    helper.store.attributes.fonts[helper.store.attributes.fonts.count - 1].features = features.map {
      FontSetting(tag: tag($0.0), value: $0.1)
    }
    return helper.shape(text, attributes).glyphs.map(\.id)
  }

  @Test func `L1 Ligatures and kerning are on, and letter-spacing turns off ligatures only`() {
    #expect(glyphs("fi").count == 1)
    #expect(glyphs("fi", [("liga", 0)]).count == 2)
    func width(_ letterSpacing: Float) -> Int32 {
      let helper = ShapingHelper()
      return helper.shape("AVfi", helper.attributes(letterSpacing: letterSpacing)).clusters.prefix(2).reduce(0) {
        $0 + $1.advance
      }
    }
    let helper = ShapingHelper()
    let single = ["A", "V"].reduce(0) { $0 + helper.shape($1, helper.attributes()).clusters[0].advance }
    #expect(width(0) < single)
    #expect(width(2) == width(0))
    #expect(helper.shape("fi", helper.attributes(letterSpacing: 2)).glyphs.count == 2)
  }

  @Test func `L2 Inline boundaries and colours do not part what is shaped`() {
    let helper = ShapingHelper()
    let plain = helper.attributes()
    var colored = helper.store.attributes[plain]
    colored.color = Color(red: 255, green: 0, blue: 0)
    let red = helper.store.attributes.attributes.intern(colored)
    let whole = helper.shape("AVfi", plain)
    let parted = helper.shape(
      helper.add([("A", plain, .text), ("V", red, .text), ("f", plain, .text), ("i", red, .text)]))
    #expect(parted.glyphs == whole.glyphs && parted.runs.count == 1)
  }

  @Test func `J12 On a grid what stands between characters of an em fills whole ems`() {
    func ideographs(_ grid: Bool) -> [Float] {
      let helper = ShapingHelper(settings: ShapingSettings(alignsToGrid: grid))
      let families: [FontFamily] = [.named("Linux Libertine O"), .named("Noto Serif CJK SC")]
      let text = Array("国ab国，“国”。」国i国a b, c国".utf16)
      let shaped = helper.shape(
        String(decoding: text, as: UTF16.self), helper.attributes(families: families, language: "zh"))
      var x: Float = 0
      var found: [Float] = []
      for run in shaped.runs {
        for index in run.clusters {
          if text[Int(shaped.clusters[index].text)] == 0x56FD { found.append(x / 16) }
          x += Float(shaped.clusters[index].advance) * run.scale
        }
      }
      return found
    }
    let columns = ideographs(true)
    #expect(columns.count == 6 && columns.allSatisfy { abs($0 - $0.rounded()) < 0.01 }, "\(columns)")
    #expect(ideographs(false).contains { abs($0 - $0.rounded()) > 0.05 })
  }

  @Test(arguments: ["onum", "smcp", "c2sc", "frac", "sups"])
  func `L3 Features of the text apply`(_ feature: String) {
    #expect(glyphs("Actual 123 1/2", [(feature, 1)]) != glyphs("Actual 123 1/2"))
  }

  @Test func `L5 Text figures and figures of one width are set only when asked for`() {
    #expect(glyphs("1234") == glyphs("1234", [("onum", 0), ("tnum", 0)]))
    #expect(glyphs("1234") != glyphs("1234", [("onum", 1)]))
  }

  @Test func `L4 Small capitals are the face's own, or capitals at seven tenths in whole pixels`() {
    let helper = ShapingHelper()
    let own = helper.shape("ab", helper.attributes(caps: .smallCaps))
    #expect(own.runs[0].size == 16 && own.glyphs.map(\.id) == glyphs("ab", [("smcp", 1)]))
    let made = helper.shape("ab", helper.attributes(families: [.named("Liberation Mono")], caps: .smallCaps))
    #expect(made.runs[0].size == 11)
    let capitals = helper.shape("AB", helper.attributes(families: [.named("Liberation Mono")]))
    #expect(made.glyphs.map(\.id) == capitals.glyphs.map(\.id))
  }

  @Test func `L4 Unicase makes small capitals of capitals only`() {
    let helper = ShapingHelper()
    let own = helper.shape("aB", helper.attributes(caps: .unicase))
    #expect(own.glyphs.map(\.id) == glyphs("aB", [("c2sc", 1)]) && own.glyphs.map(\.id) != glyphs("aB"))
    let made = helper.shape("aB", helper.attributes(families: [.named("Liberation Mono")], caps: .unicase))
    #expect(made.runs.map(\.size) == [16, 11])
  }

  @Test func `L3 font-variant-emoji says how characters are drawn that can be emoji`() {
    func isColor(_ text: String, _ emoji: FontVariantEmoji) -> Bool? {
      let helper = ShapingHelper()
      let attributes = helper.attributes(families: [.named("DejaVu Sans")])
      helper.store.attributes.fonts[helper.store.attributes.fonts.count - 1].emoji = emoji
      return helper.shape(text, attributes).runs.first.flatMap { helper.shaper.fonts.face($0.font)?.isColor }
    }
    #expect(isColor("\u{2764}", .normal) == false && isColor("\u{2764}", .emoji) == true)
    #expect(isColor("\u{2764}\u{FE0F}", .text) == true && isColor("\u{2764}\u{FE0E}", .emoji) == false)
    #expect(isColor("\u{1F600}", .normal) == true && isColor("\u{1F600}", .text) == false)
  }

  private static var hasOldSouthArabian: Bool {
    let helper = ShapingHelper()
    return !helper.shape("\u{10A60}", helper.attributes()).glyphs.contains { $0.id == 0 }
  }

  @Test(.enabled(if: hasOldSouthArabian, "no font for Old South Arabian is installed"))
  func `L6 Fallback takes whole clusters, and what no font has is noted`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes()
    let shaped = helper.shape("a\u{0915}\u{094D}\u{0937}\u{0627}漢\u{10A60}b", attributes)
    #expect(!shaped.glyphs.contains { $0.id == 0 })
    // No face has both the letter and the mark; the mark is what is missing.
    _ = helper.shape("x\u{0E47} \u{10FFFD} \u{10FFFD}", attributes)
    #expect(helper.missing == [0xE47, 0x10FFFD, 0x10FFFD])
  }

  @Test(arguments: [
    // A kashida and the marks of Arabic, the danda of three scripts, the marks of Japanese.
    ("كتـاب، نعم؛ لا؟", "ar", "Noto Naskh Arabic"), ("ـه", "", "Noto Naskh Arabic"),
    ("राम। नाम॥", "hi", "Noto Serif Devanagari"),
    ("।", "", "Noto Serif Devanagari"), ("রাম।", "bn", "Noto Serif Bengali"), ("かな。カナー", "", "Noto Serif CJK JP"),
  ])
  func `M6 Marks of several scripts take the face of the letters beside them`(_ sample: (String, String, String)) {
    let helper = ShapingHelper()
    let shaped = helper.shape(sample.0, helper.attributes(language: sample.1))
    let names = shaped.runs.map { helper.shaper.fonts.face($0.font)?.familyName ?? "" }
    #expect(Set(names).subtracting(["Linux Libertine O"]) == [sample.2])
  }

  @Test func `M6 Ideographs that a face has and lacks by turns make a run for each change of the face`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes(
      families: [.named("LXGW WenKai"), .named("Noto Serif CJK SC")], language: "zh-Hans")
    // U+20021 is in the second face only, in all versions so far.
    let mixed = helper.shape(String(repeating: "国国𠀡，国 国", count: 200), attributes)
    let fonts = mixed.runs.map(\.font)
    #expect(Set(fonts).count == 2)
    #expect(!zip(fonts, fonts.dropFirst()).contains { $0 == $1 })
    #expect(mixed.runs.count == 401)
    // Nothing is shaped twice.
    #expect(helper.shaper.counters.calls <= mixed.runs.count)
  }

  @Test func `Z4 Quotation marks and dashes take the face and the width of their language`() {
    let helper = ShapingHelper()
    func marks(_ text: String, _ language: String) -> [(family: String, em: Double)] {
      let shaped = helper.shape(text, helper.attributes(language: language) { $0.spacingTrim = .spaceAll })
      return shaped.runs.flatMap { run in
        run.clusters.filter { "“”‘’—…·".utf16.contains(Array(text.utf16)[Int(shaped.clusters[$0].text)]) }.map {
          let face = helper.shaper.fonts.face(run.font)
          return (face?.familyName ?? "", Double(shaped.clusters[$0].advance) / Double(face?.metrics.unitsPerEm ?? 1))
        }
      }
    }
    for language in ["zh-Hans", "zh-Hant", "ja"] {
      let found = marks("“中”‘文’—…·", language)
      #expect(found.count == 7 && found.allSatisfy { $0.family.contains("CJK") }, "\(language) \(found)")
      // Japanese faces have narrow quotation marks, which browsers leave as they are.
      if language != "ja" { #expect(found.prefix(6).allSatisfy { $0.em == 1 }, "\(language) \(found)") }
    }
    let english = marks("“a”‘b’…·", "en")
    #expect(english.count == 6 && english.allSatisfy { !$0.family.contains("CJK") })
    #expect(english.prefix(4).allSatisfy { $0.em < 0.6 })
  }

  @Test func `M6 Spaces and marks stay with the face of their neighbours`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes(families: [.generic(.serif)], language: "en")
    #expect(helper.shape("שלום עולם, שלום.", attributes, direction: .rtl).runs.map(\.font).count <= 3)
    let latin = helper.shape("Some words – with “marks”, and 123 (numbers)…", attributes)
    #expect(latin.runs.count == 1)
  }

  @Test(arguments: [
    ("👩‍👩‍👧", true), ("1\u{FE0F}\u{20E3}", true), ("🇩🇪", true), ("❤\u{FE0F}", true), ("❤\u{FE0E}", false),
    ("👍🏽", true), ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", true), ("葛\u{E0101}", false),
  ])
  func `L8 Sequences are single clusters of one face`(_ text: String, _ isColor: Bool) {
    let helper = ShapingHelper()
    let shaped = helper.shape("a\(text)b", helper.attributes(language: "ja"))
    let clusters = shaped.clusters.dropLast().map { Int($0.text) }
    #expect(clusters == [0, 1, 1 + text.utf16.count])
    let run = shaped.runs.first { $0.clusters.contains(1) }
    #expect(run.flatMap { helper.shaper.fonts.face($0.font) }?.isColor == isColor)
    #expect(shaped.offsets(.missingGlyph).isEmpty)
    // A sequence that the face has is one glyph.
    if isColor { #expect(shaped.clusters[2].glyph - shaped.clusters[1].glyph == 1) }
  }

  @Test func `L8 Ideographic variation sequences choose the glyph`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes(families: [.named("Noto Serif CJK JP")], language: "ja")
    #expect(helper.shape("葛\u{E0100}", attributes).glyphs != helper.shape("葛\u{E0101}", attributes).glyphs)
  }

  @Test func `Z5 Han takes the forms of its language`() {
    let shapes = ["zh-hans", "zh-hant", "ja", "ko"].map { language in
      let helper = ShapingHelper()
      let shaped = helper.shape("骨直", helper.attributes(language: language))
      let face = helper.shaper.fonts.face(shaped.runs[0].font)
      return "\(face?.familyName ?? "") \(shaped.glyphs.map(\.id))"
    }
    #expect(Set(shapes).count == 4)
    // A face of one region that has the forms of another shows them where the language asks for it.
    func glyphs(_ language: String) -> [UInt16] {
      let helper = ShapingHelper()
      let attributes = helper.attributes(families: [.named("Noto Serif CJK SC")], language: language)
      return helper.shape("骨", attributes).glyphs.map(\.id)
    }
    #expect(glyphs("ja") != glyphs("zh-hans"))
  }

  @Test func `B1 Spaces and hyphens that bind or free are honoured`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes()
    func breaks(_ text: String) -> [Int] { helper.shape(text, attributes).offsets(.breakBefore) }
    #expect(breaks("a\u{A0}b\u{2060}c\u{202F}d\u{2011}e") == [])
    #expect(breaks("ab\u{200B}cd") == [3])
    #expect(breaks("a b\u{2010}c") == [2, 4])
  }

  @Test func `X3 Letters are kerned across boxes whose text does not wrap`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes { $0.wrapMode = .nowrap }
    let plain = helper.shape("AVAV", attributes)
    let parted = helper.shape(
      helper.add([
        ("", attributes, .open), ("AV", attributes, .text), ("", attributes, .close), ("", attributes, .open),
        ("AV", attributes, .text), ("", attributes, .close),
      ]))
    #expect(parted.glyphs == plain.glyphs)
  }

  @Test func `X3 Arabic letters join across inline boundaries`() {
    let helper = ShapingHelper()
    let plain = helper.attributes(language: "ar")
    var larger = helper.store.attributes[plain]
    larger.color = Color(red: 255, green: 0, blue: 0)
    let red = helper.store.attributes.attributes.intern(larger)
    let whole = helper.shape("سلام", plain, direction: .rtl)
    let parted = helper.shape(helper.add([("سل", plain, .text), ("ام", red, .text)], direction: .rtl))
    #expect(parted.glyphs == whole.glyphs)
    // Also where the boundary changes the font.
    let bold = helper.attributes(families: [.named("Noto Sans Arabic")], language: "ar")
    let mixed = helper.shape(helper.add([("سل", plain, .text), ("ام", bold, .text)], direction: .rtl))
    let alone = helper.shape("سل", plain, direction: .rtl)
    #expect(mixed.glyphs.prefix(2).map(\.id) != alone.glyphs.prefix(2).map(\.id))
  }

  @Test(arguments: [
    ("hi", "क्षत्रिय", 3), ("th", "กำลัง", 3), ("km", "ក្រុង", 3), ("my", "မြန်မာ", 4), ("bo", "བོད་", 3), ("ta", "நிலா", 2),
  ])
  func `X4 Clusters of complex scripts are not broken`(_ language: String, _ text: String, _ clusters: Int) {
    let helper = ShapingHelper()
    let shaped = helper.shape(text, helper.attributes(language: language))
    #expect(shaped.isConsistent(units: text.utf16.count))
    #expect(shaped.clusterCount == clusters && shaped.runs.count == 1)
    #expect(!shaped.glyphs.contains { $0.id == 0 })
  }
}
