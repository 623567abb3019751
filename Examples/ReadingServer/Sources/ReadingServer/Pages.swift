import FoundationEssentials
import HTTPTypes
import Typesetting

/// Makes answers of pages.
struct Pages: Sendable {
  let sessions: BookSessions
  let store: Store
  let images: PageImages
  /// Another one each time the server is started, since the engine may be another then.
  let launch: String

  /// Which page is wanted.
  enum Target: Sendable {
    case index(chapter: Int, Int)
    case last(chapter: Int)
    case place(Locator)
    case number(Int)
    case after(chapter: Int, Int)
    case before(chapter: Int, Int)
  }

  // MARK: Pages

  /// A page.
  ///
  /// - Returns: nil before the first page and after the last one.
  func page(
    _ book: String, _ target: Target, _ style: PageStyle, found: Range<Locator>?
  ) async throws -> PageAnswer? {
    try await answer(book, target, style) { page, session, marks in
      (answer(page, session, book, style, marks, found), page)
    }
  }

  /// A page with the one that faces it.
  ///
  /// - Returns: nil before the first page and after the last one.
  func spread(
    _ book: String, _ target: Target, _ style: PageStyle, found: Range<Locator>?
  ) async throws -> SpreadAnswer? {
    try await answer(book, target, style) { page, session, marks in
      let spread = try await session.typesetter.spread(showing: page.index, of: page.chapter)
      func side(_ side: Spread.Side) -> SpreadAnswer.Side? {
        (side == .left ? spread.left : spread.right).map { page in
          SpreadAnswer.Side(
            page: answer(page, session, book, style, marks, found), x: spread.origin(of: side).x.pixels)
        }
      }
      let both = SpreadAnswer(left: side(.left), right: side(.right), isCentered: spread.isCentered)
      return (both, spread.pages.last ?? page)
    }
  }

  /// - Parameter make: Makes the answer of a page, and tells the last page that it shows.
  private func answer<Answer: Sendable>(
    _ book: String, _ target: Target, _ style: PageStyle,
    _ make: @Sendable (Page, BookSessions.Session, [MarkRow]) async throws -> (Answer, last: Page)
  ) async throws -> Answer? {
    let marks = try await store.marks(of: book)
    return try await sessions.with(book, style.typesetting) { session in
      guard let page = try await wanted(target, session) else { return nil }
      let (answer, last) = try await make(page, session, marks)
      // Later pages are made while this one is being read.
      await sessions.prefetch(around: last, book, style.typesetting)
      return answer
    }
  }

  /// - Returns: nil before the first page and after the last one.
  private func wanted(_ target: Target, _ session: BookSessions.Session) async throws -> Page? {
    let typesetter = session.typesetter
    switch target {
    case .index(let chapter, let index): return try await typesetter.page(index, of: chapter)
    case .last(let chapter):
      return try await typesetter.page(try await typesetter.layout(of: chapter).pageCount - 1, of: chapter)
    case .place(let locator): return try await typesetter.page(containing: locator)
    case .number(let number):
      guard let (chapter, index) = typesetter.pageCounts.page(number: number) else { throw Problem.noSuchPage }
      // A chapter that has not been counted may be shorter than it was taken for.
      do { return try await typesetter.page(index, of: chapter) } catch PageError.noSuchPage {
        return try await wanted(.last(chapter: chapter), session)
      }
    case .after(let chapter, let index):
      return try await typesetter.page(after: try await typesetter.page(index, of: chapter))
    case .before(let chapter, let index):
      return try await typesetter.page(before: try await typesetter.page(index, of: chapter))
    }
  }

  private func answer(
    _ page: Page, _ session: BookSessions.Session, _ book: String, _ style: PageStyle, _ marks: [MarkRow],
    _ found: Range<Locator>?
  ) -> PageAnswer {
    let counts = session.typesetter.pageCounts
    let lines = page.lines
    let onPage = Self.marks(marks, on: page, end: lines.map(\.range.upperBound).max())
    let known = session.typesetter.directory.pageCount(of: page.chapter)
    let number = counts.number(ofPage: page.index, in: page.chapter)
    // The chapter has this page, whatever was guessed of it.
    let missing = Swift.max(0, page.index + 1 - counts.chapters[page.chapter].pages)
    return PageAnswer(
      chapter: page.chapter, index: page.index, width: page.size.width.pixels, height: page.size.height.pixels,
      title: Self.title(of: page.chapter, in: session.book), image: image(of: page, session, book, style, onPage),
      start: page.start.description, number: number,
      total: counts.likelyTotal + missing, isExact: counts.isExact, isReliable: counts.isReliable, chapterPages: known,
      isFirst: page.chapter == 0 && page.index == 0,
      isLast: page.chapter == session.book.chapters.count - 1 && page.index + 1 == known,
      lines: lines, links: page.links.map(LinkAnswer.init), pictures: page.pictures, structure: page.structure,
      marks: onPage, found: found.map { page.rectangles(of: $0).map(\.answer) } ?? [])
  }

  /// The title of the last line of the table of contents that is not behind a chapter.
  static func title(of chapter: Int, in book: Book) -> String {
    let before = book.tableOfContents.filter { $0.chapter.map { $0 <= chapter } ?? false }
    return before.max { ($0.chapter ?? 0, -$0.level) < ($1.chapter ?? 0, -$1.level) }?.title
      ?? (book.chapters.indices.contains(chapter) ? book.chapters[chapter].title : nil) ?? ""
  }

  /// Marks that show on a page, with where they stand.
  private static func marks(_ marks: [MarkRow], on page: Page, end: Locator?) -> [MarkOnPage] {
    let start = page.start
    return marks.compactMap { mark in
      var rects: [Rect] = []
      switch mark.kind {
      case .highlight:
        rects = page.rectangles(of: mark.range)
        if rects.isEmpty { return nil }
      case .bookmark:
        guard mark.start == start || mark.start > start && end.map({ mark.start < $0 }) == true else { return nil }
      }
      return MarkOnPage(id: mark.id, kind: mark.kind, color: mark.color, note: mark.note, rects: rects.map(\.answer))
    }
  }

  // MARK: Pictures

  /// The address of a page's picture, another one when anything on it is another.
  private func image(
    of page: Page, _ session: BookSessions.Session, _ book: String, _ style: PageStyle, _ marks: [MarkOnPage]
  ) -> String {
    let drawn = marks.filter { $0.kind == .highlight }.map { "\($0.id)\($0.color)\($0.note.isEmpty)" }.joined()
    let version = Digest.of("\(session.edition) \(launch)")
    return "/api/books/\(book)/image?chapter=\(page.chapter)&index=\(page.index)&\(style.query)"
      + "&marks=\(Digest.of(drawn))&v=\(version)"
  }

  func image(_ book: String, chapter: Int, index: Int, _ style: PageStyle, name: String) async throws -> Data {
    try await images.image("\(book) \(name)") {
      let marks = try await store.marks(of: book).filter { $0.kind == .highlight }
      return try await sessions.with(book, style.typesetting) { session in
        let page = try await session.typesetter.page(index, of: chapter)
        let near = marks.filter { $0.start.chapter <= chapter && $0.end.chapter >= chapter }
        return page.png(
          scale: style.scale, annotations: near.flatMap { Self.annotations($0, isDark: style.typesetting.theme.isDark) }
        )
      }
    }
  }

  private static func annotations(_ mark: MarkRow, isDark: Bool) -> [Annotation] {
    let highlight = Annotation(.highlight, mark.range, color: mark.color.ground(isDark: isDark))
    return mark.note.isEmpty ? [highlight] : [highlight, Annotation(.note, mark.range, color: mark.color.strong)]
  }

  // MARK: Links

  /// Where a link or a picture leads.
  func follow(
    _ book: String, href: String?, source: Locator?, _ style: PageStyle
  ) async throws -> FollowAnswer {
    try await sessions.with(book, style.typesetting) { session in
      if let source, let note = await session.typesetter.note(at: source, width: LayoutUnit(style.noteWidth)) {
        let image = "/api/books/\(book)/note?source=\(source)&\(style.query)&v=\(Digest.of(session.edition + launch))"
        return FollowAnswer(
          note: NoteAnswer(
            text: note.text, image: image, width: note.size.width.pixels, height: note.size.height.pixels))
      }
      guard let href else { throw Problem(.notFound, "There is no note here.") }
      if LinkAnswer.isExternal(href) { return FollowAnswer(external: href) }
      if let place = await session.book.locator(forLink: href, in: source?.chapter) {
        return FollowAnswer(place: place.description)
      }
      throw Problem(.notFound, "The link leads nowhere in this book.")
    }
  }

  func noteImage(_ book: String, source: Locator, _ style: PageStyle, name: String) async throws -> Data {
    try await images.image("\(book) note \(name)") {
      try await sessions.with(book, style.typesetting) { session in
        let note = await session.typesetter.note(at: source, width: LayoutUnit(style.noteWidth))
        try Task.checkCancellation()
        guard let note else { throw Problem(.notFound, "There is no note here.") }
        return note.png(scale: style.scale)
      }
    }
  }
}

extension PageStyle {
  /// Notes are narrower than pages, and no wider than is read at ease.
  var noteWidth: Int { Swift.min(420, width - 64) }
}

extension MarkRow.Color {
  /// The ground under text: pale on light paper, deep on dark, so that the text is read well.
  func ground(isDark: Bool) -> Primitives.Color {
    switch self {
    case .yellow: isDark ? .init(red: 0x66, green: 0x52, blue: 0x10) : .init(red: 0xFF, green: 0xE0, blue: 0x66)
    case .green: isDark ? .init(red: 0x36, green: 0x56, blue: 0x1E) : .init(red: 0xB5, green: 0xE4, blue: 0x8C)
    case .blue: isDark ? .init(red: 0x1E, green: 0x46, blue: 0x70) : .init(red: 0xA5, green: 0xD0, blue: 0xFF)
    case .pink: isDark ? .init(red: 0x6A, green: 0x2A, blue: 0x46) : .init(red: 0xFF, green: 0xB8, blue: 0xCF)
    }
  }

  /// The mark that tells of a note.
  var strong: Primitives.Color {
    switch self {
    case .yellow: .init(red: 0xD9, green: 0x9A, blue: 0x00)
    case .green: .init(red: 0x4F, green: 0x96, blue: 0x1E)
    case .blue: .init(red: 0x1F, green: 0x78, blue: 0xD1)
    case .pink: .init(red: 0xD6, green: 0x33, blue: 0x6C)
    }
  }
}
