/// A table that keeps one copy of each distinct value and names it by its position.
///
/// Open addressing over a power-of-two number of buckets, at most half full. A bucket is eight slots, which is a line of the
/// processor's cache: a probe looks at one of them, and goes on to the next where it is full. Each slot keeps 32 bits of the
/// hash, so a value is compared only when those agree. Ids follow first appearance, hence equal input gives equal ids.
///
/// - Complexity: O(1) probes a lookup, counted in `lookups`, `probes` and `longestProbe`.
public struct Interner<Value: StableHashable, Tag> {
  /// The distinct values, by id.
  public private(set) var values: [Value] = []
  /// The number of searches of the table by `intern`.
  public private(set) var lookups = 0
  /// The number of buckets that those searches looked at.
  public private(set) var probes = 0
  /// The most buckets a single search looked at.
  public private(set) var longestProbe = 0

  /// Low half: id plus one, zero for an empty slot. High half: the upper half of the hash.
  private var slots: [UInt64]

  private static var bucketSize: Int { 8 }

  /// An empty table.
  ///
  /// - Parameter minimumCapacity: How many values it takes before it grows.
  public init(minimumCapacity: Int = 32) {
    var size = 64
    while size < minimumCapacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
  }

  /// The value an id names.
  public subscript(id: Identifier<Tag>) -> Value { values[id.index] }

  /// The id of `value`, added to the table if it is new.
  public mutating func intern(_ value: Value) -> Identifier<Tag> {
    let hash = value.stableHash
    let tag = hash & 0xFFFF_FFFF_0000_0000
    lookups += 1
    var slot = Self.firstSlot(hash, in: slots.count)
    var length = 1
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry & 0xFFFF_FFFF_0000_0000 == tag, values[Int(entry & 0xFFFF_FFFF) - 1] == value {
        record(length)
        return Identifier(rawValue: UInt32(entry & 0xFFFF_FFFF) - 1)
      }
      slot = (slot + 1) & (slots.count - 1)
      if slot % Self.bucketSize == 0 { length += 1 }
    }
    record(length)
    values.append(value)
    slots[slot] = tag | UInt64(values.count)
    if values.count * 2 > slots.count { grow() }
    return Identifier(values.count - 1)
  }

  /// The first slot of a hash's bucket.
  private static func firstSlot(_ hash: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: hash) & (count - 1) & ~(bucketSize - 1)
  }

  private mutating func record(_ length: Int) {
    probes += length
    if length > longestProbe { longestProbe = length }
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for (index, value) in values.enumerated() {
      let hash = value.stableHash
      var slot = Self.firstSlot(hash, in: larger.count)
      while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    }
    slots = larger
  }
}

extension Interner: Sendable where Value: Sendable {}
