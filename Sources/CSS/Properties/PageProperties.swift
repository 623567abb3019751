/// Not inherited: properties of breaks, pages and footnotes.
package enum PageProperty: UInt8, CaseIterable, Hashable, Sendable {
  case breakBefore, breakAfter, breakInside, boxDecorationBreak, marginBreak, floatReference
  case page, stringSet, footnotePolicy, footnoteDisplay
  case bookmarkLevel, bookmarkLabel, bookmarkState

  package var row: PropertyRow {
    switch self {
    case .breakBefore: Self.between("break-before", old: "-webkit-column-break-before")
    case .breakAfter: Self.between("break-after", old: "-webkit-column-break-after")
    case .breakInside:
      PropertyRow(
        "break-inside", "auto | avoid | avoid-page | avoid-column", initial: "auto", sample: "avoid",
        "CSS Fragmentation 3, 3.2", aliases: ["-webkit-column-break-inside"]
      ) { $0.keyword(BreakInside.self) }
    case .boxDecorationBreak:
      PropertyRow(
        "box-decoration-break", "slice | clone", initial: "slice", sample: "clone", "CSS Fragmentation 3, 5.4"
      ) { $0.keyword(BoxDecorationBreak.self) }
    case .marginBreak:
      PropertyRow(
        "margin-break", "auto | keep | discard", initial: "auto", sample: "keep", "CSS Fragmentation 4, 5.2"
      ) { $0.keyword(MarginBreak.self) }
    case .floatReference:
      PropertyRow(
        "float-reference", "inline | column | page", initial: "inline", sample: "page", "CSS Page Floats 3, 3.1"
      ) { $0.keyword(FloatReference.self) }
    case .page:
      PropertyRow("page", "auto | <custom-ident>", initial: "auto", sample: "wide", "CSS Paged Media 3, 8.1") {
        $0.pageName()
      }
    case .stringSet:
      PropertyRow(
        "string-set", "none | [ <custom-ident> <string>+ ]#", initial: "none", sample: "a content()",
        "CSS GCPM 3, 1.1.1"
      ) { parser in parser.namedStrings().map { .namedStrings($0) } }
    case .footnotePolicy:
      PropertyRow("footnote-policy", "auto | line | block", initial: "auto", sample: "line", "CSS GCPM 3, 2.7") {
        $0.keyword(FootnotePolicy.self)
      }
    case .footnoteDisplay:
      PropertyRow("footnote-display", "block | inline | compact", initial: "block", sample: "inline", "CSS GCPM 3, 2.5")
      {
        $0.keyword(FootnoteDisplay.self)
      }
    case .bookmarkLevel:
      PropertyRow("bookmark-level", "none | <integer [1,∞]>", initial: "none", sample: "2", "CSS Content 3, 7.1") {
        parser in
        if parser.keyword("none") { return .absent }
        return parser.integer().flatMap { $0 >= 1 ? .integer($0) : nil }
      }
    case .bookmarkLabel:
      PropertyRow(
        "bookmark-label", "<content-list>", initial: "content(text)", sample: "'Part ' counter(part)",
        "CSS Content 3, 7.2"
      ) { parser in parser.contentList().map { .content(.items($0)) } }
    case .bookmarkState:
      PropertyRow("bookmark-state", "open | closed", initial: "open", sample: "closed", "CSS Content 3, 7.3") {
        $0.keyword(BookmarkState.self)
      }
    }
  }

  private static func between(_ name: StaticString, old: StaticString) -> PropertyRow {
    PropertyRow(
      name,
      """
      auto | avoid | always | all | avoid-page | page | left | right | recto | verso | avoid-column | column
      """, initial: "auto", sample: "page", "CSS Fragmentation 3, 3.1", aliases: [old]
    ) { $0.keyword(BreakBetween.self) }
  }
}
