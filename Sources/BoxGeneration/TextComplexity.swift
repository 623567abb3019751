/// The complexity of a text: the parts of layout that its UTF-16 units need.
enum TextComplexity {
  /// Right-to-left characters or bidi controls may be among the units; the units may all be of Latin scripts with their
  /// punctuation.
  ///
  /// - Complexity: O(*n*), without a branch, so that the compiler looks at several units at a time.
  static func classify(_ units: Span<UInt16>) -> (hasRightToLeft: Bool, isSimple: Bool) {
    var rightToLeft: UInt16 = 0
    var other: UInt16 = 0
    for index in units.indices {
      let unit = units[index]
      // Hebrew to Arabic Extended-A, marks and embeddings, presentation forms, and the high surrogates of the planes
      // that hold right-to-left scripts.
      rightToLeft |=
        within(unit, 0x0590, 0x08FF) | within(unit, 0x200E, 0x200F) | within(unit, 0x202A, 0x202E)
        | within(unit, 0x2066, 0x2069) | within(unit, 0xFB1D, 0xFDFF) | within(unit, 0xFE70, 0xFEFE)
        | within(unit, 0xD802, 0xD803) | within(unit, 0xD83A, 0xD83B)
      // All but Latin, its punctuation and atomic inlines.
      other |= within(unit, 0x0250, 0x200F) | within(unit, 0x2029, 0xFFFB) | within(unit, 0xFFFD, 0xFFFF)
    }
    return (rightToLeft != 0, other == 0)
  }

  /// 1 for a unit between `first` and `last`, both included.
  @inline(__always)
  private static func within(_ unit: UInt16, _ first: UInt16, _ last: UInt16) -> UInt16 {
    unit &- first <= last - first ? 1 : 0
  }
}
