import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct PageCountTests {
  private static func chapter(_ paragraphs: Int) -> String {
    String(
      repeating: "<p>" + String(repeating: "Words in a row, fifteen of them. ", count: 30) + "</p>", count: paragraphs)
  }

  @Test func `Pages are estimated at once and counted in the background`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([Self.chapter(10), Self.chapter(40), Self.chapter(1)]))
    let typesetter = Typesetter(book: book)
    let estimate = typesetter.pageCounts
    #expect(!estimate.isExact && estimate.chapters[1].pages > estimate.chapters[0].pages)
    let first = try await typesetter.layout(of: 0)
    #expect(typesetter.pageCounts.chapters[0].isExact && typesetter.pageCounts.chapters[0].pages == first.pageCount)
    var last: PageCounts?
    for await counts in typesetter.countPages() { last = counts }
    let counts = try #require(last)
    #expect(counts.isExact && counts == typesetter.pageCounts)
    #expect(try await typesetter.layout(of: 1).pageCount == counts.chapters[1].pages)
    #expect(counts.number(ofPage: 2, in: 1) == first.pageCount + 3)
    let place = try #require(counts.page(number: first.pageCount + 3))
    #expect(place == (1, 2))
    #expect(counts.page(number: try #require(counts.total) + 1) == nil)
  }

  @Test func `Pages are estimated by text, not by markup`() async throws {
    let test = try TestBook()
    let words = String(repeating: "Words in a row, fifteen of them. ", count: 30)
    let wrapped = words.split(separator: " ").map { "<span class='a-class-with-a-long-name' lang='en'>\($0)</span>" }
    let head = "<style>" + String(repeating: "p.none { color: red }", count: 2000) + "</style>"
    let book = try await Book(
      contentsOf: test.epub([
        Self.chapter(40), head + String(repeating: "<p>" + wrapped.joined(separator: " ") + "</p>", count: 40),
        Self.chapter(1) + "<!-- " + String(repeating: "a comment ", count: 5000) + "-->",
      ]))
    let typesetter = Typesetter(book: book)
    let estimate = typesetter.pageCounts
    #expect(estimate.chapters[0].pages == estimate.chapters[1].pages)
    #expect(!estimate.isReliable && estimate.total == nil && estimate.estimate.contains(estimate.likelyTotal))
    var ranges = [estimate.estimate]
    for await counts in typesetter.countPages() {
      #expect(counts.isReliable && counts.estimate.contains(counts.likelyTotal))
      ranges.append(counts.estimate)
      guard counts.isExact else { continue }
      let total = try #require(counts.total)
      #expect(counts.estimate == total...total && counts.likelyTotal == total)
      #expect(ranges.allSatisfy { $0.contains(total) } && ranges[0].count > ranges[ranges.count - 2].count)
      for (counted, estimated) in zip(counts.chapters, estimate.chapters) {
        #expect(counted.pages * 2 <= estimated.pages * 3 && estimated.pages * 2 <= counted.pages * 3)
      }
    }
  }

  @Test func `Chapters in the middle, near the start and near the end of the text are counted first`() async throws {
    let test = try TestBook()
    let lengths = [1, 1, 10, 10, 10, 10, 10, 10, 1]
    let book = try await Book(contentsOf: test.epub(lengths.map(Self.chapter)))
    let order = [4, 2, 7, 0, 1, 3, 5, 6, 8]
    // Not each step is told: who is slow gets the newest.
    for await counts in Typesetter(book: book).countPages() {
      let counted = counts.chapters.indices.filter { counts.chapters[$0].isExact }
      #expect(counted == order.prefix(counted.count).sorted())
    }
  }

  @Test func `Pictures in lines of text take no more room than letters`() async throws {
    let test = try TestBook()
    let picture = "<img alt='' src='a.png'/>"
    let text = String(repeating: "Words in a row, fifteen of them. ", count: 30)
    let book = try await Book(
      contentsOf: test.epub([
        String(repeating: "<p>\(text)</p>", count: 40), String(repeating: "<p>\(text)\(picture)</p>", count: 40),
        String(repeating: "<p>\(text)</p><p>\(picture)</p>", count: 40),
      ]))
    let pages = Typesetter(book: book).pageCounts.chapters.map(\.pages)
    #expect(pages[0] == pages[1] && pages[2] >= pages[0] + 10)
  }

  @Test func `A saved directory knows the pages of its own settings only`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([Self.chapter(10), Self.chapter(12)]))
    let typesetter = Typesetter(book: book)
    for await _ in typesetter.countPages() {}
    let data = try JSONEncoder().encode(typesetter.directory)
    let saved = try JSONDecoder().decode(PageDirectory.self, from: data)
    let again = Typesetter(book: book, directory: saved)
    #expect(again.pageCounts == typesetter.pageCounts && again.pageCounts.isExact)
    let layout = try await typesetter.layout(of: 1)
    for page in 0..<layout.pageCount {
      let start = try #require(layout.start(of: page))
      #expect(again.directory.page(containing: start) == page)
    }
    var settings = TypesettingSettings()
    settings.fontSize = 20
    #expect(!Typesetter(book: book, settings: settings, directory: saved).pageCounts.isExact)
    again.apply(settings)
    #expect(!again.pageCounts.isExact)
  }

  @Test func `Positions are a kilobyte apart`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([Self.chapter(1), Self.chapter(10)]))
    let positions = book.positions
    #expect(positions.filter { $0.chapter == 1 }.count == 10 || positions.filter { $0.chapter == 1 }.count == 11)
    #expect(positions.map(\.number) == Array(1...positions.count))
    let locator = await book.locator(for: positions[positions.count / 2])
    #expect(locator.chapter == 1 && abs((locator.progression ?? 0) - positions[positions.count / 2].progression) < 0.01)
    for position in positions { #expect(await book.position(of: book.locator(for: position)) == position) }
    #expect(await book.position(of: Locator(startOfChapter: 2)) == nil)
  }

  @Test func `Who is cancelled gets nothing`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([Self.chapter(400)])))
    let task = Task { try await typesetter.layout(of: 0) }
    task.cancel()
    await #expect(throws: PageError.cancelled) { try await task.value }
    _ = try await typesetter.page(0, of: 0)
  }
}
