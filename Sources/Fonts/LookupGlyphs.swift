import CHarfBuzz

/// The glyphs that a lookup of GSUB or GPOS names (OpenType 1.9, Common Table Formats): of its input and of the context
/// that it looks for. They never change.
package final class LookupGlyphs: @unchecked Sendable {
  package let before = HarfBuzzSet()
  package let input = HarfBuzzSet()
  package let after = HarfBuzzSet()

  init(of lookup: UInt32, in table: UInt32, face: HarfBuzzFace) {
    unsafe hb_ot_layout_lookup_collect_glyphs(
      face.pointer, table, lookup, before.pointer, input.pointer, after.pointer, nil)
  }

  /// The lookup names the glyph.
  package func contains(_ glyph: UInt32) -> Bool {
    before.contains(glyph) || input.contains(glyph) || after.contains(glyph)
  }

  /// Adds all the glyphs to a set.
  package func add(to set: borrowing HarfBuzzSet) {
    set.formUnion(before)
    set.formUnion(input)
    set.formUnion(after)
  }
}
