import ChapterEngine
public import FoundationEssentials
public import Graphics
public import Primitives
import Publications
import RasterRendering

/// One page, or two that face each other, as an open book shows them.
public struct Spread: Sendable {
  /// A side of an open book.
  public enum Side: Hashable, Sendable {
    /// Left of the fold.
    case left
    /// Right of the fold.
    case right
  }

  /// The page on the left; nil where that side is empty.
  public let left: Page?
  /// The page on the right; nil where that side is empty.
  public let right: Page?
  /// The single page of the spread belongs in the middle, as pages of fixed design may ask for.
  public let isCentered: Bool
  /// The right page is read first.
  public let isRightToLeft: Bool

  /// In reading order.
  public var pages: [Page] { (isRightToLeft ? [right, left] : [left, right]).compactMap { $0 } }

  /// The side that a page stands on; nil for a page in the middle, and one of another spread.
  public func side(of page: Page) -> Side? {
    func isSame(_ other: Page?) -> Bool { other?.chapter == page.chapter && other?.index == page.index }
    guard !isCentered else { return nil }
    return isSame(left) ? .left : isSame(right) ? .right : nil
  }

  /// As wide as both pages, also where one side is empty; as one page in the middle.
  public var size: Size {
    guard let page = left ?? right else { return .zero }
    let other = right ?? page
    return isCentered
      ? page.size
      : Size(width: page.size.width + other.size.width, height: Swift.max(page.size.height, other.size.height))
  }

  /// The origin of a page, its top left corner, by which places on the page and on the spread differ. Pages of fixed
  /// design meet in the middle, without the margins that a single page has at its sides.
  public func origin(of side: Side) -> Point {
    guard !isCentered, let page = side == .left ? left : right else { return Point(x: .zero, y: .zero) }
    return side == .left
      ? Point(x: page.sideMargin, y: .zero)
      : Point(x: (left ?? page).size.width - page.sideMargin, y: .zero)
  }

  /// Both pages side by side.
  ///
  /// - Parameter annotations: The annotations to draw over them.
  public func displayList(with annotations: [Annotation] = []) -> DisplayList {
    var list = DisplayList(size: size, background: (left ?? right)?.displayList.background ?? .white)
    for (side, page) in [(Side.left, left), (.right, right)] {
      guard let page else { continue }
      let origin = origin(of: side)
      list.items.append(.saveTransform(AffineTransform(a: 1, d: 1, tx: origin.x.float, ty: origin.y.float)))
      list.add(annotations.isEmpty ? page.displayList : page.displayList(with: annotations))
      list.items.append(.restore)
    }
    return list
  }

  /// The spread as a PNG file.
  ///
  /// - Parameters:
  ///   - scale: Device pixels per CSS px; nil for the settings'.
  ///   - annotations: The annotations to draw over it.
  public func png(scale: Double? = nil, annotations: [Annotation] = []) -> Data {
    guard let engine = (left ?? right)?.engine else { return Data() }
    let renderer = engine.renderer()
    return Data(
      PNGEncoder().encode(renderer.render(displayList(with: annotations), scale: scale ?? engine.settings.scale)))
  }
}

extension Typesetter {
  /// The spread that shows a page.
  ///
  /// Pages of a chapter face each other in pairs, from the side that is read first. Pages of fixed design pair with those of the
  /// next chapters; the book's first one, the cover, stands alone. `page-spread-left`, `-right` and `-center` in the spine put a
  /// chapter's first page on a side, or in the middle (EPUB 3.3, section 8.2.2.4).
  ///
  /// - Parameters:
  ///   - index: The page's position in its chapter, from 0.
  ///   - chapter: The chapter's position in the reading order, from 0.
  public func spread(showing index: Int, of chapter: Int) async throws(PageError) -> Spread {
    guard let spread = try await existingSpread(showing: index, of: chapter) else { throw .noSuchPage }
    return spread
  }

  /// The spread that shows a place.
  public func spread(containing locator: Locator) async throws(PageError) -> Spread {
    let page = try await page(containing: locator)
    return try await spread(showing: page.index, of: page.chapter)
  }

  /// The spread behind another one; nil at the book's end.
  public func spread(after spread: Spread) async throws(PageError) -> Spread? {
    guard let last = spread.pages.last else { return nil }
    if let next = try await existingSpread(showing: last.index + 1, of: last.chapter) { return next }
    guard let next = try await firstPage(behind: last.chapter) else { return nil }
    return try await self.spread(showing: next.index, of: next.chapter)
  }

  /// The spread before another one; nil at the book's start.
  public func spread(before spread: Spread) async throws(PageError) -> Spread? {
    guard let first = spread.pages.first else { return nil }
    if first.index > 0 { return try await self.spread(showing: first.index - 1, of: first.chapter) }
    guard let last = try await lastPage(before: first.chapter) else { return nil }
    return try await self.spread(showing: last.index, of: last.chapter)
  }

  /// The spread that shows a page; nil where there is no such page.
  private func existingSpread(showing index: Int, of chapter: Int) async throws(PageError) -> Spread? {
    let plan = SpreadPlan(book)
    guard book.publication.spine.indices.contains(chapter), index >= 0 else { return nil }
    let slots = plan.slots(showing: index, of: chapter)
    func page(_ place: SpreadPlan.Place?) async throws(PageError) -> Page? {
      guard let place else { return nil }
      return try await existingPage(place.index, of: place.chapter)
    }
    let first = try await page(slots.first)
    let second = try await page(slots.second)
    guard [first, second].contains(where: { $0?.chapter == chapter && $0?.index == index }) else { return nil }
    return Spread(
      left: plan.isRightToLeft ? second : first, right: plan.isRightToLeft ? first : second,
      isCentered: slots.isCentered, isRightToLeft: plan.isRightToLeft)
  }
}

/// The pages that face each other.
struct SpreadPlan {
  struct Place: Hashable {
    var chapter: Int
    var index: Int
  }

  /// The two places of a spread in reading order.
  struct Slots: Hashable {
    var first: Place?
    var second: Place?
    var isCentered = false
  }

  /// The `page-spread-*` property of a chapter in the spine: the side of its first page.
  private enum PageSpread {
    case none, first, second, center
  }

  let isRightToLeft: Bool
  private let publication: Publication

  init(_ book: Book) {
    publication = book.publication
    isRightToLeft = publication.metadata.pageProgression == .rightToLeft
  }

  private func pageSpread(of chapter: Int) -> PageSpread {
    // The documents of a roll stand below each other.
    if FixedLayout.layout(of: publication.spine[chapter], in: publication) == .roll { return .center }
    let properties = publication.spine[chapter].properties.map { $0.replacing("rendition:", with: "") }
    if properties.contains("page-spread-center") || properties.contains("spread-none") { return .center }
    if properties.contains("page-spread-left") { return isRightToLeft ? .second : .first }
    if properties.contains("page-spread-right") { return isRightToLeft ? .first : .second }
    return publication.metadata.spread == "none" && isFixed(chapter) ? .center : .none
  }

  private func isFixed(_ chapter: Int) -> Bool { FixedLayout.applies(to: publication.spine[chapter], in: publication) }

  /// The spread of a page, whatever pages there really are.
  func slots(showing index: Int, of chapter: Int) -> Slots {
    if isFixed(chapter) { return fixedSlots(of: chapter) }
    let start = pageSpread(of: chapter) == .second ? 1 : 0
    let position = index + start
    let first = position & ~1
    return Slots(
      first: first >= start ? Place(chapter: chapter, index: first - start) : nil,
      second: Place(chapter: chapter, index: first + 1 - start))
  }

  /// Runs of fixed pages are paired from their start on.
  private func fixedSlots(of chapter: Int) -> Slots {
    var start = chapter
    while start > 0, isFixed(start - 1) { start -= 1 }
    var open: Int?
    var position = start
    while position < publication.spine.count, isFixed(position) {
      let place = Place(chapter: position, index: 0)
      var slots: Slots?
      switch pageSpread(of: position) {
      case .center: slots = Slots(first: place, isCentered: true)
      case .second: slots = Slots(first: open.map { Place(chapter: $0, index: 0) }, second: place)
      // The cover stands alone, on the side of a first page.
      case .none where position == 0: slots = Slots(second: place)
      case .none where open != nil: slots = Slots(first: Place(chapter: open!, index: 0), second: place)
      case .none, .first: break
      }
      if let waiting = open, slots?.first?.chapter != waiting {
        // A page on the side read first stays alone when the next page does not face it.
        if waiting == chapter { return Slots(first: Place(chapter: chapter, index: 0)) }
      }
      if let slots {
        if slots.first?.chapter == chapter || slots.second?.chapter == chapter { return slots }
        open = nil
      } else {
        open = position
      }
      position += 1
    }
    return Slots(first: Place(chapter: chapter, index: 0))
  }
}
