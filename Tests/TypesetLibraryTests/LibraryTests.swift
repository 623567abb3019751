import CTypeset
import Foundation
import TestSupport
import Testing

/// The functions of typeset.h.
@Suite struct LibraryTests {
  static var version: String { String(cString: typeset_version()) }

  /// What a call that fails tells.
  struct Told: Error, Equatable {
    var status: Int
    var part: String
    var message: String
  }

  /// Calls a function that gives a handle or an error.
  static func made(
    _ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> typeset_status
  ) throws(Told) -> OpaquePointer {
    var result: OpaquePointer? = OpaquePointer(bitPattern: 16)
    var error: OpaquePointer?
    let status = body(&result, &error)
    defer { typeset_error_free(error) }
    if status == 0, let result, error == nil { return result }
    #expect(result == nil && status == typeset_error_status(error))
    throw Told(
      status: Int(status), part: String(cString: typeset_error_part(error)),
      message: String(cString: typeset_error_message(error)))
  }

  /// Calls a function that gives text.
  static func text(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> typeset_status
  ) -> String? {
    var result: UnsafeMutablePointer<CChar>?
    defer { typeset_free(result) }
    guard body(&result) == 0, let result else { return nil }
    return String(cString: result)
  }

  /// Calls a function that gives a file.
  static func bytes(
    _ body: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> typeset_status
  ) throws -> (bytes: [UInt8], type: String?) {
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    var type: UnsafeMutablePointer<CChar>?
    defer {
      typeset_free(bytes)
      typeset_free(type)
    }
    try #require(body(&bytes, &count, &type) == 0)
    return (Array(UnsafeBufferPointer(start: bytes, count: count)), type.map { String(cString: $0) })
  }

  static func json(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> typeset_status
  ) throws -> Any {
    let json = text(body)
    return try JSONSerialization.jsonObject(with: Data(#require(json).utf8))
  }

  static let bodies = ["<p>One <a href='c2.xhtml'>link</a> and a word</p>", "", "<p>Two words</p>"]

  static func book(_ bodies: [String] = bodies) throws(Told) -> OpaquePointer {
    let archive = BookFiles(chapters: bodies).archive()
    return try made { typeset_open_memory(archive, archive.count, "b.epub", nil, $0, $1) }
  }

  static func typesetter(_ settings: String? = nil) throws(Told) -> OpaquePointer {
    let book = try book()
    defer { typeset_book_free(book) }
    return try made { typeset_typesetter_new(book, settings, $0, $1) }
  }

  @Test func `The version is a number`() {
    #expect(Self.version.split(separator: ".").count == 3)
    #expect(typeset_version_atleast(0, 1, 0) == 1 && typeset_version_atleast(99, 0, 0) == 0)
  }

  // MARK: Books

  @Test func `A book tells what it is`() throws {
    let book = try Self.book()
    defer { typeset_book_free(book) }
    #expect(typeset_book_chapter_count(book) == 3)
    let metadata = try Self.json { typeset_book_metadata(book, $0, nil) } as? [String: Any]
    #expect(metadata?["title"] as? String == "T" && metadata?["language"] as? String == "en")
    let chapters = try Self.json { typeset_book_chapters(book, $0, nil) } as? [[String: Any]]
    #expect(chapters?.map { $0["href"] as? String } == ["O/c1.xhtml", "O/c2.xhtml", "O/c3.xhtml"])
    #expect(try Self.json { typeset_book_contents(book, $0, nil) } is [Any])
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let type = Self.text { typeset_book_resource(book, "O/c1.xhtml", &bytes, &count, $0, nil) }
    #expect(type == "application/xhtml+xml" && count > 0 && bytes?[0] == UInt8(ascii: "<"))
    typeset_free(bytes)
    #expect(typeset_book_resource(book, "none", &bytes, &count, nil, nil) == TYPESET_MISSING)
    #expect(bytes == nil && count == 0)
  }

  @Test func `A file is opened by its path and an encoding`() throws {
    let folder = try TestFolder()
    let path = try folder.write([0xE4, 0xF6, 0xFC], to: "text.txt")
    var options = typeset_open_options()
    options.size = MemoryLayout<typeset_open_options>.size
    try "latin1".withCString { name in
      options.encoding = name
      typeset_book_free(try Self.made { typeset_open(path, &options, $0, $1) })
    }
    #expect(throws: Told(status: TYPESET_INVALID_ARGUMENT, part: "encoding", message: "no encoding is called none")) {
      try "none".withCString { name in
        options.encoding = name
        _ = try Self.made { typeset_open(path, &options, $0, $1) }
      }
    }
    options.size = 3
    let wrong = #expect(throws: Told.self) { try Self.made { typeset_open(path, &options, $0, $1) } }
    #expect(wrong?.status == TYPESET_INVALID_ARGUMENT && wrong?.part == "options")
  }

  @Test func `What cannot be opened is an error with its reason`() {
    #expect(throws: Told(status: TYPESET_MISSING, part: "/no/book.epub", message: "there is no such file")) {
      try Self.made { typeset_open("/no/book.epub", nil, $0, $1) }
    }
    let broken = #expect(throws: Told.self) {
      try Self.made { typeset_open_memory("PK\u{3}\u{4}", 4, "b.epub", nil, $0, $1) }
    }
    #expect(broken?.status == TYPESET_UNREADABLE && broken?.message.isEmpty == false)
    let empty = #expect(throws: Told.self) { try Self.made { typeset_open_memory(nil, 0, "b.epub", nil, $0, $1) } }
    #expect(empty?.status == TYPESET_UNREADABLE)
  }

  // MARK: Settings

  @Test func `Settings are JSON, and those not named as by default`() throws {
    let typesetter = try Self.typesetter(#"{"pageSize": [300, 400], "theme": "dark"}"#)
    defer { typeset_typesetter_free(typesetter) }
    func settings() throws -> [String: Any]? {
      try Self.json { typeset_typesetter_settings(typesetter, $0, nil) } as? [String: Any]
    }
    #expect(try settings()?["pageSize"] as? [Double] == [300, 400] && settings()?["fontSize"] as? Double == 16)
    #expect(typeset_typesetter_apply(typesetter, #"{"fontSize": 20}"#, nil) == TYPESET_OK)
    #expect(try settings()?["pageSize"] as? [Double] == [600, 800] && settings()?["fontSize"] as? Double == 20)
  }

  @Test(arguments: [
    ("{", TYPESET_UNREADABLE, ""), (#"{"fontsize": 1}"#, TYPESET_UNREADABLE, "fontsize"),
    (#"{"fontSize": "large"}"#, TYPESET_UNREADABLE, "fontSize"),
    (#"{"fontSize": 1e6}"#, TYPESET_INVALID_ARGUMENT, "fontSize"),
  ])
  func `A wrong setting is told by its name`(_ settings: String, _ status: Int, _ part: String) throws {
    let told = #expect(throws: Told.self) { _ = try Self.typesetter(settings) }
    #expect(told?.status == status && told?.part == part && told?.message.isEmpty == false)
  }

  // MARK: Pages

  @Test func `Pages are reached in every way`() throws {
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    let first = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(first) }
    #expect(typeset_page_chapter(first) == 0 && typeset_page_index(first) == 0)
    #expect(typeset_page_width(first) == 600 && typeset_page_height(first) == 800)
    let same = try Self.made { typeset_page_at(typesetter, 0, 0, $0, $1) }
    defer { typeset_page_free(same) }
    #expect(Self.png(same) == Self.png(first) && Self.png(first)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    let next = try Self.made { typeset_page_next(typesetter, first, $0, $1) }
    defer { typeset_page_free(next) }
    // The chapter between shows nothing.
    #expect(typeset_page_chapter(next) == 2)
    let back = try Self.made { typeset_page_previous(typesetter, next, $0, $1) }
    defer { typeset_page_free(back) }
    #expect(Self.png(back) == Self.png(first))
    let start = try #require(Self.text { typeset_page_start(next, $0, nil) })
    for place in [start, "epubcfi(/6/6!/4/2/1:3)"] {
      let found = try Self.made { typeset_page_at_place(typesetter, place, $0, $1) }
      #expect(typeset_page_chapter(found) == 2)
      typeset_page_free(found)
    }
    for missing in [
      { typeset_page_at(typesetter, 0, 1, $0, $1) }, { typeset_page_at(typesetter, 9, 0, $0, $1) },
      { typeset_page_at(typesetter, .max, .max, $0, $1) }, { typeset_page_at(typesetter, -1, -1, $0, $1) },
      { typeset_page_next(typesetter, next, $0, $1) }, { typeset_page_previous(typesetter, first, $0, $1) },
    ] as [(UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> typeset_status] {
      #expect(throws: Told.self) { try Self.made(missing) }
    }
    let wrong = #expect(throws: Told.self) { try Self.made { typeset_page_at_place(typesetter, "here", $0, $1) } }
    #expect(wrong?.status == TYPESET_UNREADABLE && wrong?.part == "place")
  }

  static func png(_ page: OpaquePointer) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard typeset_page_png(page, 1, &bytes, &count, nil) == TYPESET_OK else { return nil }
    defer { typeset_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  @Test func `Pages are counted and estimated`() throws {
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    func estimate() throws -> [String: Any]? {
      try Self.json { typeset_page_estimate(typesetter, $0, nil) } as? [String: Any]
    }
    #expect(
      try estimate()?["total"] == nil && estimate()?["least"] as? Int ?? 9 <= 2 && estimate()?["most"] as? Int ?? 0 >= 2
    )
    var count = 0
    #expect(typeset_page_count(typesetter, 2, &count, nil) == TYPESET_OK && count == 1)
    #expect(typeset_page_count(typesetter, 1, &count, nil) == TYPESET_OK && count == 0)
    #expect(typeset_page_count(typesetter, 3, &count, nil) == TYPESET_NO_SUCH_PAGE)
    #expect(typeset_page_count_all(typesetter, &count, nil) == TYPESET_OK && count == 2)
    #expect(try estimate()?["total"] as? Int == 2 && estimate()?["likely"] as? Int == 2)
  }

  @Test func `Pixels are written into the caller's memory`() throws {
    let typesetter = try Self.typesetter(##"{"theme": {"paper": "#102030", "ink": "#ffffff", "minimumContrast": 1}}"##)
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    var (width, height) = (0, 0)
    #expect(typeset_page_pixel_size(page, 1.5, &width, &height, nil) == TYPESET_OK && width == 900 && height == 1200)
    var whole = [UInt8](repeating: 0, count: 600 * 800 * 4)
    #expect(typeset_page_draw(page, nil, &whole, whole.count, nil) == TYPESET_OK)
    #expect(whole[0..<4] == [0x30, 0x20, 0x10, 0xFF])
    #expect(typeset_page_draw(page, nil, &whole, whole.count - 1, nil) == TYPESET_INVALID_ARGUMENT)
    var drawing = typeset_drawing()
    drawing.size = MemoryLayout<typeset_drawing>.size
    drawing.format = Int32(TYPESET_RGBA)
    drawing.stride = 12
    (drawing.x, drawing.y, drawing.width, drawing.height) = (598, 10, 2, 2)
    var part = [UInt8](repeating: 7, count: 24)
    #expect(typeset_page_draw(page, &drawing, &part, 20, nil) == TYPESET_OK)
    let row: [UInt8] = [0x10, 0x20, 0x30, 0xFF, 0x10, 0x20, 0x30, 0xFF]
    #expect(part == row + [7, 7, 7, 7] + row + [7, 7, 7, 7])
    drawing.width = 3
    #expect(typeset_page_draw(page, &drawing, &part, part.count, nil) == TYPESET_INVALID_ARGUMENT)
    (drawing.width, drawing.scale) = (2, .nan)
    #expect(typeset_page_draw(page, &drawing, &part, part.count, nil) == TYPESET_INVALID_ARGUMENT)
    (drawing.scale, drawing.format) = (0, 9)
    #expect(typeset_page_draw(page, &drawing, &part, part.count, nil) == TYPESET_INVALID_ARGUMENT)
    var bytes: UnsafeMutablePointer<UInt8>?
    #expect(typeset_page_png(page, 1000, &bytes, &width, nil) == TYPESET_INVALID_ARGUMENT && bytes == nil)
  }

  @Test func `The text layer and the search have the same places`() throws {
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let layer = try Self.json { typeset_page_text(page, $0, nil) } as? [String: Any]
    let line = try #require((layer?["lines"] as? [[String: Any]])?.first)
    #expect(line["text"] as? String == "One link and a word")
    let word = (line["words"] as? [[String: Any]])?.last
    let found = try Self.json { typeset_search(typesetter, "WORD", UInt32(TYPESET_IGNORE_ALL), 0, $0, nil) }
    let result = try #require((found as? [[String: Any]])?.first)
    #expect(result["match"] as? String == "word" && result["start"] as? String == word?["start"] as? String)
    let whole = UInt32(TYPESET_IGNORE_ALL | TYPESET_WHOLE_WORDS)
    #expect(Self.text { typeset_search(typesetter, "wor", whole, 0, $0, nil) } == "[]")
    #expect(Self.text { typeset_search(typesetter, "word", 0, 3, $0, nil) } == nil)
  }

  @Test func `The structure of a page is told by roles`() throws {
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let structure = try Self.json { typeset_page_structure(page, $0, nil) } as? [String: Any]
    let paragraph = try #require((structure?["nodes"] as? [[String: Any]])?.first)
    #expect(paragraph["role"] as? String == "paragraph")
    let roles = (paragraph["children"] as? [[String: Any]])?.map { $0["role"] as? String }
    #expect(roles == ["text", "link", "text"])
    #expect(typeset_page_structure(page, nil, nil) == TYPESET_INVALID_ARGUMENT)
  }

  @Test func `A page can be drawn by what its display list names`() throws {
    let other = try Self.typesetter()
    defer { typeset_typesetter_free(other) }
    let first = try Self.made { typeset_page_first(other, $0, $1) }
    defer { typeset_page_free(first) }
    let drawn = try #require(Self.png(first))
    let picture = "<img alt='' src='data:image/png;base64,\(Data(drawn).base64EncodedString())' width='8'/>"
    let archive = BookFiles(chapters: ["<p style='color: #123456'>Word</p>\(picture)"]).archive()
    let book = try Self.made { typeset_open_memory(archive, archive.count, "b.epub", nil, $0, $1) }
    defer { typeset_book_free(book) }
    let typesetter = try Self.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let list = try #require(try Self.json { typeset_page_display_list(page, nil, $0, nil) } as? [String: Any])
    #expect(list["width"] as? Double == typeset_page_width(page) && list["background"] as? String == "#ffffff")
    let items = try #require(list["items"] as? [[String: Any]])
    let run = try #require(items.first { $0["kind"] as? String == "glyphs" })
    #expect(run["color"] as? String == "#123456")
    let glyphs = try #require(run["glyphs"] as? [Double])
    #expect(glyphs.count == 3 * 4)
    let font = try #require(run["font"] as? UInt32)
    let face = try Self.json { typeset_page_face(page, font, $0, nil) } as? [String: Any]
    #expect((face?["family"] as? String)?.isEmpty == false)
    let outline = try #require(Self.text { typeset_page_glyph_outline(page, font, UInt32(glyphs[0]), $0, nil) })
    #expect(outline.hasPrefix("M") && outline.hasSuffix("Z"))

    let image = try #require(items.first { $0["kind"] as? String == "image" })
    #expect((image["rect"] as? [Double])?[2] == 8)
    let number = try #require(image["image"] as? UInt32)
    let (file, type) = try Self.bytes { bytes, count, type in
      typeset_page_image_file(page, number, bytes, count, type, nil)
    }
    #expect(file == drawn && type == "image/png")
    let (png, _) = try Self.bytes { bytes, count, _ in typeset_page_image_png(page, number, 3, 2, bytes, count, nil) }
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png[19] == 3 && png[23] == 2)

    #expect(Self.text { typeset_page_face(page, 9999, $0, nil) } == nil)
    #expect(Self.text { typeset_page_glyph_outline(page, font, 70000, $0, nil) } == nil)
    var box = [0.0, 0, 0, 0]
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    #expect(typeset_page_glyph_picture(page, font, 1, 20, "#fff", &bytes, &count, &box, nil) == TYPESET_UNREADABLE)
    #expect(typeset_page_glyph_picture(page, font, 1, 20, nil, &bytes, &count, &box, nil) == TYPESET_MISSING)
    #expect(typeset_page_image_png(page, number, 0, 5, &bytes, &count, nil) == TYPESET_INVALID_ARGUMENT)
  }

  @Test func `What is at a point has the places of the text layer, and they are CFIs and positions`() throws {
    let book = try Self.book()
    defer { typeset_book_free(book) }
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let layer = try Self.json { typeset_page_text(page, $0, nil) } as? [String: Any]
    let link = try #require((layer?["links"] as? [[String: Any]])?.first)
    let rect = try #require(link["rect"] as? [Double])
    let hit = try Self.json { typeset_page_hit(page, rect[0] + 1, rect[1] + 1, $0, nil) } as? [String: Any]
    #expect((hit?["link"] as? [String: Any])?["href"] as? String == "c2.xhtml")
    let word = try #require(hit?["word"] as? [String: Any])
    let (start, end) = (try #require(word["start"] as? String), try #require(word["end"] as? String))
    #expect(word["text"] as? String == "link")
    let stretch = try Self.json { typeset_page_stretch(page, end, start, $0, nil) } as? [String: Any]
    #expect(stretch?["text"] as? String == "link" && (stretch?["rectangles"] as? [Any])?.count == 1)
    #expect(Self.text { typeset_book_link(book, "c2.xhtml", start, $0, nil) } == "1/0:0")
    #expect(Self.text { typeset_book_link(book, "https://example.org/", nil, $0, nil) } == nil)

    let cfi = try #require(Self.text { typeset_book_cfi(book, start, end, $0, nil) })
    let range = try Self.json { typeset_book_range(book, cfi, $0, nil) } as? [String: String]
    #expect(range == ["start": start, "end": end])
    let position = try Self.json { typeset_book_position(book, cfi, $0, nil) } as? [String: Any]
    #expect(position?["number"] as? Int == 1)
    #expect((try Self.json { typeset_book_positions(book, $0, nil) } as? [Any])?.count == 3)
    #expect(Self.text { typeset_book_position_place(book, 3, $0, nil) }?.hasPrefix("2/") == true)
    #expect(Self.text { typeset_book_position_place(book, 4, $0, nil) } == nil)
    let sentences = try Self.json { typeset_sentences(typesetter, 0, nil, $0, nil) } as? [[String: Any]]
    #expect(sentences?.map { $0["text"] as? String } == ["One link and a word"])
    #expect(Self.text { typeset_media_overlay(typesetter, 0, $0, nil) } == "[]")
  }

  @Test func `Annotations are drawn, found, written and read`() throws {
    let book = try Self.book()
    defer { typeset_book_free(book) }
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    let page = try Self.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let layer = try Self.json { typeset_page_text(page, $0, nil) } as? [String: Any]
    let line = try #require((layer?["lines"] as? [[String: Any]])?.first)
    let (start, end) = (try #require(line["start"] as? String), try #require(line["end"] as? String))
    let mark = ##"{"id": "urn:1", "start": "\##(start)", "end": "\##(end)", "color": "#ff0000"}"##
    func pixels(_ annotations: String?) -> [UInt8] {
      var pixels = [UInt8](repeating: 0, count: 600 * 800)
      var drawing = typeset_drawing()
      drawing.size = MemoryLayout<typeset_drawing>.size
      drawing.format = Int32(TYPESET_GRAY)
      let draw = { (text: UnsafePointer<CChar>?) in
        drawing.annotations = text
        #expect(typeset_page_draw(page, &drawing, &pixels, pixels.count, nil) == TYPESET_OK)
      }
      if let annotations { annotations.withCString(draw) } else { draw(nil) }
      return pixels
    }
    #expect(pixels(nil) == pixels("[]") && pixels(nil) != pixels("[\(mark)]"))
    let rect = try #require(line["rect"] as? [Double])
    #expect(Self.text { typeset_page_annotations_at(page, "[\(mark)]", rect[0] + 1, rect[1] + 1, $0, nil) } == "[0]")
    #expect(Self.text { typeset_page_annotations_at(page, "[\(mark)]", 0, 799, $0, nil) } == "[]")
    let set = #"{"id": "urn:set", "items": [\#(mark)]}"#
    let written = try #require(Self.text { typeset_annotations_write(book, set, $0, nil) })
    let read = try Self.json { typeset_annotations_read(book, written, $0, nil) } as? [String: Any]
    let item = try #require((read?["items"] as? [[String: Any]])?.first)
    #expect(item["start"] as? String == start && item["end"] as? String == end && item["color"] as? String == "#ff0000")
    var result: UnsafeMutablePointer<CChar>?
    #expect(typeset_annotations_write(book, "[]", &result, nil) == TYPESET_UNREADABLE && result == nil)
    #expect(typeset_annotations_read(book, "{}", &result, nil) == TYPESET_UNREADABLE && result == nil)
  }

  @Test func `A PDF in memory is that in parts`() throws {
    let typesetter = try Self.typesetter()
    defer { typeset_typesetter_free(typesetter) }
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    #expect(typeset_pdf_memory(typesetter, nil, &bytes, &count, nil, nil) == TYPESET_OK)
    defer { typeset_free(bytes) }
    var parts: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &parts) { parts in
      typeset_pdf(
        typesetter, nil,
        { context, bytes, count in
          context?.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(start: bytes, count: count)
          return 0
        }, parts, nil, nil)
    }
    #expect(status == TYPESET_OK && parts == Array(UnsafeBufferPointer(start: bytes, count: count)))
    #expect(typeset_pdf(typesetter, nil, { _, _, _ in 1 }, nil, nil, nil) == TYPESET_INTERRUPTED)
  }

  // MARK: What may not be

  @Test func `NULL is an error or nothing, never a crash`() {
    #expect(typeset_open(nil, nil, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_open("/", nil, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_book_metadata(nil, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_typesetter_new(nil, nil, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_page_png(nil, 1, nil, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_page_draw(nil, nil, nil, 0, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_search(nil, nil, 0, 0, nil, nil) == TYPESET_INVALID_ARGUMENT)
    #expect(typeset_book_chapter_count(nil) == 0 && typeset_page_width(nil) == 0)
    #expect(String(cString: typeset_error_message(nil)).isEmpty && typeset_error_status(nil) == 0)
    #expect(
      typeset_typesetter_cancel(nil, nil) == TYPESET_INVALID_ARGUMENT && typeset_typesetter_cached_bytes(nil) == 0)
    #expect(String(cString: typeset_error_protection(nil)).isEmpty)
    typeset_pool_free(nil)
    typeset_spread_free(nil)
    typeset_book_free(nil)
    typeset_typesetter_free(nil)
    typeset_page_free(nil)
    typeset_error_free(nil)
    typeset_free(nil)
  }
}

/// The names of the header are `Int` in Swift.
func == (a: typeset_status, b: Int) -> Bool { Int(a) == b }
