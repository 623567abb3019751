/// A length in 1/64 CSS px, the unit layout counts in.
///
/// Arithmetic saturates at ±33,554,431 px instead of trapping, so that absurd author lengths stay lengths.
/// Equal input gives equal units on every machine: floats are rounded once, where they enter.
@frozen
public struct LayoutUnit: RawRepresentable, Hashable, Comparable, Sendable, AdditiveArithmetic {
  /// In 1/64 CSS px.
  public var rawValue: Int32

  /// A length in 1/64 CSS px.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
  /// A whole number of CSS px.
  @inlinable public init(_ pixels: Int) { rawValue = Self.clamp(Int64(clamping: pixels) &* 64) }
  /// The nearest unit to a length in CSS px; NaN is zero.
  @inlinable public init(_ pixels: Double) {
    let scaled = (pixels * 64).rounded()
    rawValue =
      scaled >= 2_147_483_647 ? .max : scaled <= -2_147_483_647 ? -2_147_483_647 : scaled.isNaN ? 0 : Int32(scaled)
  }
  /// The nearest unit to a length in CSS px; NaN is zero.
  @inlinable public init(_ pixels: Float) { self.init(Double(pixels)) }

  // Computed, so that other modules need not ask whether it has been made.
  /// No length.
  @inlinable public static var zero: LayoutUnit { LayoutUnit(rawValue: 0) }
  /// One 1/64 px.
  @inlinable public static var epsilon: LayoutUnit { LayoutUnit(rawValue: 1) }
  /// The largest length; stands for "no limit".
  @inlinable public static var max: LayoutUnit { LayoutUnit(rawValue: .max) }
  /// The most negative length.
  @inlinable public static var min: LayoutUnit { LayoutUnit(rawValue: -2_147_483_647) }

  @inlinable static func clamp(_ value: Int64) -> Int32 {
    value > 2_147_483_647 ? .max : value < -2_147_483_647 ? -2_147_483_647 : Int32(truncatingIfNeeded: value)
  }

  /// The sum, kept within the range of lengths.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    let (sum, overflow) = a.rawValue.addingReportingOverflow(b.rawValue)
    return overflow ? (b.rawValue > 0 ? .max : .min) : Self(rawValue: sum)
  }
  /// The difference, kept within the range of lengths.
  @inlinable public static func - (a: Self, b: Self) -> Self {
    let (difference, overflow) = a.rawValue.subtractingReportingOverflow(b.rawValue)
    return overflow ? (b.rawValue < 0 ? .max : .min) : Self(rawValue: difference)
  }
  /// The length in the other direction.
  @inlinable public static prefix func - (a: Self) -> Self {
    Self(rawValue: a.rawValue == .min ? .max : 0 &- a.rawValue)
  }
  /// Adds, within the range of lengths.
  @inlinable public static func += (a: inout Self, b: Self) { a = a + b }
  /// Subtracts, within the range of lengths.
  @inlinable public static func -= (a: inout Self, b: Self) { a = a - b }
  /// The length `a` is shorter than `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// A multiple, kept within the range of lengths.
  @inlinable public static func * (a: Self, n: Int) -> Self { Self(rawValue: clampProduct(a, n)) }
  /// A part, rounded towards zero; `n` may not be 0.
  @inlinable public static func / (a: Self, n: Int) -> Self { Self(rawValue: a.rawValue / Int32(clamping: n)) }
  /// A multiple, rounded to the nearest unit and kept within the range of lengths.
  @inlinable public static func * (a: Self, factor: Double) -> Self { Self(a.pixels * factor) }
  @inlinable static func clampProduct(_ a: Self, _ n: Int) -> Int32 {
    let (product, overflow) = Int64(a.rawValue).multipliedReportingOverflow(by: Int64(n))
    return overflow ? ((a.rawValue < 0) == (n < 0) ? .max : -2_147_483_647) : clamp(product)
  }

  /// The length in CSS px.
  @inlinable public var pixels: Double { Double(rawValue) / 64 }
  /// The length in CSS px.
  @inlinable public var float: Float { Float(rawValue) / 64 }
  /// The nearest whole px, halves away from minus infinity.
  @inlinable public var rounded: LayoutUnit { LayoutUnit(rawValue: Self.clamp((Int64(rawValue) + 32) & ~63)) }
  /// The whole px that is not larger.
  @inlinable public var floor: LayoutUnit { LayoutUnit(rawValue: rawValue & ~63) }
  /// The whole px that is not smaller.
  @inlinable public var ceiling: LayoutUnit { LayoutUnit(rawValue: Self.clamp((Int64(rawValue) + 63) & ~63)) }
  /// The nearest whole number of px.
  @inlinable public var roundedPixels: Int { Int((Int64(rawValue) + 32) >> 6) }
}

extension LayoutUnit: CustomStringConvertible {
  /// The exact decimal value in px: 1/64 needs at most six decimals, and trailing zeros are dropped.
  public var description: String {
    var digits: [UInt8] = []
    append(to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the number in pixels, exactly, in decimal digits.
  package func append(to bytes: inout [UInt8]) {
    let magnitude = rawValue.magnitude
    if rawValue < 0 { bytes.append(0x2D) }
    bytes.append(contentsOf: String(magnitude >> 6).utf8)
    var rest = (magnitude & 63) * 15625  // 10^6 / 64
    if rest != 0 { bytes.append(0x2E) }
    var power: UInt32 = 100_000
    while rest != 0 {
      let (digit, remainder) = rest.quotientAndRemainder(dividingBy: power)
      bytes.append(0x30 + UInt8(truncatingIfNeeded: digit))
      rest = remainder
      power /= 10
    }
  }
}
