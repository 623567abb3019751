/// The weight of a selector (Selectors 4, section 17): counts of ids, of classes and attributes and pseudo-classes, and of
/// types and pseudo-elements, each held to 1023 so that one integer compares them all.
package struct Specificity: Hashable, Comparable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(ids: Int = 0, classes: Int = 0, types: Int = 0) {
    rawValue =
      UInt32(max(0, min(1023, ids))) << 20 | UInt32(max(0, min(1023, classes))) << 10 | UInt32(max(0, min(1023, types)))
  }
  package var ids: Int { Int(rawValue >> 20 & 1023) }
  package var classes: Int { Int(rawValue >> 10 & 1023) }
  package var types: Int { Int(rawValue & 1023) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package static func + (a: Self, b: Self) -> Self {
    Self(ids: a.ids + b.ids, classes: a.classes + b.classes, types: a.types + b.types)
  }
}
