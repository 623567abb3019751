import CSS

/// Counter styles by name: those of `@counter-style` rules, then the predefined ones (CSS Counter Styles 3, section 2).
struct CounterFormatter {
  private let custom: [String: CounterStyleDescription]

  init(_ custom: [String: CounterStyleDescription]) {
    // Styles that extend each other in a circle extend decimal (section 3.1.7).
    self.custom = Dictionary(
      uniqueKeysWithValues: custom.map { name, description in
        var description = description
        if Self.extendsItself(name, custom) { description.system = .extends("decimal") }
        return (name, description)
      })
  }

  private static func extendsItself(_ name: String, _ custom: [String: CounterStyleDescription]) -> Bool {
    var visited: Set<String> = []
    var style = name
    while case .extends(let base)? = custom[style]?.system, visited.insert(style).inserted {
      if base == name { return true }
      style = base
    }
    return false
  }

  /// Styles may extend and fall back on each other this far; a circle of fallbacks ends in decimal.
  private static let deepest = 8
  /// A symbol is repeated at most so often; larger numbers fall back.
  private static let mostSymbols = 120

  func representation(of value: Int32, style: String) -> String { representation(of: value, style: style, depth: 0) }

  /// The text of a marker: prefix, number, suffix. A space at its end is a no-break one, which no line end takes away.
  func marker(of value: Int32, style: String) -> String {
    let text = representation(of: value, style: style)
    guard let (prefix, suffix) = affixes(of: style, depth: 0) else { return text + CounterStyles.suffix(of: style) }
    let trimmed = suffix.hasSuffix(" ") ? suffix.dropLast() + "\u{A0}" : Substring(suffix)
    return prefix + text + trimmed
  }

  /// The bullet of a predefined style that no rule replaces.
  func bullet(_ style: String) -> MarkerSymbol? {
    guard custom[style] == nil else { return nil }
    switch style {
    case "disc": return .disc
    case "circle": return .circle
    case "square": return .square
    default: return nil
    }
  }

  private func affixes(of style: String, depth: Int) -> (prefix: String, suffix: String)? {
    guard depth < Self.deepest, let description = custom[style] else { return nil }
    guard case .extends(let base) = description.system else { return (description.prefix, description.suffix) }
    let inherited = affixes(of: base, depth: depth + 1) ?? ("", CounterStyles.suffix(of: base))
    return (
      description.stated.contains("prefix") ? description.prefix : inherited.prefix,
      description.stated.contains("suffix") ? description.suffix : inherited.suffix
    )
  }

  private func representation(of value: Int32, style: String, depth: Int) -> String {
    guard depth < Self.deepest, let description = custom[style] else {
      return CounterStyles.representation(of: value, style: depth < Self.deepest ? style : "decimal")
    }
    func fallBack() -> String { representation(of: value, style: description.fallback, depth: depth + 1) }
    guard includes(value, description, depth: depth) else { return fallBack() }
    let signs: Bool
    switch description.system {
    case .cyclic, .fixed: signs = false
    case .numeric, .alphabetic, .symbolic, .additive, .extends: signs = value < 0
    }
    let magnitude = signs ? value.magnitude : UInt32(bitPattern: value)
    guard let digits = digits(value, magnitude, description, depth: depth) else { return fallBack() }
    var text = digits
    let signLength = signs ? description.negativePrefix.count + description.negativeSuffix.count : 0
    let missing = min(Int(description.padLength), Self.mostSymbols) - text.count - signLength
    if missing > 0 { text = String(repeating: description.padSymbol, count: missing) + text }
    return signs ? description.negativePrefix + text + description.negativeSuffix : text
  }

  private func includes(_ value: Int32, _ description: CounterStyleDescription, depth: Int) -> Bool {
    if !description.range.isEmpty { return description.range.contains { $0.contains(value) } }
    switch description.system {
    case .cyclic, .numeric, .fixed: return true
    case .extends(let base):
      guard depth + 1 < Self.deepest, let extended = custom[base] else {
        return CounterStyles.range(of: base).contains(value)
      }
      return includes(value, extended, depth: depth + 1)
    case .alphabetic, .symbolic: return value >= 1
    case .additive: return value >= 0
    }
  }

  /// The symbols of a number without its sign; nil when the system has none for it.
  private func digits(
    _ value: Int32, _ magnitude: UInt32, _ description: CounterStyleDescription, depth: Int
  ) -> String? {
    let symbols = description.symbols
    let count = UInt32(symbols.count)
    switch description.system {
    case .cyclic:
      guard count > 0 else { return nil }
      let index = (Int(value) - 1) % symbols.count
      return symbols[index < 0 ? index + symbols.count : index]
    case .fixed(let first):
      let index = Int(value) - Int(first)
      return symbols.indices.contains(index) ? symbols[index] : nil
    case .numeric:
      guard count > 1 else { return nil }
      var parts: [String] = []
      var rest = magnitude
      repeat {
        parts.append(symbols[Int(rest % count)])
        rest /= count
      } while rest > 0
      return parts.reversed().joined()
    case .alphabetic:
      guard count > 1, magnitude > 0 else { return nil }
      var parts: [String] = []
      var rest = magnitude
      while rest > 0 {
        rest -= 1
        parts.append(symbols[Int(rest % count)])
        rest /= count
      }
      return parts.reversed().joined()
    case .symbolic:
      guard count > 0, magnitude > 0 else { return nil }
      let times = Int((magnitude - 1) / count) + 1
      return times > Self.mostSymbols ? nil : String(repeating: symbols[Int((magnitude - 1) % count)], count: times)
    case .additive:
      var text = ""
      var rest = magnitude
      var used = 0
      for entry in description.additiveSymbols {
        if entry.weight == 0 { return magnitude == 0 ? entry.symbol : rest == 0 ? text : nil }
        let times = Int(rest / UInt32(entry.weight))
        used += times
        guard used <= Self.mostSymbols else { return nil }
        text += String(repeating: entry.symbol, count: times)
        rest %= UInt32(entry.weight)
      }
      return rest == 0 && !text.isEmpty ? text : nil
    case .extends(let base):
      return representation(of: Int32(clamping: magnitude), style: base, depth: depth + 1)
    }
  }
}
