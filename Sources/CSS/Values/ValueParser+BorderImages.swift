import Primitives

private let borderRepeatWords = words(BorderImageRepeat.self)

extension ValueParser {
  /// One to four values as those of the four sides.
  private mutating func four<Value: Hashable & Sendable>(
    _ value: (inout ValueParser) -> Value?
  ) -> Sides<Value>? {
    var values: [Value] = []
    while values.count < 4, let next = value(&self) { values.append(next) }
    guard let top = values.first else { return nil }
    let right = values.count > 1 ? values[1] : top
    return Sides(
      top: top, right: right, bottom: values.count > 2 ? values[2] : top, left: values.count > 3 ? values[3] : right)
  }

  mutating func borderImageSlice() -> PropertyValue? {
    var isFilled = keyword("fill")
    let sides = four { parser -> LengthPercentage? in
      if parser.peek().kind == .percentage { return parser.lengthPercentage([.percent, .nonNegative]) }
      return parser.number(atLeast: 0).map { .length(Length(Float($0))) }
    }
    if !isFilled { isFilled = keyword("fill") }
    return sides.map { .slices($0, isFilled: isFilled) }
  }

  mutating func borderImageWidths(isOutset: Bool) -> PropertyValue? {
    let sides = four { parser -> BorderImageWidth? in
      if !isOutset, parser.keyword("auto") { return .auto }
      if let number = parser.number(atLeast: 0) { return .number(Float(number)) }
      return parser.lengthPercentage(isOutset ? [.nonNegative] : [.percent, .nonNegative]).map { .length($0) }
    }
    return sides.map { .borderImageWidths($0) }
  }

  mutating func borderImageRepeat() -> PropertyValue? {
    guard let x = keyword(of: borderRepeatWords) else { return nil }
    return .keywords([x, keyword(of: borderRepeatWords) ?? x])
  }

  /// The `border-image` shorthand: source, slice / width / outset, repeat, in any order.
  mutating func borderImage() -> [(PropertyID, PropertyValue)]? {
    var values: [PropertyID: PropertyValue] = [:]
    while !isAtEnd {
      if values[.border(.borderImageSlice)] == nil, let slice = attempt({ $0.borderImageSlice() }) {
        values[.border(.borderImageSlice)] = slice
        guard slash() else { continue }
        values[.border(.borderImageWidth)] = attempt { $0.borderImageWidths(isOutset: false) }
        if slash() {
          guard let outset = borderImageWidths(isOutset: true) else { return nil }
          values[.border(.borderImageOutset)] = outset
        } else if values[.border(.borderImageWidth)] == nil {
          return nil
        }
      } else if values[.border(.borderImageSource)] == nil, let source = image() {
        values[.border(.borderImageSource)] = .image(source)
      } else if values[.border(.borderImageRepeat)] == nil, let next = borderImageRepeat() {
        values[.border(.borderImageRepeat)] = next
      } else {
        return nil
      }
    }
    let order: [PropertyID] = [
      .border(.borderImageSource), .border(.borderImageSlice), .border(.borderImageWidth), .border(.borderImageOutset),
      .border(.borderImageRepeat),
    ]
    let found = order.compactMap { id in values[id].map { (id, $0) } }
    return found.isEmpty ? nil : found
  }
}
