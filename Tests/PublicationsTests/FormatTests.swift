import Foundation
import Markup
import Primitives
import TestSupport
import Testing

@testable import Publications

/// Opens a file of a name with these bytes; the folder goes with the book.
private func open(_ bytes: [UInt8], name: String, beside files: [String: String] = [:]) throws -> Publication {
  let folder = try TestFolder()
  for (name, text) in files { _ = try folder.write(Array(text.utf8), to: name) }
  return try Publication.open(path: folder.write(bytes, to: name))
}

private func text(_ publication: Publication, _ index: Int) -> String {
  let document = publication.document(at: index).document
  return document.collapsedText(of: Document.documentNode)
}

private func error(_ bytes: [UInt8], name: String) -> PublicationError? {
  do { _ = try open(bytes, name: name) } catch { return error as? PublicationError }
  return nil
}

struct FictionBookTests {
  private static let book = """
    <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description>
    <title-info><genre>prose</genre><author><first-name>Ada</first-name><last-name>Byron</last-name></author>
    <book-title>A Title</book-title><annotation><p>About it.</p></annotation><coverpage><image l:href="#c.png"/></coverpage>
    <lang>ru</lang><translator><nickname>T</nickname></translator></title-info><document-info><id>urn:1</id></document-info>
    <publish-info><publisher>House</publisher><year>1843</year><isbn>123</isbn></publish-info></description>
    <body><title><p>A Title</p></title><epigraph><p>Motto</p><text-author>Somebody</text-author></epigraph>
    <section id="s1"><title><p>One</p><p>The first</p></title><p>Text<a l:href="#n1" type="note">[1]</a> and
    <strong>bold</strong> <a l:href="#s2">there</a>.</p><poem><stanza><v>A line</v><v>Another</v></stanza></poem>
    <empty-line/><image l:href="#c.png"/></section>
    <section><title><p>Part</p></title><section id="s2"><title><p>Two</p></title><p>More</p></section>
    <section><title><p>Three</p></title><p>Last</p></section></section></body>
    <body name="notes"><title><p>Notes</p></title><section id="n1"><title><p>1</p></title><p>The note.</p></section></body>
    <binary id="c.png" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>
    """

  @Test func `A FictionBook has metadata, chapters, contents, a cover and pictures`() throws {
    let book = try open(Array(Self.book.utf8), name: "book.fb2")
    #expect(book.kind == .fictionBook)
    #expect(book.metadata.title == "A Title" && book.metadata.language == "ru")
    #expect(book.metadata.creators.map(\.name) == ["Ada Byron"] && book.metadata.contributors.map(\.role) == ["trl"])
    #expect(book.metadata.identifier == "urn:1" && book.metadata.publisher == "House" && book.metadata.date == "1843")
    #expect(book.metadata.description == "About it.")
    let paths = book.spine.map(\.path)
    #expect(
      paths == [
        "cover.xhtml", "title.xhtml", "section-1.xhtml", "section-2.xhtml", "section-2-1.xhtml", "section-2-2.xhtml",
        "body-2-notes.xhtml",
      ])
    #expect(book.spine.map(\.isLinear) == [true, true, true, true, true, true, false])
    #expect(book.tableOfContents.map(\.title) == ["One. The first", "Part", "Two", "Three"])
    #expect(book.tableOfContents.map(\.level) == [0, 0, 1, 1])
    #expect(book.tableOfContents.map { $0.target?.path } == [paths[2], paths[3], paths[4], paths[5]])
    let cover = try #require(book.coverPath)
    #expect(try book.resource(at: cover) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  @Test func `Its elements become those of HTML, and its notes notes`() throws {
    let book = try open(Array(Self.book.utf8), name: "book.fb2")
    let chapter = book.document(at: 2)
    #expect(chapter.diagnostics.diagnostics.isEmpty)
    let dump = chapter.document.dump()
    for part in [
      "noteref", "body-2-notes.xhtml#n1", "section-2-1.xhtml#s2", "<strong>", "class=\"v\"", "class=\"stanza\"",
      "images/1.png",
    ] {
      #expect(dump.contains(part), "\(part)\n\(dump.prefix(3000))")
    }
    #expect(text(book, 1) == "A Title Motto Somebody")
    let notes = book.document(at: 6).document.dump()
    #expect(notes.contains("aside") && notes.contains("footnote"))
  }

  @Test func `A book that begins with the picture of its cover shows it once`() throws {
    let picture = "<p/><image l:href=\"#c.png\"/>"
    let source = Self.book.replacingOccurrences(of: "<section id=\"s1\">", with: "<section id=\"s1\">" + picture)
    let begun = source.replacingOccurrences(
      of: "<title><p>A Title</p></title><epigraph><p>Motto</p><text-author>Somebody</text-author></epigraph>", with: "")
    let paths = try open(Array(begun.utf8), name: "book.fb2").spine.map(\.path)
    #expect(paths.first == "section-1.xhtml")
    // Behind a title it is one of the text.
    #expect(try open(Array(source.utf8), name: "book.fb2").spine.first?.path == "cover.xhtml")
  }

  @Test func `A file in windows-1251, and one in an archive, are read`() throws {
    // "Да" in windows-1251.
    let head = Array("<?xml version='1.0' encoding='windows-1251'?><FictionBook><body><section><p>".utf8)
    let bytes = head + [0xC4, 0xE0] + Array("</p></section></body></FictionBook>".utf8)
    #expect(text(try open(bytes, name: "book.fb2"), 0).hasSuffix("Да"))
    var archive = BookFiles(chapters: [])
    for entry in archive.entries { archive[entry.path] = nil }
    archive["book.fb2"] = bytes
    let zipped = try open(archive.archive(), name: "book.fb2.zip")
    #expect(zipped.kind == .fictionBook && text(zipped, 0).hasSuffix("Да"))
  }

  @Test func `What is damaged is read as far as it goes, or refused in one line`() throws {
    let bytes = Array(Self.book.utf8)
    for count in stride(from: 60, to: bytes.count, by: 61) {
      do {
        let book = try open(Array(bytes.prefix(count)), name: "book.fb2")
        #expect(!book.spine.isEmpty)
        for index in book.spine.indices { _ = book.document(at: index) }
      } catch let error as PublicationError {
        #expect(!error.reason.contains("\n"))
      }
    }
    let deep = "<FictionBook><body>" + String(repeating: "<section>", count: 20_000) + "<p>deep"
    let book = try open(Array(deep.utf8), name: "book.fb2")
    #expect(text(book, 0).contains("deep"))
    #expect(error(Array("<FictionBook/>".utf8), name: "book.fb2")?.kind == .notABook)
  }
}

@Suite(.enabled(if: MarkdownReader.isAvailable, "cmark-gfm is not installed")) struct MarkdownTests {
  private static let source = """
    ---
    title: "A Voyage"
    author:
      - Ada
      - name: Charles
    lang: en-GB
    keywords: [sea, land]
    cover-image: pictures/cover.png
    ---
    # First & last

    A note[^a], a [link](#second) and a ![picture](pictures/p.svg).

    | A | B |
    |---|---|
    | 1 | ~~2~~ |

    - [x] done

    [^a]: The note.

    ## Second
    ### Second
    """

  @Test func `Markdown has the metadata of its front matter, contents and ids as GitHub makes them`() throws {
    let book = try open(Array(Self.source.utf8), name: "book.md")
    #expect(book.kind == .markdown)
    #expect(book.metadata.title == "A Voyage" && book.metadata.language == "en-GB")
    #expect(book.metadata.creators.map(\.name) == ["Ada", "Charles"] && book.metadata.subjects == ["sea", "land"])
    #expect(book.coverPath == "pictures/cover.png")
    #expect(book.tableOfContents.map(\.title) == ["First & last", "Second", "Second"])
    #expect(book.tableOfContents.map(\.level) == [0, 1, 2])
    #expect(book.tableOfContents.map { $0.target?.fragment } == ["first--last", "second", "second-1"])
  }

  @Test func `Tables, tasks and notes are there, and pictures of its folder alone`() throws {
    let folder = try TestFolder()
    _ = try folder.write(Array("outside".utf8), to: "outside.txt")
    try FileManager.default.createDirectory(atPath: folder.path("in/pictures"), withIntermediateDirectories: true)
    _ = try folder.write(Array("<svg/>".utf8), to: "in/pictures/p.svg")
    let book = try Publication.open(path: folder.write(Array(Self.source.utf8), to: "in/book.md"))
    let dump = book.document(at: 0).document.dump()
    for part in ["doc-noteref", "doc-endnotes", "<table>", "<del>", "☑"] { #expect(dump.contains(part), "\(part)") }
    #expect(try book.resource(at: "pictures/p.svg") == Array("<svg/>".utf8))
    #expect(throws: PublicationError.self) { try book.resource(at: "../outside.txt") }
  }

  @Test func `Quotation marks, hyphens and stops stay as they are written`() throws {
    let book = try open(Array("It's \"so\"... with --help".utf8), name: "book.md")
    #expect(text(book, 0).hasSuffix("It's \"so\"... with --help"))
  }

  @Test func `Without front matter the first heading is the title, and Pandoc's lines count`() throws {
    #expect(try open(Array("# Here\n\ntext".utf8), name: "book.markdown").metadata.title == "Here")
    let pandoc = try open(Array("% A title\n% Ada; Charles\n% 1843\n\ntext".utf8), name: "book.md")
    #expect(pandoc.metadata.title == "A title" && pandoc.metadata.creators.map(\.name) == ["Ada", "Charles"])
    #expect(pandoc.metadata.date == "1843")
    // A rule is none.
    #expect(text(try open(Array("---\ntext".utf8), name: "book.md"), 0).hasSuffix("text"))
  }

  @Test(arguments: [
    String(repeating: "[", count: 50_000), String(repeating: ">", count: 50_000),
    String(repeating: "*a_ ", count: 50_000),
    "---\n" + String(repeating: "a:\n", count: 20_000), String(repeating: "<h1>", count: 20_000), "\0\0[^1]: \0",
    "[^1]: [^1]",
  ])
  func `Hostile Markdown is a book or an error`(_ source: String) throws {
    do {
      let book = try open(Array(source.utf8), name: "book.md")
      #expect(book.spine.count == 1)
      _ = book.document(at: 0)
    } catch let error as PublicationError {
      #expect(!error.reason.contains("\n"))
    }
  }
}

@Suite(.enabled(if: KindleReader.isAvailable, "libmobi is not installed")) struct KindleTests {
  /// A book of the old format, not compressed (MobiPocket 6).
  private func book(_ html: String, encryption: UInt16 = 0) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    func long(_ values: Int...) -> [UInt8] { values.flatMap { short($0 >> 16) + short($0) } }
    let text = Array(html.utf8)
    let none = 0xFFFF_FFFF
    let title = Array("A title".utf8)
    var header = Array("MOBI".utf8) + long(232, 2, 65001, 7, 6)
    for _ in 0..<10 { header += long(none) }
    header += long(2, 16 + 232, title.count, 9, 0, 0, 6, 2, 0, 0, 0, 0, 0)
    header += [UInt8](repeating: 0, count: 32) + long(none, none, 0, 0, 0)
    header += [UInt8](repeating: 0, count: 232 - header.count)
    var first = short(1) + short(0) + long(text.count) + short(1) + short(4096) + short(Int(encryption)) + short(0)
    first += header + title + [0, 0]
    let records = [first, text, [0xE9, 0x8E, 0x0D, 0x0A]]
    var bytes = Array("A_title".utf8)
    bytes += [UInt8](repeating: 0, count: 60 - bytes.count) + Array("BOOKMOBI".utf8)
    bytes += long(0, 0) + short(records.count)
    var place = bytes.count + 8 * records.count + 2
    for (index, record) in records.enumerated() {
      bytes += long(place, 2 * index)
      place += record.count
    }
    return bytes + [0, 0] + records.joined()
  }

  private let html = "<html><body><h1>One</h1><p>Hello<mbp:pagebreak/><p>world</body></html>"

  @Test func `A MOBI book is read by libmobi, with its page breaks`() throws {
    let book = try open(book(html), name: "book.mobi")
    #expect(book.kind == .kindle && book.metadata.title == "A title" && book.metadata.language == "en")
    #expect(book.spine.count == 1)
    let (document, diagnostics) = book.document(at: 0)
    #expect(diagnostics.diagnostics.isEmpty)
    #expect(document.dump().contains("page-break-after"))
    #expect(text(book, 0).contains("Hello") && text(book, 0).contains("world"))
  }

  @Test func `A protected one is named as such`() {
    let found = error(book(html, encryption: 2), name: "book.azw")
    #expect(found?.kind == .protected(.amazon) && found?.reason.contains("Amazon") == true)
    let container = error([0xEA] + Array("DRMION".utf8) + [0xEE, 0, 0], name: "book.kfx")
    #expect(container?.kind == .protected(.amazon))
  }

  @Test func `A damaged one is read or refused, and no crash of libmobi comes through`() throws {
    let whole = book(html)
    var state: UInt64 = 1
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[68 + Int(state >> 33) % (bytes.count - 68)] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if let found = error(bytes, name: "book.mobi") { #expect(!found.reason.contains("\n")) }
    }
    for count in stride(from: 68, to: whole.count, by: 41) {
      if let found = error(Array(whole.prefix(count)), name: "book.mobi") { #expect(!found.reason.isEmpty) }
    }
  }
}
