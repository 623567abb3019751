extension [UInt8] {
  /// Appends the digits of a decimal number without its sign, and without zeros at the end of its fraction.
  ///
  /// - Parameters:
  ///   - units: The number in units of its last decimal: 1250 of three decimals is `1.25`.
  ///   - decimals: 0 to 19.
  ///   - omitsZero: Nothing stands before the point of a number below 1.
  package mutating func appendDecimal(_ units: UInt, decimals: Int, omitsZero: Bool = false) {
    var rest = units
    var decimals = decimals
    while decimals > 0, rest % 10 == 0 {
      rest /= 10
      decimals -= 1
    }
    // From the last digit to the first; with the point and a zero before it there are 22 at most.
    var digits = InlineArray<24, UInt8>(repeating: 0)
    var first = digits.count
    if decimals > 0 {
      for _ in 0..<decimals {
        first -= 1
        digits[first] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
        rest /= 10
      }
      first -= 1
      digits[first] = 0x2E
    }
    if rest > 0 || decimals == 0 || !omitsZero {
      repeat {
        first -= 1
        digits[first] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
        rest /= 10
      } while rest > 0
    }
    unsafe digits.span.withUnsafeBufferPointer { unsafe append(contentsOf: $0[first...]) }
  }
}
