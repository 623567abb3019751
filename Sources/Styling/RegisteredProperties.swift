import CSS
import Primitives

/// The custom properties that `@property` rules give a type (CSS Properties and Values API 1).
struct RegisteredProperties {
  private var byName: [String: RegisteredProperty] = [:]
  /// Some are not inherited.
  private(set) var keepsSome = false
  /// A value in units of the element's font, which is not known yet, is none for now.
  var isProvisional = false

  init() {}

  /// Of two rules with one name the later, or that of the stronger layer, counts.
  init(of sources: [CascadeSource], media: MediaEnvironment) {
    let own = sources.filter { !$0.sheet.sheet.registrations.isEmpty }
    guard !own.isEmpty else { return }
    for origin in [CascadeOrigin.user, .author] {
      for layer in LayerRanks.all(of: own.map(\.layers)) {
        for source in own where source.origin == origin {
          let rules = source.sheet.sheet
          let results = rules.evaluateConditions(media, supports: PropertyTable.supports)
          for rule in rules.registrations
          where source.layers[rule.condition] == layer && rules.holds(rule.condition, in: results) {
            if let property = RegisteredProperty(rule, in: source.sheet) { byName[rule.name] = property }
          }
        }
      }
    }
    keepsSome = byName.values.contains { !$0.isInherited }
  }

  subscript(name: String) -> RegisteredProperty? { byName.isEmpty ? nil : byName[name] }

  /// The custom properties of an element that nothing is declared for; nil where that is none.
  var initialValues: CustomProperties? {
    let initial = byName.compactMapValues(\.initialValue)
    return initial.isEmpty ? nil : CustomProperties(initial)
  }

  /// What a child is given of the parent's custom properties; nil for all.
  func inherited(from parent: CustomProperties) -> CustomProperties? {
    var result = parent.values
    var isChanged = false
    for (name, property) in byName where !property.isInherited {
      guard result[name]?.source != property.initialValue?.source else { continue }
      result[name] = property.initialValue
      isChanged = true
    }
    return isChanged ? CustomProperties(result) : nil
  }

  /// `style()` holds of an element with the given custom properties (CSS Conditional 5, section 4.2); nil where it asks for
  /// something that is no value.
  func holds(
    _ feature: StyleFeature, of custom: CustomProperties, resolve: PropertySyntax.LengthResolution
  ) -> Bool? {
    let registration = self[feature.name]
    let initial = registration?.initialValue.map(Self.text)
    let actual = custom.values[feature.name].map(Self.text)
    guard let source = feature.value else { return actual != initial }
    let tokens = TokenBuffer(tokenizing: Array(source.utf8)[...])
    let cursor = TokenCursor(tokens).trimmed
    if cursor.kind == .ident, cursor.peek().kind == .eof, let keyword = WideKeyword(at: cursor) {
      return keyword == .initial ? actual == initial : nil
    }
    var attributes = ElementAttributes()
    guard let wanted = custom.substitute(tokens, cursor.position..<cursor.end, attributes: &attributes) else {
      return actual == nil
    }
    guard let registration else { return actual == Self.text(wanted) }
    return registration.syntax.value(of: TokenCursor(wanted), context: ValueContext(), resolve: resolve).map {
      actual == Self.text($0)
    } ?? false
  }

  /// The tokens as text, with one space where there are some.
  private static func text(_ tokens: TokenBuffer) -> String { TokenCursor(tokens).trimmed.copy.source }
}
