import BookOutput
import Foundation
import TestSupport
import Testing
import Typesetting

@Suite(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed")) struct ContactSheetTests {
  private let book: TestBook
  init() throws { book = try TestBook() }

  private func sheet(_ input: String, jobs: Int = 1, _ change: (inout RunOptions) -> Void = { _ in }) throws -> Data {
    var options = RunOptions(input: input)
    options.contactSheet = .file(book.path("sheet-\(jobs).png"))
    options.jobs = jobs
    change(&options)
    if let error = BookRun(options).run().error { throw error }
    return try Data(contentsOf: URL(fileURLWithPath: book.path("sheet-\(jobs).png")))
  }

  /// Width and height as the file's header has them.
  private func size(_ png: Data) -> [Int] {
    [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Pages of 600 by 800 px, each of one colour.
  private func pages(_ colors: [String]) throws -> String {
    try book.epub(
      colors.map { "<div style=\"position: absolute; inset: 0; background: \($0)\"></div>" },
      style: "body { margin: 0 }")
  }

  @Test func `Any number of workers makes the same bytes`() throws {
    let input = try pages((0..<9).map { "rgb(\($0 * 20), 40, 90)" })
    #expect(try sheet(input) == sheet(input, jobs: 4))
  }

  @Test func `Pages stand in rows, with a gap around each`() throws {
    let input = try pages(["#100000", "#200000", "#300000", "#400000", "#500000"])
    // Cells of 192 + 16 by 256 + 16 px: three in a row make the sheet about a third wider than high.
    #expect(try size(sheet(input)) == [3 * 208 + 16, 2 * 272 + 16])
    #expect(try size(sheet(input) { $0.only = NumberRange("2-4") }) == [2 * 208 + 16, 2 * 272 + 16])
    #expect(try size(sheet(pages(["#100000"]))) == [208 + 16, 272 + 16])
  }

  @Test func `Many pages are small`() throws {
    // 350 pages of 192 by 256 px have more than 16 Mi pixels; of 96 by 128 they have not.
    let input = try book.page(String(repeating: "<p style=\"break-after: page\">A</p>", count: 350))
    let size = try size(sheet(input, jobs: 2))
    let (width, height) = (size[0], size[1])
    #expect((width - 8) % (96 + 8) == 0 && (height - 8) % (128 + 8) == 0, "\(width) by \(height)")
    #expect((width - 8) / 104 * ((height - 8) / 136) >= 350)
  }
}
