import Foundation
import TestSupport
import Testing
import Typesetting

/// What servers and programs in other languages ask of the library.
@Suite struct ServerTests {
  private static let bodies = ["<p>One <a href='c2.xhtml'>link</a> in a line</p>", "<p>Two words</p>"]

  // MARK: Books in memory

  @Test func `A book in memory is the book of the file`() async throws {
    let archive = BookFiles(chapters: Self.bodies).archive()
    let folder = try TestFolder()
    let file = try await Book(contentsOf: folder.write(archive, to: "b.epub"))
    let memory = try await Book(Data(archive), name: "b.epub")
    #expect(memory.metadata == file.metadata && memory.chapters == file.chapters && memory.path == "b.epub")
    let page = try await Typesetter(book: memory).page(0, of: 1)
    #expect(page.png() == (try await Typesetter(book: file).page(0, of: 1)).png())
  }

  @Test func `Every format is opened from memory`() throws {
    func kind(_ text: String, _ name: String) throws -> Book.Kind { try open(Array(text.utf8), name).kind }
    #expect(try kind("<html><body><p>One</p></body></html>", "page.html") == .html)
    #expect(try kind("Some text", "text.txt") == .text)
    let fiction = "<?xml version='1.0'?><FictionBook><body><section><p>One</p></section></body></FictionBook>"
    #expect(try kind(fiction, "book") == .fictionBook)
    // What is no ordinary archive is read by libzip, what has lost its directory by its entries.
    let archive = BookFiles(chapters: Self.bodies).archive()
    #expect(try open(archive + Array("behind".utf8), "b.epub").chapters.count == 2)
    #expect(try open(Array(archive.dropLast(40)), "b.epub").chapters.count == 2)
  }

  @Test(arguments: [[], Array("\u{89}PNG\r\n".utf8), [0x50, 0x4B, 3, 4, 0, 0], Array(repeating: 0, count: 3000)])
  func `What is no book in memory is an error`(_ bytes: [UInt8]) {
    #expect(throws: BookError.self) { try self.open(bytes, "book.epub") }
  }

  /// Blocks the caller's thread.
  private func open(_ bytes: [UInt8], _ name: String) throws(BookError) -> Book { try Book(bytes, name: name) }

  // MARK: The synchronous way in

  @Test func `Code that is not asynchronous calls what is`() throws {
    let book = try open(BookFiles(chapters: Self.bodies).archive(), "b.epub")
    let typesetter = Typesetter(book: book)
    let page = try CallingThread.run { () async throws(PageError) in try await typesetter.page(0, of: 1) }
    #expect(page.lines.map(\.text) == ["Two words"])
    #expect(throws: PageError.noSuchPage) { try CallingThread.run { _ = try await typesetter.layout(of: 7) } }
    #expect(try CallingThread.run { try await typesetter.results(of: "words", in: 1) }.map(\.match) == ["words"])
    #expect(throws: PageError.noSuchPage) { try CallingThread.run { try await typesetter.results(of: "words", in: 7) } }
  }

  // MARK: Pixels

  private func page(_ body: String) async throws -> Page {
    let book = try await Book(BookFiles(chapters: [body]).archive(), name: "b.epub")
    return try await Typesetter(book: book).page(0, of: 0)
  }

  @Test(arguments: [1.0, 1.5, 2])
  func `A part of a page has the pixels of the whole`(_ scale: Double) async throws {
    for color in ["black", "#c04010"] {
      let page = try await page(
        "<p style='color: \(color); border: 1px solid'>\(String(repeating: "Word ", count: 300))</p>")
      let area = try page.area(scale: scale)
      let whole = try await page.pixels(scale: scale)
      #expect(area == PixelArea(width: Int(600 * scale), height: Int(800 * scale)))
      #expect(whole.count == area.width * area.height * 4)
      #expect(Set(whole).count > 2)
      for part in [
        PixelArea(x: 37, y: 53, width: 301, height: 203), PixelArea(x: area.width - 1, y: 0, width: 1, height: 9),
      ] {
        let pixels = try await page.pixels(scale: scale, clip: part)
        for y in 0..<part.height {
          let row = ((part.y + y) * area.width + part.x) * 4
          #expect(pixels[y * part.width * 4..<(y + 1) * part.width * 4] == whole[row..<row + part.width * 4])
        }
      }
    }
  }

  @Test func `Pixels have the format that is asked for, whatever is on the page`() async throws {
    let page = try await page("<div style='background: #204080; height: 50px'/>")
    let clip = PixelArea(x: 300, y: 60, width: 1, height: 1)
    #expect(try await page.pixels(format: .bgra, clip: clip) == [0x80, 0x40, 0x20, 0xFF])
    #expect(try await page.pixels(format: .rgba, clip: clip) == [0x20, 0x40, 0x80, 0xFF])
    #expect(try await page.pixels(format: .gray, clip: clip) == [0x3E])
    let paper = PixelArea(width: 1, height: 1)
    #expect(try await page.pixels(format: .rgba, clip: paper) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try await page.pixels(format: .gray, clip: paper) == [0xFF])
  }

  @Test func `Rows are written at their stride and nothing else is`() async throws {
    let page = try await page("<p>One</p>")
    var memory = [UInt8](repeating: 7, count: 3 * 20)
    let clip = PixelArea(width: 4, height: 3)
    func draw(_ memory: inout [UInt8], stride: Int, scale: Double = 1, clip: PixelArea? = nil) throws(DrawingError) {
      var failure: DrawingError?
      unsafe memory.withUnsafeMutableBytes { bytes in
        do throws(DrawingError) {
          try unsafe page.draw(into: bytes, stride: stride, scale: scale, clip: clip)
        } catch { failure = error }
      }
      if let failure { throw failure }
    }
    try draw(&memory, stride: 20, clip: clip)
    for row in 0..<3 {
      #expect(memory[row * 20..<row * 20 + 16].allSatisfy { $0 == 255 })
      #expect(memory[row * 20 + 16..<row * 20 + 20].allSatisfy { $0 == 7 })
    }
    #expect(throws: DrawingError.memory) { try draw(&memory, stride: 15, clip: clip) }
    #expect(throws: DrawingError.memory) { try draw(&memory, stride: 23, clip: clip) }
    #expect(throws: DrawingError.memory) { try draw(&memory, stride: .max, clip: clip) }
    #expect(throws: DrawingError.memory) { try draw(&memory, stride: 2400) }
    for clip in [
      PixelArea(x: -1, width: 4, height: 3), PixelArea(x: 597, width: 4, height: 3), PixelArea(width: 0, height: 3),
      PixelArea(x: .max, y: .max, width: .max, height: .max),
    ] {
      #expect(throws: DrawingError.clip) { try draw(&memory, stride: 20, clip: clip) }
    }
    for scale in [0, -1, .nan, .infinity, 1000] {
      #expect(throws: DrawingError.scale) { try draw(&memory, stride: 20, scale: scale, clip: clip) }
    }
  }

  // MARK: Values as JSON

  @Test func `What stands on a page is written and read again`() async throws {
    let page = try await page(Self.bodies[0] + "<p><img src='no.png' alt='none'/></p>")
    let layer = page.textLayer
    #expect(layer.lines == page.lines && layer.links == page.links && layer.pictures == page.pictures)
    let json = try JSONEncoder().encode(layer)
    #expect(try JSONDecoder().decode(PageText.self, from: json) == layer)
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let line = try #require((object["lines"] as? [[String: Any]])?.first)
    #expect(line["text"] as? String == "One link in a line" && (line["rect"] as? [Double])?.count == 4)
    #expect((line["start"] as? String).flatMap(Locator.init) == page.lines[0].range.lowerBound)
    #expect((object["links"] as? [[String: Any]])?.first?["href"] as? String == "c2.xhtml")
  }

  @Test func `What is known of a book is written and read again`() async throws {
    let book = try await Book(BookFiles(chapters: Self.bodies).archive(), name: "b.epub")
    func again<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    #expect(try again(book.metadata) == book.metadata)
    #expect(try again(book.chapters) == book.chapters)
    #expect(try again(book.tableOfContents).map(\.title) == book.tableOfContents.map(\.title))
  }

  @Test func `Settings are written and read again, and others keep their values`() throws {
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(420), height: LayoutUnit(640.5))
    settings.theme = .sepia
    settings.hyphenate = .on
    settings.lineHeight = 1.5
    settings.fontFamily = ["Noto Serif"]
    settings.style = .house
    let again = try JSONDecoder().decode(TypesettingSettings.self, from: JSONEncoder().encode(settings))
    #expect(again == settings)
    func read(_ json: String) throws -> TypesettingSettings {
      try JSONDecoder().decode(TypesettingSettings.self, from: Data(json.utf8))
    }
    var dark = TypesettingSettings()
    dark.theme = .dark
    dark.marginTop = .zero
    #expect(try read(#"{"theme": "dark", "marginTop": 0}"#) == dark)
    for wrong in [#"{"fontsize": 3}"#, #"{"theme": "pink"}"#, #"{"style": "none"}"#, #"{"pageSize": [3]}"#, "[]"] {
      #expect(throws: DecodingError.self) { try read(wrong) }
    }
  }

  @Test(arguments: [
    (#"{"fontSize": 1000000}"#, "fontSize"), (#"{"scale": 0}"#, "scale"), (#"{"columns": 0}"#, "columns"),
    (#"{"pageSize": [1e6, 800]}"#, "pageSize"), (#"{"marginLeft": 400, "marginRight": 300}"#, "marginRight"),
    (#"{"lineHeight": -1}"#, "lineHeight"), (#"{"marginTop": -5}"#, "marginTop"),
  ])
  func `A setting out of its range is told by its name`(_ json: String, _ name: String) throws {
    let settings = try JSONDecoder().decode(TypesettingSettings.self, from: Data(json.utf8))
    let error = #expect(throws: SettingsError.self) { try settings.checkRanges() }
    #expect(error?.name == name && "\(error.map { "\($0)" } ?? "")".hasPrefix("\(name): is to be from "))
    try TypesettingSettings().checkRanges()
  }
}
