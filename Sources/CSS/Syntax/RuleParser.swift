extension Stylesheet {
  /// Parses a style sheet (CSS Syntax 3, section 5.3.3). Never fails: what is not understood is skipped and noted in
  /// `faults`.
  ///
  /// - Complexity: O(bytes); at-rules in at-rules are kept on a list, not on the call stack.
  package init(parsing source: [UInt8]) {
    self.init()
    buffer.appendTokens(of: source[...])
    var parser = RuleParser(self)
    self = Stylesheet()
    parser.parseRules()
    self = parser.finish()
  }

  /// Parses a list of declarations, such as a `style` attribute (CSS Style Attributes), and appends it to `declarations`.
  ///
  /// - Returns: the range of the new declarations.
  package mutating func appendDeclarationList(_ source: ArraySlice<UInt8>, line: UInt32 = 1) -> Range<UInt32> {
    let firstToken = buffer.tokens.count
    let firstByte = buffer.text.count
    buffer.appendTokens(of: source)
    var parser = RuleParser(self, line: line, at: firstByte)
    self = Stylesheet()
    let range = parser.parseDeclarations(firstToken..<parser.tokens.count)
    self = parser.finish()
    return range
  }
}

/// Finds rules and declarations among the tokens of a sheet (CSS Syntax 3, section 5.4).
struct RuleParser {
  var sheet: Stylesheet
  /// The sheet's tokens, which parsing does not change.
  let tokens: [Token]
  /// Property names that had to be lowered. They follow the buffer's text when parsing is done: changing the text before
  /// would copy it, since cursors share it.
  private var loweredNames: [UInt8] = []
  var selectorParser = SelectorParser()
  /// Lines are counted as parsing moves on: `line` is the line of the byte at `lineOffset`.
  var line: UInt32
  private var lineOffset: Int
  /// `@import` and `@namespace` stand before all other rules (CSS Cascade 4, section 2; CSS Namespaces 3, section 2).
  var mayImport = true
  var mayDeclareNamespace = true
  var hasImported = false

  init(_ sheet: Stylesheet, line: UInt32 = 1, at offset: Int = 0) {
    self.sheet = sheet
    tokens = sheet.buffer.tokens
    self.line = line
    lineOffset = offset
  }

  mutating func finish() -> Stylesheet {
    sheet.buffer.text += loweredNames
    loweredNames = []
    return sheet
  }

  // MARK: Rules

  /// The inside of an at-rule whose contents are rules.
  struct Frame {
    var end: Int
    var resume: Int
    var condition: ConditionID
    var isScoped: Bool
  }

  mutating func parseRules() {
    var frames = [
      Frame(end: tokens.count, resume: tokens.count, condition: Stylesheet.noCondition, isScoped: false)
    ]
    var position = 0
    while let frame = frames.last {
      let isTopLevel = frames.count == 1
      if frame.isScoped { position = parseScopedDeclarations(at: position, frame) }
      guard let rule = tokens.nextRule(at: &position, end: frame.end, isTopLevel: isTopLevel) else {
        position = frame.resume
        frames.removeLast()
        continue
      }
      if rule.isAtRule {
        let condition = parseAtRule(rule, frame, isTopLevel: isTopLevel)
        if let condition, let block = rule.block {
          let isScoped = frame.isScoped || isScope(condition)
          frames.append(Frame(end: block.upperBound, resume: position, condition: condition, isScoped: isScoped))
          position = block.lowerBound
        }
      } else {
        parseQualifiedRule(rule, frame)
      }
    }
  }

  private func isScope(_ condition: ConditionID) -> Bool {
    condition != Stylesheet.noCondition && sheet.conditions[Int(condition)].test == .scope
  }

  /// Declarations that stand in an `@scope` itself are those of its root (CSS Cascade 6, section 2.5.1). Returns where the next
  /// rule starts.
  private mutating func parseScopedDeclarations(at start: Int, _ frame: Frame) -> Int {
    let first = UInt32(sheet.declarations.count)
    let position = parseLeadingDeclarations(at: start, end: frame.end)
    let declarations = first..<UInt32(sheet.declarations.count)
    if !declarations.isEmpty {
      sheet.styleRules.append(
        StyleRule(
          selectors: sheet.selectors.appendScope(), declarations: declarations, condition: frame.condition,
          line: lineNumber(of: start)))
    }
    return position
  }

  /// Parses declarations up to something else. Returns where that starts.
  private mutating func parseLeadingDeclarations(at start: Int, end: Int) -> Int {
    var position = start
    while position < end {
      let kind = tokens[position].kind
      if kind == .whitespace || kind == .semicolon {
        position += 1
      } else if kind != .atKeyword, let next = parseDeclaration(at: position, end: end) {
        position = next
      } else {
        break
      }
    }
    return position
  }

  /// Section 5.4.3.
  private mutating func parseQualifiedRule(_ rule: RuleTokens, _ frame: Frame) {
    guard let block = rule.block else { return fault(rule.start, "a rule without a block") }
    let ruleLine = lineNumber(of: rule.start)
    let prelude = TokenCursor(sheet.buffer, rule.prelude)
    guard
      let selectors = selectorParser.parseList(
        prelude, namespaces: sheet.namespaces, isScoped: frame.isScoped, into: &sheet.selectors)
    else { return fault(rule.start, "a selector that is not valid") }
    endPreamble()
    parseStyleBlock(
      block, of: StyleRule(selectors: selectors, declarations: 0..<0, condition: frame.condition, line: ruleLine),
      isScoped: frame.isScoped)
  }

  /// Rules nested in each other; deeper ones are dropped, which bounds recursion here and in matching.
  private static let deepestNesting = 12

  /// The contents of a style rule: declarations, nested rules and conditions in any order (CSS Nesting 1, section 4).
  ///
  /// - Parameters:
  ///   - rule: The rule without its declarations.
  ///   - isScopeItself: The contents are of an `@scope` in a style rule, and `rule` is the one that its root has.
  private mutating func parseStyleBlock(
    _ range: Range<Int>, of rule: StyleRule, isScoped: Bool, isScopeItself: Bool = false, depth: Int = 0
  ) {
    var rule = rule
    var first = UInt32(sheet.declarations.count)
    func endDeclarations(_ sheet: inout Stylesheet) {
      rule.declarations = first..<UInt32(sheet.declarations.count)
      if !rule.declarations.isEmpty { sheet.styleRules.append(rule) }
    }
    var position = range.lowerBound
    while true {
      position = parseLeadingDeclarations(at: position, end: range.upperBound)
      guard position < range.upperBound else { break }
      let nested = nestedRule(
        at: position, end: range.upperBound, in: rule, isScoped: isScoped, isScopeItself: isScopeItself,
        depth: depth + 1)
      position = nested.next
      guard let block = nested.block else { continue }
      endDeclarations(&sheet)
      parseStyleBlock(
        block, of: nested.rule, isScoped: isScoped || nested.isScope,
        isScopeItself: nested.isScope || isScopeItself && nested.isAtRule, depth: depth + 1)
      first = UInt32(sheet.declarations.count)
    }
    endDeclarations(&sheet)
  }

  /// A rule or at-rule inside a style rule: where to go on behind it and, when it is valid, its contents and what they are of.
  private mutating func nestedRule(
    at start: Int, end: Int, in outer: StyleRule, isScoped: Bool, isScopeItself: Bool, depth: Int
  ) -> (next: Int, block: Range<Int>?, rule: StyleRule, isAtRule: Bool, isScope: Bool) {
    let isAtRule = tokens[start].kind == .atKeyword
    let preludeStart = isAtRule ? start + 1 : start
    var position = preludeStart
    while position < end, tokens[position].kind != .semicolon, tokens[position].kind != .openCurly {
      position = tokens.afterComponentValue(at: position, end: end)
    }
    guard position < end, tokens[position].kind == .openCurly else {
      if !isAtRule { fault(start, "something that is not a declaration") }
      return (position, nil, outer, isAtRule, false)
    }
    let close = min(end, tokens[position].blockEnd)
    let block = position + 1..<max(position + 1, close)
    guard depth <= Self.deepestNesting else {
      fault(start, "rules nested too deep")
      return (close + 1, nil, outer, isAtRule, false)
    }
    let cursor = TokenCursor(sheet.buffer, UInt32(preludeStart)..<UInt32(position)).trimmed
    var rule = outer
    rule.line = lineNumber(of: start)
    let none = (next: close + 1, block: nil as Range<Int>?, rule: outer, isAtRule: isAtRule, isScope: false)
    // In an `@scope` itself `&` is its root, not the rule that is made for its declarations.
    let parent = isScopeItself ? nil : outer.selectors
    var isScope = false
    if isAtRule {
      switch sheet.buffer.lowercased(tokens[start].text) {
      case "media": rule.condition = addMediaCondition(cursor, parent: outer.condition)
      case "supports":
        rule.condition = addCondition(
          .supports, UInt32(cursor.position)..<UInt32(cursor.end), parent: outer.condition)
      case "layer":
        guard let layer = addLayer(cursor, parent: outer.condition) else {
          fault(start, "the name of a layer that is not valid")
          return none
        }
        rule.condition = layer
      case "container":
        guard let condition = addContainer(cursor, parent: outer.condition) else {
          fault(start, "a container query that is not valid")
          return none
        }
        rule.condition = condition
      case "scope":
        guard let condition = addScope(cursor, parent: outer.condition, selectors: parent, isScoped: isScoped) else {
          fault(start, "a scope that is not valid")
          return none
        }
        rule.condition = condition
        rule.selectors = sheet.selectors.appendScope()
        isScope = true
      default: return none
      }
    } else {
      guard
        let selectors = selectorParser.parseList(
          cursor, namespaces: sheet.namespaces, parent: parent, isScoped: isScoped, into: &sheet.selectors)
      else {
        fault(start, "a selector that is not valid")
        return none
      }
      rule.selectors = selectors
    }
    return (close + 1, block, rule, isAtRule, isScope)
  }

  // MARK: Declarations

  mutating func parseDeclarations(_ range: Range<Int>) -> Range<UInt32> {
    var ignored: [MarginBoxRule] = []
    return parseDeclarations(range, marginBoxes: &ignored)
  }

  /// Section 5.4.4, without nested rules; margin boxes are kept, their declarations behind those returned.
  mutating func parseDeclarations(_ range: Range<Int>, marginBoxes: inout [MarginBoxRule]) -> Range<UInt32> {
    let first = UInt32(sheet.declarations.count)
    var boxes: [(name: String, block: Range<Int>, line: UInt32)] = []
    var position = range.lowerBound
    let end = range.upperBound
    while position < end {
      switch tokens[position].kind {
      case .whitespace, .semicolon: position += 1
      case .atKeyword:
        let keyword = position
        position += 1
        while position < end, tokens[position].kind != .semicolon, tokens[position].kind != .openCurly {
          position = tokens.afterComponentValue(at: position, end: end)
        }
        guard position < end, tokens[position].kind == .openCurly else { continue }
        let close = min(end, tokens[position].blockEnd)
        boxes.append(
          (
            sheet.buffer.lowercased(tokens[keyword].text), position + 1..<max(position + 1, close),
            lineNumber(of: keyword)
          ))
        position = close + 1
      default:
        position = parseDeclaration(at: position, end: end) ?? skipNestedRule(at: position, end: end)
      }
    }
    let last = UInt32(sheet.declarations.count)
    for box in boxes where Self.marginBoxNames.contains(box.name) {
      let start = UInt32(sheet.declarations.count)
      var position = box.block.lowerBound
      while position < box.block.upperBound {
        let kind = tokens[position].kind
        position =
          kind == .whitespace || kind == .semicolon
          ? position + 1
          : parseDeclaration(at: position, end: box.block.upperBound)
            ?? skipNestedRule(at: position, end: box.block.upperBound)
      }
      marginBoxes.append(
        MarginBoxRule(name: box.name, declarations: start..<UInt32(sheet.declarations.count), line: box.line))
    }
    return first..<last
  }

  private static let marginBoxNames: Set<String> = [
    "top-left-corner", "top-left", "top-center", "top-right", "top-right-corner", "bottom-left-corner", "bottom-left",
    "bottom-center", "bottom-right", "bottom-right-corner", "left-top", "left-middle", "left-bottom", "right-top",
    "right-middle", "right-bottom", "footnote",
  ]

  /// Section 5.4.6. Returns where to go on behind the declaration, nil when something else stands there.
  private mutating func parseDeclaration(at start: Int, end: Int) -> Int? {
    var colon = start + 1
    while colon < end, tokens[colon].kind == .whitespace { colon += 1 }
    guard tokens[start].kind == .ident, colon < end, tokens[colon].kind == .colon else { return nil }
    let name = tokens[start].text
    let isCustom =
      name.count > 2 && sheet.buffer.text[Int(name.lowerBound)] == 0x2D
      && sheet.buffer.text[Int(name.lowerBound) + 1] == 0x2D
    var position = colon + 1
    var isValid = true
    var curlyBlocks = 0
    var otherValues = 0
    while position < end, tokens[position].kind != .semicolon {
      switch tokens[position].kind {
      case .whitespace: break
      case .openCurly: curlyBlocks += 1
      case .badString, .badURL, .closeCurly, .closeParen, .closeSquare:
        isValid = false
        otherValues += 1
      default: otherValues += 1
      }
      position = tokens.afterComponentValue(at: position, end: end)
    }
    if curlyBlocks > 0, curlyBlocks + otherValues > 1, !isCustom { return nil }
    guard isValid else {
      fault(start, "the value of \(sheet.buffer.string(name)) is not valid")
      return position
    }
    var first = colon + 1
    var last = position
    while first < last, tokens[first].kind == .whitespace { first += 1 }
    while last > first, tokens[last - 1].kind == .whitespace { last -= 1 }
    var isImportant = false
    if last - first >= 2, tokens[last - 1].kind == .ident, sheet.buffer.text(tokens[last - 1].text, is: "important") {
      var mark = last - 2
      while mark > first, tokens[mark].kind == .whitespace { mark -= 1 }
      if tokens[mark].delim == "!" {
        isImportant = true
        last = mark
        while last > first, tokens[last - 1].kind == .whitespace { last -= 1 }
      }
    }
    sheet.declarations.append(
      Declaration(
        name: isCustom ? name : lowered(name), value: UInt32(first)..<UInt32(last), isImportant: isImportant,
        isCustomProperty: isCustom,
        line: lineNumber(of: start)))
    return position
  }

  private mutating func lowered(_ name: Range<UInt32>) -> Range<UInt32> {
    guard sheet.buffer.bytes(name).contains(where: { $0 &- 0x41 < 26 }) else { return name }
    let start = sheet.buffer.text.count + loweredNames.count
    loweredNames += sheet.buffer.bytes(name).lazy.map { asciiLowercased($0) }
    return UInt32(truncatingIfNeeded: start)..<UInt32(truncatingIfNeeded: start + name.count)
  }

  /// Passes what is no declaration: up to a semicolon, or behind a block in curly brackets.
  private mutating func skipNestedRule(at start: Int, end: Int) -> Int {
    fault(start, "something that is not a declaration")
    var position = start
    while position < end, tokens[position].kind != .semicolon {
      let isBlock = tokens[position].kind == .openCurly
      position = tokens.afterComponentValue(at: position, end: end)
      if isBlock { break }
    }
    return position
  }

  // MARK: Lines

  mutating func lineNumber(of token: Int) -> UInt32 {
    let offset = Int(tokens[token].start)
    // Margin boxes are read after what follows them; their lines were taken when they were met.
    guard offset > lineOffset else { return line }
    let bytes = sheet.buffer.text
    for index in lineOffset..<offset {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0C || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
        line &+= 1
      }
    }
    lineOffset = offset
    return line
  }

  mutating func fault(_ token: Int, _ message: String) {
    guard sheet.faults.count < Stylesheet.maximumFaults else { return }
    sheet.faults.append(Stylesheet.Fault(line: lineNumber(of: token), message: message))
  }
}
