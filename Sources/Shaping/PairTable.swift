import CHarfBuzz
import Fonts
import Primitives
import Text

/// A glyph that a character has in any company of its like.
struct PlainGlyph: BitwiseCopyable {
  /// `.max`, which no glyph has, while the character has not been met.
  var id: UInt16
  /// The glyph is in `LookupContext.plain`.
  var isPlain: Bool
  var isKerned: Bool
  /// Nothing at all reaches the glyph or across it.
  var isFree: Bool
  var advance: Int32

  static let none = PlainGlyph(id: 0, isPlain: false, isKerned: false, isFree: false, advance: 0)
  static let unknown = PlainGlyph(id: .max, isPlain: false, isKerned: false, isFree: false, advance: 0)
}

/// The effect of kerning where two glyphs meet.
struct PairEffect {
  /// Added to the first glyph's advance.
  var first: Int32 = 0
  /// Added to the second glyph's advance and offset (the `kern` table shares its values out).
  var second: Int32 = 0
  /// HarfBuzz marks a break between them as unsafe.
  var isUnsafe = false
  /// The glyphs may be joined: text with such a pair is HarfBuzz's.
  var startsLigature = false

  var isNothing: Bool { first == 0 && second == 0 && !isUnsafe && !startsLigature }
}

/// Shapes left-to-right text of one face and set of lookups glyph by glyph, where `LookupContext` proves
/// that pairs are all there is. Each pair is given to HarfBuzz once, and so is each character that is drawn by a substitute.
final class PairTable {
  /// The reach of lookups across a space.
  let space: LookupContext.SpaceReach
  private let plan: LookupPlan
  /// The context proved of the face, made when it is first asked for.
  private(set) lazy var reach = LookupContext.find(face: face, plan: plan, space: space)
  /// Characters that HarfBuzz is given before the proof pays: on a page of few words, and of a face of many glyphs on all pages
  /// of a short text, it costs more than it saves.
  private var charactersToProof: Int
  private let face: FontFace
  private let script: UInt32
  private let language: HarfBuzzLanguage?
  private let features: [hb_feature_t]
  private let buffer: GlyphBuffer
  /// Glyphs by character, each found when it is met.
  private let glyphs = PagedTable<PlainGlyph>(absent: .unknown)
  /// The effects that are known, by the two glyphs.
  private var effects: [(key: UInt32, effect: PairEffect)] = []
  private var positions = OpenTable(slotCount: 1024)

  /// For pairs of ASCII characters: 0 where nothing happens, `unknownPair` where that is not yet known, else one more than a
  /// place in `asciiEffects`.
  let asciiPairs = GrowableBuffer<UInt8>(capacity: 1 << 14)
  private let asciiEffects = GrowableBuffer<PairEffect>(capacity: Int(PairTable.unknownPair))
  static let unknownPair: UInt8 = 255

  /// Pairs kept; then all are forgotten.
  private static let limit = 1 << 16

  init(
    face: FontFace, plan: LookupPlan, script: Script, language: HarfBuzzLanguage?, features: [hb_feature_t],
    buffer: GlyphBuffer, provesAtOnce: Bool
  ) {
    self.face = face
    self.script = script.tag
    self.buffer = buffer
    self.language = language
    self.features = features
    self.plan = plan
    space = LookupContext.spaceReach(of: face, plan: plan)
    charactersToProof = provesAtOnce ? 0 : 600 + face.glyphCount / 4
    asciiPairs.fill(1 << 14, with: Self.unknownPair)
  }

  /// Bytes allocated, about.
  var byteCount: Int {
    // What the proof has told is a few sets of glyphs.
    let proof = isWorthwhile ? face.glyphCount / 2 : 0
    return asciiPairs.byteCount + asciiEffects.byteCount + glyphs.byteCount + positions.byteCount
      + effects.capacity * MemoryLayout<(key: UInt32, effect: PairEffect)>.stride + proof
  }

  /// Enough text has come for the proof to pay.
  var isWorthwhile: Bool { charactersToProof <= 0 }

  /// The same for text of so many more characters.
  func isWorthwhile(for count: Int) -> Bool {
    guard charactersToProof > 0 else { return true }
    charactersToProof -= count
    return charactersToProof <= 0
  }

  @inline(__always)
  func glyph(_ unit: UInt16) -> PlainGlyph {
    let known = glyphs[unit]
    return known.id == .max ? findGlyph(unit) : known
  }

  @inline(never)
  private func findGlyph(_ unit: UInt16) -> PlainGlyph {
    let scalar = UInt32(unit)
    let id = face.glyph(scalar)
    let properties = CharacterProperties(scalar)
    // Nothing but letters, numbers, marks of punctuation, symbols and the space.
    let isOrdinary =
      !properties.isDefaultIgnorable && !properties.category.isMark && properties.category != .control
      && properties.category != .format && (properties.category != .spaceSeparator || scalar == 0x20)
      && scalar != 0x2044 && scalar & 0xF800 != 0xD800
    let standing = id != 0 && isOrdinary ? reach.standing(of: id, for: scalar) : (isPlain: false, isBarrier: false)
    var glyph = PlainGlyph(id: id, isPlain: standing.isPlain, isKerned: false, isFree: false, advance: 0)
    if let substitute = reach.substitutes[UInt32(id)] {
      glyph.id = UInt16(truncatingIfNeeded: substitute)
      glyph.isPlain = standing.isPlain && shape([unit]) && buffer.info(0).codepoint == substitute
    }
    if glyph.isPlain {
      glyph.isKerned = reach.kerned.contains(glyph.id)
      glyph.isFree = !glyph.isKerned && standing.isBarrier
      glyph.advance = face.advance(glyph.id)
    }
    glyphs[unit] = glyph
    return glyph
  }

  /// Gives characters to HarfBuzz, whose glyphs are in the buffer then; false when they are more or fewer.
  private func shape(_ units: [UInt16]) -> Bool {
    buffer.begin(HB_DIRECTION_LTR, script: script, language)
    buffer.append(units.span)
    buffer.shape(face.hbFont, features)
    return buffer.count == units.count
  }

  /// The effect of kerning between two characters with plain glyphs.
  @inline(__always)
  func effect(_ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph) -> PairEffect {
    guard firstGlyph.isKerned, secondGlyph.isKerned else { return PairEffect() }
    let key = UInt32(firstGlyph.id) << 16 | UInt32(secondGlyph.id)
    if let known = positions.position(of: Self.hash(key), where: { effects[$0].key == key }) {
      return effects[known].effect
    }
    return findEffect(first, firstGlyph, second, secondGlyph, key)
  }

  @inline(__always)
  private static func hash(_ key: UInt32) -> UInt64 { UInt64(key) &* 0x9E37_79B9_7F4A_7C15 }

  /// The effect of kerning between two characters, by `asciiPairs` where both are in ASCII.
  @inline(__always)
  func quickEffect(
    _ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph
  ) -> PairEffect {
    guard (first | second) < 0x80 else { return effect(first, firstGlyph, second, secondGlyph) }
    let pair = Int(first) << 7 | Int(second)
    let known = asciiPairs[pair]
    if known == 0 { return PairEffect() }
    if known != Self.unknownPair { return asciiEffects[Int(known) - 1] }
    return learnEffect(pair, first, firstGlyph, second, secondGlyph)
  }

  @inline(never)
  private func learnEffect(
    _ pair: Int, _ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph
  ) -> PairEffect {
    let found = effect(first, firstGlyph, second, secondGlyph)
    if found.isNothing {
      asciiPairs[pair] = 0
    } else if asciiEffects.count < Int(Self.unknownPair) - 1 {
      asciiEffects.append(found)
      asciiPairs[pair] = UInt8(asciiEffects.count)
    }
    return found
  }

  @inline(never)
  private func findEffect(
    _ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph, _ key: UInt32
  ) -> PairEffect {
    var effect = PairEffect()
    guard !reach.ligatures.contains(key) else {
      effect.startsLigature = true
      remember(key, effect)
      return effect
    }
    if shape([first, second]) {
      effect.first = buffer.position(0).x_advance &- firstGlyph.advance
      effect.second = buffer.position(1).x_advance &- secondGlyph.advance
      effect.isUnsafe = buffer.isUnsafeToBreak(1)
    }
    remember(key, effect)
    return effect
  }

  private func remember(_ key: UInt32, _ effect: PairEffect) {
    if effects.count >= Self.limit {
      effects.removeAll(keepingCapacity: true)
      positions = OpenTable(slotCount: 1024)
    }
    positions.append(Self.hash(key))
    effects.append((key, effect))
  }
}

/// The key of pair tables: scripts and languages with the same lookups share one.
struct PairTableKey: Hashable {
  var plan: LookupPlan
  /// Tags and values.
  var features: [UInt32]
}
