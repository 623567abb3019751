package import Primitives

/// An `@font-palette-values` rule (CSS Fonts 4, section 9.2): its descriptors as declarations.
package struct FontPaletteValuesRule: Sendable {
  package var name: String
  package var descriptors: Range<UInt32>
  package var condition: ConditionID
}

extension FontPaletteValues {
  /// Nil when the rule names no family: it says nothing then.
  package init?(_ rule: FontPaletteValuesRule, in sheet: TypedStylesheet) {
    self.init(name: rule.name, families: [])
    for index in rule.descriptors {
      let declaration = sheet.sheet.declarations[Int(index)]
      var parser = ValueParser(sheet.sheet.value(of: declaration), context: sheet.context)
      switch sheet.sheet.name(of: declaration) {
      case "font-family":
        guard let given = parser.fontFamilies(), parser.isAtEnd else { break }
        let names = given.compactMap { if case .named(let name) = $0 { name } else { nil } }
        if names.count == given.count { families = names }
      case "base-palette":
        let base: PaletteSelection.Base? =
          parser.keyword("light")
          ? .light : parser.keyword("dark") ? .dark : parser.integer(atLeast: 0).map { .index(Int($0)) }
        if let base, parser.isAtEnd { selection.base = base }
      case "override-colors":
        let given = parser.commaSeparated { parser -> PaletteSelection.Override? in
          guard let entry = parser.integer(atLeast: 0), case .color(let color)? = parser.color() else { return nil }
          return PaletteSelection.Override(entry: Int(entry), color: color)
        }
        if let given, parser.isAtEnd { selection.overrides = given }
      default: break
      }
    }
    if families.isEmpty { return nil }
  }
}
