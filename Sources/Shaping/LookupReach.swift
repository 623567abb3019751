import CHarfBuzz
import Fonts
import Primitives
import Text

/// How far the lookups of a face reach in left-to-right text of one script, language and set of features: which glyphs
/// are drawn as they are in each other's company but for kerning of pairs, and what reaches across a space.
///
/// Everything is proved from the tables. A glyph is left out when a substitution other
/// than a ligature may change it among glyphs of the set, when a positioning other than a pair's advance moves it, or when it is a mark. What follows holds for
/// any sequence of the glyphs that remain: no substitution applies, and each advance is the nominal one plus what the two
/// pairs it stands in add (OpenType 1.9, GSUB and GPOS; `kern`) - unless a pair of `ligatures` is in it.
final class LookupReach {
  enum SpaceReach {
    /// Nothing reaches across the space glyph.
    case none
    /// Only kerning of pairs touches it.
    case kerning
    case unknown
  }

  /// Glyphs that pairs alone position.
  let plain: GlyphSet
  /// Glyphs that stand in pairs.
  let kerned: GlyphSet
  /// Glyphs that stand in no substitution: none reaches across them.
  let barriers: GlyphSet
  /// Whether pairs change first glyphs only (the `kern` table shares its values out).
  let changesFirstOnly: Bool
  /// Pairs of plain glyphs that start a ligature, first glyph in the upper half.
  let ligatures: Set<UInt32>
  let space: SpaceReach

  /// Features that HarfBuzz turns on by itself in horizontal text of simple scripts.
  private static let defaults: [UInt32] = [
    "rvrn", "ltra", "ltrm", "rand", "Harf", "HARF", "Buzz", "BUZZ", "abvm", "blwm", "ccmp", "locl", "mark", "mkmk",
    "rlig",
    "calt", "clig", "curs", "dist", "kern", "liga", "rclt",
  ].map { (name: StaticString) in HarfBuzzTag.make(name) }

  /// The characters of text in scripts that need no shaping of their own. Marks, joiners, characters that HarfBuzz
  /// treats apart (the soft hyphen, the fraction slash) are not among them.
  private static let candidates: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x370...0x482, 0x48A...0x52F, 0x1E00...0x1FFF, 0x2010...0x2027,
    0x2030...0x2043, 0x20A0...0x20C0, 0x2100...0x218F, 0x2190...0x23FF, 0x2460...0x25FF, 0x2E3A...0x2E3B,
    0x3001...0x3029,
    0x3030...0x3098, 0x309B...0x312F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xFE30...0xFE4F,
    0xFF01...0xFF60,
    0xFFE0...0xFFE6,
  ]
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  init(face: FontFace, script: UInt32, language: String?, features: [UInt32], usesKerning: Bool) {
    let hbFace = face.hbFace
    let count = face.glyphCount
    let gsub = OpenTypeTable(face: hbFace, name: "GSUB")
    let gpos = OpenTypeTable(face: hbFace, name: "GPOS")
    let hasStateMachines = ["morx", "mort", "kerx"].contains { OpenTypeTable(face: hbFace, name: $0).count > 0 }
    if hasStateMachines || gsub.hasFeatureVariations || gpos.hasFeatureVariations {
      ligatures = []
      barriers = GlyphSet(count: 0)
      changesFirstOnly = false
      plain = GlyphSet(count: 0)
      kerned = GlyphSet(count: 0)
      space = .unknown
      return
    }
    let set = HarfBuzzSet()
    let isHangul = script == Script.hangul.tag
    for range in isHangul ? Self.candidates + [Self.hangul] : Self.candidates {
      for scalar in range {
        let glyph = UInt32(face.glyph(scalar))
        if glyph != 0, hb_ot_layout_get_glyph_class(hbFace, glyph) != HB_OT_LAYOUT_GLYPH_CLASS_MARK {
          set.insert(glyph)
        }
      }
    }
    let spaceGlyph = UInt32(face.glyph(0x20))
    var reach = spaceGlyph == 0 ? SpaceReach.unknown : .none
    let active = Self.defaults + features
    var ligaturePairs: Set<UInt32> = []

    let substituted = HarfBuzzSet()
    let substitutions = Self.lookups(hbFace, HarfBuzzTag.gsub, script, language, active).indices
    for lookup in substitutions {
      let before = HarfBuzzSet()
      let input = HarfBuzzSet()
      let after = HarfBuzzSet()
      let output = HarfBuzzSet()
      hb_ot_layout_lookup_collect_glyphs(
        hbFace, HarfBuzzTag.gsub, lookup, before.pointer, input.pointer, after.pointer, output.pointer)
      if before.contains(spaceGlyph) || input.contains(spaceGlyph) || after.contains(spaceGlyph), reach != .unknown {
        // Korean faces narrow the space between syllables: that concerns no other script.
        if isHangul || Self.fires(lookup, of: face, among: substitutions, output) { reach = .unknown }
      }
      substituted.formUnion(before)
      substituted.formUnion(input)
      substituted.formUnion(after)
      guard !input.isDisjoint(with: set) else { continue }
      switch gsub.type(of: lookup) {
      case 4:
        let singles = HarfBuzzSet()
        let isComplete =
          !gsub.skipsNeighbours(lookup)
          && gsub.forEachLigature(of: lookup) { first, components in
            guard set.contains(first), components.allSatisfy({ set.contains($0) }) else { return }
            if let second = components.first {
              ligaturePairs.insert(first << 16 | second)
            } else {
              singles.insert(first)
            }
          }
        set.subtract(isComplete ? singles : input)
      case 5, 6, 8:
        // A dotless i and the like, made only before marks: rather without it than without the i.
        set.subtract(output)
        let closure = HarfBuzzSet()
        closure.formUnion(set)
        hb_ot_layout_lookup_substitute_closure(hbFace, lookup, closure.pointer)
        if hb_set_is_equal(closure.pointer, set.pointer) == 0 { set.subtract(input) }
      default:
        set.subtract(input)
      }
    }

    let pairs = HarfBuzzSet()
    let positioning = Self.lookups(hbFace, HarfBuzzTag.make("GPOS"), script, language, active)
    for lookup in positioning.indices {
      let before = HarfBuzzSet()
      let input = HarfBuzzSet()
      let after = HarfBuzzSet()
      hb_ot_layout_lookup_collect_glyphs(
        hbFace, HarfBuzzTag.make("GPOS"), lookup, before.pointer, input.pointer, after.pointer, nil)
      switch gpos.type(of: lookup) {
      case 2 where gpos.isAdvanceOnly(lookup):
        pairs.formUnion(input)
        if input.contains(spaceGlyph), reach == .none { reach = .kerning }
        continue
      case 4, 5, 6:
        // Attachment needs a mark, and there is none in the set; nor is a space a base worth telling.
        continue
      default:
        set.subtract(input)
      }
      if before.contains(spaceGlyph) || input.contains(spaceGlyph) || after.contains(spaceGlyph) { reach = .unknown }
    }
    var sharesKerning = false
    if !positioning.hasKerning, usesKerning {
      let kern = OpenTypeTable(face: hbFace, name: "kern")
      if kern.count > 0, !kern.collectKerning(into: pairs) {
        ligatures = []
        barriers = GlyphSet(count: 0)
        changesFirstOnly = false
        plain = GlyphSet(count: 0)
        kerned = GlyphSet(count: 0)
        space = .unknown
        return
      }
      if pairs.contains(spaceGlyph), reach == .none { reach = .kerning }
      sharesKerning = kern.count > 0
    }
    changesFirstOnly = !sharesKerning
    ligatures = ligaturePairs
    for pair in ligaturePairs {
      pairs.insert(pair >> 16)
      pairs.insert(pair & 0xFFFF)
    }
    plain = GlyphSet(set.pointer, count: count)
    let free = HarfBuzzSet()
    free.formUnion(set)
    free.subtract(substituted)
    barriers = GlyphSet(free.pointer, count: count)
    kerned = GlyphSet(pairs.pointer, count: count)
    space = reach
  }

  /// Whether a substitution can apply in text without Hangul, all other characters of the face taken together.
  private static func fires(
    _ lookup: UInt32, of face: FontFace, among lookups: [UInt32], _ output: borrowing HarfBuzzSet
  ) -> Bool {
    let characters = HarfBuzzSet()
    hb_face_collect_unicodes(face.hbFace, characters.pointer)
    let glyphs = HarfBuzzSet()
    var scalar = hb_codepoint_t.max
    while hb_set_next(characters.pointer, &scalar) != 0 {
      if CharacterProperties(scalar).script != .hangul { glyphs.insert(UInt32(face.glyph(scalar))) }
    }
    let all = HarfBuzzSet()
    for other in lookups where other != lookup { all.insert(other) }
    hb_ot_layout_lookups_substitute_closure(face.hbFace, all.pointer, glyphs.pointer)
    let before = hb_set_get_population(glyphs.pointer)
    hb_ot_layout_lookup_substitute_closure(face.hbFace, lookup, glyphs.pointer)
    return hb_set_get_population(glyphs.pointer) != before || !output.isDisjoint(with: glyphs)
  }

  /// The lookups that features turn on, in order.
  private static func lookups(
    _ face: OpaquePointer, _ table: UInt32, _ script: UInt32, _ language: String?, _ active: [UInt32]
  ) -> (indices: [UInt32], hasKerning: Bool) {
    var scriptTags = [hb_tag_t](repeating: 0, count: 3)
    var languageTags = [hb_tag_t](repeating: 0, count: 3)
    var scriptCount: UInt32 = 3
    var languageCount: UInt32 = 3
    hb_ot_tags_from_script_and_language(
      hb_script_from_iso15924_tag(script), language.flatMap { hb_language_from_string($0, -1) }, &scriptCount,
      &scriptTags,
      &languageCount, &languageTags)
    var scriptIndex: UInt32 = 0
    var chosen: hb_tag_t = 0
    hb_ot_layout_table_select_script(face, table, scriptCount, scriptTags, &scriptIndex, &chosen)
    var languageIndex: UInt32 = 0
    hb_ot_layout_script_select_language(face, table, scriptIndex, languageCount, languageTags, &languageIndex)

    var features: [UInt32] = []
    var hasKerning = false
    var required: UInt32 = 0
    if hb_ot_layout_language_get_required_feature_index(face, table, scriptIndex, languageIndex, &required) != 0 {
      features.append(required)
    }
    let total = hb_ot_layout_language_get_feature_indexes(face, table, scriptIndex, languageIndex, 0, nil, nil)
    if total > 0 {
      var indices = [UInt32](repeating: 0, count: Int(total))
      var count = total
      hb_ot_layout_language_get_feature_indexes(face, table, scriptIndex, languageIndex, 0, &count, &indices)
      var tags = [hb_tag_t](repeating: 0, count: Int(total))
      var tagCount = total
      hb_ot_layout_language_get_feature_tags(face, table, scriptIndex, languageIndex, 0, &tagCount, &tags)
      for position in 0..<Int(Swift.min(count, tagCount)) where active.contains(tags[position]) {
        features.append(indices[position])
        if tags[position] == HarfBuzzTag.kern { hasKerning = true }
      }
    }
    let lookups = HarfBuzzSet()
    for feature in features {
      let lookupTotal = hb_ot_layout_feature_get_lookups(face, table, feature, 0, nil, nil)
      guard lookupTotal > 0 else { continue }
      var list = [UInt32](repeating: 0, count: Int(lookupTotal))
      var count = lookupTotal
      hb_ot_layout_feature_get_lookups(face, table, feature, 0, &count, &list)
      for lookup in list.prefix(Int(count)) { lookups.insert(lookup) }
    }
    var result: [UInt32] = []
    var lookup = hb_codepoint_t.max
    while hb_set_next(lookups.pointer, &lookup) != 0 { result.append(lookup) }
    return (result, hasKerning)
  }
}

/// The bytes of a layout table, read with bounds checks: what HarfBuzz's interface does not tell.
private struct OpenTypeTable: ~Copyable {
  private let blob: OpaquePointer?
  private let bytes: UnsafeRawBufferPointer
  private let extensionType: Int

  init(face: OpaquePointer, name: StaticString) {
    blob = hb_face_reference_table(face, HarfBuzzTag.make(name))
    var length: UInt32 = 0
    let data = hb_blob_get_data(blob, &length)
    bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length))
    extensionType = HarfBuzzTag.make(name) == HarfBuzzTag.gsub ? 7 : 9
  }
  deinit { hb_blob_destroy(blob) }

  var count: Int { bytes.count }

  private func half(_ offset: Int) -> Int {
    guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
    return Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }
  private func word(_ offset: Int) -> Int {
    guard offset >= 0, offset + 4 <= bytes.count else { return 0 }
    return Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Whether lookups change with the axes of a variable face.
  var hasFeatureVariations: Bool { bytes.count >= 14 && half(2) >= 1 && word(10) != 0 }

  private func offset(of lookup: UInt32) -> Int {
    let list = half(8)
    guard list > 0, Int(lookup) < half(list) else { return -1 }
    return list + half(list + 2 + 2 * Int(lookup))
  }

  /// The type and offset of each subtable, behind extensions (GSUB type 7, GPOS type 9).
  private func subtables(of lookup: UInt32) -> [(type: Int, offset: Int)] {
    let start = offset(of: lookup)
    guard start >= 0 else { return [] }
    let type = half(start)
    return (0..<half(start + 4)).map { index in
      let subtable = start + half(start + 6 + 2 * index)
      let isExtension = type == extensionType && half(subtable) == 1
      return isExtension ? (half(subtable + 2), subtable + word(subtable + 4)) : (type, subtable)
    }
  }

  /// The type of a lookup's subtables; 0 when they are of several types or there are none.
  func type(of lookup: UInt32) -> Int {
    let all = subtables(of: lookup)
    guard let first = all.first, all.allSatisfy({ $0.type == first.type }) else { return 0 }
    return first.type
  }

  /// Calls `body` with each ligature's first glyph and the others (GSUB type 4).
  ///
  /// - Returns: Whether all were visited; a table that claims absurdly many is left.
  func forEachLigature(of lookup: UInt32, _ body: (UInt32, [UInt32]) -> Void) -> Bool {
    var budget = 200_000
    for (_, start) in subtables(of: lookup) {
      let firsts = coverage(start + half(start + 2))
      for index in 0..<half(start + 4) where index < firsts.count {
        let set = start + half(start + 6 + 2 * index)
        for number in 0..<half(set) {
          budget -= 1
          guard budget > 0 else { return false }
          let ligature = set + half(set + 2 + 2 * number)
          let parts = Swift.max(1, half(ligature + 2))
          guard ligature + 4 + 2 * (parts - 1) <= bytes.count else { continue }
          body(firsts[index], (0..<parts - 1).map { UInt32(half(ligature + 4 + 2 * $0)) })
        }
      }
    }
    return true
  }

  /// The glyphs of a Coverage table in its order.
  private func coverage(_ start: Int) -> [UInt32] {
    var glyphs: [UInt32] = []
    let count = half(start + 2)
    switch half(start) {
    case 1: for index in 0..<count { glyphs.append(UInt32(half(start + 4 + 2 * index))) }
    case 2:
      for index in 0..<count {
        let range = start + 4 + 6 * index
        let first = half(range)
        let last = half(range + 2)
        guard first <= last, glyphs.count + last - first < 65536 else { continue }
        for glyph in first...last { glyphs.append(UInt32(glyph)) }
      }
    default: break
    }
    return glyphs
  }

  /// Whether a lookup ignores base glyphs or ligatures, so that what it joins need not be neighbours.
  func skipsNeighbours(_ lookup: UInt32) -> Bool {
    let start = offset(of: lookup)
    return start < 0 || half(start + 2) & 0x06 != 0
  }

  /// Whether a pair lookup (GPOS type 2) only changes advances of first glyphs, and skips nothing but marks.
  func isAdvanceOnly(_ lookup: UInt32) -> Bool {
    !skipsNeighbours(lookup)
      && subtables(of: lookup).allSatisfy { _, subtable in
        half(subtable + 4) & ~0x44 == 0 && half(subtable + 6) == 0
      }
  }

  /// Adds the glyphs of an old `kern` table whose subtables are lists of pairs; false for any other.
  func collectKerning(into pairs: borrowing HarfBuzzSet) -> Bool {
    guard half(0) == 0 else { return false }
    var offset = 4
    for _ in 0..<half(2) {
      let coverage = half(offset + 4)
      // Horizontal kerning values of format 0.
      guard coverage >> 8 == 0, coverage & 0x06 == 0 else { return false }
      let count = half(offset + 6)
      guard offset + 14 + 6 * count <= bytes.count else { return false }
      for pair in 0..<count {
        pairs.insert(UInt32(half(offset + 14 + 6 * pair)))
        pairs.insert(UInt32(half(offset + 16 + 6 * pair)))
      }
      // A long subtable's length overflows its field: the number of pairs tells.
      offset += Swift.max(half(offset + 2), 14 + 6 * count)
    }
    return true
  }
}
