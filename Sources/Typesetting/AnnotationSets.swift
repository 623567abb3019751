public import FoundationEssentials
import Graphics
import Platform
import Primitives
import Publications

/// Notes, highlights and bookmarks of readers, to be shared with other reading systems: an annotation set of the W3C
/// (EPUB Annotations 1.0).
public struct AnnotationSet: Sendable {
  /// An annotation with what is to be said of it.
  public struct Item: Sendable {
    /// A URL, such as `urn:uuid:…`, that no other has.
    public var id: String
    /// The drawn form and its range. That of a bookmark is empty.
    public var annotation: Annotation
    /// Text of the reader's own; empty where there is none.
    public var text: String
    /// When it was made; nil where that is not told.
    public var created: Date?
    /// When it was changed last; nil where it was not.
    public var modified: Date?
    /// Its maker; nil where nobody is named.
    public var creator: String?

    /// An annotation with what is to be said of it.
    public init(
      id: String, _ annotation: Annotation, text: String = "", created: Date?, modified: Date? = nil,
      creator: String? = nil
    ) {
      self.id = id
      self.annotation = annotation
      self.text = text
      self.created = created
      self.modified = modified
      self.creator = creator
    }
  }

  /// A URL that no other set has.
  public var id: String
  /// Of the set; nil where it has none.
  public var title: String?
  /// The program that wrote it; nil where it names none.
  public var generator: String?
  /// When it was written; nil where that is not told.
  public var generated: Date?
  /// The annotations, in any order.
  public var items: [Item]
  /// The ids of annotations that were read but whose places the book does not have.
  public internal(set) var unresolved: [String] = []

  /// A set of annotations.
  public init(
    id: String, title: String? = nil, generator: String? = nil, generated: Date? = nil, items: [Item] = []
  ) {
    self.id = id
    self.title = title
    self.generator = generator
    self.generated = generated
    self.items = items
  }
}

extension AnnotationSet {
  /// The set as the JSON-LD that other reading systems read.
  public func jsonLD(for book: Book) async -> Data {
    var written = WrittenSet(self, about: book.metadata)
    for item in items {
      written.items.append(WrittenItem(item, target: await book.target(of: item.annotation.range)))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Text and numbers alone: it cannot fail.
    return (try? encoder.encode(written)) ?? Data()
  }
}

extension Book {
  /// Reads an annotation set from its JSON-LD. Places are found by their CFI, the text they quote, their position or
  /// their progression.
  ///
  /// - Throws: `BookError` for what is no annotation set.
  public func annotationSet(from json: Data) async throws(BookError) -> AnnotationSet {
    let written: WrittenSet
    do {
      written = try JSONDecoder().decode(WrittenSet.self, from: json)
    } catch {
      throw BookError(.unreadable, "it is no annotation set of the W3C")
    }
    guard written.type == WrittenSet.typeName else {
      throw BookError(.unreadable, "it is no annotation set of the W3C")
    }
    var set = AnnotationSet(
      id: written.id ?? "", title: written.title, generator: written.generator?.name,
      generated: written.generated.flatMap(Timestamp.date))
    for item in written.items {
      guard let range = await range(of: item.target) else {
        set.unresolved.append(item.id ?? "")
        continue
      }
      set.items.append(item.item(range))
    }
    return set
  }

  // MARK: Targets

  fileprivate func target(of range: Range<Locator>) async -> WrittenTarget {
    let chapter = range.lowerBound.chapter
    let path = publication.spine.indices.contains(chapter) ? publication.spine[chapter].path : ""
    let cfi = range.isEmpty ? await cfi(for: range.lowerBound) : await cfi(for: range)
    var selectors: [Selector] = []
    if let cfi { selectors.append(Selector(type: .fragment, value: "\(cfi)", conformsTo: Selector.cfiStandard)) }
    await selectors.append(
      contentsOf: Worker.perform {
        let source = source(of: chapter)
        let end = range.upperBound.chapter == chapter ? source.units(before: range.upperBound.position) : source.length
        let start = source.units(before: range.lowerBound.position)
        let exact = source.text(from: start, to: end, asRead: true).filter { $0 != QuoteText.unread }
        var selectors: [Selector] = []
        if start < end {
          selectors.append(
            Selector(
              quote: String(utf16: QuoteText.collapsed(exact)),
              prefix: source.quote(at: range.lowerBound.position).before,
              suffix: range.upperBound.chapter == chapter ? source.quote(at: range.upperBound.position).after : nil))
        }
        selectors.append(Selector(progression: source.progression(at: range.lowerBound.position)))
        return selectors
      })
    return WrittenTarget(source: path, selectors: selectors)
  }

  private func range(of target: WrittenTarget) async -> Range<Locator>? {
    let named = publication.resolve("/" + target.source, relativeTo: "")
    let chapter = named.flatMap { publication.spineIndex(of: $0.path) }
    let selectors = target.selectors.flatMap(\.withRefinements)
    let quote = selectors.first { $0.type == .quote }
    for selector in selectors {
      guard let cfi = selector.cfi, let range = try? await range(for: cfi) else { continue }
      // The text at the place may have changed since.
      guard let exact = quote?.exact, !range.isEmpty, range.lowerBound.chapter == range.upperBound.chapter else {
        return range
      }
      if await text(of: range) == QuoteText.stripped(exact) { return range }
    }
    guard let chapter else { return nil }
    return await Worker.perform {
      let source = source(of: chapter)
      for selector in selectors {
        if let units = units(of: selector, in: source) {
          let places = [units.lowerBound, units.upperBound].map {
            describe(source.position(afterUnits: $0), chapter: chapter, source)
          }
          return places[0]..<Swift.max(places[0], places[1])
        }
      }
      for selector in selectors where selector.type == .fragment {
        if let id = selector.value, let element = source.element(fragment: id) {
          let place = describe(SourcePosition(node: element, offset: 0), chapter: chapter, source)
          return place..<place
        }
      }
      guard let progression = selectors.lazy.compactMap(\.progression).first else {
        return selectors.isEmpty ? Locator(startOfChapter: chapter)..<Locator(startOfChapter: chapter) : nil
      }
      let units = Int(Double(source.length) * Swift.min(Swift.max(0, progression), 1))
      let place = describe(source.position(afterUnits: units), chapter: chapter, source)
      return place..<place
    }
  }

  private func text(of range: Range<Locator>) async -> [UInt16] {
    await Worker.perform {
      let source = source(of: range.lowerBound.chapter)
      let units = source.units(before: range.lowerBound.position)..<source.units(before: range.upperBound.position)
      let text = source.text(from: units.lowerBound, to: units.upperBound, asRead: true)
      return text.filter { !QuoteText.isSpace($0) }
    }
  }

  /// Units of a chapter's text that a selector of text names; nil for others, and for text that is not there.
  private func units(of selector: Selector, in source: ChapterSource) -> Range<Int>? {
    switch selector.type {
    case .quote:
      guard let exact = selector.exact else { return nil }
      let search = QuoteSearch(source, asRead: true)
      let (prefix, suffix) = (selector.prefix ?? "", selector.suffix ?? "")
      for (prefix, suffix) in [(prefix, suffix), ("", "")] {
        guard let start = search.units(of: TextQuote(before: prefix, after: exact), near: 0),
          let end = search.units(of: TextQuote(before: exact, after: suffix), near: start),
          start <= end
        else { continue }
        return start..<end
      }
      return nil
    case .position:
      guard let start = selector.start, let end = selector.end, start >= 0, start <= end, end <= source.length else {
        return nil
      }
      return start..<end
    default: return nil
    }
  }
}

// MARK: The form in JSON

private struct WrittenSet: Codable {
  static let typeName = "AnnotationSet"

  struct Program: Codable {
    var type = "Software"
    var name: String?
  }

  struct About: Codable {
    var identifiers: [String]?
    var format: String?
    var title: String?
    var publisher: String?
    var creators: [String]?
    var date: String?

    enum CodingKeys: String, CodingKey {
      case identifiers = "dc:identifier"
      case format = "dc:format"
      case title = "dc:title"
      case publisher = "dc:publisher"
      case creators = "dc:creator"
      case date = "dc:date"
    }

    init(_ book: Book.Metadata) {
      identifiers = book.identifier.isEmpty ? nil : [book.identifier]
      format = book.version.isEmpty ? nil : "application/epub+zip"
      title = book.title
      publisher = book.publisher
      creators = book.creators.isEmpty ? nil : book.creators.map(\.name)
      date = book.date
    }

    /// Statements of others about the book are theirs: none is read.
    init(from decoder: any Decoder) throws {}
  }

  var context: String? = "https://www.w3.org/ns/epub-anno.jsonld"
  var id: String?
  var type = typeName
  var title: String?
  var generator: Program?
  var generated: String?
  var about: About?
  var items: [WrittenItem] = []

  enum CodingKeys: String, CodingKey {
    case context = "@context"
    case id, type, title, generator, generated, about, items
  }

  init(_ set: AnnotationSet, about book: Book.Metadata) {
    id = set.id
    title = set.title
    generator = set.generator.map { Program(name: $0) }
    generated = set.generated.map(Timestamp.text)
    about = About(book)
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decodeIfPresent(String.self, forKey: .id)
    type = try values.decode(String.self, forKey: .type)
    title = try? values.decodeIfPresent(String.self, forKey: .title)
    generator = try? values.decodeIfPresent(Program.self, forKey: .generator)
    generated = try? values.decodeIfPresent(String.self, forKey: .generated)
    items = try values.decode([Lenient<WrittenItem>].self, forKey: .items).compactMap(\.value)
  }
}

/// A value of a list that is passed over where it is of another form.
private struct Lenient<Value: Decodable>: Decodable {
  var value: Value?
  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

private struct WrittenItem: Codable {
  struct Person: Codable {
    var type = "Person"
    var name: String?
  }

  struct Body: Codable {
    var type = "TextualBody"
    var value: String?
    var format: String? = "text/plain"
    var color: String?
    var highlight: String?
  }

  var id: String?
  var type = "Annotation"
  var motivation: String?
  var created: String?
  var modified: String?
  var creator: Person?
  var body: Body?
  var target: WrittenTarget

  init(_ item: AnnotationSet.Item, target: WrittenTarget) {
    id = item.id
    motivation = item.annotation.range.isEmpty ? "bookmarking" : "highlighting"
    created = item.created.map(Timestamp.text)
    modified = item.modified.map(Timestamp.text)
    creator = item.creator.map { Person(name: $0) }
    let color = item.annotation.color
    body = Body(value: item.text, color: "#" + [color.red, color.green, color.blue].map(Self.hexadecimal).joined())
    switch item.annotation.style {
    case .highlight: body?.highlight = "solid"
    case .underline: body?.highlight = "underline"
    case .note: break
    }
    self.target = target
  }

  private static func hexadecimal(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }

  func item(_ range: Range<Locator>) -> AnnotationSet.Item {
    let style: Annotation.Style =
      range.isEmpty || motivation == "bookmarking" ? .note : body?.highlight == "underline" ? .underline() : .highlight
    var annotation = Annotation(style, range)
    if let color = body?.color.flatMap(Self.color) { annotation.color = color }
    return AnnotationSet.Item(
      id: id ?? "", annotation, text: body?.value ?? "", created: created.flatMap(Timestamp.date),
      modified: modified.flatMap(Timestamp.date),
      creator: creator?.name)
  }

  /// A colour in the form `#rrggbb`, or one of the names that the specification has.
  private static func color(_ text: String) -> Color? {
    let named: [String: UInt32] = [
      "pink": 0xF5A9C8, "orange": 0xFFC078, "yellow": 0xFFE066, "green": 0xA8E6A1, "blue": 0x9CC8FF, "purple": 0xD0B0F5,
    ]
    let digits = text.hasPrefix("#") && text.utf8.count == 7 ? UInt32(text.dropFirst(), radix: 16) : nil
    guard let value = digits ?? named[text.lowercased()] else { return nil }
    return Color(
      red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}

private struct WrittenTarget: Codable, Sendable {
  var source: String
  var selectors: [Selector]

  enum CodingKeys: String, CodingKey {
    case source
    case selectors = "selector"
  }

  init(source: String, selectors: [Selector]) {
    self.source = source
    self.selectors = selectors
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    source = try values.decode(String.self, forKey: .source)
    if let one = try? values.decode(Selector.self, forKey: .selectors) {
      selectors = [one]
    } else {
      selectors = ((try? values.decode([Lenient<Selector>].self, forKey: .selectors)) ?? []).compactMap(\.value)
    }
  }
}

/// A selector of the Web Annotation Data Model (section 4.2).
private struct Selector: Codable, Sendable {
  enum Kind: String {
    case fragment = "FragmentSelector"
    case quote = "TextQuoteSelector"
    case position = "TextPositionSelector"
    case progression = "ProgressionSelector"
    case other
  }

  static let cfiStandard = "http://www.idpf.org/epub/linking/cfi/epub-cfi.html"

  var type = Kind.other
  var value: String?
  var conformsTo: String?
  var exact: String?
  var prefix: String?
  var suffix: String?
  var start: Int?
  var end: Int?
  var progression: Double?
  var refinedBy: [Selector] = []

  init(type: Kind, value: String, conformsTo: String) {
    self.type = type
    self.value = value
    self.conformsTo = conformsTo
  }

  init(quote exact: String, prefix: String, suffix: String?) {
    type = .quote
    self.exact = exact
    self.prefix = prefix
    self.suffix = suffix
  }

  init(progression: Double) {
    type = .progression
    self.progression = progression
  }

  /// The CFI of a selector that is one, whatever standard it names.
  var cfi: CFI? { value.flatMap { $0.hasPrefix("epubcfi(") ? try? CFI($0) : nil } }

  /// A refining selector is nearer to the place.
  var withRefinements: [Selector] { refinedBy.flatMap(\.withRefinements) + [self] }

  private enum CodingKeys: String, CodingKey {
    case type, value, conformsTo, exact, prefix, suffix, start, end, refinedBy
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .type)
    type = Kind(rawValue: name) ?? .other
    value = try? values.decodeIfPresent(String.self, forKey: .value)
    if type == .progression { progression = try? values.decodeIfPresent(Double.self, forKey: .value) }
    exact = try? values.decodeIfPresent(String.self, forKey: .exact)
    prefix = try? values.decodeIfPresent(String.self, forKey: .prefix)
    suffix = try? values.decodeIfPresent(String.self, forKey: .suffix)
    start = try? values.decodeIfPresent(Int.self, forKey: .start)
    end = try? values.decodeIfPresent(Int.self, forKey: .end)
    // No deeper than anybody writes them.
    guard decoder.codingPath.count < 32 else { return }
    if let one = try? values.decodeIfPresent(Selector.self, forKey: .refinedBy) { refinedBy = [one] }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(type.rawValue, forKey: .type)
    try values.encodeIfPresent(value, forKey: .value)
    try values.encodeIfPresent(progression, forKey: .value)
    try values.encodeIfPresent(conformsTo, forKey: .conformsTo)
    try values.encodeIfPresent(exact, forKey: .exact)
    try values.encodeIfPresent(prefix, forKey: .prefix)
    try values.encodeIfPresent(suffix, forKey: .suffix)
  }
}
