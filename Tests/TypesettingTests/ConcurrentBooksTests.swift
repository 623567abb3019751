import Foundation
import Platform
import Synchronization
import Testing

@testable import Typesetting

/// All books of a folder, opened and set from many threads at once, as a server does it: `make sanitize BOOKS=folder`.
@Suite struct ConcurrentBooksTests {
  private static let folder = ProcessInfo.processInfo.environment["TYPESET_CONCURRENT_BOOKS"]
  private static let threads = 16
  /// Threads that set a book, none knowing of the others.
  private static let visits = 2

  /// What a host gets of a book: pages at its start, in its middle and at its end, as pixels, as text and as structure.
  private struct Visit: Equatable, Sendable {
    var pictures: [Data] = []
    var texts: [PageText] = []
    var structures: [PageStructure] = []
    var error: String?

    init(_ file: URL) {
      do {
        let book = try CallingThread.run { () async throws(BookError) in try await Book(contentsOf: file.path) }
        let typesetter = Typesetter(book: book)
        let chapters = book.chapters.count
        for chapter in Set([0, chapters / 2, chapters - 1]).sorted() {
          let page = try CallingThread.run { () async throws(PageError) in try await typesetter.page(0, of: chapter) }
          pictures.append(page.png())
          texts.append(page.textLayer)
          structures.append(page.structure)
        }
      } catch {
        self.error = "\(error)"
      }
    }
  }

  @Test(.enabled(if: folder != nil, "make sanitize BOOKS=folder opens its books from sixteen threads"))
  func `Sixteen threads get of every book what one thread gets`() async throws {
    let books = PageDocumentSources.books(below: URL(fileURLWithPath: try #require(Self.folder)))
    #expect(!books.isEmpty)
    let work = Work(books: books, visits: Self.visits)
    let threads = (0..<Self.threads).map { _ in Thread { work.run() } }
    for thread in threads {
      thread.stackSize = 8 << 20
      thread.start()
    }
    while threads.contains(where: { !$0.isFinished }) { try await Task.sleep(for: .milliseconds(50)) }
    let found = work.found
    for (index, book) in books.enumerated() {
      let alone = Visit(book)
      #expect(found[index].count == Self.visits && found[index].allSatisfy { $0 == alone }, "\(book.lastPathComponent)")
    }
  }

  /// Books that wait for a thread.
  private final class Work: Sendable {
    private let books: [URL]
    private let visits: Int
    private let next = Atomic(0)
    private let made: Lock<[[Visit]]>

    var found: [[Visit]] { made.withLock { $0 } }

    init(books: [URL], visits: Int) {
      self.books = books
      self.visits = visits
      made = Lock(Array(repeating: [], count: books.count))
    }

    /// Sets books until none is left. Visits of one book follow each other, so that they run at the same time.
    func run() {
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < books.count * visits else { return }
        let visit = Visit(books[number / visits])
        made.withLock { $0[number / visits].append(visit) }
      }
    }
  }
}
