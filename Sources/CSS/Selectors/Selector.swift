/// The pseudo-elements that can be styled. `.none` stands for the element itself. Rule keys have room for eight.
package enum PseudoElement: UInt8, Hashable, Comparable, Sendable, CaseIterable {
  case none, before, after, marker, firstLine, firstLetter, footnoteCall, footnoteMarker

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The name in a selector, empty for `none`.
  package var name: String {
    switch self {
    case .none: ""
    case .before: "before"
    case .after: "after"
    case .marker: "marker"
    case .firstLine: "first-line"
    case .firstLetter: "first-letter"
    case .footnoteCall: "footnote-call"
    case .footnoteMarker: "footnote-marker"
    }
  }
}

/// A combinator: the relation of a compound selector to the one on its left (Selectors 4, section 16).
package enum Combinator: UInt8, Hashable, Sendable {
  /// There is nothing on its left.
  case none
  case descendant, child, nextSibling, subsequentSibling
}

/// The namespaces that a type or attribute selector accepts (Selectors 4, section 5.3).
package enum SelectorNamespace: Hashable, Sendable {
  case any
  /// No namespace.
  case none
  /// The one an `@namespace` rule of the sheet declared, by its place in `Stylesheet.namespaces`.
  case declared(UInt16)
}

/// The comparison of an attribute's value (Selectors 4, section 6).
package enum AttributeMatch: UInt8, Hashable, Sendable {
  case exists, equals, includes, dashMatch, prefix, suffix, substring
}

/// Case sensitivity of an attribute's value: as the document language says, or by flag `i` or `s`.
package enum ValueCase: UInt8, Hashable, Sendable { case ofLanguage, ignored, kept }

/// One condition of a compound selector.
package struct SimpleSelector: Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// An element of `namespace`, whatever its name.
    case namespace
    /// `name`, in `namespace`.
    case type
    case id, className
    /// `name` in `namespace`, `match`, `valueCase`, `value`.
    case attribute
    case root, empty
    /// The scoping root; the root element outside of scopes.
    case scope
    /// `:nth-child` and relatives, with `a`, `b`; of type instead of all; from the end instead of the start. The first two
    /// may have `list`, the selectors that count.
    case nthChild, nthLastChild, nthOfType, nthLastOfType
    case onlyChild, onlyOfType
    /// An element that is the source of a link, whatever that leads to.
    case anyLink
    /// One whose link leads elsewhere, and one whose link leads to its own document, the only one known to have been read.
    case link, visited
    /// `:lang()`: `list` names ranges of `SelectorTable.languageRanges`.
    case lang
    case directionLTR, directionRTL
    case enabled, disabled, checked
    /// One of `list` matches (`:is`, `:where`), none does (`:not`), one matches relative to the element (`:has`).
    case matchesAny, matchesNone, has
    /// For the engine's own sheets (`:-internal-only()`): the element holds white space and one child that one of
    /// `list` matches.
    case holdsOnly
    /// The element a relative selector in `:has` starts from.
    case anchor
    /// A pseudo-class that holds for no element of a book, such as `:hover`.
    case never
  }
  package var kind: Kind
  package var match = AttributeMatch.exists
  package var valueCase = ValueCase.ofLanguage
  package var namespace = SelectorNamespace.any
  /// Text of the sheet's buffer.
  package var name: Range<UInt32> = 0..<0
  package var value: Range<UInt32> = 0..<0
  package var a: Int32 = 0
  package var b: Int32 = 0
  /// Nested selectors, in `SelectorTable.complex`.
  package var list: Range<UInt32> = 0..<0

  init(_ kind: Kind) { self.kind = kind }
}

/// Simple selectors that hold for one element.
package struct CompoundSelector: Sendable {
  package var simples: Range<UInt32>
  /// The combinator between this compound and that of the compound on the left, which is the next in the table.
  package var combinator: Combinator
}

/// Compound selectors and combinators. The subject, written last, comes first.
package struct ComplexSelector: Sendable {
  package var compounds: Range<UInt32>
  package var pseudo: PseudoElement
  package var specificity: Specificity
}

/// The selectors of one sheet, in flat tables.
package struct SelectorTable: Sendable {
  package internal(set) var complex: [ComplexSelector] = []
  package internal(set) var compounds: [CompoundSelector] = []
  package internal(set) var simples: [SimpleSelector] = []
  /// Text of the sheet's buffer.
  package internal(set) var languageRanges: [Range<UInt32>] = []

  package init() {}

  /// Appends the selector `:where(:scope)`, and returns its place: declarations that stand in an `@scope` itself are its.
  mutating func appendScope() -> Range<UInt32> {
    let simple = UInt32(simples.count)
    let compound = UInt32(compounds.count)
    let start = UInt32(complex.count)
    simples.append(SimpleSelector(.scope))
    compounds.append(CompoundSelector(simples: simple..<simple + 1, combinator: .none))
    complex.append(
      ComplexSelector(compounds: compound..<compound + 1, pseudo: .none, specificity: Specificity()))
    return start..<start + 1
  }
}
