public import Primitives

/// A place in a book's text: before a UTF-16 unit of a text node, or at an element such as a picture.
///
/// Places belong to the book's documents and not to its pages: they outlive a change of settings, and may be saved. Two
/// locators are equal when they name the same place; order is that of the book. `progression` and `quote` only help to find
/// the place again when the book has changed (`Book.locator(repairing:)`).
///
/// A stretch of text is a `Range<Locator>`, which may cross chapters. `a..<b` is the text between two places in whatever order they
/// come.
public struct Locator: Sendable {
  /// Position of the chapter in the reading order, from 0.
  public var chapter: Int
  /// The node of the chapter's document.
  public var node: NodeID
  /// UTF-16 units of the node's text before the place; 0 in elements.
  public var offset: Int
  /// The share of the chapter's text before the place, 0 to 1, where it is known.
  public var progression: Double?
  /// The text around the place, where it is known.
  public var quote: TextQuote?
  /// The text that the place belongs to where a word, a line or a page ends at it: to what stands before or, as when
  /// nothing is said, to what follows.
  public var side: CFI.Side?

  /// A place by chapter, node and offset.
  public init(
    chapter: Int, node: NodeID, offset: Int, progression: Double? = nil, quote: TextQuote? = nil, side: CFI.Side? = nil
  ) {
    self.chapter = chapter
    self.node = node
    self.offset = offset
    self.progression = progression
    self.quote = quote
    self.side = side
  }

  /// The start of a chapter.
  public init(startOfChapter chapter: Int) { self.init(chapter: chapter, node: NodeID(0), offset: 0, progression: 0) }

  /// Node and offset in one word that orders as they do.
  var position: SourcePosition { SourcePosition(node: node, offset: offset) }
}

/// The text on both sides of a place, white space collapsed; at most `TextQuote.length` UTF-16 units each.
public struct TextQuote: Hashable, Sendable, Codable {
  /// UTF-16 units on each side at the most.
  public static let length = 32
  /// The text before the place.
  public var before: String
  /// The text behind the place.
  public var after: String
  /// A quote of the text on both sides of a place.
  public init(before: String, after: String) {
    self.before = before
    self.after = after
  }
}

extension Locator: Hashable, Comparable {
  /// Both name the same place, whatever they say around it.
  public static func == (a: Self, b: Self) -> Bool {
    a.chapter == b.chapter && a.node == b.node && a.offset == b.offset
  }
  /// The place `a` comes first in the book.
  public static func < (a: Self, b: Self) -> Bool {
    a.chapter != b.chapter ? a.chapter < b.chapter : a.node != b.node ? a.node < b.node : a.offset < b.offset
  }
  /// Folds in what makes the place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(chapter)
    hasher.combine(node)
    hasher.combine(offset)
  }
}

extension Locator {
  /// The text between two places. Unlike ranges of other values it may be asked for backwards: a selection is drawn upwards as well as
  /// downwards.
  public static func ..< (a: Self, b: Self) -> Range<Self> { Range(between: a, and: b) }
}

extension Range<Locator> {
  /// The text between two places, in whatever order they come.
  public init(between a: Locator, and b: Locator) {
    unsafe self.init(uncheckedBounds: b < a ? (lower: b, upper: a) : (lower: a, upper: b))
  }
}

extension Locator: LosslessStringConvertible {
  /// `chapter/node:offset`, short and fit for URLs; progression and quote are left out.
  public var description: String { "\(chapter)/\(node.rawValue):\(offset)" }

  /// Reads what `description` writes; nil when it is something else.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let chapter = Int(parts[0]) else { return nil }
    let place = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    guard place.count == 2, let node = UInt32(place[0]), let offset = Int(place[1]), chapter >= 0, offset >= 0 else {
      return nil
    }
    self.init(chapter: chapter, node: NodeID(rawValue: node), offset: offset)
  }
}

extension Locator: Codable {
  private enum CodingKeys: String, CodingKey { case chapter, node, offset, progression, quote, side }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      chapter: try values.decode(Int.self, forKey: .chapter),
      node: NodeID(rawValue: try values.decode(UInt32.self, forKey: .node)),
      offset: try values.decode(Int.self, forKey: .offset),
      progression: try values.decodeIfPresent(Double.self, forKey: .progression),
      quote: try values.decodeIfPresent(TextQuote.self, forKey: .quote),
      side: try values.decodeIfPresent(CFI.Side.self, forKey: .side))
  }

  /// Writes the place with its progression and quote.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(chapter, forKey: .chapter)
    try values.encode(node.rawValue, forKey: .node)
    try values.encode(offset, forKey: .offset)
    try values.encodeIfPresent(progression, forKey: .progression)
    try values.encodeIfPresent(quote, forKey: .quote)
    try values.encodeIfPresent(side, forKey: .side)
  }
}

/// A place in one document: node and UTF-16 offset in one word, in document order.
struct SourcePosition: Hashable, Comparable, Sendable {
  var rawValue: UInt64

  init(node: NodeID, offset: Int) {
    rawValue = UInt64(node.rawValue) << 32 | UInt64(UInt32(clamping: offset))
  }
  init(rawValue: UInt64) { self.rawValue = rawValue }
  var node: NodeID { NodeID(rawValue: UInt32(truncatingIfNeeded: rawValue >> 32)) }
  var offset: Int { Int(UInt32(truncatingIfNeeded: rawValue)) }
  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  func locator(chapter: Int) -> Locator { Locator(chapter: chapter, node: node, offset: offset) }
}
