import Foundation
import Graphics
import Primitives
import TestSupport
import Testing
import Typesetting

struct AnnotationSetTests {
  private func open(_ chapters: [String]) throws -> Book {
    let folder = try TestFolder()
    return try Book(contentsOf: folder.write(BookFiles(chapters: chapters).archive(), to: "book.epub"))
  }

  private let chapters = [
    "<p>First words of the book.</p>", "<p>Some words here.</p><p id='p'>And <i>other</i> words there, at the end.</p>",
  ]

  /// The range of a text that is searched.
  private func range(of text: String, in book: Book) async throws -> Range<Locator> {
    for await result in Typesetter(book: book).search(text) { return result.range }
    throw CancellationError()
  }

  private static func time(_ text: String) -> Date {
    (try? Date.ISO8601FormatStyle().parse(text)) ?? .distantPast
  }

  @Test(arguments: [
    ("2026-01-02T03:04:05Z", 0), ("2026-01-02T05:04:05+02:00", 0), ("2026-01-02T03:04:05.250Z", 0.25),
    ("2026-01-02", -11045),
  ])
  func `Times are read with fractions and offsets`(_ text: String, _ seconds: Double) throws {
    let json = #"{"id": "urn:1", "start": "0/1:2", "end": "0/1:2", "created": "\#(text)"}"#
    let item = try JSONDecoder().decode(AnnotationSet.Item.self, from: Data(json.utf8))
    let expected = Self.time("2026-01-02T03:04:05Z").addingTimeInterval(seconds)
    #expect(item.created == expected && item.modified == nil)
    #expect(try JSONDecoder().decode(AnnotationSet.Item.self, from: JSONEncoder().encode(item)).created == expected)
    let wrong = json.replacing(text, with: "yesterday")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AnnotationSet.Item.self, from: Data(wrong.utf8))
    }
  }

  @Test func `Sets have JSON of their own, with all that they hold`() async throws {
    let book = try open(chapters)
    let range = try await range(of: "words", in: book)
    let styles: [Annotation.Style] = [
      .highlight, .note, .underline(.solid), .underline(.dotted), .underline(.dashed), .underline(.double),
      .underline(.wavy),
    ]
    var set = AnnotationSet(
      id: "urn:1", title: "Mine", generator: "A program", generated: Self.time("2026-01-02T03:04:05Z"))
    set.items = styles.enumerated().map { index, style in
      .init(
        id: "urn:\(index)", Annotation(style, range, color: Color(red: 1, green: 2, blue: 255, alpha: 7)),
        text: "A thought", created: Self.time("2026-01-01T00:00:00Z"),
        modified: index == 0 ? nil : Self.time("2026-01-02T00:00:00Z"),
        creator: index == 0 ? nil : "Ada")
    }
    let json = try JSONEncoder().encode(set)
    let read = try JSONDecoder().decode(AnnotationSet.self, from: json)
    #expect(read.items.map(\.annotation) == set.items.map(\.annotation))
    #expect(read.items.map(\.id) == set.items.map(\.id) && read.items.map(\.creator) == set.items.map(\.creator))
    #expect(read.title == "Mine" && read.generator == "A program" && read.unresolved.isEmpty)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(read) == encoder.encode(set))
    let short = Data(#"{"id": "urn:1", "items": [{"id": "urn:2", "start": "0/1:2", "end": "0/1:0"}]}"#.utf8)
    let item = try #require(try JSONDecoder().decode(AnnotationSet.self, from: short).items.first)
    #expect(item.annotation.style == .highlight && "\(item.annotation.range.upperBound)" == "0/1:2")
    for wrong in [#"{"style": "underline", "stroke": "thick"}"#, #"{"style": "glow"}"#, #"{"color": "red"}"#] {
      let json = wrong.dropLast() + #", "start": "0/1:2", "end": "0/1:0"}"#
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Annotation.self, from: Data(json.utf8)) }
    }
  }

  @Test func `Annotations are read again from what was written`() async throws {
    let book = try open(chapters)
    let range = try await range(of: "other words there", in: book)
    var set = AnnotationSet(
      id: "urn:uuid:1", title: "Mine", generator: "A program", generated: Self.time("2026-01-02T03:04:05Z"))
    set.items = [
      .init(
        id: "urn:uuid:2", Annotation(.underline(), range, color: Color(red: 1, green: 2, blue: 255)), text: "A thought",
        created: Self.time("2026-01-01T00:00:00Z"), modified: Self.time("2026-01-02T00:00:00Z"), creator: "Ada"),
      .init(
        id: "urn:uuid:3", Annotation(.note, range.lowerBound..<range.lowerBound),
        created: Self.time("2026-01-01T00:00:00Z")),
    ]
    let json = await set.jsonLD(for: book)
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["@context"] as? String == "https://www.w3.org/ns/epub-anno.jsonld")
    #expect(object["type"] as? String == "AnnotationSet")
    let about = object["about"] as? [String: Any]
    #expect(about?["dc:title"] as? String == "T" && about?["dc:identifier"] as? [String] == ["urn:x"])
    let items = try #require(object["items"] as? [[String: Any]])
    #expect(items.map { $0["motivation"] as? String } == ["highlighting", "bookmarking"])
    let target = try #require(items[0]["target"] as? [String: Any])
    #expect(target["source"] as? String == "O/c2.xhtml")
    let selectors = try #require(target["selector"] as? [[String: Any]])
    #expect(
      selectors.map { $0["type"] as? String } == ["FragmentSelector", "TextQuoteSelector", "ProgressionSelector"])
    #expect(selectors[1]["exact"] as? String == "other words there")
    let body = try #require(items[0]["body"] as? [String: Any])
    #expect(body["color"] as? String == "#0102ff" && body["highlight"] as? String == "underline")

    let read = try await book.annotationSet(from: json)
    #expect(read.id == "urn:uuid:1" && read.title == "Mine" && read.generator == "A program")
    #expect(read.items.map(\.id) == ["urn:uuid:2", "urn:uuid:3"] && read.unresolved.isEmpty)
    #expect(read.items[0].annotation == set.items[0].annotation)
    #expect(read.items[0].text == "A thought" && read.items[0].creator == "Ada")
    #expect(read.items[1].annotation.range == set.items[1].annotation.range)
    #expect(await read.jsonLD(for: book) == json)
  }

  private func set(_ selector: String, source: String = "O/c2.xhtml") -> Data {
    Data(
      """
      {"@context": "https://www.w3.org/ns/epub-anno.jsonld", "id": "urn:1", "type": "AnnotationSet", "items": [{"id": "urn:2",
      "type": "Annotation", "created": "2026-01-01T00:00:00Z", "target": {"source": "\(source)"\(selector)}}]}
      """.utf8)
  }

  @Test(arguments: [
    #", "selector": {"type": "TextQuoteSelector", "exact": "other words", "prefix": "And "}"#,
    #", "selector": [{"type": "UnknownSelector"}, {"type": "TextQuoteSelector", "exact": "other  words", "prefix": "lost"}]"#,
    #", "selector": {"type": "FragmentSelector", "value": "p", "refinedBy": {"type": "TextQuoteSelector", "exact": "other words"}}"#,
    #", "selector": [{"type": "FragmentSelector", "value": "epubcfi(/6/4!/4/2/1,:0,:4)"}, {"type": "TextQuoteSelector", "exact": "other words"}]"#,
  ])
  func `Places are found by the text they quote, where a CFI means other text, too`(_ selector: String) async throws {
    let book = try open(chapters)
    let read = try await book.annotationSet(from: set(selector))
    let found = try #require(read.items.first?.annotation.range)
    let expected = try await range(of: "other words", in: book)
    #expect(found == expected)
  }

  @Test func `What cannot be found is named, and what is no set is an error`() async throws {
    let book = try open(chapters)
    for json in [
      set("", source: "O/none.xhtml"), set(#", "selector": {"type": "TextQuoteSelector", "exact": "never written"}"#),
    ] {
      let read = try await book.annotationSet(from: json)
      #expect(read.items.isEmpty && read.unresolved == ["urn:2"])
    }
    #expect(try await book.annotationSet(from: set("")).items.count == 1)
    for text in ["", "[]", "{}", "{\"type\": \"Annotation\", \"items\": []}"] {
      await #expect(throws: BookError.self) { try await book.annotationSet(from: Data(text.utf8)) }
    }
  }
}
