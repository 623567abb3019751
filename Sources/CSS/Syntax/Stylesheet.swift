/// A declaration: `name: value !important` (CSS Syntax 3, section 5.4.6), not yet checked against any property.
package struct Declaration: Sendable {
  /// The name in the buffer's text, in ASCII lower case unless it is a custom property's.
  package var name: Range<UInt32>
  /// The tokens of the value, without white space at its ends and without `!important`.
  package var value: Range<UInt32>
  package var isImportant: Bool
  /// The name starts with `--`.
  package var isCustomProperty: Bool
  /// Line of the source, from 1.
  package var line: UInt32
}

/// A qualified rule with a valid selector list.
package struct StyleRule: Sendable {
  /// Its selectors in `Stylesheet.selectors.complex`.
  package var selectors: Range<UInt32>
  /// Its declarations in `Stylesheet.declarations`.
  package var declarations: Range<UInt32>
  /// The innermost `@media`, `@supports`, `@layer`, `@scope` or `@container` around it.
  package var condition: ConditionID
  package var line: UInt32
}

package typealias ConditionID = UInt32

/// An `@media`, `@supports`, `@layer`, `@scope`, `@container` or `@import` that rules stand under.
package struct Condition: Sendable {
  package enum Test: UInt8, Sendable {
    case media, supports
    /// The `supports()` of an `@import`, which takes a bare declaration as well (CSS Cascade 4, section 2.1).
    case importSupports
    /// Asks nothing: a cascade layer (CSS Cascade 5, section 6.4).
    case layer
    /// Asks for each element: it stands in a scope (CSS Cascade 6, section 2.5).
    case scope
    /// Asks for each element: a query container of it is as the condition says (CSS Conditional 5, section 3).
    case container
  }
  package var test: Test
  /// The condition this one stands in; always smaller than its own id. `noCondition` at top level.
  package var parent: ConditionID
  /// Media: its list in `Stylesheet.mediaQueries`. Supports: the tokens of the condition. Layer: the
  /// token of its name within the layer around it, empty for one without a name. Scope: its place in `Stylesheet.scopes`.
  /// Container: its queries in `Stylesheet.containerQueries`, any of which suffices.
  package var range: Range<UInt32>
}

/// A parsed style sheet: arrays of trivial values, parsed once for a book and shared by its chapters.
package struct Stylesheet: Sendable {
  package internal(set) var buffer = TokenBuffer()
  /// Rules in source order.
  package internal(set) var styleRules: [StyleRule] = []
  /// Declarations of style rules, `@font-face`, `@page`, margin boxes, `@counter-style`, `@property`, and declaration lists.
  package internal(set) var declarations: [Declaration] = []
  package internal(set) var selectors = SelectorTable()
  package internal(set) var conditions: [Condition] = []
  package internal(set) var mediaQueries = MediaQueryList()
  package internal(set) var scopes: [ScopeRule] = []
  package internal(set) var containerQueries: [ContainerQuery] = []
  package internal(set) var imports: [ImportRule] = []
  package internal(set) var namespaces: [NamespaceRule] = []
  package internal(set) var fontFaces: [FontFaceRule] = []
  package internal(set) var pageRules: [PageRule] = []
  package internal(set) var counterStyles: [CounterStyleRule] = []
  package internal(set) var registrations: [PropertyRule] = []
  package internal(set) var fontPaletteValues: [FontPaletteValuesRule] = []
  package internal(set) var fontFeatureValues: [FontFeatureValuesRule] = []
  /// Dropped declarations and rules, for diagnostics: at most `maximumFaults`, with the line.
  package internal(set) var faults: [Fault] = []

  package struct Fault: Sendable {
    package var line: UInt32
    package var message: String
  }
  package static let maximumFaults = 50
  /// The condition of rules that stand under none.
  package static let noCondition = ConditionID.max

  /// A sheet without rules, to which declaration lists can be appended.
  package init() {}

  /// A cursor over the value of a declaration.
  package func value(of declaration: Declaration) -> TokenCursor { TokenCursor(buffer, declaration.value) }
  package func name(of declaration: Declaration) -> String { buffer.string(declaration.name) }
}
