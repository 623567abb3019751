import Primitives

extension ValueParser {
  /// `list-style-type`, also the style argument of `counter()`.
  mutating func listStyleType() -> ListStyleType? {
    if let text = string() { return .string(text) }
    if keyword("none") { return ListStyleType.none }
    if peek().kind == .function, cursor.isFunction("symbols") {
      // An anonymous style: its first symbol stands for all.
      return block { parser in
        _ = parser.ident()
        guard let first = parser.string() else { return nil }
        while parser.string() != nil {}
        return .string(first)
      }
    }
    return attempt { parser in parser.customIdent().map { .named(Self.counterStyleName($0)) } }
  }

  /// Predefined names are ASCII case-insensitive and written in lower case; author-defined ones keep their case.
  static func counterStyleName(_ name: String) -> String {
    let lower = String(decoding: name.utf8.map { asciiLowercased($0) }, as: UTF8.self)
    return predefinedCounterStyles.contains(lower) ? lower : name
  }

  /// The `content` property (CSS Generated Content 3, section 2). `alternative` text after a slash is dropped.
  mutating func content() -> ContentValue? {
    if keyword("normal") { return .normal }
    if keyword("none") { return ContentValue.none }
    var items: [ContentItem] = []
    while !isAtEnd {
      if slash() {
        guard !items.isEmpty else { return nil }
        while string() != nil || function("attr", { $0.customIdent() }) != nil {}
        break
      }
      guard let item = contentItem() else { return nil }
      items.append(item)
    }
    return items.isEmpty ? nil : .items(items)
  }

  private mutating func contentItem() -> ContentItem? {
    if let text = string() { return .string(text) }
    if let url = url() { return .url(url) }
    if keyword("open-quote") { return .openQuote }
    if keyword("close-quote") { return .closeQuote }
    if keyword("no-open-quote") { return .noOpenQuote }
    if keyword("no-close-quote") { return .noCloseQuote }
    if keyword("-internal-ornament") { return .ornament }
    if let name = function("attr", { $0.attributeName() }) { return .attribute(name) }
    if let item = function("string", { $0.running(ContentItem.namedString) }) { return item }
    if let item = function("element", { $0.running(ContentItem.element) }) { return item }
    if let item = function(
      "counter",
      { parser -> ContentItem? in
        guard let name = parser.customIdent() else { return nil }
        return parser.counterStyle().map { .counter(name: name, style: $0) }
      })
    {
      return item
    }
    if let item = function(
      "counters",
      { parser -> ContentItem? in
        guard let name = parser.customIdent(), parser.comma(), let separator = parser.string() else { return nil }
        return parser.counterStyle().map { .counters(name: name, separator: separator, style: $0) }
      })
    {
      return item
    }
    return leader() ?? crossReference() ?? contentImage()
  }

  /// An `<image>` that is a function.
  private mutating func contentImage() -> ContentItem? {
    guard peek().kind == .function, let image = image() else { return nil }
    if case .url(let url) = image { return .url(url) }
    return .image(image)
  }

  /// `leader()` (CSS Generated Content 3, "Leaders").
  private mutating func leader() -> ContentItem? {
    function("leader") { parser in
      if let text = parser.string() { return text.isEmpty ? nil : .leader(text) }
      switch parser.ident() {
      case "dotted": return .leader(". ")
      case "solid": return .leader("_")
      case "space": return .leader(" ")
      default: return nil
      }
    }
  }

  /// `target-counter()`, `target-counters()` or `target-text()` (CSS Generated Content 3, "Cross references").
  private mutating func crossReference() -> ContentItem? {
    if let item = function(
      "target-counter",
      { parser -> ContentItem? in
        guard let target = parser.contentTarget(), parser.comma(), let name = parser.customIdent() else { return nil }
        return parser.counterStyle().map { .targetCounter(target, name: name, style: $0) }
      })
    {
      return item
    }
    if let item = function(
      "target-counters",
      { parser -> ContentItem? in
        guard let target = parser.contentTarget(), parser.comma(), let name = parser.customIdent(), parser.comma(),
          let separator = parser.string()
        else { return nil }
        return parser.counterStyle().map { .targetCounters(target, name: name, separator: separator, style: $0) }
      })
    {
      return item
    }
    return function("target-text") { parser in
      guard let target = parser.contentTarget() else { return nil }
      guard parser.comma() else { return .targetText(target, .text) }
      switch parser.ident() {
      case "content": return .targetText(target, .text)
      case "before": return .targetText(target, .before)
      case "after": return .targetText(target, .after)
      case "first-letter": return .targetText(target, .firstLetter)
      default: return nil
      }
    }
  }

  private mutating func contentTarget() -> ContentTarget? {
    if let name = function("attr", { $0.attributeName() }) { return .attribute(name) }
    guard let url = url(orString: true) else { return nil }
    // A fragment alone is one of the document, not of the style sheet.
    let own = context.base + "#"
    return .url(url.hasPrefix(own) ? "#" + url.dropFirst(own.count) : "/" + url)
  }

  /// The arguments of `string()` and `element()`, of which `item` is made.
  private mutating func running(_ item: (String, NamedStringPosition) -> ContentItem) -> ContentItem? {
    guard let name = customIdent() else { return nil }
    guard comma() else { return item(name, .first) }
    switch ident() {
    case "first": return item(name, .first)
    case "start": return item(name, .start)
    case "last": return item(name, .last)
    case "first-except": return item(name, .firstExcept)
    default: return nil
    }
  }

  /// `string-set`: `none` or names with content lists (CSS Generated Content for Paged Media 3, section 1.1.1).
  mutating func namedStrings() -> [NamedString]? {
    if keyword("none") { return [] }
    var strings: [NamedString] = []
    repeat {
      guard let name = customIdent() else { return nil }
      guard let items = contentList() else { return nil }
      strings.append(NamedString(name: name, items: items))
    } while comma()
    return strings
  }

  /// A content list that can take the element's own text, to its end or a comma.
  mutating func contentList() -> [ContentItem]? {
    var items: [ContentItem] = []
    while !isAtEnd, peek().kind != .comma {
      if let text = elementText() {
        items.append(.elementText(text))
      } else if let item = contentItem() {
        items.append(item)
      } else {
        return nil
      }
    }
    return items.isEmpty ? nil : items
  }

  /// `content()`.
  private mutating func elementText() -> ElementText? {
    function("content") { parser in
      if parser.isAtEnd { return .text }
      switch parser.ident() {
      case "text": return .text
      case "before": return .before
      case "after": return .after
      case "first-letter": return .firstLetter
      case "marker": return .marker
      default: return nil
      }
    }
  }

  /// The optional style at the end of `counter()` and `counters()`.
  private mutating func counterStyle() -> ListStyleType? { comma() ? listStyleType() : .named("decimal") }

  /// The argument of `attr()` where that has neither type nor fallback, which the cascade reads; a namespace prefix stays as
  /// `prefix|name`.
  private mutating func attributeName() -> String? {
    guard var name = customIdent() else { return nil }
    if cursor.isDelim("|") {
      cursor.advance()
      guard cursor.kind == .ident else { return nil }
      name += "|" + cursor.text
      cursor.advance()
    }
    return isAtEnd ? name : nil
  }

  /// `counter-reset`, `-increment` or `-set`: `none` or names with numbers.
  mutating func counterOperations(defaultValue: Int32) -> [CounterOperation]? {
    if keyword("none") { return [] }
    var operations: [CounterOperation] = []
    while let name = reversedOrName() {
      operations.append(CounterOperation(name: name, value: integer() ?? defaultValue))
    }
    return operations.isEmpty ? nil : operations
  }
  private mutating func reversedOrName() -> String? {
    if cursor.isFunction("reversed") { return function("reversed") { $0.customIdent() } }
    cursor.skipWhitespace()
    if cursor.isIdent("none") { return nil }
    return customIdent()
  }

  /// `quotes`: `auto`, `none` or pairs of strings.
  mutating func quotes() -> Quotes? {
    if keyword("auto") { return .auto }
    if keyword("none") { return Quotes.none }
    var pairs: [[String]] = []
    while let open = string() {
      guard let close = string() else { return nil }
      pairs.append([open, close])
    }
    return pairs.isEmpty ? nil : .pairs(pairs)
  }
}

/// Names of CSS Counter Styles 3, sections 6 and 7, and of CSS 2.1.
private let predefinedCounterStyles: Set<String> = [
  "disc", "circle", "square", "disclosure-open", "disclosure-closed", "decimal", "decimal-leading-zero",
  "arabic-indic", "armenian", "upper-armenian", "lower-armenian", "bengali", "cambodian", "khmer", "cjk-decimal",
  "devanagari", "georgian", "gujarati", "gurmukhi", "hebrew", "kannada", "lao", "malayalam", "mongolian", "myanmar",
  "oriya", "persian", "lower-roman", "upper-roman", "tamil", "telugu", "thai", "tibetan", "lower-alpha",
  "lower-latin", "upper-alpha", "upper-latin", "lower-greek", "hiragana", "hiragana-iroha", "katakana",
  "katakana-iroha", "cjk-earthly-branch", "cjk-heavenly-stem", "japanese-informal", "japanese-formal",
  "korean-hangul-formal", "korean-hanja-informal", "korean-hanja-formal", "simp-chinese-informal",
  "simp-chinese-formal", "trad-chinese-informal", "trad-chinese-formal", "cjk-ideographic", "ethiopic-numeric",
]
