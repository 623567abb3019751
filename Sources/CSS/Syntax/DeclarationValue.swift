extension TokenCursor {
  /// Tokens can be the value of a declaration, `<declaration-value>` of CSS Syntax 3, section 8.2, in which each
  /// `var()` and `env()` is written as CSS Custom Properties 1, section 3, asks.
  ///
  /// - Returns: nil for what is no such value, else whether it uses `var()`, `env()` or `attr()` and so is checked only when
  ///   they are known.
  package func usesReferences() -> Bool? {
    // The blocks that are open, and whether a semicolon or exclamation mark directly in them is wrong: so it is in fallbacks.
    var open: [(end: Int, isValue: Bool)] = [(end, true)]
    var found = false
    var cursor = self
    while !cursor.isAtEnd {
      if open.count > 1, cursor.position == open[open.count - 1].end {
        open.removeLast()
        cursor.advance()
        continue
      }
      let token = cursor.token
      switch token.kind {
      case .badString, .badURL, .closeCurly, .closeParen, .closeSquare: return nil
      case .semicolon where open[open.count - 1].isValue: return nil
      case .delim where open[open.count - 1].isValue && token.delim == "!": return nil
      default: break
      }
      if token.opensBlock {
        let isReference = cursor.isFunction("var") || cursor.isFunction("env")
        if isReference {
          guard cursor.isSoundReference() else { return nil }
          found = true
        }
        let isAttribute = cursor.isAttributeReference
        found = found || isAttribute
        open.append((min(end, token.blockEnd), isReference || isAttribute))
      }
      cursor.advance()
    }
    return found
  }

  /// The function at the cursor is an `attr()` that the cascade can replace.
  private var isAttributeReference: Bool {
    guard isFunction("attr") else { return false }
    var start = self
    return AttributeReference(start.enterBlock()) != nil
  }

  /// The function at the cursor has a name and behind it nothing but a comma and what follows that.
  private func isSoundReference() -> Bool {
    var start = self
    let isEnvironment = isFunction("env")
    var arguments = start.enterBlock()
    arguments.skipWhitespace()
    guard arguments.kind == .ident else { return false }
    let name = arguments.text
    guard isEnvironment || name.hasPrefix("--") && name.utf8.count > 2 else { return false }
    arguments.advance()
    arguments.skipWhitespace()
    while isEnvironment, arguments.kind == .number {
      arguments.advance()
      arguments.skipWhitespace()
    }
    return arguments.isAtEnd || arguments.kind == .comma
  }
}
