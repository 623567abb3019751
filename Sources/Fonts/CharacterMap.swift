import Primitives

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
    let bytes = map.bytes
    let glyphCount = UInt32(self.glyphCount)
    let first = subtable + 16
    let count = Swift.min(Int(map.word(subtable + 12)), Swift.max(0, bytes.count - first) / 12)
    for group in stride(from: first, to: first + 12 * count, by: 12) {
      let start = bytes.bigEndian(at: group, as: UInt32.self)
      let end = Swift.min(bytes.bigEndian(at: group + 4, as: UInt32.self), 0x10_FFFF)
      let glyph = bytes.bigEndian(at: group + 8, as: UInt32.self)
      guard start <= end, glyph < glyphCount else { continue }
      body(start...Swift.min(end, start + (glyphCount - 1 - glyph)), glyph)
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
