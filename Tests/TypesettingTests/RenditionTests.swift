import Primitives
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

struct RollTests {
  @Test func `Each document of a roll is one page as wide as the reader's and as high as it then is`() async throws {
    let item = { (name: String) in "<item id='\(name)' href='\(name).xhtml' media-type='application/xhtml+xml'/>" }
    let page = { (height: Int) in
      "<html xmlns='http://www.w3.org/1999/xhtml'><head><meta name='viewport' content='width=300, height=\(height)'/></head>"
        + "<body><p>one</p></body></html>"
    }
    let files = BookFiles(
      manifest: item("a") + item("b"),
      spine: "<itemref idref='a'/><itemref idref='b' properties='rendition:layout-reflowable'/>",
      metadata: "<meta property='rendition:layout'>roll</meta>",
      files: ["O/a.xhtml": page(1500), "O/b.xhtml": page(1500)])
    let folder = try TestFolder()
    let book = try await Book(contentsOf: folder.write(files.archive(), to: "book.epub"))
    #expect(book.metadata.rendition.layout == .roll)
    let typesetter = Typesetter(book: book)
    let first = try await typesetter.page(0, of: 0)
    #expect(first.size == Size(width: LayoutUnit(600), height: LayoutUnit(3000)))
    await #expect(throws: PageError.noSuchPage) { try await typesetter.page(1, of: 0) }
    #expect(try await typesetter.page(0, of: 1).size == Size(width: LayoutUnit(600), height: LayoutUnit(800)))
    let spread = try await typesetter.spread(showing: 0, of: 0)
    #expect(spread.isCentered && spread.pages.count == 1)
  }
}
