/// Values in attributes of drawings that are written as those of properties.
extension ValueParser {
  /// A length, a percentage or a math function of them.
  package mutating func attributeLength() -> Calculation? {
    switch lengthPercentage() {
    case .length(let length)?: .length(length)
    case .calculation?: calculations.last
    case nil: nil
    }
  }

  package mutating func attributeColor() -> ColorValue? { color() }
}
