import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Typesetting

/// The reader's marks in a book: highlights with or without a note, and bookmarks.
struct MarkRoutes {
  let shelf: Shelf
  let sessions: BookSessions
  let store: Store

  func add(to router: Router<ReadingContext>) {
    router.on("/api/books/:book/marks", [(.get, { try await list($0, $1) }), (.post, { try await make($0, $1) })])
    router.on(
      "/api/books/:book/marks/:mark", [(.put, { try await change($0, $1) }), (.delete, { try await remove($0, $1) })])
  }

  private struct NewMark: Decodable {
    var kind: MarkRow.Kind
    var start: String
    var end: String?
    var color: MarkRow.Color?
    var note: String?
  }

  private struct Change: Decodable {
    var color: MarkRow.Color?
    var note: String?
  }

  private static let longestNote = 10_000
  private static let longestText = 20_000
  private static let mostMarks = 10_000

  @Sendable private func list(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let (row, _) = try await shelf.book(try context.parameters.require("book"))
    return try json(try await store.marks(of: row.id).map(MarkAnswer.init), request, context)
  }

  @Sendable private func make(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let id = try context.parameters.require("book")
    let value = try await request.value(NewMark.self, context)
    guard let start = Locator(value.start), let end = Locator(value.end ?? value.start) else {
      throw Problem(.badRequest, "“start” or “end” is no place.")
    }
    let note = try Self.checked(note: value.note ?? "")
    guard try await store.marks(of: id).count < Self.mostMarks else {
      throw Problem(.unprocessableContent, "The book has too many marks.")
    }
    let mark = try await sessions.with(id) { session in
      guard session.book.chapters.indices.contains(start.chapter) else { throw Problem.noSuchPage }
      let first = await session.book.locator(repairing: start)
      var mark = MarkRow(
        id: Shelf.newID(), book: id, kind: value.kind, start: first, end: first, text: first.quote?.after ?? "",
        note: note, color: value.color ?? .yellow, made: Date().timeIntervalSince1970)
      switch value.kind {
      case .bookmark: mark.cfi = await session.book.cfi(for: first).map { "\($0)" }
      case .highlight:
        guard start.chapter == end.chapter, start < end else {
          throw Problem(.unprocessableContent, "A highlight goes forward within a chapter.")
        }
        let layout = try await session.typesetter.layout(of: start.chapter)
        let range = layout.described(start)..<layout.described(end)
        mark.start = range.lowerBound
        mark.end = range.upperBound
        mark.text = layout.text(range)
        guard !mark.text.isEmpty, mark.text.utf16.count <= Self.longestText else {
          throw Problem(.unprocessableContent, mark.text.isEmpty ? "There is no text to mark." : "That is too much.")
        }
        mark.cfi = await session.book.cfi(for: range).map { "\($0)" }
      }
      return mark
    }
    try await store.save(mark)
    var response = try json(MarkAnswer(mark), request, context)
    response.status = .created
    return response
  }

  @Sendable private func change(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let value = try await request.value(Change.self, context)
    guard
      var mark = try await store.mark(
        try context.parameters.require("mark"), of: try context.parameters.require("book"))
    else { throw Problem.noSuchMark }
    if let color = value.color { mark.color = color }
    if let note = value.note { mark.note = try Self.checked(note: note) }
    try await store.save(mark)
    return try json(MarkAnswer(mark), request, context)
  }

  @Sendable private func remove(_ request: Request, _ context: ReadingContext) async throws -> Response {
    guard
      try await store.deleteMark(
        try context.parameters.require("mark"), of: try context.parameters.require("book"))
    else { throw Problem.noSuchMark }
    return Response(status: .noContent)
  }

  private static func checked(note: String) throws -> String {
    guard note.utf16.count <= longestNote else { throw Problem(.unprocessableContent, "The note is too long.") }
    return note
  }
}
