import ArgumentParser
import Typesetting

/// A row of a table of options: all that there is to know about one of them.
///
/// The argument parser finds the options of a command, given or not, by looking through the types of the program, which takes
/// longer than a short book. Command lines that are in order are therefore read by the table itself; all else, faults and
/// requests for help above all, is the parser's, which is given the same rows (`TabledOptions`).
struct ArgumentRow<Options>: Sendable {
  let name: String
  let isFlag: Bool
  /// Sets the option by its text; nil takes it back. The result is false where the text is no value of the option.
  let set: @Sendable (inout Options, String?) -> Bool
  /// What the parser finds the option by.
  fileprivate let definition: @Sendable () -> Any
  /// Sets the option by what the parser has read.
  fileprivate let decode: @Sendable (inout Options, KeyedDecodingContainer<SettingKey>) throws -> Void

  /// An option with one value.
  ///
  /// - Parameters:
  ///   - parse: The value of a text; nil where it is none.
  ///   - definition: The parser's option.
  private static func option<Value: Sendable>(
    _ name: String, parse: @escaping @Sendable (String) -> Value?,
    definition: @escaping @Sendable () -> Option<Value?>,
    _ set: @escaping @Sendable (inout Options, Value?) -> Void
  ) -> Self {
    Self(
      name: name, isFlag: false,
      set: { options, text in
        let value = text.flatMap(parse)
        set(&options, value)
        return text == nil || value != nil
      },
      definition: definition,
      decode: { options, values in
        set(&options, try values.decode(Option<Value?>.self, forKey: SettingKey(name)).wrappedValue)
      })
  }

  /// - Parameter values: The kind of value, or the words for it with `|` between them.
  static func option<Value: ExpressibleByArgument & Sendable>(
    _ name: String, _ values: String, _ help: String, completion: CompletionKind? = nil,
    _ set: @escaping @Sendable (inout Options, Value?) -> Void
  ) -> Self {
    option(
      name, parse: { Value(argument: $0) },
      definition: {
        Option(name: .customLong(name), help: ArgumentHelp("\(help)", valueName: values), completion: completion)
      }, set)
  }

  /// An option that may be given several times; nil takes all of its values back.
  static func repeated(
    _ name: String, _ values: String, _ help: String, completion: CompletionKind? = nil,
    _ set: @escaping @Sendable (inout Options, String?) -> Void
  ) -> Self {
    Self(
      name: name, isFlag: false,
      set: { options, text in
        set(&options, text)
        return true
      },
      definition: {
        Option<[String]>(
          wrappedValue: [], name: .customLong(name), help: ArgumentHelp("\(help)", valueName: values),
          completion: completion)
      },
      decode: { options, values in
        set(&options, nil)
        for value in try values.decode(Option<[String]>.self, forKey: SettingKey(name)).wrappedValue {
          set(&options, value)
        }
      })
  }

  static func flag(
    _ name: String, _ help: String, _ set: @escaping @Sendable (inout Options, Bool) -> Void
  ) -> Self {
    Self(
      name: name, isFlag: true,
      set: { options, text in
        set(&options, text != nil)
        return true
      },
      definition: { Flag<Bool>(wrappedValue: false, name: .customLong(name), help: "\(help)") },
      decode: { options, values in
        set(&options, try values.decode(Flag<Bool>.self, forKey: SettingKey(name)).wrappedValue)
      })
  }

  /// The option of a setting: a word, a switch or a text.
  static func setting(
    _ setting: Setting, named name: String, in chosen: any WritableKeyPath<Options, TypesettingSettings?> & Sendable
  ) -> Self {
    option(
      name, parse: { setting.value(argument: $0) },
      definition: {
        let words = setting.words?.joined(separator: "|") ?? setting.argument
        let help = setting.help + (setting.defaultWord.map { " (default: \($0))" } ?? "")
        return Option(
          name: .customLong(name), help: ArgumentHelp("\(help)", valueName: words),
          completion: setting.words.map { .list($0) },
          transform: { text in
            if let value = setting.value(argument: text) { return value }
            throw ValidationError(
              setting.words.map { "it is one of \($0.joined(separator: ", "))" } ?? setting.expectation)
          })
      },
      { options, value in
        if value == nil, options[keyPath: chosen] == nil { return }
        var settings = options[keyPath: chosen] ?? TypesettingSettings()
        let isTaken = setting.set(&settings, value ?? setting.value(TypesettingSettings()))
        assert(isTaken, "\(name) does not take what was read for it")
        options[keyPath: chosen] = settings
      })
  }
}

extension Setting {
  /// The settings that have options, with these names, of a group of options.
  static func withOptions(_ belongs: (String) -> Bool) -> [(Setting, String)] {
    TypesettingSettings.table.compactMap { setting in
      guard let name = setting.option, belongs(name) else { return nil }
      return (setting, name)
    }
  }
}

/// Options that have a table of all of them. The parser looks through a mirror of theirs and finds the rows.
protocol TabledOptions: ParsableArguments, CustomReflectable {
  static var rows: [ArgumentRow<Self>] { get }
}

extension TabledOptions {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingKey.self)
    self.init()
    for row in Self.rows { try row.decode(&self, values) }
  }

  var customMirror: Mirror { Mirror(self, children: Self.rows.map { ($0.name, $0.definition()) }) }

  /// Takes the next option, and its value, if it is one of these; the list tells of one that the parser has to judge.
  mutating func take(_ arguments: inout ArgumentList) -> Bool {
    guard let row = Self.rows.first(where: { $0.name == arguments.name }) else { return false }
    let value = row.isFlag ? arguments.flag() : arguments.value()
    if value == nil || !row.set(&self, value) { arguments.isInOrder = false }
    return true
  }
}

/// Arguments from the left: `--name`, `--name value`, `--name=value` and others.
struct ArgumentList {
  private var rest: ArraySlice<String>
  /// The name of the option that stands next, without hyphens; empty for what is no option.
  private(set) var name: Substring = ""
  /// The value behind the equals sign.
  private var attached: Substring?
  /// No argument yet needs the parser's judgement.
  fileprivate(set) var isInOrder = true

  init(_ arguments: [String]) {
    rest = arguments[...]
    look()
  }

  var isEmpty: Bool { rest.isEmpty }

  private mutating func look() {
    (name, attached) = ("", nil)
    guard let argument = rest.first, argument.hasPrefix("--") else { return }
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts[0]
    if parts.count > 1 { attached = parts[1] }
  }

  /// Takes an argument that is no option; nil for what begins with a hyphen.
  mutating func positional() -> String? {
    guard let argument = rest.first, !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
    rest.removeFirst()
    look()
    return argument
  }

  fileprivate mutating func flag() -> String? {
    guard attached == nil else { return nil }
    rest.removeFirst()
    look()
    return ""
  }

  /// Takes an option and its value; nil where it has none, or what may be another option.
  fileprivate mutating func value() -> String? {
    let attached = attached
    rest.removeFirst()
    defer { look() }
    if let attached { return attached.isEmpty ? nil : String(attached) }
    guard let value = rest.first, value == "-" || !value.hasPrefix("-") else { return nil }
    rest.removeFirst()
    return value
  }
}

extension SetCommand {
  /// Reads arguments that are in order; nil for all others.
  init?(reading arguments: [String]) {
    var arguments = ArgumentList(arguments)
    var input: String?
    var outputs = OutputOptions()
    var geometry = PageOptions()
    var reading = ReadingOptions()
    var fonts = FontOptions()
    var running = RunningOptions()
    while arguments.isInOrder, !arguments.isEmpty {
      if arguments.name.isEmpty {
        guard input == nil, let positional = arguments.positional() else { return nil }
        input = positional
      } else {
        guard
          outputs.take(&arguments) || running.take(&arguments) || geometry.take(&arguments) || fonts.take(&arguments)
            || reading.take(&arguments)
        else { return nil }
      }
    }
    guard arguments.isInOrder, let input else { return nil }
    self.init()
    self.input = input
    do {
      try geometry.validate()
      try reading.validate()
      try running.validate()
      (self.outputs, self.geometry, self.reading, self.fonts, self.running) = (
        outputs, geometry, reading, fonts, running
      )
      try validate()
    } catch {
      return nil
    }
  }
}
