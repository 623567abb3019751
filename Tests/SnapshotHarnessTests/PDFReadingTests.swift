import BookOutput
import Foundation
import PDFRendering
import TestSupport
import Testing
import Typesetting

@testable import SnapshotHarness

/// What is read back from the bytes of a PDF, and what is told when an engine writes them otherwise.
@Suite struct PDFReadingTests {
  private static let document = """
    <!DOCTYPE html><html lang="en"><title>A title</title><body><h1 id="top">First &amp; last</h1>
    <p>Waffles of the office, <a href="#end">to the end</a> and <a href="https://example.org/">away</a>.</p>
    <p lang="de">Größe.</p><h2 id="end">The end</h2><p>Words.</p>
    """

  /// The uncompressed parts of a file are changed as an engine with a fault would write them.
  private func file() throws -> [UInt8] {
    let folder = TestFolder()
    try Files.write(Self.document, to: folder["book.html"])
    var options = RunOptions(input: folder["book.html"])
    var pdf = PDFOptions(target: .file(folder["book.pdf"]))
    pdf.isTextOnly = true
    options.pdf = pdf
    #expect(BookRun(options).run().error == nil)
    return try #require(Files.read(folder["book.pdf"]))
  }

  @Test func `Text, structure, links, places and the outline are read back`() throws {
    let reading = try #require(PDFReading(try file()))
    let lines = reading.pages.joined(separator: "\n").split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("/H1: First & last") }, "\(lines)")
    #expect(lines.contains { $0.contains("/P: Waffles of the office, ") })
    #expect(lines.contains { $0.contains("/Link to c1#end: ") || $0.contains("/Link to c1#end") })
    #expect(lines.contains { $0.contains("to https://example.org/") })
    #expect(lines.contains { $0.contains("/P lang=de: Größe.") })
    #expect(lines.contains { $0.hasPrefix("place c1#end at ") })
    #expect(reading.outline == ["First & last to c1#top", "  The end to c1#end"])
    #expect(reading.characters.contains("W") && reading.characters.contains("ö"))
    #expect(reading.metadata.contains("Title: A title") && reading.metadata.contains("language: en"))
    #expect(!reading.metadata.contains { $0.contains("typeset") })
  }

  @Test func `Bytes that are no PDF are none, and damaged ones crash nobody`() throws {
    let bytes = try file()
    #expect(PDFReading([]) == nil)
    #expect(PDFReading(Array("%PDF-1.7".utf8)) == nil)
    for step in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
      _ = PDFReading(Array(bytes[..<step]))
      var damaged = bytes
      damaged[step] ^= 0x55
      _ = PDFReading(damaged)
    }
  }

  @Test func `Each kind of what is gone is told by its name`() {
    func text(_ outline: [String], _ characters: String = "abc") -> String {
      (outline.map { "outline \($0)" } + ["characters \(characters)"]).joined(separator: "\n")
    }
    let old = text(["One to c1", "Two to c2"])
    func summaries(_ new: String?) -> [String] { BeyondPages.changes(old, new, hash: 1).map(\.summary) }
    #expect(summaries(text([])) == ["outline of PDFs gone"])
    #expect(BeyondPages.changes(old, text([]), hash: 1).map(\.severity) == [.high])
    #expect(summaries(text(["One to c1"])) == ["outline of PDFs changed: line 2, “Two to c2” is gone"])
    #expect(
      summaries(text(["One to c1", "Two to c2"], "\u{FFFD}"))
        == ["characters of the text in PDFs changed: line 1, “abc” became “\u{FFFD}”"])
    #expect(summaries(nil).count == 1)
  }
}
