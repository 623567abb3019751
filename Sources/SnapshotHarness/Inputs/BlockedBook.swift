import FoundationEssentials

/// A book that runs leave out for a while, under one profile or all: an entry of `blocked.yaml` beside the corpus.
package struct BlockedBook: Hashable, Codable, Sendable {
  package var book: String
  /// nil for all.
  package var profile: String?
  package var reason: String
  package var who: String
  /// The last day that it is left out on, `yyyy-mm-dd`.
  package var until: String

  static let fileName = "blocked.yaml"

  func covers(_ unit: UnitKey) -> Bool { unit.book == book && (profile == nil || profile == unit.profile) }

  /// For the report.
  var line: String {
    "blocked until \(until): \(book)\(profile.map { " (\($0))" } ?? ""): \(reason) (\(who))"
  }

  /// Reads a list; one that is not there is empty.
  static func read(_ path: String) throws(HarnessError) -> [BlockedBook] {
    guard let file = try YAMLFile(path: path) else { return [] }
    let top = try file.mapping(file.root, allowed: ["blocked"])
    guard let list = top["blocked"]?.sequence else {
      throw file.fault(file.root, "a list of blocked books is expected")
    }
    var blocked: [BlockedBook] = []
    for node in list {
      let values = try file.mapping(node, allowed: ["book", "profile", "reason", "who", "until"])
      guard let book = values["book"]?.string, let reason = values["reason"]?.string, let who = values["who"]?.string,
        let until = values["until"]?.string
      else { throw file.fault(node, "a blocked book needs book, reason, who and until") }
      guard isDay(until) else { throw file.fault(node, "until is a day such as 2027-01-31") }
      blocked.append(
        BlockedBook(book: book, profile: values["profile"]?.string, reason: reason, who: who, until: until))
    }
    return blocked
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let month = Int(parts[1]), let day = Int(parts[2]) else { return false }
    return Int(parts[0]) != nil && (1...12).contains(month) && (1...31).contains(day)
  }

  static var today: String { String(Date().ISO8601Format().prefix(10)) }
}

extension Corpus {
  /// Reads which books are left out. Entries whose day is over, and those of no book, are told as problems.
  mutating func readBlocked(_ path: String) throws(HarnessError) {
    let today = BlockedBook.today
    let known = Set(books.map(\.id))
    for entry in try BlockedBook.read(path) {
      if !known.contains(entry.book) {
        problems.append("\(path): the corpus has no book \(entry.book)")
      } else if entry.until < today {
        problems.append("\(path): \(entry.book) is no longer blocked, since \(entry.until) is over: \(entry.reason)")
      } else {
        blocked.append(entry)
      }
    }
  }
}
