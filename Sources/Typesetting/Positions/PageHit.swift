public import Primitives

/// A stretch of text as it is copied, and where it stands on a page.
public struct TextStretch: Hashable, Sendable {
  /// The source of the text.
  public var range: Range<Locator>
  /// The text, as `ChapterLayout.text(_:)` gives it: also what stands on other pages.
  public var text: String
  /// One for each line of the page, several in lines of mixed direction; none where it stands on other pages.
  public var rectangles: [Rect]
}

extension TextStretch: Codable {
  private enum CodingKeys: CodingKey { case start, end, text, rectangles }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      range: try values.range(.start, .end),
      text: try values.decode(String.self, forKey: .text),
      rectangles: try values.decode([Rect].self, forKey: .rectangles))
  }

  /// Writes the text with its rectangles; the ends of its range as `start` and `end`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(range, .start, .end)
    try values.encode(text, forKey: .text)
    try values.encode(rectangles, forKey: .rectangles)
  }
}

/// What is at a point of a page, or next to it.
public struct PageHit: Hashable, Sendable, Codable {
  /// The place nearest to the point, in its short form; nil on a page without text and pictures.
  public var place: String?
  /// The word there, or the spaces or marks between two words.
  public var word: TextStretch?
  /// The sentence there.
  public var sentence: TextStretch?
  /// The line there.
  public var line: TextStretch?
  /// The link that the point lies in.
  public var link: Page.Link?
  /// The picture that the point lies in.
  public var picture: Page.Picture?
}
