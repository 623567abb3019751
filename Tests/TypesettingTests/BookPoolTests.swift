import Foundation
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// Many books under one budget of memory and of threads.
@Suite struct BookPoolTests {
  private static func chapter(_ number: Int, of book: Int) -> String {
    "<h1>Chapter \(number)</h1>"
      + String(repeating: "<p>A paragraph of book \(book), which is long enough for some lines.</p>", count: 80)
  }

  private static func books(_ count: Int) async throws -> [Book] {
    var books: [Book] = []
    for number in 0..<count {
      let archive = BookFiles(chapters: (0..<4).map { chapter($0, of: number) }).archive()
      books.append(try await Book(archive, name: "\(number).epub"))
    }
    return books
  }

  /// The pictures of a page of each chapter, chapter by chapter through all books.
  private func read(_ typesetters: [Typesetter], _ check: () -> Void = {}) async throws -> [Data] {
    var pictures: [Data] = []
    for chapter in 0..<4 {
      for typesetter in typesetters {
        pictures.append(try await typesetter.page(1, of: chapter).png())
        _ = try await typesetter.page(0, of: chapter)
        check()
      }
    }
    return pictures
  }

  @Test func `Many books stay within the budget of their pool, and their pages are those without one`() async throws {
    let books = try await Self.books(24)
    let alone = books.map { Typesetter(book: $0) }
    let expected = try await read(alone)
    let unbounded = alone.reduce(0) { $0 + $1.cachedBytes }
    let pool = BookPool(memory: unbounded / 12)
    let typesetters = books.map { Typesetter(book: $0, pool: pool) }
    #expect(pool.usage.typesetters == 24 && pool.usage.layouts == 0 && pool.usage.evictedLayouts == 0)
    var most = 0
    let pictures = try await read(typesetters) { most = Swift.max(most, pool.usage.bytes) }
    #expect(pictures == expected)
    #expect(most <= pool.memory && most > pool.memory / 4)
    let usage = pool.usage
    #expect(usage.layouts < 24 && usage.evictedLayouts > 24 && usage.evictedBooks > 0)
    #expect(usage.bytes == typesetters.reduce(0) { $0 + $1.cachedBytes })
    pool.releaseMemory()
    #expect(pool.usage.layouts == 0 && pool.usage.bytes < 24 * 64)
    #expect(pool.usage.evictedLayouts == usage.evictedLayouts)
    #expect(try await typesetters[3].page(1, of: 0).png() == expected[3])
  }

  @Test func `What was used longest ago goes first, whichever book it is of`() async throws {
    let books = try await Self.books(3)
    let sample = Typesetter(book: books[0])
    _ = try await sample.page(1, of: 0)
    // Room for some two books with a chapter each.
    let pool = BookPool(memory: sample.cachedBytes * 5 / 2)
    let typesetters = books.map { Typesetter(book: $0, pool: pool) }
    _ = try await typesetters[0].page(1, of: 0)
    _ = try await typesetters[1].page(1, of: 0)
    _ = try await typesetters[0].page(1, of: 0)
    #expect(pool.usage.layouts == 2 && pool.usage.evictedLayouts == 0)
    _ = try await typesetters[2].page(1, of: 0)
    #expect(typesetters.map(\.layoutCount) == [1, 0, 1])
    #expect(pool.usage.evictedLayouts == 1)
  }

  @Test func `The layout in use is kept however small the pool is`() async throws {
    let pool = BookPool(memory: 1)
    let typesetters = try await Self.books(2).map { Typesetter(book: $0, pool: pool) }
    for index in [0, 1, 0] {
      _ = try await typesetters[index].page(1, of: 0)
      #expect(typesetters[index].layoutCount == 1 && pool.usage.layouts == 1)
    }
  }

  @Test func `A pool keeps no book`() async throws {
    let pool = BookPool(memory: 64 << 20)
    weak var kept: Typesetter?
    do {
      let typesetter = Typesetter(book: try await Self.books(1)[0], pool: pool)
      _ = try await typesetter.page(0, of: 0)
      kept = typesetter
      #expect(pool.usage.typesetters == 1 && pool.usage.bytes > 0)
    }
    #expect(kept == nil && pool.usage.typesetters == 0 && pool.usage.bytes == 0)
  }

  @Test func `Tasks at many books get what they ask for, a few at a time`() async throws {
    let pool = BookPool(memory: 4 << 20, threads: 2)
    #expect(pool.threads == 2 && BookPool(memory: 1, threads: 0).threads == 1)
    let books = try await Self.books(6)
    let expected = try await read(books.map { Typesetter(book: $0) })
    let typesetters = books.map { Typesetter(book: $0, pool: pool) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<48 {
        group.addTask {
          let (chapter, book) = (number / 6 % 4, number % 6)
          let page = try await typesetters[book].page(1, of: chapter)
          #expect(page.png() == expected[chapter * 6 + book])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A gate lets so many in and no more, and who gives up waits no longer`() async throws {
    let gate = WorkGate(2)
    let inside = Inside()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          guard await gate.enter() else { return }
          await inside.enter()
          await Task.yield()
          await inside.leave()
          gate.leave()
        }
      }
    }
    #expect(await inside.now == 0)
    #expect((1...2).contains(await inside.most))
    #expect(await gate.enter())
    #expect(await gate.enter())
    let waiting = Task { await gate.enter() }
    waiting.cancel()
    #expect(await !waiting.value)
    gate.leave()
    #expect(await gate.enter())
  }
}

/// Counts those who are at work.
private actor Inside {
  private(set) var now = 0
  private(set) var most = 0

  func enter() {
    now += 1
    most = Swift.max(most, now)
  }

  func leave() { now -= 1 }
}
