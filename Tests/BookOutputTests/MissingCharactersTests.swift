import BookOutput
import ChapterEngine
import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

/// What a run tells of characters that no font has.
@Suite struct MissingCharactersTests {
  private let book: TestBook
  init() throws { book = try TestBook() }

  private func run(_ input: String, _ change: (inout RunOptions) -> Void) throws -> [String] {
    var options = RunOptions(input: input)
    options.settings.usesSystemFonts = false
    change(&options)
    let result = BookRun(options).run()
    if let error = result.error { throw error }
    return result.diagnostics.diagnostics.map(\.message)
  }

  @Test func `A script is told once a book, with the same number for any number of workers`() throws {
    let input = try book.epub(
      (0..<8).map { "<h1>红楼梦</h1>" + String(repeating: "<p>甄士隐 ไทย</p>", count: 3 + $0 * 40) })
    let paragraphs = (0..<8).reduce(0) { $0 + 3 + $1 * 40 }
    let expected = [
      "no font has \(Self.grouped(24 + paragraphs * 3)) characters of Han (first: 红 U+7EA2); install fonts-noto-cjk",
      "no font has \(Self.grouped(paragraphs * 3)) characters of Thai (first: ไ U+0E44); install fonts-noto-core",
    ]
    for jobs in [1, 4] {
      let told = try run(input) {
        $0.jobs = jobs
        $0.layout = .file(book.path("layout"))
      }
      #expect(told == expected)
    }
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000)," + String(String(number % 1000 + 1000).dropFirst())
  }

  @Test func `Pages that are left out do not count`() throws {
    let input = try book.epub(["<p>红</p>", "<p>楼楼</p>", "<p>梦</p>"])
    let told = try run(input) {
      $0.jobs = 4
      $0.only = NumberRange("2")
      $0.layout = .file(book.path("layout"))
    }
    #expect(told == ["no font has 2 characters of Han (first: 楼 U+697C); install fonts-noto-cjk"])
  }

  @Test func `Records and statistics have the number`() throws {
    let input = try book.epub(["<p>红 楼</p>", "<p> </p>", "<p>梦</p>"])
    let records = try book.records(of: input) {
      $0.settings.usesSystemFonts = false
      $0.statistics = .file(book.path("statistics"))
    }
    #expect(records.dropFirst().compactMap { $0["missing"] as? Int } == [2, 1])
    #expect((records.first?["fonts"] as? [[String: Any]])?.compactMap { $0["family"] as? String } == ["Last Resort"])
    let statistics = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: book.path("statistics"))))
    #expect((statistics as? [String: Any])?["glyphs.missing"] as? Int == 3)
  }
}
