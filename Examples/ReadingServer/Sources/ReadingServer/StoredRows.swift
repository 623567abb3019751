import GRDB
import Typesetting

/// A file of the shelf, and what is known of it while its size and date stay the same.
struct BookRow: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  var id: String
  /// From the shelf's folder.
  var path: String
  var size: Int
  /// Seconds since 1970.
  var modified: Double
  var facts: Facts

  /// Another one when the file has changed.
  var edition: String { "\(size)-\(modified)" }

  struct Facts: Codable, Hashable, Sendable {
    var title: String
    var authors: [String] = []
    var language = ""
    var kind = ""
    var isRightToLeft = false
    var hasCover = false
    /// Why the book cannot be read.
    var problem: String?
  }
}

/// Where the reader of a book is.
struct PlaceRow: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "place"
  var book: String
  var locator: Locator
  var cfi: String?
  /// The share of the book that has been read.
  var progress: Double
  /// Seconds since 1970.
  var changed: Double
}

/// A highlight or a bookmark.
struct MarkRow: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "mark"
  enum Kind: String, Codable, Hashable, Sendable { case highlight, bookmark }
  enum Color: String, Codable, Hashable, Sendable, CaseIterable { case yellow, green, blue, pink }
  var id: String
  var book: String
  var kind: Kind
  var start: Locator
  var end: Locator
  var cfi: String?
  /// The marked text, or the first words of a page.
  var text: String
  /// The reader's words; empty for none.
  var note: String
  var color: Color
  /// Seconds since 1970.
  var made: Double

  var range: Range<Locator> { start..<Swift.max(start, end) }
}
