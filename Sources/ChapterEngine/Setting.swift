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
    case .number: return Double(argument).map { .number($0) }
    case .size, .parts, .texts: return nil
    }
  }

  /// The words of the option; nil where it takes any.
  package var words: [String]? {
    switch form {
    case .flag: ["on", "off"]
    case .words(let words): words
    case .number, .size, .parts, .text, .texts: nil
    }
  }

  /// What the setting is where the option is not given; nil where that is up to the book.
  package var defaultWord: String? {
    switch value(TypesettingSettings()) {
    case .flag(let flag): flag ? "on" : "off"
    case .text(let word): word
    case .none, .number, .numbers, .texts: nil
    }
  }

  /// What a value has to be, as a clause without a final stop.
  package var expectation: String {
    switch form {
    case .flag: "it is true or false"
    case .words(let words): "it is one of \(words.joined(separator: ", "))"
    case .number: "it is a number"
    case .size: "it is a width and a height"
    case .parts(let parts): "it is a list of some of \(parts.joined(separator: ", "))"
    case .text: "it is a text"
    case .texts: "it is a list of texts"
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

  /// Why a number is out of a range, as a clause without a final stop; nil where it is in it.
  package static func fault(_ number: Double, _ range: ClosedRange<Double>, _ unit: String) -> String? {
    // No number is in no range.
    guard !range.contains(number) else { return nil }
    func short(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
    return "is to be from \(short(range.lowerBound)) to \(short(range.upperBound))\(unit)"
  }
}

/// A property of the settings.
package typealias SettingProperty<Value> = WritableKeyPath<TypesettingSettings, Value> & Sendable

/// Rows by the type of their property.
extension Setting {
  static func flag(_ name: String, _ property: any SettingProperty<Bool>, _ stage: Stage) -> Self {
    Self(
      name: name, stage: stage, form: .flag, value: { .flag($0[keyPath: property]) },
      set: { settings, value in
        guard case .flag(let flag) = value else { return false }
        settings[keyPath: property] = flag
        return true
      })
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ property: any SettingProperty<Choice>, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .words(Choice.allCases.map(\.rawValue)),
      value: { .text($0[keyPath: property].rawValue) },
      set: { settings, value in
        guard case .text(let word) = value, let choice = Choice(rawValue: word) else { return false }
        settings[keyPath: property] = choice
        return true
      })
  }

  static func text(_ name: String, _ property: any SettingProperty<String>, _ stage: Stage) -> Self {
    Self(
      name: name, stage: stage, form: .text, value: { .text($0[keyPath: property]) },
      set: { settings, value in
        guard case .text(let text) = value else { return false }
        settings[keyPath: property] = text
        return true
      })
  }

  static func text(_ name: String, _ property: any SettingProperty<String?>, _ stage: Stage) -> Self {
    Self(
      name: name, stage: stage, form: .text, value: { $0[keyPath: property].map { .text($0) } ?? .none },
      set: { settings, value in
        switch value {
        case .none: settings[keyPath: property] = nil
        case .text(let text): settings[keyPath: property] = text
        default: return false
        }
        return true
      })
  }

  static func texts(_ name: String, _ property: any SettingProperty<[String]>, _ stage: Stage) -> Self {
    Self(
      name: name, stage: stage, form: .texts, value: { .texts($0[keyPath: property]) },
      set: { settings, value in
        guard case .texts(let texts) = value else { return false }
        settings[keyPath: property] = texts
        return true
      })
  }

  static func length(_ name: String, _ property: any SettingProperty<LayoutUnit>, _ stage: Stage) -> Self {
    Self(
      name: name, stage: stage, form: .number(nil, unit: " px"), value: { .number($0[keyPath: property].pixels) },
      set: { settings, value in
        guard case .number(let number) = value else { return false }
        settings[keyPath: property] = LayoutUnit(number)
        return true
      })
  }

  static func size(
    _ name: String, _ property: any SettingProperty<Size>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .size(range, unit: " px"),
      value: { .numbers([$0[keyPath: property].width.pixels, $0[keyPath: property].height.pixels]) },
      set: { settings, value in
        guard case .numbers(let sides) = value, sides.count == 2 else { return false }
        settings[keyPath: property] = Size(width: LayoutUnit(sides[0]), height: LayoutUnit(sides[1]))
        return true
      })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Double>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .number(range, unit: ""), value: { .number($0[keyPath: property]) },
      set: { settings, value in
        guard case .number(let number) = value else { return false }
        settings[keyPath: property] = number
        return true
      })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Float>, _ range: ClosedRange<Double>, unit: String, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .number(range, unit: unit), value: { .number($0[keyPath: property].asWritten) },
      set: { settings, value in
        guard case .number(let number) = value else { return false }
        settings[keyPath: property] = Float(number)
        return true
      })
  }

  static func number(
    _ name: String, _ property: any SettingProperty<Float?>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .number(range, unit: ""),
      value: { $0[keyPath: property].map { .number($0.asWritten) } ?? .none },
      set: { settings, value in
        switch value {
        case .none: settings[keyPath: property] = nil
        case .number(let number): settings[keyPath: property] = Float(number)
        default: return false
        }
        return true
      })
  }

  static func count(
    _ name: String, _ property: any SettingProperty<Int>, _ range: ClosedRange<Double>, _ stage: Stage
  ) -> Self {
    Self(
      name: name, stage: stage, form: .number(range, unit: ""), value: { .number(Double($0[keyPath: property])) },
      set: { settings, value in
        guard case .number(let number) = value, let count = Int(exactly: number) else { return false }
        settings[keyPath: property] = count
        return true
      })
  }

  /// A set of parts, as a list of their names.
  static func parts<Parts: OptionSet>(
    _ name: String, _ property: any SettingProperty<Parts>, _ parts: KeyValuePairs<String, Parts>, _ stage: Stage
  ) -> Self where Parts.Element == Parts, Parts: Sendable {
    let parts = Array(parts)
    return Self(
      name: name, stage: stage, form: .parts(parts.map(\.key)),
      value: { settings in
        .texts(parts.filter { settings[keyPath: property].isSuperset(of: $0.value) }.map(\.key))
      },
      set: { settings, value in
        guard case .texts(let names) = value else { return false }
        let named = names.compactMap { name in parts.first { $0.key == name }?.value }
        guard named.count == names.count else { return false }
        settings[keyPath: property] = named.reduce(into: []) { $0.insert($1) }
        return true
      })
  }
}

extension Float {
  /// The number that is written by the same digits.
  fileprivate var asWritten: Double { Double(description) ?? Double(self) }
}
