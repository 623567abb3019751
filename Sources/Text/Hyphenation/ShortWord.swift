/// A word of up to twelve letters that share the upper byte of their units, packed: a byte for each letter.
///
/// Most words of scripts with letters are of this kind, and are compared and kept as two integers.
package struct ShortWord: Hashable, Sendable {
  /// The lower bytes of the first eight letters, the first one lowest.
  private(set) var low: UInt64 = 0
  /// Those of four more, their number in 8 bits, and the upper byte that all share. The last 16 bits are 0.
  private(set) var high: UInt64 = 0

  /// Letters of the longest one.
  package static let capacity = 12

  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// nil for other words.
  @inline(__always)
  init?(_ word: Span<UInt16>) {
    guard !word.isEmpty, word.count <= Self.capacity else { return nil }
    let block = word[0] >> 8
    var difference: UInt16 = 0
    var index = word.count
    while index > 0 {
      index &-= 1
      let unit = word[index]
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

  /// The letters of ASCII that a text begins with, up to `capacity`; nil when there are more, or none.
  ///
  /// - Parameter text: At least `capacity` units.
  @inline(__always)
  package init?(lettersAt text: UnsafePointer<UInt16>) {
    let units = unsafe UnsafeRawPointer(text)
    let first = unsafe Quad(units.loadUnaligned(as: UInt64.self))
    let second = unsafe Quad(units.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let third = unsafe Quad(units.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    let count: Int
    if first.others != 0 {
      count = first.letterCount
      guard count > 0 else { return nil }
      low = first.bytes & Self.mask(count)
    } else if second.others != 0 {
      count = 4 &+ second.letterCount
      low = (first.bytes | second.bytes &<< 32) & Self.mask(count)
    } else {
      guard third.others != 0 else { return nil }
      let more = third.letterCount
      count = 8 &+ more
      low = first.bytes | second.bytes &<< 32
      high = third.bytes & Self.mask(more)
    }
    high |= UInt64(truncatingIfNeeded: count) &<< 32
  }

  /// - Parameter count: Less than 8.
  @inline(__always)
  private static func mask(_ count: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1 }

  /// Four units, the first one lowest.
  private struct Quad {
    private let units: UInt64
    /// Bits in the lanes of units that are no letters of ASCII.
    let others: UInt64

    @inline(__always)
    init(_ units: UInt64) {
      self.units = UInt64(littleEndian: units)
      // Letters in lower case are 0x61 to 0x7A. No sum reaches over its lane, since the top bits are left out of it.
      let top: UInt64 = 0x8000_8000_8000_8000
      let lower = (self.units | 0x0020_0020_0020_0020) & ~top
      let above = lower &+ 0x7F85_7F85_7F85_7F85
      let notBelow = (lower | top) &- 0x0061_0061_0061_0061
      others = (above | ~notBelow) & top | self.units & 0xFF80_FF80_FF80_FF80
    }

    /// The letters before the first other unit, where there is one.
    @inline(__always) var letterCount: Int { others.trailingZeroBitCount &>> 4 }

    /// The lower bytes of the units.
    @inline(__always) var bytes: UInt64 {
      let pairs = units & 0x00FF_00FF_00FF_00FF
      let halves = (pairs | pairs &>> 8) & 0x0000_FFFF_0000_FFFF
      return (halves | halves &>> 16) & 0xFFFF_FFFF
    }
  }

  /// The number of letters.
  @inline(__always) package var count: Int { Int(truncatingIfNeeded: high &>> 32 & 0xFF) }

  /// Writes the letters.
  ///
  /// - Parameter units: Room for `capacity` units.
  func write(to units: inout MutableSpan<UInt16>) {
    let block = UInt16(truncatingIfNeeded: high &>> 40) &<< 8
    for index in 0..<count {
      let bytes = index < 8 ? low &>> UInt64(index &* 8) : high &>> UInt64((index &- 8) &* 8)
      units[index] = block | UInt16(truncatingIfNeeded: bytes & 0xFF)
    }
  }
}
