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
  /// `:nth()`.
  package var nth: PageOrdinal?

  /// Name, `:first`, `:blank` or `:nth()`, and `:left` or `:right`, in falling weight (section 4.4).
  package var specificity: UInt32 {
    (name.isEmpty ? 0 : 1 << 16) + ((isFirst ? 1 : 0) + (isBlank ? 1 : 0) + (nth != nil ? 1 : 0)) << 8
      + (isLeft ? 1 : 0) + (isRight ? 1 : 0)
  }
}

/// An `An+B` that the ordinals of pages fit or not (CSS Generated Content for Paged Media 3, section 5).
package struct PageOrdinal: Hashable, Sendable {
  package var a: Int32
  package var b: Int32
  package init(a: Int32, b: Int32) {
    self.a = a
    self.b = b
  }

  /// - Parameter ordinal: From 1.
  package func matches(_ ordinal: Int) -> Bool {
    let distance = ordinal - Int(b)
    return a == 0 ? distance == 0 : distance % Int(a) == 0 && distance / Int(a) >= 0
  }
}

/// A margin at-rule in an `@page` rule, such as `@top-left` (CSS Paged Media 3, section 5).
package struct MarginBoxRule: Sendable {
  /// The box without the at sign, in lower case, such as `bottom-center`.
  package var name: String
  package var declarations: Range<UInt32>
  package var line: UInt32
}
