import CHarfBuzz

extension FontFace {
  /// Calls `body` with each range of characters that the face maps to consecutive glyphs, and the first of these.
  ///
  /// Read from a `cmap` subtable of format 12 (OpenType 1.9, "cmap"), whose ranges are thousands of characters long in CJK
  /// faces; from HarfBuzz, character by character, where the face has none.
  package func forEachMapping(_ body: (ClosedRange<UInt32>, UInt32) -> Void) {
    let isRead = unsafe FontMetrics.table(hbFace, "cmap") { bytes in
      guard let subtable = unsafe Self.segmentedCoverage(bytes) else { return false }
      for index in unsafe 0..<Int(SfntDirectory.word(bytes, subtable + 12)) {
        let group = subtable + 16 + 12 * index
        guard group + 12 <= bytes.count else { break }
        let first = unsafe SfntDirectory.word(bytes, group)
        let last = unsafe Swift.min(SfntDirectory.word(bytes, group + 4), 0x10_FFFF)
        let glyph = unsafe SfntDirectory.word(bytes, group + 8)
        guard first <= last, glyph < UInt32(glyphCount) else { continue }
        body(first...Swift.min(last, first + (UInt32(glyphCount) - 1 - glyph)), glyph)
      }
      return true
    }
    guard !isRead else { return }
    let characters = unsafe hb_set_create()
    defer { unsafe hb_set_destroy(characters) }
    unsafe hb_face_collect_unicodes(hbFace, characters)
    var scalar = hb_codepoint_t.max
    while unsafe hb_set_next(characters, &scalar) != 0 { body(scalar...scalar, UInt32(glyph(scalar))) }
  }

  /// The offset of the subtable for all of Unicode that HarfBuzz prefers, if it is of format 12.
  private static func segmentedCoverage(_ bytes: UnsafeRawBufferPointer) -> Int? {
    for (platform, encoding) in [(3, 10), (0, 6), (0, 4)] as [(UInt16, UInt16)] {
      for index in unsafe 0..<Int(SfntDirectory.half(bytes, 2)) {
        let record = 4 + 8 * index
        guard unsafe SfntDirectory.half(bytes, record) == platform,
          unsafe SfntDirectory.half(bytes, record + 2) == encoding
        else {
          continue
        }
        let offset = unsafe Int(SfntDirectory.word(bytes, record + 4))
        return unsafe SfntDirectory.half(bytes, offset) == 12 ? offset : nil
      }
    }
    return nil
  }
}
