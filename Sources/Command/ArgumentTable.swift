import ArgumentParser

/// A row of a table of options: an option's name, and how its value comes into the options it belongs to.
///
/// The argument parser finds the options of a command, given or not, by looking through the types of the program, which takes
/// longer than a short book. Command lines that are in order are therefore read by tables, which name the options again;
/// all else, faults and requests for help above all, is the parser's.
struct ArgumentRow<Options> {
  let name: String
  let isFlag: Bool
  /// Sets the option by its text; nil takes it back. The result is false where the text is no value of the option.
  let set: @Sendable (inout Options, String?) -> Bool

  static func option<Value: ExpressibleByArgument>(
    _ name: String, _ set: @escaping @Sendable (inout Options, Value?) -> Void
  ) -> Self {
    Self(name: name, isFlag: false) { options, text in
      let value = text.flatMap { Value(argument: $0) }
      set(&options, value)
      return text == nil || value != nil
    }
  }

  /// An option that may be given several times; nil takes all of its values back.
  static func repeated(_ name: String, _ set: @escaping @Sendable (inout Options, String?) -> Void) -> Self {
    Self(name: name, isFlag: false) { options, text in
      set(&options, text)
      return true
    }
  }

  static func flag(_ name: String, _ set: @escaping @Sendable (inout Options, Bool) -> Void) -> Self {
    Self(name: name, isFlag: true) { options, text in
      set(&options, text != nil)
      return true
    }
  }

  private init(name: String, isFlag: Bool, set: @escaping @Sendable (inout Options, String?) -> Bool) {
    self.name = name
    self.isFlag = isFlag
    self.set = set
  }
}

/// Options that have a table of all of them.
protocol TabledOptions: ParsableArguments {
  static var rows: [ArgumentRow<Self>] { get }
}

extension TabledOptions {
  /// The options where none of them is given.
  static var none: Self {
    var options = Self()
    for row in rows { _ = row.set(&options, nil) }
    return options
  }

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
    var outputs = OutputOptions.none
    var geometry = PageOptions.none
    var reading = ReadingOptions.none
    var fonts = FontOptions.none
    var running = RunningOptions.none
    while arguments.isInOrder, !arguments.isEmpty {
      if arguments.name.isEmpty {
        guard input == nil, let positional = arguments.positional() else { return nil }
        input = positional
      } else {
        guard
          outputs.take(&arguments) || geometry.take(&arguments) || reading.take(&arguments) || fonts.take(&arguments)
            || running.take(&arguments)
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
