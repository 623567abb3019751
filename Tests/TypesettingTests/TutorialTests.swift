import Foundation
import Graphics
import Primitives
import Testing
import Typesetting

/// The code of the tutorial, line by line.
@Suite struct TutorialTests {
  private func show(_ values: Any?...) {}

  @Test func `The tutorial's code runs`() async throws {
    let test = try TestBook()
    let path = try test.epub([String(repeating: "<p>A café and many words on several pages.</p>", count: 200)])
    let point = Point(x: LayoutUnit(80), y: LayoutUnit(70))
    var marks: [Annotation] = []
    // Open
    let book = try Book(contentsOf: path)
    print(book.metadata.title, book.tableOfContents.map(\.title))
    // Show
    let typesetter = Typesetter(book: book)
    for await page in typesetter.pages(of: 0) {
      show(page.png(scale: 2))
      break
    }
    // Turn
    let second = await typesetter.page(1, of: 0)
    let place = second?.start
    for await counts in typesetter.countPages() {
      show("\(counts.number(ofPage: 1, in: 0)) of \(counts.total)")
    }
    // Restyle
    var settings = typesetter.settings
    settings.fontSize = 20
    settings.theme = .dark
    let page = await typesetter.apply(settings, keeping: place)
    // Select
    let layout = try await typesetter.layout(of: 0)
    if let start = layout.locator(at: point, on: 0), let word = layout.word(at: start) {
      show(layout.text(word), layout.selectionRectangles(word, on: 0))
      marks.append(Annotation(.highlight, word))
    }
    let marked = await typesetter.page(0, of: 0)?.png(annotations: marks)
    let cfi = await book.cfi(for: marks[0].range)
    // Search
    for await result in typesetter.search("cafe") {
      show(result.before, result.match, result.after)
    }
    #expect(page?.lines.contains { $0.range.contains(place!) } == true)
    #expect(marked != nil && cfi != nil)
  }

  @Test func `The tutorial says what runs here`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/Typesetting/Typesetting.docc/MakingAReader.md"), encoding: .utf8)
    let code = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let lines = Set(code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    var isCode = false
    var count = 0
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        count += 1
        #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
      }
    }
    #expect(count > 20)
  }
}
