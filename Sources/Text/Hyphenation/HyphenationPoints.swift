import Platform
import Primitives

/// The places before which a word may be divided, by the number of the unit that follows: at most 127.
package struct HyphenationPoints: Sequence, IteratorProtocol, Sendable, Hashable {
  private var bits: UInt128 = 0

  package init() {}

  package var isEmpty: Bool { bits == 0 }

  /// - Parameter unit: From 1 to 127.
  mutating func insert(_ unit: Int) { bits |= 1 << UInt128(unit) }

  /// - Parameter units: Sixteen places each, from the front.
  init(units: UnsafeBufferPointer<UInt16>) {
    for index in units.indices { bits |= unsafe UInt128(units[index]) << UInt128(index * 16) }
  }

  /// Sixteen places.
  func unit(_ index: Int) -> UInt16 { UInt16(truncatingIfNeeded: bits >> UInt128(index * 16)) }

  /// The next place, from the front.
  package mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    defer { bits &= bits &- 1 }
    return bits.trailingZeroBitCount
  }
}

/// The words of one language that have been divided, by the same minima: each is looked for in the patterns once.
///
/// All that is known of a word stands together in one array: most words of a text are met seldom, and a look for one costs as much as
/// the memory that it touches. It holds no more than some number of words; then all are forgotten.
struct DividedWords: Sendable {
  /// The places of records.
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
