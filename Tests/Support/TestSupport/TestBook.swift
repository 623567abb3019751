package import BookOutput
package import Foundation

/// Books made for one test, in a folder that goes away with it.
package final class TestBook {
  private let directory: TestFolder
  package var folder: URL { directory.url }
  package init() throws { directory = try TestFolder() }
  package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  package func write(_ text: String, to name: String) throws -> String {
    try directory.write(Array(text.utf8), to: name)
  }

  /// One page of XHTML.
  package func page(_ body: String, style: String = "") throws -> String {
    try write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en">
      <head><title>Test</title><style>\(style)</style></head><body>\(body)</body></html>
      """, to: "page.xhtml")
  }

  /// An unpacked EPUB with these bodies as its chapters.
  package func epub(_ bodies: [String], style: String = "") throws -> String {
    _ = try write("application/epub+zip", to: "book/mimetype")
    _ = try write(
      """
      <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """, to: "book/META-INF/container.xml")
    let items = bodies.indices.map {
      "<item id=\"c\($0)\" href=\"c\($0).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }
    let references = bodies.indices.map { "<itemref idref=\"c\($0)\"/>" }
    _ = try write(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">test</dc:identifier><dc:title>Test book</dc:title>
      <dc:language>en</dc:language></metadata><manifest>\(items.joined())</manifest><spine>\(references.joined())</spine>
      </package>
      """, to: "book/package.opf")
    for (index, body) in bodies.enumerated() {
      _ = try write(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/><style>\(style)</style></head><body>\(body)</body></html>",
        to: "book/c\(index).xhtml")
    }
    return path("book")
  }

  /// The records of a run: the book's line and the pages'.
  package func records(of input: String, _ change: (inout RunOptions) -> Void = { _ in }) throws -> [[String: Any]] {
    var options = RunOptions(input: input)
    options.layout = .file(path("layout"))
    change(&options)
    let result = BookRun(options).run()
    if let error = result.error { throw error }
    return try String(contentsOfFile: path("layout"), encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  package func lines(of input: String) throws -> [[String: Any]] {
    try records(of: input).dropFirst().flatMap { $0["lines"] as? [[String: Any]] ?? [] }
  }

  package func text(of input: String) throws -> String {
    var options = RunOptions(input: input)
    options.text = .file(path("text"))
    let result = BookRun(options).run()
    if let error = result.error { throw error }
    return try String(contentsOfFile: path("text"), encoding: .utf8)
  }
}
