import CSS
import Primitives

/// A type of computed values that can be spelled as CSS has it. The text says all of the value but what lies beyond four
/// decimals, and depends neither on the run nor on names in the program.
protocol ComputedValue {
  func css(_ table: StyleTable) -> String
}

/// At most four decimals, without trailing zeros.
private func trimmed(_ value: Float) -> String {
  let scaled = (Double(value) * 10_000).rounded()
  guard scaled.magnitude < 1e15 else { return "\(value)" }
  let magnitude = Int(scaled.magnitude)
  let sign = scaled < 0 ? "-" : ""
  var fraction = String(magnitude % 10_000 + 10_000).dropFirst()
  while fraction.last == "0" { fraction.removeLast() }
  return sign + String(magnitude / 10_000) + (fraction.isEmpty ? "" : "." + fraction)
}

/// A string as it is written in a sheet.
func quoted(_ text: String) -> String {
  "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\a ") + "\""
}

extension Keyword where Self: ComputedValue {
  func css(_ table: StyleTable) -> String { keyword.description }
}
extension StyleTable {
  func css(_ value: some ComputedValue) -> String { value.css(self) }
  func css(_ value: some Keyword) -> String { value.keyword.description }
  func css(_ flag: Bool, _ yes: String, _ no: String) -> String { flag ? yes : no }
  /// `none` stands for nil.
  func css<Value: ComputedValue>(_ value: Value?, none: String) -> String { value.map { $0.css(self) } ?? none }
  /// Items with white space between them; `none` where there are none.
  func css<Value: ComputedValue>(_ values: [Value], separator: String = " ", none: String = "none") -> String {
    values.isEmpty ? none : values.map { $0.css(self) }.joined(separator: separator)
  }
  /// One to four values, as few as say all sides.
  func css<Value: ComputedValue>(_ sides: Sides<Value>) -> String {
    let (top, right, bottom, left) = (css(sides.top), css(sides.right), css(sides.bottom), css(sides.left))
    if left != right { return "\(top) \(right) \(bottom) \(left)" }
    if bottom != top { return "\(top) \(right) \(bottom)" }
    return right == top ? top : "\(top) \(right)"
  }
  /// The words of those options that are chosen; `none` where there are none.
  func css<Options: OptionSet>(_ options: Options, _ words: [(Options, String)], none: String) -> String {
    let chosen = words.filter { options.isSuperset(of: $0.0) }.map(\.1)
    return chosen.isEmpty ? none : chosen.joined(separator: " ")
  }
}

extension Float: ComputedValue { func css(_ table: StyleTable) -> String { trimmed(self) } }
extension Int32: ComputedValue { func css(_ table: StyleTable) -> String { String(self) } }
extension UInt16: ComputedValue { func css(_ table: StyleTable) -> String { String(self) } }
extension Color: ComputedValue { func css(_ table: StyleTable) -> String { description } }
extension ColorValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .currentColor: "currentcolor"
    case .color(let color): color.description
    case .expression(let expression): expression.source
    }
  }
}

// MARK: Lengths

extension LengthUnit {
  fileprivate var name: String {
    switch self {
    case .px: "px"
    case .em: "em"
    case .rem: "rem"
    case .ex: "ex"
    case .rex: "rex"
    case .ch: "ch"
    case .rch: "rch"
    case .ic: "ic"
    case .cap: "cap"
    case .lh: "lh"
    case .rlh: "rlh"
    case .vw: "vw"
    case .vh: "vh"
    case .vmin: "vmin"
    case .vmax: "vmax"
    case .vi: "vi"
    case .vb: "vb"
    case .cqw: "cqw"
    case .cqh: "cqh"
    case .cqi: "cqi"
    case .cqb: "cqb"
    case .cqmin: "cqmin"
    case .cqmax: "cqmax"
    case .percent: "%"
    case .function: ""
    }
  }
}
extension Length: ComputedValue { func css(_ table: StyleTable) -> String { trimmed(value) + unit.name } }
extension LengthPercentage: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .length(let length): table.css(length)
    case .calculation(let id): "calc(\(table.css(table[id])))"
    }
  }
}
extension Calculation: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .length(let length): table.css(length)
    case .sum(let terms): table.css(terms, separator: " + ")
    case .product(let term, let factor): "(\(table.css(term))) * \(trimmed(factor))"
    case .minimum(let terms): "min(\(table.css(terms, separator: ", ")))"
    case .maximum(let terms): "max(\(table.css(terms, separator: ", ")))"
    case .clamp(let low, let middle, let high): "clamp(\(table.css([low, middle, high], separator: ", ")))"
    }
  }
}
extension FontSize: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let parts = [(rootFactor, "rem"), (pixels, "px")].filter { $0.0 != 0 }
    return parts.isEmpty ? "0px" : parts.map { trimmed($0.0) + $0.1 }.joined(separator: " + ")
  }
}
extension SizeValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .minContent: "min-content"
    case .maxContent: "max-content"
    case .fitContent: "fit-content"
    case .stretch: "stretch"
    case .length(let length): table.css(length)
    case .calculated(let basis, let sum): "calc-size(\(table.css(basis.size)), \(table.css(sum)))"
    }
  }
}
extension MarginValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .length(let length): table.css(length)
    }
  }
}
extension SpacingValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .normal: "normal"
    case .length(let length): table.css(length)
    }
  }
}
extension VerticalAlign: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .baseline: "baseline"
    case .sub: "sub"
    case .super: "super"
    case .top: "top"
    case .textTop: "text-top"
    case .middle: "middle"
    case .bottom: "bottom"
    case .textBottom: "text-bottom"
    case .length(let length): table.css(length)
    }
  }
}
extension LineHeight: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .normal: "normal"
    case .number(let number): trimmed(number)
    case .length(let length): table.css(length)
    }
  }
}
extension DecorationThickness: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .fromFont: "from-font"
    case .length(let length): table.css(length)
    }
  }
}
extension PositionValue: ComputedValue {
  func css(_ table: StyleTable) -> String { "\(table.css(x)) \(table.css(y))" }
}

// MARK: Fonts and text

extension FontFamily: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .named(let name): quoted(name)
    case .generic(let family): table.css(family)
    }
  }
}
extension FontSetting: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }
    return quoted(String(decoding: bytes, as: UTF8.self)) + " " + trimmed(value)
  }
}
extension FontAlternate: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let name =
      switch kind {
      case .historicalForms: "historical-forms"
      case .stylistic: "stylistic"
      case .styleset: "styleset"
      case .characterVariant: "character-variant"
      case .swash: "swash"
      case .ornaments: "ornaments"
      case .annotation: "annotation"
      }
    return names.isEmpty ? name : "\(name)(\(names.joined(separator: ", ")))"
  }
}
extension FontPalette: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .normal: "normal"
    case .light: "light"
    case .dark: "dark"
    case .named(let name): name
    }
  }
}
extension EmphasisMark: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .none: "none"
    case .filled: "filled"
    case .open: "open"
    case .shape(let shape, let isOpen): (isOpen ? "open " : "filled ") + table.css(shape)
    case .string(let text): quoted(text)
    }
  }
}
extension Shadow: ComputedValue {
  func css(_ table: StyleTable) -> String {
    table.css([x, y, blur, spread]) + " " + table.css(color) + (isInset ? " inset" : "")
  }
}
extension ListStyleType: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .none: "none"
    case .named(let name): name
    case .string(let text): quoted(text)
    }
  }
}
extension Quotes: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .pairs(let pairs): pairs.map { $0.map { quoted($0) }.joined(separator: " ") }.joined(separator: " ")
    }
  }
}

// MARK: Content

extension ContentItem: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .string(let text): quoted(text)
    case .url(let url): "url(\(quoted(url)))"
    case .image(let image): table.css(image)
    case .counter(let name, let style): "counter(\(name), \(table.css(style)))"
    case .counters(let name, let separator, let style): "counters(\(name), \(quoted(separator)), \(table.css(style)))"
    case .attribute(let name): "attr(\(name))"
    case .openQuote: "open-quote"
    case .closeQuote: "close-quote"
    case .noOpenQuote: "no-open-quote"
    case .noCloseQuote: "no-close-quote"
    case .namedString(let name, let position): "string(\(name), \(table.css(position)))"
    case .element(let name, let position): "element(\(name), \(table.css(position)))"
    case .elementText(let part): "content(\(table.css(part)))"
    case .ornament: "-internal-ornament"
    case .leader(let text): "leader(\(quoted(text)))"
    case .targetCounter(let target, let name, let style):
      "target-counter(\(table.css(target)), \(name), \(table.css(style)))"
    case .targetCounters(let target, let name, let separator, let style):
      "target-counters(\(table.css(target)), \(name), \(quoted(separator)), \(table.css(style)))"
    case .targetText(let target, let part):
      "target-text(\(table.css(target)), \(part == .text ? "content" : table.css(part)))"
    }
  }
}
extension ContentTarget: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .attribute(let name): "attr(\(name))"
    case .url(let url): "url(\(quoted(url)))"
    }
  }
}
extension ContentValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .normal: "normal"
    case .none: "none"
    case .items(let items): table.css(items)
    }
  }
}
extension CounterOperation: ComputedValue { func css(_ table: StyleTable) -> String { "\(name) \(value)" } }
extension NamedString: ComputedValue { func css(_ table: StyleTable) -> String { "\(name) \(table.css(items))" } }
