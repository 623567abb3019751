import BookOutput
import FoundationEssentials

/// What an index tells of a book beside what is in `CorpusBook`.
package struct BookFacts: Hashable, Sendable {
  /// Seconds that setting it is expected to take.
  package var seconds: Double
  /// What it uses (`BookFeatures`), with spaces between; nil where nobody could find out, so that it may be anything.
  package var features: String?
}

/// `corpus.index`: all that a run needs to know of the books of a corpus, so that a part of it reads its own books
/// only.
///
/// The first line is `typeset-index`, the version of the format, and the SHA-256 of all that follows. Then there is a
/// line for each book with tabs between: name, path from the corpus on, hash, size, milliseconds that setting it is
/// expected to take, tier, tags, features, and as JSON what few books have. It depends on the corpus alone, so
/// machines that index equal corpora get equal bytes.
package enum CorpusIndex {
  private static let magic = "typeset-index 2"
  /// In place of the features of a book that cannot be looked into.
  private static let unknown = "?"

  /// What few books have, as JSON.
  private struct Rest: Codable, Equatable {
    var note: String?
    var licence: String?
    var profiles: [String]?
    var limits: UnitLimits?
    var masks: [Mask]?
    var tolerance: PixelTolerance?

    init(_ book: CorpusBook) {
      note = book.note.isEmpty ? nil : book.note
      licence = book.licence.isEmpty ? nil : book.licence
      profiles = book.profiles.isEmpty ? nil : book.profiles
      limits = book.limits == UnitLimits() ? nil : book.limits
      masks = book.masks.isEmpty ? nil : book.masks
      tolerance = book.tolerance
    }
  }

  /// The folder that paths of an index start from.
  static func root(of corpus: String) -> String {
    let path = Corpus.standardized(corpus)
    return Files.isFolder(path) ? path : OutputFiles.folder(of: path)
  }

  static func relative(_ path: String, to root: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  // MARK: Writing

  static func bytes(of corpus: Corpus, root: String) -> [UInt8] {
    var body: [UInt8] = []
    for book in corpus.books {
      let facts = corpus.facts[book.id] ?? BookFacts(seconds: book.guessedSeconds)
      let rest = Rest(book)
      let isPlain = rest == Rest(CorpusBook(id: "", path: "", hash: "", size: 0))
      let fields = [
        book.id, escaped(relative(book.path, to: root)), book.hash, "\(book.size)",
        "\(max(1, Int((facts.seconds * 1000).rounded())))", book.tier, book.tags.map(escaped).joined(separator: ","),
        facts.features ?? unknown,
        isPlain ? "" : String(decoding: Files.json(rest).dropLast(), as: UTF8.self),
      ]
      body += fields.joined(separator: "\t").utf8
      body.append(0x0A)
    }
    return SealedBytes.seal(body, as: magic)
  }

  /// Separators, and what no line can have, as `%` and two digits.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: mustBeEscaped) else { return text }
    return String(
      decoding: text.utf8.flatMap { byte -> [UInt8] in
        guard mustBeEscaped(byte) else { return [byte] }
        return Array("%".utf8) + [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
      }, as: UTF8.self)
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x25 || byte == 0x2C || byte == 0x7F
  }

  static func unescaped(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(0x25) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Reading

  /// The books that an index lists, as they lie in a corpus; none of them is opened.
  ///
  /// - Parameter corpus: What the index was made of, wherever it lies here.
  package static func read(
    _ path: String, of corpus: String, profiles: String? = nil, fonts: String? = nil,
    cache: String = FontSet.defaultCache
  ) throws(HarnessError) -> Corpus {
    guard Files.exists(path) else { throw HarnessError.missing("\(path): there is no such index") }
    guard Files.exists(corpus) else { throw HarnessError.missing("\(corpus): there is no such corpus") }
    let root = root(of: corpus)
    var read = Corpus(books: [], profiles: Profile.defaults, fonts: .system)
    guard let lines = lines(of: path) else {
      throw HarnessError.invalid("\(path): it is no index, or not what this version's typeset snapshot index wrote")
    }
    read.books.reserveCapacity(lines.count)
    for line in lines {
      guard let (book, facts) = entry(line, root: root) else {
        throw HarnessError.invalid(
          "\(path): a line cannot be read: \(String(decoding: line.prefix(60), as: UTF8.self))")
      }
      read.books.append(book)
      read.facts[book.id] = facts
    }
    guard !read.books.isEmpty else { throw HarnessError.missing("\(path): there is no book in it") }
    try read.readSettings(beside: [root], profiles: profiles, fonts: fonts, cache: cache)
    return read
  }

  /// The lines of books of an index; nil where it is damaged.
  static func lines(of path: String) -> [ArraySlice<UInt8>]? {
    Files.read(path).flatMap { SealedBytes.open($0, as: magic) }?.split(separator: 0x0A)
  }

  static func entry(_ line: ArraySlice<UInt8>, root: String) -> (CorpusBook, BookFacts)? {
    let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
    func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }
    guard fields.count == 9, let size = Int(text(3)), let cost = Int(text(4)) else { return nil }
    let path = unescaped(text(1))
    var book = CorpusBook(
      id: text(0), path: path.hasPrefix("/") ? path : Files.join(root, path), hash: text(2), size: size)
    book.tier = text(5)
    if !fields[6].isEmpty { book.tags = text(6).split(separator: ",").map { unescaped($0) } }
    if !fields[8].isEmpty {
      guard let rest = try? JSONDecoder().decode(Rest.self, from: Data(fields[8])) else { return nil }
      book.note = rest.note ?? ""
      book.licence = rest.licence ?? ""
      book.profiles = rest.profiles ?? []
      book.limits = rest.limits ?? UnitLimits()
      book.masks = rest.masks ?? []
      book.tolerance = rest.tolerance
    }
    let features = text(7)
    return (book, BookFacts(seconds: Double(cost) / 1000, features: features == unknown ? nil : features))
  }
}
