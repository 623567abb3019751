/// Document information and conformance of a file.
package struct PDFInformation: Sendable {
  package var title = ""
  package var creators: [String] = []
  /// BCP 47 tag; empty when unknown.
  package var language = ""
  package var languages: [String] = []
  package var subjects: [String] = []
  package var identifier = ""
  package var identifiers: [String] = []
  package var description: String?
  package var publisher: String?
  package var rights: String?
  /// As the package has it.
  package var date: String?
  /// Seconds since 1970 that are told as the time of making; nil for none.
  package var creationTime: Int?
  /// The program and its version.
  package var producer = ""
  /// Pages follow each other from right to left.
  package var isRightToLeft = false
  /// Pages are meant to be seen in pairs.
  package var showsSpreads = false
  package var standards: PDFStandards = []

  package init() {}
}

/// The standards that a file claims to keep.
package struct PDFStandards: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// PDF/A-2u (ISO 19005-2): kept for long, and all text is known as Unicode.
  package static let a2u = Self(rawValue: 1 << 0)
  /// PDF/A-2a: as A-2u, and tagged.
  package static let a2a = Self(rawValue: 1 << 1)
  /// PDF/UA-1 (ISO 14289-1): tagged for all readers.
  package static let ua1 = Self(rawValue: 1 << 2)
}

/// An entry of the outline (ISO 32000-1, section 12.3.3). Entries are flat, in order; `level` gives the tree.
package struct PDFOutlineEntry: Sendable {
  package var title: String
  /// A named destination; nil for a mere heading.
  package var destination: String?
  /// From 0.
  package var level: Int
  /// The entries below are shown at first.
  package var isOpen: Bool
  package init(title: String, destination: String?, level: Int, isOpen: Bool = false) {
    self.title = title
    self.destination = destination
    self.level = level
    self.isOpen = isOpen
  }
}
