import Primitives

/// The grammar of one property name: a longhand, an alias of one, or a shorthand.
package struct PropertyGrammar: Sendable {
  enum Form: Sendable {
    case longhand(PropertyID, @Sendable (inout ValueParser) -> PropertyValue?)
    /// The longhands it sets, and a parser that says their values; those it leaves out become initial.
    case shorthand([PropertyID], @Sendable (inout ValueParser) -> [(PropertyID, PropertyValue)]?)
    /// `all` (CSS Cascade 4, section 3.2).
    case all
  }
  let name: String
  let form: Form
}

/// Every property name that is understood, with its grammar.
package struct PropertyTable: Sendable {
  package static let standard = PropertyTable()

  let grammars: [PropertyGrammar]
  private let places: [String: UInt16]

  private init() {
    grammars =
      textGrammars + fontGrammars + boxGrammars + gridGrammars + effectGrammars + backgroundGrammars
      + borderImageGrammars + shorthandGrammars
    var places: [String: UInt16] = [:]
    for (place, grammar) in grammars.enumerated() { places[grammar.name] = UInt16(place) }
    for (alias, name) in propertyAliases { if let place = places[name] { places[alias] = place } }
    self.places = places
  }

  /// The place of a name (in lower case), also through its prefixed spellings; nil when it is not understood.
  package func place(of name: String) -> UInt16? {
    if let place = places[name] { return place }
    guard name.utf8.first == 0x2D else { return nil }
    for prefix in ["-epub-", "-webkit-", "-moz-", "-ms-", "-o-"] where name.hasPrefix(prefix) {
      let standard = String(name.dropFirst(prefix.utf8.count))
      // Prefixed forms whose syntax or meaning is another one.
      if standard.hasPrefix("box-") && prefix == "-ms-" { return nil }
      return places[standard]
    }
    return nil
  }

  /// Parses a value for the property at `place`.
  ///
  /// - Returns: nil when the value is invalid and the declaration must be dropped.
  package func parse(_ place: UInt16, _ parser: inout ValueParser) -> [(PropertyID, PropertyValue)]? {
    let form = grammars[Int(place)].form
    if let keyword = parser.wideKeyword() { return Self.longhands(form).map { ($0, .wide(keyword)) } }
    switch form {
    case .longhand(let id, let parse):
      guard let value = parse(&parser), parser.isAtEnd else { return nil }
      return [(id, value)]
    case .shorthand(let longhands, let parse):
      guard let values = parse(&parser), parser.isAtEnd else { return nil }
      return longhands.map { id in (id, values.first { $0.0 == id }?.1 ?? .wide(.initial)) }
    case .all: return nil
    }
  }

  /// The longhands the property at `place` sets.
  package func longhands(_ place: UInt16) -> [PropertyID] { Self.longhands(grammars[Int(place)].form) }

  private static func longhands(_ form: PropertyGrammar.Form) -> [PropertyID] {
    switch form {
    case .longhand(let id, _): [id]
    case .shorthand(let longhands, _): longhands
    case .all:
      PropertyID.allCases.filter {
        !$0.isLogical && $0 != .direction && $0 != .unicodeBidi && $0 != .xLanguage && $0 != .xConventions
      }
    }
  }

  /// Whether a declaration is understood, for `@supports` (CSS Conditional 3, section 6).
  package static func supports(_ name: String, _ value: TokenCursor) -> Bool {
    if name.hasPrefix("--") { return true }
    guard let place = standard.place(of: name) else { return false }
    if containsVariable(value) { return true }
    var parser = ValueParser(value, context: ValueContext())
    return standard.parse(place, &parser) != nil
  }

  /// Whether a value uses `var()` and so is checked only when that is known.
  package static func containsVariable(_ value: TokenCursor) -> Bool {
    var cursor = value
    while !cursor.isAtEnd {
      if cursor.isFunction("var") || cursor.isFunction("env") { return true }
      cursor.advance()
    }
    return false
  }
}

extension ValueParser {
  /// A CSS-wide keyword that is the whole value.
  mutating func wideKeyword() -> WideKeyword? {
    guard peek().kind == .ident, let keyword = WideKeyword(name: cursor.lowercasedText) else { return nil }
    let start = cursor
    cursor.advance()
    if isAtEnd { return keyword }
    cursor = start
    return nil
  }
}

/// Other spellings of a property. Prefixed ones that differ only by their prefix need no entry.
private let propertyAliases: [String: String] = [
  "word-wrap": "overflow-wrap", "grid-gap": "gap", "grid-row-gap": "row-gap", "grid-column-gap": "column-gap",
  "text-align-all": "text-align", "text-combine": "text-combine-upright",
  "-ms-text-combine-horizontal": "text-combine-upright",
  "-epub-text-combine": "text-combine-upright", "-epub-text-combine-horizontal": "text-combine-upright",
  "-webkit-text-combine": "text-combine-upright", "-epub-text-conbine": "text-combine-upright",
  "-webkit-text-conbine": "text-combine-upright", "-ms-word-wrap": "overflow-wrap", "-word-break": "word-break",
  "-box-shadow": "box-shadow", "font-width": "font-stretch", "font-feature-setting": "font-feature-settings",
  "-webkit-margin-start": "margin-inline-start", "-webkit-margin-end": "margin-inline-end",
  "-moz-margin-start": "margin-inline-start", "-moz-margin-end": "margin-inline-end",
  "-ah-margin-start": "margin-inline-start", "-ah-margin-end": "margin-inline-end",
  "-webkit-margin-before": "margin-block-start", "-webkit-margin-after": "margin-block-end",
  "-webkit-padding-start": "padding-inline-start", "-webkit-padding-end": "padding-inline-end",
  "-moz-padding-start": "padding-inline-start", "-moz-padding-end": "padding-inline-end",
  "-webkit-padding-before": "padding-block-start", "-webkit-padding-after": "padding-block-end",
  "-moz-border-radius-topleft": "border-top-left-radius", "-moz-border-radius-topright": "border-top-right-radius",
  "-moz-border-radius-bottomright": "border-bottom-right-radius",
  "-moz-border-radius-bottomleft": "border-bottom-left-radius",
  "-webkit-column-break-before": "break-before", "-webkit-column-break-after": "break-after",
  "-webkit-column-break-inside": "break-inside", "-webkit-logical-width": "inline-size",
  "-webkit-logical-height": "block-size", "adobe-text-layout": "writing-mode",
  "-webkit-hyphenate-character": "hyphenate-character",
]
