/// A reference to an attribute of the element, `attr()` (CSS Values 5, section 7.7), to one in no namespace.
package struct AttributeReference {
  package let name: String
  /// The tokens behind the comma; nil where there is none.
  package let fallback: TokenCursor?
  private let type: ValueType

  /// As what the attribute's value is read.
  private enum ValueType {
    case string
    /// A number; with a unit, which may be `%`, one of that unit.
    case number(unit: String)
    /// Tokens of one of several syntaxes.
    case syntax([SyntaxComponent])
  }

  /// A name of a data type, as in `<length>+`, a keyword, or `*` (CSS Values 5, section 8.2).
  private struct SyntaxComponent {
    var name: String
    var isDataType = false
    /// `+`: several after each other; `#`: several with commas between them.
    var multiplier: UnicodeScalar?
  }

  /// Reads the arguments of the function; nil for what is no such reference.
  package init?(_ arguments: TokenCursor) {
    var cursor = arguments.trimmed
    guard cursor.kind == .ident else { return nil }
    name = cursor.text
    cursor.advance()
    cursor.skipWhitespace()
    if cursor.isFunction("type") {
      guard let components = Self.syntax(cursor.enterBlock()) else { return nil }
      type = .syntax(components)
    } else if cursor.isDelim("%") {
      type = .number(unit: "%")
      cursor.advance()
    } else if cursor.kind == .ident {
      switch cursor.lowercasedText {
      case "raw-string", "string": type = .string
      case "number": type = .number(unit: "")
      default: type = .number(unit: cursor.lowercasedText)
      }
      cursor.advance()
    } else {
      type = .string
    }
    cursor.skipWhitespace()
    if cursor.consumeComma() {
      fallback = cursor.trimmed
    } else {
      guard cursor.isAtEnd else { return nil }
      fallback = nil
    }
  }

  private static func syntax(_ tokens: TokenCursor) -> [SyntaxComponent]? {
    var cursor = tokens.trimmed
    if cursor.kind == .string, cursor.peek().kind == .eof {
      return syntax(TokenCursor(TokenBuffer(tokenizing: Array(cursor.text.utf8)[...])))
    }
    var components: [SyntaxComponent] = []
    repeat {
      cursor.skipWhitespace()
      var component = SyntaxComponent(name: "*")
      if cursor.consumeDelim("<") {
        guard cursor.kind == .ident else { return nil }
        component = SyntaxComponent(name: cursor.lowercasedText, isDataType: true)
        cursor.advance()
        guard cursor.consumeDelim(">") else { return nil }
      } else if cursor.kind == .ident {
        component.name = cursor.text
        cursor.advance()
      } else if !cursor.consumeDelim("*") {
        return nil
      }
      for multiplier in ["+", "#"] as [UnicodeScalar] where component.name != "*" && cursor.consumeDelim(multiplier) {
        component.multiplier = multiplier
      }
      components.append(component)
      cursor.skipWhitespace()
    } while cursor.consumeDelim("|")
    return cursor.isAtEnd ? components : nil
  }

  /// The tokens that stand for the reference; nil where it is the fallback, or where there is none, an invalid value.
  ///
  /// - Parameter value: the attribute's value; nil where the element has no such attribute.
  package func tokens(of value: String?) -> TokenBuffer? {
    guard let value else {
      if case .string = type, fallback == nil { return TokenBuffer(string: "") }
      return nil
    }
    switch type {
    case .string: return TokenBuffer(string: value)
    case .number(let unit):
      let number = TokenCursor(TokenBuffer(tokenizing: Array(value.utf8)[...])).trimmed
      guard number.kind == .number, number.peek().kind == .eof else { return nil }
      let buffer = TokenBuffer(tokenizing: Array((number.text + unit).utf8)[...])
      return unit.isEmpty || Self.isQuantity(TokenCursor(buffer)) ? buffer : nil
    case .syntax(let components):
      let buffer = TokenBuffer(tokenizing: Array(value.utf8)[...])
      let cursor = TokenCursor(buffer).trimmed
      // What could be read from elsewhere, and references inside, are not given to attributes.
      guard cursor.usesReferences() == false, !buffer.tokens.contains(where: { $0.kind == .url }) else { return nil }
      return components.contains { Self.matches(cursor, $0) } ? buffer : nil
    }
  }

  /// A unit that CSS knows stands behind the number.
  private static func isQuantity(_ token: TokenCursor) -> Bool {
    var parser = ValueParser(token, context: ValueContext())
    return parser.lengthPercentage() != nil || parser.angle() != nil
      || ["s", "ms", "hz", "khz", "dpi", "dpcm", "dppx", "x", "fr"].contains(token.lowercasedText)
  }

  private static func matches(_ tokens: TokenCursor, _ component: SyntaxComponent) -> Bool {
    var parser = ValueParser(tokens, context: ValueContext())
    if component.name == "*" { return true }
    switch component.multiplier {
    case "#": return parser.commaSeparated { Self.read(component, &$0) ? true : nil } != nil && parser.isAtEnd
    case "+":
      repeat { guard read(component, &parser) else { return false } } while !parser.isAtEnd
      return true
    default: return read(component, &parser) && parser.isAtEnd
    }
  }

  private static func read(_ component: SyntaxComponent, _ parser: inout ValueParser) -> Bool {
    guard component.isDataType else { return parser.customIdent() == component.name }
    switch component.name {
    case "number": return parser.number() != nil
    case "integer": return parser.integer() != nil
    case "length": return parser.length() != nil
    case "percentage":
      guard parser.peek().kind == .percentage else { return false }
      return parser.lengthPercentage() != nil
    case "length-percentage": return parser.lengthPercentage() != nil
    case "angle": return parser.angle() != nil
    case "color": return parser.color() != nil
    case "string": return parser.string() != nil
    case "custom-ident": return parser.customIdent() != nil
    default: return false
    }
  }
}

extension TokenBuffer {
  /// One token that is a string.
  init(string: String) {
    self.init()
    text = Array(string.utf8.prefix(Int(Int32.max)))
    tokens = [Token(.string, start: 0, text: 0..<UInt32(text.count))]
  }
}
