import Primitives

/// The context of a value: its meaning depends on it beside its tokens.
package struct ValueContext: Hashable, Sendable {
  /// The document is in quirks mode, which allows lengths without a unit and colours without `#` (Quirks Mode Standard,
  /// sections 3.1 and 3.2).
  package var quirks: Bool
  /// The path of the style sheet or document in its container; `url()` is relative to it.
  package var base: String

  package init(quirks: Bool = false, base: String = "") {
    self.quirks = quirks
    self.base = base
  }
}

/// Reads typed values from tokens. Each `parse` function moves past what it read, or leaves the cursor and returns nil.
package struct ValueParser {
  var cursor: TokenCursor
  let context: ValueContext
  /// The math functions met so far; `CalcID`s of values read by this parser are places in this list.
  package var calculations: [Calculation]
  /// Functions entered and not left, to bound recursion.
  var depth = 0
  /// The values of channel names inside a relative colour (CSS Color 5, section 4.1).
  var channelKeywords: [String: Double] = [:]
  /// What `currentcolor` is, where that is known.
  var currentColor: Color?
  /// The colour function at hand has `currentcolor` in it.
  var dependsOnCurrentColor = false
  /// `size` is a length: in `calc-size()`.
  var allowsSizeKeyword = false

  package init(_ cursor: TokenCursor, context: ValueContext, calculations: [Calculation] = []) {
    self.cursor = cursor
    self.context = context
    self.calculations = calculations
  }

  /// The limit of nested functions and parentheses in a value.
  static let maximumDepth = 32

  /// The next token that is no white space, still unread.
  mutating func peek() -> Token {
    cursor.skipWhitespace()
    return cursor.token
  }
  var isAtEnd: Bool {
    mutating get {
      cursor.skipWhitespace()
      return cursor.isAtEnd
    }
  }

  /// An ident in ASCII lower case.
  mutating func ident() -> String? {
    guard peek().kind == .ident else { return nil }
    let text = cursor.lowercasedText
    cursor.advance()
    return text
  }
  /// An ident as written that is no CSS-wide keyword (CSS Values 4, section 4.2).
  mutating func customIdent() -> String? {
    guard peek().kind == .ident else { return nil }
    let text = cursor.text
    if WideKeyword(at: cursor) != nil || cursor.isIdent("default") { return nil }
    cursor.advance()
    return text
  }
  /// A name of the author's own, which begins with two hyphens.
  mutating func dashedIdent() -> String? {
    guard peek().kind == .ident, cursor.text.hasPrefix("--") else { return nil }
    return customIdent()
  }
  mutating func keyword(_ name: StaticString) -> Bool {
    cursor.skipWhitespace()
    return cursor.consumeIdent(name)
  }
  mutating func comma() -> Bool {
    cursor.skipWhitespace()
    return cursor.consumeComma()
  }
  mutating func slash() -> Bool {
    cursor.skipWhitespace()
    return cursor.consumeDelim("/")
  }
  mutating func string() -> String? {
    guard peek().kind == .string else { return nil }
    let text = cursor.text
    cursor.advance()
    return text
  }

  /// Reads the contents of the function or block at the cursor; they must be used up.
  mutating func block<Result>(_ body: (inout ValueParser) -> Result?) -> Result? {
    guard depth < Self.maximumDepth else { return nil }
    let start = cursor
    var outer = cursor
    cursor = outer.enterBlock()
    depth += 1
    defer { depth -= 1 }
    if let result = body(&self), isAtEnd {
      cursor = outer
      return result
    }
    cursor = start
    return nil
  }
  /// Reads the arguments of a function if it is the one at the cursor.
  mutating func function<Result>(_ name: StaticString, _ body: (inout ValueParser) -> Result?) -> Result? {
    cursor.skipWhitespace()
    guard cursor.isFunction(name) else { return nil }
    return block(body)
  }
  /// Runs `body`; when it returns nil, what it read is unread.
  mutating func attempt<Result>(_ body: (inout ValueParser) -> Result?) -> Result? {
    let start = cursor
    if let result = body(&self) { return result }
    cursor = start
    return nil
  }
  /// One or more items with commas between them.
  mutating func commaSeparated<Item>(_ item: (inout ValueParser) -> Item?) -> [Item]? {
    var items: [Item] = []
    repeat {
      guard let next = item(&self) else { return nil }
      items.append(next)
    } while comma()
    return items
  }

  /// A keyword of `table`, as its raw value.
  mutating func keyword(of table: KeywordTable) -> UInt8? {
    cursor.skipWhitespace()
    guard let raw = table.rawValue(at: cursor) else { return nil }
    cursor.advance()
    return raw
  }
  mutating func keyword<Value: Keyword>(_ type: Value.Type, _ table: KeywordTable) -> Value? {
    keyword(of: table).flatMap { Value(rawValue: $0) }
  }

  // MARK: Numbers

  mutating func number(atLeast minimum: Double = -.infinity, atMost maximum: Double = .infinity) -> Double? {
    let token = peek()
    if token.kind == .number {
      guard token.number >= minimum, token.number <= maximum else { return nil }
      cursor.advance()
      return token.number
    }
    if token.kind == .function {
      return attempt { parser in
        guard case .number(let number)? = parser.mathFunction() else { return nil }
        return max(minimum, min(maximum, number))
      }
    }
    return nil
  }
  mutating func integer(atLeast minimum: Int = Int(Int32.min)) -> Int32? {
    let token = peek()
    if token.kind == .number {
      guard token.isInteger, token.integer >= minimum else { return nil }
      cursor.advance()
      return Int32(clamping: token.integer)
    }
    if token.kind == .function, let value = number() {
      return Int32(clamping: Int(max(Double(minimum), min(2_147_483_647, value.rounded()))))
    }
    return nil
  }
  /// A number, or a percentage as its hundredth part.
  mutating func numberOrPercentage(atLeast minimum: Double = -.infinity) -> Double? {
    let token = peek()
    if token.kind == .percentage {
      guard token.number >= minimum else { return nil }
      cursor.advance()
      return token.number / 100
    }
    return number(atLeast: minimum)
  }
  /// An angle in degrees; a bare zero counts where `zero` says so.
  mutating func angle(zero: Bool = false) -> Double? {
    let token = peek()
    if token.kind == .number, zero, token.number == 0 {
      cursor.advance()
      return 0
    }
    if token.kind == .dimension {
      guard let factor = Self.degrees(cursor.lowercasedText) else { return nil }
      cursor.advance()
      return token.number * factor
    }
    if token.kind == .function {
      return attempt { parser in
        if case .angle(let angle)? = parser.mathFunction() { return angle }
        return nil
      }
    }
    return nil
  }
  static func degrees(_ unit: String) -> Double? {
    switch unit {
    case "deg": 1
    case "grad": 0.9
    case "rad": 180 / Double.pi
    case "turn": 360
    default: nil
    }
  }

  /// A `url()` or, with `orString`, a string, resolved against the base.
  mutating func url(orString: Bool = false) -> String? {
    switch peek().kind {
    case .url:
      let text = cursor.text
      cursor.advance()
      return resolveURL(text, base: context.base)
    case .function where cursor.isFunction("url") || cursor.isFunction("src"):
      return block { $0.string() }.map { resolveURL($0, base: context.base) }
    case .string where orString:
      return string().map { resolveURL($0, base: context.base) }
    default: return nil
    }
  }
}

/// The keywords that every property takes (CSS Cascade 5, section 7.3).
package enum WideKeyword: UInt8, Hashable, Sendable {
  case inherit, initial, unset, revert, revertLayer

  /// The keyword at the cursor.
  package init?(at cursor: TokenCursor) {
    if cursor.isIdent("inherit") {
      self = .inherit
    } else if cursor.isIdent("initial") {
      self = .initial
    } else if cursor.isIdent("unset") {
      self = .unset
    } else if cursor.isIdent("revert") {
      self = .revert
    } else if cursor.isIdent("revert-layer") {
      self = .revertLayer
    } else {
      return nil
    }
  }
}
