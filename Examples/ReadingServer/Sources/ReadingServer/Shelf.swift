import FoundationEssentials
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import Typesetting

/// The books of a folder, each known by an id that says nothing of where its file lies.
actor Shelf {
  nonisolated let folder: ShelfFolder
  private let store: Store
  /// Bytes an upload may have.
  nonisolated let uploadLimit: Int
  private var books: [String: BookRow] = [:]
  private var isKnown = false
  private var refreshing: Task<Void, any Error>?

  init(folder: ShelfFolder, store: Store, uploadLimit: Int) {
    self.folder = folder
    self.store = store
    self.uploadLimit = uploadLimit
  }

  // MARK: What there is

  /// All books by title, after another look at the folder.
  func all() async throws -> [BookRow] {
    try await refresh()
    return books.values.sorted { a, b in
      let (first, second) = (a.facts.title.lowercased(), b.facts.title.lowercased())
      return first != second ? first < second : a.path < b.path
    }
  }

  /// A book that can be read, and the absolute path of its file now.
  func book(_ id: String) async throws -> (row: BookRow, path: String) {
    if !isKnown { try await refresh() }
    guard let row = books[id], let path = folder.resolved(row.path) else { throw Problem.noSuchBook }
    if let problem = row.facts.problem { throw Problem(.unprocessableContent, problem) }
    return (row, path)
  }

  /// Looks at the folder: what is new or has changed is opened once.
  private func refresh() async throws {
    if let refreshing { return try await refreshing.value }
    let task = Task { try await look() }
    refreshing = task
    defer { refreshing = nil }
    try await task.value
  }

  private func look() async throws {
    let folder = folder
    let files = folder.files()
    var known: [String: BookRow] = [:]
    for row in try await store.books() { known[row.path] = row }
    var rows: [BookRow] = []
    var fresh: [BookRow] = []
    let present = Set(files.map(\.path))
    var moved = known.values.filter { !present.contains($0.path) }
    for file in files {
      var row = BookRow(
        id: Self.newID(), path: file.path, size: file.size, modified: file.modified, facts: .init(title: ""))
      if let old = known[file.path] {
        if old.size == file.size, old.modified == file.modified {
          rows.append(old)
          continue
        }
        row.id = old.id
      } else if file.size > 0,
        let index = moved.firstIndex(where: { $0.size == file.size && $0.modified == file.modified })
      {
        // A file that has got another name keeps its reader's place.
        row.id = moved.remove(at: index).id
      }
      fresh.append(row)
    }
    fresh = await withTaskGroup(of: BookRow.self) { group in
      var read: [BookRow] = []
      for (index, row) in fresh.enumerated() {
        // One core is left for those who read.
        if index >= NIOCore.System.coreCount - 1, let done = await group.next() { read.append(done) }
        group.addTask {
          var row = row
          row.facts = Self.facts(folder.resolved(row.path), name: row.path)
          return row
        }
      }
      return await group.reduce(into: read) { $0.append($1) }
    }
    if !fresh.isEmpty { try await store.save(fresh) }
    books = Dictionary((rows + fresh).map { ($0.id, $0) }) { $1 }
    isKnown = true
  }

  /// The shelf's entry of a book, or why it cannot be read.
  private static func facts(_ path: String?, name: String) -> BookRow.Facts {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    guard let path else { return .init(title: file, problem: "The file cannot be read.") }
    do {
      let book = try Book(contentsOf: path)
      let data = book.metadata
      let creators = data.creators.filter { $0.role == nil || $0.role == "aut" }
      return .init(
        title: data.title.isEmpty ? file : data.title,
        authors: (creators.isEmpty ? data.creators : creators).map(\.name).filter { !$0.isEmpty },
        language: data.language, kind: book.kind.rawValue, isRightToLeft: data.isRightToLeft,
        hasCover: book.coverPath != nil)
    } catch {
      return .init(title: file, problem: sentence(error))
    }
  }

  /// One line for the reader; where the file lies on this machine is nobody's business.
  static func sentence(_ error: BookError) -> String {
    let part = error.part.isEmpty || error.part.hasPrefix("/") ? "" : "\(error.part): "
    return "This book cannot be opened: \(part)\(error.reason)."
  }

  static func newID() -> String {
    String((0..<12).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" })
  }

  // MARK: Uploads

  /// Takes a book: it is written beside the others under a hidden name, opened to see whether it is one, and then named.
  func add(_ body: some AsyncSequence<ByteBuffer, any Error> & Sendable, name: String) async throws -> BookRow {
    guard let name = ShelfFolder.sanitized(name) else {
      throw Problem(
        .unsupportedMediaType, "Books are files that end in \(ShelfFolder.extensions.sorted().joined(separator: ", "))."
      )
    }
    let temporary = folder.root + "/.upload-\(Self.newID()).\(ShelfFolder.fileExtension(name))"
    defer { unlink(temporary) }
    try await Self.write(body, to: temporary, limit: uploadLimit)
    do {
      _ = try await Book(contentsOf: temporary)
    } catch {
      var error = error
      if error.part.hasSuffix(temporary) { error.part = "" }
      throw Problem(.unprocessableContent, Self.sentence(error))
    }
    guard let placed = folder.place(temporary, as: name) else {
      throw Problem(.init(code: 507, reasonPhrase: "Insufficient Storage"), "The shelf's folder takes no file.")
    }
    // A look that goes on may have missed the file.
    _ = try? await refreshing?.value
    try await refresh()
    guard let row = books.values.first(where: { $0.path == placed }) else { throw Problem.noSuchBook }
    return row
  }

  private static func write(
    _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable, to path: String, limit: Int
  ) async throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Problem(.forbidden, "The shelf's folder takes no file.") }
    defer { close(file) }
    var total = 0
    for try await chunk in body {
      total += chunk.readableBytes
      guard total <= limit else { throw tooLarge(limit) }
      let isWritten = chunk.withUnsafeReadableBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          rest = rest.dropFirst(count)
        }
        return true
      }
      guard isWritten else {
        throw Problem(.init(code: 507, reasonPhrase: "Insufficient Storage"), "There is no room for the book.")
      }
    }
    guard total > 0 else { throw Problem(.badRequest, "The file is empty.") }
  }

  static func tooLarge(_ limit: Int) -> Problem {
    Problem(.contentTooLarge, "Books of more than \(limit >> 20) MB are not taken.")
  }
}
