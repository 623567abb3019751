/// The value of the `syntax` descriptor: types and words of which a value has to be one (CSS Properties and Values API 1,
/// section 5).
package struct PropertySyntax: Hashable, Sendable {
  enum DataType: String, Hashable, Sendable {
    case length, number, percentage, color, image, url, integer, angle, time, resolution, string
    case lengthPercentage = "length-percentage"
    case transformFunction = "transform-function"
    case transformList = "transform-list"
    case customIdent = "custom-ident"
  }
  enum Multiplier: Hashable, Sendable { case one, spaces, commas }
  enum Term: Hashable, Sendable {
    case type(DataType)
    /// A word, compared as written.
    case ident(String)
  }
  struct Component: Hashable, Sendable {
    var term: Term
    var multiplier: Multiplier
  }
  /// Empty for the universal syntax `*`.
  private(set) var components: [Component] = []

  package var isUniversal: Bool { components.isEmpty }

  /// nil for a text that is no syntax.
  package init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    if text.trimmedASCII == "*" { return }
    for part in parts {
      guard let component = Self.component(part.trimmedASCII) else { return nil }
      components.append(component)
    }
  }

  private static func component(_ text: Substring) -> Component? {
    var text = text
    var multiplier = Multiplier.one
    if text.last == "+" { multiplier = .spaces } else if text.last == "#" { multiplier = .commas }
    if multiplier != .one { text.removeLast() }
    if text.first == "<" {
      guard text.last == ">", let type = DataType(rawValue: String(text.dropFirst().dropLast())) else { return nil }
      // A list of functions is a list already.
      guard type != .transformList || multiplier == .one else { return nil }
      return Component(term: .type(type), multiplier: multiplier)
    }
    let cursor = TokenCursor(TokenBuffer(tokenizing: Array(text.utf8)[...]))
    var parser = ValueParser(cursor, context: ValueContext())
    guard cursor.end == 1, let word = parser.customIdent() else { return nil }
    return Component(term: .ident(word), multiplier: multiplier)
  }

  /// Finds the px of a length, nil where they are not known.
  package typealias LengthResolution = (Double, LengthUnit) -> Double?

  /// The computed value that tokens have (section 2.4): lengths that depend on a font or a container are px.
  ///
  /// - Returns: nil for tokens that do not follow the syntax, and where `resolve` does not know a length in them.
  package func value(of tokens: TokenCursor, context: ValueContext, resolve: LengthResolution) -> TokenBuffer? {
    let value = tokens.trimmed
    if isUniversal {
      var result = value.copy
      result.linkBlocks()
      return result
    }
    guard let component = components.first(where: { $0.matches(value, context) }),
      let resolved = Self.resolved(value, resolve)
    else { return nil }
    return component.canonical(resolved, context) ?? resolved
  }

  /// The tokens with px in place of lengths that `resolve` is asked for.
  private static func resolved(_ tokens: TokenCursor, _ resolve: LengthResolution) -> TokenBuffer? {
    var result = TokenBuffer()
    var cursor = tokens
    while !cursor.isAtEnd {
      let token = cursor.token
      if token.kind == .dimension, let (unit, factor) = ValueParser.unit(cursor.lowercasedText), unit.dependsOnElement {
        guard let pixels = resolve(token.number * factor, unit) else { return nil }
        result.append(0..<1, of: Self.pixels(pixels))
      } else {
        result.append(cursor.position..<cursor.position + 1, of: cursor.buffer)
      }
      cursor.advance()
    }
    result.linkBlocks()
    return result
  }

  fileprivate static func pixels(_ value: Double) -> TokenBuffer { tokens("\(value)px") }
  fileprivate static func tokens(_ text: String) -> TokenBuffer { TokenBuffer(tokenizing: Array(text.utf8)[...]) }
}

extension LengthUnit {
  /// A length in the unit is another one on elements with other fonts or in other containers.
  var dependsOnElement: Bool {
    switch self {
    case .px, .vw, .vh, .vmin, .vmax, .vi, .vb, .percent: false
    case .em, .rem, .ex, .rex, .ch, .rch, .ic, .cap, .lh, .rlh, .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax, .function:
      true
    }
  }
}

extension PropertySyntax.Component {
  fileprivate func matches(_ value: TokenCursor, _ context: ValueContext) -> Bool {
    var parser = ValueParser(value, context: context)
    guard parseTerm(&parser) else { return false }
    while !parser.isAtEnd {
      switch multiplier {
      case .one: return false
      case .spaces: break
      case .commas: guard parser.comma() else { return false }
      }
      guard parseTerm(&parser) else { return false }
    }
    return true
  }

  private func parseTerm(_ parser: inout ValueParser) -> Bool {
    switch term {
    case .ident(let word):
      return parser.attempt { $0.ident() == word ? true : nil } ?? false
    case .type(let type):
      switch type {
      case .length: return parser.lengthPercentage([]) != nil
      case .lengthPercentage: return parser.lengthPercentage(.percent) != nil
      case .number: return parser.number() != nil
      case .integer: return parser.integer() != nil
      case .percentage: return parser.percentageOnly()
      case .color: return parser.color() != nil
      case .image: return parser.image() != nil
      case .url: return parser.url() != nil
      case .angle: return parser.angle() != nil
      case .time: return parser.dimension(of: ["s", "ms"])
      case .resolution: return parser.dimension(of: ["dpi", "dpcm", "dppx", "x"])
      case .string: return parser.string() != nil
      case .customIdent: return parser.customIdent() != nil
      case .transformFunction:
        return parser.attempt { parser in
          guard parser.peek().kind == .function else { return nil }
          var rest = parser.cursor
          let start = rest.position
          rest.skipComponentValue()
          var one = ValueParser(TokenCursor(rest.buffer, start..<rest.position), context: parser.context)
          guard one.transform()?.count == 1, one.isAtEnd else { return nil }
          parser.cursor = rest
          return true
        } ?? false
      case .transformList: return parser.peek().kind == .function && parser.transform() != nil
      }
    }
  }

  /// The one way to write a length, number or percentage, so that equal values are equal text; nil for other values.
  fileprivate func canonical(_ value: TokenBuffer, _ context: ValueContext) -> TokenBuffer? {
    guard multiplier == .one, case .type(let type) = term else { return nil }
    var parser = ValueParser(TokenCursor(value).trimmed, context: context)
    switch type {
    case .length, .lengthPercentage:
      guard case .length(let length)? = parser.lengthPercentage(.percent) else { return nil }
      switch length.unit {
      case .px: return PropertySyntax.pixels(Double(length.value))
      case .percent: return PropertySyntax.tokens("\(length.value)%")
      default: return nil
      }
    case .number: return parser.number().map { PropertySyntax.tokens("\($0)") }
    case .integer: return parser.integer().map { PropertySyntax.tokens("\($0)") }
    default: return nil
    }
  }
}

extension ValueParser {
  /// A percentage, also as a math function of percentages alone.
  fileprivate mutating func percentageOnly() -> Bool {
    attempt { parser in
      switch parser.lengthPercentage(.percent) {
      case .length(let length)? where length.isPercentage: true
      default: nil
      }
    } ?? false
  }
  fileprivate mutating func dimension(of units: Set<String>) -> Bool {
    guard peek().kind == .dimension, units.contains(cursor.lowercasedText) else { return false }
    cursor.advance()
    return true
  }
}

extension StringProtocol {
  /// Without white space at its ends.
  fileprivate var trimmedASCII: SubSequence {
    let isSpace = { (character: Character) in character.isASCII && character.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return self[startIndex..<startIndex]
    }
    return self[first...last]
  }
}
