/// Parses selector lists into a `SelectorTable` (Selectors 4, section 18; Selectors 3).
struct SelectorParser {
  /// Functions nested in each other; deeper ones are invalid, which bounds recursion here and in matching.
  private static let maximumDepth = 12
  /// Compounds of one selector, those in its functions included; longer ones are invalid, for the same reason.
  private static let maximumCompounds = 512

  /// Selectors that are read and not yet in the table. Nested lists stand above those they are nested in.
  private var simples: [SimpleSelector] = []
  private var compounds: [CompoundSelector] = []
  private var complex: [ComplexSelector] = []
  private var compoundCount = 0
  /// The selector at hand names its parent rule by `&`.
  private var namesParent = false
  /// Selectors that do not name their parent rule stay as they are.
  private var keepsDescendants = false

  /// The selectors that are allowed where a list stands.
  private struct Context {
    var depth = 0
    var isForgiving = false
    var isRelative = false
    /// In an argument of `:has()`, however deep.
    var isInHas = false
    var defaultNamespace: SelectorNamespace?
    var namespaces: [NamespaceRule]
    /// The selectors of the rule around, in `table.complex`, for `&` (CSS Nesting 1, section 3).
    var parent: Range<UInt32>?
    /// The list stands in an `@scope`: `&` without a rule around, and what a leading combinator starts from, are the scoping root
    /// (CSS Cascade 6, section 2.5.2).
    var isScoped = false
  }

  /// Returns the new selectors in `table.complex`, nil when the list is not valid.
  mutating func parseList(
    _ tokens: TokenCursor, namespaces: [NamespaceRule], parent: Range<UInt32>? = nil, isScoped: Bool = false,
    into table: inout SelectorTable
  ) -> Range<UInt32>? {
    simples.removeAll(keepingCapacity: true)
    compounds.removeAll(keepingCapacity: true)
    complex.removeAll(keepingCapacity: true)
    var context = Context(namespaces: namespaces, parent: parent)
    context.isScoped = isScoped
    if let index = namespaces.firstIndex(where: { $0.prefix.isEmpty }) {
      context.defaultNamespace =
        namespaces[index].url.isEmpty ? SelectorNamespace.none : .declared(UInt16(clamping: index))
    }
    var cursor = tokens
    let list = parseList(&cursor, context, &table)
    return list?.isEmpty == true ? nil : list
  }

  /// Reads the selectors that start or end a scope. Those that a style rule is around are not sought below what it matches: `&`
  /// says so where they are.
  mutating func parseScope(
    _ tokens: TokenCursor, namespaces: [NamespaceRule], parent: Range<UInt32>?, isScoped: Bool,
    into table: inout SelectorTable
  ) -> Range<UInt32>? {
    keepsDescendants = true
    defer { keepsDescendants = false }
    return parseList(tokens, namespaces: namespaces, parent: parent, isScoped: isScoped, into: &table)
  }

  private mutating func parseList(
    _ cursor: inout TokenCursor, _ context: Context, _ table: inout SelectorTable
  ) -> Range<UInt32>? {
    let first = complex.count
    cursor.skipWhitespace()
    if cursor.isAtEnd { return context.isForgiving ? 0..<0 : nil }
    while true {
      let simpleCount = simples.count
      let compoundCount = compounds.count
      if context.depth == 0 { self.compoundCount = 0 }
      let start = cursor
      if let selector = parseComplex(&cursor, context, &table), cursor.isAtEnd || cursor.kind == .comma {
        complex.append(selector)
      } else {
        simples.removeSubrange(simpleCount...)
        compounds.removeSubrange(compoundCount...)
        guard context.isForgiving else {
          complex.removeSubrange(first...)
          return nil
        }
        while !cursor.isAtEnd, cursor.kind != .comma { cursor.skipComponentValue() }
        // What is not understood contains `&` all the same (CSS Nesting 1, section 3.2).
        if (start.position..<cursor.position).contains(where: { start.buffer.tokens[$0].delim == "&" }) {
          namesParent = true
        }
      }
      if cursor.isAtEnd { break }
      cursor.advance()
    }
    let start = UInt32(table.complex.count)
    for index in first..<complex.count { table.complex.append(complex[index]) }
    complex.removeLast(complex.count - first)
    return start..<UInt32(table.complex.count)
  }

  // MARK: Complex and compound selectors

  /// Reads up to a comma or the end, white space included.
  private mutating func parseComplex(
    _ cursor: inout TokenCursor, _ context: Context, _ table: inout SelectorTable
  ) -> ComplexSelector? {
    let first = compounds.count
    var ids = 0
    var classes = 0
    var types = 0
    var pseudo: PseudoElement?
    var combinator = Combinator.none
    cursor.skipWhitespace()
    if context.isRelative {
      let start = UInt32(table.simples.count)
      table.simples.append(SimpleSelector(.anchor))
      compounds.append(CompoundSelector(simples: start..<start + 1, combinator: .none))
      combinator = parseCombinator(&cursor) ?? .descendant
      cursor.skipWhitespace()
    }
    let isNested = context.depth == 0 && (context.parent != nil || context.isScoped)
    var isRelativeToParent = false
    if isNested {
      namesParent = false
      if let leading = parseCombinator(&cursor) {
        combinator = leading
        isRelativeToParent = true
        cursor.skipWhitespace()
      }
    }
    func add(_ simple: SimpleSelector) {
      switch simple.kind {
      case .namespace, .anchor: break
      case .type: types += 1
      case .id: ids += 1
      case .matchesAny, .matchesNone, .has, .nthChild, .nthLastChild:
        // Section 17: the heaviest argument counts; `:where` says so by b, `:nth-child` counts as a class as well.
        if simple.kind == .nthChild || simple.kind == .nthLastChild { classes += 1 } else if simple.b != 0 { break }
        var heaviest = Specificity()
        for index in simple.list { heaviest = max(heaviest, table.complex[Int(index)].specificity) }
        ids += heaviest.ids
        classes += heaviest.classes
        types += heaviest.types
      default: classes += 1
      }
    }
    while true {
      let base = simples.count
      guard pseudo == nil, compoundCount < Self.maximumCompounds,
        parseCompound(&cursor, context, &table, &pseudo)
      else { return nil }
      compoundCount += 1
      for simple in simples[base...] { add(simple) }
      if pseudo != nil { types += 1 }
      let start = UInt32(table.simples.count)
      for index in base..<simples.count { table.simples.append(simples[index]) }
      simples.removeLast(simples.count - base)
      compounds.append(CompoundSelector(simples: start..<UInt32(table.simples.count), combinator: combinator))

      let hasSpace = cursor.kind == .whitespace
      cursor.skipWhitespace()
      if cursor.isAtEnd || cursor.kind == .comma { break }
      if let next = parseCombinator(&cursor) {
        combinator = next
      } else if hasSpace {
        combinator = .descendant
      } else {
        return nil
      }
      cursor.skipWhitespace()
    }
    // Without `&` the subject is sought below what the rule around matches (section 3.1). In a scope it need not be said.
    if isNested, isRelativeToParent || context.parent != nil && !namesParent && !keepsDescendants {
      let simple = Self.nesting(context, &table)
      add(simple)
      let start = UInt32(table.simples.count)
      table.simples.append(simple)
      if !isRelativeToParent { compounds[first].combinator = .descendant }
      compounds.insert(CompoundSelector(simples: start..<start + 1, combinator: .none), at: first)
    }
    let start = UInt32(table.compounds.count)
    for index in (first..<compounds.count).reversed() { table.compounds.append(compounds[index]) }
    compounds.removeLast(compounds.count - first)
    return ComplexSelector(
      compounds: start..<UInt32(table.compounds.count), pseudo: pseudo ?? PseudoElement.none,
      specificity: Specificity(ids: ids, classes: classes, types: types))
  }

  /// The nesting selector `&`: the rule around, or `:where(:scope)`.
  private static func nesting(_ context: Context, _ table: inout SelectorTable) -> SimpleSelector {
    if let parent = context.parent { return Self.parent(parent, table, isInHas: context.isInHas) }
    var simple = SimpleSelector(.matchesAny)
    simple.list = table.appendScope()
    simple.b = 1
    return simple
  }

  /// The nesting selector `&` stands for any of the selectors of the rule around, none when they are of pseudo-elements, or have a
  /// `:has()` where that is not valid.
  private static func parent(_ list: Range<UInt32>, _ table: SelectorTable, isInHas: Bool = false) -> SimpleSelector {
    if list.contains(where: { table.complex[Int($0)].pseudo != .none }) || isInHas && holdsHas(list, table) {
      return SimpleSelector(.never)
    }
    var simple = SimpleSelector(.matchesAny)
    simple.list = list
    return simple
  }

  private static func holdsHas(_ list: Range<UInt32>, _ table: SelectorTable) -> Bool {
    list.contains { selector in
      table.complex[Int(selector)].compounds.contains { compound in
        table.compounds[Int(compound)].simples.contains { index in
          let simple = table.simples[Int(index)]
          switch simple.kind {
          case .has: return true
          case .matchesAny, .matchesNone, .holdsOnly, .nthChild, .nthLastChild: return holdsHas(simple.list, table)
          default: return false
          }
        }
      }
    }
  }

  private func parseCombinator(_ cursor: inout TokenCursor) -> Combinator? {
    let combinator: Combinator
    switch cursor.token.delim {
    case ">": combinator = .child
    case "+": combinator = .nextSibling
    case "~": combinator = .subsequentSibling
    default: return nil
    }
    cursor.advance()
    return combinator
  }

  /// Reads one compound onto `simples`. False when there is none or it is not valid.
  private mutating func parseCompound(
    _ cursor: inout TokenCursor, _ context: Context, _ table: inout SelectorTable, _ pseudo: inout PseudoElement?
  ) -> Bool {
    let start = cursor.position
    let hasType: Bool
    switch parseQualifiedName(&cursor, context, isAttribute: false) {
    case .invalid: return false
    case .absent: hasType = false
    case .name(let namespace, let name):
      hasType = true
      if let name {
        var simple = SimpleSelector(.type)
        simple.namespace = namespace
        simple.name = name
        simples.append(simple)
      } else if namespace != .any {
        var simple = SimpleSelector(.namespace)
        simple.namespace = namespace
        simples.append(simple)
      }
    }
    // Without a type selector `*` is meant, in the default namespace; not in functions, whose outside says it already.
    if !hasType, context.depth == 0, let namespace = context.defaultNamespace {
      var simple = SimpleSelector(.namespace)
      simple.namespace = namespace
      simples.append(simple)
    }
    while true {
      let token = cursor.token
      switch token.kind {
      case .hashID where pseudo == nil:
        var simple = SimpleSelector(.id)
        simple.name = token.text
        simples.append(simple)
        cursor.advance()
      case .delim where token.delim == "." && pseudo == nil:
        cursor.advance()
        guard cursor.kind == .ident else { return false }
        var simple = SimpleSelector(.className)
        simple.name = cursor.token.text
        simples.append(simple)
        cursor.advance()
      case .delim where token.delim == "&" && pseudo == nil:
        cursor.advance()
        namesParent = true
        simples.append(Self.nesting(context, &table))
      case .openSquare where pseudo == nil:
        guard let simple = parseAttribute(cursor.enterBlock(), context) else { return false }
        simples.append(simple)
      case .colon:
        guard parsePseudo(&cursor, context, &table, &pseudo) else { return false }
      default:
        return cursor.position > start
      }
    }
  }

  private enum QualifiedName {
    case absent, invalid
    /// A nil name is `*`.
    case name(SelectorNamespace, Range<UInt32>?)
  }

  /// `name`, `*`, `prefix|name`, `*|name`, `|name` (Selectors 4, section 5; attributes: section 6.4).
  private func parseQualifiedName(
    _ cursor: inout TokenCursor, _ context: Context, isAttribute: Bool
  ) -> QualifiedName {
    func isBar(_ distance: Int) -> Bool {
      let next = cursor.peek(distance + 1)
      return cursor.peek(distance).delim == "|" && (next.kind == .ident || (next.delim == "*" && !isAttribute))
    }
    let namespace: SelectorNamespace
    let token = cursor.token
    if isBar(0) {
      namespace = .none
      cursor.advance()
    } else if token.delim == "*" || token.kind == .ident {
      if isBar(1) {
        if token.kind == .ident {
          let prefix = cursor.text
          guard let index = context.namespaces.firstIndex(where: { $0.prefix == prefix && !prefix.isEmpty }) else {
            return .invalid
          }
          namespace = .declared(UInt16(clamping: index))
        } else {
          namespace = .any
        }
        cursor.position += 2
      } else {
        namespace = isAttribute ? .none : context.defaultNamespace ?? .any
      }
    } else {
      return token.delim == "|" ? .invalid : .absent
    }
    let name = cursor.token
    cursor.advance()
    if name.kind == .ident { return .name(namespace, name.text) }
    return isAttribute ? .invalid : .name(namespace, nil)
  }

  /// The contents of `[...]` (Selectors 4, section 6).
  private func parseAttribute(_ contents: TokenCursor, _ context: Context) -> SimpleSelector? {
    var cursor = contents
    cursor.skipWhitespace()
    guard case .name(let namespace, let name?) = parseQualifiedName(&cursor, context, isAttribute: true) else {
      return nil
    }
    var simple = SimpleSelector(.attribute)
    simple.namespace = namespace
    simple.name = name
    cursor.skipWhitespace()
    if cursor.isAtEnd { return simple }
    switch cursor.next().delim {
    case "=": simple.match = .equals
    case "~": simple.match = .includes
    case "|": simple.match = .dashMatch
    case "^": simple.match = .prefix
    case "$": simple.match = .suffix
    case "*": simple.match = .substring
    default: return nil
    }
    if simple.match != .equals { guard cursor.consumeDelim("=") else { return nil } }
    cursor.skipWhitespace()
    guard cursor.kind == .ident || cursor.kind == .string else { return nil }
    simple.value = cursor.next().text
    cursor.skipWhitespace()
    if cursor.consumeIdent("i") {
      simple.valueCase = .ignored
    } else if cursor.consumeIdent("s") {
      simple.valueCase = .kept
    }
    cursor.skipWhitespace()
    return cursor.isAtEnd ? simple : nil
  }

  // MARK: Pseudo-classes and pseudo-elements

  private mutating func parsePseudo(
    _ cursor: inout TokenCursor, _ context: Context, _ table: inout SelectorTable, _ pseudo: inout PseudoElement?
  ) -> Bool {
    cursor.advance()
    let isElement = cursor.kind == .colon
    if isElement { cursor.advance() }
    let token = cursor.token
    guard token.kind == .ident || token.kind == .function else { return false }
    let name = cursor.lowercasedText
    if token.kind == .function {
      let arguments = cursor.enterBlock()
      guard !isElement, pseudo == nil, let simple = parseFunction(name, arguments, context, &table) else {
        return false
      }
      simples.append(simple)
      return true
    }
    cursor.advance()
    if let element = Self.pseudoElement(name, isElement: isElement) {
      guard pseudo == nil, context.depth == 0 else { return false }
      pseudo = element
      return true
    }
    if isElement {
      guard pseudo == nil, context.depth == 0, Self.isUnrenderedPseudoElement(name) else { return false }
      pseudo = PseudoElement.none
      simples.append(SimpleSelector(.never))
      return true
    }
    guard let simple = Self.pseudoClass(name) else { return false }
    // After a pseudo-element only what a user does to it can be asked (Selectors 4, section 3.6.2).
    if pseudo != nil, simple.kind != .never { return false }
    simples.append(simple)
    return true
  }

  private static func pseudoElement(_ name: String, isElement: Bool) -> PseudoElement? {
    switch name {
    case "before": .before
    case "after": .after
    case "first-line": .firstLine
    case "first-letter": .firstLetter
    case "marker" where isElement: .marker
    case "footnote-call" where isElement: .footnoteCall
    case "footnote-marker" where isElement: .footnoteMarker
    default: nil
    }
  }

  /// Pseudo-elements that exist and that a book's page never shows, and the `-webkit-` ones, which are valid whatever they
  /// are called (Selectors 4, appendix on legacy).
  private static func isUnrenderedPseudoElement(_ name: String) -> Bool {
    switch name {
    case "selection", "placeholder", "backdrop", "file-selector-button", "target-text", "spelling-error",
      "grammar-error", "cue", "details-content", "-moz-selection":
      true
    default: name.hasPrefix("-webkit-")
    }
  }

  private static func pseudoClass(_ name: String) -> SimpleSelector? {
    func nth(_ kind: SimpleSelector.Kind) -> SimpleSelector {
      var simple = SimpleSelector(kind)
      simple.b = 1
      return simple
    }
    switch name {
    case "root": return SimpleSelector(.root)
    case "scope": return SimpleSelector(.scope)
    case "empty": return SimpleSelector(.empty)
    case "first-child": return nth(.nthChild)
    case "last-child": return nth(.nthLastChild)
    case "only-child": return SimpleSelector(.onlyChild)
    case "first-of-type": return nth(.nthOfType)
    case "last-of-type": return nth(.nthLastOfType)
    case "only-of-type": return SimpleSelector(.onlyOfType)
    case "any-link", "-webkit-any-link", "-moz-any-link": return SimpleSelector(.anyLink)
    case "link": return SimpleSelector(.link)
    case "visited": return SimpleSelector(.visited)
    case "enabled": return SimpleSelector(.enabled)
    case "disabled": return SimpleSelector(.disabled)
    case "checked": return SimpleSelector(.checked)
    case "hover", "active", "focus", "focus-visible", "focus-within", "target", "target-within",
      "local-link", "current", "past", "future", "playing", "paused", "seeking", "buffering", "stalled", "muted",
      "volume-locked", "fullscreen", "modal", "picture-in-picture", "popover-open", "open", "user-valid",
      "user-invalid", "autofill", "blank", "default", "indeterminate", "valid", "invalid", "in-range", "out-of-range",
      "required", "optional", "read-write", "placeholder-shown":
      return SimpleSelector(.never)
    case "defined", "read-only":
      // True of every element here: none of any.
      return SimpleSelector(.matchesNone)
    default: return nil
    }
  }

  private mutating func parseFunction(
    _ name: String, _ arguments: TokenCursor, _ context: Context, _ table: inout SelectorTable
  ) -> SimpleSelector? {
    var cursor = arguments
    var inner = context
    inner.depth += 1
    inner.isForgiving = false
    inner.isRelative = false
    guard inner.depth <= Self.maximumDepth else { return nil }
    var simple: SimpleSelector
    switch name {
    case "is", "where", "matches", "-webkit-any", "-moz-any":
      simple = SimpleSelector(.matchesAny)
      simple.b = name == "where" ? 1 : 0
      inner.isForgiving = true
    case "not":
      simple = SimpleSelector(.matchesNone)
    case "has":
      simple = SimpleSelector(.has)
      // `:has` in `:has` is not valid (section 4.5).
      guard !context.isInHas else { return nil }
      inner.isRelative = true
      inner.isInHas = true
    case "-internal-only":
      simple = SimpleSelector(.holdsOnly)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      return parseNth(name, cursor, inner, &table)
    case "lang":
      return parseLanguages(cursor, &table)
    case "dir":
      cursor.skipWhitespace()
      guard cursor.kind == .ident else { return nil }
      simple = SimpleSelector(cursor.isIdent("ltr") ? .directionLTR : cursor.isIdent("rtl") ? .directionRTL : .never)
      cursor.advance()
      cursor.skipWhitespace()
      return cursor.isAtEnd ? simple : nil
    case "current", "state":
      return SimpleSelector(.never)
    default:
      return nil
    }
    guard let list = parseList(&cursor, inner, &table) else { return nil }
    // `:is()` of nothing matches nothing.
    if list.isEmpty { return SimpleSelector(.never) }
    simple.list = list
    return simple
  }

  private mutating func parseNth(
    _ name: String, _ arguments: TokenCursor, _ inner: Context, _ table: inout SelectorTable
  ) -> SimpleSelector? {
    var cursor = arguments
    cursor.skipWhitespace()
    guard let (a, b) = cursor.parseAnPlusB() else { return nil }
    let kind: SimpleSelector.Kind =
      switch name {
      case "nth-child": .nthChild
      case "nth-last-child": .nthLastChild
      case "nth-of-type": .nthOfType
      default: .nthLastOfType
      }
    var simple = SimpleSelector(kind)
    simple.a = a
    simple.b = b
    cursor.skipWhitespace()
    if cursor.isAtEnd { return simple }
    guard kind == .nthChild || kind == .nthLastChild, cursor.consumeIdent("of"),
      let list = parseList(&cursor, inner, &table)
    else { return nil }
    simple.list = list
    return simple
  }

  /// `:lang()` (Selectors 4, section 7.2).
  private func parseLanguages(_ arguments: TokenCursor, _ table: inout SelectorTable) -> SimpleSelector? {
    var cursor = arguments
    let first = UInt32(table.languageRanges.count)
    while true {
      cursor.skipWhitespace()
      guard cursor.kind == .ident || cursor.kind == .string else { return nil }
      table.languageRanges.append(cursor.next().text)
      cursor.skipWhitespace()
      if cursor.isAtEnd { break }
      guard cursor.consumeComma() else { return nil }
    }
    var simple = SimpleSelector(.lang)
    simple.list = first..<UInt32(table.languageRanges.count)
    return simple
  }
}
