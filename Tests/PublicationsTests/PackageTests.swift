import Foundation
import Markup
import Primitives
import Publications
import TestSupport
import Testing

/// Opens books made in memory, packed, and reads what is in them.
private func open(_ bytes: [UInt8], name: String = "book.epub") throws -> Publication {
  let folder = try TestFolder()
  return try Publication.open(path: folder.write(bytes, to: name))
}

private let chapter = "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>"
private let page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>one</p></body></html>"

struct DamagedArchiveTests {
  private let book = BookFiles(chapters: ["<p>one</p>", "<p>two</p>"])

  /// A file that stays open while its book is read.
  private func withBook<Result>(_ bytes: [UInt8], _ body: (Publication) throws -> Result) throws -> Result {
    let folder = try TestFolder()
    return try body(try Publication.open(path: folder.write(bytes, to: "book.epub")))
  }

  @Test func `an archive of stored entries is read`() throws {
    try withBook(book.archive()) {
      #expect($0.spine.map(\.path) == ["O/c1.xhtml", "O/c2.xhtml"])
      #expect($0.document(at: 1).document.dump().contains("two"))
      #expect($0.diagnostics.diagnostics.isEmpty)
    }
  }

  @Test func `an archive without its directory is read entry by entry`() throws {
    let whole = book.archive()
    let directory = try #require(whole.indices.first { whole[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    try withBook(Array(whole[..<directory])) {
      #expect($0.spine.count == 2)
      #expect($0.document(at: 0).document.dump().contains("one"))
    }
  }

  @Test func `bytes before the archive are passed over`() throws {
    try withBook(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + book.archive()) { #expect($0.spine.count == 2) }
  }

  @Test func `bytes after the archive are passed over`() throws {
    try withBook(book.archive() + Array("\nend".utf8)) { #expect($0.spine.count == 2) }
  }

  @Test(.enabled(if: LoadedLibrary.zip.isInstalled, "libzip is not installed"))
  func `a chapter whose checksum is wrong is read with a warning`() throws {
    var bytes = book.archive()
    let text = Array("<p>two</p>".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place + 3] = UInt8(ascii: "T")
    try withBook(bytes) {
      let (document, diagnostics) = $0.document(at: 1)
      #expect(document.dump().contains("Two"))
      #expect(!diagnostics.diagnostics.isEmpty)
      #expect($0.document(at: 0).diagnostics.diagnostics.isEmpty)
    }
  }

  @Test(arguments: [0, 1, 3, 4, 29, 30, 57]) func `what is left of a few bytes is no book`(_ count: Int) throws {
    #expect(throws: PublicationError.self) { try open(Array(book.archive().prefix(count))) }
  }

  @Test func `an archive is read however early it is cut off, or refused in one line`() throws {
    let bytes = book.archive()
    for count in stride(from: 0, to: bytes.count, by: 37) {
      do {
        let book = try withBook(Array(bytes.prefix(count))) { $0.spine.count }
        #expect(book > 0)
      } catch let error as PublicationError {
        #expect(!error.reason.isEmpty && !error.reason.contains("\n"))
      }
    }
  }

  @Test(.enabled(if: LoadedLibrary.zip.isInstalled, "libzip is not installed"))
  func `an archive that holds nothing but a book's is that book`() throws {
    var outer = BookFiles(chapters: [])
    for entry in outer.entries { outer[entry.path] = nil }
    outer["inner.epub"] = book.archive()
    try withBook(outer.archive()) { #expect($0.spine.count == 2) }
  }

  @Test func `names that lead out of the archive are no files of the book`() throws {
    var files = book
    files["../outside.txt"] = [1]
    try withBook(files.archive()) { publication -> Void in
      #expect(throws: PublicationError.self) { try publication.resource(at: "../outside.txt") }
    }
  }
}

struct PackageRecoveryTests {
  @Test func `without a container file the package is searched`() throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/container.xml"] = nil
    let book = try open(files.archive())
    #expect(book.spine.count == 1)
    #expect(book.diagnostics.diagnostics.map(\.code) == ["missing-container"])
  }

  @Test func `a container file that names another package is passed over`() throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["META-INF/container.xml"] = Array(
      "<container><rootfiles><rootfile full-path='x.opf'/></rootfiles></container>".utf8)
    let book = try open(files.archive())
    #expect(book.spine.count == 1)
    #expect(book.diagnostics.diagnostics.map(\.code) == ["wrong-container"])
  }

  @Test func `a package cut off in its manifest gives what it lists so far`() throws {
    var files = BookFiles(manifest: chapter, spine: "<itemref idref='a'/>", files: ["O/a.xhtml": page])
    let text = String(decoding: try #require(files["O/p.opf"]), as: UTF8.self)
    files["O/p.opf"] = Array(try #require(text.range(of: "</manifest>").map { text[..<$0.lowerBound] }).utf8)
    let book = try open(files.archive())
    #expect(book.spine.map(\.path) == ["O/a.xhtml"])
    #expect(book.diagnostics.diagnostics.map(\.code).contains("empty-spine"))
  }

  @Test func `an empty package is refused, and named`() throws {
    var files = BookFiles(chapters: ["<p>one</p>"])
    files["O/p.opf"] = []
    #expect { try open(files.archive()) } throws: { error in
      guard let error = error as? PublicationError else { return false }
      return error.kind == .notABook && error.part == "O/p.opf"
    }
  }

  @Test func `a package without a document in the book is refused`() throws {
    let files = BookFiles(manifest: chapter, spine: "<itemref idref='a'/>", files: [:])
    #expect(
      throws: PublicationError(
        .notABook, part: "O/p.opf", "the package names no document that is in the book")
    ) { try open(files.archive()) }
  }
}

struct SpineTests {
  @Test func `an item that the spine names twice is shown twice, and links lead to the first`() throws {
    let files = BookFiles(
      manifest: chapter, spine: "<itemref idref='a'/><itemref idref='a'/>", files: ["O/a.xhtml": page])
    let book = try open(files.archive())
    #expect(book.spine.map(\.path) == ["O/a.xhtml", "O/a.xhtml"])
    #expect(book.spine.map(\.packageSteps) == [[6, 2], [6, 4]])
    #expect(book.spineIndex(of: "O/a.xhtml") == 0)
    #expect(book.diagnostics.diagnostics.isEmpty)
  }

  @Test func `a spine that repeats an item without measure is bounded`() throws {
    let files = BookFiles(
      manifest: chapter, spine: String(repeating: "<itemref idref='a'/>", count: 5000), files: ["O/a.xhtml": page])
    let book = try open(files.archive())
    #expect(book.spine.count == 1001)
    #expect(book.diagnostics.diagnostics.map(\.code).contains("repeated-spine-item"))
  }

  @Test func `without a spine the manifest's documents are read in its order`() throws {
    let files = BookFiles(
      manifest: "<item id='b' href='b.xhtml' media-type='application/xhtml+xml'/>\(chapter)"
        + "<item id='s' href='s.css' media-type='text/css'/>", spine: "",
      files: ["O/a.xhtml": page, "O/b.xhtml": page, "O/s.css": ""])
    let book = try open(files.archive())
    #expect(book.spine.map(\.path) == ["O/b.xhtml", "O/a.xhtml"])
    #expect(book.diagnostics.diagnostics.map(\.code) == ["empty-spine"])
  }

  @Test func `fallbacks are followed to what can be shown, and not in circles`() throws {
    let files = BookFiles(
      manifest: """
        <item id='x' href='x.bin' media-type='application/x-y' fallback='y'/>
        <item id='y' href='y.bin' media-type='application/x-y' fallback='a'/>\(chapter)
        <item id='r' href='r.bin' media-type='application/x-y' fallback='s'/>
        <item id='s' href='s.bin' media-type='application/x-y' fallback='r'/>
        """, spine: "<itemref idref='x'/>",
      files: ["O/x.bin": "x", "O/y.bin": "y", "O/a.xhtml": page, "O/r.bin": "r", "O/s.bin": "s"])
    let book = try open(files.archive())
    #expect(book.spine.map(\.path) == ["O/a.xhtml"])
    #expect(book.spine[0].otherPaths == ["O/x.bin", "O/y.bin"])
    let circle = try #require(book.manifest.item(id: "r"))
    #expect(book.manifest.fallbackChain(of: circle).map(\.id) == ["r", "s"])
  }

  @Test func `steps of items count elements, as EPUB CFI does`() throws {
    let files = BookFiles(
      manifest: chapter + "<item id='b' href='b.xhtml' media-type='application/xhtml+xml'/>",
      spine: "<itemref idref='a'/><!-- none --><itemref id='r' idref='b'/>",
      files: ["O/a.xhtml": page, "O/b.xhtml": page])
    let book = try open(files.archive())
    #expect(book.spine.map(\.packageSteps) == [[6, 2], [6, 4]])
    #expect(book.spine[1].referenceID == "r")
  }
}

struct NavigationTests {
  private static let ncx = """
    <ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>Part</text></navLabel>
    <content src='a.xhtml'/><navPoint><navLabel><text> One
    two </text></navLabel><content src='a.xhtml#x'/></navPoint></navPoint></navMap>
    <pageList><pageTarget value='7'><navLabel><text>7</text></navLabel><content src='a.xhtml#p7'/></pageTarget></pageList></ncx>
    """

  @Test func `an NCX gives contents and pages where there is no navigation document`() throws {
    let files = BookFiles(
      manifest: chapter + "<item id='n' href='t.ncx' media-type='application/x-dtbncx+xml'/>",
      spine: "<itemref idref='a'/>", spineAttributes: " toc='n'", files: ["O/a.xhtml": page, "O/t.ncx": Self.ncx])
    let book = try open(files.archive())
    #expect(book.tableOfContents.map(\.title) == ["Part", "One two"])
    #expect(book.tableOfContents.map(\.level) == [0, 1])
    #expect(book.tableOfContents.last?.target == ResourcePath(path: "O/a.xhtml", fragment: "x"))
    #expect(book.navigation.pageList.map(\.title) == ["7"])
    #expect(book.spine[0].title == "Part")
  }

  @Test func `an NCX that the spine does not name is found by its type`() throws {
    let files = BookFiles(
      manifest: chapter + "<item id='n' href='t.xml' media-type='application/x-dtbncx+xml'/>",
      spine: "<itemref idref='a'/>", files: ["O/a.xhtml": page, "O/t.xml": Self.ncx])
    #expect(try open(files.archive()).tableOfContents.count == 2)
  }

  @Test func `a navigation document goes before an NCX`() throws {
    let files = BookFiles(
      manifest: chapter + """
        <item id='n' href='t.ncx' media-type='application/x-dtbncx+xml'/>
        <item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>
        """, spine: "<itemref idref='a'/>", spineAttributes: " toc='n'",
      files: [
        "O/a.xhtml": page, "O/t.ncx": Self.ncx,
        "O/nav.xhtml": """
        <html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body>
        <nav epub:type='toc'><ol><li><a href='a.xhtml'>Here</a></li><li><span>Group</span><ol><li><a href='a.xhtml#y'>In</a></li></ol></li></ol></nav>
        <nav epub:type='page-list'><ol><li><a href='a.xhtml#p1'>1</a></li></ol></nav>
        <nav epub:type='landmarks'><ol><li><a epub:type='bodymatter' href='a.xhtml'>Start</a></li></ol></nav></body></html>
        """,
      ])
    let book = try open(files.archive())
    #expect(book.tableOfContents.map(\.title) == ["Here", "Group", "In"])
    #expect(book.tableOfContents.map(\.level) == [0, 0, 1])
    #expect(book.tableOfContents[1].target == nil)
    #expect(book.navigation.pageList.map(\.title) == ["1"])
    #expect(book.navigation.landmarks.map(\.type) == ["bodymatter"])
  }
}

struct ObfuscatedFontTests {
  private static func encryption(_ algorithm: String) -> String {
    """
    <encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container' xmlns:enc='http://www.w3.org/2001/04/xmlenc#'>
    <enc:EncryptedData><enc:EncryptionMethod Algorithm='\(algorithm)'/><enc:CipherData>
    <enc:CipherReference URI='O/f.otf'/></enc:CipherData></enc:EncryptedData></encryption>
    """
  }
  private static let font: [UInt8] = Array("OTTO".utf8) + (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private func restored(_ scrambled: [UInt8], _ algorithm: String, metadata: String = "") throws -> [UInt8] {
    var files = BookFiles(
      manifest: chapter + "<item id='f' href='f.otf' media-type='font/otf'/>", spine: "<itemref idref='a'/>",
      metadata: metadata, files: ["O/a.xhtml": page, "META-INF/encryption.xml": Self.encryption(algorithm)])
    files["O/f.otf"] = scrambled
    let folder = try TestFolder()
    return try Publication.open(path: folder.write(files.archive(), to: "b.epub")).resource(at: "O/f.otf")
  }

  @Test func `the first 1040 bytes are restored with the digest of the identifier`() throws {
    // SHA-1 of the identifier of these books, "urn:x".
    let key = Self.digest
    var scrambled = Self.font
    for index in 0..<1040 { scrambled[index] ^= key[index % key.count] }
    #expect(scrambled.prefix(4) != Self.font.prefix(4))
    #expect(try restored(scrambled, "http://www.idpf.org/2008/embedding") == Self.font)
  }

  @Test func `the first 1024 bytes are restored with a UUID, Adobe's way`() throws {
    let key: [UInt8] = (0..<16).map { UInt8($0 * 17) }
    var scrambled = Self.font
    for index in 0..<1024 { scrambled[index] ^= key[index % 16] }
    let identifier = "<dc:identifier>urn:uuid:00112233-4455-6677-8899-aabbccddeeff</dc:identifier>"
    #expect(try restored(scrambled, "http://ns.adobe.com/pdf/enc#RC", metadata: identifier) == Self.font)
  }

  @Test func `a font that was never scrambled stays as it is`() throws {
    #expect(try restored(Self.font, "http://www.idpf.org/2008/embedding") == Self.font)
  }

  private static let digest: [UInt8] = [
    0x3b, 0x1f, 0xd5, 0x5f, 0x19, 0x2b, 0x3f, 0xc8, 0x73, 0x16, 0xa0, 0x40, 0x00, 0xc1, 0x5d, 0xdb, 0x62, 0x55, 0xe0,
    0x7e,
  ]
}

struct PackageMetadataTests {
  /// A book whose package element has an attribute more.
  private func open(root attribute: String, title: String, metadata: String = "") throws -> Metadata {
    var files = BookFiles(
      manifest: chapter, spine: "<itemref idref='a'/>", metadata: metadata, files: ["O/a.xhtml": page])
    let text = String(decoding: try #require(files["O/p.opf"]), as: UTF8.self)
      .replacing("<package ", with: "<package \(attribute) ").replacing("<dc:title>T</dc:title>", with: title)
    files["O/p.opf"] = Array(text.utf8)
    let folder = try TestFolder()
    return try Publication.open(path: folder.write(files.archive(), to: "book.epub")).metadata
  }

  @Test func `title and creators have the direction of their element, or else of the package`() throws {
    let own = try open(
      root: "dir='ltr'", title: "<dc:title dir='rtl'>CSS</dc:title>",
      metadata: "<dc:creator dir='rtl'>A</dc:creator><dc:creator>B</dc:creator><dc:creator dir='auto'>C</dc:creator>")
    #expect(own.titleDirection == .rightToLeft)
    #expect(own.creators.map(\.direction) == [.rightToLeft, .leftToRight, nil])
    let inherited = try open(root: "dir='rtl'", title: "<dc:title>CSS</dc:title>")
    #expect(inherited.titleDirection == .rightToLeft)
    let none = try open(root: "", title: "<dc:title>CSS</dc:title>")
    #expect(none.titleDirection == nil)
  }

  @Test func `classes of what is read aloud, and the roll layout, are read`() throws {
    let metadata = try open(
      root: "", title: "<dc:title>T</dc:title>",
      metadata: """
        <meta property='media:active-class'>-epub-active</meta>
        <meta property='media:playback-active-class'>-epub-playing</meta><meta property='rendition:layout'>roll</meta>
        """)
    #expect(metadata.activeClass == "-epub-active")
    #expect(metadata.playbackActiveClass == "-epub-playing")
    #expect(metadata.layout == .roll)
  }
}

struct DecryptionTests {
  private static func encryption(_ compression: String = "") -> String {
    """
    <encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container' xmlns:enc='http://www.w3.org/2001/04/xmlenc#'>
    <enc:EncryptedData><enc:EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes256-cbc'/><enc:CipherData>
    <enc:CipherReference URI='O/a.xhtml'/></enc:CipherData>\(compression)</enc:EncryptedData></encryption>
    """
  }

  private func open(_ files: [String: String], _ chapter: [UInt8], decryption: Decryption?) throws -> Publication {
    var book = BookFiles(
      manifest: "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>", spine: "<itemref idref='a'/>",
      files: files)
    book["O/a.xhtml"] = chapter
    let folder = try TestFolder()
    let publication = try Publication.open(path: folder.write(book.archive(), to: "book.epub"), decryption: decryption)
    #expect(publication.document(at: 0).document.dump().contains("one"))
    return publication
  }

  @Test func `encrypted chapters are read by who has the key`() throws {
    let scrambled = Array(page.utf8).map { $0 ^ 0x55 }
    let book = try open(["META-INF/encryption.xml": Self.encryption()], scrambled) { path, algorithm, bytes in
      path == "O/a.xhtml" && algorithm.hasSuffix("aes256-cbc") ? bytes.map { $0 ^ 0x55 } : nil
    }
    #expect(try book.resource(at: "O/a.xhtml") == Array(page.utf8))
  }

  @Test func `what was packed before it was encrypted is unpacked`() throws {
    // One stored block of DEFLATE.
    let size = page.utf8.count
    let packed =
      [1, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8 & 255)] + Array(page.utf8)
    let property = """
      <enc:EncryptionProperties><enc:EncryptionProperty xmlns:ns='http://www.idpf.org/2016/encryption#compression'>
      <ns:Compression Method='8' OriginalLength='\(size)'/></enc:EncryptionProperty></enc:EncryptionProperties>
      """
    _ = try open(
      ["META-INF/encryption.xml": Self.encryption(property)], packed.map { $0 ^ 0x55 }
    ) { _, _, bytes in bytes.map { $0 ^ 0x55 } }
  }

  @Test func `without a key the protection is named`() throws {
    let schemes: [(String, String, Protection, String)] = [
      ("META-INF/license.lcpl", "{}", .lcp, "Readium LCP"), ("META-INF/sinf.xml", "<a/>", .apple, "Apple FairPlay"),
      ("META-INF/rights.xml", "<rights xmlns='http://ns.adobe.com/adept'/>", .adobe, "Adobe ADEPT"),
      ("META-INF/rights.xml", "<rights/>", .unknown, "a shop's"), ("none", "", .unknown, "encryption"),
    ]
    for (file, text, protection, scheme) in schemes {
      let files = ["META-INF/encryption.xml": Self.encryption(), file: text]
      #expect {
        _ = try open(files, Array("x".utf8), decryption: nil)
      } throws: { error in
        guard let error = error as? PublicationError else { return false }
        return error.kind == .protected(protection) && error.reason.contains(scheme)
      }
    }
  }
}
