/// Reads the value of a longhand; nil when it is invalid.
package typealias LonghandParser = @Sendable (inout ValueParser) -> PropertyValue?

/// Reads the values a shorthand gives to its longhands; nil when it is invalid.
package typealias ShorthandParser = @Sendable (inout ValueParser) -> [(PropertyID, PropertyValue)]?

/// The row of a longhand in the table of properties. Inheritance and the style group follow from the enumeration that the
/// property is a case of; how the computed value is made and spelled is the affair of `Styling`.
package struct PropertyRow: Sendable {
  /// The name in CSS, in lower case.
  package let name: StaticString
  /// The values that are understood, in the syntax of CSS Values 4, section 2.
  package let values: StaticString
  /// The initial value as it would be written.
  package let initial: StaticString
  /// A valid value whose computed value is not the initial one. Empty for a property that no declaration can set.
  package let sample: StaticString
  /// The specification and its section.
  package let section: StaticString
  /// Other spellings, beside prefixed ones that differ by their prefix only (`PropertyTable.prefixes`).
  package let aliases: [StaticString]
  package let parse: LonghandParser

  init(
    _ name: StaticString, _ values: StaticString, initial: StaticString, sample: StaticString, _ section: StaticString,
    aliases: [StaticString] = [], _ parse: @escaping LonghandParser
  ) {
    self.name = name
    self.values = values
    self.initial = initial
    self.sample = sample
    self.section = section
    self.aliases = aliases
    self.parse = parse
  }

  /// The grammar of another property under another name.
  init(
    _ name: StaticString, like row: PropertyRow, _ section: StaticString, aliases: [StaticString] = [],
    _ parse: LonghandParser? = nil
  ) {
    self.init(
      name, row.values, initial: row.initial, sample: row.sample, section, aliases: aliases, parse ?? row.parse)
  }
}

/// The row of a shorthand, or of a property of old that stands for another (CSS Cascade 5, section 3.1).
package struct ShorthandRow: Sendable {
  package let name: StaticString
  package let values: StaticString
  /// A valid value.
  package let sample: StaticString
  package let section: StaticString
  package let aliases: [StaticString]
  /// The longhands it sets. Those the value leaves out become initial.
  package let longhands: [PropertyID]
  package let parse: ShorthandParser

  init(
    _ name: StaticString, _ values: StaticString, sample: StaticString, _ section: StaticString,
    aliases: [StaticString] = [], _ longhands: [PropertyID], _ parse: @escaping ShorthandParser
  ) {
    self.name = name
    self.values = values
    self.sample = sample
    self.section = section
    self.aliases = aliases
    self.longhands = longhands
    self.parse = parse
  }
}

extension ValueParser {
  /// A keyword of a property that has no others.
  mutating func keyword<Value: Keyword>(_ type: Value.Type) -> PropertyValue? {
    cursor.skipWhitespace()
    guard cursor.kind == .ident else { return nil }
    let text = cursor.token.text
    var raw: UInt8 = 0
    while let value = Value(rawValue: raw) {
      if cursor.buffer.text(text, is: value.keyword) {
        cursor.advance()
        return .keyword(raw)
      }
      raw += 1
    }
    return nil
  }
  /// A keyword of `table`.
  mutating func keyword(_ table: KeywordTable) -> PropertyValue? { keyword(of: table).map { .keyword($0) } }
}
