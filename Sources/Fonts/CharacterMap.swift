extension FontFace {
  /// Calls `body` with each range of characters that the face maps to consecutive glyphs, and the first of these.
  ///
  /// Read from a `cmap` subtable of format 12 (OpenType 1.9, "cmap"), whose ranges are thousands of characters long in CJK
  /// faces; from HarfBuzz, character by character, where the face has none.
  package func forEachMapping(_ body: (ClosedRange<UInt32>, UInt32) -> Void) {
    let map = hbFace.table("cmap")
    guard let subtable = Self.segmentedCoverage(map) else {
      for scalar in hbFace.characters { body(scalar...scalar, UInt32(glyph(scalar))) }
      return
    }
    for index in 0..<Int(map.word(subtable + 12)) {
      let group = subtable + 16 + 12 * index
      guard group + 12 <= map.count else { break }
      let first = map.word(group)
      let last = Swift.min(map.word(group + 4), 0x10_FFFF)
      let glyph = map.word(group + 8)
      guard first <= last, glyph < UInt32(glyphCount) else { continue }
      body(first...Swift.min(last, first + (UInt32(glyphCount) - 1 - glyph)), glyph)
    }
  }

  /// The offset of the subtable for all of Unicode that HarfBuzz prefers, if it is of format 12.
  private static func segmentedCoverage(_ map: HarfBuzzBlob) -> Int? {
    for (platform, encoding) in [(3, 10), (0, 6), (0, 4)] as [(UInt16, UInt16)] {
      for index in 0..<Int(map.half(2)) {
        let record = 4 + 8 * index
        guard map.half(record) == platform, map.half(record + 2) == encoding else { continue }
        let offset = Int(map.word(record + 4))
        return map.half(offset) == 12 ? offset : nil
      }
    }
    return nil
  }
}
