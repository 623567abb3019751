import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Typesetting

/// The shelf: books, covers, uploads, and the reader's settings.
struct ShelfRoutes {
  let shelf: Shelf
  let store: Store
  let images: PageImages

  func add(to router: Router<ReadingContext>) {
    router.on("/api/books", [(.get, { try await list($0, $1) }), (.post, { try await upload($0, $1) })])
    router.on("/api/books/:book/cover", [(.get, { try await cover($0, $1) })])
    router.on("/api/settings", [(.get, { try await settings($0, $1) }), (.put, { try await change($0, $1) })])
  }

  @Sendable private func list(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let places = Dictionary(try await store.places().map { ($0.book, $0) }) { $1 }
    return try json(try await shelf.all().map { BookAnswer($0, place: places[$0.id]) }, request, context)
  }

  @Sendable private func upload(_ request: Request, _ context: ReadingContext) async throws -> Response {
    guard request.headers[.contentType]?.hasPrefix("application/octet-stream") == true else {
      throw Problem(.unsupportedMediaType, "Send a book as application/octet-stream.")
    }
    guard let name = Query(request).string("name"), !name.isEmpty else {
      throw Problem(.badRequest, "“name” is missing: the name of the file.")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > shelf.uploadLimit {
      throw Shelf.tooLarge(shelf.uploadLimit)
    }
    var response = try json(BookAnswer(try await shelf.add(request.body, name: name), place: nil), request, context)
    response.status = .created
    return response
  }

  @Sendable private func cover(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let (row, path) = try await shelf.book(try context.parameters.require("book"))
    guard row.facts.hasCover else { throw Problem(.notFound, "The book has no cover.") }
    let name = "\(row.id) cover \(row.edition)"
    return try await picture(name, request, context) {
      try await images.image(name) {
        let book = try await Book(contentsOf: path)
        let size = Size(width: LayoutUnit(480), height: LayoutUnit(720))
        guard let cover = await book.coverThumbnail(fitting: size) else {
          throw Problem(.notFound, "The cover cannot be drawn.")
        }
        return cover
      }
    }
  }

  @Sendable private func settings(_ request: Request, _ context: ReadingContext) async throws -> Response {
    try json(try await store.settings(), request, context)
  }

  @Sendable private func change(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let settings = try await request.value(ReaderSettings.self, context).checked()
    try await store.save(settings)
    return try json(settings, request, context)
  }
}

/// Answers with a picture that never changes under its name, or says that the browser has it.
func picture(
  _ name: String, _ request: Request, _ context: ReadingContext, _ make: @escaping @Sendable () async throws -> Data
) async throws -> Response {
  let tag = "\"\(Digest.of(name))\""
  let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=604800, immutable"]
  if request.headers[.ifNoneMatch]?.contains(tag) == true { return Response(status: .notModified, headers: headers) }
  let bytes = try await context.whileClientWaits(make)
  var response = Response(
    status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  response.headers[.contentType] = "image/png"
  return response
}
