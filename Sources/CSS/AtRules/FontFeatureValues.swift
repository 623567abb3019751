package import Primitives

/// A part of `font-variant-alternates` (CSS Fonts 4, section 6.8).
package struct FontAlternate: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    case historicalForms, stylistic, styleset, characterVariant, swash, ornaments, annotation

    /// By the name of a function of the property, or of an at-rule inside `@font-feature-values`.
    init?(name: String) {
      switch name {
      case "stylistic": self = .stylistic
      case "styleset": self = .styleset
      case "character-variant": self = .characterVariant
      case "swash": self = .swash
      case "ornaments": self = .ornaments
      case "annotation": self = .annotation
      default: return nil
      }
    }

    var takesSeveralNames: Bool { self == .styleset || self == .characterVariant }
  }

  package var kind: Kind
  /// Names that `@font-feature-values` gives numbers to.
  package var names: [String]

  package init(kind: Kind, names: [String] = []) {
    self.kind = kind
    self.names = names
  }
}

/// An `@font-feature-values` rule: its family names and its block.
package struct FontFeatureValuesRule: Sendable {
  package var families: Range<UInt32>
  package var block: Range<UInt32>
  package var condition: ConditionID
}

/// The names that `@font-feature-values` rules define for families (CSS Fonts 4, section 6.9).
package struct FontFeatureValues: Sendable {
  private struct Key: Hashable {
    var family: String
    var kind: FontAlternate.Kind
    var name: String
  }

  private var values: [Key: [Int]] = [:]

  package init() {}
  package var isEmpty: Bool { values.isEmpty }

  /// Takes over a rule; what is given again replaces what was given before.
  package mutating func add(_ rule: FontFeatureValuesRule, in sheet: TypedStylesheet) {
    var parser = ValueParser(TokenCursor(sheet.sheet.buffer, rule.families), context: sheet.context)
    guard let families = parser.fontFamilies(), parser.isAtEnd else { return }
    var cursor = TokenCursor(sheet.sheet.buffer, rule.block)
    while !cursor.isAtEnd {
      guard cursor.kind == .atKeyword, let kind = FontAlternate.Kind(name: cursor.lowercasedText) else {
        cursor.skipComponentValue()
        continue
      }
      cursor.advance()
      cursor.skipWhitespace()
      guard cursor.kind == .openCurly else { continue }
      var block = cursor.enterBlock()
      while !block.isAtEnd {
        let start = block.position
        while !block.isAtEnd, block.kind != .semicolon { block.skipComponentValue() }
        var parser = ValueParser(TokenCursor(block.buffer, start..<block.position).trimmed, context: sheet.context)
        block.advance()
        guard let name = parser.customIdent(), parser.peek().kind == .colon else { continue }
        parser.cursor.advance()
        var numbers: [Int] = []
        while let number = parser.integer(atLeast: 0) { numbers.append(Int(number)) }
        guard parser.isAtEnd, !numbers.isEmpty else { continue }
        for case .named(let family) in families {
          values[Key(family: Self.fold(family), kind: kind, name: name)] = numbers
        }
      }
    }
  }

  /// The OpenType features of alternates for the first family of a list that has values for them.
  package func features(of alternates: [FontAlternate], families: [FontFamily]) -> [FontSetting] {
    var settings: [FontSetting] = []
    func set(_ tag: String, _ value: Int) {
      settings.append(FontSetting(tag: UInt32(tag: tag), value: Float(value)))
    }
    for alternate in alternates {
      if alternate.kind == .historicalForms { set("hist", 1) }
      for name in alternate.names {
        guard let numbers = numbers(families, alternate.kind, name), let first = numbers.first else { continue }
        switch alternate.kind {
        case .historicalForms: break
        case .stylistic: set("salt", first)
        case .styleset:
          for number in numbers where number >= 1 && number <= 20 { set("ss" + Self.twoDigits(number), 1) }
        case .characterVariant:
          if first >= 1, first <= 99 { set("cv" + Self.twoDigits(first), numbers.count > 1 ? numbers[1] : 1) }
        case .swash:
          set("swsh", first)
          set("cswh", first)
        case .ornaments: set("ornm", first)
        case .annotation: set("nalt", first)
        }
      }
    }
    return settings
  }

  private func numbers(_ families: [FontFamily], _ kind: FontAlternate.Kind, _ name: String) -> [Int]? {
    for case .named(let family) in families {
      if let found = values[Key(family: Self.fold(family), kind: kind, name: name)] { return found }
    }
    return nil
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  private static func fold(_ family: String) -> String { family.lowercased() }
}

extension ValueParser {
  /// One part of `font-variant-alternates`.
  mutating func fontAlternate() -> FontAlternate? {
    if keyword("historical-forms") { return FontAlternate(kind: .historicalForms) }
    guard peek().kind == .function, let kind = FontAlternate.Kind(name: cursor.lowercasedText) else { return nil }
    return block { parser in
      guard let names = parser.commaSeparated({ $0.customIdent() }), names.count == 1 || kind.takesSeveralNames else {
        return nil
      }
      return FontAlternate(kind: kind, names: names)
    }
  }
}
