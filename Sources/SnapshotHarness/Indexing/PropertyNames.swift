import CSS

/// Properties among the names of what books use (`BookFeatures`).
package enum PropertyNames {
  private static let prefix = "css:"

  /// What almost every book has, by its own sheets or the engine's, tells nothing and is left out.
  static let common: Set<PropertyID> = {
    let names = [
      "background-color", "border-color", "border-style", "border-width", "break-after", "break-inside", "clear",
      "color",
      "display", "float", "font-family", "font-size", "font-style", "font-weight", "height", "line-height",
      "list-style-type", "margin", "max-height", "max-width", "padding", "text-align", "text-decoration-line",
      "text-indent", "vertical-align", "width",
    ]
    return names.compactMap(PropertyTable.standard.place).reduce(into: []) {
      $0.formUnion(PropertyTable.standard.physicalLonghands($1))
    }
  }()

  /// The names of physical longhands that are not common.
  static func names(of longhands: Set<PropertyID>) -> [String] {
    longhands.subtracting(common).map { prefix + $0.name }
  }

  /// What is to be looked for in an index where these names are asked for. A property is any that sets one of the same
  /// physical longhands.
  ///
  /// - Returns: Nothing where any book may use one of them.
  package static func searched(for names: [String]) -> [String] {
    var searched = names
    for name in names where name.hasPrefix(prefix) {
      let property = String(name.dropFirst(prefix.count))
      guard let place = PropertyTable.standard.place(of: property) else { continue }
      let longhands = PropertyTable.standard.physicalLonghands(place)
      guard longhands.isDisjoint(with: common) else { return [] }
      searched += [prefix + PropertyTable.standard.name(place), BookFeatures.unreadableProperty]
      searched += Self.names(of: longhands)
    }
    return searched
  }
}
