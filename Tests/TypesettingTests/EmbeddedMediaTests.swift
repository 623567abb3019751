import Primitives
import TestSupport
import Testing
import Typesetting

struct EmbeddedMediaTests {
  @Test func `Sound, films and frames of a chapter are told with their files and places`() async throws {
    let body = """
      <p>Before</p><p><audio controls="controls" title="A song"><source src="a.mp3" type="audio/mpeg"/><source src="a.opus"/>
      <span>No sound here.</span></audio></p><video src="http://example.org/v.mp4" poster="p.png" autoplay="" loop=""></video>
      <iframe src="c2.xhtml#x" width="300" height="150"></iframe>
      """
    let files = BookFiles(
      chapters: [body, "<p id='x'>inner</p>"], files: ["O/a.mp3": "mp3", "O/p.png": "png"])
    let folder = try TestFolder()
    let book = try await Book(contentsOf: folder.write(files.archive(), to: "book.epub"))
    let media = await book.embeddedMedia(of: 0)
    #expect(media.map(\.kind) == [.audio, .video, .frame])
    #expect(media[0].sources.map(\.href) == ["O/a.mp3", "O/a.opus"])
    #expect(media[0].sources.map(\.isInBook) == [true, false] && media[0].sources[0].mediaType == "audio/mpeg")
    #expect(media[0].showsControls && media[0].title == "A song" && !media[0].startsAtOnce)
    #expect(media[1].sources.map(\.href) == ["http://example.org/v.mp4"] && media[1].poster == "O/p.png")
    #expect(media[1].startsAtOnce && media[1].isLooped)
    #expect(media[2].sources.map(\.href) == ["O/c2.xhtml#x"] && media[2].sources[0].isInBook)
    #expect(media[2].size == Size(width: LayoutUnit(300), height: LayoutUnit(150)))
    // The placeholder of the sound is where the sound is.
    let layout = try await Typesetter(book: book).layout(of: 0)
    let page = layout.page(containing: media[0].range.lowerBound)
    #expect(!layout.selectionRectangles(media[0].range, on: page).isEmpty)
    #expect(await book.embeddedMedia(of: 7).isEmpty)
  }
}
