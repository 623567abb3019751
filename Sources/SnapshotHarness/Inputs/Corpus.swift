import BookOutput
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// A book to be set in every run.
package struct CorpusBook: Hashable, Codable, Sendable {
  /// Its name in the corpus: letters and digits of any script, `-`, `_`, `.` and `/`.
  package var id: String
  /// An absolute path.
  package var path: String
  /// Of its bytes, or of the names and bytes of an unpacked one.
  package var hash: String
  /// Bytes: what the length of work is guessed from before it is known.
  package var size: Int
  package var tags: [String] = []
  /// `smoke`, `gate`, `full` or `hostile`.
  package var tier = "gate"
  /// The behaviour that the book guards, or its origin and licence.
  package var note = ""
  package var licence = ""
  /// Extra profiles it is set under.
  package var profiles: [String] = []
  package var limits = UnitLimits()
  /// The parts that comparisons leave out.
  package var masks: [Mask] = []
  /// The difference of pixels that is tolerated; nil leaves that to the profile.
  package var tolerance: PixelTolerance?
}

extension CorpusBook {
  private static let endingsOfPages: Set<String> = ["html", "htm", "xhtml", "xht", "md", "markdown"]

  /// The folder that the files beside it lie in.
  var folder: String { OutputFiles.folder(of: path) }

  /// What setting it may take, where nothing but its size is known.
  var guessedSeconds: Double { Double(size) / 2e6 + 0.05 }

  /// The book may name files beside it.
  var mayHaveFilesBeside: Bool {
    !Files.isFolder(path) && Self.endingsOfPages.contains(path.split(separator: ".").last?.lowercased() ?? "")
  }

  /// Of the book's bytes, and of those of the files beside it that it shows.
  ///
  /// - Parameter files: By path; empty for one that is missing.
  func hash(withFilesBeside files: [String: String]) -> String {
    let folder = folder + "/"
    let others = files.filter { $0.key != path && !$0.value.isEmpty }
    if others.isEmpty { return hash }
    let lines = others.map { path, hash in
      "\(hash) \(path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path)\n"
    }
    return SHA256.hex(Array(("\(hash)\n" + lines.sorted().joined()).utf8))
  }
}

/// The books of a run, in the order of their names.
package struct Corpus: Sendable {
  package var books: [CorpusBook]
  package var profiles: [Profile]
  package var fonts: FontSet
  /// What lies in its folders and was left out, a line each.
  package var problems: [String] = []
  /// By name of the book: what an index tells of it; empty without an index.
  package var facts: [String: BookFacts] = [:]
  /// Books that are left out for a while.
  package var blocked: [BlockedBook] = []

  /// Seconds that units are expected to take.
  ///
  /// - Parameter known: Those that a unit took before; nil where that is not known.
  func weights(of units: [UnitKey], known: (UnitKey) -> Double?) -> [Double] {
    let guesses = Dictionary(
      books.map { ($0.id, facts[$0.id]?.seconds ?? $0.guessedSeconds) }, uniquingKeysWith: { first, _ in first })
    return units.map { known($0) ?? guesses[$0.book] ?? 0 }
  }

  package static let tiers = ["smoke", "gate", "full", "hostile"]

  /// Reads corpora: each path is a `corpus.yaml`, a folder with one, a folder of books, or a book.
  ///
  /// `profiles.yaml` and `fonts.yaml` are those beside the first one, unless they are named.
  package static func read(
    _ paths: [String], profiles: String? = nil, fonts: String? = nil, cache: String = FontSet.defaultCache
  ) throws(HarnessError) -> Corpus {
    var books: [CorpusBook] = []
    var folders: [String] = []
    var problems: [String] = []
    for path in paths {
      let path = standardized(path)
      guard Files.exists(path) else { throw HarnessError.missing("\(path): there is no such corpus") }
      let list = Files.join(path, "corpus.yaml")
      if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
        books += try read(list: path, &problems)
        folders.append(OutputFiles.folder(of: path))
      } else if Files.isFolder(path), Files.exists(list) {
        books += try read(list: list, &problems)
        folders.append(path)
      } else if Files.isFolder(path), !isBookFolder(path) {
        books += try self.books(in: path, below: "", &problems)
        folders.append(path)
      } else {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let book = try book(at: path, id: stem(name)) else {
          throw HarnessError.missing("\(path): the book cannot be read")
        }
        books.append(book)
        folders.append(OutputFiles.folder(of: path))
      }
    }
    guard !books.isEmpty else {
      throw HarnessError.missing("\(paths.joined(separator: ", ")): there is no book in it")
    }
    books.sort { $0.id < $1.id }
    makeUnique(&books)
    var corpus = Corpus(books: books, profiles: Profile.defaults, fonts: .system, problems: problems)
    try corpus.readSettings(beside: folders, profiles: profiles, fonts: fonts, cache: cache)
    return corpus
  }

  /// Reads profiles and fonts: those that are named, or the first that lie in one of the folders.
  mutating func readSettings(
    beside folders: [String], profiles path: String?, fonts fontsPath: String?, cache: String
  ) throws(HarnessError) {
    func beside(_ name: String) -> String? { folders.lazy.map { Files.join($0, name) }.first(where: Files.exists) }
    for path in [path, fontsPath].compactMap({ $0 }) where !Files.exists(path) {
      throw HarnessError.missing("\(path): there is no such file")
    }
    if let path = path ?? beside("profiles.yaml"), let read = try Profile.read(path) { profiles = read }
    if let path = fontsPath ?? beside("fonts.yaml"), let read = try FontSet.read(path, cache: cache) { fonts = read }
    if let path = beside(BlockedBook.fileName) { try readBlocked(path) }
    for book in books {
      for name in book.profiles where !profiles.contains(where: { $0.name == name }) {
        throw HarnessError.invalid("\(book.id): there is no profile \(name)")
      }
    }
  }

  // MARK: Folders

  /// The extensions by which a file is taken for a book.
  private static let extensions: Set<String> = [
    "epub", "fb2", "mobi", "azw3", "md", "markdown", "html", "htm", "xhtml", "xht", "txt",
  ]

  /// The file tells of those beside it, as Markdown often does.
  private static func isNotice(_ path: String) -> Bool {
    path.split(separator: "/").last?.lowercased() == "readme.md"
  }

  private static func isBookFolder(_ path: String) -> Bool {
    Files.exists(Files.join(path, "META-INF/container.xml")) || Files.exists(Files.join(path, "mimetype"))
  }

  /// Endings of what lies beside books: what they show, and what tells of them.
  private static let companions: Set<String> = [
    "css", "js", "json", "ndjson", "yaml", "yml", "xml", "opf", "ncx", "png", "jpg", "jpeg", "gif", "svg", "webp",
    "avif",
    "jxl", "bmp", "ico", "ttf", "otf", "ttc", "woff", "woff2", "mp3", "mp4", "m4a", "ogg", "smil", "py", "sh",
  ]

  /// The books in a folder. The folders they lie in are their tags; what lies in one called `hostile` is of that tier.
  ///
  /// - Parameter problems: gets what may be meant for a book and is left out.
  private static func books(
    in folder: String, below prefix: String, _ problems: inout [String]
  ) throws(HarnessError) -> [CorpusBook] {
    var found: [CorpusBook] = []
    var strangers: [String] = []
    for relative in Files.walk(folder, isLeaf: isBookFolder) {
      let path = Files.join(folder, relative)
      let isFolder = Files.isFolder(path)
      let name = relative.split(separator: "/").last ?? ""
      let suffix = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
      guard Files.exists(path) else {
        problems.append("\(path): the link leads nowhere")
        continue
      }
      guard isFolder || extensions.contains(suffix) else {
        if !suffix.isEmpty, !companions.contains(suffix) { strangers.append(relative) }
        continue
      }
      if isNotice(relative) { continue }
      guard var book = try book(at: path, id: prefix + (isFolder ? relative : stem(relative))) else {
        problems.append("\(path): the book cannot be read")
        continue
      }
      book.tags = relative.split(separator: "/").dropLast().map(String.init)
      if book.tags.contains("hostile") { book.tier = "hostile" }
      found.append(book)
    }
    for hidden in Files.hiddenFolders(in: folder)
    where Files.walk(hidden).contains(where: { extensions.contains($0.split(separator: ".").last?.lowercased() ?? "") })
    {
      problems.append("\(hidden): books in a hidden folder are left out")
    }
    if !strangers.isEmpty {
      let rest = strangers.count - 5
      problems.append(
        "\(folder): left out, since the ending is of no book: " + strangers.prefix(5).joined(separator: ", ")
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    return found
  }

  private static func stem(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), extensions.contains(name[name.index(after: dot)...].lowercased()) else {
      return name
    }
    return String(name[..<dot])
  }

  /// Books of one name in several forms keep their endings, and equal ones are numbered.
  private static func makeUnique(_ books: inout [CorpusBook]) {
    var counts: [String: Int] = [:]
    for book in books { counts[book.id, default: 0] += 1 }
    var used = Set<String>()
    for index in books.indices {
      var id = books[index].id
      if counts[id, default: 0] > 1, let suffix = books[index].path.split(separator: ".").last {
        id += "." + clean(String(suffix))
      }
      var number = 2
      let base = id
      while !used.insert(id).inserted {
        id = "\(base)-\(number)"
        number += 1
      }
      books[index].id = id
    }
    books.sort { $0.id < $1.id }
  }

  private static func clean(_ id: String) -> String {
    let parts = id.split(separator: "/").filter { $0 != "." && $0 != ".." }.map { part in
      String(part.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
    }
    return parts.joined(separator: "/")
  }

  /// - Returns: nil for one that cannot be read. Fails for what stands for a book that was not fetched.
  private static func book(at path: String, id: String) throws(HarnessError) -> CorpusBook? {
    guard let (hash, size) = BookContent.hash(path) else { return nil }
    if size < 1024, Files.text(path)?.hasPrefix("version https://git-lfs.github.com/spec/") == true {
      throw HarnessError.invalid("\(path): it is a pointer of Git LFS and no book; git lfs pull fetches the book")
    }
    return CorpusBook(id: clean(id), path: path, hash: hash, size: size)
  }

  static func standardized(_ path: String) -> String {
    var path = Files.absolute(path)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  // MARK: corpus.yaml

  private static let keys: Set<String> = [
    "path", "id", "hash", "licence", "license", "note", "guards", "tags", "tier", "profiles", "limits", "area", "title",
    "masks", "tolerance",
  ]

  private static func read(list path: String, _ problems: inout [String]) throws(HarnessError) -> [CorpusBook] {
    guard let file = try YAMLFile(path: path) else { throw HarnessError.missing("\(path): there is no such corpus") }
    let folder = OutputFiles.folder(of: path)
    let top = try file.mapping(file.root, allowed: ["books", "note", "licence", "license", "tolerances"])
    guard let list = top["books"]?.sequence else { throw file.fault(file.root, "a list of books is expected") }
    let byTag = try file.tolerancesByTag(top["tolerances"])
    var books: [CorpusBook] = []
    for node in list {
      if let name = node.string {
        books += try entry(at: name, in: folder, file: file, node: node, &problems)
        continue
      }
      let values = try file.mapping(node, allowed: keys)
      guard let name = values["path"]?.string else { throw file.fault(node, "a book needs its path") }
      var found = try entry(at: name, in: folder, file: file, node: node, &problems)
      if let id = values["id"]?.string {
        guard found.count == 1, id == clean(id), !id.isEmpty else {
          throw file.fault(node, "an id is a name of letters, digits, - _ . and /, of one book")
        }
        found[0].id = id
      }
      if var hash = values["hash"]?.string?.lowercased() {
        if hash.hasPrefix("sha256:") { hash.removeFirst(7) }
        guard found.count == 1, found[0].hash.hasPrefix(hash), hash.count >= 8 else {
          throw file.fault(node, "\(name) is another book than the one that is meant: \(found.first?.hash ?? "")")
        }
      }
      let tier = values["tier"]?.string
      if let tier, !tiers.contains(tier) {
        throw file.fault(node, "a tier is one of \(tiers.joined(separator: ", "))")
      }
      let limits = try limits(values["limits"], file)
      let masks = try file.masks(values["masks"])
      let tolerance = try file.tolerance(values["tolerance"])
      for index in found.indices {
        found[index].tags += (file.strings(values["tags"]) + file.strings(values["area"])).filter {
          !found[index].tags.contains($0)
        }
        if let tier { found[index].tier = tier }
        found[index].note = (values["guards"] ?? values["note"])?.string ?? ""
        found[index].licence = (values["licence"] ?? values["license"])?.string ?? ""
        found[index].profiles = file.strings(values["profiles"])
        if let limits { found[index].limits = limits }
        found[index].masks = masks
        found[index].tolerance = tolerance
      }
      books += found
    }
    for index in books.indices where books[index].tolerance == nil {
      books[index].tolerance = byTag.first { books[index].tags.contains($0.tag) }?.tolerance
    }
    return books
  }

  /// The book at a path, or all books in a folder.
  private static func entry(
    at name: String, in folder: String, file: YAMLFile, node: YAMLNode, _ problems: inout [String]
  ) throws(HarnessError) -> [CorpusBook] {
    let path = standardized(name.hasPrefix("/") ? name : Files.join(folder, name))
    if Files.isFolder(path), !isBookFolder(path) {
      return try books(in: path, below: name.hasPrefix("/") ? "" : clean(name) + "/", &problems)
    }
    guard
      let book = try book(
        at: path, id: stem(name.hasPrefix("/") ? String(path.split(separator: "/").last ?? "") : name))
    else { throw HarnessError.missing("\(path): the book cannot be read") }
    return [book]
  }

  private static func limits(_ node: YAMLNode?, _ file: YAMLFile) throws(HarnessError) -> UnitLimits? {
    guard let node else { return nil }
    let values = try file.mapping(node, allowed: ["seconds", "memory"])
    var limits = UnitLimits()
    if let seconds = try file.number(values["seconds"]) { limits.seconds = seconds }
    if let memory = values["memory"] {
      guard let bytes = memory.int ?? memory.string.flatMap(byteCount) else {
        throw file.fault(memory, "a size such as 500M is expected")
      }
      limits.memory = bytes
    }
    return limits
  }
}

/// The units of a corpus that a run takes.
package struct UnitSelection: Hashable, Sendable {
  /// Names of books or of folders of books; empty for all.
  package var books: [String] = []
  package var profiles: [String] = []
  /// Text in the name, a tag or the note.
  package var grep: String?
  package var tags: [String] = []
  package var tiers: [String] = []
  package var limit: Int?
  /// What books use, by names of an index; any of them is enough. Books that may use anything are always meant.
  package var uses: [String] = []
  /// A share of the books, by what they use; nil is all.
  package var sample: Double?
  /// Only these units; nil is all.
  package var units: Set<UnitKey>?

  package init() {}

  /// The books that are meant by what they use.
  private func chosenByUse(_ books: [CorpusBook], of corpus: Corpus) throws(HarnessError) -> [CorpusBook] {
    if uses.isEmpty, sample == nil { return books }
    guard !corpus.facts.isEmpty else {
      throw HarnessError(64, "what books use is told by an index: --index names it")
    }
    func features(_ book: String) -> String? { corpus.facts[book]?.features }
    var books = books
    if !uses.isEmpty {
      let wanted = Set(uses)
      books.removeAll { book in
        features(book.id).map { !$0.split(separator: " ").contains { wanted.contains(String($0)) } } ?? false
      }
    }
    if let sample {
      let chosen = BookSample.choose(books.map(\.id), features: features, share: sample)
      books.removeAll { !chosen.contains($0.id) }
    }
    return books
  }

  /// The units in order, each book under all profiles or those that are named.
  package func units(of corpus: Corpus) throws(HarnessError) -> [UnitKey] {
    for name in profiles where !corpus.profiles.contains(where: { $0.name == name }) {
      throw HarnessError(
        64, "there is no profile \(name); there are \(corpus.profiles.map(\.name).joined(separator: ", "))")
    }
    func isMeant(_ book: CorpusBook, by name: String) -> Bool {
      book.id == name || book.id.hasPrefix(name + "/") || book.path == name
    }
    for name in books where !corpus.books.contains(where: { isMeant($0, by: name) }) {
      throw HarnessError.missing("\(name): the corpus has no such book")
    }
    let chosen = corpus.books.filter { book in
      guard books.isEmpty || books.contains(where: { isMeant(book, by: $0) }) else { return false }
      guard tags.isEmpty || !Set(tags).isDisjoint(with: book.tags) else { return false }
      guard tiers.isEmpty || tiers.contains(book.tier) else { return false }
      guard let grep else { return true }
      let text = ([book.id, book.note, book.licence] + book.tags).joined(separator: "\n").lowercased()
      return text.contains(grep.lowercased())
    }
    var units: [UnitKey] = []
    for book in try chosenByUse(chosen, of: corpus) {
      for profile in corpus.profiles where profiles.isEmpty || profiles.contains(profile.name) {
        if profile.isExtra, !book.profiles.contains(profile.name) { continue }
        let key = UnitKey(book: book.id, profile: profile.name)
        if self.units?.contains(key) ?? true { units.append(key) }
      }
    }
    if let limit { units = Array(units.prefix(limit)) }
    guard !units.isEmpty else { throw HarnessError.missing("no book of the corpus is chosen") }
    return units
  }
}
