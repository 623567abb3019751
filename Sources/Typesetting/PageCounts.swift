import ChapterEngine
import Graphics
import Platform
import Primitives
import Publications
import Synchronization

/// The number of pages of a book under the settings: chapters that have been laid out are counted, others are estimated by their
/// text, and by what those that were counted have told of it.
public struct PageCounts: Hashable, Sendable {
  /// The pages of one chapter.
  public struct Chapter: Hashable, Sendable, Codable {
    /// The number of pages, counted or estimated.
    public var pages: Int
    /// The pages have been counted.
    public var isExact: Bool
  }
  /// By position in the reading order.
  public var chapters: [Chapter]
  /// As much of the book has been counted that the rest can be told by it, within half or so: numbers of pages of the whole book are
  /// not to be shown before.
  public private(set) var isReliable: Bool

  /// The pages of the whole book; nil until all chapters have been counted.
  public var total: Int? { isExact ? likelyTotal : nil }
  /// The pages of the whole book, counted and estimated: the number to be shown while ``total`` is not known.
  public var likelyTotal: Int { chapters.reduce(0) { $0 + $1.pages } }
  /// Bounds between which the number of pages of nearly all books is; once all chapters have been counted, that number
  /// alone.
  public var estimate: ClosedRange<Int> {
    let counted = chapters.reduce(0) { $0 + ($1.isExact ? $1.pages : 0) }
    let rest = likelyTotal - counted
    // Style sheets make a chapter twice as long as its text alone tells; chapters that were counted tell what they make
    // of it. The last page of a chapter is one, however little is on it.
    let most = chapters.count { !$0.isExact } + (isReliable ? (rest * 3 + 1) / 2 : rest * 2)
    return counted + (isReliable ? rest * 2 / 3 : rest / 2)...counted + most
  }
  /// All chapters have been counted.
  public var isExact: Bool { chapters.allSatisfy(\.isExact) }

  /// The number in the book, from 1, of a page of a chapter.
  public func number(ofPage index: Int, in chapter: Int) -> Int {
    chapters.prefix(Swift.max(0, chapter)).reduce(0) { $0 + $1.pages } + index + 1
  }

  /// The chapter, and the page's index in it, of a page's number in the book; nil past the end.
  public func page(number: Int) -> (chapter: Int, index: Int)? {
    var rest = number - 1
    guard rest >= 0 else { return nil }
    for (index, chapter) in chapters.enumerated() {
      if rest < chapter.pages { return (index, rest) }
      rest -= chapter.pages
    }
    return nil
  }

  /// - Parameters:
  ///   - counted: Pages by chapter, where they have been counted.
  ///   - expected: Pages that chapters are expected to fill, by their text alone; nil where a chapter is one page by itself.
  init(counted: [Int?], expected: [Double?]) {
    var scale = PageScale()
    var known = 0.0
    for case (let count?, let expected?) in zip(counted, expected) {
      scale.learn(pages: count, expected: expected)
      known += expected
    }
    chapters = zip(counted, expected).map { count, expected in
      if let count { return Chapter(pages: count, isExact: true) }
      guard let expected else { return Chapter(pages: 1, isExact: false) }
      return Chapter(pages: scale.pages(expected: expected), isExact: false)
    }
    let all = expected.reduce(0) { $0 + ($1 ?? 0) }
    isReliable = known >= all * Self.reliableShare
  }

  /// The share of the text that has to be laid out before the rest is told by it.
  private static let reliableShare = 0.05
}

/// What laid out chapters tell of the others: how many pages they fill for each that their text alone makes expect. Style sheets,
/// faces and the sizes of pictures are in it.
private struct PageScale {
  /// A few pages count as counted: a short chapter alone is no measure for a book. Style sheets make most books a tenth
  /// longer than their text alone tells.
  private var pages = 2.2
  private var expected = 2.0

  /// The last page of a chapter is full by half on the average.
  private static let lastPage = 0.5

  mutating func learn(pages count: Int, expected: Double) {
    // Whatever little there is on a page fills it.
    guard count > 1 || expected > 1 else { return }
    pages += Swift.max(Double(count) - Self.lastPage, Self.lastPage)
    self.expected += expected
  }

  func pages(expected: Double) -> Int {
    let pages = expected * pages / self.expected
    return Swift.max(1, Int((pages + Self.lastPage).rounded()))
  }

  /// The places in a text, of its length, whose chapters tell the most of the others.
  private static let places = [1.0 / 2, 1.0 / 6, 5.0 / 6]

  /// All chapters, those first that tell the most of the others.
  static func samples(of expected: [Double]) -> [Int] {
    let all = expected.reduce(0, +)
    var order: [Int] = []
    for place in places {
      var before = 0.0
      let chapter = expected.firstIndex {
        before += $0
        return before > all * place
      }
      if let chapter, !order.contains(chapter) { order.append(chapter) }
    }
    return order + expected.indices.filter { !order.contains($0) }
  }
}

extension TypesettingSettings {
  /// The pages that a chapter is expected to fill, by its text alone.
  fileprivate func expectedPages(_ extent: TextExtent) -> Double {
    let width = (pageSize.width - marginLeft - marginRight).pixels / Double(Swift.max(1, columns))
    let height = (pageSize.height - marginTop - marginBottom).pixels * Double(Swift.max(1, columns))
    let em = Double(Swift.max(1, fontSize))
    let lines = extent.lines(ofWidth: Swift.max(1, width / em)) + Double(extent.headings) * 2
    let line = em * (lineHeight.map { Double($0) } ?? 1.3 + 0.5 * extent.wideShare)
    // Pictures are of any size; some are letters in a line, others fill a page.
    return lines * line / Swift.max(line, height) + Double(extent.pictures) / 4
  }
}

extension Typesetter {
  /// The page directory: starts of pages, as far as they are known: to be saved, and given to a typesetter when the
  /// book is opened again.
  public var directory: PageDirectory {
    let (known, starts, resources) = state.withLock { ($0.key, $0.starts, $0.resources) }
    if let known { return PageDirectory(key: known, chapters: starts) }
    // Outside of the lock: the machine's faces may have to be listed.
    let key = LayoutKey(book.publication, resources.settings, fonts: resources.fonts)
    state.withLock { if $0.resources.generation == resources.generation { $0.key = key } }
    return PageDirectory(key: key, chapters: starts)
  }

  /// Numbers of pages by chapter: exact for the chapters that have been laid out. The text of the book is read for it, once.
  public var pageCounts: PageCounts {
    let pages = knownPages
    return PageCounts(counted: pages.counted, expected: pages.expected)
  }

  /// The pages of chapters as far as they have been counted, and those that chapters are expected to fill by their text
  /// alone; nil where a chapter is one page by itself.
  private var knownPages: (counted: [Int?], expected: [Double?]) {
    let (counted, settings) = state.withLock { ($0.starts.map { $0?.count }, $0.resources.settings) }
    let publication = book.publication
    let extents = counted.allSatisfy { $0 != nil } ? [] : book.extents.all(of: publication)
    let expected = counted.indices.map { index -> Double? in
      let isFixed = FixedLayout.applies(to: publication.spine[index], in: publication)
      return isFixed ? nil : extents.isEmpty ? 0 : settings.expectedPages(extents[index])
    }
    return (counted, expected)
  }

  /// Counts the pages of all chapters in the background, and tells after each chapter how far it has come. Who stops asking stops
  /// the work; so does a change of settings.
  ///
  /// Chapters in the middle, near the start and near the end of the text come first: first chapters are often title
  /// pages and contents, by which the others cannot be told.
  public func countPages() -> AsyncStream<PageCounts> {
    ChapterStream.make(
      of: PageScale.samples(of: self.knownPages.expected.map { $0 ?? 0 }), priority: .background,
      buffering: .bufferingNewest(1)
    ) {
      await self.count($0) ? [self.pageCounts] : nil
    }
  }

  func note(_ starts: PageStarts, of chapter: Int, _ request: SessionRequest) {
    state.withLock { state in
      guard state.resources.generation == request.resources.generation else { return }
      state.starts[chapter] = starts
    }
  }

  /// Counts the pages of a chapter without keeping it; false when the task was cancelled or the settings have changed.
  func count(_ chapter: Int) async -> Bool {
    let (known, request, resources) = state.withLock { state in
      (state.starts[chapter] != nil, SessionRequest(state.resources, pool: pool), state.resources)
    }
    if known { return true }
    let session = ChapterSession(chapter: chapter, resources: resources)
    guard let starts = await request.perform({ session.starts(request) }) else { return false }
    note(starts, of: chapter, request)
    return state.withLock { $0.resources.generation == request.resources.generation }
  }
}

/// How much text the chapters of a book have, once that was asked for.
final class ChapterExtents: Sendable {
  private let extents = Lock<[TextExtent]?>(nil)

  func all(of publication: Publication) -> [TextExtent] {
    if let known = extents.withLock({ $0 }) { return known }
    // Documents are as deep as they like.
    let made = Worker.run { publication.spine.indices.map { publication.textExtent(of: $0) } }
    extents.withLock { $0 = made }
    return made
  }
}
