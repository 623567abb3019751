import CSS
import Fonts
import Primitives
import TestSupport
import Testing
import Text

@testable import Shaping

@Suite struct ShaperTests {
  static let samples: [(String, String)] = [
    ("en", "The office affair: fine fluff, AVATAR To Ty “quoted” (brackets) 1,234.5 and/or well-known."),
    ("de", "Größe, Straße, Übermaß; Auflage fünf – „Zitat“."),
    ("ru", "Съешь же ещё этих мягких французских булок, да выпей чаю. 123 № 5"),
    ("el", "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία."),
    ("zh-hans", "他说：“你好，world。”——然后……走了（真的）。"),
    ("zh-hant", "「你好，世界。」他說：骨直令遍。"),
    ("ja", "これは「テスト」です。ページをめくると、ABCが見えた。"),
    ("ko", "다람쥐 헌 쳇바퀴에 타고파. 漢字 English."),
    ("ar", "السلام عليكم، هذا نص عربي 123 لا إله."),
    ("he", "שָׁלוֹם עוֹלָם (abc) 12."),
    ("hi", "नमस्ते दुनिया, क्षत्रिय प्रार्थना।"),
    ("th", "ภาษาไทยง่ายนิดเดียว"),
    ("en", "emoji 👩‍👩‍👧 ❤️ 🇩🇪 1️⃣ ok"),
  ]

  /// Words from the cache and ideographs taken directly are what HarfBuzz makes of the whole run.
  @Test(arguments: samples) func `Cached equals whole`(_ sample: (String, String)) {
    for families: [FontFamily] in [
      [.generic(.serif)], [.generic(.sansSerif)], [.named("DejaVu Serif")], [.named("Noto Serif CJK SC")],
      [.named("Liberation Serif")],
    ] {
      let helper = ShapingHelper()
      let attributes = helper.attributes(families: families, language: sample.0)
      let direction: TextDirection = sample.0 == "ar" || sample.0 == "he" ? .rtl : .ltr
      let id = helper.add([(sample.1, attributes, .text)], direction: direction)
      helper.expectSameWays(id, "\(families)")
    }
  }

  @Test func `Break flags and hyphens stand at their characters`() {
    let helper = ShapingHelper()
    let plain = helper.attributes()
    let shaped = helper.shape("co\u{AD}op well-known  end", plain)
    #expect(shaped.offsets(.breakBefore) == [3, 6, 11, 18])
    #expect(shaped.offsets(.hyphenBreakBefore) == [3])
    #expect(shaped.offsets(.ignorable) == [2])
    #expect(shaped.offsets(.space) == [5, 16, 17])
    let nowrap = helper.attributes { $0.wrapMode = .nowrap }
    #expect(helper.shape("a b-c d", nowrap).offsets(.breakBefore) == [])
    let hyphen = helper.shaper.hyphen(for: shaped.runs[0], in: helper.store)
    #expect(hyphen.glyphs.count == 1 && hyphen.advance > 0)
  }

  /// Needs the English and German patterns of the system.
  @Test func `Words are hyphenated by their language`() {
    let helper = ShapingHelper()
    let english = helper.attributes { $0.hyphens = .auto }
    let shaped = helper.shape("“Hyphenation,” HYPHENATION well-hyphenated table2table", english)
    guard !helper.shaper.languagesWithoutPatterns.contains("en") else { return }
    #expect(shaped.offsets(.automaticHyphen) == [3, 7])
    #expect(shaped.offsets(.hyphenBreakBefore) == [3, 7])
    let manual = helper.attributes()
    #expect(helper.shape("“Hyphenation,”", manual).offsets(.automaticHyphen) == [])
    let narrow = helper.attributes {
      $0.hyphens = .auto
      $0.hyphenateLimitChars = [5, 3, 5]
    }
    #expect(helper.shape("Hyphenation", narrow).offsets(.automaticHyphen) == [6])
    // A ligature with a point inside has a cluster on each side.
    let libertine = helper.attributes(families: [.named("Linux Libertine O")]) { $0.hyphens = .auto }
    let office = helper.shape("officer", libertine)
    #expect(office.offsets(.automaticHyphen) == [2, 4])
    #expect(office.clusters[2].flags.contains(.unsafeToBreakBefore))
    let unknown = helper.attributes(language: "tlh") { $0.hyphens = .auto }
    _ = helper.shape("word", unknown)
    #expect(helper.shaper.languagesWithoutPatterns == ["tlh"])
  }

  @Test func `Boundaries of inline boxes do not split words`() {
    let helper = ShapingHelper()
    let first = helper.attributes()
    // Another colour: the same shaping.
    var red = helper.store.attributes[first]
    red.color = Color(red: 255, green: 0, blue: 0)
    let second = helper.store.attributes.attributes.intern(red)
    let whole = helper.shape("AVfi", first)
    let split = helper.shape(
      helper.add([("A", first, .text), ("", first, .open), ("V", second, .text), ("fi", first, .text)]))
    #expect(split.glyphs == whole.glyphs)
    #expect(split.runs.count == 1)
  }

  @Test func `Objects and forced breaks stand by themselves`() {
    let helper = ShapingHelper()
    let plain = helper.attributes()
    let id = helper.add([
      ("ab", plain, .text), ("\u{FFFC}", plain, .object), ("c", plain, .text), ("\u{2028}", plain, .lineBreak),
      ("d", plain, .text),
    ])
    let shaped = helper.shape(id)
    #expect(shaped.isConsistent(units: 6))
    #expect(shaped.offsets(.object) == [2, 4])
    #expect(shaped.offsets(.mandatoryBreakBefore) == [5])
    #expect(shaped.offsets(.breakBefore) == [2, 3, 5])
  }

  @Test func `Ligatures give way to letter spacing`() {
    let helper = ShapingHelper()
    let families: [FontFamily] = [.named("Linux Libertine O")]
    let ligature = helper.shape("fi", helper.attributes(families: families))
    let spaced = helper.shape("fi", helper.attributes(families: families, letterSpacing: 2))
    #expect(spaced.glyphs.count == 2)
    #expect(ligature.glyphs.count == 1)
    // A ligature has a cluster for each letter, and breaking it needs shaping anew.
    #expect(ligature.clusterCount == 2)
    #expect(ligature.clusters[1].flags.contains(.unsafeToBreakBefore))
  }

  @Test func `Slices are shaped anew where they must be`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes(families: [.named("Linux Libertine O")])
    let id = helper.add([("office affair", attributes, .text)])
    let shaped = helper.shape(id)
    var lines = ShapedText()
    let first = helper.shaper.reshape(0..<2, of: id, in: helper.store, from: shaped, into: &lines)
    let second = helper.shaper.reshape(2..<13, of: id, in: helper.store, from: shaped, into: &lines)
    #expect(first == 0..<2)
    #expect(second.lowerBound == 3)
    #expect(lines.clusters[second.lowerBound].text == 2)
    #expect(lines.runs.count == 2)
    #expect(lines.glyphs[Int(lines.clusters[1].glyph)].id == helper.shape("f", attributes).glyphs[0].id)
    #expect(lines.clusters.last?.glyph == UInt32(lines.glyphs.count))
  }

  @Test func `Arabic joins across lines`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes(language: "ar")
    let id = helper.add([("ببب", attributes, .text)], direction: .rtl)
    let shaped = helper.shape(id)
    #expect(shaped.runs[0].level == 1)
    var lines = ShapedText()
    helper.shaper.reshape(0..<1, of: id, in: helper.store, from: shaped, into: &lines)
    #expect(lines.glyphs.first?.id == shaped.glyphs[0].id)
  }

  @Test func `Small capitals are the face's or made`() {
    let helper = ShapingHelper()
    let real = helper.shape("Abß", helper.attributes(families: [.named("Linux Libertine O")], caps: .smallCaps))
    #expect(real.runs.count == 1)
    let synthetic = helper.shape("Abß", helper.attributes(families: [.named("DejaVu Serif")], caps: .smallCaps))
    #expect(synthetic.runs.count == 2)
    #expect(synthetic.runs[1].size == 11)
    #expect(synthetic.isConsistent(units: 3))
    let capitals = helper.shape("BSS", helper.attributes(families: [.named("DejaVu Serif")]))
    #expect(synthetic.glyphs[1...].map(\.id) == capitals.glyphs.map(\.id))
  }

  @Test func `Letters of formulas have the glyphs of italic ones, and stay what they are`() {
    let helper = ShapingHelper()
    let upright = helper.attributes(families: [.named("DejaVu Serif")])
    let italic = helper.attributes(families: [.named("DejaVu Serif")]) { $0.mathAlphabet = .italic }
    let plain = helper.attributes(families: [.named("Linux Libertine O")]) { $0.mathAlphabet = .italic }
    let shaped = helper.shape("x1", italic)
    #expect(shaped.isConsistent(units: 2))
    #expect(shaped.glyphs.map(\.id) == helper.shape("\u{1D465}1", upright).glyphs.map(\.id))
    #expect(shaped.runs.allSatisfy { $0.size == shaped.runs[0].size })
    // A face without such letters keeps its own.
    let letters = helper.shape("ä", plain).glyphs.map(\.id)
    #expect(letters == helper.shape("ä", helper.attributes(families: [.named("Linux Libertine O")])).glyphs.map(\.id))
  }

  @Test func `Letters of an alphabet have its glyphs, and others those of their own`() {
    let helper = ShapingHelper()
    let plain = helper.attributes(families: [.named("DejaVu Serif")])
    func shape(_ text: String, _ alphabet: MathAlphabet) -> [UInt16] {
      let shaped = helper.shape(
        text, helper.attributes(families: [.named("DejaVu Serif")]) { $0.mathAlphabet = alphabet })
      #expect(shaped.isConsistent(units: text.utf16.count))
      return shaped.glyphs.map(\.id)
    }
    #expect(
      shape("RA1\u{E4}", .doubleStruck) == helper.shape("\u{211D}\u{1D538}\u{1D7D9}\u{E4}", plain).glyphs.map(\.id))
    #expect(shape("1", .doubleStruck) != shape("1", .monospace))
  }

  @Test func `Subscripts and superscripts are made where the face has none`() {
    func shape(_ family: String, _ position: FontVariantPosition) -> ShapedText {
      let helper = ShapingHelper()
      let attributes = helper.attributes(families: [.named(family)])
      helper.store.attributes.fonts[helper.store.attributes.fonts.count - 1].synthesizedPosition = position
      return helper.shape("a2", attributes)
    }
    let plain = shape("DejaVu Sans Mono", .normal)
    let raised = shape("DejaVu Sans Mono", .super)
    #expect(raised.glyphs.map(\.id) == plain.glyphs.map(\.id))
    #expect(raised.runs[0].size < plain.runs[0].size * 0.8 && raised.runs[0].scale < plain.runs[0].scale * 0.8)
    #expect(raised.glyphs.allSatisfy { $0.yOffset > 0 })
    #expect(shape("DejaVu Sans Mono", .sub).glyphs.allSatisfy { $0.yOffset < 0 })
    // Linux Libertine has superior figures and letters.
    #expect(shape("Linux Libertine O", .super).runs[0].size == plain.runs[0].size)
  }

  @Test func `Shared marks take the face of the language`() {
    let helper = ShapingHelper()
    let families: [FontFamily] = [.named("Linux Libertine O"), .named("Noto Serif CJK SC")]
    let chinese = helper.shape("“中文”", helper.attributes(families: families, language: "zh-hans"))
    #expect(chinese.runs.count == 1)
    #expect(chinese.clusters[0].advance == 1000)
    let english = helper.shape("“a”", helper.attributes(families: families, language: "en"))
    #expect(english.runs.count == 1)
    #expect(english.runs[0].font != chinese.runs[0].font)
  }

  @Test func `Missing characters are noted`() {
    let helper = ShapingHelper()
    let shaped = helper.shape("a\u{E123} \u{E123}", helper.attributes())
    #expect(shaped.offsets(.missingGlyph) == [1, 3])
    #expect(helper.missing == [0xE123, 0xE123])
  }

  /// Hostile lengths take time in proportion.
  @Test(.timeLimit(.minutes(60))) func `Long inputs are shaped in pieces`() {
    let helper = ShapingHelper()
    let attributes = helper.attributes()
    for text in [
      String(repeating: "a", count: 200_000), String(repeating: "漢", count: 200_000),
      "a" + String(repeating: "\u{301}", count: 60_000), String(repeating: "\u{AD}", count: 200_000),
      String(repeating: "\u{202B}", count: 10_000), String(repeating: "\u{2067}", count: 6_000) + "x",
      String(repeating: "a\u{AD}", count: 100_000), String(repeating: "ا", count: 100_000),
      String(repeating: "\u{200D}👩", count: 20_000), String(repeating: "(", count: 100_000),
    ] {
      #expect(helper.shape(text, attributes).isConsistent(units: text.utf16.count))
    }
  }

  @Test
  func `A word looks the same whatever was shaped before it, in whatever face`() {
    let families = ["Liberation Sans", "Liberation Serif", "DejaVu Sans", "Noto Serif", "Linux Libertine O"]
    for earlier in families {
      for family in families {
        let fresh = ShapingHelper()
        let alone = fresh.shape("infinite", fresh.attributes(families: [.named(family)]))
        let used = ShapingHelper()
        // Brackets keep these from the quick way of Latin words; spaces are around them.
        _ = used.shape("(Ta) (Ve) (We) ", used.attributes(families: [.named(earlier)]))
        let later = used.shape("infinite", used.attributes(families: [.named(family)]))
        #expect(later.glyphs == alone.glyphs, "\(family) after \(earlier)")
      }
    }
  }
}
