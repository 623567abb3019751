import HTTPTypes
import Hummingbird
import HummingbirdCore
import Typesetting

/// The books that are being read: opened once, and set under the settings that are asked for, within a bound.
///
/// As many are kept as the memory holds: a novel takes a few MB, a book of pictures its share of the whole.
///
/// A book has at most two typesetters at rest, so that two windows may show it in different sizes; one that is asked for other
/// settings is the one used longest ago, which keeps what the change does not touch. One in use is never set anew.
actor BookSessions {
  /// A book set in one way, for the time of one request.
  struct Session: Sendable {
    let book: Book
    let typesetter: Typesetter
    /// Of the file: answers under another edition are old.
    let edition: String
  }

  private final class Entry {
    let id: String
    let edition: String
    let book: Book
    let typesetter: Typesetter
    var settings: TypesettingSettings
    var users = 0
    var lastUse: UInt64 = 0
    /// The page whose neighbours are to be made when there is time.
    var shown: Page?
    /// Its pages have been counted, as far as that can be.
    var isCounted = false

    init(id: String, edition: String, book: Book, typesetter: Typesetter, settings: TypesettingSettings) {
      self.id = id
      self.edition = edition
      self.book = book
      self.typesetter = typesetter
      self.settings = settings
    }

    /// About the memory it takes: with the book's own directory and contents.
    var byteCount: Int { typesetter.cachedBytes + 1 << 20 }
  }

  private let shelf: Shelf
  private let store: Store
  private static let perBook = 2
  /// Typesetters that may be in use at once.
  private static let mostInUse = 100
  private let memory: Int
  private var entries: [Entry] = []
  private var clock: UInt64 = 0
  /// Requests that somebody waits for.
  private var waiting = 0
  /// What is done while nobody waits.
  private var background: Task<Void, Never>?

  /// - Parameters:
  ///   - memory: Bytes that all books and typesetters may keep together. Those in use are kept whatever they take.
  init(shelf: Shelf, store: Store, memory: Int) {
    self.shelf = shelf
    self.store = store
    self.memory = memory
  }

  /// One book keeps no more than this, so that others have room beside it.
  private var bytesPerTypesetter: Int { memory / 6 }

  /// How many books and typesetters are open.
  var count: Int { entries.count }

  /// Does something with a book that is set as asked; meanwhile its settings stay.
  ///
  /// - Parameter waits: Somebody waits for the answer: work in the background makes room.
  func with<Result: Sendable>(
    _ id: String, _ settings: TypesettingSettings, waits: Bool = true,
    _ body: @Sendable (Session) async throws -> Result
  ) async throws -> Result {
    if waits { beginWaiting() }
    defer { if waits { endWaiting() } }
    let entry = try await entry(id, settings)
    defer {
      entry.users -= 1
      trim()
    }
    return try await body(
      Session(book: entry.book, typesetter: entry.typesetter, edition: entry.edition))
  }

  /// Does something with a book for which it does not matter how it is set.
  func with<Result: Sendable>(
    _ id: String, waits: Bool = true, _ body: @Sendable (Session) async throws -> Result
  ) async throws -> Result {
    let settings = entries.filter { $0.id == id }.max { $0.lastUse < $1.lastUse }?.settings
    return try await with(id, settings ?? PageStyle.standard.typesetting, waits: waits, body)
  }

  /// Ends what goes on in the background.
  func close() async {
    // Whoever still answers starts nothing anew.
    waiting += 1
    background?.cancel()
    await background?.value
    for entry in entries { try? await store.save(entry.typesetter.directory, of: entry.id) }
    entries = []
  }

  // MARK: Entries

  private func entry(_ id: String, _ settings: TypesettingSettings) async throws -> Entry {
    let (row, path) = try await shelf.book(id)
    let edition = row.edition
    for entry in entries where entry.id == id && entry.edition != edition { entry.lastUse = 0 }
    clock += 1
    if let entry = entries.first(where: { $0.id == id && $0.edition == edition && $0.settings == settings }) {
      return use(entry)
    }
    guard entries.count(where: { $0.users > 0 }) < Self.mostInUse else {
      throw Problem(.serviceUnavailable, "Too much is being asked at once. Try again in a moment.")
    }
    let others = entries.filter { $0.id == id && $0.edition == edition }
    if others.count >= Self.perBook,
      let entry = others.filter({ $0.users == 0 }).min(by: { $0.lastUse < $1.lastUse })
    {
      entry.shown = nil
      entry.isCounted = false
      entry.settings = settings
      let typesetter = entry.typesetter
      typesetter.apply(settings)
      return use(entry)
    }
    if let book = others.first?.book { return await add(id, edition, book, settings) }
    let book: Book
    do { book = try await Book(contentsOf: path) } catch {
      throw Problem(.unprocessableContent, Shelf.sentence(error))
    }
    return await add(id, edition, book, settings)
  }

  private func add(_ id: String, _ edition: String, _ book: Book, _ settings: TypesettingSettings) async -> Entry {
    let saved = (try? await store.directories(of: id)) ?? []
    // Another request may have been quicker.
    if let entry = entries.first(where: { $0.id == id && $0.edition == edition && $0.settings == settings }) {
      return use(entry)
    }
    var typesetter = Typesetter(book: book, settings: settings, cacheLimit: bytesPerTypesetter)
    if let directory = saved.first(where: { $0.key == typesetter.directory.key }) {
      typesetter = Typesetter(
        book: book, settings: settings, directory: directory, cacheLimit: bytesPerTypesetter)
    }
    let entry = Entry(id: id, edition: edition, book: book, typesetter: typesetter, settings: settings)
    entries.append(entry)
    return use(entry)
  }

  private func use(_ entry: Entry) -> Entry {
    entry.users += 1
    entry.lastUse = clock
    return entry
  }

  /// Closes the books used longest ago while all take too much.
  private func trim() {
    var bytes = entries.reduce(0) { $0 + $1.byteCount }
    while bytes > memory,
      let oldest = entries.indices.filter({ entries[$0].users == 0 }).min(by: {
        entries[$0].lastUse < entries[$1].lastUse
      })
    {
      bytes -= entries.remove(at: oldest).byteCount
    }
  }

  // MARK: In the background

  /// Makes the pages that may be turned to next, when there is time. Who has turned on needs those around the page before no more.
  func prefetch(around page: Page, _ id: String, _ settings: TypesettingSettings) {
    entries.first { $0.id == id && $0.settings == settings }?.shown = page
  }

  private func beginWaiting() {
    waiting += 1
    background?.cancel()
    background = nil
  }

  private func endWaiting() {
    waiting -= 1
    guard waiting == 0, background == nil else { return }
    background = Task(priority: .background) { await self.useQuiet() }
  }

  /// Makes neighbours of the pages that are being read, then counts pages, of the book used last first, until somebody waits again.
  private func useQuiet() async {
    for entry in entries.sorted(by: { $0.lastUse > $1.lastUse }) {
      guard let page = entry.shown, !Task.isCancelled else { continue }
      await entry.typesetter.prefetch(around: page)
      if !Task.isCancelled, entry.shown?.start == page.start { entry.shown = nil }
    }
    // Between two pages of a reader no counting begins that the next one would end.
    try? await Task.sleep(for: .milliseconds(500))
    for entry in entries.sorted(by: { $0.lastUse > $1.lastUse }) where !entry.isCounted {
      guard !Task.isCancelled else { return }
      let typesetter = entry.typesetter
      if await !Self.isExact(typesetter) {
        for await _ in typesetter.countPages() where Task.isCancelled { return }
        guard !Task.isCancelled else { return }
        try? await store.save(typesetter.directory, of: entry.id)
      }
      entry.isCounted = true
      trim()
    }
  }

  /// Outside of the actor: the book's text may have to be read for it.
  private nonisolated static func isExact(_ typesetter: Typesetter) async -> Bool { typesetter.pageCounts.isExact }
}
