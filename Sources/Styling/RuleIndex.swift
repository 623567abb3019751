package import CSS
package import Markup
package import Primitives

/// Who wrote a style sheet (CSS Cascade 4, section 6.2), weakest first for normal declarations.
package enum CascadeOrigin: UInt8, Hashable, Comparable, Sendable {
  case userAgent, user, author

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A rule that applies to an element or one of its pseudo-elements.
package struct MatchedRule: Sendable {
  package var pseudo: PseudoElement
  package var origin: CascadeOrigin
  /// The weight of the heaviest selector that matched.
  package var specificity: Specificity
  /// The rule's place among all rules of the index.
  package var order: UInt32
  /// The sheet, by its place in the list the index was made of.
  package var sheet: UInt32
  /// The rule's declarations in that sheet.
  package var declarations: Range<UInt32>
}

/// The rules of all sheets of one chapter, found by the id, class or name of the element they are for.
package struct RuleIndex: Sendable {
  package struct Source: Sendable {
    package var sheet: Stylesheet
    package var origin: CascadeOrigin
    package init(_ sheet: Stylesheet, _ origin: CascadeOrigin) {
      self.sheet = sheet
      self.origin = origin
    }
  }

  /// - Parameters:
  ///   - sources: in cascade order; imported sheets stand before those that import them.
  ///   - supports: whether a declaration is understood, for `@supports`.
  package init(
    _ sources: [Source], media: MediaEnvironment, document: Document, supports: (String, TokenCursor) -> Bool
  ) {
  }

  /// The rules for `node` and its pseudo-elements, sorted by pseudo-element, then origin, specificity and order, so the
  /// last of each group wins among normal declarations of one origin. Replaces the contents of `matches`.
  ///
  /// Fast when called for elements in document order; any order is right.
  package mutating func collectMatches(for node: NodeID, in document: Document, into matches: inout [MatchedRule]) {
    matches.removeAll(keepingCapacity: true)
  }
}
