import Markup
import Primitives
import TestSupport
import Testing

@testable import Publications

/// Packages that break a rule of EPUB 3.3 are read as they are meant, and that is told.
@Suite struct PackageRulesTests {
  private static let type = "media-type='application/xhtml+xml'"
  private static func page(_ text: String) -> String {
    "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>\(text)</p></body></html>"
  }

  private func open(_ files: BookFiles) throws -> Publication {
    let folder = try TestFolder()
    return try Publication.open(path: folder.write(files.archive(), to: "book.epub"))
  }

  private func open(
    manifest: String, spine: String, attributes: String = "", metadata: String = "", files: [String: String]
  ) throws -> Publication {
    try open(
      BookFiles(manifest: manifest, spine: spine, spineAttributes: attributes, metadata: metadata, files: files))
  }

  private func codes(_ book: Publication) -> [String] { book.diagnostics.diagnostics.map(\.code) }

  struct Case: CustomTestStringConvertible, Sendable {
    var what: String
    var manifest: String
    var spine: String
    /// Paths of the reading order, in `O/`.
    var expected: [String]
    /// What is told.
    var codes: [String] = []
    var testDescription: String { what }
  }

  private static let cases = [
    Case(
      what: "an id of a picture and a page",
      manifest: "<item id='a' href='i.png' media-type='image/png'/><item id='a' href='a.xhtml' \(type)/>",
      spine: "<itemref idref='a'/>", expected: ["a.xhtml"], codes: ["duplicate-id"]),
    Case(
      what: "an id of two pages that the spine names twice",
      manifest: "<item id='a' href='a.xhtml' \(type)/><item id='a' href='b.xhtml' \(type)/>",
      spine: "<itemref idref='a'/><itemref idref='a'/>", expected: ["a.xhtml", "b.xhtml"],
      codes: ["duplicate-id", "duplicate-id"]),
    Case(
      what: "an id of a file that is missing and of one that is there",
      manifest: "<item id='a' href='gone.xhtml' \(type)/><item id='a' href='b.xhtml' \(type)/>",
      spine: "<itemref idref='a'/>", expected: ["b.xhtml"], codes: ["duplicate-id"]),
    Case(
      what: "white space around values",
      manifest:
        "<item id=' a ' href=' a.xhtml\n' media-type=' application/xhtml+xml '/><item id='b' href='b.xhtml' \(type)/>",
      spine: "<itemref idref='\ta'/><itemref idref='b '/>", expected: ["a.xhtml", "b.xhtml"]),
    Case(
      what: "an id in another case", manifest: "<item id='Chapter' href='a.xhtml' \(type)/>",
      spine: "<itemref idref='chapter'/>", expected: ["a.xhtml"], codes: ["wrong-reference"]),
    Case(
      what: "a file's name for an id", manifest: "<item id='x' href='a.xhtml' \(type)/><item href='b.xhtml' \(type)/>",
      spine: "<itemref idref='a.xhtml'/><itemref href='b.xhtml'/>", expected: ["a.xhtml", "b.xhtml"],
      codes: ["wrong-reference", "wrong-reference"]),
    Case(
      what: "attributes in capitals", manifest: "<item ID='a' HREF='a.xhtml' \(type)/>", spine: "<itemref IDREF='a'/>",
      expected: ["a.xhtml"]),
    Case(
      what: "an item without a file", manifest: "<item id='x' \(type)/><item id='a' href='a.xhtml' \(type)/>",
      spine: "<itemref idref='a'/>", expected: ["a.xhtml"], codes: ["item-without-file"]),
    Case(
      what: "no media types, or wrong ones",
      manifest: """
        <item id='a' href='a.xhtml'/><item id='b' href='b.xhtml' media-type='application/xhtml+xml; charset=utf-8'/>
        <item id='c' href='c.html' media-type='text/xhtml'/><item id='d' href='d.xhtml' media-type='image/jpeg'/>
        <item id='e' href='e.xhtml' media-type='application/octet-stream'/>
        """,
      spine: "<itemref idref='a'/><itemref idref='b'/><itemref idref='c'/><itemref idref='d'/><itemref idref='e'/>",
      expected: ["a.xhtml", "b.xhtml", "c.html", "d.xhtml", "e.xhtml"], codes: ["wrong-media-type"]),
    Case(
      what: "hrefs with fragments, queries, backslashes, escapes twice and another case",
      manifest: """
        <item id='a' href='a.xhtml#top' \(type)/><item id='b' href='t\\f.xhtml' \(type)/><item id='c'
        href='g%2520h.xhtml' \(type)/><item id='d' href='D.XHTML' \(type)/><item id='e' href='./e.xhtml?x' \(type)/>
        """,
      spine: "<itemref idref='a'/><itemref idref='b'/><itemref idref='c'/><itemref idref='d'/><itemref idref='e'/>",
      expected: ["a.xhtml", "t/f.xhtml", "g%20h.xhtml", "D.XHTML", "e.xhtml"]),
    Case(
      what: "files from the root of the container, or in another folder",
      manifest:
        "<item id='a' href='O/a.xhtml' \(type)/><item id='b' href='/O/b.xhtml' \(type)/><item id='c' href='x/f.xhtml' \(type)/>",
      spine: "<itemref idref='a'/><itemref idref='b'/><itemref idref='c'/>",
      expected: ["a.xhtml", "b.xhtml", "t/f.xhtml"], codes: ["misplaced-file", "misplaced-file"]),
    Case(
      what: "a base", manifest: "<item xml:base='t/' id='a' href='f.xhtml' \(type)/>", spine: "<itemref idref='a'/>",
      expected: ["t/f.xhtml"]),
    Case(
      what: "fallbacks in a circle, and to an id given twice",
      manifest: """
        <item id='a' href='x.bin' media-type='application/x-bin' fallback=' b '/>
        <item id='b' href='y.bin' media-type='application/x-bin' fallback='a'/><item id='b' href='b.xhtml' \(type)/>
        """,
      spine: "<itemref idref='a'/>", expected: ["b.xhtml"]),
    Case(
      what: "no spine", manifest: "<item id='a' href='b.xhtml' \(type)/><item id='b' href='a.xhtml' \(type)/>",
      spine: "",
      expected: ["b.xhtml", "a.xhtml"], codes: ["empty-spine"]),
    Case(
      what: "a spine of nothing that is there", manifest: "<item id='a' href='a.xhtml' \(type)/>",
      spine: "<itemref idref='nothing'/><itemref/>", expected: ["a.xhtml"],
      codes: ["unknown-spine-item", "unknown-spine-item", "empty-spine"]),
    Case(
      what: "neither a manifest nor a spine", manifest: "", spine: "",
      expected: ["a.xhtml", "b.xhtml", "c.html", "d.xhtml", "e.xhtml", "g h.xhtml", "t/f.xhtml"],
      codes: ["empty-manifest", "empty-spine"]),
  ]

  @Test(arguments: cases) func `The item that makes sense is read`(_ rule: Case) throws {
    var files = ["O/i.png": "x", "O/t/f.xhtml": Self.page("f"), "O/g h.xhtml": Self.page("g")]
    for name in ["a.xhtml", "b.xhtml", "c.html", "d.xhtml", "e.xhtml"] { files["O/" + name] = Self.page("text") }
    let book = try open(manifest: rule.manifest, spine: rule.spine, files: files)
    #expect(book.spine.map(\.path) == rule.expected.map { "O/" + $0 })
    #expect(codes(book) == rule.codes)
    for index in book.spine.indices {
      #expect(book.document(at: index).document.dump().contains("<p>"), "\(book.spine[index].path)")
    }
  }

  @Test func `A picture that is called a page is shown as a picture`() throws {
    let files = BookFiles(
      manifest: "<item id='a' href='a.jpg' \(Self.type)/>", spine: "<itemref idref='a'/>",
      files: ["O/a.jpg": "\u{FFFD}"])
    var changed = files
    changed["O/a.jpg"] = [0xFF, 0xD8, 0xFF, 0xE0]
    let book = try open(changed)
    #expect(book.spine.map(\.mediaType) == ["image/jpeg"] && codes(book) == ["wrong-media-type"])
    #expect(book.document(at: 0).document.dump().contains("img"))
  }

  @Test func `Values of the spine may have spaces and capitals`() throws {
    let chapter = "<item id='a' href='a.xhtml' \(Self.type)/>"
    let book = try open(
      manifest: chapter, spine: "<itemref idref='a' linear=' No ' properties='\n page-spread-left\t'/>",
      attributes: " page-progression-direction=' RTL '", files: ["O/a.xhtml": Self.page("one")])
    #expect(book.spine.map(\.isLinear) == [false] && book.spine[0].properties == ["page-spread-left"])
    #expect(book.metadata.pageProgression == .rightToLeft)
  }

  @Test func `A link to a chapter is found as its file is`() throws {
    let book = try open(
      manifest: "<item id='a' href='A.xhtml' \(Self.type)/>", spine: "<itemref idref='a'/>",
      files: ["O/a.xhtml": Self.page("one")])
    #expect(book.spineIndex(of: "O/A.xhtml") == 0 && book.spineIndex(of: "O/a.xhtml") == 0)
    #expect(book.spineIndex(of: "O/b.xhtml") == nil)
  }

  // MARK: Contents and cover

  private static let nav = """
    <html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body><nav epub:type='toc'><ol><li><a
    href='a.xhtml'>From nav</a></li></ol></nav></body></html>
    """
  private static let ncx = """
    <ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>From NCX</text></navLabel><content
    src='a.xhtml'/></navPoint></navMap></ncx>
    """

  @Test(arguments: [
    // Properties with white space, several documents of which one has contents, none that says so.
    ("<item id='n' href='nav.xhtml' \(type) properties='\n\tscripted  nav '/>", "", "From nav"),
    (
      "<item id='m' href='a.xhtml' \(type) properties='nav'/><item id='n' href='nav.xhtml' \(type) properties='nav'/>",
      "", "From nav"
    ),
    ("<item id='n' href='nav.xhtml' \(type)/>", "", "From nav"),
    // An NCX of a wrong type, one that `toc` names wrongly or twice, one that is in no manifest.
    ("<item id='t' href='t.ncx' media-type='text/xml'/>", " toc=' t '", "From NCX"),
    ("<item id='t' href='t.ncx' media-type='application/x-dtbncx+xml'/>", " toc='nothing'", "From NCX"),
    (
      "<item id='t' href='a.xhtml' \(type)/><item id='t' href='t.ncx' media-type='application/x-dtbncx+xml'/>",
      " toc='t'", "From NCX"
    ),
    ("", " toc='t'", "From NCX"),
  ])
  func `Contents are found where they are`(_ items: String, _ attributes: String, _ title: String) throws {
    let book = try open(
      manifest: "<item id='a' href='a.xhtml' \(Self.type)/>" + items, spine: "<itemref idref='a'/>",
      attributes: attributes,
      files: [
        "O/a.xhtml": Self.page("one"), "O/nav.xhtml": Self.nav, title == "From NCX" ? "O/t.ncx" : "O/t.txt": Self.ncx,
      ])
    #expect(book.tableOfContents.map(\.title) == [title])
    #expect(book.tableOfContents.first?.target?.path == "O/a.xhtml")
  }

  @Test(arguments: [
    ("<item id='i' href='i.png' media-type='image/png' properties=' cover-image\n'/>", ""),
    ("<item id='i' href='i.png' media-type='image/png'/>", "<meta name='cover' content=' i '/>"),
    ("<item id='i' href='i.png' media-type='image/png'/>", "<meta name='Cover' content='i.png'/>"),
    (
      "<item id='a2' href='a.xhtml' \(type)/><item id='a2' href='i.png' media-type='image/png'/>",
      "<meta name='cover' content='a2'/>"
    ),
    ("<item id='page' href='c.xhtml' \(type)/>", "<meta name='cover' content='page'/>"),
    ("", "<guide><reference type='cover' href='c.xhtml'/></guide>"),
    ("", "<guide><reference type='Cover' href='i.png'/></guide>"),
  ])
  func `The cover is found where it is`(_ items: String, _ metadata: String) throws {
    let book = try open(
      manifest: "<item id='a' href='a.xhtml' \(Self.type)/>" + items, spine: "<itemref idref='a'/>", metadata: metadata,
      files: [
        "O/a.xhtml": Self.page("one"), "O/i.png": "x",
        "O/c.xhtml": """
        <html xmlns='http://www.w3.org/1999/xhtml'><body><svg xmlns='http://www.w3.org/2000/svg'
        xmlns:xlink='http://www.w3.org/1999/xlink'><image xlink:href='i.png'/></svg></body></html>
        """,
      ])
    #expect(book.coverPath == "O/i.png")
  }

  // MARK: Container

  @Test(arguments: [
    // Backslashes, a slash before, escapes, another case, another type, several of which one is there, no namespace, a prefix.
    "<container><rootfiles><rootfile full-path='O\\p.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
    "<container><rootfiles><rootfile full-path=' /O/p.opf '/></rootfiles></container>",
    "<container><rootfiles><rootfile full-path='o/%70.OPF'/></rootfiles></container>",
    "<container><rootfiles><rootfile Full-Path='O/p.opf' media-type=' Application/OEBPS-package+xml'/></rootfiles></container>",
    "<container><rootfiles><rootfile full-path='p.opf'/><rootfile full-path='O/p.opf'/></rootfiles></container>",
    "<c:container xmlns:c='urn:x'><c:rootfiles><c:rootfile full-path='O/p.opf'/></c:rootfiles></c:container>",
    "\u{FEFF}\n<?xml version='1.0'?><container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>",
  ])
  func `The package is found by what the container file says`(_ container: String) throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/container.xml"] = Array(container.utf8)
    let book = try open(files)
    #expect(book.spine.count == 1)
    #expect(!codes(book).contains("wrong-container"))
  }

  @Test(arguments: [
    "", "<container/>", "no markup",
    "<container><rootfiles><rootfile full-path='O/p.opf' media-type='text/xml'/></rootfiles></container>",
    "<container><rootfiles><rootfile full-path='O/'/></rootfiles></container>",
  ])
  func `A container file that says nothing of use is told, and the package searched`(_ container: String) throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/container.xml"] = Array(container.utf8)
    let book = try open(files)
    #expect(book.spine.count == 1)
    #expect(codes(book).contains("wrong-container"))
  }

  @Test(arguments: ["opf:", ""]) func `Prefixes, namespaces and what stands before the declaration do not matter`(
    _ prefix: String
  ) throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    let namespace = prefix.isEmpty ? " xmlns='http://openebook.org/namespaces/oeb-package/1.0/'" : ""
    files["O/p.opf"] = Array(
      """
      \u{FEFF}  <?xml version='1.0' encoding='utf-8'?>
      <\(prefix)package\(namespace) unique-identifier='none'><\(prefix)metadata><dc-metadata><dc:Title>T</dc:Title><dc:Identifier
      id='i'>urn:y</dc:Identifier></dc-metadata></\(prefix)metadata><\(prefix)manifest><\(prefix)item id='a' href='c1.xhtml'
      media-type='text/x-oeb1-document'/></\(prefix)manifest><\(prefix)spine><\(prefix)itemref
      idref='a'/></\(prefix)spine></\(prefix)package>
      """.utf8)
    let book = try open(files)
    #expect(book.spine.map(\.path) == ["O/c1.xhtml"])
    #expect(book.metadata.title == "T" && book.metadata.identifier == "urn:y")
  }

  @Test func `A package of another name is found by its root element`() throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/container.xml"] = nil
    files["O/package.xml"] = files["O/p.opf"]
    files["O/p.opf"] = nil
    #expect(try open(files).spine.count == 1)
  }

  @Test(arguments: ["", "broken <", "<encryption><EncryptedData/></encryption>"])
  func `Damaged lists of encrypted files are none`(_ encryption: String) throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/encryption.xml"] = Array(encryption.utf8)
    files["mimetype"] = Array("\u{FEFF}application/epub\n".utf8)
    #expect(try open(files).spine.count == 1)
  }
}
