/// The places before which a word may be divided, by the number of the unit that follows: at most 127.
package struct HyphenationPoints: Sequence, IteratorProtocol, Sendable, Hashable {
  private var bits: UInt128 = 0

  package init() {}

  package var isEmpty: Bool { bits == 0 }

  /// - Parameter unit: From 1 to 127.
  mutating func insert(_ unit: Int) { bits |= 1 << UInt128(unit) }

  /// - Parameter units: Sixteen places each, from the front.
  init(units: Span<UInt16>) {
    for index in units.indices { bits |= UInt128(units[index]) << UInt128(index * 16) }
  }

  /// The first sixteen places, a bit each.
  init(bits: UInt16) { self.bits = UInt128(bits) }

  /// Sixteen places.
  func unit(_ index: Int) -> UInt16 { UInt16(truncatingIfNeeded: bits >> UInt128(index * 16)) }

  /// The next place, from the front.
  package mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    defer { bits &= bits &- 1 }
    return bits.trailingZeroBitCount
  }
}
