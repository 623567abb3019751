import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import ReadingServer

/// A shelf of its own for one test, in a folder that goes away with it.
final class TestShelf: Sendable {
  let folder: URL
  let library: URL
  /// The folder of the repository's books.
  static let corpus = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../Corpus").standardized

  /// - Parameter books: Names of books of the corpus.
  init(_ books: [String] = ["en-the-ferryman-of-low-marsh"]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("reading-server-\(UUID().uuidString)")
    library = folder.appendingPathComponent("books")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    for book in books {
      try FileManager.default.copyItem(
        at: Self.corpus.appendingPathComponent(book), to: library.appendingPathComponent(book))
    }
  }
  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// A book of pages of fixed design, each of one colour. The last line of its table of contents leads nowhere.
  ///
  /// - Parameter cover: The size of a cover.
  func writeFixedBook(pages: Int, to book: String = "books/fixed", cover: (width: Int, height: Int)? = nil) throws {
    if let cover {
      try write(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(cover.width)" height="\(cover.height)"><rect width="100%" height="100%" \
        fill="#346"/></svg>
        """, to: "\(book)/cover.svg")
    }
    let coverItem =
      cover == nil
      ? "" : "<item id=\"cover\" href=\"cover.svg\" media-type=\"image/svg+xml\" properties=\"cover-image\"/>"
    try write("application/epub+zip", to: "\(book)/mimetype")
    try write(
      """
      <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """, to: "\(book)/META-INF/container.xml")
    let items = (0..<pages).map { "<item id=\"p\($0)\" href=\"p\($0).xhtml\" media-type=\"application/xhtml+xml\"/>" }
    let references = (0..<pages).map { "<itemref idref=\"p\($0)\"/>" }
    try write(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">fixed</dc:identifier><dc:title>Colours</dc:title>
      <dc:language>en</dc:language><meta property="rendition:layout">pre-paginated</meta></metadata>
      <manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\(coverItem)\(items.joined())
      </manifest><spine>\(references.joined())</spine></package>
      """, to: "\(book)/package.opf")
    let lines = (0...pages).map { "<li><a href=\"p\($0).xhtml\">Page \($0)</a></li>" }
    try write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head>
      <body><nav epub:type="toc"><ol>\(lines.joined())</ol></nav></body></html>
      """, to: "\(book)/nav.xhtml")
    for page in 0..<pages {
      try write(
        """
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>\(page)</title><meta name="viewport" content="width=300, height=600"/>
        <style>body { margin: 0 } div { width: 300px; height: 600px; background: hsl(\(page * 47), 60%, 70%) }
        p { margin: 0; padding: 40px; font-size: 40px }</style></head><body><div><p>Page \(page)</p></div></body></html>
        """, to: "\(book)/p\(page).xhtml")
    }
  }

  func server(_ change: (inout ReadingServer.Options) -> Void = { _ in }) throws -> ReadingServer {
    var options = ReadingServer.Options(
      library: library.path, database: folder.appendingPathComponent("reader.sqlite").path)
    options.port = 0
    change(&options)
    return try ReadingServer(options)
  }

  /// Starts a server, as after a restart, and asks it.
  func ask<Value: Sendable>(
    _ change: (inout ReadingServer.Options) -> Void = { _ in },
    _ body: @Sendable (Client) async throws -> Value
  ) async throws -> Value {
    let server = try server(change)
    let value = try await server.application(logger: Logger(label: "test")).test(.router) { client in
      try await body(Client(client: client))
    }
    await server.close()
    return value
  }
}

/// Asks as the page in the browser does.
struct Client: Sendable {
  let client: any TestClientProtocol

  func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await client.execute(uri: path, method: .get, headers: headers)
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String, _ headers: HTTPFields = [:],
    type: String = "application/json"
  ) async throws -> TestResponse {
    var headers = headers
    headers[.contentType] = type
    return try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
  }

  func json(_ path: String) async throws -> JSON {
    let response = try await get(path)
    #expect(response.status == .ok, "\(path): \(String(buffer: response.body))")
    return try JSON(response)
  }

  /// The id of the only book, or of the one with a title.
  func book(_ title: String? = nil) async throws -> String {
    let books = try await json("/api/books").array
    return try #require(books.first { title == nil || $0["title"].string == title }?["id"].string)
  }
}

/// A value of JSON, looked into without ceremony.
struct JSON: @unchecked Sendable {
  let value: Any?
  init(_ value: Any?) { self.value = value }
  init(_ response: TestResponse) throws {
    value = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView), options: .fragmentsAllowed)
  }
  subscript(_ name: String) -> JSON { JSON((value as? [String: Any])?[name]) }
  subscript(_ index: Int) -> JSON { JSON(array.indices.contains(index) ? array[index].value : nil) }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
  var string: String? { value as? String }
  var number: Double? { (value as? NSNumber)?.doubleValue }
  var text: String {
    String(
      decoding: (try? JSONSerialization.data(withJSONObject: value ?? [], options: .sortedKeys)) ?? Data(),
      as: UTF8.self)
  }
}

extension TestResponse {
  var message: String? { (try? JSON(self))?["error"]["message"].string }
}
