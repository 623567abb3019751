import Fonts

/// A set of the glyphs of one face, a bit each.
struct GlyphSet {
  private var words: [UInt64]

  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  @inline(__always)
  func contains(_ glyph: UInt16) -> Bool {
    let word = Int(glyph >> 6)
    return word < words.count && words[word] >> UInt64(glyph & 63) & 1 != 0
  }

  mutating func insert(_ glyph: UInt32) {
    let word = Int(glyph >> 6)
    if word < words.count { words[word] |= 1 << UInt64(glyph & 63) }
  }

  /// The glyphs of a HarfBuzz set below a number.
  init(_ set: borrowing HarfBuzzSet, count: Int) {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for glyph in set.elements where Int(glyph) < count { words[Int(glyph >> 6)] |= 1 &<< UInt64(glyph & 63) }
    self.words = words
  }
}
