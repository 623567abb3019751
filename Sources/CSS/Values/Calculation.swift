extension Calculation {
  /// The sum of terms: terms of one unit are added up, nested sums flattened.
  package static func adding(_ terms: [Calculation]) -> Calculation {
    var lengths: [Length] = []
    var others: [Calculation] = []
    func add(_ term: Calculation) {
      switch term {
      case .length(let length):
        if let index = lengths.firstIndex(where: { $0.unit == length.unit }) {
          lengths[index].value += length.value
        } else {
          lengths.append(length)
        }
      case .sum(let inner): for term in inner { add(term) }
      default: others.append(term)
      }
    }
    for term in terms { add(term) }
    if lengths.count > 1 { lengths.removeAll { $0.value == 0 && !$0.isPercentage } }
    let all = lengths.map { Calculation.length($0) } + others
    if all.count == 1 { return all[0] }
    return all.isEmpty ? .length(.zero) : .sum(all)
  }

  /// The value times a number.
  package func scaled(by factor: Float) -> Calculation {
    switch self {
    case .length(let length): .length(Length(length.value * factor, length.unit))
    case .sum(let terms): .sum(terms.map { $0.scaled(by: factor) })
    case .product(let term, let inner): .product(term, inner * factor)
    default: factor == 1 ? self : .product(self, factor)
    }
  }

  /// The same expression with each length replaced.
  package func mapping(_ transform: (Length) -> Calculation) -> Calculation {
    switch self {
    case .length(let length): transform(length)
    case .sum(let terms): .adding(terms.map { $0.mapping(transform) })
    case .product(let term, let factor): term.mapping(transform).scaled(by: factor)
    case .minimum(let terms): .minimum(terms.map { $0.mapping(transform) })
    case .maximum(let terms): .maximum(terms.map { $0.mapping(transform) })
    case .clamp(let low, let middle, let high):
      .clamp(low.mapping(transform), middle.mapping(transform), high.mapping(transform))
    }
  }

  /// The value where each length has a value; nil where one of them has none (CSS Values 4, section 10.9).
  @inlinable
  package func value<Number: BinaryFloatingPoint>(_ length: (Length) -> Number?) -> Number? {
    switch self {
    case .length(let own): return length(own)
    case .sum(let terms): return Self.fold(terms, length) { $0 + $1 }
    case .product(let term, let factor): return term.value(length).map { $0 * Number(factor) }
    case .minimum(let terms): return Self.fold(terms, length) { Swift.min($0, $1) }
    case .maximum(let terms): return Self.fold(terms, length) { Swift.max($0, $1) }
    case .clamp(let low, let middle, let high):
      guard let low = low.value(length), let middle = middle.value(length), let high = high.value(length) else {
        return nil
      }
      return Swift.max(low, Swift.min(middle, high))
    }
  }

  @inlinable
  package static func fold<Number: BinaryFloatingPoint>(
    _ terms: [Calculation], _ length: (Length) -> Number?, _ combine: (Number, Number) -> Number
  ) -> Number? {
    var result: Number?
    for term in terms {
      guard let value = term.value(length) else { return nil }
      result = result.map { combine($0, value) } ?? value
    }
    return result
  }
}
