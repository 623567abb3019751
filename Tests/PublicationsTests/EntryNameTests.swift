import Markup
import Primitives
import TestSupport
import Testing

@testable import Publications

/// Files of an archive are found whatever the code page of their names, and however the package spells them.
@Suite struct EntryNameTests {
  /// A book whose chapter and picture have a name that is not ASCII, and what a name is in the archive.
  private func open(_ name: String, packed: [UInt8], unicode: (name: [UInt8], checksum: UInt32)? = nil) throws
    -> Publication
  {
    var files = BookFiles(
      manifest: """
        <item id='a' href='\(name).xhtml' media-type='application/xhtml+xml'/><item id='i' href='\(name).png'
        media-type='image/png' properties='cover-image'/>
        """, spine: "<itemref idref='a'/>", files: [:])
    for (suffix, bytes) in [(".xhtml", Array("<html><body><p>one</p></body></html>".utf8)), (".png", [0x89])] {
      files.entries.append(
        BookFiles.Entry(
          path: "-", bytes: bytes, name: Array("O/".utf8) + packed + Array(suffix.utf8),
          unicodeName: unicode.map { (Array("O/".utf8) + $0.name + Array(suffix.utf8), $0.checksum) }))
    }
    let folder = try TestFolder()
    return try Publication.open(path: folder.write(files.archive(), to: "book.epub"))
  }

  private func isWhole(_ book: Publication) -> Bool {
    book.document(at: 0).document.dump().contains("one") && book.coverPath != nil
      && (try? book.resource(at: book.coverPath ?? "")) == [0x89] && book.diagnostics.diagnostics.isEmpty
  }

  @Test(arguments: [
    // café in IBM 437 and 850, windows-1252, Macintosh; глава in IBM 866, windows-1251, KOI8-R.
    ("café", [0x63, 0x61, 0x66, 0x82]), ("café", [0x63, 0x61, 0x66, 0xE9]), ("café", [0x63, 0x61, 0x66, 0x8E]),
    ("глава", [0xA3, 0xAB, 0xA0, 0xA2, 0xA0]), ("глава", [0xE3, 0xEB, 0xE0, 0xE2, 0xE0]),
    ("глава", [0xC7, 0xCC, 0xC1, 0xD7, 0xC1]),
    // 第一章 in GBK, Big5, Shift_JIS; 장 in EUC-KR; část in IBM 852; ώρα in IBM 737.
    ("第一章", [0xB5, 0xDA, 0xD2, 0xBB, 0xD5, 0xC2]), ("第一章", [0xB2, 0xC4, 0xA4, 0x40, 0xB3, 0xB9]),
    ("第一章", [0x91, 0xE6, 0x88, 0xEA, 0x8F, 0xCD]), ("장", [0xC0, 0xE5]), ("část", [0x9F, 0xA0, 0x73, 0x74]),
    ("ώρα", [0xE9, 0xA8, 0x98]),
    // The escapes of the very bytes, which are no UTF-8.
    ("caf%E9", [0x63, 0x61, 0x66, 0xE9]),
    // UTF-8 without the flag, also decomposed, and what GBK makes look like UTF-8.
    ("café", Array("café".utf8)), ("caf\u{E9}", Array("cafe\u{301}".utf8)), ("联通", [0xC1, 0xAA, 0xCD, 0xA8]),
  ])
  func `The code page that makes the package's names found`(_ name: String, _ packed: [UInt8]) throws {
    #expect(isWhole(try open(name, packed: packed)))
  }

  @Test func `Info-ZIP's field has the name, if it is of this entry`() throws {
    func packed(_ suffix: String) -> [UInt8] { Array("O/x".utf8) + Array(suffix.utf8) }
    let name = Array("第一章".utf8)
    var files = BookFiles(chapters: [])
    files["O/p.opf"] =
      BookFiles(
        manifest: "<item id='a' href='第一章.xhtml' media-type='application/xhtml+xml'/>", spine: "<itemref idref='a'/>",
        files: [:])[
        "O/p.opf"]
    for (checksum, count) in [(BookFiles.checksum(packed(".xhtml")), 1), (7, 0)] {
      var files = files
      files.entries.append(
        BookFiles.Entry(
          path: "-", bytes: Array("<html><body><p>one</p></body></html>".utf8), name: packed(".xhtml"),
          unicodeName: (Array("O/".utf8) + name + Array(".xhtml".utf8), checksum)))
      let folder = try TestFolder()
      let file = try folder.write(files.archive(), to: "book.epub")
      #expect(ZipDirectory(file: file) != nil)
      #expect((try? Publication.open(path: file).spine.count) ?? 0 == count)
    }
  }

  @Test func `Two names that differ are two files, and absolute names lie in the book`() {
    let index = EntryIndex(names: ["a.xhtml", "A.xhtml", "/b.xhtml", "c\\d.xhtml", "e/", "../f", "C:\\g", "h%20i"])
    #expect(index.find("a.xhtml") == 0 && index.find("A.xhtml") == 1 && index.find("b.xhtml") == 2)
    #expect(index.find("c/d.xhtml") == 3 && index.find("C/D.XHTML") == 3 && index.find("h i") == 7)
    #expect(index.find("e") == nil && index.find("f") == nil && index.find("g") == nil)
  }
}
