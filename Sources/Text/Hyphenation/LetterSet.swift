/// A set of letters, hashed to a bit each: what is not in it is told in no time, and nearly always.
struct LetterSet: Sendable {
  private var bits: UInt64 = 0

  mutating func insert(_ letter: UInt16) { bits |= Self.bit(of: letter) }

  @inline(__always)
  func mayContain(_ letter: UInt16) -> Bool { bits & Self.bit(of: letter) != 0 }

  @inline(__always)
  private static func bit(of letter: UInt16) -> UInt64 { 1 &<< ((UInt64(letter) &* 0x9E37_79B9_7F4A_7C15) &>> 58) }
}
