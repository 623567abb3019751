import Primitives

// What stands on a page as JSON and other forms: places in their short form (`Locator.description`), rectangles as x,
// y, width and height in CSS px from the page's top left corner.

extension KeyedDecodingContainer {
  /// A place in its short form.
  func place(_ key: Key) throws -> Locator {
    let written = try decode(String.self, forKey: key)
    guard let place = Locator(written) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no place: \(written)")
    }
    return place
  }

  /// A range by its ends.
  func range(_ start: Key, _ end: Key) throws -> Range<Locator> {
    Range(between: try place(start), and: try place(end))
  }
}

extension KeyedEncodingContainer {
  /// Writes a place in its short form.
  mutating func encode(_ place: Locator, as key: Key) throws { try encode(place.description, forKey: key) }

  /// Writes a range by its ends.
  mutating func encode(_ range: Range<Locator>, _ start: Key, _ end: Key) throws {
    try encode(range.lowerBound, as: start)
    try encode(range.upperBound, as: end)
  }
}

extension TextLine: Codable {
  private enum CodingKeys: CodingKey {
    case text, start, end, rect, words, isVertical, isRightToLeft, language, endsParagraph
  }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try values.decode(String.self, forKey: .text),
      range: try values.range(.start, .end),
      rect: try values.decode(Rect.self, forKey: .rect),
      words: try values.decode([Word].self, forKey: .words),
      isVertical: try values.decode(Bool.self, forKey: .isVertical),
      isRightToLeft: try values.decode(Bool.self, forKey: .isRightToLeft),
      language: try values.decode(String.self, forKey: .language),
      endsParagraph: try values.decode(Bool.self, forKey: .endsParagraph))
  }

  /// Writes the line with its words; the ends of its range as `start` and `end`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(text, forKey: .text)
    try values.encode(range, .start, .end)
    try values.encode(rect, forKey: .rect)
    try values.encode(words, forKey: .words)
    try values.encode(isVertical, forKey: .isVertical)
    try values.encode(isRightToLeft, forKey: .isRightToLeft)
    try values.encode(language, forKey: .language)
    try values.encode(endsParagraph, forKey: .endsParagraph)
  }
}

extension TextLine.Word: Codable {
  private enum CodingKeys: CodingKey { case text, start, end, rect, isWord }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try values.decode(String.self, forKey: .text),
      range: try values.range(.start, .end),
      rect: try values.decode(Rect.self, forKey: .rect),
      isWord: try values.decode(Bool.self, forKey: .isWord))
  }

  /// Writes the word; the ends of its range as `start` and `end`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(text, forKey: .text)
    try values.encode(range, .start, .end)
    try values.encode(rect, forKey: .rect)
    try values.encode(isWord, forKey: .isWord)
  }
}

extension Page.Link: Codable {
  private enum CodingKeys: CodingKey { case href, rect, source }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      href: try values.decode(String.self, forKey: .href), rect: try values.decode(Rect.self, forKey: .rect),
      source: try values.place(.source))
  }

  /// Writes the reference, the rectangle and the place of the link's element.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(href, forKey: .href)
    try values.encode(rect, forKey: .rect)
    try values.encode(source, as: .source)
  }
}

extension Page.Picture: Codable {
  private enum CodingKeys: CodingKey { case rect, source }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      source: try values.place(.source),
      rect: try values.decode(Rect.self, forKey: .rect))
  }

  /// Writes the rectangle and the place of the picture's element.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(rect, forKey: .rect)
    try values.encode(source, as: .source)
  }
}

extension SearchResult: Codable {
  private enum CodingKeys: CodingKey { case start, end, before, match, after }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      range: try values.range(.start, .end),
      before: try values.decode(String.self, forKey: .before), match: try values.decode(String.self, forKey: .match),
      after: try values.decode(String.self, forKey: .after))
  }

  /// Writes the match with what is around it; the ends of its range as `start` and `end`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(range, .start, .end)
    try values.encode(before, forKey: .before)
    try values.encode(match, forKey: .match)
    try values.encode(after, forKey: .after)
  }
}

extension Utterance: Codable {
  private enum CodingKeys: CodingKey { case text, start, end, language, places, audio, types }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try values.decode(String.self, forKey: .text),
      range: try values.range(.start, .end),
      language: try values.decode(String.self, forKey: .language),
      places: try values.decode([Place].self, forKey: .places),
      audio: try values.decodeIfPresent(AudioClip.self, forKey: .audio),
      types: try values.decode([String].self, forKey: .types))
  }

  /// Writes the text with its places; the ends of its range as `start` and `end`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(text, forKey: .text)
    try values.encode(range, .start, .end)
    try values.encode(language, forKey: .language)
    try values.encode(places, forKey: .places)
    try values.encodeIfPresent(audio, forKey: .audio)
    try values.encode(types, forKey: .types)
  }
}

extension Utterance.Place: Codable {
  private enum CodingKeys: CodingKey { case page, rectangles, start }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      page: try values.decode(Int.self, forKey: .page),
      rectangles: try values.decode([Rect].self, forKey: .rectangles),
      start: try values.place(.start))
  }

  /// Writes the page with the rectangles on it and the place of its first character.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(page, forKey: .page)
    try values.encode(rectangles, forKey: .rectangles)
    try values.encode(start, as: .start)
  }
}

/// What stands on a page, for a layer over its picture: as a value that is written as JSON in one form everywhere.
public struct PageText: Hashable, Sendable, Codable {
  /// Position of the chapter in the reading order.
  public var chapter: Int
  /// Position of the page in its chapter, from 0.
  public var index: Int
  /// The width of the page in CSS px.
  public var width: Double
  /// The height of the page in CSS px.
  public var height: Double
  /// The first place on the page, in its short form.
  public var start: String
  /// The lines of text, in reading order.
  public var lines: [TextLine]
  /// The links, in reading order.
  public var links: [Page.Link]
  /// The pictures, in reading order.
  public var pictures: [Page.Picture]
}

extension Page {
  /// Lines, links and pictures of the page as one value.
  public var textLayer: PageText {
    PageText(
      chapter: chapter, index: index, width: size.width.pixels, height: size.height.pixels, start: start.description,
      lines: lines, links: links, pictures: pictures)
  }
}
