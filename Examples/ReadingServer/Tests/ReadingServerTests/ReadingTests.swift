import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import ReadingServer

@Suite struct ReadingTests {
  @Test func `The shelf shows books and says what is wrong with broken ones`() async throws {
    let shelf = try TestShelf(["en-the-ferryman-of-low-marsh", "ja-kitsune-no-tegami"])
    try shelf.write("no archive", to: "books/broken.epub")
    try shelf.write("The Title\n\nA text.\n", to: "books/deep/er/plain.txt")
    try shelf.write("not a book", to: "books/notes.doc")
    try shelf.write("hidden", to: "books/.hidden.txt")
    try await shelf.ask { client in
      let books = try await client.json("/api/books").array
      #expect(books.count == 4)
      let broken = try #require(books.first { $0["title"].string == "broken.epub" })
      let problem = try #require(broken["problem"].string)
      #expect(problem.hasPrefix("This book cannot be opened: ") && !problem.contains("/"))
      let id = try #require(broken["id"].string)
      let response = try await client.get("/api/books/\(id)/page")
      #expect(response.status == .unprocessableContent && response.message == problem)
      let ferryman = try #require(books.first { $0["title"].string == "The Ferryman of Low Marsh" })
      #expect(ferryman["authors"][0].string == "The typeset maintainers" && ferryman["language"].string == "en-GB")
    }
  }

  @Test func `Books of every format stand on the shelf`() async throws {
    let shelf = try TestShelf([])
    try shelf.write("# A Voyage\n\nSome *words*.\n", to: "books/voyage.md")
    try shelf.write(
      """
      <?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
      <book-title>A Tale</book-title></title-info></description><body><section><p>Some words.</p></section></body></FictionBook>
      """, to: "books/tale.fb2")
    #expect(ShelfFolder.fileExtension("a.b.fb2.zip") == "fb2.zip" && ShelfFolder.fileExtension("a.zip") == "zip")
    #expect(ShelfFolder.sanitized("a.fb2.zip") == "a.fb2.zip" && ShelfFolder.sanitized("a.zip") == nil)
    for name in ["a.mobi", "a.AZW3", "a.markdown", "a.epub", "a.xhtml"] {
      #expect(ShelfFolder.sanitized(name) != nil, "\(name)")
    }
    try await shelf.ask { client in
      #expect(try await client.json("/api/books").array.compactMap { $0["title"].string } == ["A Tale", "A Voyage"])
      for title in ["A Tale", "A Voyage"] {
        let page = try await client.json("/api/books/\(client.book(title))/page")
        let words = page["lines"].array.flatMap { $0["words"].array }.compactMap { $0["text"].string }
        #expect(words.joined().contains("words"), "\(title)")
      }
      #expect(
        try await client.send(.post, "/api/books?name=b.md", "# B\n\nb", type: "application/octet-stream").status
          == .created)
    }
  }

  @Test(arguments: ["letterSpacing=0.2", "paragraphSpacing=2", "paragraphIndent=4", "legibility=dyslexia"])
  func `The reader has the text set farther apart`(_ setting: String) async throws {
    try await TestShelf().ask { client in
      let page = "/api/books/\(try await client.book())/page?chapter=1&index=1&width=400&height=500"
      let (plain, chosen) = (try await client.json(page), try await client.json("\(page)&\(setting)"))
      func places(_ page: JSON) -> [[Double?]] {
        page["lines"].array.flatMap { $0["words"].array }.map { $0["rect"].array.map(\.number) }
      }
      let isMoved = places(plain) != places(chosen)
      #expect(isMoved)
      #expect(chosen["image"].string?.contains(setting) != false)
    }
  }

  @Test func `A page has its text, its picture and its neighbours`() async throws {
    try await TestShelf().ask { client in
      let id = try await client.book()
      let style = "width=400&height=500&fontSize=20"
      let book = try await client.json("/api/books/\(id)")
      #expect(book["contents"][0]["title"].string == "The Bell on the Post")
      let page = try await client.json("/api/books/\(id)/page?chapter=1&index=0&\(style)")
      #expect(page["title"].string == "The Bell on the Post" && page["width"].number == 400)
      let words = page["lines"].array.flatMap { $0["words"].array }
      #expect(words.map { $0["text"].string ?? "" }.joined().contains("Bell on the Post"))
      for word in words {
        let rect = word["rect"].array.map { $0.number ?? -1 }
        #expect(rect.count == 4 && rect[0] >= 0 && rect[0] + rect[2] <= 401 && rect[1] + rect[3] <= 501)
      }
      // Forward through the book, and back the same way.
      var pages: [String] = []
      var start = "0.0"
      while true {
        let response = try await client.get("/api/books/\(id)/page?after=\(start)&\(style)")
        if response.status == .noContent { break }
        let next = try JSON(response)
        start = "\(Int(next["chapter"].number ?? -1)).\(Int(next["index"].number ?? -1))"
        pages.append(start)
      }
      #expect(pages.count > 6 && pages.last?.hasPrefix("2.") == true)
      for expected in pages.dropLast().reversed() {
        let before = try await client.json("/api/books/\(id)/page?before=\(start)&\(style)")
        start = "\(Int(before["chapter"].number ?? -1)).\(Int(before["index"].number ?? -1))"
        #expect(start == expected)
      }
      // The picture, in device pixels, and again from the browser's own store.
      let path = try #require(page["image"].string).replacing("scale=1.0", with: "scale=2")
      let image = try await client.get(path)
      let bytes = [UInt8](image.body.readableBytesView)
      #expect(image.headers[.contentType] == "image/png" && bytes.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
      #expect(Int(bytes[18]) << 8 | Int(bytes[19]) == 800 && Int(bytes[22]) << 8 | Int(bytes[23]) == 1000)
      let tag = try #require(image.headers[.eTag])
      #expect(try await client.get(path, [.ifNoneMatch: tag]).status == .notModified)
      #expect(image.headers[.cacheControl]?.contains("private") == true)
    }
  }

  @Test func `Pages that face each other come together`() async throws {
    let shelf = try TestShelf()
    try shelf.writeFixedBook(pages: 4)
    try await shelf.ask { client in
      let fixed = "/api/books/\(try await client.book("Colours"))/spread?width=400&height=600"
      let cover = try await client.json(fixed + "&chapter=0&index=0")
      #expect(cover["left"].value == nil && cover["right"]["page"]["chapter"].number == 0)
      let spread = try await client.json(fixed + "&after=0.0")
      #expect(spread["left"]["page"]["chapter"].number == 1 && spread["right"]["page"]["chapter"].number == 2)
      // Pages of 300 px in 400 px meet in the middle.
      #expect(spread["left"]["x"].number == 50 && spread["right"]["x"].number == 350)
      #expect(try await client.json(fixed + "&before=1.0").text.contains(#""chapter":0"#))
      #expect(try await client.get(fixed + "&after=3.0").status == .noContent)
      let text = "/api/books/\(try await client.book("The Ferryman of Low Marsh"))/spread?width=400&height=500"
      let pair = try await client.json(text + "&chapter=1&index=1")
      #expect(pair["left"]["page"]["index"].number == 0 && pair["right"]["page"]["index"].number == 1)
      #expect(pair["left"]["x"].number == 0 && pair["right"]["x"].number == 400)
      let place = try #require(pair["right"]["page"]["start"].string)
      #expect(try await client.json(text + "&at=\(place)")["left"]["page"]["index"].number == 0)
    }
  }

  @Test func `The place in sight stays in sight when the size changes`() async throws {
    try await TestShelf().ask { client in
      let id = try await client.book()
      let page = try await client.json("/api/books/\(id)/page?chapter=1&index=2&width=400&height=400")
      let place = try #require(page["start"].string)
      let word = try #require(page["lines"][0]["words"][0]["start"].string)
      for size in [12, 30] {
        let again = try await client.json("/api/books/\(id)/page?at=\(place)&width=500&height=500&fontSize=\(size)")
        let words = again["lines"].array.flatMap { $0["words"].array }.compactMap { $0["start"].string }
        #expect(words.contains(word), "size \(size)")
      }
    }
  }

  @Test func `Search tells results as lines, with where to find them on the page`() async throws {
    try await TestShelf().ask { client in
      let id = try await client.book()
      let response = try await client.get("/api/books/\(id)/search?q=FERRY")
      #expect(response.status == .ok && response.headers[.contentType]?.hasPrefix("application/x-ndjson") == true)
      let lines = try String(buffer: response.body).split(separator: "\n").map {
        JSON(try JSONSerialization.jsonObject(with: Data($0.utf8)))
      }
      let count = try #require(lines.last?["count"].number)
      #expect(count >= 3 && Int(count) == lines.count - 1)
      let first = lines[0]
      #expect(first["match"].string?.lowercased() == "ferry")
      let (start, end) = (try #require(first["start"].string), try #require(first["end"].string))
      let page = try await client.json("/api/books/\(id)/page?at=\(start)&from=\(start)&to=\(end)")
      #expect(page["found"].array.count == 1)
    }
  }

  @Test func `Links lead to places, notes and out of the book`() async throws {
    let shelf = try TestShelf([])
    try shelf.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Links</title></head><body>
      <p>Text<a epub:type="noteref" href="#n">1</a>, <a href="#there">on</a>, <a href="https://example.org/">out</a>,
      <a href="javascript:alert(1)">bad</a>.</p><p id="there">There.</p>
      <aside epub:type="footnote" id="n"><p>What is meant.</p></aside></body></html>
      """, to: "books/links.xhtml")
    try await shelf.ask { client in
      let id = try await client.book()
      let links = try await client.json("/api/books/\(id)/page")["links"].array
      try #require(links.count == 4)
      #expect(links.map { ($0["isExternal"].value as? Bool) == true } == [false, false, true, false])
      func follow(_ link: JSON) async throws -> TestResponse {
        let href = link["href"].string ?? ""
        let escaped = href.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await client.get("/api/books/\(id)/follow?href=\(escaped)&source=\(link["source"].string ?? "")")
      }
      let note = try JSON(try await follow(links[0]))["note"]
      #expect(note["text"].string == "What is meant.")
      let image = try await client.get(try #require(note["image"].string))
      #expect(image.status == .ok && image.headers[.contentType] == "image/png")
      #expect(try JSON(try await follow(links[1]))["place"].string?.hasPrefix("0/") == true)
      #expect(try JSON(try await follow(links[2]))["external"].string == "https://example.org/")
      #expect(try await follow(links[3]).status == .notFound)
    }
  }

  @Test func `What leads nowhere is told to`() async throws {
    let shelf = try TestShelf([])
    try shelf.writeFixedBook(pages: 2)
    try await shelf.ask { client in
      let id = try await client.book()
      let contents = try await client.json("/api/books/\(id)")["contents"].array
      #expect(contents.map { $0["chapter"].number } == [0, 1, nil])
      for href in [
        try #require(contents.last?["href"].string), "p0.xhtml/../gone.xhtml%23x", "%23", "data:text/html,x",
      ] {
        let answer = try await client.get("/api/books/\(id)/follow?href=\(href)")
        #expect(answer.status == .notFound && answer.message == "The link leads nowhere in this book.", "\(href)")
      }
    }
  }

  @Test func `Place, marks and settings outlive the server`() async throws {
    let shelf = try TestShelf()
    let (mark, place) = try await shelf.ask { client in
      let id = try await client.book()
      let page = try await client.json("/api/books/\(id)/page?chapter=1&index=1&width=400&height=400")
      let words = page["lines"].array.flatMap { $0["words"].array }
      let (start, end) = (words[2]["start"].string ?? "", words[8]["end"].string ?? "")
      let response = try await client.send(
        .post, "/api/books/\(id)/marks",
        #"{"kind":"highlight","start":"\#(start)","end":"\#(end)","color":"green","note":"Look <b>here</b>"}"#)
      #expect(response.status == .created)
      let mark = try JSON(response)
      #expect(mark["text"].string == words[2...8].map { $0["text"].string ?? "" }.joined())
      #expect(mark["cfi"].string?.hasPrefix("epubcfi(/6/") == true)
      #expect(
        try await client.send(
          .put, "/api/books/\(id)/place", #"{"place":"\#(start)","progress":0.25}"#
        ).status == .noContent)
      let settings = #"{"fontSize":24,"theme":"sepia","margin":80,"lineHeight":1.5}"#
      #expect(try await client.send(.put, "/api/settings", settings).status == .ok)
      let marked = try await client.json("/api/books/\(id)/page?chapter=1&index=1&width=400&height=400")
      #expect(marked["marks"][0]["color"].string == "green" && marked["image"].string != page["image"].string)
      return (mark["id"].string ?? "", start)
    }
    try await shelf.ask { client in
      let id = try await client.book()
      #expect(try await client.json("/api/books")[0]["progress"].number == 0.25)
      #expect(try await client.json("/api/books/\(id)")["place"].string == place)
      let settings = try await client.json("/api/settings")
      #expect(settings["fontSize"].number == 24 && settings["theme"].string == "sepia")
      let marks = try await client.json("/api/books/\(id)/marks")
      #expect(marks.array.count == 1 && marks[0]["id"].string == mark && marks[0]["note"].string == "Look <b>here</b>")
      let changed = try await client.send(.put, "/api/books/\(id)/marks/\(mark)", #"{"color":"pink","note":""}"#)
      #expect(try JSON(changed)["color"].string == "pink")
      #expect(try await client.send(.delete, "/api/books/\(id)/marks/\(mark)", "{}").status == .noContent)
      #expect(try await client.send(.delete, "/api/books/\(id)/marks/\(mark)", "{}").status == .notFound)
    }
    // A file that has got another name is the same book.
    let books = shelf.library
    try FileManager.default.moveItem(
      at: books.appendingPathComponent("en-the-ferryman-of-low-marsh"), to: books.appendingPathComponent("ferry"))
    let count = try await shelf.ask { client in try await client.json("/api/books").array.count }
    #expect(count == 1)
  }
}
