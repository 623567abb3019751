/// A math function in a query (CSS Values 4, section 10), whose units have values once the query is evaluated.
package indirect enum MediaMath: Hashable, Sendable {
  package enum Function: Hashable, Sendable {
    case min, max, clamp, abs, sign, mod, rem, hypot, sqrt
    /// `round()` without a strategy, which is `nearest`.
    case round
  }
  package enum Operator: Hashable, Sendable { case add, subtract, multiply, divide }

  case number(Double)
  /// A number and its unit in lower case.
  case dimension(Double, unit: String)
  case operation(Operator, MediaMath, MediaMath)
  case function(Function, [MediaMath])

  package enum Kind: Hashable, Sendable {
    case number
    /// In CSS px.
    case length
    /// In `dppx`.
    case resolution
  }
  package struct Result: Hashable, Sendable {
    package var value: Double
    package var kind: Kind
  }

  /// The value; nil when the types do not fit together.
  ///
  /// - Parameter length: CSS px of a number and a unit.
  func evaluate(_ length: (Double, LengthUnit) -> Double?) -> Result? {
    switch self {
    case .number(let number): return Result(value: number, kind: .number)
    case .dimension(let number, let unit):
      if let dots = MediaMath.dotsPerPixel(number, unit) { return Result(value: dots, kind: .resolution) }
      guard let (unit, factor) = ValueParser.unit(unit), let pixels = length(number * factor, unit) else { return nil }
      return Result(value: pixels, kind: .length)
    case .operation(let sign, let left, let right):
      guard let a = left.evaluate(length), let b = right.evaluate(length) else { return nil }
      switch sign {
      case .add where a.kind == b.kind: return Result(value: a.value + b.value, kind: a.kind)
      case .subtract where a.kind == b.kind: return Result(value: a.value - b.value, kind: a.kind)
      case .multiply where a.kind == .number: return Result(value: a.value * b.value, kind: b.kind)
      case .multiply where b.kind == .number: return Result(value: a.value * b.value, kind: a.kind)
      case .divide where b.kind == .number: return Result(value: a.value / b.value, kind: a.kind)
      case .divide where a.kind == b.kind: return Result(value: a.value / b.value, kind: .number)
      default: return nil
      }
    case .function(let function, let arguments):
      let results = arguments.compactMap { $0.evaluate(length) }
      guard results.count == arguments.count, let first = results.first,
        results.allSatisfy({ $0.kind == first.kind })
      else { return nil }
      return Self.value(of: function, results.map(\.value)).map {
        Result(value: $0, kind: function == .sign ? .number : first.kind)
      }
    }
  }

  private static func value(of function: Function, _ values: [Double]) -> Double? {
    let first = values[0]
    switch (function, values.count) {
    case (.min, _): return values.min()
    case (.max, _): return values.max()
    case (.clamp, 3): return Swift.max(first, Swift.min(values[1], values[2]))
    case (.abs, 1): return Swift.abs(first)
    case (.sign, 1): return first > 0 ? 1 : first < 0 ? -1 : first
    case (.mod, 2):
      let step = values[1]
      return first - step * (first / step).rounded(.down)
    case (.rem, 2): return first.truncatingRemainder(dividingBy: values[1])
    case (.round, 1): return (first + 0.5).rounded(.down)
    case (.round, 2): return (first / values[1] + 0.5).rounded(.down) * values[1]
    case (.hypot, _): return values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    case (.sqrt, 1): return first.squareRoot()
    default: return nil
    }
  }

  /// Dots a CSS px of a resolution; nil for other units.
  static func dotsPerPixel(_ number: Double, _ unit: String) -> Double? {
    switch unit {
    case "dppx", "x": number
    case "dpi": number / 96
    case "dpcm": number * 2.54 / 96
    default: nil
    }
  }
}

/// Parses the math functions of queries.
extension MediaMath {
  /// The function at the cursor, and the white space after it; nil when it is not valid.
  static func parse(_ cursor: inout TokenCursor, depth: Int = 0) -> MediaMath? {
    // Deeper ones than anybody writes are not worth the stack.
    guard cursor.kind == .function, depth < 32 else { return nil }
    let isSum = cursor.isFunction("calc") || cursor.isFunction("-webkit-calc")
    let function = functions.first { cursor.isFunction($0.0) }?.1
    guard isSum || function != nil else { return nil }
    var contents = cursor.enterBlock().trimmed
    cursor.skipWhitespace()
    var arguments: [MediaMath] = []
    repeat {
      guard let term = sum(&contents, depth: depth + 1) else { return nil }
      arguments.append(term)
    } while function != nil && consumeComma(&contents)
    guard contents.isAtEnd else { return nil }
    return function.map { .function($0, arguments) } ?? arguments[0]
  }

  private static let functions: [(StaticString, Function)] = [
    ("min", .min), ("max", .max), ("clamp", .clamp), ("abs", .abs), ("sign", .sign), ("mod", .mod), ("rem", .rem),
    ("round", .round), ("hypot", .hypot), ("sqrt", .sqrt),
  ]

  private static func consumeComma(_ cursor: inout TokenCursor) -> Bool {
    guard cursor.kind == .comma else { return false }
    cursor.advance()
    return true
  }

  private static func sum(_ cursor: inout TokenCursor, depth: Int) -> MediaMath? {
    cursor.skipWhitespace()
    guard var result = product(&cursor, depth: depth) else { return nil }
    // White space around + and - is required (section 10.1).
    while cursor.kind == .whitespace {
      cursor.skipWhitespace()
      let isAddition = cursor.isDelim("+")
      guard isAddition || cursor.isDelim("-") else { break }
      cursor.advance()
      guard cursor.kind == .whitespace else { return nil }
      cursor.skipWhitespace()
      guard let term = product(&cursor, depth: depth) else { return nil }
      result = .operation(isAddition ? .add : .subtract, result, term)
    }
    return result
  }

  private static func product(_ cursor: inout TokenCursor, depth: Int) -> MediaMath? {
    guard var result = term(&cursor, depth: depth) else { return nil }
    while true {
      let start = cursor
      cursor.skipWhitespace()
      let isProduct = cursor.isDelim("*")
      guard isProduct || cursor.isDelim("/") else {
        cursor = start
        return result
      }
      cursor.advance()
      cursor.skipWhitespace()
      guard let factor = term(&cursor, depth: depth) else { return nil }
      result = .operation(isProduct ? .multiply : .divide, result, factor)
    }
  }

  private static func term(_ cursor: inout TokenCursor, depth: Int) -> MediaMath? {
    let token = cursor.token
    switch token.kind {
    case .number:
      cursor.advance()
      return .number(token.number)
    case .dimension:
      let unit = cursor.lowercasedText
      cursor.advance()
      return .dimension(token.number, unit: unit)
    case .openParen:
      guard depth < 32 else { return nil }
      var contents = cursor.enterBlock().trimmed
      guard let result = sum(&contents, depth: depth + 1), contents.isAtEnd else { return nil }
      return result
    case .function:
      // The space after it may be that before + or -.
      var inner = cursor
      _ = inner.enterBlock()
      let end = inner
      guard let result = parse(&cursor, depth: depth) else { return nil }
      cursor = end
      return result
    case .ident:
      let constants: [(String, Double)] = [
        ("pi", .pi), ("e", 2.718281828459045), ("infinity", .infinity), ("-infinity", -.infinity), ("nan", .nan),
      ]
      let name = cursor.lowercasedText
      guard let constant = constants.first(where: { $0.0 == name }) else { return nil }
      cursor.advance()
      return .number(constant.1)
    default: return nil
    }
  }
}
