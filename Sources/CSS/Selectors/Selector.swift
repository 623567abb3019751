/// The pseudo-elements that can be styled. `.none` stands for the element itself.
package enum PseudoElement: UInt8, Hashable, Comparable, Sendable, CaseIterable {
  case none, before, after, marker, firstLine, firstLetter

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The selectors of one sheet, in flat tables.
package struct SelectorTable: Sendable {
  package init() {}
}
