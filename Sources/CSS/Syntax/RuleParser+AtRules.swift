/// At-rules: conditions, layers, scopes, imports, namespaces, pages.
extension RuleParser {

  /// Returns the condition of the rules inside when the at-rule holds rules, nil when it is done with.
  mutating func parseAtRule(_ rule: RuleTokens, _ frame: Frame, isTopLevel: Bool) -> ConditionID? {
    let condition = frame.condition
    let keyword = rule.start
    let block = rule.block
    let name = sheet.buffer.lowercased(tokens[keyword].text)
    let ruleLine = lineNumber(of: keyword)
    let cursor = TokenCursor(sheet.buffer, rule.prelude).trimmed
    switch name {
    case "charset": return nil
    case "import":
      guard mayImport, isTopLevel, block == nil else {
        fault(keyword, "an @import that does not stand before all other rules")
        return nil
      }
      hasImported = true
      parseImport(cursor, line: ruleLine)
      return nil
    case "layer" where block == nil:
      // Layers may be named before the imports, not between them.
      if hasImported { mayImport = false }
      let names = cursor.splitAtCommas()
      guard !names.isEmpty, names.allSatisfy({ !$0.isAtEnd && isLayerName($0) }) else {
        fault(keyword, "the name of a layer that is not valid")
        return nil
      }
      for name in names { _ = addLayer(name, parent: condition) }
      return nil
    case "namespace":
      if isTopLevel, mayDeclareNamespace, block == nil {
        mayImport = false
        parseNamespace(cursor)
      }
      return nil
    default: break
    }
    guard let block, Self.knownAtRules.contains(name) else {
      fault(keyword, "@\(name) is not known")
      return nil
    }
    if name != "page" { endPreamble() }
    switch name {
    case "media": return addMediaCondition(cursor, parent: condition)
    case "supports":
      return addCondition(.supports, UInt32(cursor.position)..<UInt32(cursor.end), parent: condition)
    case "layer":
      let layer = addLayer(cursor, parent: condition)
      if layer == nil { fault(keyword, "the name of a layer that is not valid") }
      return layer
    case "scope":
      let scope = addScope(cursor, parent: condition, selectors: nil, isScoped: frame.isScoped)
      if scope == nil { fault(keyword, "a scope that is not valid") }
      return scope
    case "container":
      let query = addContainer(cursor, parent: condition)
      if query == nil { fault(keyword, "a container query that is not valid") }
      return query
    case "property":
      guard cursor.kind == .ident, cursor.end - cursor.position == 1, cursor.text.hasPrefix("--"),
        cursor.text.utf8.count > 2
      else {
        fault(keyword, "an @property without a name of two hyphens")
        return nil
      }
      sheet.registrations.append(
        PropertyRule(name: cursor.text, descriptors: parseDeclarations(block), condition: condition))
    case "font-face":
      let descriptors = parseDeclarations(block)
      sheet.fontFaces.append(FontFaceRule(descriptors: descriptors, condition: condition, line: ruleLine))
    case "font-feature-values":
      sheet.fontFeatureValues.append(
        FontFeatureValuesRule(
          families: UInt32(cursor.position)..<UInt32(cursor.end),
          block: UInt32(block.lowerBound)..<UInt32(block.upperBound), condition: condition))
    case "font-palette-values":
      guard cursor.kind == .ident, cursor.end - cursor.position == 1, cursor.text.hasPrefix("--") else {
        fault(keyword, "an @font-palette-values without a name of two hyphens")
        return nil
      }
      let descriptors = parseDeclarations(block)
      sheet.fontPaletteValues.append(
        FontPaletteValuesRule(name: cursor.text, descriptors: descriptors, condition: condition))
    case "page":
      var marginBoxes: [MarginBoxRule] = []
      guard let selectors = parsePageSelectors(cursor) else {
        fault(keyword, "a page selector that is not valid")
        return nil
      }
      endPreamble()
      let declarations = parseDeclarations(block, marginBoxes: &marginBoxes)
      sheet.pageRules.append(
        PageRule(
          selectors: selectors, declarations: declarations, marginBoxes: marginBoxes, condition: condition,
          line: ruleLine))
    case "counter-style":
      guard cursor.kind == .ident, cursor.end - cursor.position == 1 else {
        fault(keyword, "an @counter-style without a name")
        return nil
      }
      let descriptors = parseDeclarations(block)
      sheet.counterStyles.append(
        CounterStyleRule(name: cursor.text, descriptors: descriptors, condition: condition, line: ruleLine))
    default: break
    }
    return nil
  }

  /// At-rules with a block that exist; those not handled mean nothing to a page.
  private static let knownAtRules: Set<String> = [
    "media", "supports", "layer", "font-face", "page", "counter-style", "keyframes", "-webkit-keyframes",
    "-moz-keyframes", "-o-keyframes", "font-feature-values", "font-palette-values", "property", "container", "scope",
    "starting-style", "view-transition", "position-try", "viewport", "-ms-viewport", "-o-viewport", "-moz-document",
  ]

  /// A rule that is valid ends the place of `@import` and `@namespace`; what is dropped does not.
  mutating func endPreamble() {
    mayImport = false
    mayDeclareNamespace = false
  }

  mutating func addCondition(
    _ test: Condition.Test, _ range: Range<UInt32>, parent: ConditionID
  ) -> ConditionID {
    sheet.conditions.append(Condition(test: test, parent: parent, range: range))
    return ConditionID(sheet.conditions.count - 1)
  }
  mutating func addMediaCondition(_ cursor: TokenCursor, parent: ConditionID) -> ConditionID {
    addCondition(.media, sheet.mediaQueries.append(cursor), parent: parent)
  }

  /// The condition of the rules in an `@container`, nil when its prelude is not valid.
  mutating func addContainer(_ prelude: TokenCursor, parent: ConditionID) -> ConditionID? {
    let first = UInt32(sheet.containerQueries.count)
    var queries: [ContainerQuery] = []
    for part in prelude.splitAtCommas() {
      guard let query = ContainerQuery(parsing: part) else { return nil }
      queries.append(query)
    }
    guard !queries.isEmpty else { return nil }
    sheet.containerQueries += queries
    return addCondition(.container, first..<UInt32(sheet.containerQueries.count), parent: parent)
  }

  /// The condition of the rules in an `@scope`, nil when its prelude is not valid.
  ///
  /// - Parameter selectors: Those of the style rule around, for `&`.
  mutating func addScope(
    _ prelude: TokenCursor, parent: ConditionID, selectors: Range<UInt32>?, isScoped: Bool
  ) -> ConditionID? {
    var cursor = prelude.trimmed
    var scope = ScopeRule(start: nil, end: 0..<0)
    if cursor.kind == .openParen {
      let start = selectorParser.parseScope(
        cursor.enterBlock(), namespaces: sheet.namespaces, parent: selectors, isScoped: isScoped, into: &sheet.selectors
      )
      guard let start else { return nil }
      scope.start = start
      cursor.skipWhitespace()
    }
    if cursor.consumeIdent("to") {
      cursor.skipWhitespace()
      guard cursor.kind == .openParen else { return nil }
      let end = selectorParser.parseScope(
        cursor.enterBlock(), namespaces: sheet.namespaces, parent: nil, isScoped: true, into: &sheet.selectors)
      guard let end else { return nil }
      scope.end = end
      cursor.skipWhitespace()
    }
    guard cursor.isAtEnd else { return nil }
    let place = UInt32(sheet.scopes.count)
    sheet.scopes.append(scope)
    return addCondition(.scope, place..<place + 1, parent: parent)
  }

  /// Tokens name a layer: identifiers with dots between them (CSS Cascade 5, section 6.4.1).
  private func isLayerName(_ name: TokenCursor) -> Bool {
    var cursor = name
    while true {
      guard cursor.kind == .ident, !Self.wideKeywords.contains(cursor.lowercasedText) else { return false }
      cursor.advance()
      if cursor.isAtEnd { return true }
      guard cursor.consumeDelim(".") else { return false }
    }
  }
  private static let wideKeywords: Set<String> = ["initial", "inherit", "unset", "revert", "revert-layer", "default"]

  /// The condition of the rules in a layer, one for each part of its name; an empty name is a layer of its own. Nil for
  /// what is no name.
  mutating func addLayer(_ name: TokenCursor, parent: ConditionID) -> ConditionID? {
    if name.isAtEnd { return addCondition(.layer, 0..<0, parent: parent) }
    guard isLayerName(name) else { return nil }
    var layer = parent
    for part in stride(from: UInt32(name.position), to: UInt32(name.end), by: 2) {
      layer = addCondition(.layer, part..<part + 1, parent: layer)
    }
    return layer
  }

  /// CSS Cascade 5, section 2: url, layer, `supports()`, media queries.
  private mutating func parseImport(_ prelude: TokenCursor, line: UInt32) {
    var cursor = prelude
    var url: String?
    switch cursor.kind {
    case .string, .url:
      url = cursor.text
      cursor.advance()
    case .function where cursor.isFunction("url") || cursor.isFunction("src"):
      var argument = cursor.enterBlock()
      argument.skipWhitespace()
      if argument.kind == .string { url = argument.text }
    default: break
    }
    guard let url else { return }
    var condition = Stylesheet.noCondition
    cursor.skipWhitespace()
    var layer: TokenCursor?
    if cursor.isIdent("layer") {
      layer = TokenCursor(sheet.buffer, 0..<0)
      cursor.advance()
    } else if cursor.isFunction("layer") {
      var rest = cursor
      let name = rest.enterBlock().trimmed
      // A text that is no name makes of the rule a media query that is never true.
      if isLayerName(name) { (layer, cursor) = (name, rest) }
    }
    cursor.skipWhitespace()
    if cursor.isFunction("supports") {
      let argument = cursor.enterBlock().trimmed
      condition = addCondition(
        .importSupports, UInt32(argument.position)..<UInt32(argument.end), parent: condition)
      cursor.skipWhitespace()
    }
    if !cursor.isAtEnd { condition = addMediaCondition(cursor, parent: condition) }
    if let layer { condition = addLayer(layer, parent: condition) ?? condition }
    sheet.imports.append(ImportRule(url: url, condition: condition, line: line))
  }

  private mutating func parseNamespace(_ prelude: TokenCursor) {
    var cursor = prelude
    var prefix = ""
    if cursor.kind == .ident {
      prefix = cursor.text
      cursor.advance()
      cursor.skipWhitespace()
    }
    var url: String?
    if cursor.kind == .string || cursor.kind == .url {
      url = cursor.text
      cursor.advance()
    } else if cursor.isFunction("url") {
      var argument = cursor.enterBlock()
      argument.skipWhitespace()
      if argument.kind == .string { url = argument.text }
    }
    cursor.skipWhitespace()
    guard let url, cursor.isAtEnd else { return }
    if let known = sheet.namespaces.firstIndex(where: { $0.prefix == prefix }) {
      // Selectors parsed so far name declarations by place, so the place must keep its meaning; none can come before.
      sheet.namespaces[known].url = url
    } else {
      sheet.namespaces.append(NamespaceRule(prefix: prefix, url: url))
    }
  }

  /// CSS Paged Media 3, section 4.3.
  private func parsePageSelectors(_ prelude: TokenCursor) -> [PageSelector]? {
    var selectors: [PageSelector] = []
    for part in prelude.splitAtCommas() {
      var cursor = part
      var selector = PageSelector(name: "")
      guard !cursor.isAtEnd else { return nil }
      if cursor.kind == .ident {
        selector.name = cursor.text
        cursor.advance()
      }
      while cursor.kind == .colon {
        cursor.advance()
        if cursor.isFunction("nth") {
          var arguments = cursor.enterBlock()
          arguments.skipWhitespace()
          guard let (a, b) = arguments.parseAnPlusB() else { return nil }
          arguments.skipWhitespace()
          guard arguments.isAtEnd else { return nil }
          selector.nth = PageOrdinal(a: a, b: b)
          continue
        }
        guard cursor.kind == .ident else { return nil }
        switch cursor.lowercasedText {
        case "first": selector.isFirst = true
        case "left": selector.isLeft = true
        case "right": selector.isRight = true
        case "blank": selector.isBlank = true
        default: return nil
        }
        cursor.advance()
      }
      guard cursor.isAtEnd else { return nil }
      selectors.append(selector)
    }
    return selectors
  }
}
