import Foundation
import Primitives
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
    let typesetter = Typesetter(book: try Book(contentsOf: test.epub([body])), settings: settings)
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
    let book = try Book(contentsOf: input)
    let clips = await book.mediaOverlay(of: 0)
    #expect(clips.map(\.audio.path) == ["audio/1.mp3", "audio/1.mp3"])
    #expect(clips.map(\.audio.start) == [1.5, 3] && clips.map(\.audio.end) == [3, 6])
    let layout = try await Typesetter(book: book).layout(of: 0)
    let utterances = layout.utterances(clips)
    #expect(utterances.map(\.text) == ["First words.", "Second ones."])
    #expect(utterances.allSatisfy { $0.places.count == 1 && $0.places[0].rectangles.count == 1 && $0.audio != nil })
  }
}
