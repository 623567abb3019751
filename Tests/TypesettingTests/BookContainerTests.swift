import Foundation
import Primitives
import Synchronization
import TestSupport
import Testing
import Typesetting

/// Books whose files the program reads itself.
@Suite struct BookContainerTests {
  /// Files of a store that may not answer.
  private final class Store: BookContainer {
    private struct Silence: Error, CustomStringConvertible {
      var description: String { "the store does not answer" }
    }
    private let files: [String: [UInt8]]
    private let silent: Set<String>
    let reads = Atomic<Int>(0)
    let paths: [String]

    init(_ book: BookFiles, silent: Set<String> = [], below folder: String = "") {
      files = Dictionary(uniqueKeysWithValues: book.entries.map { (folder + $0.path, $0.bytes) })
      self.silent = silent
      paths = book.entries.map { folder + $0.path }
    }

    func size(of path: String) -> Int? { files[path]?.count }

    func read(_ path: String) throws -> [UInt8] {
      reads.add(1, ordering: .relaxed)
      guard let bytes = files[path], !silent.contains(path) else { throw Silence() }
      return bytes
    }
  }

  private static let files = BookFiles(
    chapters: ["<p>One <a href='c2.xhtml'>link</a></p>", "<p>Two words</p>"], files: ["O/a.css": "p { color: red }"])

  @Test(arguments: ["", "folder/in/a bucket/"])
  func `A book of a program's own files has the pages of its archive`(_ folder: String) async throws {
    let store = Store(Self.files, below: folder)
    let book = try await Book(store, name: "mine")
    #expect(book.path == "mine" && book.metadata.title == "T" && book.chapters.count == 2)
    let opened = store.reads.load(ordering: .relaxed)
    let archive = try await Book(Self.files.archive(), name: "b.epub")
    for chapter in 0..<2 {
      let page = try await Typesetter(book: book).page(0, of: chapter)
      #expect(try await Typesetter(book: archive).page(0, of: chapter).displayList == page.displayList)
    }
    #expect(store.reads.load(ordering: .relaxed) > opened)
    #expect(try await book.resource(at: "O/a.css").bytes == Data("p { color: red }".utf8))
    await #expect(throws: BookError.self) { try await book.resource(at: "O/none.css") }
  }

  @Test func `A file that cannot be read is a missing part of the book`() async throws {
    let book = try await Book(Store(Self.files, silent: ["O/c1.xhtml", "O/a.css"]), name: "mine")
    let error = await #expect(throws: BookError.self) { try await book.resource(at: "O/a.css") }
    #expect(error?.reason == "the store does not answer")
    #expect(try await Typesetter(book: book).page(0, of: 1).lines.map(\.text) == ["Two words"])
    _ = try await Typesetter(book: book).layout(of: 0)
    await #expect(throws: BookError.self) { try await Book(Store(Self.files, silent: ["O/p.opf"]), name: "mine") }
  }

  @Test func `A file larger than the limit is refused by its size, and not read`() async throws {
    var limits = Limits()
    limits.bytesPerEntry = 8
    let store = Store(Self.files)
    let book = try await Book(store, name: "mine", limits: limits)
    let reads = store.reads.load(ordering: .relaxed)
    let error = await #expect(throws: BookError.self) { try await book.resource(at: "O/a.css") }
    #expect(error?.kind == .limit && store.reads.load(ordering: .relaxed) == reads)
  }

  @Test func `A directory of pages holds for the files that it was made of`() async throws {
    let typesetter = Typesetter(book: try await Book(Store(Self.files), name: "mine"))
    for await _ in typesetter.countPages() {}
    let directory = typesetter.directory
    let same = try await Book(Store(Self.files), name: "again")
    #expect(Typesetter(book: same, directory: directory).pageCounts.total == 2)
    var files = Self.files
    files["O/c2.xhtml"] = Array("<html xmlns='http://www.w3.org/1999/xhtml'><body><p>Three</p></body></html>".utf8)
    let other = try await Book(Store(files), name: "mine")
    #expect(Typesetter(book: other, directory: directory).pageCounts.total == nil)
  }
}
