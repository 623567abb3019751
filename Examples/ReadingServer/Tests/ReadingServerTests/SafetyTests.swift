import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import ReadingServer

@Suite struct SafetyTests {
  @Test func `No address leads out of the shelf`() async throws {
    let shelf = try TestShelf()
    try shelf.write("secret words", to: "secret.txt")
    let outside = shelf.folder.appendingPathComponent("secret.txt").path
    try FileManager.default.createSymbolicLink(
      atPath: shelf.library.appendingPathComponent("link.txt").path, withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: shelf.library.appendingPathComponent("folder").path, withDestinationPath: shelf.folder.path)
    try shelf.write(
      "<html><body><p>x</p><img src='../secret.txt'/><img src='link.txt'/></body></html>", to: "books/page.html")
    try await shelf.ask { client in
      #expect(try await client.json("/api/books").array.count == 2)
      let id = try await client.book()
      for path in [
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/books/..%5csecret.txt",
        "/style.css/../../secret.txt",
        "/api/books/../secret.txt", "/api/books/%2e%2e%2fsecret.txt/page", "/api/books/\(id)/../../../secret.txt",
        "/api/books/\(id)%00/page", "/api/books/link.txt/page", "/api/books/..%2f..%2fsecret.txt/cover",
        "/read/%2e%2e/secret.txt", "//etc/passwd", "/file:///etc/passwd", "/Package.swift", "/index.html",
      ] {
        let response = try await client.get(path)
        #expect(response.status == .notFound || response.status == .badRequest, "\(path)")
        #expect(!String(buffer: response.body).contains("secret words"), "\(path)")
      }
      for href in ["..%2f..%2fsecret.txt", "%2f%2e%2e%2fsecret.txt", "file:%2f%2f%2fetc%2fpasswd", "%00"] {
        #expect(try await client.get("/api/books/\(id)/follow?href=\(href)").status == .notFound, "\(href)")
      }
    }
  }

  @Test func `Bad requests get clear answers`() async throws {
    try await TestShelf().ask { client in
      let id = try await client.book()
      let book = "/api/books/\(id)"
      for (path, status) in [
        ("/api/books/nonesuch/page", 404), ("/api/nothing", 404), ("\(book)/page?chapter=99", 404),
        ("\(book)/page?chapter=x", 400), ("\(book)/page?at=here", 400), ("\(book)/page?after=1", 400),
        ("\(book)/page?width=1e9", 400), ("\(book)/page?width=99999", 422), ("\(book)/page?fontSize=nan", 400),
        ("\(book)/page?fontSize=900", 422), ("\(book)/page?theme=pink", 400),
        ("\(book)/page?letterSpacing=9", 422), ("\(book)/page?legibility=better", 400),
        ("\(book)/page?scale=1000", 422),
        ("\(book)/image", 400), ("\(book)/image?chapter=1&index=5000", 404), ("\(book)/search", 400),
        ("\(book)/search?q=%20", 400), ("\(book)/search?q=\(String(repeating: "a", count: 300))", 422),
        ("\(book)/follow", 400), ("\(book)/note?source=1/2:3", 404), ("\(book)/cover", 404),
        ("\(book)/page?at=1/4294967295:4294967295", 200), ("\(book)/page?at=1/77777:9223372036854775807", 200),
        ("\(book)/follow?source=1/4294967295:0", 404), ("\(book)/page?from=9/9:9&to=99999/1:1", 200),
      ] {
        let response = try await client.get(path)
        #expect(response.status.code == status, "\(path): \(response.status)")
        if status >= 400 { #expect(response.message?.hasSuffix(".") == true, "\(path)") }
      }
      for (body, status) in [
        ("", 400), ("{", 400), ("[]", 400), ("null", 400), (#"{"kind":"highlight"}"#, 400),
        (#"{"kind":"stain","start":"1/1:1"}"#, 400),
        (#"{"kind":"highlight","start":"1/9:0","end":"1/9:0"}"#, 422),
        (#"{"kind":"highlight","start":"9/9:0","end":"9/9:1"}"#, 404),
        (#"{"kind":"highlight","start":"1/9:0","end":"2/9:1"}"#, 422), (#"{"kind":"bookmark","start":"-1/9:0"}"#, 400),
        (String(repeating: " ", count: 100_000), 413),
      ] {
        let response = try await client.send(.post, "\(book)/marks", body)
        #expect(response.status.code == status, "\(body.prefix(60)): \(response.status)")
      }
      #expect(try await client.send(.put, "/api/settings", #"{"fontSize":3}"#).status == .unprocessableContent)
      #expect(try await client.send(.put, "/api/settings", #"{"theme":"pink"}"#).status == .badRequest)
      let place = #"{"place":"99/1:0","progress":0}"#
      #expect(try await client.send(.put, "\(book)/place", place).status == .notFound)
      #expect(try await client.send(.put, "\(book)/place", #"{"place":{},"progress":1}"#).status == .badRequest)
      let method = try await client.send(.delete, "/api/books", "{}")
      #expect(method.status == .methodNotAllowed && method.headers[.allow] == "GET, POST, HEAD")
      // A person who has followed a link sees a page.
      let page = try await client.get("/nowhere", [.accept: "text/html"])
      #expect(page.status == .notFound && page.headers[.contentType] == "text/html; charset=utf-8")
    }
  }

  @Test func `Other machines are let in by whoever says so`() throws {
    let shelf = try TestShelf([])
    for name in ["127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST"] {
      _ = try shelf.server { $0.hostname = name }
    }
    for name in ["0.0.0.0", "::", "192.168.1.2", "books.home", "127.0.0.1.evil.example", "127.0.0", ""] {
      #expect(throws: ReadingServer.NotPublic.self, "\(name)") { try shelf.server { $0.hostname = name } }
      _ = try shelf.server {
        $0.hostname = name
        $0.isPublic = true
      }
    }
    #expect(ReadingServer.NotPublic(hostname: "0.0.0.0").reason.contains("--public"))
  }

  @Test func `Answers carry the headers of a careful page`() async throws {
    try await TestShelf().ask { client in
      for path in ["/", "/style.css", "/api/books", "/nothing", "/read/x"] {
        let headers = try await client.get(path).headers
        #expect(headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
        #expect(headers[.xContentTypeOptions] == "nosniff" && headers[.referrerPolicy] == "no-referrer")
        #expect(headers[.cacheControl] != nil)
      }
      let page = String(buffer: try await client.get("/").body)
      #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains("onclick"))
    }
  }

  @Test func `Only pages of this server change anything`() async throws {
    try await TestShelf().ask { client in
      let cases: [(HTTPFields, String, Int)] = [
        ([:], "application/json", 200), ([.origin: "http://localhost"], "application/json", 200),
        ([.origin: "http://evil.example"], "application/json", 403), ([.origin: "null"], "application/json", 403),
        ([.origin: "http://localhost.evil.example"], "application/json", 403),
        ([.fetchSite: "same-origin"], "application/json; charset=utf-8", 200),
        ([.fetchSite: "cross-site"], "application/json", 403), ([.fetchSite: "same-site"], "application/json", 403),
        ([.fetchSite: "none"], "application/json", 403), ([:], "text/plain", 415), ([:], "", 415),
        ([:], "application/x-www-form-urlencoded", 415), ([:], "multipart/form-data", 415),
      ]
      for (headers, type, status) in cases {
        let response = try await client.send(.put, "/api/settings", "{}", headers, type: type)
        #expect(response.status.code == status, "\(headers) \(type)")
      }
    }
    let hosts = HostGuard<ReadingContext>(names: ["books.home"])
    for name in [
      "localhost", "localhost:8080", "127.0.0.1:80", "[::1]:8080", "192.168.1.2", "books.home:1", "LOCALHOST",
    ] {
      #expect(hosts.accepts(name), "\(name)")
    }
    for name in [
      "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "1.2.3", "", "[evil]", "books.home.evil",
    ] {
      #expect(!hosts.accepts(name), "\(name)")
    }
  }

  @Test func `Uploads are checked, named plainly, and never replace a book`() async throws {
    let shelf = try TestShelf([])
    let text = "The Title\n\nChapter 1\n\nWords.\n"
    try await shelf.ask({ $0.uploadLimit = 1 << 20 }) { client in
      func upload(_ name: String, _ body: String) async throws -> TestResponse {
        let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await client.send(.post, "/api/books?name=\(escaped)", body, type: "application/octet-stream")
      }
      let first = try await upload("A Book.txt", text)
      #expect(first.status == .created, "\(String(buffer: first.body))")
      #expect(try await upload("A Book.txt", text + "more").status == .created)
      #expect(try await upload("../../escape.txt", text).status == .created)
      #expect(try await upload("..\\..\\.bashrc\u{0}.txt", text).status == .created)
      #expect(try await upload("program.exe", text).status == .unsupportedMediaType)
      #expect(try await upload("noextension", text).status == .unsupportedMediaType)
      let broken = try await upload("broken.epub", "no archive")
      #expect(broken.status == .unprocessableContent && broken.message?.contains("/") == false)
      #expect(try await upload("empty.txt", "").status == .badRequest)
      #expect(try await upload("large.txt", String(repeating: "x", count: 2 << 20)).status == .contentTooLarge)
      #expect(try await client.send(.post, "/api/books?name=a.txt", "{}").status == .unsupportedMediaType)
      #expect(try await client.send(.post, "/api/books", text, type: "application/octet-stream").status == .badRequest)
      #expect(try await client.json("/api/books").array.count == 4)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: shelf.library.path).sorted()
    #expect(names == ["A Book (2).txt", "A Book.txt", "bashrc.txt", "escape.txt"])
    #expect(try String(contentsOf: shelf.library.appendingPathComponent("A Book.txt"), encoding: .utf8) == text)
  }
}
