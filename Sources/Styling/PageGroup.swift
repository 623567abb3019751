package import CSS

/// Not inherited: breaking and paging (CSS Fragmentation 3, CSS Paged Media 3).
package struct PageGroup: Hashable, Sendable {
  package var breakBefore = BreakBetween.auto
  package var breakAfter = BreakBetween.auto
  package var breakInside = BreakInside.auto
  package var decorationBreak = BoxDecorationBreak.slice
  package var marginBreak = MarginBreak.auto
  package var floatReference = FloatReference.inline
  /// The named page, empty for `auto`.
  package var page = ""
  /// `string-set`, empty for `none`.
  package var stringSet: [NamedString] = []
  /// The name of a running element, which `position` gives; empty for others (CSS GCPM 3, section 1.2.1).
  package var running = ""
  package var footnotePolicy = FootnotePolicy.auto
  package var footnoteDisplay = FootnoteDisplay.block
  /// The level of the element's entry in the outline of a PDF, from 1; nil for none (CSS Generated Content 3, section 7).
  package var bookmarkLevel: Int32?
  package var bookmarkLabel: [ContentItem] = [.elementText(.text)]
  package var bookmarkState = BookmarkState.open
  package init() {}
}

extension PageGroup {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: PageProperty, _ table: StyleTable) -> String {
    switch property {
    case .breakBefore: table.css(breakBefore)
    case .breakAfter: table.css(breakAfter)
    case .breakInside: table.css(breakInside)
    case .boxDecorationBreak: table.css(decorationBreak)
    case .marginBreak: table.css(marginBreak)
    case .floatReference: table.css(floatReference)
    case .page: page.isEmpty ? "auto" : page
    case .stringSet: table.css(stringSet, separator: ", ")
    case .footnotePolicy: table.css(footnotePolicy)
    case .footnoteDisplay: table.css(footnoteDisplay)
    case .bookmarkLevel: bookmarkLevel.map { String($0) } ?? "none"
    case .bookmarkLabel: table.css(bookmarkLabel)
    case .bookmarkState: table.css(bookmarkState)
    }
  }
}
