/// A hash table of the positions of values that its owner stores: open addressing with linear probing over a power of two of
/// slots, at most half full.
///
/// A slot keeps 32 bits of the hash beside the position, so that the owner compares values only where those agree, and the
/// table grows without a look at any value. Positions follow each other from 0, where the owner gives none of its own: equal values,
/// added in equal order, have equal positions whatever their hashes.
///
/// - Complexity: O(1) for a search or an addition, amortised.
package struct OpenTable: Sendable {
  /// Low half: position plus one, zero for an empty slot. High half: the tag.
  @usableFromInline var slots: [UInt64]
  /// The number of positions.
  package private(set) var count = 0

  /// - Parameter slotCount: A power of two.
  package init(slotCount: Int = 64) {
    slots = [UInt64](repeating: 0, count: slotCount)
  }

  /// Bytes allocated.
  package var byteCount: Int { slots.capacity * MemoryLayout<UInt64>.stride }

  /// A hash of a name: FNV-1a. It is not generic, since what is generic is not specialised in other modules.
  @inlinable @inline(__always)
  package static func hash(_ name: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return hash
  }

  /// The bits of a hash that are kept. The lower ones choose the slot, in hashes of which any half may be the better mixed one.
  @inlinable @inline(__always)
  static func tag(_ hash: UInt64) -> UInt64 { (hash ^ hash >> 32) & 0xFFFF_FFFF }

  /// The position of the value of this hash for which `isEqual` holds; nil where none was added.
  @inlinable @inline(__always)
  package func position(of hash: UInt64, where isEqual: (Int) -> Bool) -> Int? {
    let tag = Self.tag(hash)
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: tag) & mask
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry >> 32 == tag {
        let position = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
        if isEqual(position) { return position }
      }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Adds the next position, `count`, for a value of this hash.
  package mutating func append(_ hash: UInt64) { append(hash, at: count) }

  /// Adds a position for a value of this hash.
  ///
  /// - Parameter position: Less than 2^32 - 1.
  package mutating func append(_ hash: UInt64, at position: Int) {
    count += 1
    if count * 2 > slots.count { grow() }
    insert(Self.tag(hash) << 32 | UInt64(position + 1))
  }

  private mutating func insert(_ entry: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: entry >> 32) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 { insert(entry) }
  }

  /// Stops the program where the table contradicts itself: for tests.
  package func checkInvariants() {
    precondition(slots.count & (slots.count - 1) == 0, "the number of slots is no power of two")
    precondition(count * 2 <= slots.count, "the table is more than half full")
    var seen = [Bool](repeating: false, count: count)
    for (slot, entry) in slots.enumerated() where entry != 0 {
      let position = Int(entry & 0xFFFF_FFFF) - 1
      precondition(position < count && !seen[position], "position \(position) is unknown or stands twice")
      seen[position] = true
      var probe = Int(entry >> 32) & (slots.count - 1)
      while probe != slot {
        precondition(slots[probe] != 0, "position \(position) stands behind an empty slot")
        probe = (probe + 1) & (slots.count - 1)
      }
    }
    precondition(seen.allSatisfy { $0 }, "a position is missing")
  }
}
