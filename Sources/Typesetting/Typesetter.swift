public import ChapterEngine
import Fonts
import Images
import Platform
public import Primitives
import Publications
import Synchronization

/// Sets a book's chapters into pages.
///
///     let book = try await Book(contentsOf: "novel.epub")
///     let typesetter = Typesetter(book: book)
///     for try await page in typesetter.pages(of: 0) { show(page.png()) }
///
/// All functions may be called from any task. What has been made of the chapters used last is kept, within `cacheLimit`
/// and the budget of a ``BookPool``, so that pages are turned and settings changed at once: documents, boxes, shapes
/// and pages, the book's fonts, pictures. A cancelled task ends its work within the page.
public final class Typesetter: Sendable {
  /// The book whose chapters it sets.
  public let book: Book
  /// Bytes that may be kept, about: half of them by chapters kept warm and fonts of the book, half by pictures and drawn
  /// glyphs. Fonts of the system are mapped from their files and do not count.
  public let cacheLimit: Int
  /// The pool whose budget it shares.
  let pool: BookPool?

  struct State {
    var resources: BookResources
    /// By chapter: where its pages start under the settings; nil where that is not known.
    var starts: [PageStarts?]
    /// The layout key, once it was asked for.
    var key: LayoutKey?
    /// The one used last comes last.
    var sessions: [ChapterSession] = []
    /// The pool's clock when it was used last; nil where nothing is kept.
    var lastUse: UInt64?
    /// Bytes given up since memory was last given back to the system.
    var givenUp = 0
    /// Bytes held by chapters and by the resources that all of them share, pictures left out.
    var chapterBytes: Int { sessions.reduce(0) { $0 + $1.byteCount } + resources.heldBytes }

    /// Gives up all that was made of the book.
    mutating func renew() {
      givenUp += chapterBytes
      sessions = []
      lastUse = nil
      resources = BookResources(renewing: resources)
    }
  }
  let state: Lock<State>

  /// - Parameters:
  ///   - book: The book to be set.
  ///   - settings: How its pages are to look.
  ///   - directory: Where pages start, as it was saved; without effect where something else is not as it was then.
  ///   - cacheLimit: Bytes that may be kept, half by chapters and fonts, three eighths by pictures, an eighth by drawn glyphs. The
  ///     chapter in use, and its fonts, are kept whatever they take.
  ///   - pool: The pool whose budget it shares with others; nil where it is alone.
  public init(
    book: Book, settings: TypesettingSettings = TypesettingSettings(), directory: PageDirectory? = nil,
    cacheLimit: Int = 64 << 20, pool: BookPool? = nil
  ) {
    let cacheLimit = Swift.min(cacheLimit, pool?.memory ?? .max)
    self.book = book
    self.cacheLimit = cacheLimit
    self.pool = pool
    let publication = book.publication
    let resources = BookResources(
      publication: publication, settings: settings, imageCapacity: cacheLimit / 8 * 3, glyphCapacity: cacheLimit / 8)
    var starts = [PageStarts?](repeating: nil, count: publication.spine.count)
    var key: LayoutKey?
    if let directory, let saved = directory.key, directory.chapters.count == starts.count,
      saved.holds(for: publication, settings, fonts: resources.fonts)
    {
      starts = directory.chapters
      key = saved
    }
    state = Lock(State(resources: resources, starts: starts, key: key))
    pool?.add(self)
  }

  deinit {
    pool?.remove(ObjectIdentifier(self))
    FreeMemory.giveBackIfBounded()
  }

  /// The settings that pages are made with.
  public var settings: TypesettingSettings { state.withLock { $0.resources.chosenSettings } }

  /// Faults of the book that had to be recovered from, as far as they are known: those of its package, of its fonts and of its
  /// pictures, and the characters that no font has on the pages laid out so far under the present settings, one warning for each
  /// script (`missing-glyph`). Such a character is shown as a box with its code point.
  public var diagnostics: [Diagnostic] {
    let resources = state.withLock(\.resources)
    return book.diagnostics + resources.fontBooks.diagnostics + resources.images.diagnostics.diagnostics
      + resources.losses.characters.diagnostics(resources.fonts)
  }

  // MARK: Pages

  /// The pages of a chapter from the one that holds a place, each made when it is asked for: the first one comes early, and who
  /// stops asking stops the work. A change of settings ends the sequence with ``PageError/superseded``.
  public func pages(of chapter: Int, from locator: Locator? = nil) -> ChapterPages {
    let (session, request) = open(chapter)
    trim()
    return ChapterPages(typesetter: self, session: session, request: request, start: locator)
  }

  /// One page. A chapter that shows nothing has none, and no number in the book.
  ///
  /// It takes as long as the pages before it whose starts are not known yet; those of a chapter that is kept are.
  ///
  /// - Parameters:
  ///   - index: From 0.
  ///   - chapter: Its position in the reading order, from 0.
  public func page(_ index: Int, of chapter: Int) async throws(PageError) -> Page {
    guard let page = try await existingPage(index, of: chapter) else { throw .noSuchPage }
    return page
  }

  /// The page that holds a place. A place in a chapter without pages is on the page that follows there, or the book's
  /// last.
  public func page(containing locator: Locator) async throws(PageError) -> Page {
    guard book.publication.spine.indices.contains(locator.chapter) else { throw .noSuchPage }
    let shown = try await make(in: locator.chapter) { session, request in
      session.index(of: locator, request).flatMap { session.page(at: $0, request) }
    }
    if let shown { return shown }
    if let next = try await firstPage(behind: locator.chapter) { return next }
    guard let last = try await lastPage(before: locator.chapter) else { throw .noSuchPage }
    return last
  }

  /// The page behind another one, in its chapter or the next that has pages; nil at the book's end.
  public func page(after page: Page) async throws(PageError) -> Page? {
    if let next = try await existingPage(page.index + 1, of: page.chapter) { return next }
    return try await firstPage(behind: page.chapter)
  }

  /// The page before another one, in its chapter or in the last one before that has pages; nil at the book's start.
  public func page(before page: Page) async throws(PageError) -> Page? {
    if page.index > 0 { return try await existingPage(page.index - 1, of: page.chapter) }
    return try await lastPage(before: page.chapter)
  }

  /// A page; nil where there is no such page.
  func existingPage(_ index: Int, of chapter: Int) async throws(PageError) -> Page? {
    try await make(in: chapter) { $0.page(at: index, $1) }
  }

  /// The first page behind a chapter.
  func firstPage(behind chapter: Int) async throws(PageError) -> Page? {
    var next = chapter + 1
    while next < book.publication.spine.count {
      if let page = try await existingPage(0, of: next) { return page }
      next += 1
    }
    return nil
  }

  /// The last page before a chapter.
  func lastPage(before chapter: Int) async throws(PageError) -> Page? {
    var last = Swift.min(chapter, book.publication.spine.count) - 1
    while last >= 0 {
      let count = try await layout(of: last).pageCount
      if count > 0 { return try await page(count - 1, of: last) }
      last -= 1
    }
    return nil
  }

  /// Lays out what a reader may turn to next: the pages beside this one, also in the chapters beside its own.
  public func prefetch(around page: Page) async {
    _ = try? await self.page(after: page)
    if page.index == 0 { _ = try? await lastPage(before: page.chapter) }
  }

  /// All pages of a chapter, with where everything stands on them. Nothing is drawn.
  public func layout(of chapter: Int) async throws(PageError) -> ChapterLayout {
    let made = try await make(in: chapter) { session, request in
      session.layout(request).map { made in
        self.note(made.starts, of: chapter, request)
        return made.layout
      }
    }
    guard let made else { throw .noSuchPage }
    return made
  }

  /// What a session makes of a chapter; nil where there is no such thing.
  private func make<Made: Sendable>(
    in chapter: Int, _ body: @escaping @Sendable (ChapterSession, SessionRequest) -> Made?
  ) async throws(PageError) -> Made? {
    let (session, request) = open(chapter)
    guard let session else { return nil }
    defer { trim() }
    return try await made(request) { body(session, request) }
  }

  /// What a request makes; nil where it finds no such thing.
  func made<Made: Sendable>(
    _ request: SessionRequest, _ body: @escaping @Sendable () -> Made?
  ) async throws(PageError) -> Made? {
    if let made = await request.perform(body) { return made }
    guard !Worker.isOrphan else { throw .unavailable }
    guard !request.isCancelled, !Task.isCancelled else { throw .cancelled }
    guard state.withLock(\.resources.generation) == request.resources.generation else { throw .superseded }
    return nil
  }

  /// The text of a chapter in reading order.
  public func text(of chapter: Int) async -> String {
    guard book.publication.spine.indices.contains(chapter) else { return "" }
    let resources = state.withLock(\.resources)
    return await Worker.perform { StyledChapter(resources, index: chapter).text() }
  }

  // MARK: Settings

  /// Sets the book anew: pages that are asked for from now on have these settings. Documents stay parsed; what else is
  /// kept depends on the change.
  public func apply(_ settings: TypesettingSettings) {
    state.withLock { state in
      guard settings != state.resources.chosenSettings else { return }
      let depends = LayoutKey.Settings(settings) != LayoutKey.Settings(state.resources.chosenSettings)
      state.resources = BookResources(state.resources, settings: settings, keepsPages: !depends)
      if depends {
        state.starts = Array(repeating: nil, count: state.starts.count)
        state.key = nil
      }
    }
  }

  /// Sets the book anew, and gives the page that now holds the reader's place.
  @discardableResult
  public func apply(_ settings: TypesettingSettings, keeping locator: Locator) async throws(PageError) -> Page {
    apply(settings)
    return try await page(containing: locator)
  }

  // MARK: Sessions

  private func open(_ chapter: Int) -> (ChapterSession?, SessionRequest) {
    state.withLock { state in
      guard book.publication.spine.indices.contains(chapter) else { return (nil, SessionRequest(state.resources)) }
      state.lastUse = pool?.tick() ?? 0
      let session: ChapterSession
      if let index = state.sessions.firstIndex(where: { $0.chapter == chapter }) {
        session = state.sessions.remove(at: index)
      } else {
        if state.resources.heldBytes > cacheLimit / 2 { state.renew() }
        session = ChapterSession(chapter: chapter, resources: state.resources)
      }
      session.lastUse.store(state.lastUse ?? 0, ordering: .relaxed)
      state.sessions.append(session)
      return (session, SessionRequest(state.resources, starts: state.starts[chapter], pool: pool))
    }
  }
}

/// The pages of one chapter, made on demand.
public struct ChapterPages: AsyncSequence, Sendable {
  /// One page after the other.
  public typealias Element = Page
  /// The end of the chapter is no error; to be cancelled, or overtaken by other settings, is.
  public typealias Failure = PageError
  let typesetter: Typesetter
  let session: ChapterSession?
  let request: SessionRequest
  let start: Locator?

  /// Starts at the page of the place asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  /// Makes the pages one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let pages: ChapterPages
    /// The page to be made next, once it is known.
    private var index: Int?

    init(pages: ChapterPages) {
      self.pages = pages
      if pages.start == nil { index = 0 }
    }

    /// The next page; nil behind the last one.
    ///
    /// - Throws: ``PageError/noSuchPage`` where the book has no such chapter.
    public mutating func next() async throws(PageError) -> Page? {
      guard let session = pages.session else { throw .noSuchPage }
      let request = pages.request.again
      let (known, place) = (index, pages.start)
      let page = try await pages.typesetter.made(request) { () -> Page? in
        let index = known ?? place.flatMap { session.index(of: $0, request) }
        return index.flatMap { session.page(at: $0, request) }
      }
      index = page.map { $0.index + 1 } ?? .max
      return page
    }
  }
}
