/// A table that keeps one copy of each distinct value and names it by its position.
///
/// Open addressing with linear probing over a power-of-two table at most a quarter full; each slot keeps 32 bits of the hash,
/// so a value is compared only when those agree. Ids follow first appearance, hence equal input gives equal ids.
///
/// - Complexity: O(1) probes a lookup, counted in `lookups`, `probes` and `longestProbe`.
public struct Interner<Value: StableHashable, Tag> {
  /// The distinct values, by id.
  public private(set) var values: [Value] = []
  /// How often `intern` searched the table.
  public private(set) var lookups = 0
  /// How many slots those searches looked at.
  public private(set) var probes = 0
  /// The most slots a single search looked at.
  public private(set) var longestProbe = 0

  /// Low half: id plus one, zero for an empty slot. High half: the upper half of the hash.
  private var slots: [UInt64]

  public init(minimumCapacity: Int = 32) {
    var size = 64
    while size < minimumCapacity * 4 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
  }

  public subscript(id: Identifier<Tag>) -> Value { values[id.index] }

  /// The id of `value`, added to the table if it is new.
  public mutating func intern(_ value: Value) -> Identifier<Tag> {
    let hash = value.stableHash
    lookups += 1
    let mask = slots.count - 1
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: hash) & mask
    var length = 1
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry & 0xFFFF_FFFF_0000_0000 == tag, values[Int(entry & 0xFFFF_FFFF) - 1] == value {
        record(length)
        return Identifier(rawValue: UInt32(entry & 0xFFFF_FFFF) - 1)
      }
      slot = (slot + 1) & mask
      length += 1
    }
    record(length)
    values.append(value)
    slots[slot] = tag | UInt64(values.count)
    if values.count * 4 > slots.count { grow() }
    return Identifier(values.count - 1)
  }

  private mutating func record(_ length: Int) {
    probes += length
    if length > longestProbe { longestProbe = length }
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    let mask = larger.count - 1
    for (index, value) in values.enumerated() {
      let hash = value.stableHash
      var slot = Int(truncatingIfNeeded: hash) & mask
      while larger[slot] != 0 { slot = (slot + 1) & mask }
      larger[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    }
    slots = larger
  }
}

extension Interner: Sendable where Value: Sendable {}
