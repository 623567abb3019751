/// An enumeration whose cases are keywords of CSS. A case may have any name in Swift: the keyword is what `keyword` says.
///
/// Raw values count from 0 without gaps; they stand in `PropertyValue.keyword`.
package protocol Keyword: RawRepresentable, Hashable, Sendable where RawValue == UInt8 {
  /// The keyword in lower case. Those of the engine's own sheets begin with `-internal-`.
  var keyword: StaticString { get }
}

extension Keyword {
  /// Every case, in the order of raw values.
  package static var all: [Self] {
    var values: [Self] = []
    while let value = Self(rawValue: UInt8(values.count)) { values.append(value) }
    return values
  }
}

/// The keywords a property takes, each with the raw value of a case. Looked through one by one: most differ in length.
package struct KeywordTable: Sendable {
  private var entries: [(name: StaticString, raw: UInt8)] = []

  /// - Parameters:
  ///   - except: cases that the property does not take, or takes under another name.
  ///   - also: further names, such as prefixed ones.
  init<Value: Keyword>(_ type: Value.Type, except: [Value] = [], also: KeyValuePairs<StaticString, Value> = [:]) {
    entries.reserveCapacity(16)
    var raw: UInt8 = 0
    while let value = Value(rawValue: raw) {
      if !except.contains(value) { entries.append((value.keyword, raw)) }
      raw += 1
    }
    for (name, value) in also { entries.append((name, value.rawValue)) }
  }

  /// The raw value of the ident at the cursor, nil for another token or a word that is no keyword of the table.
  func rawValue(at cursor: TokenCursor) -> UInt8? {
    guard cursor.kind == .ident else { return nil }
    let text = cursor.token.text
    for entry in entries where cursor.buffer.text(text, is: entry.name) { return entry.raw }
    return nil
  }
}

/// A table of the keywords of an enumeration.
func words<Value: Keyword>(
  _ type: Value.Type, except: [Value] = [], also: KeyValuePairs<StaticString, Value> = [:]
) -> KeywordTable {
  KeywordTable(type, except: except, also: also)
}
