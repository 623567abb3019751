public import Primitives

/// The finished pages of a chapter under one set of settings: where everything stands, without the drawing itself, in some
/// kilobytes a page. A value that outlives the typesetter and may be used from any thread.
///
/// Pages count from 0; lengths are CSS px from a page's top left corner.
public struct ChapterLayout: Sendable {
  /// Position of the chapter in the reading order.
  public let chapter: Int
  let maps: [PageMap]
  let text: ChapterText

  /// The number of pages of the chapter.
  public var pageCount: Int { maps.count }
  /// The size of a page.
  public func size(of page: Int) -> Size { maps.indices.contains(page) ? maps[page].size : .zero }

  /// The page that holds a place: for places that are not shown, the page they would be on.
  public func page(containing locator: Locator) -> Int {
    if locator.chapter != chapter { return locator.chapter < chapter ? 0 : Swift.max(0, maps.count - 1) }
    return PageSearch(maps, text).page(containing: locator) { maps[$0] }
  }

  /// The first place on a page, with progression and quote.
  public func start(of page: Int) -> Locator? { maps.indices.contains(page) ? text.describe(maps[page].start) : nil }

  /// A place with its progression in the chapter and the text around it, ready to be saved.
  public func described(_ locator: Locator) -> Locator {
    locator.chapter == chapter ? text.describe(locator.position) : locator
  }

  /// The links on a page.
  public func links(on page: Int) -> [Page.Link] {
    maps.indices.contains(page) ? maps[page].links(chapter: chapter) : []
  }

  /// The pictures on a page.
  public func pictures(on page: Int) -> [Page.Picture] {
    maps.indices.contains(page) ? maps[page].pictures(chapter: chapter) : []
  }

  /// The lines of text on a page, in reading order, with their words.
  public func lines(on page: Int) -> [TextLine] { maps.indices.contains(page) ? maps[page].textLines(text) : [] }

  /// The text of a range as it is copied: without soft and automatic hyphens, list markers, ruby and what style sheets add;
  /// paragraphs are parted by line feeds.
  public func text(_ range: Range<Locator>) -> String { range.positions(in: chapter).map { text.string($0) } ?? "" }
}

extension Range<Locator> {
  /// The part of a range that lies in a chapter; nil when there is none.
  func positions(in chapter: Int) -> Range<SourcePosition>? {
    guard lowerBound.chapter <= chapter, upperBound.chapter >= chapter else { return nil }
    let start = lowerBound.chapter < chapter ? SourcePosition(node: NodeID(0), offset: 0) : lowerBound.position
    let end = upperBound.chapter > chapter ? SourcePosition(node: .none, offset: 0) : upperBound.position
    return start < end ? start..<end : nil
  }
}
