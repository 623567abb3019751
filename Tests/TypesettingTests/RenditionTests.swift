import TestSupport
import Testing
import Typesetting

struct RenditionTests {
  private func open(metadata: String, spine: String) throws -> Book {
    let item = "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>"
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>one</p></body></html>"
    let files = BookFiles(manifest: item, spine: spine, metadata: metadata, files: ["O/a.xhtml": page])
    let folder = try TestFolder()
    return try Book(contentsOf: folder.write(files.archive(), to: "book.epub"))
  }

  @Test func `A book tells its flow, orientation and spreads, and its chapters what they override`() throws {
    let book = try open(
      metadata: """
        <meta property='rendition:flow'>scrolled-doc</meta><meta property='rendition:orientation'>landscape</meta>
        <meta property='rendition:spread'>portrait</meta>
        """,
      spine: """
        <itemref idref='a'/><itemref idref='a' properties='rendition:flow-paginated rendition:flow-auto rendition:spread-none'/>
        <itemref idref='a' properties='rendition:layout-pre-paginated rendition:orientation-portrait'/>
        """)
    let whole = book.metadata.rendition
    #expect(whole.flow == .scrolledDocument && whole.orientation == .landscape)
    #expect(whole.spread == .both && whole.layout == .reflowable)
    let chapters = book.chapters.map(\.rendition)
    #expect(chapters[0] == whole)
    #expect(chapters[1].flow == .paginated && chapters[1].spread == .none && chapters[1].orientation == .landscape)
    #expect(chapters[2].layout == .prePaginated && chapters[2].orientation == .portrait)
  }

  @Test func `A book that asks for nothing is reflowable, and the rest is as the reader likes`() throws {
    let rendition = try open(metadata: "", spine: "<itemref idref='a'/>").metadata.rendition
    #expect(rendition.layout == .reflowable && rendition.flow == .auto)
    #expect(rendition.orientation == .auto && rendition.spread == .auto)
  }
}
