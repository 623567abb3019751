import CHarfBuzz

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

  /// The glyphs of a HarfBuzz set.
  init(_ set: OpaquePointer?, count: Int) {
    self.init(count: count)
    var glyph = hb_codepoint_t.max
    while hb_set_next(set, &glyph) != 0, Int(glyph) < count { insert(glyph) }
  }
}

/// A HarfBuzz set that frees itself.
struct HarfBuzzSet: ~Copyable {
  let pointer: OpaquePointer?
  init() { pointer = hb_set_create() }
  init(copying other: borrowing HarfBuzzSet) { pointer = hb_set_copy(other.pointer) }
  deinit { hb_set_destroy(pointer) }

  func contains(_ glyph: UInt32) -> Bool { hb_set_has(pointer, glyph) != 0 }
  func isDisjoint(with other: borrowing HarfBuzzSet) -> Bool {
    let both = HarfBuzzSet(copying: self)
    both.formIntersection(other)
    return both.isEmpty
  }
  func insert(_ glyph: UInt32) { hb_set_add(pointer, glyph) }
  func remove(_ glyph: UInt32) { hb_set_del(pointer, glyph) }
  func formIntersection(_ other: borrowing HarfBuzzSet) { hb_set_intersect(pointer, other.pointer) }
  func formUnion(_ other: borrowing HarfBuzzSet) { hb_set_union(pointer, other.pointer) }
  func subtract(_ other: borrowing HarfBuzzSet) { hb_set_subtract(pointer, other.pointer) }
  var isEmpty: Bool { hb_set_is_empty(pointer) != 0 }
}
