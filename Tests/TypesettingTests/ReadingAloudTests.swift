import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct ReadingAloudTests {
  @Test func `Sentences come in reading order with language and places`() async throws {
    let test = try TestBook()
    let body =
      "<p>One. Two three!</p><p lang='zh'>你好。再见。</p>" + "<p>"
      + String(repeating: "A sentence that is long enough for its line. ", count: 30) + "</p>"
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(300), height: LayoutUnit(250))
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([body])), settings: settings)
    let layout = try await typesetter.layout(of: 0)
    let sentences = layout.sentences()
    #expect(sentences.prefix(4).map(\.text) == ["One.", "Two three!", "你好。", "再见。"])
    #expect(sentences.prefix(4).map(\.language) == ["en", "en", "zh", "zh"])
    #expect(sentences.count == 34)
    #expect(sentences.allSatisfy { !$0.places.isEmpty })
    let crossing = try #require(sentences.first { $0.places.count == 2 })
    #expect(crossing.places[1].page == crossing.places[0].page + 1)
    #expect(crossing.range.contains(crossing.places[1].start))
    #expect(layout.page(containing: crossing.places[1].start) == crossing.places[1].page)
    #expect(layout.sentences(from: sentences[2].range.lowerBound).first == sentences[2])
  }

  /// Frames of MPEG-1 layer III without a sound: 1152 samples each at 44.1 kHz.
  private static func silence(seconds: Double) -> Data {
    let frame: [UInt8] = [0xFF, 0xFB, 0x10, 0xC4] + [UInt8](repeating: 0, count: 100)
    return Data((0..<Int(seconds * 44100 / 1152)).flatMap { _ in frame })
  }

  /// A book of two chapters with recordings, as publishers make them: a clip for each sentence, a page number that listeners skip, a
  /// footnote, a paragraph for a voice of the reader's.
  private func recordedBook(_ test: TestBook) throws -> Book {
    let sentences = (0..<24).map { "This is sentence number \($0) of a story that is read aloud, and it is not short." }
    let story = sentences.enumerated().map { "<span id='s\($0.offset)'>\($0.element)</span>" }.joined(separator: " ")
    let path = try test.epub([
      "<h1 id='h'>One</h1><p>\(story)</p><span id='p2'>2</span><aside id='n'>A note.</aside><p id='v'>Voices.</p>",
      "<p id='a'>The <b>last</b> words.</p>",
    ])
    func seconds(_ number: Int) -> String { "0:00:\(number / 10).\(number % 10)" }
    func par(_ target: String, _ number: Int, _ type: String = "") -> String {
      "<par\(type)><text src=\"../\(target)\"/><audio src=\"../audio/one.mp3\" clipBegin=\"\(seconds(number))\" clipEnd=\"\(seconds(number + 1))\"/></par>"
    }
    let clips = sentences.indices.map { par("c0.xhtml#s\($0)", $0 + 1) }.joined()
    _ = try test.write(
      """
      <smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0"><body epub:type="bodymatter">
      \(par("c0.xhtml#h", 0))<seq epub:textref="../c0.xhtml" epub:type="chapter">\(clips)
      \(par("c0.xhtml#p2", 30, " epub:type=\"pagebreak\""))<seq epub:type="footnote" epub:textref="../c0.xhtml#n">\(par("c0.xhtml#n", 31))</seq>
      <par><text src="../c0.xhtml#v"/></par></seq>\(par("c1.xhtml#a", 40))</body></smil>
      """, to: "book/overlays/all.smil")
    try FileManager.default.createDirectory(atPath: test.path("book/audio"), withIntermediateDirectories: true)
    try Self.silence(seconds: 5).write(to: URL(fileURLWithPath: test.path("book/audio/one.mp3")))
    let package = try String(contentsOfFile: test.path("book/package.opf"), encoding: .utf8)
      .replacing(
        "media-type=\"application/xhtml+xml\"", with: "media-type=\"application/xhtml+xml\" media-overlay=\"mo\""
      )
      .replacing(
        "</metadata>",
        with:
          "<meta property=\"media:duration\" refines=\"#mo\">0:00:04.1</meta><meta property=\"media:duration\">0:00:04.1</meta><meta property=\"media:narrator\">A Voice</meta></metadata>"
      )
      .replacing(
        "</manifest>",
        with:
          "<item id=\"mo\" href=\"overlays/all.smil\" media-type=\"application/smil+xml\"/><item id=\"mp3\" href=\"audio/one.mp3\" media-type=\"audio/mpeg\"/></manifest>"
      )
    _ = try test.write(package, to: "book/package.opf")
    return try Book(contentsOf: path)
  }

  @Test func `A recorded book is read in order, page after page`() async throws {
    let test = try TestBook()
    let book = try recordedBook(test)
    #expect(book.metadata.duration == 4.1 && book.metadata.narrators == ["A Voice"])
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(320), height: LayoutUnit(300))
    let typesetter = Typesetter(book: book, settings: settings)
    let layout = try await typesetter.layout(of: 0)
    let utterances = layout.utterances(await book.mediaOverlay(of: 0))
    #expect(utterances.count == 28)
    #expect(utterances.map(\.range.lowerBound) == utterances.map(\.range.lowerBound).sorted())
    // The recording and the sentences of the text agree, and stand at the same places.
    let spoken = layout.sentences()
    #expect(Array(utterances[1..<25].map(\.text)) == Array(spoken.map(\.text)[1..<25]))
    #expect(
      Array(utterances[1..<25].map { $0.places.map(\.rectangles) })
        == Array(spoken[1..<25].map { $0.places.map(\.rectangles) }))
    #expect(utterances.allSatisfy { $0.language == "en" && !$0.places.isEmpty })
    // Where the page is turned in the middle of a sentence.
    let crossing = utterances.filter { $0.places.count == 2 }
    #expect(!crossing.isEmpty && crossing.count <= layout.pageCount - 1)
    for utterance in crossing {
      let turn = utterance.places[1]
      #expect(turn.start == layout.start(of: turn.page) && utterance.range.contains(turn.start))
      let before = layout.text(utterance.range.lowerBound..<turn.start)
      #expect(!before.isEmpty && utterance.text.hasPrefix(before.trimmingCharacters(in: .whitespaces)))
    }
    // Parts that a listener may skip, and parts without a recording.
    #expect(utterances[25].types == ["bodymatter", "chapter", "pagebreak"] && utterances[25].text == "2")
    #expect(utterances[26].types.last == "footnote" && utterances[26].text == "A note.")
    #expect(utterances[27].audio == nil && utterances[27].text == "Voices.")
    // The other chapter of the same overlay, and the recording itself.
    let last = try #require(await book.mediaOverlay(of: 1).first)
    let audio = try #require(last.audio)
    #expect(audio.start == 4 && audio.end == 4.1 && audio.path == "audio/one.mp3")
    let recording = try await book.resource(at: audio.path)
    #expect(recording.mediaType == "audio/mpeg" && recording.bytes.starts(with: [0xFF, 0xFB]))
    #expect(try await typesetter.layout(of: 1).utterances([last]).map(\.text) == ["The last words."])
  }

  @Test func `Media overlays have the same shape`() async throws {
    let test = try TestBook()
    let input = try test.epub(["<p><span id='a'>First words.</span> <span id='b'>Second ones.</span></p>"])
    _ = try test.write(
      """
      <smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0"><body>
      <seq epub:textref="c0.xhtml"><par><text src="c0.xhtml#a"/><audio src="audio/1.mp3" clipBegin="0:00:01.5" clipEnd="3s"/></par>
      <par><text src="c0.xhtml#b"/><audio src="audio/1.mp3" clipBegin="3000ms" clipEnd="0.1min"/></par>
      <par><text src="c0.xhtml#missing"/><audio src="audio/1.mp3"/></par></seq></body></smil>
      """, to: "book/c0.smil")
    let package = try String(contentsOfFile: test.path("book/package.opf"), encoding: .utf8)
      .replacing("href=\"c0.xhtml\"", with: "href=\"c0.xhtml\" media-overlay=\"mo\"")
      .replacing(
        "</manifest>", with: "<item id=\"mo\" href=\"c0.smil\" media-type=\"application/smil+xml\"/></manifest>")
    _ = try test.write(package, to: "book/package.opf")
    let book = try await Book(contentsOf: input)
    let clips = await book.mediaOverlay(of: 0)
    #expect(clips.map(\.audio?.path) == ["audio/1.mp3", "audio/1.mp3"])
    #expect(clips.map(\.audio?.start) == [1.5, 3] && clips.map(\.audio?.end) == [3, 6])
    let layout = try await Typesetter(book: book).layout(of: 0)
    let utterances = layout.utterances(clips)
    #expect(utterances.map(\.text) == ["First words.", "Second ones."])
    #expect(utterances.allSatisfy { $0.places.count == 1 && $0.places[0].rectangles.count == 1 && $0.audio != nil })
  }

  private static let novel = "books/epub/kusamakura-ja-vertical.epub"

  @Test(.enabled(if: SharedData.isThere(novel), "the shared books are not beside the project"))
  func `A recorded novel is followed sentence by sentence`() async throws {
    let book = try await Book(contentsOf: SharedData.path(Self.novel))
    let typesetter = Typesetter(book: book)
    var clips: [Int] = []
    var seconds = 0.0
    var foreign: [Utterance] = []
    for chapter in book.chapters.indices {
      let overlay = await book.mediaOverlay(of: chapter)
      guard !overlay.isEmpty else { continue }
      clips.append(overlay.count)
      let layout = try await typesetter.layout(of: chapter)
      let utterances = layout.utterances(overlay)
      #expect(utterances.count == overlay.count)
      #expect(utterances.allSatisfy { !$0.text.isEmpty && !$0.places.isEmpty })
      // Shelley's verses are the only ones that are not Japanese.
      foreign += utterances.filter { $0.language != "ja" }
      // On from where the last one ended, in time, in the text and on the pages.
      for (before, after) in zip(utterances, utterances.dropFirst()) {
        #expect(before.audio?.path != after.audio?.path || before.audio?.end == after.audio?.start)
        #expect(before.range.upperBound <= after.range.lowerBound)
        #expect(try #require(before.places.last).page <= #require(after.places.first).page)
      }
      let crossing = utterances.filter { $0.places.count > 1 }
      #expect(!crossing.isEmpty)
      for utterance in crossing {
        #expect(utterance.places.map(\.page) == Array(utterance.places[0].page...utterance.places[0].page + 1))
        #expect(layout.start(of: utterance.places[1].page) == utterance.places[1].start)
      }
      for place in utterances.flatMap(\.places) {
        let page = layout.size(of: place.page)
        #expect(
          place.rectangles.allSatisfy {
            $0.x >= .zero && $0.y >= .zero && $0.maxX <= page.width && $0.maxY <= page.height && $0.height > .zero
          })
      }
      for utterance in utterances { seconds += (utterance.audio?.end ?? 0) - (utterance.audio?.start ?? 0) }
    }
    #expect(clips == [219, 220])
    #expect(foreign.map(\.language) == ["en"] && foreign[0].text.hasPrefix("We look before and after And pine"))
    #expect(abs(seconds - (book.metadata.duration ?? 0)) < 60, "\(seconds)")
  }
}
