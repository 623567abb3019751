import Typesetting

/// A book on the shelf.
struct BookAnswer: Encodable {
  var id: String
  var title: String
  var authors: [String]
  var language: String
  var kind: String
  var cover: String?
  var progress: Double?
  /// Seconds since 1970.
  var lastRead: Double?
  var problem: String?

  init(_ row: BookRow, place: PlaceRow?) {
    id = row.id
    title = row.facts.title
    authors = row.facts.authors
    language = row.facts.language
    kind = row.facts.kind
    cover = row.facts.hasCover ? "/api/books/\(row.id)/cover?v=\(Digest.of(row.edition))" : nil
    progress = place?.progress
    lastRead = place?.changed
    problem = row.facts.problem
  }
}

/// A book that is opened.
struct OpenBookAnswer: Encodable {
  var book: BookAnswer
  var isRightToLeft: Bool
  /// Each chapter is a page of its own making.
  var isFixedLayout: Bool
  var chapters: Int
  var contents: [ContentsAnswer]
  var place: String?
}

struct ContentsAnswer: Encodable {
  var title: String
  var level: Int
  /// To be followed; nil for a heading without a place.
  var href: String?
  var chapter: Int?
}

/// The data with which a page of the browser shows a page of the book.
struct PageAnswer: Encodable {
  var chapter: Int
  var index: Int
  var width: Double
  var height: Double
  /// The title of the part of the book it belongs to.
  var title: String
  /// The address of its picture.
  var image: String
  /// The first place on the page.
  var start: String
  /// The number of the page in the book, from 1, and of how many; exact once all pages have been counted.
  var number: Int
  var total: Int
  var isExact: Bool
  /// Enough has been counted that the numbers may be shown.
  var isReliable: Bool
  /// Pages of the chapter where they are known.
  var chapterPages: Int?
  var isFirst: Bool
  var isLast: Bool
  /// With their words, to be selected.
  var lines: [TextLine]
  var links: [LinkAnswer]
  var pictures: [Page.Picture]
  /// What is on the page, for those who cannot look.
  var structure: PageStructure
  var marks: [MarkOnPage]
  /// The place that a reader asked for.
  var found: [[Double]]
}

/// Two pages that face each other, or one.
struct SpreadAnswer: Encodable {
  struct Side: Encodable {
    var page: PageAnswer
    /// Where the page's left side is, in CSS px from the spread's: pages of fixed design meet in the middle.
    var x: Double
  }
  var left: Side?
  var right: Side?
  /// The only page belongs in the middle.
  var isCentered: Bool
}

/// A link as the library tells of it, and whether it leads out of the book.
struct LinkAnswer: Encodable {
  var link: Page.Link

  /// Only what a browser may open without harm; all else belongs to the book.
  static func isExternal(_ href: String) -> Bool {
    ["http://", "https://", "mailto:"].contains(where: href.lowercased().hasPrefix)
  }

  private enum CodingKeys: CodingKey { case isExternal }

  func encode(to encoder: any Encoder) throws {
    try link.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.isExternal(link.href), forKey: .isExternal)
  }
}

struct MarkOnPage: Encodable {
  var id: String
  var kind: MarkRow.Kind
  var color: MarkRow.Color
  var note: String
  var rects: [[Double]]
}

/// A highlight or bookmark in the list of a book.
struct MarkAnswer: Encodable {
  var id: String
  var kind: MarkRow.Kind
  var color: MarkRow.Color
  var start: String
  var end: String
  var cfi: String?
  var text: String
  var note: String
  var chapter: Int

  init(_ row: MarkRow) {
    id = row.id
    kind = row.kind
    color = row.color
    start = row.start.description
    end = row.end.description
    cfi = row.cfi
    text = row.text
    note = row.note
    chapter = row.start.chapter
  }
}

/// Where a link leads: one of these.
struct FollowAnswer: Encodable {
  var note: NoteAnswer?
  var place: String?
  var external: String?
}

struct NoteAnswer: Encodable {
  var text: String
  var image: String
  var width: Double
  var height: Double
}

struct CountsAnswer: Encodable {
  var chapters: [Int]
  var isExact: Bool
  /// As a page tells it.
  var isReliable: Bool
}

struct SearchAnswer: Encodable {
  var start: String
  var end: String
  var before: String
  var match: String
  var after: String
  var title: String
  /// The page's number in the book where it is known.
  var number: Int?
}

struct SearchEnd: Encodable {
  var count: Int
  /// There are more than are told.
  var isCut: Bool
}

extension Rect {
  /// Hundredths of a px are enough for a layer of text.
  var answer: [Double] { [x, y, width, height].map { ($0.pixels * 100).rounded() / 100 } }
}

/// A short name for a text: FNV-1a, 64 bits.
enum Digest {
  static func of(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }
}
