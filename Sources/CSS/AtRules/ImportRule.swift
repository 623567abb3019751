/// An `@import` rule (CSS Cascade 4, section 2).
package struct ImportRule: Sendable {
  package var url: String
  /// The condition of the import: its media queries, its `supports()`, and innermost its layer.
  package var condition: ConditionID
  package var line: UInt32
}

/// An `@namespace` rule (CSS Namespaces 3).
package struct NamespaceRule: Sendable {
  /// Empty for the default namespace.
  package var prefix: String
  package var url: String
}
