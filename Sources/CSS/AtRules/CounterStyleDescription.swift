/// An `@counter-style` rule, its descriptors typed (CSS Counter Styles 3, section 2).
package struct CounterStyleDescription: Hashable, Sendable {
  package enum System: Hashable, Sendable {
    case cyclic, numeric, alphabetic, symbolic, additive
    /// First value.
    case fixed(Int32)
    /// The style it is derived from.
    case extends(String)
  }
  package var name: String
  package var system = System.symbolic
  package var symbols: [String] = []
  /// Weight and symbol, heaviest first.
  package var additiveSymbols: [AdditiveSymbol] = []
  package var prefix = ""
  package var suffix = ". "
  package var negativePrefix = "-"
  package var negativeSuffix = ""
  /// Empty for `auto`.
  package var range: [ClosedRange<Int32>] = []
  package var padLength: Int32 = 0
  package var padSymbol = ""
  package var fallback = "decimal"
  /// Those of prefix, suffix and negative that the rule states itself, for `extends`.
  package var stated: Set<String> = []

  package struct AdditiveSymbol: Hashable, Sendable {
    package var weight: Int32
    package var symbol: String
  }

  package init(_ rule: CounterStyleRule, in sheet: TypedStylesheet) {
    name = rule.name
    for index in rule.descriptors {
      let declaration = sheet.sheet.declarations[Int(index)]
      var parser = ValueParser(sheet.sheet.value(of: declaration), context: sheet.context)
      let name = sheet.sheet.name(of: declaration)
      var read = self
      guard read.read(name, &parser), parser.isAtEnd else { continue }
      self = read
      stated.insert(name)
    }
  }

  /// The rule has the symbols that its system needs; it defines nothing otherwise (section 3.1).
  package var isValid: Bool {
    switch system {
    case .cyclic, .symbolic, .fixed: !symbols.isEmpty
    case .numeric, .alphabetic: symbols.count > 1
    case .additive: !additiveSymbols.isEmpty
    case .extends: symbols.isEmpty && additiveSymbols.isEmpty
    }
  }

  private mutating func read(_ name: String, _ parser: inout ValueParser) -> Bool {
    switch name {
    case "system":
      switch parser.ident() {
      case "cyclic": system = .cyclic
      case "numeric": system = .numeric
      case "alphabetic": system = .alphabetic
      case "symbolic": system = .symbolic
      case "additive": system = .additive
      case "fixed": system = .fixed(parser.integer() ?? 1)
      case "extends":
        guard let base = parser.customIdent() else { return false }
        system = .extends(ValueParser.counterStyleName(base))
      default: return false
      }
    case "symbols":
      var symbols: [String] = []
      while let symbol = parser.counterSymbol() { symbols.append(symbol) }
      if symbols.isEmpty { return false }
      self.symbols = symbols
    case "additive-symbols":
      let pairs = parser.commaSeparated { parser -> AdditiveSymbol? in
        if let weight = parser.integer(atLeast: 0) {
          return parser.counterSymbol().map { AdditiveSymbol(weight: weight, symbol: $0) }
        }
        guard let symbol = parser.counterSymbol() else { return nil }
        return parser.integer(atLeast: 0).map { AdditiveSymbol(weight: $0, symbol: symbol) }
      }
      guard let pairs, zip(pairs, pairs.dropFirst()).allSatisfy({ $0.weight > $1.weight }) else { return false }
      additiveSymbols = pairs
    case "prefix":
      guard let symbol = parser.counterSymbol() else { return false }
      prefix = symbol
    case "suffix":
      guard let symbol = parser.counterSymbol() else { return false }
      suffix = symbol
    case "negative":
      guard let symbol = parser.counterSymbol() else { return false }
      negativePrefix = symbol
      negativeSuffix = parser.counterSymbol() ?? ""
    case "range":
      if parser.keyword("auto") {
        range = []
        return true
      }
      let ranges = parser.commaSeparated { parser -> ClosedRange<Int32>? in
        guard let low = parser.keyword("infinite") ? .min : parser.integer(),
          let high = parser.keyword("infinite") ? .max : parser.integer(), low <= high
        else { return nil }
        return low...high
      }
      guard let ranges else { return false }
      range = ranges
    case "pad":
      guard let length = parser.integer(atLeast: 0), let symbol = parser.counterSymbol() else { return false }
      padLength = length
      padSymbol = symbol
    case "fallback":
      guard let style = parser.customIdent() else { return false }
      fallback = ValueParser.counterStyleName(style)
    default: return false
    }
    return true
  }
}

extension ValueParser {
  /// A `<symbol>` that is text.
  fileprivate mutating func counterSymbol() -> String? {
    if let text = string() { return text }
    return attempt { $0.customIdent() }
  }
}
