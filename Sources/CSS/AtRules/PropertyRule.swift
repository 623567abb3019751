/// An `@property` rule (CSS Properties and Values API 1, section 2).
package struct PropertyRule: Sendable {
  /// With its two hyphens.
  package var name: String
  package var descriptors: Range<UInt32>
  package var condition: ConditionID
}

/// A custom property whose value has a type (CSS Properties and Values API 1).
package struct RegisteredProperty: Sendable {
  package var name: String
  package var syntax: PropertySyntax
  package var isInherited: Bool
  /// nil for a property without one, whose syntax is the universal one.
  package var initialValue: TokenBuffer?

  /// The registration that a rule makes; nil for a rule that lacks a descriptor or whose initial value does not follow its
  /// syntax (sections 2.1 to 2.3).
  package init?(_ rule: PropertyRule, in sheet: TypedStylesheet) {
    var syntax: PropertySyntax?
    var isInherited: Bool?
    var initial: TokenCursor?
    for index in rule.descriptors {
      let declaration = sheet.sheet.declarations[Int(index)]
      let value = sheet.sheet.value(of: declaration).trimmed
      switch sheet.sheet.name(of: declaration) {
      case "syntax":
        guard value.kind == .string, value.peek().kind == .eof, let read = PropertySyntax(value.text) else { continue }
        syntax = read
      case "inherits":
        guard value.peek().kind == .eof, value.isIdent("true") || value.isIdent("false") else { continue }
        isInherited = value.isIdent("true")
      case "initial-value": initial = value
      default: break
      }
    }
    guard let syntax, let isInherited else { return nil }
    name = rule.name
    self.syntax = syntax
    self.isInherited = isInherited
    if let initial {
      // The initial value means the same on every element: nothing in it refers to one (section 2.3).
      guard initial.usesReferences() == false,
        let value = syntax.value(of: initial, context: sheet.context, resolve: { _, _ in nil })
      else { return nil }
      initialValue = value
    } else if !syntax.isUniversal {
      return nil
    }
  }
}
