/// A query of an `@container` rule (CSS Conditional 5, section 3.1).
package struct ContainerQuery: Sendable {
  /// The name the container has to have; empty for any.
  package var name: String
  /// nil for a query that asks for a container of the name alone.
  package var condition: MediaCondition?

  /// nil for what is no query.
  init?(parsing tokens: TokenCursor) {
    var cursor = tokens.trimmed
    name = ""
    if cursor.kind == .ident, !cursor.isIdent("not") {
      guard !Self.reservedNames.contains(cursor.lowercasedText) else { return nil }
      name = cursor.text
      cursor.advance()
      cursor.skipWhitespace()
      if cursor.isAtEnd { return }
    }
    guard let read = MediaQueryParser(isOfContainer: true).parseCondition(&cursor, allowsOr: true, depth: 0) else {
      return nil
    }
    cursor.skipWhitespace()
    guard cursor.isAtEnd else { return nil }
    condition = read
  }

  /// Words that are no names of containers (section 2.2).
  static let reservedNames: Set<String> = [
    "none", "and", "or", "not", "initial", "inherit", "unset", "revert", "revert-layer", "default",
  ]
}

/// What `style()` asks of a container: a custom property, and the value it has to have (CSS Conditional 5, section 4.2).
package struct StyleFeature: Hashable, Sendable {
  /// With its two hyphens.
  package var name: String
  /// The source of the value; nil where any but the initial one will do.
  package var value: String?
}

/// The axes of a container that a query asks about, of its page.
package struct ContainerAxes: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let width = Self(rawValue: 1)
  package static let height = Self(rawValue: 2)
}

/// A container as its queries see it.
package struct ContainerEnvironment {
  /// The content box in CSS px; nil where nothing is known of it.
  package var width: Double?
  package var height: Double?
  package var isVertical: Bool
  /// CSS px of a length that is relative to the container's font.
  package var pixels: (Double, LengthUnit) -> Double?
  /// A custom property of the container has a value.
  package var style: (StyleFeature) -> Bool?

  package init(
    width: Double?, height: Double?, isVertical: Bool, pixels: @escaping (Double, LengthUnit) -> Double?,
    style: @escaping (StyleFeature) -> Bool?
  ) {
    self.width = width
    self.height = height
    self.isVertical = isVertical
    self.pixels = pixels
    self.style = style
  }
}

extension ContainerQuery {
  /// The axes whose sizes the query asks for in a container of the given writing mode; nil where it asks for something that
  /// is no feature of a container, which makes it false.
  package func axes(isVertical: Bool) -> ContainerAxes? {
    guard let condition else { return [] }
    return condition.axes(isVertical: isVertical)
  }

  package func holds(_ environment: ContainerEnvironment) -> Bool {
    condition.map { $0.evaluate({ $0.evaluate(environment) }, style: environment.style) ?? false } ?? true
  }
}

extension MediaCondition {
  fileprivate func axes(isVertical: Bool) -> ContainerAxes? {
    switch self {
    case .unknown: return nil
    case .style: return []
    case .not(let condition): return condition.axes(isVertical: isVertical)
    case .and(let conditions), .or(let conditions):
      var result: ContainerAxes = []
      for condition in conditions {
        guard let axes = condition.axes(isVertical: isVertical) else { return nil }
        result.formUnion(axes)
      }
      return result
    case .feature(let feature):
      switch feature.name {
      case "width": return .width
      case "height": return .height
      case "inline-size": return isVertical ? .height : .width
      case "block-size": return isVertical ? .width : .height
      case "aspect-ratio", "orientation": return [.width, .height]
      default: return nil
      }
    }
  }
}

extension MediaFeature {
  /// nil when the feature, the value or the container's size is not known.
  fileprivate func evaluate(_ container: ContainerEnvironment) -> Bool? {
    func compareSize(_ size: Double?) -> Bool? {
      size.flatMap { compare($0, value.pixels(container.pixels)) }
    }
    switch name {
    case "width": return compareSize(container.width)
    case "height": return compareSize(container.height)
    case "inline-size": return compareSize(container.isVertical ? container.height : container.width)
    case "block-size": return compareSize(container.isVertical ? container.width : container.height)
    case "aspect-ratio", "orientation":
      guard let width = container.width, let height = container.height else { return nil }
      return name == "aspect-ratio"
        ? compareRatio(width, height, container.pixels)
        : keyword(width > height ? "landscape" : "portrait", of: ["portrait", "landscape"])
    default: return nil
    }
  }
}

extension MediaQueryParser {
  /// The contents of `style()`: a declaration of a custom property, its name alone, or a condition of these.
  func parseStyle(_ contents: TokenCursor, depth: Int) -> MediaCondition? {
    var cursor = contents
    if cursor.kind == .ident, cursor.text.hasPrefix("--") {
      let name = cursor.text
      cursor.advance()
      cursor.skipWhitespace()
      if cursor.isAtEnd { return .style(StyleFeature(name: name, value: nil)) }
      guard cursor.kind == .colon else { return nil }
      cursor.advance()
      let value = cursor.trimmed
      guard value.usesReferences() != nil else { return nil }
      return .style(StyleFeature(name: name, value: value.copy.source))
    }
    var inner = self
    inner.isInStyle = true
    guard let condition = inner.parseCondition(&cursor, allowsOr: true, depth: depth + 1) else { return nil }
    cursor.skipWhitespace()
    return cursor.isAtEnd ? condition : nil
  }
}
