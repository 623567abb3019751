import Foundation
import Testing
import Typesetting

@testable import ReadingServer

@Suite struct BookSessionsTests {
  private static func sessions(_ shelf: TestShelf, memory: Int) throws -> (BookSessions, Shelf) {
    let folder = try #require(ShelfFolder(shelf.library.path))
    let store = try Store(path: nil)
    let books = Shelf(folder: folder, store: store, uploadLimit: 1 << 20)
    return (BookSessions(shelf: books, store: store, memory: memory), books)
  }

  private static func text(_ paragraphs: Int) -> String {
    (1...paragraphs).map { "Paragraph \($0) has some words, and then some more of them, so that pages fill." }
      .joined(separator: "\n\n")
  }

  @Test func `As many books stay open as the memory holds`() async throws {
    let shelf = try TestShelf([])
    for number in 1...12 { try shelf.write("Book \(number)\n\n" + Self.text(30), to: "books/\(number).txt") }
    for (memory, isEnough) in [(256 << 20, true), (4 << 20, false)] {
      let (sessions, books) = try Self.sessions(shelf, memory: memory)
      for row in try await books.all() {
        _ = try await sessions.with(row.id, PageStyle.standard.typesetting) {
          try await $0.typesetter.page(0, of: 0)
        }
      }
      let count = await sessions.count
      #expect((count == 12) == isEnough && count > 0)
      await sessions.close()
    }
  }

  @Test func `Pages are counted while nobody waits`() async throws {
    let shelf = try TestShelf([])
    try shelf.write("A book\n\n" + Self.text(40), to: "books/a.txt")
    let (sessions, books) = try Self.sessions(shelf, memory: 64 << 20)
    let id = try #require(try await books.all().first?.id)
    let style = PageStyle.standard.typesetting
    // While a request is being answered, however long that takes, nothing is counted.
    let isCounted = try await sessions.with(id, style) { session in
      try await sessions.with(id, style) { _ in }
      try await Task.sleep(for: .seconds(1.5))
      return session.typesetter.pageCounts.isExact
    }
    #expect(!isCounted)
    // Who asks how far it has come does not wait.
    while try await !sessions.with(id, style, waits: false, { $0.typesetter.pageCounts.isExact }) {
      try await Task.sleep(for: .milliseconds(50))
    }
    await sessions.close()
  }
}
