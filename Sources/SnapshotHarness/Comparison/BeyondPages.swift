import FoundationEssentials
import Primitives
import Typesetting

/// What a book is beyond its pages, as text that can be compared: its metadata, contents and page list as readers are
/// given them, its text (`--text`), and what its PDF tells of the whole. Lines begin with the name of what they are of.
enum BeyondPages {
  /// What is told, by the names that lines begin with, in words.
  static let kinds: [(name: String, words: String)] = [
    ("contents", "table of contents"), ("metadata", "metadata"), ("spine", "chapters"), ("landmarks", "landmarks"),
    ("pages", "page list"),
    ("text", "text of the book"), ("outline", "outline of PDFs"), ("information", "metadata of PDFs"),
    ("characters", "characters of the text in PDFs"), ("unread", "whether what was written can be read"),
  ]
  /// Those that are told where a PDF is written.
  private static let written: Set = ["text", "outline", "information", "characters", "unread"]

  /// - Parameter book: nil for one that cannot be read.
  static func text(of book: Book?) -> String {
    guard let book else { return line("unread", "the book") }
    var lines = metadata(of: book).map { line("metadata", $0) }
    let lists = [("contents", book.tableOfContents), ("landmarks", book.landmarks), ("pages", book.pageList)]
    for (kind, entries) in lists {
      for entry in entries {
        let title = String(repeating: "  ", count: entry.level) + entry.title
        lines.append(line(kind, "\(title) to \(entry.href ?? "nothing")"))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// - Parameters:
  ///   - pdf: The book's; nil where it cannot be read.
  ///   - text: The book's, as it was written.
  static func text(of pdf: PDFReading?, text: [UInt8]?) -> String {
    var lines: [String] = []
    if let pdf {
      lines += pdf.outline.map { line("outline", $0) }
      lines += pdf.metadata.map { line("information", $0) }
      lines.append(line("characters", pdf.characters))
    } else {
      lines.append(line("unread", "the PDF"))
    }
    // Its paragraphs are told by their hashes: the text itself is in the records of pages.
    for paragraph in (text ?? []).split(separator: 0x0A) {
      var hasher = StableHasher()
      hasher.combine(Array(paragraph))
      lines.append(
        line("text", hexadecimal(hasher.value) + " " + String(decoding: paragraph, as: UTF8.self).prefix(24)))
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ kind: String, _ text: String) -> String {
    "\(kind) \(text.replacing("\n", with: "⏎"))"
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
    // A profile may write a PDF that wrote none, or none any more.
    let isWritten = [before, after].map { !written.isDisjoint(with: $0.keys) }
    return kinds.compactMap { kind, words in
      if isWritten[0] != isWritten[1], written.contains(kind) { return nil }
      let (one, two) = (before[kind] ?? [], after[kind] ?? [])
      if one == two { return nil }
      if two.isEmpty { return change("\(kind)|gone", "\(words) gone", severity: .high) }
      if kind == "outline", one == two.map({ $0.withoutSuffix(PDFReading.nowhere) }) {
        return change("outline|nowhere", "outline of PDFs leads nowhere", severity: .high)
      }
      var found = change(kind, "\(words) changed")
      found.general = found.summary
      found.summary += firstDifference(one, two, isText: kind == "text")
      return found
    }
  }

  /// By kind, in order. Some are of another kind than they are written as: chapters, which the contents name, and that
  /// the outline is shown, which goes with it.
  private static func lines(_ text: String) -> [String: [Substring]] {
    var lines: [String: [Substring]] = [:]
    for line in text.split(separator: "\n") {
      let end = line.firstIndex(of: " ") ?? line.endIndex
      let value = line[end...].dropFirst()
      var kind = String(line[..<end])
      if kind == "metadata", value.hasPrefix("spine: ") { kind = "spine" }
      if kind == "information", value == "PageMode: UseOutlines" { kind = "outline" }
      lines[kind, default: []].append(value)
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

extension Substring {
  func withoutSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
