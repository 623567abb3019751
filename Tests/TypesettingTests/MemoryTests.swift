import ChapterEngine
import Platform
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Typesetting

/// Memory kept for books stays below its ceiling, and none is kept for a book that was closed.
@Suite struct MemoryTests {
  private static let drawing =
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40'/></svg>"

  private static func chapter(_ number: Int) -> String {
    "<h1>Chapter \(number)</h1><p><img src='drawing.svg' alt=''/></p>"
      + drawing.replacing("40", with: "\(40 + number % 3)")
      + String(repeating: "<p>A paragraph of chapter \(number), which is long enough for some lines.</p>", count: 120)
  }

  private func book(_ test: TestBook) throws -> Book {
    _ = try test.write(Self.drawing, to: "book/drawing.svg")
    return try Book(contentsOf: test.epub((0..<12).map(Self.chapter)))
  }

  /// Reads, searches and restyles; tells what is kept after each step.
  private func read(_ typesetter: Typesetter, _ check: (Int) -> Void) async throws {
    for chapter in typesetter.book.chapters.indices {
      for try await page in typesetter.pages(of: chapter) {
        _ = page.png()
        if page.index == 1 { break }
      }
      check(typesetter.cachedBytes)
      await typesetter.prefetch(around: try await typesetter.page(1, of: chapter))
      check(typesetter.cachedBytes)
    }
    for await _ in typesetter.search("chapter 11") { check(typesetter.cachedBytes) }
    let start = try await typesetter.page(1, of: 5).start
    for size in [14, 20, 26] as [Float] {
      var settings = typesetter.settings
      settings.fontSize = size
      settings.justify = size == 20 ? .on : .off
      let page = try await typesetter.apply(settings, keeping: start)
      _ = page.png()
      check(typesetter.cachedBytes)
    }
  }

  @Test func `What is kept stays below its ceiling`() async throws {
    let test = try TestBook()
    let book = try book(test)
    let all = Typesetter(book: book, cacheLimit: 1 << 30)
    var unbounded = 0
    try await read(all) { unbounded = Swift.max(unbounded, $0) }
    // Far less than the book would take, more than any two of its chapters.
    let limit = unbounded / 2
    let typesetter = Typesetter(book: try self.book(test), cacheLimit: limit)
    var most = 0
    try await read(typesetter) { most = Swift.max(most, $0) }
    #expect(most <= limit)
    #expect(most > limit / 4)
  }

  @Test func `What is drawn again and again is kept once`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(book: try book(test))
    let page = try await typesetter.page(0, of: 0)
    let resources = page.engine
    let bytes = resources.heldBytes
    #expect(bytes > 0)
    for step in 0..<6 {
      var settings = typesetter.settings
      settings.justify = step % 2 == 0 ? .on : .off
      try await typesetter.apply(settings, keeping: page.start)
    }
    #expect(resources.heldBytes == bytes)
  }

  @Test func `A closed book leaves nothing behind`() async throws {
    let test = try TestBook()
    for _ in 0..<2 {
      weak var resources: BookResources?
      weak var session: ChapterSession?
      weak var sources: ChapterSources?
      do {
        let book = try book(test)
        let typesetter = Typesetter(book: book)
        try await read(typesetter) { _ in }
        _ = await book.locator(forLink: "c3.xhtml#none")
        (resources, session) = typesetter.state.withLock { ($0.resources, $0.sessions.last) }
        sources = book.sources
        #expect(resources != nil && session != nil && sources != nil)
      }
      // The task of a search lets go of it right after its last word.
      for _ in 0..<500 where resources != nil || session != nil || sources != nil {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(resources == nil)
      #expect(session == nil)
      #expect(sources == nil)
    }
  }

  @Test func `Memory is released when asked, and pages are made again`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(book: try book(test))
    let page = try await typesetter.page(1, of: 2)
    let shown = page.png()
    weak let session = typesetter.state.withLock { $0.sessions.last }
    #expect(session != nil && typesetter.cachedBytes > 0)
    typesetter.releaseMemory()
    #expect(session == nil && typesetter.cachedBytes < 64)
    #expect(try await typesetter.page(1, of: 2).png() == shown)
    #expect(page.png() == shown)
  }
}
