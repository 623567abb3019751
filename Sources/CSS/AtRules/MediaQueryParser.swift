/// Parses one media query (Media Queries 4, section 3).
struct MediaQueryParser {
  /// The condition is of a container query (CSS Conditional 5, section 3.1).
  var isOfContainer = false
  /// The condition stands in `style()`, whose parentheses hold declarations and no features of size.
  var isInStyle = false
  /// Parentheses in each other; deeper ones are unknown.
  private static let maximumDepth = 32

  /// nil when the query is not valid, which makes it `not all`.
  func parseQuery(_ tokens: TokenCursor) -> MediaQuery? {
    var cursor = tokens
    cursor.skipWhitespace()
    guard !cursor.isAtEnd else { return nil }
    var query = MediaQuery()
    let start = cursor.position
    if cursor.kind == .ident {
      if cursor.consumeIdent("not") {
        query.isNegated = true
        cursor.skipWhitespace()
      } else if cursor.consumeIdent("only") {
        cursor.skipWhitespace()
        guard cursor.kind == .ident else { return nil }
      }
      if cursor.kind == .ident {
        switch cursor.lowercasedText {
        case "all": query.type = .all
        case "screen": query.type = .known(.screen)
        case "print": query.type = .known(.print)
        case "speech": query.type = .known(.speech)
        case "not", "only", "and", "or", "layer": return nil
        default: query.type = .other
        }
        cursor.advance()
        cursor.skipWhitespace()
        if cursor.isAtEnd { return query }
        guard cursor.consumeIdent("and") else { return nil }
        query.condition = parseCondition(&cursor, allowsOr: false, depth: 0)
        return query.condition != nil && cursor.isAtEnd ? query : nil
      }
      // `not (...)` is a condition.
      query.isNegated = false
      cursor.position = start
    }
    query.condition = parseCondition(&cursor, allowsOr: true, depth: 0)
    return query.condition != nil && cursor.isAtEnd ? query : nil
  }

  func parseCondition(_ cursor: inout TokenCursor, allowsOr: Bool, depth: Int) -> MediaCondition? {
    cursor.skipWhitespace()
    if cursor.consumeIdent("not") {
      cursor.skipWhitespace()
      let condition = parseInParentheses(&cursor, depth: depth)
      cursor.skipWhitespace()
      return condition.map { .not($0) }
    }
    guard let first = parseInParentheses(&cursor, depth: depth) else { return nil }
    cursor.skipWhitespace()
    let isAnd = cursor.isIdent("and")
    guard isAnd || (allowsOr && cursor.isIdent("or")) else { return first }
    var conditions = [first]
    while isAnd ? cursor.consumeIdent("and") : cursor.consumeIdent("or") {
      cursor.skipWhitespace()
      guard let next = parseInParentheses(&cursor, depth: depth) else { return nil }
      conditions.append(next)
      cursor.skipWhitespace()
    }
    return isAnd ? .and(conditions) : .or(conditions)
  }

  private func parseInParentheses(_ cursor: inout TokenCursor, depth: Int) -> MediaCondition? {
    switch cursor.kind {
    case .function:
      let isStyle = isOfContainer && cursor.isFunction("style")
      let contents = cursor.enterBlock().trimmed
      return isStyle ? parseStyle(contents, depth: depth) ?? .unknown : .unknown
    case .openParen:
      let contents = cursor.enterBlock().trimmed
      guard depth < Self.maximumDepth else { return .unknown }
      if isInStyle { return parseStyle(contents, depth: depth) ?? .unknown }
      if let feature = parseFeature(contents) { return feature }
      var inner = contents
      if contents.kind == .openParen || contents.kind == .function || contents.isIdent("not"),
        let condition = parseCondition(&inner, allowsOr: true, depth: depth + 1), inner.isAtEnd
      {
        return condition
      }
      return .unknown
    default:
      return nil
    }
  }

  // MARK: Features

  private func parseFeature(_ contents: TokenCursor) -> MediaCondition? {
    var cursor = contents
    if cursor.kind == .ident, !contents.isIdent("not") {
      let name = cursor.lowercasedText
      cursor.advance()
      cursor.skipWhitespace()
      if cursor.isAtEnd {
        return .feature(MediaFeature(name: name, comparison: .boolean, value: .none))
      }
      if cursor.kind == .colon {
        cursor.advance()
        guard let value = parseValue(&cursor), cursor.isAtEnd else { return nil }
        return .feature(prefixed(name, value))
      }
      cursor.position = contents.position
    }
    return parseRange(contents)
  }

  /// `min-` and `max-` are comparisons (section 2.4.4).
  private func prefixed(_ name: String, _ value: MediaFeature.Value) -> MediaFeature {
    for vendor in ["", "-webkit-", "-moz-"] {
      // `-webkit-min-device-pixel-ratio`, `min--moz-device-pixel-ratio`.
      if name.hasPrefix(vendor + "min-") {
        return MediaFeature(name: vendor + name.dropFirst(vendor.count + 4), comparison: .greaterOrEqual, value: value)
      }
      if name.hasPrefix(vendor + "max-") {
        return MediaFeature(name: vendor + name.dropFirst(vendor.count + 4), comparison: .lessOrEqual, value: value)
      }
    }
    return MediaFeature(name: name, comparison: .equal, value: value)
  }

  /// `width >= 40em`, `40em <= width`, `40em <= width < 80em`.
  private func parseRange(_ contents: TokenCursor) -> MediaCondition? {
    var cursor = contents
    guard let first = parseValue(&cursor), let firstComparison = parseComparison(&cursor),
      let second = parseValue(&cursor)
    else { return nil }
    if cursor.isAtEnd {
      if case .keyword(let name) = first {
        return .feature(MediaFeature(name: name, comparison: firstComparison, value: second))
      }
      guard case .keyword(let name) = second else { return nil }
      return .feature(MediaFeature(name: name, comparison: flipped(firstComparison), value: first))
    }
    guard case .keyword(let name) = second, let secondComparison = parseComparison(&cursor),
      let third = parseValue(&cursor), cursor.isAtEnd
    else { return nil }
    let isUpwards = firstComparison == .less || firstComparison == .lessOrEqual
    let staysUpwards = secondComparison == .less || secondComparison == .lessOrEqual
    guard firstComparison != .equal, secondComparison != .equal, isUpwards == staysUpwards else { return nil }
    return .and([
      .feature(MediaFeature(name: name, comparison: flipped(firstComparison), value: first)),
      .feature(MediaFeature(name: name, comparison: secondComparison, value: third)),
    ])
  }

  private func parseComparison(_ cursor: inout TokenCursor) -> MediaFeature.Comparison? {
    let sign = cursor.next().delim
    let hasEqual = sign != "=" && cursor.consumeDelim("=")
    cursor.skipWhitespace()
    return switch sign {
    case "=": .equal
    case "<": hasEqual ? .lessOrEqual : .less
    case ">": hasEqual ? .greaterOrEqual : .greater
    default: nil
    }
  }

  private func flipped(_ comparison: MediaFeature.Comparison) -> MediaFeature.Comparison {
    switch comparison {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .boolean: comparison
    }
  }

  /// Reads a value and the white space around it.
  private func parseValue(_ cursor: inout TokenCursor) -> MediaFeature.Value? {
    cursor.skipWhitespace()
    let token = cursor.token
    switch token.kind {
    case .ident:
      let text = cursor.lowercasedText
      cursor.advance()
      cursor.skipWhitespace()
      return .keyword(text)
    case .dimension:
      let unit = cursor.lowercasedText
      cursor.advance()
      cursor.skipWhitespace()
      return .math(.dimension(token.number, unit: unit), isFunction: false)
    case .number, .function:
      guard let number = parseNumber(&cursor) else { return nil }
      guard cursor.consumeDelim("/") else { return .math(number, isFunction: token.kind == .function) }
      cursor.skipWhitespace()
      return parseNumber(&cursor).map { .ratio(number, $0) }
    default: return nil
    }
  }

  /// A number or math function and the white space after it (section 1.3).
  private func parseNumber(_ cursor: inout TokenCursor) -> MediaMath? {
    if cursor.kind == .function { return MediaMath.parse(&cursor) }
    guard cursor.kind == .number else { return nil }
    let number = cursor.next().number
    cursor.skipWhitespace()
    return .number(number)
  }
}
