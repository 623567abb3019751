import Platform
import Primitives

/// The words of one language that have been divided, by the same minima: each is looked for in the patterns once.
///
/// Most words of a text are met seldom, and a look for one costs as much as the memory that it touches: a short word stands in
/// its slot whole, and all that is known of a longer one together in one array. There is a bound of words of either kind; beyond
/// it they are forgotten.
struct DividedWords: Sendable {
  private var shortWords = ShortWords()
  /// The places of records of other words.
  private var positions = OpenTable(slotCount: 1024)
  /// Of each word its number of units, its points, a bit each, and its units.
  private var records: [UInt16] = []

  private static let limit = 1 << 16

  /// The points of a word, which `divide` finds when it is new.
  ///
  /// - Complexity: O(n) in the units of a known word.
  @inline(__always)
  mutating func points(
    in word: UnsafeBufferPointer<UInt16>, divide: (UnsafeBufferPointer<UInt16>) -> HyphenationPoints
  ) -> HyphenationPoints {
    if let key = unsafe ShortWords.Key(word) {
      if let known = shortWords.points(of: key) { return known }
      let points = unsafe divide(word)
      if shortWords.count >= Self.limit { shortWords = ShortWords() }
      shortWords.insert(key, points)
      return points
    }
    let hash = unsafe Self.hash(word)
    if let known = unsafe find(word, hash) { return known }
    let points = unsafe divide(word)
    unsafe insert(word, hash, points)
    return points
  }

  private static func hash(_ word: UnsafeBufferPointer<UInt16>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: word.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    let bytes = UnsafeRawBufferPointer(word)
    while index &+ 4 <= word.count {
      hash = unsafe mixed(hash ^ bytes.loadUnaligned(fromByteOffset: index &* 2, as: UInt64.self))
      index &+= 4
    }
    var rest: UInt64 = 0
    while index < word.count {
      rest = unsafe rest &<< 16 | UInt64(word[index])
      index &+= 1
    }
    return mixed(hash ^ rest)
  }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }

  private func find(_ word: UnsafeBufferPointer<UInt16>, _ hash: UInt64) -> HyphenationPoints? {
    let bitUnits = (word.count &+ 15) / 16
    return unsafe records.withUnsafeBufferPointer { records in
      let base = records.baseAddress
      let known = positions.position(of: hash) { position in
        let record = unsafe base.unsafelyUnwrapped + position
        return unsafe record.pointee == word.count
          && memcmp(record + 1 + bitUnits, word.baseAddress.unsafelyUnwrapped, word.count * 2) == 0
      }
      return known.map {
        unsafe HyphenationPoints(units: UnsafeBufferPointer(rebasing: records[$0 + 1..<$0 + 1 + bitUnits]))
      }
    }
  }

  private mutating func insert(_ word: UnsafeBufferPointer<UInt16>, _ hash: UInt64, _ points: HyphenationPoints) {
    if positions.count >= Self.limit { self = Self() }
    positions.append(hash, at: records.count)
    records.append(UInt16(word.count))
    for unit in 0..<(word.count + 15) / 16 { records.append(points.unit(unit)) }
    unsafe records.append(contentsOf: word)
  }
}

/// Words of up to twelve letters of one block of 256 characters, with their points: open addressing with linear probing over a
/// power of two of slots, at most half full.
private struct ShortWords: Sendable {
  /// The letters of a word, a byte each, how many they are, and their block.
  struct Key {
    fileprivate var low: UInt64 = 0
    /// Four letters, their number in 8 bits, the upper byte that they share, and room for points in the last 16 bits.
    fileprivate var high: UInt64 = 0

    /// nil for other words.
    @inline(__always)
    init?(_ word: UnsafeBufferPointer<UInt16>) {
      guard !word.isEmpty, word.count <= 12 else { return nil }
      let block = unsafe word[0] >> 8
      var difference: UInt16 = 0
      var index = word.count
      while index > 0 {
        index &-= 1
        let unit = unsafe word[index]
        difference |= unit >> 8 ^ block
        if index >= 8 {
          high = high &<< 8 | UInt64(unit & 0xFF)
        } else {
          low = low &<< 8 | UInt64(unit & 0xFF)
        }
      }
      guard difference == 0 else { return nil }
      high |= UInt64(truncatingIfNeeded: word.count) &<< 32 | UInt64(block) &<< 40
    }

    @inline(__always)
    fileprivate var hash: UInt64 {
      let product = (low ^ high &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
      return product.high ^ product.low
    }
  }

  private static let keyBits: UInt64 = 0xFFFF_FFFF_FFFF
  /// The halves of keys, with the points above the second; 0 in the second for an empty slot.
  private var slots = [SIMD2<UInt64>](repeating: .zero, count: 1024)
  private(set) var count = 0

  @inline(__always)
  func points(of key: Key) -> HyphenationPoints? {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: key.hash) & mask
    while slots[slot].y != 0 {
      let entry = slots[slot]
      if entry.x == key.low, entry.y & Self.keyBits == key.high {
        return HyphenationPoints(bits: UInt16(truncatingIfNeeded: entry.y &>> 48))
      }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  mutating func insert(_ key: Key, _ points: HyphenationPoints) {
    count += 1
    if count * 2 > slots.count { grow() }
    insert(SIMD2(key.low, key.high | UInt64(points.unit(0)) << 48), hash: key.hash)
  }

  private mutating func insert(_ entry: SIMD2<UInt64>, hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].y != 0 { slot = (slot + 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = [SIMD2<UInt64>](repeating: .zero, count: old.count * 2)
    for entry in old where entry.y != 0 {
      insert(entry, hash: Key(low: entry.x, high: entry.y & Self.keyBits).hash)
    }
  }
}

extension ShortWords.Key {
  fileprivate init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}
