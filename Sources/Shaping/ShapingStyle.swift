import CHarfBuzz
import CSS
import Fonts
import Primitives
import Text

/// The key of a word's shape beside its characters, without sizes: two styles that agree share cached words.
struct ShapeKey: Hashable {
  var cascade: Int
  var language: String
  var features: [FontSetting]
  var caps: FontVariantCaps
  var synthesizesSmallCaps: Bool
  var mathAlphabet: MathAlphabet?
  var emoji: FontVariantEmoji
  var tailoring: LineBreakTailoring
  var hyphenation: Int?
  var limits: SIMD3<UInt8>
  var isNowrap: Bool
  var orientation: TextOrientation?
  var showsMissingGlyphs: Bool
}

/// A set of shaping attributes with everything looked up that itemisation and HarfBuzz need.
final class ShapingStyle {
  let id: ShapingAttributesID
  /// The number of the style's `ShapeKey`.
  let key: UInt32
  let cascade: FontCascade
  /// Position in the shaper's faces.
  let primary: Int
  private let primaryFace: ShapingFace
  let language: String
  let hbLanguage: HarfBuzzLanguage?
  /// Size in CSS px, before `font-size-adjust`.
  let size: Float
  let sizeAdjust: FontSizeAdjust?
  let caps: FontVariantCaps
  /// Small capitals are wanted, and made where a face has none.
  let synthesizesSmallCaps: Bool
  /// The alphabet of formulas that letters have glyphs of where a face has them.
  let mathAlphabet: MathAlphabet?
  /// The position that faces without glyphs for it are set in by their size and place.
  let position: FontVariantPosition
  /// The choice of presentation for characters that can be emoji.
  let emoji: FontVariantEmoji
  let features: [hb_feature_t]
  let tailoring: LineBreakTailoring
  /// Divides words where `hyphens: auto` asks for it.
  let divider: WordDivider?
  let isNowrap: Bool
  let trim: TextSpacingTrim
  let autospace: TextAutospace
  /// The gap of `text-autospace`, in advances of U+6C34.
  let gap: Float
  let hasSpacing: Bool
  /// Marks that Chinese and Western text share take the CJK face.
  let prefersCJK: Bool
  /// The script of text that has no letters.
  let defaultScript: Script
  /// `text-orientation`, the posture of characters in a vertical line; nil in a horizontal one.
  let orientation: TextOrientation?
  let combines: TextCombineUpright
  /// The posture of spaces and of letters that UAX #50 does not keep upright.
  let posture: Posture
  let spaceGlyph: UInt16
  let spaceAdvance: Int32
  /// The reach of lookups across spaces of the primary face in the default script.
  private(set) var space = LookupContext.SpaceReach.unknown

  private let resources: ShapingResources
  let tables: StyleTables

  /// - Parameters:
  ///   - key: What words shaped in the style depend on; `number` is the key's.
  ///   - primary: The position of the cascade's primary face in the shaper's faces, and that face.
  ///   - size: In CSS px, before `font-size-adjust`.
  ///   - isCentral: Lines are vertical, with upright ideographs.
  init(
    id: ShapingAttributesID, key: ShapeKey, number: UInt32, tables: StyleTables, attributes: ShapingAttributes,
    request: FontRequest, cascade: FontCascade, primary: (position: Int, face: ShapingFace), size: Float,
    divider: WordDivider?, isCentral: Bool, resources: ShapingResources
  ) {
    self.resources = resources
    orientation = key.orientation
    combines = isCentral ? attributes.textCombineUpright : .none
    posture = orientation == nil || orientation == .upright ? .upright : .sideways
    self.tables = tables
    self.id = id
    self.key = number
    self.cascade = cascade
    self.primary = primary.position
    primaryFace = primary.face
    language = key.language
    hbLanguage = HarfBuzzLanguage(language)
    self.size = size
    sizeAdjust = request.sizeAdjust
    caps = request.caps
    synthesizesSmallCaps = request.synthesizesSmallCaps && caps != .normal && caps != .titlingCaps
    position = request.synthesizedPosition
    emoji = request.emoji
    mathAlphabet = key.mathAlphabet
    features = Self.features(key.features)
    tailoring = key.tailoring
    self.divider = divider
    isNowrap = key.isNowrap
    trim = attributes.spacingTrim
    autospace = attributes.autospace
    gap = autospace.contains(.quarter) ? 0.25 : 0.125
    hasSpacing = trim != .spaceAll || !autospace.isEmpty
    prefersCJK = tailoring.language.isChineseOrJapanese
    defaultScript = tables.defaultScript
    let face = cascade.primary
    spaceGlyph = face.glyph(0x20)
    spaceAdvance =
      spaceGlyph == 0
      ? face.metrics.spaceAdvance
      : orientation == .upright ? face.verticalMetrics(spaceGlyph).advance : face.advance(spaceGlyph)
    if Self.isSimple(defaultScript) {
      space = pairTable(of: primaryFace, at: self.primary, script: defaultScript).space
    } else if lookupCoverage(of: primaryFace, at: self.primary, script: defaultScript).excludesSpace {
      space = .none
    }
  }

  /// Fills `StyleTables.latinWords` if words may be set that way and enough have been met.
  ///
  /// - Parameters:
  ///   - isLong: `true` if enough text is to be set that way, whatever has been met.
  ///   - face: The position of the face that a character is taken from as it is; -1 when there is none.
  func makeLatinWords(isLong: Bool, face: (UInt16) -> Int) {
    guard tailoring.wordBreak != .breakAll, tailoring.strictness != .anywhere, space != .unknown
    else {
      tables.hasLatinWords = true
      return
    }
    let table = pairTable(of: primaryFace, at: primary, script: .latin)
    guard isLong || table.isWorthwhile else { return }
    tables.hasLatinWords = true
    guard table.space != .unknown, table.reach.changesFirstOnly else { return }
    tables.latinWords = LatinWords(pairs: table, divider: isNowrap ? nil : divider) { unit in
      (unit < 0x2010 || !prefersCJK) && face(unit) == primary
    }
  }

  /// HarfBuzz shapes a script without rules of its own.
  static func isSimple(_ script: Script) -> Bool {
    switch script {
    case .latin, .greek, .cyrillic, .han, .hiragana, .katakana, .bopomofo, .hangul, .armenian, .georgian: true
    default: false
    }
  }

  /// The pairs of a face in a simple script.
  @inline(__always)
  func pairTable(of face: ShapingFace, at position: Int, script: Script) -> PairTable {
    if tables.lastTable >= 0 {
      let last = tables.pairTables[tables.lastTable]
      if last.face == position, last.script == script { return last.table }
    }
    return findPairTable(of: face, at: position, script: script)
  }

  @inline(never)
  private func findPairTable(of face: ShapingFace, at position: Int, script: Script) -> PairTable {
    if let known = tables.pairTables.firstIndex(where: { $0.face == position && $0.script == script }) {
      tables.lastTable = known
      return tables.pairTables[known].table
    }
    let features = features(of: face)
    let plan = LookupPlan(
      face: face.face, script: script, language: language.isEmpty ? nil : language, features: features)
    let key = PairTableKey(plan: plan, features: features.flatMap { [$0.tag, $0.value] })
    let table =
      resources.pairTables[key]
      ?? PairTable(
        face: face.face, plan: plan, script: script, language: hbLanguage, features: features,
        buffer: resources.pairBuffer, provesAtOnce: resources.provesAtOnce)
    resources.pairTables[key] = table
    tables.pairTables.append((position, script, table))
    tables.lastTable = tables.pairTables.count - 1
    return table
  }

  /// The features for a face: those of `font-variant-caps`, then those of its rule, then the text's, which win.
  @inline(__always)
  func features(of face: ShapingFace) -> [hb_feature_t] {
    caps == .normal && face.face.features.isEmpty
      ? features : face.features(of: caps) + Self.features(face.face.features) + features
  }

  private static func features(_ settings: [FontSetting]) -> [hb_feature_t] {
    settings.map { feature($0.tag, UInt32(clamping: Int($0.value.isFinite ? $0.value : 0))) }
  }

  static func feature(_ tag: UInt32, _ value: UInt32) -> hb_feature_t {
    hb_feature_t(tag: tag, value: value, start: 0, end: UInt32.max)
  }

  /// The glyphs that a face's lookups have in a script.
  @inline(__always)
  func lookupCoverage(of face: ShapingFace, at position: Int, script: Script) -> LookupCoverage {
    if tables.lastCoverage >= 0 {
      let last = tables.coverages[tables.lastCoverage]
      if last.face == position, last.script == script { return last.coverage }
    }
    return findCoverage(of: face, at: position, script: script)
  }

  @inline(never)
  private func findCoverage(of face: ShapingFace, at position: Int, script: Script) -> LookupCoverage {
    if let known = tables.coverages.firstIndex(where: { $0.face == position && $0.script == script }) {
      tables.lastCoverage = known
    } else {
      let found = face.face.lookupCoverage(
        script: script.tag, language: language.isEmpty ? nil : language,
        features: features(of: face).filter { $0.value > 0 }.map(\.tag))
      tables.coverages.append((position, script, found))
      tables.lastCoverage = tables.coverages.count - 1
    }
    return tables.coverages[tables.lastCoverage].coverage
  }

  /// The script of an ISO 15924 tag.
  static func script(tag: UInt32) -> Script {
    for number in UInt8(2)...UInt8(254) where Script(rawValue: number).tag == tag { return Script(rawValue: number) }
    return .latin
  }

  /// Words of the language are divided with hyphens, in its own script.
  static func isHyphenated(_ tag: String) -> Bool {
    switch script(ofLanguage: tag) {
    case .han, .hangul, .arabic, .hebrew, .thai, .lao, .khmer, .myanmar, .tibetan: false
    default: true
    }
  }

  /// The script that a language is written in, when its text does not show it.
  static func script(ofLanguage tag: String) -> Script {
    let parts = tag.split(separator: "-")
    for part in parts.dropFirst() where part.count == 4 {
      switch part {
      case "latn": return .latin
      case "cyrl": return .cyrillic
      case "arab": return .arabic
      case "hebr": return .hebrew
      case "deva": return .devanagari
      default: break
      }
    }
    switch parts.first {
    case "zh", "ja", "yue", "wuu", "lzh", "cmn": return .han
    case "ko": return .hangul
    case "ar", "fa", "ur", "ps", "ckb", "ug", "sd", "arz", "ary": return .arabic
    case "he", "yi", "iw": return .hebrew
    case "ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "tg", "mn", "tt": return .cyrillic
    case "el", "grc": return .greek
    case "hy": return .armenian
    case "ka": return .georgian
    case "hi", "mr", "ne", "sa": return .devanagari
    case "bn", "as": return .bengali
    case "gu": return .gujarati
    case "pa": return .gurmukhi
    case "ta": return .tamil
    case "te": return .telugu
    case "kn": return .kannada
    case "ml": return .malayalam
    case "si": return .sinhala
    case "th": return .thai
    case "lo": return .lao
    case "km": return .khmer
    case "my": return .myanmar
    case "bo", "dz": return .tibetan
    default: return .latin
    }
  }
}

/// The tables that styles with the same `ShapeKey` have in common.
final class StyleTables {
  /// The value of `knownFace` for a character that nobody has asked for.
  static let unknown = -1
  /// Its value for a character that the family list lacks and whose face depends on the text beside it.
  static let contextual = -2

  /// Faces by character of the first plane: position in the shaper's faces plus one, 0 when not yet known.
  private let knownFaces = PagedTable<Int16>(absent: 0)
  private var otherFaces: [UInt32: Int] = [:]
  /// The last faces found for contextual characters, each with its character, script and neighbour.
  private let contextFaces = GrowableBuffer<(key: UInt64, face: Int)>(capacity: StyleTables.contextCount)
  private static let contextCount = 128
  /// The tables of words of Latin letters; nil where the style or the face asks for more, or few have been met.
  var latinWords: LatinWords?
  /// `latinWords` has been tried.
  var hasLatinWords = false
  /// The script of text that has no letters.
  let defaultScript: Script
  var pairTables: [(face: Int, script: Script, table: PairTable)] = []
  var coverages: [(face: Int, script: Script, coverage: LookupCoverage)] = []
  /// The places of those asked for last.
  var lastTable = -1
  var lastCoverage = -1

  init(language: String) {
    defaultScript = ShapingStyle.script(ofLanguage: language)
    contextFaces.fill(Self.contextCount, with: (.max, 0))
  }

  /// Bytes allocated, about; pair tables are others' too.
  var byteCount: Int {
    knownFaces.byteCount + contextFaces.byteCount + otherFaces.capacity * 24
      + (latinWords == nil ? 0 : LatinUnit.count * MemoryLayout<LatinUnit>.stride)
  }

  /// The face chosen for a scalar before, `unknown` or `contextual`.
  @inline(__always)
  func knownFace(_ scalar: UInt32) -> Int {
    guard scalar < 0x10000 else { return otherFaces[scalar] ?? Self.unknown }
    return Int(knownFaces[UInt16(truncatingIfNeeded: scalar)]) - 1
  }

  func remember(_ face: Int, for scalar: UInt32) {
    guard scalar < 0x10000 else {
      otherFaces[scalar] = face
      return
    }
    guard face < 0x7FFF else { return }
    knownFaces[UInt16(truncatingIfNeeded: scalar)] = Int16(face + 1)
  }

  /// The face chosen for a contextual scalar beside text of a script and after a face, or `unknown`.
  func knownFace(_ scalar: UInt32, beside script: Script, after neighbour: Int) -> Int {
    let key = Self.key(scalar, script, neighbour)
    let entry = contextFaces[Self.place(key)]
    return entry.key == key ? entry.face : Self.unknown
  }

  func remember(_ face: Int, for scalar: UInt32, beside script: Script, after neighbour: Int) {
    let key = Self.key(scalar, script, neighbour)
    contextFaces[Self.place(key)] = (key, face)
  }

  private static func key(_ scalar: UInt32, _ script: Script, _ neighbour: Int) -> UInt64 {
    UInt64(scalar) << 32 | UInt64(script.rawValue) << 24 | UInt64(truncatingIfNeeded: neighbour + 1) & 0xFF_FFFF
  }
  private static func place(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & (contextCount - 1)
  }
}
