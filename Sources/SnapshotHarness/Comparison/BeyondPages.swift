import FoundationEssentials
import Primitives
import Typesetting

/// What a book is beyond its pages, as text that can be compared: its metadata, contents and page list as readers are
/// given them, its text (`--text`), and what its PDF tells of the whole. Lines begin with the name of what they are of.
enum BeyondPages {
  /// What is told, by the names that lines begin with, in words.
  static let kinds: [(name: String, words: String)] = [
    ("contents", "table of contents"), ("metadata", "metadata"), ("landmarks", "landmarks"), ("pages", "page list"),
    ("text", "text of the book"), ("outline", "outline of PDFs"), ("information", "metadata of PDFs"),
    ("characters", "characters of the text in PDFs"), ("unread", "whether what was written can be read"),
  ]

  /// - Parameter pdf: The book's; nil where it cannot be read.
  static func text(of book: Book?, _ pdf: PDFReading?, text: [UInt8]?) -> String {
    var lines: [String] = []
    func add(_ kind: String, _ text: String) { lines.append("\(kind) \(text.replacing("\n", with: "⏎"))") }
    if let book {
      for line in metadata(of: book) { add("metadata", line) }
      let lists = [("contents", book.tableOfContents), ("landmarks", book.landmarks), ("pages", book.pageList)]
      for (kind, entries) in lists {
        for entry in entries {
          add(kind, String(repeating: "  ", count: entry.level) + "\(entry.title) to \(entry.href ?? "nothing")")
        }
      }
    } else {
      add("unread", "the book")
    }
    if let pdf {
      for line in pdf.outline { add("outline", line) }
      for line in pdf.metadata { add("information", line) }
      add("characters", pdf.characters)
    } else {
      add("unread", "the PDF")
    }
    // Its paragraphs are told by their hashes: the text itself is in the records of pages.
    for line in (text ?? []).split(separator: 0x0A) {
      var hasher = StableHasher()
      hasher.combine(Array(line))
      add("text", hexadecimal(hasher.value) + " " + String(decoding: line, as: UTF8.self).prefix(24))
    }
    return lines.joined(separator: "\n")
  }

  private static func metadata(of book: Book) -> [String] {
    let metadata = book.metadata
    var lines = ["title: \(metadata.title)", "language: \(metadata.language)", "identifier: \(metadata.identifier)"]
    for person in metadata.creators { lines.append("creator: \(person.name), \(person.role ?? "")") }
    for person in metadata.contributors { lines.append("contributor: \(person.name), \(person.role ?? "")") }
    let values = [
      ("date", metadata.date), ("publisher", metadata.publisher), ("rights", metadata.rights),
      ("description", metadata.description), ("version", metadata.version), ("cover", book.coverPath),
    ]
    for (name, value) in values { if let value { lines.append("\(name): \(value)") } }
    for subject in metadata.subjects { lines.append("subject: \(subject)") }
    lines.append("reads from right to left: \(metadata.isRightToLeft)")
    for chapter in book.chapters {
      lines.append(
        "spine: \(chapter.href) \(chapter.mediaType) \(chapter.title ?? "")\(chapter.isLinear ? "" : ", aside")")
    }
    return lines
  }

  /// The changes between two texts, one for each kind of line that differs; a single one where these are not at hand.
  ///
  /// - Parameter hash: Of the new text.
  static func changes(_ old: String?, _ new: String?, hash: UInt64) -> [Change] {
    func change(_ kind: String, _ summary: String, severity: Severity = ChangeClass.beyondPages.severity) -> Change {
      var change = Change(
        kind: .beyondPages, severity: severity, signature: "\(ChangeClass.beyondPages.rawValue)|\(kind)",
        summary: summary)
      change.fingerprint = hash & 0xFFFF_FFFF_FFFF
      return change
    }
    guard let old, let new else {
      return [
        change(
          "unknown",
          "contents, metadata, text or outline changed; which is not known, since the old ones are not kept here")
      ]
    }
    let (before, after) = (lines(old), lines(new))
    return kinds.compactMap { kind, words in
      let (one, two) = (before[kind] ?? [], after[kind] ?? [])
      if one == two { return nil }
      if two.isEmpty { return change("\(kind)|gone", "\(words) gone", severity: .high) }
      var found = change(kind, "\(words) changed")
      found.general = found.summary
      found.summary += firstDifference(one, two, isText: kind == "text")
      return found
    }
  }

  /// By kind, in order.
  private static func lines(_ text: String) -> [String: [Substring]] {
    var lines: [String: [Substring]] = [:]
    for line in text.split(separator: "\n") {
      let end = line.firstIndex(of: " ") ?? line.endIndex
      lines[String(line[..<end]), default: []].append(line[end...].dropFirst())
    }
    return lines
  }

  private static let longest = 60

  private static func firstDifference(_ old: [Substring], _ new: [Substring], isText: Bool) -> String {
    let place = zip(old, new).prefix { $0 == $1 }.count
    func quoted(_ lines: [Substring]) -> String? {
      guard place < lines.count else { return nil }
      let line = isText ? lines[place].dropFirst(17) : lines[place]
      return "“\(line.count > longest ? line.prefix(longest - 1) + "…" : line)”"
    }
    let number = ": line \(place + 1)"
    switch (quoted(old), quoted(new)) {
    case (let old?, let new?) where old != new: return "\(number), \(old) became \(new)"
    case (let old?, nil): return "\(number), \(old) is gone"
    case (nil, let new?): return "\(number), \(new) is new"
    default: return number
    }
  }
}
