import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Typesetting

/// A book that is read: its pages, their pictures, links, search, the reader's place.
struct ReadingRoutes {
  let shelf: Shelf
  let sessions: BookSessions
  let store: Store
  let pages: Pages

  func add(to router: Router<ReadingContext>) {
    router.on("/api/books/:book", [(.get, { try await open($0, $1) })])
    router.on("/api/books/:book/page", [(.get, { try await tell($0, $1, pages.page) })])
    router.on("/api/books/:book/spread", [(.get, { try await tell($0, $1, pages.spread) })])
    router.on("/api/books/:book/image", [(.get, { try await image($0, $1) })])
    router.on("/api/books/:book/counts", [(.get, { try await counts($0, $1) })])
    router.on("/api/books/:book/follow", [(.get, { try await follow($0, $1) })])
    router.on("/api/books/:book/note", [(.get, { try await note($0, $1) })])
    router.on("/api/books/:book/search", [(.get, { try await search($0, $1) })])
    router.on("/api/books/:book/place", [(.put, { try await keepPlace($0, $1) })])
  }

  @Sendable private func open(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let id = try context.parameters.require("book")
    let (row, _) = try await shelf.book(id)
    let place = try await store.place(of: id)
    let answer = try await sessions.with(id) { session in
      let book = session.book
      // The book may be another edition than the one that was being read.
      var here: Locator?
      if let place { here = await book.locator(repairing: place.locator) }
      return OpenBookAnswer(
        book: BookAnswer(row, place: place), isRightToLeft: book.metadata.isRightToLeft,
        isFixedLayout: book.metadata.isFixedLayout,
        chapters: book.chapters.count,
        contents: book.tableOfContents.map {
          ContentsAnswer(title: $0.title, level: $0.level, href: $0.href, chapter: $0.chapter)
        }, place: here?.description)
    }
    return try json(answer, request, context)
  }

  /// Tells what is found at the place a request names, with nothing before a book and behind it.
  private func tell<Answer: Encodable>(
    _ request: Request, _ context: ReadingContext,
    _ find: (String, Pages.Target, PageStyle, Range<Locator>?) async throws -> Answer?
  ) async throws -> Response {
    let query = Query(request)
    let answer = try await find(
      try context.parameters.require("book"), try target(query), try PageStyle(request), try query.range("from", "to"))
    return try answer.map { try json($0, request, context) } ?? Response(status: .noContent)
  }

  private func target(_ query: Query) throws -> Pages.Target {
    if let place = try query.locator("at") { return .place(place) }
    if let number = try query.integer("number", 1...10_000_000) { return .number(number) }
    if let (chapter, index) = try query.pageIndex("after") { return .after(chapter: chapter, index) }
    if let (chapter, index) = try query.pageIndex("before") { return .before(chapter: chapter, index) }
    let chapter = try query.integer("chapter", 0...1_000_000) ?? 0
    if query.string("index") == "last" { return .last(chapter: chapter) }
    return .index(chapter: chapter, try query.integer("index", 0...1_000_000) ?? 0)
  }

  @Sendable private func image(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let query = Query(request)
    guard let chapter = try query.integer("chapter", 0...1_000_000),
      let index = try query.integer("index", 0...1_000_000)
    else { throw Problem(.badRequest, "“chapter” and “index” say which page.") }
    let style = try PageStyle(request)
    let book = try context.parameters.require("book")
    let (row, _) = try await shelf.book(book)
    let name = "\(chapter) \(index) \(style.query) \(query.string("marks") ?? "") \(row.edition) \(pages.launch)"
    return try await picture("\(book) \(name)", request, context) {
      try await pages.image(book, chapter: chapter, index: index, style, name: name)
    }
  }

  @Sendable private func counts(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let style = try PageStyle(request)
    // Who asks for it again and again does not keep it from being counted.
    let counts = try await sessions.with(try context.parameters.require("book"), style.typesetting, waits: false) {
      $0.typesetter.pageCounts
    }
    return try json(
      CountsAnswer(chapters: counts.chapters.map(\.pages), isExact: counts.isExact, isReliable: counts.isReliable),
      request,
      context)
  }

  @Sendable private func follow(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let query = Query(request)
    let source = try query.locator("source")
    let href = query.string("href")
    guard source != nil || href != nil else { throw Problem(.badRequest, "“href” or “source” says what to follow.") }
    let answer = try await pages.follow(
      try context.parameters.require("book"), href: href, source: source, try PageStyle(request))
    return try json(answer, request, context)
  }

  @Sendable private func note(_ request: Request, _ context: ReadingContext) async throws -> Response {
    guard let source = try Query(request).locator("source") else {
      throw Problem(.badRequest, "“source” says whose note.")
    }
    let style = try PageStyle(request)
    let book = try context.parameters.require("book")
    let (row, _) = try await shelf.book(book)
    let name = "\(source) \(style.query) \(row.edition) \(pages.launch)"
    return try await picture("\(book) note \(name)", request, context) {
      try await pages.noteImage(book, source: source, style, name: name)
    }
  }

  // MARK: Search

  private static let mostResults = 500

  /// Results as lines of JSON, each as soon as it is found; the last line says how many there were.
  @Sendable private func search(_ request: Request, _ context: ReadingContext) async throws -> Response {
    guard let phrase = Query(request).string("q"), phrase.contains(where: { !$0.isWhitespace }) else {
      throw Problem(.badRequest, "“q” is missing: what to look for.")
    }
    guard phrase.utf16.count <= 200 else { throw Problem(.unprocessableContent, "“q” is too long.") }
    let style = try PageStyle(request)
    let id = try context.parameters.require("book")
    _ = try await shelf.book(id)
    let body = ResponseBody { [sessions] writer in
      let lines = AsyncStream<ByteBuffer>.makeStream()
      let task = Task {
        defer { lines.continuation.finish() }
        try await sessions.with(id, style.typesetting) { session in
          try await Self.search(phrase, session) { lines.continuation.yield($0) }
        }
      }
      // A reader who goes away ends the search.
      defer { task.cancel() }
      for await line in lines.stream { try await writer.write(line) }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/x-ndjson; charset=utf-8"], body: body)
  }

  private static func search(
    _ phrase: String, _ session: BookSessions.Session, _ tell: (ByteBuffer) -> Void
  ) async throws {
    let encoder = JSONEncoder()
    let typesetter = session.typesetter
    var count = 0
    var isCut = false
    for await result in typesetter.search(phrase) {
      if count == mostResults {
        isCut = true
        break
      }
      count += 1
      let start = result.range.lowerBound
      let counts = typesetter.pageCounts
      let number = typesetter.directory.page(containing: start).flatMap {
        counts.isReliable ? counts.number(ofPage: $0, in: start.chapter) : nil
      }
      let answer = SearchAnswer(
        start: start.description, end: result.range.upperBound.description, before: result.before,
        match: result.match, after: result.after, title: Pages.title(of: start.chapter, in: session.book),
        number: number)
      tell(ByteBuffer(bytes: try encoder.encode(answer) + Data("\n".utf8)))
    }
    tell(ByteBuffer(bytes: try encoder.encode(SearchEnd(count: count, isCut: isCut)) + Data("\n".utf8)))
  }

  // MARK: The reader's place

  private struct PlaceValue: Decodable {
    var place: String
    var progress: Double
  }

  @Sendable private func keepPlace(_ request: Request, _ context: ReadingContext) async throws -> Response {
    let id = try context.parameters.require("book")
    let value = try await request.value(PlaceValue.self, context)
    guard (0...1).contains(value.progress) else {
      throw Problem(.unprocessableContent, "“progress” goes from 0 to 1.")
    }
    guard let wanted = Locator(value.place) else { throw Problem(.badRequest, "“place” is no place.") }
    try await sessions.with(id, waits: false) { session in
      guard session.book.chapters.indices.contains(wanted.chapter) else { throw Problem.noSuchPage }
      // With what helps to find it again in another edition.
      let place = await session.book.locator(repairing: wanted)
      let cfi = await session.book.cfi(for: place)
      try await store.save(
        PlaceRow(
          book: id, locator: place, cfi: cfi.map { "\($0)" }, progress: value.progress,
          changed: Date().timeIntervalSince1970))
    }
    return Response(status: .noContent)
  }
}
