/// An `@page` rule (CSS Paged Media 3, section 4).
package struct PageRule: Sendable {
  /// The pages it is for: any one of these. An empty list is every page.
  package var selectors: [PageSelector]
  package var declarations: Range<UInt32>
  package var marginBoxes: [MarginBoxRule]
  package var condition: ConditionID
  package var line: UInt32
}

/// One selector of an `@page` rule: a page name and pseudo-classes, all of which must hold.
package struct PageSelector: Hashable, Sendable {
  /// Empty for pages of every name. Case-sensitive.
  package var name: String
  package var isFirst = false
  package var isLeft = false
  package var isRight = false
  package var isBlank = false

  /// Name, `:first` or `:blank`, and `:left` or `:right`, in falling weight (section 4.4).
  package var specificity: UInt32 {
    (name.isEmpty ? 0 : 1 << 16) + ((isFirst ? 1 : 0) + (isBlank ? 1 : 0)) << 8 + (isLeft ? 1 : 0) + (isRight ? 1 : 0)
  }
}

/// A margin at-rule in an `@page` rule, such as `@top-left` (CSS Paged Media 3, section 5).
package struct MarginBoxRule: Sendable {
  /// The box without the at sign, in lower case, such as `bottom-center`.
  package var name: String
  package var declarations: Range<UInt32>
  package var line: UInt32
}
