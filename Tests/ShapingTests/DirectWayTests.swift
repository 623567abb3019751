import CSS
import Primitives
import TestSupport
import Testing
import Text

@testable import Fonts
@testable import Shaping

/// Text set glyph by glyph has the glyphs that HarfBuzz gives the whole text.
@Suite struct DirectWayTests {
  private func tag(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Words with ligatures, kerning, accents, figures and marks, in the scripts that have small capitals.
  private static let words =
    """
    The office affair: fine fluff, waffle fjord Thrift AVATAR To Ty Voltaire. YAWN P.A., V.: r. f’ L’Été “quoted” ‘T’ \
    (brackets) 1,234.5 and/or well-known Qu TT 1st 2º #6 A&B Straße façade Øre Ďábel ľúbosť fíſh IJ ij ıİi Łódź ŉ ǆ \
    Съешь же ещё этих ГОСТ №5 французских Ξεσκεπάζω τὴν ΨΥΧΟΦΘΌΡΑ Ͷ ᏣᎳᎩ ꮳꮃꭹ Հայերեն
    """.split(separator: " ").map(String.init)

  /// Shapes the words in each installed face that has a feature of capitals, if such are asked for, and all of the features.
  ///
  /// - Returns: In how many faces most words were set without HarfBuzz.
  private func compareEveryFace(_ caps: FontVariantCaps = .normal, features: [String] = []) -> Int {
    let settings = features.map { FontSetting(tag: tag($0), value: 1) }
    var met: Set<FontID> = []
    var direct = 0
    for installed in ShapingHelper.library.catalogue.index.faces {
      var request = FontRequest(
        description: FontDescription(
          families: [.named(installed.familyName)], weight: installed.weight.lowerBound, slant: installed.slant,
          stretch: installed.stretch.lowerBound), size: FontSize())
      request.caps = caps
      // Characters that a face lacks stay as they are.
      request.synthesizesSmallCaps = false
      request.features = settings
      let helper = ShapingHelper()
      let face = helper.shaper.fonts.cascade(for: request.description, language: "en").primary
      guard met.insert(face.id).inserted else { continue }
      let known = ShapingFace(face)
      guard caps == .normal || !known.features(of: caps).isEmpty, settings.allSatisfy({ known.hasFeature($0.tag) })
      else { continue }
      let covered = Self.words.filter { $0.unicodeScalars.allSatisfy { face.covers($0.value) } }
      guard covered.count > 1 else { continue }
      let attributes = helper.attributes()
      helper.store.attributes.fonts[helper.store.attributes.fonts.count - 1] = request
      helper.expectSameWays(
        helper.add([(covered.joined(separator: " "), attributes, .text)]), "\(face.file.name) \(face.faceIndex)")
      // The text as a whole was one of the calls.
      if helper.shaper.counters.calls < covered.count / 2 { direct += 1 }
    }
    return direct
  }

  @Test(arguments: [
    FontVariantCaps.normal, .smallCaps, .allSmallCaps, .petiteCaps, .allPetiteCaps, .unicase, .titlingCaps,
  ])
  func `A face's own capitals are those of the whole text, in every face`(_ caps: FontVariantCaps) {
    let direct = compareEveryFace(caps)
    if caps == .normal || caps == .smallCaps || caps == .allSmallCaps { #expect(direct > 0) }
  }

  @Test(arguments: [
    ["onum"], ["lnum", "tnum"], ["sups"], ["case"], ["ss01"], ["salt"], ["dlig", "hist"], ["frac"], ["zero"],
    ["smcp", "onum", "cpsp"], ["swsh"], ["aalt"],
  ])
  func `Features of the text make of words what they make of the whole, in every face`(_ features: [String]) {
    let direct = compareEveryFace(features: features)
    if features == ["onum"] { #expect(direct > 0) }
  }

  @Test(arguments: ["Linux Libertine O", "Noto Serif"], [FontVariantCaps.smallCaps, .allSmallCaps])
  func `Words in small capitals need no HarfBuzz`(_ family: String, _ caps: FontVariantCaps) {
    let helper = ShapingHelper()
    let attributes = helper.attributes(families: [.named(family)], caps: caps)
    let plain = helper.shape("Call me Ishmael, some years ago", helper.attributes(families: [.named(family)]))
    let shaped = helper.shape("Call me Ishmael, some years ago", attributes)
    #expect(helper.shaper.counters.calls == 0)
    #expect(shaped.glyphs.map(\.id) != plain.glyphs.map(\.id))
    // Automatic hyphens go another way.
    _ = helper.shape(
      "Call me Ishmael", helper.attributes(families: [.named(family)], caps: caps) { $0.hyphens = .auto })
    #expect(helper.shaper.counters.calls == 0)
  }

  @Test func `HarfBuzz shapes a short text, the direct way takes over in a long one, and both make the same of it`() {
    let helper = ShapingHelper(provesAtOnce: false)
    let atOnce = ShapingHelper()
    let letters = Array("etaoinshrdlucmfwypvbgkjqxz")
    let text = (0..<300).map { "w\(letters[$0 / 26])o\(letters[$0 % 26])ds" }
    var calls: [Int] = []
    for _ in 0..<2 {
      let start = helper.shaper.counters.calls
      for chunk in 0..<10 {
        let words = text[chunk * 30..<chunk * 30 + 30].joined(separator: " ")
        let (one, other) = (helper.shape(words, helper.attributes()), atOnce.shape(words, atOnce.attributes()))
        #expect(one.glyphs == other.glyphs && one.clusters == other.clusters)
      }
      calls.append(helper.shaper.counters.calls - start)
    }
    #expect(calls[0] > 50 && calls[0] < 300 && calls[1] == 0)
  }

  @Test func `Features of the text that are turned off are not taken for on`() {
    for settings in [
      [("smcp", 0)], [("liga", 0), ("smcp", 1)], [("smcp", 1), ("smcp", 0)], [("onum", 1), ("kern", 0)],
    ] {
      let helper = ShapingHelper()
      let attributes = helper.attributes(families: [.named("Linux Libertine O")], caps: .smallCaps)
      helper.store.attributes.fonts[helper.store.attributes.fonts.count - 1].features = settings.map { name, value in
        FontSetting(tag: tag(name), value: Float(value))
      }
      helper.expectSameWays(
        helper.add([(Self.words.prefix(20).joined(separator: " "), attributes, .text)]), "\(settings)")
    }
  }

  // MARK: Following substitutions

  private func set(_ glyphs: UInt32...) -> HarfBuzzSet {
    let set = HarfBuzzSet()
    for glyph in glyphs { set.insert(glyph) }
    return set
  }

  private func list(_ set: borrowing HarfBuzzSet) -> [UInt32] { (0..<100).filter { set.contains($0) } }

  @Test func `Glyphs are followed through substitutions in their order`() {
    var forms = GlyphForms(of: set(1, 2, 3))
    forms.pairs = [1 << 16 | 2]
    // All at once: 2 becomes what 1 was.
    forms.substitute(set(1, 2, 9), by: [1: 10, 2: 1, 9: 90]) { _ in true }
    #expect(forms.substitutes == [1: 10, 2: 1] && list(forms.current) == [1, 3, 10])
    #expect(forms.pairs == Set<UInt32>([10 << 16 | 1]))
    forms.substitute(set(1), by: [1: 20]) { _ in true }
    #expect(forms.substitutes == [1: 10, 2: 20] && list(forms.followed) == [1, 2, 3])
    #expect(forms.pairs == Set<UInt32>([10 << 16 | 20]))
  }

  @Test func `What was lost is not followed again when another glyph comes to look like it`() {
    var forms = GlyphForms(of: set(1, 2, 3, 4))
    forms.substitute(set(1), by: [1: 10]) { _ in true }
    forms.drop(set(10, 2))
    #expect(list(forms.followed) == [3, 4] && forms.substitutes.isEmpty)
    forms.substitute(set(3, 4), by: [3: 10, 4: 2]) { _ in true }
    #expect(list(forms.followed) == [3, 4] && forms.substitutes == [3: 10, 4: 2])
    // Earlier glyphs do not matter.
    forms.drop(set(4))
    #expect(list(forms.followed) == [3, 4])
  }

  @Test func `What has no substitute that may be drawn is lost`() {
    var forms = GlyphForms(of: set(1, 2, 3))
    forms.substitute(set(1, 2, 3), by: [1: 10, 2: 0]) { $0 != 0 }
    #expect(list(forms.followed) == [1] && list(forms.current) == [10])
  }
}
