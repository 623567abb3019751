extension Stylesheet {
  /// The values of conditions, by id; one that stands in another holds only when both do. Conditions that each element is asked
  /// for hold.
  ///
  /// - Parameter supports: `true` if a declaration is understood, given the property's name in lower case (a custom
  ///   property's as written) and the tokens of the value.
  package func evaluateConditions(
    _ environment: MediaEnvironment, supports: (String, TokenCursor) -> Bool
  ) -> [Bool] {
    var results: [Bool] = []
    results.reserveCapacity(conditions.count)
    for condition in conditions {
      guard holds(condition.parent, in: results) else {
        results.append(false)
        continue
      }
      switch condition.test {
      case .media: results.append(mediaQueries.matches(condition.range, environment))
      case .supports, .importSupports:
        let evaluator = SupportsEvaluator(namespaces: namespaces, takesDeclaration: condition.test == .importSupports)
        results.append(evaluator.evaluate(TokenCursor(buffer, condition.range), supports))
      case .layer, .scope, .container: results.append(true)
      }
    }
    return results
  }

  /// Rules under `condition` apply, given what `evaluateConditions` returned.
  package func holds(_ condition: ConditionID, in results: [Bool]) -> Bool {
    condition == Stylesheet.noCondition || results[Int(condition)]
  }
}

private typealias Supports = (String, TokenCursor) -> Bool

/// Evaluates the condition of `@supports` (CSS Conditional Rules 5, section 2).
private struct SupportsEvaluator {
  /// Parentheses in each other; deeper ones are false.
  private static let maximumDepth = 32

  let namespaces: [NamespaceRule]
  /// A bare declaration is a condition, too.
  let takesDeclaration: Bool

  func evaluate(_ tokens: TokenCursor, _ supports: Supports) -> Bool {
    if takesDeclaration, let result = declaration(tokens, supports) { return result }
    var cursor = tokens
    return condition(&cursor, depth: 0, supports) ?? false
  }

  /// nil when it is not valid.
  private func condition(_ cursor: inout TokenCursor, depth: Int, _ supports: Supports) -> Bool? {
    cursor.skipWhitespace()
    if cursor.consumeIdent("not") {
      cursor.skipWhitespace()
      guard let result = inParentheses(&cursor, depth: depth, supports) else { return nil }
      cursor.skipWhitespace()
      return cursor.isAtEnd ? !result : nil
    }
    guard var result = inParentheses(&cursor, depth: depth, supports) else { return nil }
    cursor.skipWhitespace()
    let isAnd = cursor.isIdent("and")
    while isAnd ? cursor.consumeIdent("and") : cursor.consumeIdent("or") {
      cursor.skipWhitespace()
      guard let next = inParentheses(&cursor, depth: depth, supports) else { return nil }
      result = isAnd ? result && next : result || next
      cursor.skipWhitespace()
    }
    return cursor.isAtEnd ? result : nil
  }

  private func inParentheses(_ cursor: inout TokenCursor, depth: Int, _ supports: Supports) -> Bool? {
    switch cursor.kind {
    case .function:
      let function = cursor
      return isSupported(function, arguments: cursor.enterBlock().trimmed)
    case .openParen:
      let contents = cursor.enterBlock().trimmed
      guard depth < Self.maximumDepth else { return false }
      if let result = declaration(contents, supports) { return result }
      var inner = contents
      return condition(&inner, depth: depth + 1, supports) ?? false
    default:
      return nil
    }
  }

  private func isSupported(_ function: TokenCursor, arguments: TokenCursor) -> Bool {
    if function.isFunction("selector") {
      var parser = SelectorParser()
      var table = SelectorTable()
      return parser.parseList(arguments, namespaces: namespaces, into: &table)?.count == 1
    }
    guard arguments.kind == .ident, arguments.end == arguments.position + 1 else { return false }
    if function.isFunction("font-format") { return supportedFontFormats.contains(arguments.lowercasedText) }
    return function.isFunction("font-tech") && supportedFontTechnologies.contains(arguments.lowercasedText)
  }

  /// nil when the tokens are not `name: value`.
  private func declaration(_ tokens: TokenCursor, _ supports: Supports) -> Bool? {
    var cursor = tokens
    cursor.skipWhitespace()
    guard cursor.kind == .ident else { return nil }
    let isCustom = cursor.text.hasPrefix("--")
    let name = isCustom ? cursor.text : cursor.lowercasedText
    cursor.advance()
    cursor.skipWhitespace()
    guard cursor.kind == .colon else { return nil }
    cursor.advance()
    var value = cursor.trimmed
    // `!important` may follow the value.
    var last = value.end
    if last - value.position >= 2, value.buffer.tokens[last - 1].kind == .ident,
      value.buffer.text(value.buffer.tokens[last - 1].text, is: "important")
    {
      last -= 1
      while last > value.position, value.buffer.tokens[last - 1].kind == .whitespace { last -= 1 }
      if value.buffer.tokens[last - 1].delim == "!" {
        value = TokenCursor(value.buffer, value.position..<last - 1).trimmed
      }
    }
    return supports(name, value)
  }
}
