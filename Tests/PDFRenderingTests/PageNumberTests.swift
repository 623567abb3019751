import BookOutput
import Foundation
import Platform
import Primitives
import Synchronization
import TestSupport
import Testing
import Typesetting

/// One page has one number, whoever is asked: the layout records of the command, a consumer of finished pages (as the snapshot
/// harness is one), the library's counts and directories, `target-counter()`, and the PDF.
@Suite struct PageNumberTests {
  private let test: TestBook
  init() throws { test = try TestBook() }

  /// A page as the book's chapters have it.
  private struct Place: Hashable, Comparable, CustomStringConvertible {
    /// Position of the chapter in the spine, from 0.
    var chapter: Int
    /// Position in the chapter, from 0.
    var index: Int
    var description: String { "\(chapter):\(index)" }
    static func < (a: Self, b: Self) -> Bool { (a.chapter, a.index) < (b.chapter, b.index) }
  }

  /// A chapter of a book made for the test.
  private struct Chapter {
    var body: String
    var properties = ""
    var isLinear = true
    var head = ""

    static func text(_ paragraphs: Int) -> Self {
      Self(
        body: String(
          repeating: "<p>" + String(repeating: "Words in a row, fifteen of them. ", count: 30) + "</p>",
          count: paragraphs))
    }
    static let blank = Self(body: "")
    static let hidden = Self(body: "<p hidden=\"hidden\">Not shown.</p>")
    /// Its first page shows nothing, but is not the only one.
    static let late = Self(body: "<div style=\"break-after: page\"></div><p>Behind an empty page.</p>")
    static let picture = Self(body: "<p><img src=\"\(TestBook.picture)\" alt=\"\"/></p>")
    static let picturePage = Self(
      body: "<img style=\"display: block; height: 90vh\" src=\"\(TestBook.picture)\" alt=\"\"/>")
    static func fixed(_ body: String) -> Self {
      Self(
        body: body, properties: "rendition:layout-pre-paginated",
        head: "<meta name=\"viewport\" content=\"width=300, height=400\"/>")
    }
    var aside: Self {
      var copy = self
      copy.isLinear = false
      return copy
    }
  }

  /// A book whose first chapters are `front`, then one that tells on which page each text begins, and then `chapters`. Pages
  /// of a printed edition begin where its texts do.
  private func book(_ front: [Chapter], _ chapters: [Chapter], style: String = "") throws -> String {
    let style =
      "a::after { content: ' on ' target-counter(attr(href), page) } p.all::after { content: counter(pages) } " + style
    let first = front.count + 1
    let targets = chapters.indices.filter { chapters[$0].body.contains("Words") }
    let contents = targets.map { "<p><a href=\"c\($0 + first).xhtml#t\">Text \($0)</a></p>" }.joined()
    var all = front + [Chapter(body: contents + "<p class=\"all\">All </p>")] + chapters
    for target in targets { all[target + first].body = "<p id=\"t\">Text \(target).</p>" + all[target + first].body }
    var files: [String: String] = [:]
    for (index, chapter) in all.enumerated() {
      files["O/c\(index).xhtml"] =
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/>\(chapter.head)<style>\(style)</style></head><body>\(chapter.body)</body></html>"
    }
    let pages = targets.map { "<li><a href=\"c\($0 + first).xhtml#t\">Text \($0)</a></li>" }.joined()
    files["O/nav.xhtml"] =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title/></head><body>"
      + "<nav epub:type=\"toc\"><ol><li><a href=\"c0.xhtml\">Start</a></li></ol></nav>"
      + (pages.isEmpty ? "" : "<nav epub:type=\"page-list\"><ol>\(pages)</ol></nav>") + "</body></html>"
    let book = BookFiles(
      manifest: all.indices.map { "<item id='c\($0)' href='c\($0).xhtml' media-type='application/xhtml+xml'/>" }
        .joined()
        + "<item id='nav' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>",
      spine: all.enumerated().map { index, chapter in
        "<itemref idref='c\(index)' properties='\(chapter.properties)' linear='\(chapter.isLinear ? "yes" : "no")'/>"
      }.joined(), files: files)
    let path = test.path("book.epub")
    try Data(book.archive()).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Numbers by page, as the pages of a book come one after the other.
  private static func numbers(_ chapters: [Int]) -> [Place: Int] {
    var numbers: [Place: Int] = [:]
    var counts: [Int: Int] = [:]
    for (index, chapter) in chapters.enumerated() {
      numbers[Place(chapter: chapter, index: counts[chapter, default: 0])] = index + 1
      counts[chapter, default: 0] += 1
    }
    return numbers
  }

  /// The records of the command, and what another consumer of pages takes in the same run.
  private func command(_ input: String, jobs: Int) throws -> (records: [[String: Any]], taken: [Place: Int]) {
    let output = NumberOutput()
    let records = try test.records(of: input) {
      $0.jobs = jobs
      $0.outputs = [output]
    }
    return (Array(records.dropFirst()), Self.numbers(output.chapters))
  }

  /// The numbers of the library: by its counts, by a directory that was saved, and the pages it makes, with their first lines.
  private func library(_ input: String) async throws -> (
    counted: [Place: Int], saved: [Place: Int], made: [Place: String]
  ) {
    let book = try await Book(contentsOf: input)
    let typesetter = Typesetter(book: book)
    for await _ in typesetter.countPages() {}
    let counts = typesetter.pageCounts
    #expect(counts.isExact)
    let saved = try JSONDecoder().decode(PageDirectory.self, from: JSONEncoder().encode(typesetter.directory))
    let other = Typesetter(book: book, directory: saved)
    var found: (counted: [Place: Int], saved: [Place: Int], made: [Place: String]) = ([:], [:], [:])
    for chapter in book.chapters.indices {
      #expect(typesetter.directory.pageCount(of: chapter) == counts.chapters[chapter].pages)
      for index in 0..<counts.chapters[chapter].pages {
        found.counted[Place(chapter: chapter, index: index)] = counts.number(ofPage: index, in: chapter)
      }
      for index in 0..<(saved.pageCount(of: chapter) ?? -1) {
        found.saved[Place(chapter: chapter, index: index)] = other.pageCounts.number(ofPage: index, in: chapter)
      }
      for try await page in other.pages(of: chapter) {
        found.made[Place(chapter: page.chapter, index: page.index)] = page.lines.first?.text ?? ""
      }
    }
    return found
  }

  private static func text(_ record: [String: Any]) -> [String] {
    (record["lines"] as? [[String: Any]] ?? []).map { line in
      (line["runs"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }.joined()
        .trimmingCharacters(in: .whitespaces)
    }
  }

  private static let books: [String: (front: [Chapter], chapters: [Chapter])] = [
    "blank chapters": ([.blank], [.text(9), .blank, .text(2), .hidden, .hidden, .text(5), .blank]),
    "an empty page before a text": ([.late], [.late, .text(3), .late, .text(1)]),
    "asides": ([.text(1).aside], [.text(4), .blank.aside, .text(6).aside, .text(1)]),
    "pictures": ([.picturePage], [.picture, .text(2), .picturePage, .picturePage, .blank, .text(1)]),
    "fixed pages": (
      [.fixed("<p>Cover</p>")],
      [.fixed(""), .text(3), .fixed("<p>A</p>"), .fixed(""), .fixed("<p>B</p>"), .blank, .text(1)]
    ),
  ]

  private static let styles = [
    "", "@page { @bottom-center { content: counter(page) } } p:first-child { break-before: right }",
  ]

  @Test(arguments: books.keys.sorted(), styles)
  func `A page has one number, whoever is asked`(_ name: String, _ style: String) async throws {
    let parts = try #require(Self.books[name])
    let input = try book(parts.front, parts.chapters, style: style)
    let (records, taken) = try command(input, jobs: 1)
    let numbers = Self.numbers(records.map { ($0["chapter"] as? Int ?? 0) - 1 })
    #expect(records.map { $0["number"] as? Int } == (1...records.count).map { $0 })
    #expect(taken == numbers)
    #expect(try command(input, jobs: 3).taken == numbers)

    // A chapter that the library sets is by itself: its first page is a right one, whatever comes before.
    if !style.contains("right") {
      let library = try await library(input)
      #expect(library.counted == numbers)
      #expect(library.saved == numbers)
      #expect(library.made.keys.sorted() == numbers.keys.sorted())
    }

    // What the text says of itself, and of all pages.
    let lines = records.map(Self.text)
    let shown = lines.joined().filter { $0.hasPrefix("Text") && $0.contains(" on ") }
    #expect(!shown.isEmpty)
    for line in shown {
      let text = line.split(separator: " ").prefix(2).joined(separator: " ") + "."
      let number = try #require(lines.firstIndex { $0.contains(text) }) + 1
      #expect(line.hasSuffix(" on \(number)"), "\(line)")
    }
    #expect(lines.joined().contains("All \(records.count)"))

    // The pages of the PDF, and those of them that labels are on.
    let file = try test.pdf(input)
    #expect(file.all.contains("/Type/Pages/Count \(records.count)"))
    let labels = try #require(file.all.firstMatch(of: /\/PageLabels<<\/Nums\[(.*?)\]>>/)).output.1
    var labelled = 0
    for label in labels.matches(of: /(\d+)<<\/P\((Text \d+)\)>>/) {
      let number = try #require(lines.firstIndex { $0.contains(label.output.2 + ".") }) + 1
      #expect(Int(label.output.1) == number - 1, "\(label.output.2)")
      labelled += 1
    }
    #expect(labelled == shown.count)
  }

  @Test func `A book that shows nothing has one page, that of its first chapter`() async throws {
    let input = try test.epub(
      ["", "<p hidden=\"hidden\">None</p>", ""], style: "@page { @bottom-center { content: counter(pages) } }")
    for jobs in [1, 3] {
      let (records, taken) = try command(input, jobs: jobs)
      #expect(records.map { $0["chapter"] as? Int } == [1])
      #expect(taken == [Place(chapter: 0, index: 0): 1])
    }
    #expect(try test.pdf(input).all.contains("/Type/Pages/Count 1"))
    let written = Lock<[UInt8]>([])
    try await Typesetter(book: Book(contentsOf: input)).pdf { bytes in written.withLock { $0 += bytes } }
    #expect(written.withLock { $0 } == Array(try Data(contentsOf: URL(fileURLWithPath: test.path("book.pdf")))))
    let library = try await library(input)
    #expect(library.counted == [Place(chapter: 0, index: 0): 1])
    #expect(library.made == [Place(chapter: 0, index: 0): ""])
    let book = try await Book(contentsOf: input)
    let typesetter = Typesetter(book: book)
    let page = try await typesetter.page(0, of: 0)
    // Its furniture tells how many pages there are.
    let same = try test.epub([""], style: "@page { @bottom-center { content: '1' } }")
    #expect(try await Typesetter(book: try Book(contentsOf: same)).page(0, of: 0).displayList == page.displayList)
    #expect(try await typesetter.page(after: page) == nil)
    #expect(try await typesetter.page(before: page) == nil)
  }

  @Test func `Who turns pages passes over chapters that show nothing`() async throws {
    let input = try test.epub(["<p>One</p>", "", "<p hidden=\"hidden\">None</p>", "<p>Two</p>", ""])
    let book = try await Book(contentsOf: input)
    let typesetter = Typesetter(book: book)
    let one = try await typesetter.page(0, of: 0)
    let two = try #require(try await typesetter.page(after: one))
    #expect(two.chapter == 3 && two.lines.map(\.text) == ["Two"])
    #expect(try await typesetter.page(before: two)?.chapter == 0)
    #expect(try await typesetter.page(after: two) == nil)
    await #expect(throws: PageError.noSuchPage) { try await typesetter.page(0, of: 1) }
    #expect(try await typesetter.layout(of: 1).pageCount == 0)
    // A link to such a chapter leads to what follows, and at the book's end to what comes before.
    for (chapter, shown) in [(1, 3), (2, 3), (4, 3)] {
      let place = try #require(await book.locator(forLink: "c\(chapter).xhtml"))
      #expect(try await typesetter.page(containing: place).chapter == shown)
    }
    let first = try await typesetter.spread(showing: 0, of: 0)
    let second = try #require(try await typesetter.spread(after: first))
    #expect(second.pages.map(\.chapter) == [3])
    #expect(try await typesetter.spread(before: second)?.pages.map(\.chapter) == [0])
  }

  @Test(
    .enabled(if: SharedData.isThere("books/epub"), "the shared books are not beside the project"),
    arguments: ["page-blanche-fr-fxl", "he-ruth-jonah", "hefty-water", "cole-voyage-of-life"])
  func `Pages of books have one number`(_ name: String) async throws {
    let input = SharedData.path("books/epub/\(name).epub")
    let (records, taken) = try command(input, jobs: 2)
    let numbers = Self.numbers(records.map { ($0["chapter"] as? Int ?? 0) - 1 })
    #expect(!numbers.isEmpty && taken == numbers)
    let library = try await library(input)
    #expect(library.counted == numbers)
    #expect(library.saved == numbers)
    #expect(library.made.keys.sorted() == numbers.keys.sorted())
  }
}

/// Notes the chapters of the pages that come, in the order of their numbers.
private final class NumberOutput: PageOutput {
  private let pages = Lock<[(number: Int, chapter: Int)]>([])
  var chapters: [Int] {
    let all = pages.withLock { $0 }
    #expect(all.map(\.number) == Array(1..<all.count + 1))
    return all.map(\.chapter)
  }

  var needs: PageNeeds { .layout }
  func prepare(_ page: BookPage, _ tools: Void) -> Int { page.chapter }
  func append(_ chapter: Int, number: Int) { pages.withLock { $0.append((number, chapter)) } }
}
