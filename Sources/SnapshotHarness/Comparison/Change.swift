/// The classes of change (snapshot harness, 4.2), in the order of severity that reports use.
package enum ChangeClass: String, Codable, Sendable, CaseIterable {
  /// The unit fails, or fails otherwise, where it did not.
  case newFailure = "new-failure"
  /// The unit is set to its end where it failed.
  case fixedFailure = "fixed-failure"
  /// The baseline has the unit, and the corpus no longer.
  case bookGone = "book-gone"
  /// The baseline has the unit by another name.
  case bookRenamed = "book-renamed"
  case textLost = "text-lost"
  case overflowNew = "overflow-new"
  case emptyPage = "empty-page"
  /// More characters than before have a glyph in no font.
  case glyphMissing = "glyph-missing"
  case textAdded = "text-added"
  case textOrder = "text-order"
  case image
  case tableGeometry = "table-geometry"
  case noteMoved = "note-moved"
  case link
  case fontChanged = "font-changed"
  case sizeChanged = "size-changed"
  case glyphChanged = "glyph-changed"
  case colour
  /// A line begins or ends with what no line may begin or end with, as none did.
  case forbiddenBreak = "forbidden-break"
  case overfullLine = "overfull-line"
  case hyphenLadder = "hyphen-ladder"
  /// A line of a paragraph alone at the top or the foot of a page.
  case widow
  case river
  /// Words are divided that were not, or no longer.
  case hyphensChanged = "hyphens-changed"
  case lineBreakChanged = "line-break-changed"
  case moved
  case spacing
  case pageBreakMoved = "page-break-moved"
  case pageCount = "page-count"
  case metadata
  /// The display lists differ and the layout records do not, or the pixels alone.
  case pixelsOnly = "pixels-only"
  /// The display lists are equal, and what the layout records tell of the pages is not.
  case recordChanged = "record-changed"
  /// Equal display lists were drawn into other pixels: by the rasteriser, a library or a decoder of images.
  case drawingChanged = "drawing-changed"
  /// Equal display lists mean something else in a PDF: by their structure or their text.
  case taggingChanged = "tagging-changed"
  /// What a book is beyond its pages: contents, metadata, page list, text, the outline of its PDF.
  case beyondPages = "beyond-pages"
}

/// The weight of a change.
package enum Severity: Int, Codable, Sendable, Comparable {
  case improvement
  case low
  case medium
  case high
  package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}

/// The cause that explains a change.
package enum ChangeOrigin: String, Codable, Sendable {
  /// The styles of the blocks, or of what they stand in, are others.
  case style
  /// The styles are equal: it is the engine that sets them otherwise.
  case layout
  /// The book is another: its author changed it, and not the engine.
  case book
}

/// One change on one page, at its cause.
package struct Change: Hashable, Codable, Sendable {
  package var kind: ChangeClass
  package var severity: Severity
  /// The identity of the cluster: class, normalised delta, element, script and area (5.1). Equal signatures cluster.
  package var signature: String
  /// For people: `heading moved 1 px right`.
  package var summary: String
  /// The summary that fits all changes of its cluster, where `summary` tells more of this one.
  package var general: String?
  /// Of a change of the whole unit: a decision holds as long as it stays the same. nil where the signature tells all.
  package var fingerprint: UInt64?
  /// The changed lines or objects on the old and on the new page; empty where there are none.
  package var oldBoxes: [RecordBox]
  package var newBoxes: [RecordBox]
  /// The place in the book at which the change starts; nil for changes of the whole unit.
  package var source: RecordSource?
  /// nil where it is not known.
  package var origin: ChangeOrigin?

  package init(
    kind: ChangeClass, severity: Severity, signature: String, summary: String, oldBoxes: [RecordBox] = [],
    newBoxes: [RecordBox] = [], source: RecordSource? = nil, origin: ChangeOrigin? = nil
  ) {
    self.origin = origin
    self.kind = kind
    self.severity = severity
    self.signature = signature
    self.summary = summary
    self.oldBoxes = oldBoxes
    self.newBoxes = newBoxes
    self.source = source
  }
}

extension Change {
  /// The beginning of the summaries of changes that are a book's own.
  static let ofOtherBook = "changed book: "

  fileprivate mutating func tellOfOtherBook() {
    if let origin, signature.hasSuffix("|" + origin.rawValue) { signature.removeLast(origin.rawValue.count + 1) }
    origin = .book
    signature += "|" + ChangeOrigin.book.rawValue
    summary = Self.ofOtherBook + summary
    general = general.map { Self.ofOtherBook + $0 }
  }
}

/// A pair of pages that were compared. Numbers count from 1.
package struct PageChange: Hashable, Codable, Sendable {
  /// The aligned page of the old run; nil for a page that is new.
  package var oldPage: Int?
  package var newPage: Int?
  package var chapter: Int
  package var href: String
  package var changes: [Change]
  /// The pages after it that differ only because of it: they are counted, not shown (4.3).
  package var consequences: Int
  /// 48 bits of the display hash of the new page, or of the old one where that is gone; 0 when it is not known.
  package var fingerprint: UInt64

  package init(
    oldPage: Int?, newPage: Int?, chapter: Int, href: String, changes: [Change], consequences: Int = 0,
    fingerprint: UInt64 = 0
  ) {
    self.fingerprint = fingerprint
    self.oldPage = oldPage
    self.newPage = newPage
    self.chapter = chapter
    self.href = href
    self.changes = changes
    self.consequences = consequences
  }
}

/// The differences of one unit.
package struct UnitComparison: Hashable, Codable, Sendable {
  package var key: UnitKey
  package var title: String
  package var language: String
  /// The name of the book in the baseline, where that is another one.
  package var oldBook: String?
  package var oldPages: Int
  package var newPages: Int
  /// Changes of the whole unit: failures, page count, metadata, warnings.
  package var changes: [Change]
  /// The pages at which changes start, in order.
  package var pages: [PageChange]

  package init(
    key: UnitKey, title: String, language: String, oldPages: Int, newPages: Int, changes: [Change] = [],
    pages: [PageChange] = []
  ) {
    self.key = key
    self.title = title
    self.language = language
    self.oldPages = oldPages
    self.newPages = newPages
    self.changes = changes
    self.pages = pages
  }

  package var isEqual: Bool { changes.isEmpty && pages.isEmpty }

  /// Marks all changes as the book's own, so that they are in no cluster with those of the engine.
  mutating func tellOfOtherBook() {
    for index in changes.indices { changes[index].tellOfOtherBook() }
    for page in pages.indices {
      for index in pages[page].changes.indices { pages[page].changes[index].tellOfOtherBook() }
    }
  }

  /// The unit of the baseline that it was compared with.
  package var oldKey: UnitKey { UnitKey(book: oldBook ?? key.book, profile: key.profile) }
}

/// A change in one place: what clusters are made of.
package struct ClusterMember: Hashable, Codable, Sendable {
  package var key: UnitKey
  package var oldPage: Int?
  package var newPage: Int?
  /// That of the page; 0 for a change of the whole unit. A decision holds as long as it stays the same.
  package var fingerprint: UInt64

  package init(key: UnitKey, oldPage: Int?, newPage: Int?, fingerprint: UInt64 = 0) {
    self.key = key
    self.oldPage = oldPage
    self.newPage = newPage
    self.fingerprint = fingerprint
  }
}

/// The same change in many places (5).
package struct Cluster: Hashable, Codable, Sendable {
  /// Short and lasting: made from the signature.
  package var id: String
  package var signature: String
  package var kind: ChangeClass
  package var severity: Severity
  package var summary: String
  package var members: [ClusterMember]
  package var books: Int
  /// Pages that follow from the members'.
  package var consequences: Int
  /// Three members to look at, or fewer: the smallest change, the median and the largest, of different books and scripts.
  package var representatives: [ClusterMember]
  /// nil where it is not known.
  package var origin: ChangeOrigin?
  /// Clusters that differ in one field of the signature.
  package var near: [String]
  /// nil while nobody has decided.
  package var decision: Verdict?

  package init(
    id: String, signature: String, kind: ChangeClass, severity: Severity, summary: String,
    members: [ClusterMember] = [], books: Int = 0, consequences: Int = 0, representatives: [ClusterMember] = [],
    near: [String] = [], decision: Verdict? = nil, origin: ChangeOrigin? = nil
  ) {
    self.origin = origin
    self.id = id
    self.signature = signature
    self.kind = kind
    self.severity = severity
    self.summary = summary
    self.members = members
    self.books = books
    self.consequences = consequences
    self.representatives = representatives
    self.near = near
    self.decision = decision
  }
}

/// The decision of a person on a change (6.4).
package enum Verdict: String, Codable, Sendable, CaseIterable {
  case accepted
  case regression
  case expected
  case skip
  /// An earlier decision is taken back: the change is open.
  case reopened
}
