import CHarfBuzz
import Fonts
import Text

/// A glyph that a character has in any company of its like.
struct PlainGlyph {
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
@safe final class PairTable {
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
  private let language: OpaquePointer?
  private let features: [hb_feature_t]
  private let buffer: OpaquePointer
  /// Glyphs by character, in pages of 256, each found when it is met.
  private var pages: UnsafeMutablePointer<UnsafeMutablePointer<PlainGlyph>?>
  /// Open addressing by the two glyphs; a key of 0 is an empty slot, which no pair has because glyph 0 is never plain.
  private var keys: UnsafeMutablePointer<UInt32>
  private var effects: UnsafeMutablePointer<PairEffect>
  private var slotCount = 1024
  private var pairCount = 0

  /// For pairs of ASCII characters: 0 where nothing happens, `unknownPair` where that is not yet known, else one more than a
  /// place in `asciiEffects`.
  let asciiPairs: UnsafeMutablePointer<UInt8>
  private let asciiEffects: UnsafeMutablePointer<PairEffect>
  private var asciiCount = 0
  static let unknownPair: UInt8 = 255

  /// Pairs kept; then all are forgotten.
  private static let limit = 1 << 16

  init(
    face: FontFace, plan: LookupPlan, script: Script, language: OpaquePointer?, features: [hb_feature_t],
    buffer: OpaquePointer, provesAtOnce: Bool
  ) {
    self.face = face
    self.script = script.tag
    unsafe self.buffer = unsafe buffer
    unsafe self.language = unsafe language
    self.features = features
    self.plan = plan
    space = LookupContext.spaceReach(of: face, plan: plan)
    charactersToProof = provesAtOnce ? 0 : 600 + face.glyphCount / 4
    unsafe pages = .allocate(capacity: 256)
    unsafe pages.initialize(repeating: nil, count: 256)
    unsafe keys = .allocate(capacity: slotCount)
    unsafe keys.initialize(repeating: 0, count: slotCount)
    unsafe effects = .allocate(capacity: slotCount)
    unsafe asciiPairs = .allocate(capacity: 1 << 14)
    unsafe asciiPairs.initialize(repeating: Self.unknownPair, count: 1 << 14)
    unsafe asciiEffects = .allocate(capacity: Int(Self.unknownPair))
    unsafe hb_buffer_reference(buffer)
  }

  deinit {
    for index in 0..<256 { unsafe pages[index]?.deallocate() }
    unsafe pages.deallocate()
    unsafe keys.deallocate()
    unsafe effects.deallocate()
    unsafe asciiPairs.deallocate()
    unsafe asciiEffects.deallocate()
    unsafe hb_buffer_destroy(buffer)
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
    if let page = unsafe pages[Int(unit >> 8)] {
      let known = unsafe page[Int(unit & 255)]
      if known.id != .max { return known }
    }
    return findGlyph(unit)
  }

  @inline(never)
  private func findGlyph(_ unit: UInt16) -> PlainGlyph {
    let number = Int(unit >> 8)
    let page: UnsafeMutablePointer<PlainGlyph>
    if let known = unsafe pages[number] {
      unsafe page = unsafe known
    } else {
      unsafe page = .allocate(capacity: 256)
      unsafe page.initialize(repeating: .unknown, count: 256)
      unsafe pages[number] = unsafe page
    }
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
      glyph.isPlain = unsafe standing.isPlain && shape([unit])?.infos[0].codepoint == substitute
    }
    if glyph.isPlain {
      glyph.isKerned = reach.kerned.contains(glyph.id)
      glyph.isFree = !glyph.isKerned && standing.isBarrier
      glyph.advance = face.advance(glyph.id)
    }
    unsafe page[Int(unit & 255)] = glyph
    return glyph
  }

  /// The glyphs that HarfBuzz makes of characters, until it is given others; nil when the glyphs are more or fewer.
  private func shape(
    _ units: [UInt16]
  ) -> (infos: UnsafeMutablePointer<hb_glyph_info_t>, positions: UnsafeMutablePointer<hb_glyph_position_t>)? {
    unsafe hb_buffer_clear_contents(buffer)
    unsafe hb_buffer_add_utf16(buffer, units, Int32(units.count), 0, Int32(units.count))
    unsafe hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(script))
    if let language = unsafe language { unsafe hb_buffer_set_language(buffer, language) }
    unsafe features.withUnsafeBufferPointer { unsafe hb_shape(face.hbFont, buffer, $0.baseAddress, UInt32($0.count)) }
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let positions = unsafe hb_buffer_get_glyph_positions(buffer, &count), count == units.count
    else { return nil }
    return unsafe (infos, positions)
  }

  /// The effect of kerning between two characters with plain glyphs.
  @inline(__always)
  func effect(_ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph) -> PairEffect {
    guard firstGlyph.isKerned, secondGlyph.isKerned else { return PairEffect() }
    let key = UInt32(firstGlyph.id) << 16 | UInt32(secondGlyph.id)
    let mask = slotCount - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 7) & mask
    while unsafe keys[slot] != 0 {
      if unsafe keys[slot] == key { return unsafe effects[slot] }
      slot = (slot + 1) & mask
    }
    return findEffect(first, firstGlyph, second, secondGlyph, key)
  }

  /// The effect of kerning between two characters, by `asciiPairs` where both are in ASCII.
  @inline(__always)
  func quickEffect(
    _ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph
  ) -> PairEffect {
    guard (first | second) < 0x80 else { return effect(first, firstGlyph, second, secondGlyph) }
    let pair = Int(first) << 7 | Int(second)
    let known = unsafe asciiPairs[pair]
    if known == 0 { return PairEffect() }
    if known != Self.unknownPair { return unsafe asciiEffects[Int(known) - 1] }
    return learnEffect(pair, first, firstGlyph, second, secondGlyph)
  }

  @inline(never)
  private func learnEffect(
    _ pair: Int, _ first: UInt16, _ firstGlyph: PlainGlyph, _ second: UInt16, _ secondGlyph: PlainGlyph
  ) -> PairEffect {
    let found = effect(first, firstGlyph, second, secondGlyph)
    if found.isNothing {
      unsafe asciiPairs[pair] = 0
    } else if asciiCount < Int(Self.unknownPair) - 1 {
      unsafe (asciiEffects + asciiCount).initialize(to: found)
      asciiCount += 1
      unsafe asciiPairs[pair] = UInt8(asciiCount)
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
    if let (infos, positions) = unsafe shape([first, second]) {
      effect.first = unsafe positions[0].x_advance &- firstGlyph.advance
      effect.second = unsafe positions[1].x_advance &- secondGlyph.advance
      effect.isUnsafe = unsafe infos[1].mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0
    }
    remember(key, effect)
    return effect
  }

  private func remember(_ key: UInt32, _ effect: PairEffect) {
    if pairCount >= Self.limit {
      unsafe keys.update(repeating: 0, count: slotCount)
      pairCount = 0
    } else if pairCount * 2 >= slotCount {
      grow()
    }
    insert(key, effect)
  }

  private func insert(_ key: UInt32, _ effect: PairEffect) {
    let mask = slotCount - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 7) & mask
    while unsafe keys[slot] != 0 { slot = (slot + 1) & mask }
    unsafe keys[slot] = key
    unsafe (effects + slot).initialize(to: effect)
    pairCount += 1
  }

  private func grow() {
    let oldKeys = unsafe keys
    let oldEffects = unsafe effects
    let oldCount = slotCount
    slotCount *= 2
    unsafe keys = .allocate(capacity: slotCount)
    unsafe keys.initialize(repeating: 0, count: slotCount)
    unsafe effects = .allocate(capacity: slotCount)
    pairCount = 0
    for slot in 0..<oldCount where unsafe oldKeys[slot] != 0 { unsafe insert(oldKeys[slot], oldEffects[slot]) }
    unsafe oldKeys.deallocate()
    unsafe oldEffects.deallocate()
  }
}

/// The key of pair tables: scripts and languages with the same lookups share one.
struct PairTableKey: Hashable {
  var plan: LookupPlan
  /// Tags and values.
  var features: [UInt32]
}
