import Foundation
import Graphics
import Primitives
import TestSupport
import Testing
import Typesetting

/// The code of the tutorial and of the articles behind it, line by line.
@Suite struct TutorialTests {
  private func show(_ values: Any?...) {}
  private func speak(_ text: String, _ language: String) {}
  private func play(_ bytes: Data, from start: Double, to end: Double?) {}

  @Test func `The tutorial's code runs`() async throws {
    let test = try TestBook()
    let path = try test.epub([String(repeating: "<p>A café and many words on several pages.</p>", count: 200)])
    let point = Point(x: LayoutUnit(80), y: LayoutUnit(70))
    var marks: [Annotation] = []
    // Open
    let book = try await Book(contentsOf: path)
    print(book.metadata.title, book.tableOfContents.map(\.title))
    // Show
    let typesetter = Typesetter(book: book)
    for try await page in typesetter.pages(of: 0) {
      show(page.png(scale: 2))
      break
    }
    // Turn
    let second = try await typesetter.page(1, of: 0)
    let place = second.start
    for await counts in typesetter.countPages() where counts.isReliable {
      show("\(counts.number(ofPage: 1, in: 0)) of \(counts.likelyTotal)")
    }
    // Restyle
    var settings = typesetter.settings
    settings.fontSize = 20
    settings.theme = .dark
    let page = try await typesetter.apply(settings, keeping: place)
    // Select
    let layout = try await typesetter.layout(of: 0)
    if let start = layout.locator(at: point, on: 0), let word = layout.word(at: start) {
      show(layout.text(word), layout.selectionRectangles(word, on: 0))
      marks.append(Annotation(.highlight, word))
    }
    let marked = try await typesetter.page(0, of: 0).png(annotations: marks)
    let cfi = await book.cfi(for: marks[0].range)
    // Search
    for await result in typesetter.search("cafe") {
      show(result.before, result.match, result.after)
    }
    #expect(page.lines.contains { $0.range.contains(place) })
    #expect(!marked.isEmpty && cfi != nil)
  }

  @Test func `Places are kept as the article tells`() async throws {
    let test = try TestBook()
    let chapter = (0..<200).map { "<p>The café number \($0) and many words on several pages.</p>" }.joined()
    let book = try await Book(contentsOf: test.epub([chapter]))
    let new = try TestBook()
    let edition = try await Book(contentsOf: new.epub(["<p>A word before.</p>", "<h1>New</h1>" + chapter]))
    let typesetter = Typesetter(book: book)
    let page = try await typesetter.page(3, of: 0)
    for await _ in typesetter.countPages() {}
    // The reader's place
    let saved = try JSONEncoder().encode(page.start)
    let place = try JSONDecoder().decode(Locator.self, from: saved)
    let here = await edition.locator(repairing: place)
    show(try await Typesetter(book: edition).page(containing: here))
    for entry in book.tableOfContents {
      if let target = await book.locator(for: entry) { show(entry.title, target.chapter, target.progression) }
    }
    #expect(place == page.start && here.chapter == 1 && here.quote?.after == place.quote?.after)
    // Page numbers that are known at once
    let directory = try JSONEncoder().encode(typesetter.directory)
    let known = try JSONDecoder().decode(PageDirectory.self, from: directory)
    let again = Typesetter(book: book, settings: typesetter.settings, directory: known)
    show(again.pageCounts.isExact, again.directory.page(containing: place))
    #expect(again.pageCounts.isExact && again.directory.page(containing: place) == 3)
    // Places for other programs
    if let cfi = await book.cfi(for: place) {
      let text = "\(cfi)"
      let found = try await book.locator(for: CFI(text))
      show(found, await edition.corrected(cfi))
      #expect(found == place)
    }
    let position = await book.position(of: place)
    show("\(position?.number ?? 1) of \(book.positions.count)")
    let middle = await book.locator(for: book.positions[book.positions.count / 2])
    #expect(position != nil && middle.chapter == 0)
    if let printed = book.pageList.first(where: { $0.title == "12" }), let place = await book.locator(for: printed) {
      show(try await typesetter.page(containing: place))
    }
  }

  @Test func `Notes and voices come as the article tells`() async throws {
    let test = try TestBook()
    let book = try await Book(
      contentsOf: test.epub([
        "<p>One. Two<a id='r' href='#n'>[1]</a>. <a href='c1.xhtml'>More</a> <a href='http://example.org/'>out</a></p>"
          + "<p>[<a id='n' href='#r'>1</a>] The note.</p>", "<p>Three.</p>",
      ]))
    let typesetter = Typesetter(book: book)
    let page = try await typesetter.page(0, of: 0)
    // Links and notes
    for link in page.links {
      if let note = await typesetter.note(for: link, width: LayoutUnit(320)) {
        show(note.text, note.size, note.png(scale: 2))
      } else if let target = await book.locator(forLink: link.href, in: page.chapter) {
        show(try await typesetter.page(containing: target))
      } else {
        show("out of the book: \(link.href)")
      }
    }
    for picture in page.pictures {
      show(await typesetter.note(for: picture, width: LayoutUnit(320))?.text)
    }
    // A voice
    let layout = try await typesetter.layout(of: page.chapter)
    for sentence in layout.sentences(from: page.start) {
      speak(sentence.text, sentence.language)
      for part in sentence.places { show(part.page, part.rectangles) }
    }
    let clips = await book.mediaOverlay(of: page.chapter)
    for utterance in layout.utterances(clips) {
      guard let audio = utterance.audio else { continue }
      let recording = try await book.resource(at: audio.path)
      play(recording.bytes, from: audio.start, to: audio.end)
      show(utterance.text, utterance.places.map(\.page))
    }
    #expect(layout.sentences(from: page.start).first?.text == "One.")
  }

  @Test(arguments: ["MakingAReader", "KeepingPlaces", "NotesAndVoices"])
  func `Articles say what runs here`(name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/Typesetting/Typesetting.docc/\(name).md"), encoding: .utf8)
    let code = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let lines = Set(code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    var block: String?
    var count = 0
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        block = block == nil ? String(line) : nil
      } else if block == "```swift" {
        count += 1
        #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
      }
    }
    #expect(count > 15)
  }
}
