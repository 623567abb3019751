/// A set of letters, hashed to a bit each: what is not in it is nearly always told in no time.
struct LetterSet: Sendable {
  private(set) var bits: UInt64 = 0

  init(bits: UInt64 = 0) { self.bits = bits }

  mutating func insert(_ letter: UInt16) { bits |= Self.bit(of: letter) }

  @inline(__always)
  func mayContain(_ letter: UInt16) -> Bool { bits & Self.bit(of: letter) != 0 }

  /// Small letters of ASCII share their bits with no others.
  @inline(__always)
  private static func bit(of letter: UInt16) -> UInt64 {
    let place = letter &- 0x61
    if place < 26 { return 1 &<< UInt64(place) }
    return 1 &<< UInt64(26 + (UInt32(letter &* 0x9E37) * 38) >> 16)
  }
}
