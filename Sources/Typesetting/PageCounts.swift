import Graphics
import Platform
import Primitives
import Publications
import Synchronization

/// The number of pages of a book under the settings: chapters that have been laid out are counted, others are estimated
/// by the size of their files.
public struct PageCounts: Hashable, Sendable {
  /// The pages of one chapter.
  public struct Chapter: Hashable, Sendable {
    /// The number of pages, counted or estimated.
    public var pages: Int
    /// The pages have been counted.
    public var isExact: Bool
  }
  /// By position in the reading order.
  public var chapters: [Chapter]

  /// The pages of the whole book.
  public var total: Int { chapters.reduce(0) { $0 + $1.pages } }
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
  ///   - sizes: Bytes of the chapters' files.
  init(counted: [Int?], sizes: [Int], isFixedLayout: Bool) {
    var pages = 0
    var bytes = 0
    for (count, size) in zip(counted, sizes) {
      guard let count else { continue }
      pages += count
      bytes += size
    }
    // Until something is known: some 1500 bytes of markup a page.
    let bytesPerPage = pages > 0 && bytes > 0 ? Double(bytes) / Double(pages) : 1500
    chapters = zip(counted, sizes).map { count, size in
      if let count { return Chapter(pages: count, isExact: true) }
      return Chapter(
        pages: isFixedLayout ? 1 : Swift.max(1, Int((Double(size) / bytesPerPage).rounded())), isExact: false)
    }
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

  /// Numbers of pages by chapter: known at once, exact for the chapters that have been laid out.
  public var pageCounts: PageCounts {
    let counted = state.withLock { $0.starts.map { $0?.count } }
    return PageCounts(counted: counted, sizes: sizes, isFixedLayout: book.publication.metadata.layout == .prePaginated)
  }

  /// Counts the pages of all chapters in the background, and tells after each chapter how far it has come. Who stops asking stops
  /// the work; so does a change of settings.
  public func countPages() -> AsyncStream<PageCounts> {
    let (stream, continuation) = AsyncStream.makeStream(of: PageCounts.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task(priority: .background) {
      for chapter in book.chapters.indices {
        guard !Task.isCancelled, await count(chapter) else { break }
        continuation.yield(pageCounts)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
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
      (state.starts[chapter] != nil, SessionRequest(state.resources), state.resources)
    }
    if known { return true }
    let session = ChapterSession(chapter: chapter, resources: resources)
    guard let starts = await request.perform({ session.starts(request) }) else { return false }
    note(starts, of: chapter, request)
    return state.withLock { $0.resources.generation == request.resources.generation }
  }
}
