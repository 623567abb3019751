import CHarfBuzz
import CSS
import Fonts
import Primitives
import Text

/// A face as one shaper uses it: what it can do, and advances looked up once.
final class ShapingFace {
  let face: FontFace
  /// Tags of the face's GSUB features, sorted.
  private let substitutions: [UInt32]
  private var advances: [Int32] = []

  init(_ face: FontFace) {
    self.face = face
    substitutions = Set(face.hbFace.featureTags(in: HarfBuzzTag.gsub)).sorted()
  }

  func hasFeature(_ tag: UInt32) -> Bool { substitutions.contains(tag) }

  /// The features of `font-variant-caps` that the face has (CSS Fonts 4, section 6.8).
  func features(of caps: FontVariantCaps) -> [hb_feature_t] {
    let tags: [UInt32]
    switch caps {
    case .normal: return []
    case .smallCaps: tags = [HarfBuzzTag.smcp]
    case .allSmallCaps: tags = [HarfBuzzTag.smcp, HarfBuzzTag.c2sc]
    case .petiteCaps: tags = hasFeature(HarfBuzzTag.pcap) ? [HarfBuzzTag.pcap] : [HarfBuzzTag.smcp]
    case .allPetiteCaps:
      tags =
        hasFeature(HarfBuzzTag.pcap)
        ? [HarfBuzzTag.pcap, HarfBuzzTag.c2pc] : [HarfBuzzTag.smcp, HarfBuzzTag.c2sc]
    case .unicase: tags = hasFeature(HarfBuzzTag.unic) ? [HarfBuzzTag.unic] : [HarfBuzzTag.c2sc]
    case .titlingCaps: tags = [HarfBuzzTag.titl]
    }
    return tags.filter(hasFeature).map { ShapingStyle.feature($0, 1) }
  }

  /// The size of ordinary glyphs that are made subscripts or superscripts, and how far they are raised, in ems of the full
  /// size; nil when the face has glyphs of its own (CSS Fonts 4, section 6.5).
  func synthesis(of position: FontVariantPosition) -> (size: Float, raise: Float)? {
    let isSuper = position == .super
    guard position != .normal, !hasFeature(isSuper ? HarfBuzzTag.sups : HarfBuzzTag.subs) else { return nil }
    func metric(_ tag: hb_ot_metrics_tag_t, in range: ClosedRange<Float>) -> Float? {
      guard let value = face.hbFont.metric(tag) else { return nil }
      let share = Float(value) / Float(Swift.max(1, face.metrics.unitsPerEm))
      return range.contains(share) ? share : nil
    }
    // Values that would not do are those of a file that nobody has looked after.
    if isSuper {
      return (
        metric(HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_SIZE, in: 0.4...0.8) ?? 0.66,
        metric(HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_OFFSET, in: 0.2...0.6) ?? 0.34
      )
    }
    return (
      metric(HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_SIZE, in: 0.4...0.8) ?? 0.66,
      -(metric(HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_OFFSET, in: 0.05...0.4) ?? 0.14)
    )
  }

  // MARK: Vertical lines

  /// Glyphs that `vert` or `vrt2` replaces.
  private lazy var verticalForms: GlyphSet = {
    let input = HarfBuzzSet()
    for lookup in face.hbFace.lookups(of: [HarfBuzzTag.vert, HarfBuzzTag.vrt2], in: HarfBuzzTag.gsub) {
      input.formUnion(face.glyphs(ofLookup: lookup, in: HarfBuzzTag.gsub).input)
    }
    return GlyphSet(input, count: face.glyphCount)
  }()
  private var verticalMetrics: [UInt16: FontFace.VerticalMetrics] = [:]

  /// The face has another glyph for vertical lines.
  func hasVerticalForm(_ glyph: UInt16) -> Bool { verticalForms.contains(glyph) }

  func verticalMetrics(_ glyph: UInt16) -> FontFace.VerticalMetrics {
    if let known = verticalMetrics[glyph] { return known }
    let made = face.verticalMetrics(glyph)
    verticalMetrics[glyph] = made
    return made
  }

  @inline(__always)
  func advance(_ glyph: UInt16) -> Int32 {
    let index = Int(glyph)
    if index < advances.count, advances[index] != Int32.min { return advances[index] }
    return findAdvance(glyph)
  }

  @inline(never)
  private func findAdvance(_ glyph: UInt16) -> Int32 {
    if advances.isEmpty { advances = [Int32](repeating: Int32.min, count: Swift.max(face.glyphCount, 1)) }
    let advance = face.advance(glyph)
    if Int(glyph) < advances.count { advances[Int(glyph)] = advance }
    return advance
  }
}

enum HarfBuzzTag {
  static func make(_ text: StaticString) -> UInt32 { text.tag }
  static let gsub = make("GSUB")
  static let kern = make("kern")
  static let liga = make("liga")
  static let clig = make("clig")
  static let smcp = make("smcp")
  static let c2sc = make("c2sc")
  static let pcap = make("pcap")
  static let c2pc = make("c2pc")
  static let unic = make("unic")
  static let titl = make("titl")
  static let vert = make("vert")
  static let vrt2 = make("vrt2")
  static let subs = make("subs")
  static let sups = make("sups")
  static let hwid = make("hwid")
  static let twid = make("twid")
  static let qwid = make("qwid")
}

/// Traits of a grapheme cluster that the choice of its face depends on.
struct ClusterTraits {
  var base: UInt32
  var properties: CharacterProperties
  /// The number of scalars.
  var count = 1
  /// U+FE0F, a joined sequence, a keycap, a flag or a modifier makes a cluster an emoji.
  var prefersEmoji = false
  /// U+FE0E asks for text presentation.
  var prefersText = false

  init(_ base: UInt32, _ properties: CharacterProperties) {
    self.base = base
    self.properties = properties
    prefersEmoji = properties.hasEmojiPresentation
  }

  /// The cluster is drawn as an emoji (CSS Fonts 4, section 6.14). A selector goes before what the style says.
  func isEmoji(_ style: FontVariantEmoji) -> Bool {
    guard !prefersText else { return false }
    switch style {
    case .normal, .unicode: return prefersEmoji
    case .text: return prefersEmoji && count > 1
    case .emoji: return prefersEmoji || properties.isExtendedPictographic
    }
  }

  mutating func add(_ scalar: UInt32, _ properties: CharacterProperties) {
    count += 1
    switch scalar {
    case 0xFE0F, 0x20E3: prefersEmoji = true
    case 0xFE0E: prefersText = true
    default:
      if properties.isEmojiModifier || properties.isExtendedPictographic || properties.hasEmojiPresentation {
        prefersEmoji = true
      }
    }
  }
}

extension Shaper {
  /// The position in `faces` of a face, which is added when it is new.
  func position(of face: FontFace) -> Int { store.position(of: face) }

  /// The face for a cluster (CSS Fonts 4, section 5.3): the first of the family list that has all of it, else the
  /// fallback's choice, else the last-resort face.
  ///
  /// - Parameters:
  ///   - script: The script that the cluster is taken to be of (`ScriptResolver`).
  ///   - neighbour: The face of the cluster before it in the same piece; -1 when there is none.
  @inline(__always)
  func selectFace(
    _ traits: ClusterTraits, _ start: Int, _ end: Int, _ style: ShapingStyle, script: Script, neighbour: Int
  ) -> Int {
    if traits.count == 1, traits.base != 0x2019 {
      let known = style.tables.knownFace(traits.base)
      if known >= 0 { return known }
    }
    return findFace(traits, start, end, style, script, neighbour)
  }

  @inline(never)
  private func findFace(
    _ traits: ClusterTraits, _ start: Int, _ end: Int, _ style: ShapingStyle, _ script: Script, _ neighbour: Int
  ) -> Int {
    let base = traits.base
    if base == 0x2019, style.prefersCJK, isBetweenLetters(start, end) {
      if let face = style.cascade.face(covering: base) { return position(of: face) }
    }
    let isSingle = traits.count == 1
    let known = isSingle ? style.tables.knownFace(base) : StyleTables.unknown
    if known >= 0 { return known }
    if known == StyleTables.contextual {
      let beside = style.tables.knownFace(base, beside: script, after: neighbour)
      if beside >= 0 { return beside }
    }
    var scalars = [base]
    var index = start + (base < 0x10000 ? 1 : 2)
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      scalars.append(scalar)
      index += length
    }
    if known == StyleTables.unknown, let face = ownFace(scalars, traits, style) {
      let found = position(of: face)
      if isSingle { style.tables.remember(found, for: base) }
      return found
    }
    if traits.properties.script.isReal {
      let found = position(of: fallbackFace(scalars, traits.properties.script, style))
      if isSingle { style.tables.remember(found, for: base) }
      return found
    }
    // A character of no script of its own is drawn by the face of the letters beside it, where that has it.
    if isSingle { style.tables.remember(StyleTables.contextual, for: base) }
    let found =
      joins(neighbour, style) && scalars.allSatisfy { draws($0, faces[neighbour].face) }
      ? neighbour : position(of: fallbackFace(scalars, supposedScript(traits, script, style), style))
    if isSingle { style.tables.remember(found, for: base, beside: script, after: neighbour) }
    return found
  }

  /// The face that the family list has for a cluster, or that its presentation asks for; nil when it is to be fallen back
  /// for.
  private func ownFace(_ scalars: [UInt32], _ traits: ClusterTraits, _ style: ShapingStyle) -> FontFace? {
    let cascade = style.cascade
    if let face = mathFace(scalars, style) { return face }
    if traits.isEmoji(style.emoji) {
      let own = cascade.first { $0.face.isColor && $0.covers(traits.base) }?.face
      if let own { return own }
      let script = traits.properties.script.isReal ? traits.properties.script.code : "Zyyy"
      if let face = fonts.fallback(for: scalars, in: cascade, script: script, prefersEmoji: true) { return face }
    }
    if style.prefersCJK, EastAsianSpacing.isAmbiguousPunctuation(traits.base), let face = cjkFace(style),
      face.covers(traits.base)
    {
      return face
    }
    let needed = scalars.filter { !CharacterProperties($0).isDefaultIgnorable }
    if needed.count <= 1 { return cascade.face(covering: needed.first ?? traits.base) }
    return cascade.first { entry in needed.allSatisfy { entry.covers($0) } }?.face
  }

  /// The face that has the letter of a style's mathematical alphabet. The style's font has those of `math-auto` itself.
  private func mathFace(_ scalars: [UInt32], _ style: ShapingStyle) -> FontFace? {
    guard scalars.count == 1, let alphabet = style.mathAlphabet else { return nil }
    let letter = alphabet.form(of: scalars[0])
    guard letter != scalars[0] else { return nil }
    if let face = style.cascade.face(covering: letter) { return face }
    return alphabet == .italic ? nil : fonts.fallback(for: [letter], in: style.cascade, script: Script.common.code)
  }

  /// The installed face for a cluster of a script that the family list lacks, or the last-resort face.
  private func fallbackFace(_ scalars: [UInt32], _ script: Script, _ style: ShapingStyle) -> FontFace {
    let cascade = style.cascade
    let base = scalars.first ?? 0x20
    if let face = fonts.fallback(for: scalars, in: cascade, script: script.code), face.covers(base) {
      // A face that has only the base is no better than the family list's own.
      if scalars.allSatisfy({ draws($0, face) }) { return face }
      return cascade.face(covering: base) ?? face
    }
    if let face = cascade.face(covering: base) { return face }
    // What is not seen needs no box, and HarfBuzz makes all spaces of U+0020.
    let properties = CharacterProperties(base)
    let isBlank =
      properties.isDefaultIgnorable || properties.category == .spaceSeparator && cascade.primary.covers(0x20)
    return isBlank || showsMissingGlyph(of: cascade.primary) ? cascade.primary : fonts.library.lastResort
  }

  /// The face is one that was fallen back to; those of the family list have been asked before.
  private func joins(_ position: Int, _ style: ShapingStyle) -> Bool {
    guard position >= 0 else { return false }
    let face = faces[position].face
    return !face.isColor && !style.cascade.contains(face)
  }

  /// The face has all that is to be seen of a character.
  private func draws(_ scalar: UInt32, _ face: FontFace) -> Bool {
    face.covers(scalar) || CharacterProperties(scalar).isDefaultIgnorable
  }

  /// The script in whose faces to look for a character that has none: the text's where the character is used in it, else
  /// one that it is used in (Script_Extensions); signs of every script go with those scripts that have faces of their own.
  private func supposedScript(_ traits: ClusterTraits, _ script: Script, _ style: ShapingStyle) -> Script {
    if CharacterMapping.isUsed(traits.base, in: traits.properties.script) {
      switch script {
      case .latin, .greek, .cyrillic, .armenian, .georgian: return .common
      default: return script
      }
    }
    let candidates = [script, style.defaultScript, .devanagari, .arabic, .han]
    return candidates.first { $0.isReal && CharacterMapping.isUsed(traits.base, in: $0) } ?? .common
  }

  /// The face of ideographs in the style's language.
  private func cjkFace(_ style: ShapingStyle) -> FontFace? {
    if let own = style.cascade.first(where: { $0.face.isCJK && $0.covers(0x4E00) })?.face { return own }
    return fonts.fallback(for: [0x4E00], in: style.cascade, script: "Hani")
  }

  /// The apostrophe stands between two letters of an alphabet.
  private func isBetweenLetters(_ start: Int, _ end: Int) -> Bool {
    let text = paragraph.units
    let units = text.span
    guard start > 0, end < units.count else { return false }
    let before = CharacterProperties(UTF16Text.scalar(units, before: start).value)
    let after = CharacterProperties(UTF16Text.scalar(units, at: end).value)
    return before.category.isLetter && !before.script.isIdeographic && after.category.isLetter
      && !after.script.isIdeographic
  }
}
