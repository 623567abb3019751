/// The prelude of an `@scope` rule (CSS Cascade 6, section 2.5).
package struct ScopeRule: Sendable {
  /// The selectors of scoping roots, in `Stylesheet.selectors.complex`; nil without any, where the element around that of the
  /// sheet is the root.
  package var start: Range<UInt32>?
  /// The selectors of elements that end the scope below a root.
  package var end: Range<UInt32>
}
