import Platform
import Primitives

/// The words that have been divided by the same rules: each is looked for in the patterns once.
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

  /// The points of a short word, which `divide` finds when it is new.
  @inline(__always)
  mutating func points(in word: ShortWord, divide: () -> HyphenationPoints) -> HyphenationPoints {
    if let known = shortWords.points(in: word) { return known }
    let points = divide()
    if shortWords.count >= Self.limit { shortWords = ShortWords() }
    shortWords.insert(word, points)
    return points
  }

  /// The points of a word, which `divide` finds when it is new.
  ///
  /// - Complexity: O(n) in the units of a known word.
  mutating func points(
    in word: Span<UInt16>, divide: (Span<UInt16>) -> HyphenationPoints
  ) -> HyphenationPoints {
    if let short = ShortWord(word) { return points(in: short) { divide(word) } }
    let hash = Self.hash(word)
    if let known = find(word, hash) { return known }
    let points = divide(word)
    insert(word, hash, points)
    return points
  }

  private static func hash(_ word: Span<UInt16>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: word.count) &* 0x9E37_79B9_7F4A_7C15
    var four: UInt64 = 0
    for index in word.indices {
      four = four &<< 16 | UInt64(word[index])
      if index & 3 == 3 {
        hash = mixed(hash ^ four)
        four = 0
      }
    }
    return mixed(hash ^ four)
  }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }

  private func find(_ word: Span<UInt16>, _ hash: UInt64) -> HyphenationPoints? {
    let bitUnits = (word.count &+ 15) / 16
    let records = records.span
    let known = positions.position(of: hash) { position in
      guard records[position] == word.count else { return false }
      let start = position + 1 + bitUnits
      return records.extracting(start..<start + word.count).elementsEqual(word)
    }
    guard let known else { return nil }
    return HyphenationPoints(units: records.extracting(known + 1..<known + 1 + bitUnits))
  }

  private mutating func insert(_ word: Span<UInt16>, _ hash: UInt64, _ points: HyphenationPoints) {
    if positions.count >= Self.limit { self = Self() }
    positions.append(hash, at: records.count)
    records.append(UInt16(word.count))
    for unit in 0..<(word.count + 15) / 16 { records.append(points.unit(unit)) }
    records.append(contentsOf: word)
  }
}

/// Short words with their points: open addressing with linear probing over a power of two of slots, at most half full.
private struct ShortWords: Sendable {
  private static let wordBits: UInt64 = 0xFFFF_FFFF_FFFF
  /// The halves of words, with the points above the second; 0 in the second for an empty slot.
  private var slots = [SIMD2<UInt64>](repeating: .zero, count: 1024)
  private(set) var count = 0

  @inline(__always)
  private static func hash(_ word: ShortWord) -> Int {
    let product = (word.low ^ word.high &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  @inline(__always)
  func points(in word: ShortWord) -> HyphenationPoints? {
    let slots = slots.span
    let mask = slots.count &- 1
    var slot = Self.hash(word) & mask
    while true {
      let entry = slots[slot]
      if entry.x == word.low, entry.y & Self.wordBits == word.high {
        return HyphenationPoints(bits: UInt16(truncatingIfNeeded: entry.y &>> 48))
      }
      guard entry.y != 0 else { return nil }
      slot = (slot &+ 1) & mask
    }
  }

  mutating func insert(_ word: ShortWord, _ points: HyphenationPoints) {
    count += 1
    if count * 2 > slots.count { grow() }
    insert(SIMD2(word.low, word.high | UInt64(points.unit(0)) << 48), hash: Self.hash(word))
  }

  private mutating func insert(_ entry: SIMD2<UInt64>, hash: Int) {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot].y != 0 { slot = (slot + 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = [SIMD2<UInt64>](repeating: .zero, count: old.count * 2)
    for entry in old where entry.y != 0 {
      insert(entry, hash: Self.hash(ShortWord(low: entry.x, high: entry.y & Self.wordBits)))
    }
  }
}
