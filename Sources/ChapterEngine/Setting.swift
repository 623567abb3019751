import CSS
import Primitives

/// The value of a setting, as JSON and YAML have it.
package enum SettingValue: Hashable, Sendable {
  /// The book's, or the engine's.
  case none
  case flag(Bool)
  case number(Double)
  case text(String)
  case numbers([Double])
  case texts([String])
}

extension SettingValue {
  fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
}

extension SettingValue: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .none
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let texts = try? value.decode([String].self) {
      self = .texts(texts)
    } else {
      self = .numbers(try value.decode([Double].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .none: try value.encodeNil()
    case .flag(let flag): try value.encode(flag)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .numbers(let numbers): try value.encode(numbers)
    case .texts(let texts): try value.encode(texts)
    }
  }
}

/// The name of a setting, or of what stands beside settings, as a key.
package struct SettingKey: CodingKey, Hashable {
  package var stringValue: String
  package var intValue: Int? { nil }
  package init(_ name: String) { stringValue = name }
  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}

/// A row of the table of settings (`TypesettingSettings.table`): all that there is to know about one of them. Command
/// line, JSON, profiles of snapshots, the key of saved pages, and what a change leaves as it is follow from it.
package struct Setting: Sendable {
  /// What a change of the setting makes anew, the first stage of it.
  package enum Stage: Comparable, Sendable {
    /// Pages are drawn again.
    case drawing
    /// Lines and pages.
    case layout
    /// All from the cascade on.
    case styles
  }

  /// The values that a setting takes.
  package enum Form: Sendable {
    case flag
    case words([String])
    /// Numbers in a range, with their unit; nil takes any.
    case number(ClosedRange<Double>?, unit: String)
    case size(ClosedRange<Double>, unit: String)
    case parts([String])
    case text
    case texts
    /// Names of properties of CSS.
    case properties
  }

  /// The name of the property, which is that in JSON.
  package let name: String
  /// The name on the command line and in profiles of snapshots, where it is one that takes a word, a switch or a text.
  package private(set) var option: String?
  /// What the option does, for help texts.
  package private(set) var help = ""
  package let stage: Stage
  package let form: Form
  package let value: @Sendable (TypesettingSettings) -> SettingValue
  /// Sets a value; false where it is none of the setting's.
  package let set: @Sendable (inout TypesettingSettings, SettingValue) -> Bool

  /// The row with an option.
  ///
  /// - Parameter help: A sentence without what the setting is where it is not given.
  func option(_ name: String, _ help: String) -> Self {
    var row = self
    row.option = name
    row.help = help
    return row
  }

  /// Sets what other settings have.
  package func copy(from source: TypesettingSettings, to target: inout TypesettingSettings) {
    let isTaken = set(&target, value(source))
    assert(isTaken, "\(name) does not take its own value")
  }

  /// The value that an argument of the command line means; nil where it is none of the setting's.
  package func value(argument: String) -> SettingValue? {
    switch form {
    case .flag: return argument == "on" ? .flag(true) : argument == "off" ? .flag(false) : nil
    case .words(let words): return words.contains(argument) ? .text(argument) : nil
    case .text: return .text(argument)
    case .number(let range, _):
      return Double(argument).flatMap { range?.contains($0) == false ? nil : .number($0) }
    case .texts, .properties:
      let names = Self.names(in: argument)
      if case .properties = form, !Self.areProperties(names) { return nil }
      return .texts(names)
    case .size, .parts: return nil
    }
  }

  /// Names between commas.
  package static func names(in list: String) -> [String] {
    list.split(separator: ",").map(name).filter { !$0.isEmpty }
  }

  /// A name without the white space and the quotes around it.
  private static func name(_ part: Substring) -> String {
    func isAround(_ character: Character) -> Bool {
      character.isWhitespace || character == "'" || character == "\""
    }
    guard let first = part.firstIndex(where: { !isAround($0) }), let last = part.lastIndex(where: { !isAround($0) })
    else { return "" }
    return String(part[first...last])
  }

  /// The words of the option; nil where it takes any.
  package var words: [String]? {
    switch form {
    case .flag: ["on", "off"]
    case .words(let words): words
    case .number, .size, .parts, .text, .texts, .properties: nil
    }
  }

  /// What the option takes, where that is none of a few words.
  package var argument: String {
    switch form {
    case .number: "number"
    case .texts, .properties: "names"
    case .flag, .words, .size, .parts, .text: "name"
    }
  }

  /// What the setting is where the option is not given; nil where that is up to the engine.
  package var defaultWord: String? {
    switch (form, value(TypesettingSettings())) {
    case (_, .flag(let flag)): flag ? "on" : "off"
    case (_, .text(let word)): word
    case (.number, .none), (.texts, .texts): "the book's"
    case (_, .none), (_, .number), (_, .numbers), (_, .texts): nil
    }
  }

  /// What a value has to be, as a clause without a final stop.
  package var expectation: String {
    switch form {
    case .flag: "it is true or false"
    case .words(let words): "it is one of \(words.joined(separator: ", "))"
    case .number(let range?, let unit):
      "it is a number \(Self.words(for: range, unit))"
    case .number: "it is a number"
    case .size: "it is a width and a height"
    case .parts(let parts): "it is a list of some of \(parts.joined(separator: ", "))"
    case .text: "it is a text"
    case .texts: "it is a list of texts"
    case .properties: "it is a list of names of CSS properties"
    }
  }

  /// Why the settings' value is out of range, as a clause without a final stop; nil where it is in it.
  package func rangeFault(in settings: TypesettingSettings) -> String? {
    switch (form, value(settings)) {
    case (.number(let range?, let unit), .number(let number)): Self.fault(number, range, unit)
    case (.size(let range, let unit), .numbers(let numbers)):
      numbers.lazy.compactMap { Self.fault($0, range, unit) }.first
    default: nil
    }
  }

  private static func words(for range: ClosedRange<Double>, _ unit: String) -> String {
    func short(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
    return "from \(short(range.lowerBound)) to \(short(range.upperBound))\(unit)"
  }

  /// Why a number is out of a range, as a clause without a final stop; nil where it is in it.
  package static func fault(_ number: Double, _ range: ClosedRange<Double>, _ unit: String) -> String? {
    // No number is in no range.
    guard !range.contains(number) else { return nil }
    return "is to be \(words(for: range, unit))"
  }
}

/// A property of the settings.
package typealias SettingProperty<Value> = WritableKeyPath<TypesettingSettings, Value> & Sendable

/// Rows by the type of their property.
extension Setting {
  /// - Parameters:
  ///   - write: The value of the property as one of a setting.
  ///   - read: The other way; nil for what is no value of the property.
  private static func row<Value>(
    _ name: String, _ property: any SettingProperty<Value>, _ stage: Stage, _ form: Form,
    write: @escaping @Sendable (Value) -> SettingValue, read: @escaping @Sendable (SettingValue) -> Value?
  ) -> Self {
    Self(
      name: name, stage: stage, form: form, value: { write($0[keyPath: property]) },
      set: { settings, value in
        guard let known = read(value) else { return false }
        settings[keyPath: property] = known
        return true
      })
  }

  static func flag(_ name: String, _ property: any SettingProperty<Bool>, _ stage: Stage) -> Self {
    row(name, property, stage, .flag, write: { .flag($0) }, read: { $0.flag })
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ property: any SettingProperty<Choice>, _ stage: Stage
  ) -> Self {
    row(
      name, property, stage, .words(Choice.allCases.map(\.rawValue)), write: { .text($0.rawValue) },
      read: { $0.text.flatMap { Choice(rawValue: $0) } })
  }

  static func text(_ name: String, _ property: any SettingProperty<String>, _ stage: Stage) -> Self {
    row(name, property, stage, .text, write: { .text($0) }, read: { $0.text })
  }

  static func text(_ name: String, _ property: any SettingProperty<String?>, _ stage: Stage) -> Self {
    row(
      name, property, stage, .text, write: { $0.map { .text($0) } ?? .none },
      read: { $0 == .none ? .some(nil) : $0.text })
  }

  static func texts(_ name: String, _ property: any SettingProperty<[String]>, _ stage: Stage) -> Self {
    row(name, property, stage, .texts, write: { .texts($0) }, read: { $0.texts })
  }

  static func properties(_ name: String, _ property: any SettingProperty<[String]>, _ stage: Stage) -> Self {
    row(
      name, property, stage, .properties, write: { .texts($0) },
      read: { value in
        guard let names = value.texts else { return nil }
        return areProperties(names) ? names : nil
      })
  }

  private static func areProperties(_ names: [String]) -> Bool {
    names.allSatisfy { PropertyTable.standard.place(of: $0) != nil }
  }

  static func length(_ name: String, _ property: any SettingProperty<LayoutUnit>, _ stage: Stage) -> Self {
    row(
      name, property, stage, .number(nil, unit: " px"), write: { .number($0.pixels) },
      read: { $0.number.map { LayoutUnit($0) } })
  }

  static func size(
    _ name: String, _ property: any SettingProperty<Size>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    row(
      name, property, stage, .size(range, unit: " px"),
      write: { .numbers([$0.width.pixels, $0.height.pixels]) },
      read: { value in
        guard case .numbers(let sides) = value, sides.count == 2 else { return nil }
        return Size(width: LayoutUnit(sides[0]), height: LayoutUnit(sides[1]))
      })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Double>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    row(name, property, stage, .number(range, unit: ""), write: { .number($0) }, read: { $0.number })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Float>, _ range: ClosedRange<Double>, unit: String, _ stage: Stage
  ) -> Self {
    row(
      name, property, stage, .number(range, unit: unit), write: { .number($0.asWritten) },
      read: { $0.number.map { Float($0) } })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Float?>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    row(
      name, property, stage, .number(range, unit: ""), write: { $0.map { .number($0.asWritten) } ?? .none },
      read: { $0 == .none ? .some(nil) : $0.number.map { Float($0) } })
  }

  static func count(
    _ name: String, _ property: any SettingProperty<Int>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    row(
      name, property, stage, .number(range, unit: ""), write: { .number(Double($0)) },
      read: { $0.number.flatMap { Int(exactly: $0) } })
  }

  /// A set of parts, as a list of their names.
  static func parts<Parts: OptionSet>(
    _ name: String, _ property: any SettingProperty<Parts>, _ parts: KeyValuePairs<String, Parts>, _ stage: Stage
  ) -> Self where Parts.Element == Parts, Parts: Sendable {
    let parts = Array(parts)
    return row(
      name, property, stage, .parts(parts.map(\.key)),
      write: { set in .texts(parts.filter { set.isSuperset(of: $0.value) }.map(\.key)) },
      read: { value in
        guard let names = value.texts else { return nil }
        let named = names.compactMap { name in parts.first { $0.key == name }?.value }
        return named.count == names.count ? named.reduce(into: []) { $0.insert($1) } : nil
      })
  }
}

extension Float {
  /// The number that is written by the same digits.
  fileprivate var asWritten: Double { Double(description) ?? Double(self) }
}
