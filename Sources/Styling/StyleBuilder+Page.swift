import CSS
import Primitives

extension StyleBuilder {
  private var parentPage: PageGroup { interner.table.pages[parent.page.index] }

  func apply(_ id: PageProperty) {
    switch id {
    case .breakBefore: assign(&page.breakBefore, keyword(), parentPage.breakBefore)
    case .breakAfter: assign(&page.breakAfter, keyword(), parentPage.breakAfter)
    case .breakInside: assign(&page.breakInside, keyword(), parentPage.breakInside)
    case .boxDecorationBreak: assign(&page.decorationBreak, keyword(), parentPage.decorationBreak)
    case .marginBreak: assign(&page.marginBreak, keyword(), parentPage.marginBreak)
    case .floatReference: assign(&page.floatReference, keyword(), parentPage.floatReference)
    case .page: assign(&page.page, string, parentPage.page)
    case .footnotePolicy: assign(&page.footnotePolicy, keyword(), parentPage.footnotePolicy)
    case .footnoteDisplay: assign(&page.footnoteDisplay, keyword(), parentPage.footnoteDisplay)
    case .stringSet: assign(&page.stringSet, namedStrings, parentPage.stringSet)
    case .bookmarkLevel: assign(&page.bookmarkLevel, optional(integer), parentPage.bookmarkLevel)
    case .bookmarkLabel:
      var items: [ContentItem]?
      if case .content(.items(let own)) = value { items = own }
      assign(&page.bookmarkLabel, items, parentPage.bookmarkLabel)
    case .bookmarkState: assign(&page.bookmarkState, keyword(), parentPage.bookmarkState)
    }
  }
}
