import CSS
import Primitives

extension StyledTree {
  /// Takes over the at-rules of sheets that are in effect: of two with one name the later, or that of the stronger layer,
  /// counts.
  mutating func addAtRules(of sources: [CascadeSource], media: MediaEnvironment) {
    for origin in [CascadeOrigin.user, .author] {
      let own = sources.filter { $0.origin == origin }
      for layer in LayerRanks.all(of: own.map(\.layers)) {
        for source in own { addAtRules(of: source, in: layer, media: media) }
      }
    }
  }

  private mutating func addAtRules(of source: CascadeSource, in layer: UInt8, media: MediaEnvironment) {
    let sheet = source.sheet
    let rules = sheet.sheet
    guard
      !rules.fontFaces.isEmpty || !rules.counterStyles.isEmpty || !rules.fontFeatureValues.isEmpty
        || !rules.fontPaletteValues.isEmpty
    else { return }
    let results = rules.evaluateConditions(media, supports: PropertyTable.supports)
    func isInEffect(_ condition: ConditionID) -> Bool {
      source.layers[condition] == layer && rules.holds(condition, in: results)
    }
    for (rule, face) in zip(rules.fontFaces, sheet.fontFaces) where isInEffect(rule.condition) {
      if let face { fontFaces.append(face) }
    }
    for rule in rules.fontFeatureValues where isInEffect(rule.condition) {
      fontFeatureValues.add(rule, in: sheet)
    }
    for rule in rules.fontPaletteValues where isInEffect(rule.condition) {
      if let values = FontPaletteValues(rule, in: sheet) { fontPalettes.append(values) }
    }
    for rule in rules.counterStyles where isInEffect(rule.condition) {
      let style = CounterStyleDescription(rule, in: sheet)
      if style.isValid { counterStyles[rule.name] = style }
    }
  }
}
