/// A 64-bit hash that is the same in every process and on every machine, unlike Swift's seeded `Hasher`.
///
/// Each word is folded in by a multiplication to 128 bits and an exclusive or of its halves; the constants are odd
/// 64-bit numbers with balanced bits. Two inputs that differ in one bit differ in about half of the result.
@frozen
public struct StableHasher: Sendable {
  @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// A hasher that has seen nothing.
  @inlinable public init() {}

  /// Folds in eight bytes.
  @inlinable public mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = (product.high ^ product.low) &+ 0xA076_1D64_78BD_642F
  }
  /// Folds in a number.
  @inlinable public mutating func combine(_ word: UInt32) { combine(UInt64(word)) }
  /// Folds in a number.
  @inlinable public mutating func combine(_ word: Int) { combine(UInt64(bitPattern: Int64(word))) }
  /// Folds in a number by its bits: 0 and -0 differ.
  @inlinable public mutating func combine(_ value: Float) { combine(UInt64(value.bitPattern)) }
  /// Folds in a length.
  @inlinable public mutating func combine(_ value: LayoutUnit) { combine(UInt64(UInt32(bitPattern: value.rawValue))) }
  /// Folds in a truth value.
  @inlinable public mutating func combine(_ value: Bool) { combine(UInt64(value ? 1 : 0)) }
  /// Folds in a colour with its opacity.
  @inlinable public mutating func combine(_ color: Color) { combine(UInt64(color.rgba)) }

  /// Folds in bytes, eight at a time, then their number.
  @inlinable public mutating func combine(_ bytes: Span<UInt8>) {
    // A copy stays in a register, and whole words need no check of their own.
    var hasher = self
    let count = bytes.count
    let whole = count & ~7
    let raw = unsafe bytes.bytes
    var index = 0
    while index < whole {
      let word = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      hasher.combine(UInt64(littleEndian: word))
      index &+= 8
    }
    var tail: UInt64 = 0
    while index < count {
      tail = tail << 8 | UInt64(bytes[index])
      index &+= 1
    }
    hasher.combine(tail)
    hasher.combine(UInt64(count))
    self = hasher
  }
  /// Folds in a text as UTF-8, then its length.
  @inlinable public mutating func combine(_ text: String) {
    combine(text.utf8Span.span)
  }
  /// Folds in bytes, then their number.
  @inlinable public mutating func combine(_ bytes: [UInt8]) { combine(bytes.span) }

  /// The hash of everything combined so far.
  @inlinable public var value: UInt64 {
    var mixed = state
    mixed ^= mixed >> 32
    mixed = mixed &* 0xE703_7ED1_A0B4_28DB
    mixed ^= mixed >> 29
    return mixed
  }
}

/// A value with a hash that lasts beyond the process.
public protocol StableHashable: Equatable {
  /// Folds all that makes the value itself into a hasher.
  func hash(into hasher: inout StableHasher)
}

extension StableHashable {
  /// The hash of the value alone.
  @inlinable public var stableHash: UInt64 {
    var hasher = StableHasher()
    hash(into: &hasher)
    return hasher.value
  }
}
