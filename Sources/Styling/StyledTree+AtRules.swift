import CSS
import Primitives

extension StyledTree {
  /// Takes over the at-rules of a sheet that are in effect.
  mutating func addAtRules(of sheet: TypedStylesheet, media: MediaEnvironment) {
    let rules = sheet.sheet
    guard
      !rules.fontFaces.isEmpty || !rules.counterStyles.isEmpty || !rules.fontFeatureValues.isEmpty
        || !rules.fontPaletteValues.isEmpty
    else { return }
    let results = rules.evaluateConditions(media, supports: PropertyTable.supports)
    for (rule, face) in zip(rules.fontFaces, sheet.fontFaces) where rules.holds(rule.condition, in: results) {
      if let face { fontFaces.append(face) }
    }
    for rule in rules.fontFeatureValues where rules.holds(rule.condition, in: results) {
      fontFeatureValues.add(rule, in: sheet)
    }
    for rule in rules.fontPaletteValues where rules.holds(rule.condition, in: results) {
      if let values = FontPaletteValues(rule, in: sheet) { fontPalettes.append(values) }
    }
    for rule in rules.counterStyles where rules.holds(rule.condition, in: results) {
      let style = CounterStyleDescription(rule, in: sheet)
      if style.isValid { counterStyles[rule.name] = style }
    }
  }
}
