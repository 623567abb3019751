import Markup
import Platform
import Primitives
import Publications
import Testing

/// A folder with files, removed at the end.
private final class Folder {
  let path: String
  init(_ files: [String: String]) throws {
    var template = Array("/tmp/publication-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
    for (name, content) in files {
      var folder = path
      for part in name.split(separator: "/").dropLast() {
        folder += "/" + part
        mkdir(folder, 0o700)
      }
      let file = try #require(fopen(path + "/" + name, "wb"))
      fputs(content, file)
      fclose(file)
    }
  }
  deinit {
    let command = ["rm", "-rf", path]
    var arguments = command.map { strdup($0) } + [nil]
    var process = pid_t()
    posix_spawnp(&process, "rm", nil, nil, &arguments, environ)
    waitpid(process, nil, 0)
    for argument in arguments { free(argument) }
  }
}

private let containerXML =
  "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile full-path='O/p.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"

private func package(
  metadata: String = "", manifest: String, spine: String, language: String = "en", progression: String? = "rtl"
) -> String {
  """
  <package xmlns='http://www.idpf.org/2007/opf' version='3.0' unique-identifier='id'>
  <metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:identifier id='id'>urn:x</dc:identifier><dc:title>T</dc:title>
  <dc:creator id='c'>A</dc:creator><meta refines='#c' property='role'>aut</meta><dc:language>\(language)</dc:language>\(metadata)</metadata>
  <manifest>\(manifest)</manifest><spine\(progression.map { " page-progression-direction='\($0)'" } ?? "")>\(spine)</spine></package>
  """
}

@Suite struct PublicationTests {
  @Test func `An unpacked book is read`() throws {
    let folder = try Folder([
      "META-INF/container.xml": containerXML,
      "O/p.opf": package(
        metadata: "<meta property='rendition:layout'>pre-paginated</meta>",
        manifest: """
          <item id='a' href='A.xhtml' media-type='application/xhtml+xml'/><item id='b' href='b%20c.xhtml' media-type='application/xhtml+xml'/>
          <item id='gone' href='gone.xhtml' media-type='application/xhtml+xml'/>
          <item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>
          <item id='i' href='i.png' media-type='image/png' properties='cover-image'/>
          """,
        spine: "<itemref idref='a'/><itemref idref='gone'/><itemref idref='none'/><itemref idref='b' linear='no'/>"),
      "O/a.xhtml": "<html><body><p>one</p></body></html>",
      "O/b c.xhtml": "",
      "O/i.png": "PNG",
      "O/nav.xhtml": """
      <html xmlns:epub='http://www.idpf.org/2007/ops'><body><nav epub:type='toc'><ol><li><a href='A.xhtml'>One</a><ol><li><a href='b%20c.xhtml#x'>Two</a></li></ol></li></ol></nav></body></html>
      """,
    ])
    let book = try Publication.open(path: folder.path)
    #expect(book.metadata.title == "T")
    #expect(book.metadata.creators.map(\.role) == ["aut"])
    #expect(book.metadata.layout == .prePaginated)
    #expect(book.metadata.pageProgression == .rightToLeft)
    #expect(book.spine.map(\.path) == ["O/A.xhtml", "O/b c.xhtml"])
    #expect(book.spine.map(\.isLinear) == [true, false])
    #expect(book.spine.map(\.title) == ["One", "Two"])
    #expect(book.tableOfContents.map(\.level) == [0, 1])
    #expect(book.tableOfContents.last?.target == ResourcePath(path: "O/b c.xhtml", fragment: "x"))
    #expect(book.coverPath == "O/i.png")
    #expect(book.diagnostics.diagnostics.map(\.code) == ["missing-spine-item", "unknown-spine-item"])
    // Found in spite of the case.
    #expect(book.document(at: 0).document.dump().contains("one"))
    #expect(book.document(at: 1).diagnostics.diagnostics.map(\.code) == ["empty-chapter"])
    #expect(try book.resource(at: "O/I.PNG") == Array("PNG".utf8))
    #expect(throws: PublicationError.self) { try book.resource(at: "../../etc/passwd") }
  }

  @Test func `Protection is told from scrambled fonts`() throws {
    func open(_ algorithm: String, _ path: String) throws -> Publication {
      let folder = try Folder([
        "META-INF/container.xml": containerXML,
        "META-INF/encryption.xml": """
        <encryption xmlns:enc='http://www.w3.org/2001/04/xmlenc#'><enc:EncryptedData><enc:EncryptionMethod Algorithm='\(algorithm)'/>
        <enc:CipherData><enc:CipherReference URI='\(path)'/></enc:CipherData></enc:EncryptedData></encryption>
        """,
        "O/p.opf": package(
          manifest: "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>", spine: "<itemref idref='a'/>"),
        "O/a.xhtml": "<html><body/></html>",
      ])
      return try Publication.open(path: folder.path)
    }
    #expect(throws: PublicationError.self) { try open("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/a.xhtml") }
    #expect(try open("http://www.idpf.org/2008/embedding", "O/f.otf").spine.count == 1)
    // A protected font or picture leaves the book as it is.
    #expect(try open("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/i.jpg").spine.count == 1)
  }

  @Test(arguments: [
    ("META-INF/license.lcpl", "{}", "", "Readium LCP"), ("META-INF/sinf.xml", "<sinf/>", "", "Apple FairPlay"),
    ("META-INF/rights.xml", "<rights xmlns='http://ns.adobe.com/adept'/>", "", "Adobe ADEPT"),
    ("META-INF/rights.xml", "<rights/>", "", "a shop's digital rights management"),
    (
      "META-INF/other", "",
      "<KeyInfo><RetrievalMethod URI='x' Type='http://readium.org/2014/01/lcp#EncryptedContentKey'/></KeyInfo>",
      "Readium LCP"
    ), ("META-INF/other", "", "", "encryption"),
  ])
  func `Protection is named`(_ file: String, _ content: String, _ key: String, _ scheme: String) throws {
    let folder = try Folder([
      "META-INF/container.xml": containerXML, file: content,
      "META-INF/encryption.xml": """
      <encryption><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/>\(key)
      <CipherData><CipherReference URI='O/a.xhtml'/></CipherData></EncryptedData></encryption>
      """,
      "O/p.opf": package(
        manifest: "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>", spine: "<itemref idref='a'/>"),
      "O/a.xhtml": "\u{1}\u{2}",
    ])
    let protections: [String: Protection] = ["Readium LCP": .lcp, "Apple FairPlay": .apple, "Adobe ADEPT": .adobe]
    do {
      _ = try Publication.open(path: folder.path)
      Issue.record("the book is opened")
    } catch {
      #expect(
        error.kind == .protected(protections[scheme] ?? .unknown)
          && error.reason == "the book is protected by \(scheme) and cannot be read")
    }
  }

  @Test(
    arguments: [
      ("ar", nil, "", .rightToLeft), ("he-IL", "default", "", .rightToLeft), ("fa_IR", nil, "", .rightToLeft),
      ("yi", nil, "", .rightToLeft), ("az-Arab", nil, "", .rightToLeft), ("ar-Latn", nil, "", .unspecified),
      ("ar", "ltr", "", .leftToRight), ("en", nil, "", .unspecified), ("en", "rtl", "", .rightToLeft),
      ("ja", nil, "<meta name='primary-writing-mode' content='vertical-rl'/>", .rightToLeft),
      ("ar", nil, "<meta name='primary-writing-mode' content='horizontal-lr'/>", .leftToRight),
    ] as [(String, String?, String, Metadata.PageProgression)])
  func `Pages follow the main language where nothing is said`(
    _ language: String, _ progression: String?, _ metadata: String, _ wanted: Metadata.PageProgression
  ) throws {
    let folder = try Folder([
      "META-INF/container.xml": containerXML,
      "O/p.opf": package(
        metadata: metadata, manifest: "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>",
        spine: "<itemref idref='a'/>", language: language, progression: progression),
      "O/a.xhtml": "<html><body/></html>",
    ])
    #expect(try Publication.open(path: folder.path).metadata.pageProgression == wanted)
  }

  @Test func `Pictures in the spine are shown themselves`() throws {
    let folder = try Folder([
      "META-INF/container.xml": containerXML,
      "O/p.opf": package(
        manifest: """
          <item id='jpeg' href='1.jpg' media-type='image/jpeg' fallback='nav'/>
          <item id='svg' href='2.svg' media-type='image/svg+xml' fallback='nav'/>
          <item id='tif' href='3.tif' media-type='image/tiff' fallback='png'/>
          <item id='png' href='3.png' media-type='image/png' fallback='page'/>
          <item id='psd' href='4.psd' media-type='image/psd' fallback='page'/>
          <item id='gone' href='5.jpg' media-type='image/jpeg' fallback='other'/>
          <item id='xml' href='6.xml' media-type='application/xml' fallback='last'/>
          <item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>
          <item id='page' href='page.xhtml' media-type='application/xhtml+xml'/>
          <item id='other' href='other.xhtml' media-type='application/xhtml+xml'/>
          <item id='last' href='last.xhtml' media-type='application/xhtml+xml'/>
          """,
        spine: ["jpeg", "svg", "tif", "psd", "gone", "xml"].map { "<itemref idref='\($0)'/>" }.joined()),
      "O/1.jpg": "JPEG", "O/2.svg": "<svg xmlns='http://www.w3.org/2000/svg'><text>Words</text></svg>", "O/3.tif": "J",
      "O/3.png": "PNG", "O/4.psd": "P", "O/6.xml": "<a/>", "O/page.xhtml": "<html><body>page</body></html>",
      "O/other.xhtml": "<html><body>other</body></html>", "O/last.xhtml": "<html><body>last</body></html>",
      "O/nav.xhtml": """
      <html xmlns:epub='http://www.idpf.org/2007/ops'><body><nav epub:type='toc'><ol><li><a href='page.xhtml'>Page</a></li></ol></nav></body></html>
      """,
    ])
    let book = try Publication.open(path: folder.path)
    #expect(
      book.spine.map(\.path) == ["O/1.jpg", "O/2.svg", "O/3.png", "O/page.xhtml", "O/other.xhtml", "O/last.xhtml"])
    #expect(book.document(at: 0).document.dump().contains("1.jpg"))
    // A drawing stays a document, with its text.
    #expect(book.document(at: 1).document.dump().contains("Words"))
    // Links to a fallback lead to what is shown in its place; the page itself comes first.
    #expect(book.spineIndex(of: "O/page.xhtml") == 3 && book.spineIndex(of: "O/3.tif") == 2)
    #expect(book.spineIndex(of: "O/nav.xhtml") == 0)
    #expect(book.manifest.picturePaths(for: "O/4.psd") == ["O/4.psd", "O/page.xhtml"])
    #expect(book.manifest.picturePaths(for: "O/3.tif").first == "O/3.png")
  }

  @Test func `Folders are no books however deep one lies`() throws {
    var files = ["a/b/c/d/META-INF/container.xml": containerXML, "a/b/c/d/O/p.opf": "<package/>"]
    files["note.txt"] = "x"
    let folder = try Folder(files)
    #expect(
      throws: PublicationError(
        .notABook, "it is no book: it has neither META-INF/container.xml nor a package document (.opf)")
    ) { try Publication.open(path: folder.path) }
    // One folder too many, or a lost container file, is made good.
    let near = try Folder([
      "book/O/p.opf": package(
        manifest: "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>", spine: "<itemref idref='a'/>"),
      "book/O/a.xhtml": "<html><body/></html>",
    ])
    #expect(try Publication.open(path: near.path).spine.map(\.path) == ["book/O/a.xhtml"])
  }

  @Test func `Pages read only their folder`() throws {
    let folder = try Folder([
      "sub/a.html": "<title>T</title><p>x<img src='../secret.txt'>", "secret.txt": "s", "sub/s.css": "p{}",
    ])
    symlink(folder.path + "/secret.txt", folder.path + "/sub/link.txt")
    let book = try Publication.open(path: folder.path + "/sub/a.html")
    #expect(book.kind == .html)
    #expect(book.metadata.title == "T")
    #expect(try book.resource(at: "s.css") == Array("p{}".utf8))
    for path in ["../secret.txt", "secret.txt", "link.txt", "/etc/passwd"] {
      #expect(throws: PublicationError.self) { try book.resource(at: path) }
    }
  }

  @Test func `Kinds are told by content`() throws {
    let folder = try Folder(["a.epub": "\u{1}PNG", "b.txt": "<!DOCTYPE html><p>x", "c.txt": "第一章\n文。", "d.epub": ""])
    #expect(throws: PublicationError.self) { try Publication.open(path: folder.path + "/a.epub") }
    #expect(try Publication.open(path: folder.path + "/b.txt").kind == .html)
    #expect(try Publication.open(path: folder.path + "/c.txt").kind == .text)
    #expect(throws: PublicationError(.notABook, "the file is empty")) {
      try Publication.open(path: folder.path + "/d.epub")
    }
    #expect(throws: PublicationError(.noSuchInput, "there is no such file")) {
      try Publication.open(path: folder.path + "/none")
    }
  }
}
