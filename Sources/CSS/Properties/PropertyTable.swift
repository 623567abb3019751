import Primitives

/// The names of properties that are understood, each with its grammar.
package struct PropertyTable: Sendable {
  package static let standard = PropertyTable()

  /// The longhands with their rows.
  private let longhands: [(id: PropertyID, row: PropertyRow)]
  /// The shorthands, whose places follow those of the longhands.
  package let shorthands: [ShorthandRow]
  private let names: PropertyNames

  private init() {
    longhands = PropertyID.allCases.map { ($0, $0.row) }
    shorthands =
      boxShorthands + borderShorthands + containerShorthands + gridShorthands + textShorthands + fontShorthands
    var names = PropertyNames()
    var place: UInt16 = 0
    func add(_ name: StaticString, _ aliases: [StaticString]) {
      names.add(name, place)
      for alias in aliases { names.add(alias, place) }
      place += 1
    }
    for (_, row) in longhands { add(row.name, row.aliases) }
    for row in shorthands { add(row.name, row.aliases) }
    self.names = names
  }

  /// The prefixes of names that mean the property without them.
  package static let prefixes = ["-epub-", "-webkit-", "-moz-", "-ms-", "-o-"]

  /// The place of a name (in lower case), also through its other spellings; nil when it is not understood.
  package func place(of name: String) -> UInt16? {
    if let place = names.place(of: name) { return place }
    guard name.utf8.first == 0x2D else { return nil }
    for prefix in Self.prefixes where name.hasPrefix(prefix) {
      let standard = String(name.dropFirst(prefix.utf8.count))
      // Prefixed forms whose syntax or meaning is another one.
      if standard.hasPrefix("box-") && prefix == "-ms-" { return nil }
      return names.place(of: standard)
    }
    return nil
  }

  /// Parses a value for the property at `place`.
  ///
  /// - Returns: nil when the value is invalid and the declaration must be dropped.
  package func parse(_ place: UInt16, _ parser: inout ValueParser) -> [(PropertyID, PropertyValue)]? {
    if let keyword = parser.wideKeyword() { return longhands(place).map { ($0, .wide(keyword)) } }
    guard let row = shorthand(place) else {
      let (id, row) = longhands[Int(place)]
      guard let value = row.parse(&parser), parser.isAtEnd else { return nil }
      return [(id, value)]
    }
    guard let values = row.parse(&parser), parser.isAtEnd else { return nil }
    if values.count == row.longhands.count, values.indices.allSatisfy({ values[$0].0 == row.longhands[$0] }) {
      return values
    }
    return row.longhands.map { id in (id, values.first { $0.0 == id }?.1 ?? .wide(.initial)) }
  }

  private func shorthand(_ place: UInt16) -> ShorthandRow? {
    Int(place) < longhands.count ? nil : shorthands[Int(place) - longhands.count]
  }

  /// The longhands the property at `place` sets.
  package func longhands(_ place: UInt16) -> [PropertyID] {
    shorthand(place)?.longhands ?? [longhands[Int(place)].id]
  }

  /// The name of the property at `place`, whichever of its spellings led there.
  package func name(_ place: UInt16) -> String {
    (shorthand(place)?.name ?? longhands[Int(place)].row.name).description
  }

  package func isShorthand(_ place: UInt16) -> Bool { shorthand(place) != nil }

  /// The physical longhands that the property at `place` sets, whichever way lines and text run.
  package func physicalLonghands(_ place: UInt16) -> Set<PropertyID> {
    longhands(place).reduce(into: []) { $0.formUnion($1.physicalCandidates) }
  }

  /// The initial values as declarations would have them, of those longhands whose initial value can be declared.
  fileprivate static let initialValues: [PropertyID: PropertyValue] = PropertyID.allCases.reduce(into: [:]) {
    values, id in
    var parser = ValueParser(
      TokenCursor(TokenBuffer(tokenizing: Array(id.row.initial.description.utf8)[...])), context: ValueContext())
    if let value = id.row.parse(&parser), parser.isAtEnd { values[id] = value }
  }

  /// The shorthands of the four sides of a box, with the names of their longhands from the top clockwise.
  package var sideShorthands: [(name: String, longhands: [String])] {
    let names: Set = ["margin", "padding", "inset", "border-width", "border-style", "border-color"]
    return shorthands.map { ($0.name.description, $0.longhands.map(\.name)) }.filter { names.contains($0.0) }
  }

  /// The declaration is understood, for `@supports` (CSS Conditional 3, section 6).
  package static func supports(_ name: String, _ value: TokenCursor) -> Bool {
    if name.hasPrefix("--") { return name.utf8.count > 2 && value.usesReferences() != nil }
    guard let place = standard.place(of: name) else { return false }
    if value.usesReferences() == true { return true }
    var parser = ValueParser(value, context: ValueContext())
    return standard.parse(place, &parser) != nil
  }
}

/// The places of names, by a hash of their bytes: a dictionary of strings takes as long to fill as a short document to lay out.
private struct PropertyNames: Sendable {
  private var names: [(text: StaticString, place: UInt16)] = []
  private var positions = OpenTable(slotCount: 1024)

  mutating func add(_ name: StaticString, _ place: UInt16) {
    positions.append(OpenTable.hash(name.bytes))
    names.append((name, place))
  }

  func place(of name: String) -> UInt16? {
    let bytes = name.utf8Span.span
    let known = positions.position(of: OpenTable.hash(bytes)) { position in
      names[position].text.bytes.elementsEqual(bytes)
    }
    return known.map { names[$0].place }
  }
}

extension TypedDeclaration {
  /// The value is neither the initial one nor, by a CSS-wide keyword, that of another declaration.
  package var hasValueOfItsOwn: Bool {
    if case .wide = value { return false }
    return PropertyTable.initialValues[property] != value
  }
}

extension ValueParser {
  /// A CSS-wide keyword that is the whole value.
  mutating func wideKeyword() -> WideKeyword? {
    guard peek().kind == .ident, let keyword = WideKeyword(at: cursor) else { return nil }
    let start = cursor
    cursor.advance()
    if isAtEnd { return keyword }
    cursor = start
    return nil
  }
}
