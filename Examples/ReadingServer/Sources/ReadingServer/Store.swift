import FoundationEssentials
import GRDB
import Typesetting

/// The server's lasting state: which books there are, where their reader is, what has been marked, and how pages are wanted.
struct Store: Sendable {
  private let queue: DatabaseQueue

  /// - Parameter path: The file of the database; nil for one in memory.
  init(path: String?) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      if path != nil { try db.execute(sql: "PRAGMA journal_mode = WAL") }
    }
    queue =
      try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
      ?? DatabaseQueue(configuration: configuration)
    try Self.migrator.migrate(queue)
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first") { db in
      try db.create(table: "book") { table in
        table.primaryKey("id", .text)
        table.column("path", .text).notNull().unique()
        table.column("size", .integer).notNull()
        table.column("modified", .double).notNull()
        table.column("facts", .jsonText).notNull()
      }
      try db.create(table: "place") { table in
        table.primaryKey("book", .text).references("book", onDelete: .cascade)
        table.column("locator", .jsonText).notNull()
        table.column("cfi", .text)
        table.column("progress", .double).notNull()
        table.column("changed", .double).notNull()
      }
      try db.create(table: "mark") { table in
        table.primaryKey("id", .text)
        table.column("book", .text).notNull().indexed().references("book", onDelete: .cascade)
        table.column("kind", .text).notNull()
        table.column("start", .jsonText).notNull()
        table.column("end", .jsonText).notNull()
        table.column("cfi", .text)
        table.column("text", .text).notNull()
        table.column("note", .text).notNull()
        table.column("color", .text).notNull()
        table.column("made", .double).notNull()
      }
      try db.create(table: "directory") { table in
        table.column("book", .text).notNull().references("book", onDelete: .cascade)
        table.column("key", .text).notNull()
        table.column("pages", .jsonText).notNull()
        table.column("used", .double).notNull()
        table.primaryKey(["book", "key"])
      }
      try db.create(table: "setting") { table in
        table.primaryKey("name", .text)
        table.column("value", .jsonText).notNull()
      }
    }
    return migrator
  }

  // MARK: Books

  func books() async throws -> [BookRow] { try await queue.read { try BookRow.fetchAll($0) } }

  func save(_ books: [BookRow]) async throws {
    try await queue.write { db in for book in books { try book.save(db) } }
  }

  // MARK: Places

  func place(of book: String) async throws -> PlaceRow? {
    try await queue.read { try PlaceRow.fetchOne($0, key: book) }
  }

  func places() async throws -> [PlaceRow] { try await queue.read { try PlaceRow.fetchAll($0) } }

  func save(_ place: PlaceRow) async throws { try await queue.write { try place.save($0) } }

  // MARK: Marks

  /// In the order of the book.
  func marks(of book: String) async throws -> [MarkRow] {
    let marks = try await queue.read { try MarkRow.filter(Column("book") == book).fetchAll($0) }
    return marks.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }

  func mark(_ id: String, of book: String) async throws -> MarkRow? {
    try await queue.read { try MarkRow.filter(Column("book") == book && Column("id") == id).fetchOne($0) }
  }

  func save(_ mark: MarkRow) async throws { try await queue.write { try mark.save($0) } }

  /// - Returns: `true` if there was one.
  func deleteMark(_ id: String, of book: String) async throws -> Bool {
    try await queue.write { try MarkRow.filter(Column("book") == book && Column("id") == id).deleteAll($0) > 0 }
  }

  // MARK: Settings

  func settings() async throws -> ReaderSettings {
    let text = try await queue.read {
      try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = 'reader'")
    }
    return text.flatMap { try? JSONDecoder().decode(ReaderSettings.self, from: Data($0.utf8)) } ?? ReaderSettings()
  }

  func save(_ settings: ReaderSettings) async throws {
    let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
    try await queue.write {
      try $0.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('reader', ?)", arguments: [text])
    }
  }

  // MARK: Where pages start

  /// Books are opened again with the settings used last: a few are kept of each.
  private static let directoriesPerBook = 4

  /// The directory of a book used last.
  func directories(of book: String) async throws -> [PageDirectory] {
    let texts = try await queue.read {
      try String.fetchAll($0, sql: "SELECT pages FROM directory WHERE book = ? ORDER BY used DESC", arguments: [book])
    }
    return texts.compactMap { try? JSONDecoder().decode(PageDirectory.self, from: Data($0.utf8)) }
  }

  func save(_ directory: PageDirectory, of book: String) async throws {
    guard let key = directory.key?.description else { return }
    let text = String(decoding: try JSONEncoder().encode(directory), as: UTF8.self)
    try await queue.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO directory VALUES (?, ?, ?, ?)",
        arguments: [book, key, text, Date().timeIntervalSince1970])
      try db.execute(
        sql: """
          DELETE FROM directory WHERE book = ?1 AND key NOT IN
          (SELECT key FROM directory WHERE book = ?1 ORDER BY used DESC LIMIT \(Self.directoriesPerBook))
          """, arguments: [book])
    }
  }
}
