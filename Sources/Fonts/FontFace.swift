import CHarfBuzz
import Platform
package import Primitives
import Synchronization

/// One face ready for shaping: a font of a file, with its variation axes set and its synthetic styles chosen.
///
/// Immutable but for caches that are filled atomically.
@safe package final class FontFace: @unchecked Sendable {
  package let id: FontID
  package let file: FontFile
  /// The font's place in its collection.
  package let faceIndex: Int
  package let familyName: String
  package let styleName: String
  /// The weight drawn, before synthetic emboldening.
  package let weight: UInt16
  package let slant: FontSlant
  package let metrics: FontMetrics
  package let hbFace: HarfBuzzFace
  /// Immutable, with `unitsPerEm` as its scale: positions are in font units.
  package let hbFont: HarfBuzzFont
  /// The design coordinates in the order of the `fvar` axes; empty for a static face.
  package let variationCoordinates: [Float]
  /// The renderer thickens the outlines because the family has no bold face.
  package let isSyntheticBold: Bool
  /// Degrees that the renderer slants the outlines by because the family has no slanted face; 0 for not at all.
  package let syntheticSlant: Float
  /// Glyphs may be pictures or layers with colours of their own.
  package let isColor: Bool
  /// The face has Han or Kana; such a face is never slanted.
  package let isCJK: Bool
  package let isMonospace: Bool
  /// The face's licence lets documents hold its outlines (OpenType, `fsType` of OS/2).
  package let isEmbeddable: Bool
  /// The face belongs to the book and not to the machine.
  package let isEmbedded: Bool
  package let glyphCount: Int
  /// Feature settings of the face's rule, which those of the text override.
  package let features: [FontSetting]
  /// `size-adjust`: the size drawn in relation to the font size. `metrics` have it worked in.
  package let sizeAdjust: Float
  /// A variable face has an axis for the size it is drawn at.
  package let hasOpticalSize: Bool
  /// The traits that the face was opened with.
  let traits: Traits
  /// The colours of its layers and paints.
  package var palette: PaletteSelection { traits.palette }
  /// The number of the `CPAL` palette that these begin with.
  package var paletteNumber: Int {
    switch palette.base {
    case .index(let number): number < hbFace.paletteCount ? number : 0
    case .light: hbFace.palette(with: HB_OT_COLOR_PALETTE_FLAG_USABLE_WITH_LIGHT_BACKGROUND)
    case .dark: hbFace.palette(with: HB_OT_COLOR_PALETTE_FLAG_USABLE_WITH_DARK_BACKGROUND)
    }
  }

  /// Glyphs by scalar: pages of 256, each glyph found when it is first asked for.
  private let pages: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Atomic<UInt16>>?>>
  /// The entry of a scalar that nobody has asked for. No glyph has this number.
  private static let unknown = UInt16.max
  private static let pageCount = 0x1100
  private let coverages = Lock<[CoverageKey: LookupCoverage]>([:])
  /// The glyphs of lookups by the tag of the table and the lookup's index.
  private let lookupGlyphs = Lock<[UInt64: LookupGlyphs]>([:])
  /// The extents of the glyphs that have been asked for.
  private let inks = Lock<[UInt16: hb_glyph_extents_t?]>([:])

  private let characters = Lock<GlyphCharacters?>(nil)

  /// A character that the face shows with a glyph; nil for one that only features reach.
  package func scalar(ofGlyph glyph: UInt16) -> Unicode.Scalar? {
    let known = characters.withLock { $0 }
    if let known { return known[glyph] }
    let made = GlyphCharacters(self)
    characters.withLock { $0 = made }
    return made[glyph]
  }

  package var isSyntheticOblique: Bool { syntheticSlant != 0 }
  /// The file's name, as `--layout` and `typeset fonts` show it.
  package var fileName: String { file.name }
  /// Units of an em of the size drawn.
  package let unitsPerEm: Int32

  struct Traits {
    var familyName: String
    var styleName: String?
    var weight: UInt16
    var slant: FontSlant
    var isEmbedded = false
    var isSyntheticBold = false
    var syntheticSlant: Float = 0
    var variations: [FontSetting] = []
    var features: [FontSetting] = []
    var adjustments = FontAdjustments()
    var palette = PaletteSelection()
  }

  init(id: FontID, file: FontFile, faceIndex: Int, traits: Traits) throws(FontError) {
    guard let face = HarfBuzzFace(file.blob, index: faceIndex) else { throw .invalid("the font cannot be read") }
    let count = face.glyphCount
    variationCoordinates = Variations.coordinates(traits.variations, on: face)
    guard count > 0, let font = HarfBuzzFont(face, coordinates: variationCoordinates) else {
      throw .invalid("the font has no glyphs")
    }
    self.id = id
    self.file = file
    self.faceIndex = faceIndex
    self.traits = traits
    familyName = traits.familyName
    styleName = traits.styleName ?? face.name(2) ?? "Regular"
    weight = traits.weight
    slant = traits.slant
    isEmbedded = traits.isEmbedded
    isSyntheticBold = traits.isSyntheticBold
    syntheticSlant = traits.syntheticSlant
    hbFace = face
    hbFont = font
    glyphCount = count
    unitsPerEm = face.unitsPerEm
    metrics = FontMetrics(font: font, face: face, unitsPerEm: unitsPerEm).adjusted(by: traits.adjustments)
    sizeAdjust = traits.adjustments.size
    features = traits.features
    hasOpticalSize = face.axes.contains { $0.tag == UInt32(tag: "opsz") }
    isColor = face.hasPicturesOrLayers || face.table("COLR").half(0) >= 1
    isCJK = font.glyph(0x4E00) != nil || font.glyph(0x3042) != nil
    let os2 = face.table("OS/2")
    // Of several licences in old files the most generous holds. Bit 9 is of bitmaps alone.
    isEmbeddable = os2.count < 10 || os2.half(8) & 0xF != 2 && os2.half(8) & 0x200 == 0
    isMonospace = face.table("post").word(12) != 0
    unsafe pages = .allocate(capacity: Self.pageCount)
    for index in 0..<Self.pageCount { unsafe (pages + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    for index in 0..<Self.pageCount { unsafe pages[index].load(ordering: .acquiring)?.deallocate() }
    unsafe pages.deinitialize(count: Self.pageCount)
    unsafe pages.deallocate()
  }

  /// The nominal glyph of a scalar, 0 when the face has none.
  package func glyph(_ scalar: UInt32) -> UInt16 {
    guard scalar < 0x11_0000 else { return 0 }
    let page = unsafe pages[Int(scalar >> 8)].load(ordering: .acquiring) ?? makePage(Int(scalar >> 8))
    let known = unsafe page[Int(scalar & 255)].load(ordering: .relaxed)
    return unsafe known == Self.unknown ? findGlyph(scalar, on: page) : known
  }

  /// The face maps a scalar to a glyph.
  package func covers(_ scalar: UInt32) -> Bool { glyph(scalar) != 0 }

  /// The horizontal advance of a glyph in font units.
  package func advance(_ glyph: UInt16) -> Int32 { hbFont.advance(UInt32(glyph)) }

  /// A glyph in a vertical line: its advance, and how far its origin lies from the middle of its upper edge, to the left and
  /// downwards; font units.
  package struct VerticalMetrics: Sendable {
    package var advance: Int32
    package var originX: Int32
    package var originY: Int32
  }

  /// The metrics of a glyph from `vmtx` and `VORG`; without them one em, with ascent and descent in its middle.
  package func verticalMetrics(_ glyph: UInt16) -> VerticalMetrics {
    guard metrics.hasVerticalMetrics else {
      return VerticalMetrics(
        advance: metrics.unitsPerEm, originX: advance(glyph) / 2,
        originY: (metrics.unitsPerEm + metrics.ascent - metrics.descent) / 2)
    }
    let (x, y) = hbFont.verticalOrigin(UInt32(glyph))
    return VerticalMetrics(advance: 0 &- hbFont.verticalAdvance(UInt32(glyph)), originX: x, originY: y)
  }

  /// The ink of a glyph in font units, y upwards, or `nil` when it has none.
  package func extents(_ glyph: UInt16) -> (x: Int32, y: Int32, width: Int32, height: Int32)? {
    let known = inks.withLock { $0[glyph] } ?? findExtents(glyph)
    return known.map { ($0.x_bearing, $0.y_bearing, $0.width, $0.height) }
  }

  /// HarfBuzz walks the outline of a glyph for its extents.
  private func findExtents(_ glyph: UInt16) -> hb_glyph_extents_t? {
    let found = hbFont.extents(UInt32(glyph))
    inks.withLock { $0[glyph] = .some(found) }
    return found
  }

  /// Threads that come at the same time find the same glyph.
  private func findGlyph(_ scalar: UInt32, on page: UnsafeMutablePointer<Atomic<UInt16>>) -> UInt16 {
    let glyph = hbFont.glyph(scalar) ?? 0
    let result = glyph < UInt32(glyphCount) ? UInt16(truncatingIfNeeded: glyph) : 0
    unsafe page[Int(scalar & 255)].store(result, ordering: .relaxed)
    return result
  }

  private func makePage(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt16>> {
    let page = UnsafeMutablePointer<Atomic<UInt16>>.allocate(capacity: 256)
    for low in 0..<256 { unsafe (page + low).initialize(to: Atomic(Self.unknown)) }
    let (exchanged, original) = unsafe pages[slot].compareExchange(
      expected: nil, desired: page, ordering: .acquiringAndReleasing)
    if exchanged { return unsafe page }
    unsafe page.deallocate()
    return unsafe original!  // The exchange failed, so another thread has stored a page.
  }

  /// The `COLR` table of a face some of whose glyphs are graphs of paints: one of version 1.
  package var colorPaints: [UInt8]? {
    guard isColor else { return nil }
    let table = hbFace.table("COLR")
    return table.half(0) >= 1 ? Array(table.bytes) : nil
  }

  /// The glyphs of the lookups that are on. Cached for each script, language and feature set.
  ///
  /// - Parameters:
  ///   - script: An ISO 15924 tag such as `Latn`, first byte highest.
  ///   - features: The OpenType features that are on beside HarfBuzz's defaults.
  package func lookupCoverage(script: UInt32, language: String?, features: [UInt32] = []) -> LookupCoverage {
    let key = CoverageKey(script: script, language: language, features: features)
    if let known = coverages.withLock({ $0[key] }) { return known }
    let found = LookupCoverage(face: self, key: key)
    coverages.withLock { $0[key] = found }
    return found
  }
  /// The glyphs that a lookup of GSUB or GPOS names. Collected once: scripts, languages and features share lookups.
  package func glyphs(ofLookup index: UInt32, in table: UInt32) -> LookupGlyphs {
    let key = UInt64(table) << 32 | UInt64(index)
    if let known = lookupGlyphs.withLock({ $0[key] }) { return known }
    let found = LookupGlyphs(of: index, in: table, face: hbFace)
    lookupGlyphs.withLock { $0[key] = found }
    return found
  }
}
