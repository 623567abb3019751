import CHarfBuzz
import Fonts

/// A language as HarfBuzz knows it, which keeps all that it has met.
@safe struct HarfBuzzLanguage {
  fileprivate let pointer: OpaquePointer

  /// - Parameter tag: A BCP 47 tag; of an empty one there is no language.
  init?(_ tag: String) {
    guard !tag.isEmpty, let language = unsafe hb_language_from_string(tag, -1) else { return nil }
    unsafe pointer = unsafe language
  }
}

/// A buffer of HarfBuzz: it takes a text and holds the glyphs that become of it, until the next one begins.
@safe final class GlyphBuffer {
  private let buffer: OpaquePointer
  private var infos: UnsafeMutablePointer<hb_glyph_info_t>?
  private var positions: UnsafeMutablePointer<hb_glyph_position_t>?
  /// The number of glyphs.
  private(set) var count = 0

  init() { unsafe buffer = hb_buffer_create()! }

  deinit { unsafe hb_buffer_destroy(buffer) }

  /// Begins a text of one direction, script (an ISO 15924 tag) and language.
  func begin(_ direction: hb_direction_t, script: UInt32, _ language: HarfBuzzLanguage?) {
    count = 0
    unsafe hb_buffer_clear_contents(buffer)
    unsafe hb_buffer_set_direction(buffer, direction)
    unsafe hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(script))
    if let language { unsafe hb_buffer_set_language(buffer, language.pointer) }
  }

  /// Appends units, of which those outside a range are only context. Clusters of glyphs are numbered from the first
  /// unit.
  func append(_ units: Span<UInt16>, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= units.count, "the text has no such units")
    unsafe units.withUnsafeBufferPointer {
      unsafe hb_buffer_add_utf16(
        buffer, $0.baseAddress, Int32($0.count), UInt32(range.lowerBound), Int32(range.count))
    }
  }

  /// Appends units.
  func append(_ units: Span<UInt16>) { append(units, 0..<units.count) }

  /// Makes glyphs of what has been appended.
  func shape(_ font: HarfBuzzFont, _ features: [hb_feature_t]) {
    unsafe hb_shape(font.pointer, buffer, features, UInt32(features.count))
    var length: UInt32 = 0
    unsafe infos = hb_buffer_get_glyph_infos(buffer, &length)
    unsafe positions = hb_buffer_get_glyph_positions(buffer, &length)
    count = unsafe infos == nil || positions == nil ? 0 : Int(length)
  }

  /// The glyph, its cluster and flags at a place.
  @inline(__always)
  func info(_ index: Int) -> hb_glyph_info_t {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the buffer has no such glyph")
    return unsafe infos.unsafelyUnwrapped[index]
  }

  /// The advance and offset at a place.
  @inline(__always)
  func position(_ index: Int) -> hb_glyph_position_t {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the buffer has no such glyph")
    return unsafe positions.unsafelyUnwrapped[index]
  }

  /// A line may not break before a glyph without shaping its sides anew.
  @inline(__always)
  func isUnsafeToBreak(_ index: Int) -> Bool { info(index).mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0 }

  /// The glyph at a place, its number and position as the face has them.
  @inline(__always)
  func glyph(_ index: Int) -> ShapedGlyph {
    let position = position(index)
    return ShapedGlyph(
      id: UInt16(truncatingIfNeeded: info(index).codepoint), advance: position.x_advance, xOffset: position.x_offset,
      yOffset: position.y_offset)
  }

  // MARK: Changes

  func setPosition(_ index: Int, _ position: hb_glyph_position_t) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the buffer has no such glyph")
    unsafe positions.unsafelyUnwrapped[index] = position
  }

  func setCluster(_ index: Int, _ cluster: UInt32) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the buffer has no such glyph")
    unsafe infos.unsafelyUnwrapped[index].cluster = cluster
  }

  func allowBreak(_ index: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the buffer has no such glyph")
    unsafe infos.unsafelyUnwrapped[index].mask &= ~HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue
  }
}
