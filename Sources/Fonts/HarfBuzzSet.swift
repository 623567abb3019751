import CHarfBuzz

/// A HarfBuzz set that frees itself.
package struct HarfBuzzSet: ~Copyable {
  package let pointer: OpaquePointer?
  package init() { pointer = hb_set_create() }
  package init(copying other: borrowing HarfBuzzSet) { pointer = hb_set_copy(other.pointer) }
  deinit { hb_set_destroy(pointer) }

  package func contains(_ glyph: UInt32) -> Bool { hb_set_has(pointer, glyph) != 0 }
  package func isDisjoint(with other: borrowing HarfBuzzSet) -> Bool {
    let both = HarfBuzzSet(copying: self)
    both.formIntersection(other)
    return both.isEmpty
  }
  package func insert(_ glyph: UInt32) { hb_set_add(pointer, glyph) }
  package func remove(_ glyph: UInt32) { hb_set_del(pointer, glyph) }
  package func formIntersection(_ other: borrowing HarfBuzzSet) { hb_set_intersect(pointer, other.pointer) }
  package func formUnion(_ other: borrowing HarfBuzzSet) { hb_set_union(pointer, other.pointer) }
  package func subtract(_ other: borrowing HarfBuzzSet) { hb_set_subtract(pointer, other.pointer) }
  package var isEmpty: Bool { hb_set_is_empty(pointer) != 0 }
}
