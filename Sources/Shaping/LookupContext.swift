import CHarfBuzz
import Fonts
import Primitives
import Text

/// The lookups of a face that are on in text of one script, language and set of features.
struct LookupPlan: Hashable {
  let face: ObjectIdentifier
  let substitutions: [UInt32]
  /// Each substitution sees what those before it have made.
  let isOrdered: Bool
  let positionings: [UInt32]
  /// The old `kern` table is used, because GPOS does not kern.
  let usesKernTable: Bool
  let isHangul: Bool

  /// - Parameter features: The features turned on or off beside HarfBuzz's own; of two that disagree the latter counts.
  init(face: FontFace, script: Script, language: String?, features: [hb_feature_t]) {
    self.face = ObjectIdentifier(face)
    var active = Self.defaults
    for feature in features {
      if feature.value == 0 { active.remove(feature.tag) } else { active.insert(feature.tag) }
    }
    func lookups(_ table: UInt32) -> FontLookups {
      FontLookups(of: face.hbFace, in: table, script: script.tag, language: language, features: active)
    }
    let substitution = lookups(HarfBuzzTag.gsub)
    substitutions = substitution.indices
    isHangul = script == .hangul
    // HarfBuzz has features of its own for Hangul.
    isOrdered = substitution.isOnePass && !isHangul
    let positioning = lookups(HarfBuzzTag.make("GPOS"))
    positionings = positioning.indices
    usesKernTable = !positioning.hasKerning && active.contains(HarfBuzzTag.kern)
  }

  /// Features that HarfBuzz turns on by itself in horizontal text of simple scripts.
  private static let defaults = Set(
    [
      "rvrn", "ltra", "ltrm", "rand", "Harf", "HARF", "Buzz", "BUZZ", "abvm", "blwm", "ccmp", "locl", "mark", "mkmk",
      "rlig",
      "calt", "clig", "curs", "dist", "kern", "liga", "rclt",
    ].map { (name: StaticString) in HarfBuzzTag.make(name) })
}

/// The reach of a face's lookups in left-to-right text of a simple script: which glyphs are drawn as they are in each
/// other's company but for kerning of pairs, and what reaches across a space.
///
/// Everything is proved from the tables. A glyph is left out when a substitution may
/// change it whatever stands beside it, unless one glyph takes its place always (small capitals); when a positioning other
/// than a pair's advance moves it; or when it is a mark. What follows holds for any sequence of the glyphs that remain: no
/// substitution applies but those of `substitutes`, and each advance is the nominal one plus what the two pairs it stands
/// in add (OpenType 1.9, GSUB and GPOS; `kern`) - unless a pair of `ligatures` is in it.
final class LookupContext {
  enum SpaceReach {
    /// Nothing reaches across the space glyph.
    case none
    /// Only kerning of pairs touches it.
    case kerning
    case unknown
  }

  /// Glyphs of characters that pairs alone position.
  let plain: GlyphSet
  /// Glyphs drawn in the place of plain glyphs.
  let substitutes: [UInt32: UInt32]
  /// Drawn glyphs that stand in pairs.
  let kerned: GlyphSet
  /// Glyphs that stand in no substitution: none reaches across them.
  let barriers: GlyphSet
  /// Glyphs that a substitution names, or that a positioning other than a pair's moves; nil where nothing is proved.
  private let touched: GlyphSet?
  /// `plain` and `barriers` hold the ideographs too. There are thousands of them, and seldom has a face rules that make
  /// it necessary to look at each: else one is plain when no lookup names it.
  private let listsIdeographs: Bool
  private let hbFace: HarfBuzzFace
  /// Pairs change first glyphs only (the `kern` table shares its values out).
  let changesFirstOnly: Bool
  /// Pairs of drawn glyphs without which no other substitution applies, first glyph in the upper half: the first two of a
  /// ligature, or of what a contextual rule looks for.
  let ligatures: Set<UInt32>
  let space: SpaceReach

  /// The characters of text in scripts that need no shaping of their own. Marks, joiners, characters that HarfBuzz
  /// treats apart (the soft hyphen, the fraction slash) are not among them.
  private static let candidates: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x370...0x482, 0x48A...0x52F, 0x1E00...0x1FFF, 0x2010...0x2027,
    0x2030...0x2043, 0x20A0...0x20C0, 0x2100...0x218F, 0x2190...0x23FF, 0x2460...0x25FF, 0x2E3A...0x2E3B,
    0x3001...0x3029,
    0x3030...0x3098, 0x309B...0x312F, 0x31F0...0x31FF, 0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
  ]
  private static let ideographs: [ClosedRange<UInt32>] = [0x3400...0x4DBF, 0x4E00...0x9FFF]
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// - Parameter space: `spaceReach(of:plan:)` of the same face and lookups.
  static func find(face: FontFace, plan: LookupPlan, space: SpaceReach) -> LookupContext {
    var mustListIdeographs = false
    var context = LookupContext(face: face, plan: plan, space: space, listsIdeographs: false, &mustListIdeographs)
    if mustListIdeographs {
      context = LookupContext(face: face, plan: plan, space: space, listsIdeographs: true, &mustListIdeographs)
    }
    return context ?? LookupContext(unprovedOf: face)
  }

  /// Lookups that reach across the space glyph, which is told sooner than the rest.
  static func spaceReach(of face: FontFace, plan: LookupPlan) -> SpaceReach {
    let gsub = OpenTypeTable("GSUB", of: face)
    let gpos = OpenTypeTable("GPOS", of: face)
    let space = UInt32(face.glyph(0x20))
    guard space != 0, !isBeyondProof(face, gsub, gpos) else { return .unknown }
    for lookup in plan.substitutions where face.glyphs(ofLookup: lookup, in: HarfBuzzTag.gsub).contains(space) {
      // Korean faces narrow the space between syllables: that concerns no other script.
      if plan.isHangul || fires(lookup, of: face, among: plan.substitutions) { return .unknown }
    }
    var reach = SpaceReach.none
    let pairs = HarfBuzzSet()
    for lookup in plan.positionings {
      let named = face.glyphs(ofLookup: lookup, in: HarfBuzzTag.make("GPOS"))
      switch gpos.type(of: lookup) {
      case 2 where gpos.isAdvanceOnly(lookup):
        pairs.formUnion(named.input)
        if named.input.contains(space) { reach = .kerning }
      // Attachment needs a mark; nor is a space a base worth telling.
      case 4, 5, 6: break
      default: if named.contains(space) { return .unknown }
      }
    }
    if plan.usesKernTable {
      let kern = OpenTypeTable("kern", of: face)
      if kern.count > 0, !kern.collectKerning(into: pairs) { return .unknown }
      if pairs.contains(space) { reach = .kerning }
    }
    return reach
  }

  /// The face does more than what its lookups say: state machines, lookups that change with the axes.
  private static func isBeyondProof(_ face: FontFace, _ gsub: borrowing OpenTypeTable, _ gpos: borrowing OpenTypeTable)
    -> Bool
  {
    ["morx", "mort", "kerx"].contains { OpenTypeTable($0, of: face).count > 0 }
      || gsub.hasFeatureVariations || gpos.hasFeatureVariations
  }

  /// Of a face whose tables prove nothing: no glyph stands alone.
  private init(unprovedOf face: FontFace) {
    hbFace = face.hbFace
    listsIdeographs = false
    ligatures = []
    substitutes = [:]
    touched = nil
    barriers = GlyphSet(count: 0)
    changesFirstOnly = false
    plain = GlyphSet(count: 0)
    kerned = GlyphSet(count: 0)
    space = .unknown
  }

  /// `plain` and `barriers` hold the glyph of a character.
  func standing(of glyph: UInt16, for scalar: UInt32) -> (isPlain: Bool, isBarrier: Bool) {
    guard !listsIdeographs, Self.ideographs.contains(where: { $0.contains(scalar) }) else {
      return (plain.contains(glyph), barriers.contains(glyph))
    }
    guard let touched, !touched.contains(glyph),
      !hbFace.isMark(UInt32(glyph))
    else { return (false, false) }
    return (true, true)
  }

  /// - Parameter mustListIdeographs: Set when a rule is for all glyphs that it does not name.
  /// - Returns: nil where the tables prove nothing.
  private init?(
    face: FontFace, plan: LookupPlan, space: SpaceReach, listsIdeographs: Bool, _ mustListIdeographs: inout Bool
  ) {
    let hbFace = face.hbFace
    let count = face.glyphCount
    self.hbFace = hbFace
    self.listsIdeographs = listsIdeographs
    let gsub = OpenTypeTable("GSUB", of: face)
    let gpos = OpenTypeTable("GPOS", of: face)
    if Self.isBeyondProof(face, gsub, gpos) { return nil }
    let set = HarfBuzzSet()
    let isHangul = plan.isHangul
    let candidates =
      Self.candidates + (isHangul ? [Self.hangul] : []) + (listsIdeographs ? Self.ideographs : [])
    for range in candidates {
      for scalar in range {
        let glyph = UInt32(face.glyph(scalar))
        if glyph != 0 { set.insert(glyph) }
      }
    }
    set.subtract(hbFace.marks)
    let spaceGlyph = UInt32(face.glyph(0x20))
    var forms = GlyphForms(of: set)

    let substituted = HarfBuzzSet()
    for lookup in plan.substitutions {
      let named = face.glyphs(ofLookup: lookup, in: HarfBuzzTag.gsub)
      named.add(to: substituted)
      guard !named.input.isDisjoint(with: forms.current) else { continue }
      switch gsub.type(of: lookup) {
      case 1 where plan.isOrdered && !gsub.skipsNeighbours(lookup):
        let substitutes = gsub.singleSubstitutes(of: lookup, among: forms.current)
        forms.substitute(named.input, by: substitutes) { glyph in
          glyph != 0 && glyph != spaceGlyph && glyph < count && !hbFace.isMark(glyph)
        }
      case 4:
        let singles = HarfBuzzSet()
        let isComplete =
          !gsub.skipsNeighbours(lookup)
          && gsub.forEachLigature(of: lookup) { first, components in
            guard forms.current.contains(first), components.allSatisfy({ forms.current.contains($0) }) else { return }
            if let second = components.first {
              forms.pairs.insert(first << 16 | second)
            } else {
              singles.insert(first)
            }
          }
        if isComplete { forms.drop(singles) } else { forms.drop(named.input) }
      case 5, 6:
        // Of a lookup that is not understood, some pairs too many are named: HarfBuzz is asked about them.
        let triggers =
          gsub.skipsNeighbours(lookup)
          ? nil : gsub.contextTriggers(of: lookup, among: forms.current, addingPairsTo: &forms.pairs)
        if triggers?.namesOthers == true { mustListIdeographs = true }
        if let triggers {
          let singles = HarfBuzzSet()
          for glyph in triggers.singles { singles.insert(glyph) }
          forms.drop(singles)
        } else {
          forms.drop(named.input)
        }
      default:
        forms.drop(named.input)
      }
    }

    let moved = HarfBuzzSet(copying: substituted)
    let pairs = HarfBuzzSet()
    for lookup in plan.positionings {
      let named = face.glyphs(ofLookup: lookup, in: HarfBuzzTag.make("GPOS"))
      switch gpos.type(of: lookup) {
      case 2 where gpos.isAdvanceOnly(lookup):
        pairs.formUnion(named.input)
      // Attachment needs a mark, and there is none in the set.
      case 4, 5, 6: break
      default:
        forms.drop(named.input)
        moved.formUnion(named.input)
      }
    }
    var sharesKerning = false
    if plan.usesKernTable {
      let kern = OpenTypeTable("kern", of: face)
      if kern.count > 0, !kern.collectKerning(into: pairs) {
        return nil
      }
      sharesKerning = kern.count > 0
    }
    changesFirstOnly = !sharesKerning
    ligatures = forms.pairs
    for pair in ligatures {
      pairs.insert(pair >> 16)
      pairs.insert(pair & 0xFFFF)
    }
    plain = GlyphSet(forms.followed, count: count)
    substitutes = forms.substitutes
    let free = HarfBuzzSet(copying: forms.followed)
    free.subtract(substituted)
    barriers = GlyphSet(free, count: count)
    kerned = GlyphSet(pairs, count: count)
    touched = GlyphSet(moved, count: count)
    self.space = space
  }

  /// Blocks of 256 characters with Hangul among others: jamo, tone marks, compatibility and enclosed letters, the last syllables,
  /// halfwidth letters.
  private static let mixedBlocks: [UInt32] = [0x11, 0x30, 0x31, 0x32, 0xA9, 0xD7, 0xFF]
  /// Blocks with nothing but syllables.
  private static let hangulBlocks: ClosedRange<UInt32> = 0xAC...0xD6

  /// The substitution can apply in text without Hangul, all other characters of the face taken together.
  private static func fires(_ lookup: UInt32, of face: FontFace, among lookups: [UInt32]) -> Bool {
    let glyphs = HarfBuzzSet()
    face.forEachMapping { scalars, glyph in
      var scalar = scalars.lowerBound
      while scalar <= scalars.upperBound {
        // Blocks of 256 without Hangul are taken whole: a CJK face has hundreds, and properties of each cost time.
        let last = Swift.min(scalar | 0xFF, scalars.upperBound)
        if Self.hangulBlocks.contains(scalar >> 8) {
          scalar = last + 1
          continue
        }
        if Self.mixedBlocks.contains(scalar >> 8) {
          for one in scalar...last where CharacterProperties(one).script != .hangul {
            glyphs.insert(glyph + (one - scalars.lowerBound))
          }
        } else {
          glyphs.insert(glyph + (scalar - scalars.lowerBound)...glyph + (last - scalars.lowerBound))
        }
        scalar = last + 1
      }
    }
    let all = HarfBuzzSet()
    for other in lookups where other != lookup { all.insert(other) }
    face.hbFace.close(glyphs, under: all)
    let before = glyphs.count
    let own = HarfBuzzSet()
    own.insert(lookup)
    face.hbFace.close(glyphs, under: own)
    guard glyphs.count == before else { return true }
    let output = HarfBuzzSet()
    face.hbFace.collectOutput(of: lookup, in: HarfBuzzTag.gsub, into: output)
    return !output.isDisjoint(with: glyphs)
  }
}
