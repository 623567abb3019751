import HTTPTypes
import Hummingbird
import HummingbirdCore
import Typesetting

/// The books that are being read: opened once, and set under the settings that are asked for, within a bound.
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
    var counting: Task<Void, Never>?
    var prefetching: Task<Void, Never>?
    /// A change of settings that has not been made yet.
    var change: Task<Void, Never>?

    init(id: String, edition: String, book: Book, typesetter: Typesetter, settings: TypesettingSettings) {
      self.id = id
      self.edition = edition
      self.book = book
      self.typesetter = typesetter
      self.settings = settings
    }

    /// Ends what goes on in the background.
    func stop() {
      counting?.cancel()
      prefetching?.cancel()
      counting = nil
    }
  }

  private let shelf: Shelf
  private let store: Store
  private let capacity: Int
  private static let perBook = 2
  /// Times the capacity that may be in use at once.
  private static let mostInUse = 4
  private let bytesPerTypesetter: Int
  private var entries: [Entry] = []
  private var clock: UInt64 = 0

  /// - Parameters:
  ///   - memory: Bytes that all typesetters may keep together.
  ///   - capacity: How many typesetters are kept.
  init(shelf: Shelf, store: Store, memory: Int, capacity: Int = 6) {
    bytesPerTypesetter = memory / capacity
    self.shelf = shelf
    self.store = store
    self.capacity = capacity
  }

  /// Does something with a book that is set as asked; meanwhile its settings stay.
  func with<Result: Sendable>(
    _ id: String, _ settings: TypesettingSettings, _ body: @Sendable (Session) async throws -> Result
  ) async throws -> Result {
    let entry = try await entry(id, settings)
    defer {
      entry.users -= 1
      trim()
    }
    await entry.change?.value
    countPages(of: entry)
    return try await body(
      Session(book: entry.book, typesetter: entry.typesetter, edition: entry.edition))
  }

  /// Does something with a book for which it does not matter how it is set.
  func with<Result: Sendable>(
    _ id: String, _ body: @Sendable (Session) async throws -> Result
  ) async throws -> Result {
    let settings = entries.filter { $0.id == id }.max { $0.lastUse < $1.lastUse }?.settings
    return try await with(id, settings ?? PageStyle.standard.typesetting, body)
  }

  /// Ends what goes on in the background.
  func close() async {
    for entry in entries { entry.stop() }
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
    guard entries.count < capacity * Self.mostInUse else {
      throw Problem(.serviceUnavailable, "Too much is being asked at once. Try again in a moment.")
    }
    let others = entries.filter { $0.id == id && $0.edition == edition }
    if others.count >= Self.perBook,
      let entry = others.filter({ $0.users == 0 }).min(by: { $0.lastUse < $1.lastUse })
    {
      entry.stop()
      entry.settings = settings
      let typesetter = entry.typesetter
      entry.change = Task { _ = await typesetter.apply(settings) }
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

  private func trim() {
    while entries.count > capacity,
      let oldest = entries.indices.filter({ entries[$0].users == 0 }).min(by: {
        entries[$0].lastUse < entries[$1].lastUse
      })
    {
      entries[oldest].stop()
      entries.remove(at: oldest)
    }
  }

  // MARK: In the background

  /// Makes the pages that may be turned to next. Who has turned on needs those around the page before no more.
  func prefetch(around page: Page, _ id: String, _ settings: TypesettingSettings) {
    guard let entry = entries.first(where: { $0.id == id && $0.settings == settings }) else { return }
    entry.prefetching?.cancel()
    let typesetter = entry.typesetter
    entry.prefetching = Task { await typesetter.prefetch(around: page) }
  }

  /// Counts a book's pages in the background and saves where they start.
  private func countPages(of entry: Entry) {
    guard entry.counting == nil, !entry.typesetter.pageCounts.isExact else { return }
    let (typesetter, store, id) = (entry.typesetter, store, entry.id)
    entry.counting = Task(priority: .background) {
      // The page that was asked for goes first.
      try? await Task.sleep(for: .seconds(2))
      guard !Task.isCancelled else { return }
      for await _ in typesetter.countPages() where Task.isCancelled { return }
      guard !Task.isCancelled else { return }
      try? await store.save(typesetter.directory, of: id)
    }
  }
}
