package import Layout
import Primitives
import Publications
import Shaping

/// Which pages of a chapter the book has: all of them, but for a first page that shows nothing and stays the only one.
/// Such a chapter (hidden elements, scripts, an empty body) has no page, and no number is spent on it.
///
/// A book of nothing else has one page, that of its first chapter.
extension PagedChapter {
  /// The book has the page only if another one follows it in the chapter. Content counts, page furniture does not.
  ///
  /// - Parameter index: Position of the page in the chapter, from 0.
  package func isDispensable(_ page: PageLayout, at index: Int) -> Bool { index == 0 && drawing.isBlank(page) }

  /// The chapter's first page, made last; nil where the book does not have it. The next page is the one behind it.
  ///
  /// - Parameter start: The mark of the first page.
  package mutating func ifShown(_ first: ComposedPage, from start: Mark) -> ComposedPage? {
    guard isDispensable(first.layout, at: 0) else { return first }
    let isOnly = { [chapter, cancellation] in
      chapter.index == 0 && chapter.resources.isEmpty(beside: 0, cancellation: cancellation)
    }
    guard nextPage() != nil || isOnly() else { return nil }
    go(to: start)
    return nextPage()
  }
}

/// The pages of a chapter in order, from where the book stands before it: the way of all who want the whole chapter.
package struct ChapterWalk {
  package private(set) var pages: PagedChapter
  /// The chapter's pages are counted from the start of the book and not from its own.
  let isAbsolute: Bool

  /// What has come of a chapter.
  package enum End<Made> {
    /// The book has pages of the chapter; the state behind them.
    case shown(ChapterEnd)
    /// The book has none: what was made of the only page, which shows nothing.
    case leftOut(Made)
    /// Not all pages were asked for, or the walk was cancelled.
    case stopped
  }

  /// - Parameters:
  ///   - recordsClusters: As `PagedChapter.init`.
  ///   - state: The state of the book before the chapter; asked for where its pages depend on it.
  package init(_ chapter: StyledChapter, recordsClusters: Bool = false, from state: () -> PageState) {
    isAbsolute = chapter.dependsOnEarlierPages
    pages = PagedChapter(chapter, from: isAbsolute ? state() : PageState(), recordsClusters: recordsClusters)
  }

  /// Makes the pages one by one. What is made of a page that the book may not have waits for the next page.
  ///
  /// - Parameters:
  ///   - make: Turns the next page into what is kept of it; `held` is what waits for it. nil goes no further.
  ///   - keep: Takes what was made of the pages that the book has, in order; false goes no further.
  package mutating func run<Made>(
    make: (_ page: ComposedPage, _ held: Made?, inout PagedChapter) -> Made?, keep: (Made) -> Bool
  ) -> End<Made> {
    var index = 0
    var held: Made?
    while let page = pages.nextPage() {
      if pages.cancellation.isRequested { return .stopped }
      let isHeld = pages.isDispensable(page.layout, at: index)
      guard let made = make(page, held, &pages) else { return .stopped }
      index += 1
      if isHeld {
        held = made
        continue
      }
      if let first = held, !keep(first) { return .stopped }
      held = nil
      guard keep(made) else { return .stopped }
    }
    if pages.cancellation.isRequested { return .stopped }
    return held.map { .leftOut($0) } ?? .shown(ChapterEnd(state: pages.state, isAbsolute: isAbsolute))
  }
}

/// The state of the book behind the pages of a chapter, counted from the start of the book or from the chapter's own.
package struct ChapterEnd: Sendable {
  package let state: PageState
  package let isAbsolute: Bool
}

extension PageState {
  /// Goes on over a chapter; nil for one that the book has no page of.
  package mutating func advance(over end: ChapterEnd?) {
    if let end { advance(over: end.state, isAbsolute: end.isAbsolute) }
  }
}

extension BookResources {
  /// No chapter but this one has a page that shows anything.
  fileprivate func isEmpty(beside chapter: Int, cancellation: Cancellation) -> Bool {
    let shaping = ShapingResources(hyphenator: settings.hyphenator())
    return publication.spine.indices.allSatisfy { other in
      guard other != chapter, !cancellation.isRequested else { return true }
      var walk = ChapterWalk(
        StyledChapter(self, index: other, shapingResources: shaping, cancellation: cancellation),
        from: { PageState() })
      guard case .leftOut = walk.run(make: { _, _, _ in () }, keep: { false }) else { return false }
      return true
    }
  }
}
