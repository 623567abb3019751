import CHarfBuzz

/// A HarfBuzz set that frees itself.
@safe package struct HarfBuzzSet: ~Copyable {
  package let pointer: OpaquePointer?
  package init() { unsafe pointer = unsafe hb_set_create() }
  package init(copying other: borrowing HarfBuzzSet) { unsafe pointer = unsafe hb_set_copy(other.pointer) }
  deinit { unsafe hb_set_destroy(pointer) }

  package func contains(_ glyph: UInt32) -> Bool { unsafe hb_set_has(pointer, glyph) != 0 }
  package func isDisjoint(with other: borrowing HarfBuzzSet) -> Bool {
    let both = HarfBuzzSet(copying: self)
    both.formIntersection(other)
    return both.isEmpty
  }
  package func insert(_ glyph: UInt32) { unsafe hb_set_add(pointer, glyph) }
  package func insert(_ glyphs: ClosedRange<UInt32>) {
    unsafe hb_set_add_range(pointer, glyphs.lowerBound, glyphs.upperBound)
  }
  package func remove(_ glyph: UInt32) { unsafe hb_set_del(pointer, glyph) }
  package func formIntersection(_ other: borrowing HarfBuzzSet) { unsafe hb_set_intersect(pointer, other.pointer) }
  package func formUnion(_ other: borrowing HarfBuzzSet) { unsafe hb_set_union(pointer, other.pointer) }
  package func subtract(_ other: borrowing HarfBuzzSet) { unsafe hb_set_subtract(pointer, other.pointer) }
  package var isEmpty: Bool { unsafe hb_set_is_empty(pointer) != 0 }

  package var count: Int { unsafe Int(hb_set_get_population(pointer)) }

  /// The glyphs in rising order.
  package var elements: [UInt32] {
    let total = count
    return unsafe [UInt32](unsafeUninitializedCapacity: total) { buffer, count in
      guard total > 0 else { return }
      count = unsafe Int(hb_set_next_many(pointer, hb_codepoint_t.max, buffer.baseAddress, UInt32(total)))
    }
  }
}

extension [UInt32] {
  /// The index of the first element that is not below a value, in an array in rising order; the count where there is
  /// none.
  package func firstPlace(notBelow value: UInt32) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
